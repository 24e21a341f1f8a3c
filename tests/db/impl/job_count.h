// Counts the jobs of a database's background pools, and waits for their ends.
#pragma once

#include <map>
#include <memory>

#include "rocksdb/env.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

// Those that may be taken back (the BOTTOM pool's) are not counted.
class JobCount final : public EnvWrapper {
 public:
  explicit JobCount(Env* base = Env::Default()) : EnvWrapper(base) {}
  ~JobCount() override { AwaitNone(); }
  const char* Name() const override { return "JobCount"; }
  void Schedule(void (*function)(void*), void* arg, Priority pri, void* tag,
                void (*unschedule_function)(void*)) override {
    if (unschedule_function != nullptr) {
      target()->Schedule(function, arg, pri, tag, unschedule_function);
      return;
    }
    {
      MutexLock lock(&mutex_);
      ++running_;
    }
    auto job = std::make_unique<Job>(Job{this, pri, function, arg});
    target()->Schedule(&JobCount::Run, job.release(), pri, tag, nullptr);
  }
  void AwaitEnded(Priority pri, int count) {
    MutexLock lock(&mutex_);
    while (ended_[pri] < count) changed_.Wait();
  }
  // None is running, or is to.
  void AwaitNone() {
    MutexLock lock(&mutex_);
    while (running_ > 0) changed_.Wait();
  }

 private:
  struct Job {
    JobCount* count;
    Priority pri;
    void (*function)(void*);
    void* arg;
  };
  static void Run(void* arg) {
    const std::unique_ptr<Job> job(static_cast<Job*>(arg));
    job->function(job->arg);
    MutexLock lock(&job->count->mutex_);
    ++job->count->ended_[job->pri];
    --job->count->running_;
    job->count->changed_.SignalAll();
  }

  Mutex mutex_;
  CondVar changed_{&mutex_};
  std::map<Priority, int> ended_;
  int running_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
