/* What a *_destroy call must give back: memory is measured around many objects
   that are made and destroyed. Under sanitizers the leak check does this. */

#include <stdio.h>

#include "tests/c/check.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Bytes in use; 0 where they cannot be told. */
static size_t InUse(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  return mallinfo2().uordblks;
#else
  return 0;
#endif
}

/* Each object takes more than these bytes. */
#define LEAST_BYTES 8
#define ROUNDS 50
/* What destroys nothing grows at every try; threads of the pools, which give
   back and take memory on their own, don't at all of them. */
#define TRIES 10

#define ENDS(make, destroy)                                \
  do {                                                     \
    int kept = 1;                                          \
    for (int i = 0; i < 20; ++i) destroy(make);            \
    for (int t = 0; t < TRIES && kept; ++t) {              \
      const size_t before = InUse();                       \
      for (int i = 0; i < ROUNDS; ++i) destroy(make);      \
      kept = InUse() >= before + (size_t)ROUNDS * LEAST_BYTES; \
    }                                                      \
    CHECK(!kept);                                          \
  } while (0)
#define ENDS_OF(type) ENDS(type##_create(), type##_destroy)

static void EndOptions(void) {
  ENDS_OF(rocksdb_options);
  ENDS_OF(rocksdb_readoptions);
  ENDS_OF(rocksdb_writeoptions);
  ENDS_OF(rocksdb_flushoptions);
  ENDS_OF(rocksdb_flushwaloptions);
  ENDS_OF(rocksdb_compactoptions);
  ENDS_OF(rocksdb_compaction_options);
  ENDS_OF(rocksdb_wait_for_compact_options);
  ENDS_OF(rocksdb_ingestexternalfileoptions);
  ENDS_OF(rocksdb_import_column_family_options);
  ENDS_OF(rocksdb_size_approximation_options);
  ENDS_OF(rocksdb_livefiles_storage_info_options);
  ENDS_OF(rocksdb_open_and_compact_options);
  ENDS_OF(rocksdb_wal_readoptions);
  ENDS_OF(rocksdb_block_based_options);
  ENDS_OF(rocksdb_cuckoo_options);
  ENDS_OF(rocksdb_universal_compaction_options);
  ENDS_OF(rocksdb_fifo_compaction_options);
  ENDS_OF(rocksdb_envoptions);
  ENDS_OF(rocksdb_lru_cache_options);
  ENDS(rocksdb_hyper_clock_cache_options_create(1 << 20, 0),
       rocksdb_hyper_clock_cache_options_destroy);
  ENDS_OF(rocksdb_compaction_service_options_override);
  ENDS_OF(rocksdb_trace_options);
  ENDS_OF(rocksdb_replay_options);
  ENDS_OF(rocksdb_block_cache_trace_options);
  ENDS_OF(rocksdb_block_cache_trace_writer_options);
  ENDS(rocksdb_backup_engine_options_create("/backups"),
       rocksdb_backup_engine_options_destroy);
  ENDS_OF(rocksdb_create_backup_options);
  ENDS_OF(rocksdb_restore_options);
  ENDS_OF(rocksdb_transactiondb_options);
  ENDS_OF(rocksdb_transaction_options);
  ENDS_OF(rocksdb_optimistictransactiondb_options);
  ENDS_OF(rocksdb_optimistictransaction_options);
  ENDS(rocksdb_optimistictransactiondb_lock_buckets_create(16, 1),
       rocksdb_optimistictransactiondb_lock_buckets_destroy);
  ENDS_OF(rocksdb_column_family_metadata_options);
  ENDS(rocksdb_writebatch_wi_create(0, 0), rocksdb_writebatch_wi_destroy);
}

/* What options share lives as long as they do. */
static void ShareBuckets(void) {
  rocksdb_optimistictransactiondb_options_t* options[ROUNDS];
  for (int i = 0; i < ROUNDS; ++i) {
    options[i] = rocksdb_optimistictransactiondb_options_create();
  }
  const size_t before = InUse();
  for (int i = 0; i < ROUNDS; ++i) {
    rocksdb_optimistictransactiondb_lock_buckets_t* buckets =
        rocksdb_optimistictransactiondb_lock_buckets_create(16, 1);
    rocksdb_optimistictransactiondb_options_set_shared_lock_buckets(options[i],
                                                                    buckets);
    rocksdb_optimistictransactiondb_lock_buckets_destroy(buckets);
  }
  CHECK(InUse() == 0 || InUse() >= before + (size_t)ROUNDS * LEAST_BYTES);
  for (int i = 0; i < ROUNDS; ++i) {
    rocksdb_optimistictransactiondb_options_destroy(options[i]);
  }
}

static rocksdb_writebatch_wi_t* RefusingBatch(rocksdb_transaction_t* txn) {
  rocksdb_writebatch_wi_t* batch = rocksdb_transaction_get_writebatch_wi(txn);
  rocksdb_writebatch_wi_delete_range(batch, "a", 1, "b", 1);
  return batch;
}

/* The batch of a transaction is free()d, whatever it was asked for. */
static void EndLentBatches(rocksdb_transactiondb_t* db) {
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_transaction_options_t* to = rocksdb_transaction_options_create();
  rocksdb_transaction_t* txn = rocksdb_transaction_begin(db, wo, to, NULL);
  ENDS(RefusingBatch(txn), rocksdb_free);
  rocksdb_transaction_destroy(txn);
  rocksdb_transaction_options_destroy(to);
  rocksdb_writeoptions_destroy(wo);
}

/* The databases below those of transactions, which stay open. */
static void EndBases(void) {
  char* err = NULL;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_transactiondb_options_t* locking =
      rocksdb_transactiondb_options_create();
  rocksdb_transactiondb_t* db = rocksdb_transactiondb_open(
      options, locking, PathOf("ends_locking"), &err);
  CHECK_OK(err);
  if (db != NULL) {
    ENDS(rocksdb_transactiondb_get_base_db(db),
         rocksdb_transactiondb_close_base_db);
    EndLentBatches(db);
    rocksdb_transactiondb_close(db);
  }
  rocksdb_optimistictransactiondb_t* optimistic =
      rocksdb_optimistictransactiondb_open(options, PathOf("ends_optimistic"),
                                           &err);
  CHECK_OK(err);
  if (optimistic != NULL) {
    ENDS(rocksdb_optimistictransactiondb_get_base_db(optimistic),
         rocksdb_optimistictransactiondb_close_base_db);
    rocksdb_optimistictransactiondb_close(optimistic);
  }
  rocksdb_transactiondb_options_destroy(locking);
  rocksdb_options_destroy(options);
}

static void EndObjects(void) {
  char* err = NULL;
  ENDS(rocksdb_cache_create_lru(1 << 10), rocksdb_cache_destroy);
  ENDS(rocksdb_write_buffer_manager_create(1 << 20, 0),
       rocksdb_write_buffer_manager_destroy);
  ENDS(rocksdb_sst_file_manager_create(NULL), rocksdb_sst_file_manager_destroy);
  ENDS(rocksdb_ratelimiter_create(1 << 20, 1000, 10),
       rocksdb_ratelimiter_destroy);
  ENDS(rocksdb_logger_create_stderr_logger(4, "test"), rocksdb_logger_destroy);
  ENDS(rocksdb_slicetransform_create_fixed_prefix(3),
       rocksdb_slicetransform_destroy);
  ENDS(rocksdb_slicetransform_create_noop(), rocksdb_slicetransform_destroy);
  ENDS(rocksdb_filterpolicy_create_bloom(10), rocksdb_filterpolicy_destroy);
  ENDS(rocksdb_file_checksum_gen_crc32c_factory_create(),
       rocksdb_file_checksum_gen_factory_destroy);
  ENDS(rocksdb_dbpath_create("/path", 1), rocksdb_dbpath_destroy);
  ENDS(rocksdb_create_default_env(), rocksdb_env_destroy);
  ENDS(rocksdb_create_mem_env(), rocksdb_env_destroy);
  ENDS_OF(rocksdb_writebatch);
  ENDS_OF(rocksdb_livefile);
  ENDS_OF(rocksdb_livefiles);
  ENDS_OF(rocksdb_export_import_files_metadata);
  ENDS_OF(rocksdb_memory_consumers);
  ENDS_OF(rocksdb_perfcontext);
  ENDS_OF(rocksdb_statistics_histogram_data);
  ENDS_OF(rocksdb_compactionjobinfo);
  ENDS(rocksdb_compaction_options_canceled_create(),
       rocksdb_compaction_options_canceled_destroy);
  ENDS(rocksdb_open_and_compact_canceled_create(),
       rocksdb_open_and_compact_canceled_destroy);
  ENDS(rocksdb_compactionservice_scheduleresponse_create_with_status(0, &err),
       rocksdb_compactionservice_scheduleresponse_t_destroy);
}

/* Names as a compaction gives them. */
static char** TwoNames(void) {
  char** names = (char**)calloc(2, sizeof(char*));
  names[0] = (char*)calloc(1, 100);
  names[1] = (char*)calloc(1, 100);
  return names;
}
static void EndTwoNames(char** names) {
  rocksdb_compact_files_output_file_names_destroy(names, 2);
}

static void ListAndEnd(const rocksdb_options_t* options) {
  char* err = NULL;
  size_t size = 0;
  char** list =
      rocksdb_list_column_families(options, PathOf("ends"), &size, &err);
  CHECK_OK(err);
  rocksdb_list_column_families_destroy(list, size);
}

static void LoadAndEnd(const rocksdb_options_t* options) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_options_t* loaded = NULL;
  rocksdb_options_t** families = NULL;
  char** names = NULL;
  rocksdb_env_t* env = rocksdb_create_default_env();
  (void)options;
  rocksdb_load_latest_options(PathOf("ends"), env, true, NULL, &loaded, &size,
                              &names, &families, &err);
  CHECK_OK(err);
  rocksdb_load_latest_options_destroy(loaded, names, families, size);
  rocksdb_env_destroy(env);
}

/* Creates no families, so that only the list has to be destroyed. */
static rocksdb_column_family_handle_t** NoFamilies(rocksdb_t* db,
                                                   rocksdb_options_t* options) {
  char* err = NULL;
  size_t size = 9;
  const char* none[1] = {NULL};
  rocksdb_column_family_handle_t** list =
      rocksdb_create_column_families(db, options, 0, none, &size, &err);
  CHECK_OK(err);
  CHECK(list != NULL && size == 0);
  return list;
}

static rocksdb_memory_usage_t* NewUsage(void) {
  char* err = NULL;
  rocksdb_memory_consumers_t* consumers = rocksdb_memory_consumers_create();
  rocksdb_memory_usage_t* usage =
      rocksdb_approximate_memory_usage_create(consumers, &err);
  CHECK_OK(err);
  rocksdb_memory_consumers_destroy(consumers);
  return usage;
}

static void EndBackups(rocksdb_options_t* options) {
  char* err = NULL;
  rocksdb_backup_engine_t* engine =
      rocksdb_backup_engine_open(options, PathOf("no-backups"), &err);
  CHECK_OK(err);
  ENDS(rocksdb_backup_engine_get_backup_info(engine),
       rocksdb_backup_engine_info_destroy);
  rocksdb_backup_engine_close(engine);
  ENDS(rocksdb_backup_engine_open(options, PathOf("no-backups"), &err),
       rocksdb_backup_engine_close);
  CHECK_OK(err);
}

static rocksdb_t* open_db;
static void Release(const rocksdb_snapshot_t* snapshot) {
  rocksdb_release_snapshot(open_db, snapshot);
}

static void EndWhatDatabasesGive(rocksdb_t* db, rocksdb_options_t* options) {
  char* err = NULL;
  size_t size = 0;
  const rocksdb_slice_t key = {"k", 1};
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_livefiles_storage_info_options_t* storage =
      rocksdb_livefiles_storage_info_options_create();
  rocksdb_livefiles_storage_info_options_set_wal_size_for_flush(storage,
                                                                1 << 30);
  rocksdb_column_family_handle_t* cf =
      rocksdb_get_default_column_family_handle(db);
  open_db = db;
  ENDS(rocksdb_get(db, ro, "k", 1, &size, &err), rocksdb_free);
  ENDS(rocksdb_get_pinned(db, ro, "k", 1, &err), rocksdb_pinnableslice_destroy);
  ENDS(rocksdb_get_pinned_v2(db, ro, "k", 1, &err),
       rocksdb_pinnable_handle_destroy);
  ENDS(rocksdb_batched_multi_get_pinned_cf(db, ro, cf, 1, &key, 0),
       rocksdb_pinnable_multi_get_destroy);
  ENDS(rocksdb_create_iterator(db, ro), rocksdb_iter_destroy);
  ENDS(rocksdb_create_snapshot(db), Release);
  ENDS(rocksdb_get_default_column_family_handle(db),
       rocksdb_column_family_handle_destroy);
  ENDS(rocksdb_get_column_family_metadata(db),
       rocksdb_column_family_metadata_destroy);
  ENDS(rocksdb_livefiles(db), rocksdb_livefiles_destroy);
  ENDS(rocksdb_checkpoint_object_create(db, &err),
       rocksdb_checkpoint_object_destroy);
  ENDS(rocksdb_get_livefiles_storage_info(db, storage, &err),
       rocksdb_livefiles_storage_info_destroy);
  ENDS(rocksdb_get_sorted_wal_files(db, &err), rocksdb_wal_files_destroy);
  ENDS(rocksdb_get_current_wal_file(db, &err), rocksdb_wal_file_destroy);
  ENDS(rocksdb_get_updates_since(db, 1, NULL, &err), rocksdb_wal_iter_destroy);
  ENDS(NoFamilies(db, options), rocksdb_create_column_families_destroy);
  ENDS(TwoNames(), EndTwoNames);
  ENDS(NewUsage(), rocksdb_approximate_memory_usage_destroy);
  CHECK_OK(err);
  rocksdb_column_family_handle_destroy(cf);
  rocksdb_livefiles_storage_info_options_destroy(storage);
  rocksdb_readoptions_destroy(ro);
}

static void EndTraces(rocksdb_t* db) {
  char* err = NULL;
  char path[1024];
  rocksdb_env_t* env = rocksdb_create_default_env();
  rocksdb_envoptions_t* files = rocksdb_envoptions_create();
  rocksdb_trace_options_t* trace = rocksdb_trace_options_create();
  snprintf(path, sizeof(path), "%s", PathOf("ends.trace"));
  rocksdb_start_trace(db, env, files, trace, path, &err);
  CHECK_OK(err);
  rocksdb_end_trace(db, &err);
  CHECK_OK(err);
  ENDS(rocksdb_trace_reader_create(env, files, path, &err),
       rocksdb_trace_reader_destroy);
  ENDS(rocksdb_new_default_replayer(db, NULL, 0, env, files, path, &err),
       rocksdb_replayer_destroy);
  CHECK_OK(err);
  rocksdb_trace_options_destroy(trace);
  rocksdb_envoptions_destroy(files);
  rocksdb_env_destroy(env);
}

void TestEnds(void) {
  char* err = NULL;
  EndOptions();
  EndObjects();
  ShareBuckets();
  EndBases();
  rocksdb_options_t* options = NewOptions();
  EndBackups(options);
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_envoptions_t* env_options = rocksdb_envoptions_create();
  ENDS(rocksdb_sstfilewriter_create(env_options, options),
       rocksdb_sstfilewriter_destroy);
  rocksdb_envoptions_destroy(env_options);
  rocksdb_t* db = OpenNew("ends", options);
  rocksdb_put(db, wo, "k", 1, "v", 1, &err);
  CHECK_OK(err);
  EndWhatDatabasesGive(db, options);
  EndTraces(db);
  rocksdb_close(db);
  ENDS(options, ListAndEnd);
  ENDS(options, LoadAndEnd);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_options_destroy(options);
}
