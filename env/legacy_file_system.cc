#include "env/legacy_file_system.h"

#include <string>
#include <utility>
#include <vector>

#include "env/legacy_files.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class LegacyFileSystem : public FileSystem {
 public:
  explicit LegacyFileSystem(Env* env) : env_(env) {}

  static const char* kClassName() { return "LegacyFileSystem"; }
  const char* Name() const override { return kClassName(); }

  IOStatus NewSequentialFile(const std::string& fname,
                             const FileOptions& file_opts,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* /*dbg*/) override {
    return Wrap<LegacySequentialFile, SequentialFile>(
        result, [&](std::unique_ptr<SequentialFile>* file) {
          return env_->NewSequentialFile(fname, file, file_opts);
        });
  }
  IOStatus NewRandomAccessFile(const std::string& fname,
                               const FileOptions& file_opts,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* /*dbg*/) override {
    return Wrap<LegacyRandomAccessFile, RandomAccessFile>(
        result, [&](std::unique_ptr<RandomAccessFile>* file) {
          return env_->NewRandomAccessFile(fname, file, file_opts);
        });
  }
  IOStatus NewWritableFile(const std::string& fname,
                           const FileOptions& file_opts,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* /*dbg*/) override {
    return Wrap<LegacyWritableFile, WritableFile>(
        result, [&](std::unique_ptr<WritableFile>* file) {
          return env_->NewWritableFile(fname, file, file_opts);
        });
  }
  IOStatus ReopenWritableFile(const std::string& fname,
                              const FileOptions& file_opts,
                              std::unique_ptr<FSWritableFile>* result,
                              IODebugContext* /*dbg*/) override {
    return Wrap<LegacyWritableFile, WritableFile>(
        result, [&](std::unique_ptr<WritableFile>* file) {
          return env_->ReopenWritableFile(fname, file, file_opts);
        });
  }
  IOStatus NewRandomRWFile(const std::string& fname,
                           const FileOptions& file_opts,
                           std::unique_ptr<FSRandomRWFile>* result,
                           IODebugContext* /*dbg*/) override {
    return Wrap<LegacyRandomRWFile, RandomRWFile>(
        result, [&](std::unique_ptr<RandomRWFile>* file) {
          return env_->NewRandomRWFile(fname, file, file_opts);
        });
  }
  IOStatus ReuseWritableFile(const std::string& fname,
                             const std::string& old_fname,
                             const FileOptions& file_opts,
                             std::unique_ptr<FSWritableFile>* result,
                             IODebugContext* /*dbg*/) override {
    return Wrap<LegacyWritableFile, WritableFile>(
        result, [&](std::unique_ptr<WritableFile>* file) {
          return env_->ReuseWritableFile(fname, old_fname, file, file_opts);
        });
  }
  IOStatus NewMemoryMappedFileBuffer(
      const std::string& fname,
      std::unique_ptr<MemoryMappedFileBuffer>* result) override {
    return status_to_io_status(env_->NewMemoryMappedFileBuffer(fname, result));
  }
  IOStatus NewDirectory(const std::string& name, const IOOptions& /*options*/,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext* /*dbg*/) override {
    return Wrap<LegacyDirectory, Directory>(
        result, [&](std::unique_ptr<Directory>* directory) {
          return env_->NewDirectory(name, directory);
        });
  }
  Status RegisterDbPaths(const std::vector<std::string>& paths) override {
    return env_->RegisterDbPaths(paths);
  }
  Status UnregisterDbPaths(const std::vector<std::string>& paths) override {
    return env_->UnregisterDbPaths(paths);
  }
  IOStatus SyncFile(const std::string& fname, const FileOptions& file_opts,
                    const IOOptions& /*options*/, bool use_fsync,
                    IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->SyncFile(fname, file_opts, use_fsync));
  }
  IOStatus FileExists(const std::string& fname, const IOOptions& /*options*/,
                      IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->FileExists(fname));
  }
  IOStatus GetChildren(const std::string& dir, const IOOptions& /*options*/,
                       std::vector<std::string>* result,
                       IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->GetChildren(dir, result));
  }
  IOStatus GetChildrenFileAttributes(const std::string& dir,
                                     const IOOptions& /*options*/,
                                     std::vector<FileAttributes>* result,
                                     IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->GetChildrenFileAttributes(dir, result));
  }
  IOStatus DeleteFile(const std::string& fname, const IOOptions& /*options*/,
                      IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->DeleteFile(fname));
  }
  IOStatus Truncate(const std::string& fname, size_t size,
                    const IOOptions& /*options*/,
                    IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->Truncate(fname, size));
  }
  IOStatus CreateDir(const std::string& dirname, const IOOptions& /*options*/,
                     IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->CreateDir(dirname));
  }
  IOStatus CreateDirIfMissing(const std::string& dirname,
                              const IOOptions& /*options*/,
                              IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->CreateDirIfMissing(dirname));
  }
  IOStatus DeleteDir(const std::string& dirname, const IOOptions& /*options*/,
                     IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->DeleteDir(dirname));
  }
  IOStatus GetFileSize(const std::string& fname, const IOOptions& /*options*/,
                       uint64_t* file_size, IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->GetFileSize(fname, file_size));
  }
  IOStatus GetFileModificationTime(const std::string& fname,
                                   const IOOptions& /*options*/,
                                   uint64_t* file_mtime,
                                   IODebugContext* /*dbg*/) override {
    return status_to_io_status(
        env_->GetFileModificationTime(fname, file_mtime));
  }
  IOStatus RenameFile(const std::string& src, const std::string& dst,
                      const IOOptions& /*options*/,
                      IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->RenameFile(src, dst));
  }
  IOStatus LinkFile(const std::string& src, const std::string& dst,
                    const IOOptions& /*options*/,
                    IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->LinkFile(src, dst));
  }
  IOStatus NumFileLinks(const std::string& fname, const IOOptions& /*options*/,
                        uint64_t* count, IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->NumFileLinks(fname, count));
  }
  IOStatus AreFilesSame(const std::string& first, const std::string& second,
                        const IOOptions& /*options*/, bool* res,
                        IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->AreFilesSame(first, second, res));
  }
  IOStatus LockFile(const std::string& fname, const IOOptions& /*options*/,
                    FileLock** lock, IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->LockFile(fname, lock));
  }
  IOStatus UnlockFile(FileLock* lock, const IOOptions& /*options*/,
                      IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->UnlockFile(lock));
  }
  IOStatus GetTestDirectory(const IOOptions& /*options*/, std::string* path,
                            IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->GetTestDirectory(path));
  }
  IOStatus NewLogger(const std::string& fname, const IOOptions& /*options*/,
                     std::shared_ptr<Logger>* result,
                     IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->NewLogger(fname, result));
  }
  IOStatus GetAbsolutePath(const std::string& db_path,
                           const IOOptions& /*options*/,
                           std::string* output_path,
                           IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->GetAbsolutePath(db_path, output_path));
  }
  IOStatus GetFreeSpace(const std::string& path, const IOOptions& /*options*/,
                        uint64_t* diskfree, IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->GetFreeSpace(path, diskfree));
  }
  IOStatus IsDirectory(const std::string& path, const IOOptions& /*options*/,
                       bool* is_dir, IODebugContext* /*dbg*/) override {
    return status_to_io_status(env_->IsDirectory(path, is_dir));
  }
  IOStatus SetAllowNonOwnerAccess(bool allow) override {
    return status_to_io_status(env_->SetAllowNonOwnerAccess(allow));
  }
  FileOptions OptimizeForLogRead(const FileOptions& options) const override {
    return Adopt(options, env_->OptimizeForLogRead(options));
  }
  FileOptions OptimizeForManifestRead(
      const FileOptions& options) const override {
    return Adopt(options, env_->OptimizeForManifestRead(options));
  }
  FileOptions OptimizeForLogWrite(const FileOptions& options,
                                  const DBOptions& db_options) const override {
    return Adopt(options, env_->OptimizeForLogWrite(options, db_options));
  }
  FileOptions OptimizeForManifestWrite(
      const FileOptions& options) const override {
    return Adopt(options, env_->OptimizeForManifestWrite(options));
  }
  FileOptions OptimizeForCompactionTableWrite(
      const FileOptions& options,
      const ImmutableDBOptions& db_options) const override {
    return Adopt(options,
                 env_->OptimizeForCompactionTableWrite(options, db_options));
  }
  FileOptions OptimizeForCompactionTableRead(
      const FileOptions& options,
      const ImmutableDBOptions& db_options) const override {
    return Adopt(options,
                 env_->OptimizeForCompactionTableRead(options, db_options));
  }
  FileOptions OptimizeForBlobFileRead(
      const FileOptions& options,
      const ImmutableDBOptions& db_options) const override {
    return Adopt(options, env_->OptimizeForBlobFileRead(options, db_options));
  }

  void SanitizeFileOptions(FileOptions* options) const override {
    env_->SanitizeEnvOptions(options);
  }

 private:
  template <typename Wrapper, typename File, typename Base, typename Open>
  static IOStatus Wrap(std::unique_ptr<Base>* result, Open open) {
    std::unique_ptr<File> file;
    Status status = open(&file);
    if (status.ok()) *result = std::make_unique<Wrapper>(std::move(file));
    return status_to_io_status(std::move(status));
  }

  // `options` with what an Env can change put in its place.
  static FileOptions Adopt(const FileOptions& options,
                           const EnvOptions& adopted) {
    FileOptions result = options;
    static_cast<EnvOptions&>(result) = adopted;
    return result;
  }

  Env* const env_;
};

class LegacyClock : public SystemClock {
 public:
  explicit LegacyClock(Env* env) : env_(env) {}

  static const char* kClassName() { return "LegacyClock"; }
  const char* Name() const override { return kClassName(); }

  uint64_t NowMicros() override { return env_->NowMicros(); }
  uint64_t NowNanos() override { return env_->NowNanos(); }
  uint64_t CPUMicros() override { return CPUNanos() / 1000; }
  uint64_t CPUNanos() override { return env_->NowCPUNanos(); }
  void SleepForMicroseconds(int micros) override {
    env_->SleepForMicroseconds(micros);
  }
  Status GetCurrentTime(int64_t* unix_time) override {
    return env_->GetCurrentTime(unix_time);
  }
  std::string TimeToString(uint64_t time) override {
    return env_->TimeToString(time);
  }

 private:
  Env* const env_;
};

}  // namespace

std::shared_ptr<FileSystem> NewLegacyFileSystem(Env* env) {
  return std::make_shared<LegacyFileSystem>(env);
}

std::shared_ptr<SystemClock> NewLegacyClock(Env* env) {
  return std::make_shared<LegacyClock>(env);
}

}  // namespace ROCKSDB_NAMESPACE
