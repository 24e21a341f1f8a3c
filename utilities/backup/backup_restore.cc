#include "utilities/backup/backup_restore.h"

#include <algorithm>
#include <utility>

#include "file/file_util.h"
#include "file/filename.h"
#include "options/options_file.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/string_util.h"
#include "utilities/backup/backup_names.h"
#include "utilities/backup/table_session.h"
#include "utilities/backup/transfer_pool.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kCurrentName[] = "CURRENT";
constexpr char kCurrentDraftName[] = "CURRENT.tmp";
constexpr char kLockName[] = "LOCK";

FileType RestoredTypeOf(const std::string& name) {
  uint64_t number = 0;
  FileType type = kTempFile;
  return ParseFileName(name, &number, &type) ? type : kTempFile;
}

bool IsMissing(const IOStatus& s) {
  return s.IsNotFound() || s.IsPathNotFound();
}

// What is read once leaves the page cache to others.
FileOptions ReadOnceOptions(Temperature temperature) {
  FileOptions options;
  options.use_uncached_io = true;
  options.temperature = temperature;
  return options;
}

}  // namespace

BackupRestore::BackupRestore(const BackupContext& context,
                             const RestoreOptions& options,
                             const RestoreTarget& target)
    : context_(context), options_(options), target_(target) {
  rules_.is_stopped = context.is_stopped;
  rules_.limiter = context.options->restore_rate_limiter.get();
  rules_.buffer_bytes = TransferBufferBytes(*context.options, rules_.limiter);
}

BackupRestore::~BackupRestore() {
  if (lock_ == nullptr) return;
  IgnoreError(target_.fs->UnlockFile(lock_, IOOptions(), nullptr),
              "nothing was written through it");
}

IOStatus BackupRestore::Run(const Backup& backup) {
  INVARIANT(backup.status.ok() && items_.empty());
  if (context_.is_stopped->load()) return BackupStopped();
  IOStatus s = LockTarget();
  if (s.ok()) s = FindItems(backup);
  if (s.ok()) s = FindKept();
  if (s.ok()) s = Purge();
  if (!s.ok()) return s;
  std::vector<TransferPool::Job> jobs;
  for (const Item& item : items_) {
    if (item.is_kept) continue;
    jobs.emplace_back([this, &item] { return CopyItem(item); });
  }
  s = context_.pool->RunAll(jobs);
  return s.ok() ? Finish() : s;
}

// Nobody may have the database open, or open it meanwhile.
IOStatus BackupRestore::LockTarget() {
  FileSystem* fs = target_.fs;
  IOStatus s = fs->CreateDirIfMissing(target_.db_dir, IOOptions(), nullptr);
  if (s.ok()) {
    s = fs->CreateDirIfMissing(target_.wal_dir, IOOptions(), nullptr);
  }
  if (!s.ok()) return s;
  return fs->LockFile(LockFileName(target_.db_dir), IOOptions(), &lock_,
                      nullptr);
}

BackupRestore::Item BackupRestore::MakeItem(FoundBackupFile from) const {
  Item item;
  item.db_name = DbNameOf(from.file.path);
  item.is_log = RestoredTypeOf(item.db_name) == kWalFile;
  const bool is_current = item.db_name == kCurrentName;
  item.to = (item.is_log ? target_.wal_dir : target_.db_dir) + "/" +
            (is_current ? kCurrentDraftName : item.db_name);
  item.from = std::move(from);
  return item;
}

IOStatus BackupRestore::FindItems(const Backup& backup) {
  const BackupCatalog& catalog = *context_.catalog;
  for (const BackupFile& file : backup.description.files) {
    items_.push_back(MakeItem({catalog.fs(), catalog.PathOf(file.path), file}));
  }
  for (const std::string& path : backup.description.excluded) {
    if (IOStatus s = FindExcluded(path); !s.ok()) return s;
  }
  return IOStatus::OK();
}

IOStatus BackupRestore::FindExcluded(const std::string& path) {
  const BackupCatalog& catalog = *context_.catalog;
  FoundBackupFile found;
  if (const BackupFile* own = catalog.FindShared(path)) {
    items_.push_back(MakeItem({catalog.fs(), catalog.PathOf(path), *own}));
    return IOStatus::OK();
  }
  for (const BackupEngineReadOnlyBase* engine : options_.alternate_dirs) {
    const auto* finder = dynamic_cast<const BackupFinder*>(engine);
    if (finder == nullptr || !finder->FindFile(path, &catalog, &found)) {
      continue;
    }
    items_.push_back(MakeItem(std::move(found)));
    return IOStatus::OK();
  }
  // Its name may be all that is needed to know it.
  found.file.path = path;
  Item item = MakeItem(std::move(found));
  if (options_.mode == RestoreOptions::kKeepLatestDbSessionIdFiles) {
    if (IOStatus s = KeepIfSame(&item); !s.ok()) return s;
  }
  if (!item.is_kept) {
    return IOStatus::InvalidArgument("Excluded file " + path + " not found",
                                     "in any of the backup directories");
  }
  items_.push_back(std::move(item));
  return IOStatus::OK();
}

IOStatus BackupRestore::SizeOfExisting(const std::string& path, bool* is_there,
                                       uint64_t* size) const {
  IOStatus s = target_.fs->GetFileSize(path, IOOptions(), size, nullptr);
  *is_there = s.ok();
  return IsMissing(s) ? IOStatus::OK() : s;
}

TransferSource BackupRestore::ExistingAt(const std::string& path,
                                         uint64_t size) const {
  return {target_.fs, path, size, ReadOnceOptions(Temperature::kUnknown)};
}

IOStatus BackupRestore::FindKept() {
  std::vector<TransferPool::Job> jobs;
  for (Item& item : items_) {
    if (item.is_kept) continue;
    if (item.is_log) {
      if (!options_.keep_log_files) continue;
      jobs.emplace_back([this, &item] { return CompareLog(&item); });
    } else {
      jobs.emplace_back([this, &item] { return KeepIfSame(&item); });
    }
  }
  return context_.pool->RunAll(jobs);
}

// A file that cannot be read is replaced.
IOStatus BackupRestore::KeepIfSame(Item* item) {
  const FileType type = RestoredTypeOf(item->db_name);
  const bool by_session =
      options_.mode == RestoreOptions::kKeepLatestDbSessionIdFiles &&
      type == kTableFile;
  const bool by_checksum = options_.mode == RestoreOptions::kVerifyChecksum &&
                           (type == kTableFile || type == kBlobFile) &&
                           item->from.file.has_crc32c;
  if (!by_session && !by_checksum) return IOStatus::OK();
  bool is_there = false;
  uint64_t size = 0;
  IOStatus s = SizeOfExisting(item->to, &is_there, &size);
  if (!s.ok() || !is_there) return s;
  const TransferSource existing = ExistingAt(item->to, size);
  if (by_checksum) {
    uint32_t crc = 0;
    if (size != item->from.file.size_bytes) return IOStatus::OK();
    s = DigestSource(existing, rules_, nullptr, &crc);
    item->is_kept = s.ok() && crc == item->from.file.crc32c;
    return s.IsIncomplete() ? s : IOStatus::OK();
  }
  SharedNameParts parts;
  std::string session;
  if (!IsSharedPath(item->from.file.path) ||
      !ParseSharedName(NameInPath(item->from.file.path), &parts) ||
      parts.session_id.empty() || !parts.has_size || parts.size_bytes != size) {
    return IOStatus::OK();
  }
  item->is_kept = ReadTableSession(existing, rules_.limiter, &session).ok() &&
                  session == parts.session_id;
  return IOStatus::OK();
}

// A log that stays has the same number as one of the backup: it is the same
// log, and the longer one has all of it; or one of another past.
IOStatus BackupRestore::CompareLog(Item* item) {
  bool is_there = false;
  uint64_t size = 0;
  std::string path = item->to;
  IOStatus s = SizeOfExisting(path, &is_there, &size);
  if (s.ok() && !is_there) {
    path = ArchivalDirectory(target_.wal_dir) + "/" + item->db_name;
    s = SizeOfExisting(path, &is_there, &size);
  }
  if (!s.ok() || !is_there) return s;
  const uint64_t common = std::min(size, item->from.file.size_bytes);
  uint32_t kept = 0;
  uint32_t saved = 0;
  s = DigestSource(ExistingAt(path, common), rules_, nullptr, &kept);
  if (!s.ok()) return s;
  TransferSource source{item->from.fs.get(), item->from.path, common,
                        ReadOnceOptions(item->from.file.temperature)};
  s = DigestSource(source, rules_, nullptr, &saved);
  if (!s.ok()) return s;
  if (kept != saved) {
    return IOStatus::InvalidArgument(
        "keep_log_files: " + path + " differs from " + item->from.path,
        "they are logs of different histories");
  }
  item->is_kept = size >= item->from.file.size_bytes;
  return s;
}

IOStatus BackupRestore::DeletePlainFile(const std::string& path, bool is_ours) {
  IOStatus s = target_.fs->DeleteFile(path, IOOptions(), nullptr);
  if (s.ok() || IsMissing(s)) return IOStatus::OK();
  bool is_directory = false;
  if (target_.fs->IsDirectory(path, IOOptions(), &is_directory, nullptr).ok() &&
      is_directory) {
    return IOStatus::OK();
  }
  // A file that no database looks at does no harm.
  return is_ours ? s : IOStatus::OK();
}

IOStatus BackupRestore::PurgeDirectory(const std::string& directory) {
  std::vector<std::string> names;
  IOStatus s = target_.fs->GetChildren(directory, IOOptions(), &names, nullptr);
  if (IsMissing(s)) return IOStatus::OK();
  const bool is_wal_dir = directory != target_.db_dir;
  for (const std::string& name : names) {
    const std::string path = directory + "/" + name;
    if (!s.ok()) return s;
    if (name == "." || name == ".." || (!is_wal_dir && name == kLockName)) {
      continue;
    }
    const FileType type = RestoredTypeOf(name);
    if (options_.keep_log_files && type == kWalFile) continue;
    const bool is_kept = std::any_of(
        items_.begin(), items_.end(),
        [&](const Item& item) { return item.is_kept && item.to == path; });
    if (!is_kept) s = DeletePlainFile(path, type != kTempFile);
  }
  return s;
}

IOStatus BackupRestore::BringBackArchive() {
  const std::string archive = ArchivalDirectory(target_.wal_dir);
  std::vector<std::string> names;
  IOStatus s = target_.fs->GetChildren(archive, IOOptions(), &names, nullptr);
  if (IsMissing(s)) return IOStatus::OK();
  for (const std::string& name : names) {
    if (!s.ok()) return s;
    if (RestoredTypeOf(name) != kWalFile) continue;
    s = target_.fs->RenameFile(archive + "/" + name,
                               target_.wal_dir + "/" + name, IOOptions(),
                               nullptr);
  }
  return s;
}

// CURRENT goes first, for good: what is left is no database.
IOStatus BackupRestore::Purge() {
  const std::string current = CurrentFileName(target_.db_dir);
  IOStatus s = DeleteFileIfExists(target_.fs, current);
  if (s.ok() && SyncsAll()) {
    s = SyncDirectory(target_.fs, target_.db_dir, DirFsyncOptions());
  }
  if (s.ok()) s = PurgeDirectory(target_.db_dir);
  if (!s.ok()) return s;
  if (options_.keep_log_files) return BringBackArchive();
  s = PurgeDirectory(ArchivalDirectory(target_.wal_dir));
  if (s.ok() && target_.wal_dir != target_.db_dir) {
    s = PurgeDirectory(target_.wal_dir);
  }
  return s;
}

IOStatus BackupRestore::CheckRestored(const Item& item, uint32_t crc32c) const {
  const BackupFile& file = item.from.file;
  if (!file.has_crc32c || crc32c == file.crc32c) return IOStatus::OK();
  return IOStatus::Corruption(
      "While restoring " + item.from.path + " -> " + item.to,
      "expected checksum is " + std::to_string(file.crc32c) +
          " while computed checksum is " + std::to_string(crc32c));
}

// Only what never changes; and only within one file system.
bool BackupRestore::WantsLink(const Item& item) const {
  const FileType type = RestoredTypeOf(item.db_name);
  return options_.use_link_file_when_available &&
         (type == kTableFile || type == kBlobFile) &&
         item.from.fs.get() == target_.fs;
}

IOStatus BackupRestore::LinkItem(const Item& item, const TransferSource& source,
                                 bool* is_linked) {
  uint32_t crc = 0;
  IOStatus s = DigestSource(source, rules_, nullptr, &crc);
  if (s.ok()) s = CheckRestored(item, crc);
  if (!s.ok()) return s;
  *is_linked =
      target_.fs->LinkFile(source.path, item.to, IOOptions(), nullptr).ok();
  return s;
}

// A database that is opened with the options of its file must not take the logs
// of the source for its own.
IOStatus BackupRestore::CopyOptions(const Item& item,
                                    const TransferSource& source,
                                    const TransferTarget& target) {
  std::string text;
  uint32_t crc = 0;
  IOStatus s = ReadWholeSource(source, rules_, &text, &crc);
  if (s.ok()) s = CheckRestored(item, crc);
  if (!s.ok()) return s;
  std::vector<std::string> families;
  // What cannot be read as options stays as it is.
  if (ParseFamilyNames(source.path, text, &families).ok()) {
    const bool has_wal_dir = target_.wal_dir != target_.db_dir;
    text = OptionsForCopy(text, {}, has_wal_dir ? target_.wal_dir : "");
  }
  return WriteTarget(text, target, rules_, &crc);
}

IOStatus BackupRestore::CopyItem(const Item& item) {
  const BackupFile& file = item.from.file;
  TransferSource source{item.from.fs.get(), item.from.path, file.size_bytes,
                        ReadOnceOptions(file.temperature)};
  if (WantsLink(item)) {
    bool is_linked = false;
    IOStatus s = LinkItem(item, source, &is_linked);
    if (!s.ok() || is_linked) return s;
  }
  TransferTarget target;
  target.fs = target_.fs;
  target.path = item.to;
  target.is_synced = SyncsAll();
  target.temperature = file.temperature;
  if (RestoredTypeOf(item.db_name) == kOptionsFile) {
    return CopyOptions(item, source, target);
  }
  uint32_t crc = 0;
  IOStatus s = CopySource(source, target, rules_, nullptr, &crc);
  if (!s.ok()) return s;
  s = CheckRestored(item, crc);
  if (!s.ok()) {
    IgnoreError(target_.fs->DeleteFile(item.to, IOOptions(), nullptr),
                "without a CURRENT nobody looks at it");
  }
  return s;
}

IOStatus BackupRestore::SyncTarget() {
  if (!SyncsAll()) return IOStatus::OK();
  IOStatus s = SyncDirectory(target_.fs, target_.db_dir, DirFsyncOptions());
  return s.ok() && target_.wal_dir != target_.db_dir
             ? SyncDirectory(target_.fs, target_.wal_dir, DirFsyncOptions())
             : s;
}

IOStatus BackupRestore::Finish() {
  IOStatus s = SyncTarget();
  if (s.ok()) {
    s = target_.fs->RenameFile(target_.db_dir + "/" + kCurrentDraftName,
                               CurrentFileName(target_.db_dir), IOOptions(),
                               nullptr);
  }
  return s.ok() ? SyncTarget() : s;
}

}  // namespace ROCKSDB_NAMESPACE
