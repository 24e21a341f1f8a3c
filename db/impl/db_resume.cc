// DBImpl: back to work after a background error whose cause is gone.
#include <algorithm>

#include "db/background/auto_resume.h"
#include "db/background/background_scheduler.h"
#include "db/family/family_registry.h"
#include "db/files/file_room.h"
#include "db/files/log_keeper.h"
#include "db/files/space_reserve.h"
#include "db/impl/db_impl.h"
#include "db/intake/group_log.h"
#include "db/intake/intake.h"
#include "db/intake/memtable_switch.h"
#include "db/intake/section_keeper.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/flush_desk.h"
#include "db/version/version_edit.h"
#include "db/version/version_set.h"
#include "db/wal/wal_manager.h"
#include "db/write/family_publisher.h"
#include "memtable/memtable.h"
#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// What a family held when Resume() began.
struct DBImpl::SealedFamily {
  FamilyRef family;
  uint64_t newest_memtable = 0;

  bool IsSaved() const {
    const auto waiting = family->cfd->imm()->current();
    return family->cfd->is_dropped() ||
           std::none_of(waiting->begin(), waiting->end(),
                        [this](const MemTableRef& memtable) {
                          return memtable->id() <= newest_memtable;
                        });
  }
};

Status DBImpl::Resume() {
  if (Status s = CheckOpen(); !s.ok()) return s;
  Status old_error;
  Status s;
  {
    MutexLock lock(&mutex_);
    // Compactions that wait to be tried again need not any longer.
    compactions_->RetryNow();
    // One at a time: where another recovery mends it, nothing is left to do.
    while (is_resuming_ && !stop_.IsShuttingDown()) changes_.Await();
    if (stop_.IsShuttingDown()) return Status::ShutdownInProgress();
    if (errors_.error().ok()) return Status::OK();
    is_resuming_ = true;
    old_error = errors_.error();
  }
  s = ResumeOnce();
  {
    MutexLock lock(&mutex_);
    is_resuming_ = false;
    changes_.Note();
  }
  if (s.ok()) NotifyRecovered(old_error, Status::OK());
  return s;
}

void DBImpl::NotifyRecovered(const Status& old_error, const Status& new_error) {
  BackgroundErrorRecoveryInfo info;
  info.old_bg_error = old_error;
  info.new_bg_error = new_error;
  NotifyListeners([&](EventListener* l) { l->OnErrorRecoveryEnd(info); });
  if (!new_error.ok()) return;
  NotifyListeners(
      [&](EventListener* l) { l->OnErrorRecoveryCompleted(old_error); });
}

// A compaction that failed takes nothing away, and its inputs are still there.
bool DBImpl::ClearSoftError() {
  mutex_.AssertHeld();
  if (errors_.error().ok()) return true;
  if (errors_.error().severity() > Status::Severity::kSoftError) return false;
  errors_.Clear();
  compactions_->AddAll();
  background_->MaybeSchedule();
  return true;
}

// A log that failed may hold half a record, or one that was never
// acknowledged, and cannot be synced any more. So nothing is written until all
// that it holds is in tables and the manifest says that no log before the new
// one counts: for all families in one step, since replay does not go past the
// log that failed.
Status DBImpl::ResumeOnce() {
  std::vector<SealedFamily> sealed;
  uint64_t log_number = 0;
  uint64_t errors_before = 0;
  Status s;
  {
    // Before the write thread is asked for: its leader may be stopped until
    // compactions go on.
    MutexLock lock(&mutex_);
    if (ClearSoftError()) return Status::OK();
  }
  bool is_cleared = false;
  s = wal_lock_->WithLogAtRest([&] {
    MutexLock lock(&mutex_);
    is_cleared = ClearSoftError();
    if (is_cleared) return Status::OK();
    // Only who writes has background errors.
    INVARIANT(mode_ == Mode::kReadWrite);
    Status begun = errors_.CanResume();
    if (begun.ok()) begun = StartResumedLog(&log_number);
    // What a flush that still runs will report belongs to the old error.
    while (background_->running_flushes() > 0) changes_.Await();
    errors_before = errors_.count();
    return begun.ok() ? SealForResume(&sealed) : begun;
  });
  if (is_cleared) return Status::OK();
  publisher_->FreeAndTell();
  if (s.ok()) s = WaitForResumeFlushes(sealed, errors_before);
  if (s.ok())
    s = wal_lock_->WithLogAtRest([&] { return FinishResume(log_number); });
  changes_.Note();
  return s;
}

Status DBImpl::StartResumedLog(uint64_t* number) {
  INVARIANT(number != nullptr);
  *number = logs_->NextNumber();
  Status s = logs_->Switch(*number, LogKeeper::Preallocation(*default_cfd_));
  if (!s.ok()) return s;
  INVARIANT(!logs_->wal()->has_failed());
  if (logs_->wal()->AbandonFailed()) flushes_->NoteAbandoned(*number);
  return s;
}

// Replay begins at the log that holds prepared transactions, and would so meet
// the one that failed: what comes behind it would not count. So they go to the
// log that is written now.
Status DBImpl::CarryPrepared() {
  std::vector<WriteBatch> records;
  if (Status s = sections_->MakeRecords(&records); !s.ok()) return s;
  return intake_->log()->AppendCarried(&records);
}

// Queues a flush of every family that holds anything.
Status DBImpl::SealForResume(std::vector<SealedFamily>* sealed) {
  INVARIANT(sealed != nullptr);
  std::vector<FamilyRef> families;
  for (const auto& entry : *families_) families.push_back(entry.second);
  Status s = intake_->memtables()->SealAndQueue(families_->All(),
                                                FlushReason::kErrorRecovery);
  if (!s.ok()) return s;
  for (const FamilyRef& family : families) {
    ColumnFamilyData* cfd = family->cfd.get();
    INVARIANT(cfd->mem()->empty());
    if (cfd->imm()->empty()) continue;
    sealed->push_back({family, cfd->imm()->current()->front()->id()});
  }
  return s;
}

Status DBImpl::WaitForResumeFlushes(const std::vector<SealedFamily>& sealed,
                                    uint64_t errors_before) {
  MutexLock lock(&mutex_);
  while (!std::all_of(sealed.begin(), sealed.end(),
                      [](const SealedFamily& f) { return f.IsSaved(); })) {
    if (stop_.IsShuttingDown()) return Status::ShutdownInProgress();
    // A job failed again.
    if (errors_.count() != errors_before) return errors_.error();
    changes_.Await();
  }
  return Status::OK();
}

// The manifest forgets all logs before `log_number`; then work goes on.
Status DBImpl::FinishResume(uint64_t log_number) {
  INVARIANT(log_number > 0);
  const bool carries = !sections_->IsEmpty();
  if (carries) {
    if (Status s = CarryPrepared(); !s.ok()) return s;
  }
  MutexLock lock(&mutex_);
  // No log is removed before the manifest says so.
  if (carries) sections_->MoveAllTo(log_number);
  // A family that is flushed since may be further.
  std::map<uint32_t, VersionEdit> edits;
  std::vector<VersionSet::Change> changes;
  for (const auto& [id, family] : *families_) {
    const MemTableRef& mem = family->cfd->mem();
    if (mem->empty() && mem->log_number() < log_number) {
      mem->set_log_number(log_number);
    }
    if (family->cfd->log_number() >= log_number) continue;
    edits[id].log_number = log_number;
    changes.push_back({family->cfd.get(), &edits[id]});
  }
  if (carries && changes.empty()) {
    changes.push_back({default_cfd_, &edits[0]});
  }
  if (!changes.empty()) {
    changes.front().edit->min_log_number_to_keep =
        std::max(log_number, versions_->min_log_number_to_keep());
    Status s = versions_->LogAndApply(changes, db_directory_.get());
    if (!s.ok()) {
      OnManifestError(s);
      return s;
    }
  }
  file_room_->CollectLogs();
  // What came meanwhile may be worse.
  if (Status s = errors_.CanResume(); !s.ok()) return s;
  errors_.Clear();
  INVARIANT(!errors_.BlocksWrites());
  compactions_->AddAll();
  background_->MaybeSchedule();
  return Status::OK();
}

// --- By itself, after an error that may pass

void DBImpl::StartAutoResume(BackgroundErrorReason reason,
                             const Status& error) {
  bool is_wanted = true;
  AutoResume::Plan plan;
  plan.max_tries = options_.max_bgerror_resume_count;
  plan.interval_micros = options_.bgerror_resume_retry_interval;
  if (plan.max_tries <= 0 || stop_.IsShuttingDown()) return;
  if (error.severity() > Status::Severity::kHardError) return;
  NotifyListeners([&](EventListener* l) {
    l->OnErrorRecoveryBegin(reason, error, &is_wanted);
  });
  if (!is_wanted) return;
  {
    MutexLock lock(&mutex_);
    auto_resume_error_ = error;
  }
  auto_resume_->Start(plan);
}

void DBImpl::SetUpAutoResume() {
  INVARIANT(auto_resume_ == nullptr);
  auto_resume_ = std::make_shared<AutoResume>(
      options_.clock, [this] { return AutoResumeOnce(); },
      [this](int tries) { AutoResumeEnded(tries); });
}

ResumeOutcome DBImpl::AutoResumeOnce() {
  using Outcome = ResumeOutcome;
  if (stop_.IsShuttingDown()) return Outcome::kHopeless;
  // Asks the file system: before the lock.
  const bool lacks_room = space_->LacksRoom();
  {
    MutexLock lock(&mutex_);
    if (is_resuming_) return Outcome::kTryAgain;
    if (errors_.error().ok()) return Outcome::kDone;
    if (!errors_.CanResume().ok()) return Outcome::kHopeless;
    if (lacks_room && space_->MayGetRoom(errors_.error()))
      return Outcome::kTryAgain;
    is_resuming_ = true;
  }
  RecordTick(options_.stats, ERROR_HANDLER_AUTORESUME_RETRY_TOTAL_COUNT);
  const Status s = ResumeOnce();
  MutexLock lock(&mutex_);
  is_resuming_ = false;
  changes_.Note();
  if (s.ok()) return Outcome::kDone;
  const bool may_pass =
      (ErrorHandler::IsRetryable(s) || space_->MayGetRoom(s)) &&
      errors_.CanResume().ok();
  return may_pass ? Outcome::kTryAgain : Outcome::kHopeless;
}

void DBImpl::AutoResumeEnded(int tries) {
  Status old_error;
  Status new_error;
  {
    MutexLock lock(&mutex_);
    old_error = auto_resume_error_;
    new_error = errors_.error();
  }
  RecordTick(options_.stats, ERROR_HANDLER_AUTORESUME_COUNT);
  RecordInHistogram(options_.stats, ERROR_HANDLER_AUTORESUME_RETRY_COUNT,
                    static_cast<uint64_t>(tries));
  if (new_error.ok()) {
    RecordTick(options_.stats, ERROR_HANDLER_AUTORESUME_SUCCESS_COUNT);
  }
  NotifyRecovered(old_error, new_error);
}

}  // namespace ROCKSDB_NAMESPACE
