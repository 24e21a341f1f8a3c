// The moments that transactions without a snapshot look back to: compactions
// keep, of each key, the newest version that is newer, with its sequence.
//
// A floor is a snapshot that nobody reads from: it costs less to take, and
// giving it back asks for no compaction.
//
// Threads    Any; a lock of its own, below all others.
// Ownership  Borrows the floors.
#pragma once

#include <atomic>

#include "rocksdb/types.h"
#include "util/invariant.h"
#include "util/key/internal_key.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

// Held by one transaction. Neither copied nor moved while it is held.
class ConflictFloor {
 public:
  ConflictFloor() = default;
  ~ConflictFloor() { INVARIANT(!is_held_); }
  ConflictFloor(const ConflictFloor&) = delete;
  ConflictFloor& operator=(const ConflictFloor&) = delete;

  bool is_held() const { return is_held_; }

 private:
  friend class ConflictFloors;

  bool is_held_ = false;
  SequenceNumber sequence_ = 0;
  ConflictFloor* older_ = nullptr;
  ConflictFloor* newer_ = nullptr;
};

class ConflictFloors {
 public:
  // `last_sequence` is asked under the lock, so that floors ascend.
  template <class LastSequence>
  void Hold(ConflictFloor* floor, const LastSequence& last_sequence) {
    INVARIANT(floor != nullptr);
    const MutexLock lock(&mutex_);
    INVARIANT(!floor->is_held_);
    are_in_use_.store(true, std::memory_order_relaxed);
    floor->is_held_ = true;
    floor->sequence_ = last_sequence();
    floor->newer_ = nullptr;
    floor->older_ = newest_;
    if (newest_ != nullptr) {
      INVARIANT(newest_->sequence_ <= floor->sequence_);
      newest_->newer_ = floor;
    } else {
      oldest_ = floor;
    }
    newest_ = floor;
  }

  void Release(ConflictFloor* floor) {
    INVARIANT(floor != nullptr);
    const MutexLock lock(&mutex_);
    INVARIANT(floor->is_held_);
    floor->is_held_ = false;
    (floor->older_ != nullptr ? floor->older_->newer_ : oldest_) =
        floor->newer_;
    (floor->newer_ != nullptr ? floor->newer_->older_ : newest_) =
        floor->older_;
  }

  // Has there ever been one?
  bool are_in_use() const {
    return are_in_use_.load(std::memory_order_relaxed);
  }

  // kMaxSequenceNumber: none is held.
  SequenceNumber Oldest() const {
    const MutexLock lock(&mutex_);
    return oldest_ != nullptr ? oldest_->sequence_ : kMaxSequenceNumber;
  }

 private:
  mutable Mutex mutex_;
  std::atomic<bool> are_in_use_{false};
  ConflictFloor* oldest_ GUARDED_BY(mutex_) = nullptr;
  ConflictFloor* newest_ GUARDED_BY(mutex_) = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
