// The columns of one stored entity for a filter that reads blobs only where it
// has to.
//
// Threads    One at a time.
// Ownership  Borrows the entity, its key and the blobs; owns what it fetched.
// Errors     InvalidArgument: no such column. Otherwise those of the blobs.
#pragma once

#include <memory>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

class BlobFetcher;

class EntityResolver final : public WideColumnBlobResolver {
 public:
  // `blobs` may be null: there are none, and references are NotSupported.
  EntityResolver(const BlobFetcher* blobs, const Slice& user_key)
      : blobs_(blobs), user_key_(user_key) {}
  EntityResolver(const EntityResolver&) = delete;
  EntityResolver& operator=(const EntityResolver&) = delete;

  Status Load(const Slice& entity);
  // The columns as they are stored: one in a blob file has its reference for a
  // value.
  const WideColumns& columns() const { return stored_.columns; }

  Status ResolveColumn(size_t column_index, Slice* resolved_value) override;
  bool IsBlobColumn(size_t column_index) const override;
  size_t NumColumns() const override { return stored_.columns.size(); }

 private:
  const BlobFetcher* const blobs_;
  const Slice user_key_;
  StoredColumns stored_;
  std::vector<std::unique_ptr<PinnableSlice>> fetched_;  // one for each column
};

}  // namespace ROCKSDB_NAMESPACE
