#include "db/manifest/linked_files.h"

#include <utility>

#include "db/tables/table_cache.h"
#include "file/filename.h"
#include "options/db_options.h"
#include "rocksdb/file_system.h"
#include "rocksdb/info_log.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool IsNotThere(const Status& s) {
  return s.IsNotFound() || s.IsPathNotFound();
}

bool IsLink(FileType type) { return type == kTableFile || type == kBlobFile; }

bool IsOfDatabase(FileType type) {
  return type == kCurrentFile || type == kDescriptorFile || type == kWalFile;
}

}  // namespace

LinkedFiles::LinkedFiles(Context context) : context_(std::move(context)) {
  INVARIANT(context_.db != nullptr);
  INVARIANT(!context_.directory.empty());
  INVARIANT(context_.open_tables != nullptr);
}

Status LinkedFiles::CheckPlace(FileSystem* fs, const std::string& directory,
                               const std::vector<std::string>& leaders) {
  std::string own;
  Status s = fs->GetAbsolutePath(directory, IOOptions(), &own, nullptr);
  own = NormalizePath(own) + "/";
  for (const std::string& leader : leaders) {
    std::string other;
    if (s.ok()) s = fs->GetAbsolutePath(leader, IOOptions(), &other, nullptr);
    if (!s.ok()) return s;
    if (own.starts_with(NormalizePath(other) + "/")) {
      return Status::InvalidArgument(
          directory, "of a follower must not be in its leader's " + leader);
    }
  }
  return s;
}

Status LinkedFiles::CheckDirectory() const {
  std::vector<std::string> names;
  Status s = context_.db->fs->GetChildren(context_.directory, IOOptions(),
                                          &names, nullptr);
  if (!s.ok()) return s;
  bool has_lock = false, has_files = false;
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (!ParseFileName(name, &number, &type)) continue;
    if (IsOfDatabase(type)) {
      return Status::InvalidArgument(
          context_.directory,
          "is the directory of a database: a follower needs its own");
    }
    has_lock = has_lock || type == kDBLockFile;
    has_files = has_files || IsLink(type);
  }
  if (has_files && !has_lock) {
    return Status::InvalidArgument(
        context_.directory, "holds files that are not those of a follower");
  }
  return s;
}

Status LinkedFiles::RemoveLeftOvers() {
  INVARIANT(links_.empty());
  FileSystem* const fs = context_.db->fs;
  std::vector<std::string> names;
  Status s = fs->GetChildren(context_.directory, IOOptions(), &names, nullptr);
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kInfoLogFile;
    if (!s.ok()) break;
    if (!ParseFileName(name, &number, &type)) continue;
    if (!IsLink(type) && type != kTempFile) continue;
    s = fs->DeleteFile(context_.directory + "/" + name, IOOptions(), nullptr);
    if (IsNotThere(s)) s = Status::OK();
  }
  return s;
}

Status LinkedFiles::Link(const std::string& from, const std::string& to) const {
  INVARIANT(from != to);
  const Status s = context_.db->fs->LinkFile(from, to, IOOptions(), nullptr);
  if (!s.IsNotSupported()) return s;
  return Status::NotSupported(
      "a follower keeps its leader's files by hard links in its own directory",
      s.ToString());
}

Status LinkedFiles::TryToLink(const std::string& path) const {
  const std::string link = TempFileName(context_.directory, 0);
  Status s = Link(path, link);
  if (!s.ok()) return s;
  return context_.db->fs->DeleteFile(link, IOOptions(), nullptr);
}

Status LinkedFiles::KeepTable(const std::vector<DbPath>& paths,
                              const FileMeta& file) {
  if (links_.count(file.number) > 0) return Status::OK();
  const std::string to = TableFileName(context_.directory, file.number);
  const std::string from = TableFileName(paths, file.number, file.path_id);
  Status s = Link(from, to);
  if (IsNotThere(s) && Link(LegacyTableFileName(from), to).ok())
    s = Status::OK();
  if (s.ok()) links_[file.number] = to;
  return s;
}

Status LinkedFiles::KeepBlob(const std::string& directory, uint64_t number) {
  if (links_.count(number) > 0) return Status::OK();
  const std::string to = BlobFileName(context_.directory, number);
  Status s = Link(BlobFileName(directory, number), to);
  if (s.ok()) links_[number] = to;
  return s;
}

Status LinkedFiles::Keep(const std::vector<DbPath>& paths,
                         const std::vector<std::vector<FileRef>>& levels,
                         const BlobFileList& blobs) {
  INVARIANT(!paths.empty());
  Status s;
  for (const std::vector<FileRef>& level : levels) {
    for (const FileRef& file : level) {
      if (s = KeepTable(paths, *file); !s.ok()) return s;
    }
  }
  // Blob files lie in the first of a family's paths.
  for (const BlobFileState& blob : blobs) {
    s = KeepBlob(paths.front().path, blob.number());
    if (!s.ok()) return s;
  }
  return s;
}

void LinkedFiles::RemoveUnneeded() {
  // First: a file that is open keeps its room on the device.
  CloseUnread();
  std::map<uint64_t, std::string> unneeded;
  {
    MutexLock lock(&mutex_);
    for (const auto& link : links_) {
      if (referenced_.count(link.first) == 0) unneeded.insert(link);
    }
  }
  Remove(unneeded);
}

void LinkedFiles::Remove(const std::map<uint64_t, std::string>& links) {
  for (const auto& [number, path] : links) {
    const Status s = context_.db->fs->DeleteFile(path, IOOptions(), nullptr);
    if (s.ok() || IsNotThere(s)) {
      links_.erase(number);
      continue;
    }
    ROCKSDB_NAMESPACE::Warn(context_.db->logger, "cannot delete %s: %s",
                            path.c_str(), s.ToString().c_str());
  }
}

void LinkedFiles::Close() {
  {
    MutexLock lock(&mutex_);
    is_closing_ = true;
  }
  CloseUnread();
  Remove(std::map(links_));
}

void LinkedFiles::CloseUnread() {
  std::vector<UnreferencedTable> unread;
  {
    MutexLock lock(&mutex_);
    unread.swap(unread_);
  }
  for (UnreferencedTable& table : unread) {
    ForgetTable(std::move(table), context_.open_tables.get());
  }
}

void LinkedFiles::OnReferenced(uint64_t number) {
  MutexLock lock(&mutex_);
  referenced_.insert(number);
}

void LinkedFiles::Release(uint64_t number) {
  const auto found = referenced_.find(number);
  INVARIANT(found != referenced_.end());
  referenced_.erase(found);
}

void LinkedFiles::OnUnreferenced(UnreferencedTable table) {
  MutexLock lock(&mutex_);
  Release(table.number);
  if (!is_closing_) unread_.push_back(std::move(table));
}

void LinkedFiles::OnBlobUnreferenced(const std::string& /*path*/,
                                     uint64_t number, uint64_t /*size_bytes*/) {
  MutexLock lock(&mutex_);
  Release(number);
}

}  // namespace ROCKSDB_NAMESPACE
