/* Transactions of both kinds. */

#include "tests/c/check.h"

/* A database with the families default and "f", and its options. */
typedef struct Place {
  rocksdb_options_t* options;
  rocksdb_transactiondb_options_t* txn_db_options;
  rocksdb_transactiondb_t* db;
  rocksdb_column_family_handle_t* cf[2];
  rocksdb_writeoptions_t* wo;
  rocksdb_readoptions_t* ro;
  rocksdb_transaction_options_t* to;
} Place;

static void Open(Place* p, const char* name) {
  const char* const names[2] = {"default", "f"};
  const rocksdb_options_t* const options[2] = {p->options, p->options};
  char* err = NULL;
  p->db = rocksdb_transactiondb_open_column_families(
      p->options, p->txn_db_options, PathOf(name), 2, names, options, p->cf,
      &err);
  CHECK_OK(err);
  CHECK(p->db != NULL);
}

static void Close(Place* p) {
  for (int i = 0; i < 2; ++i) rocksdb_column_family_handle_destroy(p->cf[i]);
  rocksdb_transactiondb_close(p->db);
}

static Place NewPlace(const char* name) {
  Place p;
  p.options = NewOptions();
  rocksdb_options_set_create_missing_column_families(p.options, 1);
  rocksdb_options_set_uint64add_merge_operator(p.options);
  p.txn_db_options = rocksdb_transactiondb_options_create();
  rocksdb_transactiondb_options_set_default_lock_timeout(p.txn_db_options, 1);
  p.wo = rocksdb_writeoptions_create();
  p.ro = rocksdb_readoptions_create();
  p.to = rocksdb_transaction_options_create();
  rocksdb_transaction_options_set_lock_timeout(p.to, 0);
  Open(&p, name);
  return p;
}

static void EndPlace(Place* p) {
  Close(p);
  rocksdb_options_destroy(p->options);
  rocksdb_transactiondb_options_destroy(p->txn_db_options);
  rocksdb_writeoptions_destroy(p->wo);
  rocksdb_readoptions_destroy(p->ro);
  rocksdb_transaction_options_destroy(p->to);
}

static int Holds(Place* p, const char* key, const char* wanted) {
  char* err = NULL;
  size_t size = 0;
  char* value =
      rocksdb_transactiondb_get(p->db, p->ro, key, strlen(key), &size, &err);
  const int same = wanted == NULL ? value == NULL && size == 0
                                  : value != NULL && Same(value, size, wanted);
  CHECK_OK(err);
  rocksdb_free(value);
  return same;
}

static const char kOneMore[] = "\1\0\0\0\0\0\0\0";

/* --- the database itself */

static void Outside(Place* p) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_transactiondb_put(p->db, p->wo, "a", 1, "1", 1, &err);
  CHECK_OK(err);
  rocksdb_transactiondb_put_cf(p->db, p->wo, p->cf[1], "a", 1, "2", 1, &err);
  CHECK_OK(err);
  rocksdb_transactiondb_merge(p->db, p->wo, "m", 1, kOneMore, 8, &err);
  CHECK_OK(err);
  rocksdb_transactiondb_merge_cf(p->db, p->wo, p->cf[1], "m", 1, kOneMore, 8,
                                 &err);
  CHECK_OK(err);
  CHECK(Holds(p, "a", "1"));
  char* value = rocksdb_transactiondb_get(p->db, p->ro, "m", 1, &size, &err);
  CHECK(value != NULL && size == 8 && memcmp(value, kOneMore, 8) == 0);
  rocksdb_free(value);
  value =
      rocksdb_transactiondb_get_cf(p->db, p->ro, p->cf[1], "m", 1, &size, &err);
  CHECK(value != NULL && size == 8);
  rocksdb_free(value);
  value =
      rocksdb_transactiondb_get_cf(p->db, p->ro, p->cf[1], "a", 1, &size, &err);
  CHECK_VALUE(value, size, "2");
  rocksdb_pinnableslice_t* pinned =
      rocksdb_transactiondb_get_pinned(p->db, p->ro, "a", 1, &err);
  CHECK(pinned != NULL);
  const char* bytes = rocksdb_pinnableslice_value(pinned, &size);
  CHECK(Same(bytes, size, "1"));
  rocksdb_pinnableslice_destroy(pinned);
  pinned =
      rocksdb_transactiondb_get_pinned_cf(p->db, p->ro, p->cf[1], "a", 1, &err);
  CHECK(pinned != NULL);
  rocksdb_pinnableslice_destroy(pinned);
  CHECK(rocksdb_transactiondb_get_pinned(p->db, p->ro, "no", 2, &err) == NULL);
  CHECK_OK(err);

  const rocksdb_snapshot_t* before =
      rocksdb_transactiondb_create_snapshot(p->db);
  CHECK(before != NULL);
  uint64_t number = 0;
  CHECK(rocksdb_transactiondb_property_int(p->db, "rocksdb.num-snapshots",
                                           &number) == 0);
  CHECK(number == 1);
  CHECK(rocksdb_transactiondb_property_int(p->db, "none", &number) == -1);
  rocksdb_transactiondb_delete(p->db, p->wo, "a", 1, &err);
  CHECK_OK(err);
  rocksdb_transactiondb_delete_cf(p->db, p->wo, p->cf[1], "a", 1, &err);
  CHECK_OK(err);
  CHECK(Holds(p, "a", NULL));
  CHECK(rocksdb_transactiondb_get_cf(p->db, p->ro, p->cf[1], "a", 1, &size,
                                     &err) == NULL);
  rocksdb_readoptions_set_snapshot(p->ro, before);
  CHECK(Holds(p, "a", "1"));
  rocksdb_readoptions_set_snapshot(p->ro, NULL);
  rocksdb_transactiondb_release_snapshot(p->db, before);
  CHECK(rocksdb_transactiondb_property_int(p->db, "rocksdb.num-snapshots",
                                           &number) == 0);
  CHECK(number == 0);

  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  rocksdb_writebatch_put(batch, "b", 1, "3", 1);
  rocksdb_transactiondb_write(p->db, p->wo, batch, &err);
  CHECK_OK(err);
  CHECK(Holds(p, "b", "3"));
  rocksdb_writebatch_destroy(batch);

  rocksdb_iterator_t* it = rocksdb_transactiondb_create_iterator(p->db, p->ro);
  rocksdb_iter_seek_to_first(it);
  CHECK(rocksdb_iter_valid(it));
  rocksdb_iter_destroy(it);
  it = rocksdb_transactiondb_create_iterator_cf(p->db, p->ro, p->cf[1]);
  rocksdb_iter_seek_to_first(it);
  CHECK(rocksdb_iter_valid(it));
  rocksdb_iter_destroy(it);

  const char* const keys[2] = {"b", "none"};
  const size_t sizes[2] = {1, 4};
  char* values[2] = {(char*)1, (char*)1};
  size_t value_sizes[2] = {9, 9};
  char* errors[2] = {(char*)1, (char*)1};
  rocksdb_transactiondb_multi_get(p->db, p->ro, 2, keys, sizes, values,
                                  value_sizes, errors);
  CHECK(values[1] == NULL && errors[0] == NULL && errors[1] == NULL);
  CHECK_VALUE(values[0], value_sizes[0], "3");
  const rocksdb_column_family_handle_t* const families[2] = {p->cf[0],
                                                             p->cf[1]};
  const char* const twice[2] = {"b", "b"};
  const size_t ones[2] = {1, 1};
  rocksdb_transactiondb_multi_get_cf(p->db, p->ro, families, 2, twice, ones,
                                     values, value_sizes, errors);
  CHECK(values[1] == NULL && errors[1] == NULL);
  CHECK_VALUE(values[0], value_sizes[0], "3");
}

static int FilesOf(Place* p, rocksdb_column_family_handle_t* cf) {
  (void)cf;
  char* text = rocksdb_transactiondb_property_value(
      p->db, "rocksdb.num-files-at-level0");
  CHECK(text != NULL);
  const int files = atoi(text);
  rocksdb_free(text);
  return files;
}

static void Files(Place* p) {
  char* err = NULL;
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  rocksdb_flushwaloptions_t* fwo = rocksdb_flushwaloptions_create();
  const int before = FilesOf(p, NULL);
  rocksdb_transactiondb_flush(p->db, fo, &err);
  CHECK_OK(err);
  CHECK(FilesOf(p, NULL) == before + 1);
  rocksdb_transactiondb_put(p->db, p->wo, "c", 1, "1", 1, &err);
  rocksdb_transactiondb_flush_cf(p->db, fo, p->cf[0], &err);
  CHECK_OK(err);
  CHECK(FilesOf(p, NULL) == before + 2);
  rocksdb_transactiondb_put(p->db, p->wo, "d", 1, "1", 1, &err);
  rocksdb_transactiondb_flush_cfs(p->db, fo, p->cf, 2, &err);
  CHECK_OK(err);
  CHECK(FilesOf(p, NULL) == before + 3);
  rocksdb_transactiondb_flush_wal(p->db, 1, &err);
  CHECK_OK(err);
  rocksdb_transactiondb_flush_wal(NULL, 1, &err);
  CHECK_ERROR(err, "NULL");
  rocksdb_transactiondb_flush_wal_with_options(p->db, fwo, &err);
  CHECK_OK(err);
  rocksdb_transactiondb_flush_wal_with_options(p->db, NULL, &err);
  CHECK_ERROR(err, "NULL");
  rocksdb_flushoptions_destroy(fo);
  rocksdb_flushwaloptions_destroy(fwo);

  rocksdb_checkpoint_t* checkpoint =
      rocksdb_transactiondb_checkpoint_object_create(p->db, &err);
  CHECK_OK(err);
  CHECK(checkpoint != NULL);
  rocksdb_checkpoint_object_destroy(checkpoint);

  rocksdb_column_family_handle_t* made =
      rocksdb_transactiondb_create_column_family(p->db, p->options, "g", &err);
  CHECK_OK(err);
  CHECK(made != NULL);
  rocksdb_transactiondb_put_cf(p->db, p->wo, made, "k", 1, "v", 1, &err);
  CHECK_OK(err);
  rocksdb_t* base = rocksdb_transactiondb_get_base_db(p->db);
  CHECK(base != NULL);
  rocksdb_drop_column_family(base, made, &err);
  CHECK_OK(err);
  rocksdb_column_family_handle_destroy(made);
  rocksdb_transactiondb_close_base_db(base);
}

/* --- transactions */

static rocksdb_transaction_t* Begin(Place* p) {
  rocksdb_transaction_t* txn =
      rocksdb_transaction_begin(p->db, p->wo, p->to, NULL);
  CHECK(txn != NULL);
  return txn;
}

typedef struct Told {
  int puts, deletes;
} Told;

static void OnPut(void* state, const char* k, size_t nk, const char* v,
                  size_t nv) {
  ((Told*)state)->puts++;
  CHECK(Same(k, nk, "k") && Same(v, nv, "v"));
}
static void OnDelete(void* state, const char* k, size_t nk) {
  ((Told*)state)->deletes++;
  CHECK(Same(k, nk, "gone"));
}

/* The batch begins with a marker for two phases, which hides no update. */
static void Tells(rocksdb_writebatch_wi_t* batch) {
  size_t size = 0;
  Told told = {0, 0};
  rocksdb_writebatch_wi_iterate(batch, &told, OnPut, OnDelete);
  CHECK(told.puts == 1 && told.deletes == 1);
  const char* data = rocksdb_writebatch_wi_data(batch, &size);
  rocksdb_writebatch_t* copy = rocksdb_writebatch_create_from(data, size);
  rocksdb_writebatch_iterate(copy, &told, OnPut, OnDelete);
  CHECK(told.puts == 2 && told.deletes == 2);
  rocksdb_writebatch_destroy(copy);
}

static void Writes(Place* p) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_transactiondb_put(p->db, p->wo, "gone", 4, "1", 1, &err);
  rocksdb_transactiondb_put_cf(p->db, p->wo, p->cf[1], "gone", 4, "1", 1, &err);
  rocksdb_transaction_t* txn = Begin(p);
  rocksdb_transaction_put(txn, "k", 1, "v", 1, &err);
  CHECK_OK(err);
  rocksdb_transaction_put_cf(txn, p->cf[1], "k", 1, "w", 1, &err);
  CHECK_OK(err);
  rocksdb_transaction_merge(txn, "n", 1, kOneMore, 8, &err);
  CHECK_OK(err);
  rocksdb_transaction_merge_cf(txn, p->cf[1], "n", 1, kOneMore, 8, &err);
  CHECK_OK(err);
  rocksdb_transaction_delete(txn, "gone", 4, &err);
  CHECK_OK(err);
  rocksdb_transaction_delete_cf(txn, p->cf[1], "gone", 4, &err);
  CHECK_OK(err);
  rocksdb_writebatch_wi_t* batch = rocksdb_transaction_get_writebatch_wi(txn);
  CHECK(batch != NULL && rocksdb_writebatch_wi_count(batch) == 6);
  Tells(batch);
  (void)rocksdb_writebatch_wi_data(batch, &size);
  const size_t without = size;
  rocksdb_transaction_put_log_data(txn, "blob of some bytes", 18);
  (void)rocksdb_writebatch_wi_data(batch, &size);
  CHECK(size >= without + 18);
  rocksdb_free(batch);

  char* value = rocksdb_transaction_get(txn, p->ro, "k", 1, &size, &err);
  CHECK_VALUE(value, size, "v");
  value = rocksdb_transaction_get_cf(txn, p->ro, p->cf[1], "k", 1, &size, &err);
  CHECK_VALUE(value, size, "w");
  size = 7;
  CHECK(rocksdb_transaction_get(txn, p->ro, "gone", 4, &size, &err) == NULL);
  CHECK_OK(err);
  CHECK(size == 0);
  CHECK(Holds(p, "k", NULL));
  rocksdb_transactiondb_put(p->db, p->wo, "k", 1, "x", 1, &err);
  CHECK_ERROR(err, "");
  rocksdb_transaction_commit(txn, &err);
  CHECK_OK(err);
  CHECK(Holds(p, "k", "v"));
  CHECK(Holds(p, "gone", NULL));
  value =
      rocksdb_transactiondb_get_cf(p->db, p->ro, p->cf[1], "n", 1, &size, &err);
  CHECK(value != NULL && size == 8);
  rocksdb_free(value);
  value = rocksdb_transactiondb_get(p->db, p->ro, "n", 1, &size, &err);
  CHECK(value != NULL && size == 8);
  rocksdb_free(value);
  CHECK(rocksdb_transactiondb_get_cf(p->db, p->ro, p->cf[1], "gone", 4, &size,
                                     &err) == NULL);
  rocksdb_transaction_destroy(txn);
}

static void SavePoints(Place* p) {
  char* err = NULL;
  rocksdb_transaction_t* txn = Begin(p);
  rocksdb_transaction_rollback_to_savepoint(txn, &err);
  CHECK_ERROR(err, "NotFound");
  rocksdb_transaction_put(txn, "s1", 2, "1", 1, &err);
  rocksdb_transaction_set_savepoint(txn);
  rocksdb_transaction_put(txn, "s2", 2, "1", 1, &err);
  rocksdb_transaction_rollback_to_savepoint(txn, &err);
  CHECK_OK(err);
  rocksdb_transaction_commit(txn, &err);
  CHECK_OK(err);
  CHECK(Holds(p, "s1", "1"));
  CHECK(Holds(p, "s2", NULL));

  /* Without one there is an object all the same. */
  const rocksdb_snapshot_t* none = rocksdb_transaction_get_snapshot(txn);
  CHECK(none != NULL && rocksdb_snapshot_get_sequence_number(none) == 0);
  rocksdb_free((void*)none);
  rocksdb_transaction_options_set_set_snapshot(p->to, 1);
  CHECK(rocksdb_transaction_begin(p->db, p->wo, p->to, txn) == txn);
  rocksdb_transaction_options_set_set_snapshot(p->to, 0);
  const rocksdb_snapshot_t* snapshot = rocksdb_transaction_get_snapshot(txn);
  CHECK(snapshot != NULL);
  rocksdb_transactiondb_put(p->db, p->wo, "s1", 2, "2", 1, &err);
  CHECK_OK(err);
  rocksdb_readoptions_set_snapshot(p->ro, snapshot);
  CHECK(Holds(p, "s1", "1"));
  rocksdb_readoptions_set_snapshot(p->ro, NULL);
  rocksdb_free((void*)snapshot);
  rocksdb_transaction_put(txn, "s1", 2, "3", 1, &err);
  CHECK_ERROR(err, "busy");
  rocksdb_transaction_put(txn, "s3", 2, "3", 1, &err);
  CHECK_OK(err);
  rocksdb_transaction_rollback(txn, &err);
  CHECK_OK(err);
  rocksdb_transaction_commit(txn, &err);
  CHECK_OK(err);
  CHECK(Holds(p, "s3", NULL));
  rocksdb_transaction_destroy(txn);
}

/* Whether another transaction may read the key for update. */
static int IsFree(Place* p, const char* key, rocksdb_column_family_handle_t* cf,
                  unsigned char exclusive) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_transaction_t* other = Begin(p);
  rocksdb_free(rocksdb_transaction_get_for_update_cf(
      other, p->ro, cf, key, strlen(key), &size, exclusive, &err));
  const int is_free = err == NULL;
  rocksdb_free(err);
  rocksdb_transaction_destroy(other);
  return is_free;
}

static void Locks(Place* p) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_transactiondb_put(p->db, p->wo, "l1", 2, "1", 1, &err);
  rocksdb_transactiondb_put_cf(p->db, p->wo, p->cf[1], "l1", 2, "2", 1, &err);
  rocksdb_transaction_t* txn = Begin(p);
  char* value =
      rocksdb_transaction_get_for_update(txn, p->ro, "l1", 2, &size, 1, &err);
  CHECK_VALUE(value, size, "1");
  CHECK(!IsFree(p, "l1", p->cf[0], 0));
  CHECK(IsFree(p, "l1", p->cf[1], 1));
  value = rocksdb_transaction_get_for_update_cf(txn, p->ro, p->cf[1], "l1", 2,
                                                &size, 0, &err);
  CHECK_VALUE(value, size, "2");
  CHECK(IsFree(p, "l1", p->cf[1], 0));
  CHECK(!IsFree(p, "l1", p->cf[1], 1));
  CHECK(rocksdb_transaction_get_for_update(txn, p->ro, "l2", 2, &size, 1,
                                           &err) == NULL);
  CHECK_OK(err);
  CHECK(!IsFree(p, "l2", p->cf[0], 1));

  rocksdb_pinnableslice_t* pinned =
      rocksdb_transaction_get_pinned(txn, p->ro, "l1", 2, &err);
  CHECK(pinned != NULL);
  rocksdb_pinnableslice_destroy(pinned);
  pinned =
      rocksdb_transaction_get_pinned_cf(txn, p->ro, p->cf[1], "l1", 2, &err);
  CHECK(pinned != NULL);
  rocksdb_pinnableslice_destroy(pinned);
  CHECK(rocksdb_transaction_get_pinned_for_update(txn, p->ro, "l3", 2, 1,
                                                  &err) == NULL);
  CHECK_OK(err);
  CHECK(!IsFree(p, "l3", p->cf[0], 1));
  CHECK(rocksdb_transaction_get_pinned_for_update_cf(txn, p->ro, p->cf[1], "l3",
                                                     2, 1, &err) == NULL);
  CHECK(!IsFree(p, "l3", p->cf[1], 1));
  pinned =
      rocksdb_transaction_get_pinned_for_update(txn, p->ro, "l1", 2, 1, &err);
  CHECK(pinned != NULL);
  rocksdb_pinnableslice_destroy(pinned);
  pinned = rocksdb_transaction_get_pinned_for_update_cf(txn, p->ro, p->cf[1],
                                                        "l1", 2, 1, &err);
  CHECK(pinned != NULL);
  rocksdb_pinnableslice_destroy(pinned);
  rocksdb_transaction_destroy(txn);
  CHECK(IsFree(p, "l1", p->cf[0], 1));
}

/* Where a family is missing, each key fails, and none is locked. */
static void WithoutFamilies(Place* p, rocksdb_transaction_t* txn) {
  const char* const keys[2] = {"l1", "l1"};
  const size_t sizes[2] = {2, 2};
  const rocksdb_column_family_handle_t* const half[2] = {p->cf[1], NULL};
  for (int i = 0; i < 4; ++i) {
    char* values[2] = {(char*)1, (char*)1};
    char* errors[2] = {NULL, NULL};
    size_t value_sizes[2] = {9, 9};
    if (i < 2) {
      rocksdb_transaction_multi_get_cf(txn, p->ro, i == 0 ? half : NULL, 2,
                                       keys, sizes, values, value_sizes,
                                       errors);
    } else {
      rocksdb_transaction_multi_get_for_update_cf(
          txn, p->ro, i == 2 ? half : NULL, 2, keys, sizes, values, value_sizes,
          errors);
    }
    for (int k = 0; k < 2; ++k) {
      CHECK(values[k] == NULL && value_sizes[k] == 0);
      CHECK_ERROR(errors[k], "column_families: is NULL");
    }
  }
  CHECK(IsFree(p, "l1", p->cf[1], 1));
}

static void ManyReads(Place* p) {
  const char* const keys[2] = {"l1", "none"};
  const size_t sizes[2] = {2, 4};
  const rocksdb_column_family_handle_t* const families[2] = {p->cf[1],
                                                             p->cf[1]};
  char* values[2] = {NULL, NULL};
  char* errors[2] = {(char*)1, (char*)1};
  size_t value_sizes[2] = {0, 9};
  rocksdb_transaction_t* txn = Begin(p);
  rocksdb_transaction_multi_get(txn, p->ro, 2, keys, sizes, values, value_sizes,
                                errors);
  CHECK(values[1] == NULL && value_sizes[1] == 0);
  CHECK(errors[0] == NULL && errors[1] == NULL);
  CHECK_VALUE(values[0], value_sizes[0], "1");
  rocksdb_transaction_multi_get_cf(txn, p->ro, families, 2, keys, sizes, values,
                                   value_sizes, errors);
  CHECK_VALUE(values[0], value_sizes[0], "2");
  CHECK(IsFree(p, "none", p->cf[0], 1));
  WithoutFamilies(p, txn);
  rocksdb_transaction_multi_get_for_update(txn, p->ro, 2, keys, sizes, values,
                                           value_sizes, errors);
  CHECK_VALUE(values[0], value_sizes[0], "1");
  CHECK(!IsFree(p, "none", p->cf[0], 1));
  CHECK(IsFree(p, "none", p->cf[1], 1));
  rocksdb_transaction_multi_get_for_update_cf(
      txn, p->ro, families, 2, keys, sizes, values, value_sizes, errors);
  CHECK_VALUE(values[0], value_sizes[0], "2");
  CHECK(!IsFree(p, "none", p->cf[1], 1));

  rocksdb_transaction_t* late = Begin(p);
  rocksdb_transaction_multi_get_for_update(late, p->ro, 2, keys, sizes, values,
                                           value_sizes, errors);
  for (int i = 0; i < 2; ++i) {
    CHECK(values[i] == NULL);
    CHECK_ERROR(errors[i], "");
  }
  rocksdb_transaction_destroy(late);
  rocksdb_transaction_destroy(txn);
}

static void Cursors(Place* p) {
  char* err = NULL;
  const char* key = NULL;
  size_t size = 0;
  rocksdb_transaction_t* txn = Begin(p);
  rocksdb_transaction_put(txn, "0", 1, "own", 3, &err);
  rocksdb_transaction_put_cf(txn, p->cf[1], "00", 2, "own", 3, &err);
  rocksdb_iterator_t* it = rocksdb_transaction_create_iterator(txn, p->ro);
  CHECK(it != NULL);
  rocksdb_iter_seek_to_first(it);
  key = rocksdb_iter_key(it, &size);
  CHECK(Same(key, size, "0"));
  rocksdb_iter_destroy(it);
  it = rocksdb_transaction_create_iterator_cf(txn, p->ro, p->cf[1]);
  CHECK(it != NULL);
  rocksdb_iter_seek_to_first(it);
  key = rocksdb_iter_key(it, &size);
  CHECK(Same(key, size, "00"));
  rocksdb_iter_destroy(it);
  rocksdb_transaction_destroy(txn);
}

static void Rebuilt(Place* p) {
  char* err = NULL;
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  rocksdb_writebatch_put(batch, "r1", 2, "1", 1);
  rocksdb_writebatch_wi_t* indexed = rocksdb_writebatch_wi_create(0, 1);
  rocksdb_writebatch_wi_put(indexed, "r2", 2, "2", 1);
  rocksdb_transaction_t* txn = Begin(p);
  rocksdb_transaction_rebuild_from_writebatch(txn, batch, &err);
  CHECK_OK(err);
  rocksdb_transaction_rebuild_from_writebatch_wi(txn, indexed, &err);
  CHECK_OK(err);
  rocksdb_transaction_commit(txn, &err);
  CHECK_OK(err);
  CHECK(Holds(p, "r1", "1"));
  CHECK(Holds(p, "r2", "2"));
  rocksdb_writebatch_delete_range(batch, "a", 1, "b", 1);
  CHECK(rocksdb_transaction_begin(p->db, p->wo, p->to, txn) == txn);
  rocksdb_transaction_rebuild_from_writebatch(txn, batch, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_writebatch_wi_delete_range(indexed, "a", 1, "b", 1);
  rocksdb_transaction_rebuild_from_writebatch_wi(txn, indexed, &err);
  CHECK_ERROR(err, "Not implemented");
  rocksdb_transaction_destroy(txn);
  rocksdb_writebatch_destroy(batch);
  rocksdb_writebatch_wi_destroy(indexed);
}

static void TwoPhases(Place* p, const char* name) {
  char* err = NULL;
  size_t size = 0, count = 9;
  CHECK(rocksdb_transactiondb_get_prepared_transactions(p->db, &count) == NULL);
  CHECK(count == 0);
  rocksdb_transaction_t* txn = Begin(p);
  rocksdb_transaction_prepare(txn, &err);
  CHECK_ERROR(err, "named");
  rocksdb_transaction_set_name(txn, "xid", 3, &err);
  CHECK_OK(err);
  char* text = rocksdb_transaction_get_name(txn, &size);
  CHECK_VALUE(text, size, "xid");
  rocksdb_transaction_put(txn, "two", 3, "phases", 6, &err);
  rocksdb_transaction_prepare(txn, &err);
  CHECK_OK(err);
  rocksdb_transaction_destroy(txn);
  Close(p);
  Open(p, name);
  CHECK(Holds(p, "two", NULL));
  rocksdb_transaction_t** prepared =
      rocksdb_transactiondb_get_prepared_transactions(p->db, &count);
  CHECK(prepared != NULL && count == 1);
  text = rocksdb_transaction_get_name(prepared[0], &size);
  CHECK_VALUE(text, size, "xid");
  rocksdb_transaction_commit(prepared[0], &err);
  CHECK_OK(err);
  rocksdb_transaction_destroy(prepared[0]);
  rocksdb_free(prepared);
  CHECK(Holds(p, "two", "phases"));
}

static void Timestamps(Place* p) {
  char* err = NULL;
  rocksdb_transaction_t* txn = Begin(p);
  /* A commit timestamp must be later than that of reads. */
  rocksdb_transaction_set_read_timestamp_for_validation(txn, 10);
  rocksdb_transaction_set_commit_timestamp(txn, 20);
  rocksdb_transaction_put(txn, "t", 1, "1", 1, &err);
  CHECK_OK(err);
  rocksdb_transaction_commit(txn, &err);
  CHECK_OK(err);
  CHECK(Holds(p, "t", "1"));
  rocksdb_transaction_destroy(txn);
}

/* Bytes, then eight of the timestamp. */
static int CompareKeys(void* state, const char* a, size_t a_size,
                       unsigned char a_has_ts, const char* b, size_t b_size,
                       unsigned char b_has_ts) {
  (void)state;
  if (a_has_ts) a_size -= 8;
  if (b_has_ts) b_size -= 8;
  const int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
  return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}
static int CompareTimes(void* state, const char* a, size_t a_size,
                        const char* b, size_t b_size) {
  (void)state;
  (void)a_size;
  (void)b_size;
  for (int i = 7; i >= 0; --i) {
    if (a[i] == b[i]) continue;
    return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : 1;
  }
  return 0;
}
static int CompareBoth(void* state, const char* a, size_t a_size, const char* b,
                       size_t b_size) {
  const int order = CompareKeys(state, a, a_size, 1, b, b_size, 1);
  if (order != 0) return order;
  return CompareTimes(state, b + b_size - 8, 8, a + a_size - 8, 8);
}
static const char* OrderName(void* state) {
  (void)state;
  return "stamped by transactions";
}
static void NoOrderEnd(void* state) { (void)state; }

/* Families whose keys have timestamps. */
static void Stamped(void) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_options_t* options = NewOptions();
  rocksdb_comparator_t* order = rocksdb_comparator_with_ts_create(
      NULL, NoOrderEnd, CompareBoth, CompareTimes, CompareKeys, OrderName, 8);
  rocksdb_options_set_comparator(options, order);
  rocksdb_transactiondb_options_t* tdo = rocksdb_transactiondb_options_create();
  rocksdb_transactiondb_t* db =
      rocksdb_transactiondb_open(options, tdo, PathOf("txn_stamped"), &err);
  CHECK_OK(err);
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_transaction_options_t* to = rocksdb_transaction_options_create();
  rocksdb_transaction_t* txn = rocksdb_transaction_begin(db, wo, to, NULL);
  rocksdb_transaction_put(txn, "k", 1, "v", 1, &err);
  CHECK_OK(err);
  rocksdb_transaction_commit(txn, &err);
  CHECK_ERROR(err, "commit timestamp");
  rocksdb_transaction_set_commit_timestamp(txn, 20);
  rocksdb_transaction_commit(txn, &err);
  CHECK_OK(err);
  const char early[8] = {19}, late[8] = {20};
  rocksdb_readoptions_set_timestamp(ro, early, 8);
  CHECK(rocksdb_transactiondb_get(db, ro, "k", 1, &size, &err) == NULL);
  CHECK_OK(err);
  rocksdb_readoptions_set_timestamp(ro, late, 8);
  char* value = rocksdb_transactiondb_get(db, ro, "k", 1, &size, &err);
  CHECK_VALUE(value, size, "v");
  CHECK(rocksdb_transaction_begin(db, wo, to, txn) == txn);
  rocksdb_transaction_set_read_timestamp_for_validation(txn, 19);
  rocksdb_transaction_put(txn, "k", 1, "w", 1, &err);
  CHECK_ERROR(err, "busy");
  rocksdb_transaction_destroy(txn);
  rocksdb_transactiondb_close(db);
  rocksdb_transaction_options_destroy(to);
  rocksdb_readoptions_destroy(ro);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_transactiondb_options_destroy(tdo);
  rocksdb_options_destroy(options);
  rocksdb_comparator_destroy(order);
}

static void Base(Place* p) {
  char* err = NULL;
  rocksdb_transaction_t* txn = Begin(p);
  rocksdb_transaction_put(txn, "base", 4, "1", 1, &err);
  rocksdb_t* base = rocksdb_transactiondb_get_base_db(p->db);
  rocksdb_put(base, p->wo, "base", 4, "past the lock", 13, &err);
  CHECK_OK(err);
  rocksdb_transactiondb_close_base_db(base);
  CHECK(Holds(p, "base", "past the lock"));
  rocksdb_transaction_destroy(txn);
}

void TestTransactions(void) {
  Place p = NewPlace("transactions");
  Outside(&p);
  Files(&p);
  Writes(&p);
  SavePoints(&p);
  Locks(&p);
  ManyReads(&p);
  Cursors(&p);
  Rebuilt(&p);
  TwoPhases(&p, "transactions");
  Timestamps(&p);
  Base(&p);
  EndPlace(&p);
  Stamped();
}

/* --- optimistic ones */

static void Conflicts(rocksdb_optimistictransactiondb_t* db) {
  char* err = NULL;
  size_t size = 0;
  uint64_t number = 0;
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_optimistictransaction_options_t* to =
      rocksdb_optimistictransaction_options_create();
  rocksdb_transaction_t* txn =
      rocksdb_optimistictransaction_begin(db, wo, to, NULL);
  CHECK(txn != NULL);
  rocksdb_transaction_put(txn, "k", 1, "1", 1, &err);
  CHECK_OK(err);
  rocksdb_t* base = rocksdb_optimistictransactiondb_get_base_db(db);
  CHECK(base != NULL);
  rocksdb_put(base, wo, "k", 1, "2", 1, &err);
  CHECK_OK(err);
  rocksdb_transaction_commit(txn, &err);
  CHECK_ERROR(err, "busy");
  CHECK(rocksdb_optimistictransaction_begin(db, wo, to, txn) == txn);
  rocksdb_transaction_put(txn, "k", 1, "3", 1, &err);
  rocksdb_transaction_commit(txn, &err);
  CHECK_OK(err);
  char* value = rocksdb_get(base, ro, "k", 1, &size, &err);
  CHECK_VALUE(value, size, "3");
  rocksdb_transaction_destroy(txn);

  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  rocksdb_writebatch_put(batch, "b", 1, "4", 1);
  rocksdb_optimistictransactiondb_write(db, wo, batch, &err);
  CHECK_OK(err);
  value = rocksdb_get(base, ro, "b", 1, &size, &err);
  CHECK_VALUE(value, size, "4");
  rocksdb_writebatch_destroy(batch);
  rocksdb_optimistictransactiondb_close_base_db(base);

  CHECK(rocksdb_optimistictransactiondb_property_int(
            db, "rocksdb.estimate-num-keys", &number) == 0);
  CHECK(number > 0);
  value = rocksdb_optimistictransactiondb_property_value(
      db, "rocksdb.num-files-at-level0");
  CHECK(value != NULL);
  rocksdb_free(value);
  rocksdb_checkpoint_t* checkpoint =
      rocksdb_optimistictransactiondb_checkpoint_object_create(db, &err);
  CHECK_OK(err);
  CHECK(checkpoint != NULL);
  rocksdb_checkpoint_object_destroy(checkpoint);
  rocksdb_optimistictransaction_options_destroy(to);
  rocksdb_readoptions_destroy(ro);
  rocksdb_writeoptions_destroy(wo);
}

void TestOptimisticTransactions(void) {
  char* err = NULL;
  rocksdb_options_t* options = NewOptions();
  rocksdb_optimistictransactiondb_options_t* occ =
      rocksdb_optimistictransactiondb_options_create();
  rocksdb_optimistictransactiondb_lock_buckets_t* buckets =
      rocksdb_optimistictransactiondb_lock_buckets_create(16, 1);
  CHECK(buckets != NULL);
  CHECK(rocksdb_optimistictransactiondb_lock_buckets_approximate_memory_usage(
            buckets) > 0);
  rocksdb_optimistictransactiondb_options_set_shared_lock_buckets(occ, buckets);
  rocksdb_optimistictransactiondb_lock_buckets_destroy(buckets);
  const char* const names[1] = {"default"};
  const rocksdb_options_t* const family_options[1] = {options};
  rocksdb_column_family_handle_t* cf = NULL;

  rocksdb_optimistictransactiondb_t* db =
      rocksdb_optimistictransactiondb_open(options, PathOf("occ"), &err);
  CHECK_OK(err);
  CHECK(db != NULL);
  if (db != NULL) Conflicts(db);
  rocksdb_optimistictransactiondb_close(db);
  db = rocksdb_optimistictransactiondb_open_with_otxn_db_options(
      options, occ, PathOf("occ"), &err);
  CHECK_OK(err);
  CHECK(db != NULL);
  rocksdb_optimistictransactiondb_close(db);
  db = rocksdb_optimistictransactiondb_open_column_families(
      options, PathOf("occ"), 1, names, family_options, &cf, &err);
  CHECK_OK(err);
  CHECK(db != NULL && cf != NULL);
  rocksdb_column_family_handle_destroy(cf);
  rocksdb_optimistictransactiondb_close(db);
  cf = NULL;
  db =
      rocksdb_optimistictransactiondb_open_column_families_with_otxn_db_options(
          options, NULL, PathOf("occ"), 1, names, family_options, &cf, &err);
  CHECK_OK(err);
  CHECK(db != NULL && cf != NULL);
  rocksdb_column_family_handle_destroy(cf);
  rocksdb_optimistictransactiondb_close(db);
  rocksdb_optimistictransactiondb_options_destroy(occ);
  rocksdb_options_destroy(options);
}
