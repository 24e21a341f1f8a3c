// How many hidden entries one call of an iterator may step over
// (ReadOptions::max_skippable_internal_keys).
//
// Threads  One, that of the iterator.
#pragma once

#include <cstdint>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class SkipLimit {
 public:
  // 0: as many as there are.
  explicit SkipLimit(uint64_t most) : most_(most) {}

  void BeginCall() { skipped_ = 0; }
  // One more. True: that is one too many, and *problem says so.
  bool IsPassed(Status* problem) {
    if (most_ == 0 || ++skipped_ <= most_) return false;
    *problem = Status::Incomplete("Too many internal keys skipped.");
    return true;
  }

 private:
  const uint64_t most_;
  uint64_t skipped_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
