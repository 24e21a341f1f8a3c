// What users ask of the log is done: a flush reaches the operating system, a
// sync the device, a lock stops it; failures are told.
#include "db/intake/log_requests.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/db/intake/intake_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;

class LogRequestsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    // Else each record reaches the operating system by itself.
    world_.f.db_options.manual_wal_flush = true;
    world_.Open();
    requests_ = std::make_unique<LogRequests>(
        LogRequests::Context{.mutex = world_.mutex,
                             .error = &world_.errors,
                             .logs = world_.logs.get(),
                             .wal_lock = &world_.wal_lock,
                             .clean_up = world_.clean_up.get(),
                             .counts = &world_.counts,
                             .errors = world_.job_errors()});
  }
  Status Flush() { return requests_->Flush({.sync = false}); }
  Status Sync() { return requests_->Flush({.sync = true}); }
  void LoseWhatIsNotSynced() const {
    EXPECT_TRUE(world_.f.fs->CrashAndHeal().ok());
  }
  bool IsTaken() {
    MutexLock lock(world_.mutex);
    return world_.wal_lock.IsTaken();
  }
  std::string SyncCount() const {
    return world_.counts.Map(0).at("db.wal_syncs");
  }

  IntakeWorld world_;
  std::unique_ptr<LogRequests> requests_;
};

TEST_F(LogRequestsTest, WhatIsFlushedIsWithTheOperatingSystem) {
  world_.Log("a");
  EXPECT_EQ(world_.Records(), Lines());
  ASSERT_TRUE(Flush().ok());
  EXPECT_EQ(world_.Records(), Lines{"0: a=v"});
  EXPECT_EQ(SyncCount(), "0");
  LoseWhatIsNotSynced();
  // Nor is its name on the device.
  const std::string path =
      LogFileName("/db", world_.logs->wal()->current_number());
  EXPECT_TRUE(world_.f.fs->FileExists(path, IOOptions(), nullptr).IsNotFound());
}

TEST_F(LogRequestsTest, WhatIsSyncedIsOnTheDevice) {
  world_.Log("a");
  ASSERT_TRUE(Sync().ok());
  EXPECT_EQ(SyncCount(), "1");
  world_.Log("b");
  ASSERT_TRUE(Flush().ok());
  LoseWhatIsNotSynced();
  EXPECT_EQ(world_.Records(), Lines{"0: a=v"});
}

TEST_F(LogRequestsTest, ALogThatFailsIsTold) {
  world_.Log("a");
  world_.FailNext(".log");
  EXPECT_TRUE(Flush().IsIOError());
  ASSERT_EQ(world_.told.size(), 1u);
  EXPECT_TRUE(world_.told[0].status.IsIOError());
  EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kWriteCallback);
  EXPECT_TRUE(world_.errors.BlocksWrites());
}

// The file has failed for them, too, though none of their calls has.
TEST_F(LogRequestsTest, ASyncThatFailsBesideWritersEndsTheLog) {
  world_.Log("a");
  ASSERT_TRUE(Flush().ok());
  EXPECT_FALSE(world_.logs->wal()->has_failed());
  world_.FailNext(".log");
  EXPECT_TRUE(Sync().IsIOError());
  EXPECT_EQ(world_.told.size(), 1u);
  EXPECT_TRUE(world_.logs->wal()->has_failed());
  // A sync that is tried again proves nothing.
  world_.f.fs->ClearFault();
  EXPECT_TRUE(Sync().IsIOError());
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.logs->Switch(world_.logs->NextNumber(), 4096).ok());
  }
  EXPECT_FALSE(world_.logs->wal()->has_failed());
  EXPECT_TRUE(world_.logs->wal()->AbandonFailed());
}

// What it lacks is in memtables alone, until a resumption has saved them.
TEST_F(LogRequestsTest, ALogThatIsPassedOverIsNotSynced) {
  world_.Log("a");
  world_.FailNext(".log");
  EXPECT_TRUE(Sync().IsIOError());
  ASSERT_EQ(world_.told.size(), 1u);
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.logs->Switch(world_.logs->NextNumber(), 4096).ok());
  }
  ASSERT_TRUE(world_.logs->wal()->AbandonFailed());
  EXPECT_TRUE(Sync().IsIOError());
  EXPECT_EQ(world_.told.size(), 1u);  // It was told already.
  {
    MutexLock lock(world_.mutex);
    world_.errors.Clear();
  }
  EXPECT_TRUE(Sync().ok());
}

TEST_F(LogRequestsTest, ALogThatIsLockedRestsAndIsFlushed) {
  world_.Log("a");
  ASSERT_TRUE(requests_->Lock().ok());
  EXPECT_TRUE(IsTaken());
  EXPECT_EQ(world_.Records(), Lines{"0: a=v"});
  // The lock does not keep its owner from a sync.
  EXPECT_TRUE(Sync().ok());
  ASSERT_TRUE(requests_->Unlock().ok());
  EXPECT_FALSE(IsTaken());
  EXPECT_TRUE(requests_->Unlock().IsAborted());
}

TEST_F(LogRequestsTest, ALogThatFailsIsNotLocked) {
  world_.Log("a");
  world_.FailNext(".log");
  EXPECT_TRUE(requests_->Lock().IsIOError());
  EXPECT_FALSE(IsTaken());
  EXPECT_EQ(world_.told.size(), 1u);
}

TEST_F(LogRequestsTest, ASyncAtRestTellsIfItFails) {
  world_.Log("a");
  ASSERT_TRUE(requests_->SyncAtRest().ok());
  world_.Log("b");
  world_.FailNext(".log");
  EXPECT_TRUE(requests_->SyncAtRest().IsIOError());
  EXPECT_EQ(world_.told.size(), 1u);
  world_.f.fs->ClearFault();
  LoseWhatIsNotSynced();
  EXPECT_EQ(world_.Records(), Lines{"0: a=v"});
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
