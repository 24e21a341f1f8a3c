// Ten faults that engines had, or may have, with direct compaction reads; each
// has a test by its number.
#include <algorithm>

#include "file/buffer_pool.h"
#include "tests/db/impl/direct_fixture.h"
#include "tests/testing/scale.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class DirectFaultsTest : public DirectFixture {
 protected:
  // A compaction of the tree in which one call fails; then all is as before.
  void FailOnce(const Fault& fault, bool* struck) {
    ASSERT_NO_FATAL_FAILURE(AwaitPurge());
    const size_t handles = fs_->open_handles(FileKind::kRandomAccess);
    fs_->FailCall(fault);
    const Status s = CompactTree();
    *struck = fs_->failed();
    const std::string what = fs_->failed_call();
    fs_->ClearFault();
    ASSERT_EQ(fs_->direct_read_handles(), 0u) << what;
    ASSERT_EQ(BufferPool::Default()->LeasedBytes(), 0u) << what;
    ASSERT_EQ(recorder_->pending(), 0u) << what;
    ASSERT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED),
              Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED))
        << what;
    if (s.ok()) return;
    const size_t left = fs_->open_handles(FileKind::kRandomAccess);
    ASSERT_LE(left, handles) << what;
    // A cache of open files may have let go of one.
    if (options_.max_open_files == -1) {
      ASSERT_EQ(left, handles) << what;
    }
    ASSERT_OK(db_->Resume());
  }
};

// --- 1: an iterator that fails half-way frees reader and descriptor

TEST_F(DirectFaultsTest, Fault1_NothingStaysOpenWhateverStepFails) {
  for (const bool has_open_readers : {true, false}) {
    options_.max_open_files = has_open_readers ? -1 : 20;
    options_.skip_stats_update_on_db_open = true;
    path_ += "x";
    Open();
    MakeTree();
    Reopen();
    Forget();
    bool struck = true;
    uint64_t k = 1;
    for (; struck; ++k) {
      SCOPED_TRACE("k = " + std::to_string(k));
      FailOnce({.call = k,
                .kind = FaultKind::kIOError,
                .scope = FaultScope::kAllCalls,
                .path_contains = ".sst"},
               &struck);
      if (HasFatalFailure()) return;
      if (FilesAt(0) > 0) continue;
      // The fault was one that does not matter, or there was none.
      for (int i = 3; i < 6; ++i) WriteFile(i, i);
    }
    EXPECT_GT(k, 20u);
    ExpectTree();
  }
}

// --- 2: nothing goes into the block cache

TEST_F(DirectFaultsTest, Fault2_TheBlockCacheStaysAsItIs) {
  for (const bool caches_metadata : {false, true}) {
    for (const bool has_open_readers : {true, false}) {
      SCOPED_TRACE(std::to_string(caches_metadata) +
                   std::to_string(has_open_readers));
      table_.cache_index_and_filter_blocks = caches_metadata;
      table_.block_cache = NewLRUCache(8 << 20);
      UseTable();
      options_.max_open_files = has_open_readers ? -1 : 20;
      options_.skip_stats_update_on_db_open = true;
      options_.compression = kZSTD;
      options_.compression_opts.max_dict_bytes = 4096;
      options_.target_file_size_base = 4 << 10;
      path_ += "x";
      Open();
      MakeTree(2);
      Reopen();
      // Keeps the inputs' readers, and so what they have in the cache.
      const std::unique_ptr<Iterator> user(db_->NewIterator(ReadOptions()));
      for (user->SeekToFirst(); user->Valid(); user->Next()) continue;
      ASSERT_OK(user->status());
      Forget();
      const size_t usage = table_.block_cache->GetUsage();
      const size_t entries = table_.block_cache->GetOccupancyCount();
      ASSERT_GT(entries, 10u);
      ASSERT_OK(CompactTree());
      EXPECT_GT(Ticker(COMPACTION_DIRECT_READ_OPENS), 0u);
      // Blocks of the outputs are there by their own, shared readers.
      const uint64_t of_outputs = Ticker(BLOCK_CACHE_INDEX_ADD) +
                                  Ticker(BLOCK_CACHE_FILTER_ADD) +
                                  Ticker(BLOCK_CACHE_COMPRESSION_DICT_ADD);
      EXPECT_EQ(Ticker(BLOCK_CACHE_DATA_ADD), 0u);
      EXPECT_LE(of_outputs, 3u * static_cast<uint64_t>(FilesAt(2)));
      EXPECT_EQ(table_.block_cache->GetOccupancyCount(), entries + of_outputs);
      if (!caches_metadata) {
        EXPECT_EQ(of_outputs, 0u);
        EXPECT_EQ(table_.block_cache->GetUsage(), usage);
      }
    }
  }
}

// --- 3: EINVAL on the first direct read of a file that opened well

TEST_F(DirectFaultsTest, Fault3_ARefusedReadNamesTheFile) {
  Open();
  MakeTree();
  const std::string victim = NamesAt(1).front();
  fs_->FailDirectReads(victim);
  const Status s = CompactTree();
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(s.ToString().find(victim), std::string::npos) << s.ToString();
  EXPECT_EQ(fs_->direct_read_handles(), 0u);
  // Users, who read by other handles, do not notice.
  ExpectTree();
  fs_->AcceptDirectIo();
  ASSERT_OK(db_->Resume());
  ASSERT_OK(CompactTree());
  EXPECT_EQ(FilesAt(0), 0);
  ExpectTree();
}

// --- 4: descriptors

TEST_F(DirectFaultsTest, Fault4_DescriptorsAreBounded) {
  for (const uint32_t parts : {1u, 4u}) {
    for (const bool has_open_readers : {true, false}) {
      options_.max_subcompactions = parts;
      options_.max_open_files = has_open_readers ? -1 : 20;
      options_.skip_stats_update_on_db_open = true;
      options_.target_file_size_base = 16 << 10;
      path_ += "x";
      Open();
      MakeTree(3);
      ASSERT_GT(FilesAt(2), 10);
      Reopen();
      Forget();
      ASSERT_OK(CompactTree());
      // Level 0's files, and one for each of two levels.
      EXPECT_LE(fs_->peak_direct_read_handles(), (3 + 2) * parts);
      EXPECT_GE(fs_->peak_direct_read_handles(), 5u);
      EXPECT_EQ(fs_->direct_read_handles(), 0u);
    }
  }
}

// --- 5: range tombstones outlive the files that hold them

TEST_F(DirectFaultsTest, Fault5_TombstonesOutliveTheirFiles) {
  options_.max_open_files = 20;
  options_.skip_stats_update_on_db_open = true;
  options_.target_file_size_base = 8 << 10;
  Open();
  WriteFile(1);
  ASSERT_OK(CompactTo(0, 2));
  const Snapshot* before = db_->GetSnapshot();
  // Tombstones that span many files of both levels.
  for (int i = 0; i < 1000; i += 50) {
    ASSERT_OK(db_->DeleteRange(WriteOptions(), Key(i), Key(i + 30)));
    ASSERT_OK(Put(Key(i + 5), "new"));
  }
  ASSERT_OK(db_->DeleteRange(WriteOptions(), Key(600), Key(900)));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactTo(0, 1));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), Key(10), Key(200)));
  ASSERT_OK(Flush());
  const std::string old = Scan();
  ASSERT_OK(CompactTree());
  EXPECT_EQ(Scan(), old);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(Get(Key(i), before), Value(i, 1)) << i;
  }
  db_->ReleaseSnapshot(before);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Scan(), old);
}

// --- 6: refusals at Open

TEST_F(DirectFaultsTest, Fault6_MappedReadsAreNotSupported) {
  options_.allow_mmap_reads = true;
  const Status s = TryOpen();
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_NE(s.ToString().find("use_direct_io_for_compaction_reads"),
            std::string::npos);
}

TEST_F(DirectFaultsTest, Fault6_WithDirectReadsTheOptionHasNoEffect) {
  options_.use_direct_reads = true;
  Open();
  MakeTree();
  const size_t handles = fs_->open_handles(FileKind::kRandomAccess);
  Forget();
  ASSERT_OK(CompactTree());
  EXPECT_EQ(Ticker(COMPACTION_DIRECT_READ_OPENS), 0u);
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 0u);
  EXPECT_EQ(fs_->direct_read_opens(".sst"), static_cast<size_t>(FilesAt(2)));
  EXPECT_GT(handles, 0u);
  ExpectTree();
}

TEST_F(DirectFaultsTest, Fault6_EveryPathIsTried) {
  const std::string db_paths[] = {path_ + "-p1", path_ + "-p2"};
  const std::string cf_paths[] = {path_ + "-c1", path_ + "-c2"};
  for (const std::string& path : db_paths) {
    options_.db_paths.emplace_back(path, 1 << 30);
  }
  for (const std::string& path : cf_paths) {
    options_.cf_paths.emplace_back(path, 1 << 30);
  }
  std::vector<std::string> all{path_ + "/"};
  all.insert(all.end(), std::begin(db_paths), std::end(db_paths));
  all.insert(all.end(), std::begin(cf_paths), std::end(cf_paths));
  using Refusal = void (FaultInjectionFileSystem::*)(const std::string&);
  for (const Refusal refuse : {&FaultInjectionFileSystem::RefuseDirectIo,
                               &FaultInjectionFileSystem::FailDirectReads}) {
    for (const std::string& path : all) {
      ((*fs_).*refuse)(path);
      const Status s = TryOpen();
      EXPECT_TRUE(s.IsInvalidArgument()) << path << ": " << s.ToString();
      std::string named = path;
      if (named.back() == '/') named.pop_back();
      EXPECT_NE(s.ToString().find(named), std::string::npos) << s.ToString();
      EXPECT_EQ(fs_->open_handles(), 0u) << path;
      fs_->AcceptDirectIo();
    }
  }
  Open();
  // Without the option nobody asks.
  db_.reset();
  fs_->RefuseDirectIo(path_);
  options_.use_direct_io_for_compaction_reads = false;
  Open();
}

// --- 7: read-ahead of 0 bytes

TEST_F(DirectFaultsTest, Fault7_NoReadAheadIsNoReadPerBlock) {
  options_.compaction_readahead_size = 0;
  options_.target_file_size_base = 8 << 20;
  Open();
  WriteFile(1, 1, 10000);
  WriteFile(2, 1, 10000);
  TablePropertiesCollection properties;
  ASSERT_OK(db_->GetPropertiesOfAllTables(&properties));
  uint64_t blocks = 0, bytes = 0;
  for (const auto& entry : properties) {
    blocks += entry.second->num_data_blocks;
    bytes += entry.second->data_size;
  }
  Forget();
  ASSERT_OK(CompactTo(0, 1));
  EXPECT_GT(blocks, 2000u);
  EXPECT_LE(DirectReads(), bytes / (64 << 10));
  EXPECT_EQ(options_.compaction_readahead_size, 0u);
}

// --- 8: alignment

class DirectAlignmentTest : public DirectFixture,
                            public ::testing::WithParamInterface<size_t> {
 protected:
  DirectAlignmentTest() : DirectFixture(GetParam()) {}
};

// The file system in memory refuses whatever is not aligned as it asks.
TEST_P(DirectAlignmentTest, Fault8_AlignmentIsThatOfTheFile) {
  const size_t alignment = GetParam();
  options_.use_direct_io_for_flush_and_compaction = true;
  Open();
  MakeTree();
  Forget();
  ASSERT_OK(CompactTree());
  bool is_finer = false;
  EXPECT_GT(DirectReads(), 0u);
  for (const ReadRecord& read : recorder_->reads()) {
    if (!read.is_direct) continue;
    EXPECT_EQ(read.offset % alignment, 0u);
    EXPECT_EQ(read.length % alignment, 0u);
    is_finer = is_finer || (read.offset | read.length) % (2 * alignment) != 0;
  }
  // Not rounded to more than the file asks for.
  EXPECT_TRUE(is_finer);
  ExpectTree();
  ASSERT_OK(db_->VerifyChecksum());
}

INSTANTIATE_TEST_SUITE_P(Alignments, DirectAlignmentTest,
                         ::testing::Values(512, 4096, 16384));

// --- 10: many failures

TEST_F(DirectFaultsTest, Fault10_TenThousandFailuresLeakNothing) {
  recorder_->is_async = true;
  options_.max_subcompactions = 2;
  options_.target_file_size_base = 2 << 10;
  options_.paranoid_checks = false;
  Open();
  WriteFile(1, 1, 60);
  ASSERT_OK(CompactTo(0, 2));
  WriteFile(2, 2, 60);
  WriteFile(3, 3, 60);
  Forget();
  const size_t handles = fs_->open_handles();
  const int wanted = 10000 / static_cast<int>(TestShare());
  int failures = 0, refused = 0;
  const FaultKind kinds[] = {FaultKind::kIOError, FaultKind::kInvalidArgument};
  for (uint64_t i = 0; failures < wanted; ++i) {
    ASSERT_LT(i, 20000u);
    fs_->FailCall({.call = 1 + i % 6,
                   .kind = kinds[i % 2],
                   .scope = FaultScope::kAllCalls,
                   .path_contains = ".sst"});
    const Status s = CompactTree();
    if (fs_->failed()) ++failures;
    fs_->ClearFault();
    if (!s.ok()) {
      ++refused;
      ASSERT_OK(db_->Resume());
      continue;
    }
    ASSERT_EQ(FilesAt(0), 0);
    WriteFile(2, 2, 60);
    WriteFile(3, 3, 60);
  }
  EXPECT_GT(refused, wanted / 2);
  EXPECT_EQ(fs_->direct_read_handles(), 0u);
  EXPECT_EQ(BufferPool::Default()->LeasedBytes(), 0u);
  EXPECT_EQ(recorder_->pending(), 0u);
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED),
            Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED));
  // The tables may be others, but not many more.
  EXPECT_LE(fs_->open_handles(), handles + 10);
  EXPECT_EQ(Get(Key(6)), Value(6, 3));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
