#include "cache/cache_entry_stats.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cache/cache_entry_roles.h"
#include "cache/cache_key.h"
#include "cache/cache_with_secondary.h"
#include "cache/compressed_secondary_cache.h"
#include "cache/lower_queues.h"
#include "cache/typed_cache.h"
#include "rocksdb/cache.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

double Percent(uint64_t part, uint64_t whole) {
  return whole == 0
             ? 0
             : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

double Seconds(uint64_t micros) { return static_cast<double>(micros) / 1e6; }

// No file has that word: each makes its own from its session.
constexpr CacheKey kStatsKey(0, UINT64_MAX);

struct HeldStats {
  std::shared_ptr<Cache> cache;  // goes after the entry
  CacheHandle<CacheEntryStats> entry;
};

}  // namespace

std::shared_ptr<CacheEntryStats> CacheEntryStats::Of(
    const std::shared_ptr<Cache>& cache) {
  INVARIANT(cache != nullptr);
  const TypedCache<CacheEntryStats> typed(cache.get());
  auto held = std::make_shared<HeldStats>();
  held->cache = cache;
  // Without the lock two callers could both find none, and one's entry would
  // replace the other's.
  static Mutex mutex;
  MutexLock lock(&mutex);
  held->entry = typed.Lookup(kStatsKey.AsSlice());
  if (!held->entry) {
    auto fresh = std::make_unique<CacheEntryStats>();
    const Status s =
        typed.Insert(kStatsKey.AsSlice(), &fresh, /*charge=*/0, &held->entry);
    if (!s.ok() || !held->entry) {
      return std::shared_ptr<CacheEntryStats>(std::move(fresh));
    }
  }
  CacheEntryStats* const stats = held->entry.get();
  return {std::move(held), stats};
}

CacheEntryStats::Found CacheEntryStats::Collect(Cache* cache,
                                                SystemClock* clock,
                                                uint64_t max_age_micros) {
  INVARIANT(cache != nullptr);
  INVARIANT(clock != nullptr);
  MutexLock lock(&mutex_);
  const uint64_t start = clock->NowMicros();
  // Databases with other clocks may share the cache, and a clock may be set
  // back: what is from the future has no age.
  const uint64_t collected = found_.collected_at_micros;
  if (collected != 0 && start >= collected &&
      start - collected < max_age_micros) {
    ++found_.copies;
    return found_;
  }
  Found found;
  found.cache_id =
      StringPrintf("%s@%p", cache->Name(), static_cast<const void*>(cache));
  found.capacity_bytes = cache->GetCapacity();
  found.usage_bytes = cache->GetUsage();
  found.collections = found_.collections + 1;
  cache->ApplyToAllEntries(
      [&found](const Slice& /*key*/, Cache::ObjectPtr /*object*/, size_t charge,
               const Cache::CacheItemHelper* helper) {
        const CacheEntryRole role =
            helper != nullptr ? helper->role : CacheEntryRole::kMisc;
        const auto at = static_cast<size_t>(role);
        INVARIANT(at < kNumCacheEntryRoles);
        ++found.counts[at];
        found.bytes[at] += charge;
      },
      Cache::ApplyToAllEntriesOptions());
  found.collected_at_micros = clock->NowMicros();
  found.took_micros = std::max(found.collected_at_micros, start) - start;
  found_ = found;
  return found;
}

std::string CacheEntryStats::Text(const Found& found, uint64_t now_micros) {
  std::string text = "Block cache " + found.cache_id +
                     " capacity: " + BytesToHumanString(found.capacity_bytes) +
                     " usage: " + BytesToHumanString(found.usage_bytes);
  text += StringPrintf(
      " collections: %llu last_copies: %llu last_secs: %g secs_since: %llu\n",
      static_cast<unsigned long long>(found.collections),
      static_cast<unsigned long long>(found.copies), Seconds(found.took_micros),
      static_cast<unsigned long long>((now_micros - found.collected_at_micros) /
                                      1'000'000));
  text += "Block cache entry stats(count,size,portion):";
  for (size_t i = 0; i < kNumCacheEntryRoles; ++i) {
    if (found.counts[i] == 0) continue;
    text += StringPrintf(
        " %s(%llu,%s,%g%%)",
        GetCacheEntryRoleName(static_cast<CacheEntryRole>(i)).c_str(),
        static_cast<unsigned long long>(found.counts[i]),
        BytesToHumanString(found.bytes[i]).c_str(),
        Percent(found.bytes[i], found.capacity_bytes));
  }
  return text + "\n";
}

std::map<std::string, std::string> CacheEntryStats::Map(const Found& found,
                                                        uint64_t now_micros) {
  INVARIANT(now_micros >= found.collected_at_micros);
  std::map<std::string, std::string> map;
  map["id"] = found.cache_id;
  map["capacity"] = std::to_string(found.capacity_bytes);
  map["secs_for_last_collection"] = std::to_string(Seconds(found.took_micros));
  map["secs_since_last_collection"] =
      std::to_string((now_micros - found.collected_at_micros) / 1'000'000);
  for (size_t i = 0; i < kNumCacheEntryRoles; ++i) {
    const std::string& role =
        HyphenatedRoleName(static_cast<CacheEntryRole>(i));
    map["count." + role] = std::to_string(found.counts[i]);
    map["bytes." + role] = std::to_string(found.bytes[i]);
    map["percent." + role] =
        std::to_string(Percent(found.bytes[i], found.capacity_bytes));
  }
  return map;
}

uint64_t SecondaryBytesBehind(const std::set<const Cache*>& caches) {
  std::set<const CompressedSecondaryCache*> behind;
  for (const Cache* cache : caches) {
    INVARIANT(cache != nullptr);
    const auto* both = dynamic_cast<const CacheWithSecondary*>(cache);
    if (both == nullptr) continue;
    const SecondaryCache* below = &both->secondary();
    if (const auto* queues = dynamic_cast<const LowerQueues*>(below)) {
      below = &queues->compressed();
    }
    const auto* secondary =
        dynamic_cast<const CompressedSecondaryCache*>(below);
    if (secondary != nullptr) behind.insert(secondary);
  }
  uint64_t bytes = 0;
  for (const CompressedSecondaryCache* secondary : behind) {
    bytes += secondary->GetUsage();
  }
  return bytes;
}

}  // namespace ROCKSDB_NAMESPACE
