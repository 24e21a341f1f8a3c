// An information log on standard error, and the lock of a database.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <string>

#include "file/filename.h"
#include "rocksdb/env.h"
#include "rocksdb/info_log.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

// Lines as an information log has them: "<date> [WARN] <text>".
class StderrLog final : public Logger {
 public:
  explicit StderrLog(InfoLogLevel level) : Logger(level) {}
  using Logger::Logv;
  // What every database says of itself when it is opened.
  void LogHeader(const char* format, va_list arguments) override {
    if (GetInfoLogLevel() <= INFO_LEVEL) Logv(format, arguments);
  }
  void Logv(const char* format, va_list arguments) override {
    std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    char date[32];
    std::strftime(date, sizeof(date), "%Y/%m/%d-%H:%M:%S", &parts);
    std::fprintf(stderr, "%s ", date);
    std::vfprintf(stderr, format, arguments);
    std::fputc('\n', stderr);
  }
};

// Keeps others from opening a database for writing, for commands that change
// its files without opening it.
//
// Errors  IOError: another process has the lock.
class DatabaseLock {
 public:
  DatabaseLock(Env* env, std::string db_path)
      : env_(env), path_(LockFileName(db_path)) {}
  DatabaseLock(const DatabaseLock&) = delete;
  DatabaseLock& operator=(const DatabaseLock&) = delete;
  ~DatabaseLock() {
    if (lock_ == nullptr) return;
    IgnoreError(env_->UnlockFile(lock_), "the process ends soon");
  }

  // Takes the lock if there is a LOCK file; else there is nothing to lock.
  Status Take() {
    if (!env_->FileExists(path_).ok()) return Status::OK();
    return env_->LockFile(path_, &lock_);
  }

 private:
  Env* const env_;
  const std::string path_;
  FileLock* lock_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
