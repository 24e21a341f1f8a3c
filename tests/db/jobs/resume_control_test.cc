// Errors of background work stay until a user or time mends them, are told to
// listeners, and nothing is resumed in a database that closes.
#include "db/jobs/resume_control.h"

#include <gtest/gtest.h>

#include <memory>

#include "db/background/error_handler.h"
#include "db/background/resume_work.h"
#include "db/background/stop_signals.h"
#include "db/files/space_reserve.h"
#include "db/registry/change_signal.h"
#include "db/registry/state_publisher.h"
#include "db/write/family_publisher.h"
#include "db/write/leader_attention.h"
#include "db/write/write_memory.h"
#include "rocksdb/io_status.h"
#include "tests/db/registry/family_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Takes errors back, if asked to, and counts what it is told.
class Listener final : public EventListener {
 public:
  void OnBackgroundError(BackgroundErrorReason, Status* error) override {
    ++errors;
    if (takes_back) *error = Status::OK();
  }
  void OnErrorRecoveryCompleted(Status) override { ++recoveries; }

  bool takes_back = false;
  int errors = 0;
  int recoveries = 0;
};

class ResumeControlTest : public ::testing::Test, private ResumeWork {
 protected:
  ResumeControlTest() {
    world_.f.db->listeners.push_back(listener_);
    control_ = std::make_unique<ResumeControl>(
        ResumeControl::Context{.db = world_.f.db.get(),
                               .mutex = &world_.mutex,
                               .errors = &errors_,
                               .attention = &attention_,
                               .space = &space_,
                               .memory = &memory_,
                               .changes = &changes_,
                               .stop = &stop_});
    control_->SetWork(this);
  }
  ~ResumeControlTest() override { control_->Stop(); }

  void Fail(const Status& s, BackgroundErrorReason reason) {
    MutexLock lock(&world_.mutex);
    control_->OnBackgroundError(s, reason);
  }
  Status error() {
    MutexLock lock(&world_.mutex);
    return errors_.error();
  }

  void RetryFlushes() override { ++flush_retries_; }
  void RetryCompactions() override { ++compaction_retries_; }
  Status ResumeOnce() override {
    MutexLock lock(&world_.mutex);
    ++resumptions_;
    if (outcome_.ok()) errors_.Clear();
    return outcome_;
  }

  FamilyWorld world_;
  const std::shared_ptr<Listener> listener_ = std::make_shared<Listener>();
  ChangeSignal changes_{&world_.mutex};
  StopSignals stop_;
  ErrorHandler errors_{/*paranoid_checks=*/true};
  LeaderAttention attention_;
  SpaceReserve space_{{.db = world_.f.db.get(),
                       .db_name = "/db",
                       .mutex = &world_.mutex,
                       .families = &world_.families}};
  StatePublisher states_{&world_.mutex, nullptr};
  FamilyPublisher publisher_{{.db = world_.f.db.get(),
                              .mutex = &world_.mutex,
                              .families = &world_.families,
                              .states = &states_,
                              .stalls = nullptr,
                              .attention = &attention_}};
  WriteMemory memory_{{.db = world_.f.db.get(),
                       .families = &world_.families,
                       .publisher = &publisher_}};
  std::unique_ptr<ResumeControl> control_;
  Status outcome_;
  int flush_retries_ = 0;
  int compaction_retries_ = 0;
  int resumptions_ = 0;
};

TEST_F(ResumeControlTest, WithoutAnErrorThereIsNothingToDo) {
  EXPECT_TRUE(control_->Resume().ok());
  EXPECT_EQ(resumptions_, 0);
}

TEST_F(ResumeControlTest, AnErrorStaysUntilAUserHasItMended) {
  Fail(Status::Corruption("a block"), BackgroundErrorReason::kFlush);
  EXPECT_EQ(listener_->errors, 1);
  EXPECT_TRUE(attention_.IsAsked());
  EXPECT_FALSE(error().ok());
  outcome_ = Status::IOError("not yet");
  EXPECT_TRUE(control_->Resume().IsIOError());
  EXPECT_EQ(listener_->recoveries, 0);
  outcome_ = Status::OK();
  EXPECT_TRUE(control_->Resume().ok());
  EXPECT_TRUE(error().ok());
  EXPECT_EQ(resumptions_, 2);
  EXPECT_EQ(listener_->recoveries, 1);
}

TEST_F(ResumeControlTest, AnErrorThatMayPassIsMendedByItself) {
  IOStatus passing = IOStatus::IOError("a moment");
  passing.SetRetryable(true);
  Fail(passing, BackgroundErrorReason::kFlush);
  {
    MutexLock lock(&world_.mutex);
    while (!errors_.error().ok()) changes_.Await();
  }
  control_->Stop();  // Joins the thread of the tries.
  EXPECT_EQ(resumptions_, 1);
  EXPECT_EQ(listener_->recoveries, 1);
}

TEST_F(ResumeControlTest, WhatAListenerTakesBackIsTriedAgain) {
  listener_->takes_back = true;
  Fail(Status::IOError("a table"), BackgroundErrorReason::kFlush);
  EXPECT_EQ(flush_retries_, 1);
  EXPECT_EQ(compaction_retries_, 0);
  Fail(Status::IOError("a table"), BackgroundErrorReason::kCompaction);
  EXPECT_EQ(flush_retries_, 1);
  EXPECT_EQ(compaction_retries_, 1);
  EXPECT_TRUE(error().ok());
}

TEST_F(ResumeControlTest, AnEditThatIsRefusedIsNoError) {
  MutexLock lock(&world_.mutex);
  EXPECT_FALSE(control_->OnManifestError(Status::InvalidArgument("a name")));
  EXPECT_TRUE(errors_.error().ok());
  EXPECT_TRUE(control_->OnManifestError(Status::IOError("the manifest")));
  EXPECT_FALSE(errors_.error().ok());
}

TEST_F(ResumeControlTest, NobodyResumesADatabaseThatCloses) {
  Fail(Status::Corruption("a block"), BackgroundErrorReason::kFlush);
  stop_.ShutDown();
  EXPECT_TRUE(control_->Resume().IsShutdownInProgress());
  EXPECT_EQ(resumptions_, 0);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
