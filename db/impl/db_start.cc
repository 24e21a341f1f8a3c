// DBImpl: starting. Directories are made, versions and logs recovered, the
// first log and the OPTIONS file written.
#include <algorithm>

#include "db/background/background_scheduler.h"
#include "db/family/sequence_ages.h"
#include "db/files/file_access_chooser.h"
#include "db/files/file_room.h"
#include "db/files/log_keeper.h"
#include "db/files/obsolete_files.h"
#include "db/files/space_reserve.h"
#include "db/impl/db_impl.h"
#include "db/impl/log_head.h"
#include "db/intake/changes.h"
#include "db/intake/family_changes.h"
#include "db/intake/family_memtables.h"
#include "db/intake/intake.h"
#include "db/intake/section_keeper.h"
#include "db/jobs/compaction_queue.h"
#include "db/observe/observatory.h"
#include "db/recovery/catch_up.h"
#include "db/recovery/follower_part.h"
#include "db/recovery/home_directory.h"
#include "db/recovery/log_recovery.h"
#include "db/version/column_family.h"
#include "db/version/version_set.h"
#include "db/wal/prepared_sections.h"
#include "file/auto_roll_logger.h"
#include "monitoring/io_activity.h"
#include "monitoring/thread_tracking.h"
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
  const TrackedOperation tracked(
      {.is_enabled = base_.options.enable_thread_tracking,
       .type = ThreadStatus::OP_DBOPEN,
       .db_name = base_.name});
  Status s = space_->Check();
  if (s.ok()) s = PrepareDirectories();
  if (s.ok()) s = ChooseFileAccess(families);
  if (s.ok()) s = LoadVersions(families);
  size_t told = 0;
  if (s.ok()) {
    LogFamilies(versions_->families()->all(), &told, base_.options.logger);
  }
  const bool only_reads = mode_ != Mode::kReadWrite;
  if (s.ok() && ReadsLogs() && only_reads && !RecoversWithBestEfforts()) {
    s = catch_up_->Run(error_if_wal_file_exists ? CatchUp::FoundLogs::kRefused
                                                : CatchUp::FoundLogs::kRead);
  } else if (s.ok() && ReadsLogs()) {
    MutexLock lock(&base_.mutex);
    s = RecoverLogs();
    if (s.ok() && mode_ == Mode::kReadWrite) {
      s = CreateMissingFamilies();
      if (s.ok()) s = on_demand_->families()->WriteOptionsFile();
    }
  }
  if (!s.ok()) return s;
  LogFamilies(versions_->families()->all(), &told, base_.options.logger);
  s = OpenHandles(families, handles);
  if (!s.ok()) return s;
  opened_ = true;
  if (mode_ == Mode::kReadWrite) {
    const ObsoleteFiles::PurgeAtEnd purge(obsolete_.get());
    obsolete_->Arm();
    logs_->StartArchive();
    space_->Track();
    file_room_->ScanAtOpen();
    obsolete_->Purge();
    logs_->PruneArchive();
    ages_->Learn();
    ages_->Restart();
    logs_->Precreate(*base_.current.Get());
    MutexLock lock(&base_.mutex);
    background_->Open();
    compactions_->AddAll();
    background_->MaybeSchedule();
    // The first write finds out what the limits are.
    attention_.Ask();
  }
  if (base_.options.persist_stats_to_disk && mode_ != Mode::kCompactor) {
    if (s = SetUpPersistentStats(); !s.ok()) return s;
  }
  observatory_->Start(*base_.current.Get());
  if (mode_ == Mode::kReadWrite) compactions_->StartAgeChecks();
  if (follower_ != nullptr) s = follower_->Start();
  ROCKSDB_NAMESPACE::Info(base_.options.logger, "opened %s",
                          base_.name.c_str());
  return s;
}

Status DBImpl::RecoverLogs() {
  LogRecovery recovery(LogRecovery::Context{
      .db = &base_.options,
      .db_name = base_.name,
      .wal_dir = base_.wal_dir,
      .mutex = &base_.mutex,
      .options = &base_.current,
      .families = families_.get(),
      .versions = versions_.get(),
      .directory = home_->directory(),
      .publisher = publisher_.get(),
      .jobs = jobs_.get(),
      .memory = memory_.get(),
      .logs = logs_.get(),
      .targets = intake_ != nullptr ? intake_->targets() : nullptr});
  if (RecoversWithBestEfforts()) return recovery.LeaveLogs();
  const Status s = recovery.Replay();
  if (s.ok()) sections_->Recover(recovery.prepared());
  return s;
}

// Only who may write a database makes a LOG in it.
void DBImpl::OpenInfoLog() {
  if (base_.options.info_log == nullptr && mode_ == Mode::kReadWrite) {
    std::shared_ptr<Logger> logger;
    const Status s =
        CreateLoggerFromOptions(base_.name, base_.options, &logger);
    // A database whose log cannot be written still works.
    if (s.ok()) base_.options.info_log = logger;
    base_.options.logger = base_.options.info_log.get();
  }
  WriteLogHead({.options = base_.options,
                .db_name = base_.name,
                .wal_dir = base_.wal_dir,
                .session_id = base_.session_id});
}

Status DBImpl::ChooseFileAccess(
    const std::vector<ColumnFamilyDescriptor>& families) {
  INVARIANT(versions_ == nullptr);
  std::vector<std::string> paths{base_.name};
  for (const DbPath& path : base_.options.db_paths) paths.push_back(path.path);
  for (const ColumnFamilyDescriptor& family : families) {
    for (const DbPath& path : family.options.cf_paths) {
      paths.push_back(path.path);
    }
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  MutableDBOptions chosen(base_.options);
  Status s = file_access_->ChooseAtOpen(paths, &chosen);
  if (!s.ok()) return s;
  MutexLock lock(&base_.mutex);
  base_.current.Set(chosen);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
