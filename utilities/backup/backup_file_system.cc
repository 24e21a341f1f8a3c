#include "utilities/backup/backup_file_system.h"

#include <utility>

#include "file/filename.h"

namespace ROCKSDB_NAMESPACE {

namespace {

IOStatus WouldWrite() {
  return IOStatus::IOError("Attempted write to ReadOnlyFileSystem");
}

class BackupFileSystem final : public FileSystemWrapper {
 public:
  BackupFileSystem(const std::shared_ptr<FileSystem>& base,
                   const std::string& directory, MovedFiles files)
      : FileSystemWrapper(base),
        directory_(NormalizePath(directory)),
        files_(std::move(files)) {}
  const char* Name() const override { return "BackupFileSystem"; }

  // --- reading
  IOStatus NewSequentialFile(const std::string& fname,
                             const FileOptions& file_opts,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* dbg) override {
    return target()->NewSequentialFile(Where(fname), file_opts, result, dbg);
  }
  IOStatus NewRandomAccessFile(const std::string& fname,
                               const FileOptions& file_opts,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    return target()->NewRandomAccessFile(Where(fname), file_opts, result, dbg);
  }
  IOStatus FileExists(const std::string& fname, const IOOptions& options,
                      IODebugContext* dbg) override {
    return target()->FileExists(Where(fname), options, dbg);
  }
  IOStatus GetFileSize(const std::string& fname, const IOOptions& options,
                       uint64_t* file_size, IODebugContext* dbg) override {
    return target()->GetFileSize(Where(fname), options, file_size, dbg);
  }
  IOStatus GetFileModificationTime(const std::string& fname,
                                   const IOOptions& options,
                                   uint64_t* file_mtime,
                                   IODebugContext* dbg) override {
    return target()->GetFileModificationTime(Where(fname), options, file_mtime,
                                             dbg);
  }
  IOStatus NumFileLinks(const std::string& fname, const IOOptions& options,
                        uint64_t* count, IODebugContext* dbg) override {
    return target()->NumFileLinks(Where(fname), options, count, dbg);
  }
  IOStatus AreFilesSame(const std::string& first, const std::string& second,
                        const IOOptions& options, bool* res,
                        IODebugContext* dbg) override {
    return target()->AreFilesSame(Where(first), Where(second), options, res,
                                  dbg);
  }
  IOStatus IsDirectory(const std::string& path, const IOOptions& options,
                       bool* is_dir, IODebugContext* dbg) override {
    return target()->IsDirectory(Where(path), options, is_dir, dbg);
  }
  IOStatus GetChildren(const std::string& dir, const IOOptions& options,
                       std::vector<std::string>* result,
                       IODebugContext* dbg) override {
    IOStatus s = target()->GetChildren(dir, options, result, dbg);
    if (!s.ok() || NormalizePath(dir) != directory_) return s;
    for (const auto& [name, path] : files_) result->push_back(name);
    return s;
  }
  IOStatus GetChildrenFileAttributes(const std::string& dir,
                                     const IOOptions& options,
                                     std::vector<Env::FileAttributes>* result,
                                     IODebugContext* dbg) override {
    IOStatus s = target()->GetChildrenFileAttributes(dir, options, result, dbg);
    if (NormalizePath(dir) != directory_) return s;
    for (const auto& [name, path] : files_) {
      Env::FileAttributes file{name, 0};
      if (s.ok())
        s = target()->GetFileSize(path, options, &file.size_bytes, dbg);
      if (s.ok()) result->push_back(std::move(file));
    }
    return s;
  }

  // --- writing
  IOStatus NewWritableFile(const std::string&, const FileOptions&,
                           std::unique_ptr<FSWritableFile>*,
                           IODebugContext*) override {
    return WouldWrite();
  }
  IOStatus ReopenWritableFile(const std::string&, const FileOptions&,
                              std::unique_ptr<FSWritableFile>*,
                              IODebugContext*) override {
    return WouldWrite();
  }
  IOStatus ReuseWritableFile(const std::string&, const std::string&,
                             const FileOptions&,
                             std::unique_ptr<FSWritableFile>*,
                             IODebugContext*) override {
    return WouldWrite();
  }
  IOStatus NewRandomRWFile(const std::string&, const FileOptions&,
                           std::unique_ptr<FSRandomRWFile>*,
                           IODebugContext*) override {
    return WouldWrite();
  }
  IOStatus NewMemoryMappedFileBuffer(
      const std::string&, std::unique_ptr<MemoryMappedFileBuffer>*) override {
    return WouldWrite();
  }
  IOStatus NewDirectory(const std::string&, const IOOptions&,
                        std::unique_ptr<FSDirectory>*,
                        IODebugContext*) override {
    return WouldWrite();
  }
  IOStatus DeleteFile(const std::string&, const IOOptions&,
                      IODebugContext*) override {
    return WouldWrite();
  }
  IOStatus Truncate(const std::string&, size_t, const IOOptions&,
                    IODebugContext*) override {
    return WouldWrite();
  }
  IOStatus CreateDir(const std::string&, const IOOptions&,
                     IODebugContext*) override {
    return WouldWrite();
  }
  // Good if there is nothing to do.
  IOStatus CreateDirIfMissing(const std::string& dirname,
                              const IOOptions& options,
                              IODebugContext* dbg) override {
    bool is_directory = false;
    const IOStatus s =
        target()->IsDirectory(dirname, options, &is_directory, dbg);
    return s.ok() && is_directory ? IOStatus::OK() : WouldWrite();
  }
  IOStatus DeleteDir(const std::string&, const IOOptions&,
                     IODebugContext*) override {
    return WouldWrite();
  }
  IOStatus RenameFile(const std::string&, const std::string&, const IOOptions&,
                      IODebugContext*) override {
    return WouldWrite();
  }
  IOStatus LinkFile(const std::string&, const std::string&, const IOOptions&,
                    IODebugContext*) override {
    return WouldWrite();
  }
  IOStatus SyncFile(const std::string&, const FileOptions&, const IOOptions&,
                    bool, IODebugContext*) override {
    return WouldWrite();
  }
  IOStatus LockFile(const std::string&, const IOOptions&, FileLock**,
                    IODebugContext*) override {
    return WouldWrite();
  }
  IOStatus NewLogger(const std::string&, const IOOptions&,
                     std::shared_ptr<Logger>*, IODebugContext*) override {
    return WouldWrite();
  }

 private:
  std::string Where(const std::string& path) const {
    const size_t slash = path.find_last_of('/');
    if (slash == std::string::npos ||
        NormalizePath(path.substr(0, slash)) != directory_) {
      return path;
    }
    const auto found = files_.find(path.substr(slash + 1));
    return found == files_.end() ? path : found->second;
  }

  const std::string directory_;
  const MovedFiles files_;
};

}  // namespace

std::shared_ptr<Env> NewBackupEnv(const std::shared_ptr<FileSystem>& fs,
                                  const std::string& directory,
                                  MovedFiles files) {
  return NewCompositeEnv(
      std::make_shared<BackupFileSystem>(fs, directory, std::move(files)));
}

}  // namespace ROCKSDB_NAMESPACE
