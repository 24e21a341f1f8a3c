// What each key held as of recent user-defined timestamps.
//
// The last few writes of each key are remembered with their stamps. A read as
// of a stamp may find the last write up to that stamp that was acknowledged
// when the read began, or any later write up to that stamp. Only bounds are
// known of the writes that are no longer remembered.
//
// Threads    Any. Writes of one key: one thread at a time, by ascending stamps.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "db_stress_tool/write_trace.h"

namespace ROCKSDB_NAMESPACE::stress {

class StampHistory {
 public:
  explicit StampHistory(size_t key_count) : keys_(key_count) {}

  // Forgets all but what is there, which has some stamp up to `newest`.
  void Reset(size_t key, Word present, Stamp newest);
  void Begin(size_t key, Stamp stamp, Word word);
  void Acknowledge(size_t key, Word word);

  // The ends of a Window: what a read as of `as_of` that begins now finds at
  // least, and what one that ends now finds at most.
  Word Acknowledged(size_t key, Stamp as_of) const;
  Word Begun(size_t key, Stamp as_of) const;

 private:
  struct Entry {
    Stamp stamp = 0;
    Word word = 0;
    bool is_acknowledged = false;
  };
  struct Key {
    // Oldest first. The one that Reset() left has no stamp of its own.
    std::array<Entry, 4> entries{};
    uint8_t count = 0;
    bool begins_with_base = false;
  };

  std::mutex& LockOf(size_t key) const { return locks_[key % locks_.size()]; }

  std::vector<Key> keys_;
  mutable std::array<std::mutex, 256> locks_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
