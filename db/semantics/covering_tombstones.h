// The range tombstones over the keys of a walk that only ascends: which of them
// covers the key that the walk is at?
//
// Hot path   Two comparisons for each user key, none for its other versions.
// Ownership  Shares the tombstones; borrows the rest.
// Threads    One thread.
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <utility>

#include "rocksdb/comparator.h"
#include "util/key/internal_key.h"
#include "util/key/range_tombstones.h"

namespace ROCKSDB_NAMESPACE {

class CoveringTombstones {
 public:
  // Null: there are none. Nobody reads as of a timestamp older than
  // `full_history_ts_low`; empty: somebody may.
  CoveringTombstones(std::shared_ptr<const FragmentedTombstones> all,
                     const InternalKeyComparator& order,
                     const Slice& full_history_ts_low)
      : all_(all != nullptr && !all->empty() ? std::move(all) : nullptr),
        order_(order),
        low_(full_history_ts_low) {
    if (all_ != nullptr) now_ = all_->at(0);
  }

  bool empty() const { return all_ == nullptr; }

  // Keys ascend, so the fragment only moves forward.
  void MoveTo(const Slice& user_key) {
    assert(!empty());
    while (index_ < all_->size() &&
           order_.CompareUserKeys(now_.end, user_key) <= 0) {
      if (++index_ < all_->size()) now_ = all_->at(index_);
    }
    is_inside_ = index_ < all_->size() &&
                 order_.CompareUserKeys(now_.begin, user_key) <= 0;
    assert(!is_inside_ || order_.CompareUserKeys(user_key, now_.end) < 0);
  }

  // The newest up to `upper` over that key, for a version with `timestamp`;
  // 0: none.
  SequenceNumber NewestUpTo(SequenceNumber upper,
                            const Slice& timestamp) const {
    if (!is_inside_) return 0;
    assert(index_ < all_->size());
    return order_.timestamp_size() == 0 ? all_->NewestUpTo(index_, upper)
                                        : NewestForAll(upper, timestamp);
  }

 private:
  // One that everybody sees who may see the version: one that is history, or
  // that has its timestamp. A newer one leaves the version to those who read as
  // of a timestamp between them.
  SequenceNumber NewestForAll(SequenceNumber upper,
                              const Slice& timestamp) const {
    const Comparator& order = *order_.user_comparator();
    for (size_t i = 0; i < now_.sequences.size(); ++i) {
      if (now_.sequences[i] > upper) continue;
      const Slice its_own = now_.timestamp(i);
      const bool is_history =
          !low_.empty() && order.CompareTimestamp(its_own, low_) < 0;
      if (is_history || order.CompareTimestamp(its_own, timestamp) <= 0) {
        return now_.sequences[i];
      }
    }
    return 0;
  }

  const std::shared_ptr<const FragmentedTombstones> all_;
  const InternalKeyComparator& order_;
  const Slice low_;
  // The first fragment that ends after the key; now_ is its content as long as
  // index_ is in range.
  size_t index_ = 0;
  FragmentedTombstones::Fragment now_;
  bool is_inside_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
