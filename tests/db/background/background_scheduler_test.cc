// The scheduler asks for as many threads as there is work and limits allow,
// never queues a family twice, prefers what users wait for, and starts nothing
// during a pause, an abort, an error that forbids it, or after the end.
#include "db/background/background_scheduler.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "db/background/error_handler.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/compaction/compaction_picker.h"
#include "db/compaction/deferred_compaction.h"
#include "db/registry/change_signal.h"
#include "db/write/write_controller.h"
#include "options/db_options.h"
#include "rocksdb/env.h"
#include "tests/db/registry/family_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keeps what it is asked to run, until the test has it run.
class PoolsEnv : public EnvWrapper {
 public:
  PoolsEnv() : EnvWrapper(Env::Default()) {}
  struct Job {
    void (*run)(void*);
    void* argument;
    void (*cancel)(void*);
  };
  void Schedule(void (*run)(void*), void* argument, Priority priority,
                void* /*tag*/, void (*cancel)(void*)) override {
    jobs[priority].push_back({run, argument, cancel});
  }
  int UnSchedule(void* /*tag*/, Priority priority) override {
    const std::deque<Job> gone = std::exchange(jobs[priority], {});
    for (const Job& job : gone) job.cancel(job.argument);
    return static_cast<int>(gone.size());
  }
  int GetBackgroundThreads(Priority priority) override {
    return priority == Priority::BOTTOM ? bottom_threads : 2;
  }
  unsigned int GetThreadPoolQueueLen(Priority /*priority*/) const override {
    return 0;
  }
  size_t Count(Priority priority) { return jobs[priority].size(); }
  void RunOne(Priority priority) {
    ASSERT_FALSE(jobs[priority].empty());
    const Job job = jobs[priority].front();
    jobs[priority].pop_front();
    job.run(job.argument);
  }

  std::map<Priority, std::deque<Job>> jobs;
  int bottom_threads = 0;
};

class BackgroundSchedulerTest : public ::testing::Test, private BackgroundWork {
 protected:
  BackgroundSchedulerTest() {
    MutableDBOptions options;
    options.max_background_flushes = 2;
    options.max_background_compactions = 3;
    MutexLock lock(&world.mutex);
    scheduler.SetLimits(options);
    scheduler.Open();
  }

  void QueueFlushes(int from, int count) {
    for (int id = from; id < from + count; ++id) {
      const FamilyRef family = world.Add(static_cast<uint32_t>(id), "f");
      MutexLock lock(&world.mutex);
      scheduler.QueueFlush(family->cfd.get());
      scheduler.MaybeSchedule();
    }
  }
  void QueueCompactions(int from, int count) {
    for (int id = from; id < from + count; ++id) {
      const FamilyRef family = world.Add(static_cast<uint32_t>(id), "f");
      MutexLock lock(&world.mutex);
      scheduler.QueueCompaction(family->cfd.get());
      scheduler.MaybeSchedule();
    }
  }
  size_t Flushes() { return env.Count(Env::Priority::HIGH); }
  size_t Compactions() { return env.Count(Env::Priority::LOW); }

  // One flush each.
  void FlushInBackground() override {
    MutexLock lock(&world.mutex);
    if (scheduler.HasFlushes() && scheduler.MayFlush()) {
      scheduler.BeginFlush();
      done += "f" + std::to_string(scheduler.TakeFlush()) + " ";
      scheduler.EndFlush();
    }
    scheduler.LeaveFlushes();
    is_finishing_seen = scheduler.IsFinishing() && !scheduler.IsIdle();
  }
  void CompactInBackground() override {
    MutexLock lock(&world.mutex);
    scheduler.BeginCompaction();
    if (scheduler.MayCompact()) {
      if (ManualCompaction* const next = manual.NextToBegin()) {
        next->done = true;
        done += "m ";
      } else if (const auto id = scheduler.TakeCompaction()) {
        done += "c" + std::to_string(*id) + " ";
      }
    }
    scheduler.LeaveCompactions();
  }
  void CompactToBottomInBackground() override {
    MutexLock lock(&world.mutex);
    const auto [family, deferred] = scheduler.BeginBottom();
    EXPECT_EQ(scheduler.running_compactions(), 1);
    EXPECT_TRUE(scheduler.IsBottomBusy());
    deferred->Take();
    done += "b" + std::to_string(family->cfd->id()) + " ";
    scheduler.LeaveBottom();
  }
  BackgroundScheduler::Deferred MakeDeferred(const FamilyRef& family) {
    auto compaction = std::make_unique<Compaction>();
    compaction->version = family->cfd->current();
    return {family, std::make_shared<DeferredCompaction>(
                        family->picker.get(), std::move(compaction),
                        DeferredCompaction::Hold::kAllInputs)};
  }

  FamilyWorld world;
  PoolsEnv env;
  ChangeSignal changes{&world.mutex};
  StopSignals stop;
  ErrorHandler errors{/*paranoid_checks=*/true};
  ManualQueue manual;
  WriteController writes;
  BackgroundScheduler scheduler{{.env = &env,
                                 .mutex = &world.mutex,
                                 .changes = &changes,
                                 .stop = &stop,
                                 .errors = &errors,
                                 .manual = &manual,
                                 .writes = &writes,
                                 .work = this}};
  std::string done;
  bool is_finishing_seen = false;
};

TEST_F(BackgroundSchedulerTest, AsManyFlushesAreAskedForAsThereAreAndMayBe) {
  QueueFlushes(0, 1);
  EXPECT_EQ(Flushes(), 1u);
  QueueFlushes(1, 3);
  EXPECT_EQ(Flushes(), 2u);  // Of four that wait.
  while (Flushes() > 0) env.RunOne(Env::Priority::HIGH);
  EXPECT_EQ(done, "f0 f1 f2 f3 ");
  EXPECT_TRUE(is_finishing_seen);
  MutexLock lock(&world.mutex);
  EXPECT_TRUE(scheduler.IsIdle());
  EXPECT_FALSE(scheduler.IsBusy());
}

TEST_F(BackgroundSchedulerTest, AFamilyWaitsOnce) {
  const FamilyRef family = world.Add(7, "f");
  MutexLock lock(&world.mutex);
  scheduler.QueueFlush(family->cfd.get());
  scheduler.QueueFlush(family->cfd.get());
  EXPECT_EQ(scheduler.TakeFlush(), 7u);
  EXPECT_FALSE(scheduler.HasFlushes());
}

TEST_F(BackgroundSchedulerTest, ACallersThreadIsOneOfThem) {
  {
    MutexLock lock(&world.mutex);
    scheduler.JoinFlushes();
  }
  QueueFlushes(0, 1);
  EXPECT_EQ(Flushes(), 0u);  // It does it.
  QueueFlushes(1, 2);
  EXPECT_EQ(Flushes(), 1u);
  MutexLock lock(&world.mutex);
  scheduler.LeaveJoinedFlushes();
  EXPECT_EQ(Flushes(), 2u);
}

TEST_F(BackgroundSchedulerTest, MoreCompactionsRunWhileWritersAreHeldBack) {
  QueueCompactions(0, 5);
  EXPECT_EQ(Compactions(), 1u);
  MutexLock lock(&world.mutex);
  writes.Update(WriteStallCondition::kDelayed, 1);
  scheduler.MaybeSchedule();
  EXPECT_EQ(Compactions(), 3u);
}

TEST_F(BackgroundSchedulerTest, WhatUsersWaitForComesFirst) {
  ManualCompaction waiting;
  manual.Add(&waiting);
  QueueCompactions(0, 1);
  EXPECT_EQ(Compactions(), 1u);
  env.RunOne(Env::Priority::LOW);
  EXPECT_EQ(done, "m ");
  env.RunOne(Env::Priority::LOW);
  EXPECT_EQ(done, "m c0 ");
}

TEST_F(BackgroundSchedulerTest, BesideAnExclusiveOneTheQueueWaits) {
  ManualCompaction waiting;
  manual.SetExclusive(&waiting);
  QueueCompactions(0, 1);
  EXPECT_EQ(Compactions(), 0u);
  MutexLock lock(&world.mutex);
  EXPECT_FALSE(scheduler.TakeCompaction().has_value());
  manual.EndExclusive();
  scheduler.MaybeSchedule();
  EXPECT_EQ(Compactions(), 1u);
  EXPECT_EQ(scheduler.queued_compactions(), 1u);
}

TEST_F(BackgroundSchedulerTest, NothingBeginsInAPause) {
  {
    MutexLock lock(&world.mutex);
    EXPECT_FALSE(scheduler.Continue());
    scheduler.Pause();
    scheduler.Pause();
  }
  QueueFlushes(0, 1);
  QueueCompactions(1, 1);
  EXPECT_EQ(Flushes() + Compactions(), 0u);
  MutexLock lock(&world.mutex);
  EXPECT_TRUE(scheduler.Continue());
  scheduler.MaybeSchedule();
  EXPECT_EQ(Flushes() + Compactions(), 0u);
  EXPECT_FALSE(scheduler.MayFlush());
  EXPECT_TRUE(scheduler.Continue());
  scheduler.MaybeSchedule();
  EXPECT_EQ(Flushes() + Compactions(), 2u);
  EXPECT_TRUE(scheduler.MayFlush());
}

TEST_F(BackgroundSchedulerTest, AnErrorThatStopsCompactionsLetsFlushesGoOn) {
  errors.Set(Status::IOError("device"), BackgroundErrorReason::kCompaction);
  QueueFlushes(0, 1);
  QueueCompactions(1, 1);
  EXPECT_EQ(Flushes(), 1u);
  EXPECT_EQ(Compactions(), 0u);
  MutexLock lock(&world.mutex);
  EXPECT_TRUE(scheduler.MayFlush());
  EXPECT_FALSE(scheduler.MayCompact());
}

TEST_F(BackgroundSchedulerTest, NothingIsAskedForWhileCompactionsAreAborted) {
  stop.BeginAbort();
  QueueFlushes(0, 1);
  QueueCompactions(1, 1);
  EXPECT_EQ(Flushes(), 1u);
  EXPECT_EQ(Compactions(), 0u);
  MutexLock lock(&world.mutex);
  EXPECT_FALSE(scheduler.MayCompact());
  EXPECT_TRUE(scheduler.IsBusy());
}

TEST_F(BackgroundSchedulerTest, AtTheEndNothingBegins) {
  QueueFlushes(0, 1);
  stop.ShutDown();
  QueueFlushes(1, 1);
  EXPECT_EQ(Flushes(), 1u);
  env.RunOne(Env::Priority::HIGH);
  EXPECT_EQ(done, "");
  EXPECT_EQ(Flushes(), 0u);
  MutexLock lock(&world.mutex);
  EXPECT_TRUE(scheduler.IsIdle());
}

TEST_F(BackgroundSchedulerTest, CompactionsToTheLastLevelHaveAPool) {
  const FamilyRef family = world.Add(4, "f");
  {
    MutexLock lock(&world.mutex);
    EXPECT_FALSE(scheduler.HasBottomPool());
    env.bottom_threads = 1;
    EXPECT_TRUE(scheduler.HasBottomPool());
    EXPECT_FALSE(scheduler.IsBottomBusy());
    scheduler.Defer(MakeDeferred(family));
    EXPECT_TRUE(scheduler.IsBottomBusy());
    EXPECT_TRUE(scheduler.IsBusy());
    EXPECT_FALSE(scheduler.IsIdle());
  }
  env.RunOne(Env::Priority::BOTTOM);
  EXPECT_EQ(done, "b4 ");
  MutexLock lock(&world.mutex);
  EXPECT_TRUE(scheduler.IsIdle());
}

TEST_F(BackgroundSchedulerTest, WhatWaitsForThatPoolIsTakenBack) {
  env.bottom_threads = 1;
  const FamilyRef family = world.Add(4, "f");
  MutexLock lock(&world.mutex);
  scheduler.Defer(MakeDeferred(family));
  EXPECT_TRUE(family->picker->HasRunning());
  scheduler.CancelBottom();
  EXPECT_FALSE(family->picker->HasRunning());
  EXPECT_TRUE(scheduler.IsIdle());
  EXPECT_EQ(done, "");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
