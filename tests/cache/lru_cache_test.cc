// The LRU cache: testdata/cache/lru.txt, and what takes many entries, threads,
// or a look at memory.
//
//   cache capacity:N OPTION..     one shard, without a charge for metadata;
//                                 high:RATIO, low:RATIO (of the pools), strict
//   cache: STEP; STEP..           one line of answers each
//
// Steps: put KEY NUMBER [charge:N] [HIGH|LOW|BOTTOM], get KEY, erase KEY, keys,
//   drop (what nobody holds), capacity N, strict, lax
//   hold KEY, put_held KEY NUMBER [charge:N], ref KEY,
//   alone KEY NUMBER [charge:N] [uncharged] (held, and never found),
//   held KEY (its number), release KEY [erases]: whether it is gone then
//   usage: of the capacity, that of held ones, and how many objects live
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
#include "tests/testing/script.h"
#include "tests/testing/script_steps.h"
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

class LruWorld {
 public:
  explicit LruWorld(const ScriptWords& command) : before_(live_blocks.load()) {
    LRUCacheOptions options = PlainLru(command.Number("capacity", 0));
    options.high_pri_pool_ratio = std::stod(command.Text("high", "0"));
    options.low_pri_pool_ratio = std::stod(command.Text("low", "0"));
    options.strict_capacity_limit = command.HasWord("strict");
    cache_ = options.MakeSharedCache();
  }
  ~LruWorld() {
    for (const auto& [key, handles] : held_) {
      for (Cache::Handle* handle : handles) cache_->Release(handle);
    }
    cache_.reset();
    EXPECT_EQ(live_blocks.load(), before_);
  }
  LruWorld(const LruWorld&) = delete;
  LruWorld& operator=(const LruWorld&) = delete;

  std::string Take(const ScriptWords& step) {
    const std::string& verb = step.verb();
    if (verb == "keys") return Keys();
    if (verb == "usage") return Usage();
    if (verb == "drop") return cache_->EraseUnRefEntries(), "OK";
    if (verb == "strict" || verb == "lax") {
      cache_->SetStrictCapacityLimit(verb == "strict");
      EXPECT_EQ(cache_->HasStrictCapacityLimit(), verb == "strict");
      return "OK";
    }
    const std::string& key = step.Word(0);
    if (verb == "capacity") return cache_->SetCapacity(std::stoull(key)), "OK";
    if (verb == "erase") return cache_->Erase(key), "OK";
    if (verb == "get") return Get(key);
    if (verb == "held") return NumberIn(held_.at(key).back());
    if (verb == "release") return Release(key, step.HasWord("erases"));
    if (verb == "hold") return Hold(key, cache_->Lookup(key));
    if (verb == "ref") {
      EXPECT_TRUE(cache_->Ref(held_.at(key).back()));
      return Hold(key, held_.at(key).back());
    }
    return Put(step, key);
  }

 private:
  std::string NumberIn(Cache::Handle* handle) const {
    return std::to_string(
        static_cast<CountedBlock*>(cache_->Value(handle))->number);
  }
  std::string Hold(const std::string& key, Cache::Handle* handle) {
    if (handle == nullptr) return "-";
    held_[key].push_back(handle);
    return NumberIn(handle);
  }
  std::string Put(const ScriptWords& step, const std::string& key) {
    auto object = std::make_unique<CountedBlock>(std::stoi(step.Word(1)));
    const size_t charge = step.Number("charge", 1);
    Cache::Handle* handle = nullptr;
    Status s;
    if (step.verb() == "alone") {
      handle = cache_->CreateStandalone(key, object.get(), &kBlockHelper,
                                        charge, step.HasWord("uncharged"));
      if (handle == nullptr) return "refused";
    } else {
      const bool is_held = step.verb() == "put_held";
      EXPECT_TRUE(is_held || step.verb() == "put") << step.verb();
      const Cache::Priority priority =
          step.HasWord("HIGH")     ? Cache::Priority::HIGH
          : step.HasWord("BOTTOM") ? Cache::Priority::BOTTOM
                                   : Cache::Priority::LOW;
      s = cache_->Insert(key, object.get(), &kBlockHelper, charge,
                         is_held ? &handle : nullptr, priority);
      EXPECT_EQ(s.ok() && is_held, handle != nullptr);
      if (!s.ok()) return s.ToString();
    }
    static_cast<void>(object.release());
    if (handle == nullptr) return "OK";
    if (!step.HasWord("uncharged")) {
      EXPECT_EQ(cache_->GetCharge(handle), charge);
    }
    return Hold(key, handle), "OK";
  }
  std::string Get(const std::string& key) {
    Cache::Handle* const handle = cache_->Lookup(key);
    if (handle == nullptr) return "-";
    const std::string number = NumberIn(handle);
    EXPECT_FALSE(cache_->Release(handle));
    return number;
  }
  std::string Release(const std::string& key, bool erases) {
    std::vector<Cache::Handle*>& handles = held_.at(key);
    Cache::Handle* const handle = handles.back();
    handles.pop_back();
    return cache_->Release(handle, erases) ? "gone" : "kept";
  }
  // Without touching them.
  std::string Keys() const {
    std::set<std::string> keys;
    cache_->ApplyToAllEntries(
        [&keys](const Slice& key, Cache::ObjectPtr, size_t,
                const Cache::CacheItemHelper*) { keys.insert(key.ToString()); },
        {});
    EXPECT_EQ(keys.size(), cache_->GetOccupancyCount());
    std::string text;
    for (const std::string& key : keys) text += key;
    return text.empty() ? "none" : text;
  }
  std::string Usage() const {
    return std::to_string(cache_->GetUsage()) + " of " +
           std::to_string(cache_->GetCapacity()) + ", held " +
           std::to_string(cache_->GetPinnedUsage()) + ", " +
           std::to_string(live_blocks.load() - before_) + " live";
  }

  const int before_;
  std::shared_ptr<Cache> cache_;
  std::map<std::string, std::vector<Cache::Handle*>> held_;
};

TEST(LruCacheScriptTest, EveryCase) {
  const size_t count = RunScript("cache/lru.txt", [](const ScriptCase& c) {
    LruWorld world((ScriptWords(c.command)));
    return AnswersOfSteps(c,
                          [&](const std::string& who, const ScriptWords& step) {
                            EXPECT_EQ(who, "cache");
                            return world.Take(step);
                          });
  });
  EXPECT_GE(count, 17u) << "cases went missing";
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
    // The table has as many slots before the first insertion as after it.
    const size_t slots = cache_->GetTableAddressCount();
    EXPECT_TRUE(Insert("a", 1).ok());
    EXPECT_EQ(cache_->GetTableAddressCount(), slots);
    EXPECT_EQ(Get("a"), 1);
  }
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
