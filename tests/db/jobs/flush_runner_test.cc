// What is queued becomes a table; a flush that fails loses nothing, and the
// others wait for its cause to be gone.
#include "db/jobs/flush_runner.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/db/jobs/flush_runner_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;
using FlushRunnerTest = FlushRunnerFixture;

// --- one family

TEST_F(FlushRunnerTest, WhatIsQueuedBecomesATable) {
  Open();
  Put("a");
  const uint64_t old_log = CurrentLog();
  Ask({family_});
  size_t before = 0;
  size_t after = 1;
  watch_->on_begin = [&] { before = WaitingCount(family_); };
  watch_->on_completed = [&] { after = WaitingCount(family_); };
  world_.env.RunNext();
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
  const std::string number = std::to_string(world_.stored.Files(0)[0]->number);
  EXPECT_EQ(watch_->lines,
            (Lines{"begins default", "made " + number + " of default"}));
  EXPECT_EQ(before, 1u);
  EXPECT_EQ(after, 0u);
  // The log that it was in is not needed any more.
  EXPECT_EQ(MinLogToKeep(), CurrentLog());
  world_.obsolete->Purge();
  EXPECT_TRUE(
      world_.f.fs->FileExists(LogFileName("/db", old_log), IOOptions(), nullptr)
          .IsNotFound());
  EXPECT_TRUE(world_.told.empty());
  MutexLock lock(world_.mutex);
  EXPECT_EQ(world_.scheduler.running_flushes(), 0);
  EXPECT_FALSE(world_.scheduler.HasThreads());
  EXPECT_FALSE(family_->schedule.queued_for_flush);
}

TEST_F(FlushRunnerTest, AThreadOfTheCallersDoesTheSame) {
  Open();
  world_.Insert(family_, "a");
  {
    MutexLock lock(world_.mutex);
    world_.scheduler.Pause();
  }
  Ask({family_});
  MutexLock lock(world_.mutex);
  ASSERT_TRUE(world_.scheduler.Continue());
  world_.scheduler.JoinFlushes();
  world_.runner->RunQueued(Env::Priority::USER);
  world_.scheduler.LeaveJoinedFlushes();
  EXPECT_EQ(family_->current()->storage().FileCount(), 1u);
  const FamilyStats& stats = world_.families.Find(family_->id())->stats;
  const std::string table =
      stats.LevelTable("default", family_->current()->storage());
  EXPECT_NE(table.find("User"), std::string::npos) << table;
  EXPECT_EQ(table.find("High"), std::string::npos) << table;
}

TEST_F(FlushRunnerTest, AFamilyThatHasGoneIsPassedOver) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  const ColumnFamilyRef held = other->shared_from_this();
  world_.Insert(other, "b");
  Ask({other});
  world_.Insert(family_, "a");
  Ask({family_});
  world_.Drop(other);
  {
    MutexLock lock(world_.mutex);
    world_.runner->RunQueued(Env::Priority::USER);
    EXPECT_FALSE(world_.scheduler.HasFlushes());
  }
  RunJobs();
  EXPECT_EQ(world_.Tables(), "L0 [a@2=v]");
  EXPECT_EQ(watch_->lines.front(), "begins default");
  EXPECT_EQ(WaitingCount(other), 1u);
}

// What was sealed while a flush ran is not of it.
TEST_F(FlushRunnerTest, WhatIsSealedMeanwhileIsFlushedNext) {
  Open();
  world_.Insert(family_, "a");
  Ask({family_});
  watch_->on_begin = [this] {
    watch_->on_begin = nullptr;
    Seal(family_, "b");
  };
  RunJobs();
  EXPECT_EQ(world_.Tables(), "L0 [b@2=v] [a@1=v]");
  EXPECT_EQ(WaitingCount(family_), 0u);
}

TEST_F(FlushRunnerTest, ATableMayMakeACompactionDue) {
  world_.f.family.level0_file_num_compaction_trigger = 1;
  Open();
  world_.Insert(family_, "a");
  Ask({family_});
  world_.env.RunNext();
  {
    MutexLock lock(world_.mutex);
    EXPECT_EQ(world_.scheduler.queued_compactions(), 1u);
  }
  RunJobs();
}

// A thread that waits for the flush goes on only after listeners are told.
TEST_F(FlushRunnerTest, WhoeverWaitsGoesOnAfterListeners) {
  Open();
  world_.Insert(family_, "a");
  Ask({family_});
  uint64_t id = 0;
  {
    MutexLock lock(world_.mutex);
    id = family_->imm()->current()->front()->id();
  }
  bool is_waiting = false;  // (mutex), like went_on
  bool went_on = false;
  std::thread waiter;
  watch_->on_completed = [&] {
    waiter = std::thread([&] {
      MutexLock lock(world_.mutex);
      is_waiting = true;
      world_.changes.Note();
      EXPECT_TRUE(world_.flushes->Wait(family_, id).ok());
      went_on = true;
    });
    MutexLock lock(world_.mutex);
    while (!is_waiting) world_.changes.Await();
    EXPECT_FALSE(went_on);
  };
  world_.env.RunNext();
  waiter.join();
}

// --- failures

// Every call that changes a file fails once.
TEST_F(FlushRunnerTest, OfAFlushThatFailsNothingIsLost) {
  for (uint64_t call = 1;; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const auto watch = std::make_shared<FlushWatch>();
    FlushingWorld world;
    world.f.db_options.listeners.push_back(watch);
    world.Open();
    ColumnFamilyData* const cfd = world.default_family;
    world.Insert(cfd, "a");
    const auto ask = [&] {
      MutexLock lock(world.mutex);
      world.errors.Clear();
      ASSERT_TRUE(
          world.memtables->SealAndQueue({cfd}, FlushReason::kManualFlush).ok());
    };
    ask();
    world.f.fs->FailCall({.call = call});
    world.env.RunNext();
    const bool has_failed = world.f.fs->failed();
    world.f.fs->ClearFault();
    if (!world.told.empty()) {
      EXPECT_TRUE(has_failed);
      ASSERT_EQ(world.told.size(), 1u);
      EXPECT_EQ(world.told[0].reason, BackgroundErrorReason::kFlush);
      EXPECT_EQ(watch->lines, (Lines{"begins default"}));
      EXPECT_EQ(world.Tables(), "");
      MutexLock lock(world.mutex);
      EXPECT_EQ(cfd->imm()->size(), 1u);
      EXPECT_FALSE(cfd->imm()->IsFlushRunning());
      EXPECT_EQ(world.scheduler.running_flushes(), 0);
    }
    if (!world.told.empty()) {
      ask();
      world.env.RunNext();
    }
    EXPECT_EQ(world.Tables(), "L0 [a@1=v]");
    if (!has_failed) break;
    ASSERT_LT(call, 200u);
  }
}

TEST_F(FlushRunnerTest, AFlushOfWhatNoLogHasFailsForAnotherReason) {
  Open();
  world_.Insert(family_, "a");
  world_.flushes->NoteUnlogged();
  Ask({family_});
  world_.FailNext(".sst");
  RunJobs();
  ASSERT_EQ(world_.told.size(), 1u);
  EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kFlushNoWAL);
  TryAgain();
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
}

// The others are not tried at once: they would fail as well.
TEST_F(FlushRunnerTest, AfterAFailureTheOthersWait) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  world_.Insert(family_, "a");
  world_.Insert(other, "b");
  Ask({family_, other});
  world_.FailNext(".sst");
  {
    MutexLock lock(world_.mutex);
    world_.runner->RunQueued(Env::Priority::USER);
    EXPECT_TRUE(world_.scheduler.HasFlushes());
  }
  EXPECT_EQ(WaitingCount(family_) + WaitingCount(other), 2u);
  TryAgain();
  EXPECT_EQ(TableCount(family_), 1u);
  EXPECT_EQ(TableCount(other), 1u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
