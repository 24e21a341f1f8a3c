// Flushes of several families, those that keep memtables in memory, and what
// both need of the logs.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/db/jobs/flush_runner_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class JointFlushTest : public FlushRunnerFixture {
 protected:
  void Open() {
    FlushRunnerFixture::Open();
    other_ = world_.Add("other");
  }
  void PutOther(const std::string& key) {
    WriteBatch batch;
    const Slice slice(key);
    const SliceParts parts(&slice, 1);
    ASSERT_TRUE(
        WriteBatchInternal::Add(&batch, kTypeValue, other_->id(), parts, &parts)
            .ok());
    ASSERT_TRUE(world_.pipeline->Write(WriteOptions(), &batch, nullptr).ok());
  }
  void WantJoint() {
    MutexLock lock(world_.mutex);
    world_.flushes->WantJoint();
  }
  bool IsJointWanted() {
    MutexLock lock(world_.mutex);
    return world_.flushes->FlushesTogether();
  }
  std::string TableCounts() const {
    return std::to_string(TableCount(family_)) +
           std::to_string(TableCount(other_));
  }
  // What listeners were told, without numbers.
  std::string Told() const {
    std::string text;
    for (const std::string& line : watch_->lines) {
      text += line[0] == 'b' ? "b" : "m";
      text += line.ends_with("other") ? "o " : "d ";
    }
    return text;
  }
  bool HasLog(uint64_t number) {
    world_.obsolete->Purge();
    return world_.f.fs
        ->FileExists(LogFileName("/db", number), IOOptions(), nullptr)
        .ok();
  }
  void FailNextLogSync() {
    Fault fault;
    fault.call = 1;
    fault.kind = FaultKind::kSyncFailure;
    fault.path_contains = ".log";
    world_.f.fs->FailCall(fault);
  }

  ColumnFamilyData* other_ = nullptr;
};

TEST_F(JointFlushTest, FamiliesAreFlushedTogether) {
  Open();
  Put("a");
  PutOther("b");
  WantJoint();
  Ask({family_});
  RunJobs();
  EXPECT_EQ(TableCounts(), "11");
  EXPECT_EQ(Told(), "bd bo md mo ");
  EXPECT_FALSE(IsJointWanted());
  EXPECT_EQ(MinLogToKeep(), CurrentLog());
  MutexLock lock(world_.mutex);
  EXPECT_EQ(world_.scheduler.running_flushes(), 0);
  EXPECT_FALSE(world_.scheduler.HasFlushes());
}

TEST_F(JointFlushTest, IfOneFailsNoneIsFlushed) {
  Open();
  Put("a");
  const uint64_t log = CurrentLog();
  PutOther("b");
  WantJoint();
  Ask({family_});
  const uint64_t second = world_.versions()->next_file_number() + 1;
  for (const std::string& path :
       {TableFileName("/db", second), std::string("MANIFEST")}) {
    SCOPED_TRACE(path);
    watch_->lines.clear();
    world_.FailNext(path);
    {
      MutexLock lock(world_.mutex);
      world_.runner->RunQueued(Env::Priority::USER);
    }
    EXPECT_TRUE(world_.f.fs->failed());
    EXPECT_EQ(TableCounts(), "00");
    EXPECT_EQ(WaitingCount(family_) + WaitingCount(other_), 2u);
    EXPECT_EQ(Told(), "bd bo ");
    ASSERT_EQ(world_.told.size(), 1u);
    EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kFlush);
    EXPECT_TRUE(IsJointWanted());
    EXPECT_TRUE(HasLog(log));
    MutexLock lock(world_.mutex);
    world_.told.clear();
    world_.errors.Clear();
    world_.flushes->Queue(family_, FlushReason::kErrorRecovery);
  }
  TryAgain();
  EXPECT_EQ(TableCounts(), "11");
  EXPECT_FALSE(HasLog(log));
}

TEST_F(JointFlushTest, AFamilyWithoutDataLeavesOlderLogsToo) {
  Open();
  Put("a");
  const uint64_t log = CurrentLog();
  WantJoint();
  Ask({family_});
  RunJobs();
  EXPECT_EQ(TableCounts(), "10");
  MutexLock lock(world_.mutex);
  EXPECT_GT(CurrentLog(), log);
  EXPECT_EQ(other_->log_number(), CurrentLog());
}

// A flush that is under way may be of what the others are to go together with.
TEST_F(JointFlushTest, AJointFlushWaitsForTheOneThatRuns) {
  Open();
  Put("a");
  WantJoint();
  Ask({family_});
  {
    MutexLock lock(world_.mutex);
    world_.scheduler.BeginFlush();
    world_.runner->RunQueued(Env::Priority::USER);
    EXPECT_TRUE(world_.scheduler.HasFlushes());
    EXPECT_EQ(family_->current()->storage().FileCount(), 0u);
    world_.scheduler.EndFlush();
  }
  RunJobs();
  EXPECT_EQ(TableCounts(), "10");
}

// What is asked for while a joint flush runs is not in it, and goes together as
// well.
TEST_F(JointFlushTest, WhoeverAsksDuringAJointFlushGetsOneMore) {
  world_.f.family.max_write_buffer_number = 8;
  Open();
  Put("a");
  PutOther("b");
  FlushOptions options;
  options.wait = false;
  options.allow_write_stall = true;
  options.force_atomic_flush = true;
  const auto flush = [&] {
    EXPECT_TRUE(
        world_.requests
            ->Flush(options, {family_, other_}, FlushReason::kManualFlush)
            .ok());
  };
  bool is_first = true;
  watch_->on_begin = [&] {
    if (!std::exchange(is_first, false)) return;
    Put("c");
    PutOther("d");
    flush();
  };
  flush();
  RunJobs();
  EXPECT_EQ(TableCounts(), "22");
  EXPECT_EQ(Told(), "bd bo md mo bd bo md mo ");
  EXPECT_FALSE(IsJointWanted());
}

TEST_F(JointFlushTest, ThereMayBeNothingToFlushTogether) {
  Open();
  WantJoint();
  MutexLock lock(world_.mutex);
  world_.scheduler.QueueFlush(family_);
  world_.runner->RunQueued(Env::Priority::USER);
  EXPECT_FALSE(world_.scheduler.HasFlushes());
  EXPECT_FALSE(world_.flushes->FlushesTogether());
  EXPECT_TRUE(watch_->lines.empty());
}

// --- logs

TEST_F(JointFlushTest, WhatAnotherFamilyNeedsOfTheLogsStays) {
  Open();
  Put("a");
  PutOther("b");
  const uint64_t log = CurrentLog();
  Ask({family_});
  RunJobs();
  EXPECT_EQ(MinLogToKeep(), log);
  EXPECT_TRUE(HasLog(log));
  Ask({other_});
  RunJobs();
  EXPECT_EQ(MinLogToKeep(), CurrentLog());
  EXPECT_FALSE(HasLog(log));
}

TEST_F(JointFlushTest, LogsAreDurableBeforeATableOfOneFamilyOfSeveral) {
  Open();
  Put("a");
  Ask({family_});
  FailNextLogSync();
  world_.env.RunNext();
  EXPECT_TRUE(world_.f.fs->failed());
  EXPECT_EQ(world_.told.size(), 1u);
  EXPECT_EQ(TableCounts(), "00");
  EXPECT_EQ(WaitingCount(family_), 1u);
}

TEST_F(JointFlushTest, LogsAreDurableBeforeTablesOfAllFamilies) {
  Open();
  Put("a");
  PutOther("b");
  WantJoint();
  Ask({family_});
  FailNextLogSync();
  world_.env.RunNext();
  EXPECT_TRUE(world_.f.fs->failed());
  EXPECT_EQ(TableCounts(), "00");
  EXPECT_EQ(Told(), "bd bo ");
  EXPECT_EQ(WaitingCount(family_) + WaitingCount(other_), 2u);
}

TEST_F(JointFlushTest, ATableOfTheOnlyFamilyNeedsNoDurableLog) {
  FlushRunnerFixture::Open();
  Put("a");
  Ask({family_});
  FailNextLogSync();
  world_.env.RunNext();
  EXPECT_FALSE(world_.f.fs->failed());
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
}

// --- memtables instead of tables

TEST_F(JointFlushTest, WhatIsOnlyFullMayStayInMemory) {
  world_.f.family.experimental_mempurge_threshold = 1;
  Open();
  world_.Insert(family_, "a");
  Seal(family_, "a");
  AskForFull(family_);
  RunJobs();
  EXPECT_EQ(TableCounts(), "00");
  ASSERT_EQ(WaitingCount(family_), 1u);
  EXPECT_EQ(Told(), "");
  {
    MutexLock lock(world_.mutex);
    // The older value has gone, and what is left waits for more.
    EXPECT_EQ(family_->imm()->current()->front()->entry_count(), 1u);
    EXPECT_FALSE(family_->imm()->IsFlushRunning());
    EXPECT_FALSE(world_.scheduler.HasFlushes());
    EXPECT_EQ(world_.scheduler.running_flushes(), 0);
  }
  Ask({family_});
  RunJobs();
  EXPECT_EQ(world_.Tables(), "L0 [a@2=v]");
}

TEST_F(JointFlushTest, WhatIsFlushedForAnotherReasonGoesToAFile) {
  world_.f.family.experimental_mempurge_threshold = 1;
  Open();
  Seal(family_, "a");
  Ask({family_});
  RunJobs();
  EXPECT_EQ(TableCounts(), "10");
  Seal(other_, "b");
  {
    MutexLock lock(world_.mutex);
    world_.flushes->Queue(other_, FlushReason::kMemtableMaxRangeDeletions);
    world_.scheduler.MaybeSchedule();
  }
  RunJobs();
  EXPECT_EQ(TableCounts(), "11");
}

TEST_F(JointFlushTest, LogsThatAreTooLongNeedAFile) {
  world_.f.family.experimental_mempurge_threshold = 1;
  world_.f.db_options.max_total_wal_size = 1;
  FlushRunnerFixture::Open();
  Put("a");
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.memtables->SealOlder({family_}).ok());
  }
  AskForFull(family_);
  RunJobs();
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
