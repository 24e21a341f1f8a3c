// Iterators whose data blocks lie in memory of the application
// (ReadOptions::read_scoped_block_buffer_provider): what is cached, when leases
// end, and what becomes of bad ones.

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/multi_scan.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/read_ways.h"
#include "tests/testing/lent_memory.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using LeaseFault = LentMemory::Fault;

class LentBlocksTest : public DbFixture {
 protected:
  static constexpr int kKeys = 500;

  LentBlocksTest() {
    options_.statistics = CreateDBStatistics();
    options_.disable_auto_compactions = true;
    table_.block_size = 512;
    table_.cache_index_and_filter_blocks = true;
    table_.block_cache = NewLRUCache(4 << 20);
    lent_.read_scoped_block_buffer_provider = &memory_;
  }
  static std::string Value(int i) {
    return std::string(60, static_cast<char>('a' + i % 26));
  }
  void OpenFilled() {
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    ASSERT_NO_FATAL_FAILURE(Open());
    for (int i = 0; i < kKeys; ++i) ASSERT_OK(Put(ScannedKey(i), Value(i)));
    ASSERT_OK(Flush());
  }
  // Anew, with as much in the block cache as opening a table brings there.
  void ReopenCold() {
    db_.reset();
    table_.block_cache = NewLRUCache(4 << 20);
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    ASSERT_NO_FATAL_FAILURE(Open());
  }
  uint64_t DataBlocks() {
    TablePropertiesCollection tables;
    EXPECT_OK(db_->GetPropertiesOfAllTables(&tables));
    uint64_t count = 0;
    for (const auto& [name, properties] : tables) {
      count += properties->num_data_blocks;
    }
    return count;
  }
  // All keys in order, if what `read` says allows it.
  void ExpectAll(const ReadOptions& read) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    int i = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next(), ++i) {
      ASSERT_EQ(it->key(), ScannedKey(i));
      ASSERT_EQ(it->value(), Value(i));
    }
    ASSERT_OK(it->status());
    ASSERT_EQ(i, kKeys);
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      --i;
      ASSERT_EQ(it->key(), ScannedKey(i));
      ASSERT_EQ(it->value(), Value(i));
    }
    ASSERT_OK(it->status());
    ASSERT_EQ(i, 0);
  }
  // How often data blocks were sought in the block cache or added to it.
  uint64_t CacheUses() const {
    return Ticker(BLOCK_CACHE_DATA_ADD) + Ticker(BLOCK_CACHE_DATA_HIT) +
           Ticker(BLOCK_CACHE_DATA_MISS);
  }

  BlockBasedTableOptions table_;
  LentMemory memory_;  // outlives all iterators
  ReadOptions lent_;
};

TEST_F(LentBlocksTest, ScansDoWithoutTheBlockCache) {
  for (const CompressionType type : {kNoCompression, kLZ4Compression, kZSTD}) {
    if (!CompressionTypeSupported(type)) continue;
    options_.compression = type;
    ASSERT_NO_FATAL_FAILURE(OpenFilled());
    ASSERT_OK(CompactAll());
    const uint64_t index = Ticker(BLOCK_CACHE_INDEX_ADD);
    ASSERT_NO_FATAL_FAILURE(ReopenCold());
    const uint64_t before = memory_.leases();
    const uint64_t uses = CacheUses();
    ASSERT_NO_FATAL_FAILURE(ExpectAll(lent_));
    // The walk back begins in the block in which the walk forward ended.
    EXPECT_GE(memory_.leases() - before, 2 * DataBlocks() - 1);
    EXPECT_LE(memory_.leases() - before, 2 * DataBlocks());
    EXPECT_EQ(memory_.outstanding(), 0u);
    EXPECT_EQ(CacheUses(), uses);
    EXPECT_GT(Ticker(BLOCK_CACHE_INDEX_ADD), index);
    EXPECT_EQ(memory_.last_alignment(), 1u);
  }
}

// What is there already is not looked for.
TEST_F(LentBlocksTest, NothingComesFromTheBlockCache) {
  ASSERT_NO_FATAL_FAILURE(OpenFilled());
  ASSERT_NO_FATAL_FAILURE(ExpectAll(ReadOptions()));
  const uint64_t uses = CacheUses();
  EXPECT_GT(uses, 0u);
  ASSERT_NO_FATAL_FAILURE(ExpectAll(lent_));
  EXPECT_GE(memory_.leases(), DataBlocks());
  ReadOptions cached = lent_;
  cached.read_tier = kBlockCacheTier;
  const std::unique_ptr<Iterator> it(db_->NewIterator(cached));
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsIncomplete()) << it->status().ToString();
  EXPECT_EQ(CacheUses(), uses);
}

TEST_F(LentBlocksTest, ALeaseEndsWhenNothingOfItIsPinned) {
  ASSERT_NO_FATAL_FAILURE(OpenFilled());
  {
    const std::unique_ptr<Iterator> it(db_->NewIterator(lent_));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      ASSERT_EQ(memory_.outstanding(), 1u);
    }
    ASSERT_OK(it->status());
  }
  EXPECT_EQ(memory_.outstanding(), 0u);
  lent_.pin_data = true;
  const std::unique_ptr<Iterator> it(db_->NewIterator(lent_));
  std::vector<Slice> values;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    std::string is_pinned;
    ASSERT_OK(it->GetProperty("rocksdb.iterator.is-value-pinned", &is_pinned));
    ASSERT_EQ(is_pinned, "1");
    values.push_back(it->value());
  }
  ASSERT_OK(it->status());
  EXPECT_EQ(memory_.outstanding(), DataBlocks());
  // Memory that comes back is overwritten.
  for (int i = 0; i < kKeys; ++i) {
    EXPECT_EQ(values[static_cast<size_t>(i)], Value(i));
  }
}

TEST_F(LentBlocksTest, LeasesOutliveTheDatabasesView) {
  ASSERT_NO_FATAL_FAILURE(OpenFilled());
  std::unique_ptr<Iterator> it(db_->NewIterator(lent_));
  it->Seek(ScannedKey(100));
  ASSERT_OK(CompactAll(true));
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), Value(100));
  EXPECT_EQ(memory_.outstanding(), 1u);
  ASSERT_OK(it->Refresh());
  it->Seek(ScannedKey(200));
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), Value(200));
  it.reset();
  EXPECT_EQ(memory_.outstanding(), 0u);
}

TEST_F(LentBlocksTest, ScansOfSeveralRanges) {
  ASSERT_NO_FATAL_FAILURE(OpenFilled());
  ASSERT_NO_FATAL_FAILURE(ExpectAll(ReadOptions()));  // All blocks are cached.
  const uint64_t uses = CacheUses();
  const std::string bounds[] = {ScannedKey(10), ScannedKey(90), ScannedKey(200),
                                ScannedKey(300)};
  for (const bool is_async : {false, true}) {
    const uint64_t before = memory_.leases();
    MultiScanArgs args(BytewiseComparator());
    args.use_async_io = is_async;
    args.insert(bounds[0], bounds[1]);
    args.insert(bounds[2], bounds[3]);
    {
      const auto scans =
          db_->NewMultiScan(lent_, db_->DefaultColumnFamily(), args);
      int count = 0;
      for (auto scan : *scans) {
        for (auto entry : scan) {
          const int i = count < 80 ? 10 + count : 200 + count - 80;
          ASSERT_EQ(entry.first, ScannedKey(i));
          ASSERT_EQ(entry.second, Value(i));
          ++count;
        }
      }
      EXPECT_EQ(count, 180);
    }
    EXPECT_GT(memory_.leases() - before, 10u);
    EXPECT_EQ(memory_.outstanding(), 0u);
  }
  EXPECT_EQ(CacheUses(), uses);
  EXPECT_EQ(Ticker(MULTISCAN_BLOCKS_FROM_CACHE), 0u);
}

TEST_F(LentBlocksTest, PointLookupsIgnoreIt) {
  ASSERT_NO_FATAL_FAILURE(OpenFilled());
  PinnableSlice value;
  ASSERT_OK(db_->Get(lent_, db_->DefaultColumnFamily(), ScannedKey(5), &value));
  EXPECT_EQ(value, Value(5));
  std::vector<std::string> values;
  for (const Status& s :
       db_->MultiGet(lent_, {ScannedKey(6), ScannedKey(400)}, &values)) {
    EXPECT_OK(s);
  }
  EXPECT_EQ(values[1], Value(400));
  EXPECT_EQ(memory_.leases(), 0u);
  EXPECT_GT(Ticker(BLOCK_CACHE_DATA_ADD), 0u);
}

TEST_F(LentBlocksTest, MappedFilesDoWithout) {
  options_.allow_mmap_reads = true;
  ASSERT_NO_FATAL_FAILURE(OpenFilled());
  ASSERT_NO_FATAL_FAILURE(ExpectAll(lent_));
  EXPECT_EQ(memory_.leases(), 0u);
}

TEST_F(LentBlocksTest, AReaderOfOneFile) {
  ASSERT_NO_FATAL_FAILURE(OpenFilled());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 1u);
  SstFileReader reader(options_);
  ASSERT_OK(reader.Open(files[0].db_path + files[0].name));
  std::unique_ptr<Iterator> it(reader.NewIterator(lent_));
  int count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
  ASSERT_OK(it->status());
  EXPECT_EQ(count, kKeys);
  EXPECT_GE(memory_.leases(), DataBlocks());
  it.reset();
  EXPECT_EQ(memory_.outstanding(), 0u);
}

// ---- What is wrong with a lease ----

// Each lease fails once, in each way; what was shown before it is right, and
// the next seek goes on.
TEST_F(LentBlocksTest, EveryLeaseFailsOnce) {
  ASSERT_NO_FATAL_FAILURE(OpenFilled());
  for (const LeaseFault fault : {LeaseFault::kNull, LeaseFault::kShort,
                                 LeaseFault::kStatus, LeaseFault::kThrow}) {
    for (uint64_t k = 1;; ++k) {
      memory_.FailAt(k, fault);
      const std::unique_ptr<Iterator> it(db_->NewIterator(lent_));
      int i = 0;
      for (it->SeekToFirst(); it->Valid(); it->Next(), ++i) {
        ASSERT_EQ(it->value(), Value(i));
      }
      if (it->status().ok()) {
        EXPECT_EQ(i, kKeys);
        EXPECT_GT(k, DataBlocks());
        break;
      }
      const Status s = it->status();
      EXPECT_EQ(s.IsInvalidArgument(),
                fault == LeaseFault::kNull || fault == LeaseFault::kShort)
          << s.ToString();
      EXPECT_EQ(s.IsMemoryLimit(), fault == LeaseFault::kStatus)
          << s.ToString();
      EXPECT_EQ(memory_.outstanding(), 0u);
      it->Seek(ScannedKey(i));
      ASSERT_TRUE(it->Valid()) << it->status().ToString();
      ASSERT_EQ(it->value(), Value(i));
    }
    memory_.FailAt(0, LeaseFault::kNone);
  }
  EXPECT_EQ(memory_.outstanding(), 0u);
}

class DirectLentBlocksTest : public LentBlocksTest {
 protected:
  void SetUp() override {
    options_.use_direct_reads = true;
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    if (!TryOpen().ok()) GTEST_SKIP() << "no direct reads here";
    ASSERT_NO_FATAL_FAILURE(OpenFilled());
  }
};

TEST_F(DirectLentBlocksTest, LeasesAreAligned) {
  ASSERT_NO_FATAL_FAILURE(ExpectAll(lent_));
  EXPECT_GT(memory_.last_alignment(), 1u);
  EXPECT_EQ(memory_.last_size() % memory_.last_alignment(), 0u);
  EXPECT_EQ(memory_.outstanding(), 0u);
  for (const LeaseFault fault :
       {LeaseFault::kShort, LeaseFault::kOddSize, LeaseFault::kMisaligned}) {
    memory_.FailAt(2, fault);
    const std::unique_ptr<Iterator> it(db_->NewIterator(lent_));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
    }
    EXPECT_TRUE(it->status().IsInvalidArgument()) << it->status().ToString();
    EXPECT_EQ(memory_.outstanding(), 0u);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
