/* Batches that are read before they are written. */

#include "tests/c/check.h"

typedef struct Told {
  int puts, deletes;
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
static size_t NoTimestamps(void* state, uint32_t id) {
  (void)state;
  (void)id;
  return 0;
}

static const char* const kParts[2] = {"par", "ts"};
static const size_t kPartSizes[2] = {3, 2};
static const char* const kEnds[2] = {"q", ""};
static const size_t kEndSizes[2] = {1, 0};
static const char kOne[] = "\1\0\0\0\0\0\0\0";

static void Fill(rocksdb_writebatch_wi_t* batch,
                 rocksdb_column_family_handle_t* cf) {
  rocksdb_writebatch_wi_put(batch, "a", 1, "1", 1);
  rocksdb_writebatch_wi_put_cf(batch, cf, "b", 1, "2", 1);
  rocksdb_writebatch_wi_putv(batch, 2, kParts, kPartSizes, 2, kParts,
                             kPartSizes);
  rocksdb_writebatch_wi_putv_cf(batch, cf, 2, kParts, kPartSizes, 2, kParts,
                                kPartSizes);
  rocksdb_writebatch_wi_delete(batch, "gone", 4);
  rocksdb_writebatch_wi_delete_cf(batch, cf, "gone", 4);
  rocksdb_writebatch_wi_deletev(batch, 2, kEnds, kEndSizes);
  rocksdb_writebatch_wi_deletev_cf(batch, cf, 2, kEnds, kEndSizes);
  rocksdb_writebatch_wi_singledelete(batch, "s", 1);
  rocksdb_writebatch_wi_singledelete_cf(batch, cf, "s", 1);
  rocksdb_writebatch_wi_merge(batch, "m", 1, kOne, 8);
  rocksdb_writebatch_wi_merge_cf(batch, cf, "m", 1, kOne, 8);
  size_t before = 0, after = 0;
  (void)rocksdb_writebatch_wi_data(batch, &before);
  rocksdb_writebatch_wi_put_log_data(batch, "blob", 4);
  (void)rocksdb_writebatch_wi_data(batch, &after);
  CHECK(after > before + 4);
  CHECK(rocksdb_writebatch_wi_count(batch) == 12);
  Told told = {0, 0};
  rocksdb_writebatch_wi_iterate(batch, &told, OnPut, OnDelete);
  CHECK(told.puts == 2 && told.deletes == 3);
  size_t size = 0;
  CHECK(rocksdb_writebatch_wi_data(batch, &size) != NULL && size > 12);
}

static void ReadAlone(rocksdb_writebatch_wi_t* batch,
                      rocksdb_column_family_handle_t* cf) {
  char* err = NULL;
  size_t size = 7;
  rocksdb_options_t* options = rocksdb_options_create();
  char* value =
      rocksdb_writebatch_wi_get_from_batch(batch, options, "a", 1, &size, &err);
  CHECK_VALUE(value, size, "1");
  value = rocksdb_writebatch_wi_get_from_batch_cf(batch, options, cf, "parts",
                                                  5, &size, &err);
  CHECK_VALUE(value, size, "parts");
  size = 7;
  CHECK(rocksdb_writebatch_wi_get_from_batch(batch, options, "gone", 4, &size,
                                             &err) == NULL);
  CHECK_OK(err);
  CHECK(size == 0);
  CHECK(rocksdb_writebatch_wi_get_from_batch_cf(batch, options, cf, "m", 1,
                                                &size, &err) == NULL);
  CHECK_ERROR(err, "Merge in progress");
  rocksdb_options_destroy(options);
}

static void ReadBoth(rocksdb_t* db, rocksdb_writebatch_wi_t* batch,
                     rocksdb_column_family_handle_t* cf) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  char* value = rocksdb_writebatch_wi_get_from_batch_and_db(
      batch, db, ro, "db", 2, &size, &err);
  CHECK_VALUE(value, size, "yes");
  CHECK(rocksdb_writebatch_wi_get_from_batch_and_db(batch, db, ro, "gone", 4,
                                                    &size, &err) == NULL);
  CHECK_OK(err);
  value = rocksdb_writebatch_wi_get_from_batch_and_db_cf(batch, db, ro, cf, "m",
                                                         1, &size, &err);
  CHECK(value != NULL && size == 8 && value[0] == 3);
  rocksdb_free(value);
  rocksdb_pinnableslice_t* pinned =
      rocksdb_writebatch_wi_get_pinned_from_batch_and_db(batch, db, ro, "db", 2,
                                                         &err);
  const char* lent = rocksdb_pinnableslice_value(pinned, &size);
  CHECK(Same(lent, size, "yes"));
  rocksdb_pinnableslice_destroy(pinned);
  pinned = rocksdb_writebatch_wi_get_pinned_from_batch_and_db_cf(
      batch, db, ro, cf, "b", 1, &err);
  lent = rocksdb_pinnableslice_value(pinned, &size);
  CHECK(Same(lent, size, "2"));
  rocksdb_pinnableslice_destroy(pinned);
  CHECK(rocksdb_writebatch_wi_get_pinned_from_batch_and_db_cf(
            batch, db, ro, cf, "gone", 4, &err) == NULL);
  CHECK_OK(err);
  rocksdb_readoptions_destroy(ro);
}

static int CountOf(rocksdb_iterator_t* it) {
  char* err = NULL;
  int count = 0;
  for (rocksdb_iter_seek_to_first(it); rocksdb_iter_valid(it);
       rocksdb_iter_next(it)) {
    ++count;
  }
  rocksdb_iter_get_error(it, &err);
  CHECK_OK(err);
  rocksdb_iter_destroy(it);
  return count;
}

static void Iterate(rocksdb_t* db, rocksdb_writebatch_wi_t* batch,
                    rocksdb_column_family_handle_t* cf) {
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  /* b, m, parts. */
  CHECK(CountOf(rocksdb_writebatch_wi_create_iterator_with_base_cf(
            batch, rocksdb_create_iterator_cf(db, ro, cf), cf)) == 3);
  rocksdb_readoptions_t* bounded = rocksdb_readoptions_create();
  rocksdb_readoptions_set_iterate_upper_bound(bounded, "m", 1);
  CHECK(CountOf(rocksdb_writebatch_wi_create_iterator_with_base_cf_readopts(
            batch, rocksdb_create_iterator_cf(db, bounded, cf), cf,
            bounded)) == 1);
  /* a, db: below the operand, for which the family would be needed. */
  CHECK(CountOf(rocksdb_writebatch_wi_create_iterator_with_base_readopts(
            batch, rocksdb_create_iterator(db, bounded), bounded)) == 2);
  rocksdb_iterator_t* it = rocksdb_writebatch_wi_create_iterator_with_base(
      batch, rocksdb_create_iterator(db, ro));
  rocksdb_iter_seek(it, "b", 1);
  size_t size = 0;
  CHECK(rocksdb_iter_valid(it));
  const char* key = rocksdb_iter_key(it, &size);
  CHECK(Same(key, size, "db"));
  rocksdb_iter_destroy(it);
  rocksdb_readoptions_destroy(bounded);
  rocksdb_readoptions_destroy(ro);
}

static void Write(rocksdb_t* db, rocksdb_writebatch_wi_t* batch) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_write_writebatch_wi(db, wo, batch, &err);
  CHECK_OK(err);
  char* value = rocksdb_get(db, ro, "a", 1, &size, &err);
  CHECK_VALUE(value, size, "1");
  rocksdb_write_writebatch_wi(db, wo, NULL, &err);
  CHECK_ERROR(err, "NULL");
  rocksdb_readoptions_destroy(ro);
  rocksdb_writeoptions_destroy(wo);
}

static void SavePoints(rocksdb_column_family_handle_t* cf) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_writebatch_wi_t* batch =
      rocksdb_writebatch_wi_create_with_params(NULL, 0, 1, 0, 8);
  rocksdb_writebatch_wi_put(batch, "p", 1, "1", 1);
  rocksdb_writebatch_wi_set_save_point(batch);
  rocksdb_writebatch_wi_put(batch, "p", 1, "2", 1);
  char* value =
      rocksdb_writebatch_wi_get_from_batch(batch, options, "p", 1, &size, &err);
  CHECK_VALUE(value, size, "2");
  rocksdb_writebatch_wi_rollback_to_save_point(batch, &err);
  CHECK_OK(err);
  value =
      rocksdb_writebatch_wi_get_from_batch(batch, options, "p", 1, &size, &err);
  CHECK_VALUE(value, size, "1");
  rocksdb_writebatch_wi_rollback_to_save_point(batch, &err);
  CHECK_ERROR(err, "NotFound");
  rocksdb_writebatch_wi_update_timestamps(batch, "", 0, NULL, NoTimestamps,
                                          &err);
  CHECK_OK(err);
  rocksdb_writebatch_wi_update_timestamps(batch, "", 0, NULL, NULL, &err);
  CHECK_ERROR(err, "NULL");
  rocksdb_writebatch_wi_mergev(batch, 2, kParts, kPartSizes, 2, kParts,
                               kPartSizes);
  rocksdb_writebatch_wi_mergev_cf(batch, cf, 2, kParts, kPartSizes, 2, kParts,
                                  kPartSizes);
  CHECK(rocksdb_writebatch_wi_count(batch) == 3);
  rocksdb_writebatch_wi_clear(batch);
  CHECK(rocksdb_writebatch_wi_count(batch) == 0);
  rocksdb_writebatch_wi_destroy(batch);
  rocksdb_options_destroy(options);
}

/* Ranges cannot be indexed: such a batch is not written. */
static void Ranges(rocksdb_t* db, rocksdb_column_family_handle_t* cf) {
  char* err = NULL;
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  for (int call = 0; call < 4; ++call) {
    rocksdb_writebatch_wi_t* batch = rocksdb_writebatch_wi_create(0, 0);
    if (call == 0) {
      rocksdb_writebatch_wi_delete_range(batch, "a", 1, "z", 1);
    } else if (call == 1) {
      rocksdb_writebatch_wi_delete_range_cf(batch, cf, "a", 1, "z", 1);
    } else if (call == 2) {
      rocksdb_writebatch_wi_delete_rangev(batch, 2, kParts, kPartSizes, kEnds,
                                          kEndSizes);
    } else {
      rocksdb_writebatch_wi_delete_rangev_cf(batch, cf, 2, kParts, kPartSizes,
                                             kEnds, kEndSizes);
    }
    CHECK(rocksdb_writebatch_wi_count(batch) == 0);
    rocksdb_write_writebatch_wi(db, wo, batch, &err);
    CHECK_ERROR(err, "DeleteRange");
    rocksdb_writebatch_wi_destroy(batch);
  }
  rocksdb_writeoptions_destroy(wo);
}

void TestIndexedBatches(void) {
  char* err = NULL;
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_set_uint64add_merge_operator(options);
  rocksdb_t* db = OpenNew("indexed_batches", options);
  rocksdb_column_family_handle_t* cf =
      rocksdb_create_column_family(db, options, "other", &err);
  CHECK_OK(err);
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_put(db, wo, "db", 2, "yes", 3, &err);
  rocksdb_put(db, wo, "gone", 4, "here", 4, &err);
  rocksdb_merge_cf(db, wo, cf, "m", 1, "\2\0\0\0\0\0\0\0", 8, &err);
  CHECK_OK(err);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_writebatch_wi_t* batch = rocksdb_writebatch_wi_create(0, 0);
  Fill(batch, cf);
  ReadAlone(batch, cf);
  ReadBoth(db, batch, cf);
  Iterate(db, batch, cf);
  Write(db, batch);
  rocksdb_writebatch_wi_destroy(batch);
  SavePoints(cf);
  Ranges(db, cf);
  rocksdb_column_family_handle_destroy(cf);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}
