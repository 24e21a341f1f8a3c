#include "env/posix/posix_write_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "env/posix/page_cache.h"
#include "env/posix/posix_error.h"
#include "env/posix/posix_uring.h"
#include "monitoring/iostats_context_imp.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kMmapWindowBytes = size_t{1} << 20;

size_t WritableAlignment(const FileDescriptor& fd, Caching caching) {
  return caching == Caching::kDirect ? DirectIoNeedsOf(fd.get()).alignment
                                     : kDefaultPageSize;
}

bool MapsAppends(const FileDescriptor& fd, const WritableFileStart& start,
                 const FileOptions& options) {
  return options.use_mapped_appends && options.allow_fallocate &&
         start.caching == Caching::kBuffered && AppendWindow::IsSure(fd.get());
}

IOStatus Cut(int fd, const std::string& path, uint64_t size) {
  int result;
  do {
    result = ftruncate(fd, static_cast<off_t>(size));
  } while (result != 0 && errno == EINTR);
  if (result != 0) {
    return PosixError("While ftruncate file to size " + std::to_string(size),
                      path, errno);
  }
  return IOStatus::OK();
}

// fallocate(2); a file system without it is no error.
IOStatus Reserve(int fd, const std::string& path, int mode, uint64_t offset,
                 uint64_t len) {
  IOSTATS_TIMER_GUARD(allocate_nanos);
  int result;
  do {
    result = fallocate(fd, mode, static_cast<off_t>(offset),
                       static_cast<off_t>(len));
  } while (result != 0 && errno == EINTR);
  if (result == 0) return IOStatus::OK();
  if (errno == EOPNOTSUPP || errno == ENOSYS) {
    return IOStatus::NotSupported("fallocate", path);
  }
  return PosixError("While fallocate " + std::to_string(len) +
                        " bytes at offset " + std::to_string(offset),
                    path, errno);
}

}  // namespace

IOStatus SyncGate::Sync(int fd, const std::string& path, Depth depth) {
  if (has_failed_.load()) {
    return IOStatus::IOError("An earlier sync failed: " + path,
                             "what was written before it may be lost");
  }
  int result;
  do {
    result = depth == Depth::kData ? fdatasync(fd) : fsync(fd);
  } while (result != 0 && errno == EINTR);
  if (result == 0) return IOStatus::OK();
  const int error = errno;
  has_failed_.store(true);
  IOStatus status = PosixError(
      depth == Depth::kData ? "While fdatasync" : "While fsync", path, error);
  status.SetRetryable(false);
  status.SetDataLoss(true);
  return status;
}

PosixWritableFile::PosixWritableFile(const std::string& path,
                                     FileDescriptor&& fd,
                                     const WritableFileStart& start,
                                     const FileOptions& options)
    : FSWritableFile(options),
      path_(path),
      fd_(std::move(fd)),
      caching_(start.caching),
      alignment_(WritableAlignment(fd_, start.caching)),
      keeps_size_when_allocating_(options.fallocate_with_keep_size),
      may_allocate_(options.allow_fallocate),
      size_(start.size),
      window_(MapsAppends(fd_, start, options)
                  ? std::make_unique<AppendWindow>(fd_.get())
                  : nullptr),
      uncached_(
          start.caching == Caching::kUncached
              ? std::make_unique<DontCacheChoice>(
                    fd_.get(), DontCacheChoice::Direction::kWrite, start.use)
              : nullptr),
      start_(start.size) {
  INVARIANT(fd_.is_open());
}

PosixWritableFile::~PosixWritableFile() {
  if (fd_.is_open()) {
    IgnoreError(Close(IOOptions(), nullptr), "a destructor cannot report it");
  }
}

IOStatus PosixWritableFile::WriteAt(const Slice& data, uint64_t offset) {
  const int error = uncached_ != nullptr ? WriteUncached(data, offset)
                                         : WriteFully(fd_.get(), offset,
                                                      data.data(), data.size());
  return error == 0 ? IOStatus::OK() : WriteError(data.size(), offset, error);
}

int PosixWritableFile::WriteUncached(const Slice& data, uint64_t offset) {
  const int flags = uncached_->flags();
  int error = WriteFully(fd_.get(), offset, data.data(), data.size(), flags);
  if (flags != 0 && !DontCacheChoice::IsRefusal(flags, error)) return error;
  if (flags != 0) {
    error = WriteFully(fd_.get(), offset, data.data(), data.size());
    if (error == 0) uncached_->NoteRefusal();
  }
  if (error != 0) return error;
  error = drop_behind_.Note(fd_.get(), offset, data.size());
  if (error != 0) sync_gate_.NoteFailure();
  return error;
}

IOStatus PosixWritableFile::WriteError(size_t length, uint64_t offset,
                                       int error) const {
  if (use_direct_io() && error == EINVAL) {
    return DirectIoRefused("While writing " + std::to_string(length) +
                               " bytes at offset " + std::to_string(offset),
                           path_);
  }
  return PosixError("While appending to file", path_, error);
}

namespace {

struct WriteInFlight {
  std::shared_ptr<PosixUring> ring;
  UringTransfer transfer;
};

}  // namespace

bool PosixWritableFile::Start(Write* write) {
  INVARIANT(write != nullptr && write->state == nullptr);
  // Uncached writes end in memory, and then have to be followed up.
  if (uncached_ != nullptr) return false;
  std::shared_ptr<PosixUring> ring = PosixUring::OfThisThread();
  if (ring == nullptr) return false;
  auto flight = std::make_unique<WriteInFlight>();
  flight->ring = std::move(ring);
  flight->transfer.is_write = true;
  FileRead& io = flight->transfer.io;
  io.fd = fd_.get();
  io.offset = write->offset;
  io.length = write->data.size();
  io.out = const_cast<char*>(write->data.data());
  io.alignment = use_direct_io() ? alignment_ : 1;
  flight->ring->Start(&flight->transfer);
  write->state = flight.release();
  return true;
}

bool PosixWritableFile::Finish(Write* write, Patience patience) {
  auto* flight = static_cast<WriteInFlight*>(write->state);
  INVARIANT(flight != nullptr);
  if (patience == Patience::kWait) {
    flight->ring->WaitFor(&flight->transfer);
  } else if (!flight->ring->IsFinished(&flight->transfer)) {
    return false;
  }
  const std::unique_ptr<WriteInFlight> done(flight);
  write->state = nullptr;
  write->is_finished = true;
  const uint64_t end = write->offset + write->data.size();
  if (done->transfer.error != 0) {
    write->status =
        WriteError(write->data.size(), write->offset, done->transfer.error);
  } else {
    size_ = std::max(size_, end);
  }
  return true;
}

IOStatus PosixWritableFile::Append(const Slice& data,
                                   const IOOptions& /*options*/,
                                   IODebugContext* /*dbg*/) {
  if (window_ != nullptr && window_->Append(data, size_)) {
    size_ += data.size();
    return IOStatus::OK();
  }
  IOStatus status = WriteAt(data, size_);
  if (status.ok()) size_ += data.size();
  return status;
}

IOStatus PosixWritableFile::PositionedAppend(const Slice& data, uint64_t offset,
                                             const IOOptions& /*options*/,
                                             IODebugContext* /*dbg*/) {
  if (use_direct_io() &&
      (offset % alignment_ != 0 || data.size() % alignment_ != 0)) {
    return IOStatus::InvalidArgument(
        "Direct write of " + std::to_string(data.size()) + " bytes at offset " +
            std::to_string(offset) + " is not aligned to " +
            std::to_string(alignment_),
        path_);
  }
  IOStatus status = WriteAt(data, offset);
  if (status.ok()) size_ = offset + data.size();
  return status;
}

IOStatus PosixWritableFile::Truncate(uint64_t size,
                                     const IOOptions& /*options*/,
                                     IODebugContext* /*dbg*/) {
  if (window_ != nullptr) window_->Unmap();
  IOStatus status = Cut(fd_.get(), path_, size);
  if (status.ok()) size_ = size;
  return status;
}

IOStatus PosixWritableFile::Close(const IOOptions& /*options*/,
                                  IODebugContext* /*dbg*/) {
  if (!fd_.is_open()) return IOStatus::OK();
  if (window_ != nullptr) window_->Unmap();
  IOStatus status;
  if (const int lost = drop_behind_.Finish(fd_.get()); lost != 0) {
    status = PosixError("While writing back", path_, lost);
  }
  // Reserved space behind the last byte goes back to the file system. Of a
  // window there may be some though it could not be had in the end.
  if (has_allocated_ || window_ != nullptr) {
    IOStatus cut = Cut(fd_.get(), path_, size_);
    if (status.ok()) status = cut;
  }
  const int error = fd_.Close();
  if (uncached_ != nullptr) uncached_->ReturnTurn();
  if (status.ok() && error != 0)
    status = PosixError("While closing file after writing", path_, error);
  return status;
}

IOStatus PosixWritableFile::Flush(const IOOptions& /*options*/,
                                  IODebugContext* /*dbg*/) {
  return IOStatus::OK();  // Nothing is kept back in this process.
}

IOStatus PosixWritableFile::Sync(const IOOptions& /*options*/,
                                 IODebugContext* /*dbg*/) {
  return SyncAll(SyncGate::Depth::kData);
}

IOStatus PosixWritableFile::Fsync(const IOOptions& /*options*/,
                                  IODebugContext* /*dbg*/) {
  return SyncAll(SyncGate::Depth::kAll);
}

IOStatus PosixWritableFile::SyncAll(SyncGate::Depth depth) {
  IOStatus status = sync_gate_.Sync(fd_.get(), path_, depth);
  if (window_ != nullptr) window_->NoteSynced();
  // To the end, wherever appends beside this have brought it.
  if (status.ok() && uncached_ != nullptr) {
    IgnoreError(DropCachedPages(fd_.get(), path_, start_, 0),
                "pages that stay only cost memory");
  }
  return status;
}

void PosixWritableFile::SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) {
  if (hint == write_hint_) return;
  write_hint_ = hint;
  TellLifetime(fd_.get(), hint);
}

IOStatus PosixWritableFile::InvalidateCache(size_t offset, size_t length) {
  if (use_direct_io()) return IOStatus::OK();
  return DropCachedPages(fd_.get(), path_, offset, length);
}

IOStatus PosixWritableFile::RangeSync(uint64_t offset, uint64_t nbytes,
                                      const IOOptions& options,
                                      IODebugContext* dbg) {
  unsigned flags = SYNC_FILE_RANGE_WRITE;
  uint64_t from = offset;
  uint64_t length = nbytes;
  if (strict_bytes_per_sync_) {
    // Waiting for all earlier ranges bounds what is outstanding.
    flags |= SYNC_FILE_RANGE_WAIT_BEFORE;
    from = 0;
    length = offset + nbytes;
  }
  if (sync_file_range(fd_.get(), static_cast<off_t>(from),
                      static_cast<off_t>(length), flags) == 0) {
    return IOStatus::OK();
  }
  if (errno == ENOSYS)
    return FSWritableFile::RangeSync(offset, nbytes, options, dbg);
  return PosixError("While sync_file_range", path_, errno);
}

IOStatus PosixWritableFile::SyncRange(uint64_t offset, uint64_t n,
                                      unsigned flags) {
  const int error = WriteBack(fd_.get(), offset, n, flags);
  if (error == 0) return IOStatus::OK();
  sync_gate_.NoteFailure();
  return PosixError("While writing back", path_, error);
}

IOStatus PosixWritableFile::StartWriteBack(uint64_t offset, uint64_t n) {
  return SyncRange(offset, n, SYNC_FILE_RANGE_WRITE);
}

bool PosixWritableFile::TellsWriteBack() const {
  static const bool tells = [this] {
    PageCounts pages;
    return CountPages(fd_.get(), 0, 0, &pages);
  }();
  return tells;
}

bool PosixWritableFile::IsWrittenBack(uint64_t offset, uint64_t n) {
  PageCounts pages;
  return CountPages(fd_.get(), offset, n, &pages) && pages.in_writeback == 0;
}

IOStatus PosixWritableFile::FinishWriteBack(uint64_t offset, uint64_t n) {
  return SyncRange(offset, n, SYNC_FILE_RANGE_WAIT_AFTER);
}

IOStatus PosixWritableFile::Allocate(uint64_t offset, uint64_t len,
                                     const IOOptions& /*options*/,
                                     IODebugContext* /*dbg*/) {
  if (!may_allocate_) return IOStatus::OK();
  IOStatus status = Reserve(
      fd_.get(), path_, keeps_size_when_allocating_ ? FALLOC_FL_KEEP_SIZE : 0,
      offset, len);
  if (status.IsNotSupported()) {
    may_allocate_ = false;
    return IOStatus::OK();
  }
  if (status.ok()) has_allocated_ = true;
  return status;
}

PosixMmapWritableFile::PosixMmapWritableFile(const std::string& path,
                                             FileDescriptor&& fd,
                                             const FileOptions& options)
    : FSWritableFile(options),
      path_(path),
      fd_(std::move(fd)),
      may_allocate_(options.allow_fallocate),
      window_bytes_(std::max(kMmapWindowBytes,
                             static_cast<size_t>(sysconf(_SC_PAGESIZE)))) {}

PosixMmapWritableFile::~PosixMmapWritableFile() {
  if (fd_.is_open()) {
    IgnoreError(Close(IOOptions(), nullptr), "a destructor cannot report it");
  }
}

IOStatus PosixMmapWritableFile::MapNextWindow() {
  const uint64_t offset = size_ / window_bytes_ * window_bytes_;
  IOStatus status;
  // Space must be there before it is touched: a store that the device cannot
  // take would be a signal, not an error.
  status = may_allocate_ ? Reserve(fd_.get(), path_, 0, offset, window_bytes_)
                         : IOStatus::NotSupported("not allowed");
  if (status.IsNotSupported()) {
    status = Cut(fd_.get(), path_, offset + window_bytes_);
  }
  if (!status.ok()) return status;
  void* base = mmap(nullptr, window_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED,
                    fd_.get(), static_cast<off_t>(offset));
  if (base == MAP_FAILED) return PosixError("While mmap", path_, errno);
  window_ = static_cast<char*>(base);
  window_offset_ = offset;
  return status;
}

IOStatus PosixMmapWritableFile::Unmap() {
  if (window_ == nullptr) return IOStatus::OK();
  char* window = std::exchange(window_, nullptr);
  if (munmap(window, window_bytes_) != 0) {
    return PosixError("While munmap", path_, errno);
  }
  return IOStatus::OK();
}

IOStatus PosixMmapWritableFile::Append(const Slice& data,
                                       const IOOptions& /*options*/,
                                       IODebugContext* /*dbg*/) {
  Slice rest = data;
  while (!rest.empty()) {
    if (window_ != nullptr && size_ == window_offset_ + window_bytes_) {
      if (IOStatus s = Unmap(); !s.ok()) return s;
    }
    if (window_ == nullptr) {
      if (IOStatus s = MapNextWindow(); !s.ok()) return s;
    }
    const size_t at = static_cast<size_t>(size_ - window_offset_);
    const size_t n = std::min(rest.size(), window_bytes_ - at);
    memcpy(window_ + at, rest.data(), n);
    size_ += n;
    rest.remove_prefix(n);
  }
  return IOStatus::OK();
}

IOStatus PosixMmapWritableFile::Close(const IOOptions& /*options*/,
                                      IODebugContext* /*dbg*/) {
  if (!fd_.is_open()) return IOStatus::OK();
  IOStatus status = Unmap();
  IOStatus cut = Cut(fd_.get(), path_, size_);
  if (status.ok()) status = cut;
  const int error = fd_.Close();
  if (status.ok() && error != 0)
    status = PosixError("While closing file after writing", path_, error);
  return status;
}

IOStatus PosixMmapWritableFile::Flush(const IOOptions& /*options*/,
                                      IODebugContext* /*dbg*/) {
  return IOStatus::OK();  // A shared mapping is the operating system's.
}

IOStatus PosixMmapWritableFile::SyncMapping(SyncGate::Depth depth) {
  // Stores through a shared mapping dirty the pages that fsync writes. Close()
  // or recovery cuts the file; a reader may see zeros behind the last byte.
  return sync_gate_.Sync(fd_.get(), path_, depth);
}

IOStatus PosixMmapWritableFile::Sync(const IOOptions& /*options*/,
                                     IODebugContext* /*dbg*/) {
  return SyncMapping(SyncGate::Depth::kData);
}

IOStatus PosixMmapWritableFile::Fsync(const IOOptions& /*options*/,
                                      IODebugContext* /*dbg*/) {
  return SyncMapping(SyncGate::Depth::kAll);
}

IOStatus PosixMmapWritableFile::InvalidateCache(size_t offset, size_t length) {
  return DropCachedPages(fd_.get(), path_, offset, length);
}

IOStatus PosixMmapWritableFile::Allocate(uint64_t /*offset*/, uint64_t /*len*/,
                                         const IOOptions& /*options*/,
                                         IODebugContext* /*dbg*/) {
  return IOStatus::OK();  // Each window is reserved when it is mapped.
}

IOStatus PosixRandomRWFile::Write(uint64_t offset, const Slice& data,
                                  const IOOptions& /*options*/,
                                  IODebugContext* /*dbg*/) {
  const int error = WriteFully(fd_.get(), offset, data.data(), data.size());
  if (error != 0) {
    return PosixError("While write random read/write file at offset " +
                          std::to_string(offset),
                      path_, error);
  }
  return IOStatus::OK();
}

IOStatus PosixRandomRWFile::Read(uint64_t offset, size_t n,
                                 const IOOptions& /*options*/, Slice* result,
                                 char* scratch, IODebugContext* /*dbg*/) const {
  FileRead read{.fd = fd_.get(), .offset = offset, .length = n, .out = scratch};
  const int error = ReadFully(&read);
  if (error != 0) {
    return PosixError("While reading random read/write file at offset " +
                          std::to_string(offset),
                      path_, error);
  }
  *result = Slice(scratch, read.done);
  return IOStatus::OK();
}

IOStatus PosixRandomRWFile::Flush(const IOOptions& /*options*/,
                                  IODebugContext* /*dbg*/) {
  return IOStatus::OK();
}

IOStatus PosixRandomRWFile::Sync(const IOOptions& /*options*/,
                                 IODebugContext* /*dbg*/) {
  return sync_gate_.Sync(fd_.get(), path_, SyncGate::Depth::kData);
}

IOStatus PosixRandomRWFile::Fsync(const IOOptions& /*options*/,
                                  IODebugContext* /*dbg*/) {
  return sync_gate_.Sync(fd_.get(), path_, SyncGate::Depth::kAll);
}

IOStatus PosixRandomRWFile::Close(const IOOptions& /*options*/,
                                  IODebugContext* /*dbg*/) {
  const int error = fd_.Close();
  return error == 0
             ? IOStatus::OK()
             : PosixError("While closing file after writing", path_, error);
}

PosixMemoryMappedFileBuffer::~PosixMemoryMappedFileBuffer() {
  if (length_ > 0) munmap(base_, length_);
}

IOStatus PosixDirectory::Fsync(const IOOptions& /*options*/,
                               IODebugContext* /*dbg*/) {
  int result;
  do {
    result = fsync(fd_.get());
  } while (result != 0 && errno == EINTR);
  if (result == 0) return IOStatus::OK();
  return PosixError("While fsync: a directory", path_, errno);
}

IOStatus PosixDirectory::Close(const IOOptions& /*options*/,
                               IODebugContext* /*dbg*/) {
  const int error = fd_.Close();
  if (error == 0) return IOStatus::OK();
  return PosixError("While closing directory ", path_, error);
}

}  // namespace ROCKSDB_NAMESPACE
