// A database over a small block cache with a second one behind it: reads come
// from there, and are what they are without.

#include "rocksdb/secondary_cache.h"

#include <map>
#include <mutex>

#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/statistics.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// An application's own second cache: keeps every form that it is given.
class KeepsAll : public SecondaryCache {
 public:
  const char* Name() const override { return "KeepsAll"; }
  Status Insert(const Slice& key, Cache::ObjectPtr object,
                const Cache::CacheItemHelper* helper, bool) override {
    std::string bytes(helper->size_cb(object), '\0');
    // In two parts, as a device with pages might.
    const size_t half = bytes.size() / 2;
    Status s = helper->saveto_cb(object, 0, half, bytes.data());
    if (s.ok()) {
      s = helper->saveto_cb(object, half, bytes.size() - half,
                            bytes.data() + half);
    }
    if (!s.ok()) return s;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (loses_bytes) bytes.clear();
    forms_[key.ToString()] = std::move(bytes);
    return s;
  }
  Status InsertSaved(const Slice&, const Slice&, CompressionType,
                     CacheTier) override {
    return Status::NotSupported("");
  }
  std::unique_ptr<SecondaryCacheResultHandle> Lookup(
      const Slice& key, const Cache::CacheItemHelper* helper,
      Cache::CreateContext* context, bool, bool, Statistics*,
      bool& is_kept) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_kept = true;
    const auto found = forms_.find(key.ToString());
    if (found == forms_.end()) return nullptr;
    auto result = std::make_unique<Result>();
    const Status s = helper->create_cb(
        found->second, kNoCompression, CacheTier::kNonVolatileBlockTier,
        context, nullptr, &result->object, &result->size);
    if (!s.ok()) ++failures;
    return result;
  }
  bool SupportForceErase() const override { return true; }
  void Erase(const Slice& key) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    forms_.erase(key.ToString());
  }
  void WaitAll(std::vector<SecondaryCacheResultHandle*>) override {}
  size_t count() const { return forms_.size(); }

  bool loses_bytes = false;
  int failures = 0;

 private:
  struct Result : SecondaryCacheResultHandle {
    bool IsReady() override { return is_ready; }
    void Wait() override { is_ready = true; }
    Cache::ObjectPtr Value() override { return object; }
    size_t Size() override { return size; }
    bool is_ready = false;
    Cache::ObjectPtr object = nullptr;
    size_t size = 0;
  };
  std::mutex mutex_;
  std::map<std::string, std::string> forms_;
};

class SecondaryCacheDbTest : public DbFixture {
 protected:
  static constexpr int kKeys = 1000;

  SecondaryCacheDbTest() {
    options_.statistics = CreateDBStatistics();
    options_.disable_auto_compactions = true;
    table_.block_size = 1024;
    table_.filter_policy.reset(NewBloomFilterPolicy(10));
    table_.cache_index_and_filter_blocks = true;
    table_.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
    table_.partition_filters = true;
    table_.metadata_block_size = 256;
  }
  void OpenOver(std::shared_ptr<SecondaryCache> secondary) {
    LRUCacheOptions cache(16 << 10, 0, false, 0.0);
    cache.secondary_cache = std::move(secondary);
    table_.block_cache = cache.MakeSharedCache();
    ASSERT_NE(table_.block_cache, nullptr);
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    Open();
  }
  static std::shared_ptr<SecondaryCache> Compressed() {
    CompressedSecondaryCacheOptions options;
    options.capacity = 8 << 20;
    options.compression_type = kNoCompression;
    return NewCompressedSecondaryCache(options);
  }
  static std::string Key(int i) { return "key" + std::to_string(10000 + i); }
  static std::string Value(int i) { return std::string(60, 'a' + i % 26); }
  void Fill() {
    for (int i = 0; i < kKeys; ++i) ASSERT_OK(Put(Key(i), Value(i)));
    ASSERT_OK(Flush());
  }
  void ReadAll() {
    for (int i = 0; i < kKeys; ++i) ASSERT_EQ(Get(Key(i)), Value(i)) << i;
    EXPECT_EQ(Get("key10000x"), "NOT_FOUND");
  }

  BlockBasedTableOptions table_;
};

TEST_F(SecondaryCacheDbTest, BlocksOfEveryKindComeBack) {
  OpenOver(Compressed());
  Fill();
  ReadAll();
  ReadAll();
  const uint64_t misses = Ticker(BLOCK_CACHE_MISS);
  ReadAll();
  EXPECT_GT(Ticker(SECONDARY_CACHE_DATA_HITS), 10u);
  EXPECT_GT(Ticker(SECONDARY_CACHE_INDEX_HITS), 0u);
  EXPECT_GT(Ticker(SECONDARY_CACHE_FILTER_HITS), 0u);
  EXPECT_EQ(Ticker(SECONDARY_CACHE_HITS),
            Ticker(SECONDARY_CACHE_DATA_HITS) +
                Ticker(SECONDARY_CACHE_INDEX_HITS) +
                Ticker(SECONDARY_CACHE_FILTER_HITS));
  // What comes from there is no miss.
  EXPECT_LT(Ticker(BLOCK_CACHE_MISS) - misses, 30u);
  const std::string forward = Scan();
  EXPECT_EQ(Scan(), forward);
  ASSERT_OK(CompactAll(true));
  ReadAll();
  EXPECT_EQ(Scan(), forward);
  db_.reset();
  options_.table_factory.reset();
}

TEST_F(SecondaryCacheDbTest, ACacheOfTheApplication) {
  const auto keeps_all = std::make_shared<KeepsAll>();
  OpenOver(keeps_all);
  Fill();
  ReadAll();
  EXPECT_GT(keeps_all->count(), 20u);
  ReadAll();
  EXPECT_GT(Ticker(SECONDARY_CACHE_DATA_HITS), 20u);
  EXPECT_GT(Ticker(SECONDARY_CACHE_INDEX_HITS), 0u);
  EXPECT_GT(Ticker(SECONDARY_CACHE_FILTER_HITS), 0u);
  EXPECT_EQ(Ticker(COMPRESSED_SECONDARY_CACHE_PROMOTIONS), 0u);
  EXPECT_EQ(keeps_all->failures, 0);
}

// What makes no block any more is read from the file.
TEST_F(SecondaryCacheDbTest, LostFormsAreReadFromTheFile) {
  const auto keeps_all = std::make_shared<KeepsAll>();
  keeps_all->loses_bytes = true;
  // There are no filters, as even an empty form would make one.
  table_.filter_policy.reset();
  table_.partition_filters = false;
  OpenOver(keeps_all);
  Fill();
  ReadAll();
  ReadAll();
  EXPECT_GT(keeps_all->failures, 0);
}

TEST_F(SecondaryCacheDbTest, TheLowestTierMayBeAboveIt) {
  const auto keeps_all = std::make_shared<KeepsAll>();
  options_.lowest_used_cache_tier = CacheTier::kVolatileTier;
  OpenOver(keeps_all);
  Fill();
  ReadAll();
  ReadAll();
  EXPECT_EQ(keeps_all->count(), 0u);
  EXPECT_EQ(Ticker(SECONDARY_CACHE_HITS), 0u);
  options_.lowest_used_cache_tier = CacheTier::kVolatileCompressedTier;
  OpenOver(keeps_all);
  ReadAll();
  ReadAll();
  EXPECT_GT(Ticker(SECONDARY_CACHE_HITS), 0u);
}

TEST_F(SecondaryCacheDbTest, OneBudgetForTwoCaches) {
  HyperClockCacheOptions clock(0, 1024);
  TieredCacheOptions tiers;
  tiers.cache_opts = &clock;
  tiers.cache_type = PrimaryCacheType::kCacheTypeHCC;
  tiers.comp_cache_opts.compression_type = kNoCompression;
  tiers.total_capacity = 96 << 10;
  tiers.compressed_secondary_ratio = 0.75;
  tiers.adm_policy = TieredAdmissionPolicy::kAdmPolicyAllowAll;
  table_.block_cache = NewTieredCache(tiers);
  ASSERT_NE(table_.block_cache, nullptr);
  options_.table_factory.reset(NewBlockBasedTableFactory(table_));
  Open();
  Fill();
  for (int round = 0; round < 3; ++round) ReadAll();
  EXPECT_GT(Ticker(SECONDARY_CACHE_HITS), 0u);
  ASSERT_OK(UpdateTieredCache(table_.block_cache, 1 << 20, 0.1));
  for (int round = 0; round < 2; ++round) ReadAll();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
