// DB::Open() and its kin: options checked, directories made, versions and logs
// recovered, the first log and the OPTIONS file written.
#include "db/impl/builtin_objects.h"
#include "db/impl/db_impl.h"
#include "db/impl/obsolete_files.h"
#include "db/impl/wal_archive.h"
#include "db/impl/wal_manager.h"
#include "file/auto_roll_logger.h"
#include "monitoring/io_activity.h"
#include "monitoring/thread_tracking.h"
#include "options/constraints.h"
#include "options/sanitize.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

const std::string kDefaultColumnFamilyName("default");

namespace {

Status CheckOptions(const DBOptions& db_options,
                    const std::vector<ColumnFamilyDescriptor>& families) {
  if (Status s = ValidateDBOptions(db_options); !s.ok()) return s;
  for (const ColumnFamilyDescriptor& family : families) {
    Status s = ValidateColumnFamilyOptions(db_options, family.options);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

// A handle was asked for by name twice, or the default family is not listed.
Status CheckFamilies(const std::vector<ColumnFamilyDescriptor>& families) {
  bool has_default = false;
  for (size_t i = 0; i < families.size(); ++i) {
    if (families[i].name.empty()) {
      return Status::InvalidArgument("a column family has an empty name");
    }
    has_default = has_default || families[i].name == kDefaultColumnFamilyName;
    for (size_t j = 0; j < i; ++j) {
      if (families[i].name == families[j].name) {
        return Status::InvalidArgument("column family listed twice",
                                       families[i].name);
      }
    }
  }
  if (!has_default) {
    return Status::InvalidArgument("default column family not specified");
  }
  return Status::OK();
}

struct OpenRequest {
  const DBOptions& options;
  const std::string& name;
  const std::vector<ColumnFamilyDescriptor>& families;
  DBImpl::Mode mode = DBImpl::Mode::kReadWrite;
  bool error_if_wal_file_exists = false;
};

Status OpenImpl(const OpenRequest& request,
                std::vector<ColumnFamilyHandle*>* handles,
                std::unique_ptr<DB>* dbptr) {
  INVARIANT(dbptr != nullptr);
  dbptr->reset();
  EnsureBuiltinObjects();
  if (handles != nullptr) handles->clear();
  Status s = CheckFamilies(request.families);
  if (s.ok()) s = CheckOptions(request.options, request.families);
  if (!s.ok()) return s;
  DBOptions sanitized = SanitizeDBOptions(request.name, request.options);
  auto db = std::make_unique<DBImpl>(sanitized, request.name, request.mode);
  s = db->Start(request.families, request.error_if_wal_file_exists, handles);
  if (!s.ok()) {
    if (handles != nullptr) {
      for (ColumnFamilyHandle* handle : *handles) {
        const std::unique_ptr<ColumnFamilyHandle> owned(handle);
      }
      handles->clear();
    }
    return s;
  }
  *dbptr = std::move(db);
  INVARIANT(*dbptr != nullptr);
  return s;
}

// The forms whose result is a plain pointer.
template <class Open>
Status ToPlainPointer(const Open& open, DB** dbptr) {
  INVARIANT(dbptr != nullptr);
  std::unique_ptr<DB> db;
  Status s = open(&db);
  INVARIANT(s.ok() == (db != nullptr));
  *dbptr = db.release();
  return s;
}

// The forms for the default family alone.
Status OpenDefault(const Options& options, const std::string& name,
                   DBImpl::Mode mode, bool error_if_wal_file_exists,
                   std::unique_ptr<DB>* dbptr) {
  INVARIANT(dbptr != nullptr);
  const std::vector<ColumnFamilyDescriptor> families{
      {kDefaultColumnFamilyName, ColumnFamilyOptions(options)}};
  const DBOptions db_options(options);
  return OpenImpl({db_options, name, families, mode, error_if_wal_file_exists},
                  nullptr, dbptr);
}

// How often a secondary instance tries to open what its primary changes.
constexpr int kTriesToFollow = 5;

}  // namespace

Status DB::Open(const Options& options, const std::string& name,
                std::unique_ptr<DB>* dbptr) {
  INVARIANT(dbptr != nullptr);
  return OpenDefault(options, name, DBImpl::Mode::kReadWrite, false, dbptr);
}

Status DB::Open(const Options& options, const std::string& name, DB** dbptr) {
  INVARIANT(dbptr != nullptr);
  return ToPlainPointer(
      [&](std::unique_ptr<DB>* db) { return Open(options, name, db); }, dbptr);
}

Status DB::Open(const DBOptions& db_options, const std::string& name,
                const std::vector<ColumnFamilyDescriptor>& column_families,
                std::vector<ColumnFamilyHandle*>* handles,
                std::unique_ptr<DB>* dbptr) {
  INVARIANT(dbptr != nullptr);
  return OpenImpl({db_options, name, column_families}, handles, dbptr);
}

Status DB::Open(const DBOptions& db_options, const std::string& name,
                const std::vector<ColumnFamilyDescriptor>& column_families,
                std::vector<ColumnFamilyHandle*>* handles, DB** dbptr) {
  INVARIANT(dbptr != nullptr);
  return ToPlainPointer(
      [&](std::unique_ptr<DB>* db) {
        return Open(db_options, name, column_families, handles, db);
      },
      dbptr);
}

Status DB::OpenForReadOnly(const Options& options, const std::string& name,
                           std::unique_ptr<DB>* dbptr,
                           bool error_if_wal_file_exists) {
  INVARIANT(dbptr != nullptr);
  return OpenDefault(options, name, DBImpl::Mode::kReadOnly,
                     error_if_wal_file_exists, dbptr);
}

Status DB::OpenForReadOnly(const Options& options, const std::string& name,
                           DB** dbptr, bool error_if_wal_file_exists) {
  INVARIANT(dbptr != nullptr);
  return ToPlainPointer(
      [&](std::unique_ptr<DB>* db) {
        return OpenForReadOnly(options, name, db, error_if_wal_file_exists);
      },
      dbptr);
}

Status DB::OpenForReadOnly(
    const DBOptions& db_options, const std::string& name,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr,
    bool error_if_wal_file_exists) {
  INVARIANT(dbptr != nullptr);
  return OpenImpl({db_options, name, column_families, DBImpl::Mode::kReadOnly,
                   error_if_wal_file_exists},
                  handles, dbptr);
}

Status DB::OpenForReadOnly(
    const DBOptions& db_options, const std::string& name,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, DB** dbptr,
    bool error_if_wal_file_exists) {
  INVARIANT(dbptr != nullptr);
  return ToPlainPointer(
      [&](std::unique_ptr<DB>* db) {
        return OpenForReadOnly(db_options, name, column_families, handles, db,
                               error_if_wal_file_exists);
      },
      dbptr);
}

Status DB::OpenAsSecondary(const Options& options, const std::string& name,
                           const std::string& secondary_path,
                           std::unique_ptr<DB>* dbptr) {
  const std::vector<ColumnFamilyDescriptor> families{
      {kDefaultColumnFamilyName, ColumnFamilyOptions(options)}};
  std::vector<ColumnFamilyHandle*> handles;
  Status s = OpenAsSecondary(DBOptions(options), name, secondary_path, families,
                             &handles, dbptr);
  for (ColumnFamilyHandle* handle : handles) {
    const std::unique_ptr<ColumnFamilyHandle> owned(handle);
  }
  return s;
}

Status DB::OpenAsSecondary(const Options& options, const std::string& name,
                           const std::string& secondary_path, DB** dbptr) {
  INVARIANT(dbptr != nullptr);
  return ToPlainPointer(
      [&](std::unique_ptr<DB>* db) {
        return OpenAsSecondary(options, name, secondary_path, db);
      },
      dbptr);
}

Status DB::OpenAsSecondary(
    const DBOptions& db_options, const std::string& name,
    const std::string& secondary_path,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr) {
  INVARIANT(dbptr != nullptr && handles != nullptr);
  DBOptions options = db_options;
  // The primary is in the middle of its last record.
  options.wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  if (options.info_log == nullptr) {
    // Not in the directory of the primary, which writes its own there.
    // Without a directory there is no log, and without it reads go on.
    std::shared_ptr<Logger> logger;
    Status logged = options.env->CreateDirIfMissing(secondary_path);
    if (logged.ok()) {
      logged = CreateLoggerFromOptions(secondary_path, options, &logger);
    }
    if (logged.ok()) options.info_log = logger;
  }
  // What the manifest names may go while it is being opened.
  Status s;
  for (int i = 0; i < kTriesToFollow; ++i) {
    s = OpenImpl({options, name, column_families, DBImpl::Mode::kSecondary},
                 handles, dbptr);
    if (!s.IsCorruption() && !s.IsNotFound() && !s.IsPathNotFound() &&
        !s.IsTryAgain()) {
      break;
    }
  }
  return s;
}

Status DB::OpenAsSecondary(
    const DBOptions& db_options, const std::string& name,
    const std::string& secondary_path,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, DB** dbptr) {
  INVARIANT(dbptr != nullptr);
  return ToPlainPointer(
      [&](std::unique_ptr<DB>* db) {
        return OpenAsSecondary(db_options, name, secondary_path,
                               column_families, handles, db);
      },
      dbptr);
}

Status DBImpl::Start(const std::vector<ColumnFamilyDescriptor>& families,
                     bool error_if_wal_file_exists,
                     std::vector<ColumnFamilyHandle*>* handles) {
  INVARIANT(versions_ == nullptr);
  INVARIANT(!opened_);
  INVARIANT(!closed_);
  const IoActivityScope activity(Env::IOActivity::kDBOpen);
  const TrackedOperation tracked({.is_enabled = options_.enable_thread_tracking,
                                  .type = ThreadStatus::OP_DBOPEN,
                                  .db_name = name_});
  Status s = CheckSpaceManager();
  if (s.ok()) s = PrepareDirectories();
  if (s.ok()) s = ChooseFileAccessAtOpen(families);
  if (s.ok()) s = LoadVersions(families);
  if (s.ok() && mode_ == Mode::kSecondary) {
    s = TryCatchUpWithPrimary();
  } else if (s.ok() && mode_ != Mode::kCompactor) {
    MutexLock lock(&mutex_);
    s = ReplayLogs(error_if_wal_file_exists);
    if (s.ok() && mode_ == Mode::kReadWrite) {
      s = CreateMissingFamilies();
      if (s.ok()) s = WriteOptionsFile();
    }
  }
  if (!s.ok()) return s;
  s = OpenHandles(families, handles);
  if (!s.ok()) return s;
  opened_ = true;
  if (mode_ == Mode::kReadWrite) {
    obsolete_->Arm();
    SetUpWalArchive();
    TrackFiles();
    ScanAtOpen();
    obsolete_->Purge();
    archive_->Prune();
    LearnSequenceTimes();
    StartSequenceClock();
    PrecreateLog(MutableDBOptions(GetDBOptions()));
    MutexLock lock(&mutex_);
    for (const auto& entry : families_)
      QueueCompaction(entry.second->cfd.get());
    MaybeSchedule();
  }
  if (options_.persist_stats_to_disk && mode_ != Mode::kCompactor) {
    if (s = SetUpPersistentStats(); !s.ok()) return s;
  }
  if (options_.stats != nullptr) TakeStatsSnapshot();
  StartStatsTasks();
  if (mode_ == Mode::kReadWrite) StartAgeChecks();
  ROCKSDB_NAMESPACE::Info(options_.logger, "opened %s", name_.c_str());
  return s;
}

Status DBImpl::LoadVersions(
    const std::vector<ColumnFamilyDescriptor>& families) {
  INVARIANT(obsolete_ != nullptr);
  VersionSet::Context context;
  context.db_path = name_;
  context.db = &options_;
  context.file_options = file_options_;
  context.families = FamilyContext();
  context.sink = obsolete_;
  context.mutex = &mutex_;
  versions_ = std::make_unique<VersionSet>(std::move(context));
  MutexLock lock(&mutex_);
  VersionSet::RecoverOptions options;
  options.read_only = mode_ != Mode::kReadWrite;
  options.create_missing_families = options_.create_missing_column_families;
  options.best_efforts = RecoversWithBestEfforts();
  Status s = versions_->Recover(families, options);
  if (!s.ok()) return s;
  for (const ColumnFamilyRef& cfd : versions_->families()->all()) {
    if (s = AttachFamily(cfd); !s.ok()) return s;
  }
  default_cfd_ = versions_->families()->default_family();
  INVARIANT(default_cfd_ != nullptr);
  INVARIANT(default_cfd_->id() == 0);
  return mode_ == Mode::kReadWrite ? EnsureIdentity() : Status::OK();
}

Status DBImpl::AttachFamily(const ColumnFamilyRef& cfd) {
  INVARIANT(cfd != nullptr);
  INVARIANT(families_.count(cfd->id()) == 0);
  const int level_count = cfd->ioptions().num_levels;
  INVARIANT(level_count > 0);
  auto family = std::make_shared<Family>(level_count);
  family->cfd = cfd;
  family->picker = NewCompactionPicker(cfd->ioptions());
  INVARIANT(family->picker != nullptr);
  for (const std::string& path : cfd->tables()->paths()) {
    std::unique_ptr<FSDirectory> directory;
    if (mode_ == Mode::kReadWrite) {
      Status s = options_.fs->CreateDirIfMissing(path, IOOptions(), nullptr);
      if (s.ok()) {
        s = options_.fs->NewDirectory(path, IOOptions(), &directory, nullptr);
      }
      if (!s.ok()) return s;
    }
    family->directories.push_back(std::move(directory));
  }
  if (cfd->mem() == nullptr) {
    cfd->SwitchMemTable(cfd->NewMemTable(versions_->LastSequence()));
  }
  INVARIANT(cfd->mem() != nullptr);
  INVARIANT(!family->directories.empty());
  families_[cfd->id()] = std::move(family);
  if (const size_t size = cfd->order().timestamp_size(); size != 0) {
    if (wal_ != nullptr) wal_->NoteTimestamps(cfd->id(), size);
    // release: pairs with the acquire in CheckWrite().
    has_timestamps_.store(true, std::memory_order_release);
  }
  PublishFamily(cfd.get());
  return Status::OK();
}

Status DBImpl::CreateMissingFamilies() {
  INVARIANT(wal_ != nullptr);
  INVARIANT(wal_->current_number() > 0);
  const std::vector<ColumnFamilyDescriptor> missing =
      versions_->missing_families();
  for (const ColumnFamilyDescriptor& descriptor : missing) {
    ColumnFamilyData* cfd = nullptr;
    Status s = versions_->CreateFamily(
        descriptor.name,
        SanitizeColumnFamilyOptions(options_, descriptor.options),
        wal_->current_number(), db_directory_.get(), &cfd);
    if (s.ok()) s = AttachFamily(cfd->shared_from_this());
    if (!s.ok()) return s;
    cfd->mem()->set_log_number(wal_->current_number());
  }
  return Status::OK();
}

Status DBImpl::OpenHandles(const std::vector<ColumnFamilyDescriptor>& families,
                           std::vector<ColumnFamilyHandle*>* handles) {
  MutexLock lock(&mutex_);
  INVARIANT(default_cfd_ != nullptr);
  INVARIANT(default_handle_ == nullptr);
  default_handle_.reset(NewHandle(default_cfd_->shared_from_this()));
  if (handles == nullptr) return Status::OK();
  for (const ColumnFamilyDescriptor& descriptor : families) {
    ColumnFamilyData* cfd = versions_->families()->Find(descriptor.name);
    if (cfd == nullptr) {
      return Status::InvalidArgument("column family not found",
                                     descriptor.name);
    }
    handles->push_back(NewHandle(cfd->shared_from_this()));
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
