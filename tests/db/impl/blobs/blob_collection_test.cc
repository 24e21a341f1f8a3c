// Garbage in blob files: how it is counted, and that collecting it frees it.
#include <gtest/gtest.h>

#include "rocksdb/listener.h"
#include "tests/db/impl/blob_fixture.h"
#include "tests/db/impl/direct_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class BlobCollectionTest : public BlobFixture {
 protected:
  // Two blob files of 200 blobs each, and a third with newer values of three
  // in four of them, which a compaction has yet to meet.
  void MakeGarbage() {
    WriteFile(1, 200);
    for (int i = 200; i < 400; ++i) ASSERT_OK(Put(Key(i), Value(i)));
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(true));
    for (int i = 0; i < 400; ++i) {
      if (i % 4 != 0) ASSERT_OK(Put(Key(i), Value(i, 2)));
    }
    ASSERT_OK(Flush());
  }
  void ExpectValues() {
    for (int i = 0; i < 400; ++i) {
      ASSERT_EQ(Get(Key(i)), Value(i, i % 4 != 0 ? 2 : 1)) << i;
    }
  }
  static uint64_t RecordBytes(int i, int version) {
    return 32 + Key(i).size() + Value(i, version).size();
  }
};

TEST_F(BlobCollectionTest, WithoutItGarbageIsCountedAndStays) {
  Open();
  ASSERT_NO_FATAL_FAILURE(MakeGarbage());
  EXPECT_EQ(Garbage(), 0u);
  ASSERT_OK(CompactAll(true));
  uint64_t expected = 0;
  for (int i = 0; i < 400; ++i) {
    if (i % 4 != 0) expected += RecordBytes(i, 1);
  }
  EXPECT_EQ(BlobCount(), 3u);
  EXPECT_EQ(Garbage(), expected);
  ExpectValues();
  Reopen();
  EXPECT_EQ(Garbage(), expected);
  ExpectValues();
}

TEST_F(BlobCollectionTest, CompactionMovesTheLiveBlobsOfOldFiles) {
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 0.7;  // two of three
  Open();
  ASSERT_NO_FATAL_FAILURE(MakeGarbage());
  const std::vector<uint64_t> before = BlobNumbers();
  ASSERT_GE(before.size(), 3u);
  ASSERT_OK(CompactAll());
  const std::vector<uint64_t> after = BlobNumbers();
  EXPECT_EQ(after.front(), before.back());
  EXPECT_EQ(after.size(), 2u);
  EXPECT_EQ(Garbage(), 0u);
  EXPECT_GE(Ticker(BLOB_DB_GC_NUM_KEYS_RELOCATED), 100u);
  EXPECT_GT(Ticker(BLOB_DB_GC_BYTES_RELOCATED), 100u * 300);
  ExpectValues();
  db_.reset();
  EXPECT_EQ(BlobPaths().size(), 2u);
  Open();
  ExpectValues();
}

// Where blob files are switched off, collection brings the values back.
TEST_F(BlobCollectionTest, ValuesComeBackIntoTables) {
  Open();
  ASSERT_NO_FATAL_FAILURE(MakeGarbage());
  ASSERT_OK(db_->SetOptions({{"enable_blob_files", "false"},
                             {"enable_blob_garbage_collection", "true"},
                             {"blob_garbage_collection_age_cutoff", "1.0"}}));
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(BlobCount(), 0u);
  ExpectValues();
  db_.reset();
  EXPECT_TRUE(BlobPaths().empty());
}

TEST_F(BlobCollectionTest, CompactRangeHasItsOwnSay) {
  Open();
  ASSERT_NO_FATAL_FAILURE(MakeGarbage());
  CompactRangeOptions range;
  range.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  range.blob_garbage_collection_policy = BlobGarbageCollectionPolicy::kForce;
  range.blob_garbage_collection_age_cutoff = 1.0;
  ASSERT_OK(db_->CompactRange(range, nullptr, nullptr));
  EXPECT_EQ(Garbage(), 0u);
  EXPECT_EQ(BlobCount(), 1u);
  const uint64_t moved = Ticker(BLOB_DB_GC_NUM_KEYS_RELOCATED);
  EXPECT_GE(moved, 400u);
  ASSERT_OK(db_->SetOptions({{"enable_blob_garbage_collection", "true"},
                             {"blob_garbage_collection_age_cutoff", "1.0"}}));
  range.blob_garbage_collection_policy = BlobGarbageCollectionPolicy::kDisable;
  ASSERT_OK(db_->CompactRange(range, nullptr, nullptr));
  EXPECT_EQ(Ticker(BLOB_DB_GC_NUM_KEYS_RELOCATED), moved);
  range.blob_garbage_collection_policy =
      BlobGarbageCollectionPolicy::kUseDefault;
  range.blob_garbage_collection_age_cutoff = -1;
  ASSERT_OK(db_->CompactRange(range, nullptr, nullptr));
  EXPECT_GE(Ticker(BLOB_DB_GC_NUM_KEYS_RELOCATED), moved + 400);
  ExpectValues();
}

class BlobForceTest : public BlobCollectionTest,
                      public ::testing::WithParamInterface<CompactionStyle> {};

TEST_P(BlobForceTest, AnOldFileFullOfGarbageIsForcedOut) {
  options_.compaction_style = GetParam();
  struct Listener : EventListener {
    void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
      forced += info.compaction_reason == CompactionReason::kForcedBlobGC;
    }
    std::atomic<int> forced{0};
  };
  const auto listener = std::make_shared<Listener>();
  options_.listeners.push_back(listener);
  Open();
  ASSERT_NO_FATAL_FAILURE(MakeGarbage());
  ASSERT_OK(CompactAll(true));
  const std::vector<uint64_t> before = BlobNumbers();
  EXPECT_EQ(before.size(), 3u);
  ASSERT_GT(Garbage(), 0u);
  EXPECT_EQ(listener->forced.load(), 0);
  ASSERT_OK(db_->SetOptions({{"enable_blob_garbage_collection", "true"},
                             {"blob_garbage_collection_age_cutoff", "1.0"},
                             {"blob_garbage_collection_force_threshold", "0.4"},
                             {"disable_auto_compactions", "false"}}));
  ASSERT_OK(db_->EnableAutoCompaction({db_->DefaultColumnFamily()}));
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_GE(listener->forced.load(), 1);
  EXPECT_GT(BlobNumbers().front(), before.back());
  EXPECT_EQ(Garbage(), 0u);
  ExpectValues();
}

INSTANTIATE_TEST_SUITE_P(Styles, BlobForceTest,
                         ::testing::Values(kCompactionStyleLevel,
                                           kCompactionStyleUniversal));

// --- direct reads of blobs by compaction

class BlobDirectTest : public DirectFixture {
 protected:
  BlobDirectTest() {
    options_.enable_blob_files = true;
    options_.min_blob_size = 100;
    options_.enable_blob_garbage_collection = true;
    options_.blob_garbage_collection_age_cutoff = 1;
    options_.blob_cache = NewLRUCache(1 << 20);
  }
  void Fill() {
    WriteFile(1);
    WriteFile(2, 2);
  }
  void ExpectValues() {
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(Get(Key(i)), Value(i, i % 2 == 0 ? 2 : 1)) << i;
    }
  }
  // Opens of a blob file for buffered reading.
  size_t BufferedBlobOpens() const {
    size_t count = 0;
    for (const OpenRecord& open : fs_->opens()) {
      const bool is_blob = open.path.size() > 5 &&
                           open.path.substr(open.path.size() - 5) == ".blob";
      if (open.kind == FileKind::kRandomAccess && !open.is_direct_read() &&
          is_blob) {
        ++count;
      }
    }
    return count;
  }
};

TEST_F(BlobDirectTest, CollectionReadsByPrivateDirectHandles) {
  Open();
  Fill();
  Forget();
  ASSERT_OK(CompactTo(0, 1));
  // Two tables and two blob files, each opened once, all of it directly.
  EXPECT_EQ(fs_->direct_read_opens(".sst"), 2u);
  EXPECT_EQ(fs_->direct_read_opens(".blob"), 2u);
  EXPECT_EQ(Ticker(COMPACTION_DIRECT_READ_OPENS), 4u);
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 4u);
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED), 4u);
  EXPECT_EQ(BufferedBlobOpens(), 0u);
  EXPECT_EQ(fs_->direct_read_handles(), 0u);
  // Nothing of it is cached.
  EXPECT_EQ(Ticker(BLOB_DB_CACHE_ADD), 0u);
  EXPECT_EQ(options_.blob_cache->GetUsage(), 0u);
  for (const ReadRecord& read : recorder_->reads()) {
    if (read.path.find(".blob") == std::string::npos) continue;
    EXPECT_TRUE(read.is_direct) << read.path;
    EXPECT_EQ(read.offset % 4096, 0u);
    EXPECT_EQ(read.length % 4096, 0u);
  }
  ExpectValues();
}

// Header and footer come from the reader that users have open; the handle does
// not.
TEST_F(BlobDirectTest, AnOpenReaderLendsItsMetadataOnly) {
  Open();
  Fill();
  ExpectValues();
  Forget();
  ASSERT_OK(CompactTo(0, 1));
  EXPECT_EQ(fs_->direct_read_opens(".blob"), 2u);
  size_t header_reads = 0;
  for (const ReadRecord& read : recorder_->reads()) {
    const bool is_blob = read.path.find(".blob") != std::string::npos;
    if (is_blob && read.offset == 0) ++header_reads;
    EXPECT_TRUE(!is_blob || read.is_direct);
  }
  // The streams begin there.
  EXPECT_LE(header_reads, 2u);
  ExpectValues();
}

TEST_F(BlobDirectTest, OffMeansOff) {
  options_.use_direct_io_for_compaction_reads = false;
  for (const uint64_t readahead : {uint64_t{0}, uint64_t{64} << 10}) {
    options_.blob_compaction_readahead_size = readahead;
    path_ = directory_.path() + "/db" + std::to_string(readahead);
    Reopen();
    Fill();
    Forget();
    ASSERT_OK(CompactTo(0, 1));
    EXPECT_EQ(fs_->direct_read_opens(), 0u);
    EXPECT_EQ(DirectReads(), 0u);
    EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 0u);
    EXPECT_EQ(Ticker(BLOB_DB_CACHE_ADD), 0u);
    ExpectValues();
  }
}

TEST_F(BlobDirectTest, AFileSystemThatStripsItIsLeftAlone) {
  recorder_->strips = true;
  Open();
  Fill();
  Forget();
  ASSERT_OK(CompactTo(0, 1));
  EXPECT_EQ(fs_->direct_read_opens(), 0u);
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 0u);
  ExpectValues();
}

// However many files the references go to, few are open.
TEST_F(BlobDirectTest, FewHandlesForManyFiles) {
  options_.blob_file_size = 4 << 10;
  Open();
  // Neighbouring keys in files far apart.
  for (int turn = 0; turn < 40; ++turn) {
    for (int i = turn; i < 1000; i += 40) ASSERT_OK(Put(Key(i), Value(i, 1)));
    ASSERT_OK(Flush());
  }
  Forget();
  ASSERT_OK(CompactTo(0, 1));
  EXPECT_GT(fs_->direct_read_opens(".blob"), 40u);
  // One for each table of level 0, and sixteen.
  EXPECT_LE(fs_->peak_direct_read_handles(), 40u + 17);
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED),
            Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED));
  EXPECT_EQ(fs_->direct_read_handles(), 0u);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(Get(Key(i)), Value(i, 1)) << i;
}

TEST_F(BlobDirectTest, OutputsAreWrittenDirectly) {
  options_.use_direct_io_for_flush_and_compaction = true;
  Open();
  Fill();
  Forget();
  ASSERT_OK(CompactTo(0, 1));
  size_t blobs_written = 0;
  for (const OpenRecord& open : fs_->opens()) {
    if (open.path.find(".blob") == std::string::npos ||
        open.kind != FileKind::kWritable) {
      continue;
    }
    ++blobs_written;
    EXPECT_TRUE(open.options.use_direct_writes) << open.path;
  }
  EXPECT_EQ(blobs_written, 1u);
  ExpectValues();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
