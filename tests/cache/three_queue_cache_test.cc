// A block cache with a compressed one and one on a device below it, below both
// block caches.

#include "cache/three_queue_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cache/cache_entry_stats.h"
#include "cache/lower_queues.h"
#include "monitoring/perf_context_imp.h"
#include "rocksdb/cache.h"
#include "rocksdb/statistics.h"
#include "rocksdb/utilities/sim_cache.h"
#include "tests/cache/device_cache.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Objects are strings; bytes that begin with '!' make none.
std::atomic<int> live_queued{0};

struct QueuedBlock {
  explicit QueuedBlock(std::string t) : text(std::move(t)) { ++live_queued; }
  ~QueuedBlock() { --live_queued; }
  const std::string text;
};

void DeleteQueued(Cache::ObjectPtr object, MemoryAllocator*) {
  const std::unique_ptr<QueuedBlock> last(static_cast<QueuedBlock*>(object));
}
size_t SizeOfQueued(Cache::ObjectPtr object) {
  return static_cast<QueuedBlock*>(object)->text.size();
}
Status SaveQueued(Cache::ObjectPtr object, size_t from, size_t length,
                  char* out) {
  std::memcpy(out, static_cast<QueuedBlock*>(object)->text.data() + from,
              length);
  return Status::OK();
}
struct Suffix : Cache::CreateContext {
  std::string text;
};
// Whatever the form, the object says what it was and the context's suffix.
const Cache::CreateCallback kCreateQueued =
    [](const Slice& data, CompressionType type, CacheTier,
       Cache::CreateContext* context, MemoryAllocator*,
       Cache::ObjectPtr* object, size_t* charge) -> Status {
  if (data.starts_with("!")) return Status::Corruption("as asked");
  const std::string mark = type == kNoCompression ? "" : "zip ";
  *charge = 1000;
  *object = std::make_unique<QueuedBlock>(mark + data.ToString() +
                                          static_cast<Suffix*>(context)->text)
                .release();
  return Status::OK();
};

const Cache::CacheItemHelper kPlainQueued{CacheEntryRole::kDataBlock,
                                          &DeleteQueued};
const Cache::CacheItemHelper kQueuedHelper{CacheEntryRole::kDataBlock,
                                           &DeleteQueued,
                                           &SizeOfQueued,
                                           &SaveQueued,
                                           kCreateQueued,
                                           &kPlainQueued};

enum class FirstQueue { kLru, kClock };

class ThreeQueueCacheTest : public ::testing::TestWithParam<FirstQueue> {
 protected:
  ThreeQueueCacheTest() : before_(live_queued.load()) {
    // Room for about ten objects.
    Make(20000, 0.5);
  }
  ~ThreeQueueCacheTest() override {
    cache_.reset();
    EXPECT_EQ(live_queued.load(), before_);
  }

  void Make(size_t capacity, double ratio) {
    LRUCacheOptions lru(0, 0, false, 0.0);
    HyperClockCacheOptions clock(0, 1000, 0);
    lru.metadata_charge_policy = kDontChargeCacheMetadata;
    clock.metadata_charge_policy = kDontChargeCacheMetadata;
    const bool is_lru = GetParam() == FirstQueue::kLru;
    TieredCacheOptions options;
    options.cache_opts =
        is_lru ? static_cast<ShardedCacheOptions*>(&lru) : &clock;
    options.cache_type = is_lru ? PrimaryCacheType::kCacheTypeLRU
                                : PrimaryCacheType::kCacheTypeHCC;
    options.total_capacity = capacity;
    options.compressed_secondary_ratio = ratio;
    options.comp_cache_opts.num_shard_bits = 0;
    options.comp_cache_opts.compression_type = kNoCompression;
    options.nvm_sec_cache = device_;
    cache_ = NewTieredCache(options);
    ASSERT_NE(cache_, nullptr);
  }
  // Inserts a block like a reader that got it from a file, which stores it as
  // `form`.
  void Read(const std::string& key, const std::string& form,
            CompressionType type = kZSTD) {
    auto object = std::make_unique<QueuedBlock>(key);
    ASSERT_TRUE(cache_
                    ->Insert(key, object.get(), &kQueuedHelper, 1000, nullptr,
                             Cache::Priority::LOW, form, type)
                    .ok());
    static_cast<void>(object.release());
  }
  // Removes all objects and notes from the block cache.
  void EvictAll() { cache_->EraseUnRefEntries(); }
  // The object's text; "none" if the key has to be read from the file.
  std::string Find(const std::string& key) {
    suffix_.text = " found";
    Cache::Handle* const handle = cache_->Lookup(
        key, &kQueuedHelper, &suffix_, Cache::Priority::LOW, statistics_.get());
    if (handle == nullptr) return "none";
    std::string text = static_cast<QueuedBlock*>(cache_->Value(handle))->text;
    cache_->Release(handle);
    return text;
  }
  uint64_t Count(Tickers ticker) const {
    return statistics_->getTickerCount(ticker);
  }

  const int before_;
  const std::shared_ptr<DeviceCache> device_ = std::make_shared<DeviceCache>();
  const std::shared_ptr<Statistics> statistics_ = CreateDBStatistics();
  Suffix suffix_;
  std::shared_ptr<Cache> cache_;
};

TEST_P(ThreeQueueCacheTest, BlocksOfFilesGoToTheDeviceAsTheyAreThere) {
  Read("a", "form of a", kZSTD);
  Read("b", "form of b", kNoCompression);
  Read("c", "");  // Nothing is known of its form.
  const auto forms = device_->forms();
  ASSERT_EQ(forms.size(), 2u);
  EXPECT_EQ(forms.at("a").bytes, "form of a");
  EXPECT_EQ(forms.at("a").type, kZSTD);
  EXPECT_EQ(forms.at("b").bytes, "form of b");
  EXPECT_EQ(forms.at("b").type, kNoCompression);
  EXPECT_EQ(Find("a"), "a");  // In the block cache.
  EXPECT_EQ(device_->lookups(), 0);
}

TEST_P(ThreeQueueCacheTest, WhatCannotBeSavedGoesNowhere) {
  auto object = std::make_unique<QueuedBlock>("x");
  ASSERT_TRUE(cache_
                  ->Insert("x", object.get(), &kPlainQueued, 1000, nullptr,
                           Cache::Priority::LOW, "form", kZSTD)
                  .ok());
  static_cast<void>(object.release());
  EXPECT_TRUE(device_->forms().empty());
}

TEST_P(ThreeQueueCacheTest, WhatIsEvictedGoesNowhere) {
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 50; ++i) Read(std::to_string(i), "");
  }
  EXPECT_TRUE(device_->forms().empty());
  EXPECT_EQ(device_->inserts(), 0);
  EvictAll();
  for (int i = 0; i < 50; ++i) EXPECT_EQ(Find(std::to_string(i)), "none");
  EXPECT_EQ(Count(SECONDARY_CACHE_HITS), 0u);
}

TEST_P(ThreeQueueCacheTest, TheSecondTimeABlockEntersTheBlockCache) {
  Read("a", "form", kNoCompression);
  EvictAll();
  get_perf_context()->Reset();
  SetPerfLevel(PerfLevel::kEnableCount);
  EXPECT_EQ(Find("a"), "form found");
  EXPECT_EQ(get_perf_context()->block_cache_standalone_handle_count, 1u);
  EXPECT_EQ(get_perf_context()->block_cache_real_handle_count, 0u);
  EXPECT_EQ(device_->lookups(), 1);
  EXPECT_EQ(Find("a"), "form found");
  EXPECT_EQ(get_perf_context()->block_cache_real_handle_count, 1u);
  EXPECT_EQ(device_->lookups(), 2);
  EXPECT_EQ(Find("a"), "form found");
  EXPECT_EQ(device_->lookups(), 2);  // It was in the block cache.
  SetPerfLevel(PerfLevel::kDisable);
  EXPECT_EQ(Count(SECONDARY_CACHE_HITS), 2u);
  EXPECT_EQ(Count(SECONDARY_CACHE_DATA_HITS), 2u);
}

TEST_P(ThreeQueueCacheTest, ANoteOfAKeyIsNoEntry) {
  Read("a", "form");
  EvictAll();
  EXPECT_EQ(Find("a"), "zip form found");
  EXPECT_EQ(cache_->Lookup("a"), nullptr);
  // A block that is read takes its place.
  Read("a", "new form");
  EXPECT_EQ(Find("a"), "a");
}

TEST_P(ThreeQueueCacheTest, WhatWasNotFoundOfLateGoesToTheCompressedCache) {
  Read("a", "form");
  EvictAll();
  const auto promotions = [this] {
    return std::pair(Count(COMPRESSED_SECONDARY_CACHE_PROMOTIONS),
                     Count(COMPRESSED_SECONDARY_CACHE_PROMOTION_SKIPS));
  };
  using Counts = std::pair<uint64_t, uint64_t>;
  EXPECT_EQ(Find("a"), "zip form found");
  EXPECT_EQ(promotions(), Counts(1, 0));
  EXPECT_EQ(Find("a"), "zip form found");  // Into the block cache instead.
  EXPECT_EQ(promotions(), Counts(1, 1));
  EvictAll();
  // The compressed cache had noted the key; now it keeps the bytes.
  EXPECT_EQ(Find("a"), "zip form found");
  EXPECT_EQ(promotions(), Counts(2, 1));
  EvictAll();
  EXPECT_GT(SecondaryBytesBehind({cache_.get()}), 0u);
  EXPECT_EQ(device_->lookups(), 3);
  EXPECT_EQ(Find("a"), "zip form found");
  EXPECT_EQ(device_->lookups(), 3);
  EXPECT_EQ(Count(COMPRESSED_SECONDARY_CACHE_HITS), 1u);
  // The second time it is handed over to the block cache.
  EXPECT_EQ(Find("a"), "zip form found");
  EvictAll();
  EXPECT_EQ(Find("a"), "zip form found");
  EXPECT_EQ(device_->lookups(), 4);
}

TEST_P(ThreeQueueCacheTest, WhatIsNotCompressedStaysOnTheDevice) {
  Read("a", "form", kNoCompression);
  for (int i = 0; i < 3; ++i) {
    EvictAll();
    EXPECT_EQ(Find("a"), "form found");
  }
  EXPECT_EQ(device_->lookups(), 3);
  EXPECT_EQ(Count(COMPRESSED_SECONDARY_CACHE_PROMOTIONS), 0u);
  EXPECT_EQ(Count(COMPRESSED_SECONDARY_CACHE_PROMOTION_SKIPS), 3u);
}

TEST_P(ThreeQueueCacheTest, ErasedIsErasedEverywhere) {
  Read("a", "form");
  EvictAll();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Find("a"), "zip form found");
    EvictAll();
  }
  EXPECT_EQ(Count(COMPRESSED_SECONDARY_CACHE_PROMOTIONS), 2u);
  cache_->Erase("a");
  EXPECT_TRUE(device_->forms().empty());
  EXPECT_EQ(Find("a"), "none");
}

TEST_P(ThreeQueueCacheTest, ADeviceThatFailsIsNotThere) {
  Read("a", "form");
  device_->Fail();
  Read("b", "form");
  EXPECT_EQ(Find("b"), "b");
  EvictAll();
  EXPECT_EQ(Find("a"), "none");
  EXPECT_EQ(Find("b"), "none");
  EXPECT_EQ(Count(SECONDARY_CACHE_HITS), 0u);
}

TEST_P(ThreeQueueCacheTest, BytesThatMakeNoObjectAreNotThere) {
  Read("a", "!form");
  EvictAll();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Find("a"), "none");
  EXPECT_EQ(Count(SECONDARY_CACHE_HITS), 0u);
  EXPECT_EQ(Count(COMPRESSED_SECONDARY_CACHE_PROMOTIONS), 0u);
  EXPECT_EQ(cache_->GetOccupancyCount(), 0u);  // Not even noted.
}

TEST_P(ThreeQueueCacheTest, CapacitiesAreThoseOfMemory) {
  Make(100 << 20, 0.3);
  size_t compressed = 0;
  ASSERT_TRUE(cache_->GetSecondaryCacheCapacity(compressed).ok());
  EXPECT_EQ(compressed, static_cast<size_t>((100 << 20) * 0.3));
  ASSERT_TRUE(UpdateTieredCache(cache_, 50 << 20, 0.1).ok());
  ASSERT_TRUE(cache_->GetSecondaryCacheCapacity(compressed).ok());
  EXPECT_EQ(compressed, static_cast<size_t>((50 << 20) * 0.1));
  EXPECT_EQ(cache_->GetCapacity(), size_t{50} << 20);
  for (const auto policy : {TieredAdmissionPolicy::kAdmPolicyAuto,
                            TieredAdmissionPolicy::kAdmPolicyThreeQueue}) {
    EXPECT_TRUE(UpdateTieredCache(cache_, -1, 1.0, policy).ok());
  }
  for (const auto policy : {TieredAdmissionPolicy::kAdmPolicyPlaceholder,
                            TieredAdmissionPolicy::kAdmPolicyAllowCacheHits,
                            TieredAdmissionPolicy::kAdmPolicyAllowAll}) {
    EXPECT_TRUE(UpdateTieredCache(cache_, -1, 1.0, policy).IsInvalidArgument());
  }
  EXPECT_NE(cache_->GetPrintableOptions().find("nvm_sec_cache : DeviceCache"),
            std::string::npos);
}

TEST_P(ThreeQueueCacheTest, WrappersShowWhatIsBehindThem) {
  EXPECT_TRUE(KeepsStoredForms(cache_.get()));
  EXPECT_TRUE(KeepsStoredForms(NewSimCache(cache_, 1 << 20, 0).get()));
  const std::shared_ptr<Cache> plain = NewLRUCache(1 << 20);
  EXPECT_FALSE(KeepsStoredForms(plain.get()));
  EXPECT_FALSE(KeepsStoredForms(NewSimCache(plain, 1 << 20, 0).get()));
}

TEST_P(ThreeQueueCacheTest, ManyThreadsFindWhatTheyRead) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      Suffix none;
      for (int i = 0; i < 2000; ++i) {
        const std::string key = std::to_string((i * 7 + t) % 40);
        Cache::Handle* const handle = cache_->Lookup(
            key, &kQueuedHelper, &none, Cache::Priority::LOW, nullptr);
        if (handle == nullptr) {
          Read(key, key, i % 2 == 0 ? kZSTD : kNoCompression);
          continue;
        }
        const std::string text =
            static_cast<QueuedBlock*>(cache_->Value(handle))->text;
        EXPECT_TRUE(text == key || text == "zip " + key) << text;
        cache_->Release(handle);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EvictAll();
  EXPECT_EQ(cache_->GetUsage(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Both, ThreeQueueCacheTest,
                         ::testing::Values(FirstQueue::kLru,
                                           FirstQueue::kClock),
                         [](const auto& info) {
                           return info.param == FirstQueue::kLru ? "Lru"
                                                                 : "Clock";
                         });

// Results that are not ready are waited for together.
TEST(LowerQueuesTest, WaitsForAll) {
  const auto device = std::make_shared<DeviceCache>();
  CompressedSecondaryCacheOptions options;
  options.compression_type = kNoCompression;
  options.capacity = 1 << 20;
  LowerQueues queues(NewCompressedSecondaryCache(options), device);
  std::vector<std::unique_ptr<SecondaryCacheResultHandle>> results;
  std::vector<SecondaryCacheResultHandle*> handles;
  Suffix suffix;
  for (const char* key : {"a", "b"}) {
    ASSERT_TRUE(
        queues.InsertSaved(key, key, kZSTD, CacheTier::kVolatileTier).ok());
    bool is_kept = false;
    results.push_back(queues.Lookup(key, &kQueuedHelper, &suffix,
                                    /*wait=*/false,
                                    /*advise_erase=*/false, nullptr, is_kept));
    ASSERT_NE(results.back(), nullptr);
    EXPECT_TRUE(is_kept);
    EXPECT_FALSE(results.back()->IsReady());
    handles.push_back(results.back().get());
  }
  queues.WaitAll(handles);
  for (const auto& result : results) {
    ASSERT_TRUE(result->IsReady());
    EXPECT_EQ(result->Size(), 1000u);
    DeleteQueued(result->Value(), nullptr);
  }
  bool is_kept = false;
  EXPECT_EQ(
      queues.Lookup("c", &kQueuedHelper, &suffix, true, true, nullptr, is_kept),
      nullptr);
  EXPECT_EQ(
      queues.Lookup("a", &kPlainQueued, &suffix, true, true, nullptr, is_kept),
      nullptr);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
