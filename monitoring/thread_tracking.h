// What threads do just now, for Env::GetThreadList().
//
// A thread gets a slot when it is registered or first says what it does, and
// gives it back when it ends. Only the thread writes into its slot: a call of a
// user costs a look at the clock and a few stores there, and no lock. The names
// of databases and families stand apart, under a lock that jobs and whoever
// reads the list take.
//
// Threads  All calls from any thread. A TrackedOperation or a TrackedCall is
//          for the thread that made it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/thread_status.h"

namespace ROCKSDB_NAMESPACE {

// The calling thread is one of a pool's. Does nothing the second time.
void RegisterTrackedThread(ThreadStatus::ThreadType type);

// Every registered thread, idle or not.
std::vector<ThreadStatus> TrackedThreads();

// The calling thread waits for a mutex, or goes on.
void SetTrackedState(ThreadStatus::StateType state);

class TrackedSlot;

// Whom a thread works for, by number.
enum class TrackedWork : uint64_t { kNone = 0 };

// Gives a database and one of its families such a number. The threads that
// still tell it have no names any more once this goes.
class TrackedNames {
 public:
  TrackedNames(const std::string& db_name, const std::string& cf_name);
  ~TrackedNames();
  TrackedNames(const TrackedNames&) = delete;
  TrackedNames& operator=(const TrackedNames&) = delete;

  TrackedWork work() const { return work_; }
  // The same without the family: several of them.
  static TrackedWork DatabaseAlone(TrackedWork work);

 private:
  const TrackedWork work_;
};

// What a thread tells of itself.
struct TrackedDoing {
  TrackedWork work = TrackedWork::kNone;
  ThreadStatus::OperationType operation = ThreadStatus::OP_UNKNOWN;
  ThreadStatus::OperationStage stage = ThreadStatus::STAGE_UNKNOWN;
  uint64_t start_nanos = 0;
  std::array<uint64_t, ThreadStatus::kNumOperationProperties> properties = {};
};

// From construction to destruction, the thread does `what` for a family. Of
// several, the last one is told; they may end in any order.
class TrackedOperation {
 public:
  struct What {
    // DBOptions::enable_thread_tracking; false: nothing is told.
    bool is_enabled = false;
    ThreadStatus::OperationType type = ThreadStatus::OP_UNKNOWN;
    std::string db_name = {};
    std::string cf_name = {};  // empty: whatever the family
  };
  explicit TrackedOperation(const What& what);
  TrackedOperation(const TrackedOperation&) = delete;
  TrackedOperation& operator=(const TrackedOperation&) = delete;
  ~TrackedOperation();

  void SetStage(ThreadStatus::OperationStage stage);
  // `index` is one of ThreadStatus::CompactionPropertyType or its kin.
  void SetProperty(int index, uint64_t value);

 private:
  void Tell();

  TrackedSlot* slot_ = nullptr;  // null: nothing is told
  std::unique_ptr<TrackedNames> names_;
  TrackedDoing doing_;
  TrackedOperation* below_ = nullptr;  // the one before, in the same thread
};

// From construction to destruction, the thread is in a user's call. A call
// inside a job or another call is not told: what was begun first stands.
class TrackedCall {
 public:
  // kNone: nothing is told, which is what costs next to nothing.
  TrackedCall(TrackedWork work, ThreadStatus::OperationType operation) {
    if (work != TrackedWork::kNone) [[unlikely]]
      slot_ = Begin(work, operation);
  }
  ~TrackedCall() {
    if (slot_ != nullptr) [[unlikely]]
      End(slot_);
  }
  TrackedCall(const TrackedCall&) = delete;
  TrackedCall& operator=(const TrackedCall&) = delete;

 private:
  // Null: not told.
  static TrackedSlot* Begin(TrackedWork work,
                            ThreadStatus::OperationType operation);
  static void End(TrackedSlot* slot);

  TrackedSlot* slot_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
