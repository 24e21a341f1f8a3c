// What users say of background work as a whole: that it is to pause, that
// compactions are to be aborted, and that they wait until nothing is left to
// do.
//
// Threads    Any, without the DB mutex.
// Ownership  Borrows what it is given.
#pragma once

#include "db/background/wait_limit.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ColumnFamilyData;
class ChangeSignal;
class CleanUp;
class CompactionQueue;
class ErrorHandler;
class ManualQueue;
class ObsoleteFiles;
class StopSignals;

class BackgroundControl {
 public:
  struct Context {
    Mutex* mutex = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    const ManualQueue* manual PT_GUARDED_BY(mutex) = nullptr;
    const ErrorHandler* errors PT_GUARDED_BY(mutex) = nullptr;
    CompactionQueue* compactions = nullptr;  // null: nothing is compacted
    CleanUp* clean_up = nullptr;
    ObsoleteFiles* obsolete = nullptr;
    StopSignals* stop = nullptr;
    ChangeSignal* changes = nullptr;
  };
  explicit BackgroundControl(const Context& context) : context_(context) {}
  BackgroundControl(const BackgroundControl&) = delete;
  BackgroundControl& operator=(const BackgroundControl&) = delete;

  // Nothing begins until it goes on, and nothing runs any more.
  void Pause() EXCLUDES(context_.mutex);
  Status Continue() EXCLUDES(context_.mutex);
  void DisableManual() EXCLUDES(context_.mutex);
  void EnableManual() EXCLUDES(context_.mutex);
  void AbortAll() EXCLUDES(context_.mutex);
  void EndAbort() EXCLUDES(context_.mutex);
  // Those of one family.
  void Abort(ColumnFamilyData* cfd) EXCLUDES(context_.mutex);
  void EndAbort(ColumnFamilyData* cfd) EXCLUDES(context_.mutex);
  // Compactions that wait to be tried again need not any longer.
  void RetryNow() EXCLUDES(context_.mutex);

  // --- WaitForCompact(): the limit is for all of it
  WaitLimit LimitOf(const WaitForCompactOptions& options) const;
  // Aborted: it is held, and by the options nobody waits then.
  Status CheckHeld(const WaitLimit& limit) EXCLUDES(context_.mutex);
  // Neither flushes before nor closes after.
  Status WaitUntilIdle(const WaitLimit& limit) EXCLUDES(context_.mutex);

 private:
  bool IsBusy() const REQUIRES(context_.mutex);
  void RetryDelayed() REQUIRES(context_.mutex);
  bool IsPurging() const REQUIRES(context_.mutex);
  // Why nobody waits any longer.
  Status CheckWait(const WaitLimit& limit) const REQUIRES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
