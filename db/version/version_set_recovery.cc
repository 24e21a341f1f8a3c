// VersionSet: creating a database, and taking over the state of one.
#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <system_error>
#include <thread>

#include "db/blob/blob_source.h"
#include "db/version/best_efforts.h"
#include "db/version/linked_files.h"
#include "db/version/manifest_format.h"
#include "db/version/manifest_replay.h"
#include "db/version/manifest_writer.h"
#include "db/version/version_edit.h"
#include "db/version/version_set.h"
#include "file/filename.h"
#include "monitoring/io_activity.h"
#include "options/sanitize.h"
#include "rocksdb/info_log.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The family in which some releases keep their own statistics: opened along
// with the listed ones.
constexpr char kStatsHistoryFamily[] = "___rocksdb_stats_history___";

const ColumnFamilyDescriptor* FindDescriptor(
    const std::vector<ColumnFamilyDescriptor>& descriptors,
    const std::string& name) {
  for (const ColumnFamilyDescriptor& descriptor : descriptors) {
    if (descriptor.name == name) return &descriptor;
  }
  return nullptr;
}

Status CheckComparator(const ManifestReplay::Family& family,
                       const ColumnFamilyOptions& options) {
  const Comparator* comparator = options.comparator;
  INVARIANT(comparator != nullptr);
  if (family.comparator_name.empty()) return Status::OK();
  const std::string order = comparator->Name();
  // Timestamps that no file has may come and go.
  if (!options.persist_user_defined_timestamps &&
      HasTimestampsBeside(order, family.comparator_name)) {
    return Status::OK();
  }
  if (!family.persists_timestamps &&
      HasTimestampsBeside(family.comparator_name, order)) {
    return Status::OK();
  }
  if (family.comparator_name == order) {
    if (comparator->timestamp_size() == 0 ||
        family.persists_timestamps == options.persist_user_defined_timestamps) {
      return Status::OK();
    }
    return Status::InvalidArgument(
        "persist_user_defined_timestamps of column family '" + family.name +
        "' must not change");
  }
  std::string why =
      "does not match existing comparator " + family.comparator_name;
  if (family.name != kDefaultColumnFamilyName) {
    why += ": column family '" + family.name + "'";
  }
  return Status::InvalidArgument(order, why);
}

// As best efforts try them: the newest first, but last those that CURRENT does
// not name yet. They may be half written, without some of the families, and
// nothing that they alone tell of was ever acknowledged.
Status OrderManifests(FileSystem* fs, const std::string& db_path,
                      std::vector<uint64_t>* numbers) {
  INVARIANT(numbers != nullptr);
  std::string path;
  uint64_t current = 0;
  const Status s = ReadCurrentFile(fs, db_path, &path, &current);
  // CURRENT may be lost.
  const bool is_lost = s.IsNotFound() || s.IsPathNotFound() || s.IsCorruption();
  if (!s.ok() && !is_lost) return s;
  std::sort(numbers->begin(), numbers->end(), [&](uint64_t a, uint64_t b) {
    const bool is_a_early = s.ok() && a > current;
    const bool is_b_early = s.ok() && b > current;
    return is_a_early != is_b_early ? is_b_early : a > b;
  });
  return Status::OK();
}

// The names in directories, each of which is read once: most of the files that
// a manifest tells of are gone, and asking for each by itself takes long.
class DirectoryListings {
 public:
  explicit DirectoryListings(FileSystem* fs) : fs_(fs) {}

  Status Find(const std::string& path, bool* is_listed) {
    INVARIANT(is_listed != nullptr);
    const size_t slash = path.find_last_of('/');
    INVARIANT(slash != std::string::npos);
    const std::string directory = path.substr(0, slash);
    auto found = names_.find(directory);
    if (found == names_.end()) {
      std::vector<std::string> names;
      const Status s =
          fs_->GetChildren(directory, IOOptions(), &names, nullptr);
      if (!s.ok() && !s.IsNotFound() && !s.IsPathNotFound()) return s;
      found = names_.emplace(directory, std::set<std::string>()).first;
      found->second.insert(names.begin(), names.end());
    }
    *is_listed = found->second.count(path.substr(slash + 1)) > 0;
    return Status::OK();
  }

 private:
  FileSystem* const fs_;
  std::map<std::string, std::set<std::string>> names_;
};

// Whether `other` has every family that `replay` has.
bool HasFamiliesOf(ManifestReplay* replay, ManifestReplay* other) {
  INVARIANT(replay != nullptr && other != nullptr);
  const auto& there = *other->families();
  return std::all_of(replay->families()->begin(), replay->families()->end(),
                     [&there](const auto& entry) {
                       const auto found = there.find(entry.first);
                       return found != there.end() &&
                              found->second.name == entry.second.name;
                     });
}

}  // namespace

// Where a family has got or lost its timestamps since the manifest was written:
// none of its files has any.
void VersionSet::ChangeTimestamps(
    const ColumnFamilyData& cfd,
    const std::vector<std::vector<FileRef>>& levels,
    ManifestReplay::Family* family) {
  INVARIANT(family != nullptr);
  if (family->comparator_name.empty() ||
      family->comparator_name == cfd.user_comparator()->Name()) {
    return;
  }
  family->cursors.clear();
  if (cfd.order().timestamp_size() == 0) family->full_history_ts_low.clear();
  for (const auto& level : levels) {
    for (const FileRef& file : level) file->has_persisted_timestamps = false;
  }
}

Status VersionSet::FitTimestamps(
    const ColumnFamilyData& cfd,
    const std::vector<std::vector<FileRef>>& levels,
    ManifestReplay::Family* replayed) {
  ChangeTimestamps(cfd, levels, replayed);
  const std::string& full_history_ts_low = replayed->full_history_ts_low;
  const size_t size = cfd.order().timestamp_size();
  const bool leaves_out = cfd.ioptions().left_out_timestamp_bytes() != 0;
  const std::string family = "column family '" + cfd.name() + "'";
  if (!full_history_ts_low.empty() && full_history_ts_low.size() != size) {
    return Status::Corruption(
        family, "the manifest's full_history_ts_low has " +
                    std::to_string(full_history_ts_low.size()) +
                    " bytes, timestamps have " + std::to_string(size));
  }
  for (const auto& level : levels) {
    for (const FileRef& file : level) {
      const std::string table = "table " + std::to_string(file->number);
      if (size != 0 && file->has_persisted_timestamps == leaves_out) {
        return Status::Corruption(
            table + " of " + family,
            leaves_out ? "the manifest says that it holds timestamps"
                       : "the manifest says that it leaves out its timestamps");
      }
      file->RestoreTimestamps(size);
      if (file->smallest.user_key().size() < size ||
          file->largest.user_key().size() < size) {
        return Status::Corruption(
            table + " of " + family,
            "its bounds in the manifest have no timestamps");
      }
    }
  }
  return Status::OK();
}

Status VersionSet::CreateNew(const std::string& db_id, FSDirectory* directory) {
  INVARIANT(manifest_ == nullptr);
  VersionEdit edit;
  if (context_.db->write_dbid_to_manifest) edit.db_id = db_id;
  edit.log_number = 0;
  edit.next_file_number = 2;
  edit.last_sequence = 0;
  std::string record;
  if (Status s = edit.EncodeTo(&record); !s.ok()) return s;
  ManifestWriter::Context context;
  context.db = context_.db;
  context.db_path = context_.db_path;
  context.file_options = context_.file_options;
  context.directory = directory;
  ManifestWriter writer(std::move(context));
  constexpr uint64_t kFirstManifest = 1;
  Status s = writer.Start({.number = kFirstManifest,
                           .head = {},
                           .records = {std::move(record)},
                           .preallocation_bytes = 0});
  return s.ok() ? writer.Close() : s;
}

Status VersionSet::Recover(
    const std::vector<ColumnFamilyDescriptor>& descriptors,
    const RecoverOptions& options) {
  context_.mutex->AssertHeld();
  INVARIANT(families_.all().empty());
  ManifestReplay replay;
  Status s = options.best_efforts
                 ? ReplayBestEfforts(descriptors, &replay)
                 : replay.Run(context_.db->fs, context_.db_path);
  if (!s.ok()) return s;
  recovered_manifest_number_ = replay.manifest_number();
  if (!options.best_efforts) {
    installed_ = {replay.manifest_number(), replay.manifest_bytes()};
  }
  db_id_ = replay.db_id();
  min_log_to_keep_ = replay.min_log_number_to_keep();
  tracked_wals_ = replay.tracked_wals();
  SetLastSequence(replay.last_sequence());
  MarkFileNumberUsed(replay.next_file_number());
  MarkFileNumberUsed(replay.manifest_number());
  families_.NoteMaxId(replay.max_column_family());

  INVARIANT(next_file_number() > replay.next_file_number());
  if (!options.read_only || options.best_efforts) {
    if (s = PassFilesThere(descriptors); !s.ok()) return s;
  }
  std::string unlisted;
  for (auto& [id, family] : *replay.families()) {
    const ColumnFamilyDescriptor* descriptor =
        FindDescriptor(descriptors, family.name);
    const ColumnFamilyDescriptor implied(family.name, ColumnFamilyOptions());
    if (descriptor == nullptr && family.name == kStatsHistoryFamily) {
      descriptor = &implied;
    }
    if (descriptor == nullptr) {
      unlisted += (unlisted.empty() ? "" : ", ") + family.name;
      continue;
    }
    if (s = RecoverFamily(id, &family, *descriptor); !s.ok()) return s;
  }
  if (!unlisted.empty() && !options.read_only) {
    return Status::InvalidArgument("Column families not opened: " + unlisted);
  }
  if (families_.Find(0) == nullptr) {
    return Status::InvalidArgument("Default column family not specified");
  }
  for (const ColumnFamilyDescriptor& descriptor : descriptors) {
    if (families_.Find(descriptor.name) != nullptr) continue;
    if (options.read_only || !options.create_missing_families) {
      return Status::InvalidArgument("Column family not found",
                                     descriptor.name);
    }
    missing_families_.push_back(descriptor);
  }
  return s;
}

// A session that was killed, or an older state than the newest, may have left
// files whose numbers the manifest has not heard of. Such a file may be a link
// to one that lives, or the newest OPTIONS: its number is not given out again.
Status VersionSet::PassFilesThere(
    const std::vector<ColumnFamilyDescriptor>& descriptors) {
  std::set<std::string> paths = {context_.db_path};
  if (!context_.db->wal_dir.empty()) paths.insert(context_.db->wal_dir);
  const auto add = [&paths](const std::vector<DbPath>& more) {
    for (const DbPath& path : more) paths.insert(path.path);
  };
  add(context_.db->db_paths);
  for (const ColumnFamilyDescriptor& descriptor : descriptors) {
    add(descriptor.options.cf_paths);
  }
  for (const std::string& path : paths) {
    std::vector<std::string> names;
    const Status s =
        context_.db->fs->GetChildren(path, IOOptions(), &names, nullptr);
    if (s.IsNotFound() || s.IsPathNotFound()) continue;  // not made yet
    if (!s.ok()) return s;
    for (const std::string& name : names) {
      uint64_t number = 0;
      FileType type = kTempFile;
      // Those of old info logs and of progress are times. No session counts as
      // far as the limit; another program's file may.
      if (ParseFileName(name, &number, &type) && type != kInfoLogFile &&
          type != kCompactionProgressFile && number < kMaxFileNumber / 2) {
        MarkFileNumberUsed(number);
      }
    }
  }
  return Status::OK();
}

// By the first manifest that is of use; CURRENT may be lost or name none. One
// by which some family has lost everything is of use where all others are not.
Status VersionSet::ReplayBestEfforts(
    const std::vector<ColumnFamilyDescriptor>& descriptors,
    ManifestReplay* replay) {
  FileSystem* fs = context_.db->fs;
  std::vector<std::string> names;
  Status s = fs->GetChildren(context_.db_path, IOOptions(), &names, nullptr);
  if (!s.ok()) return s;
  std::vector<uint64_t> manifests;
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (!ParseFileName(name, &number, &type)) continue;
    if (type == kDescriptorFile) manifests.push_back(number);
  }
  s = OrderManifests(fs, context_.db_path, &manifests);
  if (!s.ok()) return s;
  s = Status::Corruption(context_.db_path, "there is no manifest");
  bool has_found = false;
  for (const uint64_t number : manifests) {
    const std::string path = DescriptorFileName(context_.db_path, number);
    BestEfforts efforts(WhatIsThere(descriptors));
    ManifestReplay one;
    s = efforts.Run(fs, path, number, &one);
    Warn(context_.db->logger, "best efforts with %s: %s%s", path.c_str(),
         s.ToString().c_str(),
         efforts.has_lost_something() ? ", an older or smaller state" : "");
    // What cannot be read now may well be there: older data would take its
    // place for good.
    if (!s.ok() && !s.IsCorruption()) return s;
    if (!s.ok()) continue;
    const bool is_better =
        !efforts.has_lost_family() && HasFamiliesOf(replay, &one);
    if (has_found && !is_better) continue;
    *replay = std::move(one);
    has_found = true;
    if (!efforts.has_lost_family()) break;
  }
  return has_found ? Status::OK() : s;
}

FilesThere VersionSet::WhatIsThere(
    const std::vector<ColumnFamilyDescriptor>& descriptors) const {
  const auto paths_of = [this, &descriptors](const std::string& family) {
    const ColumnFamilyDescriptor* found = FindDescriptor(descriptors, family);
    return found != nullptr && !found->options.cf_paths.empty()
               ? found->options.cf_paths
               : context_.db->db_paths;
  };
  const auto listings = std::make_shared<DirectoryListings>(context_.db->fs);
  const auto has_size = [this, listings](const std::string& path,
                                         uint64_t wanted) -> Status {
    bool is_listed = false;
    Status s = listings->Find(path, &is_listed);
    if (!s.ok()) return s;
    if (!is_listed) return Status::NotFound(path);
    uint64_t size = 0;
    s = context_.db->fs->GetFileSize(path, IOOptions(), &size, nullptr);
    if (s.ok() && size == wanted) return s;
    const bool is_missing = s.ok() || s.IsNotFound() || s.IsPathNotFound();
    return is_missing ? Status::NotFound(path) : s;
  };
  FilesThere there;
  there.table = [=](const std::string& family, const FileMeta& file) {
    const std::string path =
        TableFileName(paths_of(family), file.number, file.path_id);
    const Status s = has_size(path, file.size_bytes);
    if (!s.IsNotFound()) return s;
    return has_size(LegacyTableFileName(path), file.size_bytes);
  };
  there.blob = [=](const std::string& family, const BlobFileAddition& blob) {
    const BlobFile file(blob);
    return has_size(BlobFileName(paths_of(family).front().path, blob.number),
                    file.size_bytes());
  };
  return there;
}

Status VersionSet::RecoverFamily(uint32_t id, ManifestReplay::Family* replayed,
                                 const ColumnFamilyDescriptor& descriptor) {
  INVARIANT(replayed != nullptr);
  INVARIANT(replayed->builder != nullptr);
  const ColumnFamilyOptions sanitized =
      SanitizeColumnFamilyOptions(*context_.db, descriptor.options);
  Status s = CheckComparator(*replayed, sanitized);
  if (!s.ok()) return s;
  auto cfd = std::make_shared<ColumnFamilyData>(id, replayed->name, sanitized,
                                                context_.families);
  std::vector<std::vector<FileRef>> levels;
  s = replayed->builder->Finish(cfd->ioptions().num_levels, &levels);
  if (!s.ok()) return s;
  s = FitTimestamps(*cfd, levels, replayed);
  if (!s.ok()) return s;
  cfd->set_next_epoch(AssignMissingEpochs(&levels, cfd->next_epoch()));
  // A new log, where none that is there counts.
  cfd->set_log_number(replayed->log_number == BestEfforts::kNoLog
                          ? NewFileNumber()
                          : replayed->log_number);
  cfd->set_full_history_ts_low(replayed->full_history_ts_low);
  *cfd->compaction_cursors() = replayed->cursors;
  for (const auto& level : levels) {
    for (const FileRef& file : level) MarkFileNumberUsed(file->number);
  }
  BlobFileList blobs = replayed->builder->FinishBlobs(levels);
  for (const BlobFileState& blob : blobs) MarkFileNumberUsed(blob.number());
  if (context_.links != nullptr) {
    s = context_.links->Keep(cfd->ioptions().cf_paths, levels, blobs);
    if (!s.ok()) return s;
  }
  INVARIANT(levels.size() == static_cast<size_t>(cfd->ioptions().num_levels));
  VersionRef version = NewVersion(cfd.get());
  s = version->mutable_storage()->Build(
      std::move(levels), cfd->ioptions().force_consistency_checks,
      std::move(blobs));
  if (!s.ok()) return s;
  Install(cfd.get(), std::move(version));
  families_.Add(cfd);
  s = CheckRecoveredBlobs(cfd.get());
  return s.ok() ? LoadRecoveredFiles(cfd.get()) : s;
}

// With paranoid_checks a blob file that is missing, or of another size than
// the manifest says, fails the open.
Status VersionSet::CheckRecoveredBlobs(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  if (!context_.db->paranoid_checks) return Status::OK();
  for (const BlobFileState& blob : cfd->current()->storage().blobs()) {
    Status s = cfd->blobs()->CheckSize(*blob.file);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

// Opens files, several at a time: with paranoid_checks a missing file, or one
// of another size than the manifest says, fails the open. So that no database
// is too large for that, those that do not get opened are looked at alike.
Status VersionSet::LoadRecoveredFiles(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  constexpr size_t kFilesWhenCacheIsBounded = 16;
  const VersionStorage& storage = cfd->current()->storage();
  std::vector<std::pair<int, FileRef>> files;
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      files.emplace_back(level, file);
    }
  }
  size_t opened = files.size();
  if (!cfd->tables()->pins_readers()) {
    opened = std::min(opened, kFilesWhenCacheIsBounded);
  }
  if (context_.db->skip_stats_update_on_db_open) opened = 0;
  if (!context_.db->paranoid_checks) files.resize(opened);
  std::atomic<size_t> next{0};
  std::vector<Status> statuses(files.size());
  const auto work = [&]() {
    const IoActivityScope activity(Env::IOActivity::kDBOpen);
    for (size_t i = next.fetch_add(1); i < files.size();
         i = next.fetch_add(1)) {
      const auto& [level, file] = files[i];
      statuses[i] = i < opened ? cfd->tables()->LoadFigures(file.get(), level,
                                                            *cfd->options())
                               : cfd->tables()->CheckPresence(*file);
    }
  };
  const size_t wanted = std::max(1, context_.db->max_file_opening_threads);
  std::vector<std::thread> helpers;
  for (size_t i = 1; i < std::min(wanted, files.size()); ++i) {
    try {
      helpers.emplace_back(work);
    } catch (const std::system_error&) {
      break;  // No more threads: those that run do it all.
    }
  }
  work();
  for (std::thread& helper : helpers) helper.join();
  INVARIANT(next.load() >= files.size());
  if (!context_.db->paranoid_checks) {
    return Status::OK();  // Reads of a bad file report it.
  }
  for (const Status& s : statuses) {
    if (s.IsNotFound() || s.IsPathNotFound()) {
      return Status::Corruption(s.ToString(), "a live table file is missing");
    }
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status VersionSet::ListColumnFamilies(const std::string& db_path,
                                      FileSystem* fs,
                                      std::vector<std::string>* names) {
  INVARIANT(fs != nullptr);
  INVARIANT(names != nullptr && fs != nullptr);
  ManifestReplay replay;
  Status s = replay.Run(fs, db_path);
  if (!s.ok()) return s;
  names->clear();
  for (const auto& [id, family] : *replay.families()) {
    names->push_back(family.name);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
