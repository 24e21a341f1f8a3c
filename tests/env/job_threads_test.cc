// What the kernel is told of the threads of background jobs, and when.
#include "env/job_threads.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

#include "env/posix/posix_threads.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

Wakes OwnWakes() { return WakesOf(ThisThreadId()); }

TEST(JobThreadsTest, MembersWakeUpInTurn) {
  JobThreads threads;
  ASSERT_EQ(OwnWakes(), Wakes::kAtOnce);
  {
    const JobThreads::Membership membership(&threads);
    EXPECT_EQ(OwnWakes(), Wakes::kInTurn);
  }
  EXPECT_EQ(OwnWakes(), Wakes::kAtOnce);
}

TEST(JobThreadsTest, WhoseWorkIsUrgentWakesUpAtOnce) {
  JobThreads threads;
  threads.SetUrgent(true);
  const JobThreads::Membership membership(&threads);
  EXPECT_EQ(OwnWakes(), Wakes::kAtOnce);
  threads.SetUrgent(false);
  EXPECT_EQ(OwnWakes(), Wakes::kInTurn);
  threads.SetUrgent(true);
  EXPECT_EQ(OwnWakes(), Wakes::kAtOnce);
}

// It is another thread that says so, and those that have left are not meant.
TEST(JobThreadsTest, ThoseThatRunHearOfIt) {
  JobThreads threads;
  const JobThreads::Membership own(&threads);
  Mutex mutex;
  CondVar changed(&mutex);
  int step = 0;
  int member = 0;
  std::thread other = JobThreads::StartOutside([&] {
    MutexLock lock(&mutex);
    member = ThisThreadId();
    EXPECT_EQ(WakesOf(member), Wakes::kAtOnce);
    {
      const JobThreads::Membership membership(&threads);
      step = 1;
      changed.SignalAll();
      while (step < 2) changed.Wait();
    }
    step = 3;
    changed.SignalAll();
    while (step < 4) changed.Wait();
  });
  {
    MutexLock lock(&mutex);
    while (step < 1) changed.Wait();
    EXPECT_EQ(WakesOf(member), Wakes::kInTurn);
    threads.SetUrgent(true);
    EXPECT_EQ(WakesOf(member), Wakes::kAtOnce);
    EXPECT_EQ(OwnWakes(), Wakes::kAtOnce);
    step = 2;
    changed.SignalAll();
    while (step < 3) changed.Wait();
    threads.SetUrgent(false);
    EXPECT_EQ(WakesOf(member), Wakes::kAtOnce);
    EXPECT_EQ(OwnWakes(), Wakes::kInTurn);
    step = 4;
    changed.SignalAll();
  }
  other.join();
}

TEST(JobThreadsTest, HelpersOfMembersAreMembers) {
  JobThreads threads;
  JobThreads::StartHelper([] { EXPECT_EQ(OwnWakes(), Wakes::kAtOnce); }).join();
  const JobThreads::Membership own(&threads);
  JobThreads::StartHelper([&] {
    EXPECT_EQ(OwnWakes(), Wakes::kInTurn);
    threads.SetUrgent(true);
    EXPECT_EQ(OwnWakes(), Wakes::kAtOnce);
    // Its own are, too.
    threads.SetUrgent(false);
    JobThreads::StartHelper([] {
      EXPECT_EQ(OwnWakes(), Wakes::kInTurn);
    }).join();
  }).join();
}

TEST(JobThreadsTest, AMembershipWithinAnotherAddsNothing) {
  JobThreads outer;
  JobThreads inner;
  const JobThreads::Membership own(&outer);
  {
    const JobThreads::Membership membership(&inner);
    inner.SetUrgent(true);
    EXPECT_EQ(OwnWakes(), Wakes::kInTurn);
  }
  EXPECT_EQ(OwnWakes(), Wakes::kInTurn);
  outer.SetUrgent(true);
  EXPECT_EQ(OwnWakes(), Wakes::kAtOnce);
}

TEST(JobThreadsTest, AThreadsOwnPolicyIsLeftAlone) {
  JobThreads threads;
  std::thread other([&] {
    ASSERT_TRUE(SetWakes(ThisThreadId(), Wakes::kInTurn));
    {
      const JobThreads::Membership membership(&threads);
      threads.SetUrgent(true);
      EXPECT_EQ(OwnWakes(), Wakes::kInTurn);
    }
    EXPECT_EQ(OwnWakes(), Wakes::kInTurn);
  });
  other.join();
}

// Runs as a long job does, for the time of three turns and one look behind it:
// the kernel may stop the thread before the first. Returns how often it gave
// way.
uint64_t TurnsOfALongJob() {
  using Clock = std::chrono::steady_clock;
  constexpr auto kLong = std::chrono::microseconds(3 * JobThreads::kTurnMicros);
  const uint64_t before = JobThreads::TurnsOfThisThread();
  const Clock::time_point start = Clock::now();
  for (bool is_over = false; !is_over;) {
    is_over = Clock::now() - start > kLong;
    JobThreads::GiveWay();
  }
  return JobThreads::TurnsOfThisThread() - before;
}

TEST(JobThreadsTest, MembersGiveWay) {
  JobThreads threads;
  EXPECT_EQ(TurnsOfALongJob(), 0u);
  {
    const JobThreads::Membership membership(&threads);
    EXPECT_GE(TurnsOfALongJob(), 1u);
    EXPECT_LE(TurnsOfALongJob(), 5u);
  }
  EXPECT_EQ(TurnsOfALongJob(), 0u);
}

TEST(JobThreadsTest, WhoseWorkIsUrgentGivesNoWay) {
  JobThreads threads;
  const JobThreads::Membership membership(&threads);
  threads.SetUrgent(true);
  EXPECT_EQ(TurnsOfALongJob(), 0u);
  threads.SetUrgent(false);
  EXPECT_GE(TurnsOfALongJob(), 1u);
}

TEST(JobThreadsTest, ThereIsNoSettingOfAnotherPolicy) {
  EXPECT_FALSE(SetWakes(ThisThreadId(), Wakes::kByAnotherPolicy));
  EXPECT_EQ(OwnWakes(), Wakes::kAtOnce);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
