// The thread on which the periodic and the delayed tasks of a process run, one
// after the other. It exists while there are tasks.
//
// Threads    Safe for concurrent use. A task may call RunIn(), not Remove() of
//            itself.
// Ownership  A task must live until Remove() has returned; then it neither runs
//            nor will.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <thread>

#include "rocksdb/rocksdb_namespace.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

class TaskThread {
 public:
  static std::shared_ptr<TaskThread> Get();

  TaskThread();
  ~TaskThread();
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;

  // Every `period_micros`, the first time after one period; 0: when RunIn()
  // asks for it. Returns what names the task.
  uint64_t Add(uint64_t period_micros, const std::function<void()>* task)
      EXCLUDES(mutex_);
  // Once after `micros`, unless it is due before that anyway.
  void RunIn(uint64_t id, uint64_t micros) EXCLUDES(mutex_);
  // Waits for the task where it is running.
  void Remove(uint64_t id) EXCLUDES(mutex_);

 private:
  static constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

  struct Entry {
    uint64_t period_micros = 0;
    uint64_t next_micros = kNever;
    const std::function<void()>* task = nullptr;
  };

  // That moment, by the clock of this thread.
  static uint64_t After(uint64_t micros);

  void Work() EXCLUDES(mutex_);
  void Run(uint64_t id, Entry* entry) REQUIRES(mutex_);

  Mutex mutex_;
  CondVar changed_{&mutex_};
  std::map<uint64_t, Entry> entries_ GUARDED_BY(mutex_);
  uint64_t last_id_ GUARDED_BY(mutex_) = 0;
  uint64_t running_ GUARDED_BY(mutex_) = 0;  // 0: none
  bool is_ending_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE
