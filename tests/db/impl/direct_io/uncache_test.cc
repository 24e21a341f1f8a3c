// uncache_aggressiveness: blocks of files that nobody reads leave the cache.

#include <atomic>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/iostats_context.h"
#include "rocksdb/perf_level.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Counts the look-ups of those who are no users, who know no helper.
class CountingCache : public CacheWrapper {
 public:
  using CacheWrapper::CacheWrapper;
  const char* Name() const override { return "CountingCache"; }
  Handle* Lookup(const Slice& key, const CacheItemHelper* helper,
                 CreateContext* context, Priority priority,
                 Statistics* statistics) override {
    if (helper == nullptr) ++lookups;
    return CacheWrapper::Lookup(key, helper, context, priority, statistics);
  }
  // Entries of a role.
  int Count(CacheEntryRole role) {
    int count = 0;
    ApplyToAllEntries(
        [&](const Slice&, ObjectPtr, size_t, const CacheItemHelper* helper) {
          if (helper != nullptr && helper->role == role) ++count;
        },
        ApplyToAllEntriesOptions());
    return count;
  }

  std::atomic<int> lookups{0};
};

class UncacheTest : public DbFixture {
 protected:
  static constexpr int kKeys = 300;

  UncacheTest() {
    options_.statistics = CreateDBStatistics();
    options_.disable_auto_compactions = true;
    options_.compaction_keeps_hot_data = false;  // That fills the cache.
    table_.block_size = 512;
    UseCache(NewLRUCache(8 << 20));
  }
  void UseCache(std::shared_ptr<Cache> cache) {
    cache_ = std::make_shared<CountingCache>(std::move(cache));
    table_.block_cache = cache_;
  }
  void OpenWith(uint32_t aggressiveness) {
    options_.uncache_aggressiveness = aggressiveness;
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    Open();
    empty_pinned_ = cache_->GetPinnedUsage();
  }
  static std::string Key(int i) { return "key" + std::to_string(1000 + i); }
  static std::string Value(int i) { return std::string(50, 'a' + i % 26); }
  // One table.
  void Fill() {
    for (int i = 0; i < kKeys; ++i) ASSERT_OK(Put(Key(i), Value(i)));
    ASSERT_OK(Flush());
  }
  void ReadAll() {
    for (int i = 0; i < kKeys; ++i) ASSERT_EQ(Get(Key(i)), Value(i));
  }
  int DataBlocks() { return cache_->Count(CacheEntryRole::kDataBlock); }
  int AllBlocks() {
    return DataBlocks() + cache_->Count(CacheEntryRole::kIndexBlock) +
           cache_->Count(CacheEntryRole::kFilterBlock);
  }
  // The tables are written anew, and the old ones go.
  void Rewrite() {
    ASSERT_OK(CompactAll(true));
    AwaitPurge();
  }
  // Tables below level 0 go, and no others come.
  void DropTables() {
    ASSERT_OK(DeleteFilesInRange(db_.get(), db_->DefaultColumnFamily(), nullptr,
                                 nullptr));
    AwaitPurge();
  }

  BlockBasedTableOptions table_;
  std::shared_ptr<CountingCache> cache_;
  size_t empty_pinned_ = 0;  // by a database that was just opened
};

TEST_F(UncacheTest, ZeroLeavesThemToAge) {
  OpenWith(0);
  Fill();
  ReadAll();
  const int before = DataBlocks();
  const size_t usage = cache_->GetUsage();
  ASSERT_GT(before, 20);
  Rewrite();
  EXPECT_EQ(DataBlocks(), before);
  EXPECT_EQ(cache_->GetUsage(), usage);
  EXPECT_EQ(cache_->lookups, 0);
}

TEST_F(UncacheTest, BlocksOfAReplacedFileGo) {
  for (const int max_open_files : {-1, 100}) {
    for (const bool is_clock : {false, true}) {
      SCOPED_TRACE(std::to_string(max_open_files) + (is_clock ? " clock" : ""));
      UseCache(is_clock
                   ? HyperClockCacheOptions(8 << 20, 4096, 0).MakeSharedCache()
                   : NewLRUCache(8 << 20, 0));
      options_.max_open_files = max_open_files;
      path_ += "-next";
      OpenWith(100);
      Fill();
      const size_t usage = cache_->GetUsage();
      ReadAll();
      ASSERT_GT(DataBlocks(), 20);
      const std::vector<uint32_t> tickers{BLOCK_CACHE_HIT, BLOCK_CACHE_MISS,
                                          BLOCK_CACHE_ADD, BLOCK_CACHE_DATA_HIT,
                                          BLOCK_CACHE_DATA_MISS};
      std::vector<uint64_t> before;
      for (const uint32_t ticker : tickers) before.push_back(Ticker(ticker));
      Rewrite();
      EXPECT_EQ(DataBlocks(), 0);
      EXPECT_EQ(cache_->GetUsage(), usage);
      for (size_t i = 0; i < tickers.size(); ++i) {
        EXPECT_EQ(Ticker(tickers[i]), before[i]) << i;
      }
      ReadAll();
    }
  }
}

// What is hardly cached costs hardly anything.
TEST_F(UncacheTest, TheSearchEndsWhereItFindsNothing) {
  OpenWith(3);
  Fill();
  Rewrite();
  EXPECT_EQ(cache_->lookups, 3);
  // The first blocks are there, and one that is too far away.
  for (int i = 0; i < 40; ++i) ASSERT_EQ(Get(Key(i)), Value(i));
  const int found = DataBlocks();
  ASSERT_GT(found, 3);
  ASSERT_EQ(Get(Key(kKeys - 1)), Value(kKeys - 1));
  cache_->lookups = 0;
  Rewrite();
  EXPECT_EQ(cache_->lookups, found + 3);
  EXPECT_EQ(DataBlocks(), 1);
}

TEST_F(UncacheTest, ALargeValueTriesEveryBlock) {
  OpenWith(UINT32_MAX);
  Fill();
  ASSERT_EQ(Get(Key(kKeys - 1)), Value(kKeys - 1));
  ASSERT_EQ(DataBlocks(), 1);
  Rewrite();
  EXPECT_EQ(DataBlocks(), 0);
  EXPECT_GT(cache_->lookups, 20);
}

TEST_F(UncacheTest, IndexesAndFiltersThatLiveInTheCacheGoToo) {
  table_.filter_policy.reset(NewBloomFilterPolicy(10));
  table_.metadata_block_size = 128;
  table_.cache_index_and_filter_blocks = true;
  for (const bool is_split : {false, true}) {
    for (const PinningTier pinning : {PinningTier::kNone, PinningTier::kAll}) {
      SCOPED_TRACE(std::to_string(is_split) +
                   std::to_string(static_cast<int>(pinning)));
      table_.index_type = is_split
                              ? BlockBasedTableOptions::kTwoLevelIndexSearch
                              : BlockBasedTableOptions::kBinarySearch;
      table_.partition_filters = is_split;
      table_.metadata_cache_options = {pinning, pinning, pinning};
      path_ += "-next";
      OpenWith(100);
      Fill();
      ASSERT_OK(CompactAll(true));
      ReadAll();
      const int least = is_split ? 4 : 1;
      ASSERT_GE(cache_->Count(CacheEntryRole::kIndexBlock), least);
      ASSERT_GE(cache_->Count(CacheEntryRole::kFilterBlock), least);
      ASSERT_GT(DataBlocks(), 20);
      DropTables();
      EXPECT_EQ(DataBlocks(), 0);
      EXPECT_EQ(AllBlocks(), 0);
      EXPECT_EQ(cache_->GetPinnedUsage(), empty_pinned_);
    }
  }
}

// A data block leaves the cache only if its index partition is there, too.
TEST_F(UncacheTest, NothingIsReadForIt) {
  SetPerfLevel(kEnableTime);
  table_.metadata_block_size = 128;
  table_.cache_index_and_filter_blocks = true;
  table_.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  table_.pin_top_level_index_and_filter = false;
  OpenWith(UINT32_MAX);
  Fill();
  ASSERT_OK(CompactAll(true));
  AwaitPurge();
  cache_->EraseUnRefEntries();
  cache_->lookups = 0;
  uint64_t read = get_iostats_context()->bytes_read;
  DropTables();
  EXPECT_EQ(get_iostats_context()->bytes_read, read);
  EXPECT_EQ(cache_->lookups, 1);  // the top of the index
  Fill();
  ASSERT_OK(CompactAll(true));
  AwaitPurge();
  ASSERT_EQ(Get(Key(0)), Value(0));
  ASSERT_EQ(Get(Key(kKeys - 1)), Value(kKeys - 1));
  ASSERT_EQ(DataBlocks(), 2);
  read = get_iostats_context()->bytes_read;
  DropTables();
  EXPECT_EQ(get_iostats_context()->bytes_read, read);
  SetPerfLevel(kDisable);
  EXPECT_EQ(AllBlocks(), 0);
}

TEST_F(UncacheTest, IteratorsKeepTheirFilesAndValuesTheirBlocks) {
  OpenWith(100);
  Fill();
  ReadAll();
  const int before = DataBlocks();
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  PinnableSlice value;
  ASSERT_OK(
      db_->Get(ReadOptions(), db_->DefaultColumnFamily(), Key(7), &value));
  ASSERT_TRUE(value.IsPinned());
  Rewrite();
  EXPECT_EQ(DataBlocks(), before);
  int count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
  EXPECT_OK(it->status());
  EXPECT_EQ(count, kKeys);
  it.reset();
  AwaitPurge();
  EXPECT_EQ(DataBlocks(), 0);
  EXPECT_EQ(value.ToString(), Value(7));
  EXPECT_GT(cache_->GetPinnedUsage(), empty_pinned_);
  value.Reset();
  EXPECT_EQ(cache_->GetPinnedUsage(), empty_pinned_);
}

TEST_F(UncacheTest, ADatabaseBesideItKeepsItsBlocks) {
  OpenWith(100);
  Fill();
  ReadAll();
  const int of_one = DataBlocks();
  std::unique_ptr<DB> other;
  ASSERT_OK(DB::Open(options_, path_ + "-other", &other));
  for (int i = 0; i < kKeys; ++i) {
    ASSERT_OK(other->Put(WriteOptions(), Key(i), Value(i)));
  }
  ASSERT_OK(other->Flush(FlushOptions()));
  std::string value;
  for (int i = 0; i < kKeys; ++i) {
    ASSERT_OK(other->Get(ReadOptions(), Key(i), &value));
  }
  ASSERT_EQ(DataBlocks(), 2 * of_one);
  Rewrite();
  EXPECT_EQ(DataBlocks(), of_one);
  const uint64_t misses = Ticker(BLOCK_CACHE_DATA_MISS);
  for (int i = 0; i < kKeys; ++i) {
    ASSERT_OK(other->Get(ReadOptions(), Key(i), &value));
  }
  EXPECT_EQ(Ticker(BLOCK_CACHE_DATA_MISS), misses);
}

TEST_F(UncacheTest, IsChangedWhileTheDatabaseIsOpen) {
  OpenWith(0);
  Fill();
  ReadAll();
  const int before = DataBlocks();
  // The new value counts for files that were there before, too.
  ASSERT_OK(db_->SetOptions({{"uncache_aggressiveness", "100"}}));
  Rewrite();
  EXPECT_EQ(DataBlocks(), 0);
  ReadAll();
  ASSERT_OK(db_->SetOptions({{"uncache_aggressiveness", "0"}}));
  Rewrite();
  EXPECT_EQ(DataBlocks(), before);
  EXPECT_TRUE(
      db_->SetOptions({{"uncache_aggressiveness", "-1"}}).IsInvalidArgument());
}

TEST_F(UncacheTest, ADroppedFamilysBlocksGo) {
  OpenWith(100);
  ColumnFamilyHandle* family = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(options_, "family", &family));
  for (int i = 0; i < kKeys; ++i) {
    ASSERT_OK(db_->Put(WriteOptions(), family, Key(i), Value(i)));
  }
  ASSERT_OK(db_->Flush(FlushOptions(), family));
  std::string value;
  for (int i = 0; i < kKeys; ++i) {
    ASSERT_OK(db_->Get(ReadOptions(), family, Key(i), &value));
  }
  ASSERT_GT(DataBlocks(), 20);
  ASSERT_OK(db_->DropColumnFamily(family));
  EXPECT_GT(DataBlocks(), 20);
  ASSERT_OK(db_->DestroyColumnFamilyHandle(family));
  AwaitPurge();
  EXPECT_EQ(DataBlocks(), 0);
}

TEST_F(UncacheTest, FilesThatMustNotBeDeletedYetKeepNoBlocks) {
  OpenWith(100);
  Fill();
  ReadAll();
  ASSERT_OK(db_->DisableFileDeletions());
  Rewrite();
  EXPECT_EQ(DataBlocks(), 0);
  ASSERT_OK(db_->EnableFileDeletions());
}

// They are live when it is opened again.
TEST_F(UncacheTest, ClosingLeavesTheBlocksOfLiveFiles) {
  OpenWith(100);
  Fill();
  ReadAll();
  const int before = DataBlocks();
  Reopen();
  EXPECT_EQ(DataBlocks(), before);
  const uint64_t misses = Ticker(BLOCK_CACHE_DATA_MISS);
  ReadAll();
  EXPECT_EQ(Ticker(BLOCK_CACHE_DATA_MISS), misses);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
