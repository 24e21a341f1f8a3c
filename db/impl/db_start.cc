// DBImpl: starting. Directories are made, versions and logs recovered, the
// first log and the OPTIONS file written.
#include <algorithm>

#include "db/family/sequence_ages.h"
#include "db/files/file_room.h"
#include "db/files/obsolete_files.h"
#include "db/impl/db_impl.h"
#include "db/impl/log_head.h"
#include "db/jobs/compaction_queue.h"
#include "db/observe/observatory.h"
#include "db/recovery/catch_up.h"
#include "db/recovery/follower_part.h"
#include "db/version/linked_files.h"
#include "db/wal/wal_archive.h"
#include "db/wal/wal_manager.h"
#include "file/auto_roll_logger.h"
#include "monitoring/io_activity.h"
#include "monitoring/thread_tracking.h"
#include "options/sanitize.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Tells LOG of those families that it has not been told of.
void LogFamilies(const std::vector<ColumnFamilyRef>& families, size_t* told,
                 Logger* logger) {
  for (; *told < families.size(); ++*told) {
    const ColumnFamilyRef& cfd = families[*told];
    LogFamily(cfd->name(), cfd->CopyOptions(), *told, HEADER_LEVEL, logger);
  }
}

}  // namespace

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
  Status s = space_.Check();
  if (s.ok()) s = PrepareDirectories();
  if (s.ok()) s = ChooseFileAccess(families);
  if (s.ok()) s = LoadVersions(families);
  size_t told = 0;
  if (s.ok()) {
    LogFamilies(versions_->families()->all(), &told, options_.logger);
  }
  const bool only_reads = mode_ != Mode::kReadWrite;
  if (s.ok() && ReadsLogs() && only_reads && !RecoversWithBestEfforts()) {
    s = catch_up_->Run(error_if_wal_file_exists ? CatchUp::FoundLogs::kRefused
                                                : CatchUp::FoundLogs::kRead);
  } else if (s.ok() && ReadsLogs()) {
    MutexLock lock(&mutex_);
    s = ReplayLogs();
    if (s.ok() && mode_ == Mode::kReadWrite) {
      s = CreateMissingFamilies();
      if (s.ok()) s = WriteOptionsFile();
    }
  }
  if (!s.ok()) return s;
  LogFamilies(versions_->families()->all(), &told, options_.logger);
  s = OpenHandles(families, handles);
  if (!s.ok()) return s;
  opened_ = true;
  if (mode_ == Mode::kReadWrite) {
    const ObsoleteFiles::PurgeAtEnd purge(obsolete_.get());
    obsolete_->Arm();
    SetUpWalArchive();
    space_.Track(&mutex_, &families_);
    file_room_->ScanAtOpen();
    obsolete_->Purge();
    archive_->Prune();
    ages_->Learn();
    ages_->Restart();
    PrecreateLog(*mutable_options_.Get());
    MutexLock lock(&mutex_);
    background_.Open();
    compactions_->AddAll();
    background_.MaybeSchedule();
    // The first write finds out what the limits are.
    attention_.Ask();
  }
  if (options_.persist_stats_to_disk && mode_ != Mode::kCompactor) {
    if (s = SetUpPersistentStats(); !s.ok()) return s;
  }
  observatory_->Start(*mutable_options_.Get());
  if (mode_ == Mode::kReadWrite) compactions_->StartAgeChecks();
  if (follower_ != nullptr) s = follower_->Start();
  ROCKSDB_NAMESPACE::Info(options_.logger, "opened %s", name_.c_str());
  return s;
}

// Only who may write a database makes a LOG in it.
void DBImpl::OpenInfoLog() {
  if (options_.info_log == nullptr && mode_ == Mode::kReadWrite) {
    std::shared_ptr<Logger> logger;
    const Status s = CreateLoggerFromOptions(name_, options_, &logger);
    // A database whose log cannot be written still works.
    if (s.ok()) options_.info_log = logger;
    options_.logger = options_.info_log.get();
  }
  WriteLogHead({.options = options_,
                .db_name = name_,
                .wal_dir = wal_dir_,
                .session_id = session_id_});
}

Status DBImpl::ChooseFileAccess(
    const std::vector<ColumnFamilyDescriptor>& families) {
  INVARIANT(versions_ == nullptr);
  std::vector<std::string> paths{name_};
  for (const DbPath& path : options_.db_paths) paths.push_back(path.path);
  for (const ColumnFamilyDescriptor& family : families) {
    for (const DbPath& path : family.options.cf_paths) {
      paths.push_back(path.path);
    }
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  MutableDBOptions chosen(options_);
  Status s = file_access_.ChooseAtOpen(paths, &chosen);
  if (!s.ok()) return s;
  MutexLock lock(&mutex_);
  mutable_options_.Set(chosen);
  return s;
}

Status DBImpl::LoadVersions(
    const std::vector<ColumnFamilyDescriptor>& families) {
  INVARIANT(obsolete_ != nullptr);
  VersionSet::Context context;
  context.db_path = source_;
  context.db = &options_;
  context.file_options = file_options_;
  context.families = FamilyContext();
  context.sink = obsolete_;
  if (follower_ != nullptr) {
    context.sink = follower_->links();
    context.links = follower_->links().get();
  }
  context.mutex = &mutex_;
  versions_ = std::make_unique<VersionSet>(std::move(context));
  ages_ = std::make_unique<SequenceAges>(&options_, &mutex_, &families_,
                                         versions_.get());
  if (mode_ == Mode::kReadWrite) {
    SetUpFileRoom();
  } else {
    SetUpCatchUp();
  }
  SetUpReadPort();
  SetUpJobs();
  SetUpObservatory();
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
  INVARIANT(!families_.Has(cfd->id()));
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
  families_.Add(std::move(family));
  if (const size_t size = cfd->order().timestamp_size(); size != 0) {
    if (wal_ != nullptr) wal_->NoteTimestamps(cfd->id(), size);
    // release: pairs with the acquire in CheckWrite(), as below.
    has_timestamps_.store(true, std::memory_order_release);
  }
  if (cfd->ioptions().merge_operator == nullptr) {
    lacks_merges_.store(true, std::memory_order_release);
  }
  publisher_.Publish(cfd.get());
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
      return Status::InvalidArgument("Column family not found",
                                     descriptor.name);
    }
    handles->push_back(NewHandle(cfd->shared_from_this()));
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
