#include "db/semantics/tombstone_survivors.h"

#include <algorithm>
#include <cassert>

#include "db/semantics/older_data.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The part of `fragment` in `range`; false if there is none.
bool CutTo(const FragmentedTombstones& all, const TombstoneRange& range,
           FragmentedTombstones::Fragment* fragment) {
  assert(fragment != nullptr);
  assert(all.CompareKeys(fragment->begin, fragment->end) < 0);
  if (range.lower && all.CompareKeys(fragment->begin, *range.lower) < 0) {
    fragment->begin = *range.lower;
  }
  if (range.upper && all.CompareKeys(fragment->end, *range.upper) > 0) {
    fragment->end = *range.upper;
  }
  return all.CompareKeys(fragment->begin, fragment->end) < 0;
}

// Is it one that nobody reads as of the time before?
bool IsHistory(const Comparator& order, const Slice& timestamp,
               const Slice& low) {
  if (timestamp.empty()) return true;
  return !low.empty() && order.CompareTimestamp(timestamp, low) < 0;
}

// Sorts the tombstones of one fragment as tables have them: by begin, which is
// the same, then newest timestamp first.
void SortByTimestamp(const Comparator& order,
                     std::vector<RangeTombstone>::iterator first,
                     std::vector<RangeTombstone>::iterator last) {
  std::stable_sort(
      first, last, [&order](const RangeTombstone& a, const RangeTombstone& b) {
        return order.CompareTimestamp(a.timestamp, b.timestamp) > 0;
      });
}

}  // namespace

uint64_t AppendSurvivors(const FragmentedTombstones& tombstones,
                         const TombstoneRange& range,
                         const SnapshotStripes& stripes, const OlderData* older,
                         std::vector<RangeTombstone>* survivors) {
  INVARIANT(survivors != nullptr);
  INVARIANT(tombstones.order() != nullptr);
  uint64_t gone = 0;
  const Comparator& order = *tombstones.order();
  const bool has_timestamps = order.timestamp_size() != 0;
  const size_t first =
      range.lower ? tombstones.FirstEndingAfter(*range.lower) : 0;
  assert(first <= tombstones.size());
  for (size_t i = first; i < tombstones.size(); ++i) {
    FragmentedTombstones::Fragment fragment = tombstones.at(i);
    assert(!fragment.sequences.empty());
    // Fragments ascend: the first that begins at or after the end is the last
    // to look at.
    if (!CutTo(tombstones, range, &fragment)) break;
    const size_t before = survivors->size();
    std::optional<size_t> stripe_before;
    for (size_t n = 0; n < fragment.sequences.size(); ++n) {
      const SequenceNumber sequence = fragment.sequences[n];
      if (!IsHistory(order, fragment.timestamp(n), range.full_history_ts_low)) {
        survivors->push_back(fragment.tombstone(n));
        continue;
      }
      const size_t stripe = stripes.Of(sequence);
      assert(!stripe_before || stripe <= *stripe_before);
      // A newer one of the same stripe deletes all that this one does.
      const bool is_outdone = stripe_before == stripe;
      stripe_before = stripe;
      const bool is_idle = older != nullptr &&
                           SnapshotStripes::IsSeenByAll(stripe) &&
                           !older->MayHoldRange(fragment.begin, fragment.end);
      if (is_outdone || is_idle) {
        ++gone;
        continue;
      }
      assert(sequence <= stripes.UpperOf(stripe));
      survivors->push_back(fragment.tombstone(n));
    }
    if (has_timestamps) {
      SortByTimestamp(order, survivors->begin() + before, survivors->end());
    }
  }
  return gone;
}

}  // namespace ROCKSDB_NAMESPACE
