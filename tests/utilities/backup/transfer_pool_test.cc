// The copying threads of backups run every job of many callers, begin none
// after a failure, and survive jobs that throw.
#include "utilities/backup/transfer_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "tests/db/impl/db_fixture.h"
#include "utilities/backup/file_transfer.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using PoolJobs = std::vector<TransferPool::Job>;

TEST(TransferPoolTest, RunsAllJobs) {
  for (const int threads : {-1, 1, 4}) {
    TransferPool pool(threads);
    std::atomic<int> count{0};
    const PoolJobs jobs(100, [&] {
      ++count;
      return IOStatus::OK();
    });
    EXPECT_OK(pool.RunAll(jobs));
    EXPECT_EQ(count.load(), 100);
    EXPECT_OK(pool.RunAll({}));
  }
}

TEST(TransferPoolTest, NoneBeginsAfterAFailure) {
  TransferPool pool(1);
  int count = 0;
  PoolJobs jobs(5, [&] {
    ++count;
    return IOStatus::OK();
  });
  jobs[2] = [] { return IOStatus::IOError("third"); };
  jobs[3] = [] { return IOStatus::Corruption("fourth"); };
  EXPECT_EQ(pool.RunAll(jobs).ToString(), "IO error: third");
  EXPECT_EQ(count, 2);
  // It is that call's failure alone.
  jobs.resize(2);
  EXPECT_OK(pool.RunAll(jobs));
  EXPECT_EQ(count, 4);
}

TEST(TransferPoolTest, JobsThatThrow) {
  TransferPool pool(2);
  EXPECT_EQ(pool.RunAll({[]() -> IOStatus { throw std::runtime_error("no"); }})
                .ToString(),
            "Operation aborted: Exception in backup: no");
  EXPECT_EQ(pool.RunAll({[]() -> IOStatus { throw 7; }}).ToString(),
            "Operation aborted: Unknown exception in backup");
}

TEST(TransferPoolTest, CallersShareIt) {
  TransferPool pool(2);
  std::atomic<int> count{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&, c] {
      PoolJobs jobs(50, [&] {
        ++count;
        return IOStatus::OK();
      });
      jobs.back() = [c] {
        return c % 2 == 0 ? IOStatus::OK() : IOStatus::Busy("last");
      };
      EXPECT_EQ(pool.RunAll(jobs).ok(), c % 2 == 0);
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(count.load(), 4 * 49);
}

TEST(TransferPoolTest, PrioritiesGoDownForGood) {
  TransferPool pool(1);
  const auto nice_value = [&] {
    int value = -100;
    EXPECT_OK(pool.RunAll({[&] {
      value = getpriority(PRIO_PROCESS, 0);
      return IOStatus::OK();
    }}));
    return value;
  };
  const int before = nice_value();
  pool.LowerCpuPriority(CpuPriority::kHigh);
  EXPECT_EQ(nice_value(), before);
  pool.LowerCpuPriority(CpuPriority::kLow);
  const int low = nice_value();
  EXPECT_GE(low, before) << "in a process that is nicer it stays as it is";
  EXPECT_GE(low, 5);
  pool.LowerCpuPriority(CpuPriority::kNormal);
  EXPECT_EQ(nice_value(), low);
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), before) << "this thread's own";
}

TEST(TransferProgressTest, CallsForEachInterval) {
  int calls = 0;
  TransferProgress progress(10, [&] { ++calls; });
  for (int i = 0; i < 7; ++i) EXPECT_OK(progress.Add(3));
  EXPECT_EQ(calls, 2);
  EXPECT_OK(progress.Add(9));
  EXPECT_EQ(calls, 3);
  TransferProgress each(0, [&] { ++calls; });
  EXPECT_OK(each.Add(1));
  EXPECT_EQ(calls, 4);
  TransferProgress nobody(1, nullptr);
  EXPECT_OK(nobody.Add(1));
  TransferProgress thrower(1, [] { throw std::runtime_error("no"); });
  EXPECT_TRUE(thrower.Add(1).IsAborted());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
