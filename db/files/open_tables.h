// How many table files a database keeps open for users' reads
// (max_open_files): all of them, pinned, or as many as a cache has room for.
//
// Threads    Any.
// Ownership  Shares the cache with the tables that are open.
#pragma once

#include <atomic>
#include <memory>

#include "rocksdb/cache.h"

namespace ROCKSDB_NAMESPACE {

struct ImmutableDBOptions;

class OpenTables {
 public:
  OpenTables(const ImmutableDBOptions& options, int max_open_files);
  OpenTables(const OpenTables&) = delete;
  OpenTables& operator=(const OpenTables&) = delete;

  // Files that are pinned stay so until they go; files that are opened from
  // now on obey the new limit. -1: all are pinned.
  void SetLimit(int max_open_files);

  const std::shared_ptr<Cache>& cache() const { return cache_; }
  const std::atomic<bool>* pins_readers() const { return &pins_readers_; }

 private:
  std::atomic<bool> pins_readers_;
  const std::shared_ptr<Cache> cache_;
};

}  // namespace ROCKSDB_NAMESPACE
