// The rules of direct compaction reads (docs/architecture.md), each by a test
// of a whole database: O_DIRECT is asserted where files are opened.
#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "tests/db/impl/direct_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class DirectCompactionTest : public DirectFixture {
 protected:
  // Inputs are read directly, all of them, and nothing else is.
  void ExpectDirectInputs(size_t inputs) {
    EXPECT_EQ(fs_->direct_read_opens(), inputs);
    EXPECT_EQ(fs_->direct_read_opens(".sst"), inputs);
    EXPECT_EQ(Ticker(COMPACTION_DIRECT_READ_OPENS), inputs);
    EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), inputs);
    EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED), inputs);
    EXPECT_GT(DirectReads(), 0u);
    EXPECT_EQ(fs_->direct_read_handles(), 0u);
  }
};

// --- where it is on

struct SwitchCase {
  bool for_compaction, for_all, strips;
  bool opens_ephemeral;
};

class DirectSwitchTest : public DirectFixture,
                         public ::testing::WithParamInterface<SwitchCase> {};

TEST_P(DirectSwitchTest, IsOnExactlyWhenTheRuleSaysSo) {
  const SwitchCase& c = GetParam();
  options_.use_direct_io_for_compaction_reads = c.for_compaction;
  options_.use_direct_reads = c.for_all;
  recorder_->strips = c.strips;
  Open();
  MakeTree();
  Forget();
  ASSERT_OK(CompactTree());
  EXPECT_EQ(Ticker(COMPACTION_DIRECT_READ_OPENS) > 0, c.opens_ephemeral);
  if (!c.opens_ephemeral) {
    // Only the outputs were opened, by the handles of user reads.
    EXPECT_EQ(fs_->direct_read_opens(".sst"),
              c.for_all ? static_cast<size_t>(FilesAt(2)) : 0u);
    EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 0u);
  }
  EXPECT_EQ(DirectReads() > 0, c.opens_ephemeral || c.for_all);
  ExpectTree();
}

INSTANTIATE_TEST_SUITE_P(
    Switches, DirectSwitchTest,
    ::testing::Values(SwitchCase{false, false, false, false},
                      SwitchCase{true, false, false, true},
                      SwitchCase{false, true, false, false},
                      SwitchCase{true, true, false, false},
                      SwitchCase{true, false, true, false},
                      SwitchCase{false, false, true, false}));

TEST_F(DirectCompactionTest, Level0) {
  Open();
  for (int i = 0; i < 4; ++i) WriteFile(i, 1 + i);
  Forget();
  ASSERT_OK(CompactTo(0, 1));
  ExpectDirectInputs(4);
}

TEST_F(DirectCompactionTest, DeeperLevels) {
  Open();
  MakeTree();
  const int inputs = 3 + FilesAt(1) + FilesAt(2);
  Forget();
  ASSERT_OK(CompactTree());
  ExpectDirectInputs(static_cast<size_t>(inputs));
  ExpectTree();
}

TEST_F(DirectCompactionTest, RangeTombstones) {
  Open();
  WriteFile(1);
  ASSERT_OK(CompactTo(0, 2));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), Key(100), Key(400)));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), Key(350), Key(500)));
  ASSERT_OK(Put(Key(200), "back"));
  ASSERT_OK(Flush());
  const int inputs = FilesAt(0) + FilesAt(2);
  Forget();
  ASSERT_OK(CompactTree());
  ExpectDirectInputs(static_cast<size_t>(inputs));
  for (int i = 0; i < 1000; ++i) {
    const bool is_deleted = i >= 100 && i < 500;
    ASSERT_EQ(Get(Key(i)), i == 200     ? "back"
                           : is_deleted ? "NOT_FOUND"
                                        : Value(i, 1));
  }
}

TEST_F(DirectCompactionTest, ManualRange) {
  Open();
  MakeTree();
  Forget();
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_GE(fs_->direct_read_opens(".sst"), 3u);
  EXPECT_EQ(fs_->direct_read_opens(), Ticker(COMPACTION_DIRECT_READ_OPENS));
  ExpectTree();
}

TEST_F(DirectCompactionTest, Automatic) {
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 3;
  Open();
  for (int i = 0; i < 6; ++i) WriteFile(i, 1 + i);
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_GE(fs_->direct_read_opens(".sst"), 3u);
  EXPECT_EQ(fs_->direct_read_opens(".sst"),
            Ticker(COMPACTION_DIRECT_READ_OPENS));
}

TEST_F(DirectCompactionTest, SubCompactions) {
  options_.max_subcompactions = 4;
  options_.target_file_size_base = 16 << 10;
  Open();
  MakeTree();
  const size_t inputs =
      static_cast<size_t>(FilesAt(0) + FilesAt(1) + FilesAt(2));
  Forget();
  ASSERT_OK(CompactTree());
  // Every sub-compaction opens the inputs of its own range.
  EXPECT_GT(fs_->direct_read_opens(".sst"), inputs);
  EXPECT_EQ(fs_->direct_read_opens(".sst"),
            Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED));
  std::set<std::string> paths;
  for (const OpenRecord& open : fs_->opens()) {
    if (open.is_direct_read()) paths.insert(open.path);
  }
  EXPECT_EQ(paths.size(), inputs);
  ExpectTree();
}

TEST_F(DirectCompactionTest, UserReadsStayBuffered) {
  Open();
  MakeTree();
  Forget();
  std::atomic<bool> is_done{false};
  std::atomic<int> wrong{0};
  std::thread reader([&] {
    for (int i = 0; !is_done.load() || i < 2000; ++i) {
      if (Get(Key(i % 1000)).size() < 200) ++wrong;
    }
    const std::string all = Scan();
    if (std::count(all.begin(), all.end(), '=') < 1000) ++wrong;
  });
  const Status s = CompactTree();
  is_done = true;
  reader.join();
  ASSERT_OK(s);
  EXPECT_EQ(wrong, 0);
  // Each direct handle belongs to the compaction.
  EXPECT_EQ(fs_->direct_read_opens(), Ticker(COMPACTION_DIRECT_READ_OPENS));
  Forget();
  ExpectTree();
  Scan();
  EXPECT_EQ(fs_->direct_read_opens(), 0u);
  EXPECT_EQ(DirectReads(), 0u);
}

TEST_F(DirectCompactionTest, OtherFilesAreNeverRead) {
  Open();
  MakeTree();
  Reopen();
  for (const OpenRecord& open : fs_->opens()) {
    if (!open.is_direct_read()) continue;
    const bool is_table =
        open.path.size() > 4 &&
        open.path.compare(open.path.size() - 4, 4, ".sst") == 0;
    // What Open() probes is a file of its own.
    EXPECT_TRUE(is_table || open.path.find(path_) == 0) << open.path;
    EXPECT_EQ(open.path.find(".log"), std::string::npos);
    EXPECT_EQ(open.path.find("MANIFEST"), std::string::npos);
  }
}

// --- what it reads

TEST_F(DirectCompactionTest, OffMeansOff) {
  struct Run {
    std::vector<std::pair<uint64_t, uint64_t>> files;  // size, entries
    std::string scan;
    std::map<uint32_t, uint64_t> tickers;
  };
  std::vector<Run> runs;
  const std::string path = path_;
  for (const bool is_on : {false, true}) {
    options_.use_direct_io_for_compaction_reads = is_on;
    path_ = path + (is_on ? "on" : "off");
    Open();
    MakeTree();
    Forget();
    ASSERT_OK(CompactTree());
    Run run;
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    for (const LiveFileMetaData& file : files) {
      run.files.emplace_back(file.size, file.num_entries);
    }
    for (const uint32_t ticker :
         {COMPACT_WRITE_BYTES, COMPACTION_KEY_DROP_NEWER_ENTRY, BLOCK_CACHE_ADD,
          BLOCK_CACHE_DATA_ADD, NUMBER_KEYS_WRITTEN, NO_FILE_ERRORS}) {
      run.tickers[ticker] = Ticker(ticker);
    }
    EXPECT_EQ(fs_->direct_read_opens() > 0, is_on);
    EXPECT_EQ(Ticker(COMPACTION_DIRECT_READ_OPENS) > 0, is_on);
    EXPECT_EQ(Ticker(COMPACTION_DIRECT_READ_BYTES) > 0, is_on);
    run.scan = Scan();
    runs.push_back(std::move(run));
  }
  EXPECT_EQ(runs[0].files, runs[1].files);
  EXPECT_EQ(runs[0].scan, runs[1].scan);
  EXPECT_EQ(runs[0].tickers, runs[1].tickers);
}

TEST_F(DirectCompactionTest, MetadataComeFromTheOpenReader) {
  options_.target_file_size_base = 256 << 10;
  table_.filter_policy.reset(NewBloomFilterPolicy(100));
  UseTable();
  Open();
  WriteFile(1);
  WriteFile(2);
  Get(Key(1));
  std::map<std::string, uint64_t> data_bytes;
  TablePropertiesCollection properties;
  ASSERT_OK(db_->GetPropertiesOfAllTables(&properties));
  for (const auto& [path, table] : properties) {
    data_bytes[path] = table->data_size;
    ASSERT_GT(table->filter_size, 2 * 4096u);
  }
  Forget();
  ASSERT_OK(CompactTo(0, 1));
  EXPECT_GT(DirectReads(), 0u);
  for (const ReadRecord& read : recorder_->reads()) {
    if (!read.is_direct) continue;
    ASSERT_EQ(data_bytes.count(read.path), 1u) << read.path;
    const uint64_t end = (data_bytes[read.path] + 4095) / 4096 * 4096;
    EXPECT_LE(read.offset + read.length, end) << read.path;
  }
}

TEST_F(DirectCompactionTest, WithoutAnOpenReaderItReadsThemItself) {
  // A table cache that holds hardly any reader.
  options_.max_open_files = 20;
  options_.target_file_size_base = 4 << 10;
  options_.skip_stats_update_on_db_open = true;
  Open();
  MakeTree();
  Reopen();
  const size_t inputs =
      static_cast<size_t>(FilesAt(0) + FilesAt(1) + FilesAt(2));
  ASSERT_GT(inputs, 60u);
  Forget();
  ASSERT_OK(CompactTree());
  // Twice at most: for range tombstones, which must be known before the merge
  // begins, and for the data.
  EXPECT_GT(fs_->direct_read_opens(".sst"), inputs);
  EXPECT_LE(fs_->direct_read_opens(".sst"), 2 * inputs);
  EXPECT_EQ(fs_->direct_read_opens(), Ticker(COMPACTION_DIRECT_READ_OPENS));
  // The handles of the outputs only.
  EXPECT_LE(BufferedOpens(), static_cast<size_t>(FilesAt(2)));
  EXPECT_EQ(fs_->direct_read_handles(), 0u);
  ExpectTree();
}

TEST_F(DirectCompactionTest, LoadsNoFilter) {
  // Nothing stays open, and the filter is the larger part of a file.
  options_.max_open_files = 20;
  options_.skip_stats_update_on_db_open = true;
  options_.target_file_size_base = 1 << 20;
  table_.filter_policy.reset(NewBloomFilterPolicy(100));
  UseTable();
  Open();
  for (int file = 0; file < 2; ++file) {
    for (int i = 0; i < 20000; ++i) {
      ASSERT_OK(Put(Key(i), std::to_string(file)));
    }
    ASSERT_OK(Flush());
  }
  TablePropertiesCollection properties;
  ASSERT_OK(db_->GetPropertiesOfAllTables(&properties));
  ASSERT_EQ(properties.size(), 2u);
  uint64_t filter_bytes = 0;
  for (const auto& entry : properties) {
    filter_bytes += entry.second->filter_size;
  }
  uint64_t file_bytes = 0;
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  for (const LiveFileMetaData& file : files) file_bytes += file.size;
  Reopen();
  Forget();
  ASSERT_OK(CompactTo(0, 1));
  uint64_t direct_bytes = 0;
  for (const ReadRecord& read : recorder_->reads()) {
    if (read.is_direct) direct_bytes += read.length;
  }
  // The tail of a file is read ahead, and may reach into the filter.
  EXPECT_GT(direct_bytes, 0u);
  EXPECT_LT(direct_bytes, file_bytes - filter_bytes / 2) << filter_bytes;
}

TEST_F(DirectCompactionTest, NoBlockIsEvicted) {
  // A cache full of what users read, with room for nothing else.
  table_.block_cache = NewLRUCache(64 << 10, 0);
  UseTable();
  options_.compaction_keeps_hot_data = false;  // it fills the cache on purpose
  Open();
  MakeTree();
  for (int i = 0; i < 100; ++i) Get(Key(i));
  const std::unique_ptr<Iterator> keeps_inputs(db_->NewIterator(ReadOptions()));
  const size_t usage = table_.block_cache->GetUsage();
  ASSERT_GT(usage, 0u);
  Forget();
  ASSERT_OK(CompactTree());
  EXPECT_EQ(table_.block_cache->GetUsage(), usage);
  EXPECT_EQ(Ticker(BLOCK_CACHE_ADD), 0u);
  EXPECT_EQ(Ticker(BLOCK_CACHE_MISS), 0u);
}

TEST_F(DirectCompactionTest, ReadsAhead) {
  recorder_->is_async = true;
  options_.compaction_readahead_size = 1 << 20;
  options_.target_file_size_base = 8 << 20;
  Open();
  WriteFile(1, 1, 10000);
  WriteFile(2, 2, 10000);
  Forget();
  ASSERT_OK(CompactTo(0, 1));
  size_t largest = 0;
  for (const ReadRecord& read : recorder_->reads()) {
    if (!read.is_direct) continue;
    EXPECT_EQ(read.offset % 4096, 0u);
    EXPECT_EQ(read.length % 4096, 0u);
    largest = std::max(largest, read.length);
  }
  EXPECT_GE(largest, 256u << 10);
  // More than one request of a file at a time: while one is consumed, the next
  // is on its way.
  EXPECT_GT(recorder_->peak_pending(), 2u);
  EXPECT_EQ(recorder_->pending(), 0u);
  EXPECT_EQ(Get(Key(4)), Value(4, 2));
}

TEST_F(DirectCompactionTest, CacheTierIsIncomplete) {
  Open();
  MakeTree();
  ReadOptions cached;
  cached.read_tier = kBlockCacheTier;
  const Status s = db_->VerifyChecksum(cached);
  EXPECT_TRUE(s.IsIncomplete()) << s.ToString();
}

// --- who else reads in bulk

TEST_F(DirectCompactionTest, VerifyChecksum) {
  Open();
  MakeTree();
  const size_t files =
      static_cast<size_t>(FilesAt(0) + FilesAt(1) + FilesAt(2));
  Forget();
  ASSERT_OK(db_->VerifyChecksum());
  EXPECT_EQ(fs_->direct_read_opens(".sst"), files);
  EXPECT_EQ(Ticker(BLOCK_CACHE_ADD), 0u);
  EXPECT_EQ(BufferedOpens(), 0u);
  EXPECT_EQ(fs_->direct_read_handles(), 0u);
  // By the same streams: governed, and ahead of the checksums.
  std::map<std::string, std::string> io;
  ASSERT_TRUE(db_->GetMapProperty(DB::Properties::kBackgroundIo, &io));
  uint64_t bytes = 0;
  ASSERT_TRUE(db_->GetIntProperty(DB::Properties::kLiveSstFilesSize, &bytes));
  EXPECT_GE(std::stoull(io["maintenance.bytes"]), bytes);
}

TEST_F(DirectCompactionTest, OutputsThatAreReadBack) {
  options_.paranoid_file_checks = true;
  Open();
  MakeTree();
  const size_t inputs =
      static_cast<size_t>(FilesAt(0) + FilesAt(1) + FilesAt(2));
  Forget();
  ASSERT_OK(CompactTree());
  EXPECT_EQ(fs_->direct_read_opens(".sst"),
            inputs + static_cast<size_t>(FilesAt(2)));
}

// --- the other options for direct I/O

TEST_F(DirectCompactionTest, DirectWritesAreTables) {
  options_.use_direct_io_for_compaction_reads = false;
  options_.use_direct_io_for_flush_and_compaction = true;
  Open();
  MakeTree();
  ASSERT_OK(CompactTree());
  EXPECT_GT(fs_->direct_write_opens(".sst"), 5u);
  // What Open() probes is the only other one.
  EXPECT_EQ(fs_->direct_write_opens(),
            fs_->direct_write_opens(".sst") + fs_->direct_write_opens("tmp"));
  EXPECT_EQ(fs_->direct_read_opens(), 0u);
  ExpectTree();
}

TEST_F(DirectCompactionTest, DirectReadsOfUsers) {
  options_.use_direct_io_for_compaction_reads = false;
  options_.use_direct_reads = true;
  Open();
  MakeTree();
  Forget();
  ExpectTree();
  EXPECT_GT(DirectReads(), 0u);
  for (const ReadRecord& read : recorder_->reads()) {
    EXPECT_TRUE(read.is_direct);
  }
  EXPECT_EQ(fs_->direct_write_opens(), 0u);
}

TEST_F(DirectCompactionTest, ReadAheadBoundsTheRequests) {
  options_.target_file_size_base = 8 << 20;
  for (const size_t budget : {64u << 10, 512u << 10}) {
    options_.compaction_readahead_size = budget;
    path_ += "x";
    Open();
    WriteFile(1, 1, 10000);
    WriteFile(2, 2, 10000);
    Forget();
    ASSERT_OK(CompactTo(0, 1));
    size_t largest = 0;
    for (const ReadRecord& read : recorder_->reads()) {
      if (read.is_direct) largest = std::max(largest, read.length);
    }
    EXPECT_LE(largest, budget);
    EXPECT_GE(largest, budget / 4);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
