// Mutex: it excludes, whether its lockers sleep or spin first, and tells an
// observer of those that sleep.

#include "util/mutex.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ROCKSDB_NAMESPACE {
namespace {

class CountingObserver final : public LockWaitObserver {
 public:
  uint64_t BeforeWait() override { return ++begun_; }
  void AfterWait(uint64_t before) override {
    EXPECT_GT(before, 0u);
    ++ended_;
  }
  uint64_t begun() const { return begun_.load(); }
  uint64_t ended() const { return ended_.load(); }

 private:
  std::atomic<uint64_t> begun_{0};
  std::atomic<uint64_t> ended_{0};
};

class MutexTest : public testing::TestWithParam<bool> {
 protected:
  MutexTest() {
    if (GetParam()) mutex_.SpinFirst();
  }

  CountingObserver observer_;
  Mutex mutex_{&observer_};
};

TEST_P(MutexTest, ExcludesOthers) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 20000;
  int64_t count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        MutexLock lock(&mutex_);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, int64_t{kThreads} * kRounds);
  EXPECT_EQ(observer_.begun(), observer_.ended());
}

TEST_P(MutexTest, TheObserverHearsOfThoseThatSleep) {
  { MutexLock lock(&mutex_); }
  EXPECT_EQ(observer_.begun(), 0u) << "it was free";
  mutex_.Lock();
  std::thread other([&] { MutexLock lock(&mutex_); });
  while (observer_.begun() == 0) std::this_thread::yield();
  EXPECT_EQ(observer_.ended(), 0u);
  mutex_.Unlock();
  other.join();
  EXPECT_EQ(observer_.begun(), 1u);
  EXPECT_EQ(observer_.ended(), 1u);
}

TEST_P(MutexTest, ServesAConditionVariable) {
  CondVar changed(&mutex_);
  int turn = 0;
  std::thread other([&] {
    MutexLock lock(&mutex_);
    for (int i = 0; i < 1000; ++i) {
      while (turn % 2 == 0) changed.Wait();
      ++turn;
      changed.SignalAll();
    }
  });
  {
    MutexLock lock(&mutex_);
    for (int i = 0; i < 1000; ++i) {
      while (turn % 2 == 1) changed.Wait();
      ++turn;
      changed.SignalAll();
    }
  }
  other.join();
  EXPECT_EQ(turn, 2000);
  if (mutex_.TryLock()) {
    mutex_.Unlock();
  } else {
    ADD_FAILURE() << "nobody has it";
  }
}

TEST_P(MutexTest, NoTimeIsTooLongForAWait) {
  CondVar changed(&mutex_);
  for (const uint64_t micros : {UINT64_MAX, uint64_t{INT64_MAX}}) {
    bool is_set = false;
    bool is_over = false;
    std::thread other;
    {
      MutexLock lock(&mutex_);
      other = std::thread([&] {
        MutexLock other_lock(&mutex_);
        is_set = true;
        changed.SignalAll();
      });
      while (!is_set) is_over = changed.WaitFor(micros) || is_over;
    }
    other.join();
    EXPECT_FALSE(is_over) << micros;
  }
}

INSTANTIATE_TEST_SUITE_P(BothWays, MutexTest, testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "SpinsFirst" : "Sleeps";
                         });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
