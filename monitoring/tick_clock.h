#pragma once

// Spans of time by the processor's own counter, where that is what the kernel
// goes by: a third of what asking the clock takes, and most of what timing a
// write costs.
//
// It stands in for one SystemClock, and only once it has been compared with
// that for a while; every other clock, such as a test's, is asked itself.
//
// Threads  Any.

#include <atomic>
#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

class TickClock {
 public:
  // `clock`, which lives for ever, tells CLOCK_MONOTONIC in NowNanos(). Called
  // once, before others time by it; has no effect where ticks cannot be
  // trusted.
  static void StandFor(const SystemClock* clock);

  // Are ticks taken instead of asking `clock`?
  static bool Replaces(const SystemClock* clock) {
    // acquire: pairs with the release after the length of a tick.
    return clock == replaced_.load(std::memory_order_acquire) ||
           (clock == candidate_.load(std::memory_order_acquire) && Compare());
  }
  static uint64_t Ticks() {
#if defined(__x86_64__)
    return __rdtsc();
#else
    return 0;
#endif
  }
  // `start` must be from Ticks(), taken after Replaces() was true.
  static uint64_t NanosSince(uint64_t start) {
    const uint64_t now = Ticks();
    if (now <= start) return 0;
    return static_cast<uint64_t>(
        static_cast<double>(now - start) *
        nanos_per_tick_.load(std::memory_order_relaxed));
  }

 private:
  // True once the length of a tick is known.
  static bool Compare();

  // Null, before there is a clock that may be replaced.
  static std::atomic<const SystemClock*> candidate_;
  // Null, until it may.
  static std::atomic<const SystemClock*> replaced_;
  static std::atomic<double> nanos_per_tick_;
};

// A span that begins where it is made.
//
// Ownership  Borrows the clock.
class SpanTimer {
 public:
  explicit SpanTimer(SystemClock* clock)
      : clock_(TickClock::Replaces(clock) ? nullptr : clock),
        start_(clock_ == nullptr ? TickClock::Ticks() : clock_->NowNanos()) {}

  uint64_t Nanos() const {
    if (clock_ == nullptr) return TickClock::NanosSince(start_);
    const uint64_t now = clock_->NowNanos();
    return now > start_ ? now - start_ : 0;
  }
  uint64_t Micros() const { return Nanos() / 1000; }

 private:
  SystemClock* const clock_;  // null: ticks
  const uint64_t start_;
};

}  // namespace ROCKSDB_NAMESPACE
