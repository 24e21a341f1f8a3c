// What follows from the files of a version: targets, scores, which files want
// rewriting, the order of files, overlaps. The cases are those of
// tests/testdata/versions/targets.txt, scores.txt, rewrites.txt and shape.txt,
// in the language of version_script.h.
#include "db/version/version_storage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/db/manifest/manifest_fixture.h"
#include "tests/db/version/version_script.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// --- overlaps, against looking at each file

struct KeyRange {
  std::optional<std::string> begin, end;
};

bool HoldsKeysOf(const InternalKeyComparator& order, const FileMeta& file,
                 const KeyRange& range) {
  if (range.end &&
      order.CompareUserKeys(file.smallest.user_key(), *range.end) > 0) {
    return false;
  }
  if (!range.begin) return true;
  const int c = order.CompareUserKeys(file.largest.user_key(), *range.begin);
  return c > 0 || (c == 0 && !file.largest.IsTombstoneSentinel());
}

std::string Key2(uint64_t n) {
  return {static_cast<char>('a' + n / 26), static_cast<char>('a' + n % 26)};
}

std::vector<std::vector<FileRef>> RandomLevels(
    Random64* random, const InternalKeyComparator& order) {
  std::vector<std::vector<FileRef>> levels(3);
  uint64_t number = 1;
  for (uint64_t n = random->Uniform(6); n > 0; --n) {
    uint64_t a = random->Uniform(200), b = random->Uniform(200);
    std::string x = Key2(a), y = Key2(b);
    if (order.CompareUserKeys(x, y) > 0) std::swap(x, y);
    levels[0].push_back(NewFileMeta(number, x, y, number));
    if (x == y) levels[0].back()->largest = levels[0].back()->smallest;
    ++number;
  }
  for (int level = 1; level < 3; ++level) {
    uint64_t at = random->Uniform(10);
    while (at < 190) {
      const uint64_t end = at + random->Uniform(15);
      const bool is_reverse = order.CompareUserKeys("b", "a") < 0;
      const uint64_t low = is_reverse ? 200 - end : at;
      const uint64_t high = is_reverse ? 200 - at : end;
      FileRef file = NewFileMeta(number++, Key2(is_reverse ? high : low),
                                 Key2(is_reverse ? low : high));
      if (random->OneIn(3) && low < high) {
        file->largest =
            InternalKey::TombstoneSentinel(file->largest.user_key());
      }
      if (low == high) file->largest = file->smallest;
      levels[level].push_back(file);
      at = end + 1 + random->Uniform(10);
    }
  }
  return levels;
}

TEST(VersionStorage, OverlapsAreThoseOfALinearSearch) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const InternalKeyComparator order(seed % 2 ? BytewiseComparator()
                                               : ReverseBytewiseComparator());
    VersionStorage storage(&order, 3);
    ASSERT_TRUE(storage.Build(RandomLevels(&random, order), true).ok());
    for (int i = 0; i < 30; ++i) {
      KeyRange range;
      std::string x = Key2(random.Uniform(210)), y = Key2(random.Uniform(210));
      if (order.CompareUserKeys(x, y) > 0) std::swap(x, y);
      if (!random.OneIn(5)) range.begin = x;
      if (!random.OneIn(5)) range.end = y;
      const Slice b = range.begin ? Slice(*range.begin) : Slice();
      const Slice e = range.end ? Slice(*range.end) : Slice();
      const VersionStorage::KeyRange slices{range.begin ? &b : nullptr,
                                            range.end ? &e : nullptr};
      for (int level = 0; level < 3; ++level) {
        std::vector<FileRef> expected;
        for (const FileRef& file : storage.files(level)) {
          if (HoldsKeysOf(order, *file, range)) expected.push_back(file);
        }
        ASSERT_EQ(storage.Overlapping(level, slices,
                                      VersionStorage::Level0Growth::kNone),
                  expected);
        if (range.begin && range.end) {
          ASSERT_EQ(storage.HasOverlap(level, b, e), !expected.empty());
        }
      }
      // Level 0, grown: until no file joins.
      KeyRange grown = range;
      std::vector<FileRef> expected;
      for (size_t before = SIZE_MAX; before != expected.size();) {
        before = expected.size();
        expected.clear();
        for (const FileRef& file : storage.level0()) {
          if (!HoldsKeysOf(order, *file, grown)) continue;
          expected.push_back(file);
          const Slice low = file->smallest.user_key();
          const Slice high = file->largest.user_key();
          if (grown.begin && order.CompareUserKeys(low, *grown.begin) < 0) {
            grown.begin = low.ToString();
          }
          if (grown.end && order.CompareUserKeys(high, *grown.end) > 0) {
            grown.end = high.ToString();
          }
        }
      }
      ASSERT_EQ(storage.Overlapping(0, slices,
                                    VersionStorage::Level0Growth::kTransitive),
                expected);
    }
  }
}

TEST(VersionStorage, EveryCaseOfTheScripts) {
  EXPECT_GE(RunScript("versions/targets.txt", RunVersionCase), 21u)
      << "cases went missing";
  EXPECT_GE(RunScript("versions/scores.txt", RunVersionCase), 23u)
      << "cases went missing";
  EXPECT_GE(RunScript("versions/rewrites.txt", RunVersionCase), 9u)
      << "cases went missing";
  EXPECT_GE(RunScript("versions/shape.txt", RunVersionCase), 18u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
