#include "env/posix/posix_io.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <bit>

#include "env/posix/posix_error.h"
#include "monitoring/iostats_context_imp.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Linux moves at most about 2 GiB in one call; stay well below.
constexpr size_t kMaxTransferBytes = size_t{1} << 30;

}  // namespace

FileDescriptor::~FileDescriptor() { Close(); }

int FileDescriptor::Close() {
  if (fd_ < 0) return 0;
  // Linux frees the descriptor even where close() reports EINTR.
  const int result = close(std::exchange(fd_, -1));
  return result != 0 && errno != EINTR ? errno : 0;
}

void TellLifetime(int fd, Env::WriteLifeTimeHint hint) {
#ifdef F_SET_RW_HINT
  uint64_t value = static_cast<uint64_t>(hint);
  (void)fcntl(fd, F_SET_RW_HINT, &value);  // A hint, as the name says.
#else
  (void)fd;
  (void)hint;
#endif
}

IOStatus OpenFile(const std::string& path, const OpenRequest& request,
                  const FileOptions& options, FileDescriptor* result) {
  IOSTATS_TIMER_GUARD(open_nanos);
  const bool is_direct = request.caching == Caching::kDirect;
  int flags = request.flags;
  if (options.set_fd_cloexec) flags |= O_CLOEXEC;
  if (is_direct) flags |= O_DIRECT;
  int fd;
  do {
    fd = open(path.c_str(), flags, request.mode);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) {
    if (is_direct && errno == EINVAL) {
      return DirectIoRefused(request.action, path);
    }
    return PosixError(request.action, path, errno);
  }
  FileDescriptor opened(fd);
  if (is_direct && !DirectIoNeedsOf(fd).is_supported) {
    return DirectIoRefused(request.action, path);
  }
  if (options.write_hint != Env::WLTH_NOT_SET) {
    TellLifetime(fd, options.write_hint);
  }
  *result = std::move(opened);
  return IOStatus::OK();
}

size_t CombinedAlignment(uint64_t memory_align, uint64_t offset_align) {
  const uint64_t larger = std::max(memory_align, offset_align);
  return std::has_single_bit(larger) ? static_cast<size_t>(larger)
                                     : kDefaultPageSize;
}

DirectIoNeeds DirectIoNeedsOf(int fd) {
  DirectIoNeeds needs;
#ifdef STATX_DIOALIGN
  struct statx info = {};
  if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &info) == 0 &&
      (info.stx_mask & STATX_DIOALIGN) != 0) {
    if (info.stx_dio_offset_align == 0) {
      needs.is_supported = false;
    } else {
      needs.alignment =
          CombinedAlignment(info.stx_dio_mem_align, info.stx_dio_offset_align);
    }
  }
#else
  (void)fd;
#endif
  return needs;
}

int ReadFully(FileRead* read) {
  while (read->done < read->length) {
    const iovec part{read->out + read->done,
                     std::min(read->length - read->done, kMaxTransferBytes)};
    const auto at = static_cast<off_t>(read->offset + read->done);
    const ssize_t got = read->flags == 0
                            ? pread(read->fd, part.iov_base, part.iov_len, at)
                            : preadv2(read->fd, &part, 1, at, read->flags);
    if (got < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    if (got == 0) break;
    read->done += static_cast<size_t>(got);
    // A direct read can go on only from an aligned offset, and is cut
    // elsewhere only by the end of the file.
    if (read->done % read->alignment != 0) break;
  }
  return 0;
}

int WriteFully(int fd, uint64_t offset, const char* data, size_t n, int flags) {
  size_t done = 0;
  while (done < n) {
    const iovec part{const_cast<char*>(data) + done,
                     std::min(n - done, kMaxTransferBytes)};
    const auto at = static_cast<off_t>(offset + done);
    const ssize_t put = flags == 0 ? pwrite(fd, part.iov_base, part.iov_len, at)
                                   : pwritev2(fd, &part, 1, at, flags);
    if (put < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    // No progress without an error: the device takes no more.
    if (put == 0) return ENOSPC;
    done += static_cast<size_t>(put);
  }
  return 0;
}

size_t FileIdOf(int fd, char* id, size_t max_size) {
  struct stat info;
  int generation = 0;
  if (max_size < 3 * kMaxVarint64Length || fstat(fd, &info) != 0) return 0;
  // Without a generation a new file could inherit the id of a removed one.
  if (ioctl(fd, FS_IOC_GETVERSION, &generation) != 0) return 0;
  char* end = EncodeVarint64(id, static_cast<uint64_t>(info.st_dev));
  end = EncodeVarint64(end, static_cast<uint64_t>(info.st_ino));
  end = EncodeVarint64(end, static_cast<uint32_t>(generation));
  return static_cast<size_t>(end - id);
}

IOStatus SizeOf(int fd, const std::string& path, uint64_t* size) {
  struct stat info;
  if (fstat(fd, &info) != 0) {
    return PosixError("while stat a file for size", path, errno);
  }
  *size = static_cast<uint64_t>(info.st_size);
  return IOStatus::OK();
}

IOStatus DropCachedPages(int fd, const std::string& path, uint64_t offset,
                         uint64_t length) {
  const int error =
      posix_fadvise(fd, static_cast<off_t>(offset), static_cast<off_t>(length),
                    POSIX_FADV_DONTNEED);
  if (error != 0) return PosixError("While dropping cached pages", path, error);
  return IOStatus::OK();
}

int WriteBack(int fd, uint64_t offset, uint64_t length, unsigned flags) {
  int result;
  do {
    result = sync_file_range(fd, static_cast<off_t>(offset),
                             static_cast<off_t>(length), flags);
  } while (result != 0 && errno == EINTR);
  if (result == 0 || errno == ENOSYS || errno == ESPIPE ||
      errno == EOPNOTSUPP) {
    return 0;
  }
  return errno;
}

}  // namespace ROCKSDB_NAMESPACE
