// An Env made of a FileSystem and a SystemClock.
//
// CompositeEnv answers the file and time calls of the old interface from the
// new ones. CompositeEnvWrapper adds the threads of another Env.
//
// Threads    Safe for concurrent use.
// Ownership  Shares file system and clock. The target of a CompositeEnvWrapper
//            must outlive it.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

class CompositeEnv : public Env {
 public:
  CompositeEnv(const std::shared_ptr<FileSystem>& fs,
               const std::shared_ptr<SystemClock>& clock)
      : Env(fs, clock) {}

  Status RegisterDbPaths(const std::vector<std::string>& paths) override;
  Status SyncFile(const std::string& fname, const EnvOptions& env_options,
                  bool use_fsync) override;
  Status UnregisterDbPaths(const std::vector<std::string>& paths) override;
  Status NewSequentialFile(const std::string& fname,
                           std::unique_ptr<SequentialFile>* result,
                           const EnvOptions& options) override;
  Status NewRandomAccessFile(const std::string& fname,
                             std::unique_ptr<RandomAccessFile>* result,
                             const EnvOptions& options) override;
  Status NewWritableFile(const std::string& fname,
                         std::unique_ptr<WritableFile>* result,
                         const EnvOptions& options) override;
  Status ReopenWritableFile(const std::string& fname,
                            std::unique_ptr<WritableFile>* result,
                            const EnvOptions& options) override;
  Status ReuseWritableFile(const std::string& fname,
                           const std::string& old_fname,
                           std::unique_ptr<WritableFile>* result,
                           const EnvOptions& options) override;
  Status NewRandomRWFile(const std::string& fname,
                         std::unique_ptr<RandomRWFile>* result,
                         const EnvOptions& options) override;
  Status NewMemoryMappedFileBuffer(
      const std::string& fname,
      std::unique_ptr<MemoryMappedFileBuffer>* result) override;
  Status NewDirectory(const std::string& name,
                      std::unique_ptr<Directory>* result) override;
  Status FileExists(const std::string& fname) override;
  Status GetChildren(const std::string& dir,
                     std::vector<std::string>* result) override;
  Status GetChildrenFileAttributes(
      const std::string& dir, std::vector<FileAttributes>* result) override;
  Status DeleteFile(const std::string& fname) override;
  Status Truncate(const std::string& fname, size_t size) override;
  Status CreateDir(const std::string& dirname) override;
  Status CreateDirIfMissing(const std::string& dirname) override;
  Status DeleteDir(const std::string& dirname) override;
  Status GetFileSize(const std::string& fname, uint64_t* file_size) override;
  Status GetFileModificationTime(const std::string& fname,
                                 uint64_t* file_mtime) override;
  Status RenameFile(const std::string& src, const std::string& dst) override;
  Status LinkFile(const std::string& src, const std::string& dst) override;
  Status NumFileLinks(const std::string& fname, uint64_t* count) override;
  Status AreFilesSame(const std::string& first, const std::string& second,
                      bool* res) override;
  Status LockFile(const std::string& fname, FileLock** lock) override;
  Status UnlockFile(FileLock* lock) override;
  Status GetTestDirectory(std::string* path) override;
  Status NewLogger(const std::string& fname,
                   std::shared_ptr<Logger>* result) override;
  Status GetAbsolutePath(const std::string& db_path,
                         std::string* output_path) override;
  Status GetFreeSpace(const std::string& path, uint64_t* diskfree) override;
  Status IsDirectory(const std::string& path, bool* is_dir) override;
  Status SetAllowNonOwnerAccess(bool allow) override;

  EnvOptions OptimizeForLogRead(const EnvOptions& o) const override;
  EnvOptions OptimizeForManifestRead(const EnvOptions& o) const override;
  EnvOptions OptimizeForLogWrite(const EnvOptions& o,
                                 const DBOptions& db_options) const override;
  EnvOptions OptimizeForManifestWrite(const EnvOptions& o) const override;
  EnvOptions OptimizeForCompactionTableWrite(
      const EnvOptions& o, const ImmutableDBOptions& db_options) const override;
  EnvOptions OptimizeForCompactionTableRead(
      const EnvOptions& o, const ImmutableDBOptions& db_options) const override;
  EnvOptions OptimizeForBlobFileRead(
      const EnvOptions& o, const ImmutableDBOptions& db_options) const override;

  uint64_t NowMicros() override { return system_clock_->NowMicros(); }
  uint64_t NowNanos() override { return system_clock_->NowNanos(); }
  uint64_t NowCPUNanos() override { return system_clock_->CPUNanos(); }
  void SleepForMicroseconds(int micros) override {
    system_clock_->SleepForMicroseconds(micros);
  }
  Status GetCurrentTime(int64_t* unix_time) override {
    return system_clock_->GetCurrentTime(unix_time);
  }
  std::string TimeToString(uint64_t time) override {
    return system_clock_->TimeToString(time);
  }
};

class CompositeEnvWrapper : public CompositeEnv {
 public:
  CompositeEnvWrapper(Env* threads, const std::shared_ptr<FileSystem>& fs,
                      const std::shared_ptr<SystemClock>& clock)
      : CompositeEnv(fs, clock), threads_(threads) {}
  CompositeEnvWrapper(Env* threads, const std::shared_ptr<FileSystem>& fs)
      : CompositeEnvWrapper(threads, fs, threads->GetSystemClock()) {}

  static const char* kClassName() { return "CompositeEnv"; }
  const char* Name() const override { return kClassName(); }

  void Schedule(void (*function)(void* arg), void* arg, Priority pri, void* tag,
                void (*unschedule_function)(void* arg)) override {
    threads_->Schedule(function, arg, pri, tag, unschedule_function);
  }
  int UnSchedule(void* tag, Priority pri) override {
    return threads_->UnSchedule(tag, pri);
  }
  void StartThread(void (*function)(void* arg), void* arg) override {
    threads_->StartThread(function, arg);
  }
  void WaitForJoin() override { threads_->WaitForJoin(); }
  int ReserveThreads(int count, Priority pri) override {
    return threads_->ReserveThreads(count, pri);
  }
  int ReleaseThreads(int count, Priority pri) override {
    return threads_->ReleaseThreads(count, pri);
  }
  unsigned int GetThreadPoolQueueLen(Priority pri) const override {
    return threads_->GetThreadPoolQueueLen(pri);
  }
  void SetBackgroundThreads(int number, Priority pri) override {
    threads_->SetBackgroundThreads(number, pri);
  }
  int GetBackgroundThreads(Priority pri) override {
    return threads_->GetBackgroundThreads(pri);
  }
  void IncBackgroundThreadsIfNeeded(int number, Priority pri) override {
    threads_->IncBackgroundThreadsIfNeeded(number, pri);
  }
  void LowerThreadPoolIOPriority(Priority pool) override {
    threads_->LowerThreadPoolIOPriority(pool);
  }
  Status LowerThreadPoolCPUPriority(Priority pool, CpuPriority pri) override {
    return threads_->LowerThreadPoolCPUPriority(pool, pri);
  }
  void LowerThreadPoolCPUPriority(Priority pool) override {
    threads_->LowerThreadPoolCPUPriority(pool);
  }
  Status GetThreadList(std::vector<ThreadStatus>* thread_list) override {
    return threads_->GetThreadList(thread_list);
  }
  ThreadStatusUpdater* GetThreadStatusUpdater() const override {
    return threads_->GetThreadStatusUpdater();
  }
  uint64_t GetThreadID() const override { return threads_->GetThreadID(); }
  Status GetHostName(char* name, uint64_t len) override {
    return threads_->GetHostName(name, len);
  }
  std::string GenerateUniqueId() override {
    return threads_->GenerateUniqueId();
  }

 private:
  Env* const threads_;
};

}  // namespace ROCKSDB_NAMESPACE
