#include "env/posix/posix_uring.h"

#include <errno.h>
#include <unistd.h>

#ifdef BASALT_HAVE_LIBURING
#include <liburing.h>
#endif

#include "env/posix/posix_io.h"
#include "util/invariant.h"

// A program may define it, and so keep the engine from using io_uring.
extern "C" bool RocksDbIOUringEnable() __attribute__((weak));

namespace ROCKSDB_NAMESPACE {

#ifdef BASALT_HAVE_LIBURING

namespace {

// Submission slots; also the most reads in flight, so that completions always
// have room.
constexpr unsigned kDepth = 256;
// The kernel may start so many threads beside each ring: as many as direct
// writes of one file are under way.
constexpr unsigned kMostKernelThreads = 2;
// One read moves at most so much, as read(2) does.
constexpr size_t kMaxPartBytes = size_t{1} << 30;

// What still transfers at the end of a thread, such as static objects of the
// main thread, does so one by one.
thread_local constinit bool ring_has_ended = false;

}  // namespace

bool HasTransfers(const io_uring_probe* probe) {
  if (probe == nullptr) return false;
  return io_uring_opcode_supported(probe, IORING_OP_READ) != 0 &&
         io_uring_opcode_supported(probe, IORING_OP_WRITE) != 0;
}

struct PosixUring::Ring {
  io_uring uring;
  ~Ring() { io_uring_queue_exit(&uring); }
};

PosixUring::PosixUring(std::unique_ptr<Ring>&& ring) : ring_(std::move(ring)) {}

PosixUring::~PosixUring() = default;

std::shared_ptr<PosixUring> PosixUring::Create() {
  if (RocksDbIOUringEnable != nullptr && !RocksDbIOUringEnable()) {
    return nullptr;
  }
  io_uring uring;
  // What is finished need not interrupt the thread: it is wanted when the
  // thread enters the kernel, and a look tells whether to. Older kernels know
  // neither flag.
  constexpr unsigned kFlags =
      IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG;
  int error = io_uring_queue_init(kDepth, &uring, kFlags);
  if (error == -EINVAL) error = io_uring_queue_init(kDepth, &uring, 0);
  if (error != 0) return nullptr;
  // Kernels before 5.6 make a ring, but each transfer would fail.
  io_uring_probe* const probe = io_uring_get_probe_ring(&uring);
  const bool has_transfers = HasTransfers(probe);
  if (probe != nullptr) io_uring_free_probe(probe);
  if (!has_transfers) {
    io_uring_queue_exit(&uring);
    return nullptr;
  }
  // What the kernel cannot start without waiting it gives to threads of its
  // own, one for each request if it may. Older kernels choose the number.
  unsigned most_threads[] = {kMostKernelThreads, kMostKernelThreads};
  (void)io_uring_register_iowq_max_workers(&uring, most_threads);
  auto ring = std::make_unique<Ring>();
  ring->uring = uring;
  return std::make_shared<PosixUring>(std::move(ring));
}

void PosixUring::EnqueueLocked(UringTransfer* transfer) {
  if (in_flight_ >= kDepth) {
    // Making room for many at once lets them be submitted together.
    ReapLocked(Reaping::kWait);
    while (ReapLocked(Reaping::kPeek)) {
    }
  }
  io_uring_sqe* entry = io_uring_get_sqe(&ring_->uring);
  if (entry == nullptr) {
    SubmitLocked();
    entry = io_uring_get_sqe(&ring_->uring);
  }
  if (entry == nullptr) {
    RunPlainly(transfer);
    return;
  }
  const size_t part =
      std::min(transfer->io.length - transfer->io.done, kMaxPartBytes);
  const uint64_t offset = transfer->io.offset + transfer->io.done;
  char* const bytes = transfer->io.out + transfer->io.done;
  if (transfer->is_write) {
    io_uring_prep_write(entry, transfer->io.fd, bytes,
                        static_cast<unsigned>(part), offset);
  } else {
    io_uring_prep_read(entry, transfer->io.fd, bytes,
                       static_cast<unsigned>(part), offset);
  }
  entry->rw_flags = transfer->io.flags;
  io_uring_sqe_set_data(entry, transfer);
  ++in_flight_;
}

void PosixUring::SubmitLocked() {
  int result;
  do {
    result = io_uring_submit(&ring_->uring);
  } while (result == -EINTR || result == -EAGAIN || result == -EBUSY);
  INVARIANT(result >= 0);
}

bool PosixUring::ReapLocked(Reaping reaping) {
  io_uring_cqe* entry = nullptr;
  if (reaping == Reaping::kWait) {
    SubmitLocked();
    int result;
    do {
      result = io_uring_wait_cqe(&ring_->uring, &entry);
    } while (result == -EINTR || result == -EAGAIN);
    INVARIANT(result == 0);
  } else if (io_uring_peek_cqe(&ring_->uring, &entry) != 0) {
    return false;
  }
  auto* transfer = static_cast<UringTransfer*>(io_uring_cqe_get_data(entry));
  const int result = entry->res;
  io_uring_cqe_seen(&ring_->uring, entry);
  if (transfer == nullptr) return true;  // It answers a cancel request.
  --in_flight_;
  FinishPartLocked(transfer, result);
  return true;
}

void PosixUring::FinishPartLocked(UringTransfer* transfer, int result) {
  if (result == -EINTR || result == -EAGAIN) {
    EnqueueLocked(transfer);
    SubmitLocked();
    return;
  }
  if (result < 0) {
    transfer->error = -result;
    transfer->is_finished = true;
    return;
  }
  transfer->io.done += static_cast<size_t>(result);
  const bool is_at_end =
      result == 0 || transfer->io.done % transfer->io.alignment != 0;
  if (transfer->is_write && is_at_end &&
      transfer->io.done < transfer->io.length) {
    // A device that takes part of a unit is broken.
    transfer->error = result == 0 ? ENOSPC : EIO;
  }
  if (transfer->io.done >= transfer->io.length || is_at_end) {
    transfer->is_finished = true;
    return;
  }
  EnqueueLocked(transfer);
  SubmitLocked();
}

void PosixUring::ReadAll(UringTransfer* reads, size_t count) {
  MutexLock lock(&mutex_);
  for (size_t i = 0; i < count; ++i) EnqueueLocked(&reads[i]);
  for (size_t i = 0; i < count; ++i) {
    while (!reads[i].is_finished) ReapLocked(Reaping::kWait);
  }
}

void PosixUring::Start(UringTransfer* transfer) {
  MutexLock lock(&mutex_);
  EnqueueLocked(transfer);
  SubmitLocked();
}

void PosixUring::WaitFor(UringTransfer* transfer) {
  MutexLock lock(&mutex_);
  while (!transfer->is_finished) ReapLocked(Reaping::kWait);
}

bool PosixUring::IsFinished(UringTransfer* transfer) {
  MutexLock lock(&mutex_);
  while (!transfer->is_finished && ReapLocked(Reaping::kPeek)) {
  }
  return transfer->is_finished;
}

void PosixUring::Cancel(UringTransfer* transfer) {
  MutexLock lock(&mutex_);
  while (!transfer->is_finished && ReapLocked(Reaping::kPeek)) {
  }
  if (transfer->is_finished) return;
  if (io_uring_sqe* entry = io_uring_get_sqe(&ring_->uring)) {
    io_uring_prep_cancel(entry, transfer, 0);
    io_uring_sqe_set_data(entry, nullptr);
  }
  while (!transfer->is_finished) ReapLocked(Reaping::kWait);
}

void PosixUring::WaitForAll() {
  MutexLock lock(&mutex_);
  while (in_flight_ > 0) ReapLocked(Reaping::kWait);
}

std::shared_ptr<PosixUring> PosixUring::OfThisThread() {
  struct OwnRing {
    OwnRing() = default;
    OwnRing(const OwnRing&) = delete;
    OwnRing& operator=(const OwnRing&) = delete;
    // The kernel fails what a thread leaves behind in the middle. In a child of
    // fork(2) that is its parent's, to which alone the end of it is told.
    ~OwnRing() {
      ring_has_ended = true;
      if (ring != nullptr && process == getpid()) ring->WaitForAll();
    }
    const pid_t process = getpid();
    // A refusal is remembered for the thread: asking again costs a system call.
    const std::shared_ptr<PosixUring> ring = Create();
  };
  if (ring_has_ended) return nullptr;
  thread_local OwnRing own;
  return own.ring;
}

#else  // Without liburing there is never a ring, so nothing below runs.

bool HasTransfers(const io_uring_probe*) { return false; }

struct PosixUring::Ring {};

PosixUring::PosixUring(std::unique_ptr<Ring>&& ring) : ring_(std::move(ring)) {}
PosixUring::~PosixUring() = default;
std::shared_ptr<PosixUring> PosixUring::OfThisThread() { return nullptr; }

void PosixUring::ReadAll(UringTransfer* reads, size_t count) {
  for (size_t i = 0; i < count; ++i) RunPlainly(&reads[i]);
}
void PosixUring::Start(UringTransfer* transfer) { RunPlainly(transfer); }
void PosixUring::WaitFor(UringTransfer*) {}
bool PosixUring::IsFinished(UringTransfer* transfer) {
  return transfer->is_finished;
}
void PosixUring::Cancel(UringTransfer*) {}

#endif

void PosixUring::RunPlainly(UringTransfer* transfer) {
  FileRead& io = transfer->io;
  if (transfer->is_write) {
    transfer->error = WriteFully(io.fd, io.offset + io.done, io.out + io.done,
                                 io.length - io.done, io.flags);
    if (transfer->error == 0) io.done = io.length;
  } else {
    transfer->error = ReadFully(&io);
  }
  transfer->is_finished = true;
}

}  // namespace ROCKSDB_NAMESPACE
