// Files of an edit whose write failed: the manifest may or may not name them.
// They stay as long as that is so, and go with the next manifest.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/fault_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ManifestDoubtTest : public ::testing::TestWithParam<bool> {
 protected:
  ManifestDoubtTest() : world_(1, /*is_direct=*/false, /*value_bytes=*/200) {
    world_.options_.max_bgerror_resume_count = 0;
    world_.options_.level_compaction_dynamic_level_bytes = false;
    if (GetParam()) world_.UseBlobs();
  }
  Status Write() { return world_.Write(kDefaultColumnFamilyName); }
  void FailManifest(uint64_t call) {
    world_.fs_->FailCall({.call = call, .path_contains = "MANIFEST"});
  }
  // Until no job of the database is left that could delete anything.
  void AwaitJobs() {
    WaitForCompactOptions purge;
    purge.wait_for_purge = true;
    ASSERT_OK(world_.db_->WaitForCompact(purge));
  }
  void ResumeAndExpectNoOrphans() {
    ASSERT_OK(world_.db_->Resume());
    ASSERT_NO_FATAL_FAILURE(AwaitJobs());
    EXPECT_EQ(world_.Orphans(), std::vector<std::string>());
    EXPECT_EQ(world_.Check(/*is_live=*/true), "");
  }

  FaultWorld world_;
};

TEST_P(ManifestDoubtTest, OutputsOfFlushesGo) {
  ASSERT_OK(world_.Open());
  for (int round = 0; round < 4; ++round) {
    ASSERT_OK(Write());
    // The write of the record, or its sync.
    FailManifest(1 + round % 2);
    EXPECT_TRUE(world_.FlushAll().IsIOError());
    EXPECT_TRUE(world_.fs_->failed());
    world_.fs_->ClearFault();
    ASSERT_NO_FATAL_FAILURE(ResumeAndExpectNoOrphans());
  }
}

TEST_P(ManifestDoubtTest, OutputsOfCompactionsGo) {
  ASSERT_OK(world_.Open());
  for (int round = 0; round < 4; ++round) {
    for (int file = 0; file < 2; ++file) {
      ASSERT_OK(Write());
      ASSERT_OK(world_.FlushAll());
    }
    FailManifest(1 + round % 2);
    EXPECT_FALSE(world_.CompactAll(world_.handles_[0]).ok());
    EXPECT_TRUE(world_.fs_->failed());
    world_.fs_->ClearFault();
    // Resume() needs no new manifest; the next job does.
    ASSERT_OK(world_.db_->Resume());
    ASSERT_OK(world_.CompactAll(world_.handles_[0]));
    ASSERT_NO_FATAL_FAILURE(AwaitJobs());
    EXPECT_EQ(world_.Orphans(), std::vector<std::string>());
    EXPECT_EQ(world_.Check(/*is_live=*/true), "");
  }
}

// The record reached the file, though its sync failed: the next open finds it.
TEST_P(ManifestDoubtTest, UntilThenTheyStay) {
  // Every job looks for files that are left over.
  world_.options_.delete_obsolete_files_period_micros = 0;
  ASSERT_OK(world_.Open());
  ASSERT_OK(Write());
  FailManifest(2);
  EXPECT_TRUE(world_.FlushAll().IsIOError());
  EXPECT_TRUE(world_.fs_->failed());
  world_.fs_->ClearFault();
  // Whatever the failed job still had to do is done.
  ASSERT_OK(world_.db_->PauseBackgroundWork());
  ASSERT_OK(world_.db_->ContinueBackgroundWork());
  EXPECT_FALSE(world_.Orphans().empty());
  // Closing without a flush stands for a killed process: what it handed to the
  // operating system is kept.
  world_.options_.avoid_flush_during_shutdown = true;
  ASSERT_OK(world_.Open());
  EXPECT_EQ(world_.Check(/*is_live=*/true), "");
  EXPECT_EQ(world_.Orphans(), std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(BlobFiles, ManifestDoubtTest, ::testing::Bool());

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
