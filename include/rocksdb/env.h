// Env, everything that belongs to it: the interface (env_interface.h), loggers
// (info_log.h), wrappers that forward to another object, and small helpers.
// This is the header to include.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/env_interface.h"
#include "rocksdb/info_log.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/thread_status.h"

namespace ROCKSDB_NAMESPACE {

struct IOOptions;

// Forwards every call to another Env, which must outlive it. Override what is
// to be different. GetFileSystem() answers an adapter that calls this object's
// file methods, so overriding those is enough to redirect the engine's files.
class EnvWrapper : public Env {
 public:
  // The other one, and whatever keeps it alive.
  struct Target {
    Env* env;
    std::shared_ptr<Env> guard;

    explicit Target(Env* t) : env(t) {}
    explicit Target(std::unique_ptr<Env>&& t) : env(t.get()) {
      guard = std::move(t);
    }
    explicit Target(const std::shared_ptr<Env>& t) : env(t.get()), guard(t) {}
    // One that has none forwards to Env::Default().
    void Prepare() {
      if (env == nullptr) env = Env::Default();
    }
  };

  explicit EnvWrapper(Env* target) : target_(target) {}
  explicit EnvWrapper(std::unique_ptr<Env>&& target)
      : target_(std::move(target)) {}
  explicit EnvWrapper(const std::shared_ptr<Env>& target) : target_(target) {}
  ~EnvWrapper() override;

  static const char* kClassName() { return "EnvWrapper"; }
  const char* Name() const override { return kClassName(); }

  Env* target() const { return target_.env; }

  Status RegisterDbPaths(const std::vector<std::string>& paths) override {
    return target_.env->RegisterDbPaths(paths);
  }
  Status UnregisterDbPaths(const std::vector<std::string>& paths) override {
    return target_.env->UnregisterDbPaths(paths);
  }
  Status NewSequentialFile(const std::string& fname,
                           std::unique_ptr<SequentialFile>* result,
                           const EnvOptions& options) override {
    return target_.env->NewSequentialFile(fname, result, options);
  }
  Status NewRandomAccessFile(const std::string& fname,
                             std::unique_ptr<RandomAccessFile>* result,
                             const EnvOptions& options) override {
    return target_.env->NewRandomAccessFile(fname, result, options);
  }
  Status NewWritableFile(const std::string& fname,
                         std::unique_ptr<WritableFile>* result,
                         const EnvOptions& options) override {
    return target_.env->NewWritableFile(fname, result, options);
  }
  Status ReopenWritableFile(const std::string& fname,
                            std::unique_ptr<WritableFile>* result,
                            const EnvOptions& options) override {
    return target_.env->ReopenWritableFile(fname, result, options);
  }
  Status ReuseWritableFile(const std::string& fname,
                           const std::string& old_fname,
                           std::unique_ptr<WritableFile>* result,
                           const EnvOptions& options) override {
    return target_.env->ReuseWritableFile(fname, old_fname, result, options);
  }
  Status NewRandomRWFile(const std::string& fname,
                         std::unique_ptr<RandomRWFile>* result,
                         const EnvOptions& options) override {
    return target_.env->NewRandomRWFile(fname, result, options);
  }
  Status NewMemoryMappedFileBuffer(
      const std::string& fname,
      std::unique_ptr<MemoryMappedFileBuffer>* result) override {
    return target_.env->NewMemoryMappedFileBuffer(fname, result);
  }
  Status NewDirectory(const std::string& name,
                      std::unique_ptr<Directory>* result) override {
    return target_.env->NewDirectory(name, result);
  }
  Status FileExists(const std::string& fname) override {
    return target_.env->FileExists(fname);
  }
  Status GetChildren(const std::string& dir,
                     std::vector<std::string>* result) override {
    return target_.env->GetChildren(dir, result);
  }
  Status GetChildrenFileAttributes(
      const std::string& dir, std::vector<FileAttributes>* result) override {
    return target_.env->GetChildrenFileAttributes(dir, result);
  }
  Status DeleteFile(const std::string& fname) override {
    return target_.env->DeleteFile(fname);
  }
  Status Truncate(const std::string& fname, size_t size) override {
    return target_.env->Truncate(fname, size);
  }
  Status CreateDir(const std::string& dirname) override {
    return target_.env->CreateDir(dirname);
  }
  Status CreateDirIfMissing(const std::string& dirname) override {
    return target_.env->CreateDirIfMissing(dirname);
  }
  Status DeleteDir(const std::string& dirname) override {
    return target_.env->DeleteDir(dirname);
  }
  Status GetFileSize(const std::string& fname, uint64_t* file_size) override {
    return target_.env->GetFileSize(fname, file_size);
  }
  Status GetFileModificationTime(const std::string& fname,
                                 uint64_t* file_mtime) override {
    return target_.env->GetFileModificationTime(fname, file_mtime);
  }
  Status RenameFile(const std::string& src,
                    const std::string& target_name) override {
    return target_.env->RenameFile(src, target_name);
  }
  Status LinkFile(const std::string& src,
                  const std::string& target_name) override {
    return target_.env->LinkFile(src, target_name);
  }
  Status NumFileLinks(const std::string& fname, uint64_t* count) override {
    return target_.env->NumFileLinks(fname, count);
  }
  Status AreFilesSame(const std::string& first, const std::string& second,
                      bool* res) override {
    return target_.env->AreFilesSame(first, second, res);
  }
  Status LockFile(const std::string& fname, FileLock** lock) override {
    return target_.env->LockFile(fname, lock);
  }
  Status UnlockFile(FileLock* lock) override {
    return target_.env->UnlockFile(lock);
  }
  Status GetTestDirectory(std::string* path) override {
    return target_.env->GetTestDirectory(path);
  }
  Status NewLogger(const std::string& fname,
                   std::shared_ptr<Logger>* result) override {
    return target_.env->NewLogger(fname, result);
  }
  Status GetAbsolutePath(const std::string& db_path,
                         std::string* output_path) override {
    return target_.env->GetAbsolutePath(db_path, output_path);
  }
  Status GetFreeSpace(const std::string& path, uint64_t* diskfree) override {
    return target_.env->GetFreeSpace(path, diskfree);
  }
  Status IsDirectory(const std::string& path, bool* is_dir) override {
    return target_.env->IsDirectory(path, is_dir);
  }
  Status SetAllowNonOwnerAccess(bool allow_non_owner_access) override {
    return target_.env->SetAllowNonOwnerAccess(allow_non_owner_access);
  }
  void Schedule(void (*function)(void* arg), void* arg, Priority pri,
                void* tag = nullptr,
                void (*unschedFunction)(void* arg) = nullptr) override {
    target_.env->Schedule(function, arg, pri, tag, unschedFunction);
  }
  int UnSchedule(void* tag, Priority pri) override {
    return target_.env->UnSchedule(tag, pri);
  }
  void StartThread(void (*function)(void* arg), void* arg) override {
    target_.env->StartThread(function, arg);
  }
  void WaitForJoin() override { target_.env->WaitForJoin(); }
  int ReserveThreads(int count, Priority pri) override {
    return target_.env->ReserveThreads(count, pri);
  }
  int ReleaseThreads(int count, Priority pri) override {
    return target_.env->ReleaseThreads(count, pri);
  }
  unsigned int GetThreadPoolQueueLen(Priority pri = LOW) const override {
    return target_.env->GetThreadPoolQueueLen(pri);
  }
  void SetBackgroundThreads(int number, Priority pri) override {
    target_.env->SetBackgroundThreads(number, pri);
  }
  int GetBackgroundThreads(Priority pri) override {
    return target_.env->GetBackgroundThreads(pri);
  }
  void IncBackgroundThreadsIfNeeded(int number, Priority pri) override {
    target_.env->IncBackgroundThreadsIfNeeded(number, pri);
  }
  void LowerThreadPoolIOPriority(Priority pool) override {
    target_.env->LowerThreadPoolIOPriority(pool);
  }
  Status LowerThreadPoolCPUPriority(Priority pool, CpuPriority pri) override {
    return target_.env->LowerThreadPoolCPUPriority(pool, pri);
  }
  void LowerThreadPoolCPUPriority(Priority pool) override {
    target_.env->LowerThreadPoolCPUPriority(pool);
  }
  Status GetThreadList(std::vector<ThreadStatus>* thread_list) override {
    return target_.env->GetThreadList(thread_list);
  }
  Status SyncFile(const std::string& fname, const EnvOptions& env_options,
                  bool use_fsync) override {
    return target_.env->SyncFile(fname, env_options, use_fsync);
  }
  Status LoadLibrary(const std::string& lib_name,
                     const std::string& search_path,
                     std::shared_ptr<DynamicLibrary>* result) override {
    return target_.env->LoadLibrary(lib_name, search_path, result);
  }
  // The option "target".
  Status ConfigureOption(const ConfigOptions& config_options,
                         const std::string& name,
                         const std::string& value) override;
  Status GetOptionString(const ConfigOptions& config_options,
                         std::string* result) const override;
  Status PrepareOptions(const ConfigOptions& config_options) override;
  std::string SerializeOptions(const ConfigOptions& config_options,
                               const std::string& header) const override;
  const Customizable* Inner() const override { return target_.env; }

  ThreadStatusUpdater* GetThreadStatusUpdater() const override {
    return target_.env->GetThreadStatusUpdater();
  }
  uint64_t GetThreadID() const override { return target_.env->GetThreadID(); }
  uint64_t NowMicros() override { return target_.env->NowMicros(); }
  uint64_t NowNanos() override { return target_.env->NowNanos(); }
  uint64_t NowCPUNanos() override { return target_.env->NowCPUNanos(); }
  void SleepForMicroseconds(int micros) override {
    target_.env->SleepForMicroseconds(micros);
  }
  Status GetCurrentTime(int64_t* unix_time) override {
    return target_.env->GetCurrentTime(unix_time);
  }
  std::string TimeToString(uint64_t time) override {
    return target_.env->TimeToString(time);
  }
  Status GetHostName(char* name, uint64_t len) override {
    return target_.env->GetHostName(name, len);
  }
  std::string GenerateUniqueId() override {
    return target_.env->GenerateUniqueId();
  }
  EnvOptions OptimizeForLogRead(const EnvOptions& env_options) const override {
    return target_.env->OptimizeForLogRead(env_options);
  }
  EnvOptions OptimizeForManifestRead(
      const EnvOptions& env_options) const override {
    return target_.env->OptimizeForManifestRead(env_options);
  }
  EnvOptions OptimizeForLogWrite(const EnvOptions& env_options,
                                 const DBOptions& db_options) const override {
    return target_.env->OptimizeForLogWrite(env_options, db_options);
  }
  EnvOptions OptimizeForManifestWrite(
      const EnvOptions& env_options) const override {
    return target_.env->OptimizeForManifestWrite(env_options);
  }
  EnvOptions OptimizeForCompactionTableWrite(
      const EnvOptions& env_options,
      const ImmutableDBOptions& db_options) const override {
    return target_.env->OptimizeForCompactionTableWrite(env_options,
                                                        db_options);
  }
  EnvOptions OptimizeForCompactionTableRead(
      const EnvOptions& env_options,
      const ImmutableDBOptions& db_options) const override {
    return target_.env->OptimizeForCompactionTableRead(env_options, db_options);
  }
  EnvOptions OptimizeForBlobFileRead(
      const EnvOptions& env_options,
      const ImmutableDBOptions& db_options) const override {
    return target_.env->OptimizeForBlobFileRead(env_options, db_options);
  }
  void SanitizeEnvOptions(EnvOptions* env_options) const override {
    target_.env->SanitizeEnvOptions(env_options);
  }

 private:
  Target target_;
};

// Code that an Env has loaded at run time.
class DynamicLibrary {
 public:
  virtual ~DynamicLibrary() = default;

  virtual const char* Name() const = 0;

  // Points `*function` at what the library calls `sym_name`.
  template <typename T>
  Status LoadFunction(const std::string& sym_name, std::function<T>* function) {
    void* address = nullptr;
    Status s = LoadSymbol(sym_name, &address);
    *function = reinterpret_cast<T*>(address);
    return s;
  }
  virtual Status LoadSymbol(const std::string& sym_name, void** func) = 0;
};

// Null: threads are told of without such an object.
ThreadStatusUpdater* CreateThreadStatusUpdater();

// Forwards to another SequentialFile, which must outlive it.
class SequentialFileWrapper : public SequentialFile {
 public:
  explicit SequentialFileWrapper(SequentialFile* target) : target_(target) {}

  SequentialFile* target() const { return target_; }

  Status Read(size_t n, Slice* result, char* scratch) override {
    return target_->Read(n, result, scratch);
  }
  Status Skip(uint64_t n) override { return target_->Skip(n); }
  bool use_direct_io() const override { return target_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return target_->GetRequiredBufferAlignment();
  }
  Status InvalidateCache(size_t offset, size_t length) override {
    return target_->InvalidateCache(offset, length);
  }
  Status PositionedRead(uint64_t offset, size_t n, Slice* result,
                        char* scratch) override {
    return target_->PositionedRead(offset, n, result, scratch);
  }

 private:
  SequentialFile* target_;
};

// Forwards to another RandomAccessFile, which must outlive it.
class RandomAccessFileWrapper : public RandomAccessFile {
 public:
  explicit RandomAccessFileWrapper(RandomAccessFile* target)
      : target_(target) {}

  RandomAccessFile* target() const { return target_; }

  Status Read(uint64_t offset, size_t n, Slice* result,
              char* scratch) const override {
    return target_->Read(offset, n, result, scratch);
  }
  Status Prefetch(uint64_t offset, size_t n) override {
    return target_->Prefetch(offset, n);
  }
  Status MultiRead(ReadRequest* reqs, size_t num_reqs) override {
    return target_->MultiRead(reqs, num_reqs);
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return target_->GetUniqueId(id, max_size);
  }
  void Hint(AccessPattern pattern) override { target_->Hint(pattern); }
  bool use_direct_io() const override { return target_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return target_->GetRequiredBufferAlignment();
  }
  Status InvalidateCache(size_t offset, size_t length) override {
    return target_->InvalidateCache(offset, length);
  }
  Status GetFileSize(uint64_t* result) override {
    return target_->GetFileSize(result);
  }

 private:
  RandomAccessFile* target_;
};

// Forwards to another WritableFile, which must outlive it.
class WritableFileWrapper : public WritableFile {
 public:
  explicit WritableFileWrapper(WritableFile* target) : target_(target) {}

  WritableFile* target() const { return target_; }

  Status Append(const Slice& data) override { return target_->Append(data); }
  Status Append(const Slice& data,
                const DataVerificationInfo& verification_info) override {
    return target_->Append(data, verification_info);
  }
  Status PositionedAppend(const Slice& data, uint64_t offset) override {
    return target_->PositionedAppend(data, offset);
  }
  Status PositionedAppend(
      const Slice& data, uint64_t offset,
      const DataVerificationInfo& verification_info) override {
    return target_->PositionedAppend(data, offset, verification_info);
  }
  Status Truncate(uint64_t size) override { return target_->Truncate(size); }
  Status Close() override { return target_->Close(); }
  Status Flush() override { return target_->Flush(); }
  Status Sync() override { return target_->Sync(); }
  Status Fsync() override { return target_->Fsync(); }
  bool IsSyncThreadSafe() const override { return target_->IsSyncThreadSafe(); }
  bool use_direct_io() const override { return target_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return target_->GetRequiredBufferAlignment();
  }
  void SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) override {
    target_->SetWriteLifeTimeHint(hint);
  }
  Env::WriteLifeTimeHint GetWriteLifeTimeHint() override {
    return target_->GetWriteLifeTimeHint();
  }
  void SetIOPriority(Env::IOPriority pri) override {
    target_->SetIOPriority(pri);
  }
  Env::IOPriority GetIOPriority() override { return target_->GetIOPriority(); }
  uint64_t GetFileSize() override { return target_->GetFileSize(); }
  void SetPreallocationBlockSize(size_t size) override {
    target_->SetPreallocationBlockSize(size);
  }
  void GetPreallocationStatus(size_t* block_size,
                              size_t* last_allocated_block) override {
    target_->GetPreallocationStatus(block_size, last_allocated_block);
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return target_->GetUniqueId(id, max_size);
  }
  Status InvalidateCache(size_t offset, size_t length) override {
    return target_->InvalidateCache(offset, length);
  }
  Status RangeSync(uint64_t offset, uint64_t nbytes) override {
    return target_->RangeSync(offset, nbytes);
  }
  void PrepareWrite(size_t offset, size_t len) override {
    target_->PrepareWrite(offset, len);
  }
  Status Allocate(uint64_t offset, uint64_t len) override {
    return target_->Allocate(offset, len);
  }

 private:
  WritableFile* target_;
};

// Forwards to another RandomRWFile, which must outlive it.
class RandomRWFileWrapper : public RandomRWFile {
 public:
  explicit RandomRWFileWrapper(RandomRWFile* target) : target_(target) {}

  RandomRWFile* target() const { return target_; }

  bool use_direct_io() const override { return target_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return target_->GetRequiredBufferAlignment();
  }
  Status Write(uint64_t offset, const Slice& data) override {
    return target_->Write(offset, data);
  }
  Status Read(uint64_t offset, size_t n, Slice* result,
              char* scratch) const override {
    return target_->Read(offset, n, result, scratch);
  }
  Status Flush() override { return target_->Flush(); }
  Status Sync() override { return target_->Sync(); }
  Status Fsync() override { return target_->Fsync(); }
  Status Close() override { return target_->Close(); }

 private:
  RandomRWFile* target_;
};

// Forwards to another Directory, which must outlive it.
class DirectoryWrapper : public Directory {
 public:
  explicit DirectoryWrapper(Directory* target) : target_(target) {}

  Directory* target() const { return target_; }

  Status Fsync() override { return target_->Fsync(); }
  Status Close() override { return target_->Close(); }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return target_->GetUniqueId(id, max_size);
  }

 private:
  Directory* target_;
};

// Forwards to another Logger, which must outlive it.
class LoggerWrapper : public Logger {
 public:
  explicit LoggerWrapper(Logger* target) : target_(target) {}

  Logger* target() const { return target_; }

  Status Close() override { return target_->Close(); }
  void LogHeader(const char* format, va_list ap) override {
    target_->LogHeader(format, ap);
  }
  void Logv(const char* format, va_list ap) override {
    target_->Logv(format, ap);
  }
  void Logv(const InfoLogLevel log_level, const char* format,
            va_list ap) override {
    target_->Logv(log_level, format, ap);
  }
  size_t GetLogFileSize() const override { return target_->GetLogFileSize(); }
  void Flush() override { target_->Flush(); }
  InfoLogLevel GetInfoLogLevel() const override {
    return target_->GetInfoLogLevel();
  }
  void SetInfoLogLevel(const InfoLogLevel log_level) override {
    target_->SetInfoLogLevel(log_level);
  }

 private:
  Logger* target_;
};

// Writes `data` to a new file, or over an existing one.
Status WriteStringToFile(Env* env, const Slice& data, const std::string& fname,
                         bool should_sync = false,
                         const IOOptions* io_options = nullptr);

// Reads a whole file.
Status ReadFileToString(Env* env, const std::string& fname, std::string* data);

// A Logger that appends lines with time and thread number to a file of `env`.
Status NewEnvLogger(const std::string& fname, Env* env,
                    std::shared_ptr<Logger>* result);

// An Env whose files live in memory; time and threads are those of `base_env`,
// which must outlive it. The caller owns the result.
Env* NewMemEnv(Env* base_env);

// An Env that does what `base_env` does, which must outlive it, and adds the
// time of each file call to the calling thread's PerfContext: the fields
// env_*_nanos, in nanoseconds, where the PerfLevel is at least
// kEnableTimeExceptForMutex. Reads and writes of open files are not among them.
// The caller owns the result.
Env* NewTimedEnv(Env* base_env);

// An Env with the files of `fs` and the default time and threads.
std::unique_ptr<Env> NewCompositeEnv(const std::shared_ptr<FileSystem>& fs);

}  // namespace ROCKSDB_NAMESPACE
