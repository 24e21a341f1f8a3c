// One entity as a lookup found it, of which columns in blob files are read when
// they are asked for: what LazyWideColumns shows.
//
// Threads    One at a time.
// Ownership  Owns, or pins, the stored bytes; shares the blobs of the version
//            that they were found in with the other entities of the call.
// Errors     Corruption for bytes that are no entity; else lazy_wide_columns.h.
#pragma once

#include <memory>
#include <vector>

#include "db/read/lazy_blobs.h"
#include "rocksdb/lazy_wide_columns.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "table/stored_answer.h"

namespace ROCKSDB_NAMESPACE {

class LazyEntity {
 public:
  LazyEntity() = default;
  LazyEntity(const LazyEntity&) = delete;
  LazyEntity& operator=(const LazyEntity&) = delete;

  // For the lookup to fill in.
  StoredAnswer* stored() { return &stored_; }
  // Is there anything to be read later?
  bool RefersToBlobs() const { return stored_.refers_to_blobs; }
  // Makes columns of what was found. `blobs` may be null where there are none.
  Status Index(std::shared_ptr<const LazyBlobs> blobs);

  size_t column_count() const { return columns_.size(); }
  const LazyWideColumn& column(size_t i) const { return columns_[i]; }
  bool Owns(const LazyWideColumn* column) const;
  // The rest of MultiResolve() for a column that it owns: what needs no blob
  // is done, what does is added to `wanted`.
  Status Begin(const LazyColumnReadRequest& request,
               std::vector<WantedColumn>* wanted) const;
  const std::shared_ptr<const LazyBlobs>& blobs() const { return blobs_; }

 private:
  class Column final : public LazyWideColumn {
   public:
    Column(size_t index, const Slice& name, const Slice& value);
    Column(size_t index, const Slice& name, const BlobIndex& blob);
    const BlobIndex& blob() const { return blob_; }

   private:
    BlobIndex blob_;  // where the value is, if the column is a reference
  };

  Status IndexEntity();

  StoredAnswer stored_;
  std::vector<Column> columns_;
  std::shared_ptr<const LazyBlobs> blobs_;
};

}  // namespace ROCKSDB_NAMESPACE
