// The settings of universal compaction (CompactionStyle 1).
#pragma once

#include <climits>
#include <cstdint>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// When picking sorted runs to merge stops.
enum CompactionStopStyle {
  kCompactionStopStyleSimilarSize = 0,  // at the first run of another size
  kCompactionStopStyleTotalSize = 1,    // when the next is larger than the sum
};

// A plain value. Every field is dynamic (SetOptions).
struct CompactionOptionsUniversal {
  // Percent by which the next run may exceed the picked ones and still join.
  unsigned int size_ratio = 1;

  // Fewest runs in one compaction. Default: 2.
  unsigned int min_merge_width = 2;

  // Most runs in one compaction. Default: no limit.
  unsigned int max_merge_width = UINT_MAX;

  // Percent of extra space, over the size of the last run, at which everything
  // is compacted. Default: 200.
  unsigned int max_size_amplification_percent = 200;

  // Percent of the data, oldest first, that is compressed; the newest rest
  // is not. -1 = all of it.
  int compression_size_percent = -1;

  // Limit of sorted runs: -1 = level0_file_num_compaction_trigger; 0 = chosen
  // from the size of the data; > 0 = this many, not less than the trigger.
  int max_read_amp = -1;

  CompactionStopStyle stop_style = kCompactionStopStyleTotalSize;

  // Move files instead of rewriting them where they do not overlap.
  bool allow_trivial_move = false;

  // Compact space amplification away in pieces, not the whole at once.
  bool incremental = false;

  // While a compaction to the last level waits for a thread of the BOTTOM pool
  // (Env::SetBackgroundThreads()), keep only its oldest sorted run from other
  // compactions: they go on merging newer runs, and the waiting compaction is
  // picked anew when it can run. False: all its files are kept from others, and
  // it runs as it was picked.
  bool reduce_file_locking = true;

  bool operator==(const CompactionOptionsUniversal& that) const {
    return size_ratio == that.size_ratio &&
           min_merge_width == that.min_merge_width &&
           max_merge_width == that.max_merge_width &&
           max_size_amplification_percent ==
               that.max_size_amplification_percent &&
           compression_size_percent == that.compression_size_percent &&
           max_read_amp == that.max_read_amp && stop_style == that.stop_style &&
           allow_trivial_move == that.allow_trivial_move &&
           incremental == that.incremental &&
           reduce_file_locking == that.reduce_file_locking;
  }
};

}  // namespace ROCKSDB_NAMESPACE
