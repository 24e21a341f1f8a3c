#include "rocksdb/info_log.h"

#include <cstdarg>
#include <string>

namespace ROCKSDB_NAMESPACE {

Logger::~Logger() = default;

Status Logger::Close() {
  if (closed_) return Status::OK();
  closed_ = true;
  return CloseImpl();
}

Status Logger::CloseImpl() { return Status::OK(); }

void Logger::Logv(const InfoLogLevel log_level, const char* format,
                  va_list ap) {
  static constexpr const char* kLevelNames[] = {"DEBUG", "INFO", "WARN",
                                                "ERROR", "FATAL"};
  if (log_level == InfoLogLevel::HEADER_LEVEL) {
    LogHeader(format, ap);
    return;
  }
  if (log_level < GetInfoLogLevel() ||
      log_level >= InfoLogLevel::NUM_INFO_LOG_LEVELS) {
    return;
  }
  if (log_level == InfoLogLevel::INFO_LEVEL) {
    Logv(format, ap);
    return;
  }
  const std::string marked =
      std::string("[") + kLevelNames[log_level] + "] " + format;
  Logv(marked.c_str(), ap);
}

namespace {

void LogAt(InfoLogLevel level, Logger* logger, const char* format, va_list ap) {
  if (logger != nullptr && logger->GetInfoLogLevel() <= level) {
    logger->Logv(level, format, ap);
  }
}

}  // namespace

// The public calls differ in nothing but the level and how the logger is held.
#define DEFINE_LOG_CALL(name, level, logger_type, raw_logger) \
  void name(logger_type info_log, const char* format, ...) {  \
    va_list ap;                                               \
    va_start(ap, format);                                     \
    LogAt(InfoLogLevel::level, raw_logger, format, ap);       \
    va_end(ap);                                               \
  }
#define DEFINE_LOG_CALLS(name, level)             \
  DEFINE_LOG_CALL(name, level, Logger*, info_log) \
  DEFINE_LOG_CALL(name, level, const std::shared_ptr<Logger>&, info_log.get())

DEFINE_LOG_CALLS(Header, HEADER_LEVEL)
DEFINE_LOG_CALLS(Debug, DEBUG_LEVEL)
DEFINE_LOG_CALLS(Info, INFO_LEVEL)
DEFINE_LOG_CALLS(Warn, WARN_LEVEL)
DEFINE_LOG_CALLS(Error, ERROR_LEVEL)
DEFINE_LOG_CALLS(Fatal, FATAL_LEVEL)
DEFINE_LOG_CALLS(Log, INFO_LEVEL)

#undef DEFINE_LOG_CALLS
#undef DEFINE_LOG_CALL

void Log(const InfoLogLevel log_level, Logger* info_log, const char* format,
         ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(log_level, info_log, format, ap);
  va_end(ap);
}

void Log(const InfoLogLevel log_level, const std::shared_ptr<Logger>& info_log,
         const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  LogAt(log_level, info_log.get(), format, ap);
  va_end(ap);
}

void LogFlush(Logger* info_log) {
  if (info_log != nullptr) info_log->Flush();
}

void LogFlush(const std::shared_ptr<Logger>& info_log) {
  LogFlush(info_log.get());
}

}  // namespace ROCKSDB_NAMESPACE
