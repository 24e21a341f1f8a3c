#include "db/recovery/home_directory.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "db/manifest/manifest_log.h"
#include "db/manifest/version_set.h"
#include "db/recovery/wal_replay.h"
#include "file/filename.h"
#include "rocksdb/env.h"
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

HomeDirectory::HomeDirectory(Context context) : context_(std::move(context)) {
  INVARIANT(context_.db->fs != nullptr);
  INVARIANT(!context_.wal_dir.empty());
}

Status HomeDirectory::MakeDirectories() {
  std::vector<std::string> directories{context_.db_name, context_.wal_dir};
  for (const DbPath& path : context_.db->db_paths) {
    AddUnique(&directories, path.path);
  }
  for (const std::string& directory : directories) {
    Status s =
        context_.db->fs->CreateDirIfMissing(directory, IOOptions(), nullptr);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status HomeDirectory::Lock() {
  INVARIANT(lock_ == nullptr && directory_ == nullptr);
  FileSystem* const fs = context_.db->fs;
  const std::string& name = context_.db_name;
  const Status s = fs->NewDirectory(name, IOOptions(), &directory_, nullptr);
  if (!s.ok()) return s;
  return fs->LockFile(LockFileName(name), IOOptions(), &lock_, nullptr);
}

Status HomeDirectory::Open(ManifestAlone manifest_alone) {
  INVARIANT(directory_ != nullptr);
  return CreateOrCheck(manifest_alone);
}

Status HomeDirectory::Close() {
  directory_.reset();
  if (lock_ == nullptr) return Status::OK();
  return context_.db->fs->UnlockFile(std::exchange(lock_, nullptr), IOOptions(),
                                     nullptr);
}

Status HomeDirectory::CreateOrCheck(ManifestAlone manifest_alone) {
  INVARIANT(new_id_.empty());
  INVARIANT(directory_ != nullptr);
  FileSystem* fs = context_.db->fs;
  Status s =
      fs->FileExists(CurrentFileName(context_.db_name), IOOptions(), nullptr);
  if (s.ok()) {
    if (!context_.db->error_if_exists) return s;
    return Status::InvalidArgument(context_.db_name,
                                   "exists (error_if_exists is true)");
  }
  if (!s.IsNotFound() && !s.IsPathNotFound()) return s;
  // CURRENT may be lost.
  if (manifest_alone == ManifestAlone::kEnough) {
    bool has_manifest = false;
    s = FindManifest(fs, context_.db_name, &has_manifest);
    if (!s.ok() || has_manifest) return s;
  }
  if (!context_.db->create_if_missing) {
    return Status::InvalidArgument(
        CurrentFileName(context_.db_name),
        "does not exist (create_if_missing is false)");
  }
  std::vector<uint64_t> logs;
  if (s = ListLogs(fs, context_.wal_dir, &logs); !s.ok()) return s;
  if (!logs.empty()) {
    return Status::Corruption("a new database finds a log that is not its own",
                              LogFileName(context_.wal_dir, logs.front()));
  }
  new_id_ = context_.db->env->GenerateUniqueId();
  VersionSet::Context versions;
  versions.db_path = context_.db_name;
  versions.db = context_.db;
  versions.file_options = context_.file_options;
  versions.mutex = context_.mutex;
  VersionSet creator(std::move(versions));
  return creator.CreateNew(new_id_, directory_.get());
}

Status HomeDirectory::EnsureIdentity(VersionSet* versions) {
  INVARIANT(versions != nullptr);
  const std::string path = IdentityFileName(context_.db_name);
  std::string in_file;
  Status s = ReadFileToString(context_.db->fs, path, &in_file);
  if (!s.ok() && !s.IsNotFound() && !s.IsPathNotFound()) return s;
  if (!s.ok()) in_file.clear();
  while (!in_file.empty() && in_file.back() == '\n') in_file.pop_back();
  std::string id = versions->db_id();
  if (id.empty()) id = in_file;
  if (id.empty()) id = new_id_;
  if (id.empty()) id = context_.db->env->GenerateUniqueId();
  versions->manifest()->set_db_id(id);
  if (!context_.db->write_identity_file || in_file == id) return Status::OK();
  return SetIdentityFile(context_.db->fs, context_.db_name, id,
                         directory_.get());
}

Status HomeDirectory::DropUnwantedIdentity() const {
  if (context_.db->write_identity_file) return Status::OK();
  INVARIANT(context_.db->write_dbid_to_manifest);
  const Status s = context_.db->fs->DeleteFile(
      IdentityFileName(context_.db_name), IOOptions(), nullptr);
  return s.IsNotFound() || s.IsPathNotFound() ? Status::OK() : s;
}

}  // namespace ROCKSDB_NAMESPACE
