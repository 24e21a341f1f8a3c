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

// The microseconds of a wait that was given in milliseconds; if that is too
// many, the longest wait there is.
inline uint64_t MillisToMicros(uint64_t millis) {
  return std::min(millis, UINT64_MAX / 1000) * 1000;
}

}  // namespace ROCKSDB_NAMESPACE
