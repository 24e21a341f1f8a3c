#include "db/jobs/background_control.h"

#include <algorithm>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/family/column_family.h"
#include "db/files/obsolete_files.h"
#include "db/jobs/clean_up.h"
#include "db/jobs/compaction_queue.h"
#include "db/registry/change_signal.h"
#include "rocksdb/system_clock.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

bool BackgroundControl::IsBusy() const {
  if (context_.scheduler->IsBusy()) return true;
  return context_.compactions != nullptr &&
         context_.compactions->HasWaiting() &&
         !context_.errors->StopsCompaction();
}

bool BackgroundControl::IsHeld() const {
  return context_.scheduler->IsPaused() || context_.stop->IsAborting();
}

void BackgroundControl::RetryDelayed() {
  if (context_.compactions != nullptr) context_.compactions->RetryNow();
}

bool BackgroundControl::IsPurging() const {
  return context_.scheduler->IsFinishing() || context_.clean_up->IsScheduled();
}

Status BackgroundControl::CheckWait(
    const WaitForCompactOptions& options) const {
  if (context_.stop->IsShuttingDown()) return Status::ShutdownInProgress();
  if (!context_.errors->error().ok()) return context_.errors->error();
  return options.abort_on_pause && IsHeld() ? Status::Aborted() : Status::OK();
}

Status BackgroundControl::CheckPause(const WaitForCompactOptions& options) {
  MutexLock lock(context_.mutex);
  return options.abort_on_pause && IsHeld() ? Status::Aborted() : Status::OK();
}

Status BackgroundControl::WaitUntilIdle(const WaitForCompactOptions& options) {
  const uint64_t timeout = options.timeout.count() != 0
                               ? static_cast<uint64_t>(options.timeout.count())
                               : UINT64_MAX;
  const uint64_t begin = MonotonicMicros(context_.clock);
  const auto left = [&] {
    const uint64_t waited = MonotonicMicros(context_.clock) - begin;
    return timeout - std::min(timeout, waited);
  };
  {
    MutexLock lock(context_.mutex);
    while (true) {
      if (Status s = CheckWait(options); !s.ok()) return s;
      if (!IsBusy() && !(options.wait_for_purge && IsPurging())) break;
      if (timeout == UINT64_MAX) {
        context_.changes->AwaitForUser();
        continue;
      }
      const uint64_t micros = left();
      if (micros == 0) return Status::TimedOut();
      context_.changes->AwaitFor(micros);
    }
  }
  if (!options.wait_for_purge) return Status::OK();
  context_.clean_up->Purge();
  return context_.obsolete->WaitForTrash(left()) ? Status::OK()
                                                 : Status::TimedOut();
}

void BackgroundControl::Pause() {
  MutexLock lock(context_.mutex);
  context_.scheduler->Pause();
  while (context_.scheduler->running_flushes() +
             context_.scheduler->running_compactions() >
         0) {
    context_.changes->AwaitForUser();
  }
}

Status BackgroundControl::Continue() {
  MutexLock lock(context_.mutex);
  if (!context_.scheduler->Continue()) {
    return Status::InvalidArgument("", "Background work is not paused");
  }
  RetryDelayed();
  return Status::OK();
}

void BackgroundControl::DisableManual() {
  MutexLock lock(context_.mutex);
  if (!context_.stop->DisableManual()) return;
  context_.changes->Note();
  while (!context_.manual->IsIdle()) context_.changes->AwaitForUser();
}

void BackgroundControl::EnableManual() {
  MutexLock lock(context_.mutex);
  context_.stop->EnableManual();
}

void BackgroundControl::AbortAll() {
  MutexLock lock(context_.mutex);
  context_.stop->BeginAbort();
  context_.changes->Note();
  while (context_.scheduler->running_compactions() > 0 ||
         !context_.manual->empty()) {
    context_.changes->AwaitForUser();
  }
}

// What was stopped is picked anew.
void BackgroundControl::EndAbort() {
  MutexLock lock(context_.mutex);
  if (!context_.stop->EndAbort()) return;
  if (context_.compactions != nullptr) context_.compactions->AddAll();
  RetryDelayed();
}

void BackgroundControl::Abort(ColumnFamilyData* cfd) {
  MutexLock lock(context_.mutex);
  cfd->schedule.compaction_aborts.fetch_add(1);
  context_.changes->Note();
  while (cfd->schedule.running_compactions > 0 || context_.manual->HasOf(cfd))
    context_.changes->AwaitForUser();
}

void BackgroundControl::EndAbort(ColumnFamilyData* cfd) {
  MutexLock lock(context_.mutex);
  if (cfd->schedule.compaction_aborts.load() == 0) return;
  cfd->schedule.compaction_aborts.fetch_sub(1);
  if (context_.compactions != nullptr && !cfd->is_dropped()) {
    context_.compactions->Add(cfd);
  }
  RetryDelayed();
}

void BackgroundControl::RetryNow() {
  MutexLock lock(context_.mutex);
  RetryDelayed();
}

}  // namespace ROCKSDB_NAMESPACE
