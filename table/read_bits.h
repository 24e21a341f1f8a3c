#pragma once

// Which parts of a data block were read (read_amp_bytes_per_bit): a bit for so
// many bytes.
//
// Threads    Any; a part is counted once.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class ReadBits {
 public:
  // `bytes_per_bit` counts as the next lower power of two.
  ReadBits(size_t block_bytes, uint32_t bytes_per_bit)
      : block_bytes_(block_bytes),
        shift_(std::bit_width(bytes_per_bit) - 1),
        words_(std::make_unique<std::atomic<uint32_t>[]>(word_count())) {
    assert(bytes_per_bit > 0);
  }

  // Bytes [begin, end) of the block were read; how many bytes stand for what
  // had not been before.
  size_t Mark(size_t begin, size_t end) {
    assert(begin < end && end <= block_bytes_);
    size_t fresh = 0;
    for (size_t bit = begin >> shift_; bit <= (end - 1) >> shift_; ++bit) {
      const uint32_t mask = uint32_t{1} << (bit % 32);
      std::atomic<uint32_t>& word = words_[bit / 32];
      // relaxed: the bits guard nothing.
      if ((word.load(std::memory_order_relaxed) & mask) != 0) continue;
      if ((word.fetch_or(mask, std::memory_order_relaxed) & mask) == 0) {
        fresh += std::min(size_t{1} << shift_, block_bytes_ - (bit << shift_));
      }
    }
    return fresh;
  }

  size_t memory_bytes() const {
    return sizeof(*this) + word_count() * sizeof(uint32_t);
  }

 private:
  size_t word_count() const { return (block_bytes_ >> shift_) / 32 + 1; }

  const size_t block_bytes_;
  const int shift_;
  const std::unique_ptr<std::atomic<uint32_t>[]> words_;
};

}  // namespace ROCKSDB_NAMESPACE
