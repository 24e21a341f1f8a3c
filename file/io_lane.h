// The background requests that one thread has in flight.
//
// Every bulk reader and writer asks for its bytes here: the lane has them
// admitted by the governor, starts them, and takes in what is finished. It is
// what keeps a thread from waiting for leave while it holds back the bytes of
// requests that are long done.
//
// Backends   kFileSystem: the file's own asynchronous calls (io_uring).
//            kHelpers: ordinary calls, on threads that all lanes share.
//            kInline: an ordinary call in Start(). The bytes are the same.
// Threads    A lane and its requests belong to the thread that asked for it.
// Ownership  Request and buffer are the caller's, and must live until the
//            request is finished. A lane dies with its thread, empty.
// Errors     In each request.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "file/io_class.h"
#include "file/io_governor.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"

namespace ROCKSDB_NAMESPACE {

class AsyncWritableFile;
class IoHelpers;
class IoPace;

// What `fs` allows: its own calls, else helpers.
IoBackend BestReadBackend(FileSystem* fs);
// What `file` allows, likewise.
IoBackend BestWriteBackend(FSWritableFile* file);
// Likewise; kInline: write-back can be started, and nobody knows its end.
IoBackend BestWriteBackBackend(FSWritableFile* file);

// What all requests of a stream have in common: their class, and how they go
// out.
struct IoSource {
  IoBackend backend = IoBackend::kInline;
  IoClass io_class = IoClass::kMaintenance;
  // The file's file system, which kFileSystem needs.
  FileSystem* fs = nullptr;
  // Null: not governed.
  IoGovernor* governor = nullptr;
  // Null: not spread over time; needs a governor.
  IoPace* pace = nullptr;
  IOOptions options;
};

struct IoRequest {
  // In. One of the files; `length` as admitted.
  const IoSource* source = nullptr;
  FSRandomAccessFile* reads = nullptr;
  FSWritableFile* writes = nullptr;
  uint64_t offset = 0;
  size_t length = 0;
  char* buffer = nullptr;
  // The timeout of a read, instead of the source's; 0: the source's.
  std::chrono::microseconds timeout{0};
  // True: brings this part of `writes` from the page cache to the device, and
  // has no buffer. Only a WriteBackFile knows when that is over.
  bool is_write_back = false;

  // Out, once finished. A read may be short.
  IOStatus status;
  size_t done = 0;
  bool is_finished = false;

  // The lane's.
  void* handle = nullptr;
  IOHandleDeleter deleter;
  uint64_t start_micros = 0;
  // `status` and `done` are there. Not yet finished: the lane holds it still.
  std::atomic<bool> has_answer{false};
};

class IoLane {
 public:
  static IoLane* OfThisThread();

  IoLane();
  ~IoLane();
  IoLane(const IoLane&) = delete;
  IoLane& operator=(const IoLane&) = delete;

  // How many of `wanted` bytes may be started now; all of them where nothing
  // governs. TryAdmit() answers 0 rather than wait. Each grant is for one
  // request.
  size_t Admit(const IoSource& source, size_t wanted, size_t alignment);
  size_t TryAdmit(const IoSource& source, size_t wanted, size_t alignment);

  // Starts an admitted request. It may be finished at once.
  void Start(IoRequest* request);
  // Takes in what is done, without waiting; is this one?
  bool IsFinished(IoRequest* request);
  void Wait(IoRequest* request);

  // Takes in all that is done, without waiting, so that the governor knows; was
  // there any?
  bool TakeInDone();
  // Waits for all: to be called before the thread waits for anything else than
  // the device, since others may wait for leave meanwhile.
  void Settle();

  size_t in_flight() const { return in_flight_.size(); }

 private:
  enum class Patience { kNone, kWait };

  // Must a request of `source` wait for its time?
  static bool IsEarly(const IoSource& source);

  void StartOnFileSystem(IoRequest* request);
  void StartOnHelpers(IoRequest* request);
  static void RunInline(IoRequest* request);
  static void RunWriteBack(IoRequest* request);
  // Takes in `request` if it is done, or with kWait once it is.
  bool TakeIn(IoRequest* request, Patience patience);
  bool PollFileSystem(IoRequest* request, Patience patience);
  static bool PollWrite(IoRequest* request, Patience patience);
  static bool PollWriteBack(IoRequest* request, Patience patience);
  void Finish(IoRequest* request, uint64_t device_micros);

  // Oldest first.
  std::vector<IoRequest*> in_flight_;
  std::vector<void*> poll_;  // spares an allocation
  std::shared_ptr<IoHelpers> helpers_;
};

}  // namespace ROCKSDB_NAMESPACE
