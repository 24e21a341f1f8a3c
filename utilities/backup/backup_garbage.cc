// BackupStore: deleting backups, and what no backup needs.
#include <algorithm>
#include <utility>

#include "file/file_util.h"
#include "util/invariant.h"
#include "util/string_util.h"
#include "utilities/backup/backup_names.h"
#include "utilities/backup/backup_store.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Goes on after an error, and answers the first.
class FirstError {
 public:
  void Note(const IOStatus& s) {
    if (first_.ok()) first_ = s;
  }
  const IOStatus& status() const { return first_; }

 private:
  IOStatus first_;
};

// No backup makes one there, but a device that is mounted has its lost+found.
bool IsDirectory(FileSystem* fs, const std::string& path) {
  bool is_directory = false;
  return fs->IsDirectory(path, IOOptions(), &is_directory, nullptr).ok() &&
         is_directory;
}

IOStatus ListNames(FileSystem* fs, const std::string& directory,
                   std::vector<std::string>* names) {
  IOStatus s = fs->GetChildren(directory, IOOptions(), names, nullptr);
  if (s.IsNotFound() || s.IsPathNotFound()) s = IOStatus::OK();
  std::erase_if(*names, [](const std::string& name) {
    return name == "." || name == "..";
  });
  return s;
}

}  // namespace

// The description first, and durably: a backup is there as a whole or not at
// all.
IOStatus BackupStore::DeleteLocked(BackupID id) {
  const Backup* found = catalog_.Find(id);
  if (found == nullptr) return IOStatus::NotFound("Backup not found");
  IOStatus s = DeleteFileIfExists(fs_.get(), catalog_.MetaPathOf(id));
  if (!s.ok()) return s;
  const Backup backup = *found;
  catalog_.Remove(id);
  s = SyncMeta();
  if (s.ok()) s = DeleteFiles(backup);
  if (!s.ok()) has_failed_ = true;
  return s;
}

IOStatus BackupStore::DeleteFiles(const Backup& backup) {
  FirstError error;
  for (const std::string& path : backup.needs) {
    if (!IsSharedPath(path) || catalog_.IsNeeded(path)) continue;
    error.Note(DeleteFileIfExists(fs_.get(), catalog_.PathOf(path)));
  }
  error.Note(DeletePrivate(std::to_string(backup.id)));
  return error.status();
}

IOStatus BackupStore::SyncMeta() {
  if (!options_.sync) return IOStatus::OK();
  return SyncDirectory(fs_.get(), catalog_.PathOf(kBackupMetaDir),
                       DirFsyncOptions());
}

IOStatus BackupStore::Delete(BackupID id) {
  WriteLock lock(&mutex_);
  IOStatus s = DeleteLocked(id);
  return s.ok() ? CollectIfDue() : s;
}

IOStatus BackupStore::Purge(uint32_t keep_count) {
  WriteLock lock(&mutex_);
  std::vector<BackupID> valid;
  for (const auto& [id, backup] : catalog_.all()) {
    if (backup.status.ok()) valid.push_back(id);
  }
  IOStatus last;
  for (size_t i = 0; i + keep_count < valid.size(); ++i) {
    IOStatus s = DeleteLocked(valid[i]);
    if (!s.ok()) last = s;
  }
  return last.ok() ? CollectIfDue() : last;
}

IOStatus BackupStore::CollectGarbage() {
  WriteLock lock(&mutex_);
  return Collect({});
}

IOStatus BackupStore::CollectIfDue() {
  return may_have_garbage_ || has_failed_ ? Collect({}) : IOStatus::OK();
}

IOStatus BackupStore::Collect(const CopiedFileMap& spared) {
  // Descriptions that are gone must not come back to files that are.
  IOStatus s = SyncMeta();
  if (!s.ok()) return s;
  FirstError error;
  error.Note(CollectShared(kBackupSharedDir, spared));
  error.Note(CollectShared(kBackupSharedChecksumDir, spared));
  error.Note(CollectPrivate());
  error.Note(CollectMeta());
  may_have_garbage_ = !error.status().ok() || !spared.empty();
  if (error.status().ok()) has_failed_ = false;
  return error.status();
}

IOStatus BackupStore::CollectShared(const std::string& directory,
                                    const CopiedFileMap& spared) {
  std::vector<std::string> names;
  FirstError error;
  error.Note(ListNames(fs_.get(), catalog_.PathOf(directory), &names));
  for (const std::string& name : names) {
    const std::string path = directory + "/" + name;
    if (catalog_.IsNeeded(path) || spared.count(path) > 0) continue;
    const IOStatus s = DeleteFileIfExists(fs_.get(), catalog_.PathOf(path));
    if (s.ok() || IsDirectory(fs_.get(), catalog_.PathOf(path))) continue;
    error.Note(s);
  }
  return error.status();
}

IOStatus BackupStore::CollectPrivate() {
  std::vector<std::string> names;
  FirstError error;
  error.Note(ListNames(fs_.get(), catalog_.PathOf(kBackupPrivateDir), &names));
  for (const std::string& name : names) {
    BackupID id = 0;
    const bool is_unknown =
        ParseBackupId(name, &id) && catalog_.Find(id) == nullptr;
    const bool is_draft = name.find(kBackupTempSuffix) != std::string::npos;
    if (is_unknown || is_draft) error.Note(DeletePrivate(name));
  }
  return error.status();
}

// Drafts of descriptions, and records of what was copied.
IOStatus BackupStore::CollectMeta() {
  const std::string directory = catalog_.PathOf(kBackupMetaDir);
  std::vector<std::string> names;
  FirstError error;
  error.Note(ListNames(fs_.get(), directory, &names));
  for (const std::string& name : names) {
    if (!EndsWith(name, kBackupTempSuffix)) continue;
    error.Note(DeleteFileIfExists(fs_.get(), directory + "/" + name));
  }
  return error.status();
}

IOStatus BackupStore::DeletePrivate(const std::string& name) {
  const std::string directory =
      catalog_.PathOf(std::string(kBackupPrivateDir) + "/" + name);
  std::vector<std::string> names;
  IOStatus s = fs_->FileExists(directory, IOOptions(), nullptr);
  if (s.IsNotFound() || s.IsPathNotFound()) return IOStatus::OK();
  FirstError error;
  error.Note(ListNames(fs_.get(), directory, &names));
  for (const std::string& file : names) {
    error.Note(DeleteFileIfExists(fs_.get(), directory + "/" + file));
  }
  if (error.status().ok()) {
    error.Note(fs_->DeleteDir(directory, IOOptions(), nullptr));
  }
  return error.status();
}

}  // namespace ROCKSDB_NAMESPACE
