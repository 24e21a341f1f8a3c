// Read-ahead of scans through the whole engine, buffered and direct.

#include <algorithm>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/listener.h"
#include "rocksdb/multi_scan.h"
#include "rocksdb/sst_file_reader.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/read_ways.h"
#include "tests/db/impl/timestamp_text.h"
#include "util/mutex.h"

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
      ASSERT_OK(Put(ScannedKey(i),
                    std::string(200, static_cast<char>('a' + i % 26))));
    }
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(/*force=*/true));
    ASSERT_NO_FATAL_FAILURE(Reopen());
    ASSERT_OK(options_.statistics->Reset());
  }
  uint64_t HeldMemory() const {
    return Ticker(PREFETCH_MEMORY_BYTES_GRANTED) -
           Ticker(PREFETCH_MEMORY_BYTES_RELEASED);
  }
  uint64_t Discarded() const {
    HistogramData data;
    options_.statistics->histogramData(PREFETCHED_BYTES_DISCARDED, &data);
    return data.sum;
  }
  // Scans of the first `begin`, `begin` + `step`, ... keys, up to `end`; their
  // count.
  int ScanFirst(int begin, int end, int step) {
    int total = 0;
    for (int keys = begin; keys <= end; keys += step) {
      const std::string bound = ScannedKey(keys);
      const Slice upper(bound);
      ReadOptions read = read_;
      read.iterate_upper_bound = &upper;
      const std::unique_ptr<Iterator> it(db_->NewIterator(read));
      int count = 0;
      for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
      EXPECT_OK(it->status());
      EXPECT_EQ(count, keys);
      total += count;
    }
    return total;
  }
  // What read-ahead reads for scans with bounds goes little beyond those, as
  // long as they trim it.
  void ExpectBoundsToTrim() {
    ASSERT_OK(options_.statistics->Reset());
    const auto keys = static_cast<uint64_t>(ScanFirst(100, 2000, 100));
    const uint64_t trimmed = Ticker(PREFETCH_BYTES);
    EXPECT_GT(trimmed, keys * 200 / 2);
    EXPECT_LE(trimmed, keys * 240 + 20 * 3 * 4096);
    EXPECT_GT(Ticker(READAHEAD_TRIMMED), 0u);
    ASSERT_OK(options_.statistics->Reset());
    read_.auto_readahead_size = false;
    ScanFirst(100, 2000, 100);
    EXPECT_GT(Ticker(PREFETCH_BYTES), trimmed * 11 / 10);
    EXPECT_EQ(Ticker(READAHEAD_TRIMMED), 0u);
  }
  // Keys of a scan.
  enum class Direction { kUp, kDown };
  int Scanned(Direction direction) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read_));
    int count = 0;
    if (direction == Direction::kUp) {
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        EXPECT_EQ(it->key().ToString(), ScannedKey(count++));
      }
    } else {
      for (it->SeekToLast(); it->Valid(); it->Prev()) {
        EXPECT_EQ(it->key().ToString(), ScannedKey(kKeys - ++count));
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
  const std::string bound = ScannedKey(60);
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

TEST_P(ReadaheadTest, ABoundTrimsWhatStartsByItself) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ExpectBoundsToTrim();
}

TEST_P(ReadaheadTest, ABoundOfAFamilyWithTimestampsDoesToo) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  ASSERT_NO_FATAL_FAILURE(Open());
  const std::string written = Ts(1), newest = Ts(UINT64_MAX);
  for (int i = 0; i < kKeys; ++i) {
    ASSERT_OK(db_->Put(WriteOptions(), ScannedKey(i), written,
                       std::string(200, static_cast<char>('a' + i % 26))));
  }
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(/*force=*/true));
  const Slice at(newest);
  read_.timestamp = &at;
  ExpectBoundsToTrim();
}

// Everything that reads ahead counts its memory: opening a file, verifying it,
// and scans with and without a plan.
TEST_P(ReadaheadTest, AllMemoryIsCounted) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  auto granted = [this, before = uint64_t{0}]() mutable {
    const uint64_t all = Ticker(PREFETCH_MEMORY_BYTES_GRANTED);
    return all - std::exchange(before, all);
  };
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_GT(granted(), 0u) << "to open files";
  // Their ends hold more than is looked for.
  EXPECT_GT(Discarded(), 0u);
  EXPECT_EQ(Ticker(PREFETCH_BYTES), 0u);
  EXPECT_EQ(HeldMemory(), 0u);
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_GT(files.size(), 1u);
  {
    SstFileReader file(options_);
    ASSERT_OK(file.Open(files[0].directory + "/" + files[0].relative_filename));
    EXPECT_GT(granted(), 0u) << "to open one more";
    ASSERT_OK(file.VerifyChecksum(read_));
  }
  EXPECT_GT(granted(), 0u) << "to verify";
  EXPECT_EQ(Ticker(PREFETCH_BYTES), 0u);
  EXPECT_EQ(HeldMemory(), 0u);
  MultiScanArgs args;
  args.use_async_io = GetParam().is_async;
  const std::string begin = ScannedKey(0), end = ScannedKey(500);
  args.insert(Slice(begin), Slice(end));
  {
    const std::unique_ptr<MultiScan> scans =
        db_->NewMultiScan(read_, db_->DefaultColumnFamily(), args);
    int count = 0;
    for (auto scan : *scans) {
      for (auto entry : scan) {
        EXPECT_EQ(entry.first.ToString(), ScannedKey(count++));
        EXPECT_GT(HeldMemory(), 0u);
      }
    }
    EXPECT_EQ(count, 500);
  }
  EXPECT_GT(granted(), 0u) << "for a plan";
  EXPECT_EQ(Scanned(Direction::kUp), kKeys);
  EXPECT_GT(granted(), 0u) << "for a scan";
  db_.reset();
  EXPECT_EQ(HeldMemory(), 0u);
}

TEST_P(ReadaheadTest, SeeksHereAndThereReadNothingAhead) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::unique_ptr<Iterator> it(db_->NewIterator(read_));
  for (int i = 0; i < 200; ++i) {
    const int at = (i * 7919) % kKeys;
    it->Seek(ScannedKey(at));
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(it->key().ToString(), ScannedKey(at));
  }
  EXPECT_EQ(Ticker(PREFETCH_BYTES), 0u);
}

TEST_P(ReadaheadTest, CompactionIsNotFedByIt) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Ticker(PREFETCH_BYTES), 0u);
}

// How many bytes each read of a table file brought.
class ReadLengths final : public EventListener {
 public:
  bool ShouldBeNotifiedOnFileIO() override { return true; }
  void OnFileReadFinish(const FileOperationInfo& info) override {
    if (!info.path.ends_with(".sst")) return;
    MutexLock lock(&mutex_);
    lengths_.push_back(info.length);
  }
  std::vector<size_t> Take() {
    MutexLock lock(&mutex_);
    return std::exchange(lengths_, {});
  }

 private:
  Mutex mutex_;
  std::vector<size_t> lengths_ GUARDED_BY(mutex_);
};

// One file, with blocks of somewhat more than 4 KiB: the reads of a scan, as
// the table options have it.
class AutoReadaheadTest : public DbFixture {
 protected:
  static constexpr size_t kBlock = 4 << 10;

  AutoReadaheadTest() {
    options_.listeners = {lengths_};
    table_.no_block_cache = true;
  }
  // Read lengths of a scan of 2 MB.
  std::vector<size_t> Reads() {
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    Open();
    if (!is_filled_) {
      for (int i = 0; i < 10000; ++i) {
        EXPECT_OK(Put(ScannedKey(i), std::string(200, 'v')));
      }
      EXPECT_OK(Flush());
      is_filled_ = true;
    }
    EXPECT_EQ(FilesAt(0), 1);
    EXPECT_EQ(Get(ScannedKey(0)).size(), 200u) << "which opens the file";
    lengths_->Take();
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    int count = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
    EXPECT_EQ(count, 10000);
    return lengths_->Take();
  }
  // Blocks are somewhat larger than they are meant to be.
  static bool IsBlock(size_t length) { return length < kBlock + 512; }
  static size_t BlocksAtFirst(const std::vector<size_t>& reads) {
    return static_cast<size_t>(
        std::find_if_not(reads.begin(), reads.end(), IsBlock) - reads.begin());
  }

  const std::shared_ptr<ReadLengths> lengths_ = std::make_shared<ReadLengths>();
  BlockBasedTableOptions table_;
  bool is_filled_ = false;
};

TEST_F(AutoReadaheadTest, TheFirstReadsOfASequenceAreOfABlockEach) {
  EXPECT_EQ(BlocksAtFirst(Reads()), 2u) << "by default";
  for (const uint64_t count : {0, 1, 7, 1000}) {
    SCOPED_TRACE(count);
    table_.num_file_reads_for_auto_readahead = count;
    const std::vector<size_t> reads = Reads();
    EXPECT_EQ(BlocksAtFirst(reads), std::min<size_t>(count, reads.size()));
  }
}

TEST_F(AutoReadaheadTest, ItGrowsFromItsFirstSizeToItsLargest) {
  for (const auto& [initial, most] : std::vector<std::pair<size_t, size_t>>{
           {8 << 10, 256 << 10}, {64 << 10, 128 << 10}, {32 << 10, 32 << 10}}) {
    SCOPED_TRACE(initial);
    table_.initial_auto_readahead_size = initial;
    table_.max_auto_readahead_size = most;
    const std::vector<size_t> reads = Reads();
    ASSERT_GT(reads.size(), 6u);
    const auto expect_size = [](size_t length, size_t ahead) {
      EXPECT_GE(length, ahead);
      EXPECT_LE(length, ahead + 2 * kBlock);
    };
    expect_size(reads[2], std::min(initial, most));
    expect_size(reads[3], std::min(2 * initial, most));
    // The last one ends with the data.
    expect_size(*std::max_element(reads.begin(), reads.end() - 1), most);
    expect_size(reads[reads.size() - 2], most);
  }
}

TEST_F(AutoReadaheadTest, ASizeOfZeroTurnsItOff) {
  table_.initial_auto_readahead_size = 0;
  std::vector<size_t> reads = Reads();
  EXPECT_GT(reads.size(), 400u);
  EXPECT_EQ(BlocksAtFirst(reads), reads.size());
  table_ = BlockBasedTableOptions();
  table_.no_block_cache = true;
  table_.max_auto_readahead_size = 0;
  reads = Reads();
  EXPECT_GT(reads.size(), 400u);
  EXPECT_EQ(BlocksAtFirst(reads), reads.size());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
