// The SstFileManager: which table and blob files there are, how much they may
// hold, and at what rate they are deleted. The deletion itself is
// FileDeleter's, as it is without a manager.
//
// Threads    Any, under its own lock; I/O without it.
// Ownership  Shared by the databases that were given it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "file/file_deleter.h"
#include "rocksdb/sst_file_manager.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class SstFileManagerImpl final : public SstFileManager {
 public:
  explicit SstFileManagerImpl(FileDeleterOptions options);

  void SetMaxAllowedSpaceUsage(uint64_t max_allowed_space) override;
  void SetCompactionBufferSize(uint64_t compaction_buffer_size) override;
  bool IsMaxAllowedSpaceReached() override;
  bool IsMaxAllowedSpaceReachedIncludingCompactions() override;
  uint64_t GetTotalSize() override;
  std::unordered_map<std::string, uint64_t> GetTrackedFiles() override;
  int64_t GetDeleteRateBytesPerSecond() override { return deleter_.rate(); }
  void SetDeleteRateBytesPerSecond(int64_t delete_rate) override {
    deleter_.SetRate(delete_rate);
  }
  double GetMaxTrashDBRatio() override { return deleter_.max_trash_ratio(); }
  void SetMaxTrashDBRatio(double ratio) override {
    deleter_.SetMaxTrashRatio(ratio);
  }
  uint64_t GetTotalTrashSize() override { return deleter_.trash_bytes(); }
  void SetStatisticsPtr(const std::shared_ptr<Statistics>& stats) override {
    deleter_.SetStatistics(stats);
  }

  // --- what a database tells
  // A file is there, with so many bytes.
  void OnAddFile(const std::string& path, uint64_t size_bytes) EXCLUDES(mutex_);
  // It is there no more, by another way than DeleteFile().
  void OnForgetFile(const std::string& path) EXCLUDES(mutex_);
  // Deletes it, now or later.
  Status DeleteFile(const DeadFile& file) EXCLUDES(mutex_);
  Status AdoptTrash(const std::string& directory,
                    const std::shared_ptr<IoGovernor>& governor) {
    return deleter_.AdoptTrash(directory, governor);
  }
  // What no rate holds back. False: that takes longer than `micros`.
  bool WaitForGoverned(uint64_t micros) {
    return deleter_.WaitForGoverned(micros);
  }

  // Sets aside what a compaction of so many input bytes may write. False, with
  // nothing set aside, if there is no room for it.
  [[nodiscard]] bool ReserveForCompaction(uint64_t input_bytes)
      EXCLUDES(mutex_);
  void ReleaseReserved(uint64_t input_bytes) EXCLUDES(mutex_);
  // What must be free on the device before it is worth trying again after it
  // was full.
  uint64_t NeededFreeBytes() EXCLUDES(mutex_);

  void WaitForEmptyTrash() { deleter_.WaitForEmptyTrash(); }

 private:
  // Without the trash.
  uint64_t LiveBytes() const EXCLUDES(mutex_);

  mutable Mutex mutex_;
  uint64_t max_bytes_ GUARDED_BY(mutex_) = 0;  // 0: no limit
  uint64_t compaction_buffer_bytes_ GUARDED_BY(mutex_) = 0;
  uint64_t live_bytes_ GUARDED_BY(mutex_) = 0;
  uint64_t reserved_bytes_ GUARDED_BY(mutex_) = 0;
  std::unordered_map<std::string, uint64_t> files_ GUARDED_BY(mutex_);
  FileDeleter deleter_;  // last: calls back for the bytes
};

// The manager of these options, if it is one of ours; else null.
SstFileManagerImpl* ImplOf(SstFileManager* manager);

// OnAddFile() and OnForgetFile(), where there is a manager of ours.
void NoteFileAdded(SstFileManager* manager, const std::string& path,
                   uint64_t size_bytes);
void NoteFileGone(SstFileManager* manager, const std::string& path);

}  // namespace ROCKSDB_NAMESPACE
