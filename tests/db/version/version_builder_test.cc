// Applying edits to a version gives what a map would, one at a time or at once,
// and edits that do not fit are Corruption.
#include "db/version/version_builder.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/db/manifest/manifest_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const InternalKeyComparator& Order() {
  static const InternalKeyComparator order(BytewiseComparator());
  return order;
}

using Levels = std::vector<std::vector<FileRef>>;

// level -> numbers
std::map<int, std::vector<uint64_t>> Numbers(const Levels& levels) {
  std::map<int, std::vector<uint64_t>> numbers;
  for (size_t level = 0; level < levels.size(); ++level) {
    for (const FileRef& file : levels[level]) {
      numbers[static_cast<int>(level)].push_back(file->number);
    }
  }
  return numbers;
}

TEST(VersionBuilder, AddsAndDeletes) {
  VersionBuilder builder(nullptr);
  VersionEdit edit;
  edit.AddFile(0, NewFileMeta(1, "a", "b"));
  edit.AddFile(2, NewFileMeta(2, "a", "b"));
  ASSERT_TRUE(builder.Apply(edit).ok());
  VersionEdit second;
  second.DeleteFile(0, 1);
  second.AddFile(2, NewFileMeta(3, "c", "d"));
  ASSERT_TRUE(builder.Apply(second).ok());
  Levels levels;
  ASSERT_TRUE(builder.Finish(4, &levels).ok());
  ASSERT_EQ(levels.size(), 4u);
  EXPECT_EQ(Numbers(levels),
            (std::map<int, std::vector<uint64_t>>{{2, {2, 3}}}));
}

TEST(VersionBuilder, EditsThatDoNotFitAreCorruption) {
  VersionStorage base(&Order(), 3);
  ASSERT_TRUE(
      base.Build({{NewFileMeta(1, "a", "b")}, {NewFileMeta(2, "a", "b")}, {}},
                 true)
          .ok());
  const auto try_edit = [&base](const VersionEdit& edit) {
    VersionBuilder builder(&base);
    return builder.Apply(edit);
  };
  VersionEdit edit;
  edit.DeleteFile(0, 2);  // Another level.
  EXPECT_TRUE(try_edit(edit).IsCorruption());
  edit = VersionEdit();
  edit.DeleteFile(0, 9);  // No such file.
  EXPECT_TRUE(try_edit(edit).IsCorruption());
  edit = VersionEdit();
  edit.DeleteFile(9, 1);  // No such level.
  EXPECT_TRUE(try_edit(edit).IsCorruption());
  edit = VersionEdit();
  edit.AddFile(1, NewFileMeta(1, "c", "d"));  // There already.
  EXPECT_TRUE(try_edit(edit).IsCorruption());
  edit = VersionEdit();
  edit.AddFile(1, NewFileMeta(7, "c", "d"));
  edit.AddFile(2, NewFileMeta(7, "c", "d"));  // Twice in one edit.
  EXPECT_TRUE(try_edit(edit).IsCorruption());
  VersionBuilder twice(&base);
  edit = VersionEdit();
  edit.DeleteFile(0, 1);
  ASSERT_TRUE(twice.Apply(edit).ok());
  EXPECT_TRUE(twice.Apply(edit).IsCorruption());
}

class CountingSink : public ObsoleteFileSink {
 public:
  void OnReferenced(uint64_t) override {}
  void OnUnreferenced(UnreferencedTable table) override {
    numbers.push_back(table.number);
  }
  void OnBlobUnreferenced(const std::string&, uint64_t, uint64_t) override {}
  std::vector<uint64_t> numbers;
};

TEST(VersionBuilder, AMovedFileLivesOn) {
  const auto sink = std::make_shared<CountingSink>();
  auto base = std::make_unique<VersionStorage>(&Order(), 3);
  FileRef file = NewFileMeta(5, "a", "b");
  file->sink = sink;
  const FileMeta* const object = file.get();
  ASSERT_TRUE(base->Build({{}, {file}, {}}, true).ok());
  file.reset();
  VersionEdit edit;
  edit.DeleteFile(1, 5);
  edit.AddFile(2, NewFileMeta(5, "a", "b"));  // As decoded: another object.
  Levels levels;
  {
    VersionBuilder builder(base.get());
    ASSERT_TRUE(builder.Apply(edit).ok());
    ASSERT_TRUE(builder.Finish(3, &levels).ok());
  }
  ASSERT_EQ(levels[2].size(), 1u);
  EXPECT_EQ(levels[2][0].get(), object);
  base.reset();
  EXPECT_TRUE(sink->numbers.empty());
  levels.clear();
  EXPECT_EQ(sink->numbers, std::vector<uint64_t>{5});
}

TEST(VersionBuilder, TooFewLevelsIsInvalidArgument) {
  VersionBuilder builder(nullptr);
  VersionEdit edit;
  edit.AddFile(3, NewFileMeta(8, "a", "b"));
  ASSERT_TRUE(builder.Apply(edit).ok());
  Levels levels;
  const Status s = builder.Finish(3, &levels);
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(s.ToString().find("num_levels=3"), std::string::npos);
  EXPECT_TRUE(builder.Finish(4, &levels).ok());
}

// Random moves, additions and deletions against a map; and the same edits one
// version at a time give the same as all at once.
TEST(VersionBuilder, DoesWhatAMapDoes) {
  constexpr int kLevels = 4;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    std::map<uint64_t, int> model;
    uint64_t next = 1;
    auto current = std::make_unique<VersionStorage>(&Order(), kLevels);
    ASSERT_TRUE(current->Build(Levels(kLevels), true).ok());
    VersionBuilder replay(nullptr);
    for (int step = 0; step < 20; ++step) {
      VersionEdit edit;
      for (uint64_t n = 1 + random.Uniform(3); n > 0; --n) {
        const int level = static_cast<int>(random.Uniform(kLevels));
        if (model.empty() || random.OneIn(2)) {
          const std::string key = std::to_string(1000000 + next * 2);
          edit.AddFile(level, NewFileMeta(next, key, key + "x", next));
          model[next++] = level;
          continue;
        }
        auto victim = model.begin();
        std::advance(victim, random.Uniform(model.size()));
        bool is_new = false;
        for (const auto& entry : edit.new_files) {
          is_new = is_new || entry.file->number == victim->first;
        }
        if (is_new) continue;
        edit.DeleteFile(victim->second, victim->first);
        const std::string key = std::to_string(1000000 + victim->first * 2);
        if (random.OneIn(2)) {
          edit.AddFile(
              level, NewFileMeta(victim->first, key, key + "x", victim->first));
          victim->second = level;
        } else {
          model.erase(victim);
        }
      }
      ASSERT_TRUE(replay.Apply(edit).ok());
      VersionBuilder builder(current.get());
      ASSERT_TRUE(builder.Apply(edit).ok());
      Levels levels;
      ASSERT_TRUE(builder.Finish(kLevels, &levels).ok());
      auto next_version = std::make_unique<VersionStorage>(&Order(), kLevels);
      ASSERT_TRUE(next_version->Build(std::move(levels), true).ok());
      current = std::move(next_version);
      ASSERT_EQ(current->FileCount(), model.size());
      for (const auto& [number, level] : model) {
        ASSERT_TRUE(current->ContainsFile(level, number));
      }
    }
    Levels all;
    ASSERT_TRUE(replay.Finish(kLevels, &all).ok());
    VersionStorage replayed(&Order(), kLevels);
    ASSERT_TRUE(replayed.Build(std::move(all), true).ok());
    ASSERT_EQ(replayed.DebugString(), current->DebugString());
  }
}

FileRef WithSequences(uint64_t number, SequenceNumber smallest,
                      SequenceNumber largest, uint64_t epoch) {
  FileRef file = NewFileMeta(number, "a", "b", epoch);
  file->smallest_sequence = smallest;
  file->largest_sequence = largest;
  return file;
}

TEST(AssignMissingEpochs, GivesEachItsPlaceByAge) {
  const FileRef newest = WithSequences(20, 50, 60, kUnknownEpoch);
  const FileRef older = WithSequences(22, 40, 45, 7);  // Has one: loses it.
  const FileRef oldest = WithSequences(21, 30, 35, kUnknownEpoch);
  const FileRef deep = WithSequences(10, 1, 5, kUnknownEpoch);
  const FileRef deep2 = WithSequences(11, 1, 5, kUnknownEpoch);
  const FileRef middle = WithSequences(12, 6, 9, kUnknownEpoch);
  Levels levels = {{newest, older, oldest}, {}, {middle}, {deep, deep2}};
  EXPECT_EQ(AssignMissingEpochs(&levels), 6u);
  EXPECT_EQ(deep->epoch_number, 1u);
  EXPECT_EQ(deep2->epoch_number, 1u);
  EXPECT_EQ(middle->epoch_number, 2u);
  EXPECT_EQ(oldest->epoch_number, 3u);
  EXPECT_EQ(older->epoch_number, 4u);
  EXPECT_EQ(newest->epoch_number, 5u);
  // Complete now: nothing changes.
  EXPECT_EQ(AssignMissingEpochs(&levels), 6u);
  EXPECT_EQ(newest->epoch_number, 5u);
  Levels empty(3);
  EXPECT_EQ(AssignMissingEpochs(&empty), 1u);
  EXPECT_EQ(AssignMissingEpochs(&empty, 2), 2u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
