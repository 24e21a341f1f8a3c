// Loggers: to the standard error output, or to a C function.

#include <cstdarg>
#include <cstdio>
#include <string>
#include <vector>

#include "c/handles.h"
#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

// Formats lines and hands them to Write().
class LineLogger : public Logger {
 public:
  explicit LineLogger(InfoLogLevel level) : Logger(level) {}

  using Logger::Logv;
  void Logv(const char* format, va_list ap) override {
    Logv(InfoLogLevel::INFO_LEVEL, format, ap);
  }
  void Logv(const InfoLogLevel level, const char* format, va_list ap) override {
    if (level < GetInfoLogLevel()) return;
    char small[512];
    va_list again;
    va_copy(again, ap);
    const int length = vsnprintf(small, sizeof(small), format, ap);
    if (length >= 0 && static_cast<size_t>(length) < sizeof(small)) {
      Write(level, small, static_cast<size_t>(length));
    } else if (length >= 0) {
      std::vector<char> large(static_cast<size_t>(length) + 1);
      vsnprintf(large.data(), large.size(), format, again);
      Write(level, large.data(), static_cast<size_t>(length));
    }
    va_end(again);
  }

 protected:
  virtual void Write(InfoLogLevel level, char* line, size_t size) = 0;
};

class StderrLogger : public LineLogger {
 public:
  StderrLogger(InfoLogLevel level, const char* prefix)
      : LineLogger(level), prefix_(TextOf(prefix)) {}

 protected:
  void Write(InfoLogLevel, char* line, size_t size) override {
    const char* space = prefix_.empty() ? "" : " ";
    fprintf(stderr, "%s%s%.*s\n", prefix_.c_str(), space,
            static_cast<int>(size), line);
  }

 private:
  const std::string prefix_;
};

using LogFn = void (*)(void*, unsigned int, char*, size_t);

class CallbackLogger : public LineLogger {
 public:
  CallbackLogger(InfoLogLevel level, LogFn log, void* state)
      : LineLogger(level), log_(log), state_(state) {}

 protected:
  void Write(InfoLogLevel level, char* line, size_t size) override {
    log_(state_, static_cast<unsigned int>(level), line, size);
  }

 private:
  const LogFn log_;
  void* const state_;
};

}  // namespace

extern "C" {

// Lines of `level` and above, each behind the prefix, which may be NULL.
rocksdb_logger_t* rocksdb_logger_create_stderr_logger(int level,
                                                      const char* prefix) {
  auto* logger = Own<rocksdb_logger_t>();
  logger->rep =
      std::make_shared<StderrLogger>(static_cast<InfoLogLevel>(level), prefix);
  return logger;
}

// `log` is called with `state`, the line's level and the line, from any
// thread, until the last database and options with the logger have gone.
rocksdb_logger_t* rocksdb_logger_create_callback_logger(
    int level, void (*log)(void*, unsigned int level, char* line, size_t size),
    void* state) {
  auto* logger = Own<rocksdb_logger_t>();
  logger->rep = std::make_shared<CallbackLogger>(
      static_cast<InfoLogLevel>(level), log, state);
  return logger;
}

void rocksdb_logger_destroy(rocksdb_logger_t* logger) { End(logger); }

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
