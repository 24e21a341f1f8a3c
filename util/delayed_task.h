// Something that is done once after a time, whenever that is asked for, on the
// thread that it shares with the periodic tasks of the process.
//
// Threads    Safe for concurrent use. The task should be short: it delays the
//            others. RunIn() does not wait for it, and may be called by it, or
//            with locks held that it takes.
// Ownership  Once the destructor has returned, the task neither runs nor will.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class TaskThread;

class DelayedTask {
 public:
  explicit DelayedTask(std::function<void()> task);
  ~DelayedTask();
  DelayedTask(const DelayedTask&) = delete;
  DelayedTask& operator=(const DelayedTask&) = delete;

  // Once, `micros` from now; where it is due already, at the earlier of both.
  void RunIn(uint64_t micros);

 private:
  const std::function<void()> task_;
  const std::shared_ptr<TaskThread> thread_;
  const uint64_t id_;
};

}  // namespace ROCKSDB_NAMESPACE
