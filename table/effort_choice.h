// With which effort the data blocks of a file are compressed.
//
// A quick level often makes of short blocks what a thorough one does: of 4 KiB,
// zstd's level 1 in three quarters of the time of level 3. So both are tried on
// some blocks, and the quick one is taken as long as it makes them no larger.
//
// Blocks are tried ever more seldom, down to one in kMostBetween; the older
// ones count for less and less. What is chosen follows from the blocks and
// their order alone.
//
// Threads  One at a time.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

class EffortChoice {
 public:
  static constexpr uint32_t kMostBetween = 128;
  // "No larger" is by less than this part.
  static constexpr uint64_t kTolerance = 256;

  // For each block: whether it is one to try both on.
  bool IsTrialDue() {
    if (--blocks_left_ > 0) return false;
    between_ = std::min(between_ * 2, kMostBetween);
    blocks_left_ = between_;
    return true;
  }
  void NoteTrial(size_t quick_bytes, size_t thorough_bytes) {
    assert(quick_bytes > 0 && thorough_bytes > 0);
    quick_bytes_ += quick_bytes - quick_bytes_ / kKeptTrials;
    thorough_bytes_ += thorough_bytes - thorough_bytes_ / kKeptTrials;
  }
  Compressor::Effort effort() const {
    return quick_bytes_ <= thorough_bytes_ + thorough_bytes_ / kTolerance
               ? Compressor::Effort::kQuick
               : Compressor::Effort::kAsAsked;
  }

 private:
  static constexpr uint64_t kKeptTrials = 8;

  uint32_t between_ = 1;
  uint32_t blocks_left_ = 1;
  // Sums over the last trials.
  uint64_t quick_bytes_ = 0;
  uint64_t thorough_bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
