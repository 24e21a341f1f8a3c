// Ranges of keys of which none overlaps another: those that one owner has
// locked in one way.
//
// An end of a range is a key, or stands behind every key with a prefix.
//
// Threads    As a standard container.
// Ownership  Owns copies of the ends.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "rocksdb/comparator.h"
#include "rocksdb/utilities/transaction_db.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// Their order: that of the keys, with ends behind a prefix between them.
class RangeEndOrder {
 public:
  using is_transparent = void;

  explicit RangeEndOrder(const Comparator* keys) : keys_(keys) {}

  int Compare(const Endpoint& a, const Endpoint& b) const {
    if (a.inf_suffix && b.slice.starts_with(a.slice)) {
      return b.inf_suffix && a.slice.size() == b.slice.size() ? 0 : 1;
    }
    if (b.inf_suffix && a.slice.starts_with(b.slice)) return -1;
    return keys_->CompareWithoutTimestamp(a.slice, /*a_has_ts=*/false, b.slice,
                                          /*b_has_ts=*/false);
  }
  template <class A, class B>  // Endpoint or EndpointWithString
  bool operator()(const A& a, const B& b) const {
    return Compare(View(a), View(b)) < 0;
  }

  static Endpoint View(const EndpointWithString& end) {
    return Endpoint(Slice(end.slice), end.inf_suffix);
  }
  static Endpoint View(const Endpoint& end) { return end; }
  static EndpointWithString Copy(const Endpoint& end) {
    return {end.slice.ToString(), end.inf_suffix};
  }

 private:
  const Comparator* keys_;
};

class RangeSet {
 public:
  using Ranges =
      std::map<EndpointWithString, EndpointWithString, RangeEndOrder>;

  explicit RangeSet(const RangeEndOrder& order)
      : order_(order), ranges_(order) {}

  // Has it any key of the range?
  bool Overlaps(const Endpoint& start, const Endpoint& end) const {
    const auto last = LastFrom(end);
    return last != ranges_.end() &&
           order_.Compare(RangeEndOrder::View(last->second), start) >= 0;
  }
  // Has it, in one of its ranges, the whole range?
  bool Covers(const Endpoint& start, const Endpoint& end) const {
    const auto last = LastFrom(start);
    return last != ranges_.end() &&
           order_.Compare(RangeEndOrder::View(last->second), end) >= 0;
  }
  // Adds a range, which becomes one with those that it overlaps.
  void Add(const Endpoint& start, const Endpoint& end) {
    EndpointWithString from = RangeEndOrder::Copy(start);
    EndpointWithString to = RangeEndOrder::Copy(end);
    for (auto last = LastFrom(end);
         last != ranges_.end() &&
         order_.Compare(RangeEndOrder::View(last->second), start) >= 0;
         last = LastFrom(end)) {
      if (order_(to, last->second)) to = last->second;
      if (order_(last->first, from)) from = last->first;
      Erase(last);
    }
    bytes_ += BytesOf(from, to);
    const bool is_new = ranges_.emplace(std::move(from), std::move(to)).second;
    INVARIANT(is_new);
  }
  // Takes out every range that overlaps this one, as a whole.
  void Remove(const Endpoint& start, const Endpoint& end) {
    for (auto last = LastFrom(end);
         last != ranges_.end() &&
         order_.Compare(RangeEndOrder::View(last->second), start) >= 0;
         last = LastFrom(end)) {
      Erase(last);
    }
  }
  // Makes one range of neighbours, and of what is between them, where
  // `may_join(start, end, next_start, next_end)` says so.
  template <class MayJoin>
  void Join(const MayJoin& may_join) {
    for (auto range = ranges_.begin(); range != ranges_.end();) {
      const auto next = std::next(range);
      if (next == ranges_.end()) return;
      if (!may_join(range->first, range->second, next->first, next->second)) {
        range = next;
        continue;
      }
      bytes_ -= BytesOf(range->first, range->second);
      range->second = next->second;
      bytes_ += BytesOf(range->first, range->second);
      Erase(next);
    }
  }

  const Ranges& ranges() const { return ranges_; }
  bool empty() const { return ranges_.empty(); }
  // What the ranges take, about.
  size_t bytes() const { return bytes_; }

 private:
  static size_t BytesOf(const EndpointWithString& from,
                        const EndpointWithString& to) {
    constexpr size_t kNode = 128;  // a node of the map, with two strings
    return kNode + from.slice.size() + to.slice.size();
  }
  void Erase(Ranges::const_iterator range) {
    bytes_ -= BytesOf(range->first, range->second);
    ranges_.erase(range);
  }
  // The last range that begins at `end` or before it.
  Ranges::const_iterator LastFrom(const Endpoint& end) const {
    const auto behind = ranges_.upper_bound(end);
    return behind == ranges_.begin() ? ranges_.end() : std::prev(behind);
  }

  const RangeEndOrder order_;
  Ranges ranges_;
  size_t bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
