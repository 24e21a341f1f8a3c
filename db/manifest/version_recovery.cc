#include "db/manifest/version_recovery.h"

#include <algorithm>
#include <set>
#include <utility>

#include "db/blob/blob_source.h"
#include "db/manifest/best_efforts.h"
#include "db/manifest/best_efforts_open.h"
#include "db/manifest/linked_files.h"
#include "db/manifest/replayed_family.h"
#include "db/version/manifest_format.h"
#include "file/filename.h"
#include "monitoring/io_activity.h"
#include "options/sanitize.h"
#include "util/invariant.h"
#include "util/parallel_for.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The family in which some releases keep their own statistics: opened along
// with the listed ones.
constexpr char kStatsHistoryFamily[] = "___rocksdb_stats_history___";

}  // namespace

VersionRecovery::VersionRecovery(Context context)
    : context_(std::move(context)) {
  INVARIANT(context_.numbers != nullptr && context_.published != nullptr);
}

Status VersionRecovery::Replay(
    const std::vector<ColumnFamilyDescriptor>& descriptors,
    const RecoverOptions& options, ManifestReplay* replay) const {
  INVARIANT(replay != nullptr);
  return options.best_efforts
             ? ReplayBestEfforts({context_.db, context_.db_path, &descriptors},
                                 replay)
             : replay->Run(context_.db->fs, context_.db_path);
}

Status VersionRecovery::TakeOver(
    const std::vector<ColumnFamilyDescriptor>& descriptors,
    const RecoverOptions& options, ManifestReplay* replay,
    std::vector<ColumnFamilyDescriptor>* missing) const {
  INVARIANT(replay != nullptr && missing != nullptr);
  INVARIANT(context_.families->all().empty());
  DatabaseCounters* const numbers = context_.numbers;
  numbers->SetLastSequence(replay->last_sequence());
  numbers->MarkFileNumberUsed(replay->next_file_number());
  numbers->MarkFileNumberUsed(replay->manifest_number());
  context_.families->NoteMaxId(replay->max_column_family());
  INVARIANT(numbers->next_file_number() > replay->next_file_number());
  Status s;
  if (!options.read_only || options.best_efforts) {
    if (s = PassFilesThere(descriptors, options); !s.ok()) return s;
  }
  std::string unlisted;
  s = RecoverFamilies(descriptors, options, replay, &unlisted);
  if (!s.ok()) return s;
  if (!unlisted.empty() && !options.read_only) {
    return Status::InvalidArgument("Column families not opened: " + unlisted);
  }
  if (context_.families->Find(0) == nullptr) {
    return Status::InvalidArgument("Default column family not specified");
  }
  for (const ColumnFamilyDescriptor& descriptor : descriptors) {
    if (context_.families->Find(descriptor.name) != nullptr) continue;
    if (options.read_only || !options.create_missing_families) {
      return Status::InvalidArgument("Column family not found",
                                     descriptor.name);
    }
    missing->push_back(descriptor);
  }
  return s;
}

// *unlisted names those that no descriptor does, which stay closed.
Status VersionRecovery::RecoverFamilies(
    const std::vector<ColumnFamilyDescriptor>& descriptors,
    const RecoverOptions& options, ManifestReplay* replay,
    std::string* unlisted) const {
  for (auto& [id, family] : *replay->families()) {
    const ColumnFamilyDescriptor* descriptor =
        FindDescriptor(descriptors, family.name);
    const ColumnFamilyDescriptor implied(family.name, ColumnFamilyOptions());
    if (descriptor == nullptr && family.name == kStatsHistoryFamily) {
      descriptor = &implied;
    }
    if (descriptor == nullptr) {
      *unlisted += (unlisted->empty() ? "" : ", ") + family.name;
      continue;
    }
    Status s = RecoverFamily(id, options, *descriptor, &family);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

// A session that was killed, or an older state than the newest, may have left
// files whose numbers the manifest has not heard of. Such a file may be a link
// to one that lives, or the newest OPTIONS: its number is not given out again.
Status VersionRecovery::PassFilesThere(
    const std::vector<ColumnFamilyDescriptor>& descriptors,
    const RecoverOptions& options) const {
  std::set<std::string> paths = {context_.db_path};
  if (!context_.db->wal_dir.empty()) paths.insert(context_.db->wal_dir);
  const auto add = [&paths](const std::vector<DbPath>& more) {
    for (const DbPath& path : more) paths.insert(path.path);
  };
  add(context_.db->db_paths);
  for (const ColumnFamilyDescriptor& descriptor : descriptors) {
    add(descriptor.options.cf_paths);
  }
  uint64_t largest = 0;
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
        largest = std::max(largest, number);
      }
    }
  }
  if (options.passes_one_number) {
    largest = std::max(largest, context_.numbers->next_file_number());
  }
  context_.numbers->MarkFileNumberUsed(largest);
  return Status::OK();
}

Status VersionRecovery::RecoverFamily(uint32_t id,
                                      const RecoverOptions& options,
                                      const ColumnFamilyDescriptor& descriptor,
                                      ReplayedFamily* replayed) const {
  INVARIANT(replayed != nullptr);
  INVARIANT(replayed->builder != nullptr);
  const ColumnFamilyOptions sanitized =
      SanitizeColumnFamilyOptions(*context_.db, descriptor.options);
  Status s = CheckComparator(*replayed, sanitized);
  if (!s.ok()) return s;
  auto cfd = std::make_shared<ColumnFamilyData>(id, replayed->name, sanitized,
                                                context_.family);
  std::vector<std::vector<FileRef>> levels;
  s = replayed->builder->Finish(cfd->ioptions().num_levels, &levels);
  if (!s.ok()) return s;
  s = FitTimestamps(*cfd, levels, replayed);
  if (!s.ok()) return s;
  replayed->is_as_written = IsAsWritten(*cfd, levels, *replayed);
  cfd->set_next_epoch(AssignMissingEpochs(&levels, cfd->next_epoch()));
  // A new log, where none that is there counts.
  cfd->set_log_number(replayed->log_number == BestEfforts::kNoLog
                          ? context_.numbers->NewFileNumber()
                          : replayed->log_number);
  cfd->set_full_history_ts_low(replayed->full_history_ts_low);
  *cfd->compaction_cursors() = replayed->cursors;
  BlobFileList blobs = replayed->builder->FinishBlobs(levels);
  MarkNumbersUsed(levels, blobs, context_.numbers);
  if (context_.links != nullptr) {
    s = context_.links->Keep(cfd->ioptions().cf_paths, levels, blobs);
    if (!s.ok()) return s;
  }
  INVARIANT(levels.size() == static_cast<size_t>(cfd->ioptions().num_levels));
  VersionRef version = context_.published->New(cfd.get());
  s = version->mutable_storage()->Build(
      std::move(levels), cfd->ioptions().force_consistency_checks,
      std::move(blobs));
  if (!s.ok()) return s;
  context_.published->Install(cfd.get(), std::move(version));
  context_.families->Add(cfd);
  s = CheckBlobs(cfd.get());
  return s.ok() && options.opens_tables ? LoadFiles(cfd.get()) : s;
}

// With paranoid_checks a blob file that is missing, or of another size than
// the manifest says, fails the open.
Status VersionRecovery::CheckBlobs(ColumnFamilyData* cfd) const {
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
Status VersionRecovery::LoadFiles(ColumnFamilyData* cfd) const {
  INVARIANT(cfd != nullptr);
  const VersionStorage& storage = cfd->current()->storage();
  std::vector<std::pair<int, FileRef>> files;
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      files.emplace_back(level, file);
    }
  }
  size_t opened = files.size();
  if (!cfd->tables()->pins_readers()) {
    opened = std::min(opened, kFilesOpenedWhenCacheIsBounded);
  }
  if (context_.db->skip_stats_update_on_db_open) opened = 0;
  if (!context_.db->paranoid_checks) files.resize(opened);
  std::vector<Status> statuses(files.size());
  const auto threads =
      static_cast<size_t>(std::max(1, context_.db->max_file_opening_threads));
  ParallelFor(threads, files.size(), [&](size_t i) {
    const IoActivityScope activity(Env::IOActivity::kDBOpen);
    const auto& [level, file] = files[i];
    statuses[i] = i < opened ? AsOfLiveTable(cfd->tables()->LoadFigures(
                                   file.get(), level, *cfd->options()))
                             : cfd->tables()->CheckPresence(*file);
  });
  if (!context_.db->paranoid_checks) {
    return Status::OK();  // Reads of a bad file report it.
  }
  for (const Status& s : statuses) {
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status ListFamilyNames(const std::string& db_path, FileSystem* fs,
                       std::vector<std::string>* names) {
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
