// Compaction jobs without a database: what they write, and what they do not
// install.
#include "db/compaction/compaction_job.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/db/compaction/job_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class CompactionJobTest : public ::testing::Test {
 protected:
  ~CompactionJobTest() override { world_.Close(); }
  void Create() { ASSERT_NO_FATAL_FAILURE(world_.Create()); }
  void Flush(const std::string& text) {
    const Status s = world_.Flush(text);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  // Nothing has changed, and no file of a job is left.
  void ExpectAsBefore(const std::string& before) {
    EXPECT_EQ(world_.Dump(), before);
    EXPECT_EQ(world_.FilesOnDisk(), world_.FilesInVersion());
  }

  JobWorld world_;
};

// compaction_verify_record_count: a file that yields fewer entries than its
// properties say has lost some.
TEST_F(CompactionJobTest, LostRecordsAreNoticed) {
  for (const bool verifies : {true, false}) {
    SCOPED_TRACE(verifies);
    JobWorld world;
    world.f.db_options.compaction_verify_record_count = verifies;
    ASSERT_NO_FATAL_FAILURE(world.Create());
    ASSERT_TRUE(world.Flush("a@1=x b@2=y b-c@3").ok());
    ASSERT_TRUE(world.Flush("a@4=z").ok());
    const std::string before = world.Dump();
    ++world.Files(0)[1]->entry_count;
    const Status s = world.Compact(0, 1);
    if (verifies) {
      EXPECT_TRUE(s.IsCorruption()) << s.ToString();
      EXPECT_NE(s.ToString().find("read 2 entries"), std::string::npos)
          << s.ToString();
      EXPECT_EQ(world.Dump(), before);
      EXPECT_EQ(world.FilesOnDisk(), world.FilesInVersion());
      --world.Files(0)[1]->entry_count;
      EXPECT_TRUE(world.Compact(0, 1).ok());
    } else {
      EXPECT_TRUE(s.ok()) << s.ToString();
    }
    EXPECT_EQ(world.Dump(), "L1 [a@0=z]");
    world.Close();
  }
}

TEST_F(CompactionJobTest, SequencesThatNobodyAsksForBecomeZero) {
  Create();
  world_.snapshots = {3};
  Flush("a@1=x b@2=y b@4=z c@5!");
  ASSERT_TRUE(world_.Compact(0, 1).ok());
  EXPECT_EQ(world_.Dump(), "L1 [a@0=x b@4=z b@0=y]");
  world_.snapshots.clear();
  ASSERT_TRUE(world_.Compact(1, 2).ok());
  EXPECT_EQ(world_.Dump(), "L2 [a@0=x b@0=z]");
}

// No file has a tombstone that reaches into another one.
TEST_F(CompactionJobTest, TombstonesAreCutWhereFilesEnd) {
  Create();
  // They have something to delete below.
  Flush("a@1=x z@2=x");
  ASSERT_TRUE(world_.Compact(0, 3).ok());
  const std::string value(3000, 'v');
  Flush("b-y@3 a@4=" + value + " c@5=" + value + " e@6=" + value);
  world_.max_output_bytes = 4000;
  ASSERT_TRUE(world_.Compact(0, 1).ok());
  const std::vector<FileRef> files = world_.Files(1);
  ASSERT_GE(files.size(), 2u);
  std::string end = "b";
  for (size_t i = 0; i < files.size(); ++i) {
    for (const TextEntry& e : world_.Entries(files[i])) {
      if (e.type != kTypeRangeDeletion) continue;
      EXPECT_EQ(e.user_key, end) << i;
      EXPECT_EQ(e.sequence, 3u);
      end = e.value;
    }
    if (i == 0) continue;
    EXPECT_LT(
        world_.cfd->order().Compare(files[i - 1]->largest, files[i]->smallest),
        0);
  }
  EXPECT_EQ(end, "y") << "one piece behind the other";
}

TEST_F(CompactionJobTest, CanceledJobsLeaveNothing) {
  Create();
  Flush("a@1=x b@2=y");
  Flush("a@3=z");
  const std::string before = world_.Dump();
  world_.canceled = true;
  Status s = world_.Compact(0, 1);
  EXPECT_TRUE(s.IsManualCompactionPaused()) << s.ToString();
  ExpectAsBefore(before);
  world_.canceled = false;
  world_.shutting_down = true;
  s = world_.Compact(0, 1);
  EXPECT_TRUE(s.IsShutdownInProgress()) << s.ToString();
  ExpectAsBefore(before);
  world_.shutting_down = false;
  ASSERT_TRUE(world_.Compact(0, 1).ok());
  EXPECT_EQ(world_.Dump(), "L1 [a@0=z b@0=y]");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
