#include "table/scan_blocks.h"

#include <algorithm>
#include <cassert>

#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "table/block_fetcher.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The blocks of one range, cached or not, in the order of their keys.
Status FindBlocks(const TableParts& parts, const ScanPlan::Range& range,
                  bool goes_down, IndexCursor* index,
                  std::vector<BlockHandle>* handles) {
  const InternalKey start(WithMaxTimestamp(range.start, parts.timestamp_bytes),
                          kMaxSequenceNumber, kValueTypeForSeek);
  handles->clear();
  Status s = index->Seek(start.Encode());
  while (s.ok() && index->Valid()) {
    const Slice first = index->first_key();
    // A scan that begins at the limit looks into the block behind it.
    if (!goes_down && !first.empty() &&
        parts.order.CompareToGiven(ExtractUserKey(first), range.limit) >= 0) {
      break;
    }
    handles->push_back(index->handle());
    if (parts.order.CompareToGiven(index->user_key(), range.limit) >= 0) break;
    s = index->Next();
  }
  return s;
}

}  // namespace

ScanBlocks FindScanBlocks(const TableParts& parts, const ScanPart& part,
                          const BlockCacheView& cache, IndexCursor* index) {
  INVARIANT(part.plan != nullptr && part.end <= part.plan->ranges.size());
  const bool goes_down = part.plan->goes_down;
  ScanBlocks blocks;
  std::vector<BlockHandle> handles;
  uint64_t last_offset = UINT64_MAX;
  for (size_t i = part.begin; i < part.end; ++i) {
    Status s =
        FindBlocks(parts, part.plan->ranges[i], goes_down, index, &handles);
    if (goes_down) std::reverse(handles.begin(), handles.end());
    for (const BlockHandle& handle : handles) {
      // The ranges before and behind may meet in a block.
      if (handle.offset == last_offset) continue;
      last_offset = handle.offset;
      if (cache.Contains(handle.offset)) {
        RecordTick(parts.file.statistics, MULTISCAN_BLOCKS_FROM_CACHE);
        PERF_COUNTER_ADD(multiscan_blocks_from_cache, 1);
        ++blocks.cached_count;
      } else if (s.ok()) {
        s = CheckHandle(parts.file, handle);
        if (s.ok()) blocks.missing.push_back(handle);
      }
    }
    if (!s.ok()) {
      IgnoreError(s, "the scan comes to it");
      return blocks;
    }
  }
  return blocks;
}

}  // namespace ROCKSDB_NAMESPACE
