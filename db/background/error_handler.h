// The background error in force, and what it stops.
//
// Threads  Every call under the DB mutex, but for BlocksWrites().
#pragma once

#include <atomic>
#include <cstdint>

#include "rocksdb/listener.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ErrorHandler {
 public:
  explicit ErrorHandler(bool paranoid_checks)
      : paranoid_checks_(paranoid_checks) {}

  // How bad an error of a background job is: nothing, or what it stops.
  static Status::Severity SeverityOf(const Status& status,
                                     BackgroundErrorReason reason,
                                     bool paranoid_checks);

  // The file system says that the same call may succeed later.
  static bool IsRetryable(const Status& status);

  // Takes in an error. The worse of it and the one in force stays.
  // True if the error in force has changed.
  bool Set(const Status& status, BackgroundErrorReason reason);
  // A listener took it back.
  void Override(const Status& status);

  // The error in force, its severity set; OK if none.
  const Status& error() const { return error_; }
  // Errors so far, and those of them that stop something.
  uint64_t count() const { return count_; }
  uint64_t stopping_count() const { return stopping_count_; }
  // How often the error in force has become another, or has gone.
  uint64_t changes() const { return changes_; }

  // Writes must answer error(). Any thread.
  bool BlocksWrites() const {
    return blocks_writes_.load(std::memory_order_acquire);
  }
  // Compactions do not start. (Flushes go on until a fatal error.)
  bool StopsCompaction() const { return !error_.ok(); }
  bool StopsFlush() const {
    return error_.severity() >= Status::Severity::kFatalError;
  }

  // Whether Resume() may clear the error; if not, why.
  Status CanResume() const;
  void Clear();

 private:
  void Publish();

  const bool paranoid_checks_;
  Status error_;
  uint64_t count_ = 0;
  uint64_t stopping_count_ = 0;
  uint64_t changes_ = 0;
  std::atomic<bool> blocks_writes_{false};
};

}  // namespace ROCKSDB_NAMESPACE
