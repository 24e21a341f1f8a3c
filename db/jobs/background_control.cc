#include "db/jobs/background_control.h"

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/family/column_family.h"
#include "db/files/obsolete_files.h"
#include "db/jobs/clean_up.h"
#include "db/jobs/compaction_queue.h"
#include "db/registry/change_signal.h"

namespace ROCKSDB_NAMESPACE {

bool BackgroundControl::IsBusy() const {
  if (context_.scheduler->IsBusy()) return true;
  return context_.compactions != nullptr &&
         context_.compactions->HasWaiting() &&
         !context_.errors->StopsCompaction();
}

void BackgroundControl::RetryDelayed() {
  if (context_.compactions != nullptr) context_.compactions->RetryNow();
}

bool BackgroundControl::IsPurging() const {
  return context_.scheduler->IsFinishing() || context_.clean_up->IsScheduled();
}

WaitLimit BackgroundControl::LimitOf(
    const WaitForCompactOptions& options) const {
  return WaitLimit({.scheduler = context_.scheduler,
                    .stop = context_.stop,
                    .changes = context_.changes},
                   options);
}

Status BackgroundControl::CheckWait(const WaitLimit& limit) const {
  if (context_.stop->IsShuttingDown()) return Status::ShutdownInProgress();
  if (!context_.errors->error().ok()) return context_.errors->error();
  return limit.CheckHeld();
}

Status BackgroundControl::CheckHeld(const WaitLimit& limit) {
  MutexLock lock(context_.mutex);
  return limit.CheckHeld();
}

Status BackgroundControl::WaitUntilIdle(const WaitLimit& limit) {
  const bool awaits_purge = limit.options().wait_for_purge;
  {
    MutexLock lock(context_.mutex);
    while (true) {
      if (Status s = CheckWait(limit); !s.ok()) return s;
      if (!IsBusy() && !(awaits_purge && IsPurging())) break;
      if (Status s = limit.AwaitChange(); !s.ok()) return s;
    }
  }
  if (!awaits_purge) return Status::OK();
  context_.clean_up->Purge();
  return context_.obsolete->WaitForTrash(limit.LeftMicros())
             ? Status::OK()
             : Status::TimedOut();
}

void BackgroundControl::Pause() {
  MutexLock lock(context_.mutex);
  context_.scheduler->Pause();
  context_.changes->Note();
  while (context_.scheduler->running_flushes() +
             context_.scheduler->running_compactions() >
         0) {
    context_.changes->AwaitForUser();
  }
}

Status BackgroundControl::Continue() {
  MutexLock lock(context_.mutex);
  if (!context_.scheduler->Continue()) {
    return Status::InvalidArgument("Background work already unpaused");
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
