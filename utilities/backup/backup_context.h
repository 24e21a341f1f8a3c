// What the parts of one backup engine work with.
//
// Ownership  Borrowed from the engine.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "rocksdb/rate_limiter.h"
#include "rocksdb/utilities/backup_engine.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackupCatalog;
class TransferPool;

// Checksums of files that had to be read for them, so that this is done once:
// a file of a session of a database never changes, and its number is never
// given to another.
//
// Threads  Safe for concurrent use.
class ReadChecksums {
 public:
  bool Find(const std::string& session, const std::string& name,
            uint32_t* crc32c) EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    const auto found = checksums_.find({session, name});
    if (found == checksums_.end()) return false;
    *crc32c = found->second;
    return true;
  }
  void Note(const std::string& session, const std::string& name,
            uint32_t crc32c) EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    // Without a limit, checksums of closed databases would pile up. Forgetting
    // all of them costs only that files are read again.
    if (checksums_.size() >= kMaxCount) checksums_.clear();
    checksums_[{session, name}] = crc32c;
  }

 private:
  static constexpr size_t kMaxCount = 1 << 20;
  Mutex mutex_;
  std::map<std::pair<std::string, std::string>, uint32_t> checksums_
      GUARDED_BY(mutex_);
};

struct BackupContext {
  // Its rates are limiters, and its env is there.
  const BackupEngineOptions* options = nullptr;
  BackupCatalog* catalog = nullptr;
  TransferPool* pool = nullptr;
  const std::atomic<bool>* is_stopped = nullptr;
  ReadChecksums* checksums = nullptr;
};

// How many bytes to read ahead under a limiter, which may be null.
inline size_t TransferBufferBytes(const BackupEngineOptions& options,
                                  const RateLimiter* limiter) {
  constexpr uint64_t kDefaultBytes = 5 << 20;
  constexpr uint64_t kMaxBytes = 64 << 20;
  uint64_t bytes = options.io_buffer_size;
  if (bytes == 0 && limiter != nullptr) {
    bytes = static_cast<uint64_t>(limiter->GetSingleBurstBytes());
  }
  return static_cast<size_t>(
      std::min(bytes == 0 ? kDefaultBytes : bytes, kMaxBytes));
}

}  // namespace ROCKSDB_NAMESPACE
