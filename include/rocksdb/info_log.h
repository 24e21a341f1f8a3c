// Logger: where the engine's messages go, and the calls that write to one.
//
// Threads  Every call may come from any thread.
// Errors   A line that cannot be written is lost; Close() tells of failures.

#pragma once

#include <cstdarg>
#include <cstddef>
#include <limits>
#include <memory>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

#if defined(__GNUC__) || defined(__clang__)
#define ROCKSDB_PRINTF_FORMAT_ATTR(format_param, dots_param) \
  __attribute__((__format__(__printf__, format_param, dots_param)))
#else
#define ROCKSDB_PRINTF_FORMAT_ATTR(format_param, dots_param)
#endif

namespace ROCKSDB_NAMESPACE {

enum InfoLogLevel : unsigned char {
  DEBUG_LEVEL = 0,
  INFO_LEVEL,
  WARN_LEVEL,
  ERROR_LEVEL,
  FATAL_LEVEL,
  HEADER_LEVEL,
  NUM_INFO_LOG_LEVELS,
};

// Where the lines of the LOG file go.
//
// Threads  Every call may come from any thread.
class Logger {
 public:
  static constexpr size_t kDoNotSupportGetLogFileSize =
      (std::numeric_limits<size_t>::max)();

  static constexpr InfoLogLevel kDefaultLogLevel = InfoLogLevel::INFO_LEVEL;

  // Lines below `log_level` are dropped; HEADER_LEVEL is always written.
  explicit Logger(const InfoLogLevel log_level = kDefaultLogLevel)
      : closed_(false), log_level_(log_level) {}
  Logger(const Logger&) = delete;
  Logger& operator=(const Logger&) = delete;
  virtual ~Logger();

  // Writes out and closes. A logger with state to close overrides CloseImpl()
  // and calls Close() from its own destructor.
  virtual Status Close();

  // A line that is repeated at the top of each log file.
  virtual void LogHeader(const char* format, va_list ap) { Logv(format, ap); }

  virtual void Logv(const char* format, va_list ap) = 0;

  // Drops lines below the level, marks the others with their level.
  virtual void Logv(const InfoLogLevel log_level, const char* format,
                    va_list ap);

  virtual size_t GetLogFileSize() const { return kDoNotSupportGetLogFileSize; }
  virtual void Flush() {}
  virtual InfoLogLevel GetInfoLogLevel() const { return log_level_; }
  virtual void SetInfoLogLevel(const InfoLogLevel log_level) {
    log_level_ = log_level;
  }

 protected:
  virtual Status CloseImpl();
  bool closed_;

 private:
  InfoLogLevel log_level_;
};

// printf-style calls; a null logger swallows the line. Log() writes at
// INFO_LEVEL, or at the level that is given.
void LogFlush(const std::shared_ptr<Logger>& info_log);
void Log(const InfoLogLevel log_level, const std::shared_ptr<Logger>& info_log,
         const char* format, ...) ROCKSDB_PRINTF_FORMAT_ATTR(3, 4);
void Header(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Debug(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Info(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Warn(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Error(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Fatal(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Log(const std::shared_ptr<Logger>& info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);

void LogFlush(Logger* info_log);
void Log(const InfoLogLevel log_level, Logger* info_log, const char* format,
         ...) ROCKSDB_PRINTF_FORMAT_ATTR(3, 4);
void Header(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Debug(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Info(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Warn(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Error(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Fatal(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);
void Log(Logger* info_log, const char* format, ...)
    ROCKSDB_PRINTF_FORMAT_ATTR(2, 3);

}  // namespace ROCKSDB_NAMESPACE
