// prepopulate_block_cache: what was just written is read without the file.

#include "rocksdb/cache.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/statistics.h"
#include "tests/db/impl/db_fixture.h"
#include "util/compression.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Prepopulate = BlockBasedTableOptions::PrepopulateBlockCache;

class PrepopulateTest : public DbFixture {
 protected:
  static constexpr int kKeys = 300;

  PrepopulateTest() {
    options_.statistics = CreateDBStatistics();
    options_.disable_auto_compactions = true;
    options_.compaction_keeps_hot_data = false;  // That would warm files too.
    table_.block_cache = NewLRUCache(8 << 20);
    table_.block_size = 512;
  }
  void OpenWith(Prepopulate setting) {
    table_.prepopulate_block_cache = setting;
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    Open();
  }
  static std::string Key(int i) { return "key" + std::to_string(1000 + i); }
  static std::string Value(int i) { return std::string(50, 'a' + i % 26); }
  void Fill() {
    for (int i = 0; i < kKeys; ++i) ASSERT_OK(Put(Key(i), Value(i)));
    ASSERT_OK(Flush());
  }
  // Reads every key; how many data blocks were not in the cache.
  uint64_t DataMisses() {
    const uint64_t before = Ticker(BLOCK_CACHE_DATA_MISS);
    for (int i = 0; i < kKeys; ++i) EXPECT_EQ(Get(Key(i)), Value(i));
    return Ticker(BLOCK_CACHE_DATA_MISS) - before;
  }

  BlockBasedTableOptions table_;
};

TEST_F(PrepopulateTest, OffLeavesTheCacheAlone) {
  OpenWith(Prepopulate::kDisable);
  Fill();
  EXPECT_EQ(Ticker(BLOCK_CACHE_DATA_ADD), 0u);
  EXPECT_GT(DataMisses(), 10u);
}

TEST_F(PrepopulateTest, FlushesAloneAreWarm) {
  OpenWith(Prepopulate::kFlushOnly);
  Fill();
  EXPECT_GT(Ticker(BLOCK_CACHE_DATA_ADD), 10u);
  EXPECT_EQ(DataMisses(), 0u);
  ASSERT_OK(CompactAll(true));
  EXPECT_GT(DataMisses(), 10u);
}

TEST_F(PrepopulateTest, CompactionsToo) {
  OpenWith(Prepopulate::kFlushAndCompaction);
  Fill();
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(DataMisses(), 0u);
}

TEST_F(PrepopulateTest, IsChangedWhileTheDatabaseIsOpen) {
  OpenWith(Prepopulate::kDisable);
  ASSERT_OK(db_->SetOptions({{"block_based_table_factory",
                              "{prepopulate_block_cache=kFlushOnly;}"}}));
  Fill();
  EXPECT_EQ(DataMisses(), 0u);
  EXPECT_TRUE(db_->SetOptions({{"block_based_table_factory",
                                "{prepopulate_block_cache=kNever;}"}})
                  .IsInvalidArgument());
}

// The reader makes the same of the bytes in the file.
TEST_F(PrepopulateTest, CompressedBlocksAreCachedAsTheyAreRead) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP() << "without zstd";
  for (const uint32_t dictionary_bytes : {0, 1024}) {
    options_.compression = kZSTD;
    options_.compression_opts.max_dict_bytes = dictionary_bytes;
    table_.separate_key_value_in_data_block = dictionary_bytes != 0;
    path_ += "-next";
    OpenWith(Prepopulate::kFlushOnly);
    Fill();
    EXPECT_EQ(DataMisses(), 0u);
    const std::string warm = Scan();
    table_.block_cache->EraseUnRefEntries();
    EXPECT_GT(DataMisses(), 10u);
    EXPECT_EQ(Scan(), warm);
  }
}

TEST_F(PrepopulateTest, PartitionsOfIndexAndFilterAreWarmToo) {
  table_.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  table_.partition_filters = true;
  table_.filter_policy.reset(NewBloomFilterPolicy(10));
  table_.metadata_block_size = 128;
  table_.cache_index_and_filter_blocks = true;
  OpenWith(Prepopulate::kFlushOnly);
  Fill();
  const uint64_t index_misses = Ticker(BLOCK_CACHE_INDEX_MISS);
  const uint64_t filter_misses = Ticker(BLOCK_CACHE_FILTER_MISS);
  EXPECT_EQ(DataMisses(), 0u);
  EXPECT_EQ(Ticker(BLOCK_CACHE_INDEX_MISS), index_misses);
  EXPECT_EQ(Ticker(BLOCK_CACHE_FILTER_MISS), filter_misses);
  EXPECT_GT(Ticker(BLOCK_CACHE_INDEX_HIT), 0u);
  EXPECT_GT(Ticker(BLOCK_CACHE_FILTER_HIT), 0u);
  EXPECT_EQ(Get("key0"), "NOT_FOUND");
  const std::string warm = Scan();
  table_.block_cache->EraseUnRefEntries();
  EXPECT_GT(DataMisses(), 10u);
  EXPECT_EQ(Scan(), warm);
  EXPECT_GT(Ticker(BLOCK_CACHE_FILTER_MISS), filter_misses + 1);
}

TEST_F(PrepopulateTest, WithoutRoomOrCacheBlocksAreRead) {
  table_.block_cache = NewLRUCache(100, 0, /*strict_capacity_limit=*/true);
  OpenWith(Prepopulate::kFlushAndCompaction);
  Fill();
  EXPECT_GT(Ticker(BLOCK_CACHE_ADD_FAILURES), 0u);
  EXPECT_GT(DataMisses(), 10u);
  table_.block_cache.reset();
  table_.no_block_cache = true;
  OpenWith(Prepopulate::kFlushAndCompaction);
  Fill();
  DataMisses();
}

// What was cached of a file that did not come to be is never asked for.
TEST_F(PrepopulateTest, AFailedFlushLeavesNothingThatIsRead) {
  const auto fs =
      std::make_shared<FaultInjectionFileSystem>(FileSystem::Default());
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  options_.env = env.get();
  options_.max_bgerror_resume_count = 0;
  OpenWith(Prepopulate::kFlushOnly);
  for (int i = 0; i < kKeys; ++i) ASSERT_OK(Put(Key(i), "old"));
  fs->FailCall({.call = 2, .is_permanent = true, .path_contains = ".sst"});
  EXPECT_TRUE(Flush().IsIOError());
  EXPECT_GT(Ticker(BLOCK_CACHE_DATA_ADD), 0u);
  fs->ClearFault();
  Reopen();
  Fill();
  EXPECT_EQ(DataMisses(), 0u);
  db_.reset();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
