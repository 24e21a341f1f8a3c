// The LRU cache evicts by age, hits and priority, never what is held; it keeps
// to its capacity, agrees with a model, costs little while idle, and may be
// used by many threads at once.
#include "cache/lru_cache.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/advanced_cache.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// An object that counts how many of its kind live.
std::atomic<int> live_blocks{0};

struct CountedBlock {
  explicit CountedBlock(int n) : number(n) { ++live_blocks; }
  ~CountedBlock() {
    number = -1;
    --live_blocks;
  }
  std::atomic<int> number;
};

void DeleteCountedBlock(Cache::ObjectPtr object, MemoryAllocator*) {
  std::default_delete<CountedBlock>()(static_cast<CountedBlock*>(object));
}

const Cache::CacheItemHelper kBlockHelper(CacheEntryRole::kDataBlock,
                                          &DeleteCountedBlock);

// One shard and no charge for metadata, so that figures are exact.
LRUCacheOptions PlainLru(size_t capacity) {
  LRUCacheOptions options;
  options.capacity = capacity;
  options.num_shard_bits = 0;
  options.high_pri_pool_ratio = 0;
  options.metadata_charge_policy = kDontChargeCacheMetadata;
  return options;
}

class LruCacheTest : public testing::Test {
 protected:
  LruCacheTest() : before_(live_blocks.load()) { Make(PlainLru(5)); }
  ~LruCacheTest() override {
    cache_.reset();
    EXPECT_EQ(live_blocks.load(), before_);
  }
  void Make(const LRUCacheOptions& options) {
    cache_ = options.MakeSharedCache();
    ASSERT_NE(cache_, nullptr);
  }
  Status Insert(const std::string& key, int number, size_t charge = 1,
                Cache::Priority priority = Cache::Priority::LOW) {
    auto object = std::make_unique<CountedBlock>(number);
    Status s = cache_->Insert(key, object.get(), &kBlockHelper, charge, nullptr,
                              priority);
    if (s.ok()) static_cast<void>(object.release());
    return s;
  }
  Cache::Handle* InsertHeld(const std::string& key, int number,
                            size_t charge = 1) {
    auto object = std::make_unique<CountedBlock>(number);
    Cache::Handle* handle = nullptr;
    Status s =
        cache_->Insert(key, object.get(), &kBlockHelper, charge, &handle);
    if (s.ok()) static_cast<void>(object.release());
    EXPECT_EQ(s.ok(), handle != nullptr);
    EXPECT_TRUE(s.ok() || s.IsMemoryLimit()) << s.ToString();
    return handle;
  }
  int Number(Cache::Handle* handle) {
    return static_cast<CountedBlock*>(cache_->Value(handle))->number;
  }
  // -1: not there.
  int Get(const std::string& key) {
    Cache::Handle* handle = cache_->Lookup(key);
    if (handle == nullptr) return -1;
    const int number = Number(handle);
    EXPECT_FALSE(cache_->Release(handle));
    return number;
  }
  // The keys that are there, without touching them.
  std::string Keys() {
    std::set<std::string> keys;
    cache_->ApplyToAllEntries(
        [&keys](const Slice& key, Cache::ObjectPtr, size_t,
                const Cache::CacheItemHelper*) { keys.insert(key.ToString()); },
        {});
    std::string text;
    for (const std::string& key : keys) text += key;
    return text;
  }
  int live() const { return live_blocks.load() - before_; }

  const int before_;
  std::shared_ptr<Cache> cache_;
};

TEST_F(LruCacheTest, FindsReplacesErases) {
  EXPECT_EQ(Get("a"), -1);
  ASSERT_TRUE(Insert("a", 1).ok());
  EXPECT_EQ(Get("a"), 1);
  ASSERT_TRUE(Insert("a", 2).ok());
  EXPECT_EQ(Get("a"), 2);
  EXPECT_EQ(live(), 1);
  EXPECT_EQ(cache_->GetUsage(), 1u);
  cache_->Erase("b");
  cache_->Erase("a");
  EXPECT_EQ(Get("a"), -1);
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(cache_->GetUsage(), 0u);
}

TEST_F(LruCacheTest, TheOldestGoesFirst) {
  for (const char* key : {"a", "b", "c", "d", "e"}) {
    ASSERT_TRUE(Insert(key, 1).ok());
  }
  EXPECT_EQ(Keys(), "abcde");
  ASSERT_TRUE(Insert("f", 1).ok());
  EXPECT_EQ(Keys(), "bcdef");
  ASSERT_TRUE(Insert("g", 1, 2).ok());
  EXPECT_EQ(Keys(), "defg");
  EXPECT_EQ(cache_->GetUsage(), 5u);
}

TEST_F(LruCacheTest, AHitSparesAnEntryOnce) {
  for (const char* key : {"a", "b", "c", "d", "e"}) {
    ASSERT_TRUE(Insert(key, 1).ok());
  }
  EXPECT_EQ(Get("a"), 1);
  ASSERT_TRUE(Insert("f", 1).ok());
  EXPECT_EQ(Keys(), "acdef");
  for (const char* key : {"g", "h", "i"}) {
    ASSERT_TRUE(Insert(key, 1).ok());
  }
  EXPECT_EQ(Keys(), "afghi");
  ASSERT_TRUE(Insert("j", 1).ok());
  EXPECT_EQ(Keys(), "fghij");
}

TEST_F(LruCacheTest, AScanDoesNotPushOutWhatIsHit) {
  LRUCacheOptions options = PlainLru(100);
  options.high_pri_pool_ratio = 0.5;
  Make(options);
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(Insert("hot" + std::to_string(i), i).ok());
  }
  for (int i = 0; i < 30; ++i) EXPECT_EQ(Get("hot" + std::to_string(i)), i);
  for (int i = 0; i < 10000; ++i) {
    ASSERT_TRUE(Insert("scan" + std::to_string(i), i).ok());
  }
  for (int i = 0; i < 30; ++i) EXPECT_EQ(Get("hot" + std::to_string(i)), i);
}

TEST_F(LruCacheTest, PrioritiesGoInOrder) {
  LRUCacheOptions options = PlainLru(6);
  options.high_pri_pool_ratio = 0.34;
  options.low_pri_pool_ratio = 0.34;
  Make(options);
  ASSERT_TRUE(Insert("a", 1, 1, Cache::Priority::HIGH).ok());
  ASSERT_TRUE(Insert("b", 1, 1, Cache::Priority::HIGH).ok());
  ASSERT_TRUE(Insert("c", 1, 1, Cache::Priority::LOW).ok());
  ASSERT_TRUE(Insert("d", 1, 1, Cache::Priority::LOW).ok());
  ASSERT_TRUE(Insert("e", 1, 1, Cache::Priority::BOTTOM).ok());
  ASSERT_TRUE(Insert("f", 1, 1, Cache::Priority::BOTTOM).ok());
  ASSERT_TRUE(Insert("g", 1, 2, Cache::Priority::BOTTOM).ok());
  EXPECT_EQ(Keys(), "abcdg");
  // The pools of high and low hold two each; the oldest spill over.
  ASSERT_TRUE(Insert("h", 1, 1, Cache::Priority::HIGH).ok());
  EXPECT_EQ(Keys(), "abcdh");
  // a spilled into the low pool, c from there into the bottom one.
  ASSERT_TRUE(Insert("i", 1, 2, Cache::Priority::LOW).ok());
  EXPECT_EQ(Keys().find('c'), std::string::npos);
  EXPECT_NE(Keys().find('b'), std::string::npos);
  EXPECT_NE(Keys().find('h'), std::string::npos);
  EXPECT_LE(cache_->GetUsage(), 6u);
}

TEST_F(LruCacheTest, WhatIsHeldStays) {
  Cache::Handle* a = InsertHeld("a", 1, 3);
  Cache::Handle* b = InsertHeld("b", 2, 3);
  EXPECT_EQ(cache_->GetUsage(), 6u);
  EXPECT_EQ(cache_->GetPinnedUsage(), 6u);
  EXPECT_EQ(Get("a"), 1);
  // No room and nobody to hold it: gone at once.
  ASSERT_TRUE(Insert("c", 3).ok());
  EXPECT_EQ(Get("c"), -1);
  EXPECT_EQ(live(), 2);
  // Over the capacity, so the first to be released goes.
  EXPECT_TRUE(cache_->Release(a));
  EXPECT_EQ(Get("a"), -1);
  EXPECT_FALSE(cache_->Release(b));
  EXPECT_EQ(Get("b"), 2);
  EXPECT_EQ(cache_->GetPinnedUsage(), 0u);
}

TEST_F(LruCacheTest, AnErasedEntryLivesAsLongAsItIsHeld) {
  Cache::Handle* a = InsertHeld("a", 1);
  ASSERT_TRUE(cache_->Ref(a));
  cache_->Erase("a");
  EXPECT_EQ(Get("a"), -1);
  EXPECT_EQ(Number(a), 1);
  EXPECT_EQ(cache_->GetUsage(), 1u);
  EXPECT_EQ(cache_->GetOccupancyCount(), 0u);
  ASSERT_TRUE(Insert("a", 2).ok());
  EXPECT_FALSE(cache_->Release(a));
  EXPECT_EQ(Number(a), 1);
  EXPECT_TRUE(cache_->Release(a));
  EXPECT_EQ(Get("a"), 2);
  EXPECT_EQ(live(), 1);
}

TEST_F(LruCacheTest, TheLastReferenceMayErase) {
  Cache::Handle* a = InsertHeld("a", 1);
  Cache::Handle* again = cache_->Lookup("a");
  EXPECT_FALSE(cache_->Release(a, true));
  EXPECT_TRUE(cache_->Release(again, true));
  EXPECT_EQ(Get("a"), -1);
}

TEST_F(LruCacheTest, AStrictLimitRefuses) {
  cache_->SetStrictCapacityLimit(true);
  EXPECT_TRUE(cache_->HasStrictCapacityLimit());
  Cache::Handle* a = InsertHeld("a", 1, 3);
  EXPECT_EQ(InsertHeld("b", 2, 3), nullptr);
  EXPECT_EQ(live(), 1);
  ASSERT_TRUE(Insert("c", 3, 3).ok());
  EXPECT_EQ(live(), 1);
  EXPECT_EQ(
      cache_->CreateStandalone("s", nullptr, &kNoopCacheItemHelper, 3, false),
      nullptr);
  Cache::Handle* uncharged =
      cache_->CreateStandalone("s", nullptr, &kNoopCacheItemHelper, 3, true);
  ASSERT_NE(uncharged, nullptr);
  EXPECT_EQ(cache_->GetUsage(), 3u);
  EXPECT_TRUE(cache_->Release(uncharged));
  EXPECT_FALSE(cache_->Release(a));
  Cache::Handle* b = InsertHeld("b", 2, 3);
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(Get("a"), -1);
  EXPECT_FALSE(cache_->Release(b));
}

TEST_F(LruCacheTest, AStandaloneEntryIsNeverFound) {
  auto object = std::make_unique<CountedBlock>(7);
  Cache::Handle* handle =
      cache_->CreateStandalone("s", object.get(), &kBlockHelper, 4, false);
  ASSERT_NE(handle, nullptr);
  static_cast<void>(object.release());
  EXPECT_EQ(Get("s"), -1);
  EXPECT_EQ(cache_->GetUsage(), 4u);
  EXPECT_EQ(cache_->GetPinnedUsage(), 4u);
  EXPECT_EQ(cache_->GetCharge(handle), 4u);
  EXPECT_TRUE(cache_->Release(handle));
  EXPECT_EQ(cache_->GetUsage(), 0u);
}

TEST_F(LruCacheTest, ASmallerCapacityEvictsAtOnce) {
  Make(PlainLru(100));
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(Insert(std::to_string(i), i).ok());
  }
  Cache::Handle* held = cache_->Lookup("0");
  cache_->SetCapacity(10);
  EXPECT_EQ(cache_->GetCapacity(), 10u);
  EXPECT_EQ(cache_->GetUsage(), 10u);
  cache_->SetCapacity(0);
  EXPECT_EQ(cache_->GetUsage(), 1u);
  EXPECT_TRUE(cache_->Release(held));
  EXPECT_EQ(cache_->GetUsage(), 0u);
  ASSERT_TRUE(Insert("x", 1).ok());
  EXPECT_EQ(Get("x"), -1);
}

TEST_F(LruCacheTest, DropsWhatNobodyHolds) {
  Cache::Handle* a = InsertHeld("a", 1);
  ASSERT_TRUE(Insert("b", 2).ok());
  cache_->EraseUnRefEntries();
  EXPECT_EQ(Keys(), "a");
  EXPECT_EQ(cache_->GetUsage(), 1u);
  cache_->Release(a);
}

TEST_F(LruCacheTest, MetadataIsCharged) {
  LRUCacheOptions options = PlainLru(1 << 20);
  options.metadata_charge_policy = kFullChargeCacheMetadata;
  Make(options);
  Cache::Handle* a = InsertHeld("0123456789abcdef", 1, 100);
  EXPECT_EQ(cache_->GetCharge(a), 100u);
  EXPECT_GT(cache_->GetUsage(a), 116u);
  EXPECT_EQ(cache_->GetUsage(), cache_->GetUsage(a));
  EXPECT_EQ(cache_->GetCacheItemHelper(a), &kBlockHelper);
  cache_->Release(a);
}

TEST_F(LruCacheTest, ManyPinnedEntriesDoNotStopEviction) {
  Make(PlainLru(2000));
  std::vector<Cache::Handle*> held;
  for (int i = 0; i < 1000; ++i) {
    held.push_back(InsertHeld("p" + std::to_string(i), i));
  }
  for (int i = 0; i < 100000; ++i) {
    ASSERT_TRUE(Insert("u" + std::to_string(i), i).ok());
  }
  EXPECT_LE(cache_->GetUsage(), 2000u);
  EXPECT_EQ(cache_->GetPinnedUsage(), 1000u);
  EXPECT_GT(cache_->GetOccupancyCount(), 1500u);
  for (Cache::Handle* handle : held) cache_->Release(handle);
}

// Against a map of what may be there: a hit is always the last value, the
// usage is the sum of charges, and the limit holds.
TEST_F(LruCacheTest, AgreesWithAModel) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    LRUCacheOptions options = PlainLru(500);
    options.high_pri_pool_ratio = random.Uniform(3) * 0.4;
    options.low_pri_pool_ratio = random.Uniform(2) * 0.2;
    Make(options);
    std::map<std::string, int> last;
    for (int i = 0; i < 20000; ++i) {
      std::string key = std::to_string(random.Uniform(300));
      if (random.Uniform(2) == 0) key.insert(0, 16 - key.size(), '0');
      const uint64_t kind = random.Uniform(10);
      if (kind < 4) {
        const auto priority = static_cast<Cache::Priority>(random.Uniform(3));
        ASSERT_TRUE(Insert(key, i, 1 + random.Uniform(9), priority).ok());
        last[key] = i;
      } else if (kind == 4) {
        cache_->Erase(key);
        last.erase(key);
      } else {
        const int found = Get(key);
        if (found >= 0) {
          ASSERT_TRUE(last.count(key) == 1 && last[key] == found);
        }
      }
      ASSERT_LE(cache_->GetUsage(), 500u);
    }
    size_t sum = 0;
    size_t count = 0;
    cache_->ApplyToAllEntries(
        [&](const Slice&, Cache::ObjectPtr, size_t charge,
            const Cache::CacheItemHelper* helper) {
          sum += charge;
          ++count;
          EXPECT_EQ(helper, &kBlockHelper);
        },
        {});
    EXPECT_EQ(sum, cache_->GetUsage());
    EXPECT_EQ(count, cache_->GetOccupancyCount());
    EXPECT_EQ(static_cast<int>(count), live());
  }
}

TEST_F(LruCacheTest, ThreadsShareIt) {
  LRUCacheOptions options;
  options.capacity = 300 * 1000;
  options.num_shard_bits = 1;
  options.use_adaptive_mutex = true;
  Make(options);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      Random64 random(t + 1);
      std::vector<Cache::Handle*> held;
      for (int i = 0; i < 20000; ++i) {
        const int number = static_cast<int>(random.Uniform(1000));
        std::string key = std::to_string(number);
        key.insert(0, 16 - key.size(), '0');
        const uint64_t kind = random.Uniform(100);
        if (kind == 0) {
          cache_->Erase(key);
        } else if (kind == 1 && t == 0) {
          cache_->SetCapacity(100 * 1000 + random.Uniform(200 * 1000));
        } else if (kind == 2 && t == 1) {
          cache_->EraseUnRefEntries();
        } else if (kind == 3) {
          EXPECT_LE(cache_->GetPinnedUsage(), size_t{1} << 30);
        } else if (Cache::Handle* handle = cache_->Lookup(key)) {
          ASSERT_EQ(Number(handle), number);
          held.push_back(handle);
        } else if (kind % 2 == 0) {
          held.push_back(InsertHeld(key, number, 1000));
        } else {
          ASSERT_TRUE(Insert(key, number, 1000).ok());
        }
        while (held.size() > 10) {
          ASSERT_GE(Number(held.front()), 0);
          cache_->Release(held.front(), kind == 5);
          held.erase(held.begin());
        }
      }
      for (Cache::Handle* handle : held) cache_->Release(handle);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cache_->GetPinnedUsage(), 0u);
  EXPECT_LE(cache_->GetUsage(), cache_->GetCapacity() + 4096);
}

TEST_F(LruCacheTest, ShardsAreFilledEvenly) {
  LRUCacheOptions options = PlainLru(64 << 20);
  options.num_shard_bits = -1;
  Make(options);
  EXPECT_EQ(static_cast<LruCache*>(cache_.get())->shard_count(), 64u);
  // Keys of blocks: one file word, offsets that differ a little.
  for (int i = 0; i < 10000; ++i) {
    const uint64_t words[2] = {0x1234567890ABCDEFu, i * uint64_t{4096}};
    const std::string key(reinterpret_cast<const char*>(words), 16);
    ASSERT_TRUE(Insert(key, i, 5000).ok());
  }
  EXPECT_EQ(cache_->GetOccupancyCount(), 10000u);
  EXPECT_GT(cache_->GetTableAddressCount(), 10000u);
  EXPECT_LT(cache_->GetTableAddressCount(), 20000u);
}

TEST_F(LruCacheTest, AWalkInSmallStepsSeesEachEntryOnce) {
  LRUCacheOptions options = PlainLru(64 << 20);
  options.num_shard_bits = 1;
  Make(options);
  Cache::ApplyToAllEntriesOptions steps;
  steps.average_entries_per_lock = 7;
  // At many sizes of the table.
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(Insert("key" + std::to_string(i), i, 1).ok());
    if (i % 97 != 0) continue;
    std::map<std::string, int> seen;
    cache_->ApplyToAllEntries(
        [&](const Slice& key, Cache::ObjectPtr, size_t,
            const Cache::CacheItemHelper*) { ++seen[key.ToString()]; },
        steps);
    EXPECT_EQ(seen.size(), static_cast<size_t>(i) + 1);
    for (const auto& [key, times] : seen) EXPECT_EQ(times, 1) << key;
  }
}

// Each column family may have a cache of its own, and there are thousands.
TEST_F(LruCacheTest, AnIdleCacheIsSmall) {
  const auto used = [] {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  if (used() == 0) GTEST_SKIP() << "another malloc";
  const size_t before = used();
  std::vector<std::shared_ptr<Cache>> caches;
  for (int i = 0; i < 100; ++i) caches.push_back(NewLRUCache(32 << 20));
  EXPECT_LT(used() - before, size_t{100} * 2048);
}

TEST_F(LruCacheTest, AnIdleCacheAnswers) {
  for (const int bits : {0, 6}) {
    LRUCacheOptions options = PlainLru(1000);
    options.num_shard_bits = bits;
    Make(options);
    EXPECT_EQ(cache_->Lookup("a"), nullptr);
    cache_->Erase("a");
    cache_->EraseUnRefEntries();
    EXPECT_EQ(Keys(), "");
    EXPECT_EQ(cache_->GetUsage() + cache_->GetPinnedUsage(), 0u);
    EXPECT_EQ(cache_->GetOccupancyCount(), 0u);
    // As many as there are after an insertion.
    const size_t slots = cache_->GetTableAddressCount();
    EXPECT_TRUE(Insert("a", 1).ok());
    EXPECT_EQ(cache_->GetTableAddressCount(), slots);
    EXPECT_EQ(Get("a"), 1);
  }
}

TEST_F(LruCacheTest, WhatIsSetBeforeTheFirstInsertionHolds) {
  cache_->SetCapacity(2);
  cache_->SetStrictCapacityLimit(true);
  Cache::Handle* const a = InsertHeld("a", 1);
  Cache::Handle* const b = InsertHeld("b", 2);
  EXPECT_EQ(InsertHeld("c", 3), nullptr);
  cache_->Release(a);
  cache_->Release(b);
  EXPECT_EQ(Keys(), "ab");

  Make(PlainLru(0));
  cache_->SetCapacity(2);
  EXPECT_TRUE(Insert("a", 1).ok());
  EXPECT_EQ(Get("a"), 1);
}

TEST_F(LruCacheTest, AStandaloneEntryMayBeTheFirst) {
  Cache::Handle* const handle = cache_->CreateStandalone(
      "a", std::make_unique<CountedBlock>(1).release(), &kBlockHelper, 1, true);
  ASSERT_NE(handle, nullptr);
  EXPECT_EQ(cache_->GetPinnedUsage(), 1u);
  cache_->Release(handle);
}

TEST_F(LruCacheTest, ThreadsMakeTheFirstInsertionsAtOnce) {
  for (int round = 0; round < 50; ++round) {
    LRUCacheOptions options = PlainLru(1000);
    options.num_shard_bits = 2;
    Make(options);
    std::atomic<int> ready{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const std::string key = std::to_string(t);
        ++ready;
        while (ready < 4) std::this_thread::yield();
        if (t == 3) cache_->SetCapacity(2000);
        ASSERT_TRUE(Insert(key, t).ok());
        EXPECT_EQ(Get(key), t);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(Keys(), "0123");
    EXPECT_EQ(cache_->GetCapacity(), 2000u);
  }
}

TEST_F(LruCacheTest, NewIdsDiffer) {
  EXPECT_NE(cache_->NewId(), cache_->NewId());
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
