// The bytes of a write batch, as they are in the write-ahead log.
//
//   fixed64 sequence | fixed32 count | entries
//   entry: tag byte [varint32 column family id] fields
//
// A tag is a ValueType. Fields are length-prefixed: key and value, a key
// alone, or a blob. Tags with a column family id are those of families other
// than the default one.
//
// Errors  BatchReader answers Corruption for any byte that is not as written.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/coding.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr size_t kBatchCountOffset = 8;
inline constexpr size_t kBatchHeaderBytes = kBatchCountOffset + 4;
static_assert(kBatchHeaderBytes == sizeof(uint64_t) + sizeof(uint32_t));

// One entry, pointing into the batch.
struct BatchEntry {
  // The tag of the default family's form: kTypeValue for both kinds of put.
  ValueType type = kTypeNoop;
  uint32_t column_family_id = 0;
  // Key, or begin of a range; blob of kTypeLogData; name of a transaction.
  Slice key;
  // Value, operand, entity, end of a range; timestamp of a commit.
  Slice value;
};

// True for an entry that is counted and takes a sequence number.
inline bool IsDataEntry(ValueType type) {
  return type != kTypeDeletionWithTimestamp && IsStoredType(type);
}

// Walks over the entries of a batch.
class BatchReader {
 public:
  // `batch` has at least a header; an entry begins at `offset`, or its end is
  // there.
  explicit BatchReader(const Slice& batch, size_t offset = kBatchHeaderBytes)
      : input_(batch.data() + offset, batch.size() - offset) {
    assert(offset >= kBatchHeaderBytes);
    assert(batch.size() >= offset);
  }

  bool AtEnd() const { return input_.empty(); }
  size_t remaining_bytes() const { return input_.size(); }
  // Needs !AtEnd().
  Status Next(BatchEntry* entry);

 private:
  Slice input_;
};

}  // namespace ROCKSDB_NAMESPACE
