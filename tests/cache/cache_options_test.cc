// Making caches, from options and from text; keys; typed handles.

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "cache/cache_entry_roles.h"
#include "cache/cache_key.h"
#include "cache/typed_cache.h"
#include "rocksdb/advanced_cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/secondary_cache.h"

namespace ROCKSDB_NAMESPACE {

namespace {

TEST(CacheOptionsTest, DefaultsAreThoseOfTheInterface) {
  const LRUCacheOptions lru;
  EXPECT_EQ(lru.capacity, 0u);
  EXPECT_EQ(lru.num_shard_bits, -1);
  EXPECT_FALSE(lru.strict_capacity_limit);
  EXPECT_EQ(lru.high_pri_pool_ratio, 0.5);
  EXPECT_EQ(lru.low_pri_pool_ratio, 0.0);
  EXPECT_EQ(lru.metadata_charge_policy, kFullChargeCacheMetadata);
  const HyperClockCacheOptions clock(1 << 20, 0);
  EXPECT_EQ(clock.min_avg_entry_charge, 450u);
  EXPECT_EQ(clock.eviction_effort_cap, 30);
}

TEST(CacheOptionsTest, BothFormsOfNewLRUCache) {
  const auto first = NewLRUCache(1 << 20);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->GetCapacity(), 1u << 20);
  EXPECT_STREQ(first->Name(), "LRUCache");
  LRUCacheOptions options;
  options.capacity = 7 << 20;
  options.strict_capacity_limit = true;
  const auto second = NewLRUCache(options);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->GetCapacity(), 7u << 20);
  EXPECT_TRUE(second->HasStrictCapacityLimit());
  const std::string text = second->GetPrintableOptions();
  EXPECT_NE(text.find("capacity : 7340032"), std::string::npos) << text;
  EXPECT_NE(text.find("strict_capacity_limit : 1"), std::string::npos) << text;
}

TEST(CacheOptionsTest, ImpossibleOptionsMakeNoCache) {
  LRUCacheOptions options;
  options.num_shard_bits = 20;
  EXPECT_EQ(options.MakeSharedCache(), nullptr);
  options = LRUCacheOptions();
  options.high_pri_pool_ratio = 1.1;
  EXPECT_EQ(options.MakeSharedCache(), nullptr);
  options.high_pri_pool_ratio = 0.6;
  options.low_pri_pool_ratio = 0.5;
  EXPECT_EQ(options.MakeSharedCache(), nullptr);
  options.low_pri_pool_ratio = -0.1;
  EXPECT_EQ(options.MakeSharedCache(), nullptr);
}

TEST(CacheOptionsTest, ClockCaches) {
  const auto fixed = HyperClockCacheOptions(8 << 20, 4096).MakeSharedCache();
  ASSERT_NE(fixed, nullptr);
  EXPECT_EQ(fixed->GetCapacity(), 8u << 20);
  EXPECT_STREQ(fixed->Name(), "FixedHyperClockCache");
  const auto automatic = HyperClockCacheOptions(8 << 20, 0).MakeSharedCache();
  ASSERT_NE(automatic, nullptr);
  EXPECT_STREQ(automatic->Name(), "AutoHyperClockCache");
  EXPECT_EQ(HyperClockCacheOptions(8 << 20, 0, 20).MakeSharedCache(), nullptr);
}

TEST(CacheOptionsTest, FromText) {
  const ConfigOptions config;
  std::shared_ptr<Cache> cache;
  ASSERT_TRUE(Cache::CreateFromString(config, "1048576", &cache).ok());
  ASSERT_NE(cache, nullptr);
  EXPECT_EQ(cache->GetCapacity(), 1u << 20);
  ASSERT_TRUE(Cache::CreateFromString(
                  config, "{capacity=2M;strict_capacity_limit=true}", &cache)
                  .ok());
  EXPECT_EQ(cache->GetCapacity(), 2u << 20);
  EXPECT_TRUE(cache->HasStrictCapacityLimit());
  const std::shared_ptr<Cache> kept = cache;
  EXPECT_FALSE(Cache::CreateFromString(config, "nonsense", &cache).ok());
  EXPECT_FALSE(
      Cache::CreateFromString(config, "capacity=1M;no_such=1", &cache).ok());
  EXPECT_FALSE(
      Cache::CreateFromString(config, "capacity=1M;num_shard_bits=20", &cache)
          .ok());
  EXPECT_EQ(cache, kept);
  ASSERT_TRUE(Cache::CreateFromString(config, "nullptr", &cache).ok());
  EXPECT_EQ(cache, nullptr);
}

TEST(CacheOptionsTest, SecondaryCachesFromText) {
  ConfigOptions config;
  std::shared_ptr<SecondaryCache> secondary;
  EXPECT_TRUE(SecondaryCache::CreateFromString(config, "x", &secondary).ok());
  config.ignore_unsupported_options = false;
  EXPECT_TRUE(SecondaryCache::CreateFromString(config, "x", &secondary)
                  .IsNotSupported());
  EXPECT_EQ(secondary, nullptr);
  ASSERT_TRUE(SecondaryCache::CreateFromString(
                  config,
                  "compressed_secondary_cache://capacity=8388608;"
                  "compression_type=kNoCompression;"
                  "enable_custom_split_merge=true",
                  &secondary)
                  .ok());
  ASSERT_NE(secondary, nullptr);
  EXPECT_STREQ(secondary->Name(), "CompressedSecondaryCache");
  size_t capacity = 0;
  EXPECT_TRUE(secondary->GetCapacity(capacity).ok());
  EXPECT_EQ(capacity, 8u << 20);
  const std::shared_ptr<SecondaryCache> kept = secondary;
  for (const char* bad :
       {"compressed_secondary_cache://no_such=1",
        "compressed_secondary_cache://capacity=1M;num_shard_bits=20",
        "compressed_secondary_cache://high_pri_pool_ratio=2"}) {
    EXPECT_FALSE(SecondaryCache::CreateFromString(config, bad, &secondary).ok())
        << bad;
    EXPECT_EQ(secondary, kept);
  }
  ASSERT_TRUE(
      SecondaryCache::CreateFromString(config, "nullptr", &secondary).ok());
  EXPECT_EQ(secondary, nullptr);
}

TEST(CacheOptionsTest, ImpossibleTiersMakeNoCache) {
  LRUCacheOptions primary;
  CompressedSecondaryCacheOptions compressed;
  compressed.compression_type = kNoCompression;
  EXPECT_NE(NewCompressedSecondaryCache(compressed), nullptr);
  compressed.num_shard_bits = 20;
  EXPECT_EQ(NewCompressedSecondaryCache(compressed), nullptr);
  compressed.num_shard_bits = -1;
  primary.secondary_cache = NewCompressedSecondaryCache(compressed);
  EXPECT_NE(primary.MakeSharedCache(), nullptr);
  EXPECT_EQ(primary.MakeSharedRowCache(), nullptr);
  EXPECT_EQ(primary.MakeSharedGeneralCache(), nullptr);

  TieredCacheOptions tiers;
  tiers.comp_cache_opts = compressed;
  tiers.total_capacity = 1 << 20;
  tiers.compressed_secondary_ratio = 0.5;
  EXPECT_EQ(NewTieredCache(tiers), nullptr);
  tiers.cache_opts = &primary;
  EXPECT_EQ(NewTieredCache(tiers), nullptr);  // It has a secondary cache.
  primary.secondary_cache = nullptr;
  EXPECT_NE(NewTieredCache(tiers), nullptr);
  tiers.adm_policy = TieredAdmissionPolicy::kAdmPolicyThreeQueue;
  EXPECT_EQ(NewTieredCache(tiers), nullptr);
  tiers.nvm_sec_cache = NewCompressedSecondaryCache(compressed);
  EXPECT_NE(NewTieredCache(tiers), nullptr);
  for (const TieredAdmissionPolicy policy :
       {TieredAdmissionPolicy::kAdmPolicyPlaceholder,
        TieredAdmissionPolicy::kAdmPolicyAllowCacheHits,
        TieredAdmissionPolicy::kAdmPolicyAllowAll}) {
    tiers.adm_policy = policy;
    EXPECT_EQ(NewTieredCache(tiers), nullptr);
  }
  tiers.adm_policy = TieredAdmissionPolicy::kAdmPolicyAuto;
  EXPECT_NE(NewTieredCache(tiers), nullptr);
  tiers.nvm_sec_cache = nullptr;
  for (const double ratio : {-0.1, 1.0}) {
    tiers.compressed_secondary_ratio = ratio;
    EXPECT_EQ(NewTieredCache(tiers), nullptr);
  }
  EXPECT_TRUE(UpdateTieredCache(nullptr).IsInvalidArgument());
  EXPECT_TRUE(UpdateTieredCache(NewLRUCache(1 << 20)).IsInvalidArgument());
}

TEST(CacheOptionsTest, RolesHaveNames) {
  EXPECT_EQ(GetCacheEntryRoleName(CacheEntryRole::kDataBlock), "DataBlock");
  EXPECT_EQ(HyphenatedRoleName(CacheEntryRole::kMisc), "misc");
  std::set<std::string> names;
  for (uint32_t i = 0; i < kNumCacheEntryRoles; ++i) {
    names.insert(HyphenatedRoleName(static_cast<CacheEntryRole>(i)));
  }
  EXPECT_EQ(names.size(), kNumCacheEntryRoles);
}

TEST(CacheKeyTest, FilesAndBlocksDiffer) {
  std::set<std::string> keys;
  for (const char* session : {"SESSION0000000000001", "SESSION0000000000002"}) {
    for (uint64_t file = 0; file < 100; ++file) {
      const FileCacheKey key(session, file);
      for (uint64_t offset = 0; offset < 100000; offset += 4999) {
        for (uint64_t kind = 0; kind < 4; ++kind) {
          const CacheKey block = key.WithOffset(offset, kind);
          EXPECT_FALSE(block.IsEmpty());
          EXPECT_EQ(block.AsSlice().size(), 16u);
          EXPECT_TRUE(keys.insert(block.AsSlice().ToString()).second);
        }
      }
    }
  }
  const CacheKey again =
      FileCacheKey("SESSION0000000000001", 7).WithOffset(4999);
  EXPECT_EQ(keys.count(again.AsSlice().ToString()), 1u);
  EXPECT_TRUE(CacheKey().IsEmpty());
  const auto cache = NewLRUCache(1 << 20);
  const CacheKey first = CacheKey::Unique(cache.get());
  const CacheKey second = CacheKey::Unique(cache.get());
  EXPECT_NE(first.AsSlice(), second.AsSlice());
}

TEST(TypedCacheTest, HandlesReleaseThemselves) {
  const auto cache = NewLRUCache(1 << 20);
  const TypedCache<std::string, CacheEntryRole::kOtherBlock> typed(cache.get());
  EXPECT_FALSE(typed.Lookup("a"));
  auto object = std::make_unique<std::string>("hello");
  CacheHandle<std::string> handle;
  ASSERT_TRUE(typed.Insert("a", &object, 100, &handle).ok());
  EXPECT_EQ(object, nullptr);
  EXPECT_EQ(*handle, "hello");
  CacheHandle<std::string> found = typed.Lookup("a");
  ASSERT_TRUE(found);
  EXPECT_EQ(found.get(), handle.get());
  EXPECT_GT(cache->GetPinnedUsage(), 0u);
  CacheHandle<std::string> moved = std::move(found);
  handle.Reset();
  EXPECT_GT(cache->GetPinnedUsage(), 0u);
  moved = CacheHandle<std::string>();
  EXPECT_EQ(cache->GetPinnedUsage(), 0u);
  EXPECT_TRUE(typed.Lookup("a"));
}

TEST(TypedCacheTest, ARefusedObjectRemainsTheCallers) {
  LRUCacheOptions options;
  options.capacity = 10;
  options.strict_capacity_limit = true;
  const auto cache = options.MakeSharedCache();
  const TypedCache<std::string> typed(cache.get());
  auto object = std::make_unique<std::string>("hello");
  CacheHandle<std::string> handle;
  EXPECT_TRUE(typed.Insert("a", &object, 100, &handle).IsMemoryLimit());
  ASSERT_NE(object, nullptr);
  EXPECT_EQ(*object, "hello");
  EXPECT_FALSE(handle);
}

TEST(CacheWrapperTest, Forwards) {
  class Wrapper : public CacheWrapper {
   public:
    using CacheWrapper::CacheWrapper;
    const char* Name() const override { return "Wrapper"; }
  };
  Wrapper cache(NewLRUCache(1 << 20));
  Cache::Handle* handle = nullptr;
  ASSERT_TRUE(
      cache.Insert("a", nullptr, &kNoopCacheItemHelper, 5000, &handle).ok());
  EXPECT_EQ(cache.GetCharge(handle), 5000u);
  EXPECT_GE(cache.GetTarget()->GetUsage(), 5000u);
  EXPECT_FALSE(cache.Release(handle));
  EXPECT_EQ(cache.GetCapacity(), 1u << 20);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
