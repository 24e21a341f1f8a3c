// The stall that is in force over the whole database, and the pace of delayed
// writers.
//
// Threads  Update() under the DB mutex. The queries from the write leader,
//          without a lock.
#pragma once

#include <atomic>
#include <cstdint>

#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

class WriteController {
 public:
  // `rate`: bytes a second while delayed.
  void Update(WriteStallCondition condition, uint64_t rate);

  WriteStallCondition condition() const {
    return condition_.load(std::memory_order_acquire);
  }
  bool IsStopped() const {
    return condition() == WriteStallCondition::kStopped;
  }
  // Bytes a second while delayed, else 0.
  uint64_t delayed_rate() const;

  // How long a delayed writer of `bytes` has to wait from `now_micros` on;
  // called once a write, by one thread at a time: keeps the account.
  uint64_t ChargeDelay(uint64_t bytes, uint64_t now_micros);

 private:
  std::atomic<WriteStallCondition> condition_{WriteStallCondition::kNormal};
  std::atomic<uint64_t> rate_{0};
  // Until when the bytes written so far use up the rate.
  uint64_t paid_until_micros_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
