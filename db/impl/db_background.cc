// DBImpl: scheduling of background work, and what ends with it.
#include "db/background/background_scheduler.h"
#include "db/files/file_room.h"
#include "db/files/obsolete_files.h"
#include "db/impl/db_impl.h"
#include "db/jobs/clean_up.h"
#include "db/jobs/compaction_desk.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/flush_runner.h"
#include "db/jobs/remote_runs.h"
#include "db/write/stall_control.h"
#include "db/write/write_memory.h"
#include "file/io_governor.h"
#include "file/io_pace.h"
#include "util/invariant.h"

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
      base_.current.Get()->delete_obsolete_files_period_micros;
  if (!base_.stop.IsShuttingDown()) file_room_->MaybeScan(period);
}

void DBImpl::CancelBackgroundWork(bool wait) {
  base_.stop.ShutDown();
  memory_->EndWait();
  {
    MutexLock lock(&base_.mutex);
    stalls_->Close();
  }
  base_.io_governor->deep_pace()->SetRate(0);  // Wakes who keeps to it.
  // One that never came to run anything takes nothing from others.
  if (opened_ && mode_ == Mode::kReadWrite) remote_runs_->Cancel();
  MutexLock lock(&base_.mutex);
  background_->CancelBottom();
  base_.changes.Note();
  if (!wait) return;
  // Without files there is nothing to be cleaned up.
  const auto cleans_up = [this] {
    return clean_up_ != nullptr && clean_up_->IsScheduled();
  };
  while (!background_->IsIdle() || cleans_up()) base_.changes.Await();
}

}  // namespace ROCKSDB_NAMESPACE
