// A thread for compactions takes what users wait for before what is due, within
// room and limits, and tries again what failed.
#include "db/jobs/compaction_desk.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "file/sst_file_manager_impl.h"
#include "rocksdb/sst_file_manager.h"
#include "tests/db/jobs/jobs_world.h"
#include "util/task_limiter.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Why compactions began, in their order.
class BeginRecorder final : public EventListener {
 public:
  void OnCompactionBegin(DB* /*db*/, const CompactionJobInfo& info) override {
    MutexLock lock(&mutex_);
    reasons_.push_back(info.compaction_reason);
  }
  std::vector<CompactionReason> reasons() {
    MutexLock lock(&mutex_);
    return reasons_;
  }

 private:
  Mutex mutex_;
  std::vector<CompactionReason> reasons_ GUARDED_BY(mutex_);
};

// A compaction of level 0 is due: it has four files.
class CompactionDeskTest : public ::testing::Test {
 protected:
  CompactionDeskTest() {
    for (const char* const text :
         {"a@1=x b@2=x", "a@3=x c@4=x", "a@5=x d@6=x", "a@7=x e@8=x"}) {
      EXPECT_TRUE(parts.world.Flush(text).ok());
    }
    EXPECT_EQ(Levels(), "4000");
    parts.world.f.db->bgerror_resume_retry_interval = 3'600'000'000;
    MutexLock lock(&parts.world.mutex);
    parts.queue->Score(cfd());
  }

  ColumnFamilyData* cfd() { return parts.world.cfd; }
  std::string Levels() {
    std::string text;
    for (int level = 0; level < parts.world.f.family.num_levels; ++level) {
      text += std::to_string(parts.world.Files(level).size());
    }
    return text;
  }
  // Until no job is under way.
  void Settle() {
    MutexLock lock(&parts.world.mutex);
    while (!parts.scheduler.IsIdle()) parts.changes.Await();
  }
  // A job finds the family in its queue, whatever speaks against it.
  void RunQueued() {
    Settle();
    {
      MutexLock lock(&parts.world.mutex);
      parts.scheduler.QueueCompaction(cfd());
      parts.scheduler.MaybeSchedule();
    }
    Settle();
  }
  // Level 0 to level 1, for a user.
  void Begin(ManualCompaction* manual) {
    manual->cfd = cfd();
    manual->range.input_level = 0;
    manual->range.output_level = 1;
    MutexLock lock(&parts.world.mutex);
    parts.manual.Add(manual);
    parts.scheduler.MaybeSchedule();
  }
  Status End(ManualCompaction* manual) {
    MutexLock lock(&parts.world.mutex);
    while (!manual->done) parts.changes.Await();
    parts.manual.Remove(manual);
    return manual->status;
  }
  SstFileManagerImpl* Manage(uint64_t limit) {
    parts.world.f.db->sst_file_manager.reset(
        NewSstFileManager(parts.world.f.env.get()));
    parts.world.f.db->sst_file_manager->SetMaxAllowedSpaceUsage(limit);
    return ImplOf(parts.world.f.db->sst_file_manager.get());
  }

  const std::shared_ptr<TaskLimiter> limiter =
      std::make_shared<TaskLimiter>("one", 1);
  JobsWorld parts{[this](JobWorld* world) {
    world->f.family.compaction_thread_limiter = limiter;
  }};
};

TEST_F(CompactionDeskTest, WhatIsDueIsCompacted) {
  {
    MutexLock lock(&parts.world.mutex);
    parts.queue->Add(cfd());
    parts.scheduler.MaybeSchedule();
    EXPECT_TRUE(parts.scheduler.HasThreads());
  }
  Settle();
  EXPECT_EQ(Levels(), "0100");
  EXPECT_EQ(parts.told_errors, 0);
  EXPECT_EQ(limiter->GetOutstandingTask(), 0);
  MutexLock lock(&parts.world.mutex);
  EXPECT_EQ(parts.scheduler.running_compactions(), 0);
  EXPECT_FALSE(cfd()->schedule.queued_for_compaction);
}

TEST_F(CompactionDeskTest, WhatIsHeldBackIsNotCompacted) {
  FamilyEntry& family = *parts.family;
  ColumnFamilyOptions manual_only = parts.world.f.family;
  manual_only.disable_auto_compactions = true;
  const auto as_it_is = cfd()->options();
  struct Case {
    std::function<void()> hold;
    std::function<void()> let_go;
  };
  const Case cases[] = {
      {[&] { family.level_changes = 1; }, [&] { family.level_changes = 0; }},
      {[&] { cfd()->schedule.compaction_aborts = 1; },
       [&] { cfd()->schedule.compaction_aborts = 0; }},
      {[&] { family.retry_at = RetryTime::max(); },
       [&] { family.retry_at.reset(); }},
      {[&] {
         cfd()->SetOptions(std::make_shared<MutableCFOptions>(manual_only));
       },
       [&] { cfd()->SetOptions(as_it_is); }},
      {[&] { limiter->TakeInAnyCase(); }, [] {}},
  };
  int number = 0;
  for (const Case& c : cases) {
    {
      MutexLock lock(&parts.world.mutex);
      c.hold();
    }
    RunQueued();
    EXPECT_EQ(Levels(), "4000") << number++;
    MutexLock lock(&parts.world.mutex);
    c.let_go();
    EXPECT_FALSE(cfd()->schedule.queued_for_compaction);
  }
  // Whoever waited for the limiter comes back by itself.
  limiter->GiveBack();
  Settle();
  EXPECT_EQ(Levels(), "0100");
  EXPECT_EQ(parts.told_errors, 0);
}

TEST_F(CompactionDeskTest, AFamilyThatIsGoneIsNotCompacted) {
  cfd()->MarkDropped();
  RunQueued();
  EXPECT_EQ(Levels(), "4000");
  {
    MutexLock lock(&parts.world.mutex);
    parts.families.Remove(cfd()->id());
  }
  RunQueued();
  EXPECT_EQ(Levels(), "4000");
  ManualCompaction manual;
  Begin(&manual);
  EXPECT_TRUE(End(&manual).IsColumnFamilyDropped());
}

TEST_F(CompactionDeskTest, WithoutRoomNothingRuns) {
  SstFileManagerImpl* const manager = Manage(1);
  RunQueued();
  EXPECT_EQ(Levels(), "4000");
  EXPECT_EQ(parts.world.f.Ticker(COMPACTION_CANCELLED), 1u);
  ManualCompaction manual;
  Begin(&manual);
  EXPECT_TRUE(End(&manual).IsCompactionTooLarge());
  EXPECT_EQ(Levels(), "4000");
  EXPECT_EQ(parts.told_errors, 0);
  manager->SetMaxAllowedSpaceUsage(0);
  RunQueued();
  EXPECT_EQ(Levels(), "0100");
  // It has given back what it had reserved.
  EXPECT_EQ(manager->NeededFreeBytes(), 0u);
}

TEST_F(CompactionDeskTest, WhatFailsIsToldAndTriedLater) {
  SstFileManagerImpl* const manager = Manage(1 << 30);
  parts.world.f.fs->FailCall({.call = 1, .path_contains = ".sst"});
  RunQueued();
  EXPECT_TRUE(parts.world.f.fs->failed());
  EXPECT_EQ(Levels(), "4000");
  EXPECT_EQ(parts.told_errors, 1);
  EXPECT_EQ(manager->NeededFreeBytes(), 0u);
  EXPECT_EQ(limiter->GetOutstandingTask(), 0);
  MutexLock lock(&parts.world.mutex);
  EXPECT_TRUE(parts.errors.error().IsIOError());
  EXPECT_TRUE(parts.family->retry_at.has_value());
  for (const FileRef& file : cfd()->current()->storage().level0()) {
    EXPECT_FALSE(file->being_compacted);
  }
}

TEST_F(CompactionDeskTest, WhatAUserWaitsForComesFirst) {
  const auto recorder = std::make_shared<BeginRecorder>();
  parts.world.f.db->listeners.push_back(recorder);
  ManualCompaction manual;
  {
    MutexLock lock(&parts.world.mutex);
    parts.scheduler.Pause();
    parts.queue->Add(cfd());
  }
  Begin(&manual);
  {
    MutexLock lock(&parts.world.mutex);
    EXPECT_FALSE(parts.scheduler.HasThreads());
    ASSERT_TRUE(parts.scheduler.Continue());
    parts.scheduler.MaybeSchedule();
  }
  EXPECT_TRUE(End(&manual).ok());
  Settle();
  EXPECT_EQ(Levels(), "0100");
  ASSERT_FALSE(recorder->reasons().empty());
  EXPECT_EQ(recorder->reasons().front(), CompactionReason::kManualCompaction);
}

TEST_F(CompactionDeskTest, AUserIsNotKeptByALimiter) {
  limiter->TakeInAnyCase();
  ManualCompaction manual;
  Begin(&manual);
  EXPECT_TRUE(End(&manual).ok());
  Settle();
  EXPECT_EQ(Levels(), "0100");
  EXPECT_EQ(limiter->GetOutstandingTask(), 1);
  limiter->GiveBack();
}

TEST_F(CompactionDeskTest, AUsersCompactionWaitsForTheFilesThatItNeeds) {
  const auto take = [&](bool is_taken) {
    MutexLock lock(&parts.world.mutex);
    for (const FileRef& file : cfd()->current()->storage().level0()) {
      file->being_compacted = is_taken;
    }
    parts.changes.Note();
  };
  take(true);
  ManualCompaction manual;
  Begin(&manual);
  {
    MutexLock lock(&parts.world.mutex);
    // Nobody is told that it waits.
    while (!manual.is_blocked) parts.changes.AwaitFor(1000);
    EXPECT_FALSE(manual.done);
    EXPECT_TRUE(parts.manual.IsBlocked(cfd()));
  }
  EXPECT_EQ(Levels(), "4000");
  take(false);
  EXPECT_TRUE(End(&manual).ok());
  EXPECT_FALSE(manual.is_blocked);
  EXPECT_EQ(Levels(), "0100");
}

// Nobody signals that a user has canceled it.
TEST_F(CompactionDeskTest, AUsersCompactionThatWaitsCanBeGivenUp) {
  const auto take = [&](bool is_taken) {
    MutexLock lock(&parts.world.mutex);
    for (const FileRef& file : cfd()->current()->storage().level0()) {
      file->being_compacted = is_taken;
    }
  };
  std::atomic<bool> canceled{false};
  struct Case {
    std::function<void()> give_up;
    std::function<void()> take_back;
    bool is_abort;
  };
  const Case cases[] = {
      {[&] { canceled = true; }, [&] { canceled = false; }, false},
      {[&] {
         cfd()->schedule.compaction_aborts = 1;
         parts.changes.Note();
       },
       [&] { cfd()->schedule.compaction_aborts = 0; }, true},
      {[&] {
         parts.stop.BeginAbort();
         parts.changes.Note();
       },
       [&] { EXPECT_TRUE(parts.stop.EndAbort()); }, true},
  };
  take(true);
  for (const Case& c : cases) {
    ManualCompaction manual;
    manual.canceled = &canceled;
    Begin(&manual);
    {
      MutexLock lock(&parts.world.mutex);
      while (!manual.is_blocked) parts.changes.AwaitFor(1000);
      c.give_up();
    }
    const Status s = End(&manual);
    EXPECT_TRUE(c.is_abort ? s.IsCompactionAborted()
                           : s.IsManualCompactionPaused())
        << s.ToString();
    EXPECT_FALSE(manual.is_blocked);
    Settle();
    c.take_back();
  }
  EXPECT_EQ(Levels(), "4000");
  EXPECT_EQ(parts.told_errors, 0);
  take(false);
}

TEST_F(CompactionDeskTest, AUsersCompactionMayBeForbidden) {
  ASSERT_TRUE(parts.stop.DisableManual());
  ManualCompaction manual;
  Begin(&manual);
  EXPECT_TRUE(End(&manual).IsManualCompactionPaused());
  parts.stop.EnableManual();
  // What is due runs all the same.
  Settle();
  EXPECT_EQ(Levels(), "0100");
  EXPECT_EQ(parts.told_errors, 0);
}

TEST_F(CompactionDeskTest, AUserLearnsWhatFailed) {
  parts.world.f.fs->FailCall({.call = 1, .path_contains = ".sst"});
  ManualCompaction manual;
  Begin(&manual);
  EXPECT_TRUE(End(&manual).IsIOError());
  EXPECT_EQ(Levels(), "4000");
  EXPECT_EQ(parts.told_errors, 1);
}

// The one thread of that pool is kept busy meanwhile.
TEST_F(CompactionDeskTest, ACompactionToTheLastLevelWaitsForItsOwnPool) {
  Env* const env = Env::Default();
  env->SetBackgroundThreads(1, Env::Priority::BOTTOM);
  Mutex gate;
  gate.Lock();
  env->Schedule(
      [](void* mutex) { const MutexLock lock(static_cast<Mutex*>(mutex)); },
      &gate, Env::Priority::BOTTOM);
  {
    MutexLock lock(&parts.world.mutex);
    parts.scheduler.QueueCompaction(cfd());
    parts.scheduler.MaybeSchedule();
    while (parts.scheduler.HasThreads()) parts.changes.Await();
    EXPECT_TRUE(parts.scheduler.IsBusy());
    EXPECT_EQ(parts.scheduler.running_compactions(), 0);
    // Nobody else takes its inputs.
    for (const FileRef& file : cfd()->current()->storage().level0()) {
      EXPECT_TRUE(file->being_compacted);
    }
  }
  EXPECT_EQ(Levels(), "4000");
  gate.Unlock();
  Settle();
  EXPECT_EQ(Levels(), "0100");
  env->SetBackgroundThreads(0, Env::Priority::BOTTOM);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
