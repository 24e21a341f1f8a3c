// What setters without a getter leave behind their handles, and lists in infos.

#include <memory>
#include <string>

#include "c/compaction_filters.h"
#include "rocksdb/listener.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/table.h"
#include "tests/c/info_fields.h"

using namespace ROCKSDB_NAMESPACE;         // NOLINT
using namespace ROCKSDB_NAMESPACE::c_api;  // NOLINT

static void TestTableObjects() {
  rocksdb_cache_t* cache = rocksdb_cache_create_lru(1 << 20);
  auto* table = rocksdb_block_based_options_create();
  const BlockBasedTableOptions& rep = table->rep;
  rocksdb_block_based_options_set_block_cache(table, cache);
  CHECK(rep.block_cache == cache->rep);
  rocksdb_block_based_options_set_block_cache(table, nullptr);
  CHECK(rep.block_cache == nullptr);
  rocksdb_block_based_options_set_data_block_hash_ratio(table, 0.25);
  CHECK(rep.data_block_hash_table_util_ratio == 0.25);
  const MetadataCacheOptions& pinned = rep.metadata_cache_options;
  rocksdb_block_based_options_set_partition_pinning_tier(table, 3);
  CHECK(pinned.partition_pinning == PinningTier::kAll);
  rocksdb_block_based_options_set_top_level_index_pinning_tier(table, 2);
  CHECK(pinned.top_level_index_pinning == PinningTier::kFlushedAndSimilar);
  rocksdb_block_based_options_set_unpartitioned_pinning_tier(table, 1);
  CHECK(pinned.unpartitioned_pinning == PinningTier::kNone);
  rocksdb_block_based_options_destroy(table);

  auto* cuckoo = rocksdb_cuckoo_options_create();
  rocksdb_cuckoo_options_set_hash_ratio(cuckoo, 0.5);
  CHECK(cuckoo->rep.hash_table_ratio == 0.5);
  auto* overrides = rocksdb_compaction_service_options_override_create();
  rocksdb_compaction_service_options_override_set_cuckoo_table_factory(
      overrides, cuckoo);
  const TableFactory* factory = overrides->rep.table_factory.get();
  const auto* set =
      factory == nullptr ? nullptr : factory->GetOptions<CuckooTableOptions>();
  CHECK(set != nullptr && set->hash_table_ratio == 0.5);
  rocksdb_compaction_service_options_override_destroy(overrides);
  rocksdb_cuckoo_options_destroy(cuckoo);

  const std::weak_ptr<Cache> last = cache->rep;
  rocksdb_cache_destroy(cache);
  CHECK(last.expired());
}

static void TestSharedObjects() {
  auto* options = rocksdb_options_create();
  const Options& rep = options->rep;
  auto* cache = rocksdb_cache_create_lru(1 << 20);
  rocksdb_options_set_row_cache(options, cache);
  CHECK(rep.row_cache == cache->rep);
  rocksdb_options_set_blob_cache(options, cache);
  CHECK(rep.blob_cache == cache->rep);
  rocksdb_cache_destroy(cache);
  auto* buffers = rocksdb_write_buffer_manager_create(1 << 20, false);
  rocksdb_options_set_write_buffer_manager(options, buffers);
  CHECK(rep.write_buffer_manager == buffers->rep);
  const std::weak_ptr<WriteBufferManager> last_buffers = buffers->rep;
  rocksdb_write_buffer_manager_destroy(buffers);
  auto* files = rocksdb_sst_file_manager_create(nullptr);
  rocksdb_options_set_sst_file_manager(options, files);
  CHECK(rep.sst_file_manager == files->rep);
  const std::weak_ptr<SstFileManager> last_files = files->rep;
  rocksdb_sst_file_manager_destroy(files);
  auto* checksums = rocksdb_file_checksum_gen_crc32c_factory_create();
  CHECK(std::string(checksums->rep->Name()) == "FileChecksumGenCrc32cFactory");
  rocksdb_options_set_file_checksum_gen_factory(options, checksums);
  CHECK(rep.file_checksum_gen_factory == checksums->rep);
  rocksdb_file_checksum_gen_factory_destroy(checksums);
  auto* limiter = rocksdb_ratelimiter_create(1 << 20, 1000, 10);
  auto* env_options = rocksdb_envoptions_create();
  rocksdb_options_set_ratelimiter(options, limiter);
  CHECK(rep.rate_limiter == limiter->rep);
  rocksdb_envoptions_set_rate_limiter(env_options, limiter);
  CHECK(env_options->rep.rate_limiter == limiter->rep.get());
  const std::weak_ptr<RateLimiter> last_limiter = limiter->rep;
  rocksdb_ratelimiter_destroy(limiter);
  CHECK(last_buffers.use_count() == 1 && last_files.use_count() == 1 &&
        last_limiter.use_count() == 1);
  rocksdb_envoptions_destroy(env_options);
  rocksdb_options_destroy(options);
  CHECK(last_buffers.expired() && last_files.expired() &&
        last_limiter.expired());
}

static void TestStyles() {
  auto* options = rocksdb_options_create();
  const Options& rep = options->rep;
  auto* universal = rocksdb_universal_compaction_options_create();
  rocksdb_universal_compaction_options_set_size_ratio(universal, 7);
  rocksdb_options_set_universal_compaction_options(options, universal);
  CHECK(rep.compaction_options_universal.size_ratio == 7);
  rocksdb_universal_compaction_options_destroy(universal);
  auto* fifo = rocksdb_fifo_compaction_options_create();
  rocksdb_fifo_compaction_options_set_max_table_files_size(fifo, 1234);
  rocksdb_options_set_fifo_compaction_options(options, fifo);
  CHECK(rep.compaction_options_fifo.max_table_files_size == 1234);
  rocksdb_fifo_compaction_options_destroy(fifo);
  rocksdb_options_set_memtable_vector_rep(options);
  CHECK(std::string(rep.memtable_factory->Name()) == "VectorRepFactory");
  rocksdb_options_set_hash_skip_list_rep(options, 10, 4, 4);
  CHECK(std::string(rep.memtable_factory->Name()) == "HashSkipListRepFactory");
  rocksdb_options_set_hash_link_list_rep(options, 10);
  CHECK(std::string(rep.memtable_factory->Name()) == "HashLinkListRepFactory");
  rocksdb_options_set_plain_table_factory(options, 8, 10, 0.75, 16, 0, 0, 0, 0);
  CHECK(std::string(rep.table_factory->Name()) == "PlainTable");
  rocksdb_options_set_compression_options(options, 1, 2, 3, 4);
  CHECK(rep.compression_opts.window_bits == 1);
  CHECK(rep.compression_opts.max_dict_bytes == 4);
  rocksdb_options_set_bottommost_compression_options(options, 5, 6, 7, 8, 1);
  const CompressionOptions& last = rep.bottommost_compression_opts;
  CHECK(last.level == 6 && last.strategy == 7 && last.enabled);
  rocksdb_options_set_bottommost_compression_options_max_dict_buffer_bytes(
      options, 99, 0);
  CHECK(last.max_dict_buffer_bytes == 99 && !last.enabled);
  rocksdb_options_set_bottommost_compression_options_zstd_max_train_bytes(
      options, 88, 1);
  CHECK(last.zstd_max_train_bytes == 88 && last.enabled);
  rocksdb_options_set_min_level_to_compress(options, 2);
  CHECK(rep.compression_per_level.size() == 7);
  const int levels[2] = {0, 4};
  rocksdb_options_set_compression_per_level(options, levels, 2);
  CHECK(rep.compression_per_level.size() == 2);
  int multipliers[2] = {1, 2};
  rocksdb_options_set_max_bytes_for_level_multiplier_additional(options,
                                                                multipliers, 2);
  CHECK(rep.max_bytes_for_level_multiplier_additional.size() == 2);
  rocksdb_options_destroy(options);
}

static void TestPathsAndPresets() {
  auto* options = rocksdb_options_create();
  const Options& rep = options->rep;
  auto* path = rocksdb_dbpath_create("/somewhere", 1234);
  const rocksdb_dbpath_t* paths[1] = {path};
  rocksdb_options_set_db_paths(options, paths, 1);
  CHECK(rep.db_paths.size() == 1 && rep.db_paths[0].path == "/somewhere");
  rocksdb_options_set_cf_paths(options, paths, 1);
  CHECK(rep.cf_paths.size() == 1 && rep.cf_paths[0].target_size == 1234);
  rocksdb_dbpath_destroy(path);
  rocksdb_options_compaction_readahead_size(options, 4096);
  CHECK(rep.compaction_readahead_size == 4096);
  rocksdb_options_increase_parallelism(options, 5);
  CHECK(rep.max_background_jobs == 5);
  rocksdb_options_optimize_for_point_lookup(options, 10);
  CHECK(rep.memtable_whole_key_filtering);
  rocksdb_options_optimize_level_style_compaction(options, 64 << 20);
  CHECK(rep.write_buffer_size == 16 << 20);
  rocksdb_options_optimize_universal_style_compaction(options, 128 << 20);
  CHECK(rep.compaction_style == kCompactionStyleUniversal);
  rocksdb_options_prepare_for_bulk_load(options);
  CHECK(rep.disable_auto_compactions);
  rocksdb_options_add_compact_on_deletion_collector_factory(options, 8, 4);
  rocksdb_options_add_compact_on_deletion_collector_factory_del_ratio(
      options, 8, 4, 0.5);
  rocksdb_options_add_compact_on_deletion_collector_factory_min_file_size(
      options, 8, 4, 0.5, 77);
  const auto& collectors = rep.table_properties_collector_factories;
  CHECK(collectors.size() == 3);
  for (const auto& collector : collectors) {
    CHECK(collector->ToString().find("CompactOnDeletionCollector") !=
          std::string::npos);
  }
  auto* collector = Own<rocksdb_table_properties_collector_factory_t>();
  collector->rep = collectors[0];
  rocksdb_options_add_table_properties_collector_factory(options, collector);
  CHECK(collectors.size() == 4 && collectors[3] == collector->rep);
  CHECK(collector->rep.use_count() == 3);
  rocksdb_table_properties_collector_factory_destroy(collector);
  CHECK(collectors[3].use_count() == 2);
  auto* env = rocksdb_create_mem_env();
  rocksdb_options_set_env(options, env);
  CHECK(rep.env == env->rep);
  rocksdb_options_set_env(options, nullptr);
  CHECK(rep.env == Env::Default());
  rocksdb_env_destroy(env);
  rocksdb_options_destroy(options);
}

static void TestCallOptions() {
  auto* compact = rocksdb_compactoptions_create();
  char low[] = "low";
  rocksdb_compactoptions_set_full_history_ts_low(compact, low, 3);
  CHECK(*compact->rep.full_history_ts_low == Slice("low"));
  rocksdb_compactoptions_destroy(compact);
  auto* read = rocksdb_readoptions_create();
  rocksdb_readoptions_set_timestamp(read, "12345678", 8);
  CHECK(*read->rep.timestamp == Slice("12345678"));
  rocksdb_readoptions_set_iter_start_ts(read, "02345678", 8);
  CHECK(*read->rep.iter_start_ts == Slice("02345678"));
  rocksdb_readoptions_destroy(read);
  auto* remote = rocksdb_open_and_compact_options_create();
  unsigned char* canceled = rocksdb_open_and_compact_canceled_create();
  rocksdb_open_and_compact_options_set_canceled(remote, canceled);
  CHECK(!remote->rep.canceled->load());
  rocksdb_open_and_compact_canceled_set(canceled, 1);
  CHECK(remote->rep.canceled->load());
  rocksdb_open_and_compact_options_destroy(remote);
  rocksdb_open_and_compact_canceled_destroy(canceled);
  auto* compaction = rocksdb_compaction_options_create();
  canceled = rocksdb_compaction_options_canceled_create();
  rocksdb_compaction_options_set_canceled(compaction, canceled);
  rocksdb_compaction_options_canceled_set(canceled, 1);
  CHECK(compaction->rep.canceled->load());
  rocksdb_compaction_options_destroy(compaction);
  rocksdb_compaction_options_canceled_destroy(canceled);
}

static void TestBackupOptions() {
  auto* backup = rocksdb_backup_engine_options_create("/backups");
  CHECK(backup->rep.backup_dir == "/backups");
  rocksdb_backup_engine_options_set_backup_dir(backup, "/others");
  CHECK(backup->rep.backup_dir == "/others");
  size_t size = 0;
  CHECK(Same(rocksdb_backup_engine_options_get_backup_dir(backup, &size), 7,
             "/others"));
  CHECK(size == 7);
  auto* limiter = rocksdb_ratelimiter_create(1 << 20, 1000, 10);
  rocksdb_backup_engine_options_set_backup_rate_limiter(backup, limiter);
  CHECK(backup->rep.backup_rate_limiter == limiter->rep);
  rocksdb_backup_engine_options_set_restore_rate_limiter(backup, limiter);
  CHECK(backup->rep.restore_rate_limiter == limiter->rep);
  rocksdb_ratelimiter_destroy(limiter);
  auto* env = rocksdb_create_mem_env();
  rocksdb_backup_engine_options_set_env(backup, env);
  CHECK(backup->rep.backup_env == env->rep);
  rocksdb_env_destroy(env);
  rocksdb_backup_engine_options_destroy(backup);
}

static void Progress(void* state) { ++*static_cast<int*>(state); }
static unsigned char Exclude(void* state, const char* path, size_t size) {
  ++*static_cast<int*>(state);
  return Same(path, size, "/out") ? 1 : 0;
}

static void TestBackupCallbacks() {
  int calls = 0;
  auto* create = rocksdb_create_backup_options_create();
  rocksdb_create_backup_options_set_progress_callback(create, &calls, Progress);
  create->rep.progress_callback();
  CHECK(calls == 1);
  rocksdb_create_backup_options_set_exclude_files_callback(create, &calls,
                                                           Exclude);
  std::vector<ROCKSDB_NAMESPACE::MaybeExcludeBackupFile> files;
  for (const char* path : {"/out", "/in"}) {
    files.emplace_back(ROCKSDB_NAMESPACE::BackupExcludedFileInfo(path));
  }
  create->rep.exclude_files_callback(files.data(), files.data() + 2);
  CHECK(files[0].exclude_decision);
  CHECK(!files[1].exclude_decision);
  CHECK(calls == 3);
  rocksdb_create_backup_options_set_progress_callback(create, nullptr, nullptr);
  CHECK(create->rep.progress_callback == nullptr);
  rocksdb_create_backup_options_destroy(create);
}

void TestHandles() {
  TestTableObjects();
  TestSharedObjects();
  TestStyles();
  TestPathsAndPresets();
  TestCallOptions();
  TestBackupOptions();
  TestBackupCallbacks();
}
