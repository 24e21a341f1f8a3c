#include "file/sst_file_manager_impl.h"

#include <algorithm>

#include "rocksdb/env.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

FileDeleterOptions WithBytes(FileDeleterOptions options,
                             std::function<uint64_t()> live_bytes) {
  INVARIANT(live_bytes != nullptr);
  options.live_bytes = std::move(live_bytes);
  return options;
}

}  // namespace

SstFileManagerImpl::SstFileManagerImpl(FileDeleterOptions options)
    : deleter_(WithBytes(std::move(options), [this] { return LiveBytes(); })) {}

void SstFileManagerImpl::SetMaxAllowedSpaceUsage(uint64_t max_allowed_space) {
  MutexLock lock(&mutex_);
  max_bytes_ = max_allowed_space;
}

void SstFileManagerImpl::SetCompactionBufferSize(
    uint64_t compaction_buffer_size) {
  MutexLock lock(&mutex_);
  // Half of the range is more than any disk has, and its sum with the bytes of
  // files does not wrap.
  compaction_buffer_bytes_ = std::min(compaction_buffer_size, UINT64_MAX / 2);
}

bool SstFileManagerImpl::IsMaxAllowedSpaceReached() {
  const uint64_t trash = deleter_.trash_bytes();
  MutexLock lock(&mutex_);
  return max_bytes_ > 0 && live_bytes_ + trash >= max_bytes_;
}

bool SstFileManagerImpl::IsMaxAllowedSpaceReachedIncludingCompactions() {
  const uint64_t trash = deleter_.trash_bytes();
  MutexLock lock(&mutex_);
  return max_bytes_ > 0 && live_bytes_ + trash + reserved_bytes_ >= max_bytes_;
}

uint64_t SstFileManagerImpl::GetTotalSize() {
  return LiveBytes() + deleter_.trash_bytes();
}

uint64_t SstFileManagerImpl::LiveBytes() const {
  MutexLock lock(&mutex_);
  return live_bytes_;
}

std::unordered_map<std::string, uint64_t>
SstFileManagerImpl::GetTrackedFiles() {
  // What is on its way out takes space too.
  std::unordered_map<std::string, uint64_t> all = deleter_.TrashFiles();
  MutexLock lock(&mutex_);
  all.insert(files_.begin(), files_.end());
  return all;
}

void SstFileManagerImpl::OnAddFile(const std::string& path,
                                   uint64_t size_bytes) {
  INVARIANT(!path.empty());
  MutexLock lock(&mutex_);
  uint64_t& known = files_[path];
  INVARIANT(live_bytes_ >= known);
  live_bytes_ += size_bytes - known;
  known = size_bytes;
}

void SstFileManagerImpl::OnForgetFile(const std::string& path) {
  MutexLock lock(&mutex_);
  const auto found = files_.find(path);
  if (found == files_.end()) return;
  INVARIANT(live_bytes_ >= found->second);
  live_bytes_ -= found->second;
  files_.erase(found);
}

Status SstFileManagerImpl::DeleteFile(const DeadFile& file) {
  Status s = deleter_.Delete(file);
  if (s.ok() || s.IsNotFound() || s.IsPathNotFound()) OnForgetFile(file.path);
  return s;
}

bool SstFileManagerImpl::ReserveForCompaction(uint64_t input_bytes) {
  const uint64_t trash = deleter_.trash_bytes();
  MutexLock lock(&mutex_);
  const uint64_t needed = live_bytes_ + trash + reserved_bytes_ + input_bytes +
                          compaction_buffer_bytes_;
  if (max_bytes_ > 0 && needed > max_bytes_) return false;
  reserved_bytes_ += input_bytes;
  return true;
}

void SstFileManagerImpl::ReleaseReserved(uint64_t input_bytes) {
  MutexLock lock(&mutex_);
  INVARIANT(reserved_bytes_ >= input_bytes);
  reserved_bytes_ -= input_bytes;
}

uint64_t SstFileManagerImpl::NeededFreeBytes() {
  MutexLock lock(&mutex_);
  return reserved_bytes_ + compaction_buffer_bytes_;
}

SstFileManagerImpl* ImplOf(SstFileManager* manager) {
  return dynamic_cast<SstFileManagerImpl*>(manager);
}

void NoteFileAdded(SstFileManager* manager, const std::string& path,
                   uint64_t size_bytes) {
  if (auto* const own = ImplOf(manager)) own->OnAddFile(path, size_bytes);
}

void NoteFileGone(SstFileManager* manager, const std::string& path) {
  if (auto* const own = ImplOf(manager)) own->OnForgetFile(path);
}

SstFileManager* NewSstFileManager(Env* env, std::shared_ptr<FileSystem> fs,
                                  std::shared_ptr<Logger> info_log,
                                  const std::string& trash_dir,
                                  int64_t rate_bytes_per_sec,
                                  bool delete_existing_trash, Status* status,
                                  double max_trash_db_ratio,
                                  uint64_t bytes_max_delete_chunk) {
  INVARIANT(env != nullptr);
  FileDeleterOptions options;
  options.fs = fs != nullptr ? std::move(fs) : env->GetFileSystem();
  options.clock = env->GetSystemClock().get();
  options.logger = std::move(info_log);
  options.bytes_per_second = rate_bytes_per_sec;
  options.max_trash_ratio = max_trash_db_ratio;
  options.max_chunk_bytes = bytes_max_delete_chunk;
  auto manager = std::make_unique<SstFileManagerImpl>(std::move(options));
  // Older releases kept all trash in one place; what is left there goes.
  Status s;
  if (delete_existing_trash && !trash_dir.empty()) {
    s = manager->AdoptTrash(trash_dir, nullptr);
  }
  if (status != nullptr) *status = s;
  return manager.release();
}

SstFileManager* NewSstFileManager(Env* env, std::shared_ptr<Logger> info_log,
                                  std::string trash_dir,
                                  int64_t rate_bytes_per_sec,
                                  bool delete_existing_trash, Status* status,
                                  double max_trash_db_ratio,
                                  uint64_t bytes_max_delete_chunk) {
  return NewSstFileManager(env, nullptr, std::move(info_log), trash_dir,
                           rate_bytes_per_sec, delete_existing_trash, status,
                           max_trash_db_ratio, bytes_max_delete_chunk);
}

}  // namespace ROCKSDB_NAMESPACE
