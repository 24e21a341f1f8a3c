// What users ask of the log: that what it has reaches the operating system or
// the device, and that it rests.
//
// Threads    Any, without the DB mutex.
// Ownership  Borrows what it is given.
// Errors     A log that fails is told to JobErrors. One that failed is passed
//            over from the moment that a resumption begins the next one; what
//            it lacks is in memtables alone until that has ended, and until
//            then the background error is the answer.
#pragma once

#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class CleanUp;
class DatabaseStats;
class ErrorHandler;
class JobErrors;
class LogKeeper;
class WalLock;

class LogRequests {
 public:
  struct Context {
    Mutex* mutex = nullptr;
    const ErrorHandler* error PT_GUARDED_BY(mutex) = nullptr;
    LogKeeper* logs = nullptr;
    WalLock* wal_lock = nullptr;
    CleanUp* clean_up = nullptr;
    DatabaseStats* counts = nullptr;
    JobErrors* errors = nullptr;
  };
  explicit LogRequests(const Context& context) : context_(context) {}
  LogRequests(const LogRequests&) = delete;
  LogRequests& operator=(const LogRequests&) = delete;

  // Nothing is written while the log is flushed; writes go on while the device
  // syncs it.
  Status Flush(const FlushWALOptions& options) EXCLUDES(context_.mutex);
  Status Lock() EXCLUDES(context_.mutex);
  Status Unlock() EXCLUDES(context_.mutex);
  // While nothing is written. Told, if it fails.
  Status SyncAtRest() EXCLUDES(context_.mutex);

 private:
  Status FlushAtRest(const FlushWALOptions& options, bool* is_told)
      EXCLUDES(context_.mutex);
  Status ErrorUnderRecovery() EXCLUDES(context_.mutex);
  void Tell(const Status& s) EXCLUDES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
