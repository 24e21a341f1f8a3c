#include "env/posix/posix_read_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include <algorithm>

#include "env/posix/page_cache.h"
#include "env/posix/posix_error.h"
#include "env/posix/posix_uring.h"

namespace ROCKSDB_NAMESPACE {

namespace {

size_t AlignmentOf(const FileDescriptor& fd, Caching caching) {
  return caching == Caching::kDirect ? DirectIoNeedsOf(fd.get()).alignment
                                     : kDefaultPageSize;
}

IOStatus ReadError(const std::string& path, uint64_t offset, size_t n,
                   Caching caching, int error) {
  const std::string action = "While pread offset " + std::to_string(offset) +
                             " len " + std::to_string(n);
  if (caching == Caching::kDirect && error == EINVAL) {
    return DirectIoRefused(action, path);
  }
  return PosixError(action, path, error);
}

int AdviceOf(FSRandomAccessFile::AccessPattern pattern) {
  switch (pattern) {
    case FSRandomAccessFile::kRandom:
      return POSIX_FADV_RANDOM;
    case FSRandomAccessFile::kSequential:
      return POSIX_FADV_SEQUENTIAL;
    case FSRandomAccessFile::kWillNeed:
      return POSIX_FADV_WILLNEED;
    case FSRandomAccessFile::kWontNeed:
      return POSIX_FADV_DONTNEED;
    case FSRandomAccessFile::kNormal:
      break;
  }
  return POSIX_FADV_NORMAL;
}

}  // namespace

PosixSequentialFile::PosixSequentialFile(const std::string& path,
                                         FileDescriptor&& fd, Caching caching)
    : path_(path),
      fd_(std::move(fd)),
      caching_(caching),
      alignment_(AlignmentOf(fd_, caching)) {}

IOStatus PosixSequentialFile::Read(size_t n, const IOOptions& options,
                                   Slice* result, char* scratch,
                                   IODebugContext* dbg) {
  IOStatus status = PositionedRead(position_, n, options, result, scratch, dbg);
  if (status.ok()) position_ += result->size();
  return status;
}

IOStatus PosixSequentialFile::Skip(uint64_t n) {
  uint64_t size = 0;
  if (IOStatus s = SizeOf(fd_.get(), path_, &size); !s.ok()) return s;
  if (position_ < size) position_ += std::min(n, size - position_);
  return IOStatus::OK();
}

FileRead PosixSequentialFile::ReadOf(uint64_t offset, size_t n,
                                     char* out) const {
  return {.fd = fd_.get(),
          .offset = offset,
          .length = n,
          .out = out,
          .alignment = use_direct_io() ? alignment_ : 1};
}

IOStatus PosixSequentialFile::PositionedRead(uint64_t offset, size_t n,
                                             const IOOptions& /*options*/,
                                             Slice* result, char* scratch,
                                             IODebugContext* /*dbg*/) {
  FileRead read = ReadOf(offset, n, scratch);
  const int error = ReadFully(&read);
  if (error != 0) return ReadError(path_, offset, n, caching_, error);
  *result = Slice(scratch, read.done);
  return IOStatus::OK();
}

IOStatus PosixSequentialFile::InvalidateCache(size_t offset, size_t length) {
  if (use_direct_io()) return IOStatus::OK();
  return DropCachedPages(fd_.get(), path_, offset, length);
}

PosixRandomAccessFile::PosixRandomAccessFile(const std::string& path,
                                             FileDescriptor&& fd,
                                             Caching caching, DontCacheUse* use)
    : path_(path),
      fd_(std::move(fd)),
      caching_(caching),
      alignment_(AlignmentOf(fd_, caching)),
      uncached_(caching == Caching::kUncached
                    ? std::make_unique<DontCacheChoice>(
                          fd_.get(), DontCacheChoice::Direction::kRead, use)
                    : nullptr) {
  // What the kernel reads ahead it would leave behind.
  if (uncached_ != nullptr) Hint(kRandom);
}

FileRead PosixRandomAccessFile::ReadOf(uint64_t offset, size_t n,
                                       char* out) const {
  return {.fd = fd_.get(),
          .offset = offset,
          .length = n,
          .out = out,
          .alignment = use_direct_io() ? alignment_ : 1,
          .flags = uncached_ != nullptr ? uncached_->flags() : 0};
}

int PosixRandomAccessFile::ReadNow(FileRead* read) const {
  return uncached_ != nullptr ? ReadUncached(uncached_.get(), read)
                              : ReadFully(read);
}

AbsentPages PosixRandomAccessFile::BeforeRead(const FileRead& read) const {
  if (uncached_ == nullptr || read.flags != 0) return AbsentPages();
  return AbsentPages(read.fd, read.offset, read.length);
}

int PosixRandomAccessFile::AfterRead(const AbsentPages& absent, int error,
                                     FileRead* read) const {
  if (DontCacheChoice::IsRefusal(read->flags, error)) {
    read->done = 0;
    return ReadUncached(uncached_.get(), read);
  }
  absent.Drop(fd_.get());
  return error;
}

IOStatus PosixRandomAccessFile::Read(uint64_t offset, size_t n,
                                     const IOOptions& /*options*/,
                                     Slice* result, char* scratch,
                                     IODebugContext* /*dbg*/) const {
  FileRead read = ReadOf(offset, n, scratch);
  const int error = ReadNow(&read);
  if (error != 0) {
    *result = Slice();
    return ReadError(path_, offset, n, caching_, error);
  }
  *result = Slice(scratch, read.done);
  return IOStatus::OK();
}

IOStatus PosixRandomAccessFile::Prefetch(uint64_t offset, size_t n,
                                         const IOOptions& /*options*/,
                                         IODebugContext* /*dbg*/) {
  if (use_direct_io() || uncached_ != nullptr) {
    return IOStatus::NotSupported("Prefetch of a direct or uncached file",
                                  path_);
  }
  if (readahead(fd_.get(), static_cast<off_t>(offset), n) != 0) {
    if (errno == EINVAL) return IOStatus::NotSupported("Prefetch", path_);
    return PosixError("While reading ahead", path_, errno);
  }
  return IOStatus::OK();
}

IOStatus PosixRandomAccessFile::MultiRead(FSReadRequest* reqs, size_t num_reqs,
                                          const IOOptions& options,
                                          IODebugContext* dbg) {
  const std::shared_ptr<PosixUring> ring =
      num_reqs > 1 ? PosixUring::OfThisThread() : nullptr;
  if (ring == nullptr) {
    return FSRandomAccessFile::MultiRead(reqs, num_reqs, options, dbg);
  }
  std::vector<UringTransfer> reads(num_reqs);
  std::vector<AbsentPages> absent(num_reqs);
  for (size_t i = 0; i < num_reqs; ++i) {
    reads[i].io = ReadOf(reqs[i].offset, reqs[i].len, reqs[i].scratch);
    absent[i] = BeforeRead(reads[i].io);
  }
  ring->ReadAll(reads.data(), num_reqs);
  for (size_t i = 0; i < num_reqs; ++i) {
    reads[i].error = AfterRead(absent[i], reads[i].error, &reads[i].io);
    reqs[i].result = Slice(reqs[i].scratch, reads[i].io.done);
    reqs[i].status = IOStatus::OK();
    if (reads[i].error == 0) continue;
    reqs[i].result = Slice();
    reqs[i].status =
        ReadError(path_, reqs[i].offset, reqs[i].len, caching_, reads[i].error);
  }
  return IOStatus::OK();
}

IOStatus PosixRandomAccessFile::ReadAsync(
    FSReadRequest& req, const IOOptions& options,
    std::function<void(FSReadRequest&, void*)> cb, void* cb_arg,
    void** io_handle, IOHandleDeleter* del_fn, IODebugContext* dbg) {
  std::shared_ptr<PosixUring> ring = PosixUring::OfThisThread();
  if (ring == nullptr) {
    return FSRandomAccessFile::ReadAsync(req, options, std::move(cb), cb_arg,
                                         io_handle, del_fn, dbg);
  }
  auto handle = std::make_unique<UringHandle>();
  handle->ring = std::move(ring);
  handle->read.io = ReadOf(req.offset, req.len, req.scratch);
  handle->deliver = [this, cb = std::move(cb), cb_arg,
                     absent = BeforeRead(handle->read.io),
                     scratch = req.scratch](UringTransfer& read) {
    read.error = AfterRead(absent, read.error, &read.io);
    FSReadRequest answer;
    answer.offset = read.io.offset;
    answer.len = read.io.length;
    answer.scratch = scratch;
    if (read.error == ECANCELED) {
      answer.status = IOStatus::Aborted("read of", path_);
    } else if (read.error != 0) {
      answer.status = ReadError(path_, read.io.offset, read.io.length, caching_,
                                read.error);
    } else {
      answer.result = Slice(scratch, read.io.done);
    }
    cb(answer, cb_arg);
  };
  handle->ring->Start(&handle->read);
  *del_fn = [](void* raw) {
    // The destructor waits for a read that is still in flight.
    std::unique_ptr<UringHandle>(static_cast<UringHandle*>(raw)).reset();
  };
  *io_handle = handle.release();
  return IOStatus::OK();
}

bool PosixRandomAccessFile::ReadResident(uint64_t offset, size_t n,
                                         char* out) const {
  if (caching_ == Caching::kDirect) return false;
  // RWF_NOWAIT alone would start read-ahead of what is missing.
  if (!IsResident(fd_.get(), offset, n)) return false;
  iovec piece{out, n};
  const ssize_t done =
      preadv2(fd_.get(), &piece, 1, static_cast<off_t>(offset), RWF_NOWAIT);
  return done >= 0 && static_cast<size_t>(done) == n;
}

PageSet PosixRandomAccessFile::FindResident() const {
  std::vector<bool> has;
  if (caching_ == Caching::kDirect || !FindResidentPages(fd_.get(), &has)) {
    return PageSet();
  }
  return PageSet(PageBytes(), std::move(has));
}

void PosixRandomAccessFile::Hint(AccessPattern pattern) {
  if (use_direct_io()) return;
  // Advice; a file system that takes none is no worse off.
  (void)posix_fadvise(fd_.get(), 0, 0, AdviceOf(pattern));
}

IOStatus PosixRandomAccessFile::InvalidateCache(size_t offset, size_t length) {
  if (use_direct_io()) return IOStatus::OK();
  return DropCachedPages(fd_.get(), path_, offset, length);
}

IOStatus PosixMmapReadableFile::Open(
    const std::string& path, FileDescriptor&& fd,
    std::unique_ptr<FSRandomAccessFile>* result) {
  uint64_t size = 0;
  if (IOStatus s = SizeOf(fd.get(), path, &size); !s.ok()) return s;
  void* base = nullptr;
  // An empty file cannot be mapped, and need not be.
  if (size > 0) {
    base = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
    if (base == MAP_FAILED)
      return PosixError("while mmap file for read", path, errno);
  }
  *result =
      std::make_unique<PosixMmapReadableFile>(path, std::move(fd), base, size);
  return IOStatus::OK();
}

PosixMmapReadableFile::PosixMmapReadableFile(const std::string& path,
                                             FileDescriptor&& fd, void* base,
                                             size_t length)
    : path_(path),
      fd_(std::move(fd)),
      base_(static_cast<char*>(base)),
      length_(length) {}

PosixMmapReadableFile::~PosixMmapReadableFile() {
  if (length_ > 0) munmap(base_, length_);
}

IOStatus PosixMmapReadableFile::Read(uint64_t offset, size_t n,
                                     const IOOptions& /*options*/,
                                     Slice* result, char* /*scratch*/,
                                     IODebugContext* /*dbg*/) const {
  if (offset > length_) {
    *result = Slice();
    return PosixError("While reading at offset " + std::to_string(offset) +
                          ", file of " + std::to_string(length_) + " bytes",
                      path_, EINVAL);
  }
  *result = Slice(base_ + offset, std::min<uint64_t>(n, length_ - offset));
  return IOStatus::OK();
}

void PosixMmapReadableFile::Hint(AccessPattern pattern) {
  if (length_ == 0) return;
  int advice = MADV_NORMAL;
  if (pattern == kRandom) advice = MADV_RANDOM;
  if (pattern == kSequential) advice = MADV_SEQUENTIAL;
  if (pattern == kWillNeed) advice = MADV_WILLNEED;
  if (pattern == kWontNeed) advice = MADV_DONTNEED;
  (void)madvise(base_, length_, advice);  // Advice only.
}

IOStatus PosixMmapReadableFile::InvalidateCache(size_t offset, size_t length) {
  return DropCachedPages(fd_.get(), path_, offset, length);
}

}  // namespace ROCKSDB_NAMESPACE
