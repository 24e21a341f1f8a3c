// A file under StressFileSystem that is written: every change may kill or
// fail, and bytes that are not synced may be held in memory.
//
// Threads    As the engine uses a file: one writer; held bytes are locked,
//            since readers may ask for them meanwhile.
// Ownership  Owns the file of the base. Held bytes outlive it.

#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "db_stress_tool/mocked_direct_io.h"
#include "db_stress_tool/stress_file_system.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::stress {

// What was written to one file, and is not in the base's file yet.
class HeldBytes {
 public:
  explicit HeldBytes(FSWritableFile* file)
      : file_(file), base_bytes_(file->GetFileSize(IOOptions(), nullptr)) {}

  void Hold(const Slice& data);
  // For a reader beside the writer, who sees what was handed over: up to `n`
  // bytes from `offset` on. False: some of these are in the base's file by now.
  bool Peek(uint64_t offset, size_t n, std::string* bytes) const;
  size_t size() const;
  // To the base's file, if that is open; `between` is called half-way.
  template <typename Between>
  IOStatus WriteDown(const IOOptions& options, const Between& between);
  // The base's file is closed; what is left stays here.
  void NoteClosed();
  bool is_closed() const;
  // Takes what is left, for a closed file.
  std::string Take();

 private:
  mutable std::mutex mutex_;
  // Null once it is closed.
  FSWritableFile* file_;
  uint64_t base_bytes_;  // the size of the base's file
  std::string bytes_;
};

template <typename Between>
IOStatus HeldBytes::WriteDown(const IOOptions& options,
                              const Between& between) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (file_ == nullptr || bytes_.empty()) return IOStatus::OK();
  const size_t half = bytes_.size() / 2;
  IOStatus s = file_->Append(Slice(bytes_.data(), half), options, nullptr);
  between();
  if (s.ok()) {
    s = file_->Append(Slice(bytes_.data() + half, bytes_.size() - half),
                      options, nullptr);
  }
  if (s.ok()) {
    base_bytes_ += bytes_.size();
    bytes_.clear();
  }
  return s;
}

struct StressFileKind {
  std::string path;
  DirectIo direct = DirectIo::kAsBelow;
};
// `held` is null where bytes are not held.
std::unique_ptr<FSWritableFile> MakeStressFile(
    std::unique_ptr<FSWritableFile> base, const StressFileKind& kind,
    std::shared_ptr<HeldBytes> held, StressFileSystem* fs);

// Corruption: `handed_off`, which may be empty, is not the checksum of `data`.
IOStatus CheckHandedOff(const Slice& data, const Slice& handed_off);

}  // namespace ROCKSDB_NAMESPACE::stress
