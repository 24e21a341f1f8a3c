// A cache serves applications that have entries of their own: evicted entries
// are taken over, handles looked into, and lookups may go on later.
#include "rocksdb/advanced_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/utilities/sim_cache.h"

namespace ROCKSDB_NAMESPACE {
namespace {

int deleted_objects = 0;

void DeleteTold(Cache::ObjectPtr object, MemoryAllocator*) {
  const std::unique_ptr<std::string> last(static_cast<std::string*>(object));
  ++deleted_objects;
}

const Cache::CacheItemHelper kCounted(CacheEntryRole::kMisc, &DeleteTold);

// One cache of each kind, with room for four entries of 1000 bytes; and such
// ones that others wrap.
std::vector<std::shared_ptr<Cache>> CachesOfEachKind() {
  LRUCacheOptions lru;
  lru.capacity = 4000;
  lru.num_shard_bits = 0;
  lru.metadata_charge_policy = kDontChargeCacheMetadata;
  lru.hash_seed = 7;
  HyperClockCacheOptions clock(4000, 1000);
  clock.metadata_charge_policy = kDontChargeCacheMetadata;
  clock.hash_seed = 7;
  std::vector<std::shared_ptr<Cache>> caches{lru.MakeSharedCache(),
                                             clock.MakeSharedCache()};
  TieredCacheOptions tiered;
  tiered.cache_opts = &lru;
  tiered.total_capacity = 8000;
  tiered.compressed_secondary_ratio = 0.5;
  caches.push_back(NewTieredCache(tiered));
  caches.push_back(NewSimCache(lru.MakeSharedCache(), /*sim_capacity=*/4000,
                               /*num_shard_bits=*/0));
  CompressedSecondaryCacheOptions secondary;
  secondary.capacity = 1 << 16;
  lru.secondary_cache = clock.secondary_cache =
      secondary.MakeSharedSecondaryCache();
  caches.push_back(lru.MakeSharedCache());
  caches.push_back(clock.MakeSharedCache());
  return caches;
}

// Caches of one name differ in their options.
std::string TraceOf(const Cache& cache) {
  return cache.Name() + std::string("\n") + cache.GetPrintableOptions();
}

Status InsertText(Cache* cache, const std::string& key,
                  Cache::Handle** handle = nullptr) {
  return cache->Insert(key, std::make_unique<std::string>(key).release(),
                       &kCounted, 1000, handle);
}

// Forwards all, as an application's would.
class PlainWrapper final : public CacheWrapper {
 public:
  using CacheWrapper::CacheWrapper;
  const char* Name() const override { return "PlainWrapper"; }
};

TEST(AdvancedCacheTest, EvictedEntriesAreShownAndTakenOver) {
  for (const auto& cache : CachesOfEachKind()) {
    SCOPED_TRACE(TraceOf(*cache));
    deleted_objects = 0;
    std::vector<std::string> shown;
    std::vector<std::unique_ptr<std::string>> taken;
    cache->SetEvictionCallback(
        [&](const Slice& key, Cache::Handle* handle, bool was_hit) {
          EXPECT_EQ(1000u, cache->GetCharge(handle));
          auto* text = static_cast<std::string*>(cache->Value(handle));
          EXPECT_EQ(key.ToString(), *text);
          shown.push_back(*text + (was_hit ? " hit" : ""));
          if (*text != "a") return false;
          taken.emplace_back(text);
          return true;
        });
    ASSERT_TRUE(InsertText(cache.get(), "a").ok());
    Cache::Handle* const hit = cache->Lookup("a");
    ASSERT_NE(nullptr, hit);
    cache->Release(hit);
    ASSERT_TRUE(InsertText(cache.get(), "b").ok());
    cache->Erase("b");
    EXPECT_TRUE(shown.empty()) << "it was asked to go";
    EXPECT_EQ(1, deleted_objects);
    ASSERT_TRUE(InsertText(cache.get(), "c").ok());
    cache->SetCapacity(0);
    std::sort(shown.begin(), shown.end());
    EXPECT_EQ((std::vector<std::string>{"a hit", "c"}), shown);
    EXPECT_EQ(2, deleted_objects);
    ASSERT_EQ(1u, taken.size());
    EXPECT_EQ("a", *taken.front());
    EXPECT_EQ(0u, cache->GetUsage());
  }
}

// What is given back while the cache is too full goes at once.
TEST(AdvancedCacheTest, AHandleThatMakesRoomIsShown) {
  for (const auto& cache : CachesOfEachKind()) {
    SCOPED_TRACE(TraceOf(*cache));
    deleted_objects = 0;
    std::vector<std::string> shown;
    std::vector<std::unique_ptr<std::string>> taken;
    cache->SetEvictionCallback(
        [&](const Slice& key, Cache::Handle* handle, bool was_hit) {
          EXPECT_EQ(1000u, cache->GetCharge(handle));
          EXPECT_FALSE(was_hit);
          shown.push_back(key.ToString());
          taken.emplace_back(static_cast<std::string*>(cache->Value(handle)));
          return true;
        });
    Cache::Handle* handles[5];
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(
          InsertText(cache.get(), std::to_string(i + 1), &handles[i]).ok());
    }
    EXPECT_TRUE(shown.empty()) << "all are held";
    EXPECT_TRUE(cache->Release(handles[0]));
    EXPECT_EQ((std::vector<std::string>{"1"}), shown);
    ASSERT_EQ(1u, taken.size());
    EXPECT_EQ("1", *taken.front());
    EXPECT_EQ(nullptr, cache->Lookup("1"));
    EXPECT_EQ(4000u, cache->GetUsage());
    for (int i = 1; i < 5; ++i) {
      EXPECT_EQ(i == 1,
                cache->Release(handles[i], /*erase_if_last_ref=*/i == 1));
    }
    EXPECT_EQ(1u, shown.size()) << "the others fit, or were asked to go";
    EXPECT_EQ(1, deleted_objects);
  }
}

TEST(AdvancedCacheTest, HandlesAreLookedInto) {
  for (const auto& cache : CachesOfEachKind()) {
    Cache::Handle* handle = nullptr;
    ASSERT_TRUE(InsertText(cache.get(), "key", &handle).ok());
    int calls = 0;
    const auto look = [&](const Slice& key, Cache::ObjectPtr object,
                          size_t charge, const Cache::CacheItemHelper* helper) {
      EXPECT_EQ("key", key);
      EXPECT_EQ("key", *static_cast<std::string*>(object));
      EXPECT_EQ(1000u, charge);
      EXPECT_EQ(&kCounted, helper);
      ++calls;
    };
    cache->ApplyToHandle(cache.get(), handle, look);
    PlainWrapper wrapper(cache);
    wrapper.ApplyToHandle(&wrapper, handle, look);
    EXPECT_EQ(2, calls);
    EXPECT_EQ(7u, wrapper.GetHashSeed());
    cache->Release(handle);
  }
}

TEST(AdvancedCacheTest, LookupsThatMayGoOn) {
  for (const auto& cache : CachesOfEachKind()) {
    ASSERT_TRUE(InsertText(cache.get(), "there").ok());
    PlainWrapper wrapper(cache);
    for (Cache* asked : {cache.get(), static_cast<Cache*>(&wrapper)}) {
      Cache::AsyncLookupHandle there("there", &kCounted, nullptr);
      Cache::AsyncLookupHandle absent("absent", &kCounted, nullptr);
      asked->StartAsyncLookup(there);
      asked->StartAsyncLookup(absent);
      EXPECT_TRUE(there.IsReady());
      EXPECT_FALSE(there.IsPending());
      asked->WaitAll(&there, 1);
      Cache::Handle* const found = there.Result();
      ASSERT_NE(nullptr, found);
      EXPECT_EQ("there", *static_cast<std::string*>(asked->Value(found)));
      asked->Release(found);
      EXPECT_EQ(nullptr, asked->Wait(absent));
    }
  }
}

TEST(AdvancedCacheTest, CapacityOfTheSecondaryOne) {
  size_t size = 5;
  const std::shared_ptr<Cache> plain = NewLRUCache(1000);
  EXPECT_TRUE(plain->GetSecondaryCacheCapacity(size).IsNotSupported());
  EXPECT_TRUE(plain->GetSecondaryCachePinnedUsage(size).IsNotSupported());
  EXPECT_EQ(5u, size);
  LRUCacheOptions options;
  options.capacity = 1 << 20;
  CompressedSecondaryCacheOptions secondary;
  secondary.capacity = 1 << 16;
  secondary.compression_type = kNoCompression;
  options.secondary_cache = secondary.MakeSharedSecondaryCache();
  const PlainWrapper wrapper(options.MakeSharedCache());
  ASSERT_TRUE(wrapper.GetSecondaryCacheCapacity(size).ok());
  EXPECT_EQ(size_t{1} << 16, size);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
