#include "tools/ldb/doctor/examination.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "db/manifest/manifest_replay.h"
#include "db/recovery/salvaged_file.h"
#include "db/recovery/wal_replay.h"
#include "file/filename.h"
#include "file/yielding_limiter.h"
#include "rocksdb/file_system.h"
#include "rocksdb/utilities/options_util.h"
#include "tools/ldb/doctor/log_examination.h"
#include "tools/ldb/doctor/value_examination.h"
#include "tools/ldb/lock_owner.h"
#include "tools/sst_dump/lone_table.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// More levels than any family has.
constexpr int kMostLevels = 64;

std::string CountOf(uint64_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

class Examiner {
 public:
  Examiner(const Examination& request, Health* health)
      : request_(request),
        fs_(request.env->GetFileSystem().get()),
        health_(*health) {
    health_.db_path = request.db_path;
  }

  Status Run() {
    Status s = ListFiles();
    if (!s.ok()) return s;
    LookAtOptions();
    db_options_.rate_limiter =
        YieldingLimiter::Below(request_.db_path, request_.env);
    LookAtCurrent();
    LookAtManifests();
    if (health_.manifests.empty() && table_numbers_.empty() &&
        log_numbers_.empty()) {
      return Status::NotFound(request_.db_path, "no database is here");
    }
    for (ListedTable& table : health_.tables) LookAtTable(&table);
    for (ListedBlobFile& blob : health_.blobs) LookAtBlobFile(&blob);
    if (request_.reads_all) LookAtValues();
    LookAtLogs();
    LookAtUnlisted();
    LookAtRest();
    return Status::OK();
  }

 private:
  void Note(DamagedPart part, const std::string& path,
            const std::string& text) {
    health_.findings.push_back({Severity::kNote, part, path, text});
  }
  void Damage(DamagedPart part, const std::string& path,
              const std::string& text) {
    health_.findings.push_back({Severity::kDamage, part, path, text});
  }
  void Announce(const std::string& path) const {
    if (request_.progress != nullptr) request_.progress(path);
  }

  Status ListFiles();
  void LookAtOptions();
  void LookAtCurrent();
  void LookAtManifests();
  void TakeManifest(ManifestReplay* replay, const std::string& path);
  void TakeFamily(const ReplayedFamily& family);
  void CheckOrder(const ReplayedFamily& family, int level,
                  std::vector<FileRef> files);
  Options OptionsOf(const std::string& family) const;
  std::vector<DbPath> PathsOf(const std::string& family) const;
  Status OpenTable(const std::string& family, const std::string& path,
                   std::unique_ptr<LoneTable>* table) const;
  void LookAtTable(ListedTable* table);
  void LookAtBlobFile(ListedBlobFile* blob);
  void LookAtValues();
  void LookThrough(const std::function<Status(const ListedTable& table,
                                              const LoneTable& opened)>& look);
  void TellOfValue(const BadValue& value);
  void LookAtLogs();
  void LookForTrackedLogs();
  void TellOfGap(const LogGap& gap);
  void LookAtUnlisted();
  SequenceNumber NewestUnknownWrite(const LoneTable& table) const;
  void LookAtRest();

  const Examination& request_;
  FileSystem* const fs_;
  Health& health_;
  DBOptions db_options_;
  std::vector<ColumnFamilyDescriptor> families_;
  std::string wal_dir_;
  std::set<uint64_t> table_numbers_, blob_numbers_;  // in the directory
  std::vector<uint64_t> log_numbers_;
  uint64_t temporary_count_ = 0;
  uint64_t first_log_ = 0;
  std::map<uint64_t, uint64_t> tracked_logs_;
};

Status Examiner::ListFiles() {
  std::vector<std::string> names;
  Status s = fs_->GetChildren(request_.db_path, IOOptions(), &names, nullptr);
  if (!s.ok()) return s;
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (!ParseFileName(name, &number, &type)) continue;
    if (type == kTableFile) table_numbers_.insert(number);
    if (type == kBlobFile) blob_numbers_.insert(number);
    if (type == kTempFile) ++temporary_count_;
    if (type == kDescriptorFile) {
      FoundManifest found;
      found.number = number;
      found.path = request_.db_path + "/" + name;
      health_.manifests.push_back(std::move(found));
    }
  }
  std::sort(health_.manifests.begin(), health_.manifests.end(),
            [](const FoundManifest& a, const FoundManifest& b) {
              return a.number < b.number;
            });
  return s;
}

void Examiner::LookAtOptions() {
  db_options_.env = request_.env;
  wal_dir_ = request_.db_path;
  std::string name;
  Status s = GetLatestOptionsFileName(request_.db_path, request_.env, &name);
  if (s.IsNotFound() || s.IsPathNotFound()) {
    Note(DamagedPart::kOptions, request_.db_path,
         "There is no OPTIONS file. An open by an application with options of "
         "its own needs none and writes one; ldb takes defaults.");
    return;
  }
  health_.options_path = request_.db_path + "/" + name;
  Announce(health_.options_path);
  if (s.ok()) {
    s = LoadLatestOptions(request_.config, request_.db_path, &db_options_,
                          &families_);
  }
  health_.options = s;
  if (!s.ok()) {
    Damage(DamagedPart::kOptions, health_.options_path,
           "It cannot be read: " + s.ToString() +
               ". ldb does not open the database; an application that brings "
               "options of its own does.");
    db_options_ = DBOptions();
    db_options_.env = request_.env;
    families_.clear();
    return;
  }
  db_options_.env = request_.env;
  health_.recovery_mode = db_options_.wal_recovery_mode;
  if (!db_options_.wal_dir.empty() &&
      fs_->FileExists(db_options_.wal_dir, IOOptions(), nullptr).ok()) {
    wal_dir_ = db_options_.wal_dir;
  }
}

void Examiner::LookAtCurrent() {
  const std::string path = CurrentFileName(request_.db_path);
  Announce(path);
  std::string manifest;
  uint64_t number = 0;
  Status s = ReadCurrentFile(fs_, request_.db_path, &manifest, &number);
  if (!s.ok()) {
    health_.current = s;
    Damage(DamagedPart::kCurrent, path,
           "It does not name the manifest in force: " + s.ToString() + ".");
    return;
  }
  health_.current_manifest = number;
  const bool is_there = std::any_of(
      health_.manifests.begin(), health_.manifests.end(),
      [number](const FoundManifest& found) { return found.number == number; });
  if (is_there) return;
  health_.current = Status::NotFound(manifest);
  Damage(health_.manifests.empty() ? DamagedPart::kManifest
                                   : DamagedPart::kCurrent,
         path, "It names " + manifest + ", which is missing.");
}

// The lists are those of the manifest in force; where CURRENT names none, of
// the newest that can be read.
void Examiner::LookAtManifests() {
  for (auto found = health_.manifests.rbegin();
       found != health_.manifests.rend(); ++found) {
    Announce(found->path);
    ManifestReplay replay;
    found->status = replay.RunFile(fs_, found->path, found->number);
    IOStatus sized =
        fs_->GetFileSize(found->path, IOOptions(), &found->size_bytes, nullptr);
    if (!sized.ok() && found->status.ok()) found->status = sized;
    const bool is_in_force = health_.current.ok()
                                 ? found->number == health_.current_manifest
                                 : health_.manifest_read == 0;
    if (!found->status.ok()) {
      if (!is_in_force) {
        Note(DamagedPart::kNone, found->path,
             "It cannot be read, and is not in force: " +
                 found->status.ToString() + ".");
        continue;
      }
      Damage(DamagedPart::kManifest, found->path,
             "The manifest in force cannot be read: " +
                 found->status.ToString() + ".");
      continue;
    }
    found->end_bytes = replay.manifest_bytes();
    if (!is_in_force) continue;
    health_.manifest_read = found->number;
    TakeManifest(&replay, found->path);
    if (found->end_bytes < found->size_bytes) {
      health_.has_cut_manifest = true;
      Note(DamagedPart::kManifest, found->path,
           "It ends inside a record, at offset " +
               std::to_string(found->end_bytes) + " of " +
               std::to_string(found->size_bytes) +
               ": what a crash leaves. The half record does not count.");
    }
  }
  if (health_.manifests.empty() && health_.current.ok()) {
    Damage(DamagedPart::kManifest, request_.db_path, "There is no manifest.");
  }
}

void Examiner::TakeManifest(ManifestReplay* replay, const std::string& path) {
  health_.last_sequence = replay->last_sequence();
  tracked_logs_ = replay->tracked_wals().synced_sizes();
  uint64_t first = UINT64_MAX;
  for (const auto& [id, family] : *replay->families()) {
    health_.first_logs[family.name] = family.log_number;
    first = std::min(first, family.log_number);
    TakeFamily(family);
  }
  if (replay->min_log_number_to_keep() != 0) {
    first = std::min(first, replay->min_log_number_to_keep());
  }
  first_log_ = first == UINT64_MAX ? 0 : first;
  if (replay->families()->empty()) {
    Damage(DamagedPart::kManifest, path, "It lists no family.");
  }
}

void Examiner::TakeFamily(const ReplayedFamily& family) {
  std::vector<std::vector<FileRef>> levels;
  const Status s = family.builder->Finish(kMostLevels, &levels);
  if (!s.ok()) {
    return Damage(DamagedPart::kManifest, request_.db_path,
                  "The files of family '" + family.name +
                      "' do not fit together: " + s.ToString() + ".");
  }
  const std::vector<DbPath> paths = PathsOf(family.name);
  for (size_t level = 0; level < levels.size(); ++level) {
    for (const FileRef& file : levels[level]) {
      ListedTable table;
      table.number = file->number;
      table.path = TableFileName(paths, file->number, file->path_id);
      table.family = family.name;
      table.level = static_cast<int>(level);
      table.size_bytes = file->size_bytes;
      table.oldest_blob_file = file->oldest_blob_file;
      table.largest_sequence = file->largest_sequence;
      table.keys = {file->smallest.user_key().ToString(),
                    file->largest.user_key().ToString()};
      health_.tables.push_back(std::move(table));
    }
    if (level > 0) CheckOrder(family, static_cast<int>(level), levels[level]);
  }
  for (const BlobFileState& state : family.builder->FinishBlobs(levels)) {
    ListedBlobFile blob;
    blob.number = state.number();
    blob.path = BlobFileName(paths.front().path, blob.number);
    blob.family = family.name;
    blob.size_bytes = state.file->size_bytes();
    blob.blob_count = state.file->record.total_count;
    health_.blobs.push_back(std::move(blob));
  }
}

void Examiner::CheckOrder(const ReplayedFamily& family, int level,
                          std::vector<FileRef> files) {
  const Comparator* order = nullptr;
  if (!Comparator::CreateFromString(ConfigOptions(), family.comparator_name,
                                    &order)
           .ok() ||
      order == nullptr) {
    return;
  }
  const InternalKeyComparator keys(order);
  std::sort(files.begin(), files.end(),
            [&keys](const FileRef& a, const FileRef& b) {
              return keys.Compare(a->smallest, b->smallest) < 0;
            });
  for (size_t i = 1; i < files.size(); ++i) {
    if (keys.Compare(files[i - 1]->largest, files[i]->smallest) < 0) continue;
    Damage(DamagedPart::kManifest, request_.db_path,
           "On level " + std::to_string(level) + " of family '" + family.name +
               "' the tables " + std::to_string(files[i - 1]->number) +
               " and " + std::to_string(files[i]->number) + " overlap.");
  }
}

Options Examiner::OptionsOf(const std::string& family) const {
  for (const ColumnFamilyDescriptor& known : families_) {
    if (known.name == family) return Options(db_options_, known.options);
  }
  return Options(db_options_, ColumnFamilyOptions());
}

std::vector<DbPath> Examiner::PathsOf(const std::string& family) const {
  const Options options = OptionsOf(family);
  if (!options.cf_paths.empty()) return options.cf_paths;
  if (!options.db_paths.empty()) return options.db_paths;
  return {DbPath(request_.db_path, UINT64_MAX)};
}

Status Examiner::OpenTable(const std::string& family, const std::string& path,
                           std::unique_ptr<LoneTable>* table) const {
  Status s = LoneTable::Open(OptionsOf(family), path, table);
  if (!s.ok() || !request_.reads_all) return s;
  ReadOptions read;
  read.fill_cache = false;
  read.readahead_size = 2 << 20;
  return (*table)->Verify(read);
}

void Examiner::LookAtTable(ListedTable* table) {
  Announce(table->path);
  uint64_t size = 0;
  Status s = fs_->GetFileSize(table->path, IOOptions(), &size, nullptr);
  if (s.IsNotFound() || s.IsPathNotFound()) {
    const std::string old_name = LegacyTableFileName(table->path);
    s = fs_->GetFileSize(old_name, IOOptions(), &size, nullptr);
    if (s.ok()) table->path = old_name;
  }
  if (!s.ok()) {
    const bool is_missing = s.IsNotFound() || s.IsPathNotFound();
    table->trouble = is_missing ? kIsMissing : s.ToString();
  } else if (size != table->size_bytes) {
    table->trouble = "It has " + std::to_string(size) +
                     " bytes, and the manifest says " +
                     std::to_string(table->size_bytes);
  } else {
    std::unique_ptr<LoneTable> opened;
    s = OpenTable(table->family, table->path, &opened);
    if (!s.ok()) table->trouble = "It cannot be read: " + s.ToString();
  }
  if (table->trouble.empty()) return;
  Damage(DamagedPart::kTable, table->path,
         table->trouble + ". It is a table of family '" + table->family +
             "', on level " + std::to_string(table->level) +
             ", with the keys " + ShownSpan(table->keys) + ".");
}

void Examiner::LookAtBlobFile(ListedBlobFile* blob) {
  Announce(blob->path);
  uint64_t size = 0;
  Status s = fs_->GetFileSize(blob->path, IOOptions(), &size, nullptr);
  if (!s.ok()) {
    const bool is_missing = s.IsNotFound() || s.IsPathNotFound();
    blob->trouble = is_missing ? kIsMissing : s.ToString();
  } else if (size != blob->size_bytes) {
    blob->trouble = "It has " + std::to_string(size) +
                    " bytes, and the manifest says " +
                    std::to_string(blob->size_bytes);
  } else {
    SalvagedBlobFile salvaged;
    s = SalvageBlobFile(fs_, blob->path, blob->number, &salvaged);
    if (!s.ok()) blob->trouble = "It cannot be read: " + s.ToString();
    blob->family_id = salvaged.family_id;
  }
  if (blob->trouble.empty()) return;
  Damage(DamagedPart::kBlobFile, blob->path,
         blob->trouble + ". It is a blob file of family '" + blob->family +
             "', with " + CountOf(blob->blob_count, "value", "values") + ".");
}

// What tables keep in blob files: headers and footers do not tell of it.
void Examiner::LookAtValues() {
  ValueExaminer values(fs_, db_options_.rate_limiter.get(), &health_);
  LookThrough([&](const ListedTable& table, const LoneTable& opened) {
    return table.oldest_blob_file == 0 ? Status::OK()
                                       : values.LookAt(opened, table.family);
  });
  if (health_.bad_values.empty()) return;
  LookThrough([&](const ListedTable& table, const LoneTable& opened) {
    return values.ForgetHidden(opened, table.family);
  });
  for (const BadValue& value : health_.bad_values) {
    if (!value.reason.empty()) TellOfValue(value);
  }
  const uint64_t untold = health_.bad_value_count - health_.bad_values.size();
  if (untold == 0) return;
  Damage(DamagedPart::kBlobValue, request_.db_path,
         "Up to " + CountOf(untold, "more value", "more values") +
             " cannot be read.");
}

// All tables that can be opened.
void Examiner::LookThrough(
    const std::function<Status(const ListedTable& table,
                               const LoneTable& opened)>& look) {
  for (const ListedTable& table : health_.tables) {
    if (!table.trouble.empty()) continue;
    Announce("the values of " + table.path);
    std::unique_ptr<LoneTable> opened;
    Status s = LoneTable::Open(OptionsOf(table.family), table.path, &opened);
    if (s.ok()) s = look(table, *opened);
    if (s.ok()) continue;
    Damage(
        DamagedPart::kTable, table.path,
        "Its references to blob files cannot be read: " + s.ToString() + ".");
  }
}

void Examiner::TellOfValue(const BadValue& value) {
  Damage(DamagedPart::kBlobValue,
         BlobFileName(PathsOf(value.family).front().path, value.file_number),
         "The value of key " + ShownKey(value.key) + " of family '" +
             value.family + "' (write " + std::to_string(value.sequence) +
             ") cannot be read: " + value.reason + ".");
}

void Examiner::LookAtLogs() {
  const Status s = ListLogs(fs_, wal_dir_, &log_numbers_);
  if (!s.ok()) return Damage(DamagedPart::kLog, wal_dir_, s.ToString() + ".");
  LogExamination logs;
  logs.fs = fs_;
  logs.wal_dir = wal_dir_;
  for (const uint64_t number : log_numbers_) {
    if (number >= first_log_) logs.numbers.push_back(number);
  }
  for (const uint64_t number : logs.numbers) {
    Announce(LogFileName(wal_dir_, number));
  }
  const Status read = ExamineLogs(logs, &health_.logs);
  if (!read.ok()) Damage(DamagedPart::kLog, wal_dir_, read.ToString() + ".");
  LookForTrackedLogs();
  for (const LogGap& gap : health_.logs.gaps) TellOfGap(gap);
  const SequenceNumber first = health_.logs.first_sequence;
  if (health_.manifest_read != 0 && first > health_.last_sequence + 1) {
    Note(DamagedPart::kLog, wal_dir_,
         "Of the writes " + std::to_string(health_.last_sequence + 1) + " to " +
             std::to_string(first - 1) +
             " no log has anything: they were made without a log, or one is "
             "gone, or the manifest has lost its end.");
  }
  if (logs.numbers.empty() && health_.manifest_read != 0) {
    Note(DamagedPart::kLog, wal_dir_,
         "There is no log. That is so in checkpoints; else what was not "
         "flushed when the logs went is lost.");
  }
}

void Examiner::LookForTrackedLogs() {
  for (const auto& [number, synced_bytes] : tracked_logs_) {
    if (number < first_log_) continue;
    const std::string path = LogFileName(wal_dir_, number);
    uint64_t size = 0;
    const Status s = fs_->GetFileSize(path, IOOptions(), &size, nullptr);
    if (!s.ok()) {
      health_.logs.missing.insert(number);
      Damage(DamagedPart::kLog, path,
             "It is missing, and the manifest says that it is needed: writes "
             "of it that were not flushed are lost.");
    } else if (size < synced_bytes) {
      Damage(DamagedPart::kLog, path,
             "It has " + std::to_string(size) +
                 " bytes, and the manifest says that " +
                 std::to_string(synced_bytes) + " were synced.");
    }
  }
}

void Examiner::TellOfGap(const LogGap& gap) {
  if (gap.is_at_end && gap.is_torn) {
    return Note(DamagedPart::kLog, gap.path,
                "It ends inside a record, behind offset " +
                    std::to_string(gap.offset) +
                    ": what a crash leaves. That write was never acknowledged "
                    "as synced.");
  }
  std::string text = "Behind offset " + std::to_string(gap.offset) +
                     " it cannot be read: " + gap.reason + ". ";
  if (gap.is_at_end) {
    text += "Nothing that can be read comes after it.";
  } else {
    text += "Writes " + std::to_string(gap.first_sequence) + " to " +
            std::to_string(gap.last_sequence) +
            " are damaged; what comes after them can be read.";
  }
  switch (health_.recovery_mode) {
    case WALRecoveryMode::kPointInTimeRecovery:
      text +=
          " CAUTION: an open with these options (point in time) drops "
          "all writes from there on, and says so in LOG only.";
      break;
    case WALRecoveryMode::kSkipAnyCorruptedRecords:
      text +=
          " CAUTION: an open with these options (skip any) drops the "
          "damaged writes, and says so in LOG only.";
      break;
    case WALRecoveryMode::kTolerateCorruptedTailRecords:
    case WALRecoveryMode::kAbsoluteConsistency:
      text += " An open with these options refuses.";
      break;
  }
  Damage(DamagedPart::kLog, gap.path, text);
}

// The newest of the table's writes that neither the listed tables nor the logs
// can hold; 0: there is none.
SequenceNumber Examiner::NewestUnknownWrite(const LoneTable& table) const {
  ReadOptions read;
  read.fill_cache = false;
  read.total_order_seek = true;
  read.readahead_size = 2 << 20;
  std::unique_ptr<InternalIterator> entries;
  // What cannot be read holds no write that could be kept.
  if (!table.NewIterator(read, &entries).ok()) return 0;
  SequenceNumber newest = 0;
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    ParsedInternalKey key;
    if (!ParseInternalKey(entries->key(), &key)) break;
    const bool may_be_known = key.sequence <= health_.last_sequence ||
                              (key.sequence >= health_.logs.first_sequence &&
                               key.sequence < health_.logs.next_sequence);
    if (!may_be_known) newest = std::max(newest, key.sequence);
  }
  return newest;
}

// Tables that a flush or a compaction had not yet reported, or that are about
// to be deleted, are usual. One with writes that nothing else has is not.
void Examiner::LookAtUnlisted() {
  std::set<uint64_t> listed;
  for (const ListedTable& table : health_.tables) listed.insert(table.number);
  for (const uint64_t number : table_numbers_) {
    if (listed.contains(number)) continue;
    const std::string path = TableFileName(request_.db_path, number);
    Announce(path);
    std::string& trouble = health_.unlisted_tables[number];
    std::unique_ptr<LoneTable> table;
    const Status s = OpenTable("", path, &table);
    if (!s.ok()) trouble = s.ToString();
    if (health_.manifest_read == 0) {
      if (!s.ok()) {
        Damage(DamagedPart::kTable, path,
               "It cannot be read: " + trouble + ".");
      }
      continue;
    }
    const SequenceNumber newest = s.ok() ? NewestUnknownWrite(*table) : 0;
    if (newest == 0) {
      Note(DamagedPart::kNone, path,
           "The manifest does not list it; an open for writing deletes it.");
      continue;
    }
    health_.has_newer_unlisted = true;
    Damage(DamagedPart::kManifest, path,
           "The manifest does not list it, and it holds writes up to " +
               std::to_string(newest) +
               ", which neither the manifest nor a log has: the manifest has "
               "lost its end. CAUTION: an open for writing deletes this file.");
  }
}

void Examiner::LookAtRest() {
  if (temporary_count_ > 0) {
    Note(DamagedPart::kNone, request_.db_path,
         CountOf(temporary_count_, "temporary file is", "temporary files are") +
             " left over; an open for writing deletes them.");
  }
  const Status identity =
      fs_->FileExists(IdentityFileName(request_.db_path), IOOptions(), nullptr);
  if (identity.IsNotFound() || identity.IsPathNotFound()) {
    Note(DamagedPart::kNone, IdentityFileName(request_.db_path),
         "It is missing; an open for writing makes it anew.");
  }
  const int owner = OwnerOfLock(request_.db_path);
  if (owner == 0) return;
  health_.lock_owner = std::to_string(owner);
  Note(DamagedPart::kNone, LockFileName(request_.db_path),
       "Process " + health_.lock_owner +
           " has the database open for writing. Files may have changed while "
           "they were looked at: look again before doing anything.");
}

}  // namespace

Status Examine(const Examination& request, Health* health) {
  return Examiner(request, health).Run();
}

}  // namespace ROCKSDB_NAMESPACE
