// An environment whose background jobs run when a test says so, in the thread
// that says it.
//
// Threads    Any.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <utility>

#include "rocksdb/env.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class HeldEnv final : public EnvWrapper {
 public:
  HeldEnv() : EnvWrapper(Env::Default()) {}
  ~HeldEnv() override { EXPECT_EQ(job_count(), 0u); }

  void Schedule(void (*function)(void*), void* arg, Priority /*pri*/,
                void* /*tag*/, void (* /*taken_back*/)(void*)) override {
    MutexLock lock(&mutex_);
    jobs_.emplace_back(function, arg);
    came_.SignalAll();
  }
  size_t job_count() const {
    MutexLock lock(&mutex_);
    return jobs_.size();
  }
  void RunNext() {
    ASSERT_GT(job_count(), 0u);
    AwaitAndRun();
  }
  // Waits for another thread to bring one.
  void AwaitAndRun() {
    Job job;
    {
      MutexLock lock(&mutex_);
      while (jobs_.empty()) came_.Wait();
      job = jobs_.front();
      jobs_.pop_front();
    }
    job.first(job.second);
  }

 private:
  using Job = std::pair<void (*)(void*), void*>;

  mutable Mutex mutex_;
  CondVar came_{&mutex_};
  std::deque<Job> jobs_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
