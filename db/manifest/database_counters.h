// The counters that a whole database shares: the number that the next file
// gets, and the last sequence that reads may see.
//
// Threads  Any; atomic.
#pragma once

#include <atomic>
#include <cstdint>

#include "rocksdb/types.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class DatabaseCounters {
 public:
  uint64_t NewFileNumber() { return next_file_number_.fetch_add(1); }
  uint64_t next_file_number() const { return next_file_number_.load(); }
  // The counter becomes greater than `number`.
  void MarkFileNumberUsed(uint64_t number) {
    INVARIANT(number != UINT64_MAX);
    uint64_t next = next_file_number_.load();
    while (next <= number &&
           !next_file_number_.compare_exchange_weak(next, number + 1)) {
    }
  }

  // release/acquire: whoever sees it sees the memtable entries up to it.
  SequenceNumber LastSequence() const {
    return last_sequence_.load(std::memory_order_acquire);
  }
  void SetLastSequence(SequenceNumber sequence) {
    last_sequence_.store(sequence, std::memory_order_release);
  }

 private:
  std::atomic<uint64_t> next_file_number_{2};
  std::atomic<SequenceNumber> last_sequence_{0};
};

}  // namespace ROCKSDB_NAMESPACE
