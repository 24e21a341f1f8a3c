// DBImpl: what users ask of the write-ahead logs.
#include <optional>

#include "db/files/log_keeper.h"
#include "db/files/obsolete_files.h"
#include "db/impl/db_impl.h"
#include "db/jobs/clean_up.h"
#include "db/observe/database_stats.h"
#include "db/version/version_set.h"
#include "db/wal/wal_files.h"
#include "db/wal/wal_manager.h"
#include "db/wal/wal_tail.h"
#include "db/write/exclusive.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::FlushWAL(bool sync) {
  FlushWALOptions options;
  options.sync = sync;
  return FlushWAL(options);
}

Status DBImpl::FlushWAL(const FlushWALOptions& options) {
  if (Status s = CheckWritable(); !s.ok()) return s;
  bool is_told = false;
  Status s = WithLogAtRest([&] {
    Status lost = LogErrorUnderRecovery();
    is_told = !lost.ok();
    return is_told ? lost : logs_->FlushOrSync(options);
  });
  if (options.sync) {
    database_stats_->AddWalSync();
    clean_up_->CloseInactiveLogs();
  }
  if (!s.ok() && !is_told) {
    MutexLock lock(&mutex_);
    OnBackgroundError(s, BackgroundErrorReason::kWriteCallback);
  }
  return s;
}

// A log that failed is passed over from the moment that Resume() begins the
// next one; what it lacks is in memtables alone until Resume() has ended.
Status DBImpl::LogErrorUnderRecovery() {
  MutexLock lock(&mutex_);
  return errors_.BlocksWrites() && logs_->wal()->HasAbandoned()
             ? errors_.error()
             : Status::OK();
}

// Whoever holds a lock of the log must not wait for the writers that wait for
// its end. They do not go on before the work is done, even if it is unlocked
// meanwhile.
Status DBImpl::WithLogAtRest(const std::function<Status()>& work) {
  bool is_locked = false;
  {
    MutexLock lock(&mutex_);
    is_locked = IsLogLocked();
    if (is_locked) ++works_under_wal_lock_;
  }
  if (!is_locked) {
    const Exclusive exclusive(&write_thread_);
    const Exclusive log_only(&log_only_thread_);
    MutexLock alone(&at_rest_mutex_);
    return work();
  }
  Status s;
  {
    MutexLock alone(&at_rest_mutex_);
    s = work();
  }
  MutexLock lock(&mutex_);
  INVARIANT(works_under_wal_lock_ > 0);
  --works_under_wal_lock_;
  changes_.Note();
  return s;
}

Status DBImpl::SyncWAL() { return FlushWAL(/*sync=*/true); }

// Who leads waits in PrepareWrite() as long as a lock is held.
Status DBImpl::LockWAL() {
  if (Status s = CheckWritable(); !s.ok()) return s;
  {
    // Whoever leads may wait for the lock that there is.
    MutexLock lock(&mutex_);
    if (wal_locks_ > 0) {
      ++wal_locks_;
      return Status::OK();
    }
  }
  const Exclusive exclusive(&write_thread_);
  const Exclusive log_only(&log_only_thread_);
  Status s = logs_->FlushOrSync(FlushWALOptions());
  MutexLock lock(&mutex_);
  if (!s.ok()) {
    OnBackgroundError(s, BackgroundErrorReason::kWriteCallback);
    return s;
  }
  INVARIANT(wal_locks_ >= 0);
  ++wal_locks_;
  attention_.Ask();
  return s;
}

Status DBImpl::UnlockWAL() {
  if (Status s = CheckWritable(); !s.ok()) return s;
  MutexLock lock(&mutex_);
  if (wal_locks_ == 0) {
    return Status::Aborted("UnlockWAL() without LockWAL()");
  }
  --wal_locks_;
  changes_.Note();
  return Status::OK();
}

Status DBImpl::WaitForWalLock(WriteThread* thread, bool may_wait) {
  INVARIANT(wal_locks_ >= 0);
  std::optional<WriteThread::Stall> stall;
  while (IsLogLocked()) {
    attention_.Ask();
    if (!may_wait) return Status::Incomplete("Write stall");
    if (stop_.IsShuttingDown()) return Status::ShutdownInProgress();
    if (!stall) stall.emplace(thread);
    changes_.Await();
  }
  return Status::OK();
}

Status DBImpl::ListWals(VectorWalPtr* files) const {
  if (logs_ != nullptr) return logs_->List(files);
  return ListWalFiles({.fs = options_.fs, .wal_dir = wal_dir_}, {}, files);
}

Status DBImpl::GetSortedWalFiles(VectorWalPtr& files) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  // None moves or goes while they are listed.
  obsolete_->DisableDeletions();
  Status s = ListWals(&files);
  if (obsolete_->EnableDeletions() && mode_ == Mode::kReadWrite) {
    obsolete_->Purge();
  }
  return s;
}

Status DBImpl::GetCurrentWalFile(std::unique_ptr<WalFile>* current) {
  if (current == nullptr) return Status::InvalidArgument("current is null");
  if (Status s = CheckWritable(); !s.ok()) return s;
  return logs_->DescribeCurrent(current);
}

Status DBImpl::GetUpdatesSince(
    SequenceNumber sequence, std::unique_ptr<TransactionLogIterator>* iter,
    const TransactionLogIterator::ReadOptions& read_options) {
  if (iter == nullptr) return Status::InvalidArgument("iter is null");
  iter->reset();
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (options_.stats != nullptr) {
    options_.stats->recordTick(GET_UPDATES_SINCE_CALLS);
  }
  if (sequence > GetLatestSequenceNumber()) {
    return Status::NotFound("Requested sequence not yet written in the db");
  }
  WalTail::Context context;
  context.place = {.fs = options_.fs, .wal_dir = wal_dir_};
  context.last_sequence = [this] { return GetLatestSequenceNumber(); };
  context.list = [this](VectorWalPtr* files) { return ListWals(files); };
  context.verify_checksums = read_options.verify_checksums_;
  context.may_have_sections = options_.allow_2pc;
  auto tail = std::make_unique<WalTail>(std::move(context), sequence);
  Status s = tail->Start();
  if (s.ok()) *iter = std::move(tail);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
