// Waiting for another writer's next step, which is mostly microseconds away.
//
// Contract   A writer that blocks costs the one that wakes it a system call,
//            and itself tens of microseconds, in which the others run out of
//            patience too. So it first looks again and again, then lets others
//            run on its processor in between, and blocks only when that took
//            too long or when others want the processor. Where yielding was in
//            vain it is left out: once, twice, four times..., until it pays
//            again.
// Threads    Any; one object for each place where writers wait.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class YieldingWait {
 public:
  struct Limits {
    std::chrono::microseconds longest{100};  // 0: never yields
    std::chrono::microseconds slow{3};       // for one yield
  };

  explicit YieldingWait(const Limits& limits) : limits_(limits) {}
  YieldingWait(const YieldingWait&) = delete;
  YieldingWait& operator=(const YieldingWait&) = delete;

  // True as soon as `is_over` is; false if the caller should block.
  template <class IsOver>
  bool Try(const IsOver& is_over) {
    for (int i = 0; i < kLooks; ++i) {
      if (is_over()) return true;
      CpuRelax();
    }
    if (limits_.longest.count() <= 0 || IsLeftOut()) return false;
    const bool paid = Yield(is_over);
    Learn(paid);
    return paid;
  }

 private:
  static constexpr int kLooks = 200;
  static constexpr int kMostSlowYields = 3;
  static constexpr uint32_t kMostLeftOut = 256;

  template <class IsOver>
  bool Yield(const IsOver& is_over) const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    Clock::time_point before = start;
    int slow_yields = 0;
    while (before - start < limits_.longest && slow_yields < kMostSlowYields) {
      std::this_thread::yield();
      if (is_over()) return true;
      const Clock::time_point after = Clock::now();
      if (after - before >= limits_.slow) ++slow_yields;
      before = after;
    }
    return false;
  }

  // relaxed, here and below: a guess that no data depends on, so an update that
  // another thread overwrites does no harm.
  bool IsLeftOut() {
    const uint32_t left = to_leave_out_.load(std::memory_order_relaxed);
    if (left == 0) return false;
    to_leave_out_.store(left - 1, std::memory_order_relaxed);
    return true;
  }

  void Learn(bool paid) {
    if (paid && failures_.load(std::memory_order_relaxed) == 0) return;
    const uint32_t failures =
        paid ? 0
             : std::min(2 * failures_.load(std::memory_order_relaxed) + 1,
                        kMostLeftOut);
    failures_.store(failures, std::memory_order_relaxed);
    to_leave_out_.store(failures, std::memory_order_relaxed);
  }

  const Limits limits_;
  std::atomic<uint32_t> failures_{0};  // waits that a failure leaves out
  std::atomic<uint32_t> to_leave_out_{0};
};

}  // namespace ROCKSDB_NAMESPACE
