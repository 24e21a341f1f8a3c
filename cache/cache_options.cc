// Makes caches from options.

#include <memory>
#include <string>
#include <utility>

#include "cache/cache_with_secondary.h"
#include "cache/clock_cache.h"
#include "cache/compressed_secondary_cache.h"
#include "cache/lower_queues.h"
#include "cache/lru_cache.h"
#include "cache/three_queue_cache.h"
#include "rocksdb/advanced_cache.h"
#include "rocksdb/cache.h"
#include "rocksdb/secondary_cache.h"

namespace ROCKSDB_NAMESPACE {

const bool kDefaultToAdaptiveMutex = false;

const Cache::CacheItemHelper kNoopCacheItemHelper;

namespace {

std::shared_ptr<SecondaryFeeder> FeederOf(
    const std::shared_ptr<SecondaryCache>& secondary,
    TieredAdmissionPolicy policy) {
  return secondary == nullptr
             ? nullptr
             : std::make_shared<SecondaryFeeder>(secondary, policy);
}

// The first cache, and who hears of its evictions, if there is a second one.
struct Primary {
  std::shared_ptr<Cache> cache;
  std::shared_ptr<SecondaryFeeder> feeder;
};

std::shared_ptr<Cache> Join(Primary primary) {
  if (primary.feeder == nullptr) return std::move(primary.cache);
  return std::make_shared<CacheWithSecondary>(std::move(primary.cache),
                                              std::move(primary.feeder));
}

Primary MakeLru(const LRUCacheOptions& options, TieredAdmissionPolicy policy) {
  if (!ValidateLruOptions(options).ok()) return {};
  std::shared_ptr<SecondaryFeeder> feeder =
      FeederOf(options.secondary_cache, policy);
  return {std::make_shared<LruCache>(options, feeder), feeder};
}

Primary MakeClock(const HyperClockCacheOptions& options,
                  TieredAdmissionPolicy policy) {
  if (!ValidateSharding(options).ok()) return {};
  std::shared_ptr<SecondaryFeeder> feeder =
      FeederOf(options.secondary_cache, policy);
  return {std::make_shared<ClockCache>(options, feeder), feeder};
}

}  // namespace

std::shared_ptr<Cache> LRUCacheOptions::MakeSharedCache() const {
  return Join(MakeLru(*this, TieredAdmissionPolicy::kAdmPolicyAuto));
}

// Rows cannot be saved.
std::shared_ptr<RowCache> LRUCacheOptions::MakeSharedRowCache() const {
  return secondary_cache != nullptr ? nullptr : MakeSharedCache();
}

std::shared_ptr<Cache> LRUCacheOptions::MakeSharedGeneralCache() const {
  return secondary_cache != nullptr ? nullptr : MakeSharedCache();
}

std::shared_ptr<Cache> HyperClockCacheOptions::MakeSharedCache() const {
  return Join(MakeClock(*this, TieredAdmissionPolicy::kAdmPolicyAuto));
}

// ---- Secondary caches ----

std::shared_ptr<SecondaryCache>
CompressedSecondaryCacheOptions::MakeSharedSecondaryCache() const {
  if (!CompressedSecondaryCache::Validate(*this).ok()) return nullptr;
  return std::make_shared<CompressedSecondaryCache>(*this);
}

std::shared_ptr<SecondaryCache> NewCompressedSecondaryCache(
    const CompressedSecondaryCacheOptions& opts) {
  return opts.MakeSharedSecondaryCache();
}

// ---- One budget for two caches ----

namespace {

bool IsPossible(const TieredCacheOptions& options) {
  if (options.cache_opts == nullptr) return false;
  const double ratio = options.compressed_secondary_ratio;
  return ratio >= 0 && ratio < 1 &&
         options.adm_policy < TieredAdmissionPolicy::kAdmPolicyMax &&
         TieredCache::IsForTiers(options.adm_policy,
                                 options.nvm_sec_cache != nullptr);
}

Primary MakePrimary(const TieredCacheOptions& options, size_t capacity,
                    std::shared_ptr<SecondaryCache> secondary) {
  switch (options.cache_type) {
    case PrimaryCacheType::kCacheTypeLRU: {
      auto lru = *static_cast<const LRUCacheOptions*>(options.cache_opts);
      lru.capacity = capacity;
      lru.secondary_cache = std::move(secondary);
      return MakeLru(lru, options.adm_policy);
    }
    case PrimaryCacheType::kCacheTypeHCC: {
      auto clock =
          *static_cast<const HyperClockCacheOptions*>(options.cache_opts);
      clock.capacity = capacity;
      clock.secondary_cache = std::move(secondary);
      return MakeClock(clock, options.adm_policy);
    }
    case PrimaryCacheType::kCacheTypeMax:
      break;
  }
  return {};
}

}  // namespace

std::shared_ptr<Cache> NewTieredCache(const TieredCacheOptions& options) {
  if (!IsPossible(options)) return nullptr;
  TieredCache::Budget budget{options.total_capacity,
                             options.compressed_secondary_ratio};
  CompressedSecondaryCacheOptions compressed = options.comp_cache_opts;
  compressed.capacity = budget.SecondaryBytes();
  std::shared_ptr<SecondaryCache> secondary =
      compressed.MakeSharedSecondaryCache();
  if (secondary == nullptr) return nullptr;
  const bool has_device = options.nvm_sec_cache != nullptr;
  if (has_device) {
    secondary = std::make_shared<LowerQueues>(std::move(secondary),
                                              options.nvm_sec_cache);
  }
  Primary primary =
      MakePrimary(options, budget.PrimaryBytes(), std::move(secondary));
  if (primary.cache == nullptr) return nullptr;
  if (has_device) {
    return std::make_shared<ThreeQueueCache>(std::move(primary.cache),
                                             std::move(primary.feeder), budget);
  }
  return std::make_shared<TieredCache>(std::move(primary.cache),
                                       std::move(primary.feeder), budget);
}

Status UpdateTieredCache(const std::shared_ptr<Cache>& cache,
                         int64_t total_capacity,
                         double compressed_secondary_ratio,
                         TieredAdmissionPolicy adm_policy) {
  auto* const tiered = dynamic_cast<TieredCache*>(cache.get());
  if (tiered == nullptr) {
    return Status::InvalidArgument("not a cache of NewTieredCache()");
  }
  return tiered->Update(total_capacity, compressed_secondary_ratio, adm_policy);
}

}  // namespace ROCKSDB_NAMESPACE
