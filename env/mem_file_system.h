// A file system in memory: directories, links, locks, direct I/O with its
// rules. For tests, for tools, and for NewMemEnv().
//
// Paths are cleaned ("a//b/" is "a/b"); "/" and the empty path are the root,
// which always exists. A file may be created only where its directory exists,
// unless `implicit_directories` is set. A removed file lives on for those who
// hold it open.
//
// Threads    Safe for concurrent use; one lock for names, one for each file.
// Ownership  Open files keep their bytes alive, not the file system.
// Errors     As POSIX: PathNotFound, IOError with the path. A read or write of
//            a direct file that is not aligned in offset, length or buffer is
//            InvalidArgument.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/file_holders.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

struct MemFileSystemOptions {
  // False: opening a file for direct I/O is InvalidArgument.
  bool accepts_direct_io = true;
  // What direct files ask of offset, length and buffer; a power of two.
  size_t direct_alignment = 4096;
  // Parents of a new file or directory appear by themselves.
  bool implicit_directories = false;
  // Bytes that all files may hold together; beyond it writes are NoSpace.
  uint64_t capacity_bytes = ~uint64_t{0};
};

class MemFile;
struct MemHandle;
struct MemSpace;

class MemFileSystem : public FileSystem, public FileHolders {
 public:
  explicit MemFileSystem(
      const std::shared_ptr<SystemClock>& clock = SystemClock::Default(),
      const MemFileSystemOptions& options = MemFileSystemOptions());
  ~MemFileSystem() override;

  static const char* kClassName() { return "MemoryFileSystem"; }
  const char* Name() const override { return kClassName(); }

  IOStatus NewSequentialFile(const std::string& fname,
                             const FileOptions& file_opts,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* dbg) override;
  IOStatus NewRandomAccessFile(const std::string& fname,
                               const FileOptions& file_opts,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override;
  IOStatus NewWritableFile(const std::string& fname,
                           const FileOptions& file_opts,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override;
  IOStatus ReopenWritableFile(const std::string& fname,
                              const FileOptions& file_opts,
                              std::unique_ptr<FSWritableFile>* result,
                              IODebugContext* dbg) override;
  IOStatus ReuseWritableFile(const std::string& fname,
                             const std::string& old_fname,
                             const FileOptions& file_opts,
                             std::unique_ptr<FSWritableFile>* result,
                             IODebugContext* dbg) override;
  IOStatus NewRandomRWFile(const std::string& fname,
                           const FileOptions& file_opts,
                           std::unique_ptr<FSRandomRWFile>* result,
                           IODebugContext* dbg) override;
  IOStatus NewDirectory(const std::string& name, const IOOptions& options,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext* dbg) override;
  IOStatus FileExists(const std::string& fname, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus GetChildren(const std::string& dir, const IOOptions& options,
                       std::vector<std::string>* result,
                       IODebugContext* dbg) override;
  IOStatus DeleteFile(const std::string& fname, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus Truncate(const std::string& fname, size_t size,
                    const IOOptions& options, IODebugContext* dbg) override;
  IOStatus CreateDir(const std::string& dirname, const IOOptions& options,
                     IODebugContext* dbg) override;
  IOStatus CreateDirIfMissing(const std::string& dirname,
                              const IOOptions& options,
                              IODebugContext* dbg) override;
  IOStatus DeleteDir(const std::string& dirname, const IOOptions& options,
                     IODebugContext* dbg) override;
  IOStatus GetFileSize(const std::string& fname, const IOOptions& options,
                       uint64_t* file_size, IODebugContext* dbg) override;
  IOStatus GetFileModificationTime(const std::string& fname,
                                   const IOOptions& options,
                                   uint64_t* file_mtime,
                                   IODebugContext* dbg) override;
  IOStatus RenameFile(const std::string& src, const std::string& dst,
                      const IOOptions& options, IODebugContext* dbg) override;
  IOStatus LinkFile(const std::string& src, const std::string& dst,
                    const IOOptions& options, IODebugContext* dbg) override;
  IOStatus NumFileLinks(const std::string& fname, const IOOptions& options,
                        uint64_t* count, IODebugContext* dbg) override;
  IOStatus AreFilesSame(const std::string& first, const std::string& second,
                        const IOOptions& options, bool* res,
                        IODebugContext* dbg) override;
  IOStatus LockFile(const std::string& fname, const IOOptions& options,
                    FileLock** lock, IODebugContext* dbg) override;
  IOStatus UnlockFile(FileLock* lock, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus GetTestDirectory(const IOOptions& options, std::string* path,
                            IODebugContext* dbg) override;
  IOStatus GetAbsolutePath(const std::string& db_path, const IOOptions& options,
                           std::string* output_path,
                           IODebugContext* dbg) override;
  IOStatus GetFreeSpace(const std::string& path, const IOOptions& options,
                        uint64_t* diskfree, IODebugContext* dbg) override;
  IOStatus IsDirectory(const std::string& path, const IOOptions& options,
                       bool* is_dir, IODebugContext* dbg) override;
  bool IsClosedEverywhere(const std::string& path) const override;

 private:
  using FileRef = std::shared_ptr<MemFile>;

  IOStatus FindFile(const std::string& path, FileRef* file);
  FileRef FindLocked(const std::string& path) const REQUIRES(mutex_);
  IOStatus CheckParentLocked(const std::string& path) REQUIRES(mutex_);
  IOStatus CreateLocked(const std::string& path, FileRef* file)
      REQUIRES(mutex_);
  bool HasChildrenLocked(const std::string& dir) const REQUIRES(mutex_);
  IOStatus CheckDirect(const std::string& path, bool is_direct) const;
  FileRef NewNode(bool is_directory) REQUIRES(mutex_);
  MemHandle HandleOf(const std::string& path, FileRef&& file,
                     bool is_direct) const;
  void MoveTreeLocked(const std::string& src, const std::string& dst)
      REQUIRES(mutex_);

  const std::shared_ptr<SystemClock> clock_;
  const MemFileSystemOptions options_;
  // Bytes in use; shared with the files, which may live longer.
  const std::shared_ptr<MemSpace> space_;

  // Guards the names. Taken before the lock of a file.
  mutable Mutex mutex_;
  uint64_t last_number_ GUARDED_BY(mutex_) = 0;
  const FileRef root_;
  std::map<std::string, FileRef> names_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
