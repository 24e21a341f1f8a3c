#include "db/read/tombstone_survivors.h"

#include <cassert>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The part of `fragment` in `range`; false if there is none.
bool CutTo(const Comparator& order, const TombstoneRange& range,
           FragmentedTombstones::Fragment* fragment) {
  assert(fragment != nullptr);
  assert(order.Compare(fragment->begin, fragment->end) < 0);
  if (range.lower && order.Compare(fragment->begin, *range.lower) < 0) {
    fragment->begin = *range.lower;
  }
  if (range.upper && order.Compare(fragment->end, *range.upper) > 0) {
    fragment->end = *range.upper;
  }
  return order.Compare(fragment->begin, fragment->end) < 0;
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
  const size_t first =
      range.lower ? tombstones.FirstEndingAfter(*range.lower) : 0;
  assert(first <= tombstones.size());
  for (size_t i = first; i < tombstones.size(); ++i) {
    FragmentedTombstones::Fragment fragment = tombstones.at(i);
    assert(!fragment.sequences.empty());
    // Fragments ascend: the first that begins at or after the end is the last
    // to look at.
    if (!CutTo(order, range, &fragment)) break;
    std::optional<size_t> stripe_before;
    for (SequenceNumber sequence : fragment.sequences) {
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
      survivors->push_back({fragment.begin, fragment.end, sequence});
    }
  }
  return gone;
}

}  // namespace ROCKSDB_NAMESPACE
