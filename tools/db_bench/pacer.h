// Holds threads to a common rate, in whatever unit they count.
//
// Each request reserves its share of the time line and sleeps until its turn.
// Time that nobody used is not saved up beyond a tenth of a second, so a
// stall is not followed by a burst.
//
// Threads    Wait() may be called from any thread.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

class Pacer {
 public:
  // `rate` units a second; 0 for no limit.
  explicit Pacer(uint64_t rate) : rate_(rate) {}

  bool is_limited() const { return rate_.load(std::memory_order_relaxed) != 0; }

  // From the next request on.
  void SetRate(uint64_t rate) { rate_.store(rate, std::memory_order_relaxed); }

  // Returns once `units` more may be used.
  void Wait(uint64_t units) {
    if (is_limited()) Reserve(units);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void Reserve(uint64_t units);

  // relaxed: nothing else goes with it.
  std::atomic<uint64_t> rate_;
  std::mutex mutex_;  // Guards next_.
  Clock::time_point next_ = Clock::now();
};

}  // namespace ROCKSDB_NAMESPACE::bench
