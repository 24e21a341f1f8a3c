// Read-ahead for one user's iterator or scan over one file.
//
// Explicit (readahead_bytes > 0): every miss fetches that much beyond what is
// asked for. Implicit: the third read in sequence starts read-ahead at 8 KiB,
// which doubles with each fetch up to a limit; a jump starts anew.
//
// Threads    One at a time.
// Ownership  Borrows the file. A result is valid until the next call.
// Errors     None: TryRead() answers false, and the caller reads by itself and
//            meets the error there.
#pragma once

#include <cstdint>

#include "file/aligned_buffer.h"
#include "file/random_access_file_reader.h"
#include "rocksdb/file_system.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"

namespace ROCKSDB_NAMESPACE {

struct PrefetchOptions {
  // 0: implicit.
  size_t readahead_bytes = 0;
  // Implicit: from here ...
  size_t initial_auto_readahead_bytes = 8 << 10;
  // ... to here; 0: no implicit read-ahead.
  size_t max_auto_readahead_bytes = 256 << 10;
  // Implicit: this many reads in sequence before it starts.
  uint64_t reads_before_auto = 2;
  // No read-ahead at or beyond this offset.
  uint64_t limit_offset = UINT64_MAX;
  Statistics* statistics = nullptr;
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

  size_t next_readahead_bytes() const { return next_readahead_; }

 private:
  bool Holds(uint64_t offset, size_t n) const {
    return offset >= buffer_offset_ &&
           offset - buffer_offset_ <= contents_.size() &&
           n <= contents_.size() - (offset - buffer_offset_);
  }
  void NoteRead(uint64_t offset, size_t n);
  // Bytes to fetch beyond [offset, offset + n); 0: none.
  size_t ReadaheadFor(uint64_t offset, size_t n) const;
  void CountDiscarded();

  const RandomAccessFileReader* const file_;
  const PrefetchOptions options_;
  size_t next_readahead_;
  uint64_t sequential_reads_ = 0;
  uint64_t expected_offset_ = UINT64_MAX;

  AlignedBuffer buffer_;
  // The file's bytes from buffer_offset_ on.
  uint64_t buffer_offset_ = 0;
  Slice contents_;
  // Bytes of them that somebody asked for.
  uint64_t used_bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
