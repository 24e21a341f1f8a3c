#include "env/env_logger.h"

#include <cstdio>
#include <ctime>
#include <functional>
#include <thread>
#include <utility>

#include "monitoring/iostats_context_imp.h"
#include "util/ignore_error.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::string LinePrefix(uint64_t now_micros) {
  const std::time_t seconds = static_cast<std::time_t>(now_micros / 1'000'000);
  std::tm parts = {};
  localtime_r(&seconds, &parts);
  static thread_local const auto thread_number =
      static_cast<unsigned long long>(
          std::hash<std::thread::id>()(std::this_thread::get_id()));
  return StringPrintf("%04d/%02d/%02d-%02d:%02d:%02d.%06d %llu ",
                      parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                      parts.tm_hour, parts.tm_min, parts.tm_sec,
                      static_cast<int>(now_micros % 1'000'000), thread_number);
}

void AppendFormatted(std::string* text, const char* format, va_list ap) {
  char buffer[500];
  va_list copy;
  va_copy(copy, ap);
  const int length = vsnprintf(buffer, sizeof(buffer), format, copy);
  va_end(copy);
  if (length < 0) return;
  if (static_cast<size_t>(length) < sizeof(buffer)) {
    text->append(buffer, static_cast<size_t>(length));
    return;
  }
  const size_t start = text->size();
  // One more for the terminator that vsnprintf writes.
  text->resize(start + static_cast<size_t>(length) + 1);
  vsnprintf(text->data() + start, static_cast<size_t>(length) + 1, format, ap);
  text->pop_back();
}

}  // namespace

EnvLogger::EnvLogger(std::unique_ptr<FSWritableFile>&& file,
                     const std::shared_ptr<SystemClock>& clock,
                     InfoLogLevel level)
    : Logger(level), clock_(clock), file_(std::move(file)) {}

EnvLogger::~EnvLogger() {
  if (closed_) return;
  closed_ = true;
  IgnoreError(EnvLogger::CloseImpl(), "a destructor cannot report it");
}

void EnvLogger::Logv(const char* format, va_list ap) {
  IOSTATS_TIMER_GUARD(logger_nanos);
  std::string line = LinePrefix(clock_->NowMicros());
  AppendFormatted(&line, format, ap);
  if (line.back() != '\n') line.push_back('\n');
  IOOptions options;
  options.type = IOType::kLog;
  MutexLock lock(&mutex_);
  if (!is_open_) return;
  size_bytes_ += line.size();
  Status status = file_->Append(line, options, nullptr);
  if (status.ok()) status = file_->Flush(options, nullptr);
  if (first_error_.ok()) first_error_ = status;
}

Status EnvLogger::CloseImpl() {
  MutexLock lock(&mutex_);
  if (!is_open_) return first_error_;
  is_open_ = false;
  Status status = file_->Close(IOOptions(), nullptr);
  return first_error_.ok() ? status : first_error_;
}

Status NewEnvLogger(const std::string& fname, Env* env,
                    std::shared_ptr<Logger>* result) {
  FileOptions options;
  options.io_options.type = IOType::kLog;
  std::unique_ptr<FSWritableFile> file;
  Status status =
      env->GetFileSystem()->NewWritableFile(fname, options, &file, nullptr);
  if (status.ok()) {
    *result =
        std::make_shared<EnvLogger>(std::move(file), env->GetSystemClock());
  }
  return status;
}

}  // namespace ROCKSDB_NAMESPACE
