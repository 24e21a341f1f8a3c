// Batches of updates that are applied together.
//
// Threads  A batch belongs to one thread at a time.
// Errors   An update that does not fit the batch (a limit of bytes is passed)
//          is left out; there is no way to tell. One that is refused makes
//          rocksdb_write() fail.
// The calls that end in v take a key, and a value, in parts that are joined.

#include "c/batch_parts.h"
#include "c/handles.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

void Added(rocksdb_writebatch_t* batch, const Status& status) {
  const bool is_refused = status.IsNotSupported() || status.IsInvalidArgument();
  if (is_refused) batch->left_out.Note(status);
  IgnoreError(status, "the C interface has no error channel here");
}

}  // namespace

extern "C" {

rocksdb_writebatch_t* rocksdb_writebatch_create(void) {
  return Own<rocksdb_writebatch_t>();
}

// A batch of the bytes that rocksdb_writebatch_data() gave. Of other bytes, it
// can be written nowhere: rocksdb_write() says what is wrong.
rocksdb_writebatch_t* rocksdb_writebatch_create_from(const char* rep,
                                                     size_t size) {
  auto* batch = Own<rocksdb_writebatch_t>();
  batch->rep = WriteBatch(BytesOf(rep, size).ToString());
  return batch;
}

// `max_bytes` 0 is no limit.
rocksdb_writebatch_t* rocksdb_writebatch_create_with_params(
    size_t reserved_bytes, size_t max_bytes, size_t protection_bytes_per_key,
    size_t default_cf_ts_size) {
  auto* batch = Own<rocksdb_writebatch_t>();
  batch->rep = WriteBatch(reserved_bytes, max_bytes, protection_bytes_per_key,
                          default_cf_ts_size);
  return batch;
}

void rocksdb_writebatch_destroy(rocksdb_writebatch_t* batch) { End(batch); }

void rocksdb_writebatch_clear(rocksdb_writebatch_t* batch) {
  batch->left_out.Clear();
  batch->rep.Clear();
}

int rocksdb_writebatch_count(rocksdb_writebatch_t* batch) {
  return static_cast<int>(batch->rep.Count());
}

// The batch as it would stand in a log; until the batch changes.
const char* rocksdb_writebatch_data(rocksdb_writebatch_t* batch, size_t* size) {
  return Lend(batch->rep.Data(), size);
}

void rocksdb_writebatch_put(rocksdb_writebatch_t* batch, const char* key,
                            size_t key_size, const char* value,
                            size_t value_size) {
  Added(batch,
        batch->rep.Put(BytesOf(key, key_size), BytesOf(value, value_size)));
}

void rocksdb_writebatch_put_cf(rocksdb_writebatch_t* batch,
                               rocksdb_column_family_handle_t* column_family,
                               const char* key, size_t key_size,
                               const char* value, size_t value_size) {
  Added(batch, batch->rep.Put(column_family->rep, BytesOf(key, key_size),
                              BytesOf(value, value_size)));
}

void rocksdb_writebatch_put_cf_with_ts(
    rocksdb_writebatch_t* batch, rocksdb_column_family_handle_t* column_family,
    const char* key, size_t key_size, const char* ts, size_t ts_size,
    const char* value, size_t value_size) {
  Added(batch,
        batch->rep.Put(column_family->rep, BytesOf(key, key_size),
                       BytesOf(ts, ts_size), BytesOf(value, value_size)));
}

void rocksdb_writebatch_putv(rocksdb_writebatch_t* batch, int num_keys,
                             const char* const* keys, const size_t* keys_sizes,
                             int num_values, const char* const* values,
                             const size_t* values_sizes) {
  Added(batch, batch->rep.Put(Parts(num_keys, keys, keys_sizes).Get(),
                              Parts(num_values, values, values_sizes).Get()));
}

void rocksdb_writebatch_putv_cf(rocksdb_writebatch_t* batch,
                                rocksdb_column_family_handle_t* column_family,
                                int num_keys, const char* const* keys,
                                const size_t* keys_sizes, int num_values,
                                const char* const* values,
                                const size_t* values_sizes) {
  Added(batch, batch->rep.Put(column_family->rep,
                              Parts(num_keys, keys, keys_sizes).Get(),
                              Parts(num_values, values, values_sizes).Get()));
}

void rocksdb_writebatch_merge(rocksdb_writebatch_t* batch, const char* key,
                              size_t key_size, const char* value,
                              size_t value_size) {
  Added(batch,
        batch->rep.Merge(BytesOf(key, key_size), BytesOf(value, value_size)));
}

void rocksdb_writebatch_merge_cf(rocksdb_writebatch_t* batch,
                                 rocksdb_column_family_handle_t* column_family,
                                 const char* key, size_t key_size,
                                 const char* value, size_t value_size) {
  Added(batch, batch->rep.Merge(column_family->rep, BytesOf(key, key_size),
                                BytesOf(value, value_size)));
}

void rocksdb_writebatch_mergev(rocksdb_writebatch_t* batch, int num_keys,
                               const char* const* keys,
                               const size_t* keys_sizes, int num_values,
                               const char* const* values,
                               const size_t* values_sizes) {
  Added(batch, batch->rep.Merge(Parts(num_keys, keys, keys_sizes).Get(),
                                Parts(num_values, values, values_sizes).Get()));
}

void rocksdb_writebatch_mergev_cf(rocksdb_writebatch_t* batch,
                                  rocksdb_column_family_handle_t* column_family,
                                  int num_keys, const char* const* keys,
                                  const size_t* keys_sizes, int num_values,
                                  const char* const* values,
                                  const size_t* values_sizes) {
  Added(batch, batch->rep.Merge(column_family->rep,
                                Parts(num_keys, keys, keys_sizes).Get(),
                                Parts(num_values, values, values_sizes).Get()));
}

void rocksdb_writebatch_delete(rocksdb_writebatch_t* batch, const char* key,
                               size_t key_size) {
  Added(batch, batch->rep.Delete(BytesOf(key, key_size)));
}

void rocksdb_writebatch_delete_cf(rocksdb_writebatch_t* batch,
                                  rocksdb_column_family_handle_t* column_family,
                                  const char* key, size_t key_size) {
  Added(batch, batch->rep.Delete(column_family->rep, BytesOf(key, key_size)));
}

void rocksdb_writebatch_delete_cf_with_ts(
    rocksdb_writebatch_t* batch, rocksdb_column_family_handle_t* column_family,
    const char* key, size_t key_size, const char* ts, size_t ts_size) {
  Added(batch, batch->rep.Delete(column_family->rep, BytesOf(key, key_size),
                                 BytesOf(ts, ts_size)));
}

void rocksdb_writebatch_singledelete(rocksdb_writebatch_t* batch,
                                     const char* key, size_t key_size) {
  Added(batch, batch->rep.SingleDelete(BytesOf(key, key_size)));
}

void rocksdb_writebatch_singledelete_cf(
    rocksdb_writebatch_t* batch, rocksdb_column_family_handle_t* column_family,
    const char* key, size_t key_size) {
  Added(batch,
        batch->rep.SingleDelete(column_family->rep, BytesOf(key, key_size)));
}

void rocksdb_writebatch_singledelete_cf_with_ts(
    rocksdb_writebatch_t* batch, rocksdb_column_family_handle_t* column_family,
    const char* key, size_t key_size, const char* ts, size_t ts_size) {
  Added(batch,
        batch->rep.SingleDelete(column_family->rep, BytesOf(key, key_size),
                                BytesOf(ts, ts_size)));
}

void rocksdb_writebatch_deletev(rocksdb_writebatch_t* batch, int num_keys,
                                const char* const* keys,
                                const size_t* keys_sizes) {
  Added(batch, batch->rep.Delete(Parts(num_keys, keys, keys_sizes).Get()));
}

void rocksdb_writebatch_deletev_cf(
    rocksdb_writebatch_t* batch, rocksdb_column_family_handle_t* column_family,
    int num_keys, const char* const* keys, const size_t* keys_sizes) {
  Added(batch, batch->rep.Delete(column_family->rep,
                                 Parts(num_keys, keys, keys_sizes).Get()));
}

// Every key in [start_key, end_key).
void rocksdb_writebatch_delete_range(rocksdb_writebatch_t* batch,
                                     const char* start_key,
                                     size_t start_key_size, const char* end_key,
                                     size_t end_key_size) {
  Added(batch, batch->rep.DeleteRange(BytesOf(start_key, start_key_size),
                                      BytesOf(end_key, end_key_size)));
}

void rocksdb_writebatch_delete_range_cf(
    rocksdb_writebatch_t* batch, rocksdb_column_family_handle_t* column_family,
    const char* start_key, size_t start_key_size, const char* end_key,
    size_t end_key_size) {
  Added(batch, batch->rep.DeleteRange(column_family->rep,
                                      BytesOf(start_key, start_key_size),
                                      BytesOf(end_key, end_key_size)));
}

void rocksdb_writebatch_delete_rangev(rocksdb_writebatch_t* batch,
                                      int num_start_keys,
                                      const char* const* start_keys,
                                      const size_t* start_keys_sizes,
                                      const char* const* end_keys,
                                      const size_t* end_keys_sizes) {
  Added(batch, batch->rep.DeleteRange(
                   Parts(num_start_keys, start_keys, start_keys_sizes).Get(),
                   Parts(num_start_keys, end_keys, end_keys_sizes).Get()));
}

void rocksdb_writebatch_delete_rangev_cf(
    rocksdb_writebatch_t* batch, rocksdb_column_family_handle_t* column_family,
    int num_start_keys, const char* const* start_keys,
    const size_t* start_keys_sizes, const char* const* end_keys,
    const size_t* end_keys_sizes) {
  Added(batch, batch->rep.DeleteRange(
                   column_family->rep,
                   Parts(num_start_keys, start_keys, start_keys_sizes).Get(),
                   Parts(num_start_keys, end_keys, end_keys_sizes).Get()));
}

// Bytes that stand in the log and are no update.
void rocksdb_writebatch_put_log_data(rocksdb_writebatch_t* batch,
                                     const char* blob, size_t blob_size) {
  Added(batch, batch->rep.PutLogData(BytesOf(blob, blob_size)));
}

void rocksdb_writebatch_set_save_point(rocksdb_writebatch_t* batch) {
  batch->rep.SetSavePoint();
  batch->left_out.NoteSavePoint();
}

// Takes back what was added since the last save point, and what was refused.
void rocksdb_writebatch_rollback_to_save_point(rocksdb_writebatch_t* batch,
                                               char** errptr) {
  if (IsNull(batch, "batch", errptr)) return;
  if (Fails(batch->rep.RollbackToSavePoint(), errptr)) return;
  batch->left_out.NoteRollback();
}

// Forgets the last save point and keeps the updates.
void rocksdb_writebatch_pop_save_point(rocksdb_writebatch_t* batch,
                                       char** errptr) {
  if (IsNull(batch, "batch", errptr)) return;
  if (Fails(batch->rep.PopSavePoint(), errptr)) return;
  batch->left_out.NotePop();
}

// Tells the updates of the default family in order; merges and ranges are not
// told. Bytes are valid during the callback.
void rocksdb_writebatch_iterate(rocksdb_writebatch_t* batch, void* state,
                                void (*put)(void*, const char* key,
                                            size_t key_size, const char* value,
                                            size_t value_size),
                                void (*deleted)(void*, const char* key,
                                                size_t key_size)) {
  Teller teller(state);
  teller.put = put;
  teller.deleted = deleted;
  Tell(batch->rep, &teller);
}

// The same, and what rocksdb_writebatch_put_log_data() added.
void rocksdb_writebatch_iterate_ld(
    rocksdb_writebatch_t* batch, void* state,
    void (*put)(void*, const char* key, size_t key_size, const char* value,
                size_t value_size),
    void (*deleted)(void*, const char* key, size_t key_size),
    void (*log_data)(void*, const char* blob, size_t blob_size)) {
  Teller teller(state);
  teller.put = put;
  teller.deleted = deleted;
  teller.log_data = log_data;
  Tell(batch->rep, &teller);
}

// Tells the updates of all families, with the ids of these.
void rocksdb_writebatch_iterate_cf(
    rocksdb_writebatch_t* batch, void* state,
    void (*put_cf)(void*, uint32_t id, const char* key, size_t key_size,
                   const char* value, size_t value_size),
    void (*deleted_cf)(void*, uint32_t id, const char* key, size_t key_size),
    void (*merge_cf)(void*, uint32_t id, const char* key, size_t key_size,
                     const char* value, size_t value_size)) {
  Teller teller(state);
  teller.put_cf = put_cf;
  teller.deleted_cf = deleted_cf;
  teller.merge_cf = merge_cf;
  Tell(batch->rep, &teller);
}

void rocksdb_writebatch_iterate_cf_ld(
    rocksdb_writebatch_t* batch, void* state,
    void (*put_cf)(void*, uint32_t id, const char* key, size_t key_size,
                   const char* value, size_t value_size),
    void (*deleted_cf)(void*, uint32_t id, const char* key, size_t key_size),
    void (*merge_cf)(void*, uint32_t id, const char* key, size_t key_size,
                     const char* value, size_t value_size),
    void (*log_data)(void*, const char* blob, size_t blob_size)) {
  Teller teller(state);
  teller.put_cf = put_cf;
  teller.deleted_cf = deleted_cf;
  teller.merge_cf = merge_cf;
  teller.log_data = log_data;
  Tell(batch->rep, &teller);
}

// Sets the timestamp of every key; `get_ts_size` gives the size of timestamps
// of a family, and SIZE_MAX for one that is not known.
void rocksdb_writebatch_update_timestamps(
    rocksdb_writebatch_t* batch, const char* ts, size_t ts_size, void* state,
    size_t (*get_ts_size)(void*, uint32_t id), char** errptr) {
  if (IsNull(batch, "batch", errptr)) return;
  if (get_ts_size == nullptr) {
    TellNull("get_ts_size", errptr);
    return;
  }
  const auto size_of = [&](uint32_t id) { return get_ts_size(state, id); };
  (void)Fails(batch->rep.UpdateTimestamps(BytesOf(ts, ts_size), size_of),
              errptr);
}

void rocksdb_writebatch_verify_checksum(rocksdb_writebatch_t* batch,
                                        char** errptr) {
  if (IsNull(batch, "batch", errptr)) return;
  (void)Fails(batch->rep.VerifyChecksum(), errptr);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
