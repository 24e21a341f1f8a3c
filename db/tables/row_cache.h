// The row cache as one family's table files use it: what a file says about a
// user key, so that the next lookup of it asks neither filter nor index nor
// block.
//
// Only lookups that see all of a file fill it and read it: then the answer is
// the same for all of them. Range tombstones are not part of a row.
//
// Threads    Any.
// Ownership  Shares the cache, which may serve several databases.
// Errors     None: what does not fit is read from the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/cache_interface.h"
#include "rocksdb/slice.h"
#include "table/lookup_record.h"
#include "table/table_reader.h"

namespace ROCKSDB_NAMESPACE {

class PointLookup;
class Statistics;

class FileRowCache {
 public:
  FileRowCache(std::shared_ptr<Cache> cache, Statistics* statistics);

  // True: `lookup` has been fed what the file has of `user_key`.
  bool Feed(uint64_t file_number, const Slice& user_key,
            PointLookup* lookup) const;
  // After `lookup` was fed from the file without an error. A record that it
  // ended before its time is not kept.
  void Keep(uint64_t file_number, const PointLookup& lookup,
            LookupRecord record) const;

  // A lookup of several keys in one file: those that have rows are fed at
  // once, the others by the batch, and then kept. The request's parts outlive
  // the batch.
  struct BatchRequest {
    uint64_t file_number = 0;
    const TableReader* reader = nullptr;
    TableBatchOptions table;
    TableLookup* lookups = nullptr;
    size_t count = 0;
  };
  std::unique_ptr<TableBatch> NewBatch(const BatchRequest& request) const;

 private:
  std::string KeyOf(uint64_t file_number, const Slice& user_key) const;

  const std::shared_ptr<Cache> cache_;
  Statistics* const statistics_;
  const uint64_t id_;  // begins the keys of this family in the cache
};

}  // namespace ROCKSDB_NAMESPACE
