// Resuming after an error flushes, renews and clears what that error calls for,
// and keeps the error where any step fails.
#include "db/intake/resumption.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/wal/prepared_sections.h"
#include "tests/db/intake/flushing_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;

class ResumptionTest : public ::testing::Test {
 protected:
  void Open() {
    world_.Open();
    family_ = world_.default_family;
    Resumption::Context context;
    static_cast<EditContext&>(context) = world_.Edits();
    context.db = world_.f.db.get();
    context.wal_lock = &world_.wal_lock;
    context.logs = world_.logs.get();
    context.group_log = world_.group_log.get();
    context.sections = world_.sections.get();
    context.memtables = world_.memtables.get();
    context.flushes = world_.flushes.get();
    context.files = world_.room.get();
    resumption_ = std::make_unique<Resumption>(context);
  }
  Status Put(const std::string& key) {
    WriteBatch batch;
    EXPECT_TRUE(batch.Put(key, "v").ok());
    return world_.pipeline->Write(WriteOptions(), &batch, nullptr);
  }
  // A write that the log takes badly, after which nothing is written.
  void FailLog() {
    world_.FailNext(LogFileName("/db", world_.logs->wal()->current_number()));
    EXPECT_FALSE(Put("lost").ok());
    EXPECT_TRUE(world_.errors.BlocksWrites());
  }
  void Fail(const Status& s, BackgroundErrorReason reason) {
    MutexLock lock(world_.mutex);
    world_.errors.Set(s, reason);
  }
  // A resumption, of which a thread runs the flush.
  Status ResumeWithFlush() {
    std::thread job([this] { world_.env.AwaitAndRun(); });
    const Status s = resumption_->ResumeOnce();
    job.join();
    return s;
  }
  Status error() const {
    MutexLock lock(world_.mutex);
    return world_.errors.error();
  }
  uint64_t CurrentLog() const { return world_.logs->wal()->current_number(); }
  // Logs from which on a replay would begin.
  uint64_t KeptFrom() const {
    MutexLock lock(world_.mutex);
    return world_.versions()->logs()->min_to_keep();
  }
  bool HasLog(uint64_t number) const {
    return world_.f.fs
        ->FileExists(LogFileName("/db", number), IOOptions(), nullptr)
        .ok();
  }

  FlushingWorld world_;
  ColumnFamilyData* family_ = nullptr;
  std::unique_ptr<Resumption> resumption_;
};

TEST_F(ResumptionTest, WithoutAnErrorThereIsNothingToDo) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  const uint64_t log = CurrentLog();
  EXPECT_TRUE(resumption_->ResumeOnce().ok());
  EXPECT_EQ(CurrentLog(), log);
  EXPECT_FALSE(family_->mem()->empty());
}

// Its inputs are still there.
TEST_F(ResumptionTest, TheErrorOfACompactionIsOnlyCleared) {
  world_.f.family.level0_file_num_compaction_trigger = 1;
  Open();
  ASSERT_TRUE(world_.stored.Flush("a@1=v").ok());
  ASSERT_TRUE(Put("b").ok());
  Fail(Status::NoSpace(), BackgroundErrorReason::kCompaction);
  const uint64_t log = CurrentLog();
  EXPECT_TRUE(resumption_->ResumeOnce().ok());
  EXPECT_TRUE(error().ok());
  EXPECT_EQ(CurrentLog(), log);
  EXPECT_FALSE(family_->mem()->empty());
  ASSERT_EQ(world_.env.job_count(), 1u);  // It is tried again.
  world_.env.RunNext();
}

TEST_F(ResumptionTest, AfterALogThatFailedAllIsInTables) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  const uint64_t failed = CurrentLog();
  FailLog();
  const Status s = ResumeWithFlush();
  EXPECT_TRUE(s.ok()) << s.ToString();
  EXPECT_TRUE(error().ok());
  EXPECT_FALSE(world_.errors.BlocksWrites());
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
  EXPECT_GT(CurrentLog(), failed);
  EXPECT_EQ(KeptFrom(), CurrentLog());
  EXPECT_FALSE(world_.logs->wal()->has_failed());
  world_.obsolete->Purge();
  EXPECT_FALSE(HasLog(failed));
  EXPECT_TRUE(Put("b").ok());
  EXPECT_EQ(world_.Records(), (Lines{"2: b=v"}));
}

// A replay does not go past the log that failed.
TEST_F(ResumptionTest, FamiliesAreFlushedTogether) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  ColumnFamilyData* const idle = world_.Add("idle");
  ASSERT_TRUE(Put("a").ok());
  world_.Insert(other, "b");
  FailLog();
  ASSERT_TRUE(ResumeWithFlush().ok());
  EXPECT_TRUE(family_->imm()->empty());
  EXPECT_TRUE(other->imm()->empty());
  EXPECT_EQ(family_->log_number(), CurrentLog());
  EXPECT_EQ(other->log_number(), CurrentLog());
  EXPECT_EQ(idle->log_number(), CurrentLog());
  EXPECT_EQ(world_.env.job_count(), 0u);
}

// Else a replay would find one of them ahead of the other.
TEST_F(ResumptionTest, NoFamilyIsFlushedWhereAnotherOneCannotBe) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  ASSERT_TRUE(Put("a").ok());
  world_.Insert(other, "b");
  FailLog();
  // Behind the new log and the first family's table.
  world_.FailNext(
      TableFileName("/db", world_.versions()->next_file_number() + 2));
  EXPECT_FALSE(ResumeWithFlush().ok());
  EXPECT_EQ(family_->imm()->size(), 1u);
  EXPECT_EQ(other->imm()->size(), 1u);
  EXPECT_EQ(world_.Tables(), "");
}

TEST_F(ResumptionTest, NothingIsToBeFlushedOfAnEmptyDatabase) {
  Open();
  const uint64_t failed = CurrentLog();
  FailLog();
  ASSERT_TRUE(resumption_->ResumeOnce().ok());
  EXPECT_EQ(world_.Tables(), "");
  EXPECT_GT(CurrentLog(), failed);
  EXPECT_EQ(family_->log_number(), CurrentLog());
}

TEST_F(ResumptionTest, NothingGoesOnAfterAFatalError) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  const uint64_t log = CurrentLog();
  Fail(Status::Corruption("memory"), BackgroundErrorReason::kMemTable);
  EXPECT_TRUE(resumption_->ResumeOnce().IsCorruption());
  EXPECT_TRUE(error().IsCorruption());
  EXPECT_EQ(CurrentLog(), log);
  EXPECT_FALSE(family_->mem()->empty());
}

TEST_F(ResumptionTest, WithoutANewLogTheErrorStays) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  FailLog();
  world_.FailNextLog();
  EXPECT_FALSE(resumption_->ResumeOnce().ok());
  EXPECT_TRUE(world_.errors.BlocksWrites());
  EXPECT_FALSE(family_->mem()->empty());
  EXPECT_TRUE(ResumeWithFlush().ok());  // It may be tried again.
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
}

TEST_F(ResumptionTest, WhereAFlushFailsAgainTheErrorStays) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  const uint64_t failed = CurrentLog();
  FailLog();
  world_.FailNext(".sst");
  EXPECT_FALSE(ResumeWithFlush().ok());
  EXPECT_TRUE(world_.errors.BlocksWrites());
  EXPECT_EQ(family_->imm()->size(), 1u);
  EXPECT_LE(KeptFrom(), failed);
  EXPECT_TRUE(HasLog(failed));
  EXPECT_TRUE(ResumeWithFlush().ok());
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
  EXPECT_EQ(KeptFrom(), CurrentLog());
}

// A listener may take an error back while somebody resumes: the memtables are
// not in tables for that, and the logs stay until they are.
TEST_F(ResumptionTest, AnErrorThatIsTakenBackDoesNotEndTheWaitForFlushes) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  const uint64_t failed = CurrentLog();
  FailLog();
  std::thread job([&] {
    {
      MutexLock lock(world_.mutex);
      while (family_->imm()->empty()) world_.changes.AwaitFor(1000);
      world_.errors.Set(Status::IOError("again"),
                        BackgroundErrorReason::kFlush);
      world_.errors.Override(Status::OK());
      // A resumption that is over early has the time to show it.
      for (int i = 0; i < 10; ++i) {
        world_.changes.Note();
        world_.changes.AwaitFor(1000);
      }
      EXPECT_LE(world_.versions()->logs()->min_to_keep(), failed);
    }
    world_.env.AwaitAndRun();
  });
  EXPECT_TRUE(resumption_->ResumeOnce().ok());
  job.join();
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
  EXPECT_EQ(KeptFrom(), CurrentLog());
}

TEST_F(ResumptionTest, WhatTheManifestDoesNotForgetIsKept) {
  Open();
  const uint64_t failed = CurrentLog();
  FailLog();
  world_.told.clear();
  world_.FailNext("MANIFEST");
  EXPECT_FALSE(resumption_->ResumeOnce().ok());
  ASSERT_EQ(world_.told.size(), 1u);
  EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kManifestWrite);
  EXPECT_TRUE(world_.errors.BlocksWrites());
  world_.obsolete->Purge();
  EXPECT_TRUE(HasLog(failed));
}

TEST_F(ResumptionTest, PreparedSectionsMoveToTheNewLog) {
  world_.f.db_options.allow_2pc = true;
  Open();
  WriteBatch updates;
  ASSERT_TRUE(updates.Put("k", "v").ok());
  const uint64_t log = world_.Prepare("name", updates);
  FailLog();
  ASSERT_TRUE(resumption_->ResumeOnce().ok());
  EXPECT_GT(CurrentLog(), log);
  EXPECT_EQ(world_.sections->LogOf("name"), CurrentLog());
  EXPECT_EQ(world_.HeldLog(), CurrentLog());
  EXPECT_EQ(KeptFrom(), CurrentLog());
  EXPECT_EQ(world_.Records(), (Lines{"1: <12> <9> k=v <10>"}));
  world_.obsolete->Purge();
  EXPECT_FALSE(HasLog(log));
}

TEST_F(ResumptionTest, WhoeverClosesIsNotWaitedFor) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  FailLog();
  world_.stop.ShutDown();
  EXPECT_TRUE(resumption_->ResumeOnce().IsShutdownInProgress());
  EXPECT_FALSE(error().ok());
}

// --- what is tried again without an error in force

TEST_F(ResumptionTest, SealedMemtablesThatNobodyFlushesAreQueuedAgain) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  world_.Insert(family_, "a");
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.memtables->SealOlder({family_, other}).ok());
    world_.stop.ShutDown();  // It does not wait for better times.
    resumption_->RetryFlushes();
    EXPECT_TRUE(family_->schedule.queued_for_flush);
    EXPECT_FALSE(other->schedule.queued_for_flush);
    EXPECT_EQ(world_.families.Find(0)->flush_reason,
              FlushReason::kErrorRecoveryRetryFlush);
  }
  EXPECT_EQ(world_.env.job_count(), 0u);
}

TEST_F(ResumptionTest, CompactionsThatAreDueAreQueuedAgain) {
  world_.f.family.level0_file_num_compaction_trigger = 1;
  Open();
  ASSERT_TRUE(world_.stored.Flush("a@1=v").ok());
  {
    MutexLock lock(world_.mutex);
    resumption_->RetryCompactions();
  }
  ASSERT_EQ(world_.env.job_count(), 1u);
  world_.env.RunNext();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
