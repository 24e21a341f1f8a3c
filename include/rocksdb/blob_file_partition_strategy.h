#pragma once

// Which of several open blob files a value goes to, where values are written to
// blob files before they are flushed (enable_blob_direct_write). A write whose
// call throws is Aborted as a whole.
//
// Threads    Called by one writer at a time.

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE {

class BlobFilePartitionStrategy {
 public:
  virtual ~BlobFilePartitionStrategy() = default;

  virtual const char* Name() const = 0;
  // Any number: what is left of it, divided by `num_partitions`, is taken. The
  // value is as the user has written it.
  virtual uint32_t SelectPartition(uint32_t num_partitions,
                                   uint32_t column_family_id, const Slice& key,
                                   const Slice& value) = 0;
  // For all columns of an entity. As for the default column, or, without it,
  // for an empty value.
  virtual uint32_t SelectPartition(uint32_t num_partitions,
                                   uint32_t column_family_id, const Slice& key,
                                   const WideColumns& columns) {
    const bool has_default =
        !columns.empty() && columns.front().name() == kDefaultWideColumnName;
    return SelectPartition(num_partitions, column_family_id, key,
                           has_default ? columns.front().value() : Slice());
  }
};

}  // namespace ROCKSDB_NAMESPACE
