// cache_usage_options: what tables hold outside the block cache is charged to
// it, and where there is no room they do with less.

#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "tests/db/impl/db_fixture.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using ChargeDecision = CacheEntryRoleOptions::Decision;

class CacheUsageTest : public DbFixture {
 protected:
  CacheUsageTest() { options_.disable_auto_compactions = true; }
  // A cache so small, with a strict limit, has no room for anything.
  void OpenWith(CacheEntryRole role, size_t capacity) {
    table_.block_cache =
        NewLRUCache(capacity, 0, /*strict_capacity_limit=*/true);
    table_.cache_usage_options.options_overrides[role].charged =
        ChargeDecision::kEnabled;
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    Open();
  }
  void Fill() {
    for (int i = 0; i < 2000; ++i) {
      ASSERT_OK(Put("key" + std::to_string(10000 + i), std::string(50, 'v')));
    }
  }
  uint64_t FilterBytes() {
    TablePropertiesCollection all;
    EXPECT_OK(db_->GetPropertiesOfAllTables(&all));
    uint64_t bytes = 0;
    for (const auto& [name, properties] : all) bytes += properties->filter_size;
    return bytes;
  }
  void ExpectData() {
    EXPECT_EQ(Get("key10007"), std::string(50, 'v'));
    EXPECT_EQ(Get("key10007x"), "NOT_FOUND");
  }

  BlockBasedTableOptions table_;
};

TEST_F(CacheUsageTest, ReadersAreCharged) {
  OpenWith(CacheEntryRole::kBlockBasedTableReader, 8 << 20);
  Fill();
  EXPECT_LT(table_.block_cache->GetUsage(), 200u << 10);
  ASSERT_OK(Flush());
  EXPECT_GT(table_.block_cache->GetPinnedUsage(), 200u << 10);
  ExpectData();
  db_.reset();
  EXPECT_LT(table_.block_cache->GetPinnedUsage(), 200u << 10);
}

TEST_F(CacheUsageTest, AReaderWithoutRoomDoesNotOpen) {
  Open();
  Fill();
  ASSERT_OK(Flush());
  options_.max_open_files = 20;
  OpenWith(CacheEntryRole::kBlockBasedTableReader, 8 << 20);
  ExpectData();
  db_.reset();
  table_.block_cache = NewLRUCache(64 << 10, 0, true);
  options_.table_factory.reset(NewBlockBasedTableFactory(table_));
  const Status s = TryOpen();
  if (s.ok()) {
    std::string value;
    EXPECT_TRUE(db_->Get(ReadOptions(), "key10007", &value).IsMemoryLimit());
  } else {
    EXPECT_TRUE(s.IsMemoryLimit()) << s.ToString();
  }
}

TEST_F(CacheUsageTest, AFilterWithoutRoomIsLeftOut) {
  table_.filter_policy.reset(NewBloomFilterPolicy(10));
  OpenWith(CacheEntryRole::kFilterConstruction, 8 << 20);
  Fill();
  ASSERT_OK(Flush());
  EXPECT_GT(FilterBytes(), 0u);
  EXPECT_LT(table_.block_cache->GetPinnedUsage(), 200u << 10);
  ExpectData();
  path_ += "-small";
  OpenWith(CacheEntryRole::kFilterConstruction, 64 << 10);
  Fill();
  ASSERT_OK(Flush());
  EXPECT_EQ(FilterBytes(), 0u);
  ExpectData();
}

TEST_F(CacheUsageTest, ADictionaryIsMadeOfWhatThereIsRoomFor) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP() << "without zstd";
  options_.compression = kZSTD;
  options_.compression_opts.max_dict_bytes = 4096;
  for (const size_t capacity : {size_t{64} << 10, size_t{8} << 20}) {
    path_ += "-next";
    OpenWith(CacheEntryRole::kCompressionDictionaryBuildingBuffer, capacity);
    Fill();
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(true));
    ExpectData();
    EXPECT_LT(table_.block_cache->GetPinnedUsage(), 200u << 10);
  }
}

TEST_F(CacheUsageTest, FilesAreCharged) {
  OpenWith(CacheEntryRole::kFileMetadata, 8 << 20);
  const size_t empty_usage = table_.block_cache->GetPinnedUsage();
  Fill();
  EXPECT_EQ(table_.block_cache->GetPinnedUsage(), empty_usage);
  ASSERT_OK(Flush());
  EXPECT_GT(table_.block_cache->GetPinnedUsage(), 200u << 10);
  ExpectData();
  ASSERT_OK(CompactAll(true));
  EXPECT_GT(table_.block_cache->GetPinnedUsage(), 200u << 10);
  db_.reset();
  EXPECT_EQ(table_.block_cache->GetPinnedUsage(), 0u);
  Open();
  EXPECT_GT(table_.block_cache->GetPinnedUsage(), 200u << 10);
  ASSERT_OK(
      db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "a", "z"));
  ASSERT_OK(CompactAll(true));
  AwaitPurge();  // The job may still hold the files that it has replaced.
  EXPECT_EQ(table_.block_cache->GetPinnedUsage(), empty_usage)
      << "no file is left";
}

TEST_F(CacheUsageTest, FilesWithoutRoomAreThereAllTheSame) {
  OpenWith(CacheEntryRole::kFileMetadata, 64 << 10);
  Fill();
  ASSERT_OK(Flush());
  EXPECT_LT(table_.block_cache->GetPinnedUsage(), 200u << 10);
  ExpectData();
  ASSERT_OK(CompactAll(true));
  Open();
  ExpectData();
}

TEST_F(CacheUsageTest, ABlobCacheFitsIntoTheBlockCache) {
  table_.block_cache = NewLRUCache(4 << 20);
  table_.cache_usage_options.options_overrides[CacheEntryRole::kBlobCache]
      .charged = ChargeDecision::kEnabled;
  options_.table_factory.reset(NewBlockBasedTableFactory(table_));
  EXPECT_TRUE(TryOpen().IsInvalidArgument()) << "there is none";
  options_.blob_cache = NewLRUCache(8 << 20);
  EXPECT_TRUE(TryOpen().IsInvalidArgument()) << "it is too large";
  options_.blob_cache->SetCapacity(4 << 20);
  EXPECT_OK(TryOpen());
  options_.blob_cache = table_.block_cache;
  EXPECT_OK(TryOpen());
}

TEST_F(CacheUsageTest, ABlobCacheIsChargedOnce) {
  options_.enable_blob_files = true;
  options_.blob_cache = NewLRUCache(4 << 20);
  OpenWith(CacheEntryRole::kBlobCache, 8 << 20);
  const std::string value(10'000, 'b');
  ColumnFamilyHandle* other = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(options_, "other", &other));
  for (ColumnFamilyHandle* family : {db_->DefaultColumnFamily(), other}) {
    for (int i = 0; i < 100; ++i) {
      ASSERT_OK(
          db_->Put(WriteOptions(), family, "key" + std::to_string(i), value));
    }
    ASSERT_OK(db_->Flush(FlushOptions(), family));
    std::string found;
    for (int i = 0; i < 100; ++i) {
      ASSERT_OK(
          db_->Get(ReadOptions(), family, "key" + std::to_string(i), &found));
      ASSERT_EQ(found, value);
    }
    const size_t blobs = options_.blob_cache->GetUsage();
    EXPECT_GT(blobs, 900'000u);
    // In whole entries of the cache.
    const size_t charged = table_.block_cache->GetPinnedUsage();
    EXPECT_GE(charged, blobs);
    EXPECT_LT(charged, blobs + (300 << 10));
  }
  ASSERT_OK(db_->DestroyColumnFamilyHandle(other));
  db_.reset();
  EXPECT_EQ(table_.block_cache->GetPinnedUsage(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
