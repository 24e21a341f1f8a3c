// What tells the jobs of a database to stop: that it is being closed, and that
// users want no compactions, or none that they have asked for themselves.
//
// Threads    Any, without a lock. Who waits for an end is signalled by the
//            caller, under the mutex that it waits with.
#pragma once

#include <atomic>

#include "rocksdb/status.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class StopSignals {
 public:
  // For good.
  void ShutDown() { shutting_down_.store(true); }
  bool IsShuttingDown() const { return shutting_down_.load(); }

  // No compaction runs while somebody wants them aborted.
  void BeginAbort() { aborts_.fetch_add(1); }
  // False: nobody had begun.
  [[nodiscard]] bool EndAbort() {
    INVARIANT(aborts_.load() >= 0);
    if (aborts_.load() == 0) return false;
    aborts_.fetch_sub(1);
    return true;
  }
  int abort_count() const { return aborts_.load(); }
  bool IsAborting() const { return abort_count() > 0; }

  // False: they still are enabled, since as in RocksDB an enable without a
  // disable before it cancels the next disable: clients do so, and expect
  // their compactions to run.
  [[nodiscard]] bool DisableManual() { return disablers_.fetch_add(1) >= 0; }
  void EnableManual() { disablers_.fetch_sub(1); }

  // Why no compaction that users ask for may run, if it must not.
  Status CheckManual() const {
    if (IsAborting()) {
      return Status::Incomplete(Status::SubCode::kCompactionAborted);
    }
    if (disablers_.load() > 0) {
      return Status::Incomplete(Status::SubCode::kManualCompactionPaused);
    }
    return Status::OK();
  }

  // What running jobs look at.
  const std::atomic<bool>* shutting_down() const { return &shutting_down_; }
  const std::atomic<int>* disablers() const { return &disablers_; }
  const std::atomic<int>* aborts() const { return &aborts_; }

 private:
  std::atomic<bool> shutting_down_{false};
  std::atomic<int> disablers_{0};  // may be below zero
  std::atomic<int> aborts_{0};
};

}  // namespace ROCKSDB_NAMESPACE
