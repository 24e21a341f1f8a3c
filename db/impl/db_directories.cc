// DBImpl: the database's directories and the small files in them.
#include <algorithm>

#include "db/files/file_room.h"
#include "db/files/log_keeper.h"
#include "db/files/options_files.h"
#include "db/impl/db_impl.h"
#include "db/recovery/wal_replay.h"
#include "db/version/version_set.h"
#include "file/filename.h"
#include "file/page_cache_room.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void AddUnique(std::vector<std::string>* paths, const std::string& path) {
  INVARIANT(paths != nullptr);
  if (std::find(paths->begin(), paths->end(), path) == paths->end()) {
    paths->push_back(path);
  }
}

Status FindManifest(FileSystem* fs, const std::string& directory,
                    bool* is_there) {
  INVARIANT(is_there != nullptr);
  std::vector<std::string> names;
  Status s = fs->GetChildren(directory, IOOptions(), &names, nullptr);
  *is_there =
      std::any_of(names.begin(), names.end(), [](const std::string& name) {
        uint64_t number = 0;
        FileType type = kTempFile;
        return ParseFileName(name, &number, &type) && type == kDescriptorFile;
      });
  return s;
}

}  // namespace

Status NoSuchFile(const std::string& path) {
  return Status::PathNotFound(
      "While opening a file for sequentially reading: " + path,
      "No such file or directory");
}

Status DBImpl::PrepareDirectories() {
  INVARIANT(lock_ == nullptr);
  INVARIANT(options_.fs != nullptr);
  FileSystem* fs = options_.fs;
  const std::string current = CurrentFileName(source_);
  if (mode_ != Mode::kReadWrite) {
    OpenInfoLog();
    Status s = fs->FileExists(current, IOOptions(), nullptr);
    if (s.IsNotFound() || s.IsPathNotFound()) {
      return NoSuchFile(current);
    }
    return s.ok() && mode_ == Mode::kFollower ? PrepareFollower() : s;
  }
  std::vector<std::string> directories{name_, wal_dir_};
  for (const DbPath& path : options_.db_paths) {
    AddUnique(&directories, path.path);
  }
  for (const std::string& directory : directories) {
    Status s = fs->CreateDirIfMissing(directory, IOOptions(), nullptr);
    if (!s.ok()) return s;
  }
  OpenInfoLog();
  Status s = fs->NewDirectory(name_, IOOptions(), &db_directory_, nullptr);
  if (s.ok()) {
    s = fs->LockFile(LockFileName(name_), IOOptions(), &lock_, nullptr);
  }
  if (!s.ok()) return s;

  page_cache_room_ = std::make_shared<PageCacheRoom>();
  return CreateOrCheckExistence();
}

Status DBImpl::CreateOrCheckExistence() {
  INVARIANT(mode_ == Mode::kReadWrite);
  INVARIANT(db_id_to_adopt_.empty());
  INVARIANT(db_directory_ != nullptr);
  FileSystem* fs = options_.fs;
  Status s = fs->FileExists(CurrentFileName(name_), IOOptions(), nullptr);
  if (s.ok()) {
    if (!options_.error_if_exists) return s;
    return Status::InvalidArgument(name_, "exists (error_if_exists is true)");
  }
  if (!s.IsNotFound() && !s.IsPathNotFound()) return s;
  // CURRENT may be lost.
  if (RecoversWithBestEfforts()) {
    bool has_manifest = false;
    s = FindManifest(fs, name_, &has_manifest);
    if (!s.ok() || has_manifest) return s;
  }
  if (!options_.create_if_missing) {
    return Status::InvalidArgument(
        CurrentFileName(name_), "does not exist (create_if_missing is false)");
  }
  std::vector<uint64_t> logs;
  if (s = ListLogs(fs, wal_dir_, &logs); !s.ok()) return s;
  if (!logs.empty()) {
    return Status::Corruption("a new database finds a log that is not its own",
                              LogFileName(wal_dir_, logs.front()));
  }
  db_id_to_adopt_ = options_.env->GenerateUniqueId();
  VersionSet::Context context;
  context.db_path = name_;
  context.db = &options_;
  context.file_options = file_options_;
  context.mutex = &mutex_;
  VersionSet creator(std::move(context));
  return creator.CreateNew(db_id_to_adopt_, db_directory_.get());
}

bool DBImpl::RecoversWithBestEfforts() const {
  return options_.best_efforts_recovery && !Follows();
}

// The manifest's id wins over IDENTITY's; with neither there is a new one.
Status DBImpl::EnsureIdentity() {
  INVARIANT(versions_ != nullptr);
  INVARIANT(mode_ == Mode::kReadWrite);
  const std::string path = IdentityFileName(name_);
  std::string in_file;
  Status s = ReadFileToString(options_.fs, path, &in_file);
  if (!s.ok()) in_file.clear();
  while (!in_file.empty() && in_file.back() == '\n') in_file.pop_back();
  std::string id = versions_->db_id();
  if (id.empty()) id = in_file;
  if (id.empty()) id = db_id_to_adopt_;
  if (id.empty()) id = options_.env->GenerateUniqueId();
  versions_->set_db_id(id);
  if (!options_.write_identity_file) {
    if (!in_file.empty()) {
      return options_.fs->DeleteFile(path, IOOptions(), nullptr);
    }
    return Status::OK();
  }
  if (in_file == id) return Status::OK();
  return SetIdentityFile(options_.fs, name_, id, db_directory_.get());
}

Status DBImpl::SetUpLogs() {
  INVARIANT(mode_ == Mode::kReadWrite);
  logs_ = std::make_shared<LogKeeper>(
      LogKeeper::Context{.db = &options_,
                         .wal_dir = wal_dir_,
                         .file_options = file_options_,
                         .page_cache = page_cache_room_.get(),
                         .mutex = &mutex_,
                         .options = &mutable_options_,
                         .versions = versions_.get(),
                         .manifest_directory = db_directory_.get(),
                         .obsolete = obsolete_.get()});
  return logs_->Open();
}

// Of a database that writes.
void DBImpl::SetUpFileRoom() {
  INVARIANT(mode_ == Mode::kReadWrite);
  MutexLock lock(&mutex_);
  options_files_ = std::make_shared<OptionsFiles>(
      OptionsFiles::Context{.db = &options_,
                            .db_name = name_,
                            .mutex = &mutex_,
                            .versions = versions_.get(),
                            .obsolete = obsolete_.get(),
                            .directory = db_directory_.get()});
  file_room_ = std::make_shared<FileRoom>(
      FileRoom::Context{.db = &options_,
                        .db_name = name_,
                        .wal_dir = wal_dir_,
                        .mutex = &mutex_,
                        .families = families_.get(),
                        .versions = versions_.get(),
                        .wal = logs_->wal(),
                        .obsolete = obsolete_.get(),
                        .options_files = options_files_.get()});
}

}  // namespace ROCKSDB_NAMESPACE
