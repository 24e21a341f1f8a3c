/* Caches, environments, statistics, maintenance, metadata, and bad input. */

#include "tests/c/check.h"

static void TestCaches(void) {
  char* err = NULL;
  rocksdb_cache_t* caches[5];
  rocksdb_lru_cache_options_t* lru = rocksdb_lru_cache_options_create();
  rocksdb_lru_cache_options_set_capacity(lru, 1 << 20);
  rocksdb_lru_cache_options_set_num_shard_bits(lru, 2);
  rocksdb_lru_cache_options_set_memory_allocator(lru, NULL);
  rocksdb_hyper_clock_cache_options_t* clock =
      rocksdb_hyper_clock_cache_options_create(1 << 10, 4096);
  rocksdb_hyper_clock_cache_options_set_capacity(clock, 1 << 20);
  rocksdb_hyper_clock_cache_options_set_estimated_entry_charge(clock, 8192);
  rocksdb_hyper_clock_cache_options_set_num_shard_bits(clock, 2);
  rocksdb_hyper_clock_cache_options_set_memory_allocator(clock, NULL);
  caches[0] = rocksdb_cache_create_lru(1 << 20);
  caches[1] = rocksdb_cache_create_lru_with_strict_capacity_limit(1 << 20);
  caches[2] = rocksdb_cache_create_lru_opts(lru);
  caches[3] = rocksdb_cache_create_hyper_clock(1 << 20, 4096);
  caches[4] = rocksdb_cache_create_hyper_clock_opts(clock);
  for (int i = 0; i < 5; ++i) {
    CHECK(rocksdb_cache_get_capacity(caches[i]) == 1 << 20);
    rocksdb_cache_set_capacity(caches[i], 1 << 21);
    CHECK(rocksdb_cache_get_capacity(caches[i]) == 1 << 21);
    CHECK(rocksdb_cache_get_pinned_usage(caches[i]) == 0);
    CHECK(rocksdb_cache_get_occupancy_count(caches[i]) == 0);
    CHECK(rocksdb_cache_get_table_address_count(caches[i]) > 0);
    CHECK(rocksdb_cache_get_usage(caches[i]) < 1 << 20);
    rocksdb_cache_destroy(caches[i]);
  }
  rocksdb_lru_cache_options_destroy(lru);
  rocksdb_hyper_clock_cache_options_destroy(clock);
  rocksdb_memory_allocator_t* allocator =
      rocksdb_jemalloc_nodump_allocator_create(&err);
  if (allocator == NULL) {
    CHECK_ERROR(err, "Not implemented");
  } else {
    CHECK_OK(err);
    rocksdb_memory_allocator_destroy(allocator);
  }
}

static void TestManagers(void) {
  rocksdb_cache_t* cache = rocksdb_cache_create_lru(1 << 20);
  rocksdb_write_buffer_manager_t* manager =
      rocksdb_write_buffer_manager_create(1 << 20, false);
  CHECK(rocksdb_write_buffer_manager_enabled(manager));
  CHECK(!rocksdb_write_buffer_manager_cost_to_cache(manager));
  CHECK(rocksdb_write_buffer_manager_buffer_size(manager) == 1 << 20);
  rocksdb_write_buffer_manager_set_buffer_size(manager, 1 << 19);
  CHECK(rocksdb_write_buffer_manager_buffer_size(manager) == 1 << 19);
  rocksdb_write_buffer_manager_set_allow_stall(manager, true);
  CHECK(rocksdb_write_buffer_manager_memory_usage(manager) == 0);
  CHECK(rocksdb_write_buffer_manager_mutable_memtable_memory_usage(manager) ==
        0);
  CHECK(rocksdb_write_buffer_manager_dummy_entries_in_cache_usage(manager) ==
        0);
  rocksdb_write_buffer_manager_destroy(manager);
  manager =
      rocksdb_write_buffer_manager_create_with_cache(1 << 20, cache, false);
  CHECK(rocksdb_write_buffer_manager_cost_to_cache(manager));
  rocksdb_write_buffer_manager_destroy(manager);
  rocksdb_cache_destroy(cache);

  rocksdb_ratelimiter_t* limiters[3];
  limiters[0] = rocksdb_ratelimiter_create(1 << 20, 100000, 10);
  limiters[1] = rocksdb_ratelimiter_create_auto_tuned(1 << 20, 100000, 10);
  limiters[2] =
      rocksdb_ratelimiter_create_with_mode(1 << 20, 100000, 10, 2, false);
  rocksdb_options_t* options = NewOptions();
  for (int i = 0; i < 3; ++i) {
    CHECK(limiters[i] != NULL);
    rocksdb_options_set_ratelimiter(options, limiters[i]);
    rocksdb_ratelimiter_destroy(limiters[i]);
  }
  rocksdb_close(OpenNew("limited", options));
  rocksdb_options_destroy(options);
}

static void TestEnvironments(void) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_env_t* env = rocksdb_create_default_env();
  rocksdb_env_set_background_threads(env, 2);
  CHECK(rocksdb_env_get_background_threads(env) == 2);
  rocksdb_env_set_low_priority_background_threads(env, 3);
  CHECK(rocksdb_env_get_low_priority_background_threads(env) == 3);
  rocksdb_env_set_high_priority_background_threads(env, 2);
  CHECK(rocksdb_env_get_high_priority_background_threads(env) == 2);
  rocksdb_env_set_bottom_priority_background_threads(env, 1);
  CHECK(rocksdb_env_get_bottom_priority_background_threads(env) == 1);
  rocksdb_create_dir_if_missing(env, PathOf("made"), &err);
  CHECK_OK(err);
  rocksdb_create_dir_if_missing(env, PathOf("made"), &err);
  CHECK_OK(err);
  rocksdb_create_dir_if_missing(env, PathOf("not/made"), &err);
  CHECK_ERROR(err, "");
  rocksdb_env_destroy(env);

  env = rocksdb_create_mem_env();
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_set_env(options, env);
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_t* db = rocksdb_open(options, "/in/memory", &err);
  CHECK_OK(err);
  rocksdb_put(db, wo, "k", 1, "v", 1, &err);
  rocksdb_close(db);
  db = rocksdb_open(options, "/in/memory", &err);
  CHECK_OK(err);
  char* value = rocksdb_get(db, ro, "k", 1, &size, &err);
  CHECK_VALUE(value, size, "v");
  rocksdb_close(db);
  rocksdb_readoptions_destroy(ro);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_options_destroy(options);
  rocksdb_env_destroy(env);
}

static void TestStatistics(void) {
  char* err = NULL;
  rocksdb_options_t* options = NewOptions();
  CHECK(rocksdb_options_statistics_get_string(options) == NULL);
  CHECK(rocksdb_options_get_statistics_level(options) == 0);
  rocksdb_options_enable_statistics(options);
  rocksdb_options_set_statistics_level(options, rocksdb_statistics_level_all);
  CHECK(rocksdb_options_get_statistics_level(options) ==
        rocksdb_statistics_level_all);
  rocksdb_t* db = OpenNew("statistics", options);
  rocksdb_perfcontext_t* context = rocksdb_perfcontext_create();
  rocksdb_set_perf_level(rocksdb_enable_time);
  rocksdb_perfcontext_reset(context);
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  for (int i = 0; i < 10; ++i) rocksdb_put(db, wo, "k", 1, "v", 1, &err);
  CHECK_OK(err);
  CHECK(rocksdb_options_statistics_get_ticker_count(options, 58) == 10);
  CHECK(rocksdb_options_statistics_get_ticker_count(options, 100000) == 0);
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  size_t size = 0;
  rocksdb_free(rocksdb_get(db, ro, "k", 1, &size, &err));
  rocksdb_readoptions_destroy(ro);
  CHECK(rocksdb_perfcontext_metric(context, rocksdb_get_read_bytes) == 1);
  CHECK(rocksdb_perfcontext_metric(context, -1) == 0);
  CHECK(rocksdb_perfcontext_metric(context, 1000) == 0);
  char* report = rocksdb_perfcontext_report(context, 1);
  CHECK(strstr(report, "get_read_bytes") != NULL);
  rocksdb_free(report);
  rocksdb_set_perf_level(rocksdb_disable);
  rocksdb_perfcontext_destroy(context);
  char* text = rocksdb_options_statistics_get_string(options);
  CHECK(strstr(text, "rocksdb.number.keys.written COUNT : 10") != NULL);
  rocksdb_free(text);
  rocksdb_statistics_histogram_data_t* data =
      rocksdb_statistics_histogram_data_create();
  rocksdb_options_statistics_get_histogram_data(options, 100000, data);
  CHECK(rocksdb_statistics_histogram_data_get_count(data) == 0);
  uint64_t counted = 0;
  for (uint32_t i = 0; i < 20; ++i) {
    rocksdb_options_statistics_get_histogram_data(options, i, data);
    counted += rocksdb_statistics_histogram_data_get_count(data);
    CHECK(rocksdb_statistics_histogram_data_get_max(data) >=
          rocksdb_statistics_histogram_data_get_min(data));
    CHECK(rocksdb_statistics_histogram_data_get_p99(data) >=
          rocksdb_statistics_histogram_data_get_median(data));
  }
  CHECK(counted > 0);
  rocksdb_statistics_histogram_data_destroy(data);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}

static void TestOptionObjects(void) {
  char* err = NULL;
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_t* parsed = rocksdb_options_create();
  rocksdb_get_options_from_string(options, "num_levels=5;use_fsync=true",
                                  parsed, &err);
  CHECK_OK(err);
  CHECK(rocksdb_options_get_num_levels(parsed) == 5);
  CHECK(rocksdb_options_get_use_fsync(parsed) == 1);
  CHECK(rocksdb_options_get_create_if_missing(parsed) == 1);
  rocksdb_get_options_from_string(options, "no_such_option=1", parsed, &err);
  CHECK_ERROR(err, "no_such_option");
  rocksdb_options_t* copy = rocksdb_options_create_copy(parsed);
  CHECK(rocksdb_options_get_num_levels(copy) == 5);
  rocksdb_options_destroy(copy);
  rocksdb_options_increase_parallelism(parsed, 8);
  CHECK(rocksdb_options_get_max_background_jobs(parsed) == 8);
  rocksdb_options_prepare_for_bulk_load(parsed);
  CHECK(rocksdb_options_get_disable_auto_compactions(parsed) == 1);
  rocksdb_options_optimize_level_style_compaction(parsed, 64 << 20);
  CHECK(rocksdb_options_get_write_buffer_size(parsed) == 16 << 20);
  rocksdb_options_optimize_universal_style_compaction(parsed, 64 << 20);
  CHECK(rocksdb_options_get_compaction_style(parsed) ==
        rocksdb_universal_compaction);
  rocksdb_options_optimize_for_point_lookup(parsed, 8);
  rocksdb_options_destroy(parsed);

  CHECK(rocksdb_options_checksum_handoff_file_types_count(options) == 0);
  rocksdb_options_checksum_handoff_file_types_add(options, 11);
  CHECK(!rocksdb_options_checksum_handoff_file_types_contains(options, 11));
  rocksdb_options_checksum_handoff_file_types_add(options, 2);
  CHECK(rocksdb_options_checksum_handoff_file_types_contains(options, 2) == 1);
  rocksdb_options_checksum_handoff_file_types_remove(options, 2);
  CHECK(rocksdb_options_checksum_handoff_file_types_contains(options, 2) == 0);
  rocksdb_options_checksum_handoff_file_types_add(options, 3);
  rocksdb_options_checksum_handoff_file_types_clear(options);
  CHECK(rocksdb_options_checksum_handoff_file_types_count(options) == 0);
  rocksdb_options_calculate_sst_write_lifetime_hint_set_clear(options);
  rocksdb_options_calculate_sst_write_lifetime_hint_set_add(options, 1);
  CHECK(rocksdb_options_calculate_sst_write_lifetime_hint_set_contains(options,
                                                                       1) == 1);
  rocksdb_options_calculate_sst_write_lifetime_hint_set_remove(options, 1);
  CHECK(rocksdb_options_calculate_sst_write_lifetime_hint_set_count(options) ==
        0);
  const int levels[2] = {rocksdb_no_compression, rocksdb_lz4_compression};
  rocksdb_options_set_compression_per_level(options, levels, 2);
  rocksdb_options_set_min_level_to_compress(options, 2);
  int multipliers[2] = {1, 2};
  rocksdb_options_set_max_bytes_for_level_multiplier_additional(options,
                                                                multipliers, 2);
  rocksdb_options_set_compression_options(options, -14, 3, 0, 0);
  rocksdb_options_set_bottommost_compression_options(options, -14, 3, 0, 0, 1);
  rocksdb_options_set_bottommost_compression_options_use_zstd_dict_trainer(
      options, 0, 1);
  CHECK(
      rocksdb_options_get_bottommost_compression_options_use_zstd_dict_trainer(
          options) == 0);
  rocksdb_dbpath_t* path = rocksdb_dbpath_create(PathOf("elsewhere"), 1 << 30);
  const rocksdb_dbpath_t* paths[1];
  paths[0] = path;
  rocksdb_options_set_db_paths(options, paths, 1);
  rocksdb_dbpath_destroy(path);
  rocksdb_close(OpenNew("option_objects", options));
  rocksdb_options_destroy(options);
}

static void TestReadOptions(void) {
  size_t size = 0;
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  CHECK(rocksdb_readoptions_get_request_id(ro, &size) == NULL && size == 0);
  rocksdb_readoptions_set_request_id(ro, "id", 2);
  CHECK(Same(rocksdb_readoptions_get_request_id(ro, &size), 2, "id"));
  rocksdb_readoptions_clear_request_id(ro);
  CHECK(rocksdb_readoptions_get_request_id(ro, &size) == NULL);
  CHECK(rocksdb_readoptions_has_merge_operand_count_threshold(ro) == 0);
  rocksdb_readoptions_set_merge_operand_count_threshold(ro, 7);
  CHECK(rocksdb_readoptions_get_merge_operand_count_threshold(ro) == 7);
  CHECK(rocksdb_readoptions_has_merge_operand_count_threshold(ro) == 1);
  rocksdb_readoptions_clear_merge_operand_count_threshold(ro);
  CHECK(rocksdb_readoptions_has_merge_operand_count_threshold(ro) == 0);
  CHECK(rocksdb_readoptions_has_table_filter(ro) == 0);
  rocksdb_readoptions_destroy(ro);
  unsigned char* canceled = rocksdb_compaction_options_canceled_create();
  rocksdb_compaction_options_t* co = rocksdb_compaction_options_create();
  rocksdb_compaction_options_set_canceled(co, canceled);
  rocksdb_compaction_options_canceled_set(canceled, 1);
  rocksdb_compaction_options_destroy(co);
  rocksdb_compaction_options_canceled_destroy(canceled);
}

void TestObjects(void) {
  TestCaches();
  TestManagers();
  TestEnvironments();
  TestStatistics();
  TestOptionObjects();
  TestReadOptions();
}

static void FillLevels(rocksdb_t* db) {
  char* err = NULL;
  char key[16];
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 100; ++i) {
      snprintf(key, sizeof(key), "k%03d", i);
      rocksdb_put(db, wo, key, 4, key, 4, &err);
    }
    rocksdb_flush(db, fo, &err);
    CHECK_OK(err);
  }
  rocksdb_flushoptions_destroy(fo);
  rocksdb_writeoptions_destroy(wo);
}

static void CheckMetadata(rocksdb_t* db) {
  size_t size = 0;
  const rocksdb_livefiles_t* files = rocksdb_livefiles(db);
  const int count = rocksdb_livefiles_count(files);
  CHECK(count == 2);
  CHECK(Same(rocksdb_livefiles_smallestkey(files, 0, &size), 4, "k000"));
  CHECK(Same(rocksdb_livefiles_largestkey(files, 0, &size), 4, "k099"));
  CHECK(rocksdb_livefiles_entries(files, 0) == 100);
  CHECK(rocksdb_livefiles_deletions(files, 0) == 0);
  CHECK(rocksdb_livefiles_size(files, 0) > 0);
  CHECK(rocksdb_livefiles_level(files, 0) == 0);
  CHECK(strcmp(rocksdb_livefiles_column_family_name(files, 0), "default") == 0);
  CHECK(strstr(rocksdb_livefiles_name(files, 0), ".sst") != NULL);
  CHECK(rocksdb_livefiles_smallest_seqno(files, 0) <
        rocksdb_livefiles_largest_seqno(files, 0));
  rocksdb_livefiles_destroy(files);
  rocksdb_column_family_metadata_t* all =
      rocksdb_get_column_family_metadata(db);
  CHECK(rocksdb_column_family_metadata_get_file_count(all) == 2);
  CHECK(rocksdb_column_family_metadata_get_size(all) > 0);
  char* name = rocksdb_column_family_metadata_get_name(all);
  CHECK_VALUE(name, 7, "default");
  CHECK(rocksdb_column_family_metadata_get_level_count(all) > 0);
  rocksdb_level_metadata_t* level =
      rocksdb_column_family_metadata_get_level_metadata(all, 0);
  CHECK(rocksdb_level_metadata_get_level(level) == 0);
  CHECK(rocksdb_level_metadata_get_file_count(level) == 2);
  CHECK(rocksdb_level_metadata_get_size(level) > 0);
  rocksdb_sst_file_metadata_t* file =
      rocksdb_level_metadata_get_sst_file_metadata(level, 0);
  char* key = rocksdb_sst_file_metadata_get_smallestkey(file, &size);
  CHECK_VALUE(key, size, "k000");
  key = rocksdb_sst_file_metadata_get_largestkey(file, &size);
  CHECK_VALUE(key, size, "k099");
  CHECK(rocksdb_sst_file_metadata_get_size(file) > 0);
  name = rocksdb_sst_file_metadata_get_relative_filename(file);
  CHECK(strstr(name, ".sst") != NULL);
  rocksdb_free(name);
  CHECK(rocksdb_level_metadata_get_sst_file_metadata(level, 9) == NULL);
  rocksdb_sst_file_metadata_destroy(file);
  rocksdb_level_metadata_destroy(level);
  rocksdb_column_family_metadata_destroy(all);
  rocksdb_column_family_metadata_options_t* only =
      rocksdb_column_family_metadata_options_create();
  rocksdb_column_family_metadata_options_set_level(only, 0);
  CHECK(rocksdb_column_family_metadata_options_get_level(only) == 0);
  rocksdb_column_family_metadata_options_set_start_key(only, "x", 1);
  CHECK(Same(rocksdb_column_family_metadata_options_get_start_key(only, &size),
             1, "x"));
  CHECK(rocksdb_column_family_metadata_options_get_end_key(only, &size) ==
        NULL);
  all = rocksdb_get_column_family_metadata_with_options(db, only);
  CHECK(rocksdb_column_family_metadata_get_file_count(all) == 0);
  rocksdb_column_family_metadata_destroy(all);
  rocksdb_column_family_metadata_options_destroy(only);
}

static void CheckProperties(rocksdb_t* db, rocksdb_column_family_handle_t* cf) {
  char* err = NULL;
  uint64_t number = 0;
  CHECK(rocksdb_property_int(db, "rocksdb.num-snapshots", &number) == 0);
  CHECK(rocksdb_property_int(db, "rocksdb.none", &number) == -1);
  CHECK(rocksdb_property_int_cf(db, cf, "rocksdb.estimate-num-keys", &number) ==
        0);
  CHECK(number > 0);
  char* text = rocksdb_property_value(db, "rocksdb.num-files-at-level0");
  CHECK_VALUE(text, 1, "2");
  text = rocksdb_property_value_cf(db, cf, "rocksdb.num-files-at-level1");
  CHECK_VALUE(text, 1, "0");
  CHECK(rocksdb_property_value(db, "none") == NULL);
  const char* starts[1] = {"a"};
  const char* ends[1] = {"z"};
  const size_t sizes[1] = {1};
  uint64_t bytes[1] = {0};
  rocksdb_approximate_sizes(db, 1, starts, sizes, ends, sizes, bytes, &err);
  CHECK_OK(err);
  CHECK(bytes[0] > 0);
  bytes[0] = 0;
  rocksdb_approximate_sizes_cf(db, cf, 1, starts, sizes, ends, sizes, bytes,
                               &err);
  CHECK(bytes[0] > 0);
  bytes[0] = 0;
  rocksdb_approximate_sizes_cf_with_flags(
      db, cf, 1, starts, sizes, ends, sizes,
      rocksdb_size_approximation_flags_include_files, bytes, &err);
  CHECK(bytes[0] > 0);
  rocksdb_size_approximation_options_t* options =
      rocksdb_size_approximation_options_create();
  bytes[0] = 0;
  rocksdb_approximate_sizes_with_options(db, options, 1, starts, sizes, ends,
                                         sizes, bytes, &err);
  CHECK(bytes[0] > 0);
  bytes[0] = 0;
  rocksdb_approximate_sizes_cf_with_options(db, cf, options, 1, starts, sizes,
                                            ends, sizes, bytes, &err);
  CHECK(bytes[0] > 0);
  CHECK_OK(err);
  rocksdb_size_approximation_options_destroy(options);
  rocksdb_memory_consumers_t* consumers = rocksdb_memory_consumers_create();
  rocksdb_cache_t* cache = rocksdb_cache_create_lru(1 << 20);
  rocksdb_memory_consumers_add_db(consumers, db);
  rocksdb_memory_consumers_add_cache(consumers, cache);
  rocksdb_memory_usage_t* usage =
      rocksdb_approximate_memory_usage_create(consumers, &err);
  CHECK_OK(err);
  CHECK(rocksdb_approximate_memory_usage_get_mem_table_total(usage) > 0);
  CHECK(rocksdb_approximate_memory_usage_get_mem_table_unflushed(usage) > 0);
  CHECK(rocksdb_approximate_memory_usage_get_mem_table_readers_total(usage) >
        0);
  CHECK(rocksdb_approximate_memory_usage_get_cache_total(usage) ==
        rocksdb_cache_get_usage(cache));
  rocksdb_approximate_memory_usage_destroy(usage);
  rocksdb_memory_consumers_destroy(consumers);
  rocksdb_cache_destroy(cache);
}

static void CompactInEachWay(rocksdb_t* db,
                             rocksdb_column_family_handle_t* cf) {
  char* err = NULL;
  const char* names[1] = {"disable_auto_compactions"};
  const char* values[1] = {"true"};
  rocksdb_set_options(db, 1, names, values, &err);
  CHECK_OK(err);
  rocksdb_set_options_cf(db, cf, 1, names, values, &err);
  CHECK_OK(err);
  names[0] = "no_such";
  rocksdb_set_options(db, 1, names, values, &err);
  CHECK_ERROR(err, "no_such");
  names[0] = "max_background_jobs";
  values[0] = "3";
  rocksdb_set_db_options(db, 1, names, values, &err);
  CHECK_OK(err);
  rocksdb_verify_checksum(db, &err);
  CHECK_OK(err);
  rocksdb_pause_background_work(db, &err);
  rocksdb_continue_background_work(db, &err);
  CHECK_OK(err);
  rocksdb_disable_file_deletions(db, &err);
  rocksdb_enable_file_deletions(db, &err);
  CHECK_OK(err);
  rocksdb_disable_manual_compaction(db);
  rocksdb_compactoptions_t* co = rocksdb_compactoptions_create();
  rocksdb_compact_range_cf_opt(db, cf, co, NULL, 0, NULL, 0);
  char* text = rocksdb_property_value(db, "rocksdb.num-files-at-level0");
  CHECK_VALUE(text, 1, "2");
  rocksdb_enable_manual_compaction(db);
  rocksdb_compact_range_cf(db, cf, "k000", 4, "k050", 4);
  rocksdb_compact_range_cf_opt(db, cf, co, NULL, 0, NULL, 0);
  rocksdb_compactoptions_destroy(co);
  text = rocksdb_property_value(db, "rocksdb.num-files-at-level0");
  CHECK_VALUE(text, 1, "0");
  rocksdb_wait_for_compact_options_t* wait =
      rocksdb_wait_for_compact_options_create();
  rocksdb_wait_for_compact(db, wait, &err);
  CHECK_OK(err);
  rocksdb_wait_for_compact_options_destroy(wait);
  rocksdb_cancel_all_background_work(db, 1);
}

void TestMaintenance(void) {
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_set_use_direct_io_for_compaction_reads(options, 1);
  rocksdb_options_set_compaction_read_access(options, 1);
  rocksdb_t* db = OpenNew("maintenance", options);
  rocksdb_column_family_handle_t* cf =
      rocksdb_get_default_column_family_handle(db);
  FillLevels(db);
  CheckMetadata(db);
  CheckProperties(db, cf);
  CompactInEachWay(db, cf);
  rocksdb_column_family_handle_destroy(cf);
  rocksdb_close(db);
  rocksdb_options_destroy(options);

  rocksdb_livefile_t* file = rocksdb_livefile_create();
  rocksdb_livefile_set_name(file, "/000007.sst");
  rocksdb_livefile_set_level(file, 3);
  rocksdb_livefile_set_smallest_key(file, "a", 1);
  rocksdb_livefile_set_column_family_name(file, "cf");
  rocksdb_livefile_set_directory(file, "/dir");
  rocksdb_livefiles_t* files = rocksdb_livefiles_create();
  rocksdb_livefiles_add(files, file);
  rocksdb_livefile_destroy(file);
  rocksdb_export_import_files_metadata_t* exported =
      rocksdb_export_import_files_metadata_create();
  rocksdb_export_import_files_metadata_set_files(exported, files);
  rocksdb_export_import_files_metadata_set_db_comparator_name(exported, "c");
  rocksdb_livefiles_destroy(files);
  files = rocksdb_export_import_files_metadata_get_files(exported);
  CHECK(rocksdb_livefiles_count(files) == 1);
  CHECK(rocksdb_livefiles_level(files, 0) == 3);
  CHECK(strcmp(rocksdb_livefiles_directory(files, 0), "/dir") == 0);
  rocksdb_livefiles_destroy(files);
  char* name =
      rocksdb_export_import_files_metadata_get_db_comparator_name(exported);
  CHECK_VALUE(name, 1, "c");
  rocksdb_export_import_files_metadata_destroy(exported);
}

void TestBadInput(void) {
  char* err = NULL;
  size_t size = 7;
  rocksdb_options_t* options = NewOptions();
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_t* db = OpenNew("bad_input", options);
  CHECK(rocksdb_open(NULL, "x", &err) == NULL);
  CHECK_ERROR(err, "Invalid argument");
  CHECK(rocksdb_open(options, NULL, &err) == NULL);
  CHECK_ERROR(err, "name");
  rocksdb_put(NULL, wo, "k", 1, "v", 1, &err);
  CHECK_ERROR(err, "db");
  rocksdb_put(db, NULL, "k", 1, "v", 1, &err);
  CHECK_ERROR(err, "options");
  rocksdb_put_cf(db, wo, NULL, "k", 1, "v", 1, &err);
  CHECK_ERROR(err, "column_family");
  rocksdb_merge(db, wo, "k", 1, "v", 1, &err);
  CHECK_ERROR(err, "merge_operator");
  rocksdb_write(db, wo, NULL, &err);
  CHECK_ERROR(err, "batch");
  CHECK(rocksdb_get(NULL, ro, "k", 1, &size, &err) == NULL && size == 0);
  CHECK_ERROR(err, "db");
  CHECK(rocksdb_get(db, NULL, "k", 1, &size, &err) == NULL);
  CHECK_ERROR(err, "options");
  rocksdb_flush(db, NULL, &err);
  CHECK_ERROR(err, "options");
  rocksdb_delete_range_cf(db, wo, NULL, "a", 1, "b", 1, &err);
  CHECK_ERROR(err, "column_family");
  rocksdb_column_family_handle_t* cf =
      rocksdb_get_default_column_family_handle(db);
  rocksdb_delete_range_cf(db, wo, cf, "b", 1, "a", 1, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_column_family_handle_destroy(cf);

  /* An error text that stood there is replaced; without errptr all goes on. */
  rocksdb_put(NULL, wo, "k", 1, "v", 1, &err);
  rocksdb_put(db, NULL, "k", 1, "v", 1, &err);
  CHECK_ERROR(err, "options");
  rocksdb_put(NULL, wo, "k", 1, "v", 1, NULL);
  rocksdb_put(db, wo, "k", 1, NULL, 0, &err);
  CHECK_OK(err);
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create_from("short", 5);
  rocksdb_write(db, wo, batch, &err);
  CHECK_ERROR(err, "Corruption");
  rocksdb_writebatch_destroy(batch);
  /* The header tells of an update that is not there. */
  batch = rocksdb_writebatch_create_from("\0\0\0\0\0\0\0\0\1\0\0\0", 12);
  rocksdb_write(db, wo, batch, &err);
  CHECK_ERROR(err, "Corruption");
  rocksdb_writebatch_destroy(batch);
  rocksdb_close(NULL);
  rocksdb_free(NULL);
  rocksdb_iter_destroy(NULL);
  rocksdb_close(db);
  db = OpenNew("bad_input", options); /* Nothing is lost. */
  char* value = rocksdb_get(db, ro, "k", 1, &size, &err);
  CHECK_VALUE(value, size, "");
  rocksdb_close(db);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_readoptions_destroy(ro);
  rocksdb_options_destroy(options);
}
