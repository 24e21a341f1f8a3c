// Options of databases and column families, beyond single fields.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "c/compaction_filters.h"
#include "c/handles.h"
#include "rocksdb/convenience.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/utilities/table_properties_collectors.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

std::vector<DbPath> PathsOf(const rocksdb_dbpath_t** paths, size_t count) {
  std::vector<DbPath> result;
  for (size_t i = 0; i < count; ++i) result.push_back(paths[i]->rep);
  return result;
}

void AddDeletionCollector(rocksdb_options_t* options, size_t window_size,
                          size_t deletion_trigger, double deletion_ratio,
                          uint64_t min_file_size) {
  options->rep.table_properties_collector_factories.push_back(
      NewCompactOnDeletionCollectorFactory(window_size, deletion_trigger,
                                           deletion_ratio, min_file_size));
}

// Whether a set whose last element is `last` can hold the number.
template <class Enum>
bool IsElement(int number, Enum last) {
  return number >= 0 && number <= static_cast<int>(last);
}

}  // namespace

extern "C" {

rocksdb_options_t* rocksdb_options_create_copy(rocksdb_options_t* options) {
  return Own<rocksdb_options_t>(*options);
}

// Fills `new_options` with `base` and what the text "a=1;b=2" says.
void rocksdb_get_options_from_string(const rocksdb_options_t* base,
                                     const char* text,
                                     rocksdb_options_t* new_options,
                                     char** errptr) {
  if (IsNull(base, "base", errptr) || IsNull(text, "text", errptr) ||
      IsNull(new_options, "new_options", errptr)) {
    return;
  }
  Options parsed;
  if (Fails(GetOptionsFromString(base->rep, text, &parsed), errptr)) return;
  new_options->rep = std::move(parsed);
}

void rocksdb_options_increase_parallelism(rocksdb_options_t* options,
                                          int total_threads) {
  options->rep.IncreaseParallelism(total_threads);
}

void rocksdb_options_optimize_for_point_lookup(rocksdb_options_t* options,
                                               uint64_t block_cache_size_mb) {
  options->rep.OptimizeForPointLookup(block_cache_size_mb);
}

void rocksdb_options_optimize_level_style_compaction(
    rocksdb_options_t* options, uint64_t memtable_memory_budget) {
  options->rep.OptimizeLevelStyleCompaction(memtable_memory_budget);
}

void rocksdb_options_optimize_universal_style_compaction(
    rocksdb_options_t* options, uint64_t memtable_memory_budget) {
  options->rep.OptimizeUniversalStyleCompaction(memtable_memory_budget);
}

void rocksdb_options_prepare_for_bulk_load(rocksdb_options_t* options) {
  options->rep.PrepareForBulkLoad();
}

// --- objects; where the options take one over, the caller forgets it

// Must outlive the databases.
void rocksdb_options_set_comparator(rocksdb_options_t* options,
                                    rocksdb_comparator_t* comparator) {
  options->rep.comparator =
      comparator == nullptr ? BytewiseComparator() : comparator->rep.get();
}

// Takes it over.
void rocksdb_options_set_merge_operator(
    rocksdb_options_t* options, rocksdb_mergeoperator_t* merge_operator) {
  options->rep.merge_operator =
      merge_operator == nullptr ? nullptr : TakeOver(merge_operator);
}

void rocksdb_options_set_uint64add_merge_operator(rocksdb_options_t* options) {
  std::shared_ptr<MergeOperator> add;
  const Status s =
      MergeOperator::CreateFromString(ConfigOptions(), "uint64add", &add);
  INVARIANT(s.ok());  // It is built in.
  options->rep.merge_operator = std::move(add);
}

// Must outlive the databases.
void rocksdb_options_set_compaction_filter(rocksdb_options_t* options,
                                           rocksdb_compactionfilter_t* filter) {
  options->rep.compaction_filter =
      filter == nullptr ? nullptr : filter->rep.get();
}

// Takes it over.
void rocksdb_options_set_compaction_filter_factory(
    rocksdb_options_t* options, rocksdb_compactionfilterfactory_t* factory) {
  options->rep.compaction_filter_factory =
      factory == nullptr ? nullptr : TakeOver(factory);
}

// Takes it over.
void rocksdb_options_set_prefix_extractor(rocksdb_options_t* options,
                                          rocksdb_slicetransform_t* extractor) {
  options->rep.prefix_extractor =
      extractor == nullptr ? nullptr : TakeOver(extractor);
}

// Takes it over.
void rocksdb_options_add_eventlistener(rocksdb_options_t* options,
                                       rocksdb_eventlistener_t* listener) {
  if (listener != nullptr) options->rep.listeners.push_back(TakeOver(listener));
}

// Takes it over.
void rocksdb_options_set_compaction_service(
    rocksdb_options_t* options, rocksdb_compactionservice_t* service) {
  options->rep.compaction_service =
      service == nullptr ? nullptr : TakeOver(service);
}

// Shares it.
void rocksdb_options_add_table_properties_collector_factory(
    rocksdb_options_t* options,
    rocksdb_table_properties_collector_factory_t* factory) {
  if (factory == nullptr) return;
  options->rep.table_properties_collector_factories.push_back(factory->rep);
}

// Marks files for compaction that have `deletion_trigger` deletions among
// `window_size` entries in a row.
void rocksdb_options_add_compact_on_deletion_collector_factory(
    rocksdb_options_t* options, size_t window_size, size_t deletion_trigger) {
  AddDeletionCollector(options, window_size, deletion_trigger, 0, 0);
}

// Also those of which `deletion_ratio` are deletions.
void rocksdb_options_add_compact_on_deletion_collector_factory_del_ratio(
    rocksdb_options_t* options, size_t window_size, size_t deletion_trigger,
    double deletion_ratio) {
  AddDeletionCollector(options, window_size, deletion_trigger, deletion_ratio,
                       0);
}

// Only those of at least `min_file_size` bytes.
void rocksdb_options_add_compact_on_deletion_collector_factory_min_file_size(
    rocksdb_options_t* options, size_t window_size, size_t deletion_trigger,
    double deletion_ratio, uint64_t min_file_size) {
  AddDeletionCollector(options, window_size, deletion_trigger, deletion_ratio,
                       min_file_size);
}

void rocksdb_table_properties_collector_factory_destroy(
    rocksdb_table_properties_collector_factory_t* factory) {
  End(factory);
}

// Must outlive the databases. NULL is the default one.
void rocksdb_options_set_env(rocksdb_options_t* options, rocksdb_env_t* env) {
  options->rep.env = env == nullptr ? Env::Default() : env->rep;
}

// Shares it.
void rocksdb_options_set_info_log(rocksdb_options_t* options,
                                  rocksdb_logger_t* logger) {
  options->rep.info_log = logger == nullptr ? nullptr : logger->rep;
}

// For rocksdb_logger_destroy(); NULL if there is none.
rocksdb_logger_t* rocksdb_options_get_info_log(rocksdb_options_t* options) {
  if (options->rep.info_log == nullptr) return nullptr;
  auto* logger = Own<rocksdb_logger_t>();
  logger->rep = options->rep.info_log;
  return logger;
}

// Shares it.
void rocksdb_options_set_ratelimiter(rocksdb_options_t* options,
                                     rocksdb_ratelimiter_t* limiter) {
  options->rep.rate_limiter = limiter == nullptr ? nullptr : limiter->rep;
}

// Shares it.
void rocksdb_options_set_sst_file_manager(rocksdb_options_t* options,
                                          rocksdb_sst_file_manager_t* manager) {
  options->rep.sst_file_manager = manager == nullptr ? nullptr : manager->rep;
}

// Shares it.
void rocksdb_options_set_write_buffer_manager(
    rocksdb_options_t* options, rocksdb_write_buffer_manager_t* manager) {
  options->rep.write_buffer_manager =
      manager == nullptr ? nullptr : manager->rep;
}

// Shares it.
void rocksdb_options_set_row_cache(rocksdb_options_t* options,
                                   rocksdb_cache_t* cache) {
  options->rep.row_cache = cache == nullptr ? nullptr : cache->rep;
}

// Shares it.
void rocksdb_options_set_blob_cache(rocksdb_options_t* options,
                                    rocksdb_cache_t* cache) {
  options->rep.blob_cache = cache == nullptr ? nullptr : cache->rep;
}

// Shares it.
void rocksdb_options_set_file_checksum_gen_factory(
    rocksdb_options_t* options, rocksdb_file_checksum_gen_factory_t* factory) {
  options->rep.file_checksum_gen_factory =
      factory == nullptr ? nullptr : factory->rep;
}

rocksdb_file_checksum_gen_factory_t*
rocksdb_file_checksum_gen_crc32c_factory_create(void) {
  auto* result = Own<rocksdb_file_checksum_gen_factory_t>();
  result->rep = GetFileChecksumGenCrc32cFactory();
  return result;
}

void rocksdb_file_checksum_gen_factory_destroy(
    rocksdb_file_checksum_gen_factory_t* factory) {
  End(factory);
}

// Shares it.
void rocksdb_options_set_sst_partitioner_factory(
    rocksdb_options_t* options, rocksdb_sst_partitioner_factory_t* factory) {
  options->rep.sst_partitioner_factory =
      factory == nullptr ? nullptr : factory->rep;
}

// Output files end where the first `prefix_size` bytes of keys change.
rocksdb_sst_partitioner_factory_t*
rocksdb_sst_partitioner_fixed_prefix_factory_create(size_t prefix_size) {
  auto* result = Own<rocksdb_sst_partitioner_factory_t>();
  result->rep = NewSstPartitionerFixedPrefixFactory(prefix_size);
  return result;
}

void rocksdb_sst_partitioner_factory_destroy(
    rocksdb_sst_partitioner_factory_t* factory) {
  End(factory);
}

// Must outlive the options and their databases.
void rocksdb_options_set_wal_filter(rocksdb_options_t* options,
                                    rocksdb_walfilter_t* filter) {
  options->rep.wal_filter = filter == nullptr ? nullptr : filter->rep.get();
}

void rocksdb_options_clear_wal_filter(rocksdb_options_t* options) {
  options->rep.wal_filter = nullptr;
}

// --- structs: copies of what the other options hold

void rocksdb_options_set_block_based_table_factory(
    rocksdb_options_t* options,
    rocksdb_block_based_table_options_t* table_options) {
  if (table_options == nullptr) return;
  SetTableFactory(options, NewBlockBasedTableFactory(table_options->rep));
}

void rocksdb_options_set_cuckoo_table_factory(
    rocksdb_options_t* options, rocksdb_cuckoo_table_options_t* table_options) {
  if (table_options == nullptr) return;
  SetTableFactory(options, NewCuckooTableFactory(table_options->rep));
}

void rocksdb_options_set_plain_table_factory(
    rocksdb_options_t* options, uint32_t user_key_len, int bloom_bits_per_key,
    double hash_table_ratio, size_t index_sparseness, size_t huge_page_tlb_size,
    char encoding_type, unsigned char full_scan_mode,
    unsigned char store_index_in_file) {
  PlainTableOptions table_options;
  table_options.user_key_len = user_key_len;
  table_options.bloom_bits_per_key = bloom_bits_per_key;
  table_options.hash_table_ratio = hash_table_ratio;
  table_options.index_sparseness = index_sparseness;
  table_options.huge_page_tlb_size = huge_page_tlb_size;
  table_options.encoding_type = static_cast<EncodingType>(encoding_type);
  table_options.full_scan_mode = full_scan_mode != 0;
  table_options.store_index_in_file = store_index_in_file != 0;
  SetTableFactory(options, NewPlainTableFactory(table_options));
}

void rocksdb_options_set_universal_compaction_options(
    rocksdb_options_t* options,
    rocksdb_universal_compaction_options_t* universal) {
  if (universal == nullptr) return;
  options->rep.compaction_options_universal = universal->rep;
}

void rocksdb_options_set_fifo_compaction_options(
    rocksdb_options_t* options, rocksdb_fifo_compaction_options_t* fifo) {
  if (fifo != nullptr) options->rep.compaction_options_fifo = fifo->rep;
}

void rocksdb_options_set_memtable_vector_rep(rocksdb_options_t* options) {
  options->rep.memtable_factory = std::make_shared<VectorRepFactory>();
}

void rocksdb_options_set_hash_skip_list_rep(rocksdb_options_t* options,
                                            size_t bucket_count,
                                            int32_t skiplist_height,
                                            int32_t skiplist_branching_factor) {
  options->rep.memtable_factory.reset(NewHashSkipListRepFactory(
      bucket_count, skiplist_height, skiplist_branching_factor));
}

void rocksdb_options_set_hash_link_list_rep(rocksdb_options_t* options,
                                            size_t bucket_count) {
  options->rep.memtable_factory.reset(NewHashLinkListRepFactory(bucket_count));
}

rocksdb_dbpath_t* rocksdb_dbpath_create(const char* path,
                                        uint64_t target_size) {
  auto* result = Own<rocksdb_dbpath_t>();
  result->rep = DbPath(TextOf(path), target_size);
  return result;
}

void rocksdb_dbpath_destroy(rocksdb_dbpath_t* path) { End(path); }

void rocksdb_options_set_db_paths(rocksdb_options_t* options,
                                  const rocksdb_dbpath_t** paths,
                                  size_t count) {
  options->rep.db_paths = PathsOf(paths, count);
}

void rocksdb_options_set_cf_paths(rocksdb_options_t* options,
                                  const rocksdb_dbpath_t** paths,
                                  size_t count) {
  options->rep.cf_paths = PathsOf(paths, count);
}

// --- compression

void rocksdb_options_set_compression_options(rocksdb_options_t* options,
                                             int window_bits, int level,
                                             int strategy, int max_dict_bytes) {
  CompressionOptions& to = options->rep.compression_opts;
  to.window_bits = window_bits;
  to.level = level;
  to.strategy = strategy;
  to.max_dict_bytes = static_cast<uint32_t>(max_dict_bytes);
}

// With `enabled`, these count for the last level; else compression_options do.
void rocksdb_options_set_bottommost_compression_options(
    rocksdb_options_t* options, int window_bits, int level, int strategy,
    int max_dict_bytes, unsigned char enabled) {
  CompressionOptions& to = options->rep.bottommost_compression_opts;
  to.window_bits = window_bits;
  to.level = level;
  to.strategy = strategy;
  to.max_dict_bytes = static_cast<uint32_t>(max_dict_bytes);
  to.enabled = enabled != 0;
}

void rocksdb_options_set_bottommost_compression_options_zstd_max_train_bytes(
    rocksdb_options_t* options, int zstd_max_train_bytes,
    unsigned char enabled) {
  CompressionOptions& to = options->rep.bottommost_compression_opts;
  to.zstd_max_train_bytes = static_cast<uint32_t>(zstd_max_train_bytes);
  to.enabled = enabled != 0;
}

void rocksdb_options_set_bottommost_compression_options_use_zstd_dict_trainer(
    rocksdb_options_t* options, unsigned char use_zstd_dict_trainer,
    unsigned char enabled) {
  CompressionOptions& to = options->rep.bottommost_compression_opts;
  to.use_zstd_dict_trainer = use_zstd_dict_trainer != 0;
  to.enabled = enabled != 0;
}

void rocksdb_options_set_bottommost_compression_options_max_dict_buffer_bytes(
    rocksdb_options_t* options, uint64_t max_dict_buffer_bytes,
    unsigned char enabled) {
  CompressionOptions& to = options->rep.bottommost_compression_opts;
  to.max_dict_buffer_bytes = max_dict_buffer_bytes;
  to.enabled = enabled != 0;
}

// One rocksdb_*_compression for each level.
void rocksdb_options_set_compression_per_level(rocksdb_options_t* options,
                                               const int* level_values,
                                               size_t num_levels) {
  std::vector<CompressionType>& to = options->rep.compression_per_level;
  to.clear();
  for (size_t i = 0; i < num_levels; ++i) {
    to.push_back(static_cast<CompressionType>(level_values[i]));
  }
}

// Levels before `level` are not compressed; below 0, nothing changes. Set
// num_levels and compression first.
void rocksdb_options_set_min_level_to_compress(rocksdb_options_t* options,
                                               int level) {
  if (level < 0) return;
  std::vector<CompressionType>& to = options->rep.compression_per_level;
  to.clear();
  for (int i = 0; i < options->rep.num_levels; ++i) {
    to.push_back(i < level ? kNoCompression : options->rep.compression);
  }
}

// --- other lists

void rocksdb_options_set_max_bytes_for_level_multiplier_additional(
    rocksdb_options_t* options, int* level_values, size_t num_levels) {
  options->rep.max_bytes_for_level_multiplier_additional.assign(
      level_values, level_values + num_levels);
}

void rocksdb_options_compaction_readahead_size(rocksdb_options_t* options,
                                               size_t size) {
  options->rep.compaction_readahead_size = size;
}

// RocksDB 11 dropped this option, which has no effect; older clients set it.
void rocksdb_options_set_skip_checking_sst_file_sizes_on_db_open(
    rocksdb_options_t* options, unsigned char value) {
  options->skip_checking_sst_file_sizes = value != 0;
}

unsigned char rocksdb_options_get_skip_checking_sst_file_sizes_on_db_open(
    rocksdb_options_t* options) {
  return options->skip_checking_sst_file_sizes ? 1 : 0;
}

// Numbers of FileType. No set has others.
void rocksdb_options_checksum_handoff_file_types_add(rocksdb_options_t* options,
                                                     int type) {
  if (!IsElement(type, FileType::kBlobFile)) return;
  options->rep.checksum_handoff_file_types.Add(static_cast<FileType>(type));
}

void rocksdb_options_checksum_handoff_file_types_remove(
    rocksdb_options_t* options, int type) {
  if (!IsElement(type, FileType::kBlobFile)) return;
  options->rep.checksum_handoff_file_types.Remove(static_cast<FileType>(type));
}

unsigned char rocksdb_options_checksum_handoff_file_types_contains(
    rocksdb_options_t* options, int type) {
  return IsElement(type, FileType::kBlobFile) &&
                 options->rep.checksum_handoff_file_types.Contains(
                     static_cast<FileType>(type))
             ? 1
             : 0;
}

void rocksdb_options_checksum_handoff_file_types_clear(
    rocksdb_options_t* options) {
  options->rep.checksum_handoff_file_types = FileTypeSet();
}

// Compaction styles: rocksdb_level_compaction and the others.
void rocksdb_options_calculate_sst_write_lifetime_hint_set_add(
    rocksdb_options_t* options, int style) {
  if (!IsElement(style, kCompactionStyleNone)) return;
  options->rep.calculate_sst_write_lifetime_hint_set.Add(
      static_cast<CompactionStyle>(style));
}

void rocksdb_options_calculate_sst_write_lifetime_hint_set_remove(
    rocksdb_options_t* options, int style) {
  if (!IsElement(style, kCompactionStyleNone)) return;
  options->rep.calculate_sst_write_lifetime_hint_set.Remove(
      static_cast<CompactionStyle>(style));
}

unsigned char rocksdb_options_calculate_sst_write_lifetime_hint_set_contains(
    rocksdb_options_t* options, int style) {
  return IsElement(style, kCompactionStyleNone) &&
                 options->rep.calculate_sst_write_lifetime_hint_set.Contains(
                     static_cast<CompactionStyle>(style))
             ? 1
             : 0;
}

void rocksdb_options_calculate_sst_write_lifetime_hint_set_clear(
    rocksdb_options_t* options) {
  options->rep.calculate_sst_write_lifetime_hint_set = CompactionStyleSet();
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
