#include "memtable/memtable_counts.h"

#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

void MemTableCounts::NoteSequence(SequenceNumber sequence) {
  SequenceNumber first = first_sequence_.load(std::memory_order_relaxed);
  while (sequence < first && !first_sequence_.compare_exchange_weak(
                                 first, sequence, std::memory_order_relaxed)) {
  }
}

SequenceNumber MemTableCounts::first_sequence() const {
  const SequenceNumber first = first_sequence_.load(std::memory_order_relaxed);
  return first == kMaxSequenceNumber ? 0 : first;
}

// If several threads are the first at once, the time of one of them is kept.
void MemTableCounts::NoteFirstTime(SystemClock* clock) {
  if (clock == nullptr) return;
  int64_t now = 0;
  if (!clock->GetCurrentTime(&now).ok() || now <= 0) return;
  uint64_t unknown = 0;
  oldest_key_seconds_.compare_exchange_strong(
      unknown, static_cast<uint64_t>(now), std::memory_order_relaxed);
}

}  // namespace ROCKSDB_NAMESPACE
