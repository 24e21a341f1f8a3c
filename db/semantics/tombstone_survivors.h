// Which range tombstones a flush or compaction must write again
// (db-format.md 9.6).
//
// Threads  Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "db/semantics/snapshot_stripes.h"
#include "util/key/range_tombstones.h"

namespace ROCKSDB_NAMESPACE {

class OlderData;

struct TombstoneRange {
  std::optional<Slice> lower = {};  // stored user keys, inclusive
  std::optional<Slice> upper = {};  // exclusive
  // Tombstones with this timestamp or a newer one all stay: somebody may read
  // as of the time before them. Empty: all that have a timestamp.
  Slice full_history_ts_low = {};
};

// Appends the pieces of `tombstones` within `range` that still delete
// something, cut to it, in the order of internal keys. Of each fragment the
// newest sequence in each stripe stays. One that every reader sees goes when
// `older` has nothing left for it to delete; null: nothing goes (a flush). With
// timestamps, that is so of those that are history (compaction_iterator.h).
// The slices point into `tombstones` and `range`. Returns how many went.
uint64_t AppendSurvivors(const FragmentedTombstones& tombstones,
                         const TombstoneRange& range,
                         const SnapshotStripes& stripes, const OlderData* older,
                         std::vector<RangeTombstone>* survivors);

}  // namespace ROCKSDB_NAMESPACE
