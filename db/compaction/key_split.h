// Where to cut a compaction's key range so that its parts, run side by side,
// have about equal work.
//
// Threads  Pure functions; Split() reads index blocks, so not under a lock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/compaction/compaction.h"
#include "db/tables/table_cache.h"

namespace ROCKSDB_NAMESPACE {

// A place in an input file, and the data bytes since the place before it.
using SplitAnchor = TableReader::Anchor;

// The user keys, ascending, that cut the anchored data into `part_count` parts
// of about equal bytes; fewer if there are not enough different anchors.
std::vector<std::string> ChooseBorders(std::vector<SplitAnchor> anchors,
                                       const Comparator& order,
                                       size_t part_count);

// The borders for `compaction`: at most max_subcompactions parts, none of less
// than an output file. Empty: it is not worth splitting. `request` says how
// the inputs are read; its file and level are filled in.
Status SplitCompaction(const Compaction& compaction, TableCache* tables,
                       TableCache::IteratorRequest request,
                       std::vector<std::string>* borders);

}  // namespace ROCKSDB_NAMESPACE
