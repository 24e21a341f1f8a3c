#pragma once

// Times a scope into a histogram of microseconds, where the level of the
// statistics asks for times; else the clock is not read.
//
// Ownership  Borrows the clock and the statistics, which may be null.
// Threads    One.

#include <cstdint>
#include <optional>

#include "monitoring/statistics_impl.h"
#include "monitoring/tick_clock.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

class StopWatch {
 public:
  StopWatch(SystemClock* clock, Statistics* statistics, uint32_t histogram)
      : statistics_(statistics), histogram_(histogram) {
    if (clock != nullptr && ShouldMeasureTime(statistics)) {
      timer_.emplace(clock);
    }
  }
  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;
  ~StopWatch() {
    if (const auto micros = Stop()) {
      statistics_->recordInHistogram(histogram_, *micros);
    }
  }

  // Ends the scope: what the caller is to record, together with more. None if
  // it was not timed.
  std::optional<uint64_t> Stop() {
    if (!timer_) return std::nullopt;
    const uint64_t micros = timer_->Nanos() / kNanosPerMicro;
    timer_.reset();
    return micros;
  }

 private:
  static constexpr uint64_t kNanosPerMicro = 1000;

  Statistics* const statistics_;
  const uint32_t histogram_;
  std::optional<SpanTimer> timer_;  // none: not measured
};

}  // namespace ROCKSDB_NAMESPACE
