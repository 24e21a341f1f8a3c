// Time that only goes forward, for deadlines: whoever sets the time of day
// neither ends a wait nor prolongs it.
#pragma once

#include <cstdint>

#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

// Since some moment of the past.
inline uint64_t MonotonicMicros(SystemClock* clock) {
  return clock->NowNanos() / 1000;
}

}  // namespace ROCKSDB_NAMESPACE
