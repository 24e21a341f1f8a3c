// A database over a block cache with three queues: what is read from files goes
// to the device as it lies in the file, comes back from there, and reads are
// what they are without.

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/statistics.h"
#include "tests/cache/device_cache.h"
#include "tests/db/impl/db_fixture.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ThreeQueuesTest : public DbFixture {
 protected:
  static constexpr int kKeys = 1000;

  ThreeQueuesTest() {
    options_.statistics = CreateDBStatistics();
    options_.disable_auto_compactions = true;
    options_.compression =
        CompressionTypeSupported(kLZ4Compression) ? kLZ4Compression : kZSTD;
    table_.block_size = 1024;
    table_.filter_policy.reset(NewBloomFilterPolicy(10));
    table_.cache_index_and_filter_blocks = true;
    table_.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
    table_.partition_filters = true;
    table_.metadata_block_size = 256;
  }
  void SetUp() override {
    if (!CompressionTypeSupported(options_.compression)) GTEST_SKIP();
  }
  // Over caches that hold a small part of the data.
  void OpenOverDevice() {
    LRUCacheOptions lru(0, 0, false, 0.0);
    TieredCacheOptions tiers;
    tiers.cache_opts = &lru;
    tiers.total_capacity = 32 << 10;
    tiers.compressed_secondary_ratio = 0.25;
    tiers.comp_cache_opts.num_shard_bits = 0;
    tiers.comp_cache_opts.compression_type = kNoCompression;
    tiers.nvm_sec_cache = device_;
    table_.block_cache = NewTieredCache(tiers);
    ASSERT_NE(table_.block_cache, nullptr);
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    Open();
  }
  static std::string Key(int i) { return "key" + std::to_string(10000 + i); }
  static std::string Value(int i) {
    return std::string(100, static_cast<char>('a' + i % 26)) +
           std::to_string(i * 7919);
  }
  void Fill() {
    for (int i = 0; i < kKeys; ++i) ASSERT_OK(Put(Key(i), Value(i)));
    ASSERT_OK(Flush());
  }
  void ReadAll() {
    for (int i = 0; i < kKeys; ++i) ASSERT_EQ(Get(Key(i)), Value(i)) << i;
    EXPECT_EQ(Get("key10000x"), "NOT_FOUND");
  }
  size_t CompressedForms() const {
    size_t count = 0;
    for (const auto& [key, form] : device_->forms()) {
      count += form.type == options_.compression;
    }
    return count;
  }

  const std::shared_ptr<DeviceCache> device_ = std::make_shared<DeviceCache>();
  BlockBasedTableOptions table_;
};

TEST_F(ThreeQueuesTest, BlocksOfEveryKindComeFromTheDevice) {
  OpenOverDevice();
  Fill();
  ReadAll();
  EXPECT_GT(CompressedForms(), 50u);
  EXPECT_GT(device_->forms().size(), CompressedForms());
  const uint64_t misses = Ticker(BLOCK_CACHE_DATA_MISS);
  EXPECT_EQ(misses, CompressedForms());
  ReadAll();
  ReadAll();
  EXPECT_EQ(Ticker(BLOCK_CACHE_DATA_MISS), misses);
  EXPECT_GT(Ticker(SECONDARY_CACHE_DATA_HITS), 50u);
  EXPECT_GT(Ticker(SECONDARY_CACHE_INDEX_HITS), 0u);
  EXPECT_GT(Ticker(SECONDARY_CACHE_FILTER_HITS), 0u);
  EXPECT_GT(Ticker(COMPRESSED_SECONDARY_CACHE_PROMOTIONS), 0u);
  EXPECT_EQ(device_->inserts(), 0);
  const std::string forward = Scan();
  EXPECT_EQ(Scan(), forward);
  ASSERT_OK(CompactAll(true));
  ReadAll();
  EXPECT_EQ(Scan(), forward);
}

TEST_F(ThreeQueuesTest, WhatIsReadNowAndThenIsCompressedInMemory) {
  OpenOverDevice();
  Fill();
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 30; i += 10) EXPECT_EQ(Get(Key(i)), Value(i));
    table_.block_cache->EraseUnRefEntries();
  }
  EXPECT_GT(Ticker(COMPRESSED_SECONDARY_CACHE_HITS), 0u);
}

TEST_F(ThreeQueuesTest, BlocksWithADictionary) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP();
  options_.compression = kZSTD;
  options_.compression_opts.max_dict_bytes = 4 << 10;
  options_.compression_opts.zstd_max_train_bytes = 32 << 10;
  options_.num_levels = 2;
  OpenOverDevice();
  Fill();
  ASSERT_OK(CompactAll(true));
  ReadAll();
  EXPECT_GT(CompressedForms(), 20u);
  const uint64_t misses = Ticker(BLOCK_CACHE_DATA_MISS);
  ReadAll();
  EXPECT_EQ(Ticker(BLOCK_CACHE_DATA_MISS), misses);
  EXPECT_GT(Ticker(SECONDARY_CACHE_DATA_HITS), 20u);
}

// In spans that several blocks share, and alone; ahead of a scan; mapped.
TEST_F(ThreeQueuesTest, HoweverABlockIsRead) {
  for (const bool is_mapped : {false, true}) {
    options_.allow_mmap_reads = is_mapped;
    OpenOverDevice();
    if (!is_mapped) Fill();
    std::vector<std::string> names;
    for (int i = 0; i < kKeys; i += 5) names.push_back(Key(i));
    const std::vector<Slice> keys(names.begin(), names.end());
    for (int round = 0; round < 2; ++round) {
      std::vector<std::string> values;
      const std::vector<Status> statuses =
          db_->MultiGet(ReadOptions(), keys, &values);
      for (size_t i = 0; i < keys.size(); ++i) {
        ASSERT_OK(statuses[i]);
        EXPECT_EQ(values[i], Value(static_cast<int>(i) * 5));
      }
    }
    EXPECT_GT(CompressedForms(), 30u) << is_mapped;
    device_->Damage([](DeviceCache::Form* form) {
      if (form->type != kNoCompression) form->bytes.clear();
    });
    ReadOptions ahead;
    ahead.readahead_size = 64 << 10;
    OpenOverDevice();
    const std::unique_ptr<Iterator> iterator(db_->NewIterator(ahead));
    int i = 0;
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      EXPECT_EQ(iterator->value(), Value(i++));
    }
    ASSERT_OK(iterator->status());
    EXPECT_EQ(i, kKeys);
    for (const auto& [key, form] : device_->forms()) {
      EXPECT_TRUE(form.type == kNoCompression || !form.bytes.empty());
    }
  }
}

TEST_F(ThreeQueuesTest, ReadsThatFillNoCacheFillNone) {
  OpenOverDevice();
  Fill();
  ReadOptions no_fill;
  no_fill.fill_cache = false;
  const std::unique_ptr<Iterator> iterator(db_->NewIterator(no_fill));
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
  }
  ASSERT_OK(iterator->status());
  EXPECT_EQ(CompressedForms(), 0u);
}

TEST_F(ThreeQueuesTest, DamagedFormsAreReadFromTheFile) {
  OpenOverDevice();
  Fill();
  ReadAll();
  device_->Damage([](DeviceCache::Form* form) {
    if (form->type != kNoCompression)
      form->bytes.resize(form->bytes.size() / 2);
  });
  const uint64_t misses = Ticker(BLOCK_CACHE_DATA_MISS);
  ReadAll();
  EXPECT_GT(Ticker(BLOCK_CACHE_DATA_MISS), misses);
}

TEST_F(ThreeQueuesTest, ADeviceThatFailsIsNotMissed) {
  OpenOverDevice();
  Fill();
  ReadAll();
  device_->Fail();
  ReadAll();
  EXPECT_EQ(Scan(), Scan());
}

TEST_F(ThreeQueuesTest, TheLowestTierMayBeAboveIt) {
  options_.lowest_used_cache_tier = CacheTier::kVolatileCompressedTier;
  OpenOverDevice();
  Fill();
  ReadAll();
  ReadAll();
  EXPECT_TRUE(device_->forms().empty());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
