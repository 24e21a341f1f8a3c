// A Logger that writes lines to a file:
//
//   2024/05/31-12:00:00.123456 140213 [WARN] the message
//
// date and time in microseconds, number of the thread, level if it is not
// INFO, text. Each line is handed to the file system before the call returns:
// what leads to a crash of the process must be there to be read, and `tail -f`
// must show it. Nothing is synced.
//
// Threads    Safe for concurrent use.
// Ownership  Owns the file; closes it when destroyed.
// Errors     A line that cannot be written is dropped; Close() answers the
//            first error.

#pragma once

#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <memory>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class EnvLogger : public Logger {
 public:
  EnvLogger(std::unique_ptr<FSWritableFile>&& file,
            const std::shared_ptr<SystemClock>& clock,
            InfoLogLevel level = InfoLogLevel::INFO_LEVEL);
  ~EnvLogger() override;

  using Logger::Logv;
  void Logv(const char* format, va_list ap) override;
  size_t GetLogFileSize() const override { return size_bytes_.load(); }

 protected:
  Status CloseImpl() override;

 private:
  const std::shared_ptr<SystemClock> clock_;
  Mutex mutex_;
  const std::unique_ptr<FSWritableFile> file_ PT_GUARDED_BY(mutex_);
  Status first_error_ GUARDED_BY(mutex_);
  bool is_open_ GUARDED_BY(mutex_) = true;
  // Bytes of all lines.
  std::atomic<size_t> size_bytes_{0};
};

}  // namespace ROCKSDB_NAMESPACE
