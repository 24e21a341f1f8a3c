// Memory whose address suits direct I/O.
//
// Threads    One at a time.
// Ownership  Owns its memory.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "rocksdb/rocksdb_namespace.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr bool IsPowerOfTwo(uint64_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}
// `alignment` is a power of two.
inline constexpr uint64_t AlignDown(uint64_t n, uint64_t alignment) {
  return n & ~(alignment - 1);
}
// An `n` so near the largest number that nothing aligned follows stays aligned
// down.
inline constexpr uint64_t AlignUp(uint64_t n, uint64_t alignment) {
  const uint64_t up = (n + alignment - 1) & ~(alignment - 1);
  return up >= n ? up : AlignDown(n, alignment);
}
static_assert(AlignDown(4097, 4096) == 4096 && AlignUp(4097, 4096) == 8192);
static_assert(AlignUp(UINT64_MAX, 4096) == AlignDown(UINT64_MAX, 4096));

struct FreeAligned {
  enum class Home : uint8_t { kHeap, kKeptPages, kBufferPool };
  Home home = Home::kHeap;
  void operator()(char* p) const;
};

class AlignedBuffer {
 public:
  AlignedBuffer() = default;

  // Room for `capacity` bytes, rounded up to whole alignment units. What was
  // in the buffer is lost; a buffer that is good enough is kept.
  void Reserve(size_t alignment, size_t capacity) {
    INVARIANT(IsPowerOfTwo(alignment));
    capacity = static_cast<size_t>(AlignUp(capacity, alignment));
    if (capacity <= capacity_ && alignment <= alignment_) return;
    memory_ = Allocate(alignment, capacity);
    alignment_ = alignment;
    capacity_ = capacity;
  }

  // The same for what is let go soon and will be wanted again: a piece of
  // KeptPages, if the capacity is one that they are for.
  void ReserveShortly(size_t alignment, size_t capacity);

  // The same for direct I/O in bulk: a chunk of the default BufferPool, if the
  // capacity is that of one and the pool has one left.
  void ReserveBulk(size_t alignment, size_t capacity);

  // Room as of Reserve(), but the first `used` bytes stay.
  void Grow(size_t capacity, size_t used) {
    GrowBy(&AlignedBuffer::Reserve, capacity, used);
  }
  // The same as of ReserveBulk().
  void GrowBulk(size_t capacity, size_t used) {
    GrowBy(&AlignedBuffer::ReserveBulk, capacity, used);
  }

  void Free() {
    memory_.reset();
    capacity_ = 0;
  }

  char* data() {
    assert((memory_ == nullptr) == (capacity_ == 0));
    return memory_.get();
  }
  const char* data() const { return memory_.get(); }
  size_t capacity() const { return capacity_; }
  size_t alignment() const { return alignment_; }

 private:
  using Memory = std::unique_ptr<char, FreeAligned>;

  void GrowBy(void (AlignedBuffer::*reserve)(size_t, size_t), size_t capacity,
              size_t used) {
    INVARIANT(alignment_ != 0 && used <= capacity_);
    if (capacity <= capacity_) return;
    AlignedBuffer larger;
    (larger.*reserve)(alignment_, capacity);
    memcpy(larger.data(), data(), used);
    *this = std::move(larger);
  }

  static Memory Allocate(size_t alignment, size_t capacity) {
    const size_t least = std::max(alignment, sizeof(void*));
    void* p =
        aligned_alloc(least, AlignUp(std::max<size_t>(capacity, 1), least));
    if (p == nullptr) throw std::bad_alloc();
    assert(reinterpret_cast<uintptr_t>(p) % alignment == 0);
    return Memory(static_cast<char*>(p));
  }

  Memory memory_;
  size_t alignment_ = 0;
  size_t capacity_ = 0;
};

// What a direct read leaves its bytes in.
using AlignedBuf = AlignedBuffer;

}  // namespace ROCKSDB_NAMESPACE
