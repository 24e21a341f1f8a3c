// Copies and reads the files of backups, from front to back.
//
// A transfer asks for bytes ahead of their use, and the governor of the file
// system admits each request, so that reads of users do not wait. `options` of
// the source say how it is read. Where that goes past the page cache, the pages
// that are written are dropped from it as well; if the target `is_direct`, they
// never come there.
//
// Threads  Those of a TransferPool; rules and progress are shared by them.
// Errors   Incomplete once the engine is stopped. A source that is shorter than
//          it should be is Corruption. A copy that failed is deleted.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class RateLimiter;
class Statistics;

IOStatus BackupStopped();

// Calls back each time that so many bytes have been copied.
//
// Threads  Safe for concurrent use; one call at a time.
class TransferProgress {
 public:
  TransferProgress(uint64_t interval_bytes, std::function<void()> callback)
      : interval_bytes_(interval_bytes), callback_(std::move(callback)) {}

  // Aborted if the callback throws.
  IOStatus Add(uint64_t bytes) EXCLUDES(mutex_);

 private:
  const uint64_t interval_bytes_;
  const std::function<void()> callback_;  // may be empty
  Mutex mutex_;
  uint64_t bytes_ GUARDED_BY(mutex_) = 0;
};

// What all transfers of one call have in common.
struct TransferRules {
  const std::atomic<bool>* is_stopped = nullptr;
  RateLimiter* limiter = nullptr;        // null: none
  size_t buffer_bytes = 0;               // to read ahead
  Statistics* statistics = nullptr;      // null: none
  TransferProgress* progress = nullptr;  // null: none
};

struct TransferSource {
  FileSystem* fs = nullptr;
  std::string path;
  // From the front.
  uint64_t size_bytes = 0;
  FileOptions options;
};

struct TransferTarget {
  FileSystem* fs = nullptr;
  std::string path;
  bool is_synced = true;
  bool is_direct = false;  // unless its file system refuses that
  Temperature temperature = Temperature::kUnknown;
};

// The crc32c of the source. `generator`, which may be null, is given all bytes
// too, and finished.
IOStatus DigestSource(const TransferSource& source, const TransferRules& rules,
                      FileChecksumGenerator* generator, uint32_t* crc32c);

// The same for a source that is small enough to be held as a whole.
IOStatus ReadWholeSource(const TransferSource& source,
                         const TransferRules& rules, std::string* bytes,
                         uint32_t* crc32c);

// Copies, and answers the crc32c of what was read.
IOStatus CopySource(const TransferSource& source, const TransferTarget& target,
                    const TransferRules& rules,
                    FileChecksumGenerator* generator, uint32_t* crc32c);

// Writes bytes that are no file yet, and answers their crc32c.
IOStatus WriteTarget(const Slice& bytes, const TransferTarget& target,
                     const TransferRules& rules, uint32_t* crc32c);

}  // namespace ROCKSDB_NAMESPACE
