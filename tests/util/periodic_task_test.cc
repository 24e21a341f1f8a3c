// Periodic tasks run again and again without delaying each other, and stopping
// one waits for its run to end.
#include "util/periodic_task.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "tests/util/call_count.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint64_t kNever = uint64_t{3600} * 1000 * 1000;

TEST(PeriodicTaskTest, RunsAgainAndAgain) {
  CallCount count;
  PeriodicTask task([&count] { count.Add(); });
  task.SetPeriod(100);
  count.WaitFor(5);
  task.Stop();
  const int at_stop = count.value();
  // Others go on, and what is stopped does not.
  CallCount other_count;
  PeriodicTask other([&other_count] { other_count.Add(); });
  other.SetPeriod(100);
  other_count.WaitFor(5);
  EXPECT_EQ(count.value(), at_stop);
  task.SetPeriod(100);
  count.WaitFor(at_stop + 1);
}

TEST(PeriodicTaskTest, ADistantTaskDoesNotHoldUpANearOne) {
  CallCount far_count;
  PeriodicTask far([&far_count] { far_count.Add(); });
  far.SetPeriod(kNever);
  CallCount near_count;
  PeriodicTask near([&near_count] { near_count.Add(); });
  near.SetPeriod(50);
  near_count.WaitFor(10);
  EXPECT_EQ(far_count.value(), 0);
  // A new period counts at once.
  far.SetPeriod(50);
  far_count.WaitFor(1);
  far.SetPeriod(0);
}

TEST(PeriodicTaskTest, StopWaitsForARunningTask) {
  for (int i = 0; i < 50; ++i) {
    std::atomic<bool> is_running{false};
    CallCount count;
    auto task = std::make_unique<PeriodicTask>([&] {
      is_running.store(true);
      count.Add();
      is_running.store(false);
    });
    task->SetPeriod(1);
    count.WaitFor(1);
    task.reset();
    EXPECT_FALSE(is_running.load());
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
