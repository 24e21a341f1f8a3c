// Memory for one block of a file.
//
// Blocks come and go at the rate of reads that miss the cache, and a general
// allocator pays for each that is larger than what it keeps at hand: it merges
// and splits its chunks every time. So a thread keeps the few that it freed
// last, and hands them out again to blocks that are nearly as large. What it
// keeps is bounded by kMostKept and kMostKeptBytes.
//
// Ownership  Like std::unique_ptr: one owner, which may be another thread.
// Threads    Different objects from any thread.
#pragma once

#include <cstddef>
#include <utility>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class BlockMemory {
 public:
  // By each thread.
  static constexpr size_t kMostKept = 8;
  static constexpr size_t kMostKeptBytes = 128 << 10;

  BlockMemory() = default;
  // At least `size` bytes, whatever is in them.
  explicit BlockMemory(size_t size);
  BlockMemory(BlockMemory&& other) noexcept { *this = std::move(other); }
  BlockMemory& operator=(BlockMemory&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~BlockMemory() {
    if (memory_ != nullptr) Free();
  }

  // For at least `size` bytes, other memory if this is too small for them.
  void Fit(size_t size);

  // Null: there is none.
  char* get() const { return memory_; }
  // What is taken from others, to be charged: up to a sixteenth more than was
  // asked for, and a few bytes.
  size_t capacity() const { return capacity_; }

 private:
  void Free();

  char* memory_ = nullptr;
  size_t capacity_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
