// What must still be there after a flush or compaction for those who read, now
// and later: which stripe a version is in, what is history, when nothing below
// is left that a version has to outrank or to delete.
//
// What an entry means to a reader of one moment is in entry_rules.h; here all
// readers count, by the snapshots between them.
//
// Threads  One thread: OlderData is asked for keys in ascending order.
#pragma once

#include <cassert>
#include <cstddef>

#include "db/semantics/older_data.h"
#include "db/semantics/snapshot_stripes.h"
#include "rocksdb/comparator.h"
#include "util/invariant.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class SurvivalRules {
 public:
  struct Context {
    const SnapshotStripes* stripes = nullptr;
    // Null: anything may be below, so tombstones stay (a flush).
    OlderData* older = nullptr;
    // Nothing at all is below: versions that all see lose their sequence.
    bool is_bottommost = false;
    // But those with larger ones, which tell when they were written.
    SequenceNumber zeroes_up_to = kMaxSequenceNumber;
    // Nobody reads as of an older timestamp; empty = somebody may.
    Slice full_history_ts_low = {};
    // Versions with a newer one are left out; empty = none are.
    Slice trim_ts = {};
  };

  SurvivalRules(const Context& context, const InternalKeyComparator& order)
      : context_(context),
        order_(order),
        timestamp_size_(order.timestamp_size()) {
    INVARIANT(context_.stripes != nullptr);
    // Only a compaction knows what is below.
    INVARIANT(!context_.is_bottommost || context_.older != nullptr);
    INVARIANT(context_.full_history_ts_low.empty() ||
              context_.full_history_ts_low.size() == timestamp_size_);
    INVARIANT(context_.trim_ts.empty() ||
              context_.trim_ts.size() == timestamp_size_);
  }

  const InternalKeyComparator& order() const { return order_; }
  size_t timestamp_size() const { return timestamp_size_; }
  bool is_bottommost() const { return context_.is_bottommost; }

  size_t StripeOf(SequenceNumber sequence) const {
    return context_.stripes->Of(sequence);
  }
  SequenceNumber UpperOf(size_t stripe) const {
    return context_.stripes->UpperOf(stripe);
  }
  bool IsSeenBySnapshots(size_t stripe) const {
    return context_.stripes->IsSeenBySnapshots(stripe);
  }

  // --- timestamps
  // Does nobody read as of it any more?
  bool IsHistory(const Slice& timestamp) const {
    return !context_.full_history_ts_low.empty() &&
           CompareTimestamps(timestamp, context_.full_history_ts_low) < 0;
  }
  bool HasTrimming() const { return !context_.trim_ts.empty(); }
  bool IsTrimmed(const Slice& timestamp) const {
    assert(HasTrimming());
    return CompareTimestamps(timestamp, context_.trim_ts) > 0;
  }
  int CompareTimestamps(const Slice& a, const Slice& b) const {
    assert(timestamp_size_ != 0);
    return order_.user_comparator()->CompareTimestamp(a, b);
  }

  // --- of versions that nobody reads as of their timestamp
  // Does every reader see it, with nothing below?
  bool IsLast(SequenceNumber sequence) const {
    return context_.is_bottommost &&
           SnapshotStripes::IsSeenByAll(StripeOf(sequence));
  }
  // Sequence 0 is safe at the bottom: every live snapshot already sees this
  // version, no deeper run holds an older one to outrank, and the range
  // tombstones below it that it outranks are dropped by the same rule. Equal
  // trailers compress away.
  bool LosesSequence(SequenceNumber sequence, ValueType type) const {
    return context_.is_bottommost && sequence <= context_.zeroes_up_to &&
           (type == kTypeValue || type == kTypeWideColumnEntity ||
            type == kTypeBlobIndex) &&
           SnapshotStripes::IsSeenByAll(StripeOf(sequence));
  }
  // A point tombstone that every reader sees may go once nothing is below it.
  bool HasNothingToDelete(size_t stripe, const Slice& user_key) const {
    return context_.older != nullptr && SnapshotStripes::IsSeenByAll(stripe) &&
           !context_.older->MayHold(user_key);
  }

 private:
  const Context context_;
  const InternalKeyComparator& order_;
  const size_t timestamp_size_;
};

}  // namespace ROCKSDB_NAMESPACE
