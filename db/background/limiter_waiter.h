// Has a database look for compactions again once a compaction_thread_limiter
// has room. The limiter may outlive the database, and call until it is told
// not to.
//
// Threads  OnRoom() from any thread; after Detach() it does nothing.
#pragma once

#include <functional>
#include <utility>

#include "util/mutex.h"
#include "util/task_limiter.h"

namespace ROCKSDB_NAMESPACE {

class LimiterWaiter final : public TaskLimiter::Waiter {
 public:
  explicit LimiterWaiter(std::function<void()> look) : look_(std::move(look)) {}

  void OnRoom() override EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    if (look_) look_();
  }
  // Waits until a call that is on its way is over.
  void Detach() EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    look_ = nullptr;
  }

 private:
  Mutex mutex_;  // held while look_ runs
  std::function<void()> look_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
