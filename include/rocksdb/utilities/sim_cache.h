// What a block cache of another size would do, beside one that is in use.
//
//   table_options.block_cache = NewSimCache(NewLRUCache(1 << 30), 4ull << 30,
//                                           /*num_shard_bits=*/6);
//
// The simulated cache holds keys and sizes alone. Each lookup of the real cache
// is looked up there too and counted: in the counters below, and in the tickers
// SIM_BLOCK_CACHE_HIT and SIM_BLOCK_CACHE_MISS of the database that looks.
//
// Threads  Every call from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/env.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class SimCache;

// Forwards to `cache`, and simulates an LRU cache of `sim_capacity` bytes.
// Null where num_shard_bits is 20 or more.
std::shared_ptr<SimCache> NewSimCache(std::shared_ptr<Cache> cache,
                                      size_t sim_capacity, int num_shard_bits);

// The same with the cache that is to hold keys and sizes, which nothing else
// may use.
std::shared_ptr<SimCache> NewSimCache(std::shared_ptr<Cache> sim_cache,
                                      std::shared_ptr<Cache> cache,
                                      int num_shard_bits);

class SimCache : public CacheWrapper {
 public:
  using CacheWrapper::CacheWrapper;
  ~SimCache() override {}

  // The capacity and the usage of the simulated cache, in bytes.
  virtual size_t GetSimCapacity() const = 0;
  virtual size_t GetSimUsage() const = 0;
  // A smaller capacity drops keys at once.
  virtual void SetSimCapacity(size_t capacity) = 0;

  // Lookups that the simulated cache would have missed, and answered.
  virtual uint64_t get_miss_counter() const = 0;
  virtual uint64_t get_hit_counter() const = 0;
  virtual void reset_counter() = 0;
  // Both counters and the hit rate in percent, as lines.
  virtual std::string ToString() const = 0;

  // Writes a line for each lookup and each insertion to a file:
  //
  //   LOOKUP - <key in hex>
  //   ADD - <key in hex> - <bytes>
  //
  // It ends with StopActivityLogging(), or once the file is larger than
  // `max_logging_size` (0: never). One that is under way is ended first.
  virtual Status StartActivityLogging(const std::string& activity_log_file,
                                      Env* env,
                                      uint64_t max_logging_size = 0) = 0;
  virtual void StopActivityLogging() = 0;
  // The error that ended the present or last one, if there was one.
  virtual Status GetActivityLoggingStatus() = 0;
};

}  // namespace ROCKSDB_NAMESPACE
