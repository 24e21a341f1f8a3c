// An Env that adds the time of its file calls to the PerfContext of the calling
// thread: the fields env_*_nanos, which nothing else counts.
//
// The times are taken below the engine's interface for files, so that a
// database which runs on it has all that the file system can do, and what it
// reads and writes goes past it.
#include <memory>
#include <string>
#include <vector>

#include "env/composite_env.h"
#include "env/file_holders.h"
#include "monitoring/perf_context_imp.h"
#include "options/builtin_objects.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class TimedFileSystem final : public FileSystemWrapper, public FileHolders {
 public:
  static const char* kClassName() { return "TimedFS"; }

  explicit TimedFileSystem(const std::shared_ptr<FileSystem>& target = nullptr)
      : FileSystemWrapper(target) {}
  const char* Name() const override { return kClassName(); }

  bool IsClosedEverywhere(const std::string& path) const override {
    const auto* holders = dynamic_cast<const FileHolders*>(target());
    return holders != nullptr && holders->IsClosedEverywhere(path);
  }

  IOStatus NewSequentialFile(const std::string& fname,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_new_sequential_file_nanos);
    return target()->NewSequentialFile(fname, options, result, debug);
  }
  IOStatus NewRandomAccessFile(const std::string& fname,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_new_random_access_file_nanos);
    return target()->NewRandomAccessFile(fname, options, result, debug);
  }
  IOStatus NewWritableFile(const std::string& fname, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_new_writable_file_nanos);
    return target()->NewWritableFile(fname, options, result, debug);
  }
  IOStatus ReuseWritableFile(const std::string& fname,
                             const std::string& old_fname,
                             const FileOptions& options,
                             std::unique_ptr<FSWritableFile>* result,
                             IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_reuse_writable_file_nanos);
    return target()->ReuseWritableFile(fname, old_fname, options, result,
                                       debug);
  }
  IOStatus NewRandomRWFile(const std::string& fname, const FileOptions& options,
                           std::unique_ptr<FSRandomRWFile>* result,
                           IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_new_random_rw_file_nanos);
    return target()->NewRandomRWFile(fname, options, result, debug);
  }
  IOStatus NewDirectory(const std::string& name, const IOOptions& options,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_new_directory_nanos);
    return target()->NewDirectory(name, options, result, debug);
  }
  IOStatus FileExists(const std::string& fname, const IOOptions& options,
                      IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_file_exists_nanos);
    return target()->FileExists(fname, options, debug);
  }
  IOStatus GetChildren(const std::string& dir, const IOOptions& options,
                       std::vector<std::string>* result,
                       IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_get_children_nanos);
    return target()->GetChildren(dir, options, result, debug);
  }
  IOStatus GetChildrenFileAttributes(const std::string& dir,
                                     const IOOptions& options,
                                     std::vector<FileAttributes>* result,
                                     IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_get_children_file_attributes_nanos);
    return target()->GetChildrenFileAttributes(dir, options, result, debug);
  }
  IOStatus DeleteFile(const std::string& fname, const IOOptions& options,
                      IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_delete_file_nanos);
    return target()->DeleteFile(fname, options, debug);
  }
  IOStatus CreateDir(const std::string& dirname, const IOOptions& options,
                     IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_create_dir_nanos);
    return target()->CreateDir(dirname, options, debug);
  }
  IOStatus CreateDirIfMissing(const std::string& dirname,
                              const IOOptions& options,
                              IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_create_dir_if_missing_nanos);
    return target()->CreateDirIfMissing(dirname, options, debug);
  }
  IOStatus DeleteDir(const std::string& dirname, const IOOptions& options,
                     IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_delete_dir_nanos);
    return target()->DeleteDir(dirname, options, debug);
  }
  IOStatus GetFileSize(const std::string& fname, const IOOptions& options,
                       uint64_t* size, IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_get_file_size_nanos);
    return target()->GetFileSize(fname, options, size, debug);
  }
  IOStatus GetFileModificationTime(const std::string& fname,
                                   const IOOptions& options, uint64_t* time,
                                   IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_get_file_modification_time_nanos);
    return target()->GetFileModificationTime(fname, options, time, debug);
  }
  IOStatus RenameFile(const std::string& src, const std::string& dst,
                      const IOOptions& options,
                      IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_rename_file_nanos);
    return target()->RenameFile(src, dst, options, debug);
  }
  IOStatus LinkFile(const std::string& src, const std::string& dst,
                    const IOOptions& options, IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_link_file_nanos);
    return target()->LinkFile(src, dst, options, debug);
  }
  IOStatus LockFile(const std::string& fname, const IOOptions& options,
                    FileLock** lock, IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_lock_file_nanos);
    return target()->LockFile(fname, options, lock, debug);
  }
  IOStatus UnlockFile(FileLock* lock, const IOOptions& options,
                      IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_unlock_file_nanos);
    return target()->UnlockFile(lock, options, debug);
  }
  IOStatus NewLogger(const std::string& fname, const IOOptions& options,
                     std::shared_ptr<Logger>* result,
                     IODebugContext* debug) override {
    PERF_TIMER_GUARD(env_new_logger_nanos);
    return target()->NewLogger(fname, options, result, debug);
  }
};

class TimedEnv final : public CompositeEnvWrapper {
 public:
  explicit TimedEnv(Env* base)
      : CompositeEnvWrapper(
            base, std::make_shared<TimedFileSystem>(base->GetFileSystem())) {}
  const char* Name() const override { return "TimedEnv"; }
};

void RegisterTimedFileSystem() {
  AddBuiltin<FileSystem, TimedFileSystem>(TimedFileSystem::kClassName());
}

ROCKSDB_REGISTER_OBJECTS(RegisterTimedFileSystem);

}  // namespace

Env* NewTimedEnv(Env* base_env) {
  INVARIANT(base_env != nullptr);
  return std::make_unique<TimedEnv>(base_env).release();
}

}  // namespace ROCKSDB_NAMESPACE
