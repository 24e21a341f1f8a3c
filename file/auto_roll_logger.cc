#include "file/auto_roll_logger.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <utility>

#include "file/file_util.h"
#include "file/filename.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kLogMicrosPerSecond = 1000000;
constexpr int kMaxNameAttempts = 1000;

std::string CurrentLogPath(const RollingLogOptions& options) {
  return InfoLogFileName(options.db_name, options.db_path, options.log_dir);
}

std::string Format(const char* format, va_list ap) {
  va_list measured;
  va_copy(measured, ap);
  const int length = vsnprintf(nullptr, 0, format, measured);
  va_end(measured);
  if (length < 0) return format;
  std::string text(static_cast<size_t>(length), '\0');
  // One more for the terminator, which a string has room for.
  const int written = vsnprintf(text.data(), text.size() + 1, format, ap);
  INVARIANT(written == length);
  return text;
}

// Renames LOG to LOG.old.T, with a T that is not taken.
IOStatus MoveOldLog(const RollingLogOptions& options) {
  FileSystem* fs = options.fs.get();
  const IOOptions io;
  const std::string path = CurrentLogPath(options);
  IOStatus s = fs->FileExists(path, io, nullptr);
  if (s.IsNotFound()) return IOStatus::OK();
  if (!s.ok()) return s;
  uint64_t timestamp = options.clock->NowMicros();
  for (int attempt = 0; attempt < kMaxNameAttempts; ++attempt, ++timestamp) {
    const std::string old = OldInfoLogFileName(
        options.db_name, timestamp, options.db_path, options.log_dir);
    if (!fs->FileExists(old, io, nullptr).IsNotFound()) continue;
    return fs->RenameFile(path, old, io, nullptr);
  }
  return IOStatus::IOError(path, "no free name to keep the old log under");
}

// Deletes the oldest logs beyond the number to keep; LOG itself counts as one.
void DeleteOldLogs(const RollingLogOptions& options) {
  std::string dir;
  std::vector<std::string> names;
  Status s = GetInfoLogFiles(options.fs.get(), options.log_dir, options.db_name,
                             &dir, &names);
  if (!s.ok()) {
    IgnoreError(s, "logs that are not deleted do no harm");
    return;
  }
  const std::string prefix =
      InfoLogPrefix(!options.log_dir.empty(), options.db_path);
  std::vector<std::pair<uint64_t, std::string>> old;
  for (const std::string& name : names) {
    uint64_t timestamp = 0;
    FileType type;
    const bool is_log = ParseFileName(name, prefix, &timestamp, &type);
    assert(is_log && type == kInfoLogFile);
    if (is_log && name != prefix) old.emplace_back(timestamp, name);
  }
  std::sort(old.begin(), old.end());
  assert(std::is_sorted(old.begin(), old.end()));
  const size_t kept = std::max<size_t>(options.keep_file_count, 1) - 1;
  for (size_t i = 0; i + kept < old.size(); ++i) {
    IgnoreError(DeleteFileIfExists(options.fs.get(), dir + "/" + old[i].second),
                "logs that are not deleted do no harm");
  }
}

}  // namespace

Status OpenNewInfoLog(const RollingLogOptions& options,
                      std::shared_ptr<Logger>* logger) {
  Status s = MoveOldLog(options);
  std::shared_ptr<Logger> opened;
  if (s.ok()) {
    s = options.fs->NewLogger(CurrentLogPath(options), IOOptions(), &opened,
                              nullptr);
  }
  if (!s.ok()) return s;
  INVARIANT(opened != nullptr);
  opened->SetInfoLogLevel(options.level);
  *logger = std::move(opened);
  DeleteOldLogs(options);
  return s;
}

AutoRollLogger::AutoRollLogger(RollingLogOptions options)
    : Logger(options.level), options_(std::move(options)) {
  INVARIANT(!options_.db_name.empty());
  INVARIANT(options_.fs != nullptr && options_.clock != nullptr);
  MutexLock lock(&mutex_);
  OpenLocked();
}

AutoRollLogger::~AutoRollLogger() {
  IgnoreError(Close(), "whoever wants to know closes first");
}

// On failure the file that is open stays so.
void AutoRollLogger::OpenLocked() {
  std::shared_ptr<Logger> opened;
  Status s = OpenNewInfoLog(options_, &opened);
  if (s.ok()) {
    opened->SetInfoLogLevel(GetInfoLogLevel());
    logger_ = std::move(opened);
    header_bytes_ = 0;
    for (const std::string& line : headers_) WriteHeaderLocked(line);
  } else if (logger_ != nullptr) {
    Warn(logger_.get(), "Cannot open a new info log: %s", s.ToString().c_str());
  }
  if (logger_ == nullptr) status_ = std::move(s);
  assert(logger_ != nullptr || !status_.ok());
  opened_micros_ = options_.clock->NowMicros();
}

bool AutoRollLogger::IsRollDueLocked() {
  assert(logger_ != nullptr);
  const size_t max_bytes = options_.max_file_bytes;
  if (max_bytes > 0) {
    const size_t bytes = logger_->GetLogFileSize();
    if (bytes != kDoNotSupportGetLogFileSize &&
        bytes >= max_bytes + header_bytes_) {
      return true;
    }
  }
  if (options_.max_age_seconds == 0) return false;
  const uint64_t now = options_.clock->NowMicros();
  if (now < opened_micros_) return false;
  // Divided, since an age that means "never" may be too large to multiply.
  const uint64_t age_seconds = (now - opened_micros_) / kLogMicrosPerSecond;
  return age_seconds >= options_.max_age_seconds;
}

// The lock is free again when the line is written: a slow disk delays the one
// who logs, not all others.
std::shared_ptr<Logger> AutoRollLogger::RollIfDue() {
  MutexLock lock(&mutex_);
  if (logger_ != nullptr && IsRollDueLocked()) OpenLocked();
  return logger_;
}

void AutoRollLogger::Logv(const char* format, va_list ap) {
  const std::shared_ptr<Logger> logger = RollIfDue();
  if (logger != nullptr) logger->Logv(format, ap);
}

void AutoRollLogger::LogHeader(const char* format, va_list ap) {
  std::string line = Format(format, ap);
  MutexLock lock(&mutex_);
  if (logger_ != nullptr) WriteHeaderLocked(line);
  headers_.push_back(std::move(line));
}

// Other lines may come in between and are taken for a part of it: what they
// add is too little to matter.
void AutoRollLogger::WriteHeaderLocked(const std::string& line) {
  assert(logger_ != nullptr);
  const size_t before = logger_->GetLogFileSize();
  Header(logger_.get(), "%s", line.c_str());
  header_bytes_ += logger_->GetLogFileSize() - before;
}

size_t AutoRollLogger::GetLogFileSize() const {
  MutexLock lock(&mutex_);
  return logger_ == nullptr ? 0 : logger_->GetLogFileSize();
}

void AutoRollLogger::Flush() {
  std::shared_ptr<Logger> logger;
  {
    MutexLock lock(&mutex_);
    logger = logger_;
  }
  if (logger != nullptr) logger->Flush();
}

void AutoRollLogger::SetInfoLogLevel(const InfoLogLevel log_level) {
  MutexLock lock(&mutex_);
  Logger::SetInfoLogLevel(log_level);
  if (logger_ != nullptr) logger_->SetInfoLogLevel(log_level);
}

Status AutoRollLogger::GetStatus() const {
  MutexLock lock(&mutex_);
  return status_;
}

Status AutoRollLogger::CloseImpl() {
  std::shared_ptr<Logger> logger;
  {
    MutexLock lock(&mutex_);
    logger = std::exchange(logger_, nullptr);
  }
  return logger == nullptr ? Status::OK() : logger->Close();
}

Status CreateLoggerFromOptions(const std::string& db_name,
                               const DBOptions& options,
                               std::shared_ptr<Logger>* logger) {
  if (options.info_log != nullptr) {
    *logger = options.info_log;
    return Status::OK();
  }
  Env* env = options.env != nullptr ? options.env : Env::Default();
  RollingLogOptions log;
  log.fs = env->GetFileSystem();
  log.clock = env->GetSystemClock();
  INVARIANT(log.fs != nullptr && log.clock != nullptr);
  log.db_name = db_name;
  log.log_dir = options.db_log_dir;
  log.max_file_bytes = options.max_log_file_size;
  log.max_age_seconds = options.log_file_time_to_roll;
  log.keep_file_count = options.keep_log_file_num;
  log.level = options.info_log_level;
  const IOOptions io;
  Status s = log.fs->GetAbsolutePath(db_name, io, &log.db_path, nullptr);
  if (!s.ok()) return s;
  const std::string& dir = log.log_dir.empty() ? db_name : log.log_dir;
  s = log.fs->CreateDirIfMissing(dir, io, nullptr);
  if (!s.ok()) return s;
  if (log.max_file_bytes == 0 && log.max_age_seconds == 0) {
    return OpenNewInfoLog(log, logger);
  }
  auto rolling = std::make_shared<AutoRollLogger>(std::move(log));
  s = rolling->GetStatus();
  if (s.ok()) *logger = std::move(rolling);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
