#include "memtable/memtable_counts.h"

#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

void MemTableCounts::Add(const Delta& delta) {
  const auto add = [](std::atomic<uint64_t>* counter, uint64_t n) {
    if (n > 0) counter->fetch_add(n, std::memory_order_relaxed);
  };
  add(&entries_, delta.entries);
  add(&deletes_, delta.deletes);
  add(&range_deletes_, delta.range_deletes);
  add(&data_bytes_, delta.data_bytes);
}

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

// Of several threads that are the first, one is heard.
void MemTableCounts::NoteTime(SystemClock* clock) {
  if (clock == nullptr || oldest_key_seconds() != 0) [[likely]]
    return;
  int64_t now = 0;
  if (!clock->GetCurrentTime(&now).ok() || now <= 0) return;
  uint64_t unknown = 0;
  oldest_key_seconds_.compare_exchange_strong(
      unknown, static_cast<uint64_t>(now), std::memory_order_relaxed);
}

}  // namespace ROCKSDB_NAMESPACE
