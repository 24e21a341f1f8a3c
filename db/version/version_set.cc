#include "db/version/version_set.h"

#include <algorithm>

#include "db/blob/blob_source.h"
#include "db/version/cache_charges.h"
#include "db/version/manifest_writer.h"
#include "db/version/version_builder.h"
#include "db/version/version_edit.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

VersionSet::VersionSet(Context context)
    : context_(std::move(context)), limits_(context_.limits) {
  INVARIANT(context_.mutex != nullptr);
  INVARIANT(!context_.db_path.empty());
  manifest_idle_ = std::make_unique<CondVar>(context_.mutex);
}

VersionSet::~VersionSet() { INVARIANT(!manifest_busy_); }

void VersionSet::MarkFileNumberUsed(uint64_t number) {
  INVARIANT(number != UINT64_MAX);
  uint64_t next = next_file_number_.load();
  while (next <= number &&
         !next_file_number_.compare_exchange_weak(next, number + 1)) {
  }
}

ManifestWriter* VersionSet::manifest(FSDirectory* directory) {
  if (manifest_ == nullptr) {
    ManifestWriter::Context context;
    context.db = context_.db;
    context.db_path = context_.db_path;
    context.file_options = context_.file_options;
    context.directory = directory;
    manifest_ = std::make_unique<ManifestWriter>(std::move(context));
  }
  return manifest_.get();
}

uint64_t VersionSet::ManifestSizeBytes() const {
  return manifest_ != nullptr ? manifest_->size_bytes() : 0;
}

uint64_t VersionSet::MinManifestToKeep() const {
  context_.mutex->AssertHeld();
  const uint64_t in_force =
      manifest_ != nullptr ? manifest_->manifest_number() : 0;
  return in_force != 0 ? in_force : recovered_manifest_number_;
}

VersionSet::InstalledManifest VersionSet::installed_manifest() const {
  context_.mutex->AssertHeld();
  return installed_;
}

uint64_t VersionSet::MinLogNumberNeeded() const {
  context_.mutex->AssertHeld();
  uint64_t number = held_log_;
  for (const ColumnFamilyRef& cfd : families_.all()) {
    number = std::min(number, cfd->MinLogNumberNeeded());
  }
  return number;
}

size_t VersionSet::live_version_count() const {
  return std::count_if(versions_.begin(), versions_.end(),
                       [](const auto& v) { return !v.expired(); });
}

void VersionSet::AddLiveFiles(std::vector<uint64_t>* numbers) const {
  INVARIANT(numbers != nullptr);
  context_.mutex->AssertHeld();
  for (const std::weak_ptr<Version>& weak : versions_) {
    const VersionRef version = weak.lock();
    if (version == nullptr) continue;
    const VersionStorage& storage = version->storage();
    for (int level = 0; level < storage.level_count(); ++level) {
      for (const FileRef& file : storage.files(level)) {
        numbers->push_back(file->number);
      }
    }
    for (const BlobFileState& blob : storage.blobs()) {
      numbers->push_back(blob.number());
    }
  }
}

uint64_t VersionSet::TotalBlobBytes(const ColumnFamilyData& cfd) const {
  context_.mutex->AssertHeld();
  std::map<uint64_t, uint64_t> sizes;
  for (const std::weak_ptr<Version>& weak : versions_) {
    const VersionRef version = weak.lock();
    if (version == nullptr || version->cfd() != &cfd) continue;
    for (const BlobFileState& blob : version->storage().blobs()) {
      sizes[blob.number()] = blob.file->size_bytes();
    }
  }
  uint64_t bytes = 0;
  for (const auto& entry : sizes) bytes += entry.second;
  return bytes;
}

uint64_t VersionSet::TotalTableBytes(const ColumnFamilyData& cfd) const {
  context_.mutex->AssertHeld();
  std::map<uint64_t, uint64_t> sizes;
  for (const std::weak_ptr<Version>& weak : versions_) {
    const VersionRef version = weak.lock();
    if (version == nullptr || version->cfd() != &cfd) continue;
    const VersionStorage& storage = version->storage();
    for (int level = 0; level < storage.level_count(); ++level) {
      for (const FileRef& file : storage.files(level)) {
        sizes[file->number] = file->size_bytes;
      }
    }
  }
  uint64_t bytes = 0;
  for (const auto& entry : sizes) bytes += entry.second;
  return bytes;
}

VersionRef VersionSet::NewVersion(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  return std::make_shared<Version>(cfd, next_version_number_++, &cfd->order(),
                                   cfd->ioptions().num_levels);
}

// From here on whoever lets a file of it go last has it deleted.
void VersionSet::AdoptFiles(ColumnFamilyData* cfd,
                            const VersionStorage& storage) {
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      INVARIANT(file->number < next_file_number());
      if (file->sink != nullptr) continue;
      file->path = cfd->tables()->FilePath(*file);
      file->sink = context_.sink;
      if (file->sink != nullptr) file->sink->OnReferenced(file->number);
      file->uncache_aggressiveness = cfd->uncache_aggressiveness();
      ChargeFile(cfd->file_charge(), file.get());
    }
  }
  for (const BlobFileState& blob : storage.blobs()) {
    INVARIANT(blob.number() < next_file_number());
    if (blob.file->sink != nullptr) continue;
    cfd->blobs()->Adopt(blob.file.get());
    blob.file->sink = context_.sink;
    if (context_.sink != nullptr) context_.sink->OnReferenced(blob.number());
  }
}

void VersionSet::Install(ColumnFamilyData* cfd, VersionRef version) {
  INVARIANT(cfd != nullptr);
  context_.mutex->AssertHeld();
  INVARIANT(version != nullptr && version->cfd() == cfd);
  AdoptFiles(cfd, version->storage());
  version->mutable_storage()->ComputeScores(cfd->ioptions(), *cfd->options(),
                                            NowSeconds());
  std::erase_if(versions_, [](const auto& v) { return v.expired(); });
  versions_.push_back(version);
  cfd->InstallVersion(std::move(version));
}

uint64_t VersionSet::NowSeconds() const {
  int64_t now = 0;
  if (!context_.db->clock->GetCurrentTime(&now).ok()) return 0;
  return static_cast<uint64_t>(now);
}

// The full state as the head of a new manifest (db-format.md 4.10).
std::vector<VersionEdit> VersionSet::HeadEdits() const {
  context_.mutex->AssertHeld();
  std::vector<VersionEdit> head;
  if (context_.db->write_dbid_to_manifest && !db_id_.empty()) {
    head.emplace_back().db_id = db_id_;
  }
  if (!tracked_wals_.synced_sizes().empty()) {
    VersionEdit& wals = head.emplace_back();
    for (const auto& [number, size] : tracked_wals_.synced_sizes()) {
      WalAddition wal{number, {}};
      if (size != 0) wal.synced_size = size;
      wals.wal_additions.push_back(wal);
    }
  }
  if (tracked_wals_.min_number() != 0) {
    head.emplace_back().wals_deleted_before = tracked_wals_.min_number();
  }
  for (const ColumnFamilyRef& cfd : families_.all()) {
    VersionEdit& family = head.emplace_back();
    family.column_family = cfd->id();
    family.comparator_name = cfd->user_comparator()->Name();
    family.persist_user_defined_timestamps =
        cfd->ioptions().persist_user_defined_timestamps;
    if (cfd->id() != 0) family.column_family_added = cfd->name();
    head.push_back(FamilyState(*cfd));
  }
  return head;
}

VersionEdit VersionSet::FamilyState(const ColumnFamilyData& cfd) const {
  context_.mutex->AssertHeld();
  INVARIANT(cfd.current() != nullptr);
  VersionEdit state;
  state.column_family = cfd.id();
  state.log_number = cfd.log_number();
  state.last_sequence = LastSequence();
  if (cfd.id() == 0 && min_log_to_keep_ != 0) {
    state.min_log_number_to_keep = min_log_to_keep_;
  }
  for (const auto& [level, key] : cfd.cursors()) {
    state.compaction_cursors.emplace_back(level, key);
  }
  if (!cfd.full_history_ts_low().empty()) {
    state.full_history_ts_low = cfd.full_history_ts_low();
  }
  const VersionStorage& storage = cfd.current()->storage();
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      state.AddFile(level, file);
    }
  }
  for (const BlobFileState& blob : storage.blobs()) {
    state.blob_additions.push_back(blob.file->record);
    if (blob.garbage_count == 0) continue;
    state.blob_garbage.push_back(
        {blob.number(), blob.garbage_count, blob.garbage_bytes});
  }
  return state;
}

Status VersionSet::LogAndApply(const std::vector<Change>& changes,
                               FSDirectory* directory) {
  context_.mutex->AssertHeld();
  INVARIANT(!changes.empty());
  while (manifest_busy_) manifest_idle_->Wait();
  for (const Change& change : changes) {
    INVARIANT(change.edit != nullptr);
    // A family comes and goes alone.
    INVARIANT(!change.edit->IsColumnFamilyManipulation() ||
              changes.size() == 1);
    if (change.cfd != nullptr && change.cfd->is_dropped() &&
        !change.edit->column_family_dropped) {
      return Status::ColumnFamilyDropped(change.cfd->name());
    }
  }
  INVARIANT(pending_manifest_ == 0);
  manifest_busy_ = true;
  VersionEdit forgotten;
  for (const Change& change : changes) {
    std::optional<uint64_t>& keep = change.edit->min_log_number_to_keep;
    if (keep) keep = std::min(*keep, held_log_);
  }
  std::vector<Change> all = changes;
  if (ForgetLogs(changes, &forgotten)) all.push_back({nullptr, &forgotten});
  Status s = WriteAndInstall(all, directory);
  manifest_busy_ = false;
  manifest_idle_->SignalAll();
  return s;
}

bool VersionSet::ForgetLogs(const std::vector<Change>& changes,
                            VersionEdit* edit) const {
  INVARIANT(edit != nullptr);
  const std::map<uint64_t, uint64_t>& tracked = tracked_wals_.synced_sizes();
  if (tracked.empty()) return false;
  uint64_t min_log = 0;
  for (const Change& change : changes) {
    if (change.edit->wals_deleted_before) return false;
    min_log =
        std::max(min_log, change.edit->min_log_number_to_keep.value_or(0));
  }
  if (tracked.begin()->first >= min_log) return false;
  edit->wals_deleted_before = min_log;
  return true;
}

void VersionSet::CompleteEdits(const std::vector<Change>& changes,
                               bool is_new_manifest) {
  // Several families' edits take effect together or not at all.
  const bool is_group = changes.size() > 1;
  auto remaining = static_cast<uint32_t>(changes.size());
  for (const Change& change : changes) {
    VersionEdit* edit = change.edit;
    --remaining;
    edit->column_family = change.cfd != nullptr ? change.cfd->id() : 0;
    if (!edit->IsColumnFamilyManipulation()) edit->previous_log_number = 0;
    edit->next_file_number = next_file_number();
    SequenceNumber last =
        std::max(LastSequence(), edit->last_sequence.value_or(0));
    for (const VersionEdit::NewFile& entry : edit->new_files) {
      last = std::max(last, entry.file->largest_sequence);
    }
    edit->last_sequence = last;
    // The id of a dropped family must not be given out again.
    const bool is_first = &change == &changes.front();
    if (edit->column_family_dropped || (is_new_manifest && is_first)) {
      edit->max_column_family = families_.max_id();
    }
    if (is_group) edit->remaining_in_group = remaining;
  }
  INVARIANT(remaining == 0);
}

std::vector<VersionSet::NextVersion> VersionSet::NextVersions(
    const std::vector<Change>& changes) {
  context_.mutex->AssertHeld();
  std::vector<NextVersion> versions;
  for (const Change& change : changes) {
    if (change.cfd == nullptr || !change.edit->ChangesFiles()) continue;
    const bool is_there =
        std::any_of(versions.begin(), versions.end(),
                    [&](const NextVersion& v) { return v.cfd == change.cfd; });
    if (is_there) continue;
    NextVersion& next = versions.emplace_back();
    next.cfd = change.cfd;
    next.base = change.cfd->current();
    next.version = NewVersion(change.cfd);
    next.builder = std::make_unique<VersionBuilder>(&next.base->storage());
  }
  return versions;
}

Status VersionSet::BuildVersions(const std::vector<Change>& changes,
                                 std::vector<NextVersion>* versions) {
  INVARIANT(versions != nullptr);
  for (NextVersion& next : *versions) {
    for (const Change& change : changes) {
      if (change.cfd != next.cfd) continue;
      if (Status s = next.builder->Apply(*change.edit); !s.ok()) return s;
    }
    std::vector<std::vector<FileRef>> levels;
    const ImmutableCFOptions& options = next.cfd->ioptions();
    Status s = next.builder->Finish(options.num_levels, &levels);
    if (s.ok()) {
      BlobFileList blobs = next.builder->FinishBlobs(levels);
      s = next.version->mutable_storage()->Build(
          std::move(levels), options.force_consistency_checks,
          std::move(blobs));
    }
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status VersionSet::Prepare(const std::vector<Change>& changes, Work* work) {
  INVARIANT(work != nullptr);
  context_.mutex->AssertHeld();
  work->wals = tracked_wals_;
  for (const Change& change : changes) {
    if (Status s = work->wals.Apply(*change.edit); !s.ok()) return s;
  }
  work->versions = NextVersions(changes);
  work->added = AddedFiles(changes);
  if (manifest_->NeedsNew(limits_)) {
    work->new_manifest = NewFileNumber();
    work->head = HeadEdits();
    work->preallocation_bytes = limits_.preallocation_bytes;
  }
  CompleteEdits(changes, work->new_manifest != 0);
  return Status::OK();
}

// Without the mutex: nothing else changes a family's files meanwhile, since
// only one change is under way at a time.
Status VersionSet::Write(const std::vector<Change>& changes, const Work& work) {
  ManifestWriter::NewManifest manifest;
  for (const Change& change : changes) {
    Status s = change.edit->EncodeTo(&manifest.records.emplace_back());
    if (!s.ok()) return s;
  }
  if (work.new_manifest == 0) return manifest_->Append(manifest.records);
  for (const VersionEdit& edit : work.head) {
    if (Status s = edit.EncodeTo(&manifest.head.emplace_back()); !s.ok()) {
      return s;
    }
  }
  INVARIANT(!work.head.empty());
  manifest.number = work.new_manifest;
  manifest.preallocation_bytes = work.preallocation_bytes;
  return manifest_->Start(manifest);
}

Status VersionSet::WriteAndInstall(const std::vector<Change>& changes,
                                   FSDirectory* directory) {
  INVARIANT(manifest_busy_);
  manifest(directory);
  KeepHistoryAscending(changes);
  Work work;
  if (Status s = Prepare(changes, &work); !s.ok()) return s;
  pending_manifest_ = work.new_manifest;
  Status s;
  bool is_built = false;
  context_.mutex->AssertHeld();
  {
    MutexUnlock unlock(context_.mutex);
    s = BuildVersions(changes, &work.versions);
    is_built = s.ok();
    if (s.ok()) s = Write(changes, work);
    if (s.ok()) LoadFigures(work.added);
  }
  pending_manifest_ = 0;
  if (!s.ok() && is_built) KeepInDoubt(&work.versions);
  if (!s.ok()) return s;
  // CURRENT names one that has all that counts, and nothing else.
  if (work.new_manifest != 0) in_doubt_.clear();
  tracked_wals_ = std::move(work.wals);
  for (const Change& change : changes) NoteInstalled(change);
  for (NextVersion& next : work.versions) {
    INVARIANT(next.cfd->current() == next.base);
    Install(next.cfd, std::move(next.version));
  }
  installed_ = {manifest_->manifest_number(), manifest_->size_bytes()};
  return s;
}

// Nobody knows how much of the edits the manifest holds. Until another one is
// in force, the next open may ask for the files.
void VersionSet::KeepInDoubt(std::vector<NextVersion>* versions) {
  INVARIANT(versions != nullptr);
  context_.mutex->AssertHeld();
  for (NextVersion& next : *versions) {
    AdoptFiles(next.cfd, next.version->storage());
    versions_.push_back(next.version);
    in_doubt_.emplace_back(next.cfd->shared_from_this(),
                           std::move(next.version));
  }
}

std::vector<VersionSet::AddedFile> VersionSet::AddedFiles(
    const std::vector<Change>& changes) {
  std::vector<AddedFile> added;
  for (const Change& change : changes) {
    if (change.cfd == nullptr) continue;
    for (const VersionEdit::NewFile& entry : change.edit->new_files) {
      if (entry.file->has_properties.load()) continue;
      added.push_back(
          {change.cfd, change.cfd->options(), entry.level, entry.file});
    }
  }
  return added;
}

// Opens the new files, so that their readers are warm and their entry counts
// known before anyone needs them. A file that cannot be opened now says so to
// whoever reads it.
void VersionSet::LoadFigures(const std::vector<AddedFile>& added) {
  for (const AddedFile& a : added) {
    IgnoreError(a.cfd->tables()->LoadFigures(a.file.get(), a.level, *a.options),
                "reads of the file report it");
  }
}

// Edits wait for their turn, and the last one in the manifest counts.
void VersionSet::KeepHistoryAscending(const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    std::optional<std::string>& low = change.edit->full_history_ts_low;
    if (change.cfd == nullptr || !low) continue;
    const std::string& now = change.cfd->full_history_ts_low();
    const Comparator& order = *change.cfd->user_comparator();
    if (!now.empty() && order.CompareTimestamp(*low, now) <= 0) low.reset();
  }
}

void VersionSet::NoteInstalled(const Change& change) {
  const VersionEdit& edit = *change.edit;
  if (edit.min_log_number_to_keep) {
    min_log_to_keep_ = std::max(min_log_to_keep_, *edit.min_log_number_to_keep);
  }
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

Status VersionSet::CreateFamily(const std::string& name,
                                const ColumnFamilyOptions& sanitized,
                                uint64_t log_number, FSDirectory* directory,
                                ColumnFamilyData** result) {
  context_.mutex->AssertHeld();
  INVARIANT(result != nullptr);
  while (manifest_busy_) manifest_idle_->Wait();
  if (families_.Find(name) != nullptr) {
    return Status::InvalidArgument("Column family already exists");
  }
  if (families_.max_id() == UINT32_MAX) {
    return Status::InvalidArgument("no column family ids are left", name);
  }
  const uint32_t id = families_.max_id() + 1;
  VersionEdit edit;
  edit.comparator_name = sanitized.comparator->Name();
  edit.persist_user_defined_timestamps =
      sanitized.persist_user_defined_timestamps;
  edit.log_number = log_number;
  edit.column_family_added = name;
  ColumnFamilyRef cfd = NewFamily(id, name, sanitized);
  families_.NoteMaxId(id);
  if (Status s = LogAndApply({{cfd.get(), &edit}}, directory); !s.ok()) {
    return s;
  }
  cfd->set_log_number(log_number);
  families_.Add(cfd);
  *result = cfd.get();
  return Status::OK();
}

ColumnFamilyRef VersionSet::NewFamily(uint32_t id, const std::string& name,
                                      const ColumnFamilyOptions& sanitized) {
  auto cfd = std::make_shared<ColumnFamilyData>(id, name, sanitized,
                                                context_.families);
  VersionRef empty = NewVersion(cfd.get());
  Status s = empty->mutable_storage()->Build(
      std::vector<std::vector<FileRef>>(cfd->ioptions().num_levels), true);
  INVARIANT(s.ok());
  INVARIANT(empty->storage().FileCount() == 0);
  Install(cfd.get(), std::move(empty));
  return cfd;
}

Status VersionSet::DropFamily(ColumnFamilyData* cfd, FSDirectory* directory) {
  context_.mutex->AssertHeld();
  INVARIANT(cfd != nullptr && cfd->id() != 0);
  while (manifest_busy_) manifest_idle_->Wait();
  if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
  VersionEdit edit;
  edit.column_family_dropped = true;
  if (Status s = LogAndApply({{cfd, &edit}}, directory); !s.ok()) return s;
  cfd->MarkDropped();
  families_.Remove(cfd->id());
  return Status::OK();
}

Status VersionSet::VerifyManifest(FSDirectory* directory) {
  context_.mutex->AssertHeld();
  INVARIANT(!manifest_busy_);
  if (manifest_ == nullptr) return Status::OK();
  Status s;
  {
    MutexUnlock unlock(context_.mutex);
    s = manifest_->Verify();
  }
  if (s.ok()) return s;
  ROCKSDB_NAMESPACE::Error(context_.db->logger,
                           "the manifest is written anew: %s",
                           s.ToString().c_str());
  RecordTick(context_.db->stats, MANIFEST_VALIDATION_FAILURE_COUNT);
  manifest_->Abandon();
  VersionEdit state;
  return LogAndApply({{families_.all().front().get(), &state}}, directory);
}

Status VersionSet::Close() {
  if (manifest_ == nullptr) return Status::OK();
  return manifest_->Close();
}

}  // namespace ROCKSDB_NAMESPACE
