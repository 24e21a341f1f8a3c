// An environment whose background jobs run when a test says so, in the thread
// that says it.
//
// Threads    Any.
#pragma once

#include <gtest/gtest.h>

#include <deque>

#include "rocksdb/env.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class HeldEnv final : public EnvWrapper {
 public:
  HeldEnv() : EnvWrapper(Env::Default()) {}
  ~HeldEnv() override { EXPECT_EQ(job_count(), 0u); }

  void Schedule(void (*function)(void*), void* arg, Priority /*pri*/, void* tag,
                void (*taken_back)(void*)) override {
    MutexLock lock(&mutex_);
    jobs_.push_back({function, arg, tag, taken_back});
    came_.SignalAll();
  }
  int UnSchedule(void* tag, Priority /*pri*/) override {
    std::deque<Job> taken;
    {
      MutexLock lock(&mutex_);
      std::deque<Job> kept;
      for (const Job& job : jobs_) {
        (tag != nullptr && job.tag == tag ? taken : kept).push_back(job);
      }
      jobs_.swap(kept);
    }
    for (const Job& job : taken) {
      if (job.taken_back != nullptr) job.taken_back(job.arg);
    }
    return static_cast<int>(taken.size());
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
    job.run(job.arg);
  }

 private:
  struct Job {
    void (*run)(void*) = nullptr;
    void* arg = nullptr;
    void* tag = nullptr;
    void (*taken_back)(void*) = nullptr;
  };

  mutable Mutex mutex_;
  CondVar came_{&mutex_};
  std::deque<Job> jobs_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
