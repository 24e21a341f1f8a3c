#include "options/column_family_rows.h"

#include "options/option_kinds.h"
#include "rocksdb/advanced_compression.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/concurrent_task_limiter.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE {

template <>
struct StructOf<CompressionOptions> {
  static const OptionStruct& Get() { return CompressionOptionStruct(); }
};
template <>
struct StructOf<CompactionOptionsUniversal> {
  static const OptionStruct& Get() { return UniversalOptionStruct(); }
};
template <>
struct StructOf<CompactionOptionsFIFO> {
  static const OptionStruct& Get() { return FifoOptionStruct(); }
};
template <>
struct StructOf<FileTemperatureAge> {
  static const OptionStruct& Get() { return FileTemperatureAgeStruct(); }
};

namespace {

using enum Mutability;
constexpr std::string_view kDirectBlobs =
    "Used with enable_blob_direct_write alone.";
constexpr std::string_view kCodecs =
    "kNoCompression|kSnappyCompression|kZlibCompression|kBZip2Compression|"
    "kLZ4Compression|kLZ4HCCompression|kZSTD";
constexpr std::string_view kCodecsOrNone =
    "kNoCompression|kSnappyCompression|kZlibCompression|kBZip2Compression|"
    "kLZ4Compression|kLZ4HCCompression|kZSTD|kDisableCompressionOption";

using PrefixExtractor = std::shared_ptr<const SliceTransform>;

void TellCollectors(const std::string& name, const void* field,
                    OptionLines* lines) {
  std::string names;
  for (const auto& factory :
       *static_cast<
           const ColumnFamilyOptions::TablePropertiesCollectorFactories*>(
           field)) {
    names += (names.empty() ? "" : "; ") +
             (factory == nullptr ? "None" : factory->ToString());
  }
  lines->push_back({name, names});
}

void TellBlobPrepopulation(const std::string& name, const void* field,
                           OptionLines* lines) {
  const auto value = *static_cast<const PrepopulateBlobCache*>(field);
  lines->push_back({name, value == PrepopulateBlobCache::kDisable
                              ? "disable"
                              : "flush only"});
}

constexpr OptionRow kColumnFamilyRows[] = {
#define FIXED(member, ...) \
  OPTION(ColumnFamilyOptions, member, kFixed, __VA_ARGS__),
#define DYNAMIC(member, ...) \
  OPTION(ColumnFamilyOptions, member, kDynamic, __VA_ARGS__),
#include "options/column_family_rows.def"
};

constexpr std::string_view kFamilyLogOrder[] = {
    "comparator",
    "merge_operator",
    "compaction_filter",
    "compaction_filter_factory",
    "sst_partitioner_factory",
    "memtable_factory",
    "table_factory",
    "write_buffer_size",
    "max_write_buffer_number",
    "compression",
    "compression_per_level",
    "bottommost_compression",
    "prefix_extractor",
    "memtable_insert_with_hint_prefix_extractor",
    "num_levels",
    "min_write_buffer_number_to_merge",
    "max_write_buffer_size_to_maintain",
    "bottommost_compression_opts",
    "compression_opts",
    "level0_file_num_compaction_trigger",
    "level0_slowdown_writes_trigger",
    "level0_stop_writes_trigger",
    "target_file_size_base",
    "target_file_size_multiplier",
    "max_bytes_for_level_base",
    "level_compaction_dynamic_level_bytes",
    "max_bytes_for_level_multiplier",
    "max_bytes_for_level_multiplier_additional",
    "max_sequential_skip_in_iterations",
    "max_compaction_bytes",
    "arena_block_size",
    "soft_pending_compaction_bytes_limit",
    "hard_pending_compaction_bytes_limit",
    "disable_auto_compactions",
    "compaction_style",
    "compaction_pri",
    "compaction_options_universal",
    "compaction_options_fifo",
    "table_properties_collector_factories",
    "inplace_update_support",
    "inplace_update_num_locks",
    "memtable_prefix_bloom_size_ratio",
    "memtable_whole_key_filtering",
    "memtable_huge_page_size",
    "bloom_locality",
    "max_successive_merges",
    "optimize_filters_for_hits",
    "paranoid_file_checks",
    "force_consistency_checks",
    "report_bg_io_stats",
    "ttl",
    "periodic_compaction_seconds",
    "preclude_last_level_data_seconds",
    "preserve_internal_time_seconds",
    "enable_blob_files",
    "min_blob_size",
    "blob_file_size",
    "blob_compression_type",
    "enable_blob_garbage_collection",
    "blob_garbage_collection_age_cutoff",
    "blob_garbage_collection_force_threshold",
    "blob_compaction_readahead_size",
    "blob_file_starting_level",
    "experimental_mempurge_threshold",
};

constexpr std::string_view kDeprecatedFamilyOptions[] = {
    "bottommost_temperature",
    "check_flush_compaction_key_order",
    "compaction_measure_io_stats",
    "expanded_compaction_factor",
    "filter_deletes",
    "hard_rate_limit",
    "ignore_max_compaction_bytes_for_input",
    "level_compaction_dynamic_file_size",
    "max_grandparent_overlap_factor",
    "max_mem_compaction_level",
    "max_write_buffer_number_to_maintain",
    "memtable_prefix_bloom_bits",
    "memtable_prefix_bloom_huge_page_tlb_size",
    "memtable_prefix_bloom_probes",
    "min_partial_merge_operands",
    "purge_redundant_kvs_while_flush",
    "rate_limit_delay_max_milliseconds",
    "snap_refresh_nanos",
    "soft_rate_limit",
    "source_compaction_factor",
    "verify_checksums_in_compaction",
};

constexpr OptionAlias kAliases[] = {
    {"block_based_table_factory", "table_factory", "id=BlockBasedTable;"},
    {"plain_table_factory", "table_factory", "id=PlainTable;"},
    {"memtable", "memtable_factory"},
    {"memtable_veirfy_per_key_checksum_on_seek",
     "memtable_verify_per_key_checksum_on_seek"},
};

#define COMPRESSION(member, ...) \
  OPTION(CompressionOptions, member, kDynamic __VA_OPT__(, ) __VA_ARGS__)

constexpr OptionRow kCompressionRows[] = {
    COMPRESSION(window_bits),
    COMPRESSION(level),
    COMPRESSION(strategy),
    COMPRESSION(max_dict_bytes),
    COMPRESSION(zstd_max_train_bytes),
    COMPRESSION(parallel_threads, .samples = "1|3"),
    COMPRESSION(enabled, .tell = &TellInWords),
    COMPRESSION(max_dict_buffer_bytes),
    COMPRESSION(use_zstd_dict_trainer, .tell = &TellInWords),
    COMPRESSION(max_compressed_bytes_per_kb),
    COMPRESSION(checksum),
};

#undef COMPRESSION

// Before there were names, and with the threads left out if there are six.
std::vector<std::string_view> CompressionPositions(size_t count) {
  std::vector<std::string_view> names = {"window_bits",
                                         "level",
                                         "strategy",
                                         "max_dict_bytes",
                                         "zstd_max_train_bytes",
                                         "parallel_threads",
                                         "enabled",
                                         "max_dict_buffer_bytes",
                                         "use_zstd_dict_trainer"};
  if (count < 3 || count > names.size()) return {};
  if (count == 6) names.erase(names.begin() + 5);
  names.resize(count);
  return names;
}

std::vector<std::string_view> FifoPositions(size_t count) {
  if (count != 1) return {};
  return {"max_table_files_size"};
}

#define UNIVERSAL(member, ...)               \
  OPTION(CompactionOptionsUniversal, member, \
         kDynamic __VA_OPT__(, ) __VA_ARGS__)

constexpr OptionRow kUniversalRows[] = {
    UNIVERSAL(size_ratio, .samples = "0|1|10|100"),
    UNIVERSAL(min_merge_width, .samples = "2|3"),
    UNIVERSAL(max_merge_width, .samples = "3|8|4294967295"),
    UNIVERSAL(max_size_amplification_percent, .samples = "0|25|200|1000"),
    UNIVERSAL(compression_size_percent, .samples = "-1|0|50|100"),
    UNIVERSAL(max_read_amp, .samples = "-1|0|4|10"),
    UNIVERSAL(stop_style, .tell = &TellEnumName<CompactionStopStyle>),
    UNIVERSAL(allow_trivial_move),
    UNIVERSAL(incremental),
    UNIVERSAL(reduce_file_locking),
};

#undef UNIVERSAL

#define FIFO(member, ...) \
  OPTION(CompactionOptionsFIFO, member, kDynamic __VA_OPT__(, ) __VA_ARGS__)

constexpr OptionRow kFifoRows[] = {
    // So much that no test writes it, and nothing is dropped.
    FIFO(max_table_files_size, .samples = "1099511627776"),
    FIFO(allow_compaction),
    FIFO(age_for_warm),
    FIFO(file_temperature_age_thresholds,
         .samples = "{{temperature=kWarm;age=1}:{temperature=kCold;age=10}}|"
                    "{{temperature=kCold;age=0}}"),
    FIFO(allow_trivial_copy_when_change_temperature),
    FIFO(trivial_copy_buffer_size, .samples = "0|4096|100000"),
    FIFO(max_data_files_size, .samples = "0|1099511627776"),
    FIFO(use_kv_ratio_compaction, .note = "Used with allow_compaction alone."),
};

#undef FIFO

constexpr std::string_view kFifoDeprecated[] = {"ttl"};

constexpr OptionRow kFileTemperatureAgeRows[] = {
    OPTION(FileTemperatureAge, temperature, kDynamic),
    OPTION(FileTemperatureAge, age, kDynamic),
};

}  // namespace

const OptionStruct& ColumnFamilyOptionStruct() {
  static const OptionStruct kStruct{.name = "ColumnFamilyOptions",
                                    .rows = kColumnFamilyRows,
                                    .deprecated = kDeprecatedFamilyOptions,
                                    .aliases = kAliases,
                                    .log_order = kFamilyLogOrder};
  return kStruct;
}

const OptionStruct& CompressionOptionStruct() {
  static const OptionStruct kStruct{.name = "CompressionOptions",
                                    .rows = kCompressionRows,
                                    .positions = &CompressionPositions};
  return kStruct;
}

const OptionStruct& UniversalOptionStruct() {
  static const OptionStruct kStruct{.name = "CompactionOptionsUniversal",
                                    .rows = kUniversalRows};
  return kStruct;
}

const OptionStruct& FifoOptionStruct() {
  static const OptionStruct kStruct{.name = "CompactionOptionsFIFO",
                                    .rows = kFifoRows,
                                    .deprecated = kFifoDeprecated,
                                    .positions = &FifoPositions};
  return kStruct;
}

const OptionStruct& FileTemperatureAgeStruct() {
  static const OptionStruct kStruct{.name = "FileTemperatureAge",
                                    .rows = kFileTemperatureAgeRows};
  return kStruct;
}

}  // namespace ROCKSDB_NAMESPACE
