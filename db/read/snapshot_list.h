// The snapshots that users hold.
//
// Threads    Every call under the DB mutex.
// Ownership  Owns each snapshot until Release().
#pragma once

#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "rocksdb/snapshot.h"
#include "util/invariant.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class SnapshotImpl final : public Snapshot {
 public:
  SnapshotImpl(SequenceNumber sequence, int64_t unix_seconds)
      : sequence_(sequence), unix_seconds_(unix_seconds) {
    INVARIANT(sequence_ <= kMaxSequenceNumber);
  }
  SequenceNumber GetSequenceNumber() const override { return sequence_; }
  int64_t GetUnixTime() const override { return unix_seconds_; }
  uint64_t GetTimestamp() const override { return UINT64_MAX; }

 private:
  const SequenceNumber sequence_;
  const int64_t unix_seconds_;
};

class SnapshotList {
 public:
  // Sequences never decrease, so that the list stays sorted.
  const Snapshot* Add(SequenceNumber sequence, int64_t unix_seconds) {
    INVARIANT(snapshots_.empty() ||
              snapshots_.back()->GetSequenceNumber() <= sequence);
    snapshots_.push_back(
        std::make_unique<SnapshotImpl>(sequence, unix_seconds));
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
  using Snapshots = std::list<std::unique_ptr<SnapshotImpl>>;
  Snapshots snapshots_;  // oldest first
  std::unordered_map<const Snapshot*, Snapshots::iterator> places_;
};

}  // namespace ROCKSDB_NAMESPACE
