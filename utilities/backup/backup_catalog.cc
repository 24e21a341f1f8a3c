#include "utilities/backup/backup_catalog.h"

#include <algorithm>
#include <utility>

#include "rocksdb/info_log.h"
#include "rocksdb/rate_limiter.h"
#include "util/invariant.h"
#include "utilities/backup/backup_names.h"
#include "utilities/backup/transfer_pool.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Many small files are read by more threads than a copy has: who waits for a
// device, or for a server, needs no processor.
constexpr size_t kMany = 32;
constexpr int kReaders = 8;

bool IsGone(const IOStatus& s) { return s.IsNotFound() || s.IsPathNotFound(); }

IOStatus CheckSize(const BackupFile& file, uint64_t found) {
  if (file.size_bytes != BackupFile::kUnknownSize && file.size_bytes != found) {
    return IOStatus::Corruption(
        "File corruption: File size mismatch for " + file.path,
        "expected " + std::to_string(file.size_bytes) + ", found " +
            std::to_string(found));
  }
  return IOStatus::OK();
}

// A size that is in the name.
void TakeSizeFromName(BackupFile* file) {
  SharedNameParts parts;
  if (file->size_bytes != BackupFile::kUnknownSize ||
      !IsSharedPath(file->path) ||
      !ParseSharedName(NameInPath(file->path), &parts)) {
    return;
  }
  if (parts.has_size) file->size_bytes = parts.size_bytes;
}

void ChargeForReading(uint64_t bytes, RateLimiter* limiter) {
  if (limiter == nullptr) return;
  const auto burst = static_cast<uint64_t>(
      std::max<int64_t>(limiter->GetSingleBurstBytes(), 1));
  while (bytes > 0) {
    const uint64_t step = std::min(bytes, burst);
    limiter->Request(static_cast<int64_t>(step), Env::IO_LOW, nullptr,
                     RateLimiter::OpType::kRead);
    bytes -= step;
  }
}

}  // namespace

uint64_t Backup::TotalBytes() const {
  uint64_t total = 0;
  for (const BackupFile& file : description.files) total += file.size_bytes;
  return total;
}

std::string BackupCatalog::MetaPathOf(BackupID id) const {
  return PathOf(std::string(kBackupMetaDir) + "/" + std::to_string(id));
}

const Backup* BackupCatalog::Find(BackupID id) const {
  const auto found = backups_.find(id);
  return found == backups_.end() ? nullptr : &found->second;
}

const Backup* BackupCatalog::NewestValid() const {
  for (auto it = backups_.rbegin(); it != backups_.rend(); ++it) {
    if (it->second.status.ok()) return &it->second;
  }
  return nullptr;
}

const BackupFile* BackupCatalog::FindShared(const std::string& path) const {
  const auto found = shared_.find(path);
  return found == shared_.end() ? nullptr : &found->second.file;
}

void BackupCatalog::Add(Backup backup) {
  const BackupID id = backup.id;
  INVARIANT(id > 0 && Find(id) == nullptr);
  largest_id_ = std::max(largest_id_, id);
  for (const std::string& path : backup.needs) ++needed_[path];
  if (backup.status.ok()) {
    for (const BackupFile& file : backup.description.files) {
      if (!IsSharedPath(file.path)) continue;
      SharedFile& shared = shared_[file.path];
      if (shared.count++ == 0 || !shared.file.has_crc32c) shared.file = file;
    }
  }
  backups_.emplace(id, std::move(backup));
}

void BackupCatalog::Remove(BackupID id) {
  const auto found = backups_.find(id);
  INVARIANT(found != backups_.end());
  const Backup& backup = found->second;
  for (const std::string& path : backup.needs) {
    const auto needed = needed_.find(path);
    INVARIANT(needed != needed_.end());
    if (--needed->second == 0) needed_.erase(needed);
  }
  if (backup.status.ok()) {
    for (const BackupFile& file : backup.description.files) {
      const auto shared = shared_.find(file.path);
      if (shared != shared_.end() && --shared->second.count == 0) {
        shared_.erase(shared);
      }
    }
  }
  backups_.erase(found);
}

IOStatus BackupCatalog::ListIds(std::vector<BackupID>* newest_first) const {
  std::vector<std::string> names;
  IOStatus s =
      fs_->GetChildren(PathOf(kBackupMetaDir), IOOptions(), &names, nullptr);
  if (!s.ok()) return s;
  for (const std::string& name : names) {
    BackupID id = 0;
    if (ParseBackupId(name, &id)) newest_first->push_back(id);
  }
  std::sort(newest_first->rbegin(), newest_first->rend());
  return s;
}

IOStatus BackupCatalog::ListSizes(const std::string& directory,
                                  Sizes* sizes) const {
  std::vector<Env::FileAttributes> files;
  IOStatus s = fs_->GetChildrenFileAttributes(PathOf(directory), IOOptions(),
                                              &files, nullptr);
  if (IsGone(s)) return IOStatus::OK();
  for (const Env::FileAttributes& file : files) {
    (*sizes)[directory + "/" + file.name] = file.size_bytes;
  }
  return s;
}

// Sizes that the description does not tell are those of the files.
IOStatus BackupCatalog::FindFiles(const Sizes& sizes, Backup* backup) const {
  for (BackupFile& file : backup->description.files) {
    TakeSizeFromName(&file);
    const auto listed = sizes.find(file.path);
    uint64_t found = 0;
    if (listed != sizes.end()) {
      found = listed->second;
    } else {
      // It may have come since the directory was listed.
      IOStatus s =
          fs_->GetFileSize(PathOf(file.path), IOOptions(), &found, nullptr);
      if (IsGone(s)) {
        return IOStatus::Corruption("File missing: " + PathOf(file.path));
      }
      if (!s.ok()) return s;
    }
    if (IOStatus s = CheckSize(file, found); !s.ok()) return s;
    file.size_bytes = found;
  }
  return IOStatus::OK();
}

// Null if it has just been deleted by whoever writes here.
IOStatus BackupCatalog::LoadOne(BackupID id, const Sizes& shared,
                                RateLimiter* limiter,
                                std::unique_ptr<Backup>* result) const {
  std::string text;
  IOStatus s = ReadFileToString(fs_.get(), MetaPathOf(id), &text);
  if (IsGone(s)) return IOStatus::OK();
  if (!s.ok()) return s;
  ChargeForReading(text.size(), limiter);
  auto backup = std::make_unique<Backup>();
  backup->id = id;
  backup->needs = PathsIn(text);
  backup->status = DecodeBackup(text, &backup->description);
  if (backup->status.ok()) {
    Sizes sizes;
    s = ListSizes(PrivateDirOf(id), &sizes);
    if (!s.ok()) return s;
    for (const BackupFile& file : backup->description.files) {
      const auto found = shared.find(file.path);
      if (found != shared.end()) sizes.insert(*found);
    }
    s = FindFiles(sizes, backup.get());
    if (!s.ok() && !s.IsCorruption()) return s;
    backup->status = s;
  }
  *result = std::move(backup);
  return IOStatus::OK();
}

IOStatus BackupCatalog::Load(size_t max_valid, int thread_count,
                             RateLimiter* limiter) {
  INVARIANT(backups_.empty());
  std::vector<BackupID> ids;
  IOStatus s = ListIds(&ids);
  Sizes shared;
  if (s.ok()) s = ListSizes(kBackupSharedDir, &shared);
  if (s.ok()) s = ListSizes(kBackupSharedChecksumDir, &shared);
  if (!s.ok()) return s;
  if (ids.empty()) return s;
  largest_id_ = ids.front();
  TransferPool pool(ids.size() < kMany ? thread_count
                                       : std::max(thread_count, kReaders));
  size_t next = 0;
  for (size_t valid = 0; valid < max_valid && next < ids.size();) {
    const size_t count = std::min(ids.size() - next, max_valid - valid);
    std::vector<std::unique_ptr<Backup>> loaded(count);
    std::vector<TransferPool::Job> jobs;
    for (size_t i = 0; i < count; ++i) {
      jobs.emplace_back([this, &ids, &shared, &loaded, limiter, next, i] {
        return LoadOne(ids[next + i], shared, limiter, &loaded[i]);
      });
    }
    if (s = pool.RunAll(jobs); !s.ok()) return s;
    next += count;
    for (std::unique_ptr<Backup>& backup : loaded) {
      if (backup == nullptr) continue;
      if (backup->status.ok()) {
        ++valid;
      } else {
        Warn(info_log_, "Backup %u is damaged: %s", backup->id,
             backup->status.ToString().c_str());
      }
      Add(std::move(*backup));
    }
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
