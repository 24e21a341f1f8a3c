#pragma once

// Which data blocks of a table file a scan of several ranges will read.
//
// Threads  One.
// Errors   None: where the index cannot be read no more blocks are named, and
//          the scan meets the error.

#include <vector>

#include "file/planned_reads.h"
#include "table/index_cursor.h"
#include "table/table_parts.h"
#include "util/key/scan_plan.h"

namespace ROCKSDB_NAMESPACE {

struct ScanBlocks {
  // Those that are not in the cache, as the scan will come to them.
  std::vector<BlockHandle> missing;
  // How many others there are, which count in MULTISCAN_BLOCKS_FROM_CACHE.
  uint64_t cached_count = 0;
};
// Moves `index`. `cache`: where the scan looks.
ScanBlocks FindScanBlocks(const TableParts& parts, const ScanPart& part,
                          const BlockCacheView& cache, IndexCursor* index);

}  // namespace ROCKSDB_NAMESPACE
