// The open table files of a database: how many it keeps open for users' reads
// (max_open_files), all of them, pinned, or as many as a cache has room for;
// and whether the file system is helped to open them (fast_sst_open).
//
// Threads    Any.
// Ownership  Shares the cache with the tables that are open.
#pragma once

#include <atomic>
#include <memory>

#include "rocksdb/cache.h"

namespace ROCKSDB_NAMESPACE {

struct ImmutableDBOptions;
struct MutableDBOptions;

class OpenTables {
 public:
  OpenTables(const ImmutableDBOptions& options, const MutableDBOptions& now);
  OpenTables(const OpenTables&) = delete;
  OpenTables& operator=(const OpenTables&) = delete;

  // Files that are pinned stay so until they go; files that are opened from
  // now on obey the new limit, where -1 means that all are pinned.
  void Apply(const MutableDBOptions& now);

  const std::shared_ptr<Cache>& cache() const { return cache_; }
  const std::atomic<bool>* pins_readers() const { return &pins_readers_; }
  // What the file system says of a file when it is written is kept, and told
  // to it when the file is opened.
  const std::atomic<bool>* uses_metadata() const { return &uses_metadata_; }

 private:
  std::atomic<bool> pins_readers_;
  std::atomic<bool> uses_metadata_;
  const std::shared_ptr<Cache> cache_;
};

}  // namespace ROCKSDB_NAMESPACE
