// What a running job looks at to learn that it has to stop, and what it then
// answers.
//
// Threads  Any; others set what it points to.
#pragma once

#include <atomic>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// Each may be null: nobody stops the job in that way.
struct StopToken {
  // The database is being closed: ShutdownInProgress.
  const std::atomic<bool>* shutting_down = nullptr;
  // The owner of a manual compaction has enough of it: Incomplete (paused).
  const std::atomic<bool>* canceled = nullptr;
  // More than zero: manual compactions are disabled, with the same effect.
  const std::atomic<int>* disablers = nullptr;
  // More than zero: compactions of the database, or of the family alone, are
  // aborted: Incomplete (aborted).
  const std::atomic<int>* aborts = nullptr;
  const std::atomic<int>* family_aborts = nullptr;

  bool IsShuttingDown() const { return IsSet(shutting_down); }
  bool MustStop() const {
    return IsSet(shutting_down) || IsSet(aborts) || IsSet(family_aborts) ||
           IsSet(canceled) || IsSet(disablers);
  }
  // OK: the job goes on.
  Status Check() const {
    if (IsSet(shutting_down)) return Status::ShutdownInProgress("compaction");
    if (IsSet(aborts) || IsSet(family_aborts)) {
      return Status::Incomplete(Status::SubCode::kCompactionAborted);
    }
    if (IsSet(canceled) || IsSet(disablers)) {
      return Status::Incomplete(Status::SubCode::kManualCompactionPaused);
    }
    return Status::OK();
  }

 private:
  // relaxed: a stop that is seen a little late is in time.
  static bool IsSet(const std::atomic<bool>* flag) {
    return flag != nullptr && flag->load(std::memory_order_relaxed);
  }
  // The count may be below zero: users may enable what was not disabled.
  static bool IsSet(const std::atomic<int>* count) {
    return count != nullptr && count->load(std::memory_order_relaxed) > 0;
  }
};

}  // namespace ROCKSDB_NAMESPACE
