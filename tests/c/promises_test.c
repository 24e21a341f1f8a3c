/* What rocksdb/c.h says of errors and of results that are not there. */

#include "tests/c/check.h"

/* Options that were asked for a table format that is not built. */
static rocksdb_options_t* CuckooOptions(void) {
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_set_cuckoo_table_factory(options, NULL);
  return options;
}

/* What opens, makes or writes with such options says so and does nothing. */
static void TestFeaturesRemembered(void) {
  char* err = NULL;
  rocksdb_options_t* plain = NewOptions();
  rocksdb_options_t* cuckoo = CuckooOptions();
  rocksdb_t* db = OpenNew("promises", plain);
  const char* name[1] = {"family"};
  size_t size = 7;
  CHECK(rocksdb_create_column_family(db, cuckoo, "family", &err) == NULL);
  CHECK_ERROR(err, "Not implemented: cuckoo tables");
  CHECK(rocksdb_create_column_families(db, cuckoo, 1, name, &size, &err) ==
        NULL);
  CHECK_ERROR(err, "Not implemented: cuckoo tables");
  CHECK(size == 0);
  rocksdb_close(db);
  CHECK(rocksdb_open_for_read_only(cuckoo, PathOf("promises"), 0, &err) ==
        NULL);
  CHECK_ERROR(err, "Not implemented: cuckoo tables");
  rocksdb_repair_db(cuckoo, PathOf("promises"), &err);
  CHECK_ERROR(err, "Not implemented: cuckoo tables");

  rocksdb_envoptions_t* env_options = rocksdb_envoptions_create();
  rocksdb_sstfilewriter_t* writer =
      rocksdb_sstfilewriter_create(env_options, cuckoo);
  rocksdb_sstfilewriter_open(writer, PathOf("promises.sst"), &err);
  CHECK_ERROR(err, "Not implemented: cuckoo tables");
  rocksdb_sstfilewriter_destroy(writer);
  rocksdb_envoptions_destroy(env_options);
  rocksdb_options_destroy(cuckoo);
  rocksdb_options_destroy(plain);
}

/* Fails before it looks at the input, which is none. */
static void CheckRemote(
    rocksdb_compaction_service_options_override_t* overrides,
    const char* wanted) {
  char* err = NULL;
  char directory[4096];
  size_t size = 7;
  snprintf(directory, sizeof(directory), "%s", PathOf("promises-remote"));
  CHECK(rocksdb_open_and_compact(PathOf("promises"), directory, "nonsense", 8,
                                 &size, overrides, &err) == NULL);
  CHECK_ERROR(err, wanted);
  CHECK(size == 0);
  rocksdb_compaction_service_options_override_destroy(overrides);
}

static void TestRemoteFeaturesRemembered(void) {
  rocksdb_block_based_table_options_t* table =
      rocksdb_block_based_options_create();
  rocksdb_compaction_service_options_override_t* overrides =
      rocksdb_compaction_service_options_override_create();
  rocksdb_compaction_service_options_override_set_cuckoo_table_factory(
      overrides, NULL);
  CheckRemote(overrides, "Not implemented: cuckoo tables");

  rocksdb_options_t* cuckoo = CuckooOptions();
  overrides =
      rocksdb_compaction_service_options_override_create_from_options(cuckoo);
  CheckRemote(overrides, "Not implemented: cuckoo tables");
  rocksdb_options_destroy(cuckoo);

  /* The last factory counts. */
  overrides = rocksdb_compaction_service_options_override_create();
  rocksdb_compaction_service_options_override_set_cuckoo_table_factory(
      overrides, NULL);
  rocksdb_compaction_service_options_override_set_block_based_table_factory(
      overrides, table);
  CheckRemote(overrides, "Corruption");
  rocksdb_block_based_options_destroy(table);
}

/* A table format that is built takes the place of one that is not. */
static void TestLastFactoryCounts(void) {
  char* err = NULL;
  rocksdb_block_based_table_options_t* table =
      rocksdb_block_based_options_create();
  for (int kind = 0; kind < 3; ++kind) {
    rocksdb_options_t* options = CuckooOptions();
    if (kind == 0) rocksdb_options_set_block_based_table_factory(options, table);
    if (kind == 1) rocksdb_options_optimize_for_point_lookup(options, 1);
    if (kind == 2) {
      rocksdb_options_set_plain_table_factory(options, 0, 10, 0.75, 16, 0, 0, 0,
                                              0);
      rocksdb_options_set_prefix_extractor(
          options, rocksdb_slicetransform_create_fixed_prefix(1));
      rocksdb_options_set_allow_mmap_reads(options, 1);
    }
    rocksdb_t* db = rocksdb_open(options, PathOf("promises-factory"), &err);
    CHECK_OK(err);
    CHECK(db != NULL);
    rocksdb_close(db);
    rocksdb_destroy_db(options, PathOf("promises-factory"), &err);
    CHECK_OK(err);
    rocksdb_options_destroy(options);
  }
  rocksdb_block_based_options_destroy(table);
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
  TestFeaturesRemembered();
  TestRemoteFeaturesRemembered();
  TestLastFactoryCounts();
  TestSizesOfNothing();
  TestOptionsOfNothing();
}
