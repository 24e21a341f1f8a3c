// Time that only goes forward, for deadlines: whoever sets the time of day
// neither ends a wait nor prolongs it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

// Since some moment of the past.
inline uint64_t MonotonicMicros(SystemClock* clock) {
  return clock->NowNanos() / 1000;
}

// Of a wait that was given in milliseconds; the longest there is if that is
// more.
inline uint64_t MillisToMicros(uint64_t millis) {
  return std::min(millis, UINT64_MAX / 1000) * 1000;
}

}  // namespace ROCKSDB_NAMESPACE
