// The snapshots that users hold, and how far back jobs must keep versions for
// them and for transactions.
//
// Threads    Every call under the DB mutex.
// Ownership  Owns each snapshot until Release().
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "db/semantics/conflict_floors.h"
#include "rocksdb/snapshot.h"
#include "util/invariant.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class SnapshotImpl final : public Snapshot {
 public:
  // `timestamp`: UINT64_MAX: it has none.
  SnapshotImpl(SequenceNumber sequence, int64_t unix_seconds,
               uint64_t timestamp = UINT64_MAX)
      : sequence_(sequence),
        unix_seconds_(unix_seconds),
        timestamp_(timestamp) {
    INVARIANT(sequence_ <= kMaxSequenceNumber);
  }
  SequenceNumber GetSequenceNumber() const override { return sequence_; }
  int64_t GetUnixTime() const override { return unix_seconds_; }
  uint64_t GetTimestamp() const override { return timestamp_; }

 private:
  const SequenceNumber sequence_;
  const int64_t unix_seconds_;
  const uint64_t timestamp_;
};

class SnapshotList {
 public:
  // `floors`, which are borrowed: what transactions look back to. Null: there
  // are none.
  explicit SnapshotList(const ConflictFloors* floors = nullptr)
      : floors_(floors) {}

  // Sequences never decrease, so that the list stays sorted.
  const Snapshot* Add(SequenceNumber sequence, int64_t unix_seconds,
                      uint64_t timestamp = UINT64_MAX) {
    INVARIANT(snapshots_.empty() ||
              snapshots_.back()->GetSequenceNumber() <= sequence);
    snapshots_.push_back(
        std::make_unique<SnapshotImpl>(sequence, unix_seconds, timestamp));
    const Snapshot* const added = snapshots_.back().get();
    places_[added] = std::prev(snapshots_.end());
    return added;
  }

  // One that is not in the list, such as another database's, stays as it is.
  void Release(const Snapshot* snapshot) {
    INVARIANT(snapshot != nullptr);
    const auto place = places_.find(snapshot);
    if (place == places_.end()) return;
    snapshots_.erase(place->second);
    places_.erase(place);
  }

  bool empty() const { return snapshots_.empty(); }
  size_t size() const { return snapshots_.size(); }
  const SnapshotImpl* oldest() const {
    return snapshots_.empty() ? nullptr : snapshots_.front().get();
  }
  // The lowest sequence of any snapshot or floor; `last` where there is none.
  SequenceNumber OldestToKeep(SequenceNumber last) const {
    const SnapshotImpl* first = oldest();
    const SequenceNumber sequence =
        first == nullptr ? last : first->GetSequenceNumber();
    return std::min(sequence, OldestFloor());
  }
  // Ascending, each once: what jobs must not merge over.
  std::vector<SequenceNumber> SequencesToKeep() const {
    std::vector<SequenceNumber> sequences = Sequences();
    // What is newer than the oldest floor is newer than the others, or is not
    // asked for: each key's newest version stays, with its sequence.
    const SequenceNumber floor = OldestFloor();
    if (floor == kMaxSequenceNumber) return sequences;
    const auto place =
        std::lower_bound(sequences.begin(), sequences.end(), floor);
    if (place == sequences.end() || *place != floor) {
      sequences.insert(place, floor);
    }
    return sequences;
  }
  // Ascending, each sequence once.
  std::vector<SequenceNumber> Sequences() const {
    std::vector<SequenceNumber> sequences;
    for (const auto& snapshot : snapshots_) {
      const SequenceNumber s = snapshot->GetSequenceNumber();
      INVARIANT(sequences.empty() || sequences.back() <= s);
      if (sequences.empty() || sequences.back() != s) sequences.push_back(s);
    }
    return sequences;
  }

 private:
  SequenceNumber OldestFloor() const {
    return floors_ == nullptr ? kMaxSequenceNumber : floors_->Oldest();
  }

  const ConflictFloors* const floors_;
  using Snapshots = std::list<std::unique_ptr<SnapshotImpl>>;
  Snapshots snapshots_;  // oldest first
  std::unordered_map<const Snapshot*, Snapshots::iterator> places_;
};

}  // namespace ROCKSDB_NAMESPACE
