// Time that only goes forward, for deadlines: whoever sets the time of day
// neither ends a wait nor prolongs it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

// Microseconds since some moment of the past.
inline uint64_t MonotonicMicros(SystemClock* clock) {
  return clock->NowNanos() / 1000;
}

// The microseconds since a look at the clock's NowMicros(); 0 where the time of
// day has been set back since.
inline uint64_t MicrosSince(SystemClock* clock, uint64_t start_micros) {
  return std::max(clock->NowMicros(), start_micros) - start_micros;
}

// The microseconds of a wait that was given in milliseconds; if that is too
// many, the longest wait there is.
inline uint64_t MillisToMicros(uint64_t millis) {
  return std::min(millis, UINT64_MAX / 1000) * 1000;
}

}  // namespace ROCKSDB_NAMESPACE
