// The thread pool runs jobs in order on as many threads as were asked for,
// gives waiting ones back, and drops them at its end; joins beside other calls
// harm nothing.
#include "env/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(ThreadPoolTest, OneThreadRunsJobsInOrder) {
  std::vector<int> order;
  ThreadPoolImpl pool("test", 1);
  for (int i = 0; i < 100; ++i) {
    pool.SubmitJob([&order, i] { order.push_back(i); });
  }
  pool.WaitForJobsAndJoinAllThreads();
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

TEST(ThreadPoolTest, AsManyThreadsAsAsked) {
  ThreadPoolImpl pool("test", 3);
  std::atomic<int> running{0};
  std::promise<void> all_run;
  std::promise<void> go;
  std::shared_future<void> gate = go.get_future().share();
  for (int i = 0; i < 3; ++i) {
    pool.SubmitJob([&] {
      if (++running == 3) all_run.set_value();
      gate.wait();
    });
  }
  all_run.get_future().wait();
  pool.SubmitJob([] {});
  EXPECT_EQ(pool.GetQueueLen(), 1u);
  go.set_value();
  pool.WaitForJobsAndJoinAllThreads();
  EXPECT_EQ(pool.GetQueueLen(), 0u);
}

TEST(ThreadPoolTest, WaitingJobsCanBeTakenBack) {
  ThreadPoolImpl pool("test", 1);
  std::promise<void> started;
  std::promise<void> go;
  pool.SubmitJob([&] {
    started.set_value();
    go.get_future().wait();
  });
  started.get_future().wait();
  int ran = 0;
  int taken_back = 0;
  int tag = 0;
  for (int i = 0; i < 4; ++i) {
    pool.Schedule({.run = [&] { ++ran; },
                   .taken_back = [&] { ++taken_back; },
                   .tag = i % 2 == 0 ? &tag : nullptr});
  }
  EXPECT_EQ(pool.Unschedule(&tag), 2);
  EXPECT_EQ(pool.Unschedule(&tag), 0);
  go.set_value();
  pool.WaitForJobsAndJoinAllThreads();
  EXPECT_EQ(ran, 2);
  EXPECT_EQ(taken_back, 2);
}

TEST(ThreadPoolTest, JobsWaitUntilThereAreThreads) {
  ThreadPoolImpl pool("test", 0);
  std::promise<void> ran;
  pool.SubmitJob([&] { ran.set_value(); });
  EXPECT_EQ(pool.GetQueueLen(), 1u);
  pool.SetBackgroundThreads(2);
  ran.get_future().wait();
  EXPECT_EQ(pool.GetBackgroundThreads(), 2);
  pool.IncBackgroundThreadsIfNeeded(1);
  EXPECT_EQ(pool.GetBackgroundThreads(), 2);
}

TEST(ThreadPoolTest, JoiningAPoolWithoutThreadsLeavesItSo) {
  ThreadPoolImpl pool("test", 0);
  int ran = 0;
  for (int i = 0; i < 3; ++i) pool.SubmitJob([&] { ++ran; });
  pool.WaitForJobsAndJoinAllThreads();
  EXPECT_EQ(ran, 3);
  EXPECT_EQ(pool.GetBackgroundThreads(), 0);
  pool.SubmitJob([&] { ++ran; });
  EXPECT_EQ(pool.GetQueueLen(), 1u);
}

TEST(ThreadPoolTest, ShrinkingKeepsRunning) {
  ThreadPoolImpl pool("test", 4);
  std::atomic<int> ran{0};
  for (int round = 0; round < 20; ++round) {
    pool.SetBackgroundThreads(1 + round % 4);
    for (int i = 0; i < 10; ++i) pool.SubmitJob([&] { ++ran; });
  }
  pool.WaitForJobsAndJoinAllThreads();
  EXPECT_EQ(ran.load(), 200);
}

TEST(ThreadPoolTest, ReservedThreadsTakeNoJobs) {
  ThreadPoolImpl pool("test", 2);
  EXPECT_EQ(pool.ReserveThreads(5), 2);
  std::promise<void> ran;
  pool.SubmitJob([&] { ran.set_value(); });
  EXPECT_EQ(pool.GetQueueLen(), 1u);
  EXPECT_EQ(pool.ReleaseThreads(1), 1);
  ran.get_future().wait();
  EXPECT_EQ(pool.ReleaseThreads(5), 1);
}

// A thread of the pool is in a job that waits for Open(), another thread joins
// the pool.
class JoinedPool {
 public:
  using Join = void (ThreadPoolImpl::*)();

  explicit JoinedPool(Join join) : pool("test", 1) {
    std::promise<void> started;
    pool.SubmitJob([this, &started] {
      started.set_value();
      gate_.get_future().wait();
      has_ended = true;
    });
    started.get_future().wait();
    EXPECT_TRUE(Submit());
    joiner_ = std::thread([this, join] {
      (pool.*join)();
      EXPECT_TRUE(has_ended);
    });
    // A pool that is joined takes no jobs: then the queue stays as it is.
    while (Submit()) std::this_thread::yield();
  }
  // Until the pool is joined.
  void Open() {
    gate_.set_value();
    joiner_.join();
  }

  ThreadPoolImpl pool;
  std::atomic<bool> has_ended{false};
  std::atomic<int> ran{0};
  int waiting = 0;  // jobs behind the first one

 private:
  // False: the pool did not take the job.
  bool Submit() {
    const unsigned int before = pool.GetQueueLen();
    pool.SubmitJob([this] { ++ran; });
    const bool is_taken = pool.GetQueueLen() > before;
    if (is_taken) ++waiting;
    return is_taken;
  }

  std::promise<void> gate_;
  std::thread joiner_;
};

constexpr JoinedPool::Join kJoins[] = {
    &ThreadPoolImpl::JoinAllThreads,
    &ThreadPoolImpl::WaitForJobsAndJoinAllThreads};

TEST(ThreadPoolTest, NoThreadStartsWhileItIsJoined) {
  for (const JoinedPool::Join join : kJoins) {
    JoinedPool joined(join);
    joined.pool.SetBackgroundThreads(2);
    joined.pool.IncBackgroundThreadsIfNeeded(3);
    EXPECT_EQ(joined.pool.ReserveThreads(1), 0);
    joined.Open();
    EXPECT_EQ(joined.ran.load(), join == kJoins[0] ? 0 : joined.waiting);
    // It works as before, with the threads that were asked for meanwhile.
    EXPECT_EQ(joined.pool.GetBackgroundThreads(), 3);
    EXPECT_EQ(joined.pool.ReserveThreads(5), 3);
    EXPECT_EQ(joined.pool.ReleaseThreads(5), 3);
    std::promise<void> again;
    joined.pool.SubmitJob([&] { again.set_value(); });
    again.get_future().wait();
  }
}

TEST(ThreadPoolTest, ASecondJoinWaitsForTheFirst) {
  for (const JoinedPool::Join first : kJoins) {
    for (const JoinedPool::Join second : kJoins) {
      for (int round = 0; round < 100; ++round) {
        JoinedPool joined(first);
        std::promise<void> comes;
        std::thread other([&] {
          comes.set_value();
          (joined.pool.*second)();
          EXPECT_TRUE(joined.has_ended);
        });
        comes.get_future().wait();
        std::this_thread::yield();
        joined.Open();
        other.join();
        EXPECT_EQ(joined.ran.load(), first == kJoins[0] ? 0 : joined.waiting);
      }
    }
  }
}

TEST(ThreadPoolTest, LoweredPrioritiesAreApplied) {
  ThreadPoolImpl pool("test", 1);
  pool.SetCpuPriority(CpuPriority::kLow);
  pool.LowerIoPriority();
  std::promise<void> ran;
  pool.SubmitJob([&] { ran.set_value(); });
  ran.get_future().wait();
}

TEST(ThreadPoolTest, DestructorDropsWaitingJobs) {
  auto captured = std::make_shared<int>(1);
  {
    ThreadPoolImpl pool("test", 0);
    pool.SubmitJob([captured] { FAIL(); });
    EXPECT_EQ(captured.use_count(), 2);
  }
  EXPECT_EQ(captured.use_count(), 1);
}

TEST(EnvThreadsTest, PoolsOfTheDefaultEnv) {
  Env* env = Env::Default();
  env->IncBackgroundThreadsIfNeeded(1, Env::HIGH);
  for (const Env::Priority pri : {Env::LOW, Env::HIGH}) {
    std::promise<void> ran;
    env->Schedule(
        [](void* arg) { static_cast<std::promise<void>*>(arg)->set_value(); },
        &ran, pri);
    ran.get_future().wait();
  }
  std::promise<void> ran;
  env->StartThread(
      [](void* arg) { static_cast<std::promise<void>*>(arg)->set_value(); },
      &ran);
  env->WaitForJoin();
  EXPECT_EQ(ran.get_future().wait_for(std::chrono::seconds(0)),
            std::future_status::ready);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
