// The bytes of a file in memory, and the handles through which a
// MemFileSystem hands them out.
//
// Threads    MemFile is safe for concurrent use; handles as their base classes.
// Ownership  Shared by the names and the handles of the file.
// Errors     NoSpace beyond the capacity; InvalidArgument for what is not
//            aligned on a direct handle.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

// Room for all files of one file system.
struct MemSpace {
  explicit MemSpace(uint64_t capacity) : capacity_bytes(capacity) {}

  // Changes the sum by `delta`; false if it would pass the capacity.
  bool Change(int64_t delta);

  const uint64_t capacity_bytes;
  std::atomic<uint64_t> used_bytes{0};
};

class MemFile {
 public:
  enum class Kind { kFile, kDirectory };

  MemFile(Kind kind, uint64_t number, const std::shared_ptr<MemSpace>& space,
          const std::shared_ptr<SystemClock>& clock);
  ~MemFile();
  MemFile(const MemFile&) = delete;
  MemFile& operator=(const MemFile&) = delete;

  bool is_directory() const { return kind_ == Kind::kDirectory; }
  // Different for every file of a file system.
  uint64_t number() const { return number_; }

  uint64_t Size() const EXCLUDES(mutex_);
  uint64_t ModificationTime() const { return modified_seconds_.load(); }

  // Copies up to `n` bytes; answers how many there were.
  size_t Read(uint64_t offset, size_t n, char* out) const EXCLUDES(mutex_);
  // False if there is no room; then nothing is changed.
  [[nodiscard]] bool Write(uint64_t offset, const Slice& data) EXCLUDES(mutex_);
  [[nodiscard]] bool Resize(uint64_t size) EXCLUDES(mutex_);

  // Names that lead here; changed under the lock of the file system.
  uint64_t link_count = 0;
  bool is_locked = false;

 private:
  bool WriteLocked(uint64_t offset, const Slice& data) REQUIRES(mutex_);
  bool ResizeLocked(uint64_t size) REQUIRES(mutex_);
  void Touch();

  const Kind kind_;
  const uint64_t number_;
  const std::shared_ptr<MemSpace> space_;
  const std::shared_ptr<SystemClock> clock_;
  std::atomic<uint64_t> modified_seconds_{0};

  mutable RWMutex mutex_;
  std::string bytes_ GUARDED_BY(mutex_);
};

// What a handle needs to know.
struct MemHandle {
  std::string path;
  std::shared_ptr<MemFile> file;
  bool is_direct = false;
  size_t alignment = kDefaultPageSize;
};

std::unique_ptr<FSSequentialFile> NewMemSequentialFile(MemHandle&& handle);
std::unique_ptr<FSRandomAccessFile> NewMemRandomAccessFile(MemHandle&& handle);
// Appends start at the end of `handle.file`, or at 0 for kOverwrite.
enum class MemWriteStart { kEnd, kOverwrite };
std::unique_ptr<FSWritableFile> NewMemWritableFile(MemHandle&& handle,
                                                   MemWriteStart start,
                                                   const FileOptions& options);
std::unique_ptr<FSRandomRWFile> NewMemRandomRWFile(MemHandle&& handle);
std::unique_ptr<FSDirectory> NewMemDirectory(MemHandle&& handle);

}  // namespace ROCKSDB_NAMESPACE
