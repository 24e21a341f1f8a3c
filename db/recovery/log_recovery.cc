#include "db/recovery/log_recovery.h"

#include <algorithm>
#include <utility>

#include "db/files/log_keeper.h"
#include "db/flush/flush_job.h"
#include "db/jobs/job_contexts.h"
#include "db/manifest/manifest_log.h"
#include "db/manifest/needed_logs.h"
#include "db/manifest/version_set.h"
#include "db/recovery/left_open_blobs.h"
#include "db/recovery/log_survey.h"
#include "db/recovery/replayed_values.h"
#include "db/registry/current_options.h"
#include "db/registry/family_registry.h"
#include "db/tables/file_meta.h"
#include "db/wal/memtable_inserter.h"
#include "db/wal/prepared_sections.h"
#include "db/wal/wal_manager.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/family_publisher.h"
#include "db/write/write_memory.h"
#include "file/file_util.h"
#include "file/filename.h"
#include "memtable/memtable.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What is in the page cache of a file that nobody writes any more goes to the
// device.
Status SyncLeftFile(FileSystem* fs, const std::string& path) {
  INVARIANT(fs != nullptr);
  std::unique_ptr<FSWritableFile> file;
  Status s = fs->ReopenWritableFile(path, FileOptions(), &file, nullptr);
  if (!s.ok()) return s;
  s = file->Fsync(IOOptions(), nullptr);
  const Status closed = file->Close(IOOptions(), nullptr);
  return s.ok() ? closed : s;
}

// Once a sync has failed the file is given up: what it is to hold goes to
// another one that takes its name.
Status ReplaceByCopy(FileSystem* fs, const std::string& path,
                     const std::string& copy) {
  FileCopy whole;
  whole.source = path;
  whole.destination = copy;
  Status s = CopyFile(fs, whole);
  if (s.ok()) s = fs->RenameFile(copy, path, IOOptions(), nullptr);
  if (!s.ok()) {
    IgnoreError(DeleteFileIfExists(fs, copy),
                "the first error is the one to report");
  }
  return s;
}

// The logs from `min_log` on, and the sequence behind each; 0: not known.
std::map<uint64_t, SequenceNumber> Reached(const WalReplay::Outcome& outcome,
                                           const std::vector<uint64_t>& logs,
                                           uint64_t min_log) {
  std::map<uint64_t, SequenceNumber> result;
  for (const uint64_t number : logs) {
    if (number < min_log) continue;
    const auto reached = outcome.reached.find(number);
    result[number] = reached != outcome.reached.end() ? reached->second : 0;
  }
  return result;
}

// Where the sizes of levels are dynamic, the last levels are in use. Files that
// lie above free ones, as another shape of the family has left them, go down
// into these, level by level (db-format.md 5.2). The last one is not for what
// may be too young for it: a compaction finds out what is old enough.
void FillLastLevels(const ColumnFamilyData& cfd, Logger* logger,
                    std::map<uint32_t, VersionEdit>* edits) {
  INVARIANT(edits != nullptr);
  if (!cfd.ioptions().level_compaction_dynamic_level_bytes) return;
  const VersionRef version = cfd.current();
  const VersionStorage& storage = version->storage();
  const bool keeps_young_out =
      cfd.options()->preclude_last_level_data_seconds > 0;
  int target = storage.level_count() - (keeps_young_out ? 2 : 1);
  for (int level = target; level >= 1; --level) {
    if (storage.files(level).empty()) continue;
    const int to = target--;
    if (to == level) continue;
    INVARIANT(level < to);
    ROCKSDB_NAMESPACE::Info(logger, "[%s] files of level %d go to level %d",
                            cfd.name().c_str(), level, to);
    VersionEdit* const edit = &(*edits)[cfd.id()];
    for (const FileRef& file : storage.files(level)) {
      edit->DeleteFile(level, file->number);
      edit->AddFile(to, file);
    }
  }
}

}  // namespace

LogRecovery::LogRecovery(Context context)
    : context_(std::move(context)),
      prepared_(std::make_unique<PreparedSections>()),
      left_open_(std::make_unique<LeftOpenBlobs>(context_.db)) {
  INVARIANT(context_.versions != nullptr);
  INVARIANT((context_.logs == nullptr) == (context_.targets == nullptr));
}

LogRecovery::~LogRecovery() = default;

Status LogRecovery::Replay() {
  context_.mutex->AssertHeld();
  INVARIANT(Writes());
  INVARIANT(!context_.families->empty());
  VersionSet& versions = *context_.versions;
  std::vector<uint64_t> logs;
  Status s = ListLogs(context_.db->fs, context_.wal_dir, &logs);
  if (!s.ok()) return s;
  s = CheckLogsPresent(*context_.db, context_.wal_dir,
                       {.synced_sizes = versions.logs()->synced_sizes(),
                        .min_to_keep = versions.logs()->min_to_keep(),
                        .last_sequence = versions.LastSequence()},
                       logs);
  if (!s.ok()) return s;
  const uint64_t min_log = MinLogToReplay();
  for (uint64_t number : logs) versions.MarkFileNumberUsed(number);
  if (!logs.empty()) newest_log_ = logs.back();
  std::erase_if(logs, [min_log](uint64_t number) { return number < min_log; });

  LogRecoveryEvent(context_.db->logger, "recovery_started", logs);
  Edits edits;
  WalReplay::Outcome outcome;
  if (!logs.empty()) s = FindLeftOpenBlobs();
  if (s.ok()) s = RunReplay(logs, min_log, &edits, &outcome);
  if (s.ok()) s = TakeUpLeftOpenBlobs(&edits);
  if (s.ok()) s = CheckEnd(outcome);
  if (!s.ok()) return s;
  if (outcome.next_sequence > 0) {
    versions.SetLastSequence(
        std::max(versions.LastSequence(), outcome.next_sequence - 1));
  }
  s = HoldPrepared(outcome, logs);
  if (s.ok()) s = Finish(outcome, logs, &edits);
  if (s.ok()) {
    LogRecoveryEvent(context_.db->logger, "recovery_finished", logs);
  }
  return s;
}

Status LogRecovery::RunReplay(const std::vector<uint64_t>& logs,
                              uint64_t min_log, Edits* edits,
                              WalReplay::Outcome* outcome) {
  ReplayTargets targets(context_.db, context_.versions->families(),
                        context_.targets, edits);
  WalReplay::Context context;
  context.db = context_.db;
  context.wal_dir = context_.wal_dir;
  context.families = &targets;
  context.min_log_number = min_log;
  for (const auto& [id, family] : *context_.families) {
    context.family_log_numbers[id] = family->cfd->log_number();
    context.family_ids[family->cfd->name()] = id;
    if (const size_t size = family->cfd->order().timestamp_size(); size != 0) {
      context.timestamp_sizes[family->cfd->id()] = static_cast<uint16_t>(size);
    }
  }
  // A memtable that is full goes to a file at once: memory stays bounded.
  context.after_batch = [&]() REQUIRES(context_.mutex) {
    Status flushed = Flush(/*only_full=*/true, edits);
    return flushed.ok() ? FlushForMemory(edits) : flushed;
  };
  context.check_blobs =
      [this](const WriteBatch& batch, uint64_t number, LostBlob* lost)
          REQUIRES(context_.mutex) { return CheckBlobs(batch, number, lost); };
  WalReplay replay(std::move(context));
  const Status s = replay.Run(logs);
  *outcome = replay.outcome();
  *prepared_ = replay.prepared();
  return s;
}

Status LogRecovery::CheckBlobs(const WriteBatch& batch, uint64_t log_number,
                               LostBlob* lost) {
  return left_open_->CheckRecord(
      batch, log_number,
      [this](uint32_t id) REQUIRES(context_.mutex) {
        const auto family = context_.families->Find(id);
        return family != nullptr ? family->cfd.get() : nullptr;
      },
      lost);
}

// Logs that no family needs may hold prepared transactions.
uint64_t LogRecovery::MinLogToReplay() const {
  INVARIANT(!context_.families->empty());
  if (context_.db->allow_2pc) return context_.versions->logs()->min_to_keep();
  uint64_t min_log = UINT64_MAX;
  for (const auto& entry : *context_.families) {
    min_log = std::min(min_log, entry.second->cfd->log_number());
  }
  return std::max(min_log, context_.versions->logs()->min_to_keep());
}

Status LogRecovery::LeaveLogs() {
  context_.mutex->AssertHeld();
  std::vector<uint64_t> all;
  if (Status s = ListLogs(context_.db->fs, context_.wal_dir, &all); !s.ok()) {
    return s;
  }
  uint64_t min_log = UINT64_MAX;
  for (const auto& entry : *context_.families) {
    min_log = std::min(min_log, entry.second->cfd->log_number());
  }
  std::vector<uint64_t> logs;
  for (const uint64_t number : all) {
    context_.versions->MarkFileNumberUsed(number);
    if (number >= min_log) logs.push_back(number);
  }
  LogSurvey survey;
  Status s = SurveyLogs(context_.db->fs, context_.wal_dir, logs, &survey);
  if (!s.ok()) return s;
  context_.versions->SetLastSequence(
      std::max(context_.versions->LastSequence(), survey.LastSequence()));
  if (!Writes()) {
    for (const auto& entry : *context_.families)
      context_.publisher->Publish(entry.second->cfd.get());
    return s;
  }
  std::map<uint64_t, SequenceNumber> kept;
  for (const auto& [number, log] : survey.logs) {
    // What the logs refer to stays with them.
    for (const uint64_t blob : log.blob_files) {
      context_.versions->MarkFileNumberUsed(blob);
      context_.versions->sink()->OnReferenced(blob);
    }
    kept[number] = log.next_sequence;
  }
  if (s = KeepLogs(kept); !s.ok()) return s;
  const uint64_t log_number = context_.versions->NewFileNumber();
  INVARIANT(logs.empty() || logs.back() < log_number);
  s = StartFirstLog(log_number, WalReplay::Outcome());
  if (!s.ok()) return s;
  // Makes a manifest of this state, and CURRENT name it.
  VersionEdit state;
  s = context_.versions->LogAndApply(
      {{context_.versions->families()->default_family(), &state}},
      context_.directory);
  if (!s.ok()) return s;
  for (const auto& entry : *context_.families) {
    // They stay until the family is flushed, if it needs any.
    ColumnFamilyData* const cfd = entry.second->cfd.get();
    const uint64_t first = logs.empty() ? log_number : logs.front();
    cfd->mem()->set_log_number(std::max(first, cfd->log_number()));
    context_.publisher->Publish(cfd);
  }
  return s;
}

Status LogRecovery::CheckEnd(const WalReplay::Outcome& outcome) {
  for (const auto& entry : *context_.families) {
    const ColumnFamilyData& cfd = *entry.second->cfd;
    if (cfd.current()->storage().FileCount() == 0) continue;
    Status s =
        CheckNotAhead(outcome, context_.wal_dir, cfd.name(), cfd.log_number());
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status LogRecovery::FindLeftOpenBlobs() {
  for (const auto& entry : *context_.families) {
    Status s = left_open_->Find(entry.second->cfd.get());
    if (!s.ok()) return s;
  }
  return Status::OK();
}

// What a memtable refers to may not wait in the logs for a later open.
Status LogRecovery::TakeUpLeftOpenBlobs(Edits* edits) {
  INVARIANT(edits != nullptr);
  for (const auto& entry : *context_.families) {
    ColumnFamilyData* const cfd = entry.second->cfd.get();
    VersionEdit taken;
    Status s = left_open_->TakeUp(cfd, *cfd->mem(), &taken);
    if (!s.ok()) return s;
    if (taken.blob_additions.empty()) continue;
    std::vector<BlobFileAddition>& all = (*edits)[cfd->id()].blob_additions;
    all.insert(all.end(), taken.blob_additions.begin(),
               taken.blob_additions.end());
  }
  return Status::OK();
}

Status LogRecovery::Flush(bool only_full, Edits* edits) {
  INVARIANT(edits != nullptr);
  for (const auto& entry : *context_.families) {
    const MemTable& mem = *entry.second->cfd->mem();
    if (mem.empty() || (only_full && !mem.ShouldFlush())) continue;
    Status s = Flush(entry.second.get(), edits);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status LogRecovery::Flush(FamilyEntry* family, Edits* edits) {
  INVARIANT(family != nullptr && edits != nullptr);
  ColumnFamilyData* cfd = family->cfd.get();
  const MemTableRef mem = cfd->mem();
  INVARIANT(!mem->empty());
  mem->MarkImmutable();
  VersionEdit* const edit = &(*edits)[cfd->id()];
  Status s = left_open_->TakeUp(cfd, *mem, edit);
  if (!s.ok()) return s;
  LevelWork work;
  s = WriteRecoveredMemTable(
      context_.jobs->Make(family), mem.get(),
      {.epoch = cfd->NewEpoch(), .blob_flow = left_open_->FlowOf(*cfd)}, edit,
      &work);
  ROCKSDB_NAMESPACE::Debug(
      context_.db->logger,
      "[%s] [WriteLevel0TableForRecovery] Level-0 table: %s",
      cfd->name().c_str(), s.ToString().c_str());
  if (!s.ok()) return s;
  if (work.count > 0) family->stats.AddFlush(Env::Priority::USER, work);
  cfd->SwitchMemTable(cfd->NewMemTable(context_.versions->LastSequence()));
  return s;
}

// The largest memtable goes to a file when the write buffer manager's limit is
// reached. What another database holds is not given back by that: as long as
// this one has only a small part of the limit, tiny files would be all it got.
Status LogRecovery::FlushForMemory(Edits* edits) {
  constexpr size_t kSmallPart = 8;
  if (!context_.db->enforce_write_buffer_manager_during_recovery ||
      !context_.memory->manager()->ShouldFlush()) {
    return Status::OK();
  }
  FamilyEntry* largest = nullptr;
  size_t most = 0, total = 0;
  for (const auto& entry : *context_.families) {
    const MemTable& mem = *entry.second->cfd->mem();
    if (mem.empty()) continue;
    const size_t bytes = mem.ApproximateMemoryUsage();
    total += bytes;
    if (bytes <= most) continue;
    most = bytes;
    largest = entry.second.get();
  }
  const size_t small = context_.memory->manager()->buffer_size() / kSmallPart;
  if (largest == nullptr || total < small) return Status::OK();
  return Flush(largest, edits);
}

// What is prepared is in no table: its log stays until an engine with
// transactions has committed it or rolled it back.
Status LogRecovery::HoldPrepared(const WalReplay::Outcome& outcome,
                                 const std::vector<uint64_t>& logs) {
  INVARIANT(prepared_->sections().empty() || context_.db->allow_2pc);
  const uint64_t min_log = prepared_->MinLog();
  for (const auto& [name, section] : prepared_->sections()) {
    ROCKSDB_NAMESPACE::Info(
        context_.db->logger,
        "transaction %s is prepared, with %u updates in %s",
        Slice(name).ToString(/*hex=*/true).c_str(), section.updates.Count(),
        LogFileName(context_.wal_dir, section.log_number).c_str());
  }
  context_.versions->logs()->Hold(min_log);
  return KeepLogs(Reached(outcome, logs, min_log));
}

// Logs of earlier sessions go on being needed. What those sessions left in the
// page cache becomes durable here: no sync of this session touches these logs,
// and what is synced in a later log, or goes into a table, stands or falls with
// them.
Status LogRecovery::KeepLogs(const std::map<uint64_t, SequenceNumber>& logs) {
  if (logs.empty()) return Status::OK();
  for (const auto& [number, reached] : logs) {
    const std::string path = LogFileName(context_.wal_dir, number);
    uint64_t size = 0;
    Status s = context_.db->fs->GetFileSize(path, IOOptions(), &size, nullptr);
    if (s.ok()) s = MakeDurable(path, number);
    if (!s.ok()) return s;
    context_.logs->wal()->AddRecovered(number, size, reached);
  }
  return context_.logs->SyncName();
}

Status LogRecovery::MakeDurable(const std::string& path,
                                uint64_t number) const {
  Status s = SyncLeftFile(context_.db->fs, path);
  if (s.ok()) return s;
  if (s.IsNotSupported()) {
    ROCKSDB_NAMESPACE::Warn(context_.db->logger,
                            "%s is kept without a sync: %s", path.c_str(),
                            s.ToString().c_str());
    return Status::OK();
  }
  ROCKSDB_NAMESPACE::Warn(context_.db->logger, "%s is copied: %s", path.c_str(),
                          s.ToString().c_str());
  return ReplaceByCopy(context_.db->fs, path,
                       TempFileName(context_.wal_dir, number));
}

bool LogRecovery::MayKeepLogs(const WalReplay::Outcome& outcome,
                              const Edits& edits) const {
  bool has_data = !edits.empty();
  for (const auto& entry : *context_.families) {
    has_data = has_data || !entry.second->cfd->mem()->empty();
  }
  // Logs that a filter has changed are not to be read again without it. Nor are
  // damaged ones: an open that begins with such a log, those before it being
  // gone, does not know at which sequence it ended, and whether the next goes
  // on from there.
  return context_.db->avoid_flush_during_recovery &&
         context_.db->wal_filter == nullptr && !outcome.dropped_something &&
         edits.empty() && has_data;
}

Status LogRecovery::Finish(const WalReplay::Outcome& outcome,
                           const std::vector<uint64_t>& logs, Edits* edits) {
  INVARIANT(edits != nullptr);
  const bool keep_logs = MayKeepLogs(outcome, *edits);
  if (!keep_logs) {
    if (Status s = Flush(/*only_full=*/false, edits); !s.ok()) {
      return s;
    }
  }
  INVARIANT(!keep_logs || !logs.empty());
  for (auto& [id, edit] : *edits) {
    const FamilyRef family = context_.families->Find(id);
    if (family != nullptr) left_open_->AddGarbage(*family->cfd, &edit);
  }
  const uint64_t log_number = context_.versions->NewFileNumber();
  INVARIANT(logs.empty() || logs.back() < log_number);
  if (keep_logs) {
    // Before the first log of this session, which is newer than all of them.
    Status s = KeepLogs(Reached(outcome, logs, /*min_log=*/0));
    if (!s.ok()) return s;
  }
  if (Status s = StartFirstLog(log_number, outcome); !s.ok()) return s;

  Status s = ForgetTrackedLogs();
  const End end{.keeps_logs = keep_logs,
                .oldest_log = keep_logs ? logs.front() : log_number,
                .first_log = log_number};
  if (s.ok()) s = LogEdits(end, edits);
  if (!s.ok()) return s;
  for (const auto& entry : *context_.families) {
    const MemTableRef& mem = entry.second->cfd->mem();
    mem->set_log_number(keep_logs && !mem->empty() ? logs.front() : log_number);
    context_.publisher->Publish(entry.second->cfd.get());
  }
  return s;
}

// Logs that no family needs, by the manifest, are not to be named once more;
// nor is the first log of this session, which none that was found comes after.
// A manifest that lacks the database's id is to have it, though.
bool LogRecovery::SaysNothing(const Edits& edits, const End& end) const {
  if (!(*context_.options)->optimize_manifest_for_recovery || !edits.empty()) {
    return false;
  }
  if (context_.db->write_dbid_to_manifest &&
      !context_.versions->manifest()->had_id()) {
    return false;
  }
  const uint64_t kept = context_.versions->logs()->min_to_keep();
  if (end.keeps_logs) return end.oldest_log <= kept;
  const auto is_told = [this](const auto& entry) {
    return entry.second->cfd->log_number() > newest_log_;
  };
  return kept > newest_log_ && std::all_of(context_.families->begin(),
                                           context_.families->end(), is_told);
}

Status LogRecovery::LogEdits(const End& end, Edits* edits) {
  INVARIANT(context_.directory != nullptr);
  for (const auto& entry : *context_.families) {
    FillLastLevels(*entry.second->cfd, context_.db->logger, edits);
  }
  if (SaysNothing(*edits, end)) {
    const Status s = context_.versions->Settle(context_.directory);
    if (s.ok()) return s;
    ROCKSDB_NAMESPACE::Warn(context_.db->logger,
                            "the manifest is written anew: %s",
                            s.ToString().c_str());
  }
  std::vector<VersionSet::Change> changes;
  for (const auto& [id, family] : *context_.families) {
    VersionEdit* const edit = &(*edits)[id];
    if (!end.keeps_logs) edit->log_number = end.first_log;
    // Older logs go now, so the manifest must not track them any more.
    if (changes.empty()) edit->min_log_number_to_keep = end.oldest_log;
    changes.push_back({family->cfd.get(), edit});
  }
  INVARIANT(changes.size() == context_.families->size());
  return context_.versions->LogAndApply(changes, context_.directory);
}

// Tracking is off now: what was tracked no longer counts.
Status LogRecovery::ForgetTrackedLogs() {
  const auto& tracked = context_.versions->logs()->synced_sizes();
  if (context_.db->track_and_verify_wals_in_manifest || tracked.empty()) {
    return Status::OK();
  }
  VersionEdit forget;
  forget.wals_deleted_before = tracked.rbegin()->first + 1;
  return context_.versions->LogAndApply({{nullptr, &forget}},
                                        context_.directory);
}

// The session's first log. If replay dropped something, an empty batch with
// the next sequence says where the history goes on (db-format.md 2.7).
Status LogRecovery::StartFirstLog(uint64_t number,
                                  const WalReplay::Outcome& outcome) {
  INVARIANT(number > 0);
  WalManager& wal = *context_.logs->wal();
  Status s = wal.Switch(number,
                        LogKeeper::Preallocation(
                            *context_.versions->families()->default_family()),
                        **context_.options);
  // A database without a log is taken for one that has lost them. Beside the
  // manifest, the name is durable as soon as that is.
  if (s.ok() && context_.db->track_and_verify_wals &&
      context_.wal_dir != context_.db_name) {
    s = context_.logs->SyncName();
  }
  if (!s.ok() || !outcome.dropped_something) return s;
  INVARIANT(number == wal.current_number());
  WriteBatch marker;
  // What replay expects next, which the manifest's last sequence may be ahead
  // of: an open that finds the damaged log again goes on from here.
  WriteBatchInternal::SetSequence(&marker,
                                  outcome.next_sequence > 0
                                      ? outcome.next_sequence
                                      : context_.versions->LastSequence() + 1);
  s = wal.Append(marker.Data());
  return s.ok() ? wal.Sync() : s;
}

}  // namespace ROCKSDB_NAMESPACE
