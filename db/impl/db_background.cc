// DBImpl: scheduling of background work, and what ends with it.
#include <algorithm>

#include "db/background/background_scheduler.h"
#include "db/family/family_registry.h"
#include "db/files/file_room.h"
#include "db/files/obsolete_files.h"
#include "db/files/space_reserve.h"
#include "db/impl/db_impl.h"
#include "db/jobs/clean_up.h"
#include "db/jobs/compaction_desk.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/flush_desk.h"
#include "db/jobs/flush_runner.h"
#include "db/jobs/remote_runs.h"
#include "db/write/stall_control.h"
#include "db/write/write_memory.h"
#include "file/io_governor.h"
#include "file/io_pace.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

template <class Job>
void DBImpl::RunJob(const Job& job) {
  const ObsoleteFiles::PurgeAtEnd purge(obsolete_.get());
  job();
  ScanFiles();
  clean_up_->Purge();
}

void DBImpl::FlushInBackground() {
  RunJob([this] { flush_runner_->Run(); });
}

void DBImpl::CompactInBackground() {
  RunJob([this] { desk_->Compact(); });
}

void DBImpl::CompactToBottomInBackground() {
  RunJob([this] { desk_->CompactToBottom(); });
}

void DBImpl::OldestSnapshotGone() { compactions_->NoteOldestSnapshot(); }

void DBImpl::ScanFiles() {
  const uint64_t period =
      mutable_options_.Get()->delete_obsolete_files_period_micros;
  if (!stop_.IsShuttingDown()) file_room_->MaybeScan(period);
}

bool DBImpl::IsPurging() const {
  return background_->IsFinishing() || clean_up_->IsScheduled();
}

bool DBImpl::IsBusy() const {
  return background_->IsBusy() ||
         (compactions_->HasWaiting() && !errors_.StopsCompaction());
}

void DBImpl::OnBackgroundError(const Status& status,
                               BackgroundErrorReason reason) {
  mutex_.AssertHeld();
  INVARIANT(!status.ok());
  if (status.IsCompactionAborted()) return;  // A user wants it so.
  const bool is_retryable = ErrorHandler::IsRetryable(status);
  RecordTick(options_.stats, ERROR_HANDLER_BG_ERROR_COUNT);
  if (status.IsIOError()) {
    RecordTick(options_.stats, ERROR_HANDLER_BG_IO_ERROR_COUNT);
    if (is_retryable) {
      RecordTick(options_.stats, ERROR_HANDLER_BG_RETRYABLE_IO_ERROR_COUNT);
    }
  }
  if (!errors_.Set(status, reason)) return;
  ROCKSDB_NAMESPACE::Error(options_.logger, "background error: %s",
                           status.ToString().c_str());
  attention_.Ask();
  Status shown = errors_.error();
  INVARIANT(!shown.ok());
  mutex_.Unlock();
  NotifyListeners(
      [&](EventListener* l) { l->OnBackgroundError(reason, &shown); });
  if ((is_retryable || space_->MayGetRoom(status)) && !shown.ok()) {
    StartAutoResume(reason, shown);
  }
  mutex_.Lock();
  // A listener may have taken the error back.
  if (shown.ok()) {
    errors_.Override(shown);
    RetryFailedWork(reason);
  }
  if (errors_.BlocksWrites()) memory_->EndWait();
  changes_.Note();
}

// An edit may be in the manifest though its write failed. Until the manifest is
// written anew, nothing is acknowledged that counts on the one or the other.
// False: it was refused before it was written.
bool DBImpl::OnManifestError(const Status& status) {
  INVARIANT(!status.ok());
  if (status.IsColumnFamilyDropped() || status.IsInvalidArgument()) {
    return false;
  }
  OnBackgroundError(status, BackgroundErrorReason::kManifestWrite);
  return true;
}

void DBImpl::CheckSpaceLimit() {
  if (!space_->IsLimitReached() || errors_.BlocksWrites()) return;
  OnBackgroundError(Status::SpaceLimit("Max allowed space was reached"),
                    BackgroundErrorReason::kFlush);
}

// What failed to be flushed is still in memory, what failed to be compacted
// lies where it lay, and nothing keeps either from being tried again, once the
// cause has had some time to go.
void DBImpl::RetryFailedWork(BackgroundErrorReason reason) {
  if (reason == BackgroundErrorReason::kCompaction) {
    // Those of the family wait for their time.
    compactions_->AddAll();
    background_->MaybeSchedule();
    return;
  }
  constexpr uint64_t kPauseMicros = 100'000;
  SystemClock* const clock = options_.clock;
  const uint64_t until = MonotonicMicros(clock) + kPauseMicros;
  const auto waits = [](const Family& family) {
    const MemTableList& imm = *family.cfd->imm();
    return !imm.empty() && !imm.IsFlushRunning() &&
           !family.cfd->queued_for_flush && !family.cfd->is_dropped();
  };
  if (std::none_of(families_->begin(), families_->end(),
                   [&](const auto& entry) { return waits(*entry.second); })) {
    return;
  }
  uint64_t now = MonotonicMicros(clock);
  while (!stop_.IsShuttingDown() && now < until) {
    changes_.AwaitFor(until - now);
    now = MonotonicMicros(clock);
  }
  for (const auto& entry : *families_) {
    ColumnFamilyData* cfd = entry.second->cfd.get();
    if (waits(*entry.second)) {
      flushes_->Queue(cfd, FlushReason::kErrorRecoveryRetryFlush);
    }
  }
  background_->MaybeSchedule();
}

void DBImpl::CancelBackgroundWork(bool wait) {
  stop_.ShutDown();
  memory_->EndWait();
  {
    MutexLock lock(&mutex_);
    stalls_->Close();
  }
  io_governor_->deep_pace()->SetRate(0);  // Wakes who keeps to it.
  // One that never came to run anything takes nothing from others.
  if (opened_ && mode_ == Mode::kReadWrite) remote_runs_->Cancel();
  MutexLock lock(&mutex_);
  background_->CancelBottom();
  changes_.Note();
  if (!wait) return;
  // Without files there is nothing to be cleaned up.
  const auto cleans_up = [this] {
    return clean_up_ != nullptr && clean_up_->IsScheduled();
  };
  while (!background_->IsIdle() || cleans_up()) changes_.Await();
}

}  // namespace ROCKSDB_NAMESPACE
