// About how many bytes of a version's tables lie in a range of keys, and how
// many of all are live.
//
// Tables that are in the range whole are known by their sizes. One that the
// range cuts has to be opened and asked, unless half of it is near enough.
//
// Threads  Any. The version must stay.
// Errors   Of a table that can't be opened.
#pragma once

#include <cstdint>
#include <vector>

#include "db/tables/table_cache.h"
#include "rocksdb/status.h"
#include "util/key/range_tombstones.h"

namespace ROCKSDB_NAMESPACE {

class VersionStorage;

struct SizeQuery {
  TableCache::KeyRange range;
  // By which share of the answer it may be wrong; 0 and less: as little as
  // possible.
  double error_margin = 0;
};

Status EstimateTableBytes(const TableCache& tables,
                          const VersionStorage& storage,
                          const MutableCFOptions& options,
                          const SizeQuery& query, uint64_t* bytes);

// Range tombstones, and the first level whose data they may cover.
struct CoveredQuery {
  int first_level = 0;
  const std::vector<RangeTombstone>& tombstones;
};

// About how many bytes of the tables of `first_level` and deeper the tombstones
// cover, which ascend by their begins. Of tables that are cut, only the first
// hundred are asked: many small tombstones cover little. Nothing where keys
// have timestamps: there a tombstone frees nothing by itself. Cannot fail; a
// table that cannot be opened counts for nothing.
uint64_t CoveredTableBytes(const TableCache& tables,
                           const VersionStorage& storage,
                           const MutableCFOptions& options,
                           const CoveredQuery& query);

// About how many bytes the tables would have if all were compacted: those whose
// range overlaps none of an older sorted run. What a newer one adds within the
// range of an older is taken to be overwrites. Cannot fail; opens no table.
uint64_t EstimateLiveTableBytes(const VersionStorage& storage);

}  // namespace ROCKSDB_NAMESPACE
