#include "db_stress_tool/engine_options.h"

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "db_stress_tool/caches.h"
#include "db_stress_tool/codecs.h"
#include "db_stress_tool/engine_calls.h"
#include "db_stress_tool/plugins.h"
#include "rocksdb/convenience.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/options_util.h"
#include "rocksdb/utilities/table_properties_collectors.h"
#include "rocksdb/write_buffer_manager.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

struct OptionSet {
  DBOptions db;
  ColumnFamilyOptions cf;
  BlockBasedTableOptions table;
};

using TextMap = std::unordered_map<std::string, std::string>;
using Texts = std::vector<std::pair<std::string, std::string>>;

// Defaults of db_stress that are not the engine's.
const Texts& Defaults() {
  static const Texts defaults{
      {"checksum_type", "kCRC32c"},
      {"max_bytes_for_level_multiplier", "2"},
      {"max_manifest_file_size", "16384"},
      {"paranoid_file_checks", "true"},
      {"periodic_compaction_seconds", "1000"},
      {"ttl", "1000"},
      {"enable_pipelined_write", "false"},
      {"allow_concurrent_memtable_write", "false"},
  };
  return defaults;
}

// The reference tool's names of options that are called otherwise.
const std::map<std::string, std::string>& Names() {
  static const std::map<std::string, std::string> names{
      {"mmap_read", "allow_mmap_reads"},
      {"mmap_write", "allow_mmap_writes"},
      {"open_files", "max_open_files"},
      {"subcompactions", "max_subcompactions"},
      {"compaction_ttl", "ttl"},
      {"compression_type", "compression"},
      {"checksum_type", "checksum"},
      {"bottommost_compression_type", "bottommost_compression"},
      {"in_place_update", "inplace_update_support"},
      {"memtablerep", "memtable_factory"},
      {"universal_size_ratio", "compaction_options_universal.size_ratio"},
      {"universal_min_merge_width",
       "compaction_options_universal.min_merge_width"},
      {"universal_max_merge_width",
       "compaction_options_universal.max_merge_width"},
      {"universal_max_size_amplification_percent",
       "compaction_options_universal.max_size_amplification_percent"},
      {"universal_max_read_amp", "compaction_options_universal.max_read_amp"},
      {"universal_reduce_file_locking",
       "compaction_options_universal.reduce_file_locking"},
      {"file_temperature_age_thresholds",
       "compaction_options_fifo.file_temperature_age_thresholds"},
      {"allow_trivial_copy_when_change_temperature",
       "compaction_options_fifo.allow_trivial_copy_when_change_temperature"},
      {"fifo_allow_compaction", "compaction_options_fifo.allow_compaction"},
      {"fifo_compaction_use_kv_ratio_compaction",
       "compaction_options_fifo.use_kv_ratio_compaction"},
      {"compression_max_dict_bytes", "compression_opts.max_dict_bytes"},
      {"compression_zstd_max_train_bytes",
       "compression_opts.zstd_max_train_bytes"},
      {"compression_parallel_threads", "compression_opts.parallel_threads"},
      {"compression_max_dict_buffer_bytes",
       "compression_opts.max_dict_buffer_bytes"},
      {"compression_use_zstd_dict_trainer",
       "compression_opts.use_zstd_dict_trainer"},
      {"compression_checksum", "compression_opts.checksum"},
  };
  return names;
}

using Spelling = std::map<std::string, std::string>;

// Values that the engine spells otherwise, by its option.
std::string Spelled(const std::string& option, const std::string& text) {
  static const Spelling codecs{
      {"none", "kNoCompression"},
      {"snappy", "kSnappyCompression"},
      {"zlib", "kZlibCompression"},
      {"bzip2", "kBZip2Compression"},
      {"lz4", "kLZ4Compression"},
      {"lz4hc", "kLZ4HCCompression"},
      {"zstd", "kZSTD"},
      {"disable", "kDisableCompressionOption"},
      {"xpress", "kXpressCompression"},
  };
  static const std::map<std::string, Spelling> spellings{
      {"compression", codecs},
      {"bottommost_compression", codecs},
      {"wal_compression", codecs},
      {"blob_compression_type", codecs},
      {"memtable_factory",
       {{"skip_list", "SkipListFactory"},
        {"vector", "VectorRepFactory"},
        {"prefix_hash", "prefix_hash"},
        {"hash_linkedlist", "hash_linkedlist"}}},
      {"compaction_style",
       {{"0", "kCompactionStyleLevel"},
        {"1", "kCompactionStyleUniversal"},
        {"2", "kCompactionStyleFIFO"},
        {"3", "kCompactionStyleNone"}}},
      {"compaction_pri",
       {{"0", "kByCompensatedSize"},
        {"1", "kOldestLargestSeqFirst"},
        {"2", "kOldestSmallestSeqFirst"},
        {"3", "kMinOverlappingRatio"},
        {"4", "kRoundRobin"}}},
      {"index_type",
       {{"0", "kBinarySearch"},
        {"1", "kHashSearch"},
        {"2", "kTwoLevelIndexSearch"},
        {"3", "kBinarySearchWithFirstKey"}}},
      {"data_block_index_type",
       {{"0", "kDataBlockBinarySearch"}, {"1", "kDataBlockBinaryAndHash"}}},
      {"index_shortening",
       {{"0", "kNoShortening"},
        {"1", "kShortenSeparators"},
        {"2", "kShortenSeparatorsAndSuccessor"}}},
      {"index_block_search_type",
       {{"0", "kBinary"}, {"1", "kInterpolation"}, {"2", "kAuto"}}},
      {"lowest_used_cache_tier",
       {{"0", "kVolatileTier"},
        {"1", "kVolatileCompressedTier"},
        {"2", "kNonVolatileBlockTier"}}},
      {"prepopulate_block_cache",
       {{"0", "kDisable"}, {"1", "kFlushOnly"}, {"2", "kFlushAndCompaction"}}},
      {"prepopulate_blob_cache", {{"0", "kDisable"}, {"1", "kFlushOnly"}}},
  };
  const auto spelling = spellings.find(option);
  if (spelling == spellings.end()) return text;
  const auto found = spelling->second.find(text);
  return found == spelling->second.end() ? text : found->second;
}

ConfigOptions Strict() {
  ConfigOptions config;
  config.ignore_unknown_options = false;
  config.ignore_unsupported_options = false;
  return config;
}

Status ApplyToDb(const ConfigOptions& config, const TextMap& text,
                 OptionSet* set) {
  DBOptions changed;
  Status s = GetDBOptionsFromMap(config, set->db, text, &changed);
  if (s.ok()) set->db = changed;
  return s;
}

Status ApplyToFamily(const ConfigOptions& config, const TextMap& text,
                     OptionSet* set) {
  ColumnFamilyOptions changed;
  Status s = GetColumnFamilyOptionsFromMap(config, set->cf, text, &changed);
  if (s.ok()) set->cf = changed;
  return s;
}

Status ApplyToTable(const ConfigOptions& config, const TextMap& text,
                    OptionSet* set) {
  BlockBasedTableOptions changed;
  Status s =
      GetBlockBasedTableOptionsFromMap(config, set->table, text, &changed);
  if (s.ok()) set->table = changed;
  return s;
}

// To the one struct that knows it; if none takes it, all answers are shown.
Status Apply(const std::string& option, const std::string& value,
             OptionSet* set) {
  const TextMap text{{option, value}};
  std::string answers;
  for (const auto& apply : {&ApplyToDb, &ApplyToFamily, &ApplyToTable}) {
    const Status s = apply(Strict(), text, set);
    if (s.ok()) return s;
    answers += (answers.empty() ? "" : "; ") + s.ToString();
  }
  return Status::InvalidArgument(answers);
}

Status ApplyFlag(const std::string& flag, const std::string& value,
                 OptionSet* set) {
  const auto renamed = Names().find(flag);
  const std::string option = renamed == Names().end() ? flag : renamed->second;
  Status s = Apply(option, Spelled(option, value), set);
  if (s.ok()) return s;
  return Status::InvalidArgument("--" + flag + "=" + value, s.ToString());
}

// Whatever an options file says: what is dropped would be missed.
Status SetFifoSizes(const Flags& flags, OptionSet* set) {
  const struct {
    const char* option;
    int64_t megabytes;
  } sizes[] = {
      {"compaction_options_fifo.max_table_files_size",
       flags.fifo_compaction_max_table_files_size_mb},
      {"compaction_options_fifo.max_data_files_size",
       flags.fifo_compaction_max_data_files_size_mb},
  };
  for (const auto& size : sizes) {
    if (size.megabytes == 0) continue;
    const Status s =
        Apply(size.option, std::to_string(size.megabytes << 20), set);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

// The values of a stacked BlobDB are all in its blob files.
void SetStackedBlobs(const Flags& flags, ColumnFamilyOptions* cf) {
  cf->enable_blob_files = true;
  cf->min_blob_size = 0;
  cf->blob_file_size = flags.blob_db_file_size;
  cf->enable_blob_garbage_collection = flags.blob_db_enable_gc;
}

Status LoadFile(const Flags& flags, OptionSet* set) {
  std::vector<ColumnFamilyDescriptor> families;
  Status s = LoadOptionsFromFile(ConfigOptions(), flags.options_file, &set->db,
                                 &families);
  if (!s.ok()) return s;
  set->cf = families.front().options;
  if (set->cf.table_factory == nullptr) return s;
  const auto* table =
      set->cf.table_factory->GetOptions<BlockBasedTableOptions>();
  if (table != nullptr) set->table = *table;
  return s;
}

void SetPinning(const Flags& flags, BlockBasedTableOptions* table) {
  MetadataCacheOptions* const pinning = &table->metadata_cache_options;
  pinning->top_level_index_pinning =
      static_cast<PinningTier>(flags.top_level_index_pinning);
  pinning->partition_pinning =
      static_cast<PinningTier>(flags.partition_pinning);
  pinning->unpartitioned_pinning =
      static_cast<PinningTier>(flags.unpartitioned_pinning);
}

void SetFilter(const Flags& flags, BlockBasedTableOptions* table) {
  if (flags.bloom_bits <= 0) {
    table->filter_policy = nullptr;
  } else if (flags.bloom_before_level < INT32_MAX &&
             flags.bloom_before_level < 900) {
    table->filter_policy.reset(NewRibbonFilterPolicy(
        flags.bloom_bits, static_cast<int>(flags.bloom_before_level)));
  } else {
    table->filter_policy.reset(NewBloomFilterPolicy(flags.bloom_bits));
  }
  table->partition_filters = flags.partition_filters;
  if (flags.partition_filters) {
    table->index_type = BlockBasedTableOptions::IndexType::kTwoLevelIndexSearch;
  }
}

// Engines may not ask how large a file must be.
template <typename AnyFlags>
auto NewCollectorOfDeletions(const AnyFlags& flags) {
  const auto window =
      static_cast<size_t>(flags.compaction_on_deletion_window_size);
  const auto trigger =
      static_cast<size_t>(flags.compaction_on_deletion_trigger_count);
  const auto bytes =
      static_cast<uint64_t>(flags.compaction_on_deletion_min_file_size);
  const auto ratio = flags.compaction_on_deletion_ratio;
  if constexpr (requires {
                  NewCompactOnDeletionCollectorFactory(window, trigger, ratio,
                                                       bytes);
                }) {
    return NewCompactOnDeletionCollectorFactory(window, trigger, ratio, bytes);
  } else {
    return NewCompactOnDeletionCollectorFactory(window, trigger, ratio);
  }
}

void SetPlugins(const Flags& flags, ColumnFamilyOptions* cf) {
  cf->merge_operator = flags.use_full_merge_v1 ? MakeOldLastOperandOperator()
                                               : MakeLastOperandOperator();
  cf->prefix_extractor.reset(
      flags.prefix_size < 0
          ? nullptr
          : NewFixedPrefixTransform(static_cast<size_t>(flags.prefix_size)));
  if (flags.enable_memtable_insert_with_hint_prefix_extractor) {
    // Without a prefix 256 keys each, as partitions have.
    cf->memtable_insert_with_hint_prefix_extractor.reset(
        NewFixedPrefixTransform(flags.prefix_size < 0
                                    ? 7
                                    : static_cast<size_t>(flags.prefix_size)));
  }
  if (flags.mark_for_compaction_one_file_in > 0) {
    cf->table_properties_collector_factories.push_back(
        MakeMarkingFactory(flags.mark_for_compaction_one_file_in, flags.seed));
  }
  if (flags.user_timestamp_size > 0) {
    cf->comparator = engine::TimestampComparator();
  }
  if (flags.enable_compaction_filter) {
    cf->compaction_filter_factory = MakeKeepAllFilterFactory();
  }
  if (flags.enable_sst_partitioner_factory) {
    // The first seven bytes: 256 keys.
    cf->sst_partitioner_factory = NewSstPartitionerFixedPrefixFactory(7);
  }
  if (flags.enable_compaction_on_deletion_trigger) {
    cf->table_properties_collector_factories.push_back(
        NewCollectorOfDeletions(flags));
  }
}

void SetObjects(const Flags& flags, OptionSet* set) {
  set->db.create_if_missing = true;
  set->db.create_missing_column_families = true;
  if (flags.manual_wal_flush_one_in > 0) set->db.manual_wal_flush = true;
  if (flags.statistics) set->db.statistics = CreateDBStatistics();
  if (flags.rate_limiter_bytes_per_sec > 0) {
    set->db.rate_limiter.reset(NewGenericRateLimiter(
        flags.rate_limiter_bytes_per_sec, 1000, 10,
        flags.rate_limit_bg_reads ? RateLimiter::Mode::kReadsOnly
                                  : RateLimiter::Mode::kWritesOnly));
  }
  if (flags.use_write_buffer_manager) {
    set->db.write_buffer_manager = std::make_shared<WriteBufferManager>(
        set->cf.write_buffer_size * static_cast<size_t>(flags.column_families));
  }
  if (flags.best_efforts_recovery) set->db.best_efforts_recovery = true;
  if (flags.file_checksum_impl == "crc32c") {
    set->db.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  }
}

}  // namespace

Status MakeEngineOptions(const Flags& flags, Options* options) {
  OptionSet set;
  Status s;
  if (flags.options_file.empty()) {
    for (const auto& [name, value] : Defaults()) {
      s = ApplyFlag(name, value, &set);
      if (!s.ok()) return s;
    }
  } else {
    s = LoadFile(flags, &set);
    if (!s.ok()) return s;
  }
  for (const auto& [name, value] : flags.engine_options) {
    s = ApplyFlag(name, value, &set);
    if (!s.ok()) return s;
  }
  if (flags.use_blob_db) SetStackedBlobs(flags, &set.cf);
  s = SetFifoSizes(flags, &set);
  if (s.ok() && flags.use_trie_index) {
    s = Apply("user_defined_index_factory", "trie_index", &set);
  } else if (flags.WasGiven("use_trie_index")) {
    // An options file may have one; timestamps go without.
    set.table.user_defined_index_factory.reset();
    set.table.use_udi_as_primary_index = false;
  }
  if (s.ok()) s = SetCompressionManager(flags.compression_manager, &set.cf);
  if (s.ok()) s = SetCaches(flags, &set.table, &set.cf);
  if (!s.ok()) return s;
  SetPinning(flags, &set.table);
  SetFilter(flags, &set.table);
  SetObjects(flags, &set);
  SetPlugins(flags, &set.cf);
  if (set.cf.comparator == nullptr) {
    return Status::NotSupported("--user_timestamp_size=8");
  }
  if (flags.test_follower && flags.test_cf_consistency &&
      !set.db.atomic_flush) {
    return Status::InvalidArgument(
        "--test_follower=1",
        "sees what is flushed: --test_cf_consistency needs --atomic_flush");
  }
  set.cf.table_factory.reset(NewBlockBasedTableFactory(set.table));
  *options = Options(set.db, set.cf);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE::stress
