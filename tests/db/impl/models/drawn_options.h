// Options and read options drawn at random from the rows, such that every read
// must answer as under any others.
#pragma once

#include <memory>

#include "options/random_options.h"
#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "util/builtin_merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

inline std::shared_ptr<Cache> DrawCache(Random64* random, size_t bytes) {
  std::shared_ptr<SecondaryCache> secondary;
  if (random->OneIn(3)) {
    CompressedSecondaryCacheOptions compressed;
    compressed.capacity = 1 << 20;
    compressed.compression_type = kNoCompression;
    secondary = NewCompressedSecondaryCache(compressed);
  }
  LRUCacheOptions lru;
  HyperClockCacheOptions clock(bytes, 0);
  lru.capacity = bytes;
  lru.secondary_cache = clock.secondary_cache = secondary;
  return random->OneIn(2) ? lru.MakeSharedCache() : clock.MakeSharedCache();
}

inline Options DrawOptions(
    Random64* random, bool is_universal,
    const Comparator* comparator = BytewiseComparator()) {
  BlockBasedTableOptions table;
  Options options;
  options.comparator = comparator;  // Some options go with some orders only.
  if (random->OneIn(2)) {
    table.filter_policy.reset(random->OneIn(2) ? NewBloomFilterPolicy(10)
                                               : NewRibbonFilterPolicy(10, -1));
    table.whole_key_filtering = random->OneIn(2);
  }
  if (random->OneIn(3)) {
    table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.metadata_block_size = random->OneIn(2) ? 128 : 1024;
    table.partition_filters = random->OneIn(2);
    table.cache_index_and_filter_blocks = random->OneIn(2);
  }
  options.compaction_style =
      is_universal ? kCompactionStyleUniversal : kCompactionStyleLevel;
  RandomizeRunnableOptions(4, random, {&options, &options, &table});
  options.create_if_missing = true;
  options.merge_operator = NewStringAppendOperator(",");
  if (random->OneIn(2)) {
    options.prefix_extractor.reset(
        NewFixedPrefixTransform(4 + random->Uniform(3)));
    if (!table.partition_filters && table.index_block_restart_interval == 1 &&
        random->OneIn(4)) {
      table.index_type = BlockBasedTableOptions::kHashSearch;
    }
  }
  if (random->OneIn(3)) {
    options.enable_blob_files = true;
    options.min_blob_size = 100;  // Values have up to 200 bytes.
    options.enable_blob_garbage_collection = true;
    if (comparator->timestamp_size() == 0 && random->OneIn(2)) {
      options.enable_blob_direct_write = true;
      options.blob_direct_write_partitions = 1 + random->Uniform(3);
      options.allow_concurrent_memtable_write = false;
      options.enable_pipelined_write = false;
      options.two_write_queues = false;
      options.experimental_mempurge_threshold = 0;
    }
  }
  const size_t cache_bytes = random->OneIn(2) ? 16 << 10 : 8 << 20;
  table.block_cache = DrawCache(random, cache_bytes);
  if (random->OneIn(3)) options.row_cache = NewLRUCache(64 << 10);
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  // Small, so that there are levels.
  options.write_buffer_size = 64 << 10;
  options.target_file_size_base = 16 << 10;
  options.max_bytes_for_level_base = 32 << 10;
  options.info_log_level = InfoLogLevel::FATAL_LEVEL;
  return options;
}

// A read that must answer as any other does.
inline ReadOptions DrawReadOptions(Random64* random, const Snapshot* snapshot) {
  ReadOptions read;
  read.snapshot = snapshot;
  read.auto_prefix_mode = random->OneIn(2);
  read.total_order_seek = !read.auto_prefix_mode;
  read.verify_checksums = random->OneIn(2);
  read.fill_cache = random->OneIn(2);
  read.async_io = random->OneIn(2);
  read.adaptive_readahead = random->OneIn(2);
  read.auto_readahead_size = random->OneIn(2);
  read.allow_unprepared_value = random->OneIn(3);
  read.readahead_size = random->OneIn(3) ? 12 << 10 : 0;
  read.pin_data = random->OneIn(3);
  read.background_purge_on_iterator_cleanup = random->OneIn(2);
  read.optimize_multiget_for_io = random->OneIn(2);
  read.tailing = snapshot == nullptr && random->OneIn(3);
  read.auto_refresh_iterator_with_snapshot =
      snapshot != nullptr && random->OneIn(2);
  return read;
}

}  // namespace ROCKSDB_NAMESPACE
