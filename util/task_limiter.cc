#include "util/task_limiter.h"

#include <algorithm>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

TaskLimiter::TaskLimiter(std::string name, int32_t limit)
    : name_(std::move(name)), limit_(limit) {}

void TaskLimiter::SetMaxOutstandingTask(int32_t limit) {
  Waiters waiters;
  {
    MutexLock lock(&mutex_);
    limit_ = limit;
    waiters = TakeWaitersLocked();
  }
  Tell(waiters);
}

int32_t TaskLimiter::GetOutstandingTask() const {
  MutexLock lock(&mutex_);
  return taken_;
}

bool TaskLimiter::Take(const std::shared_ptr<Waiter>& waiter) {
  INVARIANT(waiter != nullptr);
  MutexLock lock(&mutex_);
  if (HasRoomLocked()) {
    ++taken_;
    return true;
  }
  if (std::find(waiters_.begin(), waiters_.end(), waiter) == waiters_.end()) {
    waiters_.push_back(waiter);
  }
  return false;
}

void TaskLimiter::TakeInAnyCase() {
  MutexLock lock(&mutex_);
  ++taken_;
}

void TaskLimiter::GiveBack() {
  Waiters waiters;
  {
    MutexLock lock(&mutex_);
    INVARIANT(taken_ > 0);
    --taken_;
    waiters = TakeWaitersLocked();
  }
  Tell(waiters);
}

TaskLimiter::Waiters TaskLimiter::TakeWaitersLocked() {
  return HasRoomLocked() ? std::exchange(waiters_, {}) : Waiters();
}

void TaskLimiter::Tell(const Waiters& waiters) {
  for (const std::shared_ptr<Waiter>& waiter : waiters) waiter->OnRoom();
}

ConcurrentTaskLimiter* NewConcurrentTaskLimiter(const std::string& name,
                                                int32_t limit) {
  return std::make_unique<TaskLimiter>(name, limit).release();
}

}  // namespace ROCKSDB_NAMESPACE
