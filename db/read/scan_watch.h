// How much of the active memtable a scan steps over without showing it: above
// some limit the memtable is better flushed (memtable_op_scan_flush_trigger).
//
// Threads  One, that of the scan.
#pragma once

#include <cstdint>
#include <utility>

#include "memtable/memtable.h"
#include "options/cf_options.h"

namespace ROCKSDB_NAMESPACE {

class ScanWatch {
 public:
  // From now on scans go over `active`, unless nobody asks for it.
  void Begin(const MemTable& active, const MutableCFOptions& options) {
    *this = ScanWatch();
    most_ = options.memtable_op_scan_flush_trigger;
    most_on_average_ = options.memtable_avg_op_scan_flush_trigger;
    // What is newer than the memtable's birth is in it.
    if (most_ > 0) active_since_ = active.options().earliest_sequence;
  }
  void End() { *this = ScanWatch(); }

  void NoteHidden(SequenceNumber sequence) {
    if (sequence > active_since_) ++in_call_;
  }
  // After a seek, and after a step. True, once: that was too much.
  bool EndSeek() {
    steps_ = in_steps_ = 0;
    return IsOn() && IsTooMuch(std::exchange(in_call_, 0));
  }
  bool EndStep() {
    if (!IsOn()) return false;
    ++steps_;
    in_steps_ += in_call_;
    return IsTooMuch(std::exchange(in_call_, 0));
  }

 private:
  bool IsOn() const { return active_since_ != kMaxSequenceNumber; }
  bool IsTooMuch(uint64_t in_call) {
    // A few steps say nothing of the average.
    const bool is_slow_on_average = most_on_average_ > 0 &&
                                    in_steps_ >= most_ &&
                                    in_steps_ >= most_on_average_ * steps_;
    if (in_call < most_ && !is_slow_on_average) return false;
    End();
    return true;
  }

  SequenceNumber active_since_ = kMaxSequenceNumber;
  uint64_t most_ = 0;
  uint64_t most_on_average_ = 0;
  uint64_t in_call_ = 0;
  uint64_t steps_ = 0;     // since the last seek
  uint64_t in_steps_ = 0;  // hidden in all of them
};

}  // namespace ROCKSDB_NAMESPACE
