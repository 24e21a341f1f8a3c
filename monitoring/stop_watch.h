#pragma once

// Time a scope into a histogram of microseconds, where the level of the
// statistics asks for times; else the clock is not read. A StopWatch measures
// every scope. An OperationWatch is for what users do a million times a second:
// below StatsLevel::kAll a thread measures one in ThreadHistogram::kOneIn, and
// counts the others as like the last of those.
//
// Ownership  Borrow the clock and the statistics, which may be null.
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
    if (timer_) statistics_->recordInHistogram(histogram_, timer_->Micros());
  }

 private:
  Statistics* const statistics_;
  const uint32_t histogram_;
  std::optional<SpanTimer> timer_;  // none: not measured
};

class OperationWatch {
 public:
  [[gnu::always_inline]] OperationWatch(SystemClock* clock,
                                        Statistics* statistics,
                                        uint32_t histogram)
      : statistics_(statistics), histogram_(histogram) {
    if (clock == nullptr || !ShouldMeasureTime(statistics)) return;
    if (ShouldMeasureNext(statistics, histogram)) {
      source_ = HistogramValue::Source::kMeasured;
      timer_.emplace(clock);
    } else {
      source_ = HistogramValue::Source::kLikeLast;
    }
  }
  OperationWatch(const OperationWatch&) = delete;
  OperationWatch& operator=(const OperationWatch&) = delete;
  ~OperationWatch() {
    if (source_ == HistogramValue::Source::kNone) return;
    RecordAll(statistics_, std::array<TickerCount, 0>(),
              std::to_array<HistogramValue>({Stop()}));
  }

  // Ends the scope: what the caller is to record, together with more.
  HistogramValue Stop() {
    const HistogramValue value{.histogram = histogram_,
                               .value = timer_ ? timer_->Micros() : 0,
                               .source = source_};
    timer_.reset();
    source_ = HistogramValue::Source::kNone;
    return value;
  }

 private:
  Statistics* const statistics_;
  const uint32_t histogram_;
  HistogramValue::Source source_ = HistogramValue::Source::kNone;
  std::optional<SpanTimer> timer_;  // none: not measured
};

}  // namespace ROCKSDB_NAMESPACE
