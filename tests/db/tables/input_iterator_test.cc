// Compaction reads its inputs through private handles, directly where the rules
// say so, and a failure to open any input leaves nothing open.
#include "db/tables/input_iterator.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/db/tables/table_files.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// --- when the bypass is on

struct PolicyCase {
  bool for_compaction, for_all, strips, expected;
};

TEST(CompactionReadPolicy, IsOnExactlyWhenTheRulesSaySo) {
  const PolicyCase cases[] = {
      {false, false, false, false}, {true, false, false, true},
      {false, true, false, false},  // All reads are direct already.
      {true, true, false, false},   {true, false, true, false},
      {true, true, true, false},    {false, false, true, false},
      {false, true, true, false},
  };
  for (const PolicyCase& c : cases) {
    SCOPED_TRACE(std::to_string(c.for_compaction) + std::to_string(c.for_all) +
                 std::to_string(c.strips));
    TableFiles f;
    f.db_options.use_direct_io_for_compaction_reads = c.for_compaction;
    f.db_options.use_direct_reads = c.for_all;
    f.db_options.compaction_readahead_size = 12345;
    std::shared_ptr<FileSystem> fs;
    if (c.strips) fs = std::make_shared<StrippingFileSystem>(f.fs);
    f.Open(true, fs);
    FileOptions user;
    user.use_direct_reads = c.for_all;
    const BulkReadPolicy policy =
        CompactionReadPolicy(*f.db, MutableDBOptions(f.db_options), user);
    EXPECT_EQ(policy.open_ephemeral_reader, c.expected);
    EXPECT_EQ(policy.readahead_bytes, 12345u);
    if (policy.open_ephemeral_reader) {
      EXPECT_TRUE(policy.file_options.use_direct_reads);
    } else if (!c.for_all) {
      EXPECT_FALSE(policy.file_options.use_direct_reads);
    }
  }
}

TEST(CompactionReadPolicy, UncachedReadsHaveTheirOwnHandleToo) {
  for (const bool strips : {false, true}) {
    TableFiles f;
    f.db_options.compaction_read_access = FileAccess::kUncached;
    std::shared_ptr<FileSystem> fs;
    if (strips) fs = std::make_shared<StrippingFileSystem>(f.fs);
    f.Open(true, fs);
    const BulkReadPolicy policy =
        CompactionReadPolicy(*f.db, MutableDBOptions(f.db_options), {});
    EXPECT_EQ(policy.open_ephemeral_reader, !strips);
    EXPECT_EQ(policy.file_options.use_uncached_io, !strips);
    EXPECT_FALSE(policy.file_options.use_direct_reads);
  }
}

// --- the stream

class InputIteratorTest : public ::testing::Test {
 protected:
  // Level 0: three files that overlap; levels 1 and 2: three files each.
  void Open(bool is_direct, std::shared_ptr<FileSystem> fs = {}) {
    f.db_options.use_direct_io_for_compaction_reads = is_direct;
    f.Open(true, std::move(fs));
    inputs.resize(3);
    uint64_t number = 30;
    for (int i = 0; i < 3; ++i) {
      inputs[0].files.push_back(
          f.Write(number--, TableFiles::Numbered("k", 40, 50 - i)));
    }
    for (int level = 1; level < 3; ++level) {
      inputs[level].level = level;
      uint64_t at = 40 + level * 10;
      for (const char* prefix : {"c", "k", "p"}) {
        inputs[level].files.push_back(
            f.Write(at++, TableFiles::Numbered(prefix, 40, 10 - level)));
      }
      ASSERT_TRUE(LevelFiles::Build(inputs[level].files,
                                    f.cf->internal_comparator, true,
                                    &inputs[level].sorted)
                      .ok());
    }
    f.fs->ClearOpens();
    f.fs->ResetPeaks();
  }

  Status Make(std::unique_ptr<InternalIterator>* result,
              std::optional<Slice> begin = {}, std::optional<Slice> end = {}) {
    InputIteratorRequest request;
    request.inputs = &inputs;
    request.tables = f.tables.get();
    request.mutable_cf = f.mutable_cf.get();
    request.order = &f.cf->internal_comparator;
    request.read_options = &f.read;
    request.bulk =
        CompactionReadPolicy(*f.db, MutableDBOptions(f.db_options), {});
    request.begin = begin;
    request.end = end;
    return MakeInputIterator(request, result);
  }

  // Every entry, in order, and none twice.
  void ExpectAll(InternalIterator* iterator) {
    size_t count = 0;
    std::string last;
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      const std::string key = iterator->key().ToString();
      if (!last.empty()) {
        ASSERT_LT(f.cf->internal_comparator.Compare(Slice(last), Slice(key)),
                  0);
      }
      last = key;
      ++count;
    }
    ASSERT_TRUE(iterator->status().ok()) << iterator->status().ToString();
    EXPECT_EQ(count, 9u * 40);
  }

  TableFiles f;
  std::vector<CompactionInputLevel> inputs;
};

TEST_F(InputIteratorTest, DirectReadsOfEveryInput) {
  Open(true);
  std::unique_ptr<InternalIterator> iterator;
  ASSERT_TRUE(Make(&iterator).ok());
  EXPECT_EQ(f.fs->direct_read_handles(), 3u);  // Level 0.
  ExpectAll(iterator.get());
  // One for each file of level 0, one for each deeper level.
  EXPECT_EQ(f.fs->peak_direct_read_handles(), 5u);
  EXPECT_EQ(f.fs->direct_read_opens(".sst"), 9u);
  EXPECT_EQ(f.fs->opens().size(), 9u);  // And no buffered one.
  EXPECT_EQ(f.Ticker(COMPACTION_DIRECT_READ_OPENS), 9u);
  iterator.reset();
  EXPECT_EQ(f.fs->direct_read_handles(), 0u);
  EXPECT_EQ(f.RandomHandles(), 0u);
  EXPECT_EQ(f.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 9u);
  EXPECT_EQ(f.Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED), 9u);
}

TEST_F(InputIteratorTest, OffMeansOff) {
  Open(false);
  std::unique_ptr<InternalIterator> iterator;
  ASSERT_TRUE(Make(&iterator).ok());
  ExpectAll(iterator.get());
  EXPECT_EQ(f.fs->direct_read_opens(), 0u);
  EXPECT_EQ(f.Ticker(COMPACTION_DIRECT_READ_OPENS), 0u);
  EXPECT_EQ(f.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 0u);
}

TEST_F(InputIteratorTest, AFileSystemThatStripsTheFlag) {
  Open(true, std::make_shared<StrippingFileSystem>(f.fs));
  std::unique_ptr<InternalIterator> iterator;
  ASSERT_TRUE(Make(&iterator).ok());
  ExpectAll(iterator.get());
  EXPECT_EQ(f.fs->direct_read_opens(), 0u);
  EXPECT_EQ(f.fs->opens().size(), 9u);  // Not one more.
  EXPECT_EQ(f.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 0u);
}

TEST_F(InputIteratorTest, FilesOutsideTheRangeAreNotOpened) {
  Open(true);
  std::unique_ptr<InternalIterator> iterator;
  // Only level 1 and 2 have "c".
  ASSERT_TRUE(Make(&iterator, Slice("a"), Slice("d")).ok());
  EXPECT_EQ(f.fs->opens().size(), 0u);
  size_t count = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) ++count;
  EXPECT_TRUE(iterator->status().ok());
  EXPECT_EQ(count, 2u * 40);
  EXPECT_EQ(f.fs->opens().size(), 2u);
  // The end is exclusive, the begin is not.
  f.fs->ClearOpens();
  ASSERT_TRUE(Make(&iterator, Slice("c00039"), Slice("k00000")).ok());
  EXPECT_EQ(f.fs->opens().size(), 0u);
  ASSERT_TRUE(Make(&iterator, Slice("k00039"), Slice("k0004")).ok());
  EXPECT_EQ(f.fs->opens().size(), 3u);
  // Nothing at all.
  ASSERT_TRUE(Make(&iterator, Slice("x"), std::nullopt).ok());
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_TRUE(iterator->status().ok());
}

// Creating fails at the k-th call, for every k: whatever input it strikes,
// nothing stays open.
TEST_F(InputIteratorTest, AFailureWhileOpeningLeavesNothingOpen) {
  Open(true);
  uint64_t failures = 0;
  for (uint64_t k = 1;; ++k) {
    f.fs->FailCall({.call = k, .scope = FaultScope::kAllCalls});
    std::unique_ptr<InternalIterator> iterator;
    const Status s = Make(&iterator);
    if (!s.ok()) {
      ++failures;
      EXPECT_EQ(iterator, nullptr);
      EXPECT_EQ(f.RandomHandles(), 0u) << f.fs->failed_call();
    }
    const bool has_failed = f.fs->failed();
    iterator.reset();
    EXPECT_EQ(f.RandomHandles(), 0u);
    EXPECT_EQ(f.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED),
              f.Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED));
    if (!has_failed) break;
  }
  // Each file is opened; what is asked for ahead may fail without harm.
  EXPECT_GE(failures, 3u);
}

TEST_F(InputIteratorTest, TenThousandFailuresLeakNothing) {
  Open(true);
  uint64_t failures = 0;
  for (uint64_t i = 0; i < 10000; ++i) {
    f.fs->FailCall({.call = 1 + i % 20, .scope = FaultScope::kAllCalls});
    std::unique_ptr<InternalIterator> iterator;
    Status s = Make(&iterator);
    if (s.ok()) {
      iterator->SeekToFirst();
      s = iterator->status();
    }
    failures += f.fs->failed() ? 1 : 0;
  }
  f.fs->ClearFault();
  EXPECT_EQ(failures, 10000u);
  EXPECT_EQ(f.RandomHandles(), 0u);
  EXPECT_EQ(f.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED),
            f.Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
