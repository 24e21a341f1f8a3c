#pragma once

// Times a scope into a histogram of microseconds, where the level of the
// statistics asks for times; else the clock is not read.
//
// Ownership  Borrows the clock and the statistics, which may be null.
// Threads    One.

#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

class StopWatch {
 public:
  StopWatch(SystemClock* clock, Statistics* statistics, uint32_t histogram)
      : clock_(ShouldMeasureTime(statistics) ? clock : nullptr),
        statistics_(statistics),
        histogram_(histogram),
        start_(clock_ != nullptr ? clock_->NowNanos() : 0) {}
  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;
  ~StopWatch() {
    if (clock_ == nullptr) return;
    const uint64_t end = clock_->NowNanos();
    statistics_->recordInHistogram(
        histogram_, end > start_ ? (end - start_) / kNanosPerMicro : 0);
  }

 private:
  static constexpr uint64_t kNanosPerMicro = 1000;

  SystemClock* const clock_;  // null: not measured
  Statistics* const statistics_;
  const uint32_t histogram_;
  const uint64_t start_;
};

}  // namespace ROCKSDB_NAMESPACE
