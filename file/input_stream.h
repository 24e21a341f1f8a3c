// The data of one file for a bulk read: compaction, verification, copying.
//
// A bulk reader says which bytes it will want (SetRange) and takes them block
// by block, in ascending order as a rule. The stream asks for them ahead of the
// reader, in aligned requests that the thread's IoLane overlaps with the
// reader's own work, through a file handle that may be direct or buffered, and
// keeps nothing in any cache. It starts with one chunk, so that a short job
// does not over-read, and doubles up to the read-ahead budget while blocks
// follow each other.
//
// The bytes lie in a ring: what was taken makes room for what is asked next. A
// block that crosses the ring's end is the only one that is copied.
//
// Threads    One at a time, the same from the first Start() or Read() on.
// Ownership  Owns the file. A result is valid until the next call.
// Errors     Name file, offset and length. A file that ends before the asked
//            block does is Corruption; a direct read that the file system
//            refuses is InvalidArgument or its own error, naming the file.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "env/resident_pages.h"
#include "file/aligned_buffer.h"
#include "file/buffer_pool.h"
#include "file/file_io_context.h"
#include "file/io_lane.h"
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
  // Priority at the rate limiter; IO_TOTAL: not limited.
  Env::IOPriority rate_limiter_priority = Env::IO_LOW;
  // When `clock` shows this, no request may take any longer, whatever timeout
  // `io_options` has; the reader looks itself whether it is over. 0: never.
  std::chrono::microseconds deadline{0};
  // Null: the pool of the process.
  BufferPool* pool = nullptr;
  // How requests go out; `governor` admits them.
  IoBackend backend = IoBackend::kInline;
  FileSystem* fs = nullptr;
  // The same file in the page cache: bytes that it has are copied from there. A
  // direct read of them would cost a request, and would first have to write the
  // dirty ones. Null: all bytes come from the file. Borrowed.
  const ResidentPages* resident = nullptr;
  // Called once, when the last byte of the range has come. The file is closed
  // by then, and what was passed cannot be read again. Null: neither.
  std::function<void()> on_all_read;
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

  // Asks for the first chunk of the range now, if there is leave for it.
  void Start();

  // The `n` bytes at `offset`, which lie in the range. Any order is right,
  // ascending is fast.
  Status Read(uint64_t offset, size_t n, Slice* result) {
    if (Holds(offset, n) && offset < pump_at_) [[likely]] {
      const size_t at = IndexOf(offset);
      if (n <= capacity_ - at) [[likely]] {
        *result = Slice(ring_ + at, n);
        return Status::OK();
      }
    }
    return ReadSlow(offset, n, result);
  }

  const std::string& file_name() const { return file_name_; }
  bool use_direct_io() const { return is_direct_; }
  // Asked of the file system so far.
  uint64_t bytes_read() const { return bytes_read_; }
  uint64_t read_count() const { return read_count_; }

 private:
  bool Holds(uint64_t offset, size_t n) const {
    return offset >= begin_ && offset <= ready_ && n <= ready_ - offset;
  }
  bool IsInRange(uint64_t offset, size_t n) const {
    return offset >= range_begin_ && offset <= range_end_ &&
           n <= range_end_ - offset;
  }
  // Where in the ring the byte at `offset` of the file lies.
  size_t IndexOf(uint64_t offset) const {
    return static_cast<size_t>((offset - base_) % capacity_);
  }
  // Bytes of a request that is worth its cost: at least two fill the window.
  size_t RequestBytes() const {
    return std::min(max_request_bytes_, std::min(window_bytes_, capacity_) / 2);
  }
  // Where requests end.
  uint64_t LastAsked() const;
  Status OutOfRange(uint64_t offset, size_t n) const;
  Status EndsEarly(uint64_t offset, size_t n) const;
  Status ReadSlow(uint64_t offset, size_t n, Slice* result);
  // Makes all before `offset` room for what is asked next.
  Status PassTo(uint64_t offset, size_t n);
  // Forgets what is there, and begins at `offset`.
  void Restart(uint64_t offset);
  // Room for `needed` bytes, and for the window where the pool allows.
  void Reserve(size_t needed);
  void MoveRing(char* ring, size_t capacity);
  // Asks for what the window has room for, as far as there is leave.
  Status AskAhead();
  // Asks for the next bytes; waits for leave with kWait. False: none was given.
  enum class Leave { kWait, kTry };
  bool AskNext(size_t wanted, Leave leave);
  // Takes the next `wanted` bytes from the page cache, if it has them all.
  bool TakeResident(size_t wanted);
  void StartRequest(IoRequest* request);
  // The timeout of a read that begins now.
  std::chrono::microseconds TimeoutNow() const;
  // Takes in the oldest request.
  Status TakeOldest();
  Status WaitFor(IoRequest* request);
  Status FillHole(IoRequest* request);
  void Reread(IoRequest* request, size_t from);
  Status NameError(const IOStatus& status, const IoRequest& request) const;
  // Waits for what is in flight, and forgets it.
  void Drain();
  void GetTokens(size_t wanted);
  void NoteAllRead();
  void CountBytes(size_t bytes);

  std::unique_ptr<FSRandomAccessFile> file_;
  const std::string file_name_;
  const InputStreamOptions options_;
  const bool is_direct_;
  // The alignment of requests; 1 for a buffered file.
  const size_t alignment_;
  BufferPool* const pool_;
  const uint64_t file_size_;  // UINT64_MAX: not known
  const IoSource source_;

  uint64_t range_begin_ = 0;
  uint64_t range_end_;
  const size_t max_window_bytes_;
  const size_t max_request_bytes_;
  // How far behind begin_ to ask.
  size_t window_bytes_;

  BufferLease lease_;
  // For a block that is larger than a slab.
  AlignedBuffer dedicated_;
  char* ring_ = nullptr;
  size_t capacity_ = 0;
  // The file's offset at the ring's beginning; begin_, asked_ and base_ are
  // aligned.
  uint64_t base_ = 0;
  // [begin_, ready_) is in the ring, [ready_, asked_) is asked for.
  uint64_t begin_ = 0;
  uint64_t ready_ = 0;
  uint64_t asked_ = 0;
  // Where the file ends, if it ends before its size.
  uint64_t end_of_file_ = UINT64_MAX;
  // A block from there on makes it worth asking for more.
  uint64_t pump_at_ = 0;
  // Where the window grows next.
  uint64_t grow_at_ = 0;
  std::deque<IoRequest> requests_;  // oldest first
  // A block that crosses the ring's end.
  std::string joined_;
  // Granted by the rate limiter and not asked for yet.
  size_t tokens_ = 0;

  uint64_t bytes_read_ = 0;
  uint64_t read_count_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
