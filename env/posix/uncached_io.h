// Uncached I/O: through the page cache, leaving in it what was there before.
//
// Two ways. The flag RWF_DONTCACHE (Linux 6.14, on some file systems) has the
// kernel free the pages of a transfer after it. Where that is refused, the
// caller drops them afterwards: of a read, those that were absent before it; of
// a write, once the device has them.
//
// Threads    As said of each class.
// Ownership  Descriptors are borrowed.
// Errors     errno values; 0 is success.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "env/posix/posix_io.h"
#include "rocksdb/rocksdb_namespace.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

// RWF_DONTCACHE, a flag of preadv2(2), pwritev2(2) and io_uring. The headers of
// the C library do not have it yet.
inline constexpr int kDontCacheFlag = 0x80;

// How many files may be written with the flag at a time, on the kernel of that
// release (uname -r): before 7.2, several hinder each other more than it helps.
int MostDontCacheWriters(const std::string& release);

// What the handles of a process know together of the flag: the devices whose
// file systems refuse it, and how many write with it. Any thread.
class DontCacheUse {
 public:
  static DontCacheUse* OfThisProcess();
  explicit DontCacheUse(int most_writers = 1) : most_writers_(most_writers) {}

  void AddRefusal(dev_t device) EXCLUDES(mutex_);
  bool IsRefused(dev_t device) const EXCLUDES(mutex_);

  // False: others write with it. True: until ReturnTurn().
  bool TakeTurn() EXCLUDES(mutex_);
  void ReturnTurn() EXCLUDES(mutex_);

 private:
  const int most_writers_;
  mutable Mutex mutex_;
  std::set<dev_t> refusing_ GUARDED_BY(mutex_);
  int writers_ GUARDED_BY(mutex_) = 0;
};

// Whether one handle's transfers carry the flag: until the kernel refuses it,
// to this handle or to one before on the same device. A writer's never do if
// others' already do. Any thread.
class DontCacheChoice {
 public:
  enum class Direction { kRead, kWrite };
  DontCacheChoice(int fd, Direction direction, DontCacheUse* use);
  ~DontCacheChoice() { ReturnTurn(); }
  DontCacheChoice(const DontCacheChoice&) = delete;
  DontCacheChoice& operator=(const DontCacheChoice&) = delete;

  // For the next transfer: the flag or 0.
  int flags() const { return is_taken_.load() ? kDontCacheFlag : 0; }

  // May a transfer with `flags` have failed with `error` for the flag's sake?
  // Then it is to be repeated without, and NoteRefusal() called if that works.
  static bool IsRefusal(int flags, int error);
  void NoteRefusal();

  // The writer has written its last; calls of the same thread only.
  void ReturnTurn();

 private:
  dev_t device_ = 0;
  DontCacheUse* const use_;
  std::atomic<bool> is_taken_;
  bool has_turn_ = false;
};

// The pages of one range that the page cache does not hold when this is made.
// Without the kernel's answer it is as if all were there. One thread.
class AbsentPages {
 public:
  struct Run {
    uint64_t offset = 0;
    uint64_t length = 0;
    bool operator==(const Run&) const = default;
  };
  AbsentPages() = default;
  AbsentPages(int fd, uint64_t offset, uint64_t length);

  // Lets the page cache forget them, those that are clean.
  void Drop(int fd) const;
  const std::vector<Run>& runs() const { return runs_; }

 private:
  std::vector<Run> runs_;
};

// Reads without leaving anything behind. Any thread.
int ReadUncached(DontCacheChoice* choice, FileRead* read);

// Drops what was written, one write behind: the device works on the newest
// while the caller makes the next. One thread.
class DropBehindWrites {
 public:
  // After a write. The errno of write-back that has failed: as with a failed
  // sync, the bytes are lost.
  int Note(int fd, uint64_t offset, uint64_t length);
  // Waits for what is left.
  int Finish(int fd);

 private:
  int DropOlder(int fd);

  uint64_t offset_ = 0;
  uint64_t length_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
