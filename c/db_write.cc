// Writing single keys and batches. Each call is atomic.

#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

bool IsAnyNull(const rocksdb_t* db, const rocksdb_writeoptions_t* options,
               char** errptr) {
  return IsNull(db, "db", errptr) || IsNull(options, "options", errptr);
}

}  // namespace

extern "C" {

void rocksdb_put(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                 const char* key, size_t key_size, const char* value,
                 size_t value_size, char** errptr) {
  if (IsAnyNull(db, options, errptr)) return;
  (void)Fails(db->rep->Put(options->rep, BytesOf(key, key_size),
                           BytesOf(value, value_size)),
              errptr);
}

void rocksdb_put_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                    rocksdb_column_family_handle_t* column_family,
                    const char* key, size_t key_size, const char* value,
                    size_t value_size, char** errptr) {
  if (IsAnyNull(db, options, errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  (void)Fails(db->rep->Put(options->rep, column_family->rep,
                           BytesOf(key, key_size), BytesOf(value, value_size)),
              errptr);
}

void rocksdb_put_with_ts(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                         const char* key, size_t key_size, const char* ts,
                         size_t ts_size, const char* value, size_t value_size,
                         char** errptr) {
  if (IsAnyNull(db, options, errptr)) return;
  (void)Fails(db->rep->Put(options->rep, db->rep->DefaultColumnFamily(),
                           BytesOf(key, key_size), BytesOf(ts, ts_size),
                           BytesOf(value, value_size)),
              errptr);
}

void rocksdb_put_cf_with_ts(rocksdb_t* db,
                            const rocksdb_writeoptions_t* options,
                            rocksdb_column_family_handle_t* column_family,
                            const char* key, size_t key_size, const char* ts,
                            size_t ts_size, const char* value,
                            size_t value_size, char** errptr) {
  if (IsAnyNull(db, options, errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  (void)Fails(
      db->rep->Put(options->rep, column_family->rep, BytesOf(key, key_size),
                   BytesOf(ts, ts_size), BytesOf(value, value_size)),
      errptr);
}

// A key that is not there is no error.
void rocksdb_delete(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                    const char* key, size_t key_size, char** errptr) {
  if (IsAnyNull(db, options, errptr)) return;
  (void)Fails(db->rep->Delete(options->rep, BytesOf(key, key_size)), errptr);
}

void rocksdb_delete_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                       rocksdb_column_family_handle_t* column_family,
                       const char* key, size_t key_size, char** errptr) {
  if (IsAnyNull(db, options, errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  (void)Fails(
      db->rep->Delete(options->rep, column_family->rep, BytesOf(key, key_size)),
      errptr);
}

void rocksdb_delete_with_ts(rocksdb_t* db,
                            const rocksdb_writeoptions_t* options,
                            const char* key, size_t key_size, const char* ts,
                            size_t ts_size, char** errptr) {
  if (IsAnyNull(db, options, errptr)) return;
  (void)Fails(db->rep->Delete(options->rep, db->rep->DefaultColumnFamily(),
                              BytesOf(key, key_size), BytesOf(ts, ts_size)),
              errptr);
}

void rocksdb_delete_cf_with_ts(rocksdb_t* db,
                               const rocksdb_writeoptions_t* options,
                               rocksdb_column_family_handle_t* column_family,
                               const char* key, size_t key_size, const char* ts,
                               size_t ts_size, char** errptr) {
  if (IsAnyNull(db, options, errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  (void)Fails(db->rep->Delete(options->rep, column_family->rep,
                              BytesOf(key, key_size), BytesOf(ts, ts_size)),
              errptr);
}

// For a key that was put exactly once since its last deletion.
void rocksdb_singledelete(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                          const char* key, size_t key_size, char** errptr) {
  if (IsAnyNull(db, options, errptr)) return;
  (void)Fails(db->rep->SingleDelete(options->rep, BytesOf(key, key_size)),
              errptr);
}

void rocksdb_singledelete_cf(rocksdb_t* db,
                             const rocksdb_writeoptions_t* options,
                             rocksdb_column_family_handle_t* column_family,
                             const char* key, size_t key_size, char** errptr) {
  if (IsAnyNull(db, options, errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  (void)Fails(db->rep->SingleDelete(options->rep, column_family->rep,
                                    BytesOf(key, key_size)),
              errptr);
}

void rocksdb_singledelete_with_ts(rocksdb_t* db,
                                  const rocksdb_writeoptions_t* options,
                                  const char* key, size_t key_size,
                                  const char* ts, size_t ts_size,
                                  char** errptr) {
  if (IsAnyNull(db, options, errptr)) return;
  (void)Fails(
      db->rep->SingleDelete(options->rep, db->rep->DefaultColumnFamily(),
                            BytesOf(key, key_size), BytesOf(ts, ts_size)),
      errptr);
}

void rocksdb_singledelete_cf_with_ts(
    rocksdb_t* db, const rocksdb_writeoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, const char* ts, size_t ts_size, char** errptr) {
  if (IsAnyNull(db, options, errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  (void)Fails(
      db->rep->SingleDelete(options->rep, column_family->rep,
                            BytesOf(key, key_size), BytesOf(ts, ts_size)),
      errptr);
}

// Deletes every key in [start_key, end_key).
void rocksdb_delete_range_cf(rocksdb_t* db,
                             const rocksdb_writeoptions_t* options,
                             rocksdb_column_family_handle_t* column_family,
                             const char* start_key, size_t start_key_size,
                             const char* end_key, size_t end_key_size,
                             char** errptr) {
  if (IsAnyNull(db, options, errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  (void)Fails(db->rep->DeleteRange(options->rep, column_family->rep,
                                   BytesOf(start_key, start_key_size),
                                   BytesOf(end_key, end_key_size)),
              errptr);
}

void rocksdb_merge(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                   const char* key, size_t key_size, const char* value,
                   size_t value_size, char** errptr) {
  if (IsAnyNull(db, options, errptr)) return;
  (void)Fails(db->rep->Merge(options->rep, BytesOf(key, key_size),
                             BytesOf(value, value_size)),
              errptr);
}

void rocksdb_merge_cf(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                      rocksdb_column_family_handle_t* column_family,
                      const char* key, size_t key_size, const char* value,
                      size_t value_size, char** errptr) {
  if (IsAnyNull(db, options, errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  (void)Fails(
      db->rep->Merge(options->rep, column_family->rep, BytesOf(key, key_size),
                     BytesOf(value, value_size)),
      errptr);
}

// Applies all updates of the batch, or none.
void rocksdb_write(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                   rocksdb_writebatch_t* batch, char** errptr) {
  if (IsAnyNull(db, options, errptr) || IsNull(batch, "batch", errptr)) return;
  if (Fails(batch->left_out.status(), errptr)) return;
  (void)Fails(db->rep->Write(options->rep, &batch->rep), errptr);
}

void rocksdb_writeoptions_disable_WAL(rocksdb_writeoptions_t* options,
                                      int disable) {
  options->rep.disableWAL = disable != 0;
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
