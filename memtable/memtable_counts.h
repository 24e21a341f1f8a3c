// What is counted of a memtable's entries.
//
// Threads  Safe for concurrent use; each figure by itself.
#pragma once

#include <atomic>
#include <cstdint>

#include "rocksdb/types.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class SystemClock;

class MemTableCounts {
 public:
  // What some entries add, counted apart, so that a group of writes pays for
  // one update of the shared counters.
  struct Delta {
    uint64_t entries = 0;
    uint64_t deletes = 0;  // without range_deletes
    uint64_t range_deletes = 0;
    uint64_t data_bytes = 0;
  };
  void Add(const Delta& delta) {
    const auto add = [](std::atomic<uint64_t>* counter, uint64_t n) {
      if (n > 0) counter->fetch_add(n, std::memory_order_relaxed);
    };
    add(&entries_, delta.entries);
    add(&deletes_, delta.deletes);
    add(&range_deletes_, delta.range_deletes);
    add(&data_bytes_, delta.data_bytes);
  }
  void NoteSequence(SequenceNumber sequence);
  // There are entries. The first time is kept. Null: nobody asks.
  void NoteTime(SystemClock* clock) {
    if (oldest_key_seconds() == 0) [[unlikely]]
      NoteFirstTime(clock);
  }
  // The entries are from `other`, and older ones than those are not there.
  void InheritTime(const MemTableCounts& other) {
    oldest_key_seconds_.store(other.oldest_key_seconds(),
                              std::memory_order_relaxed);
  }

  // Point entries and range tombstones.
  uint64_t entries() const { return Load(entries_); }
  // Point and single deletions. Range tombstones are counted apart, as the
  // properties of RocksDB have them.
  uint64_t deletes() const { return Load(deletes_); }
  uint64_t range_deletes() const { return Load(range_deletes_); }
  // Bytes of internal keys and values.
  uint64_t data_bytes() const { return Load(data_bytes_); }
  // When the first entry came, in seconds since 1970; 0 = none has, or the
  // clock cannot tell.
  uint64_t oldest_key_seconds() const { return Load(oldest_key_seconds_); }
  // The smallest sequence that was added; 0 = none.
  SequenceNumber first_sequence() const;

 private:
  void NoteFirstTime(SystemClock* clock);
  static uint64_t Load(const std::atomic<uint64_t>& counter) {
    return counter.load(std::memory_order_relaxed);
  }

  std::atomic<uint64_t> entries_{0};
  std::atomic<uint64_t> deletes_{0};
  std::atomic<uint64_t> range_deletes_{0};
  std::atomic<uint64_t> data_bytes_{0};
  std::atomic<uint64_t> oldest_key_seconds_{0};
  std::atomic<SequenceNumber> first_sequence_{kMaxSequenceNumber};
};

}  // namespace ROCKSDB_NAMESPACE
