// Whole files in given ranges are dropped, but none that is being compacted or
// shares a key with a file that stays.
#include "db/jobs/file_drop.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "db/jobs/clean_up.h"
#include "env/job_threads.h"
#include "tests/db/jobs/held_env.h"
#include "tests/db/jobs/jobs_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Level 1 has a-c, e-g and i-k; level 0 has what lies above all.
class FileDropTest : public ::testing::Test {
 protected:
  FileDropTest() {
    parts.obsolete->Arm();
    Add(1, {{"a", 1, "x"}, {"c", 2, "x"}});
    Add(1, {{"e", 3, "x"}, {"g", 4, "x"}});
    Add(1, {{"i", 5, "x"}, {"k", 6, "x"}});
    Add(0, {{"a", 7, "x"}, {"k", 8, "x"}});
    context.mutex = &parts.world.mutex;
    context.families = &parts.families;
    context.scheduler = &parts.scheduler;
    context.error = &parts.errors;
    context.versions = parts.world.versions.get();
    context.directory = parts.world.directory.get();
    context.publisher = parts.publisher.get();
    context.compactions = parts.queue.get();
    context.changes = &parts.changes;
    context.stop = &parts.stop;
    context.errors = &errors;
    context.clean_up = &clean_up;
    context.obsolete = parts.obsolete.get();
  }

  void Add(int level, const std::vector<TestEntry>& entries) {
    VersionEdit edit;
    edit.AddFile(level, parts.world.f.Write(
                            parts.world.versions->NewFileNumber(), entries));
    MutexLock lock(&parts.world.mutex);
    const Status s = parts.world.versions->LogAndApply(
        {{parts.world.cfd, &edit}}, parts.world.directory.get());
    ASSERT_TRUE(s.ok()) << s.ToString();
    parts.publisher->Publish(parts.world.cfd);
  }
  // The first key of each file, level by level.
  std::string Files() {
    std::string text;
    for (int level = 0; level < parts.world.f.family.num_levels; ++level) {
      text += level == 0 ? "" : "|";
      for (const FileRef& file : parts.world.Files(level)) {
        text += file->smallest.user_key().ToString();
      }
    }
    return text;
  }
  enum class End { kIsOutside, kIsWithin };
  Status Drop(const char* begin, const char* end, End end_of_range) {
    const Slice first(begin != nullptr ? begin : "");
    const Slice last(end != nullptr ? end : "");
    RangePtr range;
    if (begin != nullptr) range.start = &first;
    if (end != nullptr) range.limit = &last;
    return FileDrop(context).Drop(parts.world.cfd, &range, 1,
                                  end_of_range == End::kIsWithin);
  }
  uint64_t ManifestBytes() const {
    return parts.world.versions->manifest()->size_bytes();
  }

  class Told final : public JobErrors {
   public:
    void OnBackgroundError(const Status&, BackgroundErrorReason) override {}
    bool OnManifestError(const Status& status) override {
      EXPECT_TRUE(status.IsIOError());
      ++count;
      return true;
    }
    void CheckSpaceLimit() override {}
    int count = 0;
  };

  HeldEnv env;
  JobThreads threads;
  JobsWorld parts;
  Told errors;
  CleanUp clean_up{{.env = &env,
                    .mutex = &parts.world.mutex,
                    .stop = &parts.stop,
                    .scheduler = &parts.scheduler,
                    .publisher = parts.publisher.get(),
                    .obsolete = parts.obsolete.get(),
                    .wal = nullptr,
                    .threads = &threads}};
  FileDrop::Context context;
};

TEST_F(FileDropTest, FilesThatLieInTheRangeGo) {
  ASSERT_EQ(Files(), "a|aei||");
  ASSERT_TRUE(Drop("e", "g", End::kIsOutside).ok());
  EXPECT_EQ(Files(), "a|aei||");
  ASSERT_TRUE(Drop("e1", "h", End::kIsOutside).ok());
  EXPECT_EQ(Files(), "a|aei||");
  ASSERT_TRUE(Drop("e", "g", End::kIsWithin).ok());
  EXPECT_EQ(Files(), "a|ai||");
  ASSERT_TRUE(Drop("b", "z", End::kIsOutside).ok());
  EXPECT_EQ(Files(), "a|a||");
}

TEST_F(FileDropTest, ARangeMayHaveNoEnds) {
  ASSERT_TRUE(Drop(nullptr, "h", End::kIsOutside).ok());
  EXPECT_EQ(Files(), "a|i||");
  Add(2, {{"p", 9, "x"}});
  ASSERT_TRUE(Drop("k", nullptr, End::kIsOutside).ok());
  EXPECT_EQ(Files(), "a|i||");
  ASSERT_TRUE(Drop(nullptr, nullptr, End::kIsOutside).ok());
  EXPECT_EQ(Files(), "a|||");  // Level 0 is left alone.
}

TEST_F(FileDropTest, SeveralRangesAreDroppedAtOnce) {
  const Slice a("a"), d("d"), i("i"), k("k");
  const RangePtr ranges[] = {{&a, &d}, {&i, &k}};
  ASSERT_TRUE(FileDrop(context)
                  .Drop(parts.world.cfd, ranges, 2, /*include_end=*/true)
                  .ok());
  EXPECT_EQ(Files(), "a|e||");
}

TEST_F(FileDropTest, ReadersSeeItAndWhatTheyHadIsFreed) {
  const uint64_t freed = parts.world.f.Ticker(NUMBER_SUPERVERSION_CLEANUPS);
  ASSERT_TRUE(Drop("e", "g", End::kIsWithin).ok());
  SuperVersion* const state = parts.world.cfd->AcquireReferenced();
  EXPECT_EQ(state->current->storage().FileCount(1), 2u);
  ColumnFamilyData::Release(state);
  EXPECT_GT(parts.world.f.Ticker(NUMBER_SUPERVERSION_CLEANUPS), freed);
}

// The newest version of a key must not go while an older one stays.
TEST_F(FileDropTest, AFileThatSharesAKeyWithTheNextStays) {
  Add(2, {{"p", 20, "x"}, {"q", 19, "x"}});
  Add(2, {{"q", 15, "x"}, {"r", 18, "x"}});
  Add(2, {{"s", 21, "x"}});
  ASSERT_TRUE(Drop("p", "q", End::kIsWithin).ok());
  EXPECT_EQ(Files(), "a|aei|pqs|");
  ASSERT_TRUE(Drop("q", "s", End::kIsWithin).ok());
  EXPECT_EQ(Files(), "a|aei|p|");
  Add(2, {{"q", 15, "x"}, {"r", 18, "x"}});
  ASSERT_TRUE(Drop("p", "r", End::kIsWithin).ok());  // Both may go together.
  EXPECT_EQ(Files(), "a|aei||");
}

TEST_F(FileDropTest, WhatIsBeingCompactedStays) {
  parts.world.Files(1)[1]->being_compacted = true;
  ASSERT_TRUE(Drop(nullptr, nullptr, End::kIsOutside).ok());
  EXPECT_EQ(Files(), "a|e||");
}

TEST_F(FileDropTest, WhereNothingGoesNothingIsWritten) {
  const uint64_t before = ManifestBytes();
  ASSERT_TRUE(Drop("m", "z", End::kIsWithin).ok());
  ASSERT_TRUE(FileDrop(context).Drop(parts.world.cfd, nullptr, 0, true).ok());
  EXPECT_EQ(ManifestBytes(), before);
}

TEST_F(FileDropTest, WithoutTheManifestAllStays) {
  parts.world.f.fs->FailCall({.call = 1, .path_contains = "MANIFEST"});
  EXPECT_TRUE(Drop("e", "g", End::kIsWithin).IsIOError());
  EXPECT_EQ(errors.count, 1);
  EXPECT_EQ(Files(), "a|aei||");
  EXPECT_FALSE(parts.world.Files(1)[1]->being_compacted);
}

TEST_F(FileDropTest, AFamilyThatIsGoneHasNothingToDrop) {
  parts.world.cfd->MarkDropped();
  EXPECT_TRUE(Drop("e", "g", End::kIsWithin).IsColumnFamilyDropped());
  EXPECT_EQ(Files(), "a|aei||");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
