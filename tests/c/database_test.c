/* Databases, reads and column families. */

#include "tests/c/check.h"

static void WriteSome(rocksdb_t* db, rocksdb_writeoptions_t* wo) {
  char* err = NULL;
  rocksdb_put(db, wo, "a", 1, "1", 1, &err);
  CHECK_OK(err);
  rocksdb_put(db, wo, "empty", 5, "", 0, &err);
  CHECK_OK(err);
  rocksdb_put(db, wo, "nul\0key", 7, "x\0y", 3, &err);
  CHECK_OK(err);
  rocksdb_put(db, wo, "once", 4, "v", 1, &err);
  rocksdb_singledelete(db, wo, "once", 4, &err);
  CHECK_OK(err);
  CHECK(rocksdb_get_latest_sequence_number(db) == 5);
}

static void ReadSome(rocksdb_t* db, rocksdb_readoptions_t* ro) {
  char* err = NULL;
  size_t size = 0;
  char* value = rocksdb_get(db, ro, "a", 1, &size, &err);
  CHECK_VALUE(value, size, "1");
  value = rocksdb_get(db, ro, "empty", 5, &size, &err);
  CHECK(value != NULL && size == 0);
  rocksdb_free(value);
  value = rocksdb_get(db, ro, "nul\0key", 7, &size, &err);
  CHECK(value != NULL && size == 3 && memcmp(value, "x\0y", 3) == 0);
  rocksdb_free(value);
  size = 99;
  CHECK(rocksdb_get(db, ro, "none", 4, &size, &err) == NULL && size == 0);
  CHECK(rocksdb_get(db, ro, "once", 4, &size, &err) == NULL);
  CHECK_OK(err);
}

static void WriteOtherwise(rocksdb_t* db, rocksdb_writeoptions_t* wo) {
  char* err = NULL;
  rocksdb_writeoptions_disable_WAL(wo, 1);
  CHECK(rocksdb_writeoptions_get_disable_WAL(wo) == 1);
  rocksdb_put(db, wo, "unlogged", 8, "u", 1, &err);
  CHECK_OK(err);
  rocksdb_writeoptions_disable_WAL(wo, 0);
  rocksdb_writeoptions_set_sync(wo, 1);
  rocksdb_put(db, wo, "synced", 6, "s", 1, &err);
  CHECK_OK(err);
  rocksdb_delete(db, wo, "a", 1, &err);
  CHECK_OK(err);
  rocksdb_flush_wal(db, 1, &err);
  CHECK_OK(err);
  rocksdb_flushwaloptions_t* fwo = rocksdb_flushwaloptions_create();
  rocksdb_flush_wal_with_options(db, fwo, &err);
  CHECK_OK(err);
  rocksdb_flushwaloptions_destroy(fwo);
}

static void OpenOtherwise(rocksdb_options_t* options,
                          rocksdb_writeoptions_t* wo,
                          rocksdb_readoptions_t* ro) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_options_set_error_if_exists(options, 1);
  CHECK(rocksdb_open(options, PathOf("database"), &err) == NULL);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_options_set_error_if_exists(options, 0);
  rocksdb_t* db =
      rocksdb_open_for_read_only(options, PathOf("database"), 0, &err);
  CHECK_OK(err);
  char* value = rocksdb_get(db, ro, "synced", 6, &size, &err);
  CHECK_VALUE(value, size, "s");
  CHECK(rocksdb_get(db, ro, "a", 1, &size, &err) == NULL);
  rocksdb_put(db, wo, "b", 1, "2", 1, &err);
  CHECK_ERROR(err, "Not implemented");
  rocksdb_close(db);
}

static void LoadOptions(void) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_options_t* loaded = NULL;
  rocksdb_options_t** family_options = NULL;
  char** names = NULL;
  rocksdb_env_t* env = rocksdb_create_default_env();
  rocksdb_cache_t* cache = rocksdb_cache_create_lru(1 << 20);
  rocksdb_load_latest_options(PathOf("database"), env, false, cache, &loaded,
                              &size, &names, &family_options, &err);
  CHECK_OK(err);
  CHECK(size == 1 && strcmp(names[0], "default") == 0);
  CHECK(rocksdb_options_get_create_if_missing(loaded) == 1);
  CHECK(rocksdb_options_get_num_levels(family_options[0]) == 7);
  // What belongs to the database is in its own options alone.
  CHECK(rocksdb_options_get_create_if_missing(family_options[0]) == 0);
  rocksdb_load_latest_options_destroy(loaded, names, family_options, size);
  rocksdb_load_latest_options(PathOf("nowhere"), env, false, NULL, &loaded,
                              &size, &names, &family_options, &err);
  CHECK_ERROR(err, "");
  rocksdb_cache_destroy(cache);
  rocksdb_env_destroy(env);
}

void TestDatabase(void) {
  char* err = NULL;
  rocksdb_options_t* options = NewOptions();
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_t* db = OpenNew("database", options);
  WriteSome(db, wo);
  ReadSome(db, ro);
  WriteOtherwise(db, wo);
  size_t size = 0;
  char* identity = rocksdb_get_db_identity(db, &size);
  CHECK(identity != NULL && size > 20 && strlen(identity) == size);
  rocksdb_free(identity);
  rocksdb_close(db);
  OpenOtherwise(options, wo, ro);
  LoadOptions();

  rocksdb_destroy_db(options, PathOf("database"), &err);
  CHECK_OK(err);
  rocksdb_options_set_create_if_missing(options, 0);
  CHECK(rocksdb_open(options, PathOf("database"), &err) == NULL);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_writeoptions_destroy(wo);
  rocksdb_readoptions_destroy(ro);
  rocksdb_options_destroy(options);
}

static void ReadPinned(rocksdb_t* db, rocksdb_readoptions_t* ro,
                       rocksdb_column_family_handle_t* cf) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_pinnableslice_t* pinned = rocksdb_get_pinned(db, ro, "k1", 2, &err);
  const char* data = rocksdb_pinnableslice_value(pinned, &size);
  CHECK(Same(data, size, "one"));
  rocksdb_pinnableslice_destroy(pinned);
  pinned = rocksdb_get_pinned_cf(db, ro, cf, "k2", 2, &err);
  data = rocksdb_pinnableslice_value(pinned, &size);
  CHECK(Same(data, size, "two"));
  rocksdb_pinnableslice_destroy(pinned);
  CHECK(rocksdb_get_pinned(db, ro, "k3", 2, &err) == NULL);
  CHECK_OK(err);
  CHECK(rocksdb_pinnableslice_value(NULL, &size) == NULL && size == 0);
  rocksdb_pinnable_handle_t* handle =
      rocksdb_get_pinned_v2(db, ro, "k1", 2, &err);
  data = rocksdb_pinnable_handle_get_value(handle, &size);
  CHECK(Same(data, size, "one"));
  rocksdb_pinnable_handle_destroy(handle);
  handle = rocksdb_get_pinned_cf_v2(db, ro, cf, "k2", 2, &err);
  data = rocksdb_pinnable_handle_get_value(handle, &size);
  CHECK(Same(data, size, "two"));
  rocksdb_pinnable_handle_destroy(handle);
  CHECK(rocksdb_get_pinned_v2(db, ro, "k3", 2, &err) == NULL);
  CHECK(rocksdb_pinnable_handle_get_value(NULL, &size) == NULL);
}

static void ReadIntoBuffer(rocksdb_t* db, rocksdb_readoptions_t* ro,
                           rocksdb_column_family_handle_t* cf) {
  char* err = NULL;
  size_t size = 0;
  char room[4] = {0};
  unsigned char found = 0;
  CHECK(rocksdb_get_into_buffer(db, ro, "k1", 2, room, 4, &size, &found,
                                &err) == 1);
  CHECK(found == 1 && Same(room, size, "one"));
  CHECK(rocksdb_get_into_buffer_cf(db, ro, cf, "k1", 2, room, 2, &size, &found,
                                   &err) == 0);
  CHECK(found == 1 && size == 3);
  CHECK(rocksdb_get_into_buffer(db, ro, "k3", 2, room, 4, &size, &found,
                                &err) == 0);
  CHECK(found == 0 && size == 0);
  char* value = NULL;
  CHECK(rocksdb_key_may_exist(db, ro, "k1", 2, &value, &size, NULL, 0,
                              &found) == 1);
  CHECK(found == 1);
  CHECK_VALUE(value, size, "one");
  /* Without the flag there is nothing to give back. */
  value = room;
  size = 9;
  CHECK(rocksdb_key_may_exist(db, ro, "k1", 2, &value, &size, NULL, 0, NULL) ==
        1);
  CHECK(value == NULL && size == 0);
  CHECK(rocksdb_key_may_exist_cf(db, ro, cf, "k9", 2, NULL, NULL, NULL, 0,
                                 NULL) == 0);
  /* It is certain that the key is not there: its value is empty. */
  found = 0;
  size = 9;
  CHECK(rocksdb_key_may_exist_cf(db, ro, cf, "k9", 2, &value, &size, NULL, 0,
                                 &found) == 0);
  CHECK(found == 1 && value != NULL);
  CHECK_VALUE(value, size, "");
  CHECK_OK(err);
}

static const char* const kKeys[3] = {"k1", "k3", "k2"};
static const size_t kSizes[3] = {2, 2, 2};

static void ReadSeveral(rocksdb_t* db, rocksdb_readoptions_t* ro,
                        rocksdb_column_family_handle_t* cf) {
  char* values[3];
  size_t sizes[3];
  char* errs[3];
  rocksdb_multi_get(db, ro, 3, kKeys, kSizes, values, sizes, errs);
  CHECK_VALUE(values[0], sizes[0], "one");
  CHECK(values[1] == NULL && sizes[1] == 0);
  CHECK_VALUE(values[2], sizes[2], "two");
  CHECK(errs[0] == NULL && errs[1] == NULL && errs[2] == NULL);
  const rocksdb_column_family_handle_t* cfs[3];
  cfs[0] = cfs[1] = cfs[2] = cf;
  rocksdb_multi_get_cf(db, ro, cfs, 3, kKeys, kSizes, values, sizes, errs);
  CHECK_VALUE(values[0], sizes[0], "one");
  CHECK(values[1] == NULL && errs[1] == NULL);
  CHECK_VALUE(values[2], sizes[2], "two");
  rocksdb_multi_get_cf(db, ro, NULL, 3, kKeys, kSizes, values, sizes, errs);
  for (int i = 0; i < 3; ++i) {
    CHECK(values[i] == NULL);
    CHECK_ERROR(errs[i], "Invalid argument");
  }
}

static void ReadBatched(rocksdb_t* db, rocksdb_readoptions_t* ro,
                        rocksdb_column_family_handle_t* cf) {
  size_t size = 0;
  char* errs[3];
  rocksdb_pinnableslice_t* pins[3];
  rocksdb_batched_multi_get_cf(db, ro, cf, 3, kKeys, kSizes, pins, errs, false);
  const char* data = rocksdb_pinnableslice_value(pins[2], &size);
  CHECK(Same(data, size, "two"));
  CHECK(pins[1] == NULL && errs[1] == NULL);
  for (int i = 0; i < 3; ++i) rocksdb_pinnableslice_destroy(pins[i]);
  const rocksdb_slice_t slices[3] = {{"k1", 2}, {"k2", 2}, {"k3", 2}};
  rocksdb_batched_multi_get_cf_slice(db, ro, cf, 3, slices, pins, errs, true);
  data = rocksdb_pinnableslice_value(pins[1], &size);
  CHECK(Same(data, size, "two"));
  CHECK(pins[2] == NULL);
  for (int i = 0; i < 3; ++i) rocksdb_pinnableslice_destroy(pins[i]);
  rocksdb_pinnable_multi_get_t* all =
      rocksdb_batched_multi_get_pinned_cf(db, ro, cf, 3, slices, 1);
  const char* text = NULL;
  size_t text_size = 0;
  CHECK(rocksdb_pinnable_multi_get_count(all) == 3);
  CHECK(rocksdb_pinnable_multi_get_result(all, 0, &data, &size, &text,
                                          &text_size) ==
        rocksdb_pinnable_multi_get_found);
  CHECK(Same(data, size, "one"));
  CHECK(rocksdb_pinnable_multi_get_result(all, 2, &data, &size, NULL, NULL) ==
        rocksdb_pinnable_multi_get_not_found);
  CHECK(rocksdb_pinnable_multi_get_result(all, 3, &data, &size, NULL, NULL) ==
        rocksdb_pinnable_multi_get_out_of_bounds);
  rocksdb_pinnable_multi_get_destroy(all);
  all = rocksdb_batched_multi_get_pinned_cf(NULL, ro, cf, 1, slices, 1);
  CHECK(rocksdb_pinnable_multi_get_result(all, 0, &data, &size, &text,
                                          &text_size) ==
        rocksdb_pinnable_multi_get_error);
  CHECK(text != NULL && text_size > 0);
  rocksdb_pinnable_multi_get_destroy(all);
}

static void ReadSnapshot(rocksdb_t* db, rocksdb_readoptions_t* ro,
                         rocksdb_writeoptions_t* wo) {
  char* err = NULL;
  size_t size = 0;
  const rocksdb_snapshot_t* snapshot = rocksdb_create_snapshot(db);
  CHECK(rocksdb_snapshot_get_sequence_number(snapshot) == 2);
  rocksdb_put(db, wo, "k1", 2, "new", 3, &err);
  rocksdb_readoptions_set_snapshot(ro, snapshot);
  char* value = rocksdb_get(db, ro, "k1", 2, &size, &err);
  CHECK_VALUE(value, size, "one");
  rocksdb_readoptions_set_snapshot(ro, NULL);
  value = rocksdb_get(db, ro, "k1", 2, &size, &err);
  CHECK_VALUE(value, size, "new");
  rocksdb_release_snapshot(db, snapshot);
  CHECK_OK(err);
}

void TestReads(void) {
  char* err = NULL;
  rocksdb_options_t* options = NewOptions();
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_t* db = OpenNew("reads", options);
  rocksdb_column_family_handle_t* cf =
      rocksdb_get_default_column_family_handle(db);
  rocksdb_put(db, wo, "k1", 2, "one", 3, &err);
  rocksdb_put_cf(db, wo, cf, "k2", 2, "two", 3, &err);
  CHECK_OK(err);
  ReadPinned(db, ro, cf);
  ReadIntoBuffer(db, ro, cf);
  ReadSeveral(db, ro, cf);
  ReadBatched(db, ro, cf);
  ReadSnapshot(db, ro, wo);
  rocksdb_column_family_handle_destroy(cf);
  rocksdb_close(db);
  rocksdb_readoptions_destroy(ro);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_options_destroy(options);
}

static void WriteFamilies(rocksdb_t* db, rocksdb_options_t* options,
                          rocksdb_writeoptions_t* wo,
                          rocksdb_readoptions_t* ro) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_column_family_handle_t* cf =
      rocksdb_create_column_family(db, options, "one", &err);
  CHECK_OK(err);
  CHECK(rocksdb_column_family_handle_get_id(cf) == 1);
  char* name = rocksdb_column_family_handle_get_name(cf, &size);
  CHECK_VALUE(name, size, "one");
  CHECK(rocksdb_create_column_family(db, options, "one", &err) == NULL);
  CHECK_ERROR(err, "exists");
  const char* names[2] = {"two", NULL};
  CHECK(rocksdb_create_column_families(db, options, 2, names, &size, &err) ==
        NULL);
  CHECK_ERROR(err, "names[i]");
  CHECK(size == 0);
  names[1] = "three";
  rocksdb_column_family_handle_t** more =
      rocksdb_create_column_families(db, options, 2, names, &size, &err);
  CHECK_OK(err);
  CHECK(size == 2);
  rocksdb_put_cf(db, wo, more[0], "k", 1, "in two", 6, &err);
  for (char c = 'a'; c <= 'e'; ++c) {
    rocksdb_put_cf(db, wo, cf, &c, 1, &c, 1, &err);
  }
  CHECK_OK(err);
  CHECK(rocksdb_get(db, ro, "k", 1, &size, &err) == NULL);
  rocksdb_delete_range_cf(db, wo, cf, "b", 1, "d", 1, &err);
  rocksdb_singledelete_cf(db, wo, cf, "e", 1, &err);
  rocksdb_delete_cf(db, wo, cf, "a", 1, &err);
  CHECK_OK(err);
  for (char c = 'a'; c <= 'e'; ++c) {
    char* value = rocksdb_get_cf(db, ro, cf, &c, 1, &size, &err);
    CHECK((value != NULL) == (c == 'd'));
    rocksdb_free(value);
  }
  rocksdb_drop_column_family(db, more[1], &err);
  CHECK_OK(err);
  rocksdb_column_family_handle_destroy(cf);
  rocksdb_column_family_handle_destroy(more[0]);
  rocksdb_column_family_handle_destroy(more[1]);
  rocksdb_create_column_families_destroy(more);
}

static const char* const kNames[3] = {"default", "one", "two"};

static void ReopenFamilies(const rocksdb_options_t* options,
                           rocksdb_readoptions_t* ro) {
  char* err = NULL;
  size_t size = 0;
  const rocksdb_options_t* all[3];
  all[0] = all[1] = all[2] = options;
  rocksdb_column_family_handle_t* handles[3];
  CHECK(rocksdb_open_column_families(options, PathOf("families"), 2, kNames,
                                     all, handles, &err) == NULL);
  CHECK_ERROR(err, "two");
  rocksdb_t* db = rocksdb_open_column_families(options, PathOf("families"), 3,
                                               kNames, all, handles, &err);
  CHECK_OK(err);
  char* value = rocksdb_get_cf(db, ro, handles[2], "k", 1, &size, &err);
  CHECK_VALUE(value, size, "in two");
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  rocksdb_flush_cfs(db, fo, handles, 3, &err);
  CHECK_OK(err);
  rocksdb_flush_cf(db, fo, handles[1], &err);
  CHECK_OK(err);
  rocksdb_flushoptions_destroy(fo);
  for (int i = 0; i < 3; ++i) rocksdb_column_family_handle_destroy(handles[i]);
  rocksdb_close(db);
  db = rocksdb_open_for_read_only_column_families(
      options, PathOf("families"), 3, kNames, all, handles, 0, &err);
  CHECK_OK(err);
  value = rocksdb_get_cf(db, ro, handles[1], "d", 1, &size, &err);
  CHECK_VALUE(value, size, "d");
  for (int i = 0; i < 3; ++i) rocksdb_column_family_handle_destroy(handles[i]);
  rocksdb_close(db);
  all[1] = NULL;
  CHECK(rocksdb_open_column_families(options, PathOf("families"), 3, kNames,
                                     all, handles, &err) == NULL);
  CHECK_ERROR(err, "NULL");
}

void TestFamilies(void) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_options_t* options = NewOptions();
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_t* db = OpenNew("families", options);
  WriteFamilies(db, options, wo, ro);
  rocksdb_close(db);
  char** list =
      rocksdb_list_column_families(options, PathOf("families"), &size, &err);
  CHECK_OK(err);
  CHECK(size == 3 && strcmp(list[0], "default") == 0 &&
        strcmp(list[2], "two") == 0);
  rocksdb_list_column_families_destroy(list, size);
  CHECK(rocksdb_list_column_families(options, PathOf("none"), &size, &err) ==
        NULL);
  CHECK_ERROR(err, "");
  CHECK(size == 0);
  ReopenFamilies(options, ro);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_readoptions_destroy(ro);
  rocksdb_options_destroy(options);
}
