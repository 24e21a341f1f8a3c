#include "env/posix/uncached_io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <limits>
#include <memory>

#include "env/posix/page_cache.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Is it certain that the page cache has no page of the range?
bool HoldsNothing(int fd, uint64_t offset, uint64_t length) {
  PageCounts counts;
  return CountPages(fd, offset, length, &counts) && counts.cached == 0;
}

// A flag for each page of [offset, offset + length), whole pages: is it there?
// Empty if the kernel does not say.
std::vector<unsigned char> Residency(int fd, uint64_t offset, uint64_t length,
                                     uint64_t page) {
  std::vector<unsigned char> flags;
  void* const base = mmap(nullptr, length, PROT_READ, MAP_SHARED, fd,
                          static_cast<off_t>(offset));
  if (base == MAP_FAILED) return flags;
  flags.resize(length / page);
  if (mincore(base, length, flags.data()) != 0) flags.clear();
  munmap(base, length);
  return flags;
}

void Forget(int fd, uint64_t offset, uint64_t length) {
  // A page that it begins within goes too, one that it ends within stays: the
  // next write is to share it.
  const uint64_t begin = offset / PageBytes() * PageBytes();
  // Advice; pages that stay only cost memory.
  (void)posix_fadvise(fd, static_cast<off_t>(begin),
                      static_cast<off_t>(offset + length - begin),
                      POSIX_FADV_DONTNEED);
}

}  // namespace

int MostDontCacheWriters(const std::string& release) {
  int major = 0, minor = 0;
  const bool is_known =
      sscanf(release.c_str(), "%d.%d", &major, &minor) == 2 && major >= 0;
  const bool scales = is_known && (major > 7 || (major == 7 && minor >= 2));
  return scales ? std::numeric_limits<int>::max() : 1;
}

DontCacheUse* DontCacheUse::OfThisProcess() {
  struct utsname system = {};
  // Never destroyed: files held by statics may outlive any static of ours.
  static DontCacheUse* const use =
      std::make_unique<DontCacheUse>(
          MostDontCacheWriters(uname(&system) == 0 ? system.release : ""))
          .release();
  return use;
}

void DontCacheUse::AddRefusal(dev_t device) {
  MutexLock lock(&mutex_);
  refusing_.insert(device);
}

bool DontCacheUse::IsRefused(dev_t device) const {
  MutexLock lock(&mutex_);
  return refusing_.count(device) != 0;
}

bool DontCacheUse::TakeTurn() {
  MutexLock lock(&mutex_);
  INVARIANT(writers_ >= 0 && writers_ <= most_writers_);
  if (writers_ == most_writers_) return false;
  ++writers_;
  return true;
}

void DontCacheUse::ReturnTurn() {
  MutexLock lock(&mutex_);
  INVARIANT(writers_ > 0);
  --writers_;
}

DontCacheChoice::DontCacheChoice(int fd, Direction direction, DontCacheUse* use)
    : use_(use), is_taken_(false) {
  INVARIANT(use_ != nullptr);
  struct stat info;
  if (fstat(fd, &info) != 0) return;
  device_ = info.st_dev;
  if (use_->IsRefused(device_)) return;
  if (direction == Direction::kWrite) has_turn_ = use_->TakeTurn();
  is_taken_.store(direction == Direction::kRead || has_turn_);
}

void DontCacheChoice::ReturnTurn() {
  if (!has_turn_) return;
  has_turn_ = false;
  is_taken_.store(false);
  use_->ReturnTurn();
}

bool DontCacheChoice::IsRefusal(int flags, int error) {
  return (flags & kDontCacheFlag) != 0 &&
         (error == EOPNOTSUPP || error == EINVAL || error == ENOSYS);
}

void DontCacheChoice::NoteRefusal() {
  if (is_taken_.exchange(false)) use_->AddRefusal(device_);
}

AbsentPages::AbsentPages(int fd, uint64_t offset, uint64_t length) {
  if (length == 0) return;
  const uint64_t page = PageBytes();
  const uint64_t begin = offset / page * page;
  const uint64_t end = (offset + length + page - 1) / page * page;
  if (HoldsNothing(fd, begin, end - begin)) {
    runs_.push_back({begin, end - begin});
    return;
  }
  const std::vector<unsigned char> flags =
      Residency(fd, begin, end - begin, page);
  for (size_t i = 0; i < flags.size(); ++i) {
    if ((flags[i] & 1) != 0) continue;
    const uint64_t at = begin + i * page;
    if (!runs_.empty() && runs_.back().offset + runs_.back().length == at) {
      runs_.back().length += page;
    } else {
      runs_.push_back({at, page});
    }
  }
}

void AbsentPages::Drop(int fd) const {
  for (const Run& run : runs_) Forget(fd, run.offset, run.length);
}

int ReadUncached(DontCacheChoice* choice, FileRead* read) {
  INVARIANT(choice != nullptr && read != nullptr);
  INVARIANT(read->done == 0);
  read->flags = choice->flags();
  const bool tries_flag = read->flags != 0;
  if (tries_flag) {
    const int error = ReadFully(read);
    if (!DontCacheChoice::IsRefusal(read->flags, error)) return error;
    read->flags = 0;
  }
  const AbsentPages absent(read->fd, read->offset, read->length);
  const int error = ReadFully(read);
  if (error == 0 && tries_flag) choice->NoteRefusal();
  absent.Drop(read->fd);
  return error;
}

int DropBehindWrites::DropOlder(int fd) {
  if (length_ == 0) return 0;
  const int error =
      WriteBack(fd, offset_, length_,
                SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                    SYNC_FILE_RANGE_WAIT_AFTER);
  if (error == 0) Forget(fd, offset_, length_);
  length_ = 0;
  return error;
}

int DropBehindWrites::Note(int fd, uint64_t offset, uint64_t length) {
  const int started = WriteBack(fd, offset, length, SYNC_FILE_RANGE_WRITE);
  const int error = DropOlder(fd);
  offset_ = offset;
  length_ = length;
  return error != 0 ? error : started;
}

int DropBehindWrites::Finish(int fd) { return DropOlder(fd); }

}  // namespace ROCKSDB_NAMESPACE
