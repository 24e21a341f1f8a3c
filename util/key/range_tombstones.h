// Range tombstones, cut into fragments that do not overlap.
//
// A range tombstone (begin, end, sequence) deletes every version of a user key
// k with begin <= k < end that is older than it. Tombstones as written overlap
// freely; every question about them ("is this version deleted?", "up to
// where?") becomes a binary search once they are cut at each other's borders.
//
// Invariant  Fragments are sorted, disjoint, not empty; each has at least one
//            sequence, newest first.
// Threads    FragmentedTombstones is immutable: any thread, no lock.
// Ownership  Owns every byte that it returns; cursors and clipped views share
//            it (a shared_ptr), so that they outlive the file that it is from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

struct RangeTombstone {
  Slice begin;  // user keys
  Slice end;
  SequenceNumber sequence = 0;
};

class FragmentedTombstones {
  struct PassKey {};  // Only Build() and Clip() make one.

 public:
  FragmentedTombstones(PassKey, const Comparator* order) : order_(order) {}

  struct Fragment {
    Slice begin;
    Slice end;
    std::span<const SequenceNumber> sequences;  // newest first
  };

  // Copies and cuts `tombstones` (any order, overlapping; empty ranges are
  // ignored). Cost: O(n log n + pieces).
  static std::shared_ptr<const FragmentedTombstones> Build(
      const std::vector<RangeTombstone>& tombstones, const Comparator* order);

  // The same fragments cut to [lower, upper) in user keys, or with kInclusive
  // to [lower, upper]; nullptr = no bound. Keeps this object's order. A file's
  // tombstones are clipped to the file's boundaries before anything else uses
  // them (db-format.md 9.6).
  enum class UpperBound : uint8_t { kExclusive, kInclusive };
  std::shared_ptr<const FragmentedTombstones> Clip(
      const Slice* lower, const Slice* upper,
      UpperBound kind = UpperBound::kExclusive) const;

  bool empty() const { return fragments_.empty(); }
  size_t size() const { return fragments_.size(); }
  Fragment at(size_t index) const;
  size_t memory_bytes() const;
  SequenceNumber newest_sequence() const { return newest_; }

  // Every key of the fragment at `index` is before `user_key`.
  bool EndsBefore(size_t index, const Slice& user_key) const;
  // The index of the first fragment that does not end before `user_key`;
  // size() if there is none.
  size_t FirstEndingAfter(const Slice& user_key) const;

  // The newest tombstone sequence <= `upper` that covers `user_key`; 0 = none.
  // (Sequence 0 deletes nothing, so 0 is free to say so.)
  SequenceNumber MaxCovering(const Slice& user_key, SequenceNumber upper) const;

  // The newest sequence <= `upper` of the fragment at `index`; 0 = none.
  SequenceNumber NewestUpTo(size_t index, SequenceNumber upper) const;

  const Comparator* order() const { return order_; }

 private:
  struct Piece {
    size_t begin_offset, begin_size, end_offset, end_size;
    size_t first_sequence, sequence_count;
  };
  size_t Store(const Slice& key);
  template <class Sequences>
  void Append(const Slice& begin, const Slice& end,
              const Sequences& newest_first);

  const Comparator* order_;
  std::string bytes_;
  std::vector<Piece> fragments_;
  std::vector<SequenceNumber> sequences_;
  SequenceNumber newest_ = 0;
  // The end of the last fragment is a key of it: cut by Clip() at an upper
  // bound that is inclusive, in an order where no key is the next one.
  bool includes_last_end_ = false;
};

// Answers MaxCovering() for a run of nearby keys: remembers the fragment (or
// the gap) of the last question, so that a scan pays one comparison a key.
class TombstoneCursor {
 public:
  TombstoneCursor(std::shared_ptr<const FragmentedTombstones> tombstones,
                  SequenceNumber upper);

  // As FragmentedTombstones::MaxCovering(user_key, upper).
  SequenceNumber MaxCovering(const Slice& user_key);
  // The end (exclusive, user key) of the interval around the last asked key
  // over which the answer stays the same going forward; nullopt = no end.
  std::optional<Slice> AnswerEnd() const;
  // The begin (inclusive) of that interval going backward.
  std::optional<Slice> AnswerBegin() const;

 private:
  void Locate(const Slice& user_key);
  bool IsInInterval(const Slice& user_key) const;

  std::shared_ptr<const FragmentedTombstones> tombstones_;
  SequenceNumber upper_;
  size_t index_ = 0;  // first fragment ending after the last key
  SequenceNumber answer_ = 0;
  bool is_inside_ = false;  // the last key is in fragment index_, not before
  bool located_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
