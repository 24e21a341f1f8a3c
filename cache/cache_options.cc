// Makes caches from options and from text.

#include <memory>
#include <string>

#include "cache/cache_from_text.h"
#include "cache/lru_cache.h"
#include "rocksdb/advanced_cache.h"
#include "rocksdb/cache.h"
#include "rocksdb/secondary_cache.h"

namespace ROCKSDB_NAMESPACE {

const bool kDefaultToAdaptiveMutex = false;

const Cache::CacheItemHelper kNoopCacheItemHelper;

namespace {

std::shared_ptr<Cache> MakeLruCache(const LRUCacheOptions& options) {
  if (!ValidateLruOptions(options).ok()) return nullptr;
  return std::make_shared<LruCache>(options);
}

}  // namespace

std::shared_ptr<Cache> LRUCacheOptions::MakeSharedCache() const {
  return MakeLruCache(*this);
}

std::shared_ptr<RowCache> LRUCacheOptions::MakeSharedRowCache() const {
  return MakeLruCache(*this);
}

std::shared_ptr<GeneralCache> LRUCacheOptions::MakeSharedGeneralCache() const {
  return MakeLruCache(*this);
}

std::shared_ptr<Cache> HyperClockCacheOptions::MakeSharedCache() const {
  LRUCacheOptions lru(capacity, num_shard_bits, strict_capacity_limit,
                      LRUCacheOptions().high_pri_pool_ratio, memory_allocator,
                      kDefaultToAdaptiveMutex, metadata_charge_policy);
  lru.secondary_cache = secondary_cache;
  lru.hash_seed = hash_seed;
  // Shards of fewer than some hundred entries would fill unevenly.
  constexpr size_t kMinEntriesPerShard = 256;
  if (num_shard_bits < 0 && estimated_entry_charge > 0) {
    int bits = 0;
    const size_t entries = capacity / estimated_entry_charge;
    while (bits < 6 && (entries >> (bits + 1)) >= kMinEntriesPerShard) ++bits;
    lru.num_shard_bits = bits;
  }
  return lru.MakeSharedCache();
}

Status Cache::CreateFromString(const ConfigOptions&, const std::string& value,
                               std::shared_ptr<Cache>* result) {
  if (value.empty() || value == "nullptr") {
    result->reset();
    return Status::OK();
  }
  return CacheFromText(value, result);
}

// ---- Secondary caches: not built yet ----

std::shared_ptr<SecondaryCache>
CompressedSecondaryCacheOptions::MakeSharedSecondaryCache() const {
  return nullptr;
}

std::shared_ptr<SecondaryCache> NewCompressedSecondaryCache(
    const CompressedSecondaryCacheOptions& opts) {
  return opts.MakeSharedSecondaryCache();
}

std::shared_ptr<Cache> NewTieredCache(const TieredCacheOptions&) {
  return nullptr;
}

Status UpdateTieredCache(const std::shared_ptr<Cache>&, int64_t, double,
                         TieredAdmissionPolicy) {
  return Status::NotSupported("UpdateTieredCache");
}

Status SecondaryCache::CreateFromString(const ConfigOptions&,
                                        const std::string& id,
                                        std::shared_ptr<SecondaryCache>*) {
  return Status::NotSupported("SecondaryCache", id);
}

}  // namespace ROCKSDB_NAMESPACE
