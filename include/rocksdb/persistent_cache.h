// A cache of blocks that outlives memory, such as one on a fast device: looked
// in between the block cache and the file.
//
// BlockBasedTableOptions::persistent_cache takes one: data blocks that are read
// from files go into it. What it cannot hand out is a miss.
//
// Threads  Every call from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class PersistentCache {
 public:
  using StatsType = std::vector<std::map<std::string, double>>;

  virtual ~PersistentCache() {}

  // Keeps `size` bytes under the key, or does not.
  virtual Status Insert(const Slice& key, const char* data,
                        const size_t size) = 0;
  // Hands out a copy; any error is a miss.
  virtual Status Lookup(const Slice& key, std::unique_ptr<char[]>* data,
                        size_t* size) = 0;
  // True: it keeps blocks as files have them, with their trailer; else as they
  // are before compression.
  virtual bool IsCompressed() = 0;
  // Figures by name, for each tier.
  virtual StatsType Stats() = 0;
  virtual std::string GetPrintableOptions() const = 0;
  // A number that it never gave before.
  virtual uint64_t NewId() = 0;
};

// A cache in files of 100 MiB below `path`/cache, which is empty at first and
// leaves nothing; the oldest file goes when `size` bytes are used.
// `optimized_for_nvm`: they are written with direct I/O where that is to be
// had. InvalidArgument if `size` has no room for a file, or for a null pointer.
Status NewPersistentCache(Env* const env, const std::string& path,
                          const uint64_t size,
                          const std::shared_ptr<Logger>& log,
                          const bool optimized_for_nvm,
                          std::shared_ptr<PersistentCache>* cache);

}  // namespace ROCKSDB_NAMESPACE
