// Keeps when sequence numbers were given out, as long as any column family asks
// for the age of its data (preserve_internal_time_seconds,
// preclude_last_level_data_seconds).
//
// Times are noted every hundredth of the shortest age that is asked for, and
// at each flush and compaction. What is known is published as a whole, for
// jobs that go on without the lock.
//
// Threads  Guarded by the DB mutex.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "util/key/sequence_times.h"

namespace ROCKSDB_NAMESPACE {

class SequenceClock {
 public:
  // The ages that families ask for; 0 of both: none does, and what was known
  // is forgotten.
  void SetAges(uint64_t shortest_seconds, uint64_t longest_seconds);
  bool is_on() const { return longest_ != 0; }
  // How often to note; 0: never.
  uint64_t period_seconds() const {
    return is_on() ? std::max<uint64_t>(1, shortest_ / 100) : 0;
  }

  // Entries up to `last` are written, now.
  void Note(SequenceNumber last, uint64_t now_seconds);
  // From files of an earlier life of the database.
  void Learn(const SequenceTimes& times);
  // Is known what entries of the longest age asked for are?
  bool ReachesBackFrom(uint64_t now_seconds) const;

  // What was written by then is older than any age asked for.
  uint64_t OldBy(uint64_t now_seconds) const {
    return now_seconds > longest_ ? now_seconds - longest_ : 0;
  }
  // Entries up to this one are older than `age_seconds`; 0: none is known.
  SequenceNumber OlderThan(uint64_t age_seconds, uint64_t now_seconds) const;
  // Null when it is off.
  std::shared_ptr<const SequenceTimes> times() const { return times_; }

 private:
  uint64_t shortest_ = 0;
  uint64_t longest_ = 0;
  std::shared_ptr<const SequenceTimes> times_;  // copied to be changed
};

}  // namespace ROCKSDB_NAMESPACE
