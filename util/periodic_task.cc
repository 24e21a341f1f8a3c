#include "util/periodic_task.h"

#include <utility>

#include "util/invariant.h"
#include "util/task_thread.h"

namespace ROCKSDB_NAMESPACE {

PeriodicTask::PeriodicTask(std::function<void()> task)
    : task_(std::move(task)) {
  INVARIANT(task_ != nullptr);
}

void PeriodicTask::SetPeriod(uint64_t period_micros) {
  MutexLock lock(&mutex_);
  if (thread_ != nullptr) {
    thread_->Remove(id_);
    thread_.reset();
  }
  if (period_micros == 0) return;
  thread_ = TaskThread::Get();
  id_ = thread_->Add(period_micros, &task_);
}

}  // namespace ROCKSDB_NAMESPACE
