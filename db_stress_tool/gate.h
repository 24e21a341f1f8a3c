// Many pass at once, or one alone, who does not wait for ever: those who come
// after one that wants to be alone wait for it.
//
// Threads    Any.

#pragma once

#include <condition_variable>
#include <mutex>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress {

class Gate {
 public:
  class Shared {
   public:
    explicit Shared(Gate* gate) : gate_(gate) { gate_->Enter(); }
    ~Shared() { gate_->Leave(); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

   private:
    Gate* const gate_;
  };
  class Alone {
   public:
    explicit Alone(Gate* gate) : gate_(gate) { gate_->EnterAlone(); }
    ~Alone() { gate_->LeaveAlone(); }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

   private:
    Gate* const gate_;
  };

 private:
  void Enter() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return !is_alone_ && alone_waiting_ == 0; });
    ++inside_;
  }
  void Leave() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (--inside_ == 0) changed_.notify_all();
  }
  void EnterAlone() {
    std::unique_lock<std::mutex> lock(mutex_);
    ++alone_waiting_;
    changed_.wait(lock, [&] { return !is_alone_ && inside_ == 0; });
    --alone_waiting_;
    is_alone_ = true;
  }
  void LeaveAlone() {
    std::lock_guard<std::mutex> lock(mutex_);
    is_alone_ = false;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int inside_ = 0;
  int alone_waiting_ = 0;
  bool is_alone_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::stress
