/* What each call changes in a database, where another call of its family has
   the other tests: that it is not one that does nothing. */

#include <sys/stat.h>

#include "tests/c/check.h"

typedef struct Fixture {
  rocksdb_options_t* options;
  rocksdb_writeoptions_t* wo;
  rocksdb_readoptions_t* ro;
  rocksdb_t* db;
  rocksdb_column_family_handle_t* cf;
} Fixture;

static void Open(Fixture* f, const char* name) {
  f->wo = rocksdb_writeoptions_create();
  f->ro = rocksdb_readoptions_create();
  f->db = OpenNew(name, f->options);
  f->cf = rocksdb_get_default_column_family_handle(f->db);
}

static void Close(Fixture* f) {
  rocksdb_column_family_handle_destroy(f->cf);
  rocksdb_close(f->db);
  rocksdb_readoptions_destroy(f->ro);
  rocksdb_writeoptions_destroy(f->wo);
  rocksdb_options_destroy(f->options);
}

static void Put(Fixture* f, const char* key, const char* value) {
  char* err = NULL;
  rocksdb_put(f->db, f->wo, key, strlen(key), value, strlen(value), &err);
  CHECK_OK(err);
}

static int Level0(Fixture* f) {
  char* text = rocksdb_property_value(f->db, "rocksdb.num-files-at-level0");
  const int count = text == NULL ? -1 : atoi(text);
  rocksdb_free(text);
  return count;
}

static long BytesIn(const char* path) {
  struct stat status;
  return stat(path, &status) == 0 ? (long)status.st_size : -1;
}

/* The database's current log. */
static void LogPath(Fixture* f, const char* name, char* room, size_t size) {
  char* err = NULL;
  char path[4000];
  snprintf(path, sizeof(path), "%s", PathOf(name));
  rocksdb_wal_file_t* log = rocksdb_get_current_wal_file(f->db, &err);
  CHECK_OK(err);
  snprintf(room, size, "%s/%06llu.log", path,
           (unsigned long long)rocksdb_wal_file_log_number(log));
  rocksdb_wal_file_destroy(log);
}

static void TestFlushes(void) {
  char* err = NULL;
  char path[4200];
  Fixture f;
  f.options = NewOptions();
  rocksdb_options_set_disable_auto_compactions(f.options, 1);
  rocksdb_options_set_manual_wal_flush(f.options, 1);
  /* Then a log is never longer than its data. */
  rocksdb_options_set_wal_recovery_mode(f.options,
                                        rocksdb_absolute_consistency_recovery);
  Open(&f, "flushes");
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  rocksdb_flushwaloptions_t* fwo = rocksdb_flushwaloptions_create();
  Put(&f, "first", "0");
  rocksdb_flush_wal(f.db, 0, &err); /* An empty log is not listed. */
  CHECK_OK(err);
  Put(&f, "a", "1");
  LogPath(&f, "flushes", path, sizeof(path));
  const long before = BytesIn(path);
  rocksdb_flush_wal(f.db, 0, &err);
  CHECK_OK(err);
  const long one = BytesIn(path);
  CHECK(before >= 0 && one > before);
  Put(&f, "b", "2");
  CHECK(BytesIn(path) == one);
  rocksdb_flush_wal_with_options(f.db, fwo, &err);
  CHECK_OK(err);
  CHECK(BytesIn(path) > one);
  rocksdb_flush_wal(NULL, 0, &err);
  CHECK_ERROR(err, "db");
  rocksdb_flush_wal_with_options(f.db, NULL, &err);
  CHECK_ERROR(err, "options");

  CHECK(Level0(&f) == 0);
  rocksdb_flush_cf(f.db, fo, f.cf, &err);
  CHECK_OK(err);
  CHECK(Level0(&f) == 1);
  Put(&f, "c", "3");
  rocksdb_flush_cfs(f.db, fo, &f.cf, 1, &err);
  CHECK_OK(err);
  CHECK(Level0(&f) == 2);
  rocksdb_column_family_handle_t* none = NULL;
  rocksdb_flush_cfs(f.db, fo, &none, 1, &err);
  CHECK_ERROR(err, "NULL");
  rocksdb_compact_range_cf(f.db, f.cf, NULL, 0, NULL, 0);
  CHECK(Level0(&f) == 0);
  Put(&f, "a", "4");
  rocksdb_flush(f.db, fo, &err);
  CHECK(Level0(&f) == 1);
  rocksdb_compactoptions_t* co = rocksdb_compactoptions_create();
  rocksdb_compact_range_cf_opt(f.db, f.cf, co, NULL, 0, NULL, 0);
  CHECK(Level0(&f) == 0);
  rocksdb_compactoptions_destroy(co);
  rocksdb_flushwaloptions_destroy(fwo);
  rocksdb_flushoptions_destroy(fo);
  Close(&f);
}

/* Files of a range that is suggested go one level down. */
static void TestSuggestions(void) {
  char* err = NULL;
  Fixture f;
  f.options = NewOptions();
  Open(&f, "suggestions");
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  rocksdb_wait_for_compact_options_t* wait =
      rocksdb_wait_for_compact_options_create();
  Put(&f, "a", "1");
  rocksdb_flush(f.db, fo, &err);
  CHECK_OK(err);
  rocksdb_compact_range(f.db, NULL, 0, NULL, 0);
  for (int i = 0; i < 2; ++i) {
    Put(&f, "b", "2");
    rocksdb_flush(f.db, fo, &err);
    CHECK_OK(err);
    rocksdb_suggest_compact_range(f.db, "x", 1, "z", 1, &err);
    CHECK_OK(err);
    rocksdb_wait_for_compact(f.db, wait, &err);
    CHECK_OK(err);
    CHECK(Level0(&f) == 1);
    if (i == 0) {
      rocksdb_suggest_compact_range(f.db, NULL, 0, NULL, 0, &err);
    } else {
      rocksdb_suggest_compact_range_cf(f.db, f.cf, "b", 1, NULL, 0, &err);
    }
    CHECK_OK(err);
    rocksdb_wait_for_compact(f.db, wait, &err);
    CHECK_OK(err);
    CHECK(Level0(&f) == 0);
  }
  rocksdb_suggest_compact_range(NULL, NULL, 0, NULL, 0, &err);
  CHECK_ERROR(err, "db");
  rocksdb_suggest_compact_range_cf(f.db, NULL, NULL, 0, NULL, 0, &err);
  CHECK_ERROR(err, "column_family");
  rocksdb_wait_for_compact_options_destroy(wait);
  rocksdb_flushoptions_destroy(fo);
  Close(&f);
}

/* A file that compaction replaces stays until deletions are enabled. */
static void TestFileDeletions(void) {
  char* err = NULL;
  char path[4200];
  Fixture f;
  f.options = NewOptions();
  rocksdb_options_set_disable_auto_compactions(f.options, 1);
  Open(&f, "deletions");
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  Put(&f, "a", "1");
  rocksdb_flush(f.db, fo, &err);
  Put(&f, "a", "2");
  rocksdb_flush(f.db, fo, &err);
  CHECK_OK(err);
  const rocksdb_livefiles_t* files = rocksdb_livefiles(f.db);
  snprintf(path, sizeof(path), "%s%s", PathOf("deletions"),
           rocksdb_livefiles_name(files, 0));
  rocksdb_livefiles_destroy(files);
  CHECK(BytesIn(path) > 0);
  rocksdb_disable_file_deletions(f.db, &err);
  CHECK_OK(err);
  rocksdb_wait_for_compact_options_t* wait =
      rocksdb_wait_for_compact_options_create();
  rocksdb_wait_for_compact_options_set_wait_for_purge(wait, 1);
  rocksdb_compact_range(f.db, NULL, 0, NULL, 0);
  rocksdb_wait_for_compact(f.db, wait, &err);
  CHECK_OK(err);
  CHECK(BytesIn(path) > 0);
  rocksdb_enable_file_deletions(f.db, &err);
  CHECK_OK(err);
  rocksdb_wait_for_compact(f.db, wait, &err);
  CHECK_OK(err);
  CHECK(BytesIn(path) < 0);
  rocksdb_wait_for_compact(f.db, NULL, &err);
  CHECK_ERROR(err, "options");

  rocksdb_cancel_all_background_work(f.db, 1);
  rocksdb_wait_for_compact(f.db, wait, &err);
  CHECK_ERROR(err, "hutdown");
  rocksdb_wait_for_compact_options_destroy(wait);
  rocksdb_flushoptions_destroy(fo);
  Close(&f);
}

static void TestMetadata(void) {
  char* err = NULL;
  size_t size = 0;
  Fixture f;
  f.options = NewOptions();
  rocksdb_options_set_default_write_temperature(f.options, 0);
  Open(&f, "metadata");
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  Put(&f, "m", "1");
  rocksdb_flush(f.db, fo, &err);
  CHECK_OK(err);
  rocksdb_column_family_metadata_options_t* only =
      rocksdb_column_family_metadata_options_create();
  rocksdb_column_family_metadata_t* all =
      rocksdb_get_column_family_metadata_cf_with_options(f.db, f.cf, only);
  CHECK(rocksdb_column_family_metadata_get_file_count(all) == 1);
  rocksdb_level_metadata_t* level =
      rocksdb_column_family_metadata_get_level_metadata(all, 0);
  rocksdb_sst_file_metadata_t* file =
      rocksdb_level_metadata_get_sst_file_metadata(level, 0);
  char* directory = rocksdb_sst_file_metadata_get_directory(file);
  CHECK(directory != NULL && strstr(directory, "metadata") != NULL);
  rocksdb_free(directory);
  rocksdb_sst_file_metadata_destroy(file);
  rocksdb_level_metadata_destroy(level);
  rocksdb_column_family_metadata_destroy(all);
  rocksdb_column_family_metadata_options_set_level(only, 3);
  CHECK(rocksdb_column_family_metadata_options_get_level(only) == 3);
  rocksdb_column_family_metadata_options_set_level(only, -1);
  rocksdb_column_family_metadata_options_set_end_key(only, "b", 1);
  CHECK(Same(rocksdb_column_family_metadata_options_get_end_key(only, &size), 1,
             "b"));
  CHECK(size == 1);
  all = rocksdb_get_column_family_metadata_cf_with_options(f.db, f.cf, only);
  CHECK(rocksdb_column_family_metadata_get_file_count(all) == 0);
  CHECK(rocksdb_column_family_metadata_get_level_count(all) == 0);
  rocksdb_column_family_metadata_destroy(all);
  rocksdb_column_family_metadata_options_set_end_key(only, "m", 1);
  all = rocksdb_get_column_family_metadata_cf_with_options(f.db, f.cf, only);
  CHECK(rocksdb_column_family_metadata_get_file_count(all) == 1);
  CHECK(rocksdb_column_family_metadata_get_level_count(all) == 1);
  rocksdb_column_family_metadata_destroy(all);
  rocksdb_column_family_metadata_options_destroy(only);
  rocksdb_flushoptions_destroy(fo);
  Close(&f);
}

static void TestCacheUse(void) {
  char* err = NULL;
  size_t size = 0;
  Fixture f;
  rocksdb_cache_t* cache = rocksdb_cache_create_lru(8 << 20);
  rocksdb_block_based_table_options_t* table =
      rocksdb_block_based_options_create();
  rocksdb_block_based_options_set_block_cache(table, cache);
  f.options = NewOptions();
  rocksdb_options_set_block_based_table_factory(f.options, table);
  Open(&f, "cache_use");
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  Put(&f, "k", "v");
  rocksdb_flush(f.db, fo, &err);
  char* value = rocksdb_get(f.db, f.ro, "k", 1, &size, &err);
  CHECK_VALUE(value, size, "v");
  CHECK_OK(err);
  CHECK(rocksdb_cache_get_usage(cache) > 0);
  CHECK(rocksdb_cache_get_occupancy_count(cache) > 0);
  rocksdb_iterator_t* it = rocksdb_create_iterator(f.db, f.ro);
  rocksdb_iter_seek_to_first(it);
  CHECK(rocksdb_cache_get_pinned_usage(cache) > 0);
  rocksdb_iter_destroy(it);
  rocksdb_memory_consumers_t* consumers = rocksdb_memory_consumers_create();
  rocksdb_memory_consumers_add_cache(consumers, cache);
  rocksdb_memory_usage_t* usage =
      rocksdb_approximate_memory_usage_create(consumers, &err);
  CHECK_OK(err);
  CHECK(rocksdb_approximate_memory_usage_get_cache_total(usage) > 0);
  rocksdb_approximate_memory_usage_destroy(usage);
  rocksdb_memory_consumers_destroy(consumers);
  rocksdb_flushoptions_destroy(fo);
  Close(&f);
  rocksdb_block_based_options_destroy(table);
  rocksdb_cache_destroy(cache);
}

static void TestOwnIndexes(void) {
  char* err = NULL;
  size_t size = 7;
  Fixture f;
  rocksdb_block_based_table_options_t* table =
      rocksdb_block_based_options_create();
  CHECK(rocksdb_block_based_options_get_user_defined_index_factory_name(
            table, &size) == NULL);
  CHECK(size == 0);
  rocksdb_block_based_options_set_user_defined_index_factory_from_string(
      table, "no_index", 8, &err);
  CHECK_ERROR(err, "no_index");
  rocksdb_block_based_options_set_user_defined_index_factory_from_string(
      table, "trie_index and more", 10, &err);
  CHECK_OK(err);
  const char* name =
      rocksdb_block_based_options_get_user_defined_index_factory_name(table,
                                                                      &size);
  CHECK(size == 10 && memcmp(name, "trie_index", size) == 0);
  f.options = NewOptions();
  rocksdb_options_set_block_based_table_factory(f.options, table);
  rocksdb_block_based_options_clear_user_defined_index_factory(table);
  CHECK(rocksdb_block_based_options_get_user_defined_index_factory_name(
            table, NULL) == NULL);
  Open(&f, "own_indexes");
  Put(&f, "k", "v");
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  rocksdb_flush(f.db, fo, &err);
  CHECK_OK(err);
  size = 7;
  CHECK(rocksdb_readoptions_get_table_index_factory_name(f.ro, &size) == NULL);
  CHECK(size == 0);
  rocksdb_readoptions_set_table_index_factory_from_string(f.ro, "no_index", 8,
                                                          &err);
  CHECK_ERROR(err, "no_index");
  rocksdb_readoptions_set_table_index_factory_from_string(f.ro, "trie_index",
                                                          10, &err);
  CHECK_OK(err);
  name = rocksdb_readoptions_get_table_index_factory_name(f.ro, &size);
  CHECK(size == 10 && memcmp(name, "trie_index", size) == 0);
  char* value = rocksdb_get(f.db, f.ro, "k", 1, &size, &err);
  CHECK_VALUE(value, size, "v");
  CHECK_OK(err);
  rocksdb_readoptions_clear_table_index_factory(f.ro);
  CHECK(rocksdb_readoptions_get_table_index_factory_name(f.ro, NULL) == NULL);
  rocksdb_flushoptions_destroy(fo);
  Close(&f);
  rocksdb_block_based_options_destroy(table);
}

static void TestBufferManager(void) {
  Fixture f;
  rocksdb_cache_t* cache = rocksdb_cache_create_lru(8 << 20);
  rocksdb_write_buffer_manager_t* manager =
      rocksdb_write_buffer_manager_create_with_cache(4 << 20, cache, false);
  f.options = NewOptions();
  rocksdb_options_set_write_buffer_manager(f.options, manager);
  Open(&f, "buffers");
  Put(&f, "k", "v");
  CHECK(rocksdb_write_buffer_manager_memory_usage(manager) > 0);
  CHECK(rocksdb_write_buffer_manager_mutable_memtable_memory_usage(manager) >
        0);
  CHECK(rocksdb_write_buffer_manager_dummy_entries_in_cache_usage(manager) > 0);
  Close(&f);
  rocksdb_write_buffer_manager_destroy(manager);
  rocksdb_cache_destroy(cache);
}

static void TestReadCalls(void) {
  char* err = NULL;
  size_t size = 0;
  char room[8];
  unsigned char found = 0;
  Fixture f;
  f.options = NewOptions();
  Open(&f, "reads_of_families");
  Put(&f, "k", "value");
  CHECK(rocksdb_get_into_buffer_cf(f.db, f.ro, f.cf, "k", 1, room, 8, &size,
                                   &found, &err) == 1);
  CHECK(found == 1 && Same(room, size, "value"));
  char* value = NULL;
  found = 0;
  CHECK(rocksdb_key_may_exist_cf(f.db, f.ro, f.cf, "k", 1, &value, &size, NULL,
                                 0, &found) == 1);
  CHECK(found == 1);
  CHECK_VALUE(value, size, "value");
  rocksdb_readoptions_set_tailing(f.ro, 1);
  rocksdb_iterator_t* it = rocksdb_create_iterator(f.db, f.ro);
  rocksdb_iter_seek_to_first(it);
  CHECK(rocksdb_iter_valid(it) == 1);
  /* A following iterator sees what is written after it was made. */
  rocksdb_put(f.db, f.wo, "zz later", 8, "1", 1, &err);
  CHECK_OK(err);
  rocksdb_iter_seek(it, "zz", 2);
  CHECK(rocksdb_iter_valid(it) == 1);
  rocksdb_iter_get_error(it, &err);
  CHECK_OK(err);
  rocksdb_iter_destroy(it);
  rocksdb_iter_get_error(NULL, &err);
  CHECK_ERROR(err, "iterator");
  const char* names[1] = {"no_such"};
  const char* values[1] = {"1"};
  rocksdb_set_options_cf(f.db, f.cf, 1, names, values, &err);
  CHECK_ERROR(err, "no_such");
  rocksdb_set_db_options(f.db, 1, names, values, &err);
  CHECK_ERROR(err, "no_such");
  names[0] = NULL;
  rocksdb_set_db_options(f.db, 1, names, values, &err);
  CHECK_ERROR(err, "NotFound");
  rocksdb_verify_checksum(NULL, &err);
  CHECK_ERROR(err, "db");
  Close(&f);
}

/* Keys end with an 8-byte timestamp, whose bytes compare as they are. */
static int CompareBytes(const char* a, size_t a_size, const char* b,
                        size_t b_size) {
  const size_t size = a_size < b_size ? a_size : b_size;
  const int order = memcmp(a, b, size);
  if (order != 0) return order;
  return a_size < b_size ? -1 : a_size > b_size;
}
static int CompareTs(void* state, const char* a, size_t a_size, const char* b,
                     size_t b_size) {
  (void)state;
  return CompareBytes(a, a_size, b, b_size);
}
static int CompareWithoutTs(void* state, const char* a, size_t a_size,
                            unsigned char a_has_ts, const char* b,
                            size_t b_size, unsigned char b_has_ts) {
  (void)state;
  return CompareBytes(a, a_size - (a_has_ts ? 8 : 0), b,
                      b_size - (b_has_ts ? 8 : 0));
}
static int CompareStamped(void* state, const char* a, size_t a_size,
                          const char* b, size_t b_size) {
  const int order = CompareWithoutTs(state, a, a_size, 1, b, b_size, 1);
  if (order != 0) return order;
  return CompareBytes(b + b_size - 8, 8, a + a_size - 8, 8);
}
static const char* StampedName(void* state) {
  (void)state;
  return "stamped";
}
static void NoDestructor(void* state) { (void)state; }

static void CheckStamped(const Fixture* f, const char* as_of, const char* value,
                         const char* ts) {
  char* err = NULL;
  size_t value_size = 0, ts_size = 0;
  char* found_ts = NULL;
  rocksdb_readoptions_set_timestamp(f->ro, as_of, 8);
  char* found = rocksdb_get_with_ts(f->db, f->ro, "k", 1, &value_size,
                                    &found_ts, &ts_size, &err);
  CHECK_OK(err);
  CHECK_VALUE(found, value_size, value);
  CHECK_VALUE(found_ts, ts_size, ts);
  found = rocksdb_get_cf_with_ts(f->db, f->ro, f->cf, "k", 1, &value_size,
                                 &found_ts, &ts_size, &err);
  CHECK_OK(err);
  CHECK_VALUE(found, value_size, value);
  CHECK_VALUE(found_ts, ts_size, ts);
}

static void CheckStampedBatch(const Fixture* f) {
  const char* const keys[2] = {"k", "absent"};
  const size_t key_sizes[2] = {1, 6};
  const rocksdb_column_family_handle_t* cfs[2];
  cfs[0] = cfs[1] = f->cf;
  char* values[2];
  char* ts[2];
  char* errors[2];
  size_t value_sizes[2], ts_sizes[2];
  for (int i = 0; i < 2; ++i) {
    if (i == 0) {
      rocksdb_multi_get_with_ts(f->db, f->ro, 2, keys, key_sizes, values,
                                value_sizes, ts, ts_sizes, errors);
    } else {
      rocksdb_multi_get_cf_with_ts(f->db, f->ro, cfs, 2, keys, key_sizes,
                                   values, value_sizes, ts, ts_sizes, errors);
    }
    CHECK_OK(errors[0]);
    CHECK_OK(errors[1]);
    CHECK_VALUE(values[0], value_sizes[0], "two");
    CHECK_VALUE(ts[0], ts_sizes[0], "00000002");
    CHECK(values[1] == NULL && ts[1] == NULL);
  }
}

/* What each call with a timestamp writes. */
static void WriteStamped(Fixture* f) {
  char* err = NULL;
  rocksdb_put_with_ts(f->db, f->wo, "k", 1, "00000001", 8, "one", 3, &err);
  CHECK_OK(err);
  rocksdb_put_cf_with_ts(f->db, f->wo, f->cf, "k", 1, "00000002", 8, "two", 3,
                         &err);
  CHECK_OK(err);
  rocksdb_delete_with_ts(f->db, f->wo, "x", 1, "00000001", 8, &err);
  CHECK_OK(err);
  rocksdb_delete_cf_with_ts(f->db, f->wo, f->cf, "x", 1, "00000002", 8, &err);
  CHECK_OK(err);
  rocksdb_singledelete_with_ts(f->db, f->wo, "y", 1, "00000001", 8, &err);
  CHECK_OK(err);
  rocksdb_singledelete_cf_with_ts(f->db, f->wo, f->cf, "y", 1, "00000002", 8,
                                  &err);
  CHECK_OK(err);
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  rocksdb_writebatch_put_cf_with_ts(batch, f->cf, "b", 1, "00000002", 8, "v",
                                    1);
  rocksdb_writebatch_delete_cf_with_ts(batch, f->cf, "k", 1, "00000004", 8);
  rocksdb_writebatch_singledelete_cf_with_ts(batch, f->cf, "z", 1, "00000001",
                                             8);
  rocksdb_write(f->db, f->wo, batch, &err);
  CHECK_OK(err);
  /* A timestamp of another size, and none: the call cannot say so. */
  const char* const parts[1] = {"k"};
  const size_t sizes[1] = {1};
  rocksdb_writebatch_clear(batch);
  rocksdb_writebatch_put_cf_with_ts(batch, f->cf, "b", 1, "0002", 4, "v", 1);
  rocksdb_write(f->db, f->wo, batch, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_writebatch_clear(batch);
  rocksdb_write(f->db, f->wo, batch, &err);
  CHECK_OK(err);
  rocksdb_writebatch_destroy(batch);
  rocksdb_writebatch_wi_t* indexed = rocksdb_writebatch_wi_create(0, 1);
  rocksdb_writebatch_wi_putv_cf(indexed, f->cf, 1, parts, sizes, 1, parts,
                                sizes);
  rocksdb_write_writebatch_wi(f->db, f->wo, indexed, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_writebatch_wi_destroy(indexed);
  CHECK(rocksdb_get_latest_sequence_number(f->db) == 9);
}

/* Timestamps of another size: each call says so in the same words. */
static void RefuseShortStamps(Fixture* f) {
  static const char kWanted[] = "Timestamp sizes mismatch: expect 8, 4 given";
  char* err = NULL;
  rocksdb_put_with_ts(f->db, f->wo, "k", 1, "0001", 4, "v", 1, &err);
  CHECK_ERROR(err, kWanted);
  rocksdb_delete_with_ts(f->db, f->wo, "k", 1, "0001", 4, &err);
  CHECK_ERROR(err, kWanted);
  rocksdb_delete_cf_with_ts(f->db, f->wo, f->cf, "k", 1, "0001", 4, &err);
  CHECK_ERROR(err, kWanted);
  rocksdb_singledelete_with_ts(f->db, f->wo, "k", 1, "0001", 4, &err);
  CHECK_ERROR(err, kWanted);
  rocksdb_singledelete_cf_with_ts(f->db, f->wo, f->cf, "k", 1, "0001", 4, &err);
  CHECK_ERROR(err, kWanted);
}

/* What was refused behind a save point is taken back with it, and only that. */
static void TakeBackRefusals(Fixture* f) {
  char* err = NULL;
  const char* const parts[1] = {"k"};
  const size_t sizes[1] = {1};
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  rocksdb_writebatch_set_save_point(batch);
  rocksdb_writebatch_put_cf_with_ts(batch, f->cf, "b", 1, "0002", 4, "v", 1);
  rocksdb_writebatch_rollback_to_save_point(batch, &err);
  CHECK_OK(err);
  rocksdb_write(f->db, f->wo, batch, &err);
  CHECK_OK(err);
  rocksdb_writebatch_set_save_point(batch);
  rocksdb_writebatch_put_cf_with_ts(batch, f->cf, "b", 1, "0002", 4, "v", 1);
  rocksdb_writebatch_pop_save_point(batch, &err);
  CHECK_OK(err);
  rocksdb_writebatch_set_save_point(batch);
  rocksdb_writebatch_put_cf_with_ts(batch, f->cf, "c", 1, "0002", 4, "v", 1);
  rocksdb_writebatch_rollback_to_save_point(batch, &err);
  CHECK_OK(err);
  rocksdb_write(f->db, f->wo, batch, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_writebatch_destroy(batch);
  rocksdb_writebatch_wi_t* indexed = rocksdb_writebatch_wi_create(0, 1);
  rocksdb_writebatch_wi_set_save_point(indexed);
  rocksdb_writebatch_wi_putv_cf(indexed, f->cf, 1, parts, sizes, 1, parts,
                                sizes);
  rocksdb_writebatch_wi_rollback_to_save_point(indexed, &err);
  CHECK_OK(err);
  rocksdb_write_writebatch_wi(f->db, f->wo, indexed, &err);
  CHECK_OK(err);
  rocksdb_writebatch_wi_putv_cf(indexed, f->cf, 1, parts, sizes, 1, parts,
                                sizes);
  rocksdb_writebatch_wi_rollback_to_save_point(indexed, &err);
  CHECK_ERROR(err, "NotFound");
  rocksdb_write_writebatch_wi(f->db, f->wo, indexed, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_writebatch_wi_destroy(indexed);
}

static void CheckFullHistory(Fixture* f) {
  char* err = NULL;
  size_t size = 1;
  char* low = rocksdb_get_full_history_ts_low(f->db, f->cf, &size, &err);
  CHECK_OK(err);
  CHECK_VALUE(low, size, "");
  rocksdb_increase_full_history_ts_low(f->db, f->cf, "1234", 4, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_increase_full_history_ts_low(f->db, f->cf, "00000002", 8, &err);
  CHECK_OK(err);
  low = rocksdb_get_full_history_ts_low(f->db, f->cf, &size, &err);
  CHECK_OK(err);
  CHECK_VALUE(low, size, "00000002");
  rocksdb_readoptions_set_timestamp(f->ro, "00000001", 8);
  CHECK(rocksdb_get(f->db, f->ro, "k", 1, &size, &err) == NULL);
  CHECK_ERROR(err, "Invalid argument");
}

/* What is newer than the timestamp goes, for ever. */
static void CheckTrimming(Fixture* f) {
  char* err = NULL;
  const char* names[1] = {"default"};
  const rocksdb_options_t* options[1];
  options[0] = f->options;
  rocksdb_column_family_handle_t* handles[1] = {NULL};
  rocksdb_put_with_ts(f->db, f->wo, "k", 1, "00000009", 8, "nine", 4, &err);
  CHECK_OK(err);
  rocksdb_column_family_handle_destroy(f->cf);
  rocksdb_close(f->db);
  char trim_ts[] = "00000003";
  const char* path = PathOf("timestamps");
  CHECK(rocksdb_open_and_trim_history(f->options, path, 1, names, options,
                                      handles, NULL, 0, &err) == NULL);
  CHECK_ERROR(err, "trim_ts");
  CHECK(rocksdb_open_and_trim_history(f->options, path, 1, names, options,
                                      handles, trim_ts, 7, &err) == NULL);
  CHECK_ERROR(err, "Invalid argument");
  f->db = rocksdb_open_and_trim_history(f->options, path, 1, names, options,
                                        handles, trim_ts, 8, &err);
  CHECK_OK(err);
  CHECK(handles[0] != NULL);
  f->cf = handles[0];
  CheckStamped(f, "00000009", "two", "00000002");
}

static void TestTimestamps(void) {
  char* err = NULL;
  size_t size = 0;
  Fixture f;
  rocksdb_comparator_t* comparator = rocksdb_comparator_with_ts_create(
      NULL, NoDestructor, CompareStamped, CompareTs, CompareWithoutTs,
      StampedName, 8);
  f.options = NewOptions();
  rocksdb_options_set_comparator(f.options, comparator);
  Open(&f, "timestamps");
  rocksdb_put(f.db, f.wo, "k", 1, "v", 1, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_put_with_ts(f.db, f.wo, "k", 1, "1234", 4, "v", 1, &err);
  CHECK_ERROR(err, "Invalid argument");
  CHECK(rocksdb_get(f.db, f.ro, "k", 1, &size, &err) == NULL);
  CHECK_ERROR(err, "Invalid argument");
  WriteStamped(&f);
  RefuseShortStamps(&f);
  TakeBackRefusals(&f);
  CheckStamped(&f, "00000001", "one", "00000001");
  CheckStamped(&f, "00000003", "two", "00000002");
  CheckStampedBatch(&f);
  rocksdb_iterator_t* it = rocksdb_create_iterator(f.db, f.ro);
  rocksdb_iter_seek(it, "k", 1);
  CHECK(rocksdb_iter_valid(it));
  const char* ts = rocksdb_iter_timestamp(it, &size);
  CHECK(Same(ts, size, "00000002"));
  rocksdb_iter_destroy(it);
  CheckFullHistory(&f);
  CheckTrimming(&f);
  Close(&f);
  rocksdb_comparator_destroy(comparator);
}

/* An update that changes in memory is noticed. */
static void TestProtection(void) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_writebatch_t* batch =
      rocksdb_writebatch_create_with_params(0, 0, 8, 0);
  rocksdb_writebatch_put(batch, "key", 3, "value", 5);
  rocksdb_writebatch_verify_checksum(batch, &err);
  CHECK_OK(err);
  char* bytes = (char*)rocksdb_writebatch_data(batch, &size);
  CHECK(bytes != NULL && size > 0);
  bytes[size - 1] ^= 1;
  rocksdb_writebatch_verify_checksum(batch, &err);
  CHECK_ERROR(err, "Corruption");
  rocksdb_writebatch_destroy(batch);
}

static void TestOtherWaysToOpen(void) {
  char* err = NULL;
  Fixture f;
  f.options = NewOptions();
  Open(&f, "secondary");
  char path[4000];
  snprintf(path, sizeof(path), "%s", PathOf("secondary"));
  const char* names[1] = {"default"};
  const rocksdb_options_t* options[1];
  options[0] = f.options;
  rocksdb_column_family_handle_t* handles[1] = {NULL};
  rocksdb_t* follower =
      rocksdb_open_as_secondary(f.options, path, PathOf("second"), &err);
  CHECK_OK(err);
  rocksdb_put(f.db, f.wo, "k", 1, "value", 5, &err);
  CHECK_OK(err);
  rocksdb_try_catch_up_with_primary(follower, &err);
  CHECK_OK(err);
  size_t size = 0;
  char* value = rocksdb_get(follower, f.ro, "k", 1, &size, &err);
  CHECK_OK(err);
  CHECK_VALUE(value, size, "value");
  rocksdb_put(follower, f.wo, "k", 1, "other", 5, &err);
  CHECK_ERROR(err, "Not implemented");
  rocksdb_close(follower);
  follower = rocksdb_open_as_secondary_column_families(
      f.options, path, PathOf("second"), 1, names, options, handles, &err);
  CHECK_OK(err);
  value = rocksdb_get_cf(follower, f.ro, handles[0], "k", 1, &size, &err);
  CHECK_OK(err);
  CHECK_VALUE(value, size, "value");
  rocksdb_column_family_handle_destroy(handles[0]);
  rocksdb_close(follower);
  Close(&f);
}

static void TestRepair(void) {
  char* err = NULL;
  char current[4100];
  Fixture f;
  f.options = NewOptions();
  Open(&f, "repaired");
  Put(&f, "k", "value");
  Close(&f);
  snprintf(current, sizeof(current), "%s/CURRENT", PathOf("repaired"));
  CHECK(remove(current) == 0);
  rocksdb_options_t* options = NewOptions();
  rocksdb_repair_db(options, PathOf("none"), &err);
  CHECK(err != NULL);
  rocksdb_free(err);
  err = NULL;
  rocksdb_repair_db(options, PathOf("repaired"), &err);
  CHECK_OK(err);
  f.options = options;
  Open(&f, "repaired");
  size_t size = 0;
  char* value = rocksdb_get(f.db, f.ro, "k", 1, &size, &err);
  CHECK_OK(err);
  CHECK_VALUE(value, size, "value");
  Close(&f);
}

#define TEXT_ROUND_TRIP(options, name)                                  \
  do {                                                                  \
    size_t text_size = 0;                                               \
    rocksdb_options_set_##name(options, "text of " #name);              \
    const char* text = rocksdb_options_get_##name(options, &text_size); \
    CHECK(Same(text, text_size, "text of " #name));                     \
  } while (0)

static void TestTexts(void) {
  rocksdb_options_t* options = rocksdb_options_create();
  TEXT_ROUND_TRIP(options, daily_offpeak_time_utc);
  TEXT_ROUND_TRIP(options, db_host_id);
  TEXT_ROUND_TRIP(options, db_log_dir);
  TEXT_ROUND_TRIP(options, wal_dir);
  rocksdb_options_compaction_readahead_size(options, 12345);
  CHECK(rocksdb_options_get_compaction_readahead_size(options) == 12345);
  rocksdb_options_set_bottommost_compression_options_use_zstd_dict_trainer(
      options, 1, 1);
  CHECK(
      rocksdb_options_get_bottommost_compression_options_use_zstd_dict_trainer(
          options) == 1);
  rocksdb_options_checksum_handoff_file_types_add(options, 3);
  CHECK(rocksdb_options_checksum_handoff_file_types_count(options) == 1);
  rocksdb_options_calculate_sst_write_lifetime_hint_set_clear(options);
  rocksdb_options_calculate_sst_write_lifetime_hint_set_add(options, 1);
  CHECK(rocksdb_options_calculate_sst_write_lifetime_hint_set_count(options) ==
        1);
  rocksdb_options_destroy(options);
}

static void TestPerfLevel(void) {
  char* err = NULL;
  size_t size = 0;
  Fixture f;
  f.options = NewOptions();
  Open(&f, "perf_level");
  Put(&f, "k", "v");
  rocksdb_perfcontext_t* context = rocksdb_perfcontext_create();
  for (int level = rocksdb_disable; level <= rocksdb_enable_count; ++level) {
    rocksdb_set_perf_level(level);
    rocksdb_perfcontext_reset(context);
    rocksdb_free(rocksdb_get(f.db, f.ro, "k", 1, &size, &err));
    CHECK_OK(err);
    CHECK((rocksdb_perfcontext_metric(context, rocksdb_get_read_bytes) > 0) ==
          (level == rocksdb_enable_count));
  }
  rocksdb_set_perf_level(rocksdb_disable);
  rocksdb_perfcontext_destroy(context);
  Close(&f);
}

void TestEffects(void) {
  TestFlushes();
  TestSuggestions();
  TestFileDeletions();
  TestMetadata();
  TestCacheUse();
  TestOwnIndexes();
  TestBufferManager();
  TestReadCalls();
  TestTimestamps();
  TestProtection();
  TestOtherWaysToOpen();
  TestRepair();
  TestTexts();
  TestPerfLevel();
}
