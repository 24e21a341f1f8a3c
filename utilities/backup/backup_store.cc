#include "utilities/backup/backup_store.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "file/file_util.h"
#include "file/filename.h"
#include "rocksdb/db.h"
#include "rocksdb/info_log.h"
#include "rocksdb/rate_limiter.h"
#include "util/invariant.h"
#include "utilities/backup/backup_creation.h"
#include "utilities/backup/backup_file_system.h"
#include "utilities/backup/backup_names.h"
#include "utilities/backup/backup_restore.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kMaxAppMetadataBytes = 1 << 20;

IOStatus NoSuchBackup() { return IOStatus::NotFound("Backup not found"); }

std::shared_ptr<RateLimiter> LimiterFor(
    const std::shared_ptr<RateLimiter>& given, uint64_t rate) {
  if (given != nullptr || rate == 0) return given;
  constexpr uint64_t kMaxRate = std::numeric_limits<int64_t>::max();
  return std::shared_ptr<RateLimiter>(
      NewGenericRateLimiter(static_cast<int64_t>(std::min(rate, kMaxRate))));
}

// The env is there, and the rates are limiters.
BackupEngineOptions Completed(const BackupEngineOptions& options, Env* db_env) {
  BackupEngineOptions result = options;
  if (result.backup_env == nullptr) result.backup_env = db_env;
  result.backup_rate_limiter =
      LimiterFor(result.backup_rate_limiter, result.backup_rate_limit);
  result.restore_rate_limiter =
      LimiterFor(result.restore_rate_limiter, result.restore_rate_limit);
  while (result.backup_dir.size() > 1 && result.backup_dir.back() == '/') {
    result.backup_dir.pop_back();
  }
  return result;
}

IOStatus CheckOptions(const BackupEngineOptions& options, BackupAccess access) {
  if (options.backup_dir.empty()) {
    return IOStatus::InvalidArgument("backup_dir is empty");
  }
  if (access == BackupAccess::kReadOnly) {
    return options.destroy_old_data
               ? IOStatus::InvalidArgument(
                     "Can't destroy old data with ReadOnly BackupEngine")
               : IOStatus::OK();
  }
  const std::string schema =
      "schema_version " + std::to_string(options.schema_version);
  if (options.schema_version < 1) return IOStatus::InvalidArgument(schema);
  if (options.schema_version > BackupDescription::kMaxSchema) {
    return IOStatus::NotSupported(schema);
  }
  const auto form = options.share_files_with_checksum_naming &
                    BackupEngineOptions::kMaskNoNamingFlags;
  if (form != BackupEngineOptions::kLegacyCrc32cAndFileSize &&
      form != BackupEngineOptions::kUseDbSessionId) {
    return IOStatus::InvalidArgument(
        "share_files_with_checksum_naming " +
        std::to_string(options.share_files_with_checksum_naming));
  }
  return IOStatus::OK();
}

std::string ParentDirectory(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

BackupStore::BackupStore(const BackupEngineOptions& options, Env* db_env)
    : options_(Completed(options, db_env)),
      db_fs_(db_env->GetFileSystem()),
      fs_(options_.backup_env->GetFileSystem()),
      pool_(options_.max_background_operations),
      catalog_(fs_, options_.backup_dir, options_.info_log) {}

IOStatus BackupStore::Open(const BackupEngineOptions& options, Env* db_env,
                           BackupAccess access,
                           std::unique_ptr<BackupStore>* result) {
  INVARIANT(result != nullptr);
  IOStatus s = CheckOptions(options, access);
  if (!s.ok()) return s;
  Env* env = db_env != nullptr ? db_env : Env::Default();
  auto store = std::make_unique<BackupStore>(options, env);
  store->options_.Dump(options.info_log);
  {
    WriteLock lock(&store->mutex_);
    s = store->Load(access);
    if (s.ok() && options.destroy_old_data) s = store->DestroyAll();
  }
  if (s.ok()) *result = std::move(store);
  return s;
}

IOStatus BackupStore::MakeDirectories() {
  const std::string& root = catalog_.root();
  std::vector<std::string> names;
  if (options_.share_table_files) {
    names.emplace_back(options_.share_files_with_checksum
                           ? kBackupSharedChecksumDir
                           : kBackupSharedDir);
  }
  names.emplace_back(kBackupPrivateDir);
  names.emplace_back(kBackupMetaDir);
  const bool is_new = !fs_->FileExists(root, IOOptions(), nullptr).ok();
  IOStatus s = fs_->CreateDirIfMissing(root, IOOptions(), nullptr);
  if (s.ok() && is_new && options_.sync) {
    s = SyncDirectory(fs_.get(), ParentDirectory(root), DirFsyncOptions());
  }
  for (const std::string& name : names) {
    if (s.ok()) {
      s = fs_->CreateDirIfMissing(catalog_.PathOf(name), IOOptions(), nullptr);
    }
  }
  return s;
}

IOStatus BackupStore::Load(BackupAccess access) {
  size_t max_valid = SIZE_MAX;
  IOStatus s;
  if (access == BackupAccess::kWritable) {
    s = MakeDirectories();
    if (options_.max_valid_backups_to_open != INT_MAX) {
      Warn(options_.info_log,
           "max_valid_backups_to_open is ignored: who writes must know all "
           "backups");
    }
  } else {
    max_valid =
        static_cast<size_t>(std::max(options_.max_valid_backups_to_open, 0));
    const std::string meta = catalog_.PathOf(kBackupMetaDir);
    s = fs_->FileExists(meta, IOOptions(), nullptr);
    if (s.IsNotFound() || s.IsPathNotFound()) {
      s = IOStatus::NotFound(meta + " is missing");
    }
  }
  return s.ok() ? catalog_.Load(max_valid, options_.max_background_operations,
                                options_.backup_rate_limiter.get())
                : s;
}

IOStatus BackupStore::DestroyAll() {
  std::vector<BackupID> ids;
  for (const auto& [id, backup] : catalog_.all()) ids.push_back(id);
  for (const BackupID id : ids) {
    if (IOStatus s = DeleteLocked(id); !s.ok()) return s;
  }
  return Collect({});
}

BackupContext BackupStore::Context() const {
  BackupContext context;
  context.options = &options_;
  context.catalog = &catalog_;
  context.pool = &pool_;
  context.is_stopped = &is_stopped_;
  context.checksums = &checksums_;
  return context;
}

// --- asking

IOStatus BackupStore::FindValid(BackupID id, const Backup** backup) const {
  *backup = catalog_.Find(id);
  return *backup == nullptr ? NoSuchBackup() : (*backup)->status;
}

BackupInfo BackupStore::MakeInfo(const Backup& backup, bool with_files) const {
  const BackupDescription& description = backup.description;
  BackupInfo info(backup.id, description.timestamp, backup.TotalBytes(),
                  static_cast<uint32_t>(description.files.size()),
                  description.app_metadata);
  if (!with_files) return info;
  const std::string directory = catalog_.PathOf(PrivateDirOf(backup.id));
  MovedFiles moved;
  for (const BackupFile& file : description.files) {
    const std::string db_name = DbNameOf(file.path);
    BackupFileInfo details;
    details.relative_filename = file.path;
    details.directory = directory;
    details.size = file.size_bytes;
    details.temperature = file.temperature;
    if (!ParseFileName(db_name, &details.file_number, &details.file_type)) {
      details.file_number = 0;
      details.file_type = kTempFile;
    }
    info.file_details.push_back(std::move(details));
    if (IsSharedPath(file.path)) moved[db_name] = catalog_.PathOf(file.path);
  }
  for (const std::string& path : description.excluded) {
    info.excluded_files.emplace_back(path);
  }
  info.name_for_open = directory;
  info.env_for_open = NewBackupEnv(fs_, directory, std::move(moved));
  return info;
}

Status BackupStore::LatestInfo(BackupInfo* info, bool with_files) const {
  if (info == nullptr) return Status::InvalidArgument("backup_info is null");
  ReadLock lock(&mutex_);
  const Backup* backup = catalog_.NewestValid();
  if (backup == nullptr) return NoSuchBackup();
  *info = MakeInfo(*backup, with_files);
  return Status::OK();
}

Status BackupStore::Info(BackupID id, BackupInfo* info, bool with_files) const {
  if (info == nullptr) return Status::InvalidArgument("backup_info is null");
  ReadLock lock(&mutex_);
  const Backup* backup = nullptr;
  const IOStatus s = FindValid(id, &backup);
  if (s.ok()) *info = MakeInfo(*backup, with_files);
  return s;
}

void BackupStore::AllInfo(std::vector<BackupInfo>* infos,
                          bool with_files) const {
  if (infos == nullptr) return;
  infos->clear();
  ReadLock lock(&mutex_);
  for (const auto& [id, backup] : catalog_.all()) {
    if (backup.status.ok()) infos->push_back(MakeInfo(backup, with_files));
  }
}

void BackupStore::Damaged(std::vector<BackupID>* ids) const {
  if (ids == nullptr) return;
  ids->clear();
  ReadLock lock(&mutex_);
  for (const auto& [id, backup] : catalog_.all()) {
    if (!backup.status.ok()) ids->push_back(id);
  }
}

bool BackupStore::FindFile(const std::string& path, const BackupCatalog* asker,
                           FoundBackupFile* result) const {
  INVARIANT(result != nullptr);
  // It holds the lock.
  if (asker == &catalog_) return false;
  ReadLock lock(&mutex_);
  const BackupFile* file = catalog_.FindShared(path);
  if (file == nullptr) return false;
  *result = {fs_, catalog_.PathOf(path), *file};
  return true;
}

// --- reading

IOStatus BackupStore::VerifyFile(const BackupFile& file,
                                 const std::string& path,
                                 bool with_checksum) const {
  uint64_t size = 0;
  IOStatus s = fs_->GetFileSize(path, IOOptions(), &size, nullptr);
  if (s.IsNotFound() || s.IsPathNotFound()) {
    return IOStatus::NotFound("File missing: " + path);
  }
  if (!s.ok()) return s;
  if (size != file.size_bytes) {
    return IOStatus::Corruption(
        "File corruption! File size mismatch for " + path + ". Expected: " +
        std::to_string(file.size_bytes) + ", got: " + std::to_string(size));
  }
  if (!with_checksum || !file.has_crc32c) return s;
  TransferRules rules;
  rules.is_stopped = &is_stopped_;
  rules.limiter = options_.backup_rate_limiter.get();
  rules.buffer_bytes = TransferBufferBytes(options_, rules.limiter);
  TransferSource source;
  source.fs = fs_.get();
  source.path = path;
  source.size_bytes = size;
  source.options.temperature = file.temperature;
  source.options.use_uncached_io = true;
  uint32_t crc = 0;
  s = DigestSource(source, rules, nullptr, &crc);
  if (s.ok() && crc != file.crc32c) {
    s = IOStatus::Corruption("File corruption! Checksum mismatch for " + path +
                             ". Expected: " + std::to_string(file.crc32c) +
                             ", got: " + std::to_string(crc));
  }
  return s;
}

IOStatus BackupStore::Verify(BackupID id, bool with_checksum) const {
  ReadLock lock(&mutex_);
  const Backup* backup = nullptr;
  IOStatus s = FindValid(id, &backup);
  if (!s.ok()) return s;
  if (with_checksum && is_stopped_.load()) return BackupStopped();
  std::vector<TransferPool::Job> jobs;
  for (const BackupFile& file : backup->description.files) {
    jobs.emplace_back(
        [this, &file, path = catalog_.PathOf(file.path), with_checksum] {
          return VerifyFile(file, path, with_checksum);
        });
  }
  return pool_.RunAll(jobs);
}

IOStatus BackupStore::Restore(const RestoreOptions& options, const BackupID* id,
                              const std::string& db_dir,
                              const std::string& wal_dir) const {
  ReadLock lock(&mutex_);
  const Backup* backup = nullptr;
  if (id != nullptr) {
    IOStatus s = FindValid(*id, &backup);
    if (!s.ok()) return s;
  } else {
    backup = catalog_.NewestValid();
    if (backup == nullptr) return NoSuchBackup();
    for (auto it = catalog_.all().upper_bound(backup->id);
         it != catalog_.all().end(); ++it) {
      Warn(options_.info_log, "Backup %u is newer than %u, but damaged: %s",
           it->first, backup->id, it->second.status.ToString().c_str());
    }
  }
  RestoreTarget target;
  target.fs = db_fs_.get();
  target.db_dir = NormalizePath(db_dir);
  target.wal_dir = NormalizePath(wal_dir);
  // One directory may have two names, and what is kept under the one must not
  // be deleted under the other.
  bool is_same = false;
  const IOStatus told = db_fs_->AreFilesSame(target.db_dir, target.wal_dir,
                                             IOOptions(), &is_same, nullptr);
  if (told.ok() && is_same) target.wal_dir = target.db_dir;
  const BackupContext context = Context();
  IOStatus s = BackupRestore(context, options, target).Run(*backup);
  ROCKSDB_NAMESPACE::Info(options_.info_log, "Restore of backup %u to %s: %s",
                          backup->id, db_dir.c_str(), s.ToString().c_str());
  return s;
}

// --- making

IOStatus BackupStore::CheckCreate(const CreateBackupOptions& options,
                                  const std::string& app_metadata) const {
  if (is_stopped_.load()) return BackupStopped();
  if (app_metadata.size() > kMaxAppMetadataBytes) {
    return IOStatus::InvalidArgument("App metadata too large");
  }
  if (options.exclude_files_callback && options_.schema_version < 2) {
    return IOStatus::InvalidArgument(
        "exclude_files_callback requires schema_version >= 2");
  }
  return IOStatus::OK();
}

// Whatever an earlier attempt has left of this id, on disk or listed.
IOStatus BackupStore::ClearWayFor(BackupID id, const CopiedFileMap& found) {
  const std::string meta = catalog_.MetaPathOf(id);
  const std::string directory = catalog_.PathOf(PrivateDirOf(id));
  bool has_left = has_failed_;
  for (const std::string& path : {meta, directory}) {
    const IOStatus s = fs_->FileExists(path, IOOptions(), nullptr);
    if (s.ok()) has_left = true;
    if (!s.ok() && !s.IsNotFound() && !s.IsPathNotFound()) return s;
  }
  if (!has_left) return IOStatus::OK();
  IOStatus s = DeleteFileIfExists(fs_.get(), meta);
  if (s.ok()) s = Collect(found);
  if (s.ok()) has_failed_ = false;
  return s;
}

IOStatus BackupStore::CreateLocked(const CreateBackupOptions& options, DB* db,
                                   const std::string& app_metadata,
                                   BackupID* new_id) {
  const BackupID id = catalog_.largest_id() + 1;
  if (id == 0) return IOStatus::InvalidArgument("no backup id is left");
  CopiedFileMap found = FindCopiedFiles(catalog_);
  if (IOStatus s = ClearWayFor(id, found); !s.ok()) return s;
  if (options.decrease_background_thread_cpu_priority) {
    pool_.LowerCpuPriority(options.background_thread_cpu_priority);
  }
  // Those that are not used now are garbage.
  if (!found.empty()) may_have_garbage_ = true;
  const BackupContext context = Context();
  BackupCreation creation(context, options, db, id, std::move(found));
  Backup made;
  IOStatus s = creation.Run(app_metadata, &made);
  if (!s.ok()) {
    creation.Undo(s);
    has_failed_ = true;
    return s;
  }
  catalog_.Add(std::move(made));
  if (new_id != nullptr) *new_id = id;
  return s;
}

IOStatus BackupStore::Create(const CreateBackupOptions& options, DB* db,
                             const std::string& app_metadata,
                             BackupID* new_id) {
  if (db == nullptr) return IOStatus::InvalidArgument("db is null");
  WriteLock lock(&mutex_);
  IOStatus s = CheckCreate(options, app_metadata);
  if (s.ok()) s = CreateLocked(options, db, app_metadata, new_id);
  if (s.ok()) {
    statistics_.IncrementNumberSuccessBackup();
  } else {
    statistics_.IncrementNumberFailBackup();
  }
  ROCKSDB_NAMESPACE::Info(options_.info_log, "Backup of %s: %s; %s",
                          db->GetName().c_str(), s.ToString().c_str(),
                          statistics_.ToString().c_str());
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
