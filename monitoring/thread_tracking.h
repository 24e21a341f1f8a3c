// What threads of the engine do just now, for Env::GetThreadList().
//
// A thread gets a slot when it is registered or first says what it does, and
// gives it back when it ends. Saying is for jobs, not for single reads and
// writes: each call takes the slot's lock, which nobody else wants for long.
//
// Threads  All calls from any thread. A TrackedOperation is for the thread
//          that made it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/thread_status.h"

namespace ROCKSDB_NAMESPACE {

// The calling thread is one of a pool's. Does nothing the second time.
void RegisterTrackedThread(ThreadStatus::ThreadType type);

// Every registered thread, idle or not.
std::vector<ThreadStatus> TrackedThreads();

// From construction to destruction, the thread does `what` for a family.
class TrackedOperation {
 public:
  struct What {
    // DBOptions::enable_thread_tracking; false: nothing is told.
    bool is_enabled = false;
    ThreadStatus::OperationType type = ThreadStatus::OP_UNKNOWN;
    std::string db_name;
    std::string cf_name;
  };
  explicit TrackedOperation(const What& what);
  TrackedOperation(const TrackedOperation&) = delete;
  TrackedOperation& operator=(const TrackedOperation&) = delete;
  ~TrackedOperation();

  void SetStage(ThreadStatus::OperationStage stage);
  // `index` is one of ThreadStatus::CompactionPropertyType or its kin.
  void SetProperty(int index, uint64_t value);

 private:
  const bool is_enabled_;
};

}  // namespace ROCKSDB_NAMESPACE
