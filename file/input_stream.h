// The data of one file for a bulk read: compaction, verification, copying.
//
// A bulk reader says which bytes it will want (SetRange) and takes them block
// by block, in ascending order as a rule. The stream fetches them in aligned
// chunks, through a file handle of its own that may be direct or buffered, and
// keeps nothing in any cache. It starts with one chunk, so that a short job
// does not over-read, and doubles up to the read-ahead budget while blocks
// follow each other; no request is larger than `max_request_bytes`, so that a
// user's read never waits behind more than that.
//
// Reading is synchronous here. This class is the seam for back ends that
// overlap it with the merge: its callers see SetRange() and Read() only.
//
// Threads    One at a time.
// Ownership  Owns the file. A result is valid until the next call.
// Errors     Name file, offset and length. A file that ends before the asked
//            block does is Corruption; a direct read that the file system
//            refuses is InvalidArgument or its own error, naming the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "file/aligned_buffer.h"
#include "file/buffer_pool.h"
#include "file/file_io_context.h"
#include "rocksdb/file_system.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct InputStreamOptions : FileIoContext {
  // Most bytes to fetch ahead. 0: one chunk at a time; never a block.
  size_t readahead_bytes = 2 << 20;
  // Most bytes in one request to the file system.
  size_t max_request_bytes = BufferPool::kChunkBytes;
  // Size of the file, if known; 0: the file is asked.
  uint64_t file_size = 0;
  // At the rate limiter; IO_TOTAL: not limited.
  Env::IOPriority rate_limiter_priority = Env::IO_LOW;
  // Null: the pool of the process.
  BufferPool* pool = nullptr;
};

class InputStream {
 public:
  InputStream(std::unique_ptr<FSRandomAccessFile> file, std::string file_name,
              InputStreamOptions options);
  ~InputStream();
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;

  // No byte outside [begin, end) is wanted. Requests stop there, but for the
  // rounding that direct I/O needs.
  Status SetRange(uint64_t begin, uint64_t end);

  // The `n` bytes at `offset`, which lie in the range. Any order is right,
  // ascending is fast.
  Status Read(uint64_t offset, size_t n, Slice* result);

  const std::string& file_name() const { return file_name_; }
  bool use_direct_io() const { return is_direct_; }
  // Asked of the file system so far.
  uint64_t bytes_read() const { return bytes_read_; }
  uint64_t read_count() const { return read_count_; }

 private:
  bool Holds(uint64_t offset, size_t n) const {
    return offset >= buffer_offset_ &&
           offset - buffer_offset_ <= buffer_size_ &&
           n <= buffer_size_ - (offset - buffer_offset_);
  }
  bool IsInRange(uint64_t offset, size_t n) const {
    return offset >= range_begin_ && offset <= range_end_ &&
           n <= range_end_ - offset;
  }
  Status OutOfRange(uint64_t offset, size_t n) const;
  // Reads the block at `offset` and what the window has room for behind it.
  Status Fetch(uint64_t offset, size_t n);
  // Doubles the window while blocks follow each other; else starts anew.
  void AdaptWindow(uint64_t offset);
  // Makes `begin` the first byte of the buffer, keeping what it has from
  // there on.
  void Restart(uint64_t begin);
  // Room for `wanted` bytes if the pool allows, for `needed` in any case.
  void ReserveBuffer(size_t wanted, size_t needed);
  void MoveTo(char* buffer, size_t capacity);
  // Reads until the buffer holds `target` bytes or the file ends.
  Status Fill(size_t target);
  // One request; tried again where the file system asks for that.
  IOStatus ReadChunk(uint64_t offset, size_t n, char* destination,
                     size_t* bytes);
  void CountBytes(size_t bytes);

  const std::unique_ptr<FSRandomAccessFile> file_;
  const std::string file_name_;
  const InputStreamOptions options_;
  const bool is_direct_;
  // Of requests; 1 for a buffered file.
  const size_t alignment_;
  BufferPool* const pool_;
  const uint64_t file_size_;  // UINT64_MAX: not known

  uint64_t range_begin_ = 0;
  uint64_t range_end_;
  const size_t max_window_bytes_;
  const size_t max_request_bytes_;
  // Bytes of the next fetch.
  size_t window_bytes_;
  // Where the block after the last one would be.
  uint64_t expected_offset_ = UINT64_MAX;

  BufferLease lease_;
  // For a block that is larger than a slab.
  AlignedBuffer dedicated_;
  char* buffer_ = nullptr;
  size_t buffer_capacity_ = 0;
  // The file's bytes from buffer_offset_ on. The offset is aligned.
  uint64_t buffer_offset_ = 0;
  size_t buffer_size_ = 0;

  uint64_t bytes_read_ = 0;
  uint64_t read_count_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
