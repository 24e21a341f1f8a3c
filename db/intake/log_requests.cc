#include "db/intake/log_requests.h"

#include "db/background/error_handler.h"
#include "db/background/job_errors.h"
#include "db/files/log_keeper.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/clean_up.h"
#include "db/observe/database_stats.h"
#include "db/wal/wal_manager.h"

namespace ROCKSDB_NAMESPACE {

void LogRequests::Tell(const Status& s) {
  MutexLock lock(context_.mutex);
  context_.errors->OnBackgroundError(s, BackgroundErrorReason::kWriteCallback);
}

Status LogRequests::ErrorUnderRecovery() {
  MutexLock lock(context_.mutex);
  return context_.error->BlocksWrites() && context_.logs->wal()->HasAbandoned()
             ? context_.error->error()
             : Status::OK();
}

Status LogRequests::FlushAtRest(const FlushWALOptions& options, bool* is_told) {
  return context_.wal_lock->WithLogAtRest([&] {
    Status lost = ErrorUnderRecovery();
    *is_told = !lost.ok();
    return *is_told ? lost : context_.logs->FlushOrSync(options);
  });
}

Status LogRequests::Flush(const FlushWALOptions& options) {
  bool is_told = false;
  FlushWALOptions flush = options;
  flush.sync = false;
  Status s = FlushAtRest(flush, &is_told);
  if (s.ok() && options.sync) {
    s = context_.logs->SyncFlushed();
    if (s.IsNotSupported()) {
      s = FlushAtRest(options, &is_told);
    } else if (s.ok()) {
      // A log that failed meanwhile may have been passed over.
      s = ErrorUnderRecovery();
      is_told = !s.ok();
    }
  }
  if (options.sync) {
    context_.counts->AddWalSync();
    context_.clean_up->CloseInactiveLogs();
  }
  if (!s.ok() && !is_told) Tell(s);
  return s;
}

Status LogRequests::Lock() {
  return context_.wal_lock->Take([this] {
    const Status s = context_.logs->FlushOrSync(FlushWALOptions());
    if (!s.ok()) Tell(s);
    return s;
  });
}

Status LogRequests::Unlock() { return context_.wal_lock->GiveBack(); }

Status LogRequests::SyncAtRest() {
  const Status s = context_.logs->FlushOrSync({.sync = true});
  if (!s.ok()) Tell(s);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
