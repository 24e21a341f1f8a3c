/* What rocksdb/c.h says of errors and of results that are not there. */

#include <stdio.h>
#include <string.h>

#include "tests/c/check.h"

/* Every table format: what is written is read again, in maps of the file. */
static void TestTableFormats(void) {
  rocksdb_cuckoo_table_options_t* cuckoo = rocksdb_cuckoo_options_create();
  rocksdb_cuckoo_options_set_hash_table_ratio(cuckoo, 0.5);
  for (int kind = 0; kind < 2; ++kind) {
    char* err = NULL;
    size_t size = 0;
    rocksdb_options_t* options = NewOptions();
    rocksdb_options_set_allow_mmap_reads(options, 1);
    if (kind == 0) rocksdb_options_set_cuckoo_table_factory(options, cuckoo);
    if (kind == 1) {
      rocksdb_options_set_plain_table_factory(options, 0, 10, 0.75, 16, 0, 0, 0,
                                              0);
      rocksdb_options_set_prefix_extractor(
          options, rocksdb_slicetransform_create_fixed_prefix(1));
    }
    /* No factory: nothing changes. */
    rocksdb_options_set_cuckoo_table_factory(options, NULL);
    rocksdb_t* db = OpenNew("promises-factory", options);
    rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
    rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
    rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
    rocksdb_put(db, wo, "key1", 4, "one", 3, &err);
    CHECK_OK(err);
    rocksdb_put(db, wo, "key2", 4, "two", 3, &err);
    CHECK_OK(err);
    rocksdb_flush(db, flush, &err);
    CHECK_OK(err);
    char* value = rocksdb_get(db, ro, "key2", 4, &size, &err);
    CHECK_OK(err);
    CHECK(size == 3 && memcmp(value, "two", 3) == 0);
    rocksdb_free(value);
    if (kind == 0) {
      /* Cuckoo tables have values of one length. */
      rocksdb_put(db, wo, "key3", 4, "three", 5, &err);
      CHECK_OK(err);
      rocksdb_put(db, wo, "key4", 4, "four", 4, &err);
      CHECK_OK(err);
      rocksdb_flush(db, flush, &err);
      CHECK_ERROR(err, "all values have to be the same size");
    }
    rocksdb_flushoptions_destroy(flush);
    rocksdb_readoptions_destroy(ro);
    rocksdb_writeoptions_destroy(wo);
    rocksdb_close(db);
    rocksdb_destroy_db(options, PathOf("promises-factory"), &err);
    CHECK_OK(err);
    rocksdb_options_destroy(options);
  }
  rocksdb_cuckoo_options_destroy(cuckoo);
}

/* Files of another process's compaction are of the override's format. */
static void TestOverriddenFormat(void) {
  char* err = NULL;
  char directory[4096];
  size_t size = 7;
  rocksdb_cuckoo_table_options_t* cuckoo = rocksdb_cuckoo_options_create();
  rocksdb_compaction_service_options_override_t* overrides =
      rocksdb_compaction_service_options_override_create();
  rocksdb_compaction_service_options_override_set_cuckoo_table_factory(
      overrides, NULL);
  rocksdb_compaction_service_options_override_set_cuckoo_table_factory(
      overrides, cuckoo);
  snprintf(directory, sizeof(directory), "%s", PathOf("promises-remote"));
  CHECK(rocksdb_open_and_compact(PathOf("promises"), directory, "nonsense", 8,
                                 &size, overrides, &err) == NULL);
  CHECK_ERROR(err, "Corruption");
  CHECK(size == 0);
  rocksdb_compaction_service_options_override_destroy(overrides);
  rocksdb_cuckoo_options_destroy(cuckoo);
}

/* A value that is not there has size 0, whatever handle was missing. */
static void TestSizesOfNothing(void) {
  char* err = NULL;
  size_t size = 7;
  rocksdb_options_t* options = NewOptions();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_t* db = OpenNew("promises-sizes", options);
  rocksdb_writebatch_wi_t* batch = rocksdb_writebatch_wi_create(0, 1);
  CHECK(rocksdb_writebatch_wi_get_from_batch(batch, NULL, "a", 1, &size,
                                             &err) == NULL);
  CHECK_ERROR(err, "NULL");
  CHECK(size == 0);
  size = 7;
  CHECK(rocksdb_writebatch_wi_get_from_batch_cf(batch, options, NULL, "a", 1,
                                                &size, &err) == NULL);
  CHECK_ERROR(err, "NULL");
  CHECK(size == 0);
  size = 7;
  CHECK(rocksdb_writebatch_wi_get_from_batch_and_db_cf(
            batch, db, ro, NULL, "a", 1, &size, &err) == NULL);
  CHECK_ERROR(err, "NULL");
  CHECK(size == 0);
  rocksdb_writebatch_wi_destroy(batch);
  rocksdb_close(db);
  rocksdb_readoptions_destroy(ro);
  rocksdb_options_destroy(options);
}

/* Options that cannot be read are an empty list, which may be destroyed. */
static void TestOptionsOfNothing(void) {
  char* err = NULL;
  rocksdb_env_t* env = rocksdb_create_default_env();
  for (int has_env = 0; has_env < 2; ++has_env) {
    rocksdb_options_t* loaded = (rocksdb_options_t*)&err;
    rocksdb_options_t** families = &loaded;
    char** names = &err;
    size_t size = 7;
    rocksdb_load_latest_options(PathOf("nowhere"), has_env ? env : NULL, false,
                                NULL, &loaded, &size, &names, &families, &err);
    CHECK_ERROR(err, has_env ? "NotFound" : "NULL");
    CHECK(loaded == NULL && families == NULL && names == NULL && size == 0);
    if (size == 0 && families == NULL) {
      rocksdb_load_latest_options_destroy(loaded, names, families, size);
    }
  }
  rocksdb_env_destroy(env);
}

void TestPromises(void) {
  TestTableFormats();
  TestOverriddenFormat();
  TestSizesOfNothing();
  TestOptionsOfNothing();
}
