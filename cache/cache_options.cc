// Makes caches from options and from text.

#include <memory>
#include <string>

#include "cache/cache_from_text.h"
#include "cache/clock_cache.h"
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
  if (!ValidateClockOptions(*this).ok()) return nullptr;
  return std::make_shared<ClockCache>(*this);
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
