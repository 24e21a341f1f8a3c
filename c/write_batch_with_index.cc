// Batches of updates that can be read before they are written.
//
// Threads  A batch belongs to one thread at a time, with its iterators.
// Errors   As of plain batches: an update that does not fit is left out, and
//          one that is refused makes rocksdb_write_writebatch_wi() fail.
// Without a column family, the batch alone cannot merge: those calls fail where
// it has operands.

#include "rocksdb/utilities/write_batch_with_index.h"

#include "c/batch_parts.h"
#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

rocksdb_writebatch_wi_t* OwnIndexed(
    std::unique_ptr<WriteBatchWithIndex> batch) {
  auto* result = Own<rocksdb_writebatch_wi_t>();
  result->rep = batch.get();
  result->owned = std::move(batch);
  return result;
}

void Added(rocksdb_writebatch_wi_t* batch, const Status& status) {
  const bool is_refused = status.IsNotSupported() || status.IsInvalidArgument();
  if (is_refused) {
    // The batch of a transaction goes by rocksdb_free(), without the memory of
    // a text.
    batch->left_out.Note(batch->owned != nullptr   ? status
                         : status.IsNotSupported() ? Status::NotSupported()
                                                   : Status::InvalidArgument());
  }
  IgnoreError(status, "the C interface has no error channel here");
}

// A key that is not there is no error.
bool IsFound(const Status& status, char** errptr) {
  if (status.ok()) return true;
  if (!status.IsNotFound()) (void)Fails(status, errptr);
  return false;
}

char* GetFromBatch(rocksdb_writebatch_wi_t* batch, ColumnFamilyHandle* family,
                   const Slice& key, size_t* value_size, char** errptr) {
  std::string value;
  const Status s = batch->rep->GetFromBatch(family, DBOptions(), key, &value);
  if (!IsFound(s, errptr)) return nullptr;
  if (value_size != nullptr) *value_size = value.size();
  return CopyBytes(value);
}

// One lookup in a batch and a database.
struct LookupThroughBatch {
  rocksdb_writebatch_wi_t* batch;
  rocksdb_t* db;
  const rocksdb_readoptions_t* options;
  ColumnFamilyHandle* family;  // null: the default one
  Slice key;

  bool IsAnyNull(char** errptr) const {
    return IsNull(batch, "batch", errptr) || IsNull(db, "db", errptr) ||
           IsNull(options, "options", errptr);
  }
  bool Run(PinnableSlice* value, char** errptr) const {
    ColumnFamilyHandle* const asked =
        family != nullptr ? family : db->rep->DefaultColumnFamily();
    return IsFound(
        batch->rep->GetFromBatchAndDB(db->rep, options->rep, asked, key, value),
        errptr);
  }
  char* Copy(size_t* value_size, char** errptr) const {
    if (value_size != nullptr) *value_size = 0;
    PinnableSlice value;
    if (IsAnyNull(errptr) || !Run(&value, errptr)) return nullptr;
    if (value_size != nullptr) *value_size = value.size();
    return CopyBytes(value);
  }
  rocksdb_pinnableslice_t* Pin(char** errptr) const {
    auto handle = std::make_unique<rocksdb_pinnableslice_t>();
    if (IsAnyNull(errptr) || !Run(&handle->rep, errptr)) return nullptr;
    return handle.release();
  }
};

// The cursor over both takes the place of `base`.
rocksdb_iterator_t* OverBase(rocksdb_writebatch_wi_t* batch,
                             rocksdb_iterator_t* base,
                             ColumnFamilyHandle* family,
                             const ReadOptions* options) {
  auto* result = Own<rocksdb_iterator_t>();
  result->rep.reset(
      batch->rep->NewIteratorWithBase(family, base->rep.release(), options));
  End(base);
  return result;
}

}  // namespace

extern "C" {

// `overwrite_key`: an update takes the place of those of the same key.
rocksdb_writebatch_wi_t* rocksdb_writebatch_wi_create(
    size_t reserved_bytes, unsigned char overwrite_key) {
  return OwnIndexed(std::make_unique<WriteBatchWithIndex>(
      BytewiseComparator(), reserved_bytes, overwrite_key != 0));
}

// `backup_index_comparator`, which goes after the batch, orders the keys of
// families that are not given by handle; NULL is by bytes. `max_bytes` 0 is no
// limit.
rocksdb_writebatch_wi_t* rocksdb_writebatch_wi_create_with_params(
    rocksdb_comparator_t* backup_index_comparator, size_t reserved_bytes,
    unsigned char overwrite_key, size_t max_bytes,
    size_t protection_bytes_per_key) {
  const Comparator* order = backup_index_comparator != nullptr
                                ? backup_index_comparator->rep.get()
                                : BytewiseComparator();
  return OwnIndexed(std::make_unique<WriteBatchWithIndex>(
      order, reserved_bytes, overwrite_key != 0, max_bytes,
      protection_bytes_per_key));
}

void rocksdb_writebatch_wi_destroy(rocksdb_writebatch_wi_t* batch) {
  End(batch);
}

void rocksdb_writebatch_wi_clear(rocksdb_writebatch_wi_t* batch) {
  batch->left_out.Clear();
  batch->rep->Clear();
}

int rocksdb_writebatch_wi_count(rocksdb_writebatch_wi_t* batch) {
  return static_cast<int>(batch->rep->GetWriteBatch()->Count());
}

// The batch as it would stand in a log; until the batch changes.
const char* rocksdb_writebatch_wi_data(rocksdb_writebatch_wi_t* batch,
                                       size_t* size) {
  return Lend(batch->rep->GetWriteBatch()->Data(), size);
}

void rocksdb_writebatch_wi_put(rocksdb_writebatch_wi_t* batch, const char* key,
                               size_t key_size, const char* value,
                               size_t value_size) {
  Added(batch,
        batch->rep->Put(BytesOf(key, key_size), BytesOf(value, value_size)));
}

void rocksdb_writebatch_wi_put_cf(rocksdb_writebatch_wi_t* batch,
                                  rocksdb_column_family_handle_t* column_family,
                                  const char* key, size_t key_size,
                                  const char* value, size_t value_size) {
  Added(batch, batch->rep->Put(column_family->rep, BytesOf(key, key_size),
                               BytesOf(value, value_size)));
}

void rocksdb_writebatch_wi_putv(rocksdb_writebatch_wi_t* batch, int num_keys,
                                const char* const* keys,
                                const size_t* keys_sizes, int num_values,
                                const char* const* values,
                                const size_t* values_sizes) {
  Added(batch, batch->rep->Put(Parts(num_keys, keys, keys_sizes).Get(),
                               Parts(num_values, values, values_sizes).Get()));
}

void rocksdb_writebatch_wi_putv_cf(
    rocksdb_writebatch_wi_t* batch,
    rocksdb_column_family_handle_t* column_family, int num_keys,
    const char* const* keys, const size_t* keys_sizes, int num_values,
    const char* const* values, const size_t* values_sizes) {
  Added(batch, batch->rep->Put(column_family->rep,
                               Parts(num_keys, keys, keys_sizes).Get(),
                               Parts(num_values, values, values_sizes).Get()));
}

void rocksdb_writebatch_wi_merge(rocksdb_writebatch_wi_t* batch,
                                 const char* key, size_t key_size,
                                 const char* value, size_t value_size) {
  Added(batch,
        batch->rep->Merge(BytesOf(key, key_size), BytesOf(value, value_size)));
}

void rocksdb_writebatch_wi_merge_cf(
    rocksdb_writebatch_wi_t* batch,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, const char* value, size_t value_size) {
  Added(batch, batch->rep->Merge(column_family->rep, BytesOf(key, key_size),
                                 BytesOf(value, value_size)));
}

void rocksdb_writebatch_wi_mergev(rocksdb_writebatch_wi_t* batch, int num_keys,
                                  const char* const* keys,
                                  const size_t* keys_sizes, int num_values,
                                  const char* const* values,
                                  const size_t* values_sizes) {
  Added(batch,
        batch->rep->Merge(Parts(num_keys, keys, keys_sizes).Get(),
                          Parts(num_values, values, values_sizes).Get()));
}

void rocksdb_writebatch_wi_mergev_cf(
    rocksdb_writebatch_wi_t* batch,
    rocksdb_column_family_handle_t* column_family, int num_keys,
    const char* const* keys, const size_t* keys_sizes, int num_values,
    const char* const* values, const size_t* values_sizes) {
  Added(batch, batch->rep->Merge(
                   column_family->rep, Parts(num_keys, keys, keys_sizes).Get(),
                   Parts(num_values, values, values_sizes).Get()));
}

void rocksdb_writebatch_wi_delete(rocksdb_writebatch_wi_t* batch,
                                  const char* key, size_t key_size) {
  Added(batch, batch->rep->Delete(BytesOf(key, key_size)));
}

void rocksdb_writebatch_wi_delete_cf(
    rocksdb_writebatch_wi_t* batch,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size) {
  Added(batch, batch->rep->Delete(column_family->rep, BytesOf(key, key_size)));
}

void rocksdb_writebatch_wi_singledelete(rocksdb_writebatch_wi_t* batch,
                                        const char* key, size_t key_size) {
  Added(batch, batch->rep->SingleDelete(BytesOf(key, key_size)));
}

void rocksdb_writebatch_wi_singledelete_cf(
    rocksdb_writebatch_wi_t* batch,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size) {
  Added(batch,
        batch->rep->SingleDelete(column_family->rep, BytesOf(key, key_size)));
}

void rocksdb_writebatch_wi_deletev(rocksdb_writebatch_wi_t* batch, int num_keys,
                                   const char* const* keys,
                                   const size_t* keys_sizes) {
  Added(batch, batch->rep->Delete(Parts(num_keys, keys, keys_sizes).Get()));
}

void rocksdb_writebatch_wi_deletev_cf(
    rocksdb_writebatch_wi_t* batch,
    rocksdb_column_family_handle_t* column_family, int num_keys,
    const char* const* keys, const size_t* keys_sizes) {
  Added(batch, batch->rep->Delete(column_family->rep,
                                  Parts(num_keys, keys, keys_sizes).Get()));
}

// Every key in [start_key, end_key).
void rocksdb_writebatch_wi_delete_range(rocksdb_writebatch_wi_t* batch,
                                        const char* start_key,
                                        size_t start_key_size,
                                        const char* end_key,
                                        size_t end_key_size) {
  Added(batch, batch->rep->DeleteRange(BytesOf(start_key, start_key_size),
                                       BytesOf(end_key, end_key_size)));
}

void rocksdb_writebatch_wi_delete_range_cf(
    rocksdb_writebatch_wi_t* batch,
    rocksdb_column_family_handle_t* column_family, const char* start_key,
    size_t start_key_size, const char* end_key, size_t end_key_size) {
  Added(batch, batch->rep->DeleteRange(column_family->rep,
                                       BytesOf(start_key, start_key_size),
                                       BytesOf(end_key, end_key_size)));
}

void rocksdb_writebatch_wi_delete_rangev(rocksdb_writebatch_wi_t* batch,
                                         int num_start_keys,
                                         const char* const* start_keys,
                                         const size_t* start_keys_sizes,
                                         const char* const* end_keys,
                                         const size_t* end_keys_sizes) {
  Added(batch, batch->rep->DeleteRange(
                   Parts(num_start_keys, start_keys, start_keys_sizes).Get(),
                   Parts(num_start_keys, end_keys, end_keys_sizes).Get()));
}

void rocksdb_writebatch_wi_delete_rangev_cf(
    rocksdb_writebatch_wi_t* batch,
    rocksdb_column_family_handle_t* column_family, int num_start_keys,
    const char* const* start_keys, const size_t* start_keys_sizes,
    const char* const* end_keys, const size_t* end_keys_sizes) {
  Added(batch, batch->rep->DeleteRange(
                   column_family->rep,
                   Parts(num_start_keys, start_keys, start_keys_sizes).Get(),
                   Parts(num_start_keys, end_keys, end_keys_sizes).Get()));
}

// Bytes that stand in the log and are no update.
void rocksdb_writebatch_wi_put_log_data(rocksdb_writebatch_wi_t* batch,
                                        const char* blob, size_t blob_size) {
  Added(batch, batch->rep->PutLogData(BytesOf(blob, blob_size)));
}

void rocksdb_writebatch_wi_set_save_point(rocksdb_writebatch_wi_t* batch) {
  batch->rep->SetSavePoint();
  batch->left_out.NoteSavePoint();
}

// Takes back what was added since the last save point, and what was refused.
void rocksdb_writebatch_wi_rollback_to_save_point(
    rocksdb_writebatch_wi_t* batch, char** errptr) {
  if (IsNull(batch, "batch", errptr)) return;
  if (Fails(batch->rep->RollbackToSavePoint(), errptr)) return;
  batch->left_out.NoteRollback();
}

// Tells the updates of the default family in order; merges are not told. Bytes
// are valid during the callback.
void rocksdb_writebatch_wi_iterate(
    rocksdb_writebatch_wi_t* batch, void* state,
    void (*put)(void*, const char* key, size_t key_size, const char* value,
                size_t value_size),
    void (*deleted)(void*, const char* key, size_t key_size)) {
  Teller teller(state);
  teller.put = put;
  teller.deleted = deleted;
  Tell(*batch->rep->GetWriteBatch(), &teller);
}

// Sets the timestamp of every key; `get_ts_size` gives the size of timestamps
// of a family, and SIZE_MAX for one that is not known.
void rocksdb_writebatch_wi_update_timestamps(
    rocksdb_writebatch_wi_t* batch, const char* ts, size_t ts_size, void* state,
    size_t (*get_ts_size)(void*, uint32_t id), char** errptr) {
  if (IsNull(batch, "batch", errptr)) return;
  if (get_ts_size == nullptr) {
    TellNull("get_ts_size", errptr);
    return;
  }
  const auto size_of = [&](uint32_t id) { return get_ts_size(state, id); };
  (void)Fails(batch->rep->GetWriteBatch()->UpdateTimestamps(
                  BytesOf(ts, ts_size), size_of),
              errptr);
}

// What the batch alone says of a key, a copy for rocksdb_free().
char* rocksdb_writebatch_wi_get_from_batch(rocksdb_writebatch_wi_t* batch,
                                           const rocksdb_options_t* options,
                                           const char* key, size_t key_size,
                                           size_t* value_size, char** errptr) {
  if (value_size != nullptr) *value_size = 0;
  if (IsNull(batch, "batch", errptr) || IsNull(options, "options", errptr)) {
    return nullptr;
  }
  return GetFromBatch(batch, nullptr, BytesOf(key, key_size), value_size,
                      errptr);
}

char* rocksdb_writebatch_wi_get_from_batch_cf(
    rocksdb_writebatch_wi_t* batch, const rocksdb_options_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, size_t* value_size, char** errptr) {
  if (value_size != nullptr) *value_size = 0;
  if (IsNull(batch, "batch", errptr) || IsNull(options, "options", errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return nullptr;
  }
  return GetFromBatch(batch, column_family->rep, BytesOf(key, key_size),
                      value_size, errptr);
}

// What the database would say if the batch had been written, a copy for
// rocksdb_free().
char* rocksdb_writebatch_wi_get_from_batch_and_db(
    rocksdb_writebatch_wi_t* batch, rocksdb_t* db,
    const rocksdb_readoptions_t* options, const char* key, size_t key_size,
    size_t* value_size, char** errptr) {
  return LookupThroughBatch{batch, db, options, nullptr, BytesOf(key, key_size)}
      .Copy(value_size, errptr);
}

char* rocksdb_writebatch_wi_get_from_batch_and_db_cf(
    rocksdb_writebatch_wi_t* batch, rocksdb_t* db,
    const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, size_t* value_size, char** errptr) {
  if (value_size != nullptr) *value_size = 0;
  if (IsNull(column_family, "column_family", errptr)) return nullptr;
  return LookupThroughBatch{batch, db, options, column_family->rep,
                            BytesOf(key, key_size)}
      .Copy(value_size, errptr);
}

// The same without a copy where the database has the value.
rocksdb_pinnableslice_t* rocksdb_writebatch_wi_get_pinned_from_batch_and_db(
    rocksdb_writebatch_wi_t* batch, rocksdb_t* db,
    const rocksdb_readoptions_t* options, const char* key, size_t key_size,
    char** errptr) {
  return LookupThroughBatch{batch, db, options, nullptr, BytesOf(key, key_size)}
      .Pin(errptr);
}

rocksdb_pinnableslice_t* rocksdb_writebatch_wi_get_pinned_from_batch_and_db_cf(
    rocksdb_writebatch_wi_t* batch, rocksdb_t* db,
    const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, char** errptr) {
  if (IsNull(column_family, "column_family", errptr)) return nullptr;
  return LookupThroughBatch{batch, db, options, column_family->rep,
                            BytesOf(key, key_size)}
      .Pin(errptr);
}

// An iterator over the batch and what `base` is over. It takes the place of
// `base`, which is not to be destroyed any more, and goes before the batch.
rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base(
    rocksdb_writebatch_wi_t* batch, rocksdb_iterator_t* base) {
  return OverBase(batch, base, nullptr, nullptr);
}

rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base_cf(
    rocksdb_writebatch_wi_t* batch, rocksdb_iterator_t* base,
    rocksdb_column_family_handle_t* column_family) {
  return OverBase(batch, base, column_family->rep, nullptr);
}

// The bounds in `options` hold for the batch too.
rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base_readopts(
    rocksdb_writebatch_wi_t* batch, rocksdb_iterator_t* base,
    const rocksdb_readoptions_t* options) {
  return OverBase(batch, base, nullptr, &options->rep);
}

rocksdb_iterator_t* rocksdb_writebatch_wi_create_iterator_with_base_cf_readopts(
    rocksdb_writebatch_wi_t* batch, rocksdb_iterator_t* base,
    rocksdb_column_family_handle_t* column_family,
    const rocksdb_readoptions_t* options) {
  return OverBase(batch, base, column_family->rep, &options->rep);
}

void rocksdb_write_writebatch_wi(rocksdb_t* db,
                                 const rocksdb_writeoptions_t* options,
                                 rocksdb_writebatch_wi_t* batch,
                                 char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr) ||
      IsNull(batch, "batch", errptr)) {
    return;
  }
  if (Fails(batch->left_out.status(), errptr)) return;
  (void)Fails(db->rep->Write(options->rep, batch->rep->GetWriteBatch()),
              errptr);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
