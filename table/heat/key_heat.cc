#include "table/heat/key_heat.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void KeyHeat::Add(Ranges ranges) {
  if (ranges.empty()) return;
  if constexpr (kDeepChecks) {
    for (size_t i = 1; i < ranges.size(); ++i) {
      INVARIANT(order_.CompareUserKeys(ranges[i - 1].end, ranges[i].begin) <=
                0);
    }
  }
  for (const HeatRange& range : ranges) bytes_ += range.bytes;
  if (sources_.empty() ||
      order_.CompareUserKeys(sources_.back().ranges.back().end,
                             ranges.front().begin) >= 0) {
    sources_.push_back({std::move(ranges)});
    return;
  }
  Ranges& last = sources_.back().ranges;
  last.insert(last.end(), std::make_move_iterator(ranges.begin()),
              std::make_move_iterator(ranges.end()));
}

void KeyHeat::Restart() {
  for (Source& source : sources_) source.next = 0;
}

bool KeyHeat::EndsBefore(const HeatRange& range, const Slice& begin) const {
  return order_.CompareUserKeys(range.end, begin) <= 0;
}

bool KeyHeat::BeginsAfter(const HeatRange& range, const Slice& end) const {
  const int order = order_.CompareUserKeys(range.begin, end);
  return order > 0 || (order == 0 && !range.begins_at);
}

KeyHeat::Heat KeyHeat::Of(const Slice& begin, const Slice& end) {
  Heat most;
  for (Source& source : sources_) {
    const Ranges& ranges = source.ranges;
    while (source.next < ranges.size() &&
           EndsBefore(ranges[source.next], begin)) {
      ++source.next;
    }
    for (size_t i = source.next;
         i < ranges.size() && !BeginsAfter(ranges[i], end); ++i) {
      most.heat = std::max(most.heat, ranges[i].heat);
      most.is_cached = most.is_cached || ranges[i].is_cached;
      most.is_resident = most.is_resident || ranges[i].is_resident;
    }
  }
  return most;
}

}  // namespace ROCKSDB_NAMESPACE
