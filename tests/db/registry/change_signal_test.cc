// Everyone who waits for a change is woken by it and looks again, and a wait
// that nothing ends is over in its time.
#include "db/registry/change_signal.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(ChangeSignalTest, AllWhoWaitAreWokenAndLookAgain) {
  Mutex mutex;
  ChangeSignal changes(&mutex);
  int waiting = 0;
  int state = 0;
  const auto wait_for = [&](int wanted) {
    MutexLock lock(&mutex);
    ++waiting;
    changes.Note();  // For whoever counts them.
    while (state < wanted) changes.Await();
  };
  std::vector<std::thread> threads;
  for (const int wanted : {1, 1, 2}) threads.emplace_back(wait_for, wanted);
  {
    MutexLock lock(&mutex);
    while (waiting < 3) changes.Await();
    state = 1;
    changes.Note();
  }
  threads[0].join();
  threads[1].join();
  {
    MutexLock lock(&mutex);
    state = 2;
    changes.Note();
  }
  threads[2].join();
}

TEST(ChangeSignalTest, AUsersWaitIsCounted) {
  Mutex mutex;
  ChangeSignal changes(&mutex);
  bool is_waiting = false;
  bool is_over = false;
  uint64_t nanos_of_job = UINT64_MAX;
  uint64_t nanos_of_user = 0;
  const auto wait = [&](auto await, uint64_t* nanos) {
    SetPerfLevel(PerfLevel::kEnableTime);
    get_perf_context()->Reset();
    MutexLock lock(&mutex);
    is_waiting = true;
    changes.Note();
    while (!is_over) await();
    *nanos = get_perf_context()->db_condition_wait_nanos;
  };
  const auto wake = [&] {
    MutexLock lock(&mutex);
    while (!is_waiting) changes.Await();
    is_waiting = false;
    is_over = true;
    changes.Note();
  };
  std::thread job([&] { wait([&] { changes.Await(); }, &nanos_of_job); });
  wake();
  job.join();
  is_over = false;
  std::thread user(
      [&] { wait([&] { changes.AwaitForUser(); }, &nanos_of_user); });
  wake();
  user.join();
  EXPECT_EQ(nanos_of_job, 0u);
  EXPECT_GT(nanos_of_user, 0u);
}

TEST(ChangeSignalTest, AWaitThatNothingEndsIsOverInItsTime) {
  Mutex mutex;
  ChangeSignal changes(&mutex);
  MutexLock lock(&mutex);
  changes.AwaitFor(1);
  mutex.AssertHeld();
  // Nobody tells that a user has canceled a call.
  const std::atomic<bool> canceled{true};
  changes.AwaitForUser(&canceled);
  mutex.AssertHeld();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
