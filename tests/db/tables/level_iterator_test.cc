// A level is read in both directions with at most one file open, and a file
// that cannot be opened or read is an error, never passed over.
#include "db/tables/level_iterator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "file/file_util.h"
#include "tests/db/tables/table_files.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Keys = std::vector<std::string>;

class LevelIteratorTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    f.Open(true);
    bulk = f.DirectPolicy();
  }

  void Add(const std::vector<TestEntry>& entries,
           const std::vector<TestTombstone>& tombstones = {}) {
    files.push_back(f.Write(files.size() + 10, entries, tombstones));
    for (const TestEntry& e : entries) keys.push_back(e.user_key);
  }

  std::unique_ptr<InternalIterator> New(size_t begin = 0,
                                        size_t end = SIZE_MAX) {
    EXPECT_TRUE(
        LevelFiles::Build(files, f.cf->internal_comparator, true, &level).ok());
    LevelIteratorRequest request;
    request.files = &level;
    request.tables = f.tables.get();
    request.table = f.Request(nullptr, GetParam() ? &bulk : nullptr);
    request.order = &f.cf->internal_comparator;
    request.begin_index = begin;
    request.end_index = end;
    return NewLevelIterator(request);
  }
  static std::string At(const InternalIterator& iterator) {
    if (!iterator.Valid()) return iterator.status().ok() ? "end" : "error";
    return ExtractUserKey(iterator.key()).ToString();
  }
  static std::string Target(const std::string& user_key) {
    return InternalKey(user_key, kMaxSequenceNumber, kValueTypeForSeek)
        .Encode()
        .ToString();
  }
  // Sorts after every entry of the user key.
  static std::string LastOf(const std::string& user_key) {
    return InternalKey(user_key, 0, kValueTypeForSeekForPrev)
        .Encode()
        .ToString();
  }

  TableFiles f;
  BulkReadPolicy bulk;
  std::vector<FileRef> files;
  LevelFiles level;
  Keys keys;
};

INSTANTIATE_TEST_SUITE_P(Direct, LevelIteratorTest, ::testing::Bool());

TEST_P(LevelIteratorTest, AnEmptyLevel) {
  const auto iterator = New();
  EXPECT_EQ(At(*iterator), "end");
  EXPECT_TRUE(KeysForward(iterator.get()).empty());
  EXPECT_TRUE(KeysBackward(iterator.get()).empty());
  iterator->Seek(Target("a"));
  EXPECT_EQ(At(*iterator), "end");
  iterator->SeekForPrev(Target("a"));
  EXPECT_EQ(At(*iterator), "end");
}

TEST_P(LevelIteratorTest, GoesThroughAllFilesBothWays) {
  for (const char* prefix : {"b", "d", "f"}) {
    Add(TableFiles::Numbered(prefix, 60));
  }
  const auto iterator = New();
  EXPECT_EQ(KeysForward(iterator.get()), keys);
  Keys backward = KeysBackward(iterator.get());
  std::reverse(backward.begin(), backward.end());
  EXPECT_EQ(backward, keys);
}

TEST_P(LevelIteratorTest, SeeksFindWhatALinearSearchFinds) {
  for (const char* prefix : {"b", "d", "f", "h"}) {
    Add(TableFiles::Numbered(prefix, 20));
  }
  const auto iterator = New();
  Random64 random(17);
  for (int i = 0; i < 400; ++i) {
    std::string key(1, static_cast<char>('a' + random.Uniform(9)));
    key += std::to_string(100000 + random.Uniform(22)).substr(1);
    iterator->Seek(Target(key));
    const auto next = std::lower_bound(keys.begin(), keys.end(), key);
    ASSERT_EQ(At(*iterator), next == keys.end() ? "end" : *next) << key;
    // A few steps either way.
    if (iterator->Valid() && random.OneIn(2)) {
      iterator->Next();
      ASSERT_EQ(At(*iterator), next + 1 == keys.end() ? "end" : *(next + 1));
    } else if (iterator->Valid()) {
      iterator->Prev();
      ASSERT_EQ(At(*iterator), next == keys.begin() ? "end" : *(next - 1));
    }
    iterator->SeekForPrev(LastOf(key));
    const auto after = std::upper_bound(keys.begin(), keys.end(), key);
    ASSERT_EQ(At(*iterator), after == keys.begin() ? "end" : *(after - 1));
  }
}

TEST_P(LevelIteratorTest, FilesWithoutPointsArePassed) {
  Add({}, {{"a", "b", 9}});
  Add(TableFiles::Numbered("c", 5));
  Add({}, {{"d", "e", 9}});
  Add({}, {{"f", "g", 9}});
  Add(TableFiles::Numbered("h", 5));
  Add({}, {{"i", "j", 9}});
  const auto iterator = New();
  EXPECT_EQ(KeysForward(iterator.get()), keys);
  EXPECT_EQ(KeysBackward(iterator.get()).size(), keys.size());
  iterator->Seek(Target("d"));
  EXPECT_EQ(At(*iterator), "h00000");
  iterator->SeekForPrev(Target("f1"));
  EXPECT_EQ(At(*iterator), "c00004");
  iterator->SeekForPrev(Target("a1"));
  EXPECT_EQ(At(*iterator), "end");
  iterator->Seek(Target("i1"));
  EXPECT_EQ(At(*iterator), "end");
}

TEST_P(LevelIteratorTest, AtMostOneFileIsOpen) {
  for (const char* prefix : {"b", "d", "f"}) {
    Add(TableFiles::Numbered(prefix, 60));
  }
  auto iterator = New();
  EXPECT_EQ(f.RandomHandles(), 0u);  // None before it is asked.
  KeysForward(iterator.get());
  KeysBackward(iterator.get());
  iterator->Seek(Target("d"));
  if (GetParam()) {
    EXPECT_EQ(f.fs->peak_direct_read_handles(), 1u);
    EXPECT_EQ(f.fs->direct_read_handles(), 1u);
    EXPECT_EQ(f.RandomHandles(), 1u);  // No reader was opened beside it.
    iterator->Seek(Target("x"));       // Beyond the end: none.
    EXPECT_EQ(f.RandomHandles(), 0u);
  } else {
    EXPECT_EQ(f.fs->direct_read_opens(), 0u);
  }
  iterator.reset();
  EXPECT_EQ(f.fs->direct_read_handles(), 0u);
  EXPECT_EQ(f.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED),
            f.Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED));
}

TEST_P(LevelIteratorTest, TheRequestMayGo) {
  Add(TableFiles::Numbered("b", 60));
  Add(TableFiles::Numbered("d", 60));
  const auto iterator = New();
  bulk = BulkReadPolicy();  // Was copied.
  EXPECT_EQ(KeysForward(iterator.get()), keys);
  EXPECT_EQ(f.fs->direct_read_opens() > 0, GetParam());
}

TEST_P(LevelIteratorTest, SomeOfTheFiles) {
  for (const char* prefix : {"b", "d", "f", "h"}) {
    Add(TableFiles::Numbered(prefix, 2));
  }
  const auto iterator = New(1, 3);
  EXPECT_EQ(KeysForward(iterator.get()),
            (Keys{"d00000", "d00001", "f00000", "f00001"}));
  EXPECT_EQ(KeysBackward(iterator.get()).size(), 4u);
  iterator->Seek(Target("a"));
  EXPECT_EQ(At(*iterator), "d00000");
  iterator->Seek(Target("g"));
  EXPECT_EQ(At(*iterator), "end");
  iterator->SeekForPrev(Target("z"));
  EXPECT_EQ(At(*iterator), "f00001");
  iterator->SeekForPrev(Target("c"));
  EXPECT_EQ(At(*iterator), "end");
}

TEST_P(LevelIteratorTest, FilesBeyondTheBoundsAreNotOpened) {
  for (const char* prefix : {"b", "d", "f", "h"}) {
    Add(TableFiles::Numbered(prefix, 2));
  }
  const Slice lower("d"), upper("g");
  f.read.iterate_lower_bound = &lower;
  f.read.iterate_upper_bound = &upper;
  f.fs->ClearOpens();
  const auto iterator = New();
  iterator->Seek(Target("d"));
  size_t count = 0;
  for (; iterator->Valid(); iterator->Next()) ++count;
  EXPECT_EQ(count, 4u);
  EXPECT_TRUE(iterator->status().ok());
  iterator->SeekForPrev(Target("g"));
  for (; iterator->Valid(); iterator->Prev()) --count;
  EXPECT_EQ(count, 0u);
  for (const OpenRecord& open : f.fs->opens()) {
    EXPECT_EQ(open.path.find("000010.sst"), std::string::npos);
    EXPECT_EQ(open.path.find("000013.sst"), std::string::npos);
  }
}

// Faults 1 and 2 of engines of this kind: what cannot be opened or read is
// never passed over.
TEST_P(LevelIteratorTest, AMissingFileIsAnErrorBothWays) {
  for (const char* prefix : {"b", "d", "f"}) {
    Add(TableFiles::Numbered(prefix, 3));
  }
  ASSERT_TRUE(f.fs->DeleteFile("/db/000011.sst", IOOptions(), nullptr).ok());
  const auto iterator = New();
  iterator->SeekToFirst();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(iterator->Valid());
    iterator->Next();
  }
  EXPECT_EQ(At(*iterator), "error");
  iterator->SeekToLast();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(iterator->Valid());
    iterator->Prev();
  }
  EXPECT_EQ(At(*iterator), "error");
  iterator->Seek(Target("c"));
  EXPECT_EQ(At(*iterator), "error");
  iterator->SeekForPrev(Target("e"));
  EXPECT_EQ(At(*iterator), "error");
  // A later seek elsewhere is good again.
  iterator->Seek(Target("f"));
  EXPECT_EQ(At(*iterator), "f00000");
}

TEST_P(LevelIteratorTest, AnUnreadableFirstBlockIsAnError) {
  for (const char* prefix : {"b", "d", "f"}) {
    Add(TableFiles::Numbered(prefix, 60));
  }
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(f.fs.get(), "/db/000011.sst", &bytes).ok());
  bytes[40] = static_cast<char>(bytes[40] ^ 1);
  ASSERT_TRUE(
      CreateFile(f.fs.get(), "/db/000011.sst", bytes, FileDurability::kBuffered)
          .ok());
  const auto iterator = New();
  iterator->SeekToFirst();
  size_t count = 0;
  for (; iterator->Valid(); iterator->Next()) ++count;
  EXPECT_EQ(count, 60u);
  EXPECT_TRUE(iterator->status().IsCorruption());
  // NextAndGetKey() says so too.
  iterator->SeekToFirst();
  Slice key;
  for (count = 1; iterator->NextAndGetKey(&key); ++count) {
  }
  EXPECT_EQ(count, 60u);
  EXPECT_TRUE(iterator->status().IsCorruption());
  iterator->Seek(Target("c"));
  EXPECT_EQ(At(*iterator), "error");
  iterator->Seek(Target("b"));
  EXPECT_EQ(At(*iterator), "b00000");
  EXPECT_TRUE(iterator->status().ok());
}

TEST_P(LevelIteratorTest, AFailureAtAnyCallIsSeen) {
  for (uint64_t k = 1;; ++k) {
    files.clear();
    keys.clear();
    for (const char* prefix : {"b", "d", "f"}) {
      Add(TableFiles::Numbered(prefix, 30));
    }
    auto iterator = New();
    f.fs->FailCall({.call = k, .scope = FaultScope::kAllCalls});
    size_t count = 0;
    iterator->SeekToFirst();
    for (; iterator->Valid(); iterator->Next()) ++count;
    EXPECT_EQ(iterator->status().ok(), count == keys.size())
        << f.fs->failed_call();
    const bool has_failed = f.fs->failed();
    f.fs->ClearFault();
    iterator.reset();
    EXPECT_EQ(f.fs->direct_read_handles(), 0u);
    if (!has_failed) break;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
