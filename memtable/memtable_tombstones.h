// The range tombstones of a memtable: as they came, and cut into fragments for
// those who ask often.
//
// Threads    Safe for concurrent use.
// Ownership  The bytes of their keys belong to the memtable's arena.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/key/internal_key.h"
#include "util/key/range_tombstones.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class MemTableTombstones {
 public:
  // Entries end with so many bytes of a checksum of their own.
  MemTableTombstones(const InternalKeyComparator* order, size_t checksum_bytes,
                     KeyText key_text)
      : order_(order), checksum_bytes_(checksum_bytes), key_text_(key_text) {}
  MemTableTombstones(const MemTableTombstones&) = delete;
  MemTableTombstones& operator=(const MemTableTombstones&) = delete;

  // An entry as in entry_tree.h: from its user key to its value.
  void Add(SequenceNumber sequence, const char* entry);

  bool IsAny() const {
    // acquire: pairs with the release in Add().
    return count_.load(std::memory_order_acquire) > 0;
  }
  // All so far; never null. Cut anew after a change only.
  std::shared_ptr<const FragmentedTombstones> All() const;
  // The newest sequence of one within `limit` that covers `user_key`; 0 = none.
  // Cuts anew once as much work went into those that came since: writes and
  // lookups in turns cost O(sqrt n) each, not O(n log n).
  SequenceNumber Newest(const Slice& user_key,
                        const TombstoneLimit& limit) const;
  // Corruption: one is not as it was added. For those who write them to a file.
  Status Verify() const;

  size_t memory_bytes() const;

 private:
  void Cut() const REQUIRES(mutex_);

  const InternalKeyComparator* const order_;
  const size_t checksum_bytes_;
  const KeyText key_text_;
  std::atomic<size_t> count_{0};

  mutable Mutex mutex_;
  std::vector<RangeTombstone> tombstones_ GUARDED_BY(mutex_);
  // The first `cut_count_` of them, cut.
  mutable std::shared_ptr<const FragmentedTombstones> fragments_
      GUARDED_BY(mutex_);
  mutable size_t cut_count_ GUARDED_BY(mutex_) = 0;
  // How many of the others lookups have passed since.
  mutable size_t passed_count_ GUARDED_BY(mutex_) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
