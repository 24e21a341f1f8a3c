// The value of a key from what a batch says of it and what lies below.
//
// Errors  As of FullMerge().
#pragma once

#include <string>

#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/wide_columns.h"
#include "table/full_merge.h"
#include "utilities/write_batch_with_index/family_index.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;

// A value or an entity, with the memory of what had to be made.
class BatchValue {
 public:
  BatchValue() = default;
  BatchValue(const BatchValue&) = delete;
  BatchValue& operator=(const BatchValue&) = delete;

  // From `answer`, onto `below` where it is not known what lies below. NotFound
  // if the key is gone. `family` is asked for its merge operator, and may be
  // null where there are no operands. What the batch holds is borrowed.
  Status Set(const BatchAnswer& answer, const MergeBase& below,
             ColumnFamilyHandle* family, const Slice& key);

  // Copies what is borrowed: it stays as it is while the batch changes.
  void Own();

  bool is_entity() const { return is_entity_; }
  // In the stored form.
  const Slice& bytes() const { return bytes_; }
  // The value; that of the default column if this is an entity.
  Status PlainValue(Slice* value) const;
  Status CopyTo(PinnableSlice* value) const;
  Status CopyTo(PinnableWideColumns* columns) const;

 private:
  bool is_entity_ = false;
  Slice bytes_;
  std::string merged_;
};

// `columns` as something that operands are applied to; `*stored` may hold its
// bytes.
Status MakeMergeBase(const WideColumns& columns, std::string* stored,
                     MergeBase* base);

}  // namespace ROCKSDB_NAMESPACE
