// Who takes what of a block cache: entries, bytes and per cent by role; and
// what lies behind it.
//
// Collecting walks the whole cache, so what was found is kept, and told again
// as long as the asker takes it for young enough.
//
// Threads  Safe for concurrent use; whoever comes while another collects
//          waits. Never under the DB mutex.
#pragma once

#include <array>
#include <cstdint>
#include <map>
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
    std::array<uint64_t, kNumCacheEntryRoles> counts{};
    std::array<uint64_t, kNumCacheEntryRoles> bytes{};
  };
  // What `cache` holds, or held no more than `max_age_micros` ago.
  Found Collect(Cache* cache, SystemClock* clock, uint64_t max_age_micros);

  static std::string Text(const Found& found, uint64_t now_micros);
  static std::map<std::string, std::string> Map(const Found& found,
                                                uint64_t now_micros);

 private:
  Mutex mutex_;
  std::map<const Cache*, Found> by_cache_ GUARDED_BY(mutex_);
};

// What the secondary caches behind `caches` hold in memory, each once. Of those
// that are an application's own nothing is known.
uint64_t SecondaryBytesBehind(const std::set<const Cache*>& caches);

}  // namespace ROCKSDB_NAMESPACE
