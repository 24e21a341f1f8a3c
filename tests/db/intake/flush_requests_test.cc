// Flushes that are asked for seal the right memtables, wait or do not wait as
// asked, go together where families must, and tell failures to those who wait.
#include "db/intake/flush_requests.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/background/wait_limit.h"
#include "db/write/exclusive.h"
#include "tests/db/intake/flushing_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;

// Is told of what is sealed and asked for, and may do something about it.
class RequestListener final : public EventListener {
 public:
  void OnMemTableSealed(const MemTableInfo& info) override {
    sealed.push_back(info.cf_name);
    if (on_sealed != nullptr) on_sealed();
  }
  void OnManualFlushScheduled(
      DB* /*db*/, const std::vector<ManualFlushInfo>& infos) override {
    for (const ManualFlushInfo& info : infos) {
      EXPECT_EQ(info.flush_reason, FlushReason::kManualFlush);
      asked.push_back(info.cf_name);
    }
    if (on_asked != nullptr) on_asked();
  }

  Lines sealed;
  Lines asked;
  std::function<void()> on_sealed;
  std::function<void()> on_asked;
};

class FlushRequestsTest : public ::testing::Test {
 protected:
  void Open() {
    world_.f.db_options.listeners.push_back(listener_);
    world_.Open();
    family_ = world_.default_family;
  }
  Status Flush(const FlushRequests::Families& families,
               FlushReason reason = FlushReason::kManualFlush) {
    return world_.requests->Flush(options_, families, reason);
  }
  // For WaitForCompact().
  Status BeginFlushAll(const WaitForCompactOptions& options) {
    return world_.requests->BeginFlushAll(
        WaitLimit({.scheduler = &world_.scheduler,
                   .stop = &world_.stop,
                   .changes = &world_.changes},
                  options));
  }
  Status Put(const std::string& key, bool is_logged = true) {
    WriteOptions options;
    options.disableWAL = !is_logged;
    WriteBatch batch;
    EXPECT_TRUE(batch.Put(key, "v").ok());
    return world_.pipeline->Write(options, &batch, nullptr);
  }
  // Runs what the thread of the test will ask for.
  std::thread RunNextJob() {
    return std::thread([this] { world_.env.AwaitAndRun(); });
  }
  void RunJobs() {
    while (world_.env.job_count() > 0) world_.env.RunNext();
  }
  Status LockLog() {
    return world_.wal_lock.Take([] { return Status::OK(); });
  }
  Status UnlockLog() { return world_.wal_lock.GiveBack(); }
  size_t SealedCount(ColumnFamilyData* cfd) const {
    MutexLock lock(world_.mutex);
    return cfd->imm()->size();
  }
  FlushReason ReasonOf(ColumnFamilyData* cfd) const {
    MutexLock lock(world_.mutex);
    return world_.families.Find(cfd->id())->flush_reason;
  }
  // A flush fails as it makes its table.
  void FailNextTable() const { world_.FailNext(".sst"); }

  const std::shared_ptr<RequestListener> listener_ =
      std::make_shared<RequestListener>();
  FlushingWorld world_;
  ColumnFamilyData* family_ = nullptr;
  FlushOptions options_;
};

TEST_F(FlushRequestsTest, WhoDoesNotWaitHasItDoneLater) {
  Open();
  world_.Insert(family_, "a");
  options_.wait = false;
  ASSERT_TRUE(Flush({family_}).ok());
  EXPECT_TRUE(family_->mem()->empty());
  EXPECT_EQ(world_.Tables(), "");
  ASSERT_EQ(world_.env.job_count(), 1u);
  world_.env.RunNext();
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
  EXPECT_EQ(SealedCount(family_), 0u);
  EXPECT_EQ(listener_->asked, (Lines{"default"}));
}

TEST_F(FlushRequestsTest, WhoWaitsFindsATable) {
  Open();
  world_.Insert(family_, "a");
  std::thread job = RunNextJob();
  EXPECT_TRUE(Flush({family_}).ok());
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
  job.join();
}

TEST_F(FlushRequestsTest, OnlyWhoWaitsLearnsOfAFailure) {
  Open();
  listener_->on_asked = [this] {
    FailNextTable();
    world_.env.RunNext();
  };
  world_.Insert(family_, "a");
  EXPECT_TRUE(Flush({family_}).IsIOError());
  EXPECT_EQ(SealedCount(family_), 1u);  // Nothing of it is lost.
  {
    MutexLock lock(world_.mutex);
    world_.errors.Clear();
  }
  options_.wait = false;
  EXPECT_TRUE(Flush({family_}).ok());
  EXPECT_EQ(SealedCount(family_), 1u);
  EXPECT_EQ(world_.told.size(), 2u);
}

TEST_F(FlushRequestsTest, ThereMayBeNothingToFlush) {
  Open();
  EXPECT_TRUE(Flush({family_}).ok());
  EXPECT_EQ(world_.env.job_count(), 0u);
  EXPECT_EQ(listener_->sealed, Lines());
}

TEST_F(FlushRequestsTest, OnlyWhatUsersAskForIsToldAsTheirs) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  world_.Insert(family_, "a");
  options_.wait = false;
  ASSERT_TRUE(Flush({family_}, FlushReason::kShutDown).ok());
  EXPECT_EQ(listener_->asked, Lines());
  EXPECT_EQ(ReasonOf(family_), FlushReason::kShutDown);
  world_.env.RunNext();
  ASSERT_TRUE(Flush({other, family_}).ok());
  EXPECT_EQ(listener_->asked, (Lines{"other", "default"}));
}

TEST_F(FlushRequestsTest, WithADroppedFamilyNothingIsFlushed) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  const ColumnFamilyRef held = other->shared_from_this();
  world_.Insert(family_, "a");
  world_.Drop(other);
  EXPECT_TRUE(Flush({family_, other}).IsColumnFamilyDropped());
  EXPECT_FALSE(family_->mem()->empty());
  EXPECT_EQ(listener_->asked, Lines());
}

TEST_F(FlushRequestsTest, ALogThatCannotBeginIsAnErrorOfWhoAsks) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  world_.FailNextLog();
  options_.wait = false;
  EXPECT_TRUE(Flush({family_}).IsIOError());
  EXPECT_FALSE(family_->mem()->empty());
  EXPECT_EQ(listener_->asked, Lines());
  EXPECT_EQ(world_.env.job_count(), 0u);
}

// --- under a lock of the log

TEST_F(FlushRequestsTest, UnderALockOfTheLogNothingIsSealed) {
  Open();
  world_.Insert(family_, "a");
  ASSERT_TRUE(LockLog().ok());
  EXPECT_TRUE(Flush({family_}).IsAborted());
  options_.wait = false;
  EXPECT_TRUE(Flush({family_}).IsTryAgain());
  EXPECT_FALSE(family_->mem()->empty());
  ASSERT_TRUE(UnlockLog().ok());
  EXPECT_TRUE(Flush({family_}).ok());
  world_.env.RunNext();
}

TEST_F(FlushRequestsTest, UnderALockOfTheLogWhatIsSealedIsFlushed) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  world_.Insert(family_, "a");
  world_.Insert(other, "b");  // It is not asked for.
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.memtables->SealOlder({family_}).ok());
  }
  ASSERT_TRUE(LockLog().ok());
  options_.wait = false;
  EXPECT_TRUE(Flush({family_}).ok());
  world_.env.RunNext();
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
  EXPECT_FALSE(other->mem()->empty());
  ASSERT_TRUE(UnlockLog().ok());
}

TEST_F(FlushRequestsTest, WhereFlushesGoTogetherAnyFamilyMayBeInTheWay) {
  world_.f.db_options.atomic_flush = true;
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  world_.Insert(other, "b");
  ASSERT_TRUE(LockLog().ok());
  EXPECT_TRUE(Flush({family_}).IsAborted());
  EXPECT_FALSE(other->mem()->empty());
  ASSERT_TRUE(UnlockLog().ok());
}

TEST_F(FlushRequestsTest, AUserMayWantFamiliesFlushedTogetherOnce) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  world_.Insert(family_, "a");
  world_.Insert(other, "b");
  options_.wait = false;
  options_.force_atomic_flush = true;
  // The option has no effect on a flush of one family.
  ASSERT_TRUE(Flush({family_}).ok());
  EXPECT_FALSE(other->mem()->empty());
  world_.env.RunNext();
  world_.Insert(family_, "c");
  ASSERT_TRUE(Flush({family_, other}).ok());
  {
    MutexLock lock(world_.mutex);
    EXPECT_TRUE(world_.flushes->FlushesTogether());
  }
  ASSERT_EQ(world_.env.job_count(), 1u);
  world_.env.RunNext();
  EXPECT_EQ(SealedCount(family_) + SealedCount(other), 0u);
  MutexLock lock(world_.mutex);
  EXPECT_FALSE(world_.flushes->FlushesTogether());
}

// --- waiting for room

TEST_F(FlushRequestsTest, AFlushThatWouldStallWritersWaitsForRoom) {
  world_.f.family.max_write_buffer_number = 2;
  Open();
  world_.Insert(family_, "a");
  options_.wait = false;
  ASSERT_TRUE(Flush({family_}, FlushReason::kShutDown).ok());
  world_.Insert(family_, "b");
  options_.allow_write_stall = false;
  listener_->sealed.clear();
  std::string tables;
  listener_->on_sealed = [&] { tables = world_.Tables(); };
  std::thread job = RunNextJob();
  EXPECT_TRUE(Flush({family_}).ok());
  job.join();
  // The first one was in a table by the time that the second one was sealed.
  EXPECT_EQ(tables, "L0 [a@1=v]");
  EXPECT_EQ(listener_->sealed, (Lines{"default"}));
  RunJobs();
  EXPECT_EQ(world_.Tables(), "L0 [b@2=v] [a@1=v]");
}

TEST_F(FlushRequestsTest, NobodyWaitsForRoomThatNothingWillMake) {
  world_.f.family.max_write_buffer_number = 2;
  Open();
  world_.Insert(family_, "a");
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.memtables->SealOlder({family_}).ok());
  }
  world_.Insert(family_, "b");
  options_.wait = false;
  options_.allow_write_stall = false;
  EXPECT_TRUE(Flush({family_}).ok());
  EXPECT_EQ(SealedCount(family_), 2u);
  world_.env.RunNext();
}

// What waits there to be merged with more is asked for, else it would wait for
// ever.
TEST_F(FlushRequestsTest, RoomIsMadeOfWhatWaitsForOthers) {
  world_.f.family.min_write_buffer_number_to_merge = 2;
  world_.f.family.level0_file_num_compaction_trigger = 1;
  world_.f.family.level0_slowdown_writes_trigger = 1;
  world_.f.db_options.max_background_flushes = 2;
  Open();
  world_.Insert(family_, "a");
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.memtables->SealOlder({family_}).ok());
    world_.flushes->Queue(family_, FlushReason::kWriteBufferFull);
    ASSERT_FALSE(world_.scheduler.HasFlushes());
    world_.scheduler.JoinFlushes();  // Something is under way.
    world_.scheduler.BeginFlush();
  }
  world_.Insert(family_, "b");
  options_.wait = false;
  options_.allow_write_stall = false;
  std::string tables;
  listener_->on_sealed = [&] { tables = world_.Tables(); };
  std::thread jobs([this] {
    world_.env.AwaitAndRun();  // the flush
    world_.env.AwaitAndRun();  // a compaction, which the table asks for
    MutexLock lock(world_.mutex);
    world_.scheduler.EndFlush();
    world_.scheduler.LeaveJoinedFlushes();
  });
  EXPECT_TRUE(Flush({family_}).ok());
  jobs.join();
  EXPECT_EQ(tables, "L0 [a@1=v]");
  RunJobs();
  EXPECT_EQ(world_.Tables(), "L0 [b@2=v] [a@1=v]");
}

TEST_F(FlushRequestsTest, RoomIsWaitedForNoLongerThanAUserDoes) {
  world_.f.family.max_write_buffer_number = 2;
  Open();
  world_.Insert(family_, "a");
  options_.wait = false;
  ASSERT_TRUE(Flush({family_}, FlushReason::kShutDown).ok());
  world_.Insert(family_, "b");
  WaitForCompactOptions wait;
  wait.timeout = std::chrono::milliseconds(1);
  EXPECT_TRUE(BeginFlushAll(wait).IsTimedOut());
  wait.timeout = std::chrono::hours(1);
  wait.abort_on_pause = true;
  {
    MutexLock lock(world_.mutex);
    world_.scheduler.Pause();
  }
  EXPECT_TRUE(BeginFlushAll(wait).IsAborted());
  EXPECT_FALSE(family_->mem()->empty()) << "nothing has begun";
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.scheduler.Continue());
  }
  RunJobs();
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
  EXPECT_TRUE(BeginFlushAll(wait).ok());
  EXPECT_EQ(SealedCount(family_), 1u);
  RunJobs();
  EXPECT_EQ(world_.Tables(), "L0 [b@2=v] [a@1=v]");
}

TEST_F(FlushRequestsTest, NobodyOutwaitsALeaderThatWaitsItself) {
  Open();
  world_.Insert(family_, "a");
  WaitForCompactOptions wait;
  wait.timeout = std::chrono::milliseconds(1);
  {
    const Exclusive leader(&world_.writes);
    const WriteThread::Stall stall(&world_.writes);
    EXPECT_TRUE(BeginFlushAll(wait).IsTimedOut());
  }
  EXPECT_FALSE(family_->mem()->empty());
  // Under a lock of the log there is no leader to wait for.
  ASSERT_TRUE(LockLog().ok());
  EXPECT_TRUE(BeginFlushAll(wait).IsAborted());
  ASSERT_TRUE(UnlockLog().ok());
  EXPECT_TRUE(BeginFlushAll(wait).ok());
  RunJobs();
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
}

// --- all families, and those that no log has

TEST_F(FlushRequestsTest, AllFamiliesAreFlushed) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  world_.Insert(family_, "a");
  world_.Insert(other, "b");
  std::thread job = RunNextJob();
  EXPECT_TRUE(
      world_.requests->FlushAll(options_, FlushReason::kGetLiveFiles).ok());
  EXPECT_EQ(SealedCount(family_) + SealedCount(other), 0u);
  EXPECT_EQ(ReasonOf(other), FlushReason::kGetLiveFiles);
  job.join();
}

TEST_F(FlushRequestsTest, AFamilyThatIsDroppedMeanwhileIsNotMissed) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  const ColumnFamilyRef held = other->shared_from_this();
  world_.Insert(family_, "a");
  world_.Insert(other, "b");
  listener_->on_asked = [&] {
    listener_->on_asked = nullptr;
    world_.Drop(other);
    world_.env.RunNext();
  };
  EXPECT_TRUE(
      world_.requests->FlushAll(options_, FlushReason::kManualFlush).ok());
  EXPECT_EQ(listener_->asked, (Lines{"default", "other", "default"}));
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
}

TEST_F(FlushRequestsTest, AFailureOfOneIsThatOfAll) {
  Open();
  world_.Insert(family_, "a");
  listener_->on_asked = [this] {
    FailNextTable();
    world_.env.RunNext();
  };
  EXPECT_TRUE(world_.requests->FlushAll(options_, FlushReason::kManualFlush)
                  .IsIOError());
}

TEST_F(FlushRequestsTest, WhatNoLogHasIsFlushedByTheCaller) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  ASSERT_TRUE(Put("a", /*is_logged=*/false).ok());
  world_.Insert(other, "b");
  EXPECT_TRUE(
      world_.requests->FlushOnlyUnlogged(FlushReason::kGetLiveFiles).ok());
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
  EXPECT_FALSE(other->mem()->empty());
  EXPECT_EQ(world_.env.job_count(), 0u);
}

TEST_F(FlushRequestsTest, WhatNoLogHasMayBeSealedAlready) {
  Open();
  ASSERT_TRUE(Put("a", /*is_logged=*/false).ok());
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.memtables->SealOlder({family_}).ok());
  }
  ASSERT_TRUE(LockLog().ok());
  EXPECT_TRUE(
      world_.requests->FlushOnlyUnlogged(FlushReason::kGetLiveFiles).ok());
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
  ASSERT_TRUE(UnlockLog().ok());
}

TEST_F(FlushRequestsTest, WhatLogsHaveStaysInThem) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  EXPECT_TRUE(
      world_.requests->FlushOnlyUnlogged(FlushReason::kGetLiveFiles).ok());
  EXPECT_FALSE(family_->mem()->empty());
  EXPECT_EQ(world_.Tables(), "");
}

TEST_F(FlushRequestsTest, WhatNoLogHasIsStillThereAfterAFailure) {
  Open();
  ASSERT_TRUE(Put("a", /*is_logged=*/false).ok());
  FailNextTable();
  EXPECT_TRUE(world_.requests->FlushOnlyUnlogged(FlushReason::kGetLiveFiles)
                  .IsIOError());
  EXPECT_EQ(SealedCount(family_), 1u);
  ASSERT_EQ(world_.told.size(), 1u);
  EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kFlushNoWAL);
}

// --- in the turn of a write

TEST_F(FlushRequestsTest, AFlushInTheTurnOfAWriteIsWaitedFor) {
  Open();
  world_.Insert(family_, "a");
  std::thread job = RunNextJob();
  {
    const Exclusive exclusive(&world_.writes);
    MutexLock lock(world_.mutex);
    EXPECT_TRUE(
        world_.requests
            ->FlushInTurn({family_}, FlushReason::kExternalFileIngestion)
            .ok());
    EXPECT_TRUE(family_->imm()->empty());
  }
  job.join();
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
}

TEST_F(FlushRequestsTest, AFlushInTheTurnOfAWriteMayFail) {
  Open();
  world_.Insert(family_, "a");
  FailNextTable();
  std::thread job = RunNextJob();
  {
    const Exclusive exclusive(&world_.writes);
    MutexLock lock(world_.mutex);
    EXPECT_TRUE(
        world_.requests
            ->FlushInTurn({family_}, FlushReason::kExternalFileIngestion)
            .IsIOError());
    EXPECT_EQ(family_->imm()->size(), 1u);
  }
  job.join();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
