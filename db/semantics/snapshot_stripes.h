// The sequences between two neighbouring snapshots: a stripe. Of the versions
// of a key in one stripe, no reader sees any but the newest (db-format.md 9).
//
// Stripes count from 0, the oldest: what every live snapshot sees.
//
// Threads  Immutable.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

#include "rocksdb/types.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class SnapshotStripes {
 public:
  SnapshotStripes() = default;
  // `snapshots` in ascending order; some may be equal.
  explicit SnapshotStripes(std::vector<SequenceNumber> snapshots)
      : snapshots_(std::move(snapshots)) {
    assert(std::is_sorted(snapshots_.begin(), snapshots_.end()));
    snapshots_.erase(std::unique(snapshots_.begin(), snapshots_.end()),
                     snapshots_.end());
    assert(snapshots_.empty() || snapshots_.back() <= kMaxSequenceNumber);
  }

  // The stripe that `sequence` is in.
  size_t Of(SequenceNumber sequence) const {
    assert(sequence <= kMaxSequenceNumber);
    if (snapshots_.empty()) return 0;
    const auto stripe = static_cast<size_t>(
        std::lower_bound(snapshots_.begin(), snapshots_.end(), sequence) -
        snapshots_.begin());
    assert(sequence <= UpperOf(stripe));
    assert(stripe == 0 || UpperOf(stripe - 1) < sequence);
    return stripe;
  }
  // The largest sequence of `stripe`.
  SequenceNumber UpperOf(size_t stripe) const {
    assert(stripe <= snapshots_.size());
    return stripe < snapshots_.size() ? snapshots_[stripe] : kMaxSequenceNumber;
  }
  // Does a snapshot see any of `stripe`?
  bool IsSeenBySnapshots(size_t stripe) const {
    return stripe < snapshots_.size();
  }
  // Every reader, now and later, sees what is in stripe 0.
  static bool IsSeenByAll(size_t stripe) { return stripe == 0; }

 private:
  std::vector<SequenceNumber> snapshots_;
};

}  // namespace ROCKSDB_NAMESPACE
