/* Databases whose values go some time after they were written. */

#include "tests/c/check.h"

/* A value as it is stored: "v", written in May 2014. */
static const char kOld[] = {'v', '\x00', '\x4e', '\x72', '\x53'};

static void PutOld(rocksdb_t* db, rocksdb_column_family_handle_t* cf) {
  char* err = NULL;
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  if (cf == NULL) {
    rocksdb_put(db, wo, "old", 3, kOld, sizeof(kOld), &err);
  } else {
    rocksdb_put_cf(db, wo, cf, "old", 3, kOld, sizeof(kOld), &err);
  }
  CHECK_OK(err);
  rocksdb_writeoptions_destroy(wo);
}

static void CheckOld(rocksdb_t* db, rocksdb_column_family_handle_t* cf,
                     const char* wanted) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  char* value = cf == NULL
                    ? rocksdb_get(db, ro, "old", 3, &size, &err)
                    : rocksdb_get_cf(db, ro, cf, "old", 3, &size, &err);
  CHECK_OK(err);
  CHECK((value == NULL) == (wanted == NULL));
  if (value != NULL && wanted != NULL) {
    CHECK_VALUE(value, size, wanted);
  } else {
    rocksdb_free(value);
  }
  rocksdb_readoptions_destroy(ro);
}

static void CompactIt(rocksdb_t* db, rocksdb_column_family_handle_t* cf) {
  if (cf == NULL) {
    rocksdb_compact_range(db, NULL, 0, NULL, 0);
  } else {
    rocksdb_compact_range_cf(db, cf, NULL, 0, NULL, 0);
  }
}

static void TestOneFamily(void) {
  char* err = NULL;
  char path[4000];
  rocksdb_options_t* options = NewOptions();
  rocksdb_t* db = OpenNew("ttl", options);
  PutOld(db, NULL);
  CHECK(rocksdb_create_column_family_with_ttl(db, options, "a", 1, &err) ==
        NULL);
  CHECK_ERROR(err, "without TTL");
  rocksdb_close(db);
  snprintf(path, sizeof(path), "%s", PathOf("ttl"));
  for (int ttl = 0; ttl <= 10; ttl += 10) {
    db = rocksdb_open_with_ttl(options, path, ttl, &err);
    CHECK_OK(err);
    CHECK(db != NULL);
    if (db == NULL) break;
    CheckOld(db, NULL, "v");
    CompactIt(db, NULL);
    CheckOld(db, NULL, ttl == 0 ? "v" : NULL);
    rocksdb_close(db);
  }
  rocksdb_options_destroy(options);
}

static void TestTtlFamilies(void) {
  char* err = NULL;
  char path[4000];
  rocksdb_options_t* options = NewOptions();
  rocksdb_t* db = OpenNew("ttl-families", options);
  rocksdb_column_family_handle_t* made =
      rocksdb_create_column_family(db, options, "a", &err);
  CHECK_OK(err);
  PutOld(db, NULL);
  PutOld(db, made);
  rocksdb_column_family_handle_destroy(made);
  rocksdb_close(db);
  snprintf(path, sizeof(path), "%s", PathOf("ttl-families"));
  const char* names[2] = {"default", "a"};
  const rocksdb_options_t* family_options[2];
  family_options[0] = family_options[1] = options;
  const int ttls[2] = {0, 10};
  rocksdb_column_family_handle_t* handles[2];
  db = rocksdb_open_column_families_with_ttl(options, path, 2, names,
                                             family_options, handles, ttls,
                                             &err);
  CHECK_OK(err);
  CHECK(db != NULL);
  if (db == NULL) return;
  for (int i = 0; i < 2; ++i) {
    CompactIt(db, handles[i]);
    CheckOld(db, handles[i], i == 0 ? "v" : NULL);
    rocksdb_column_family_handle_destroy(handles[i]);
  }
  made = rocksdb_create_column_family_with_ttl(db, options, "b", 1000, &err);
  CHECK_OK(err);
  CHECK(made != NULL);
  if (made != NULL) {
    rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
    rocksdb_put_cf(db, wo, made, "old", 3, "new", 3, &err);
    CHECK_OK(err);
    rocksdb_writeoptions_destroy(wo);
    CheckOld(db, made, "new");
    rocksdb_column_family_handle_destroy(made);
  }
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}

void TestTtl(void) {
  TestOneFamily();
  TestTtlFamilies();
}
