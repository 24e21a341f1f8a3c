// DBImpl: the database's directories and the small files in them.
#include "db/files/file_room.h"
#include "db/files/log_keeper.h"
#include "db/files/options_files.h"
#include "db/impl/db_impl.h"
#include "db/recovery/home_directory.h"
#include "db/version/version_set.h"
#include "file/filename.h"
#include "file/page_cache_room.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status NoSuchFile(const std::string& path) {
  return Status::PathNotFound(
      "While opening a file for sequentially reading: " + path,
      "No such file or directory");
}

Status DBImpl::PrepareDirectories() {
  FileSystem* const fs = base_.options.fs;
  const std::string current = CurrentFileName(base_.source);
  if (mode_ != Mode::kReadWrite) {
    OpenInfoLog();
    Status s = fs->FileExists(current, IOOptions(), nullptr);
    if (s.IsNotFound() || s.IsPathNotFound()) {
      return NoSuchFile(current);
    }
    return s.ok() && mode_ == Mode::kFollower ? PrepareFollower() : s;
  }
  if (Status s = home_->MakeDirectories(); !s.ok()) return s;
  OpenInfoLog();
  page_cache_room_ = std::make_shared<PageCacheRoom>();
  using ManifestAlone = HomeDirectory::ManifestAlone;
  return home_->Open(RecoversWithBestEfforts() ? ManifestAlone::kEnough
                                               : ManifestAlone::kTooLittle);
}

bool DBImpl::RecoversWithBestEfforts() const {
  return base_.options.best_efforts_recovery && !Follows();
}

Status DBImpl::SetUpLogs() {
  INVARIANT(mode_ == Mode::kReadWrite);
  logs_ = std::make_shared<LogKeeper>(
      LogKeeper::Context{.db = &base_.options,
                         .wal_dir = base_.wal_dir,
                         .file_options = base_.file_options,
                         .page_cache = page_cache_room_.get(),
                         .mutex = &base_.mutex,
                         .options = &base_.current,
                         .versions = versions_.get(),
                         .manifest_directory = home_->directory(),
                         .obsolete = obsolete_.get()});
  return logs_->Open();
}

// Of a database that writes.
void DBImpl::SetUpFileRoom() {
  INVARIANT(mode_ == Mode::kReadWrite);
  MutexLock lock(&base_.mutex);
  options_files_ = std::make_shared<OptionsFiles>(
      OptionsFiles::Context{.db = &base_.options,
                            .db_name = base_.name,
                            .mutex = &base_.mutex,
                            .versions = versions_.get(),
                            .obsolete = obsolete_.get(),
                            .directory = home_->directory()});
  file_room_ = std::make_shared<FileRoom>(
      FileRoom::Context{.db = &base_.options,
                        .db_name = base_.name,
                        .wal_dir = base_.wal_dir,
                        .mutex = &base_.mutex,
                        .families = families_.get(),
                        .versions = versions_.get(),
                        .wal = logs_->wal(),
                        .obsolete = obsolete_.get(),
                        .options_files = options_files_.get()});
}

}  // namespace ROCKSDB_NAMESPACE
