#include "options/sanitize.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "options/column_family_rows.h"
#include "options/compaction_styles.h"
#include "options/db_options.h"
#include "options/db_rows.h"
#include "options/default_objects.h"
#include "options/file_access.h"
#include "options/option_row.h"
#include "options/print.h"
#include "options/table_rows.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/table.h"
#include "util/compression.h"
#include "util/open_file_limit.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kEngineChooses = 0xfffffffffffffffe;
constexpr uint64_t kThirtyDaysSeconds = 30 * 24 * 60 * 60;
constexpr size_t kMinWriteBufferBytes = 64 << 10;
constexpr size_t kMaxWriteBufferBytes =
    sizeof(size_t) == 4 ? 0xffffffff : size_t{64} << 30;
constexpr size_t kArenaAlignmentBytes = 4 << 10;
constexpr uint64_t kDefaultDelayedWriteRate = 16 << 20;
constexpr uint64_t kLimitedBytesPerSync = 1 << 20;
// Block-based tables are not written in older formats.
constexpr uint32_t kOldestFormatVersion = 2;

void SanitizeMemtable(ColumnFamilyOptions* o) {
  o->write_buffer_size = std::clamp(o->write_buffer_size, kMinWriteBufferBytes,
                                    kMaxWriteBufferBytes);
  if (o->arena_block_size == 0) {
    o->arena_block_size = std::min<size_t>(1 << 20, o->write_buffer_size / 8);
    o->arena_block_size = (o->arena_block_size + kArenaAlignmentBytes - 1) /
                          kArenaAlignmentBytes * kArenaAlignmentBytes;
  }
  o->max_write_buffer_number = std::max(o->max_write_buffer_number, 2);
  o->min_write_buffer_number_to_merge = std::clamp(
      o->min_write_buffer_number_to_merge, 1, o->max_write_buffer_number - 1);
  o->memtable_prefix_bloom_size_ratio =
      std::clamp(o->memtable_prefix_bloom_size_ratio, 0.0, 0.25);
  // Values that change in place cannot be kept for conflict checks.
  if (o->inplace_update_support) o->max_write_buffer_size_to_maintain = 0;
  if (o->max_write_buffer_size_to_maintain < 0) {
    o->max_write_buffer_size_to_maintain =
        static_cast<int64_t>(o->max_write_buffer_number) *
        static_cast<int64_t>(o->write_buffer_size);
  }
}

void SanitizeLevels(bool allows_ingest_behind, ColumnFamilyOptions* o) {
  const CompactionStyleTraits& style = TraitsOf(o->compaction_style);
  o->num_levels = std::max(o->num_levels, style.fewest_levels);
  if (style.sizes_levels) {
    o->max_bytes_for_level_base =
        std::max<uint64_t>(o->max_bytes_for_level_base, 1);
  }
  // Beside the last level, which is kept free, one below level 0.
  if (style.can_ingest_behind && allows_ingest_behind) {
    o->num_levels = std::max(o->num_levels, 3);
  }
  // Levels must not shrink.
  if (o->max_bytes_for_level_multiplier < 1) {
    o->max_bytes_for_level_multiplier = 1;
  }
}

// The tables' options in the nearest form that tables can have. The factory is
// the caller's: a changed one is a copy.
void SanitizeTables(ColumnFamilyOptions* o) {
  if (o->table_factory == nullptr) return;
  const auto* given = o->table_factory->GetOptions<BlockBasedTableOptions>();
  if (given == nullptr) return;
  const bool is_partitioned =
      given->index_type == BlockBasedTableOptions::kTwoLevelIndexSearch;
  // An index by hash has a restart at each key.
  const bool is_hashed =
      given->index_type == BlockBasedTableOptions::kHashSearch;
  if (given->block_restart_interval >= 1 &&
      given->index_block_restart_interval >= 1 &&
      (!is_hashed || given->index_block_restart_interval == 1) &&
      given->format_version >= kOldestFormatVersion &&
      (is_partitioned || !given->partition_filters)) {
    return;
  }
  std::shared_ptr<TableFactory> copy = o->table_factory->Clone();
  auto* used = copy->GetOptions<BlockBasedTableOptions>();
  used->block_restart_interval = std::max(used->block_restart_interval, 1);
  used->index_block_restart_interval =
      is_hashed ? 1 : std::max(used->index_block_restart_interval, 1);
  used->format_version = std::max(used->format_version, kOldestFormatVersion);
  used->partition_filters = used->partition_filters && is_partitioned;
  o->table_factory = std::move(copy);
}

void SanitizeTriggers(ColumnFamilyOptions* o) {
  if (TraitsOf(o->compaction_style).has_only_level0) {
    // Nothing shortens it for writers to wait for.
    o->level0_slowdown_writes_trigger = std::numeric_limits<int>::max();
    o->level0_stop_writes_trigger = std::numeric_limits<int>::max();
    return;
  }
  o->level0_file_num_compaction_trigger =
      std::max(o->level0_file_num_compaction_trigger, 1);
  if (o->level0_slowdown_writes_trigger < 0) {
    o->level0_slowdown_writes_trigger = std::numeric_limits<int>::max();
  }
  o->level0_slowdown_writes_trigger = std::max(
      o->level0_slowdown_writes_trigger, o->level0_file_num_compaction_trigger);
  o->level0_stop_writes_trigger = std::max(o->level0_stop_writes_trigger,
                                           o->level0_slowdown_writes_trigger);
}

void SanitizeSizes(ColumnFamilyOptions* o) {
  if (o->max_compaction_bytes == 0) {
    const uint64_t limit = std::numeric_limits<uint64_t>::max() / 25;
    o->max_compaction_bytes =
        std::clamp<uint64_t>(o->target_file_size_base, 1, limit) * 25;
  }
  if (o->soft_pending_compaction_bytes_limit == 0) {
    o->soft_pending_compaction_bytes_limit =
        o->hard_pending_compaction_bytes_limit;
  } else if (o->hard_pending_compaction_bytes_limit > 0) {
    o->soft_pending_compaction_bytes_limit =
        std::min(o->soft_pending_compaction_bytes_limit,
                 o->hard_pending_compaction_bytes_limit);
  }
  if (!TraitsOf(o->compaction_style).sizes_levels) {
    o->level_compaction_dynamic_level_bytes = false;
  }
}

void SanitizeAges(ColumnFamilyOptions* o) {
  const bool block_based =
      o->table_factory->IsInstanceOf(TableFactory::kBlockBasedTableName());
  const uint64_t chosen = block_based ? kThirtyDaysSeconds : 0;
  if (o->ttl == kEngineChooses) o->ttl = chosen;
  if (o->periodic_compaction_seconds != kEngineChooses) return;
  const bool filters = o->compaction_filter != nullptr ||
                       o->compaction_filter_factory != nullptr;
  const PeriodicDefault periodic = TraitsOf(o->compaction_style).periodic;
  const bool is_set = periodic == PeriodicDefault::kAlways ||
                      (periodic == PeriodicDefault::kForFilters && filters);
  o->periodic_compaction_seconds = is_set ? chosen : 0;
}

// The rate limiter's, or the default. Its class is defined on a floor above:
// checking the object's type here would need what this floor does not link.
__attribute__((no_sanitize("vptr"))) uint64_t ChosenWriteRate(
    const DBOptions& options) {
  if (options.rate_limiter == nullptr) return kDefaultDelayedWriteRate;
  const int64_t rate = options.rate_limiter->GetBytesPerSecond();
  return rate > 0 ? static_cast<uint64_t>(rate) : kDefaultDelayedWriteRate;
}

// More than the process may open would fail reads instead of closing files.
// Below the lower bound the table cache could not hold one compaction's inputs.
void SanitizeOpenFiles(DBOptions* o) {
  if (o->max_open_files == -1) return;
  constexpr int kFewest = 20;
  const auto most = static_cast<int>(std::min<uint64_t>(
      OpenFileLimitOfProcess(), std::numeric_limits<int>::max()));
  o->max_open_files =
      std::clamp(o->max_open_files, kFewest, std::max(most, kFewest));
}

}  // namespace

DBOptions SanitizeDBOptions(const std::string& dbname,
                            const DBOptions& source) {
  DBOptions o = source;
  if (o.env == nullptr) o.env = Env::Default();
  SanitizeOpenFiles(&o);
  o.max_file_opening_threads = std::max(o.max_file_opening_threads, 1);
  // Bytes that the limiter lets through must not pile up in the page cache.
  if (o.rate_limiter != nullptr && o.bytes_per_sync == 0) {
    o.bytes_per_sync = kLimitedBytesPerSync;
  }
  // No other codec has a stream that a log could be written to.
  if (o.wal_compression != kZSTD || !CompressionTypeSupported(kZSTD)) {
    o.wal_compression = kNoCompression;
  }
  // Pipelined writes have one queue.
  if (o.two_write_queues) o.enable_pipelined_write = false;
  if (o.max_background_flushes == 0) o.max_background_flushes = 1;
  if (o.max_background_compactions == 0) o.max_background_compactions = 1;
  o.max_background_jobs = std::max(o.max_background_jobs, 1);
  o.max_subcompactions = std::max<uint32_t>(o.max_subcompactions, 1);
  if (o.delayed_write_rate == 0) o.delayed_write_rate = ChosenWriteRate(o);
  if (o.db_paths.empty()) {
    o.db_paths.emplace_back(dbname, std::numeric_limits<uint64_t>::max());
  }
  // The database's own directory needs no name, and a copy of the options
  // then fits a database elsewhere.
  if (o.wal_dir == dbname || o.wal_dir == dbname + "/") o.wal_dir.clear();
  if (!o.wal_dir.empty() && o.wal_dir.back() == '/') o.wal_dir.pop_back();
  // Reads past the page cache have none to read ahead into: without a size of
  // their own every block would be one request.
  if (CompactionReadAccess(o) != FileAccess::kBuffered &&
      o.compaction_readahead_size == 0) {
    o.compaction_readahead_size = 2 << 20;
  }
  if (o.allow_2pc) o.avoid_flush_during_recovery = false;
  // What an older log has left behind in a file is damage to these modes; and
  // a log that is archived is not overwritten.
  const bool reads_stale_tails =
      o.wal_recovery_mode == WALRecoveryMode::kPointInTimeRecovery ||
      o.wal_recovery_mode == WALRecoveryMode::kSkipAnyCorruptedRecords;
  const bool archives = o.WAL_ttl_seconds > 0 || o.WAL_size_limit_MB > 0;
  if (!reads_stale_tails || archives) o.recycle_log_file_num = 0;
  return o;
}

ColumnFamilyOptions SanitizeColumnFamilyOptions(
    const ImmutableDBOptions& db, const ColumnFamilyOptions& source) {
  ColumnFamilyOptions o = source;
  if (o.table_factory == nullptr) o.table_factory = NewDefaultTableFactory();
  if (o.memtable_factory == nullptr) {
    o.memtable_factory = NewDefaultMemTableFactory();
  }
  // One of the two is enough, and the engine asks the family's.
  o.cf_allow_ingest_behind = o.cf_allow_ingest_behind || db.allow_ingest_behind;
  SanitizeMemtable(&o);
  SanitizeLevels(o.cf_allow_ingest_behind, &o);
  SanitizeTables(&o);
  SanitizeTriggers(&o);
  SanitizeSizes(&o);
  if (o.table_factory != nullptr) SanitizeAges(&o);
  o.bloom_locality = std::min<uint32_t>(o.bloom_locality, 1);
  if (o.cf_paths.empty()) o.cf_paths = db.db_paths;
  // It is about blob files; families that get them later write these at
  // flushes.
  if (!o.enable_blob_files) o.enable_blob_direct_write = false;
  return o;
}

namespace {

template <class T>
void DescribeStruct(const OptionStruct& options, const T& given, const T& used,
                    std::vector<std::string>* lines) {
  static const T kDefaults;
  ConfigOptions config;
  config.depth = ConfigOptions::kDepthShallow;
  for (const OptionRow& row : options.rows) {
    const auto is_same = [&](const T& other) {
      return row.kind->equal(config, row.Field(&given), row.Field(&other));
    };
    // Objects are told of by their own options.
    if (row.kind->equal == nullptr || row.kind->type == "object" ||
        is_same(used) || is_same(kDefaults)) {
      continue;
    }
    lines->push_back(std::string(row.name) + "=" +
                     PrintOption(config, row, &given) + " is taken as " +
                     PrintOption(config, row, &used));
  }
}

}  // namespace

std::vector<std::string> DescribeChanges(const DBOptions& given,
                                         const DBOptions& used) {
  std::vector<std::string> lines;
  DescribeStruct(DBOptionStruct(), given, used, &lines);
  return lines;
}

std::vector<std::string> DescribeChanges(const ColumnFamilyOptions& given,
                                         const ColumnFamilyOptions& used) {
  std::vector<std::string> lines;
  DescribeStruct(ColumnFamilyOptionStruct(), given, used, &lines);
  if (given.table_factory == nullptr || used.table_factory == nullptr) {
    return lines;
  }
  const auto* tables =
      given.table_factory->GetOptions<BlockBasedTableOptions>();
  const auto* used_tables =
      used.table_factory->GetOptions<BlockBasedTableOptions>();
  if (tables != nullptr && used_tables != nullptr) {
    DescribeStruct(BlockBasedTableOptionStruct(), *tables, *used_tables,
                   &lines);
  }
  return lines;
}

BackgroundLimits ComputeBackgroundLimits(const MutableDBOptions& options,
                                         bool compaction_speedup) {
  BackgroundLimits limits;
  if (options.max_background_flushes == -1 &&
      options.max_background_compactions == -1) {
    // A quarter of the jobs flush, the rest compact.
    limits.flushes = std::max(1, options.max_background_jobs / 4);
    limits.compactions =
        std::max(1, options.max_background_jobs - limits.flushes);
  } else {
    limits.flushes = std::max(1, options.max_background_flushes);
    limits.compactions = std::max(1, options.max_background_compactions);
  }
  if (!compaction_speedup) limits.compactions = 1;
  return limits;
}

}  // namespace ROCKSDB_NAMESPACE
