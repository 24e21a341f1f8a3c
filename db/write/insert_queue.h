// Groups of writes that are in the log and on their way into the memtables,
// while the next group is being logged already.
//
// Contract   Groups insert one after the other, in the order of Enter(), where
//            they wait for their turn; else side by side.
// Threads    Enter() and Drain() by the holder of the write thread's
//            leadership. WaitForTurn() and Leave() by the leader of a group
//            that has entered.
#pragma once

#include <atomic>
#include <cstdint>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class InsertQueue {
 public:
  uint64_t Enter() { return entered_++; }

  void WaitForTurn(uint64_t ticket) {
    // acquire: pairs with Leave(); what the group before inserted is there.
    uint64_t left = left_.load(std::memory_order_acquire);
    while (left != ticket) {
      INVARIANT(left < ticket);
      left_.wait(left, std::memory_order_acquire);
      left = left_.load(std::memory_order_acquire);
    }
  }

  void Leave() {
    left_.fetch_add(1, std::memory_order_acq_rel);
    left_.notify_all();
  }

  // Until no group is on its way.
  void Drain() {
    if (left_.load(std::memory_order_acquire) != entered_) {
      WaitForTurn(entered_);
    }
  }

 private:
  uint64_t entered_ = 0;
  std::atomic<uint64_t> left_{0};
};

}  // namespace ROCKSDB_NAMESPACE
