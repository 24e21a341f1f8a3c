#pragma once

// The usual rule for where a data block ends: at a size, or a little before it
// if the next entry would go beyond.
//
// Threads  A plain value.

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "table/block_builder.h"
#include "table/format.h"

namespace ROCKSDB_NAMESPACE {

class FlushBySize {
 public:
  // `deviation` is in percent; 100 and what is outside 0..100 count as 0, as
  // RocksDB takes them. Aligned blocks end before the entry that would make
  // them larger, with their trailer, than `size`. With size 0 each block has
  // one entry.
  FlushBySize(uint64_t size, int deviation, bool is_aligned = false)
      : size_(size), early_size_(size), is_aligned_(is_aligned) {
    if (deviation > 0 && deviation < 100) {
      early_size_ = (size * static_cast<uint64_t>(100 - deviation) + 99) / 100;
    }
    assert(early_size_ <= size_);
  }

  // True: `block` ends before whatever comes.
  bool IsFull(const BlockBuilder& block) const {
    return !block.empty() && block.SizeEstimate() >= size_;
  }
  // True: end `block` before an entry of these sizes is added.
  bool ShouldEnd(const BlockBuilder& block, size_t key_size,
                 size_t value_size) const {
    if (block.empty()) return false;
    const size_t now = block.SizeEstimate();
    if (now >= size_) return true;
    if (is_aligned_) [[unlikely]] {
      return block.SizeEstimateAfter(key_size, value_size) +
                 kBlockTrailerBytes >
             size_;
    }
    return now > early_size_ &&
           block.SizeEstimateAfter(key_size, value_size) > size_;
  }

 private:
  uint64_t size_;
  uint64_t early_size_;
  bool is_aligned_;
};

}  // namespace ROCKSDB_NAMESPACE
