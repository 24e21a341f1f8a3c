// Compactions that users ask for take ranges down level by level, take files by
// name or move them, and what cannot be done is refused.
#include "db/jobs/manual_compactions.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/db/jobs/jobs_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ManualCompactionsTest : public ::testing::Test {
 protected:
  // Each text is a file of level 0, the oldest first.
  void Fill(const std::vector<std::string>& files) {
    for (const std::string& text : files) {
      ASSERT_TRUE(parts.world.Flush(text).ok());
    }
    MutexLock lock(&parts.world.mutex);
    parts.publisher->Publish(parts.world.cfd);
  }
  Status CompactAll(CompactRangeOptions options = CompactRangeOptions()) {
    ManualCompaction manual;
    manual.cfd = parts.world.cfd;
    return parts.on_request->CompactRange(options, &manual);
  }
  std::string Levels() {
    std::string text;
    for (int level = 0; level < parts.world.f.family.num_levels; ++level) {
      text += std::to_string(parts.world.Files(level).size());
    }
    return text;
  }

  JobsWorld parts;
};

TEST_F(ManualCompactionsTest, ARangeGoesDownFromLevelZero) {
  Fill({"a@1=x b@2=x", "a@3=y c@4=y"});
  EXPECT_EQ(Levels(), "2000");
  ASSERT_TRUE(CompactAll().ok());
  EXPECT_EQ(Levels(), "0100");
  EXPECT_EQ(parts.told_errors, 0);
  MutexLock lock(&parts.world.mutex);
  EXPECT_TRUE(parts.manual.empty());
  EXPECT_FALSE(parts.manual.HasExclusive());
}

// Level 0 would be merged with level 1, and the result with level 2.
TEST_F(ManualCompactionsTest, ThreeLevelsAreMergedAtOnce) {
  Fill({"a@1=x c@2=x"});
  ASSERT_TRUE(CompactAll().ok());
  {
    MutexLock lock(&parts.world.mutex);
    ASSERT_TRUE(parts.on_request->MoveToLevel(parts.world.cfd, 1, 2).ok());
  }
  Fill({"a@3=y", "c@4=y"});
  ManualCompactions::Files files;
  for (const FileRef& file : parts.world.Files(0)) {
    files.numbers.push_back(file->number);
  }
  files.output_level = 1;
  std::optional<CompactionJobInfo> done;
  ASSERT_TRUE(
      parts.on_request
          ->CompactFiles(CompactionOptions(), parts.world.cfd, files, &done)
          .ok());
  Fill({"a@5=z", "b@6=z c@7=z"});
  ASSERT_EQ(Levels(), "2110");
  const uint64_t next = parts.world.versions->next_file_number();
  ASSERT_TRUE(CompactAll().ok());
  EXPECT_EQ(Levels(), "0010");
  // Another pass would have taken the number.
  EXPECT_EQ(parts.world.Files(2).front()->number, next);
}

TEST_F(ManualCompactionsTest, FilesGoToAnotherLevelAsTheyAre) {
  Fill({"a@1=x"});
  ASSERT_TRUE(CompactAll().ok());
  const uint64_t number = parts.world.Files(1).front()->number;
  {
    MutexLock lock(&parts.world.mutex);
    ASSERT_TRUE(parts.on_request->MoveToLevel(parts.world.cfd, 1, 3).ok());
    EXPECT_EQ(parts.family->level_changes, 0);
    EXPECT_FALSE(parts.placing.is_begun());
  }
  EXPECT_EQ(Levels(), "0001");
  EXPECT_EQ(parts.world.Files(3).front()->number, number);
}

TEST_F(ManualCompactionsTest, FilesAreCompactedByName) {
  Fill({"a@1=x", "a@2=y"});
  ManualCompactions::Files files;
  for (const FileRef& file : parts.world.Files(0)) {
    files.numbers.push_back(file->number);
  }
  files.output_level = 2;
  std::optional<CompactionJobInfo> done;
  ASSERT_TRUE(
      parts.on_request
          ->CompactFiles(CompactionOptions(), parts.world.cfd, files, &done)
          .ok());
  EXPECT_EQ(Levels(), "0010");
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(done->output_files.size(), 1u);
  MutexLock lock(&parts.world.mutex);
  EXPECT_TRUE(parts.manual.IsIdle());
  EXPECT_EQ(parts.scheduler.running_compactions(), 0);
}

TEST_F(ManualCompactionsTest, WhatIsNotAllowedDoesNotRun) {
  Fill({"a@1=x", "a@2=y"});
  ASSERT_TRUE(parts.stop.DisableManual());
  EXPECT_TRUE(CompactAll().IsManualCompactionPaused());
  ManualCompactions::Files files;
  files.numbers.push_back(parts.world.Files(0).front()->number);
  std::optional<CompactionJobInfo> done;
  EXPECT_TRUE(
      parts.on_request
          ->CompactFiles(CompactionOptions(), parts.world.cfd, files, &done)
          .IsManualCompactionPaused());
  EXPECT_FALSE(done.has_value());
  parts.stop.EnableManual();
  files.output_path_id = 7;
  EXPECT_TRUE(
      parts.on_request
          ->CompactFiles(CompactionOptions(), parts.world.cfd, files, &done)
          .IsInvalidArgument());
  EXPECT_EQ(Levels(), "2000");
}

TEST_F(ManualCompactionsTest, AFamilyThatIsGoneHasNoFiles) {
  Fill({"a@1=x"});
  {
    MutexLock lock(&parts.world.mutex);
    parts.families.Remove(parts.world.cfd->id());
  }
  std::optional<CompactionJobInfo> done;
  EXPECT_TRUE(
      parts.on_request
          ->CompactFiles(CompactionOptions(), parts.world.cfd, {}, &done)
          .IsColumnFamilyDropped());
}

TEST_F(ManualCompactionsTest, AnErrorIsTheCallersAndTheJobs) {
  Fill({"a@1=x", "a@2=y"});
  parts.stop.BeginAbort();
  EXPECT_TRUE(CompactAll().IsCompactionAborted());
  EXPECT_TRUE(parts.stop.EndAbort());
  {
    MutexLock lock(&parts.world.mutex);
    parts.errors.Set(Status::IOError("device"),
                     BackgroundErrorReason::kCompaction);
  }
  EXPECT_TRUE(CompactAll().IsIOError());
  EXPECT_EQ(Levels(), "2000");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
