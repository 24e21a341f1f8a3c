#include "env/posix/posix_file_system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "env/mapped_appends.h"
#include "env/posix/file_lease.h"
#include "env/posix/posix_error.h"
#include "env/posix/posix_io.h"
#include "env/posix/posix_lock.h"
#include "env/posix/posix_read_files.h"
#include "env/posix/posix_uring.h"
#include "env/posix/posix_write_files.h"
#include "env/posix/readahead_limit.h"
#include "options/db_options.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Caching CachingOf(bool is_mapped, bool is_direct, bool is_uncached) {
  if (is_mapped) return Caching::kBuffered;
  if (is_direct) return Caching::kDirect;
  return is_uncached ? Caching::kUncached : Caching::kBuffered;
}

Caching ReadCaching(const FileOptions& options) {
  return CachingOf(options.use_mmap_reads, options.use_direct_reads,
                   options.use_uncached_io);
}

Caching WriteCaching(const FileOptions& options) {
  return CachingOf(options.use_mmap_writes, options.use_direct_writes,
                   options.use_uncached_io);
}

IOStatus Stat(const std::string& path, const char* action, struct stat* info) {
  if (stat(path.c_str(), info) == 0) return IOStatus::OK();
  return PosixError(action, path, errno);
}

IOStatus Answer(int result, const char* action, const std::string& path) {
  return result == 0 ? IOStatus::OK() : PosixError(action, path, errno);
}

// Opens for writing, in the way that `options` ask for.
IOStatus OpenWritable(const std::string& path, int flags, mode_t mode,
                      const FileOptions& options,
                      std::unique_ptr<FSWritableFile>* result) {
  const Caching caching = WriteCaching(options);
  const bool is_new = (flags & O_TRUNC) != 0;
  const bool is_mapped = options.use_mmap_writes && is_new;
  const bool is_readable = is_mapped || options.use_mapped_appends;
  OpenRequest request{.action = "While open a file for appending",
                      .flags = flags | (is_readable ? O_RDWR : O_WRONLY),
                      .mode = mode,
                      .caching = caching};
  FileDescriptor fd;
  if (IOStatus s = OpenFile(path, request, options, &fd); !s.ok()) return s;
  if (is_mapped) {
    *result =
        std::make_unique<PosixMmapWritableFile>(path, std::move(fd), options);
    return IOStatus::OK();
  }
  WritableFileStart start{.caching = caching};
  *result =
      std::make_unique<PosixWritableFile>(path, std::move(fd), start, options);
  return IOStatus::OK();
}

}  // namespace

IOStatus PosixFileSystem::NewSequentialFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSSequentialFile>* result, IODebugContext* /*dbg*/) {
  const Caching caching = ReadCaching(file_opts);
  const OpenRequest request{
      .action = "While opening a file for sequentially reading",
      .flags = O_RDONLY,
      .caching = caching};
  FileDescriptor fd;
  if (IOStatus s = OpenFile(fname, request, file_opts, &fd); !s.ok()) return s;
  *result =
      std::make_unique<PosixSequentialFile>(fname, std::move(fd), caching);
  return IOStatus::OK();
}

IOStatus PosixFileSystem::NewRandomAccessFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSRandomAccessFile>* result, IODebugContext* /*dbg*/) {
  const Caching caching = ReadCaching(file_opts);
  const OpenRequest request{.action = "While open a file for random read",
                            .flags = O_RDONLY,
                            .caching = caching};
  FileDescriptor fd;
  if (IOStatus s = OpenFile(fname, request, file_opts, &fd); !s.ok()) return s;
  if (file_opts.use_mmap_reads) {
    return PosixMmapReadableFile::Open(fname, std::move(fd), result);
  }
  *result =
      std::make_unique<PosixRandomAccessFile>(fname, std::move(fd), caching);
  return IOStatus::OK();
}

IOStatus PosixFileSystem::NewWritableFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSWritableFile>* result, IODebugContext* /*dbg*/) {
  return OpenWritable(fname, O_CREAT | O_TRUNC, FileMode(), file_opts, result);
}

IOStatus PosixFileSystem::ReopenWritableFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSWritableFile>* result, IODebugContext* /*dbg*/) {
  const Caching caching = WriteCaching(file_opts);
  const OpenRequest request{.action = "While open a file for appending",
                            .flags = O_WRONLY | O_CREAT,
                            .mode = FileMode(),
                            .caching = caching};
  FileDescriptor fd;
  if (IOStatus s = OpenFile(fname, request, file_opts, &fd); !s.ok()) return s;
  WritableFileStart start{.caching = caching};
  if (IOStatus s = SizeOf(fd.get(), fname, &start.size); !s.ok()) return s;
  FileOptions options = file_opts;
  options.use_mapped_appends = false;  // It is open for writing alone.
  *result =
      std::make_unique<PosixWritableFile>(fname, std::move(fd), start, options);
  return IOStatus::OK();
}

IOStatus PosixFileSystem::ReuseWritableFile(
    const std::string& fname, const std::string& old_fname,
    const FileOptions& file_opts, std::unique_ptr<FSWritableFile>* result,
    IODebugContext* dbg) {
  if (IOStatus s = RenameFile(old_fname, fname, IOOptions(), dbg); !s.ok()) {
    return s;
  }
  FileOptions options = file_opts;
  options.use_mmap_writes = false;
  // What is there would have to be read before it is written over.
  options.use_mapped_appends = false;
  return OpenWritable(fname, 0, FileMode(), options, result);
}

IOStatus PosixFileSystem::NewRandomRWFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSRandomRWFile>* result, IODebugContext* /*dbg*/) {
  const OpenRequest request{.action = "While open file for random read/write",
                            .flags = O_RDWR};
  FileDescriptor fd;
  if (IOStatus s = OpenFile(fname, request, file_opts, &fd); !s.ok()) return s;
  *result = std::make_unique<PosixRandomRWFile>(fname, std::move(fd));
  return IOStatus::OK();
}

IOStatus PosixFileSystem::NewMemoryMappedFileBuffer(
    const std::string& fname, std::unique_ptr<MemoryMappedFileBuffer>* result) {
  const OpenRequest request{
      .action = "While open file for raw mmap buffer access", .flags = O_RDWR};
  FileDescriptor fd;
  if (IOStatus s = OpenFile(fname, request, FileOptions(), &fd); !s.ok()) {
    return s;
  }
  uint64_t size = 0;
  if (IOStatus s = SizeOf(fd.get(), fname, &size); !s.ok()) return s;
  void* base = nullptr;
  if (size > 0) {
    base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
    if (base == MAP_FAILED)
      return PosixError("while mmap file for read", fname, errno);
  }
  *result = std::make_unique<PosixMemoryMappedFileBuffer>(base, size);
  return IOStatus::OK();
}

IOStatus PosixFileSystem::NewDirectory(const std::string& name,
                                       const IOOptions& /*options*/,
                                       std::unique_ptr<FSDirectory>* result,
                                       IODebugContext* /*dbg*/) {
  const OpenRequest request{.action = "While open directory",
                            .flags = O_RDONLY | O_DIRECTORY};
  FileDescriptor fd;
  if (IOStatus s = OpenFile(name, request, FileOptions(), &fd); !s.ok()) {
    return s;
  }
  *result = std::make_unique<PosixDirectory>(name, std::move(fd));
  return IOStatus::OK();
}

IOStatus PosixFileSystem::FileExists(const std::string& fname,
                                     const IOOptions& /*options*/,
                                     IODebugContext* /*dbg*/) {
  if (access(fname.c_str(), F_OK) == 0) return IOStatus::OK();
  switch (errno) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
      return IOStatus::NotFound("no such file", fname);
    default:
      return PosixError("While looking for", fname, errno);
  }
}

IOStatus PosixFileSystem::GetChildren(const std::string& dir,
                                      const IOOptions& /*options*/,
                                      std::vector<std::string>* result,
                                      IODebugContext* /*dbg*/) {
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(opendir(dir.c_str()),
                                                   &closedir);
  if (stream == nullptr) {
    IOStatus status = PosixError("While opendir", dir, errno);
    if (errno != ENOENT && errno != ENOTDIR) return status;
    return IOStatus::NotFound(IOStatus::kPathNotFound, status.getState());
  }
  std::vector<std::string> names;
  for (;;) {
    errno = 0;  // readdir() reports the end and an error alike.
    const dirent* entry = readdir(stream.get());
    if (entry == nullptr) break;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
      continue;
    }
    names.emplace_back(entry->d_name);
  }
  if (errno != 0) return PosixError("While readdir", dir, errno);
  *result = std::move(names);
  return IOStatus::OK();
}

IOStatus PosixFileSystem::DeleteFile(const std::string& fname,
                                     const IOOptions& /*options*/,
                                     IODebugContext* /*dbg*/) {
  return Answer(unlink(fname.c_str()), "while unlink() file", fname);
}

IOStatus PosixFileSystem::Truncate(const std::string& fname, size_t size,
                                   const IOOptions& /*options*/,
                                   IODebugContext* /*dbg*/) {
  return Answer(truncate(fname.c_str(), static_cast<off_t>(size)),
                "While truncating", fname);
}

IOStatus PosixFileSystem::CreateDir(const std::string& dirname,
                                    const IOOptions& /*options*/,
                                    IODebugContext* /*dbg*/) {
  return Answer(mkdir(dirname.c_str(), 0755), "While mkdir", dirname);
}

IOStatus PosixFileSystem::CreateDirIfMissing(const std::string& dirname,
                                             const IOOptions& options,
                                             IODebugContext* dbg) {
  if (mkdir(dirname.c_str(), 0755) == 0) return IOStatus::OK();
  if (errno != EEXIST) {
    return PosixError("While mkdir if missing", dirname, errno);
  }
  bool is_dir = false;
  if (IOStatus s = IsDirectory(dirname, options, &is_dir, dbg); !s.ok()) {
    return s;
  }
  if (!is_dir)
    return IOStatus::IOError("`" + dirname + "' exists but is not a directory");
  return IOStatus::OK();
}

IOStatus PosixFileSystem::DeleteDir(const std::string& dirname,
                                    const IOOptions& /*options*/,
                                    IODebugContext* /*dbg*/) {
  return Answer(rmdir(dirname.c_str()), "file rmdir", dirname);
}

IOStatus PosixFileSystem::GetFileSize(const std::string& fname,
                                      const IOOptions& /*options*/,
                                      uint64_t* file_size,
                                      IODebugContext* /*dbg*/) {
  struct stat info;
  if (IOStatus s = Stat(fname, "while stat a file for size", &info); !s.ok())
    return s;
  *file_size = static_cast<uint64_t>(info.st_size);
  return IOStatus::OK();
}

IOStatus PosixFileSystem::GetFileModificationTime(const std::string& fname,
                                                  const IOOptions& /*options*/,
                                                  uint64_t* file_mtime,
                                                  IODebugContext* /*dbg*/) {
  struct stat info;
  if (IOStatus s =
          Stat(fname, "while stat a file for modification time", &info);
      !s.ok())
    return s;
  *file_mtime = static_cast<uint64_t>(info.st_mtime);
  return IOStatus::OK();
}

IOStatus PosixFileSystem::RenameFile(const std::string& src,
                                     const std::string& dst,
                                     const IOOptions& /*options*/,
                                     IODebugContext* /*dbg*/) {
  if (rename(src.c_str(), dst.c_str()) == 0) return IOStatus::OK();
  return PosixError("While renaming a file to " + dst, src, errno);
}

IOStatus PosixFileSystem::LinkFile(const std::string& src,
                                   const std::string& dst,
                                   const IOOptions& /*options*/,
                                   IODebugContext* /*dbg*/) {
  if (link(src.c_str(), dst.c_str()) == 0) return IOStatus::OK();
  if (errno == EXDEV || errno == ENOTSUP || errno == EPERM || errno == EMLINK) {
    return IOStatus::NotSupported("hard link of " + src + " as " + dst,
                                  strerror(errno));
  }
  return PosixError("while link file to " + dst, src, errno);
}

IOStatus PosixFileSystem::NumFileLinks(const std::string& fname,
                                       const IOOptions& /*options*/,
                                       uint64_t* count,
                                       IODebugContext* /*dbg*/) {
  struct stat info;
  if (IOStatus s = Stat(fname, "while stat a file for num file links", &info);
      !s.ok())
    return s;
  *count = static_cast<uint64_t>(info.st_nlink);
  return IOStatus::OK();
}

IOStatus PosixFileSystem::AreFilesSame(const std::string& first,
                                       const std::string& second,
                                       const IOOptions& /*options*/, bool* res,
                                       IODebugContext* /*dbg*/) {
  struct stat a;
  struct stat b;
  if (IOStatus s = Stat(first, "stat file", &a); !s.ok()) return s;
  if (IOStatus s = Stat(second, "stat file", &b); !s.ok()) return s;
  *res = a.st_dev == b.st_dev && a.st_ino == b.st_ino;
  return IOStatus::OK();
}

bool PosixFileSystem::IsClosedEverywhere(const std::string& path) const {
  return IsOpenNowhere(path);
}

IOStatus PosixFileSystem::LockFile(const std::string& fname,
                                   const IOOptions& /*options*/,
                                   FileLock** lock, IODebugContext* /*dbg*/) {
  return AcquireLockFile(fname, lock);
}

IOStatus PosixFileSystem::UnlockFile(FileLock* lock,
                                     const IOOptions& /*options*/,
                                     IODebugContext* /*dbg*/) {
  return ReleaseLockFile(lock);
}

IOStatus PosixFileSystem::GetTestDirectory(const IOOptions& options,
                                           std::string* path,
                                           IODebugContext* dbg) {
  const char* chosen = getenv("TEST_TMPDIR");
  const std::string dir = chosen != nullptr && *chosen != '\0'
                              ? std::string(chosen)
                              : "/tmp/rocksdbtest-" + std::to_string(geteuid());
  IOStatus status = CreateDirIfMissing(dir, options, dbg);
  if (status.ok()) *path = dir;
  return status;
}

IOStatus PosixFileSystem::GetAbsolutePath(const std::string& db_path,
                                          const IOOptions& /*options*/,
                                          std::string* output_path,
                                          IODebugContext* /*dbg*/) {
  if (!db_path.empty() && db_path[0] == '/') {
    *output_path = db_path;
    return IOStatus::OK();
  }
  char buffer[PATH_MAX];
  if (getcwd(buffer, sizeof(buffer)) == nullptr) {
    return PosixError("While finding the working directory for", db_path,
                      errno);
  }
  *output_path = std::string(buffer) + "/" + db_path;
  return IOStatus::OK();
}

IOStatus PosixFileSystem::GetFreeSpace(const std::string& path,
                                       const IOOptions& /*options*/,
                                       uint64_t* diskfree,
                                       IODebugContext* /*dbg*/) {
  struct statvfs info;
  if (statvfs(path.c_str(), &info) != 0) {
    return PosixError("While doing statvfs", path, errno);
  }
  // Blocks kept for the superuser help the superuser only.
  const uint64_t blocks = geteuid() == 0 ? info.f_bfree : info.f_bavail;
  *diskfree = blocks * info.f_frsize;
  return IOStatus::OK();
}

IOStatus PosixFileSystem::IsDirectory(const std::string& path,
                                      const IOOptions& /*options*/,
                                      bool* is_dir, IODebugContext* /*dbg*/) {
  struct stat info;
  if (IOStatus s = Stat(path, "While open for IsDirectory()", &info); !s.ok())
    return s;
  *is_dir = S_ISDIR(info.st_mode);
  return IOStatus::OK();
}

IOStatus PosixFileSystem::SetAllowNonOwnerAccess(bool allow) {
  allow_others_.store(allow);
  return IOStatus::OK();
}

FileOptions PosixFileSystem::OptimizeForLogWrite(
    const FileOptions& file_options, const DBOptions& db_options) const {
  FileOptions result =
      FileSystem::OptimizeForLogWrite(file_options, db_options);
  result.use_mmap_writes = false;
  result.use_mapped_appends = AllowsMappedLogs(db_options);
  result.fallocate_with_keep_size = true;
  return result;
}

FileOptions PosixFileSystem::OptimizeForManifestWrite(
    const FileOptions& file_options) const {
  FileOptions result = FileSystem::OptimizeForManifestWrite(file_options);
  result.use_mmap_writes = false;
  result.fallocate_with_keep_size = true;
  return result;
}

FileOptions PosixFileSystem::OptimizeForCompactionTableRead(
    const FileOptions& file_options,
    const ImmutableDBOptions& db_options) const {
  FileOptions result =
      FileSystem::OptimizeForCompactionTableRead(file_options, db_options);
  if (result.use_direct_reads || result.use_mmap_reads) return result;
  for (const DbPath& path : db_options.db_paths) {
    const size_t limit = ReadaheadLimit(path.path);
    if (limit == 0) continue;
    result.compaction_readahead_size =
        std::min(result.compaction_readahead_size, limit);
  }
  return result;
}

IOStatus PosixFileSystem::Poll(std::vector<void*>& io_handles,
                               size_t min_completions) {
  size_t delivered = 0;
  for (void* raw : io_handles) {
    auto* handle = static_cast<UringHandle*>(raw);
    if (handle == nullptr) continue;
    if (delivered < min_completions) {
      handle->ring->WaitFor(&handle->read);
    } else if (!handle->ring->IsFinished(&handle->read)) {
      continue;
    }
    handle->DeliverOnce();
    ++delivered;
  }
  return IOStatus::OK();
}

IOStatus PosixFileSystem::AbortIO(std::vector<void*>& io_handles) {
  for (void* raw : io_handles) {
    auto* handle = static_cast<UringHandle*>(raw);
    if (handle == nullptr) continue;
    handle->ring->Cancel(&handle->read);
    handle->DeliverOnce();
  }
  return IOStatus::OK();
}

void PosixFileSystem::SupportedOps(int64_t& supported_ops) {
  supported_ops = int64_t{1} << FSSupportedOps::kFSPrefetch;
  if (PosixUring::OfThisThread() != nullptr) {
    supported_ops |= int64_t{1} << FSSupportedOps::kAsyncIO;
  }
}

std::shared_ptr<FileSystem> FileSystem::Default() {
  // Never destroyed: databases held by statics may outlive any static of ours.
  static const std::shared_ptr<FileSystem>& instance =
      *std::make_unique<std::shared_ptr<FileSystem>>(
           std::make_shared<PosixFileSystem>())
           .release();
  return instance;
}

}  // namespace ROCKSDB_NAMESPACE
