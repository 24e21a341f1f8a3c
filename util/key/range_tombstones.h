// Range tombstones, cut into fragments that do not overlap.
//
// A range tombstone (begin, end, sequence) deletes every version of a user key
// k with begin <= k < end that is older than it. Tombstones as written overlap
// freely; every question about them ("is this version deleted?", "up to
// where?") becomes a binary search once they are cut at each other's borders.
//
// Where keys have timestamps, a tombstone has one too, and is seen by those who
// read as of that or a later one. The timestamps of borders do not count; those
// of fragments are the newest possible, so that a seek finds all versions.
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
  Slice begin;  // stored user keys
  Slice end;
  SequenceNumber sequence = 0;
  Slice timestamp = {};  // empty = keys have none
};

// What a reader sees: nothing with a larger sequence, and, unless it is empty,
// nothing with a newer timestamp.
struct TombstoneLimit {
  TombstoneLimit(SequenceNumber up_to,  // NOLINT: mostly there is no other
                 const Slice& as_of = Slice())
      : sequence(up_to), timestamp(as_of) {}

  bool Allows(const RangeTombstone& tombstone, const Comparator& order) const {
    return tombstone.sequence <= sequence &&
           (timestamp.empty() || order.timestamp_size() == 0 ||
            order.CompareTimestamp(tombstone.timestamp, timestamp) <= 0);
  }

  SequenceNumber sequence;
  Slice timestamp;
};

class FragmentedTombstones {
  struct PassKey {};  // Only Build() and Clip() make one.

 public:
  FragmentedTombstones(PassKey, const Comparator* order)
      : order_(order), timestamp_size_(order->timestamp_size()) {}

  struct Fragment {
    Slice begin;
    Slice end;
    std::span<const SequenceNumber> sequences;  // newest first
    Slice timestamps = {};                      // one per sequence, joined

    Slice timestamp(size_t i) const {
      const size_t size = timestamps.size() / sequences.size();
      return Slice(timestamps.data() + i * size, size);
    }
    RangeTombstone tombstone(size_t i) const {
      return {begin, end, sequences[i], timestamp(i)};
    }
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

  // The newest sequence of a tombstone within `limit` that covers `user_key`;
  // 0 = none. (Sequence 0 deletes nothing, so 0 is free to say so.)
  SequenceNumber MaxCovering(const Slice& user_key,
                             const TombstoneLimit& limit) const;

  // The newest sequence within `limit` of the fragment at `index`; 0 = none.
  SequenceNumber NewestUpTo(size_t index, const TombstoneLimit& limit) const;

  // Compares user keys without regard to their timestamps.
  int CompareKeys(const Slice& a, const Slice& b) const {
    return timestamp_size_ == 0 ? order_->Compare(a, b)
                                : order_->CompareWithoutTimestamp(a, b);
  }
  const Comparator* order() const { return order_; }

 private:
  struct Piece {
    size_t begin_offset, begin_size, end_offset, end_size;
    size_t first_sequence, sequence_count;
  };
  // One of the tombstones over a stretch of keys.
  struct Stamp {
    SequenceNumber sequence = 0;
    Slice timestamp;
  };
  struct NewestFirst {
    const Comparator* order;
    bool operator()(const Stamp& a, const Stamp& b) const;
  };
  size_t Store(const Slice& key);
  size_t StoreBorder(const Slice& key);
  template <class Stamps>
  void Append(const Slice& begin, const Slice& end, const Stamps& newest_first);

  const Comparator* order_;
  const size_t timestamp_size_;
  std::string bytes_;
  std::vector<Piece> fragments_;
  std::vector<SequenceNumber> sequences_;
  std::string timestamps_;  // one for each of sequences_, joined
  SequenceNumber newest_ = 0;
  // The end of the last fragment is a key of it: cut by Clip() at an upper
  // bound that is inclusive, in an order where no key is the next one.
  bool includes_last_end_ = false;
};

// Answers MaxCovering() for a run of nearby keys: remembers the fragment (or
// the gap) of the last question, so that a scan pays one comparison a key.
class TombstoneCursor {
 public:
  // What limit.timestamp points to must outlive the cursor.
  TombstoneCursor(std::shared_ptr<const FragmentedTombstones> tombstones,
                  const TombstoneLimit& limit);

  // The answer of FragmentedTombstones::MaxCovering(user_key, limit).
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
  const TombstoneLimit limit_;
  size_t index_ = 0;  // first fragment ending after the last key
  SequenceNumber answer_ = 0;
  bool is_inside_ = false;  // the last key is in fragment index_, not before
  bool located_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
