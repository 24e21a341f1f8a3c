/* Batches of writes, and iterators. */

#include "tests/c/check.h"

typedef struct Told {
  int puts, deletes, merges, blobs;
  uint32_t ids;
} Told;

static void OnPut(void* state, const char* k, size_t nk, const char* v,
                  size_t nv) {
  ((Told*)state)->puts++;
  CHECK(nk > 0 && k != NULL && v != NULL && nv > 0);
}
static void OnDelete(void* state, const char* k, size_t nk) {
  ((Told*)state)->deletes++;
  CHECK(nk > 0 && k != NULL);
}
static void OnBlob(void* state, const char* k, size_t nk) {
  ((Told*)state)->blobs++;
  CHECK(Same(k, nk, "blob"));
}
static void OnPutCf(void* state, uint32_t id, const char* k, size_t nk,
                    const char* v, size_t nv) {
  ((Told*)state)->ids += id;
  OnPut(state, k, nk, v, nv);
}
static void OnDeleteCf(void* state, uint32_t id, const char* k, size_t nk) {
  ((Told*)state)->ids += id;
  OnDelete(state, k, nk);
}
static void OnMergeCf(void* state, uint32_t id, const char* k, size_t nk,
                      const char* v, size_t nv) {
  (void)id;
  ((Told*)state)->merges++;
  CHECK(nk > 0 && nv > 0 && k != NULL && v != NULL);
}
static size_t NoTimestamps(void* state, uint32_t id) {
  (void)state;
  (void)id;
  return 0;
}

static const char* const kParts[2] = {"par", "ts"};
static const size_t kPartSizes[2] = {3, 2};
static const char* const kEnds[2] = {"q", ""};
static const size_t kEndSizes[2] = {1, 0};

static void Fill(rocksdb_writebatch_t* batch,
                 rocksdb_column_family_handle_t* cf) {
  rocksdb_writebatch_put(batch, "a", 1, "1", 1);
  rocksdb_writebatch_put_cf(batch, cf, "b", 1, "2", 1);
  rocksdb_writebatch_putv(batch, 2, kParts, kPartSizes, 2, kParts, kPartSizes);
  rocksdb_writebatch_putv_cf(batch, cf, 2, kParts, kPartSizes, 2, kParts,
                             kPartSizes);
  rocksdb_writebatch_delete(batch, "gone", 4);
  rocksdb_writebatch_delete_cf(batch, cf, "gone", 4);
  rocksdb_writebatch_deletev(batch, 2, kParts, kPartSizes);
  rocksdb_writebatch_deletev_cf(batch, cf, 2, kEnds, kEndSizes);
  rocksdb_writebatch_singledelete(batch, "s", 1);
  rocksdb_writebatch_singledelete_cf(batch, cf, "s", 1);
  rocksdb_writebatch_merge(batch, "m", 1, "\1\0\0\0\0\0\0\0", 8);
  rocksdb_writebatch_merge_cf(batch, cf, "m", 1, "\2\0\0\0\0\0\0\0", 8);
  rocksdb_writebatch_put_log_data(batch, "blob", 4);
  CHECK(rocksdb_writebatch_count(batch) == 12);
}

static void Iterate(rocksdb_writebatch_t* batch) {
  Told told = {0, 0, 0, 0, 0};
  rocksdb_writebatch_iterate(batch, &told, OnPut, OnDelete);
  CHECK(told.puts == 2 && told.deletes == 3 && told.blobs == 0);
  memset(&told, 0, sizeof(told));
  rocksdb_writebatch_iterate_ld(batch, &told, OnPut, OnDelete, OnBlob);
  CHECK(told.puts == 2 && told.deletes == 3 && told.blobs == 1);
  memset(&told, 0, sizeof(told));
  rocksdb_writebatch_iterate_cf(batch, &told, OnPutCf, OnDeleteCf, OnMergeCf);
  CHECK(told.puts == 4 && told.deletes == 6 && told.merges == 2);
  CHECK(told.ids == 5);
  memset(&told, 0, sizeof(told));
  rocksdb_writebatch_iterate_cf_ld(batch, &told, OnPutCf, OnDeleteCf, OnMergeCf,
                                   OnBlob);
  CHECK(told.puts == 4 && told.blobs == 1);
  rocksdb_writebatch_iterate_cf(batch, &told, NULL, NULL, NULL);
  CHECK(told.puts == 4);
}

static void Write(rocksdb_t* db, rocksdb_column_family_handle_t* cf,
                  rocksdb_writebatch_t* batch) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  const char* data = rocksdb_writebatch_data(batch, &size);
  rocksdb_writebatch_t* copy = rocksdb_writebatch_create_from(data, size);
  CHECK(rocksdb_writebatch_count(copy) == 12);
  rocksdb_write(db, wo, copy, &err);
  CHECK_OK(err);
  rocksdb_writebatch_destroy(copy);
  char* value = rocksdb_get(db, ro, "a", 1, &size, &err);
  CHECK_VALUE(value, size, "1");
  value = rocksdb_get_cf(db, ro, cf, "parts", 5, &size, &err);
  CHECK_VALUE(value, size, "parts");
  CHECK(rocksdb_get(db, ro, "parts", 5, &size, &err) == NULL);
  rocksdb_merge(db, wo, "m", 1, "\4\0\0\0\0\0\0\0", 8, &err);
  CHECK_OK(err);
  value = rocksdb_get(db, ro, "m", 1, &size, &err);
  CHECK(value != NULL && size == 8 && value[0] == 5);
  rocksdb_free(value);
  rocksdb_merge_cf(db, wo, cf, "m", 1, "\4\0\0\0\0\0\0\0", 8, &err);
  CHECK_OK(err);
  value = rocksdb_get_cf(db, ro, cf, "m", 1, &size, &err);
  CHECK(value != NULL && size == 8 && value[0] == 6);
  rocksdb_free(value);
  rocksdb_readoptions_destroy(ro);
  rocksdb_writeoptions_destroy(wo);
}

static void SavePoints(rocksdb_writebatch_t* batch) {
  char* err = NULL;
  rocksdb_writebatch_clear(batch);
  CHECK(rocksdb_writebatch_count(batch) == 0);
  rocksdb_writebatch_put(batch, "p", 1, "kept", 4);
  rocksdb_writebatch_set_save_point(batch);
  rocksdb_writebatch_delete_range(batch, "a", 1, "z", 1);
  CHECK(rocksdb_writebatch_count(batch) == 2);
  rocksdb_writebatch_rollback_to_save_point(batch, &err);
  CHECK_OK(err);
  CHECK(rocksdb_writebatch_count(batch) == 1);
  rocksdb_writebatch_rollback_to_save_point(batch, &err);
  CHECK_ERROR(err, "");
  rocksdb_writebatch_set_save_point(batch);
  rocksdb_writebatch_pop_save_point(batch, &err);
  CHECK_OK(err);
  rocksdb_writebatch_pop_save_point(batch, &err);
  CHECK_ERROR(err, "");
  rocksdb_writebatch_verify_checksum(batch, &err);
  CHECK_OK(err);
  rocksdb_writebatch_update_timestamps(batch, "", 0, NULL, NoTimestamps, &err);
  CHECK_OK(err);
  rocksdb_writebatch_update_timestamps(batch, "", 0, NULL, NULL, &err);
  CHECK_ERROR(err, "NULL");
}

static void Ranges(rocksdb_t* db, rocksdb_column_family_handle_t* cf,
                   rocksdb_writebatch_t* batch) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_writebatch_clear(batch);
  rocksdb_writebatch_delete_rangev(batch, 2, kParts, kPartSizes, kEnds,
                                   kEndSizes);
  rocksdb_writebatch_delete_rangev_cf(batch, cf, 2, kParts, kPartSizes, kEnds,
                                      kEndSizes);
  rocksdb_writebatch_delete_range_cf(batch, cf, "a", 1, "c", 1);
  CHECK(rocksdb_writebatch_count(batch) == 3);
  rocksdb_write(db, wo, batch, &err);
  CHECK_OK(err);
  CHECK(rocksdb_get_cf(db, ro, cf, "parts", 5, &size, &err) == NULL);
  CHECK(rocksdb_get_cf(db, ro, cf, "b", 1, &size, &err) == NULL);
  rocksdb_writebatch_clear(batch);
  rocksdb_writebatch_mergev(batch, 2, kParts, kPartSizes, 2, kParts,
                            kPartSizes);
  rocksdb_writebatch_mergev_cf(batch, cf, 2, kParts, kPartSizes, 2, kParts,
                               kPartSizes);
  CHECK(rocksdb_writebatch_count(batch) == 2);
  rocksdb_readoptions_destroy(ro);
  rocksdb_writeoptions_destroy(wo);
}

void TestBatches(void) {
  char* err = NULL;
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_set_uint64add_merge_operator(options);
  rocksdb_t* db = OpenNew("batches", options);
  rocksdb_column_family_handle_t* cf =
      rocksdb_create_column_family(db, options, "other", &err);
  CHECK_OK(err);
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  Fill(batch, cf);
  Iterate(batch);
  Write(db, cf, batch);
  SavePoints(batch);
  Ranges(db, cf, batch);
  rocksdb_writebatch_destroy(batch);

  char large[100];
  memset(large, 'x', sizeof(large));
  batch = rocksdb_writebatch_create_with_params(0, 64, 0, 0);
  rocksdb_writebatch_put(batch, "k", 1, large, sizeof(large));
  CHECK(rocksdb_writebatch_count(batch) == 0);
  rocksdb_writebatch_put(batch, "k", 1, "v", 1);
  CHECK(rocksdb_writebatch_count(batch) == 1);
  rocksdb_writebatch_destroy(batch);
  rocksdb_column_family_handle_destroy(cf);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}

static int IsAt(rocksdb_iterator_t* it, const char* key) {
  size_t size = 0;
  if (!rocksdb_iter_valid(it)) return 0;
  const char* data = rocksdb_iter_key(it, &size);
  return Same(data, size, key);
}

static void Move(rocksdb_iterator_t* it) {
  size_t size = 0;
  CHECK(rocksdb_iter_valid(it) == 0);
  rocksdb_iter_seek_to_first(it);
  CHECK(IsAt(it, "a"));
  rocksdb_iter_next(it);
  CHECK(IsAt(it, "b"));
  rocksdb_iter_prev(it);
  CHECK(IsAt(it, "a"));
  rocksdb_iter_seek_to_last(it);
  CHECK(IsAt(it, "f"));
  rocksdb_iter_seek(it, "bb", 2);
  CHECK(IsAt(it, "c"));
  rocksdb_iter_seek_for_prev(it, "bb", 2);
  CHECK(IsAt(it, "b"));
  const char* data = rocksdb_iter_value(it, &size);
  CHECK(Same(data, size, "b"));
  CHECK(Same(rocksdb_iter_key_slice(it).data, 1, "b"));
  CHECK(rocksdb_iter_value_slice(it).size == 1);
  rocksdb_iter_timestamp(it, &size);
  CHECK(size == 0 && rocksdb_iter_timestamp_slice(it).size == 0);
}

static void IterateInBounds(rocksdb_t* db, rocksdb_column_family_handle_t* cf,
                            rocksdb_readoptions_t* ro) {
  char bound[1] = {'b'};
  rocksdb_readoptions_set_iterate_lower_bound(ro, bound, 1);
  rocksdb_readoptions_set_iterate_upper_bound(ro, "d", 1);
  bound[0] = 'x'; /* The options have a copy. */
  rocksdb_iterator_t* it = rocksdb_create_iterator_cf(db, ro, cf);
  rocksdb_iter_seek_to_first(it);
  CHECK(IsAt(it, "b"));
  rocksdb_iter_seek_to_last(it);
  CHECK(IsAt(it, "c"));
  rocksdb_iter_destroy(it);
  rocksdb_readoptions_set_iterate_lower_bound(ro, NULL, 0);
  rocksdb_readoptions_set_iterate_upper_bound(ro, NULL, 0);
}

void TestIterators(void) {
  char* err = NULL;
  rocksdb_options_t* options = NewOptions();
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_t* db = OpenNew("iterators", options);
  rocksdb_column_family_handle_t* cf =
      rocksdb_get_default_column_family_handle(db);
  for (char c = 'a'; c <= 'f'; ++c) rocksdb_put(db, wo, &c, 1, &c, 1, &err);
  CHECK_OK(err);
  rocksdb_iterator_t* it = rocksdb_create_iterator(db, ro);
  Move(it);
  rocksdb_put(db, wo, "aa", 2, "late", 4, &err);
  rocksdb_iter_seek(it, "aa", 2);
  CHECK(IsAt(it, "b"));
  rocksdb_iter_refresh(it, &err);
  CHECK_OK(err);
  rocksdb_iter_seek(it, "aa", 2);
  CHECK(IsAt(it, "aa"));
  rocksdb_iter_seek(it, "z", 1);
  CHECK(rocksdb_iter_valid(it) == 0);
  rocksdb_iter_get_error(it, &err);
  CHECK_OK(err);
  rocksdb_iter_destroy(it);
  IterateInBounds(db, cf, ro);
  rocksdb_column_family_handle_t* cfs[2] = {cf, cf};
  rocksdb_iterator_t* its[2] = {NULL, NULL};
  rocksdb_create_iterators(db, ro, cfs, its, 2, &err);
  CHECK_OK(err);
  for (int i = 0; i < 2; ++i) {
    rocksdb_iter_seek_to_last(its[i]);
    CHECK(IsAt(its[i], "f"));
    rocksdb_iter_destroy(its[i]);
  }
  cfs[1] = NULL;
  rocksdb_create_iterators(db, ro, cfs, its, 2, &err);
  CHECK_ERROR(err, "NULL");
  rocksdb_column_family_handle_destroy(cf);
  rocksdb_close(db);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_readoptions_destroy(ro);
  rocksdb_options_destroy(options);
}
