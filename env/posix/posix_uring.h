// One thread's io_uring: many reads and writes in flight at once.
//
// Where the library is built without liburing, the kernel refuses a ring or
// does not know these transfers (before 5.6), or the thread is ending,
// OfThisThread() answers nullptr and callers read one by one.
//
// Threads    A ring belongs to the thread that asked for it, which is the only
//            one to start transfers; any thread may wait for them. It does so
//            itself when it ends. Its lock is held for the duration of a kernel
//            call.
// Ownership  Shared by its thread and the handles of transfers in flight. A
//            UringTransfer and its buffer must live until it is done.
// Errors     errno values in each transfer.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "env/posix/posix_io.h"
#include "rocksdb/rocksdb_namespace.h"
#include "util/mutex.h"

struct io_uring_probe;

namespace ROCKSDB_NAMESPACE {

struct UringTransfer {
  // A write's bytes are at `io.out`, and are not changed.
  FileRead io;
  bool is_write = false;
  // Out: errno, and whether `io` and this are final.
  int error = 0;
  bool is_finished = false;
};

// Whether a kernel that gave this answer can read and write by a ring. False if
// it could not be asked (null), or if the library is built without liburing.
bool HasTransfers(const io_uring_probe* probe);

class PosixUring {
 public:
  struct Ring;

  static std::shared_ptr<PosixUring> OfThisThread();

  // For OfThisThread().
  explicit PosixUring(std::unique_ptr<Ring>&& ring);
  ~PosixUring();
  PosixUring(const PosixUring&) = delete;
  PosixUring& operator=(const PosixUring&) = delete;

  // Starts all, and waits for all.
  void ReadAll(UringTransfer* reads, size_t count) EXCLUDES(mutex_);

  // Starts one. It may be submitted to the kernel at once.
  void Start(UringTransfer* transfer) EXCLUDES(mutex_);

  // Waits until it is finished.
  void WaitFor(UringTransfer* transfer) EXCLUDES(mutex_);

  // Takes in what is finished, without waiting; is this read?
  bool IsFinished(UringTransfer* transfer) EXCLUDES(mutex_);

  // Asks the kernel to stop it, and waits. It may still succeed.
  void Cancel(UringTransfer* transfer) EXCLUDES(mutex_);

 private:
  static std::shared_ptr<PosixUring> Create();
  void WaitForAll() EXCLUDES(mutex_);
  void EnqueueLocked(UringTransfer* transfer) REQUIRES(mutex_);
  void SubmitLocked() REQUIRES(mutex_);
  // Takes in one finished part, if need be after waiting; was there one?
  enum class Reaping { kWait, kPeek };
  bool ReapLocked(Reaping reaping) REQUIRES(mutex_);
  void FinishPartLocked(UringTransfer* transfer, int result) REQUIRES(mutex_);
  // The ring is broken: finishes a transfer by an ordinary call.
  static void RunPlainly(UringTransfer* transfer);

  Mutex mutex_;
  const std::unique_ptr<Ring> ring_ PT_GUARDED_BY(mutex_);
  size_t in_flight_ GUARDED_BY(mutex_) = 0;
};

// A read of ReadAsync(). The destructor waits for the kernel to let go of the
// buffer; the callback runs at most once.
struct UringHandle {
  UringHandle() = default;
  UringHandle(const UringHandle&) = delete;
  UringHandle& operator=(const UringHandle&) = delete;
  ~UringHandle() { ring->WaitFor(&read); }

  void DeliverOnce() {
    if (is_delivered) return;
    is_delivered = true;
    deliver(read);
  }

  std::shared_ptr<PosixUring> ring;
  UringTransfer read;
  std::function<void(UringTransfer&)> deliver;
  bool is_delivered = false;
};

}  // namespace ROCKSDB_NAMESPACE
