// The LOG file: rolled by size and age, a limited number of old ones kept.
//
// Headers stand at the top of every file and count for none: a file of nothing
// but headers larger than the limit would be rolled at its first line.
//
// Threads    Any.
// Ownership  Shares the Logger it writes to with lines that are under way.
// Errors     GetStatus() tells whether a file is open. A roll that fails goes
//            on with the old file; a line that cannot be written is lost.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

struct RollingLogOptions {
  std::shared_ptr<FileSystem> fs;
  std::shared_ptr<SystemClock> clock;
  // The database's path, as the user gave it.
  std::string db_name;
  // The same, absolute.
  std::string db_path;
  // Empty: the DB directory.
  std::string log_dir;
  // 0: no limit.
  size_t max_file_bytes = 0;
  uint64_t max_age_seconds = 0;
  size_t keep_file_count = 1000;
  InfoLogLevel level = InfoLogLevel::INFO_LEVEL;
};

class AutoRollLogger : public Logger {
 public:
  // Moves a LOG of before out of the way and opens a new one.
  explicit AutoRollLogger(RollingLogOptions options);
  ~AutoRollLogger() override;

  using Logger::Logv;
  void Logv(const char* format, va_list ap) override;
  // Written to each new file again.
  void LogHeader(const char* format, va_list ap) override;
  size_t GetLogFileSize() const override;
  void Flush() override;
  void SetInfoLogLevel(const InfoLogLevel log_level) override;

  // Whether a file is open.
  Status GetStatus() const;

 protected:
  Status CloseImpl() override;

 private:
  std::shared_ptr<Logger> RollIfDue();
  bool IsRollDueLocked() REQUIRES(mutex_);
  void OpenLocked() REQUIRES(mutex_);
  void WriteHeaderLocked(const std::string& line) REQUIRES(mutex_);

  const RollingLogOptions options_;
  mutable Mutex mutex_;
  // The file being written.
  std::shared_ptr<Logger> logger_ GUARDED_BY(mutex_);
  Status status_ GUARDED_BY(mutex_);
  std::vector<std::string> headers_ GUARDED_BY(mutex_);
  // When the file being written was opened, and the bytes of its headers.
  uint64_t opened_micros_ GUARDED_BY(mutex_) = 0;
  size_t header_bytes_ GUARDED_BY(mutex_) = 0;
};

// Moves the current info log, if there is one, to LOG.old.T, opens a new one,
// and deletes the oldest so that at most keep_file_count remain.
Status OpenNewInfoLog(const RollingLogOptions& options,
                      std::shared_ptr<Logger>* logger);

}  // namespace ROCKSDB_NAMESPACE
