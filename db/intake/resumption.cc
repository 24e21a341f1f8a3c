#include "db/intake/resumption.h"

#include <algorithm>
#include <map>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/job_errors.h"
#include "db/background/stop_signals.h"
#include "db/files/file_room.h"
#include "db/files/log_keeper.h"
#include "db/intake/group_log.h"
#include "db/intake/memtable_switch.h"
#include "db/intake/section_keeper.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/flush_desk.h"
#include "db/manifest/needed_logs.h"
#include "db/manifest/version_set.h"
#include "db/registry/change_signal.h"
#include "db/registry/family_registry.h"
#include "db/version/version_edit.h"
#include "db/wal/wal_manager.h"
#include "db/write/family_publisher.h"
#include "memtable/memtable.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

// What a family held when the resumption began.
struct Resumption::Sealed {
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

Resumption::Resumption(const Context& context) : context_(context) {
  INVARIANT(context_.wal_lock != nullptr);
  INVARIANT(context_.files != nullptr);
  INVARIANT(context_.directory != nullptr);
}

Resumption::~Resumption() = default;

// Those of the family that failed wait for their time.
void Resumption::RetryCompactions() {
  context_.mutex->AssertHeld();
  context_.compactions->AddAll();
  context_.scheduler->MaybeSchedule();
}

void Resumption::RetryFlushes() {
  context_.mutex->AssertHeld();
  constexpr uint64_t kPauseMicros = 100'000;
  SystemClock* const clock = context_.db->clock;
  const uint64_t until = MonotonicMicros(clock) + kPauseMicros;
  const auto waits = [](const FamilyEntry& family) {
    const MemTableList& imm = *family.cfd->imm();
    return !imm.empty() && !imm.IsFlushRunning() &&
           !family.cfd->schedule.queued_for_flush && !family.cfd->is_dropped();
  };
  const FamilyRegistry& families = *context_.families;
  if (std::none_of(families.begin(), families.end(),
                   [&](const auto& entry) { return waits(*entry.second); })) {
    return;
  }
  uint64_t now = MonotonicMicros(clock);
  while (!context_.stop->IsShuttingDown() && now < until) {
    context_.changes->AwaitFor(until - now);
    now = MonotonicMicros(clock);
  }
  for (const auto& entry : families) {
    if (!waits(*entry.second)) continue;
    context_.flushes->Queue(entry.second->cfd.get(),
                            FlushReason::kErrorRecoveryRetryFlush);
  }
  context_.scheduler->MaybeSchedule();
}

bool Resumption::ClearSoftError() {
  if (context_.error->error().ok()) return true;
  if (context_.error->error().severity() > Status::Severity::kSoftError) {
    return false;
  }
  context_.error->Clear();
  context_.compactions->AddAll();
  context_.scheduler->MaybeSchedule();
  return true;
}

Status Resumption::ResumeOnce() {
  std::vector<Sealed> sealed;
  uint64_t log_number = 0;
  uint64_t errors_before = 0;
  Status s;
  {
    // Before the write thread is asked for: its leader may be stopped until
    // compactions go on.
    MutexLock lock(context_.mutex);
    if (ClearSoftError()) return Status::OK();
  }
  bool is_cleared = false;
  s = context_.wal_lock->WithLogAtRest([&] {
    MutexLock lock(context_.mutex);
    is_cleared = ClearSoftError();
    if (is_cleared) return Status::OK();
    Status begun = context_.error->CanResume();
    if (begun.ok()) begun = StartLog(&log_number);
    if (begun.ok()) begun = CarryPrepared(log_number);
    // What a flush that still runs will report belongs to the old error.
    while (context_.scheduler->running_flushes() > 0) context_.changes->Await();
    errors_before = context_.error->stopping_count();
    return begun.ok() ? SealAll(&sealed) : begun;
  });
  if (is_cleared) return Status::OK();
  context_.publisher->FreeAndTell();
  if (s.ok()) s = WaitForFlushes(sealed, errors_before);
  if (s.ok()) {
    s = context_.wal_lock->WithLogAtRest([&] { return Finish(log_number); });
  }
  context_.changes->Note();
  return s;
}

Status Resumption::StartLog(uint64_t* number) {
  INVARIANT(number != nullptr);
  *number = context_.logs->NextNumber();
  const ColumnFamilyData& any =
      *context_.versions->families()->default_family();
  Status s = context_.logs->Switch(*number, LogKeeper::Preallocation(any));
  if (!s.ok()) return s;
  WalManager* const wal = context_.logs->wal();
  INVARIANT(!wal->has_failed());
  if (wal->AbandonFailed()) context_.flushes->NoteAbandoned(*number);
  return s;
}

// Replay begins at the log that holds prepared transactions, and would so meet
// the one that failed: what comes behind it would not count. So they go to the
// log that is written now, before the manifest says that tables have the rest:
// of what the failed log has not synced, nothing may be needed any more then.
Status Resumption::CarryPrepared(uint64_t log_number) {
  Status s;
  {
    MutexUnlock unlock(context_.mutex);
    if (context_.sections->IsEmpty()) return Status::OK();
    std::vector<WriteBatch> records;
    s = context_.sections->MakeRecords(&records);
    if (s.ok()) s = context_.group_log->AppendCarried(&records);
  }
  if (s.ok()) context_.sections->MoveAllTo(log_number);
  return s;
}

// Queues a flush of every family that holds anything.
Status Resumption::SealAll(std::vector<Sealed>* sealed) {
  INVARIANT(sealed != nullptr);
  std::vector<FamilyRef> families;
  for (const auto& entry : *context_.families) {
    families.push_back(entry.second);
  }
  Status s = context_.memtables->SealAndQueue(context_.families->All(),
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

Status Resumption::WaitForFlushes(const std::vector<Sealed>& sealed,
                                  uint64_t errors_before) {
  MutexLock lock(context_.mutex);
  while (!std::all_of(sealed.begin(), sealed.end(),
                      [](const Sealed& f) { return f.IsSaved(); })) {
    if (context_.stop->IsShuttingDown()) return Status::ShutdownInProgress();
    // A job failed again. Where a listener took that back, the job is tried
    // once more, and the memtables are not in tables yet.
    if (context_.error->stopping_count() != errors_before) {
      if (!context_.error->error().ok()) return context_.error->error();
      errors_before = context_.error->stopping_count();
    }
    context_.changes->Await();
  }
  return Status::OK();
}

Status Resumption::Finish(uint64_t log_number) {
  INVARIANT(log_number > 0);
  const bool carries = !context_.sections->IsEmpty();
  MutexLock lock(context_.mutex);
  // No log is removed before the manifest says so.
  if (Status s = ForgetLogsBefore(log_number, carries); !s.ok()) {
    context_.errors->OnManifestError(s);
    return s;
  }
  context_.files->CollectLogs();
  // What came meanwhile may be worse.
  if (Status s = context_.error->CanResume(); !s.ok()) return s;
  context_.error->Clear();
  INVARIANT(!context_.error->BlocksWrites());
  RetryCompactions();
  return Status::OK();
}

// The manifest forgets all logs before `log_number`. `is_forced`: even if no
// family changes by it.
Status Resumption::ForgetLogsBefore(uint64_t log_number, bool is_forced) {
  VersionSet& versions = *context_.versions;
  // A family that is flushed since may be further.
  std::map<uint32_t, VersionEdit> edits;
  std::vector<VersionSet::Change> changes;
  for (const auto& [id, family] : *context_.families) {
    const MemTableRef& mem = family->cfd->mem();
    if (mem->empty() && mem->log_number() < log_number) {
      mem->set_log_number(log_number);
    }
    if (family->cfd->log_number() >= log_number) continue;
    edits[id].log_number = log_number;
    changes.push_back({family->cfd.get(), &edits[id]});
  }
  if (is_forced && changes.empty()) {
    changes.push_back({versions.families()->default_family(), &edits[0]});
  }
  if (changes.empty()) return Status::OK();
  changes.front().edit->min_log_number_to_keep =
      std::max(log_number, versions.logs()->min_to_keep());
  return versions.LogAndApply(changes, context_.directory);
}

}  // namespace ROCKSDB_NAMESPACE
