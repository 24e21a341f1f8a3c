// What each role takes of a block cache: entries, bytes and per cent; and the
// memory of the secondary caches behind it.
//
// Collecting walks the whole cache, so what was found is kept, and told again
// as long as the asker takes it for young enough. It is kept in the cache
// itself, as an entry without a charge: databases that share a cache share the
// walk. Each database holds the entry for as long as it has the cache in use,
// as RocksDB's do, so that the cache of an open database is never quite empty.
//
// Threads  Safe for concurrent use; whoever comes while another collects
//          waits. Collect() never under the DB mutex.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "rocksdb/cache_interface.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class SystemClock;

class CacheEntryStats {
 public:
  struct Found {
    std::string cache_id;
    uint64_t capacity_bytes = 0;
    uint64_t collected_at_micros = 0;  // 0: never
    uint64_t took_micros = 0;
    uint64_t usage_bytes = 0;
    uint64_t collections = 0;
    // How often these have been told again since.
    uint64_t copies = 0;
    std::array<uint64_t, kNumCacheEntryRoles> counts{};
    std::array<uint64_t, kNumCacheEntryRoles> bytes{};
  };
  // Those of `cache`, which is kept alive as long as they are held. A cache
  // that takes no entry has new ones at each call.
  static std::shared_ptr<CacheEntryStats> Of(
      const std::shared_ptr<Cache>& cache);

  // What `cache` holds, or held no more than `max_age_micros` ago. It is the
  // one that these were made for.
  Found Collect(Cache* cache, SystemClock* clock, uint64_t max_age_micros);

  static std::string Text(const Found& found, uint64_t now_micros);
  static std::map<std::string, std::string> Map(const Found& found,
                                                uint64_t now_micros);

 private:
  Mutex mutex_;
  Found found_ GUARDED_BY(mutex_);
};

// What the secondary caches behind `caches` hold in memory, each once. Of those
// that are an application's own nothing is known.
uint64_t SecondaryBytesBehind(const std::set<const Cache*>& caches);

}  // namespace ROCKSDB_NAMESPACE
