// What edits make of the files of a version, and which epochs files get that
// lack them: the cases of tests/testdata/versions/edits.txt and epochs.txt, in
// the language of version_script.h. Random edits, and the lives of files, are
// followed here.
#include "db/version/version_builder.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/db/manifest/manifest_fixture.h"
#include "tests/db/version/version_script.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const InternalKeyComparator& Order() {
  static const InternalKeyComparator order(BytewiseComparator());
  return order;
}

using Levels = std::vector<std::vector<FileRef>>;

class CountingSink : public ObsoleteFileSink {
 public:
  void OnReferenced(uint64_t) override {}
  void OnUnreferenced(UnreferencedTable table) override {
    numbers.push_back(table.number);
  }
  void OnBlobUnreferenced(const std::string&, uint64_t, uint64_t) override {}
  std::vector<uint64_t> numbers;
};

// The others are cases of versions/blobs.txt.
TEST(VersionBuilder, GarbageIsLimitedToWhatAFileHas) {
  VersionBuilder builder(nullptr);
  VersionEdit addition;
  const FileRef table = NewFileMeta(5, "a", "b");
  table->oldest_blob_file = 3;
  addition.AddFile(1, table);
  addition.blob_additions = {{3, 10, 1000, "", ""}, {4, 10, 1000, "", ""}};
  ASSERT_TRUE(builder.Apply(addition).ok());
  VersionEdit edit;
  edit.blob_garbage = {{3, 4, 990}, {4, 2, 200}, {7, 1, 9}};
  builder.LimitGarbage(&edit);
  EXPECT_EQ(edit.blob_garbage[0].garbage_bytes, 990u);
  EXPECT_EQ(edit.blob_garbage[1].garbage_bytes, 200u);
  EXPECT_EQ(edit.blob_garbage[2].garbage_bytes, 9u);
  edit.blob_garbage.pop_back();
  ASSERT_TRUE(builder.Apply(edit).ok());
  edit.blob_garbage = {{3, 1, 100}, {4, 9, 300}};
  VersionEdit limited = edit;
  builder.LimitGarbage(&limited);
  EXPECT_EQ(limited.blob_garbage[0].garbage_bytes, 10u);
  EXPECT_EQ(limited.blob_garbage[1].garbage_bytes, 300u);
  // Counts are exact: nine more than eight are too many.
  const Status s = builder.Apply(limited);
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find("blob file 4"), std::string::npos);
}

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
  // A decoded edit has an object of its own for the same file.
  edit.AddFile(2, NewFileMeta(5, "a", "b"));
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

TEST(VersionBuilder, EveryCaseOfTheScripts) {
  EXPECT_GE(RunScript("versions/edits.txt", RunVersionCase), 18u)
      << "cases went missing";
  EXPECT_GE(RunScript("versions/epochs.txt", RunVersionCase), 9u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
