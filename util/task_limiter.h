#pragma once

// The limiter that NewConcurrentTaskLimiter() makes: so many tasks at a time,
// over all who share it.
//
// Whoever finds no room is remembered, and told once there may be some. It
// then asks again; others may have been faster.
//
// Threads  Every call from any thread. OnRoom() is called without any lock of
//          the limiter, by whoever gives a place back or raises the limit.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/concurrent_task_limiter.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class TaskLimiter final : public ConcurrentTaskLimiter {
 public:
  class Waiter {
   public:
    virtual ~Waiter() = default;
    virtual void OnRoom() = 0;
  };

  // `limit` < 0: any number.
  TaskLimiter(std::string name, int32_t limit);

  const std::string& GetName() const override { return name_; }
  void SetMaxOutstandingTask(int32_t limit) override EXCLUDES(mutex_);
  void ResetMaxOutstandingTask() override { SetMaxOutstandingTask(-1); }
  int32_t GetOutstandingTask() const override EXCLUDES(mutex_);

  // A place for one task, until GiveBack(). False: there is none; `waiter` is
  // told once there may be.
  [[nodiscard]] bool Take(const std::shared_ptr<Waiter>& waiter)
      EXCLUDES(mutex_);
  // A place even where there is none.
  void TakeInAnyCase() EXCLUDES(mutex_);
  void GiveBack() EXCLUDES(mutex_);

 private:
  using Waiters = std::vector<std::shared_ptr<Waiter>>;

  bool HasRoomLocked() const REQUIRES(mutex_) {
    return limit_ < 0 || taken_ < limit_;
  }
  // All who wait, if there is room for any.
  Waiters TakeWaitersLocked() REQUIRES(mutex_);
  static void Tell(const Waiters& waiters);

  const std::string name_;
  mutable Mutex mutex_;
  int32_t limit_ GUARDED_BY(mutex_);
  int32_t taken_ GUARDED_BY(mutex_) = 0;
  Waiters waiters_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
