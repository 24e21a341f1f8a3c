// DBImpl: back to work after a background error whose cause is gone.
#include <algorithm>

#include "db/impl/db_impl.h"
#include "db/write/exclusive.h"
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

// A log that failed may hold half a record, or one that was never
// acknowledged, and cannot be synced any more. So nothing is written until all
// that it holds is in tables and the manifest says that no log before the new
// one counts.
Status DBImpl::Resume() {
  if (Status s = CheckOpen(); !s.ok()) return s;
  std::vector<SealedFamily> sealed;
  uint64_t log_number = 0;
  uint64_t errors_before = 0;
  Status s;
  {
    const Exclusive exclusive(&write_thread_);
    MutexLock lock(&mutex_);
    if (errors_.error().ok()) return Status::OK();
    // Only who writes has background errors.
    INVARIANT(mode_ == Mode::kReadWrite);
    // What a flush that still runs will report belongs to the old error.
    while (running_flushes_ > 0) background_done_.Wait();
    errors_before = errors_.count();
    s = errors_.CanResume();
    if (s.ok()) s = StartResumedLog(&log_number);
    if (s.ok()) s = SealForResume(&sealed);
  }
  FreeGarbage();
  if (s.ok()) s = WaitForResumeFlushes(sealed, errors_before);
  if (s.ok()) s = FinishResume(log_number);
  background_done_.SignalAll();
  return s;
}

Status DBImpl::StartResumedLog(uint64_t* number) {
  INVARIANT(number != nullptr);
  INVARIANT(wal_ != nullptr);
  *number = versions_->NewFileNumber();
  mutex_.Unlock();
  Status s = wal_->Switch(*number, options_.manifest_preallocation_size);
  mutex_.Lock();
  if (!s.ok()) return s;
  INVARIANT(wal_->status().ok());
  wal_->AbandonFailed();
  return s;
}

// Queues a flush of every family that holds anything.
Status DBImpl::SealForResume(std::vector<SealedFamily>* sealed) {
  INVARIANT(sealed != nullptr);
  std::vector<FamilyRef> families;
  for (const auto& entry : families_) families.push_back(entry.second);
  for (const FamilyRef& family : families) {
    ColumnFamilyData* cfd = family->cfd.get();
    if (!cfd->mem()->empty()) {
      if (Status s = SwitchMemTable(cfd); !s.ok()) return s;
    }
    INVARIANT(cfd->mem()->empty());
    if (cfd->imm()->empty()) continue;
    sealed->push_back({family, cfd->imm()->current()->front()->id()});
    QueueFlush(cfd, FlushReason::kErrorRecovery);
  }
  MaybeSchedule();
  return Status::OK();
}

Status DBImpl::WaitForResumeFlushes(const std::vector<SealedFamily>& sealed,
                                    uint64_t errors_before) {
  MutexLock lock(&mutex_);
  while (!std::all_of(sealed.begin(), sealed.end(),
                      [](const SealedFamily& f) { return f.IsSaved(); })) {
    if (shutting_down_.load()) return Status::ShutdownInProgress();
    // A job failed again.
    if (errors_.count() != errors_before) return errors_.error();
    background_done_.Wait();
  }
  return Status::OK();
}

// The manifest forgets all logs before `log_number`; then work goes on.
Status DBImpl::FinishResume(uint64_t log_number) {
  INVARIANT(log_number > 0);
  const Exclusive exclusive(&write_thread_);
  MutexLock lock(&mutex_);
  // A family that is flushed since may be further.
  std::map<uint32_t, VersionEdit> edits;
  std::vector<VersionSet::Change> changes;
  for (const auto& [id, family] : families_) {
    const MemTableRef& mem = family->cfd->mem();
    if (mem->empty() && mem->log_number() < log_number) {
      mem->set_log_number(log_number);
    }
    if (family->cfd->log_number() >= log_number) continue;
    edits[id].log_number = log_number;
    changes.push_back({family->cfd.get(), &edits[id]});
  }
  if (!changes.empty()) {
    changes.front().edit->min_log_number_to_keep =
        std::max(log_number, versions_->min_log_number_to_keep());
    Status s = versions_->LogAndApply(changes, db_directory_.get());
    if (!s.ok()) {
      OnBackgroundError(s, BackgroundErrorReason::kManifestWrite);
      return s;
    }
  }
  CollectObsoleteLogs();
  // What came meanwhile may be worse.
  if (Status s = errors_.CanResume(); !s.ok()) return s;
  errors_.Clear();
  INVARIANT(!errors_.BlocksWrites());
  for (const auto& entry : families_) QueueCompaction(entry.second->cfd.get());
  MaybeSchedule();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
