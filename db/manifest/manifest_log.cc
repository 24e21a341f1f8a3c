#include "db/manifest/manifest_log.h"

#include <algorithm>
#include <utility>

#include "db/manifest/manifest_head.h"
#include "db/manifest/manifest_replay.h"
#include "db/manifest/manifest_writer.h"
#include "db/manifest/next_versions.h"
#include "db/version/version_edit.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/info_log.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Edits wait for their turn, and the last one in the manifest counts.
void KeepHistoryAscending(const VersionChange& change) {
  std::optional<std::string>& low = change.edit->full_history_ts_low;
  if (change.cfd == nullptr || !low) return;
  const std::string& now = change.cfd->full_history_ts_low();
  const Comparator& order = *change.cfd->user_comparator();
  if (!now.empty() && order.CompareTimestamp(*low, now) <= 0) low.reset();
}

// What the family keeps of an edit that was written, beside its files.
void ApplyToFamily(const VersionChange& change) {
  const VersionEdit& edit = *change.edit;
  if (change.cfd == nullptr) {
    INVARIANT(!edit.ChangesFiles());
    return;
  }
  if (edit.log_number && *edit.log_number > change.cfd->log_number()) {
    change.cfd->set_log_number(*edit.log_number);
  }
  if (edit.full_history_ts_low) {
    change.cfd->set_full_history_ts_low(*edit.full_history_ts_low);
  }
  for (const auto& [level, key] : edit.compaction_cursors) {
    (*change.cfd->compaction_cursors())[level] = key;
  }
}

}  // namespace

struct ManifestLog::Work {
  std::unique_ptr<NextVersions> versions;
  uint64_t new_manifest = 0;      // 0: the one in force goes on
  std::vector<VersionEdit> head;  // the edits that a new manifest begins with
  size_t preallocation_bytes = 0;
  TrackedWals wals;  // the logs tracked once the edits are written
};

ManifestLog::ManifestLog(Context context)
    : context_(std::move(context)),
      limits_(context_.limits),
      is_idle_(std::make_unique<CondVar>(context_.mutex)) {
  INVARIANT(context_.mutex != nullptr);
  INVARIANT(!context_.db_path.empty());
}

ManifestLog::~ManifestLog() { INVARIANT(!is_busy_); }

Status ManifestLog::CreateNew(const std::string& db_id,
                              FSDirectory* directory) const {
  INVARIANT(writer_ == nullptr);
  VersionEdit edit;
  if (context_.db->write_dbid_to_manifest) edit.db_id = db_id;
  edit.log_number = 0;
  edit.next_file_number = 2;
  edit.last_sequence = 0;
  std::string record;
  if (Status s = edit.EncodeTo(&record); !s.ok()) return s;
  ManifestWriter writer({.db = context_.db,
                         .db_path = context_.db_path,
                         .file_options = context_.file_options,
                         .directory = directory});
  constexpr uint64_t kFirstManifest = 1;
  Status s = writer.Start({.number = kFirstManifest,
                           .head = {},
                           .records = {std::move(record)},
                           .preallocation_bytes = 0});
  return s.ok() ? writer.Close() : s;
}

void ManifestLog::TakeOver(const ManifestReplay& replay, Replayed how) {
  recovered_number_ = replay.manifest_number();
  if (how == Replayed::kAsWritten) {
    installed_ = {replay.manifest_number(), replay.manifest_bytes()};
  }
  db_id_ = replay.db_id();
  had_id_ = !db_id_.empty();
  logs_.TakeOver(replay.min_log_number_to_keep(), replay.tracked_wals());
}

void ManifestLog::GoOnWith(const ManifestReplay& replay) {
  INVARIANT(writer_ == nullptr);
  INVARIANT(replay.manifest_number() == recovered_number_);
  const bool lacks_id = context_.db->write_dbid_to_manifest && !had_id_;
  if (lacks_id || !replay.ends_with_whole_group()) return;
  left_ = std::make_unique<const LeftManifest>(
      LeftManifest{.number = replay.manifest_number(),
                   .size_bytes = replay.manifest_bytes(),
                   .record_count = replay.record_count(),
                   .compacted_bytes = replay.compacted_bytes()});
}

Status ManifestLog::Settle(FSDirectory* directory) {
  context_.mutex->AssertHeld();
  INVARIANT(!is_busy_);
  if (writer_ != nullptr) return Status::OK();  // It was, with that change.
  INVARIANT(installed_.number == recovered_number_);
  MakeWriter(directory);
  Status s;
  {
    MutexUnlock unlock(context_.mutex);
    s = writer_->Settle({.number = installed_.number,
                         .size_bytes = installed_.size_bytes,
                         .record_count = 0,
                         .compacted_bytes = 0});
  }
  if (!s.ok()) left_.reset();
  return s;
}

void ManifestLog::TryToGoOn() {
  context_.mutex->AssertHeld();
  INVARIANT(is_busy_ && writer_ != nullptr);
  const std::unique_ptr<const LeftManifest> left = std::move(left_);
  if (left == nullptr) return;
  Status s;
  {
    const size_t preallocation_bytes = limits_.preallocation_bytes;
    MutexUnlock unlock(context_.mutex);
    s = writer_->GoOnWith(*left, preallocation_bytes);
  }
  if (s.ok()) return;
  ROCKSDB_NAMESPACE::Warn(context_.db->logger, "a new manifest is begun: %s",
                          s.ToString().c_str());
}

void ManifestLog::MakeWriter(FSDirectory* directory) {
  if (writer_ != nullptr) return;
  writer_ = std::make_unique<ManifestWriter>(
      ManifestWriter::Context{.db = context_.db,
                              .db_path = context_.db_path,
                              .file_options = context_.file_options,
                              .directory = directory});
}

uint64_t ManifestLog::size_bytes() const {
  return writer_ != nullptr ? writer_->size_bytes() : 0;
}

uint64_t ManifestLog::MinNumberToKeep() const {
  context_.mutex->AssertHeld();
  const uint64_t in_force = writer_ != nullptr ? writer_->manifest_number() : 0;
  return in_force != 0 ? in_force : recovered_number_;
}

ManifestLog::Installed ManifestLog::installed() const {
  context_.mutex->AssertHeld();
  return installed_;
}

void ManifestLog::AwaitTurn() {
  context_.mutex->AssertHeld();
  while (is_busy_) is_idle_->Wait();
}

Status ManifestLog::Apply(const std::vector<VersionChange>& changes,
                          FSDirectory* directory) {
  context_.mutex->AssertHeld();
  INVARIANT(!changes.empty());
  AwaitTurn();
  for (const VersionChange& change : changes) {
    INVARIANT(change.edit != nullptr);
    // A family comes and goes alone.
    INVARIANT(!change.edit->IsColumnFamilyManipulation() ||
              changes.size() == 1);
    if (change.cfd != nullptr && change.cfd->is_dropped() &&
        !change.edit->column_family_dropped) {
      return Status::ColumnFamilyDropped(change.cfd->name());
    }
  }
  INVARIANT(pending_number_ == 0);
  is_busy_ = true;
  for (const VersionChange& change : changes) {
    logs_.KeepHeld(change.edit);
    logs_.LeaveOutUnneeded(change.edit);
  }
  VersionEdit forgotten;
  std::vector<VersionChange> all = changes;
  if (logs_.Forget(changes, &forgotten)) all.push_back({nullptr, &forgotten});
  Status s = WriteAndInstall(all, directory);
  is_busy_ = false;
  is_idle_->SignalAll();
  return s;
}

void ManifestLog::CompleteEdits(const std::vector<VersionChange>& changes,
                                bool is_new_manifest) const {
  // Several families' edits take effect together or not at all.
  const bool is_group = changes.size() > 1;
  auto remaining = static_cast<uint32_t>(changes.size());
  for (const VersionChange& change : changes) {
    VersionEdit* edit = change.edit;
    --remaining;
    edit->column_family = change.cfd != nullptr ? change.cfd->id() : 0;
    if (!edit->IsColumnFamilyManipulation()) edit->previous_log_number = 0;
    edit->next_file_number = context_.numbers->next_file_number();
    SequenceNumber last = std::max(context_.numbers->LastSequence(),
                                   edit->last_sequence.value_or(0));
    for (const VersionEdit::NewFile& entry : edit->new_files) {
      last = std::max(last, entry.file->largest_sequence);
    }
    edit->last_sequence = last;
    // The id of a dropped family must not be given out again.
    const bool is_first = &change == &changes.front();
    if (edit->column_family_dropped || (is_new_manifest && is_first)) {
      edit->max_column_family = context_.families->max_id();
    }
    if (is_group) edit->remaining_in_group = remaining;
  }
  INVARIANT(remaining == 0);
}

Status ManifestLog::Prepare(const std::vector<VersionChange>& changes,
                            Work* work) {
  INVARIANT(work != nullptr);
  context_.mutex->AssertHeld();
  work->wals = logs_.tracked();
  for (const VersionChange& change : changes) {
    if (Status s = work->wals.Apply(*change.edit); !s.ok()) return s;
  }
  work->versions = std::make_unique<NextVersions>(changes, context_.published);
  if (writer_->NeedsNew(limits_)) {
    work->new_manifest = context_.numbers->NewFileNumber();
    work->head = HeadOfManifest(
        {.db_id = context_.db->write_dbid_to_manifest ? db_id_ : std::string(),
         .logs = &logs_,
         .last_sequence = context_.numbers->LastSequence(),
         .families = context_.families});
    work->preallocation_bytes = limits_.preallocation_bytes;
  }
  CompleteEdits(changes, work->new_manifest != 0);
  return Status::OK();
}

// Without the mutex: only one change is under way at a time.
Status ManifestLog::Write(const std::vector<VersionChange>& changes,
                          const Work& work) {
  ManifestWriter::NewManifest manifest;
  for (const VersionChange& change : changes) {
    Status s = change.edit->EncodeTo(&manifest.records.emplace_back());
    if (!s.ok()) return s;
  }
  if (work.new_manifest == 0) return writer_->Append(manifest.records);
  for (const VersionEdit& edit : work.head) {
    if (Status s = edit.EncodeTo(&manifest.head.emplace_back()); !s.ok()) {
      return s;
    }
  }
  INVARIANT(!work.head.empty());
  manifest.number = work.new_manifest;
  manifest.preallocation_bytes = work.preallocation_bytes;
  return writer_->Start(manifest);
}

Status ManifestLog::WriteAndInstall(const std::vector<VersionChange>& changes,
                                    FSDirectory* directory) {
  INVARIANT(is_busy_);
  MakeWriter(directory);
  TryToGoOn();
  for (const VersionChange& change : changes) KeepHistoryAscending(change);
  Work work;
  if (Status s = Prepare(changes, &work); !s.ok()) return s;
  pending_number_ = work.new_manifest;
  Status s;
  bool is_built = false;
  context_.mutex->AssertHeld();
  {
    MutexUnlock unlock(context_.mutex);
    s = work.versions->Build(changes);
    is_built = s.ok();
    if (s.ok()) s = Write(changes, work);
    if (s.ok()) work.versions->LoadFigures();
  }
  pending_number_ = 0;
  // Nobody knows how much of the edits the manifest holds.
  if (!s.ok() && is_built) work.versions->KeepInDoubt();
  if (!s.ok()) return s;
  // CURRENT names one that has all that counts, and nothing else.
  if (work.new_manifest != 0) context_.published->EndDoubt();
  logs_.SetTracked(std::move(work.wals));
  for (const VersionChange& change : changes) {
    logs_.NoteWritten(*change.edit);
    ApplyToFamily(change);
  }
  work.versions->Install();
  installed_ = {writer_->manifest_number(), writer_->size_bytes()};
  return s;
}

Status ManifestLog::Verify(FSDirectory* directory) {
  context_.mutex->AssertHeld();
  INVARIANT(!is_busy_);
  if (writer_ == nullptr) return Status::OK();
  Status s;
  {
    MutexUnlock unlock(context_.mutex);
    s = writer_->Verify();
  }
  if (s.ok()) return s;
  ROCKSDB_NAMESPACE::Error(context_.db->logger,
                           "the manifest is written anew: %s",
                           s.ToString().c_str());
  RecordTick(context_.db->stats, MANIFEST_VALIDATION_FAILURE_COUNT);
  writer_->Abandon();
  VersionEdit state;
  return Apply({{context_.families->all().front().get(), &state}}, directory);
}

Status ManifestLog::Close() {
  if (writer_ == nullptr) return Status::OK();
  return writer_->Close();
}

}  // namespace ROCKSDB_NAMESPACE
