// DBImpl: the write-ahead logs at open (db-format.md 5.5).
#include <algorithm>

#include "db/family/family_registry.h"
#include "db/files/log_keeper.h"
#include "db/flush/flush_job.h"
#include "db/impl/db_impl.h"
#include "db/intake/family_memtables.h"
#include "db/intake/intake.h"
#include "db/intake/section_keeper.h"
#include "db/jobs/job_contexts.h"
#include "db/recovery/log_survey.h"
#include "db/recovery/wal_replay.h"
#include "db/version/version_edit.h"
#include "db/version/version_set.h"
#include "db/wal/prepared_sections.h"
#include "db/wal/wal_manager.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/family_publisher.h"
#include "db/write/write_memory.h"
#include "file/filename.h"
#include "memtable/memtable.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

uint64_t FileSizeOrZero(FileSystem* fs, const std::string& path) {
  INVARIANT(fs != nullptr);
  uint64_t size = 0;
  const Status s = fs->GetFileSize(path, IOOptions(), &size, nullptr);
  return s.ok() ? size : 0;
}

}  // namespace

Status DBImpl::ReplayLogs() {
  INVARIANT(versions_ != nullptr);
  INVARIANT(!families_->empty());
  std::vector<uint64_t> logs;
  Status s = ListLogs(options_.fs, wal_dir_, &logs);
  if (!s.ok()) return s;
  if (RecoversWithBestEfforts()) return LeaveLogs(logs);
  INVARIANT(mode_ == Mode::kReadWrite);
  s = CheckLogsPresent(options_, wal_dir_,
                       {.synced_sizes = versions_->tracked_wals(),
                        .last_sequence = versions_->LastSequence()},
                       logs);
  if (!s.ok()) return s;
  const uint64_t min_log = MinLogToReplay();
  for (uint64_t number : logs) versions_->MarkFileNumberUsed(number);
  std::erase_if(logs, [min_log](uint64_t number) { return number < min_log; });

  ReplayEdits edits;
  WalReplay::Context context;
  context.db = &options_;
  context.wal_dir = wal_dir_;
  context.families = intake_->targets();
  context.min_log_number = min_log;
  for (const auto& [id, family] : *families_) {
    context.family_log_numbers[id] = family->cfd->log_number();
    context.family_ids[family->cfd->name()] = id;
    if (const size_t size = family->cfd->order().timestamp_size(); size != 0) {
      context.timestamp_sizes[family->cfd->id()] = static_cast<uint16_t>(size);
    }
  }
  // A memtable that is full goes to a file at once: memory stays bounded.
  context.after_batch = [&]() REQUIRES(mutex_) {
    Status flushed = FlushReplayed(/*only_full=*/true, &edits);
    return flushed.ok() ? FlushReplayedForMemory(&edits) : flushed;
  };
  LogRecoveryEvent(options_.logger, "recovery_started", logs);
  WalReplay replay(std::move(context));
  s = replay.Run(logs);
  if (s.ok()) s = CheckReplayEnd(replay.outcome());
  if (!s.ok()) return s;
  if (replay.outcome().next_sequence > 0) {
    versions_->SetLastSequence(std::max(versions_->LastSequence(),
                                        replay.outcome().next_sequence - 1));
  }
  s = HoldPrepared(replay.prepared(), replay.outcome(), logs);
  if (s.ok()) s = FinishReplay(replay.outcome(), logs, &edits);
  if (s.ok()) LogRecoveryEvent(options_.logger, "recovery_finished", logs);
  return s;
}

// Logs that no family needs may hold prepared transactions.
uint64_t DBImpl::MinLogToReplay() const {
  INVARIANT(!families_->empty());
  if (options_.allow_2pc) return versions_->min_log_number_to_keep();
  uint64_t min_log = UINT64_MAX;
  for (const auto& entry : *families_) {
    min_log = std::min(min_log, entry.second->cfd->log_number());
  }
  return std::max(min_log, versions_->min_log_number_to_keep());
}

// best_efforts_recovery: a later open without it replays what the families'
// tables do not hold. What is written until then is newer.
Status DBImpl::LeaveLogs(const std::vector<uint64_t>& all) {
  uint64_t min_log = UINT64_MAX;
  for (const auto& entry : *families_) {
    min_log = std::min(min_log, entry.second->cfd->log_number());
  }
  std::vector<uint64_t> logs;
  for (const uint64_t number : all) {
    versions_->MarkFileNumberUsed(number);
    if (number >= min_log) logs.push_back(number);
  }
  LogSurvey survey;
  Status s = SurveyLogs(options_.fs, wal_dir_, logs, &survey);
  if (!s.ok()) return s;
  versions_->SetLastSequence(
      std::max(versions_->LastSequence(), survey.LastSequence()));
  if (mode_ != Mode::kReadWrite) {
    for (const auto& entry : *families_)
      publisher_->Publish(entry.second->cfd.get());
    return s;
  }
  for (const auto& [number, log] : survey.logs) {
    logs_->wal()->AddRecovered(
        number, FileSizeOrZero(options_.fs, LogFileName(wal_dir_, number)),
        log.next_sequence);
  }
  const uint64_t log_number = versions_->NewFileNumber();
  INVARIANT(logs.empty() || logs.back() < log_number);
  s = StartFirstLog(log_number, WalReplay::Outcome());
  if (!s.ok()) return s;
  // Makes a manifest of this state, and CURRENT name it.
  VersionEdit state;
  s = versions_->LogAndApply({{default_cfd_, &state}}, db_directory_.get());
  if (!s.ok()) return s;
  for (const auto& entry : *families_) {
    // They stay until the family is flushed, if it needs any.
    ColumnFamilyData* const cfd = entry.second->cfd.get();
    const uint64_t first = logs.empty() ? log_number : logs.front();
    cfd->mem()->set_log_number(std::max(first, cfd->log_number()));
    publisher_->Publish(cfd);
  }
  return s;
}

Status DBImpl::CheckReplayEnd(const WalReplay::Outcome& outcome) {
  for (const auto& entry : *families_) {
    const ColumnFamilyData& cfd = *entry.second->cfd;
    if (cfd.current()->storage().FileCount() == 0) continue;
    Status s = CheckNotAhead(outcome, wal_dir_, cfd.name(), cfd.log_number());
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status DBImpl::FlushReplayed(bool only_full, ReplayEdits* edits) {
  INVARIANT(edits != nullptr);
  INVARIANT(mode_ == Mode::kReadWrite);
  for (const auto& entry : *families_) {
    const MemTable& mem = *entry.second->cfd->mem();
    if (mem.empty() || (only_full && !mem.ShouldFlush())) continue;
    Status s = FlushReplayed(entry.second.get(), edits);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status DBImpl::FlushReplayed(Family* family, ReplayEdits* edits) {
  INVARIANT(family != nullptr && edits != nullptr);
  ColumnFamilyData* cfd = family->cfd.get();
  const MemTableRef mem = cfd->mem();
  INVARIANT(!mem->empty());
  mem->MarkImmutable();
  Status s = WriteRecoveredMemTable(jobs_->Make(family), mem.get(),
                                    &(*edits)[cfd->id()], cfd->NewEpoch());
  ROCKSDB_NAMESPACE::Debug(
      options_.logger, "[%s] [WriteLevel0TableForRecovery] Level-0 table: %s",
      cfd->name().c_str(), s.ToString().c_str());
  if (!s.ok()) return s;
  cfd->SwitchMemTable(cfd->NewMemTable(versions_->LastSequence()));
  return s;
}

// The largest memtable goes to a file when the write buffer manager's limit is
// reached. What another database holds is not given back by that: as long as
// this one has only a small part of the limit, tiny files would be all it got.
Status DBImpl::FlushReplayedForMemory(ReplayEdits* edits) {
  constexpr size_t kSmallPart = 8;
  if (!options_.enforce_write_buffer_manager_during_recovery ||
      !memory_->manager()->ShouldFlush()) {
    return Status::OK();
  }
  Family* largest = nullptr;
  size_t most = 0, total = 0;
  for (const auto& entry : *families_) {
    const MemTable& mem = *entry.second->cfd->mem();
    if (mem.empty()) continue;
    const size_t bytes = mem.ApproximateMemoryUsage();
    total += bytes;
    if (bytes <= most) continue;
    most = bytes;
    largest = entry.second.get();
  }
  const size_t small = memory_->manager()->buffer_size() / kSmallPart;
  if (largest == nullptr || total < small) return Status::OK();
  return FlushReplayed(largest, edits);
}

// What is prepared is in no table: its log stays until an engine with
// transactions has committed it or rolled it back.
Status DBImpl::HoldPrepared(const PreparedSections& prepared,
                            const WalReplay::Outcome& outcome,
                            const std::vector<uint64_t>& logs) {
  INVARIANT(prepared.sections().empty() || options_.allow_2pc);
  const uint64_t min_log = prepared.MinLog();
  for (const auto& [name, section] : prepared.sections()) {
    ROCKSDB_NAMESPACE::Info(
        options_.logger, "transaction %s is prepared, with %u updates in %s",
        Slice(name).ToString(/*hex=*/true).c_str(), section.updates.Count(),
        LogFileName(wal_dir_, section.log_number).c_str());
  }
  sections_->Recover(prepared);
  versions_->HoldLogs(min_log);
  for (const uint64_t number : logs) {
    if (number < min_log) continue;
    uint64_t size = 0;
    const Status s = options_.fs->GetFileSize(LogFileName(wal_dir_, number),
                                              IOOptions(), &size, nullptr);
    if (!s.ok()) return s;
    const auto reached = outcome.reached.find(number);
    logs_->wal()->AddRecovered(
        number, size, reached != outcome.reached.end() ? reached->second : 0);
  }
  return Status::OK();
}

Status DBImpl::FinishReplay(const WalReplay::Outcome& outcome,
                            const std::vector<uint64_t>& logs,
                            ReplayEdits* edits) {
  INVARIANT(edits != nullptr);
  bool has_data = !edits->empty();
  for (const auto& entry : *families_) {
    has_data = has_data || !entry.second->cfd->mem()->empty();
  }
  // Logs that a filter has changed are not to be read again without it. Nor are
  // damaged ones: an open that begins with such a log, those before it being
  // gone, does not know at which sequence it ended, and whether the next goes
  // on from there.
  const bool keep_logs =
      options_.avoid_flush_during_recovery && options_.wal_filter == nullptr &&
      !outcome.dropped_something && edits->empty() && has_data;
  if (!keep_logs) {
    if (Status s = FlushReplayed(/*only_full=*/false, edits); !s.ok()) {
      return s;
    }
  }
  INVARIANT(mode_ == Mode::kReadWrite);
  INVARIANT(!keep_logs || !logs.empty());
  const uint64_t log_number = versions_->NewFileNumber();
  INVARIANT(logs.empty() || logs.back() < log_number);
  if (keep_logs) {
    // Before the first log of this session, which is newer than all of them.
    for (uint64_t number : logs) {
      const auto reached = outcome.reached.find(number);
      logs_->wal()->AddRecovered(
          number, FileSizeOrZero(options_.fs, LogFileName(wal_dir_, number)),
          reached != outcome.reached.end() ? reached->second : 0);
    }
  }
  if (Status s = StartFirstLog(log_number, outcome); !s.ok()) return s;

  INVARIANT(db_directory_ != nullptr);
  std::vector<VersionSet::Change> changes;
  std::map<uint32_t, VersionEdit> plain;
  for (const auto& entry : *families_) {
    ColumnFamilyData* cfd = entry.second->cfd.get();
    const auto found = edits->find(cfd->id());
    VersionEdit* edit =
        found != edits->end() ? &found->second : &plain[cfd->id()];
    if (!keep_logs) edit->log_number = log_number;
    // Older logs go now, so the manifest must not track them any more.
    if (changes.empty()) {
      edit->min_log_number_to_keep = keep_logs ? logs.front() : log_number;
    }
    changes.push_back({cfd, edit});
  }
  if (!options_.track_and_verify_wals_in_manifest &&
      !versions_->tracked_wals().empty()) {
    // Tracking is off now: what was tracked no longer counts.
    VersionEdit forget;
    forget.wals_deleted_before = versions_->tracked_wals().rbegin()->first + 1;
    Status s =
        versions_->LogAndApply({{nullptr, &forget}}, db_directory_.get());
    if (!s.ok()) return s;
  }
  INVARIANT(changes.size() == families_->size());
  Status s = versions_->LogAndApply(changes, db_directory_.get());
  if (!s.ok()) return s;
  for (const auto& entry : *families_) {
    const MemTableRef& mem = entry.second->cfd->mem();
    mem->set_log_number(keep_logs && !mem->empty() ? logs.front() : log_number);
    publisher_->Publish(entry.second->cfd.get());
  }
  return s;
}

// The session's first log. If replay dropped something, an empty batch with
// the next sequence says where the history goes on (db-format.md 2.7).
Status DBImpl::StartFirstLog(uint64_t number,
                             const WalReplay::Outcome& outcome) {
  INVARIANT(number > 0);
  WalManager& wal = *logs_->wal();
  Status s = wal.Switch(number, LogKeeper::Preallocation(*default_cfd_),
                        *mutable_options_);
  // A database without a log is taken for one that has lost them. Beside the
  // manifest, the name is durable as soon as that is.
  if (s.ok() && options_.track_and_verify_wals && wal_dir_ != name_) {
    s = logs_->SyncName();
  }
  if (!s.ok() || !outcome.dropped_something) return s;
  INVARIANT(number == wal.current_number());
  WriteBatch marker;
  // What replay expects next, which the manifest's last sequence may be ahead
  // of: an open that finds the damaged log again goes on from here.
  WriteBatchInternal::SetSequence(&marker, outcome.next_sequence > 0
                                               ? outcome.next_sequence
                                               : versions_->LastSequence() + 1);
  s = wal.Append(marker.Data());
  return s.ok() ? wal.Sync() : s;
}

}  // namespace ROCKSDB_NAMESPACE
