// Pauses, aborts and waits for background work end when that work does, and
// tell why where they are in vain.
#include "db/jobs/background_control.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "db/jobs/clean_up.h"
#include "env/job_threads.h"
#include "tests/db/jobs/held_env.h"
#include "tests/db/jobs/jobs_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Nothing runs by itself: work is there, and threads are asked for, as each
// test says.
class BackgroundControlTest : public ::testing::Test {
 protected:
  BackgroundControlTest() {
    parts.obsolete->Arm();
    parts.world.f.db->bgerror_resume_retry_interval = 3'600'000'000;
  }
  // A compaction of the family is due from here on.
  void MakeDue() {
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(parts.world.Flush("a@" + std::to_string(i + 1) + "=x").ok());
    }
    MutexLock lock(&parts.world.mutex);
    parts.queue->Score(parts.world.cfd);
  }
  size_t Queued() {
    MutexLock lock(&parts.world.mutex);
    return parts.scheduler.queued_compactions();
  }
  void Fail() {
    MutexLock lock(&parts.world.mutex);
    parts.errors.Set(Status::Corruption("a block"),
                     BackgroundErrorReason::kCompaction);
  }
  // Runs `call` in a thread, and `end` once `has_begun`. The call must not be
  // over before; a few rounds give one that is a chance to be found out.
  void ExpectWait(const std::function<void()>& call,
                  const std::function<bool()>& has_begun,
                  const std::function<void()>& end) {
    bool is_over = false;
    std::thread caller([&] {
      call();
      MutexLock lock(&parts.world.mutex);
      is_over = true;
    });
    {
      MutexLock lock(&parts.world.mutex);
      while (!has_begun()) parts.changes.AwaitFor(1000);
      for (int i = 0; i < 10; ++i) parts.changes.AwaitFor(1000);
      EXPECT_FALSE(is_over);
      end();
      parts.changes.Note();
    }
    caller.join();
  }
  Status WaitUntilIdle(const WaitForCompactOptions& options) {
    return control.WaitUntilIdle(control.LimitOf(options));
  }
  static WaitForCompactOptions NoLongerThanAMicrosecond() {
    WaitForCompactOptions options;
    options.timeout = std::chrono::microseconds(1);
    return options;
  }

  HeldEnv env;
  JobThreads threads;
  JobsWorld parts;
  CleanUp clean_up{{.env = &env,
                    .mutex = &parts.world.mutex,
                    .stop = &parts.stop,
                    .scheduler = &parts.scheduler,
                    .publisher = parts.publisher.get(),
                    .obsolete = parts.obsolete.get(),
                    .wal = nullptr,
                    .threads = &threads}};
  BackgroundControl control{{.mutex = &parts.world.mutex,
                             .scheduler = &parts.scheduler,
                             .manual = &parts.manual,
                             .errors = &parts.errors,
                             .compactions = parts.queue.get(),
                             .clean_up = &clean_up,
                             .obsolete = parts.obsolete.get(),
                             .stop = &parts.stop,
                             .changes = &parts.changes}};
};

TEST_F(BackgroundControlTest, APauseBeginsWhenNothingRunsAnyMore) {
  {
    MutexLock lock(&parts.world.mutex);
    parts.scheduler.JoinFlushes();
    parts.scheduler.BeginFlush();
  }
  ExpectWait([&] { control.Pause(); },
             [&] { return parts.scheduler.IsPaused(); },
             [&] {
               parts.scheduler.EndFlush();
               parts.scheduler.LeaveJoinedFlushes();
             });
  EXPECT_TRUE(control.Continue().ok());
  EXPECT_TRUE(control.Continue().IsInvalidArgument());
}

TEST_F(BackgroundControlTest, WhatWaitsToBeTriedAgainIsTriedAfterAPause) {
  MakeDue();
  control.Pause();
  control.Pause();
  {
    MutexLock lock(&parts.world.mutex);
    parts.queue->RetryLater(parts.family.get());
  }
  ASSERT_TRUE(control.Continue().ok());
  EXPECT_FALSE(parts.family->retry_at.has_value());
  EXPECT_EQ(Queued(), 1u);  // There is another pause.
}

TEST_F(BackgroundControlTest, UsersCompactionsEndBeforeTheyAreDisabled) {
  ManualCompaction manual;
  manual.cfd = parts.world.cfd;
  {
    MutexLock lock(&parts.world.mutex);
    parts.manual.Add(&manual);
  }
  ExpectWait([&] { control.DisableManual(); },
             [&] { return !parts.stop.CheckManual().ok(); },
             [&] { parts.manual.Remove(&manual); });
  control.EnableManual();
  EXPECT_TRUE(parts.stop.CheckManual().ok());
}

TEST_F(BackgroundControlTest, AfterAnAbortNothingRunsUntilItEnds) {
  MakeDue();
  control.Pause();  // So that what is due stays in the queue.
  {
    MutexLock lock(&parts.world.mutex);
    parts.scheduler.JoinCompactions();
  }
  ExpectWait([&] { control.AbortAll(); },
             [&] { return parts.stop.IsAborting(); },
             [&] { parts.scheduler.LeaveJoinedCompactions(); });
  control.AbortAll();
  control.EndAbort();
  EXPECT_TRUE(parts.stop.IsAborting());  // Two had begun.
  control.EndAbort();
  EXPECT_FALSE(parts.stop.IsAborting());
  EXPECT_EQ(Queued(), 1u);
  control.EndAbort();  // Nobody had begun.
  EXPECT_FALSE(parts.stop.IsAborting());
}

TEST_F(BackgroundControlTest, OneFamilysCompactionsAreAborted) {
  MakeDue();
  control.Pause();
  FamilySchedule& schedule = parts.world.cfd->schedule;
  {
    MutexLock lock(&parts.world.mutex);
    schedule.running_compactions = 1;
  }
  ExpectWait([&] { control.Abort(parts.world.cfd); },
             [&] { return schedule.compaction_aborts.load() == 1; },
             [&] { schedule.running_compactions = 0; });
  EXPECT_FALSE(parts.stop.IsAborting());
  EXPECT_EQ(Queued(), 0u);
  control.EndAbort(parts.world.cfd);
  EXPECT_EQ(schedule.compaction_aborts.load(), 0);
  EXPECT_EQ(Queued(), 1u);
  control.EndAbort(parts.world.cfd);
  EXPECT_EQ(schedule.compaction_aborts.load(), 0);
}

TEST_F(BackgroundControlTest, AFamilyThatIsGoneHasNothingToBeginAnew) {
  MakeDue();
  control.Pause();
  control.Abort(parts.world.cfd);
  parts.world.cfd->MarkDropped();
  control.EndAbort(parts.world.cfd);
  EXPECT_EQ(Queued(), 0u);
}

TEST_F(BackgroundControlTest, WithoutWorkThereIsNothingToWaitFor) {
  EXPECT_TRUE(WaitUntilIdle(WaitForCompactOptions()).ok());
  control.Pause();
  EXPECT_TRUE(WaitUntilIdle(WaitForCompactOptions()).ok());
  WaitForCompactOptions options;
  options.abort_on_pause = true;
  EXPECT_TRUE(WaitUntilIdle(options).IsAborted());
  ASSERT_TRUE(control.Continue().ok());
  EXPECT_TRUE(WaitUntilIdle(options).ok());
  control.AbortAll();
  EXPECT_TRUE(WaitUntilIdle(options).IsAborted());
}

// What was done before, such as a flush, takes from the time that is left.
TEST_F(BackgroundControlTest, ALimitCountsFromItsBegin) {
  const WaitForCompactOptions never;
  EXPECT_EQ(control.LimitOf(never).LeftMicros(), UINT64_MAX);
  EXPECT_FALSE(control.LimitOf(never).HasEnd());
  WaitForCompactOptions options = NoLongerThanAMicrosecond();
  const WaitLimit limit = control.LimitOf(options);
  EXPECT_TRUE(limit.HasEnd());
  while (limit.LeftMicros() > 0) std::this_thread::yield();
  EXPECT_TRUE(control.WaitUntilIdle(limit).ok()) << "there is nothing to do";
  options.timeout = std::chrono::hours(1);
  EXPECT_GT(control.LimitOf(options).LeftMicros(), 1'000'000u);
  MutexLock lock(&parts.world.mutex);
  EXPECT_TRUE(limit.AwaitChange().IsTimedOut());
  EXPECT_TRUE(control.LimitOf(options).AwaitChange(1).ok()) << "it may go on";
}

TEST_F(BackgroundControlTest, APauseWakesWhoeverDoesNotWaitForItsEnd) {
  MakeDue();
  {
    MutexLock lock(&parts.world.mutex);
    parts.queue->RetryLater(parts.family.get());
  }
  WaitForCompactOptions options;
  options.abort_on_pause = true;
  std::thread waiter([&] { EXPECT_TRUE(WaitUntilIdle(options).IsAborted()); });
  {
    // So that it waits by then; it is as right if it does not.
    MutexLock lock(&parts.world.mutex);
    for (int i = 0; i < 10; ++i) parts.changes.AwaitFor(1000);
  }
  control.Pause();
  waiter.join();
  ASSERT_TRUE(control.Continue().ok());
  EXPECT_TRUE(WaitUntilIdle(options).ok());
}

TEST_F(BackgroundControlTest, WhoeverWaitsIsToldWhyItIsInVain) {
  Fail();
  EXPECT_TRUE(WaitUntilIdle(WaitForCompactOptions()).IsCorruption());
  parts.stop.ShutDown();
  EXPECT_TRUE(WaitUntilIdle(WaitForCompactOptions()).IsShutdownInProgress());
}

TEST_F(BackgroundControlTest, WhatIsDueIsWaitedFor) {
  MakeDue();
  control.Pause();
  {
    MutexLock lock(&parts.world.mutex);
    parts.queue->Add(parts.world.cfd);
  }
  EXPECT_TRUE(WaitUntilIdle(NoLongerThanAMicrosecond()).IsTimedOut());
  ASSERT_TRUE(control.Continue().ok());
  {
    MutexLock lock(&parts.world.mutex);
    parts.scheduler.MaybeSchedule();
  }
  EXPECT_TRUE(WaitUntilIdle(WaitForCompactOptions()).ok());
  EXPECT_TRUE(parts.world.Files(0).empty());
}

TEST_F(BackgroundControlTest, WhatWaitsToBeTriedAgainIsWaitedFor) {
  MakeDue();
  {
    MutexLock lock(&parts.world.mutex);
    parts.queue->RetryLater(parts.family.get());
  }
  EXPECT_TRUE(WaitUntilIdle(NoLongerThanAMicrosecond()).IsTimedOut());
  control.RetryNow();
  EXPECT_TRUE(WaitUntilIdle(WaitForCompactOptions()).ok());
  EXPECT_TRUE(parts.world.Files(0).empty());
}

TEST_F(BackgroundControlTest, FilesThatAreToGoAreWaitedForIfAsked) {
  const std::string path = "/db/000900.sst";
  ASSERT_TRUE(WriteStringToFile(parts.world.f.fs.get(), "x", path).ok());
  parts.obsolete->Add(path, kTableFile, 900);
  const auto is_there = [&] {
    return parts.world.f.fs->FileExists(path, IOOptions(), nullptr).ok();
  };
  EXPECT_TRUE(WaitUntilIdle(WaitForCompactOptions()).ok());
  EXPECT_TRUE(is_there());
  clean_up.Schedule();
  EXPECT_TRUE(WaitUntilIdle(WaitForCompactOptions()).ok());
  WaitForCompactOptions options = NoLongerThanAMicrosecond();
  options.wait_for_purge = true;
  EXPECT_TRUE(WaitUntilIdle(options).IsTimedOut());
  EXPECT_TRUE(is_there());
  env.RunNext();
  EXPECT_FALSE(is_there());
  ASSERT_TRUE(WriteStringToFile(parts.world.f.fs.get(), "x", path).ok());
  parts.obsolete->Add(path, kTableFile, 900);
  EXPECT_TRUE(WaitUntilIdle(options).ok());
  EXPECT_FALSE(is_there());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
