// A version computes right level targets, compaction scores, overlaps and
// bottommost files from its table files.
#include "db/version/version_storage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/db/manifest/manifest_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint64_t kMB = 1 << 20;
constexpr uint64_t kNoTarget = UINT64_MAX;

const InternalKeyComparator& Bytewise() {
  static const InternalKeyComparator order(BytewiseComparator());
  return order;
}

// One file of that size in each level that is not empty.
std::vector<std::vector<FileRef>> LevelsOf(const std::vector<uint64_t>& bytes) {
  std::vector<std::vector<FileRef>> levels(bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == 0) continue;
    levels[i].push_back(NewFileMeta(i + 1, "a", "b", i + 1));
    levels[i][0]->size_bytes = bytes[i];
  }
  return levels;
}

struct TestOptions {
  ColumnFamilyOptions family;
  TestOptions() {
    family.num_levels = 5;
    family.max_bytes_for_level_base = 100 * kMB;
    family.max_bytes_for_level_multiplier = 10;
    family.level_compaction_dynamic_level_bytes = true;
    family.level0_file_num_compaction_trigger = 4;
    family.ttl = 0;
    family.periodic_compaction_seconds = 0;
  }
  void Compute(VersionStorage* storage, uint64_t now = 0) const {
    storage->ComputeScores(ImmutableCFOptions(family), MutableCFOptions(family),
                           now);
  }
};

struct TargetCase {
  const char* name;
  std::vector<uint64_t> mb;  // of each level, from 0
  int base_level;
  std::vector<uint64_t> target_mb;  // of levels 1 to 4; 0 = none
};

TEST(VersionStorage, DynamicTargets) {
  const TargetCase cases[] = {
      {"empty", {0, 0, 0, 0, 0}, 4, {0, 0, 0, 100}},
      {"small last level", {0, 0, 0, 0, 50}, 4, {0, 0, 0, 50}},
      {"full base", {0, 0, 0, 0, 100}, 4, {0, 0, 0, 100}},
      {"one level up", {0, 0, 0, 0, 500}, 3, {0, 0, 50, 500}},
      {"two up", {0, 0, 0, 0, 5000}, 2, {0, 50, 500, 5000}},
      {"all levels", {0, 0, 0, 0, 50000}, 1, {50, 500, 5000, 50000}},
      {"cannot go up", {0, 0, 0, 0, 500000}, 1, {100, 1000, 10000, 100000}},
      // The largest level counts, not the last.
      {"fat middle", {0, 0, 0, 600, 100}, 3, {0, 0, 60, 600}},
      // Level 0 must not pass below what is in level 2.
      {"leftover", {0, 0, 1, 0, 500}, 2, {0, 10, 100, 1000}},
  };
  for (const TargetCase& c : cases) {
    SCOPED_TRACE(c.name);
    std::vector<uint64_t> bytes;
    for (uint64_t mb : c.mb) bytes.push_back(mb * kMB);
    VersionStorage storage(&Bytewise(), 5);
    ASSERT_TRUE(storage.Build(LevelsOf(bytes), true).ok());
    TestOptions().Compute(&storage);
    EXPECT_EQ(storage.base_level(), c.base_level);
    for (int level = 1; level < 5; ++level) {
      const uint64_t mb = c.target_mb[level - 1];
      const uint64_t target = storage.TargetBytes(level);
      if (mb == 0) {
        EXPECT_EQ(target, kNoTarget) << level;
      } else if (level == c.base_level) {
        EXPECT_NEAR(static_cast<double>(target), mb * kMB, 10) << level;
      } else {
        // No level below the base is held smaller than the base may be.
        EXPECT_NEAR(static_cast<double>(target),
                    std::max<uint64_t>(mb, 100) * kMB, 1e4)
            << level;
      }
    }
  }
}

TEST(VersionStorage, StaticTargets) {
  TestOptions options;
  options.family.level_compaction_dynamic_level_bytes = false;
  options.family.max_bytes_for_level_multiplier_additional = {1, 2, 3, 1, 1};
  VersionStorage storage(&Bytewise(), 5);
  ASSERT_TRUE(storage.Build(LevelsOf({0, 0, 0, 0, 5 * kMB}), true).ok());
  options.Compute(&storage);
  EXPECT_EQ(storage.base_level(), 1);
  EXPECT_EQ(storage.TargetBytes(1), 100 * kMB);
  EXPECT_EQ(storage.TargetBytes(2), 2000 * kMB);    // x 10 x 2
  EXPECT_EQ(storage.TargetBytes(3), 60000 * kMB);   // x 10 x 3
  EXPECT_EQ(storage.TargetBytes(4), 600000 * kMB);  // x 10 x 1
  // Huge factors end at the largest number.
  options.family.max_bytes_for_level_multiplier = 1e18;
  options.Compute(&storage);
  EXPECT_EQ(storage.TargetBytes(4), UINT64_MAX);
}

double ScoreOf(const VersionStorage& storage, int level) {
  for (const auto& score : storage.scores()) {
    if (score.level == level) return score.score;
  }
  return -1;
}

TEST(VersionStorage, ScoresOfLevelZero) {
  const TestOptions options;
  VersionStorage storage(&Bytewise(), 5);
  std::vector<std::vector<FileRef>> levels(5);
  for (uint64_t n = 1; n <= 6; ++n) {
    levels[0].push_back(NewFileMeta(n, "a", "b", n));
    levels[0].back()->size_bytes = 50 * kMB;
  }
  ASSERT_TRUE(storage.Build(levels, true).ok());
  options.Compute(&storage);
  EXPECT_DOUBLE_EQ(ScoreOf(storage, 0), 3.0);  // 300 MB of 100; 6 files of 4
  EXPECT_EQ(storage.scores()[0].level, 0);
  for (size_t i = 0; i < 4; ++i) levels[0][i]->being_compacted = true;
  options.Compute(&storage);
  EXPECT_DOUBLE_EQ(ScoreOf(storage, 0), 1.0);  // 100 MB
  levels[0][4]->being_compacted = true;
  options.Compute(&storage);
  EXPECT_DOUBLE_EQ(ScoreOf(storage, 0), 0.5);
}

TEST(VersionStorage, ScoresOfDeeperLevels) {
  TestOptions options;
  options.family.level_compaction_dynamic_level_bytes = false;
  VersionStorage storage(&Bytewise(), 5);
  ASSERT_TRUE(
      storage
          .Build(LevelsOf({0, 150 * kMB, 4000 * kMB, 100 * kMB, 900000 * kMB}),
                 true)
          .ok());
  options.Compute(&storage);
  EXPECT_DOUBLE_EQ(ScoreOf(storage, 1), 1.5);
  EXPECT_DOUBLE_EQ(ScoreOf(storage, 2), 4.0);
  EXPECT_DOUBLE_EQ(ScoreOf(storage, 3), 0.01);
  EXPECT_EQ(ScoreOf(storage, 4), -1);  // Nowhere to go.
  EXPECT_EQ(storage.scores()[0].level, 2);
  EXPECT_TRUE(std::is_sorted(
      storage.scores().begin(), storage.scores().end(),
      [](const auto& a, const auto& b) { return a.score > b.score; }));
}

// With dynamic levels, what stands above the levels that the sizes call for
// goes down; but level 0 still goes into the first level with files.
TEST(VersionStorage, LevelsThatNothingCallsForDrain) {
  VersionStorage storage(&Bytewise(), 5);
  ASSERT_TRUE(
      storage.Build(LevelsOf({0, 1, 0, 20 * kMB, 500 * kMB}), true).ok());
  TestOptions options;
  options.Compute(&storage);
  EXPECT_EQ(storage.base_level(), 1);
  EXPECT_DOUBLE_EQ(ScoreOf(storage, 1), 1.0);
  EXPECT_EQ(ScoreOf(storage, 2), 0.0);
  EXPECT_LT(ScoreOf(storage, 3), 1.0);
  options.family.level_compaction_dynamic_level_bytes = false;
  options.Compute(&storage);
  EXPECT_LT(ScoreOf(storage, 1), 0.01);
}

TEST(VersionStorage, PendingBytes) {
  TestOptions options;
  options.family.level_compaction_dynamic_level_bytes = false;
  const auto pending = [&options](const std::vector<uint64_t>& mb) {
    std::vector<uint64_t> bytes;
    for (uint64_t n : mb) bytes.push_back(n * kMB);
    VersionStorage storage(&Bytewise(), 5);
    EXPECT_TRUE(storage.Build(LevelsOf(bytes), true).ok());
    options.Compute(&storage);
    return storage.PendingCompactionBytes() / kMB;
  };
  EXPECT_EQ(pending({0, 0, 0, 0, 0}), 0u);
  EXPECT_EQ(pending({50, 100, 1000, 10000, 1}), 0u);  // All within targets.
  // 100 MB too much, and twice as much below to merge with.
  EXPECT_EQ(pending({0, 200, 400, 0, 0}), 300u);
  // Level 0 is over its limit: it, level 1, and what is then too much there.
  EXPECT_EQ(pending({200, 100, 0, 0, 0}), 300u + 200u);
  options.family.compaction_style = kCompactionStyleUniversal;
  EXPECT_EQ(pending({2000, 2000, 0, 0, 0}), 0u);
}

TEST(VersionStorage, UniversalCountsSortedRuns) {
  TestOptions options;
  options.family.compaction_style = kCompactionStyleUniversal;
  VersionStorage storage(&Bytewise(), 5);
  ASSERT_TRUE(storage.Build(LevelsOf({1, 0, 1, 1, 1}), true).ok());
  options.Compute(&storage);
  EXPECT_DOUBLE_EQ(ScoreOf(storage, 0), 1.0);
  EXPECT_EQ(storage.scores().size(), 1u);
}

TEST(VersionStorage, LevelZeroIsNewestFirst) {
  const auto file = [](uint64_t number, uint64_t epoch, uint64_t largest) {
    FileRef f = NewFileMeta(number, std::to_string(number),
                            std::to_string(number), epoch);
    f->largest_sequence = largest;
    return f;
  };
  VersionStorage storage(&Bytewise(), 1);
  ASSERT_TRUE(storage
                  .Build({{file(1, 5, 10), file(2, 7, 3), file(3, 5, 12),
                           file(4, 5, 12), file(5, 6, 99)}},
                         true)
                  .ok());
  std::vector<uint64_t> numbers;
  for (const FileRef& f : storage.level0()) numbers.push_back(f->number);
  EXPECT_EQ(numbers, (std::vector<uint64_t>{2, 5, 4, 3, 1}));
}

TEST(VersionStorage, OverlapsWithinALevelAreCorruption) {
  VersionStorage storage(&Bytewise(), 2);
  EXPECT_TRUE(
      storage
          .Build({{}, {NewFileMeta(1, "a", "m"), NewFileMeta(2, "k", "z")}},
                 true)
          .IsCorruption());
  // Level 0: within one epoch, also where they are not neighbours.
  VersionStorage same_epoch(&Bytewise(), 1);
  EXPECT_TRUE(
      same_epoch
          .Build({{NewFileMeta(1, "a", "f", 4), NewFileMeta(2, "g", "h", 4),
                   NewFileMeta(3, "b", "c", 4)}},
                 true)
          .IsCorruption());
  VersionStorage other_epochs(&Bytewise(), 1);
  EXPECT_TRUE(
      other_epochs
          .Build({{NewFileMeta(1, "a", "f", 4), NewFileMeta(2, "b", "c", 5)}},
                 true)
          .ok());
  VersionStorage unchecked(&Bytewise(), 2);
  EXPECT_TRUE(
      unchecked
          .Build({{}, {NewFileMeta(1, "a", "m"), NewFileMeta(2, "k", "z")}},
                 false)
          .ok());
}

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

TEST(VersionStorage, BottommostForARange) {
  VersionStorage storage(&Bytewise(), 4);
  const FileRef old0 = NewFileMeta(1, "a", "z", 1);
  const FileRef new0 = NewFileMeta(2, "a", "z", 2);
  ASSERT_TRUE(storage
                  .Build({{old0, new0},
                          {NewFileMeta(3, "a", "z")},
                          {NewFileMeta(4, "c", "f")},
                          {}},
                         true)
                  .ok());
  EXPECT_FALSE(storage.IsBottommostFor(1, "d", "e", nullptr));
  EXPECT_TRUE(storage.IsBottommostFor(1, "g", "h", nullptr));
  EXPECT_TRUE(storage.IsBottommostFor(2, "d", "e", nullptr));
  EXPECT_FALSE(storage.IsBottommostFor(0, "g", "h", new0.get()));
  EXPECT_FALSE(storage.IsBottommostFor(0, "g", "h", old0.get()));  // Level 1.
  VersionStorage only0(&Bytewise(), 4);
  ASSERT_TRUE(only0.Build({{old0, new0}, {}, {}, {}}, true).ok());
  EXPECT_TRUE(only0.IsBottommostFor(0, "g", "h", old0.get()));
  EXPECT_FALSE(only0.IsBottommostFor(0, "g", "h", new0.get()));
}

TEST(VersionStorage, FilesThatWantRewriting) {
  TestOptions options;
  options.family.ttl = 1000;
  options.family.periodic_compaction_seconds = 5000;
  const auto file = [](uint64_t number, const std::string& key,
                       uint64_t ancestor, uint64_t created) {
    FileRef f = NewFileMeta(number, key, key + "x");
    f->oldest_ancestor_time = ancestor;
    f->file_creation_time = created;
    return f;
  };
  std::vector<std::vector<FileRef>> levels(5);
  levels[3] = {file(1, "a", 8000, 8000), file(2, "b", 9500, 9500),
               file(3, "c", 0, 0), file(4, "d", 9500, 9500)};
  levels[3][3]->is_marked_for_compaction = true;
  levels[4] = {file(5, "a", 8000, 8000),  // The last level has no ttl.
               file(6, "b", 4000, 4000),  // Periodic.
               file(7, "c", 4000, 0)};    // Made by recovery.
  VersionStorage storage(&Bytewise(), 5);
  ASSERT_TRUE(storage.Build(levels, true).ok());
  const auto numbers = [&storage]() {
    std::vector<uint64_t> result;
    for (const auto& entry : storage.FilesToRewrite()) {
      result.push_back(entry.second->number);
    }
    return result;
  };
  options.Compute(&storage, 10000);
  EXPECT_EQ(numbers(), (std::vector<uint64_t>{1, 4, 6, 7}));
  levels[3][0]->being_compacted = true;
  options.Compute(&storage, 10000);
  EXPECT_EQ(numbers(), (std::vector<uint64_t>{4, 6, 7}));
  options.family.ttl = UINT64_MAX - 1;
  options.family.periodic_compaction_seconds = UINT64_MAX - 1;
  options.Compute(&storage, 10000);
  EXPECT_EQ(numbers(), (std::vector<uint64_t>{4}));
}

TEST(VersionStorage, BottommostFilesFreedBySnapshots) {
  TestOptions options;
  options.family.bottommost_file_compaction_delay = 0;
  std::vector<std::vector<FileRef>> levels(5);
  levels[4] = {NewFileMeta(1, "a", "b"), NewFileMeta(2, "c", "d"),
               NewFileMeta(3, "e", "f")};
  levels[4][0]->deletion_count = 10;  // largest_sequence is 100
  levels[4][2]->deletion_count = 10;
  levels[4][2]->largest_sequence = 0;  // Was rewritten already.
  VersionStorage storage(&Bytewise(), 5);
  ASSERT_TRUE(storage.Build(levels, true).ok());
  const auto count = [&](SequenceNumber oldest, uint64_t now) {
    storage.NoteOldestSnapshot(oldest, MutableCFOptions(options.family), now);
    options.Compute(&storage, now);
    return storage.FilesToRewrite().size();
  };
  EXPECT_EQ(count(50, 1000), 0u);
  EXPECT_EQ(count(100, 1000), 0u);
  EXPECT_EQ(count(101, 1000), 1u);
  options.family.bottommost_file_compaction_delay = 5000;
  levels[4][0]->file_creation_time = 100;
  EXPECT_EQ(count(101, 1000), 0u);
  EXPECT_EQ(count(101, 9000), 1u);
}

TEST(VersionStorage, BottommostFilesOfHigherLevels) {
  TestOptions options;
  options.family.bottommost_file_compaction_delay = 0;
  std::vector<std::vector<FileRef>> levels(5);
  levels[1] = {NewFileMeta(1, "a", "b"), NewFileMeta(2, "e", "i")};
  levels[2] = {NewFileMeta(3, "c", "d"), NewFileMeta(4, "l", "m")};
  levels[4] = {NewFileMeta(5, "f", "h"), NewFileMeta(6, "m", "n")};
  for (auto& files : levels) {
    for (auto& file : files) file->deletion_count = 10;
  }
  VersionStorage storage(&Bytewise(), 5);
  ASSERT_TRUE(storage.Build(levels, true).ok());
  storage.NoteOldestSnapshot(101, MutableCFOptions(options.family), 1000);
  options.Compute(&storage, 1000);
  std::vector<uint64_t> numbers;
  for (const auto& [level, file] : storage.FilesToRewrite()) {
    numbers.push_back(file->number);
    EXPECT_TRUE(storage.IsFreedBySnapshots(file));
  }
  EXPECT_EQ(numbers, (std::vector<uint64_t>{1, 3, 5, 6}));
  EXPECT_FALSE(storage.IsFreedBySnapshots(levels[1][1]));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
