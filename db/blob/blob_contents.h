// One blob in memory, uncompressed: what a read yields and the blob cache
// keeps.
//
// Threads    Immutable once it is shared.
// Ownership  Owns its buffer; value() points into it.
#pragma once

#include <cassert>
#include <cstddef>

#include "rocksdb/slice.h"
#include "util/block_memory.h"

namespace ROCKSDB_NAMESPACE {

class BlobContents {
 public:
  // Room for `capacity` bytes.
  explicit BlobContents(size_t capacity) : buffer_(capacity) {}

  char* buffer() { return buffer_.get(); }
  size_t capacity() const { return buffer_.capacity(); }
  Slice value() const { return value_; }
  // Part of the buffer.
  void SetValue(const Slice& value) {
    assert(value.data() >= buffer_.get());
    assert(value.data() + value.size() <= buffer_.get() + capacity());
    value_ = value;
  }
  size_t memory_bytes() const { return sizeof(*this) + capacity(); }

 private:
  BlockMemory buffer_;
  Slice value_;
};

}  // namespace ROCKSDB_NAMESPACE
