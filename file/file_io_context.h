// What a reader or writer of a file reports to: clock, statistics, listeners.
//
// Ownership  Borrows all; listeners are shared.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "file/io_class.h"
#include "rocksdb/file_system.h"
#include "rocksdb/listener.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

class FileChecksumGenFactory;
class FreshImage;
class HistogramImpl;
class IoGovernor;
class IoHelpers;
class IoPace;

struct FileIoContext {
  // Null: that of the operating system.
  SystemClock* clock = nullptr;
  Statistics* statistics = nullptr;
  // Those that want no file events are left out.
  std::vector<std::shared_ptr<EventListener>> listeners;
  RateLimiter* rate_limiter = nullptr;
  // Readers: is told how long users wait. Streams and direct writers of
  // background jobs: admits their requests. Null: neither.
  IoGovernor* governor = nullptr;
  IoClass io_class = IoClass::kMaintenance;
  // Spreads the requests of a background job over time. Null: does not.
  IoPace* pace = nullptr;
  // Histogram of each call's time; HISTOGRAM_ENUM_MAX: none.
  uint32_t histogram = HISTOGRAM_ENUM_MAX;
  // Writers and streams: what accompanies each call.
  IOOptions io_options;
  // Writers: what the device does overlaps with what the thread does next, be
  // it direct writes or, where the governor admits them, the write-back of
  // others.
  bool overlaps_writes = false;
  // Writers through the page cache: what the device has leaves it behind the
  // end, and the rest when a synced file is closed.
  bool drops_written = false;
  // Writers: makes the checksum of the whole file. Null: none.
  FileChecksumGenFactory* checksum_factory = nullptr;
  // Writers: each write comes with the CRC32C of its bytes, for a file system
  // that checks them (checksum_handoff_file_types).
  bool hands_checksums = false;
  // Writers: gets a copy of what is appended. Null: none.
  FreshImage* image = nullptr;
  // Readers: how much is read of which storage.
  Temperature temperature = Temperature::kUnknown;
  bool is_last_level = false;
  // Readers: make asynchronous reads where the file system has none; null: such
  // reads are not to be had there.
  std::shared_ptr<IoHelpers> helpers;
  // Readers: gets the time of each read, where times are wanted; null: nobody.
  std::shared_ptr<HistogramImpl> place_times;
};

// The listeners among `all` that ask for events of files.
std::vector<std::shared_ptr<EventListener>> FileListeners(
    const std::vector<std::shared_ptr<EventListener>>& all);

// One operation on a file, told to the listeners when it is done. Costs one
// branch where nobody listens.
class FileOperation {
 public:
  FileOperation(const FileIoContext& context, FileOperationType type)
      : context_(context), type_(type) {
    if (!context_.listeners.empty()) start_ = FileOperationInfo::StartNow();
  }
  // `path` names the file; offset and length what was read, written or cut.
  void Finish(const std::string& path, uint64_t offset, size_t length,
              const Status& status) const {
    if (!context_.listeners.empty()) Tell(path, offset, length, status);
  }
  // Is the calling thread in a callback of a listener that is told? It may hold
  // locks of the engine, and must not wait for other threads' work.
  static bool IsBeingTold();

 private:
  void Tell(const std::string& path, uint64_t offset, size_t length,
            const Status& status) const;

  const FileIoContext& context_;
  const FileOperationType type_;
  FileOperationInfo::StartTimePoint start_;
};

// Counts one finished read: I/O statistics of the thread, and tickers by
// temperature and level.
void CountRead(const FileIoContext& context, size_t bytes);

// Measures one read for the histograms, where that is asked for.
class ReadTimer {
 public:
  ReadTimer(const FileIoContext& context, const IOOptions& options);
  ~ReadTimer();
  // Nothing is measured.
  void Cancel() { start_micros_ = 0; }
  ReadTimer(const ReadTimer&) = delete;
  ReadTimer& operator=(const ReadTimer&) = delete;

 private:
  const FileIoContext& context_;
  const Env::IOActivity activity_;
  // 0: not measured.
  uint64_t start_micros_ = 0;
};

// Is there a limiter for such an operation?
bool IsLimited(const FileIoContext& context, Env::IOPriority priority,
               RateLimiter::OpType operation);

// How much of `wanted` bytes may be transferred now; waits for the limiter. At
// least one alignment unit, unless `wanted` is less.
size_t WaitForTokens(const FileIoContext& context, size_t wanted,
                     size_t alignment, Env::IOPriority priority,
                     RateLimiter::OpType operation);

// `status` with file, what was done, offset and length in its message.
IOStatus NameFile(const IOStatus& status, const std::string& file,
                  const char* operation, uint64_t offset, size_t length);

}  // namespace ROCKSDB_NAMESPACE
