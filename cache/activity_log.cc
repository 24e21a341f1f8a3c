#include "cache/activity_log.h"

#include <utility>

#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

Status ActivityLog::Start(const std::string& path, Env* env,
                          uint64_t max_bytes) {
  if (env == nullptr) return Status::InvalidArgument("env is null");
  MutexLock lock(&mutex_);
  EndLocked(Status::OK());
  std::unique_ptr<WritableFileWriter> file;
  status_ = WritableFileWriter::Create(env->GetFileSystem().get(), path,
                                       FileOptions(), &file);
  if (!status_.ok()) return status_;
  file_ = std::move(file);
  max_bytes_ = max_bytes;
  is_on_.store(true, std::memory_order_relaxed);
  return status_;
}

void ActivityLog::Stop() {
  MutexLock lock(&mutex_);
  EndLocked(Status::OK());
}

Status ActivityLog::status() const {
  MutexLock lock(&mutex_);
  return status_;
}

void ActivityLog::EndLocked(Status s) {
  is_on_.store(false, std::memory_order_relaxed);
  if (file_ == nullptr) return;
  const Status closed = file_->Close();
  file_.reset();
  status_ = s.ok() ? closed : std::move(s);
}

void ActivityLog::AppendLookup(const Slice& key) {
  AppendLine("LOOKUP - " + ToHex(key) + "\n");
}

void ActivityLog::AppendInsertion(const Slice& key, size_t charge) {
  AppendLine("ADD - " + ToHex(key) + " - " + std::to_string(charge) + "\n");
}

void ActivityLog::AppendLine(const std::string& line) {
  MutexLock lock(&mutex_);
  if (file_ == nullptr) return;
  Status s = file_->Append(line);
  const bool is_full = max_bytes_ > 0 && file_->GetFileSize() > max_bytes_;
  if (!s.ok() || is_full) EndLocked(std::move(s));
}

}  // namespace ROCKSDB_NAMESPACE
