// Read-ahead of scans through the whole engine, buffered and direct.

#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/read_ways.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ReadaheadTest : public DbFixture,
                      public ::testing::WithParamInterface<ReadWay> {
 protected:
  static constexpr int kKeys = 20000;

  ReadaheadTest() {
    options_.statistics = CreateDBStatistics();
    options_.use_direct_reads = GetParam().is_direct;
    options_.target_file_size_base = 1 << 20;
    options_.disable_auto_compactions = true;
    options_.max_bytes_for_level_base = 1 << 30;
    read_.async_io = GetParam().is_async;
    read_.fill_cache = false;
  }

  // Several files of one level, none of whose blocks is cached.
  void Fill() {
    ASSERT_NO_FATAL_FAILURE(Open());
    for (int i = 0; i < kKeys; ++i) {
      ASSERT_OK(
          Put(KeyOf(i), std::string(200, static_cast<char>('a' + i % 26))));
    }
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(/*force=*/true));
    ASSERT_NO_FATAL_FAILURE(Reopen());
    ASSERT_OK(options_.statistics->Reset());
  }
  // Keys of a scan.
  enum class Direction { kUp, kDown };
  int Scanned(Direction direction) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read_));
    int count = 0;
    if (direction == Direction::kUp) {
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        EXPECT_EQ(it->key().ToString(), KeyOf(count++));
      }
    } else {
      for (it->SeekToLast(); it->Valid(); it->Prev()) {
        EXPECT_EQ(it->key().ToString(), KeyOf(kKeys - ++count));
      }
    }
    EXPECT_OK(it->status());
    return count;
  }
  void ExpectLittleWaste() {
    const uint64_t read = Ticker(PREFETCH_BYTES);
    const uint64_t used = Ticker(PREFETCH_BYTES_USEFUL);
    EXPECT_GT(used, uint64_t{kKeys} * 150);
    EXPECT_LE((read - used) * 10, read) << used << " of " << read;
    EXPECT_EQ(Ticker(PREFETCH_MEMORY_BYTES_GRANTED),
              Ticker(PREFETCH_MEMORY_BYTES_RELEASED));
  }

  ReadOptions read_;
};

INSTANTIATE_TEST_SUITE_P(Ways, ReadaheadTest, EveryReadWay(), NameOf);

TEST_P(ReadaheadTest, ALongScanReadsAheadAndWastesLittle) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  EXPECT_EQ(Scanned(Direction::kUp), kKeys);
  ExpectLittleWaste();
}

TEST_P(ReadaheadTest, SoDoesOneThatGoesBack) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  EXPECT_EQ(Scanned(Direction::kDown), kKeys);
  ExpectLittleWaste();
}

TEST_P(ReadaheadTest, AdaptingCarriesOnInTheNextFile) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  EXPECT_EQ(Scanned(Direction::kUp), kKeys);
  const uint64_t before = Ticker(PREFETCH_BYTES);
  read_.adaptive_readahead = true;
  EXPECT_EQ(Scanned(Direction::kUp), kKeys);
  // What each file's first reads got by themselves is read ahead now.
  EXPECT_GT(Ticker(PREFETCH_BYTES) - before, before);
  EXPECT_EQ(Scanned(Direction::kDown), kKeys);
  ExpectLittleWaste();
}

TEST_P(ReadaheadTest, ExplicitReadaheadServesAllReads) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  read_.readahead_size = 256 << 10;
  EXPECT_EQ(Scanned(Direction::kUp), kKeys);
  ExpectLittleWaste();
}

TEST_P(ReadaheadTest, ABoundTrimsIt) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::string bound = KeyOf(60);
  const Slice upper(bound);
  read_.iterate_upper_bound = &upper;
  read_.readahead_size = 1 << 20;
  const std::unique_ptr<Iterator> it(db_->NewIterator(read_));
  int count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
  EXPECT_EQ(count, 60);
  EXPECT_LE(Ticker(PREFETCH_BYTES), 60u * 230 + 3 * 4096);
  EXPECT_GT(Ticker(READAHEAD_TRIMMED), 0u);
}

TEST_P(ReadaheadTest, SeeksHereAndThereReadNothingAhead) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::unique_ptr<Iterator> it(db_->NewIterator(read_));
  for (int i = 0; i < 200; ++i) {
    const int at = (i * 7919) % kKeys;
    it->Seek(KeyOf(at));
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(it->key().ToString(), KeyOf(at));
  }
  EXPECT_EQ(Ticker(PREFETCH_BYTES), 0u);
}

TEST_P(ReadaheadTest, CompactionIsNotFedByIt) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Ticker(PREFETCH_BYTES), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
