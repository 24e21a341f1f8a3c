// The desk decides which sealed memtables are flushed now, and together with
// which, and whoever waits for a flush is told its end.
#include "db/jobs/flush_desk.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <utility>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/registry/change_signal.h"
#include "db/write/write_controller.h"
#include "memtable/memtable.h"
#include "rocksdb/env.h"
#include "tests/db/registry/family_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class FlushDeskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    world_.f.family.min_write_buffer_number_to_merge = 2;
    world_.f.family.max_write_buffer_number = 4;
    family_ = world_.Add(0, "default");
    cfd_ = family_->cfd.get();
  }
  // The id of the memtable that is sealed.
  uint64_t Seal() {
    MemTableRef sealed = cfd_->SwitchMemTable(cfd_->NewMemTable(0));
    const uint64_t id = sealed->id();
    sealed->MarkImmutable();
    cfd_->imm()->Add(std::move(sealed));
    return id;
  }
  bool HasFlushes() const { return scheduler_.HasFlushes(); }
  void FailWrites() {
    errors_.Set(Status::IOError("no room"), BackgroundErrorReason::kFlush);
    ASSERT_TRUE(errors_.BlocksWrites());
  }

  FamilyWorld world_;
  FamilyRef family_;
  ColumnFamilyData* cfd_ = nullptr;
  ChangeSignal changes_{&world_.mutex};
  StopSignals stop_;
  ErrorHandler errors_{/*paranoid_checks=*/true};
  ManualQueue manual_;
  WriteController writes_;
  BackgroundScheduler scheduler_{{.env = Env::Default(),
                                  .mutex = &world_.mutex,
                                  .changes = &changes_,
                                  .stop = &stop_,
                                  .errors = &errors_,
                                  .manual = &manual_,
                                  .writes = &writes_,
                                  .work = nullptr}};
  FlushDesk desk_{{.db = world_.f.db.get(),
                   .mutex = &world_.mutex,
                   .families = &world_.families,
                   .scheduler = &scheduler_,
                   .errors = &errors_,
                   .stop = &stop_,
                   .changes = &changes_}};
};

TEST_F(FlushDeskTest, MemtablesThatAreMergedWaitForEachOther) {
  MutexLock lock(&world_.mutex);
  Seal();
  desk_.Queue(cfd_, FlushReason::kWriteBufferFull);
  EXPECT_FALSE(HasFlushes());
  Seal();
  desk_.Queue(cfd_, FlushReason::kWriteBufferFull);
  EXPECT_TRUE(HasFlushes());
}

TEST_F(FlushDeskTest, WhatIsAskedForDoesNotWait) {
  MutexLock lock(&world_.mutex);
  Seal();
  desk_.Queue(cfd_, FlushReason::kManualFlush);
  EXPECT_TRUE(HasFlushes());
  EXPECT_EQ(family_->flush_reason, FlushReason::kManualFlush);
}

TEST_F(FlushDeskTest, WhatHasBeenWaitingIsQueuedWhenItsRoomIsWanted) {
  MutexLock lock(&world_.mutex);
  desk_.QueueRetained(cfd_, FlushReason::kWriteBufferManager);
  EXPECT_FALSE(HasFlushes());  // There is nothing.
  Seal();
  desk_.QueueRetained(cfd_, FlushReason::kWriteBufferFull);
  EXPECT_FALSE(HasFlushes());
  desk_.QueueRetained(cfd_, FlushReason::kWriteBufferManager);
  EXPECT_TRUE(HasFlushes());
}

// What a flush has made of memtables waits for as many as others would.
TEST_F(FlushDeskTest, WhatIsPurgedWaitsForWhatIsSealedNext) {
  MutexLock lock(&world_.mutex);
  Seal();
  Seal();
  const MemTableVector taken = cfd_->imm()->PickForFlush(UINT64_MAX);
  MemTableRef purged = cfd_->NewPurgedMemTable(taken);
  purged->MarkImmutable();
  cfd_->imm()->CommitPurge(taken, std::move(purged), 0);
  desk_.Queue(cfd_, FlushReason::kWriteBufferFull);
  EXPECT_FALSE(HasFlushes());
  Seal();
  desk_.Queue(cfd_, FlushReason::kWriteBufferFull);
  EXPECT_FALSE(HasFlushes());
  Seal();
  desk_.Queue(cfd_, FlushReason::kWriteBufferFull);
  EXPECT_TRUE(HasFlushes());
  EXPECT_FALSE(cfd_->imm()->NeedsFile(*cfd_->imm()->current()));
  desk_.QueueRetained(cfd_, FlushReason::kWalFull);
  EXPECT_TRUE(cfd_->imm()->NeedsFile({cfd_->imm()->current()->back()}));
}

TEST_F(FlushDeskTest, FlushesGoTogetherWhenAskedForOnce) {
  MutexLock lock(&world_.mutex);
  EXPECT_FALSE(desk_.FlushesTogether());
  desk_.WantJoint();
  EXPECT_TRUE(desk_.FlushesTogether());
  desk_.NoteJointDone();
  EXPECT_FALSE(desk_.FlushesTogether());
}

TEST_F(FlushDeskTest, FlushesGoTogetherUntilNoFamilyNeedsALogThatFailed) {
  MutexLock lock(&world_.mutex);
  const uint64_t next = cfd_->log_number() + 1;
  desk_.NoteAbandoned(next);
  EXPECT_TRUE(desk_.FlushesTogether());
  cfd_->set_log_number(next);
  EXPECT_FALSE(desk_.FlushesTogether());
}

TEST_F(FlushDeskTest, WhoeverWaitsIsToldWhatStopsWrites) {
  MutexLock lock(&world_.mutex);
  const uint64_t id = Seal();
  FailWrites();
  EXPECT_TRUE(desk_.Wait(cfd_, id).IsIOError());
  // Nothing that old waits for a flush.
  EXPECT_TRUE(desk_.Wait(cfd_, id - 1).ok());
  stop_.ShutDown();
  EXPECT_TRUE(desk_.Wait(cfd_, id).IsShutdownInProgress());
}

TEST_F(FlushDeskTest, WhoeverWaitsGoesOnWhenListenersHaveBeenTold) {
  const uint64_t id = cfd_->mem()->id();
  std::thread teller([&] {
    MutexLock lock(&world_.mutex);
    desk_.BeginNotice(cfd_, id);
    // It does not wait for itself.
    EXPECT_TRUE(desk_.Wait(cfd_, id).ok());
  });
  teller.join();
  bool has_ended = false;
  std::thread waiter([&] {
    MutexLock lock(&world_.mutex);
    EXPECT_TRUE(desk_.Wait(cfd_, id - 1).ok());  // The notice is of newer ones.
    has_ended = true;
  });
  waiter.join();
  EXPECT_TRUE(has_ended);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
