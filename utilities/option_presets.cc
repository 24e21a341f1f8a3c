// The presets of rocksdb/options.h: calls that set several options at once.
//
// They stand here, above the engine, since they make objects of its floors:
// caches, filters, table factories.
#include <algorithm>
#include <climits>
#include <cstdint>
#include <limits>
#include <memory>

#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "rocksdb/write_buffer_manager.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr size_t kSmallCacheBytes = 16 << 20;

bool IsBefore(int major, int minor, int than_major, int than_minor) {
  return major < than_major || (major == than_major && minor < than_minor);
}

// A memtable budget spread over several memtables, merged by two.
void SpreadMemtables(uint64_t budget, ColumnFamilyOptions* options) {
  options->write_buffer_size = static_cast<size_t>(budget / 4);
  options->min_write_buffer_number_to_merge = 2;
  options->max_write_buffer_number = 6;
}

}  // namespace

DBOptions* DBOptions::IncreaseParallelism(int total_threads) {
  max_background_jobs = total_threads;
  env->SetBackgroundThreads(total_threads, Env::LOW);
  env->SetBackgroundThreads(1, Env::HIGH);
  return this;
}

ColumnFamilyOptions* ColumnFamilyOptions::OptimizeForPointLookup(
    uint64_t block_cache_size_mb) {
  BlockBasedTableOptions table;
  table.data_block_index_type = BlockBasedTableOptions::kDataBlockBinaryAndHash;
  table.data_block_hash_table_util_ratio = 0.75;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  table.block_cache =
      NewLRUCache(static_cast<size_t>(block_cache_size_mb * kMiB));
  table_factory.reset(NewBlockBasedTableFactory(table));
  memtable_prefix_bloom_size_ratio = 0.02;
  memtable_whole_key_filtering = true;
  return this;
}

ColumnFamilyOptions* ColumnFamilyOptions::OptimizeLevelStyleCompaction(
    uint64_t memtable_memory_budget) {
  SpreadMemtables(memtable_memory_budget, this);
  level0_file_num_compaction_trigger = 2;
  target_file_size_base = memtable_memory_budget / 8;
  max_bytes_for_level_base = memtable_memory_budget;
  compaction_style = kCompactionStyleLevel;
  CompressionType deeper = kNoCompression;
  for (const CompressionType type : {kSnappyCompression, kLZ4Compression}) {
    if (CompressionTypeSupported(type)) deeper = type;
  }
  compression_per_level.assign(static_cast<size_t>(num_levels), deeper);
  // Data leave the first two levels too soon to be worth compressing.
  for (size_t i = 0; i < std::min<size_t>(2, compression_per_level.size());
       ++i) {
    compression_per_level[i] = kNoCompression;
  }
  return this;
}

ColumnFamilyOptions* ColumnFamilyOptions::OptimizeUniversalStyleCompaction(
    uint64_t memtable_memory_budget) {
  SpreadMemtables(memtable_memory_budget, this);
  compaction_style = kCompactionStyleUniversal;
  compaction_options_universal.compression_size_percent = 80;
  return this;
}

ColumnFamilyOptions* ColumnFamilyOptions::OptimizeForSmallDb(
    std::shared_ptr<Cache>* cache) {
  write_buffer_size = 2 * kMiB;
  target_file_size_base = 2 * kMiB;
  max_bytes_for_level_base = 10 * kMiB;
  soft_pending_compaction_bytes_limit = 256 * kMiB;
  hard_pending_compaction_bytes_limit = 1024 * kMiB;
  BlockBasedTableOptions table;
  table.block_cache = cache != nullptr && *cache != nullptr
                          ? *cache
                          : NewLRUCache(kSmallCacheBytes);
  table.cache_index_and_filter_blocks = true;
  table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  table_factory.reset(NewBlockBasedTableFactory(table));
  return this;
}

DBOptions* DBOptions::OptimizeForSmallDb(std::shared_ptr<Cache>* cache) {
  max_file_opening_threads = 1;
  max_open_files = 5000;
  write_buffer_manager = std::make_shared<WriteBufferManager>(
      0, cache != nullptr ? *cache : std::shared_ptr<Cache>());
  return this;
}

Options* Options::OptimizeForSmallDb() {
  std::shared_ptr<Cache> cache = NewLRUCache(kSmallCacheBytes);
  ColumnFamilyOptions::OptimizeForSmallDb(&cache);
  DBOptions::OptimizeForSmallDb(&cache);
  return this;
}

Options* Options::PrepareForBulkLoad() {
  // Nothing slows writes down, and nothing is compacted until asked for.
  level0_file_num_compaction_trigger = 1 << 30;
  level0_slowdown_writes_trigger = 1 << 30;
  level0_stop_writes_trigger = 1 << 30;
  soft_pending_compaction_bytes_limit = 0;
  hard_pending_compaction_bytes_limit = 0;
  disable_auto_compactions = true;
  // One compaction takes it all, into one level.
  max_compaction_bytes = uint64_t{1} << 60;
  num_levels = 2;
  max_write_buffer_number = 6;
  min_write_buffer_number_to_merge = 1;
  max_background_flushes = 4;
  max_background_compactions = 2;
  target_file_size_base = 256 * kMiB;
  return this;
}

Options* Options::DisableExtraChecks() {
  force_consistency_checks = false;
  flush_verify_memtable_count = false;
  compaction_verify_record_count = false;
  return this;
}

DBOptions* DBOptions::OldDefaults(int major, int minor) {
  if (IsBefore(major, minor, 4, 7)) {
    max_file_opening_threads = 1;
    table_cache_numshardbits = 4;
  }
  if (IsBefore(major, minor, 5, 2)) {
    delayed_write_rate = 2 * kMiB;
  } else if (IsBefore(major, minor, 5, 6)) {
    delayed_write_rate = 16 * kMiB;
  }
  max_open_files = 5000;
  wal_recovery_mode = WALRecoveryMode::kTolerateCorruptedTailRecords;
  return this;
}

ColumnFamilyOptions* ColumnFamilyOptions::OldDefaults(int major, int minor) {
  if (IsBefore(major, minor, 5, 19)) compaction_pri = kByCompensatedSize;
  if (IsBefore(major, minor, 4, 7)) {
    write_buffer_size = 4 * kMiB;
    target_file_size_base = 2 * kMiB;
    max_bytes_for_level_base = 10 * kMiB;
    soft_pending_compaction_bytes_limit = 0;
    hard_pending_compaction_bytes_limit = 0;
  }
  level0_stop_writes_trigger = IsBefore(major, minor, 5, 0) ? 24 : 30;
  compaction_style = kCompactionStyleLevel;
  level_compaction_dynamic_level_bytes = false;
  return this;
}

Options* Options::OldDefaults(int major, int minor) {
  ColumnFamilyOptions::OldDefaults(major, minor);
  DBOptions::OldDefaults(major, minor);
  return this;
}

}  // namespace ROCKSDB_NAMESPACE
