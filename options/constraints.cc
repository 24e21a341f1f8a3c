#include "options/constraints.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "options/column_family_rows.h"
#include "options/compaction_styles.h"
#include "options/db_rows.h"
#include "options/file_access.h"
#include "options/option_row.h"
#include "options/print.h"
#include "options/table_rows.h"
#include "rocksdb/advanced_cache.h"
#include "rocksdb/advanced_compression.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/table.h"
#include "rocksdb/user_defined_index.h"
#include "util/compression.h"
#include "util/daily_window.h"
#include "util/task_limiter.h"

namespace ROCKSDB_NAMESPACE {

namespace {

ConfigOptions PlainTextConfig() {
  ConfigOptions config;
  config.depth = ConfigOptions::kDepthShallow;
  return config;
}

// "name=value" of the rows whose names are joined by '|'.
std::string NamesAndValues(const OptionStruct& options, const void* object,
                           std::string_view names) {
  std::string text;
  const ConfigOptions config = PlainTextConfig();
  for (const OptionRow& row : options.rows) {
    if (!IsOneOf(row.name, names)) continue;
    if (!text.empty()) text += ", ";
    text.append(row.name).append("=");
    text.append(PrintOption(config, row, object));
  }
  return text;
}

// One rule that joins options of one struct. `violated` says that the values
// break it; `names` are the options to show, joined by '|'. The message begins
// with `why`: RocksDB's own words where it refuses the same.
template <class T>
struct Rule {
  bool (*violated)(const T& options);
  std::string_view names;
  Status::Code code;
  std::string_view why;
};

Status Refuse(Status::Code code, std::string_view why,
              const std::string& options) {
  const std::string reason(why);
  return code == Status::kNotSupported
             ? Status::NotSupported(reason, options)
             : Status::InvalidArgument(reason, options);
}

template <class T, size_t n>
Status CheckRules(const Rule<T> (&rules)[n], const OptionStruct& options,
                  const T& object) {
  for (const Rule<T>& rule : rules) {
    if (!rule.violated(object)) continue;
    return Refuse(rule.code, rule.why,
                  NamesAndValues(options, &object, rule.names));
  }
  return Status::OK();
}

bool UsesPageCache(FileAccess access) {
  return access == FileAccess::kBuffered || access == FileAccess::kUncached;
}

constexpr Rule<DBOptions> kDatabaseRules[] = {
    {[](const DBOptions& o) {
       return o.use_direct_reads && o.allow_mmap_reads;
     },
     "use_direct_reads|allow_mmap_reads", Status::kNotSupported,
     "If memory mapped reads (allow_mmap_reads) are enabled then direct I/O "
     "reads (use_direct_reads) must be disabled. "},
    {[](const DBOptions& o) {
       return o.use_direct_io_for_compaction_reads &&
              UsesPageCache(o.compaction_read_access);
     },
     "use_direct_io_for_compaction_reads|compaction_read_access",
     Status::kInvalidArgument, "one asks for direct reads, one against them"},
    {[](const DBOptions& o) {
       return o.use_direct_reads && UsesPageCache(o.compaction_read_access);
     },
     "use_direct_reads|compaction_read_access", Status::kInvalidArgument,
     "one asks for direct reads, one against them"},
    {[](const DBOptions& o) {
       return o.use_direct_io_for_flush_and_compaction &&
              UsesPageCache(o.compaction_write_access);
     },
     "use_direct_io_for_flush_and_compaction|compaction_write_access",
     Status::kInvalidArgument, "one asks for direct writes, one against them"},
    {[](const DBOptions& o) {
       return CompactionReadAccess(o) != FileAccess::kBuffered &&
              o.allow_mmap_reads;
     },
     "use_direct_io_for_compaction_reads|compaction_read_access|"
     "allow_mmap_reads",
     Status::kNotSupported, "mapped files are read through the page cache"},
    {[](const DBOptions& o) {
       return CompactionWriteAccess(o) != FileAccess::kBuffered &&
              o.allow_mmap_writes;
     },
     "use_direct_io_for_flush_and_compaction|compaction_write_access|"
     "allow_mmap_writes",
     Status::kNotSupported,
     "If memory mapped writes (allow_mmap_writes) are enabled then direct I/O "
     "writes (use_direct_io_for_flush_and_compaction) must be disabled. "},
    {[](const DBOptions& o) { return o.db_paths.size() > 4; }, "db_paths",
     Status::kNotSupported, "More than four DB paths are not supported yet. "},
    {[](const DBOptions& o) {
       DailyWindow window;
       return !DailyWindow::Parse(o.daily_offpeak_time_utc, &window);
     },
     "daily_offpeak_time_utc", Status::kInvalidArgument,
     "not HH:MM-HH:MM with two different times of a day"},
    {[](const DBOptions& o) { return o.keep_log_file_num == 0; },
     "keep_log_file_num", Status::kInvalidArgument,
     "keep_log_file_num must be greater than 0"},
    {[](const DBOptions& o) {
       return o.unordered_write && !o.allow_concurrent_memtable_write;
     },
     "unordered_write|allow_concurrent_memtable_write",
     Status::kInvalidArgument,
     "unordered_write is incompatible with !allow_concurrent_memtable_write"},
    {[](const DBOptions& o) {
       return o.unordered_write && o.enable_pipelined_write;
     },
     "unordered_write|enable_pipelined_write", Status::kInvalidArgument,
     "unordered_write is incompatible with enable_pipelined_write"},
    {[](const DBOptions& o) {
       return o.atomic_flush && o.enable_pipelined_write;
     },
     "atomic_flush|enable_pipelined_write", Status::kInvalidArgument,
     "atomic_flush is incompatible with enable_pipelined_write"},
    {[](const DBOptions& o) {
       return CompactionWriteAccess(o) == FileAccess::kDirect &&
              o.writable_file_max_buffer_size == 0;
     },
     "use_direct_io_for_flush_and_compaction|compaction_write_access|"
     "writable_file_max_buffer_size",
     Status::kInvalidArgument,
     "writes in direct IO require writable_file_max_buffer_size > 0"},
    {[](const DBOptions& o) { return o.env == nullptr; }, "env",
     Status::kInvalidArgument, "must not be null"},
    {[](const DBOptions& o) {
       return !o.write_dbid_to_manifest && !o.write_identity_file;
     },
     "write_dbid_to_manifest|write_identity_file", Status::kInvalidArgument,
     "write_dbid_to_manifest and write_identity_file cannot both be false"},
    {[](const DBOptions& o) {
       return std::find(o.listeners.begin(), o.listeners.end(), nullptr) !=
              o.listeners.end();
     },
     "listeners", Status::kInvalidArgument, "one of them is null"},
    {[](const DBOptions& o) {
       return o.open_files_async && !o.skip_stats_update_on_db_open;
     },
     "open_files_async|skip_stats_update_on_db_open", Status::kInvalidArgument,
     "open_files_async requires skip_stats_update_on_db_open = true."},
};

constexpr bool IsShare(double part) { return part >= 0 && part <= 1; }

constexpr bool IsChecksumSize(uint32_t bytes) {
  return bytes <= 8 && (bytes & (bytes - 1)) == 0;
}

bool IsUniversal(const ColumnFamilyOptions& o) {
  return o.compaction_style == kCompactionStyleUniversal;
}

constexpr Rule<ColumnFamilyOptions> kFamilyRules[] = {
    {[](const ColumnFamilyOptions& o) { return o.comparator == nullptr; },
     "comparator", Status::kInvalidArgument, "must not be null"},
    {[](const ColumnFamilyOptions& o) {
       return FindCompactionStyle(o.compaction_style) == nullptr;
     },
     "compaction_style", Status::kInvalidArgument, "there is no such style"},
    {[](const ColumnFamilyOptions& o) { return o.cf_paths.size() > 4; },
     "cf_paths", Status::kNotSupported,
     "More than four CF paths are not supported yet. "},
    {[](const ColumnFamilyOptions& o) {
       return o.enable_blob_garbage_collection &&
              !IsShare(o.blob_garbage_collection_age_cutoff);
     },
     "blob_garbage_collection_age_cutoff", Status::kInvalidArgument,
     "The age cutoff for blob garbage collection should be in the range [0.0, "
     "1.0]."},
    {[](const ColumnFamilyOptions& o) {
       return o.enable_blob_garbage_collection &&
              !IsShare(o.blob_garbage_collection_force_threshold);
     },
     "blob_garbage_collection_force_threshold", Status::kInvalidArgument,
     "The garbage ratio threshold for forcing blob garbage collection should "
     "be in the range [0.0, 1.0]."},
    {[](const ColumnFamilyOptions& o) {
       return IsUniversal(o) &&
              o.compaction_options_universal.max_read_amp < -1;
     },
     "compaction_options_universal", Status::kNotSupported,
     "CompactionOptionsUniversal::max_read_amp should be at least -1."},
    {[](const ColumnFamilyOptions& o) {
       return IsUniversal(o) &&
              o.compaction_options_universal.max_read_amp > 0 &&
              o.compaction_options_universal.max_read_amp <
                  o.level0_file_num_compaction_trigger;
     },
     "compaction_options_universal|level0_file_num_compaction_trigger",
     Status::kNotSupported,
     "CompactionOptionsUniversal::max_read_amp limits the number of sorted "
     "runs but is smaller than the compaction trigger "
     "level0_file_num_compaction_trigger."},
    {[](const ColumnFamilyOptions& o) {
       const auto& ages =
           o.compaction_options_fifo.file_temperature_age_thresholds;
       return !std::is_sorted(
           ages.begin(), ages.end(),
           [](const FileTemperatureAge& a, const FileTemperatureAge& b) {
             return a.age < b.age;
           });
     },
     "compaction_options_fifo", Status::kInvalidArgument,
     "file_temperature_age_thresholds must be in ascending order of age"},
    {[](const ColumnFamilyOptions& o) {
       return o.inplace_update_support &&
              o.memtable_protection_bytes_per_key != 0;
     },
     "inplace_update_support|memtable_protection_bytes_per_key",
     Status::kNotSupported,
     "checksums of entries do not follow values that change in place"},
    {[](const ColumnFamilyOptions& o) {
       return o.inplace_update_support && o.comparator != nullptr &&
              o.comparator->timestamp_size() > 0;
     },
     "inplace_update_support|comparator", Status::kInvalidArgument,
     "each timestamp is a version of its own: none is overwritten"},
    {[](const ColumnFamilyOptions& o) {
       return !IsChecksumSize(o.block_protection_bytes_per_key);
     },
     "block_protection_bytes_per_key", Status::kNotSupported,
     "Block per key-value checksum protection only supports 0, 1, 2, 4 or 8 "
     "bytes per key."},
    {[](const ColumnFamilyOptions& o) {
       return !IsChecksumSize(o.memtable_protection_bytes_per_key);
     },
     "memtable_protection_bytes_per_key", Status::kNotSupported,
     "Memtable per key-value checksum protection only supports 0, 1, 2, 4 or 8 "
     "bytes per key."},
    {[](const ColumnFamilyOptions& o) {
       return o.preclude_last_level_data_seconds > 0 &&
              o.comparator != nullptr && o.comparator->timestamp_size() > 0;
     },
     "preclude_last_level_data_seconds|comparator", Status::kNotSupported,
     "versions of a key in the order of their timestamps cannot be parted by "
     "age"},
    {[](const ColumnFamilyOptions& o) {
       const ConcurrentTaskLimiter* limiter = o.compaction_thread_limiter.get();
       return limiter != nullptr &&
              dynamic_cast<const TaskLimiter*>(limiter) == nullptr;
     },
     "compaction_thread_limiter", Status::kNotSupported,
     "only what NewConcurrentTaskLimiter() makes can be asked for places"},
};

constexpr uint32_t kNewestFormatVersion = 7;

constexpr Rule<BlockBasedTableOptions> kTableRules[] = {
    {[](const BlockBasedTableOptions& o) {
       return o.cache_index_and_filter_blocks && o.no_block_cache;
     },
     "cache_index_and_filter_blocks|no_block_cache", Status::kInvalidArgument,
     "Enable cache_index_and_filter_blocks, , but block cache is disabled"},
    {[](const BlockBasedTableOptions& o) {
       return o.pin_l0_filter_and_index_blocks_in_cache && o.no_block_cache;
     },
     "pin_l0_filter_and_index_blocks_in_cache|no_block_cache",
     Status::kInvalidArgument,
     "Enable pin_l0_filter_and_index_blocks_in_cache, , but block cache is "
     "disabled"},
    {[](const BlockBasedTableOptions& o) {
       return o.data_block_index_type ==
                  BlockBasedTableOptions::kDataBlockBinaryAndHash &&
              o.data_block_hash_table_util_ratio <= 0;
     },
     "data_block_index_type|data_block_hash_table_util_ratio",
     Status::kInvalidArgument,
     "data_block_hash_table_util_ratio should be greater than 0 when "
     "data_block_index_type is set to kDataBlockBinaryAndHash"},
    {[](const BlockBasedTableOptions& o) {
       return o.block_align && !std::has_single_bit(o.block_size);
     },
     "block_align|block_size", Status::kInvalidArgument,
     "Block alignment requested but block size is not a power of 2"},
    {[](const BlockBasedTableOptions& o) {
       return o.super_block_alignment_size != 0 &&
              !std::has_single_bit(o.super_block_alignment_size);
     },
     "super_block_alignment_size", Status::kInvalidArgument,
     "Super Block alignment requested but super block alignment size is not a "
     "power of 2"},
    {[](const BlockBasedTableOptions& o) {
       return o.super_block_alignment_space_overhead_ratio > 0 &&
              o.super_block_alignment_space_overhead_ratio < 4;
     },
     "super_block_alignment_space_overhead_ratio", Status::kInvalidArgument,
     "Super block alignment space overhead is too high"},
    {[](const BlockBasedTableOptions& o) {
       return o.block_size > std::numeric_limits<uint32_t>::max();
     },
     "block_size", Status::kInvalidArgument,
     "block size exceeds maximum number (4GiB) allowed"},
    {[](const BlockBasedTableOptions& o) {
       return o.format_version > kNewestFormatVersion;
     },
     "format_version", Status::kInvalidArgument,
     "Unsupported BlockBasedTable format_version. Please check "
     "include/rocksdb/table.h for more info"},
    {[](const BlockBasedTableOptions& o) {
       return o.user_defined_index_factory == nullptr &&
              o.use_udi_as_primary_index;
     },
     "user_defined_index_factory|use_udi_as_primary_index",
     Status::kInvalidArgument,
     "use_udi_as_primary_index requires user_defined_index_factory"},
    {[](const BlockBasedTableOptions& o) {
       return o.use_udi_as_primary_index &&
              (o.index_type == BlockBasedTableOptions::kTwoLevelIndexSearch ||
               o.partition_filters);
     },
     "use_udi_as_primary_index|index_type|partition_filters",
     Status::kInvalidArgument,
     "a primary index of the application has no partitions"},
};

Status CheckCodec(std::string_view name, const ColumnFamilyOptions& options,
                  CompressionType type) {
  const CompressionManager* manager = options.compression_manager.get();
  if (type == kDisableCompressionOption || type == kNoCompression) {
    return Status::OK();
  }
  if (manager == nullptr && !CompressionTypeSupported(type)) {
    return Status::InvalidArgument("Compression type " +
                                       CompressionTypeToString(type) +
                                       " is not linked with the binary.",
                                   std::string(name));
  }
  if (manager == nullptr || manager->SupportsCompressionType(type)) {
    return Status::OK();
  }
  return Status::InvalidArgument(
      "Compression type " + manager->CompressionTypeToString(type) +
          " is not supported by compression manager " + manager->GetId(),
      std::string(name));
}

Status CheckBlobCodec(CompressionType type) {
  if (CompressionTypeSupported(type)) return Status::OK();
  return Status::InvalidArgument("The specified blob compression type " +
                                     CompressionTypeToString(type) +
                                     " is not available.",
                                 "blob_compression_type");
}

Status CheckCodecs(const ColumnFamilyOptions& options) {
  Status s = CheckCodec("compression", options, options.compression);
  if (s.ok()) {
    s = CheckCodec("bottommost_compression", options,
                   options.bottommost_compression);
  }
  if (s.ok()) {
    s = CheckBlobCodec(options.blob_compression_type);
  }
  for (const CompressionType type : options.compression_per_level) {
    if (s.ok()) s = CheckCodec("compression_per_level", options, type);
  }
  if (s.ok() && options.compression == kDisableCompressionOption) {
    // There is no other setting to fall back to.
    s = Status::InvalidArgument(
        "kDisableCompressionOption not permitted for option", "compression");
  }
  return s;
}

// Does `text`, a printed value, match one of `built`? An object's id may go on
// with arguments or options.
bool IsBuilt(std::string_view text, std::string_view built) {
  if (text.empty()) text = "\"\"";
  if (IsOneOf(text, built)) return true;
  if (text.starts_with("{id=")) text.remove_prefix(4);
  return IsOneOf(text.substr(0, text.find_first_of(":;}")), built);
}

}  // namespace

Status ValidateRows(const OptionStruct& options, const void* object) {
  const ConfigOptions config = PlainTextConfig();
  for (const OptionRow& row : options.rows) {
    const OptionTraits& traits = row.traits;
    if (row.kind->number != nullptr) {
      const double number = row.kind->number(row.Field(object));
      // Written so that a NaN is out of range too.
      if (!(number >= traits.min && number <= traits.max)) {
        return Status::InvalidArgument(
            NamesAndValues(options, object, row.name), "out of range");
      }
    }
    if (!traits.built.empty() &&
        !IsBuilt(PrintOption(config, row, object), traits.built)) {
      return Status::NotSupported(NamesAndValues(options, object, row.name),
                                  traits.note);
    }
    if (row.kind->members != nullptr) {
      Status s = ValidateRows(row.kind->members(), row.Field(object));
      if (!s.ok()) return s;
    }
  }
  return Status::OK();
}

Status ValidateDBOptions(const DBOptions& options) {
  Status s = CheckRules(kDatabaseRules, DBOptionStruct(), options);
  return s.ok() ? ValidateRows(DBOptionStruct(), &options) : s;
}

namespace {

bool CanBeCharged(CacheEntryRole role) {
  return role == CacheEntryRole::kCompressionDictionaryBuildingBuffer ||
         role == CacheEntryRole::kFilterConstruction ||
         role == CacheEntryRole::kBlockBasedTableReader ||
         role == CacheEntryRole::kFileMetadata ||
         role == CacheEntryRole::kBlobCache;
}

// Checks a blob cache whose role is charged to the block cache.
Status ValidateChargedBlobCache(const BlockBasedTableOptions& options,
                                const ColumnFamilyOptions& cf) {
  if (cf.blob_cache == nullptr) {
    return Status::InvalidArgument("cache_usage_options, blob_cache=nullptr",
                                   "no blob cache to charge");
  }
  if (options.block_cache != nullptr &&
      cf.blob_cache->GetCapacity() > options.block_cache->GetCapacity()) {
    return Status::InvalidArgument(
        "cache_usage_options",
        "the blob cache may hold more than the block cache, which it is "
        "charged to");
  }
  return Status::OK();
}

// What may be charged to the block cache, and that there is one.
Status ValidateCacheUsage(const BlockBasedTableOptions& options,
                          const ColumnFamilyOptions& cf) {
  using Decision = CacheEntryRoleOptions::Decision;
  const CacheUsageOptions& usage = options.cache_usage_options;
  bool is_any_charged = usage.options.charged == Decision::kEnabled;
  for (const auto& [role, own] : usage.options_overrides) {
    if (own.charged != Decision::kEnabled) continue;
    is_any_charged = true;
    if (!CanBeCharged(role)) {
      return Status::NotSupported("cache_usage_options",
                                  "this role cannot be charged: " +
                                      std::to_string(static_cast<int>(role)));
    }
    if (role != CacheEntryRole::kBlobCache) continue;
    if (Status s = ValidateChargedBlobCache(options, cf); !s.ok()) return s;
  }
  if (is_any_charged && options.no_block_cache) {
    return Status::InvalidArgument("cache_usage_options, no_block_cache=true",
                                   "no cache to charge");
  }
  return Status::OK();
}

}  // namespace

namespace {

bool Compresses(CompressionType type) {
  return type != kNoCompression && type != kDisableCompressionOption;
}

// Blocks that are compressed have no common size to align them to.
Status CheckAligned(const ColumnFamilyOptions& cf) {
  const auto& levels = cf.compression_per_level;
  const char* which = nullptr;
  if (cf.compression != kNoCompression) {
    which = "compression";
  } else if (Compresses(cf.bottommost_compression)) {
    which = "bottommost_compression";
  } else if (std::any_of(levels.begin(), levels.end(), &Compresses)) {
    which = "compression_per_level";
  }
  if (which == nullptr) return Status::OK();
  return Status::InvalidArgument(
      std::string("Enable block_align, but ") + which + " enabled",
      "block_align=true, " +
          NamesAndValues(ColumnFamilyOptionStruct(), &cf, which));
}

// The index of the application's factory.
Status CheckOwnIndex(const BlockBasedTableOptions& options,
                     const ColumnFamilyOptions& cf) {
  const UserDefinedIndexFactory* factory =
      options.user_defined_index_factory.get();
  if (factory == nullptr) return Status::OK();
  if (cf.compression_opts.parallel_threads > 1 ||
      (cf.bottommost_compression_opts.enabled &&
       cf.bottommost_compression_opts.parallel_threads > 1)) {
    return Status::InvalidArgument(
        "user_defined_index_factory not supported with parallel compression");
  }
  if (cf.comparator == BytewiseComparator()) return Status::OK();
  // Told now, where the first flush would fail.
  UserDefinedIndexOption option;
  option.comparator = cf.comparator;
  std::unique_ptr<UserDefinedIndexBuilder> unused;
  return factory->NewBuilder(option, unused);
}

}  // namespace

Status ValidateBlockBasedTableOptions(const BlockBasedTableOptions& options,
                                      const ColumnFamilyOptions& cf) {
  Status s = CheckRules(kTableRules, BlockBasedTableOptionStruct(), options);
  if (s.ok()) s = ValidateRows(BlockBasedTableOptionStruct(), &options);
  if (s.ok()) s = ValidateCacheUsage(options, cf);
  if (!s.ok()) return s;
  if (options.index_type == BlockBasedTableOptions::kHashSearch &&
      cf.prefix_extractor == nullptr) {
    return Status::InvalidArgument(
        "Hash index is specified for block-based table, but prefix_extractor "
        "is not given",
        "index_type=kHashSearch, prefix_extractor=nullptr");
  }
  s = CheckOwnIndex(options, cf);
  if (!s.ok()) return s;
  if (cf.compression_manager != nullptr) {
    s = CheckManagerMark(cf.compression_manager->CompatibilityName(),
                         options.format_version);
    if (!s.ok()) return s;
  }
  return options.block_align ? CheckAligned(cf) : Status::OK();
}

namespace {

// allow_ingest_behind of the database, or of the family.
Status CheckIngestionBehind(const DBOptions& db,
                            const ColumnFamilyOptions& options) {
  if (!db.allow_ingest_behind && !options.cf_allow_ingest_behind) {
    return Status::OK();
  }
  const std::string values =
      std::string("allow_ingest_behind=") +
      (db.allow_ingest_behind ? "true, " : "false, ") +
      NamesAndValues(ColumnFamilyOptionStruct(), &options,
                     "cf_allow_ingest_behind|compaction_style|num_levels");
  if (!TraitsOf(options.compaction_style).can_ingest_behind) {
    return Refuse(Status::kNotSupported,
                  "only universal compaction keeps the last level free",
                  values);
  }
  return Status::OK();
}

// persist_user_defined_timestamps = false.
Status CheckTimestampsInMemory(const DBOptions& db,
                               const ColumnFamilyOptions& options) {
  if (options.persist_user_defined_timestamps ||
      options.comparator->timestamp_size() == 0) {
    return Status::OK();
  }
  const std::string values = NamesAndValues(
      ColumnFamilyOptionStruct(), &options,
      "persist_user_defined_timestamps|comparator|table_factory");
  if (db.atomic_flush) {
    return Refuse(Status::kNotSupported,
                  "a flush of one family waits for its timestamps",
                  "atomic_flush=true, " + values);
  }
  if (db.allow_concurrent_memtable_write) {
    return Refuse(Status::kNotSupported,
                  "what a memtable knows of its timestamps has one writer",
                  "allow_concurrent_memtable_write=true, " + values);
  }
  constexpr std::string_view kSuffix = ".u64ts";
  const std::string_view order = options.comparator->Name();
  if (options.comparator->timestamp_size() != sizeof(uint64_t) ||
      !order.ends_with(kSuffix) || order.size() == kSuffix.size()) {
    return Refuse(Status::kNotSupported,
                  "only comparators *.u64ts say which timestamp is the next",
                  values);
  }
  if (options.table_factory != nullptr &&
      options.table_factory->GetOptions<BlockBasedTableOptions>() == nullptr) {
    return Refuse(Status::kNotSupported,
                  "only block-based tables leave timestamps out", values);
  }
  return Status::OK();
}

// enable_blob_direct_write: the leader of a group writes the blobs of all, and
// the memtable that refers to them is flushed to a table.
Status CheckDirectBlobs(const DBOptions& db,
                        const ColumnFamilyOptions& options) {
  if (!options.enable_blob_direct_write || !options.enable_blob_files) {
    return Status::OK();
  }
  const struct {
    bool is_set;
    const char* text;
  } others[] = {{db.allow_concurrent_memtable_write,
                 "allow_concurrent_memtable_write=true"},
                {db.enable_pipelined_write, "enable_pipelined_write=true"},
                {db.unordered_write, "unordered_write=true"},
                {db.two_write_queues, "two_write_queues=true"},
                {options.experimental_mempurge_threshold > 0,
                 "experimental_mempurge_threshold"},
                {options.comparator->timestamp_size() > 0,
                 "a comparator with timestamps"}};
  for (const auto& other : others) {
    if (!other.is_set) continue;
    return Refuse(Status::kNotSupported,
                  "blobs are written by one leader for one memtable",
                  std::string("enable_blob_direct_write=true, ") + other.text);
  }
  return Status::OK();
}

// Vectors of ours have a lock.
Status CheckConcurrentInserts(const DBOptions& db,
                              const ColumnFamilyOptions& options) {
  const MemTableRepFactory* const factory = options.memtable_factory.get();
  if (!db.allow_concurrent_memtable_write || factory == nullptr ||
      factory->IsInsertConcurrentlySupported() ||
      factory->IsInstanceOf(VectorRepFactory::kClassName())) {
    return Status::OK();
  }
  return Status::InvalidArgument(
      "Memtable doesn't allow concurrent writes "
      "(allow_concurrent_memtable_write)",
      "allow_concurrent_memtable_write=true, " +
          NamesAndValues(ColumnFamilyOptionStruct(), &options,
                         "memtable_factory"));
}

}  // namespace

Status ValidateColumnFamilyOptions(const DBOptions& db,
                                   const ColumnFamilyOptions& options) {
  const OptionStruct& rows = ColumnFamilyOptionStruct();
  Status s = CheckRules(kFamilyRules, rows, options);
  if (s.ok()) s = CheckIngestionBehind(db, options);
  if (s.ok()) s = CheckTimestampsInMemory(db, options);
  if (s.ok()) s = CheckCodecs(options);
  if (s.ok()) s = ValidateRows(rows, &options);
  if (s.ok() && options.inplace_update_support &&
      db.allow_concurrent_memtable_write) {
    s = Status::InvalidArgument(
        "In-place memtable updates (inplace_update_support) is not compatible "
        "with concurrent writes (allow_concurrent_memtable_write)",
        "inplace_update_support=true, allow_concurrent_memtable_write=true");
  }
  if (s.ok() && db.open_files_async &&
      options.compaction_style == kCompactionStyleFIFO) {
    s = Status::NotSupported(
        "FIFO compaction is not supported with open_files_async = true.");
  }
  if (s.ok()) s = CheckConcurrentInserts(db, options);
  if (s.ok()) s = CheckDirectBlobs(db, options);
  if (s.ok() && db.unordered_write && options.max_successive_merges > 0) {
    s = Status::InvalidArgument(
        "max_successive_merges larger than 0 is currently inconsistent with "
        "unordered_write",
        "unordered_write=true, " +
            NamesAndValues(rows, &options, "max_successive_merges"));
  }
  if (!s.ok() || options.table_factory == nullptr) return s;
  if (const auto* table =
          options.table_factory->GetOptions<BlockBasedTableOptions>()) {
    s = ValidateBlockBasedTableOptions(*table, options);
  }
  return s.ok() ? options.table_factory->ValidateOptions(db, options) : s;
}

}  // namespace ROCKSDB_NAMESPACE
