#include "env/mem_file_system.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "env/composite_env.h"
#include "env/mem_file.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// One spelling for each path: "/a/b", and "" for the root.
std::string Clean(const std::string& path) {
  std::string result;
  size_t at = 0;
  while (at < path.size()) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string part = path.substr(at, end - at);
    if (!part.empty() && part != ".") result += "/" + part;
    at = end + 1;
  }
  return result;
}

std::string ParentOf(const std::string& clean_path) {
  return clean_path.substr(0, clean_path.rfind('/'));
}

bool IsBelow(const std::string& path, const std::string& dir) {
  return path.size() > dir.size() && path.compare(0, dir.size(), dir) == 0 &&
         path[dir.size()] == '/';
}

IOStatus Missing(const std::string& path) {
  return IOStatus::PathNotFound(path, "No such file or directory");
}

IOStatus WrongKind(const std::string& path, const char* what) {
  return IOStatus::IOError(path, what);
}

struct MemFileLock : FileLock {
  MemFileLock(const std::string& locked_path,
              const std::shared_ptr<MemFile>& locked_file)
      : path(locked_path), file(locked_file) {}
  const std::string path;
  const std::shared_ptr<MemFile> file;
};

}  // namespace

MemFileSystem::MemFileSystem(const std::shared_ptr<SystemClock>& clock,
                             const MemFileSystemOptions& options)
    : clock_(clock),
      options_(options),
      space_(std::make_shared<MemSpace>(options.capacity_bytes)),
      root_(std::make_shared<MemFile>(MemFile::Kind::kDirectory, 0, space_,
                                      clock_)) {
  INVARIANT(std::has_single_bit(options.direct_alignment));
}

MemFileSystem::~MemFileSystem() = default;

MemFileSystem::FileRef MemFileSystem::NewNode(bool is_directory) {
  FileRef node = std::make_shared<MemFile>(
      is_directory ? MemFile::Kind::kDirectory : MemFile::Kind::kFile,
      ++last_number_, space_, clock_);
  node->link_count = 1;
  return node;
}

MemFileSystem::FileRef MemFileSystem::FindLocked(
    const std::string& path) const {
  if (path.empty()) return root_;
  const auto entry = names_.find(path);
  return entry == names_.end() ? nullptr : entry->second;
}

IOStatus MemFileSystem::FindFile(const std::string& path, FileRef* file) {
  MutexLock lock(&mutex_);
  FileRef found = FindLocked(Clean(path));
  if (found == nullptr) return Missing(path);
  if (found->is_directory()) return WrongKind(path, "Is a directory");
  *file = std::move(found);
  return IOStatus::OK();
}

IOStatus MemFileSystem::CheckParentLocked(const std::string& path) {
  const std::string parent_path = ParentOf(path);
  const FileRef parent = FindLocked(parent_path);
  if (parent != nullptr) {
    return parent->is_directory() ? IOStatus::OK()
                                  : WrongKind(parent_path, "Not a directory");
  }
  if (!options_.implicit_directories) return Missing(parent_path);
  if (IOStatus s = CheckParentLocked(parent_path); !s.ok()) return s;
  names_[parent_path] = NewNode(/*is_directory=*/true);
  return IOStatus::OK();
}

IOStatus MemFileSystem::CreateLocked(const std::string& path, FileRef* file) {
  FileRef found = FindLocked(path);
  if (found == nullptr) {
    if (IOStatus s = CheckParentLocked(path); !s.ok()) return s;
    found = NewNode(/*is_directory=*/false);
    names_[path] = found;
  } else if (found->is_directory()) {
    return WrongKind(path, "Is a directory");
  }
  *file = std::move(found);
  return IOStatus::OK();
}

bool MemFileSystem::HasChildrenLocked(const std::string& dir) const {
  const auto next = names_.lower_bound(dir + "/");
  return next != names_.end() && IsBelow(next->first, dir);
}

IOStatus MemFileSystem::CheckDirect(const std::string& path,
                                    bool is_direct) const {
  if (!is_direct || options_.accepts_direct_io) return IOStatus::OK();
  return IOStatus::InvalidArgument("While opening: " + path,
                                   "the file system does not take direct I/O");
}

MemHandle MemFileSystem::HandleOf(const std::string& path, FileRef&& file,
                                  bool is_direct) const {
  return {.path = path,
          .file = std::move(file),
          .is_direct = is_direct,
          .alignment = options_.direct_alignment};
}

IOStatus MemFileSystem::NewSequentialFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSSequentialFile>* result, IODebugContext* /*dbg*/) {
  const bool is_direct = file_opts.use_direct_reads;
  if (IOStatus s = CheckDirect(fname, is_direct); !s.ok()) return s;
  FileRef file;
  if (IOStatus s = FindFile(fname, &file); !s.ok()) return s;
  *result = NewMemSequentialFile(HandleOf(fname, std::move(file), is_direct));
  return IOStatus::OK();
}

IOStatus MemFileSystem::NewRandomAccessFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSRandomAccessFile>* result, IODebugContext* /*dbg*/) {
  const bool is_direct = file_opts.use_direct_reads;
  if (IOStatus s = CheckDirect(fname, is_direct); !s.ok()) return s;
  FileRef file;
  if (IOStatus s = FindFile(fname, &file); !s.ok()) return s;
  *result = NewMemRandomAccessFile(HandleOf(fname, std::move(file), is_direct));
  return IOStatus::OK();
}

IOStatus MemFileSystem::NewWritableFile(const std::string& fname,
                                        const FileOptions& file_opts,
                                        std::unique_ptr<FSWritableFile>* result,
                                        IODebugContext* dbg) {
  if (IOStatus s = CheckDirect(fname, file_opts.use_direct_writes); !s.ok()) {
    return s;
  }
  IOStatus status = ReopenWritableFile(fname, file_opts, result, dbg);
  if (status.ok()) status = (*result)->Truncate(0, IOOptions(), dbg);
  return status;
}

IOStatus MemFileSystem::ReopenWritableFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSWritableFile>* result, IODebugContext* /*dbg*/) {
  const bool is_direct = file_opts.use_direct_writes;
  if (IOStatus s = CheckDirect(fname, is_direct); !s.ok()) return s;
  FileRef file;
  {
    MutexLock lock(&mutex_);
    if (IOStatus s = CreateLocked(Clean(fname), &file); !s.ok()) return s;
  }
  *result = NewMemWritableFile(HandleOf(fname, std::move(file), is_direct),
                               MemWriteStart::kEnd, file_opts);
  return IOStatus::OK();
}

IOStatus MemFileSystem::ReuseWritableFile(
    const std::string& fname, const std::string& old_fname,
    const FileOptions& file_opts, std::unique_ptr<FSWritableFile>* result,
    IODebugContext* dbg) {
  const bool is_direct = file_opts.use_direct_writes;
  if (IOStatus s = CheckDirect(fname, is_direct); !s.ok()) return s;
  if (IOStatus s = RenameFile(old_fname, fname, IOOptions(), dbg); !s.ok()) {
    return s;
  }
  FileRef file;
  if (IOStatus s = FindFile(fname, &file); !s.ok()) return s;
  *result = NewMemWritableFile(HandleOf(fname, std::move(file), is_direct),
                               MemWriteStart::kOverwrite, file_opts);
  return IOStatus::OK();
}

IOStatus MemFileSystem::NewRandomRWFile(const std::string& fname,
                                        const FileOptions& /*file_opts*/,
                                        std::unique_ptr<FSRandomRWFile>* result,
                                        IODebugContext* /*dbg*/) {
  FileRef file;
  if (IOStatus s = FindFile(fname, &file); !s.ok()) return s;
  *result =
      NewMemRandomRWFile(HandleOf(fname, std::move(file), /*is_direct=*/false));
  return IOStatus::OK();
}

IOStatus MemFileSystem::NewDirectory(const std::string& name,
                                     const IOOptions& /*options*/,
                                     std::unique_ptr<FSDirectory>* result,
                                     IODebugContext* /*dbg*/) {
  MutexLock lock(&mutex_);
  FileRef file = FindLocked(Clean(name));
  if (file == nullptr) return Missing(name);
  if (!file->is_directory()) return WrongKind(name, "Not a directory");
  *result =
      NewMemDirectory(HandleOf(name, std::move(file), /*is_direct=*/false));
  return IOStatus::OK();
}

IOStatus MemFileSystem::FileExists(const std::string& fname,
                                   const IOOptions& /*options*/,
                                   IODebugContext* /*dbg*/) {
  MutexLock lock(&mutex_);
  if (FindLocked(Clean(fname)) != nullptr) return IOStatus::OK();
  return IOStatus::NotFound("no such file", fname);
}

IOStatus MemFileSystem::GetChildren(const std::string& dir,
                                    const IOOptions& /*options*/,
                                    std::vector<std::string>* result,
                                    IODebugContext* /*dbg*/) {
  MutexLock lock(&mutex_);
  const std::string path = Clean(dir);
  const FileRef file = FindLocked(path);
  if (file == nullptr) return Missing(dir);
  if (!file->is_directory()) return WrongKind(dir, "Not a directory");
  result->clear();
  for (auto entry = names_.lower_bound(path + "/");
       entry != names_.end() && IsBelow(entry->first, path); ++entry) {
    const std::string name = entry->first.substr(path.size() + 1);
    if (name.find('/') == std::string::npos) result->push_back(name);
  }
  return IOStatus::OK();
}

IOStatus MemFileSystem::DeleteFile(const std::string& fname,
                                   const IOOptions& /*options*/,
                                   IODebugContext* /*dbg*/) {
  MutexLock lock(&mutex_);
  const std::string path = Clean(fname);
  const FileRef file = FindLocked(path);
  if (file == nullptr) return Missing(fname);
  if (file->is_directory()) return WrongKind(fname, "Is a directory");
  --file->link_count;
  names_.erase(path);
  return IOStatus::OK();
}

IOStatus MemFileSystem::Truncate(const std::string& fname, size_t size,
                                 const IOOptions& /*options*/,
                                 IODebugContext* /*dbg*/) {
  FileRef file;
  if (IOStatus s = FindFile(fname, &file); !s.ok()) return s;
  if (!file->Resize(size)) return IOStatus::NoSpace(fname);
  return IOStatus::OK();
}

IOStatus MemFileSystem::CreateDir(const std::string& dirname,
                                  const IOOptions& /*options*/,
                                  IODebugContext* /*dbg*/) {
  MutexLock lock(&mutex_);
  const std::string path = Clean(dirname);
  if (FindLocked(path) != nullptr) return WrongKind(dirname, "File exists");
  if (IOStatus s = CheckParentLocked(path); !s.ok()) return s;
  names_[path] = NewNode(/*is_directory=*/true);
  return IOStatus::OK();
}

IOStatus MemFileSystem::CreateDirIfMissing(const std::string& dirname,
                                           const IOOptions& options,
                                           IODebugContext* dbg) {
  bool is_dir = false;
  if (!IsDirectory(dirname, options, &is_dir, dbg).ok()) {
    return CreateDir(dirname, options, dbg);
  }
  return is_dir ? IOStatus::OK() : WrongKind(dirname, "Not a directory");
}

IOStatus MemFileSystem::DeleteDir(const std::string& dirname,
                                  const IOOptions& /*options*/,
                                  IODebugContext* /*dbg*/) {
  MutexLock lock(&mutex_);
  const std::string path = Clean(dirname);
  const FileRef file = FindLocked(path);
  if (file == nullptr) return Missing(dirname);
  if (!file->is_directory()) return WrongKind(dirname, "Not a directory");
  if (path.empty() || HasChildrenLocked(path)) {
    return WrongKind(dirname, "Directory not empty");
  }
  names_.erase(path);
  return IOStatus::OK();
}

IOStatus MemFileSystem::GetFileSize(const std::string& fname,
                                    const IOOptions& /*options*/,
                                    uint64_t* file_size,
                                    IODebugContext* /*dbg*/) {
  MutexLock lock(&mutex_);
  const FileRef file = FindLocked(Clean(fname));
  if (file == nullptr) return Missing(fname);
  *file_size = file->Size();
  return IOStatus::OK();
}

IOStatus MemFileSystem::GetFileModificationTime(const std::string& fname,
                                                const IOOptions& /*options*/,
                                                uint64_t* file_mtime,
                                                IODebugContext* /*dbg*/) {
  MutexLock lock(&mutex_);
  const FileRef file = FindLocked(Clean(fname));
  if (file == nullptr) return Missing(fname);
  *file_mtime = file->ModificationTime();
  return IOStatus::OK();
}

void MemFileSystem::MoveTreeLocked(const std::string& src,
                                   const std::string& dst) {
  std::map<std::string, FileRef> moved;
  for (auto entry = names_.lower_bound(src + "/");
       entry != names_.end() && IsBelow(entry->first, src);) {
    moved[dst + entry->first.substr(src.size())] = entry->second;
    entry = names_.erase(entry);
  }
  moved[dst] = names_[src];
  names_.erase(src);
  for (auto& [path, file] : moved) names_[path] = std::move(file);
}

IOStatus MemFileSystem::RenameFile(const std::string& src,
                                   const std::string& dst,
                                   const IOOptions& /*options*/,
                                   IODebugContext* /*dbg*/) {
  MutexLock lock(&mutex_);
  const std::string from = Clean(src);
  const std::string to = Clean(dst);
  const FileRef file = FindLocked(from);
  if (file == nullptr) return Missing(src);
  if (from == to) return IOStatus::OK();
  if (from.empty() || to.empty() || IsBelow(to, from)) {
    return WrongKind(dst, "Invalid argument");
  }
  if (IOStatus s = CheckParentLocked(to); !s.ok()) return s;
  if (const FileRef old = FindLocked(to); old != nullptr) {
    // Like rename(2), it does nothing if both are names of one file.
    if (old == file) return IOStatus::OK();
    if (old->is_directory() != file->is_directory()) {
      return WrongKind(dst, "is of another kind");
    }
    if (HasChildrenLocked(to)) return WrongKind(dst, "Directory not empty");
    --old->link_count;
    names_.erase(to);
  }
  MoveTreeLocked(from, to);
  return IOStatus::OK();
}

IOStatus MemFileSystem::LinkFile(const std::string& src, const std::string& dst,
                                 const IOOptions& /*options*/,
                                 IODebugContext* /*dbg*/) {
  MutexLock lock(&mutex_);
  const FileRef file = FindLocked(Clean(src));
  if (file == nullptr) return Missing(src);
  if (file->is_directory()) return WrongKind(src, "Is a directory");
  const std::string to = Clean(dst);
  if (FindLocked(to) != nullptr) return WrongKind(dst, "File exists");
  if (IOStatus s = CheckParentLocked(to); !s.ok()) return s;
  names_[to] = file;
  ++file->link_count;
  return IOStatus::OK();
}

IOStatus MemFileSystem::NumFileLinks(const std::string& fname,
                                     const IOOptions& /*options*/,
                                     uint64_t* count, IODebugContext* /*dbg*/) {
  MutexLock lock(&mutex_);
  const FileRef file = FindLocked(Clean(fname));
  if (file == nullptr) return Missing(fname);
  *count = file->link_count;
  return IOStatus::OK();
}

bool MemFileSystem::IsClosedEverywhere(const std::string& path) const {
  MutexLock lock(&mutex_);
  const FileRef file = FindLocked(Clean(path));
  // Its names, and the one here.
  return file != nullptr &&
         file.use_count() == static_cast<long>(file->link_count) + 1;
}

IOStatus MemFileSystem::AreFilesSame(const std::string& first,
                                     const std::string& second,
                                     const IOOptions& /*options*/, bool* res,
                                     IODebugContext* /*dbg*/) {
  MutexLock lock(&mutex_);
  const FileRef a = FindLocked(Clean(first));
  const FileRef b = FindLocked(Clean(second));
  if (a == nullptr) return Missing(first);
  if (b == nullptr) return Missing(second);
  *res = a == b;
  return IOStatus::OK();
}

IOStatus MemFileSystem::LockFile(const std::string& fname,
                                 const IOOptions& /*options*/, FileLock** lock,
                                 IODebugContext* /*dbg*/) {
  MutexLock guard(&mutex_);
  FileRef file;
  if (IOStatus s = CreateLocked(Clean(fname), &file); !s.ok()) return s;
  if (file->is_locked) {
    return IOStatus::IOError("lock hold by current process: " + fname,
                             "No locks available");
  }
  file->is_locked = true;
  *lock = std::make_unique<MemFileLock>(fname, file).release();
  return IOStatus::OK();
}

IOStatus MemFileSystem::UnlockFile(FileLock* lock, const IOOptions& /*options*/,
                                   IODebugContext* /*dbg*/) {
  const std::unique_ptr<MemFileLock> held(static_cast<MemFileLock*>(lock));
  MutexLock guard(&mutex_);
  INVARIANT(held->file->is_locked);
  held->file->is_locked = false;
  return IOStatus::OK();
}

IOStatus MemFileSystem::GetTestDirectory(const IOOptions& options,
                                         std::string* path,
                                         IODebugContext* dbg) {
  *path = "/test";
  return CreateDirIfMissing(*path, options, dbg);
}

IOStatus MemFileSystem::GetAbsolutePath(const std::string& db_path,
                                        const IOOptions& /*options*/,
                                        std::string* output_path,
                                        IODebugContext* /*dbg*/) {
  const std::string path = Clean(db_path);
  *output_path = path.empty() ? "/" : path;
  return IOStatus::OK();
}

IOStatus MemFileSystem::GetFreeSpace(const std::string& /*path*/,
                                     const IOOptions& /*options*/,
                                     uint64_t* diskfree,
                                     IODebugContext* /*dbg*/) {
  *diskfree = space_->capacity_bytes - space_->used_bytes.load();
  return IOStatus::OK();
}

IOStatus MemFileSystem::IsDirectory(const std::string& path,
                                    const IOOptions& /*options*/, bool* is_dir,
                                    IODebugContext* /*dbg*/) {
  MutexLock lock(&mutex_);
  const FileRef file = FindLocked(Clean(path));
  if (file == nullptr) return Missing(path);
  *is_dir = file->is_directory();
  return IOStatus::OK();
}

Env* NewMemEnv(Env* base_env) {
  MemFileSystemOptions options;
  // Applications name databases by any path they like.
  options.implicit_directories = true;
  const std::shared_ptr<SystemClock>& clock = base_env->GetSystemClock();
  return std::make_unique<CompositeEnvWrapper>(
             base_env, std::make_shared<MemFileSystem>(clock, options), clock)
      .release();
}

}  // namespace ROCKSDB_NAMESPACE
