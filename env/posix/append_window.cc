#include "env/posix/append_window.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "env/posix/page_cache.h"
#include "util/invariant.h"

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace ROCKSDB_NAMESPACE {

namespace {

// Made ready at once, by some microseconds a page.
constexpr uint64_t kStepBytes = 8 << 10;
static_assert(AppendWindow::kMostAppended + (64 << 10) < AppendWindow::kBytes);

constexpr uint64_t AlignUp(uint64_t n, uint64_t alignment) {
  return (n + alignment - 1) / alignment * alignment;
}

// Enough for the padding in front of a log record, and its header.
constexpr size_t kHeadBytes = 16;
using Head [[gnu::vector_size(kHeadBytes), gnu::aligned(1), gnu::may_alias]] =
    char;

}  // namespace

// Others may copy a page when it is written again, and find no room then.
bool AppendWindow::IsSure(int fd) {
  struct statfs info;
  if (fstatfs(fd, &info) != 0) return false;
  return info.f_type == EXT4_SUPER_MAGIC || info.f_type == XFS_SUPER_MAGIC ||
         info.f_type == TMPFS_MAGIC;
}

uint64_t AppendWindow::CoarseMillis() {
  timespec now;
  const int failed = clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  INVARIANT(failed == 0);
  return static_cast<uint64_t>(now.tv_sec) * 1000 +
         static_cast<uint64_t>(now.tv_nsec) / 1'000'000;
}

bool AppendWindow::MakeReady(const Slice& data, uint64_t offset) {
  if (has_failed_) return false;
  if (data.size() > kMostAppended) {
    small_in_a_row_ = 0;
    return false;
  }
  if (small_in_a_row_ < kSmallInARow && ++small_in_a_row_ < kSmallInARow) {
    return false;
  }
  const uint64_t end = offset + data.size();
  has_failed_ = true;  // unless all goes well
  const bool is_inside =
      base_ != nullptr && offset >= offset_ && end <= offset_ + kBytes;
  if (!is_inside && !Map(offset)) return false;
  const uint64_t begin = offset - offset % PageBytes();
  // The next sync writes all that was made ready: where each append is synced,
  // that is to be no more than it needs. (relaxed: see Append().)
  const uint64_t step_bytes =
      was_synced_.exchange(false, std::memory_order_relaxed) ? PageBytes()
                                                             : kStepBytes;
  const uint64_t step_end =
      std::min(offset_ + kBytes,
               begin + std::max(step_bytes, AlignUp(end - begin, PageBytes())));
  INVARIANT(end <= step_end);
  // Before it counts, so that it never counts for longer.
  const uint64_t ready_until_millis = now_millis_() + kReadyMillis;
  if (madvise(base_ + (begin - offset_), step_end - begin,
              MADV_POPULATE_WRITE) != 0) {
    Unmap();
    return false;
  }
  ready_begin_ = begin;
  ready_end_ = step_end;
  ready_until_millis_ = ready_until_millis;
  has_failed_ = false;
  return true;
}

bool AppendWindow::Map(uint64_t offset) {
  Unmap();
  INVARIANT(kBytes % PageBytes() == 0);
  const uint64_t begin = offset - offset % PageBytes();
  int failed = 0;
  do {
    failed = fallocate(fd_, /*mode=*/0, static_cast<off_t>(begin), kBytes);
  } while (failed != 0 && errno == EINTR);
  if (failed != 0) return false;
  void* const base = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                          fd_, static_cast<off_t>(begin));
  if (base == MAP_FAILED) return false;
  base_ = static_cast<char*>(base);
  offset_ = begin;
  // A child of this process has no use for the pages, and may hold on to them.
  // They are not locked in memory: to let 1 MiB of those go took 0.2 ms.
  (void)madvise(base_, kBytes, MADV_DONTFORK);
  return true;
}

void AppendWindow::Unmap() {
  if (base_ == nullptr) return;
  const int failed = munmap(base_, kBytes);
  INVARIANT(failed == 0);
  base_ = nullptr;
  ready_begin_ = ready_end_ = 0;
}

// The head comes last, and by one instruction: before it there are zeros, which
// end a log. The process may die between any two.
void AppendWindow::Copy(const Slice& data, char* out) {
  if (data.size() < kHeadBytes) {
    memcpy(out, data.data(), data.size());
    return;
  }
  memcpy(out + kHeadBytes, data.data() + kHeadBytes, data.size() - kHeadBytes);
  // A dead thread's stores count in the order of its program.
  std::atomic_signal_fence(std::memory_order_release);
  *reinterpret_cast<Head*>(out) = *reinterpret_cast<const Head*>(data.data());
}

}  // namespace ROCKSDB_NAMESPACE
