// Something that is done every so often, on the thread that all such tasks of
// the process share.
//
// Threads    Safe for concurrent use. The task itself must not call its
//            PeriodicTask, and should be short: it delays the others.
// Ownership  Once Stop() or the destructor has returned, the task neither runs
//            nor will.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "rocksdb/rocksdb_namespace.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

class TaskThread;

class PeriodicTask {
 public:
  explicit PeriodicTask(std::function<void()> task);
  ~PeriodicTask() { Stop(); }
  PeriodicTask(const PeriodicTask&) = delete;
  PeriodicTask& operator=(const PeriodicTask&) = delete;

  // From now on every `period_micros`, the first time after one period;
  // 0: never.
  void SetPeriod(uint64_t period_micros) EXCLUDES(mutex_);
  void Stop() { SetPeriod(0); }

 private:
  const std::function<void()> task_;
  Mutex mutex_;
  std::shared_ptr<TaskThread> thread_ GUARDED_BY(mutex_);  // null: stopped
  uint64_t id_ GUARDED_BY(mutex_) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
