// Entries of cached blocks that memory has changed
// (block_protection_bytes_per_key).
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class BlockChecksTest : public DbFixture {
 protected:
  BlockChecksTest() {
    options_.block_protection_bytes_per_key = 8;
    table_.block_cache = NewLRUCache(8 << 20);
  }
  void Fill() {
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    Open();
    for (const char* key : {"a", "b", "c"}) ASSERT_OK(Put(key, "value"));
    ASSERT_OK(Flush());
    Reopen();
  }
  // Flips a bit of the key's value in the cached block.
  void Damage(const std::string& key) {
    ReadOptions read;
    read.pin_data = true;
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    it->Seek(key);
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(it->key(), key);
    *const_cast<char*>(it->value().data()) ^= 1;
  }

  BlockBasedTableOptions table_;
};

TEST_F(BlockChecksTest, ReadsAnswerCorruption) {
  Fill();
  EXPECT_EQ(Scan(), "a=value b=value c=value ");
  Damage("b");
  std::string value;
  const Status s = db_->Get(ReadOptions(), "b", &value);
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("in memory"), std::string::npos);
  EXPECT_NE(s.ToString().find(".sst"), std::string::npos);
  EXPECT_EQ(Get("a"), "value");
  const std::vector<Slice> keys = {"a", "b"};
  std::vector<std::string> values;
  const auto statuses = db_->MultiGet(ReadOptions(), keys, &values);
  EXPECT_OK(statuses[0]);
  EXPECT_TRUE(statuses[1].IsCorruption());
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  it->Next();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsCorruption());
  // The file is whole, and what is merged comes from there.
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Scan(), "a=value b=value c=value ");
}

TEST_F(BlockChecksTest, OffIsOff) {
  options_.block_protection_bytes_per_key = 0;
  Fill();
  Damage("b");
  EXPECT_EQ(Get("b"), "walue");
}

TEST_F(BlockChecksTest, EverySizeAndLayout) {
  for (const uint8_t bytes : {1, 2, 4, 8}) {
    for (const auto type : {BlockBasedTableOptions::kDataBlockBinarySearch,
                            BlockBasedTableOptions::kDataBlockBinaryAndHash}) {
      SCOPED_TRACE(static_cast<int>(bytes));
      options_.block_protection_bytes_per_key = bytes;
      table_.data_block_index_type = type;
      table_.block_size = 256;
      options_.table_factory.reset(NewBlockBasedTableFactory(table_));
      Reopen();
      for (int i = 0; i < 200; ++i) {
        ASSERT_OK(Put("key" + std::to_string(i), std::to_string(i)));
      }
      ASSERT_OK(Flush());
      for (int i = 0; i < 200; ++i) {
        ASSERT_EQ(Get("key" + std::to_string(i)), std::to_string(i));
      }
      EXPECT_EQ(Get("key"), "NOT_FOUND");
      EXPECT_EQ(Scan().size(), ScanBackward().size());
    }
  }
}

TEST_F(BlockChecksTest, FilesThatAreOpenedLaterObeyAChange) {
  options_.block_protection_bytes_per_key = 0;
  Fill();
  ASSERT_OK(db_->SetOptions({{"block_protection_bytes_per_key", "4"}}));
  ASSERT_OK(Put("d", "value"));
  ASSERT_OK(Flush());
  Damage("d");
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "d", &value).IsCorruption());
}

// ---- Blocks that come into the cache in other ways than by a read ----

TEST_F(BlockChecksTest, BlocksThatAreCachedWhileTheyAreWritten) {
  table_.prepopulate_block_cache =
      BlockBasedTableOptions::PrepopulateBlockCache::kFlushOnly;
  options_.table_factory.reset(NewBlockBasedTableFactory(table_));
  options_.statistics = CreateDBStatistics();
  Open();
  ASSERT_OK(Put("b", "value"));
  ASSERT_OK(Flush());
  Damage("b");
  EXPECT_EQ(Ticker(BLOCK_CACHE_DATA_MISS), 0u);
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "b", &value).IsCorruption());
}

TEST_F(BlockChecksTest, BlocksOfHotKeysThatAreCachedAfterACompaction) {
  options_.statistics = CreateDBStatistics();
  options_.disable_auto_compactions = true;
  Fill();
  ASSERT_OK(Put("c", "newer"));
  ASSERT_OK(Flush());
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(Get("b"), "value");
  ASSERT_OK(CompactAll());
  ASSERT_GT(Ticker(HEAT_CACHED_BLOCKS), 0u);
  const uint64_t misses = Ticker(BLOCK_CACHE_DATA_MISS);
  Damage("b");
  EXPECT_EQ(Ticker(BLOCK_CACHE_DATA_MISS), misses);
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "b", &value).IsCorruption());
}

TEST_F(BlockChecksTest, BlocksThatComeBackFromASecondaryCache) {
  CompressedSecondaryCacheOptions second;
  second.capacity = 8 << 20;
  second.compression_type = kNoCompression;
  LRUCacheOptions first(8 << 20, 0, false, 0.0);
  first.secondary_cache = NewCompressedSecondaryCache(second);
  table_.block_cache = first.MakeSharedCache();
  options_.statistics = CreateDBStatistics();
  Fill();
  // It takes what is evicted twice, and gives back what is asked for twice.
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(Get("b"), "value");
    table_.block_cache->SetCapacity(0);
    table_.block_cache->SetCapacity(8 << 20);
  }
  ASSERT_EQ(Get("b"), "value");
  ASSERT_EQ(Get("b"), "value");
  const uint64_t hits = Ticker(SECONDARY_CACHE_DATA_HITS);
  ASSERT_GT(hits, 0u);
  const uint64_t misses = Ticker(BLOCK_CACHE_DATA_MISS);
  Damage("b");
  EXPECT_EQ(Ticker(SECONDARY_CACHE_DATA_HITS), hits);
  EXPECT_EQ(Ticker(BLOCK_CACHE_DATA_MISS), misses);
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "b", &value).IsCorruption());
}

TEST_F(BlockChecksTest, OtherSizesAreRefused) {
  options_.block_protection_bytes_per_key = 3;
  EXPECT_TRUE(TryOpen().IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
