#include "env/posix/posix_uring.h"

#include <errno.h>

#ifdef BASALT_HAVE_LIBURING
#include <liburing.h>
#endif

#include "env/posix/posix_io.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

#ifdef BASALT_HAVE_LIBURING

namespace {

// Submission slots; also the most reads in flight, so that completions always
// have room.
constexpr unsigned kDepth = 256;
// One read moves at most so much, as read(2) does.
constexpr size_t kMaxPartBytes = size_t{1} << 30;

}  // namespace

struct PosixUring::Ring {
  io_uring uring;
  ~Ring() { io_uring_queue_exit(&uring); }
};

PosixUring::PosixUring(std::unique_ptr<Ring>&& ring) : ring_(std::move(ring)) {}

PosixUring::~PosixUring() = default;

std::shared_ptr<PosixUring> PosixUring::Create() {
  io_uring uring;
  if (io_uring_queue_init(kDepth, &uring, 0) != 0) return nullptr;
  auto ring = std::make_unique<Ring>();
  ring->uring = uring;
  return std::make_shared<PosixUring>(std::move(ring));
}

void PosixUring::EnqueueLocked(UringRead* read) {
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
    ReadPlainly(read);
    return;
  }
  const size_t part = std::min(read->io.length - read->io.done, kMaxPartBytes);
  io_uring_prep_read(entry, read->io.fd, read->io.out + read->io.done,
                     static_cast<unsigned>(part),
                     read->io.offset + read->io.done);
  io_uring_sqe_set_data(entry, read);
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
  auto* read = static_cast<UringRead*>(io_uring_cqe_get_data(entry));
  const int result = entry->res;
  io_uring_cqe_seen(&ring_->uring, entry);
  if (read == nullptr) return true;  // Of a cancel request.
  --in_flight_;
  FinishPartLocked(read, result);
  return true;
}

void PosixUring::FinishPartLocked(UringRead* read, int result) {
  if (result == -EINTR || result == -EAGAIN) {
    EnqueueLocked(read);
    SubmitLocked();
    return;
  }
  if (result < 0) {
    read->error = -result;
    read->is_finished = true;
    return;
  }
  read->io.done += static_cast<size_t>(result);
  const bool is_at_end = result == 0 || read->io.done % read->io.alignment != 0;
  if (read->io.done >= read->io.length || is_at_end) {
    read->is_finished = true;
    return;
  }
  EnqueueLocked(read);
  SubmitLocked();
}

void PosixUring::ReadAll(UringRead* reads, size_t count) {
  MutexLock lock(&mutex_);
  for (size_t i = 0; i < count; ++i) EnqueueLocked(&reads[i]);
  for (size_t i = 0; i < count; ++i) {
    while (!reads[i].is_finished) ReapLocked(Reaping::kWait);
  }
}

void PosixUring::Start(UringRead* read) {
  MutexLock lock(&mutex_);
  EnqueueLocked(read);
  SubmitLocked();
}

void PosixUring::WaitFor(UringRead* read) {
  MutexLock lock(&mutex_);
  while (!read->is_finished) ReapLocked(Reaping::kWait);
}

bool PosixUring::IsFinished(UringRead* read) {
  MutexLock lock(&mutex_);
  while (!read->is_finished && ReapLocked(Reaping::kPeek)) {
  }
  return read->is_finished;
}

void PosixUring::Cancel(UringRead* read) {
  MutexLock lock(&mutex_);
  while (!read->is_finished && ReapLocked(Reaping::kPeek)) {
  }
  if (read->is_finished) return;
  if (io_uring_sqe* entry = io_uring_get_sqe(&ring_->uring)) {
    io_uring_prep_cancel(entry, read, 0);
    io_uring_sqe_set_data(entry, nullptr);
  }
  while (!read->is_finished) ReapLocked(Reaping::kWait);
}

std::shared_ptr<PosixUring> PosixUring::OfThisThread() {
  // A refusal is remembered for the thread: asking again costs a system call.
  thread_local const std::shared_ptr<PosixUring> ring = Create();
  return ring;
}

#else  // Without liburing there is never a ring, so nothing below runs.

struct PosixUring::Ring {};

PosixUring::PosixUring(std::unique_ptr<Ring>&& ring) : ring_(std::move(ring)) {}
PosixUring::~PosixUring() = default;
std::shared_ptr<PosixUring> PosixUring::OfThisThread() { return nullptr; }

void PosixUring::ReadAll(UringRead* reads, size_t count) {
  for (size_t i = 0; i < count; ++i) ReadPlainly(&reads[i]);
}
void PosixUring::Start(UringRead* read) { ReadPlainly(read); }
void PosixUring::WaitFor(UringRead*) {}
bool PosixUring::IsFinished(UringRead* read) { return read->is_finished; }
void PosixUring::Cancel(UringRead*) {}

#endif

void PosixUring::ReadPlainly(UringRead* read) {
  read->error = ReadFully(&read->io);
  read->is_finished = true;
}

}  // namespace ROCKSDB_NAMESPACE
