// Values that are said to have been written at some time: which sequence number
// a write at that time would have had.
//
// Threads  Immutable.
#pragma once

#include <cstdint>

#include "util/key/internal_key.h"
#include "util/key/sequence_times.h"

namespace ROCKSDB_NAMESPACE {

struct TimedValues {
  // Behind such a value is the time in memory (kWritten), in tables the
  // sequence number that it would have had.
  enum class Suffix : uint8_t { kWritten, kPreferred };
  Suffix suffix = Suffix::kPreferred;
  // To tell that number from the time; null: nobody asks for the age.
  const SequenceTimes* sequence_times = nullptr;
  uint64_t old_by_seconds = 0;  // and who does, not of what is older

  // What a write at that time would have had, or a later one: no value may
  // pass for older than it is said to be.
  SequenceNumber PreferredBy(uint64_t number) const {
    if (suffix == Suffix::kPreferred) return number;
    if (sequence_times == nullptr) return kMaxSequenceNumber;
    if (number <= old_by_seconds) return 0;
    return sequence_times->CoveringAllBy(number);
  }
};

}  // namespace ROCKSDB_NAMESPACE
