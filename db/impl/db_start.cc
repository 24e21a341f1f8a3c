// EngineDB: starting: the steps that every kind of database takes, and what LOG
// is told meanwhile.
#include <algorithm>

#include "db/family/column_family.h"
#include "db/files/file_access_chooser.h"
#include "db/files/space_reserve.h"
#include "db/impl/engine_db.h"
#include "db/impl/log_head.h"
#include "db/manifest/version_set.h"
#include "db/observe/observatory.h"
#include "db/observe/persistent_stats.h"
#include "db/registry/family_handle.h"
#include "db/registry/family_registry.h"
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

Status NoSuchFile(const std::string& path) {
  return Status::PathNotFound(
      "While opening a file for sequentially reading: " + path,
      "No such file or directory");
}

Status EngineDB::Start(const Families& families, Handles* handles) {
  INVARIANT(versions_ == nullptr);
  INVARIANT(!opened_ && !closed_);
  const IoActivityScope activity(Env::IOActivity::kDBOpen);
  const TrackedOperation tracked(
      {.is_enabled = base_.options.enable_thread_tracking,
       .type = ThreadStatus::OP_DBOPEN,
       .db_name = base_.name});
  Status s = files_->space()->Check();
  if (s.ok()) s = PrepareDirectories();
  if (s.ok()) s = ChooseFileAccess(families);
  if (s.ok()) s = LoadVersions(families);
  if (!s.ok()) return s;
  size_t told = 0;
  LogFamilies(versions_->families()->all(), &told, base_.options.logger);
  if (s = ReadLogs(); !s.ok()) return s;
  LogFamilies(versions_->families()->all(), &told, base_.options.logger);
  if (s = OpenHandles(families, handles); !s.ok()) return s;
  opened_ = true;
  if (s = BeginWork(); !s.ok()) return s;
  if (OpensTablesLater()) OpenTablesInBackground();
  Info(base_.options.logger, "opened %s", base_.name.c_str());
  return s;
}

void EngineDB::OpenTablesInBackground() {
  MutexLock lock(&base_.mutex);
  background_->opener()->Start(families_->registry()->LiveTables(), errors());
}

bool EngineDB::RecoversWithBestEfforts() const {
  return base_.options.best_efforts_recovery;
}

void EngineDB::OpenInfoLog() {
  WriteLogHead({.options = base_.options,
                .all = base_.AllOptions(),
                .db_name = base_.name,
                .wal_dir = base_.wal_dir,
                .session_id = base_.session_id});
}

void EngineDB::TellChangedOptions(const DBOptions& given,
                                  const Families& families) const {
  for (const std::string& line :
       DescribeChanges(given, SanitizeDBOptions(base_.source, given))) {
    Warn(base_.options.logger, "option %s", line.c_str());
  }
  for (const ColumnFamilyDescriptor& family : families) {
    const ColumnFamilyOptions used =
        SanitizeColumnFamilyOptions(base_.options, family.options);
    for (const std::string& line : DescribeChanges(family.options, used)) {
      Warn(base_.options.logger, "option of column family %s: %s",
           family.name.c_str(), line.c_str());
    }
  }
}

Status EngineDB::ChooseFileAccess(const Families& families) {
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
  MutableDBOptions chosen = *base_.current.Get();
  Status s = files_->access()->ChooseAtOpen(paths, &chosen);
  if (!s.ok()) return s;
  MutexLock lock(&base_.mutex);
  base_.current.Set(chosen);
  return s;
}

ColumnFamilyRef EngineDB::FindStatsFamily() {
  MutexLock lock(&base_.mutex);
  ColumnFamilyData* const found =
      versions_->families()->Find(PersistentStats::kFamily);
  return found != nullptr ? found->shared_from_this() : nullptr;
}

// The handle is no user's: nobody counts it, nobody is told when it goes.
Status EngineDB::KeepStatsIn(ColumnFamilyRef cfd, Observatory::Snapshots kept) {
  auto history = std::make_shared<PersistentStats>(
      this,
      std::make_unique<ColumnFamilyHandleImpl>(this, std::move(cfd), nullptr));
  const Status s = kept == Observatory::Snapshots::kWritten ? history->Prepare()
                                                            : history->Check();
  if (!s.IsNotSupported() && !s.IsCorruption()) {
    observatory_->KeepIn(std::move(history), kept);
    return s;
  }
  // A database does not stay closed for the sake of its statistics.
  Warn(base_.options.logger, "statistics go into memory instead: %s",
       s.ToString().c_str());
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
