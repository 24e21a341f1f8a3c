// The files of a sorted level are found by key as a linear search would find
// them, and overlapping files are Corruption.
#include "db/tables/level_files.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/db/manifest/manifest_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string RandomKey(Random64* random) {
  // Long common prefixes, so that the eight-byte prefixes tie.
  std::string key(random->Uniform(3) * 5, 'k');
  for (uint64_t n = random->Uniform(4); n > 0; --n) {
    key.push_back(static_cast<char>(random->OneIn(4) ? 0 : 250 + n));
  }
  return key;
}

// Files over ascending keys; some end with a sentinel at the next one's first
// user key, some share a user key with the next.
std::vector<FileRef> RandomLevel(Random64* random,
                                 const InternalKeyComparator& order) {
  const auto before = [&order](const std::string& a, const std::string& b) {
    return order.Compare(Slice(a), Slice(b)) < 0;
  };
  std::set<std::string, decltype(before)> keys(before);
  for (uint64_t n = random->Uniform(40); n > 0; --n) {
    std::string key;
    AppendInternalKey(&key, RandomKey(random), random->Uniform(5), kTypeValue);
    keys.insert(key);
  }
  std::vector<FileRef> files;
  for (auto it = keys.begin(); it != keys.end();) {
    FileRef file = NewFileMeta(files.size() + 1, "", "");
    file->smallest = InternalKey::FromEncoded(*it);
    file->largest = file->smallest;
    for (uint64_t n = random->Uniform(3); n > 0 && it != keys.end(); --n) {
      file->largest = InternalKey::FromEncoded(*it++);
    }
    if (it != keys.end() && *it == file->smallest.Encode()) ++it;
    if (it != keys.end() && random->OneIn(3) &&
        order.CompareUserKeys(file->largest.user_key(), ExtractUserKey(*it)) <
            0) {
      file->largest = InternalKey::TombstoneSentinel(ExtractUserKey(*it));
    }
    files.push_back(file);
  }
  return files;
}

size_t LinearFirst(const std::vector<FileRef>& files,
                   const InternalKeyComparator& order, const Slice& key) {
  size_t i = 0;
  while (i < files.size() &&
         order.Compare(files[i]->largest.Encode(), key) < 0) {
    ++i;
  }
  return i;
}

TEST(LevelFiles, FindsWhatALinearSearchFinds) {
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const InternalKeyComparator order(seed % 2 ? BytewiseComparator()
                                               : ReverseBytewiseComparator());
    const std::vector<FileRef> files = RandomLevel(&random, order);
    LevelFiles level;
    ASSERT_TRUE(LevelFiles::Build(files, order, true, &level).ok());
    ASSERT_EQ(level.size(), files.size());
    for (int i = 0; i < 60; ++i) {
      std::string key;
      AppendInternalKey(
          &key, RandomKey(&random),
          random.OneIn(4) ? kMaxSequenceNumber : random.Uniform(6),
          kValueTypeForSeek);
      ASSERT_EQ(level.FirstEndingAtOrAfter(key),
                LinearFirst(files, order, key));
    }
  }
}

TEST(LevelFiles, ASentinelBelongsToTheNextFile) {
  const InternalKeyComparator order(BytewiseComparator());
  FileRef first = NewFileMeta(1, "a", "m");
  first->largest = InternalKey::TombstoneSentinel("m");
  const FileRef second = NewFileMeta(2, "m", "z");
  LevelFiles level;
  ASSERT_TRUE(LevelFiles::Build({first, second}, order, true, &level).ok());
  const InternalKey key("m", 3, kValueTypeForSeek);
  EXPECT_EQ(level.FirstEndingAtOrAfter(key.Encode()), 1u);
  const InternalKey before("lzz", kMaxSequenceNumber, kValueTypeForSeek);
  EXPECT_EQ(level.FirstEndingAtOrAfter(before.Encode()), 0u);
}

TEST(LevelFiles, OverlapsAreCorruptionThatNamesBothFiles) {
  const InternalKeyComparator order(BytewiseComparator());
  LevelFiles level;
  Status s =
      LevelFiles::Build({NewFileMeta(17, "a", "m"), NewFileMeta(18, "k", "z")},
                        order, true, &level);
  ASSERT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("17"), std::string::npos);
  EXPECT_NE(s.ToString().find("18"), std::string::npos);
  EXPECT_TRUE(level.empty());  // Untouched.
  // Checked only where that is asked for.
  EXPECT_TRUE(
      LevelFiles::Build({NewFileMeta(17, "a", "m"), NewFileMeta(18, "k", "z")},
                        order, false, &level)
          .ok());
  // Two neighbours may share a user key.
  const FileRef first = NewFileMeta(1, "a", "m");
  first->largest = InternalKey("m", 9, kTypeValue);
  const FileRef second = NewFileMeta(2, "m", "z");
  second->smallest = InternalKey("m", 8, kTypeValue);
  EXPECT_TRUE(LevelFiles::Build({first, second}, order, true, &level).ok());
  const InternalKey at9("m", 9, kValueTypeForSeek);
  const InternalKey at8("m", 8, kValueTypeForSeek);
  EXPECT_EQ(level.FirstEndingAtOrAfter(at9.Encode()), 0u);
  EXPECT_EQ(level.FirstEndingAtOrAfter(at8.Encode()), 1u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
