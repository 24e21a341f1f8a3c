// The snapshots that users hold.
//
// Threads    Every call under the DB mutex.
// Ownership  Owns each snapshot until Release().
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <set>
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
    return snapshots_.back().get();
  }

  void Release(const Snapshot* snapshot) {
    INVARIANT(snapshot != nullptr);
    const size_t before = snapshots_.size();
    snapshots_.remove_if([snapshot](const std::unique_ptr<SnapshotImpl>& held) {
      return held.get() == snapshot;
    });
    INVARIANT(snapshots_.size() + 1 == before);
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
  std::list<std::unique_ptr<SnapshotImpl>> snapshots_;  // oldest first
};

}  // namespace ROCKSDB_NAMESPACE
