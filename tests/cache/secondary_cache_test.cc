// The compressed secondary cache, alone and behind both block caches.

#include "rocksdb/secondary_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/advanced_options.h"
#include "rocksdb/cache.h"
#include "rocksdb/statistics.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Objects are strings; those that begin with '!' cannot be made again.
std::atomic<int> live_texts{0};

struct Text {
  explicit Text(std::string t) : text(std::move(t)) { ++live_texts; }
  ~Text() { --live_texts; }
  const std::string text;
};

void Delete(Cache::ObjectPtr object, MemoryAllocator*) {
  const std::unique_ptr<Text> last(static_cast<Text*>(object));
}
size_t SizeOf(Cache::ObjectPtr object) {
  return static_cast<Text*>(object)->text.size();
}
Status Save(Cache::ObjectPtr object, size_t from, size_t length, char* out) {
  const std::string& text = static_cast<Text*>(object)->text;
  if (text.starts_with("?")) return Status::IOError("cannot be saved");
  std::memcpy(out, text.data() + from, length);
  return Status::OK();
}
const Cache::CreateCallback kCreate =
    [](const Slice& data, CompressionType type, CacheTier,
       Cache::CreateContext*, MemoryAllocator*, Cache::ObjectPtr* object,
       size_t* charge) -> Status {
  if (data.starts_with("!")) return Status::Corruption("as asked");
  const std::string mark = type == kNoCompression ? "" : "compressed ";
  *charge = mark.size() + data.size();
  *object = std::make_unique<Text>(mark + data.ToString()).release();
  return Status::OK();
};

const Cache::CacheItemHelper kPlain{CacheEntryRole::kDataBlock, &Delete};
const Cache::CacheItemHelper kTextHelper{
    CacheEntryRole::kDataBlock, &Delete, &SizeOf, &Save, kCreate, &kPlain};
const Cache::CacheItemHelper kPlainFilter{CacheEntryRole::kFilterBlock,
                                          &Delete};
const Cache::CacheItemHelper kFilterHelper{CacheEntryRole::kFilterBlock,
                                           &Delete,
                                           &SizeOf,
                                           &Save,
                                           kCreate,
                                           &kPlainFilter};

class CompressedSecondaryTest : public ::testing::Test {
 protected:
  CompressedSecondaryTest() : before_(live_texts.load()) {
    options_.capacity = 1 << 20;
    options_.num_shard_bits = 0;
    options_.compression_type = CompressionTypeSupported(kLZ4Compression)
                                    ? kLZ4Compression
                                    : kNoCompression;
  }
  ~CompressedSecondaryTest() override { EXPECT_EQ(live_texts.load(), before_); }
  void Start() { cache_ = NewCompressedSecondaryCache(options_); }

  Status Insert(const std::string& key, const std::string& text,
                bool is_forced = false,
                const Cache::CacheItemHelper* helper = &kTextHelper) {
    Text object(text);
    return cache_->Insert(key, &object, helper, is_forced);
  }
  // The text, or what came of it.
  std::string Get(const std::string& key, bool takes = true) {
    bool is_kept = false;
    const auto found = cache_->Lookup(key, &kTextHelper, nullptr, /*wait=*/true,
                                      takes, statistics_.get(), is_kept);
    if (found == nullptr) return "none";
    EXPECT_TRUE(found->IsReady());
    EXPECT_EQ(is_kept, !takes);
    const std::unique_ptr<Text> object(static_cast<Text*>(found->Value()));
    EXPECT_EQ(found->Size(), object->text.size());
    return object->text;
  }
  uint64_t Count(Tickers ticker) const {
    return statistics_->getTickerCount(ticker);
  }

  const int before_;
  CompressedSecondaryCacheOptions options_;
  const std::shared_ptr<Statistics> statistics_ = CreateDBStatistics();
  std::shared_ptr<SecondaryCache> cache_;
};

TEST_F(CompressedSecondaryTest, KeepsWhatComesTwice) {
  Start();
  EXPECT_EQ(Get("a"), "none");
  ASSERT_TRUE(Insert("a", "one").ok());
  EXPECT_EQ(Get("a"), "none");
  EXPECT_EQ(Count(COMPRESSED_SECONDARY_CACHE_DUMMY_HITS), 1u);
  ASSERT_TRUE(Insert("a", "one").ok());
  EXPECT_EQ(Get("a", /*takes=*/false), "one");
  EXPECT_EQ(Get("a"), "one");
  EXPECT_EQ(Count(COMPRESSED_SECONDARY_CACHE_HITS), 2u);
  // It was taken; its key stays known.
  EXPECT_EQ(Get("a"), "none");
  ASSERT_TRUE(Insert("a", "two").ok());
  EXPECT_EQ(Get("a"), "two");
  ASSERT_TRUE(Insert("b", "at once", /*is_forced=*/true).ok());
  EXPECT_EQ(Get("b"), "at once");
  EXPECT_TRUE(cache_->SupportForceErase());
  cache_->Erase("b");
  ASSERT_TRUE(Insert("b", "x").ok());
  EXPECT_EQ(Get("b"), "none");
}

TEST_F(CompressedSecondaryTest, CompressesAllButFilters) {
  if (!CompressionTypeSupported(kLZ4Compression)) GTEST_SKIP();
  const std::string text(20000, 'x');
  for (const bool splits : {false, true}) {
    options_.enable_custom_split_merge = splits;
    for (const bool is_filter : {false, true}) {
      Start();
      ASSERT_TRUE(
          Insert("k", text, true, is_filter ? &kFilterHelper : &kTextHelper)
              .ok());
      const size_t usage = text.size();
      size_t left = 0;
      // What fits tells what it takes.
      ASSERT_TRUE(cache_->SetCapacity(is_filter ? usage : usage / 4).ok());
      ASSERT_TRUE(cache_->GetCapacity(left).ok());
      EXPECT_EQ(Get("k"), is_filter ? "none" : text);
    }
  }
}

TEST_F(CompressedSecondaryTest, PiecesJoinToWhatTheyWere) {
  options_.compression_type = kNoCompression;
  options_.enable_custom_split_merge = true;
  Start();
  std::string text;
  for (size_t size = 0; size < 70000; size += 1 + size / 3) {
    while (text.size() < size) {
      text.push_back(static_cast<char>(text.size() * 31 % 251));
    }
    if (text.starts_with("!") || text.starts_with("?")) continue;
    ASSERT_TRUE(Insert("k", text, true).ok());
    EXPECT_EQ(Get("k"), text);
  }
}

TEST_F(CompressedSecondaryTest, WhatCannotBeSavedOrMadeIsNotThere) {
  Start();
  Text object("x");
  EXPECT_TRUE(cache_->Insert("k", &object, &kPlain, true).IsInvalidArgument());
  EXPECT_TRUE(
      cache_->Insert("k", nullptr, &kTextHelper, true).IsInvalidArgument());
  EXPECT_TRUE(Insert("k", "?", true).IsIOError());
  EXPECT_EQ(Get("k"), "none");
  ASSERT_TRUE(Insert("k", "!", true).ok());
  EXPECT_EQ(Get("k"), "none");
  EXPECT_EQ(Count(COMPRESSED_SECONDARY_CACHE_HITS), 0u);
}

TEST_F(CompressedSecondaryTest, SavedBytesComeBackAsTheyWere) {
  Start();
  const auto insert = [this](CompressionType type) {
    return cache_->InsertSaved("k", "bytes", type,
                               CacheTier::kNonVolatileBlockTier);
  };
  ASSERT_TRUE(insert(kZSTD).ok());
  EXPECT_EQ(Get("k"), "none");
  ASSERT_TRUE(insert(kZSTD).ok());
  EXPECT_EQ(Get("k"), "compressed bytes");
  ASSERT_TRUE(insert(kNoCompression).ok());
  EXPECT_EQ(Get("k"), "bytes");
}

TEST_F(CompressedSecondaryTest, GivesRoomAndTakesIt) {
  Start();
  size_t capacity = 0;
  EXPECT_TRUE(cache_->Deflate(2 << 20).IsInvalidArgument());
  ASSERT_TRUE(cache_->Deflate(1 << 19).ok());
  ASSERT_TRUE(cache_->GetCapacity(capacity).ok());
  EXPECT_EQ(capacity, 1u << 19);
  ASSERT_TRUE(cache_->Inflate(1 << 20).ok());
  ASSERT_TRUE(cache_->GetCapacity(capacity).ok());
  EXPECT_EQ(capacity, 3u << 19);
  ASSERT_TRUE(Insert("k", "x", true).ok());
  ASSERT_TRUE(cache_->SetCapacity(0).ok());
  EXPECT_EQ(Get("k"), "none");
}

// ---- Behind a block cache ----

enum class Primary { kLru, kClock };

class TwoCachesTest : public CompressedSecondaryTest,
                      public ::testing::WithParamInterface<Primary> {
 protected:
  // Room for about four texts of 1,000 bytes.
  static constexpr size_t kCapacity = 5000;

  std::shared_ptr<Cache> Make(std::shared_ptr<SecondaryCache> secondary,
                              bool is_strict = false) {
    if (GetParam() == Primary::kLru) {
      LRUCacheOptions options(kCapacity, 0, is_strict, 0.0);
      options.metadata_charge_policy = kDontChargeCacheMetadata;
      options.secondary_cache = std::move(secondary);
      return options.MakeSharedCache();
    }
    HyperClockCacheOptions options(kCapacity, 1000, 0, is_strict);
    options.metadata_charge_policy = kDontChargeCacheMetadata;
    options.secondary_cache = std::move(secondary);
    return options.MakeSharedCache();
  }
  void StartBoth(bool is_strict = false) {
    Start();
    both_ = Make(cache_, is_strict);
    ASSERT_NE(both_, nullptr);
  }
  static std::string TextOf(const std::string& key) {
    return key + std::string(1000 - key.size(), 'x');
  }
  void Put(const std::string& key,
           const Cache::CacheItemHelper* helper = &kTextHelper) {
    auto object = std::make_unique<Text>(TextOf(key));
    ASSERT_TRUE(both_->Insert(key, object.get(), helper, 1000).ok());
    static_cast<void>(object.release());
  }
  // What must be put again to be found counts as read from the file.
  bool Find(const std::string& key,
            const Cache::CacheItemHelper* helper = &kTextHelper) {
    Cache::Handle* const handle = both_->Lookup(
        key, helper, nullptr, Cache::Priority::LOW, statistics_.get());
    if (handle == nullptr) return false;
    EXPECT_EQ(static_cast<Text*>(both_->Value(handle))->text, TextOf(key));
    both_->Release(handle);
    return true;
  }
  void Read(const std::string& key) {
    if (!Find(key)) Put(key);
  }

  std::shared_ptr<Cache> both_;
};

TEST_P(TwoCachesTest, WhatIsEvictedTwiceComesBack) {
  StartBoth();
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 20; ++i) Read(std::to_string(i));
  }
  EXPECT_GT(Count(SECONDARY_CACHE_HITS), 10u);
  EXPECT_EQ(Count(SECONDARY_CACHE_HITS), Count(SECONDARY_CACHE_DATA_HITS));
  EXPECT_EQ(Count(SECONDARY_CACHE_HITS),
            Count(COMPRESSED_SECONDARY_CACHE_HITS));
  EXPECT_EQ(Count(SECONDARY_CACHE_HITS),
            Count(COMPRESSED_SECONDARY_CACHE_PROMOTIONS));
  EXPECT_LE(both_->GetUsage(), kCapacity);
  both_.reset();
}

TEST_P(TwoCachesTest, EntriesThatCannotBeSavedStayOut) {
  StartBoth();
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 20; ++i) {
      const std::string key = std::to_string(i);
      if (!Find(key, &kPlain)) Put(key, &kPlain);
    }
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(Get(std::to_string(i)), "none");
  EXPECT_EQ(Count(SECONDARY_CACHE_HITS), 0u);
}

TEST_P(TwoCachesTest, ErasedIsErasedBelowToo) {
  StartBoth();
  ASSERT_TRUE(Insert("k", TextOf("k"), true).ok());
  both_->Erase("k");
  EXPECT_FALSE(Find("k"));
  ASSERT_TRUE(Insert("k", TextOf("k"), true).ok());
  EXPECT_TRUE(Find("k"));
  // What is erased on purpose is not evicted.
  Put("e");
  both_->Erase("e");
  both_->EraseUnRefEntries();
  EXPECT_EQ(Get("e"), "none");
  EXPECT_EQ(Get("k"), "none");
  EXPECT_NE(both_->GetPrintableOptions().find("CompressedSecondaryCache"),
            std::string::npos);
}

TEST_P(TwoCachesTest, WithoutRoomAboveItIsHandedOutAllTheSame) {
  StartBoth(/*is_strict=*/true);
  std::vector<Cache::Handle*> held;
  for (int i = 0; i < 5; ++i) {
    auto object = std::make_unique<Text>(TextOf(std::to_string(i)));
    Cache::Handle* handle = nullptr;
    ASSERT_TRUE(both_
                    ->Insert(std::to_string(i), object.get(), &kTextHelper,
                             1000, &handle)
                    .ok());
    static_cast<void>(object.release());
    held.push_back(handle);
  }
  ASSERT_TRUE(Insert("k", TextOf("k"), true).ok());
  EXPECT_TRUE(Find("k"));
  EXPECT_EQ(Count(COMPRESSED_SECONDARY_CACHE_PROMOTION_SKIPS), 1u);
  EXPECT_LE(both_->GetUsage(), kCapacity);
  for (Cache::Handle* handle : held) both_->Release(handle);
}

TEST_P(TwoCachesTest, OneBudgetForBoth) {
  LRUCacheOptions lru(0, 0, false, 0.0);
  HyperClockCacheOptions clock(0, 1000, 0);
  TieredCacheOptions tiers;
  const bool is_lru = GetParam() == Primary::kLru;
  tiers.cache_opts = is_lru ? static_cast<ShardedCacheOptions*>(&lru) : &clock;
  tiers.cache_type = is_lru ? PrimaryCacheType::kCacheTypeLRU
                            : PrimaryCacheType::kCacheTypeHCC;
  tiers.comp_cache_opts = options_;
  tiers.total_capacity = 100 << 10;
  tiers.compressed_secondary_ratio = 0.25;
  tiers.adm_policy = TieredAdmissionPolicy::kAdmPolicyAllowAll;
  both_ = NewTieredCache(tiers);
  ASSERT_NE(both_, nullptr);
  EXPECT_EQ(both_->GetCapacity(), 100u << 10);
  for (int i = 0; i < 100; ++i) Put(std::to_string(i));
  EXPECT_LE(both_->GetUsage(), 75u << 10);
  EXPECT_GT(both_->GetUsage(), 50u << 10);
  const auto hits_in_a_round = [this] {
    const uint64_t before = Count(SECONDARY_CACHE_HITS);
    for (int i = 0; i < 100; ++i) Read(std::to_string(i));
    return Count(SECONDARY_CACHE_HITS) - before;
  };
  EXPECT_GT(hits_in_a_round(), 5u);
  // All for the first.
  ASSERT_TRUE(UpdateTieredCache(both_, 200 << 10, 0.0).ok());
  EXPECT_EQ(both_->GetCapacity(), 200u << 10);
  hits_in_a_round();
  EXPECT_EQ(hits_in_a_round(), 0u);
  EXPECT_GT(both_->GetUsage(), 75u << 10);
  both_->SetCapacity(10 << 10);
  EXPECT_LE(both_->GetUsage(), 10u << 10);
  EXPECT_TRUE(UpdateTieredCache(both_, -1, -0.5).IsInvalidArgument());
  EXPECT_TRUE(UpdateTieredCache(both_, -1, 1.0,
                                TieredAdmissionPolicy::kAdmPolicyThreeQueue)
                  .IsInvalidArgument());
}

// What was hit above is admitted below at once.
TEST_P(TwoCachesTest, HitsAreAdmittedAtOnceWhereAskedFor) {
  LRUCacheOptions lru(0, 0, false, 0.0);
  HyperClockCacheOptions clock(0, 1000, 0);
  TieredCacheOptions tiers;
  const bool is_lru = GetParam() == Primary::kLru;
  tiers.cache_opts = is_lru ? static_cast<ShardedCacheOptions*>(&lru) : &clock;
  tiers.cache_type = is_lru ? PrimaryCacheType::kCacheTypeLRU
                            : PrimaryCacheType::kCacheTypeHCC;
  tiers.comp_cache_opts = options_;
  tiers.total_capacity = 40 << 10;
  tiers.compressed_secondary_ratio = 0.5;
  tiers.adm_policy = TieredAdmissionPolicy::kAdmPolicyAllowCacheHits;
  both_ = NewTieredCache(tiers);
  ASSERT_NE(both_, nullptr);
  Put("hit");
  ASSERT_TRUE(Find("hit"));
  Put("not");
  for (int i = 0; i < 150; ++i) Put(std::to_string(i));
  const uint64_t before = Count(SECONDARY_CACHE_HITS);
  EXPECT_TRUE(Find("hit"));
  EXPECT_FALSE(Find("not"));
  EXPECT_EQ(Count(SECONDARY_CACHE_HITS), before + 1);
}

TEST_P(TwoCachesTest, ManyThreadsFindWhatTheyPut) {
  StartBoth();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 2000; ++i) Read(std::to_string((i * 7 + t) % 40));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(Count(SECONDARY_CACHE_HITS), 0u);
  both_->EraseUnRefEntries();
  EXPECT_EQ(both_->GetUsage(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Both, TwoCachesTest,
                         ::testing::Values(Primary::kLru, Primary::kClock),
                         [](const auto& info) {
                           return info.param == Primary::kLru ? "Lru" : "Clock";
                         });

class NamedWrapper final : public SecondaryCacheWrapper {
 public:
  using SecondaryCacheWrapper::SecondaryCacheWrapper;
  const char* Name() const override { return "NamedWrapper"; }
};

TEST(SecondaryCacheWrapperTest, ForwardsPlainBytes) {
  CompressedSecondaryCacheOptions options(
      1 << 20, 0, false, 0.5, 0.0, nullptr, kDefaultToAdaptiveMutex,
      kDefaultCacheMetadataChargePolicy, kNoCompression);
  EXPECT_EQ(size_t{1} << 20, options.capacity);
  EXPECT_EQ(kNoCompression, options.compression_type);
  NamedWrapper wrapper(NewCompressedSecondaryCache(
      1 << 20, 0, false, 0.5, 0.0, nullptr, kDefaultToAdaptiveMutex,
      kDefaultCacheMetadataChargePolicy, kNoCompression));
  size_t capacity = 0;
  ASSERT_TRUE(wrapper.GetCapacity(capacity).ok());
  EXPECT_EQ(size_t{1} << 20, capacity);
  Slice bytes("some bytes");
  EXPECT_EQ(10u, kSliceCacheItemHelper.size_cb(&bytes));
  char copy[5];
  ASSERT_TRUE(kSliceCacheItemHelper.saveto_cb(&bytes, 5, 5, copy).ok());
  EXPECT_EQ("bytes", Slice(copy, 5));
  EXPECT_TRUE(wrapper.Insert("key", &bytes, &kSliceCacheItemHelper, true).ok());
  ASSERT_TRUE(wrapper.SetCapacity(0).ok());
  ASSERT_TRUE(wrapper.GetCapacity(capacity).ok());
  EXPECT_EQ(0u, capacity);
}

TEST(SecondaryCacheWrapperTest, OlderNamesOfCaches) {
  const std::shared_ptr<Cache> clock = NewClockCache(1 << 20, 2, true);
  EXPECT_STREQ("LRUCache", clock->Name());
  EXPECT_EQ(size_t{1} << 20, clock->GetCapacity());
  EXPECT_TRUE(clock->HasStrictCapacityLimit());
  EXPECT_EQ(0u, HyperClockCacheOptions(1000).estimated_entry_charge);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
