// Read-ahead for one user's iterator or scan over one file, buffered or direct.
//
// Explicit (readahead_bytes > 0): every miss fetches that much beyond what is
// asked for. Implicit: the third read in sequence starts read-ahead at 8 KiB,
// which doubles with each fetch up to a limit; a jump starts anew. Reads in
// sequence may go down as well as up: what is fetched lies before them then.
//
// Planned: blocks that will be asked for, told beforehand, are not part of any
// sequence; see PlannedReads.
//
// Bytes are fetched in chunks that follow each other in the file, so none is
// read twice; a block that lies in two of them is joined in memory of its own.
// With a file system to poll, the chunk after the one in use is under way while
// that is used.
//
// Memory     What is planned; and one read-ahead with a block on either side,
//            shared by two chunks where one is under way; in pieces of
//            KeptPages where it fits. A block that was joined, and the part
//            that is kept of a chunk, have memory of their own. Counted in
//            PREFETCH_MEMORY_BYTES_GRANTED and _RELEASED.
// Counts     Of scans: PREFETCH_BYTES less PREFETCH_BYTES_USEFUL was read in
//            vain. Of all: the histogram PREFETCHED_BYTES_DISCARDED says how
//            much at a time.
// Threads    One at a time.
// Ownership  Borrows the file. A result is valid until the next call.
// Errors     None: TryRead() answers false, and the caller reads by itself and
//            meets the error there.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "file/aligned_buffer.h"
#include "file/async_file_read.h"
#include "file/random_access_file_reader.h"
#include "rocksdb/file_system.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"
#include "util/key/internal_iterator.h"

namespace ROCKSDB_NAMESPACE {

class PlannedReads;
class PrefetchMemory;

// The kind of reader. The tickers of read-ahead count scans of users alone.
enum class PrefetchReader : uint8_t { kScan, kOther };

struct PrefetchOptions {
  // 0: implicit. At most 64 MiB count.
  size_t readahead_bytes = 0;
  // Implicit: from here ...
  size_t initial_auto_readahead_bytes = 8 << 10;
  // ... to here; 0: no implicit read-ahead.
  size_t max_auto_readahead_bytes = 256 << 10;
  // Implicit: this many reads in sequence before it starts.
  uint64_t reads_before_auto = 2;
  // No read-ahead before `begin_offset`, nor at or beyond `limit_offset`.
  uint64_t begin_offset = 0;
  uint64_t limit_offset = UINT64_MAX;
  // Not null: the chunk after the present one is fetched by the file's
  // asynchronous calls.
  FileSystem* fs = nullptr;
  Statistics* statistics = nullptr;
  PrefetchReader reader = PrefetchReader::kScan;
};

class PrefetchBuffer {
 public:
  PrefetchBuffer(const RandomAccessFileReader* file, PrefetchOptions options);
  ~PrefetchBuffer();
  PrefetchBuffer(const PrefetchBuffer&) = delete;
  PrefetchBuffer& operator=(const PrefetchBuffer&) = delete;

  // True: `*result` has exactly the `n` bytes at `offset`. False: read them
  // otherwise; the read was noted for the sequence all the same.
  bool TryRead(const IOOptions& options, uint64_t offset, size_t n,
               Slice* result);

  // Fills the buffer with that range, as before many reads of it. Bytes
  // beyond the end of the file are no error.
  IOStatus Prefetch(const IOOptions& options, uint64_t offset, size_t n);

  // The caller found these bytes elsewhere, as in the block cache: the
  // sequence goes on.
  void NoteReadElsewhere(uint64_t offset, size_t n);

  // Blocks that will be asked for, in place of those told before. Null: none.
  void Plan(std::shared_ptr<PlannedReads> planned);

  // Bounds of what is fetched from now on.
  void SetRange(uint64_t begin_offset, uint64_t limit_offset) {
    options_.begin_offset = begin_offset;
    options_.limit_offset = limit_offset;
  }

  ReadaheadProgress progress() const {
    return {.next_bytes = next_readahead_,
            .sequential_reads = sequential_reads_,
            .goes_down = goes_down_};
  }
  // Before the first read: goes on as the buffer of the file before.
  void Resume(const ReadaheadProgress& progress);

  size_t next_readahead_bytes() const { return next_readahead_; }

 private:
  // Bytes of the file that follow each other.
  struct Chunk {
    AlignedBuffer memory;
    uint64_t begin = 0;
    Slice bytes;
    // How many of them somebody asked for.
    uint64_t used_bytes = 0;
    AsyncFileRead read;

    uint64_t end() const { return begin + bytes.size(); }
    bool Holds(uint64_t offset, size_t n) const {
      return offset >= begin && offset <= end() && n <= end() - offset;
    }
  };
  // Whole alignment units of the file.
  struct Span {
    uint64_t begin = 0;
    uint64_t end = 0;
    size_t size() const { return static_cast<size_t>(end - begin); }
  };

  Chunk& front() { return chunks_[front_]; }
  Chunk& back() { return chunks_[1 - front_]; }
  void NoteRead(uint64_t offset, size_t n);
  void StartSequence();
  // Bytes to fetch beyond [offset, offset + n) in the direction of the
  // sequence; 0: none.
  size_t ReadaheadFor(uint64_t offset, size_t n) const;
  // The bytes if they are in memory. What they are in becomes the front.
  bool Serve(uint64_t offset, size_t n, Slice* result);
  bool Join(uint64_t offset, size_t n, Slice* result);
  // Waits for what was asked for ahead.
  void TakeBack();
  void DropBack();
  void Fill(Chunk* chunk, const Slice& bytes, size_t asked);
  // What to read so that Serve() has them, given the front.
  Span Missing(uint64_t offset, size_t n, size_t ahead) const;
  IOStatus ReadBack(const IOOptions& options, const Span& span);
  // Gives the front's memory to the back, which will hold `next`.
  void LendMemory(const Span& next);
  void ReadAhead(const IOOptions& options);
  void Grow();
  void Reserve(Chunk* chunk, size_t n);
  void CountMemory();
  void Empty(Chunk* chunk);
  void Use(Chunk* chunk, size_t n);

  const RandomAccessFileReader* const file_;
  PrefetchOptions options_;
  Statistics* const scan_statistics_;  // null: not a scan
  const size_t unit_;                  // reads begin and end at multiples of it
  size_t next_readahead_;
  uint64_t sequential_reads_ = 0;
  bool goes_down_ = false;
  // The read before; UINT64_MAX: none.
  uint64_t last_begin_ = UINT64_MAX;
  uint64_t last_end_ = UINT64_MAX;
  // Where a read came back short.
  uint64_t end_of_file_ = UINT64_MAX;
  // The next read is in sequence, wherever it is.
  bool is_resumed_ = false;

  // The chunk in use, and its neighbour, which may be under way.
  std::array<Chunk, 2> chunks_;
  size_t front_ = 0;
  // Bytes of the read that is under way.
  size_t chunk_asked_ = 0;
  std::string joined_;
  std::string kept_;  // bytes of the front whose memory was lent
  const std::unique_ptr<PrefetchMemory> memory_;
  std::shared_ptr<PlannedReads> planned_;
};

}  // namespace ROCKSDB_NAMESPACE
