// A delayed task runs once for each request, at the earlier time, and may be
// asked for with locks held.
#include "util/delayed_task.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <memory>

#include "tests/util/call_count.h"
#include "util/periodic_task.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint64_t kHour = uint64_t{3600} * 1000 * 1000;

TEST(DelayedTaskTest, RunsOnceForEachTimeItIsAskedFor) {
  CallCount count;
  DelayedTask task([&count] { count.Add(); });
  CallCount ticks;
  PeriodicTask ticking([&ticks] { ticks.Add(); });
  ticking.SetPeriod(100);
  ticks.WaitFor(5);
  EXPECT_EQ(count.value(), 0);
  for (int i = 1; i <= 3; ++i) {
    task.RunIn(1);
    count.WaitFor(i);
    ticks.WaitFor(ticks.value() + 5);
    EXPECT_EQ(count.value(), i);
  }
}

TEST(DelayedTaskTest, TheEarlierTimeCounts) {
  CallCount count;
  DelayedTask task([&count] { count.Add(); });
  task.RunIn(kHour);
  task.RunIn(1);
  task.RunIn(kHour);
  count.WaitFor(1);
  // Further away than any clock goes.
  task.RunIn(std::numeric_limits<uint64_t>::max());
  task.RunIn(0);
  count.WaitFor(2);
}

TEST(DelayedTaskTest, MayAskForItselfWithLocksHeld) {
  Mutex mutex;
  CallCount count;
  std::unique_ptr<DelayedTask> task;
  task = std::make_unique<DelayedTask>([&] {
    MutexLock lock(&mutex);
    count.Add();
    task->RunIn(1);
  });
  {
    MutexLock lock(&mutex);
    task->RunIn(1);
    task->RunIn(2);
  }
  count.WaitFor(5);
  // Its end waits for the task, which calls it once more.
  DelayedTask* const ending = task.get();
  std::atomic<bool> is_running{false};
  CallCount last;
  auto other = std::make_unique<DelayedTask>([&] {
    is_running.store(true);
    last.Add();
    ending->RunIn(1);
    is_running.store(false);
  });
  other->RunIn(0);
  last.WaitFor(1);
  other.reset();
  EXPECT_FALSE(is_running.load());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
