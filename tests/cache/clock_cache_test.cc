// The HyperClock cache finds, replaces, pins and evicts as its contract says,
// agrees with a model, keeps hit and high-priority entries longest, and may be
// used by many threads at once.
#include "cache/clock_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/advanced_cache.h"
#include "util/memory_limit.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// An object that counts how many of its kind live.
std::atomic<int> live_objects{0};

struct Counted {
  explicit Counted(int n) : number(n) { ++live_objects; }
  ~Counted() {
    number = -1;
    --live_objects;
  }
  std::atomic<int> number;
};

void DeleteCounted(Cache::ObjectPtr object, MemoryAllocator*) {
  std::default_delete<Counted>()(static_cast<Counted*>(object));
}

const Cache::CacheItemHelper kHelper(CacheEntryRole::kDataBlock,
                                     &DeleteCounted);

// No charge for metadata, so that figures are exact.
HyperClockCacheOptions Plain(size_t capacity, size_t entry_charge = 1) {
  HyperClockCacheOptions options(capacity, entry_charge);
  options.metadata_charge_policy = kDontChargeCacheMetadata;
  options.min_avg_entry_charge = 1;
  return options;
}

// Sixteen bytes, as keys of blocks have.
std::string Key(int number) {
  std::string key = std::to_string(number);
  return std::string(16 - key.size(), '0') + key;
}

class ClockCacheTest : public testing::Test {
 protected:
  ClockCacheTest() : before_(live_objects.load()) { Make(Plain(5)); }
  ~ClockCacheTest() override {
    cache_.reset();
    EXPECT_EQ(live_objects.load(), before_);
  }
  void Make(const HyperClockCacheOptions& options) {
    cache_ = options.MakeSharedCache();
    ASSERT_NE(cache_, nullptr);
  }
  Status Insert(const std::string& key, int number, size_t charge = 1,
                Cache::Priority priority = Cache::Priority::LOW) {
    auto object = std::make_unique<Counted>(number);
    Status s =
        cache_->Insert(key, object.get(), &kHelper, charge, nullptr, priority);
    if (s.ok()) static_cast<void>(object.release());
    return s;
  }
  Cache::Handle* InsertHeld(const std::string& key, int number,
                            size_t charge = 1) {
    auto object = std::make_unique<Counted>(number);
    Cache::Handle* handle = nullptr;
    Status s = cache_->Insert(key, object.get(), &kHelper, charge, &handle);
    if (s.ok()) static_cast<void>(object.release());
    EXPECT_EQ(s.ok(), handle != nullptr);
    EXPECT_TRUE(s.ok() || s.IsMemoryLimit()) << s.ToString();
    return handle;
  }
  int Number(Cache::Handle* handle) {
    return static_cast<Counted*>(cache_->Value(handle))->number;
  }
  // -1: not there.
  int Get(const std::string& key) {
    Cache::Handle* handle = cache_->Lookup(key);
    if (handle == nullptr) return -1;
    const int number = Number(handle);
    cache_->Release(handle);
    return number;
  }
  size_t CountEntries() {
    size_t count = 0;
    cache_->ApplyToAllEntries(
        [&count](const Slice&, Cache::ObjectPtr, size_t,
                 const Cache::CacheItemHelper*) { ++count; },
        {});
    return count;
  }
  int live() const { return live_objects.load() - before_; }

  const int before_;
  std::shared_ptr<Cache> cache_;
};

TEST_F(ClockCacheTest, FindsReplacesErases) {
  ASSERT_TRUE(Insert(Key(1), 1).ok());
  ASSERT_TRUE(Insert("short", 2).ok());
  ASSERT_TRUE(Insert("a key that is longer than sixteen bytes", 3).ok());
  EXPECT_EQ(Get(Key(1)), 1);
  EXPECT_EQ(Get("short"), 2);
  EXPECT_EQ(Get("a key that is longer than sixteen bytes"), 3);
  EXPECT_EQ(Get(Key(2)), -1);
  ASSERT_TRUE(Insert(Key(1), 4).ok());
  EXPECT_EQ(Get(Key(1)), 4);
  EXPECT_EQ(live(), 3);
  EXPECT_EQ(cache_->GetOccupancyCount(), 3u);
  EXPECT_EQ(cache_->GetUsage(), 3u);
  cache_->Erase(Key(1));
  cache_->Erase(Key(1));
  EXPECT_EQ(Get(Key(1)), -1);
  EXPECT_EQ(live(), 2);
}

TEST_F(ClockCacheTest, AScanDoesNotPushOutWhatIsHit) {
  Make(Plain(1000));
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(Insert(Key(i), i).ok());
  for (int scan = 0; scan < 20; ++scan) {
    for (int i = 0; i < 500; ++i) EXPECT_EQ(Get(Key(i)), i);
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(Insert(Key(10000 + scan * 500 + i), i).ok());
    }
    EXPECT_LE(cache_->GetUsage(), 1000u);
  }
}

TEST_F(ClockCacheTest, HighPriorityStaysLonger) {
  Make(Plain(1000));
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(Insert(Key(i), i, 1, Cache::Priority::HIGH).ok());
  }
  for (int i = 500; i < 1500; ++i) {
    ASSERT_TRUE(Insert(Key(i), i, 1, Cache::Priority::BOTTOM).ok());
  }
  for (int i = 0; i < 500; ++i) EXPECT_EQ(Get(Key(i)), i);
}

TEST_F(ClockCacheTest, WhatIsHeldStays) {
  std::vector<Cache::Handle*> held;
  for (int i = 0; i < 8; ++i) held.push_back(InsertHeld(Key(i), i));
  EXPECT_EQ(cache_->GetUsage(), 8u);
  EXPECT_EQ(cache_->GetPinnedUsage(), 8u);
  ASSERT_TRUE(Insert(Key(100), 100).ok());  // Comes and goes at once.
  EXPECT_EQ(Get(Key(100)), -1);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(Number(held[i]), i);
  EXPECT_TRUE(cache_->Ref(held[7]));
  EXPECT_FALSE(cache_->Release(held[7]));
  for (int i = 0; i < 8; ++i) {
    // Those beyond the capacity go with their last reference.
    EXPECT_EQ(cache_->Release(held[i]), i < 3) << i;
  }
  EXPECT_EQ(cache_->GetUsage(), 5u);
  EXPECT_EQ(cache_->GetPinnedUsage(), 0u);
}

TEST_F(ClockCacheTest, AnErasedEntryLivesAsLongAsItIsHeld) {
  Cache::Handle* handle = InsertHeld(Key(1), 1);
  cache_->Erase(Key(1));
  EXPECT_EQ(Get(Key(1)), -1);
  EXPECT_EQ(cache_->GetOccupancyCount(), 0u);
  EXPECT_EQ(Number(handle), 1);
  ASSERT_TRUE(Insert(Key(1), 2).ok());
  EXPECT_EQ(Get(Key(1)), 2);
  EXPECT_EQ(Number(handle), 1);
  EXPECT_TRUE(cache_->Release(handle));
  EXPECT_EQ(live(), 1);
  handle = cache_->Lookup(Key(1));
  EXPECT_TRUE(cache_->Release(handle, /*erase_if_last_ref=*/true));
  EXPECT_EQ(live(), 0);
}

TEST_F(ClockCacheTest, AStrictLimitRefuses) {
  cache_->SetStrictCapacityLimit(true);
  EXPECT_TRUE(cache_->HasStrictCapacityLimit());
  std::vector<Cache::Handle*> held;
  for (int i = 0; i < 5; ++i) held.push_back(InsertHeld(Key(i), i));
  EXPECT_EQ(InsertHeld(Key(5), 5), nullptr);
  auto object = std::make_unique<Counted>(6);
  EXPECT_EQ(cache_->CreateStandalone(Key(6), object.get(), &kHelper, 1, false),
            nullptr);
  Cache::Handle* uncharged =
      cache_->CreateStandalone(Key(6), object.get(), &kHelper, 1, true);
  ASSERT_NE(uncharged, nullptr);
  static_cast<void>(object.release());
  EXPECT_EQ(cache_->GetUsage(), 5u);
  EXPECT_EQ(cache_->GetUsage(uncharged), 0u);
  EXPECT_TRUE(cache_->Release(uncharged));
  for (Cache::Handle* handle : held) cache_->Release(handle);
  Cache::Handle* last = InsertHeld(Key(5), 5);
  ASSERT_NE(last, nullptr);
  cache_->Release(last);
}

TEST_F(ClockCacheTest, AStandaloneEntryIsNeverFound) {
  auto object = std::make_unique<Counted>(1);
  Cache::Handle* handle =
      cache_->CreateStandalone(Key(1), object.release(), &kHelper, 2, false);
  EXPECT_EQ(Get(Key(1)), -1);
  EXPECT_EQ(cache_->GetUsage(), 2u);
  EXPECT_EQ(cache_->GetPinnedUsage(), 2u);
  EXPECT_EQ(cache_->GetCharge(handle), 2u);
  EXPECT_EQ(cache_->GetCacheItemHelper(handle), &kHelper);
  EXPECT_TRUE(cache_->Ref(handle));
  EXPECT_FALSE(cache_->Release(handle));
  EXPECT_TRUE(cache_->Release(handle));
  EXPECT_EQ(cache_->GetUsage(), 0u);
}

TEST_F(ClockCacheTest, CapacityChanges) {
  Make(Plain(100));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(Insert(Key(i), i).ok());
  cache_->SetCapacity(10);
  EXPECT_LE(cache_->GetUsage(), 10u);
  cache_->SetCapacity(5000);
  for (int i = 0; i < 5000; ++i) ASSERT_TRUE(Insert(Key(i), i).ok());
  EXPECT_GT(cache_->GetOccupancyCount(), 4900u);
  cache_->EraseUnRefEntries();
  EXPECT_EQ(cache_->GetUsage(), 0u);
  EXPECT_EQ(live(), 0);
}

// Entries far smaller than told: the table grows to where it may, and evicts
// among the entries of a bucket after that.
TEST_F(ClockCacheTest, TheTableGrows) {
  HyperClockCacheOptions options = Plain(1 << 20, 64 << 10);
  options.min_avg_entry_charge = 256;
  Make(options);
  const size_t first = cache_->GetTableAddressCount();
  for (int i = 0; i < 4000; ++i) {
    ASSERT_TRUE(Insert(Key(i), i, 256).ok());
    ASSERT_EQ(Get(Key(i)), i);
  }
  EXPECT_GT(cache_->GetTableAddressCount(), 8 * first);
  EXPECT_GT(cache_->GetOccupancyCount(), 3900u);
  for (int i = 0; i < 100000; ++i) ASSERT_TRUE(Insert(Key(i), i, 1).ok());
  EXPECT_LE(cache_->GetTableAddressCount(), 5 * 4096u);
  EXPECT_GT(cache_->GetOccupancyCount(), 4000u);
  EXPECT_EQ(static_cast<size_t>(live()), cache_->GetOccupancyCount());
}

// A capacity may stand for "no limit".
TEST_F(ClockCacheTest, AnEndlessCapacityAsksForNoEndlessTable) {
  for (const size_t usual_charge : {0, 1}) {
    Make(HyperClockCacheOptions(SIZE_MAX, usual_charge));
    EXPECT_LE(cache_->GetTableAddressCount(), size_t{1} << 22);
    ASSERT_TRUE(Insert(Key(1), 1, 1000).ok());
    EXPECT_EQ(Get(Key(1)), 1);
  }
}

// What a cache that fits into memory will hold has its place at once, so that a
// look-up need not go through the parts that growing leaves.
TEST_F(ClockCacheTest, ALargeCacheBeginsWithItsWholeTable) {
  constexpr size_t kUsualCharge = 8 << 10;
  const auto capacity =
      static_cast<size_t>(std::min(MemoryLimitOfProcess(), uint64_t{12} << 30));
  Make(HyperClockCacheOptions(capacity, 0));
  EXPECT_GE(cache_->GetTableAddressCount(), capacity / kUsualCharge);
}

// More places than are made at first may be needed for entries of the charge
// that was told, though it is below the least average.
TEST_F(ClockCacheTest, TheTableGrowsToWhatWasTold) {
  constexpr size_t kEntries = (size_t{1} << 20) + 50'000;
  HyperClockCacheOptions options = Plain(2 * kEntries);
  options.min_avg_entry_charge = 450;
  Make(options);
  // Without objects, which would take most of the time.
  for (size_t i = 0; i < kEntries; ++i) {
    const std::string key = Key(static_cast<int>(i));
    ASSERT_TRUE(cache_->Insert(key, nullptr, &kNoopCacheItemHelper, 1).ok());
  }
  EXPECT_EQ(cache_->GetOccupancyCount(), kEntries);
}

// Thousands of families may have one each, and most hold little.
TEST_F(ClockCacheTest, OneOfAFamilysOwnIsSmallAtFirst) {
  constexpr size_t kBlock = 8 << 10;
  Make(HyperClockCacheOptions(32 << 20, 0));
  const size_t usual = cache_->GetTableAddressCount();
  cache_ = NewOwnBlockCache(32 << 20);
  EXPECT_STREQ(cache_->Name(), "AutoHyperClockCache");
  EXPECT_EQ(cache_->GetCapacity(), 32u << 20);
  EXPECT_LE(cache_->GetTableAddressCount(), usual / 32);
  for (int i = 0; i < 4000; ++i) ASSERT_TRUE(Insert(Key(i), i, kBlock).ok());
  for (int i = 0; i < 4000; ++i) ASSERT_EQ(Get(Key(i)), i);
  EXPECT_EQ(cache_->GetOccupancyCount(), 4000u);
  EXPECT_GT(cache_->GetTableAddressCount(), usual / 2);
  EXPECT_LE(cache_->GetTableAddressCount(), 2 * usual);
}

TEST_F(ClockCacheTest, MetadataIsCharged) {
  HyperClockCacheOptions options(1 << 20, 0);
  Make(options);
  Cache::Handle* handle = InsertHeld(Key(1), 1, 100);
  EXPECT_EQ(cache_->GetCharge(handle), 100u);
  EXPECT_GT(cache_->GetUsage(handle), 150u);
  EXPECT_LT(cache_->GetUsage(handle), 250u);
  EXPECT_EQ(cache_->GetUsage(), cache_->GetUsage(handle));
  cache_->Release(handle);
}

TEST_F(ClockCacheTest, AgreesWithAModel) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    Make(Plain(500, 1 + random.Uniform(100)));
    std::map<std::string, int> last;
    for (int i = 0; i < 20000; ++i) {
      std::string key = std::to_string(random.Uniform(300));
      if (random.Uniform(2) == 0) key.insert(0, 16 - key.size(), '0');
      if (random.Uniform(8) == 0) key.insert(0, 30, 'x');
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
    EXPECT_EQ(CountEntries(), cache_->GetOccupancyCount());
    EXPECT_EQ(static_cast<int>(CountEntries()), live());
    EXPECT_GT(live(), 30);
  }
}

TEST_F(ClockCacheTest, ThreadsShareIt) {
  Make(HyperClockCacheOptions(300 * 1000, 100 * 1000));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      Random64 random(t + 1);
      std::vector<Cache::Handle*> held;
      for (int i = 0; i < 20000; ++i) {
        const int number = static_cast<int>(random.Uniform(1000));
        const std::string key = Key(number);
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
  EXPECT_EQ(static_cast<size_t>(live()), cache_->GetOccupancyCount());
  EXPECT_LE(cache_->GetUsage(), cache_->GetCapacity() + 4096);
}

// All threads want one key, which comes and goes.
TEST_F(ClockCacheTest, OneContendedKey) {
  Make(Plain(4));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 20000; ++i) {
        if (Cache::Handle* handle = cache_->Lookup(Key(1))) {
          ASSERT_EQ(Number(handle), 1);
          cache_->Release(handle, i % 3 == t);
        } else if (i % 2 == 0) {
          ASSERT_TRUE(Insert(Key(1), 1).ok());
        } else {
          cache_->Release(InsertHeld(Key(1), 1));
        }
        if (i % 7 == t) cache_->Erase(Key(1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(cache_->GetOccupancyCount(), 1u);
  EXPECT_EQ(static_cast<size_t>(live()), cache_->GetOccupancyCount());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
