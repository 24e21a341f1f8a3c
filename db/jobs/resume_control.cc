#include "db/jobs/resume_control.h"

#include "db/background/auto_resume.h"
#include "db/background/error_handler.h"
#include "db/background/resume_work.h"
#include "db/background/stop_signals.h"
#include "db/files/space_reserve.h"
#include "db/registry/change_signal.h"
#include "db/write/leader_attention.h"
#include "db/write/write_memory.h"
#include "monitoring/statistics_impl.h"
#include "options/db_options.h"
#include "rocksdb/info_log.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

ResumeControl::ResumeControl(const Context& context)
    : context_(context),
      tries_(std::make_unique<AutoResume>(
          context.db->clock, [this] { return TryOnce(); },
          [this](int tries) { TriesEnded(tries); })) {
  INVARIANT(context_.space != nullptr);
  INVARIANT(context_.memory != nullptr);
}

ResumeControl::~ResumeControl() = default;

void ResumeControl::Stop() { tries_->Stop(); }

void ResumeControl::Count(const Status& status) const {
  Statistics* const statistics = context_.db->stats;
  RecordTick(statistics, ERROR_HANDLER_BG_ERROR_COUNT);
  if (!status.IsIOError()) return;
  RecordTick(statistics, ERROR_HANDLER_BG_IO_ERROR_COUNT);
  if (ErrorHandler::IsRetryable(status)) {
    RecordTick(statistics, ERROR_HANDLER_BG_RETRYABLE_IO_ERROR_COUNT);
  }
}

void ResumeControl::OnBackgroundError(const Status& status,
                                      BackgroundErrorReason reason) {
  context_.mutex->AssertHeld();
  INVARIANT(!status.ok());
  if (status.IsCompactionAborted()) return;  // A user wants it so.
  const uint64_t count_before = context_.errors->count();
  const bool is_in_force = context_.errors->Set(status, reason);
  // The end of a family or of the database is no error of its jobs.
  if (context_.errors->count() == count_before) return;
  Count(status);
  ROCKSDB_NAMESPACE::Error(context_.db->logger, "background error: %s",
                           status.ToString().c_str());
  if (!is_in_force) return;
  context_.attention->Ask();
  Status shown = context_.errors->error();
  const uint64_t changes = context_.errors->changes();
  INVARIANT(!shown.ok());
  {
    MutexUnlock unlock(context_.mutex);
    for (const auto& listener : context_.db->listeners) {
      listener->OnBackgroundError(reason, &shown);
    }
    const bool may_pass =
        ErrorHandler::IsRetryable(status) || context_.space->MayGetRoom(status);
    if (may_pass && !shown.ok()) StartTries(reason, shown);
  }
  // A listener may have taken the error back: this one, and not a worse one
  // that has come since.
  if (shown.ok() && context_.errors->changes() == changes) {
    context_.errors->Override(shown);
  }
  // Nobody else tries again what failed beside it: an error that is no worse
  // than the one in force is not told of.
  if (shown.ok() && context_.errors->error().ok()) {
    work_->RetryCompactions();
    work_->RetryFlushes();
  }
  if (context_.errors->BlocksWrites()) context_.memory->EndWait();
  context_.changes->Note();
}

// An edit may be in the manifest though its write failed. Until the manifest is
// written anew, nothing is acknowledged that counts on the one or the other.
// False: it was refused before it was written.
bool ResumeControl::OnManifestError(const Status& status) {
  INVARIANT(!status.ok());
  if (status.IsColumnFamilyDropped() || status.IsInvalidArgument()) {
    return false;
  }
  OnBackgroundError(status, BackgroundErrorReason::kManifestWrite);
  return true;
}

void ResumeControl::CheckSpaceLimit() {
  context_.mutex->AssertHeld();
  if (!context_.space->IsLimitReached() || context_.errors->BlocksWrites()) {
    return;
  }
  OnBackgroundError(Status::SpaceLimit("Max allowed space was reached"),
                    BackgroundErrorReason::kFlush);
}

Status ResumeControl::Resume() {
  Status old_error;
  {
    MutexLock lock(context_.mutex);
    while (is_resuming_ && !context_.stop->IsShuttingDown()) {
      context_.changes->Await();
    }
    if (context_.stop->IsShuttingDown()) return Status::ShutdownInProgress();
    if (context_.errors->error().ok()) return Status::OK();
    is_resuming_ = true;
    old_error = context_.errors->error();
  }
  // Only who writes has background errors.
  INVARIANT(work_ != nullptr);
  const Status s = work_->ResumeOnce();
  {
    MutexLock lock(context_.mutex);
    is_resuming_ = false;
    context_.changes->Note();
  }
  if (s.ok()) TellRecovered(old_error, Status::OK());
  return s;
}

void ResumeControl::TellRecovered(const Status& old_error,
                                  const Status& new_error) {
  BackgroundErrorRecoveryInfo info;
  info.old_bg_error = old_error;
  info.new_bg_error = new_error;
  for (const auto& listener : context_.db->listeners) {
    listener->OnErrorRecoveryEnd(info);
  }
  if (!new_error.ok()) return;
  for (const auto& listener : context_.db->listeners) {
    listener->OnErrorRecoveryCompleted(old_error);
  }
}

// --- By itself, after an error that may pass

void ResumeControl::StartTries(BackgroundErrorReason reason,
                               const Status& error) {
  bool is_wanted = true;
  AutoResume::Plan plan;
  plan.max_tries = context_.db->max_bgerror_resume_count;
  plan.interval_micros = context_.db->bgerror_resume_retry_interval;
  if (plan.max_tries <= 0 || context_.stop->IsShuttingDown()) return;
  if (error.severity() > Status::Severity::kHardError) return;
  for (const auto& listener : context_.db->listeners) {
    listener->OnErrorRecoveryBegin(reason, error, &is_wanted);
  }
  if (!is_wanted) return;
  {
    MutexLock lock(context_.mutex);
    tried_error_ = error;
  }
  tries_->Start(plan);
}

ResumeOutcome ResumeControl::TryOnce() {
  using Outcome = ResumeOutcome;
  if (context_.stop->IsShuttingDown()) return Outcome::kHopeless;
  const SpaceReserve& space = *context_.space;
  // Asks the file system: before the lock.
  const bool lacks_room = space.LacksRoom();
  {
    MutexLock lock(context_.mutex);
    const ErrorHandler& errors = *context_.errors;
    if (is_resuming_) return Outcome::kTryAgain;
    if (errors.error().ok()) return Outcome::kDone;
    if (!errors.CanResume().ok()) return Outcome::kHopeless;
    if (lacks_room && space.MayGetRoom(errors.error())) {
      return Outcome::kTryAgain;
    }
    is_resuming_ = true;
  }
  RecordTick(context_.db->stats, ERROR_HANDLER_AUTORESUME_RETRY_TOTAL_COUNT);
  const Status s = work_->ResumeOnce();
  MutexLock lock(context_.mutex);
  is_resuming_ = false;
  context_.changes->Note();
  if (s.ok()) return Outcome::kDone;
  const bool may_pass = (ErrorHandler::IsRetryable(s) || space.MayGetRoom(s)) &&
                        context_.errors->CanResume().ok();
  return may_pass ? Outcome::kTryAgain : Outcome::kHopeless;
}

void ResumeControl::TriesEnded(int tries) {
  Status old_error;
  Status new_error;
  {
    MutexLock lock(context_.mutex);
    old_error = tried_error_;
    new_error = context_.errors->error();
  }
  Statistics* const statistics = context_.db->stats;
  RecordTick(statistics, ERROR_HANDLER_AUTORESUME_COUNT);
  RecordInHistogram(statistics, ERROR_HANDLER_AUTORESUME_RETRY_COUNT,
                    static_cast<uint64_t>(tries));
  if (new_error.ok()) {
    RecordTick(statistics, ERROR_HANDLER_AUTORESUME_SUCCESS_COUNT);
  }
  TellRecovered(old_error, new_error);
}

}  // namespace ROCKSDB_NAMESPACE
