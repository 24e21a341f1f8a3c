// RepairDB(): a manifest is made anew, of what can be read.
//
// Where the manifest in force can be read to its end, its word counts: which
// tables are live, at which level, and which logs are flushed. What is missing
// or broken of it is left out. Where it cannot, or has lost its end, every
// table that can be read in full goes to level 0 of the family that its
// properties name. Families without tables are found by the newest OPTIONS,
// which has them in order; those that the caller names are there in any case.
//
// Its end      Later records told of a table that the manifest does not list
//              and that holds writes which neither it nor a log has; or the
//              last record is cut short, and a table that is listed is gone.
//
// Then the database is opened, so that its logs are replayed in the ordinary
// way, whatever is damaged in them passed over; and once more with the options
// as given, which must work.
//
// Level 0      Reads take the newest file of it for the newest value. Where
//              two files overlap in keys and in sequences, neither is newer:
//              such a family is compacted.
// Logs         Without the manifest, what the tables of a family reach is taken
//              to be flushed; unless a table of it was lost.
// lost/        Nothing is deleted that may hold data: broken files, tables that
//              nothing lists, damaged logs and all former manifests go to the
//              folder lost/ beside them.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "db/manifest/manifest_replay.h"
#include "db/manifest/manifest_writer.h"
#include "db/recovery/family_ids.h"
#include "db/recovery/log_survey.h"
#include "db/recovery/salvaged_file.h"
#include "db/recovery/wal_replay.h"
#include "file/file_util.h"
#include "file/filename.h"
#include "options/constraints.h"
#include "options/options_file.h"
#include "options/sanitize.h"
#include "rocksdb/info_log.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kLostDirectory[] = "/lost";

struct RepairRequest {
  std::string name;
  DBOptions options;
  std::vector<ColumnFamilyDescriptor> families;
  // The options of families that are found and not listed; null: such families
  // are not wanted.
  const ColumnFamilyOptions* unknown = nullptr;
};

class Repair {
 public:
  explicit Repair(const RepairRequest& request);

  Status Run();

 private:
  struct Options {
    explicit Options(const ColumnFamilyOptions& sanitized)
        : cf(sanitized), mutable_cf(sanitized) {}
    const ImmutableCFOptions cf;
    const MutableCFOptions mutable_cf;
  };
  // What the new manifest says of a family.
  struct Family {
    std::string name;
    uint64_t log_number = 0;
    std::vector<VersionEdit::NewFile> files;
    std::vector<BlobFileAddition> blobs;
    std::vector<BlobFileGarbage> garbage;
    std::string full_history_ts_low;
    // Beyond it the logs count.
    SequenceNumber flushed_sequence = 0;
    bool needs_compaction = false;
  };
  struct Found {
    std::string directory;
    std::string name;
    std::string path() const { return directory + "/" + name; }
  };

  Status FindFiles();
  Status FindIn(const std::string& directory);
  Status MakeManifest();
  Status ReadManifest(ManifestReplay* replay, bool* is_cut) const;
  Status CheckEnd(ManifestReplay* replay, bool is_cut);
  bool HasUnknownWrites(ManifestReplay* replay, const Found& found);
  Status TakeFromManifest(ManifestReplay* replay);
  Status TakeFamily(ManifestReplay::Family* replayed, Family* family);
  Status TakeFromTables();
  Status TakeTable(uint64_t number, const Found& found);
  Status OwnerOf(const std::string& path, TableOwner* owner);
  Status TakeBlobFiles();
  void OrderLevel0(Family* family);
  static void RelinkBlobs(Family* family);
  void NoteLogs();
  void TakeNames();
  std::vector<std::string> NamesInOptions() const;
  const Options* OptionsOf(const std::string& family);
  SalvageRequest RequestFor(const Options& options,
                            const std::string& path) const;
  bool IsIntact(const Options& options, const FileMeta& listed,
                const Found& found) const;
  bool HasListedSize(const BlobFile& listed, const Found& found) const;
  Status WriteManifest();
  std::vector<VersionEdit> Edits();
  Status KeepDamagedLogs() const;
  Status MoveOldManifests() const;
  static Status FindPathId(const Options& options, const Found& found,
                           uint32_t* path_id);
  Status MoveToLost(const Found& found, const Status& why) const;
  Status OpenOnce(const DBOptions& options, bool compacts);
  std::vector<ColumnFamilyDescriptor> Descriptors() const;

  const RepairRequest& request_;
  const DBOptions sanitized_;
  const ImmutableDBOptions db_;
  FileSystem* const fs_;
  const std::string wal_dir_;
  std::map<std::string, ColumnFamilyOptions> known_;
  std::map<std::string, std::unique_ptr<Options>> options_;  // by family

  std::map<uint64_t, Found> tables_;
  std::map<uint64_t, Found> blobs_;
  std::map<uint64_t, Found> manifests_;
  std::map<uint64_t, Found> options_files_;
  std::vector<uint64_t> log_numbers_;
  LogSurvey survey_;
  uint64_t largest_number_ = 1;

  std::map<uint32_t, Family> families_;  // by id
  std::string db_id_;
  SequenceNumber last_sequence_ = 0;
  uint64_t min_log_to_keep_ = 0;
  uint32_t largest_family_ = 0;
  bool has_lost_tables_ = false;
  // Tables of the repaired database.
  size_t recovered_count_ = 0;
  uint64_t recovered_bytes_ = 0;
};

Repair::Repair(const RepairRequest& request)
    : request_(request),
      sanitized_(SanitizeDBOptions(request.name, request.options)),
      db_(sanitized_),
      fs_(db_.fs),
      wal_dir_(sanitized_.wal_dir.empty() ? request.name : sanitized_.wal_dir) {
  for (const ColumnFamilyDescriptor& family : request.families) {
    known_.emplace(family.name, family.options);
  }
}

// ---- What is there ----

Status Repair::FindFiles() {
  std::set<std::string> seen;
  Status s;
  const auto find = [&](const std::string& directory) {
    if (s.ok() && seen.insert(NormalizePath(directory)).second) {
      s = FindIn(directory);
    }
  };
  const auto find_all = [&](const std::vector<DbPath>& paths) {
    for (const DbPath& path : paths) find(path.path);
  };
  for (const auto& [name, options] : known_) find_all(options.cf_paths);
  if (request_.unknown != nullptr) find_all(request_.unknown->cf_paths);
  find_all(sanitized_.db_paths);
  find(request_.name);
  if (s.ok()) s = ListLogs(fs_, wal_dir_, &log_numbers_);
  if (s.ok()) s = SurveyLogs(fs_, wal_dir_, log_numbers_, &survey_);
  if (!log_numbers_.empty()) {
    largest_number_ = std::max(largest_number_, log_numbers_.back());
  }
  return s;
}

Status Repair::FindIn(const std::string& directory) {
  std::vector<std::string> names;
  Status s = fs_->GetChildren(directory, IOOptions(), &names, nullptr);
  if (s.IsNotFound() || s.IsPathNotFound()) {
    return directory == request_.name ? s : Status::OK();
  }
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (!ParseFileName(name, &number, &type)) continue;
    // The numbers of old info logs are times.
    if (type != kInfoLogFile) {
      largest_number_ = std::max(largest_number_, number);
    }
    const Found found{directory, name};
    if (type == kTableFile) tables_[number] = found;
    if (type == kBlobFile) blobs_[number] = found;
    if (type == kDescriptorFile) manifests_[number] = found;
    if (type == kOptionsFile) options_files_[number] = found;
  }
  return s;
}

const Repair::Options* Repair::OptionsOf(const std::string& family) {
  std::unique_ptr<Options>& made = options_[family];
  if (made != nullptr) return made.get();
  const auto known = known_.find(family);
  const ColumnFamilyOptions* source =
      known != known_.end() ? &known->second : request_.unknown;
  if (source == nullptr) return nullptr;
  made = std::make_unique<Options>(SanitizeColumnFamilyOptions(db_, *source));
  return made.get();
}

SalvageRequest Repair::RequestFor(const Options& options,
                                  const std::string& path) const {
  SalvageRequest request;
  request.db = &db_;
  request.file_options = FileOptions(sanitized_);
  request.cf = &options.cf;
  request.mutable_cf = &options.mutable_cf;
  request.path = path;
  return request;
}

// Families may have the same directory in different places of their lists, by
// which a manifest names it.
Status Repair::FindPathId(const Options& options, const Found& found,
                          uint32_t* path_id) {
  const std::string directory = NormalizePath(found.directory);
  const std::vector<DbPath>& paths = options.cf.cf_paths;
  for (size_t i = 0; i < paths.size(); ++i) {
    if (NormalizePath(paths[i].path) != directory) continue;
    *path_id = static_cast<uint32_t>(i);
    return Status::OK();
  }
  return Status::InvalidArgument(found.path(),
                                 "lies in none of its family's paths");
}

Status Repair::MoveToLost(const Found& found, const Status& why) const {
  const std::string directory = found.directory + kLostDirectory;
  Status s = fs_->CreateDirIfMissing(directory, IOOptions(), nullptr);
  if (s.ok()) {
    s = fs_->RenameFile(found.path(), directory + "/" + found.name, IOOptions(),
                        nullptr);
  }
  Warn(db_.logger, "%s goes to lost/ (%s): %s", found.path().c_str(),
       why.ToString().c_str(), s.ToString().c_str());
  return s;
}

// ---- By the manifest ----

// The one that CURRENT names, else the newest that is there. `*is_cut`: there
// is something behind its last record.
Status Repair::ReadManifest(ManifestReplay* replay, bool* is_cut) const {
  std::string path;
  uint64_t number = 0;
  const bool is_named =
      ReadCurrentFile(fs_, request_.name, &path, &number).ok() &&
      manifests_.count(number) > 0;
  if (!is_named) {
    if (manifests_.empty()) return Status::NotFound("no manifest");
    number = manifests_.rbegin()->first;
    path = manifests_.rbegin()->second.path();
  }
  Status s = replay->RunFile(fs_, path, number);
  uint64_t size_bytes = 0;
  *is_cut = s.ok() &&
            fs_->GetFileSize(path, IOOptions(), &size_bytes, nullptr).ok() &&
            replay->manifest_bytes() < size_bytes;
  return s;
}

// Does the table hold writes that neither the manifest nor a log has? Those of
// a family that was dropped are nobody's.
bool Repair::HasUnknownWrites(ManifestReplay* replay, const Found& found) {
  TableOwner owner;
  if (!OwnerOf(found.path(), &owner).ok()) return false;
  if (owner.family_id <= replay->max_column_family() &&
      !replay->families()->contains(owner.family_id)) {
    return false;
  }
  const Options* options = OptionsOf(owner.family_name);
  if (options == nullptr) return false;
  FileMeta meta;
  bool is_ingested = false;
  const Status s =
      SalvageTable(RequestFor(*options, found.path()), &meta, &is_ingested);
  const auto is_unknown = [&](SequenceNumber sequence) {
    return sequence > replay->last_sequence() && !survey_.Spans(sequence);
  };
  return s.ok() && !is_ingested &&
         (is_unknown(meta.smallest_sequence) ||
          is_unknown(meta.largest_sequence));
}

// Not OK: the last edits are lost.
Status Repair::CheckEnd(ManifestReplay* replay, bool is_cut) {
  std::set<uint64_t> listed;
  for (const auto& [id, replayed] : *replay->families()) {
    const Options* options = OptionsOf(replayed.name);
    std::vector<std::vector<FileRef>> levels;
    if (options == nullptr ||
        !replayed.builder->Finish(options->cf.num_levels, &levels).ok()) {
      continue;  // Whoever takes the family says so.
    }
    for (const std::vector<FileRef>& level : levels) {
      for (const FileRef& file : level) listed.insert(file->number);
    }
  }
  for (const uint64_t number : listed) {
    if (!is_cut || tables_.contains(number)) continue;
    return Status::NotFound("its last record is cut short, and a table is gone",
                            std::to_string(number));
  }
  for (const auto& [number, found] : tables_) {
    if (listed.contains(number) || !HasUnknownWrites(replay, found)) continue;
    return Status::NotFound("it does not list a table with the newest writes",
                            found.path());
  }
  return Status::OK();
}

bool Repair::IsIntact(const Options& options, const FileMeta& listed,
                      const Found& found) const {
  FileMeta meta;
  bool is_ingested = false;
  Status s =
      SalvageTable(RequestFor(options, found.path()), &meta, &is_ingested);
  if (s.ok() && meta.size_bytes != listed.size_bytes) {
    s = Status::Corruption("the manifest says another size");
  }
  if (s.ok()) return true;
  Warn(db_.logger, "%s is broken: %s", found.path().c_str(),
       s.ToString().c_str());
  return false;
}

// One of another size would fail the open of the whole database.
bool Repair::HasListedSize(const BlobFile& listed, const Found& found) const {
  uint64_t size_bytes = 0;
  Status s = fs_->GetFileSize(found.path(), IOOptions(), &size_bytes, nullptr);
  if (s.ok() && size_bytes != listed.size_bytes()) {
    s = Status::Corruption("is " + std::to_string(size_bytes) +
                           " bytes long, the manifest says " +
                           std::to_string(listed.size_bytes()));
  }
  if (s.ok()) return true;
  Warn(db_.logger, "%s is broken: %s", found.path().c_str(),
       s.ToString().c_str());
  return false;
}

Status Repair::TakeFamily(ManifestReplay::Family* replayed, Family* family) {
  const Options* options = OptionsOf(family->name);
  if (options == nullptr) {
    return Status::InvalidArgument("no options for column family",
                                   family->name);
  }
  if (!replayed->comparator_name.empty() &&
      replayed->comparator_name != options->cf.user_comparator->Name()) {
    return Status::InvalidArgument("comparator of column family '" +
                                   family->name + "' is " +
                                   replayed->comparator_name);
  }
  std::vector<std::vector<FileRef>> levels;
  Status s = replayed->builder->Finish(options->cf.num_levels, &levels);
  if (!s.ok()) return s;
  AssignMissingEpochs(&levels);
  for (size_t level = 0; level < levels.size(); ++level) {
    for (const FileRef& file : levels[level]) {
      const auto found = tables_.find(file->number);
      if (found == tables_.end() || !IsIntact(*options, *file, found->second)) {
        continue;
      }
      s = FindPathId(*options, found->second, &file->path_id);
      if (!s.ok()) return s;
      file->RestoreTimestamps(options->cf.left_out_timestamp_bytes());
      family->files.push_back({static_cast<int>(level), file});
      tables_.erase(found);  // What is left is not live.
    }
  }
  for (const BlobFileState& blob : replayed->builder->FinishBlobs(levels)) {
    const auto found = blobs_.find(blob.number());
    if (found == blobs_.end() || !HasListedSize(*blob.file, found->second)) {
      continue;  // Its values are lost.
    }
    family->blobs.push_back(blob.file->record);
    if (blob.garbage_count > 0) {
      family->garbage.push_back(
          {blob.number(), blob.garbage_count, blob.garbage_bytes});
    }
    blobs_.erase(found);
  }
  return s;
}

Status Repair::TakeFromManifest(ManifestReplay* replay) {
  db_id_ = replay->db_id();
  last_sequence_ = replay->last_sequence();
  min_log_to_keep_ = replay->min_log_number_to_keep();
  largest_family_ = replay->max_column_family();
  largest_number_ = std::max(largest_number_, replay->next_file_number());
  for (auto& [id, replayed] : *replay->families()) {
    Family& family = families_[id];
    family.name = replayed.name;
    family.log_number = replayed.log_number;
    family.full_history_ts_low = replayed.full_history_ts_low;
    if (Status s = TakeFamily(&replayed, &family); !s.ok()) return s;
  }
  const Status why = Status::NotFound("the manifest does not list it");
  for (const auto* left : {&tables_, &blobs_}) {
    for (const auto& [number, found] : *left) {
      if (left == &blobs_ && survey_.RefersToBlobFile(number)) continue;
      if (Status s = MoveToLost(found, why); !s.ok()) return s;
    }
  }
  return Status::OK();
}

// ---- By the tables ----

// The file opens only with its family's comparator, and names its family only
// once it is open: the options of all families are tried.
Status Repair::OwnerOf(const std::string& path, TableOwner* owner) {
  std::vector<const Options*> candidates{OptionsOf(kDefaultColumnFamilyName)};
  for (const auto& [name, options] : known_) {
    candidates.push_back(OptionsOf(name));
  }
  if (request_.unknown != nullptr) candidates.push_back(OptionsOf(""));
  Status s;
  for (const Options* options : candidates) {
    s = FindTableOwner(RequestFor(*options, path), owner);
    if (!s.IsInvalidArgument()) break;  // It has another comparator.
  }
  return s;
}

Status Repair::TakeTable(uint64_t number, const Found& found) {
  TableOwner owner;
  Status s = OwnerOf(found.path(), &owner);
  if (s.IsInvalidArgument()) return s;
  const Options* options = s.ok() ? OptionsOf(owner.family_name) : nullptr;
  if (s.ok() && options == nullptr) {
    return Status::InvalidArgument("no options for column family",
                                   owner.family_name);
  }
  const auto meta = std::make_shared<FileMeta>();
  bool is_ingested = false;
  if (s.ok()) {
    s = SalvageTable(RequestFor(*options, found.path()), meta.get(),
                     &is_ingested);
  }
  if (!s.ok()) {
    if (s.IsInvalidArgument()) return s;
    has_lost_tables_ = true;  // Its family may not be known.
    return MoveToLost(found, s);
  }
  s = FindPathId(*options, found, &meta->path_id);
  if (!s.ok()) return s;
  Family& family = families_[owner.family_id];
  if (!family.name.empty() && family.name != owner.family_name) {
    return MoveToLost(found, Status::Corruption("names another family"));
  }
  family.name = owner.family_name;
  meta->number = number;
  family.files.push_back({0, meta});
  last_sequence_ = std::max(last_sequence_, meta->largest_sequence);
  largest_family_ = std::max(largest_family_, owner.family_id);
  if (!is_ingested) {
    family.flushed_sequence =
        std::max(family.flushed_sequence, meta->largest_sequence);
  }
  return s;
}

Status Repair::TakeFromTables() {
  families_[0].name = kDefaultColumnFamilyName;
  for (const auto& [number, found] : tables_) {
    if (Status s = TakeTable(number, found); !s.ok()) return s;
  }
  TakeNames();
  for (auto& [id, family] : families_) OrderLevel0(&family);
  if (!ReadIdentityFile(fs_, request_.name, &db_id_).ok()) db_id_.clear();
  NoteLogs();
  return TakeBlobFiles();
}

// By the newest file that can be read.
std::vector<std::string> Repair::NamesInOptions() const {
  std::vector<std::string> names;
  for (auto it = options_files_.rbegin(); it != options_files_.rend(); ++it) {
    std::string text;
    Status s = ReadFileToString(fs_, it->second.path(), &text);
    if (s.ok()) s = ParseFamilyNames(it->second.path(), text, &names);
    if (s.ok() && !names.empty()) break;
    names.clear();
  }
  return names;
}

// Families that have no table.
void Repair::TakeNames() {
  KnownFamilies known;
  known.in_order = NamesInOptions();
  for (const auto& [id, family] : families_) known.ids[family.name] = id;
  for (const auto& [number, log] : survey_.logs) {
    for (const auto& [id, sequence] : log.families) {
      if (families_.count(id) == 0) known.logged.insert(id);
    }
  }
  largest_family_ = std::max(largest_family_, survey_.LargestFamily());
  for (const auto& [name, id] : FindFamilyIds(known)) {
    largest_family_ = std::max(largest_family_, id);
    if (OptionsOf(name) == nullptr) continue;
    families_[id].name = name;
    known.ids[name] = id;
  }
  for (const ColumnFamilyDescriptor& family : request_.families) {
    if (known.ids.count(family.name) > 0) continue;
    families_[++largest_family_].name = family.name;
  }
}

// Garbage is not known: none is counted, and compactions find it again.
Status Repair::TakeBlobFiles() {
  for (const auto& [number, found] : blobs_) {
    SalvagedBlobFile blob;
    Status s = SalvageBlobFile(fs_, found.path(), number, &blob);
    const auto family = families_.find(blob.family_id);
    if (s.ok() && family == families_.end()) {
      s = Status::NotFound("its family is not known");
    }
    if (s.ok()) {
      family->second.blobs.push_back(std::move(blob.record));
      continue;
    }
    // Those that were being written: the replay takes them up.
    if (survey_.RefersToBlobFile(number)) continue;
    if (s = MoveToLost(found, s); !s.ok()) return s;
  }
  return Status::OK();
}

void Repair::OrderLevel0(Family* family) {
  std::vector<VersionEdit::NewFile>& files = family->files;
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
    const auto age = [](const FileMeta& file) {
      return std::make_tuple(file.largest_sequence, file.smallest_sequence,
                             file.number);
    };
    return age(*a.file) < age(*b.file);
  });
  uint64_t epoch = kReservedEpoch;
  for (const VersionEdit::NewFile& entry : files) {
    entry.file->epoch_number = ++epoch;
  }
  const Comparator* order = OptionsOf(family->name)->cf.user_comparator;
  for (size_t i = 0; i < files.size() && !family->needs_compaction; ++i) {
    const FileMeta& older = *files[i].file;
    for (size_t j = i + 1; j < files.size(); ++j) {
      const FileMeta& newer = *files[j].file;
      if (older.largest_sequence < newer.smallest_sequence) continue;
      family->needs_compaction =
          order->Compare(older.smallest.user_key(), newer.largest.user_key()) <=
              0 &&
          order->Compare(newer.smallest.user_key(), older.largest.user_key()) <=
              0;
      if (family->needs_compaction) break;
    }
  }
}

// A family's memtables are flushed in order, and change with the log.
void Repair::NoteLogs() {
  const uint64_t behind = largest_number_ + 1;
  for (auto& [id, family] : families_) {
    const SequenceNumber flushed =
        has_lost_tables_ ? 0 : family.flushed_sequence;
    family.log_number = std::min(behind, survey_.FirstLogBeyond(id, flushed));
  }
  largest_number_ = behind;
}

// A table that is linked to a blob file is linked to the oldest that it needs:
// what is left is better than no table at all.
void Repair::RelinkBlobs(Family* family) {
  std::set<uint64_t> there;
  for (const BlobFileAddition& blob : family->blobs) there.insert(blob.number);
  for (const VersionEdit::NewFile& entry : family->files) {
    uint64_t* const oldest = &entry.file->oldest_blob_file;
    if (*oldest == 0 || there.count(*oldest) > 0) continue;
    const auto next = there.upper_bound(*oldest);
    *oldest = next != there.end() ? *next : 0;
  }
}

// ---- The new manifest ----

std::vector<VersionEdit> Repair::Edits() {
  std::vector<VersionEdit> edits;
  VersionEdit& counters = edits.emplace_back();
  if (sanitized_.write_dbid_to_manifest && !db_id_.empty()) {
    counters.db_id = db_id_;
  }
  counters.next_file_number = largest_number_ + 1;
  counters.last_sequence = last_sequence_;
  counters.max_column_family = largest_family_;
  if (min_log_to_keep_ > 0) counters.min_log_number_to_keep = min_log_to_keep_;
  for (auto& [id, family] : families_) {
    VersionEdit& head = edits.emplace_back();
    const Options* options = OptionsOf(family.name);
    INVARIANT(options != nullptr);
    head.column_family = id;
    head.comparator_name = options->cf.user_comparator->Name();
    head.persist_user_defined_timestamps =
        options->cf.persist_user_defined_timestamps;
    if (id != 0) head.column_family_added = family.name;
    VersionEdit& state = edits.emplace_back();
    state.column_family = id;
    state.log_number = family.log_number;
    state.new_files = family.files;
    state.blob_additions = family.blobs;
    state.blob_garbage = family.garbage;
    if (!family.full_history_ts_low.empty()) {
      state.full_history_ts_low = family.full_history_ts_low;
    }
  }
  return edits;
}

Status Repair::WriteManifest() {
  std::unique_ptr<FSDirectory> directory;
  Status s = fs_->NewDirectory(request_.name, IOOptions(), &directory, nullptr);
  if (!s.ok()) return s;
  ManifestWriter::Context context;
  context.db = &db_;
  context.db_path = request_.name;
  context.file_options = FileOptions(sanitized_);
  context.directory = directory.get();
  ManifestWriter writer(std::move(context));
  ManifestWriter::NewManifest manifest;
  manifest.number = ++largest_number_;
  for (const VersionEdit& edit : Edits()) {
    s = edit.EncodeTo(&manifest.records.emplace_back());
    if (!s.ok()) return s;
  }
  s = writer.Start(manifest);
  const Status closed = writer.Close();
  return s.ok() ? closed : s;
}

Status Repair::MoveOldManifests() const {
  for (const auto& [number, found] : manifests_) {
    const Status why = Status::OK();
    if (Status s = MoveToLost(found, why); !s.ok()) return s;
  }
  return Status::OK();
}

// The replay deletes them. What a log holds for a family without a name is
// passed over.
Status Repair::KeepDamagedLogs() const {
  Status s;
  for (const auto& [number, log] : survey_.logs) {
    const bool is_known = std::all_of(
        log.families.begin(), log.families.end(),
        [this](const auto& entry) { return families_.count(entry.first) > 0; });
    if (!log.is_damaged && is_known) continue;
    const std::string directory = wal_dir_ + kLostDirectory;
    s = fs_->CreateDirIfMissing(directory, IOOptions(), nullptr);
    if (!s.ok()) return s;
    FileCopy copy;
    copy.source = LogFileName(wal_dir_, number);
    copy.destination = LogFileName(directory, number);
    if (s = CopyFile(fs_, copy); !s.ok()) return s;
  }
  return s;
}

Status Repair::MakeManifest() {
  Status s = FindFiles();
  if (!s.ok()) return s;
  const bool is_empty = tables_.empty() && blobs_.empty() &&
                        manifests_.empty() && log_numbers_.empty();
  if (is_empty) return Status::Corruption(request_.name, "no database is here");
  ManifestReplay replay;
  bool is_cut = false;
  Status by_manifest = ReadManifest(&replay, &is_cut);
  if (by_manifest.ok()) by_manifest = CheckEnd(&replay, is_cut);
  if (by_manifest.ok()) {
    s = TakeFromManifest(&replay);
  } else {
    Warn(db_.logger, "the manifest cannot be read to its end: %s",
         by_manifest.ToString().c_str());
    s = TakeFromTables();
  }
  for (auto& [id, family] : families_) RelinkBlobs(&family);
  if (s.ok()) s = KeepDamagedLogs();
  if (s.ok()) s = WriteManifest();
  return s.ok() ? MoveOldManifests() : s;
}

// ---- The repaired database ----

std::vector<ColumnFamilyDescriptor> Repair::Descriptors() const {
  std::vector<ColumnFamilyDescriptor> result;
  for (const auto& [id, family] : families_) {
    const auto known = known_.find(family.name);
    INVARIANT(known != known_.end() || request_.unknown != nullptr);
    result.emplace_back(
        family.name, known != known_.end() ? known->second : *request_.unknown);
  }
  return result;
}

Status Repair::OpenOnce(const DBOptions& options, bool compacts) {
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> db;
  Status s = DB::Open(options, request_.name, Descriptors(), &handles, &db);
  if (!s.ok()) return s;
  for (ColumnFamilyHandle* handle : handles) {
    if (s.ok() && compacts && families_.at(handle->GetID()).needs_compaction) {
      CompactRangeOptions whole;
      whole.bottommost_level_compaction = BottommostLevelCompaction::kForce;
      s = db->CompactRange(whole, handle, nullptr, nullptr);
    }
    IgnoreError(db->DestroyColumnFamilyHandle(handle),
                "a handle of this database is always given back");
  }
  std::vector<LiveFileMetaData> tables;
  db->GetLiveFilesMetaData(&tables);
  recovered_count_ = tables.size();
  recovered_bytes_ = 0;
  for (const LiveFileMetaData& table : tables) recovered_bytes_ += table.size;
  const Status closed = db->Close();
  return s.ok() ? closed : s;
}

Status Repair::Run() {
  if (request_.unknown == nullptr &&
      known_.count(kDefaultColumnFamilyName) == 0) {
    return Status::InvalidArgument("Default column family not specified");
  }
  // The opens below would refuse them, but only after the manifest is written.
  Status s = ValidateDBOptions(request_.options);
  if (!s.ok()) return s;
  FileLock* lock = nullptr;
  s = fs_->FileExists(request_.name, IOOptions(), nullptr);
  if (!s.ok()) return s;
  s = fs_->LockFile(LockFileName(request_.name), IOOptions(), &lock, nullptr);
  if (!s.ok()) return s;
  s = MakeManifest();
  const Status unlocked = fs_->UnlockFile(lock, IOOptions(), nullptr);
  if (s.ok()) s = unlocked;
  if (!s.ok()) return s;
  DBOptions given = request_.options;
  given.error_if_exists = false;
  DBOptions salvaging = given;
  salvaging.best_efforts_recovery = false;
  salvaging.wal_recovery_mode = WALRecoveryMode::kSkipAnyCorruptedRecords;
  salvaging.avoid_flush_during_recovery = false;
  salvaging.track_and_verify_wals = false;
  salvaging.track_and_verify_wals_in_manifest = false;
  s = OpenOnce(salvaging, /*compacts=*/true);
  if (s.ok()) s = OpenOnce(given, /*compacts=*/false);
  if (!s.ok()) return s;
  // Scripts look for this line.
  Warn(db_.logger,
       "**** Repaired rocksdb %s; recovered %zu files; %llu bytes. Some data "
       "may have been lost. ****",
       request_.name.c_str(), recovered_count_,
       static_cast<unsigned long long>(recovered_bytes_));
  return s;
}

}  // namespace

Status RepairDB(const std::string& dbname, const DBOptions& db_options,
                const std::vector<ColumnFamilyDescriptor>& column_families) {
  RepairRequest request{dbname, db_options, column_families, nullptr};
  return Repair(request).Run();
}

Status RepairDB(const std::string& dbname, const DBOptions& db_options,
                const std::vector<ColumnFamilyDescriptor>& column_families,
                const ColumnFamilyOptions& unknown_cf_opts) {
  RepairRequest request{dbname, db_options, column_families, &unknown_cf_opts};
  return Repair(request).Run();
}

Status RepairDB(const std::string& dbname, const Options& options) {
  const ColumnFamilyOptions family(options);
  return RepairDB(dbname, DBOptions(options),
                  {{kDefaultColumnFamilyName, family}}, family);
}

}  // namespace ROCKSDB_NAMESPACE
