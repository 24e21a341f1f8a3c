// With which effort the data blocks of a file are compressed.
//
// Less effort often makes of short blocks what a thorough one does: of 4 KiB,
// zstd's level 3 in five sixths of its time where it looks for long matches
// alone, level 2 in three quarters, and level -4 in half, where that does not
// leave out the compression of what is no match. So all are tried on some
// blocks, and the quickest is taken that makes them no larger.
//
// Blocks are tried ever more seldom, down to one in kMostBetween; the older
// ones count for less and less. What is chosen follows from the blocks and
// their order alone.
//
// Threads  One at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

class EffortChoice {
 public:
  static constexpr uint32_t kMostBetween = 512;
  // "No larger" is by less than this part.
  static constexpr uint64_t kTolerance = 256;

  // Asked for each block: is it one to try all efforts on?
  bool IsTrialDue() {
    if (--blocks_left_ > 0) return false;
    between_ = std::min(between_ * 2, kMostBetween);
    blocks_left_ = between_;
    return true;
  }
  // What each effort makes of one block.
  using Sizes = std::array<size_t, kCompressionEffortCount>;
  void NoteTrial(const Sizes& bytes) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      assert(bytes[i] > 0);
      bytes_[i] += bytes[i] - bytes_[i] / kKeptTrials;
    }
  }
  CompressionEffort effort() const {
    const uint64_t thorough =
        bytes_[static_cast<size_t>(CompressionEffort::kAsAsked)];
    const uint64_t most = thorough + thorough / kTolerance;
    size_t i = 0;
    while (bytes_[i] > most) ++i;
    return static_cast<CompressionEffort>(i);
  }

 private:
  static constexpr uint64_t kKeptTrials = 8;

  uint32_t between_ = 1;
  uint32_t blocks_left_ = 1;
  // For each effort the sizes of the tried blocks, added up; older trials fade.
  std::array<uint64_t, kCompressionEffortCount> bytes_{};
};

}  // namespace ROCKSDB_NAMESPACE
