// Descriptors and transfers: what read(2) and write(2) leave to their callers.
//
// Calls interrupted by signals are repeated and short transfers continued, so
// that a read is short only at the end of the file and a write never.
//
// Threads    Transfers may run side by side on one descriptor.
// Ownership  A FileDescriptor closes what it holds.
// Errors     errno values; 0 is success.

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"

namespace ROCKSDB_NAMESPACE {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor();

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  // Closes now and answers errno.
  int Close();

 private:
  int fd_ = -1;
};

enum class Caching { kBuffered, kUncached, kDirect };

struct OpenRequest {
  const char* action;
  int flags;
  mode_t mode = 0644;
  Caching caching = Caching::kBuffered;
};

// Tells the system how long the file's data are expected to live.
void TellLifetime(int fd, Env::WriteLifeTimeHint hint);

// Opens `path`, with the lifetime of the options. O_DIRECT is added for
// kDirect; a refusal is InvalidArgument.
IOStatus OpenFile(const std::string& path, const OpenRequest& request,
                  const FileOptions& options, FileDescriptor* result);

// What direct I/O on one file asks for.
struct DirectIoNeeds {
  bool is_supported = true;
  // Offset, length and buffer must be multiples of it; a power of two.
  size_t alignment = kDefaultPageSize;
};

// The needs that statx(2) tells; 4 KiB where the kernel does not say.
DirectIoNeeds DirectIoNeedsOf(int fd);

// The larger of two alignments the kernel reported; kDefaultPageSize if that
// is no power of two.
size_t CombinedAlignment(uint64_t memory_align, uint64_t offset_align);

struct FileRead {
  int fd = -1;
  uint64_t offset = 0;
  size_t length = 0;
  char* out = nullptr;
  // The alignment that a direct file asks for; 1 for others.
  size_t alignment = 1;
  // The flags of preadv2(2).
  int flags = 0;
  // Out: bytes done, fewer than `length` only at the end of the file or on
  // error.
  size_t done = 0;
};

// Reads what is not yet done. A flag that the kernel does not take: EOPNOTSUPP
// or EINVAL, and nothing is done.
int ReadFully(FileRead* read);
int WriteFully(int fd, uint64_t offset, const char* data, size_t n,
               int flags = 0);

// An id that no other existing file on this machine has; length 0 if unknown.
size_t FileIdOf(int fd, char* id, size_t max_size);

IOStatus SizeOf(int fd, const std::string& path, uint64_t* size);

// Drops cached pages of a range; 0 length means to the end.
IOStatus DropCachedPages(int fd, const std::string& path, uint64_t offset,
                         uint64_t length);

// Starts or awaits write-back of a range, by `flags` of sync_file_range(2); 0
// or an errno. Where the kernel or the file has no such call: nothing, and 0.
int WriteBack(int fd, uint64_t offset, uint64_t length, unsigned flags);

}  // namespace ROCKSDB_NAMESPACE
