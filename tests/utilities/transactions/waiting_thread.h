// A thread that waits for locks, for tests of who waits for whom.
//
// Threads    Start() and Await() by one other, in turns.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// Does one task after another.
class WaitingThread {
 public:
  WaitingThread() : thread_([this] { Work(); }) {}
  ~WaitingThread() {
    Start({});
    thread_.join();
  }

  // Behind the task before.
  void Start(std::function<Status()> task) {
    std::unique_lock<std::mutex> lock(mutex_);
    condition_.wait(lock, [this] { return !is_busy_; });
    task_ = std::move(task);
    is_busy_ = true;
    condition_.notify_all();
  }
  Status Await() {
    std::unique_lock<std::mutex> lock(mutex_);
    condition_.wait(lock, [this] { return !is_busy_; });
    return result_;
  }

 private:
  void Work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      condition_.wait(lock, [this] { return is_busy_; });
      if (task_ == nullptr) return;
      const std::function<Status()> task = std::move(task_);
      lock.unlock();
      Status s = task();
      lock.lock();
      result_ = std::move(s);
      is_busy_ = false;
      condition_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable condition_;
  std::function<Status()> task_;
  bool is_busy_ = false;
  Status result_;
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE
