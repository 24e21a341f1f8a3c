// Transactions of both kinds, once they have begun.
//
// Threads  A transaction belongs to one thread at a time, with its iterators.

#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "c/handles.h"
#include "rocksdb/utilities/transaction.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

// Runs a call that can fail.
template <class Call>
void OnTxn(rocksdb_transaction_t* txn, char** errptr, const Call& call) {
  if (IsNull(txn, "txn", errptr)) return;
  (void)Fails(call(txn->rep.get()), errptr);
}

template <class Call>
void OnTxn(rocksdb_transaction_t* txn,
           rocksdb_column_family_handle_t* column_family, char** errptr,
           const Call& call) {
  if (IsNull(txn, "txn", errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  (void)Fails(call(txn->rep.get(), column_family->rep), errptr);
}

// One lookup in a transaction. A key that is not there is no error.
struct TxnLookup {
  enum class Kind { kPlain, kForUpdate };
  rocksdb_transaction_t* txn;
  const rocksdb_readoptions_t* options;
  ColumnFamilyHandle* family;  // null: the default one
  Slice key;
  Kind kind = Kind::kPlain;
  bool is_exclusive = true;

  bool Run(PinnableSlice* value, char** errptr) const {
    if (IsNull(txn, "txn", errptr) || IsNull(options, "options", errptr)) {
      return false;
    }
    Transaction* const rep = txn->rep.get();
    Status s;
    if (kind == Kind::kForUpdate) {
      s = rep->GetForUpdate(options->rep, family, key, value, is_exclusive);
    } else {
      s = rep->Get(options->rep, family, key, value);
    }
    if (s.ok()) return true;
    if (!s.IsNotFound()) (void)Fails(s, errptr);
    return false;
  }
  char* Copy(size_t* value_size, char** errptr) const {
    if (value_size != nullptr) *value_size = 0;
    PinnableSlice value;
    if (!Run(&value, errptr)) return nullptr;
    if (value_size != nullptr) *value_size = value.size();
    return CopyBytes(value);
  }
  rocksdb_pinnableslice_t* Pin(char** errptr) const {
    auto handle = std::make_unique<rocksdb_pinnableslice_t>();
    return Run(&handle->rep, errptr) ? handle.release() : nullptr;
  }
};

// What a read of several keys answers, key by key.
struct TxnAnswers {
  char** values;
  size_t* sizes;
  char** errors;
};

template <class Read>
void ReadManyOf(rocksdb_transaction_t* txn,
                const rocksdb_readoptions_t* options, size_t count,
                const TxnAnswers& answers, const Read& read) {
  std::vector<std::string> values;
  std::vector<Status> statuses;
  if (txn == nullptr || options == nullptr) {
    statuses.assign(count, Status::InvalidArgument(
                               txn == nullptr ? "txn" : "options", "is NULL"));
  } else {
    statuses = read(txn->rep.get(), &values);
  }
  values.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const bool is_there = statuses[i].ok();
    answers.values[i] = is_there ? CopyBytes(values[i]) : nullptr;
    answers.sizes[i] = is_there ? values[i].size() : 0;
    answers.errors[i] = nullptr;
    if (!statuses[i].IsNotFound()) {
      (void)Fails(statuses[i], &answers.errors[i]);
    }
  }
}

// Reads with the families of the keys, or fails each key if one is missing.
template <class Read>
std::vector<Status> ReadFamilies(
    size_t count, const rocksdb_column_family_handle_t* const* families,
    const Read& read) {
  std::vector<ColumnFamilyHandle*> all;
  for (size_t i = 0; i < count; ++i) {
    if (families == nullptr || families[i] == nullptr) {
      return std::vector<Status>(
          count, Status::InvalidArgument("column_families", "is NULL"));
    }
    all.push_back(families[i]->rep);
  }
  return read(all);
}

rocksdb_iterator_t* TxnIteratorOf(rocksdb_transaction_t* txn,
                                  const rocksdb_readoptions_t* options,
                                  ColumnFamilyHandle* family) {
  auto* result = Own<rocksdb_iterator_t>();
  result->rep.reset(txn->rep->GetIterator(options->rep, family));
  return result;
}

// A handle that rocksdb_free() frees: it owns nothing.
template <class Handle>
Handle* Lent() {
  void* const memory = malloc(sizeof(Handle));
  return memory != nullptr ? new (memory) Handle() : nullptr;
}

}  // namespace

extern "C" {

// The first of two phases; the transaction needs a name.
void rocksdb_transaction_prepare(rocksdb_transaction_t* txn, char** errptr) {
  OnTxn(txn, errptr, [](Transaction* t) { return t->Prepare(); });
}

void rocksdb_transaction_commit(rocksdb_transaction_t* txn, char** errptr) {
  OnTxn(txn, errptr, [](Transaction* t) { return t->Commit(); });
}

void rocksdb_transaction_rollback(rocksdb_transaction_t* txn, char** errptr) {
  OnTxn(txn, errptr, [](Transaction* t) { return t->Rollback(); });
}

// An error if there is none.
void rocksdb_transaction_rollback_to_savepoint(rocksdb_transaction_t* txn,
                                               char** errptr) {
  OnTxn(txn, errptr, [](Transaction* t) { return t->RollbackToSavePoint(); });
}

void rocksdb_transaction_set_savepoint(rocksdb_transaction_t* txn) {
  if (txn != nullptr) txn->rep->SetSavePoint();
}

// Rolls back what is not finished; what is prepared stays so.
void rocksdb_transaction_destroy(rocksdb_transaction_t* txn) { End(txn); }

void rocksdb_transaction_set_name(rocksdb_transaction_t* txn, const char* name,
                                  size_t name_size, char** errptr) {
  OnTxn(txn, errptr, [&](Transaction* t) {
    return t->SetName(BytesOf(name, name_size).ToString());
  });
}

// A copy, for rocksdb_free(); empty without a name.
char* rocksdb_transaction_get_name(rocksdb_transaction_t* txn,
                                   size_t* name_size) {
  if (name_size != nullptr) *name_size = 0;
  if (txn == nullptr) return nullptr;
  const std::string name = txn->rep->GetName();
  if (name_size != nullptr) *name_size = name.size();
  return CopyBytes(name);
}

// Refused where it cannot be: the commit fails then.
void rocksdb_transaction_set_commit_timestamp(rocksdb_transaction_t* txn,
                                              uint64_t timestamp) {
  if (txn == nullptr) return;
  IgnoreError(txn->rep->SetCommitTimestamp(timestamp),
              "the C interface has no error channel here");
}

void rocksdb_transaction_set_read_timestamp_for_validation(
    rocksdb_transaction_t* txn, uint64_t timestamp) {
  if (txn == nullptr) return;
  IgnoreError(txn->rep->SetReadTimestampForValidation(timestamp),
              "the C interface has no error channel here");
}

// For rocksdb_free(), not to be released. Without a snapshot of the
// transaction, reads with it see the present state.
const rocksdb_snapshot_t* rocksdb_transaction_get_snapshot(
    rocksdb_transaction_t* txn) {
  if (txn == nullptr) return nullptr;
  auto* result = Lent<rocksdb_snapshot_t>();
  if (result != nullptr) result->rep = txn->rep->GetSnapshot();
  return result;
}

// The transaction's own batch, valid as long as that; for rocksdb_free().
rocksdb_writebatch_wi_t* rocksdb_transaction_get_writebatch_wi(
    rocksdb_transaction_t* txn) {
  if (txn == nullptr) return nullptr;
  auto* result = Lent<rocksdb_writebatch_wi_t>();
  if (result != nullptr) result->rep = txn->rep->GetWriteBatch();
  return result;
}

// Does what the batch says. On an error, what came before it stays. A batch
// that rocksdb_write() would refuse is refused here, too.
void rocksdb_transaction_rebuild_from_writebatch(rocksdb_transaction_t* txn,
                                                 rocksdb_writebatch_t* batch,
                                                 char** errptr) {
  if (IsNull(batch, "batch", errptr) || Fails(batch->left_out.status(), errptr))
    return;
  OnTxn(txn, errptr, [batch](Transaction* t) {
    return t->RebuildFromWriteBatch(&batch->rep);
  });
}

void rocksdb_transaction_rebuild_from_writebatch_wi(
    rocksdb_transaction_t* txn, rocksdb_writebatch_wi_t* batch, char** errptr) {
  if (IsNull(batch, "batch", errptr) || Fails(batch->left_out.status(), errptr))
    return;
  OnTxn(txn, errptr, [batch](Transaction* t) {
    return t->RebuildFromWriteBatch(batch->rep->GetWriteBatch());
  });
}

// --- writing

void rocksdb_transaction_put(rocksdb_transaction_t* txn, const char* key,
                             size_t key_size, const char* value,
                             size_t value_size, char** errptr) {
  OnTxn(txn, errptr, [&](Transaction* t) {
    return t->Put(BytesOf(key, key_size), BytesOf(value, value_size));
  });
}

void rocksdb_transaction_put_cf(rocksdb_transaction_t* txn,
                                rocksdb_column_family_handle_t* column_family,
                                const char* key, size_t key_size,
                                const char* value, size_t value_size,
                                char** errptr) {
  OnTxn(txn, column_family, errptr,
        [&](Transaction* t, ColumnFamilyHandle* family) {
          return t->Put(family, BytesOf(key, key_size),
                        BytesOf(value, value_size));
        });
}

void rocksdb_transaction_merge(rocksdb_transaction_t* txn, const char* key,
                               size_t key_size, const char* value,
                               size_t value_size, char** errptr) {
  OnTxn(txn, errptr, [&](Transaction* t) {
    return t->Merge(BytesOf(key, key_size), BytesOf(value, value_size));
  });
}

void rocksdb_transaction_merge_cf(rocksdb_transaction_t* txn,
                                  rocksdb_column_family_handle_t* column_family,
                                  const char* key, size_t key_size,
                                  const char* value, size_t value_size,
                                  char** errptr) {
  OnTxn(txn, column_family, errptr,
        [&](Transaction* t, ColumnFamilyHandle* family) {
          return t->Merge(family, BytesOf(key, key_size),
                          BytesOf(value, value_size));
        });
}

void rocksdb_transaction_delete(rocksdb_transaction_t* txn, const char* key,
                                size_t key_size, char** errptr) {
  OnTxn(txn, errptr,
        [&](Transaction* t) { return t->Delete(BytesOf(key, key_size)); });
}

void rocksdb_transaction_delete_cf(
    rocksdb_transaction_t* txn, rocksdb_column_family_handle_t* column_family,
    const char* key, size_t key_size, char** errptr) {
  OnTxn(txn, column_family, errptr,
        [&](Transaction* t, ColumnFamilyHandle* family) {
          return t->Delete(family, BytesOf(key, key_size));
        });
}

// For the log alone.
void rocksdb_transaction_put_log_data(rocksdb_transaction_t* txn,
                                      const char* blob, size_t blob_size) {
  if (txn != nullptr) txn->rep->PutLogData(BytesOf(blob, blob_size));
}

// --- reading. The transaction's own writes are seen.

// A copy of the value, for rocksdb_free(); NULL and no error if it is not
// there.
char* rocksdb_transaction_get(rocksdb_transaction_t* txn,
                              const rocksdb_readoptions_t* options,
                              const char* key, size_t key_size,
                              size_t* value_size, char** errptr) {
  const TxnLookup lookup{txn, options, nullptr, BytesOf(key, key_size)};
  return lookup.Copy(value_size, errptr);
}

char* rocksdb_transaction_get_cf(rocksdb_transaction_t* txn,
                                 const rocksdb_readoptions_t* options,
                                 rocksdb_column_family_handle_t* column_family,
                                 const char* key, size_t key_size,
                                 size_t* value_size, char** errptr) {
  if (value_size != nullptr) *value_size = 0;
  if (IsNull(column_family, "column_family", errptr)) return nullptr;
  const TxnLookup lookup{txn, options, column_family->rep,
                         BytesOf(key, key_size)};
  return lookup.Copy(value_size, errptr);
}

rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    const char* key, size_t key_size, char** errptr) {
  const TxnLookup lookup{txn, options, nullptr, BytesOf(key, key_size)};
  return lookup.Pin(errptr);
}

rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned_cf(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, char** errptr) {
  if (IsNull(column_family, "column_family", errptr)) return nullptr;
  const TxnLookup lookup{txn, options, column_family->rep,
                         BytesOf(key, key_size)};
  return lookup.Pin(errptr);
}

// The same of a key that nobody else may write from now on, nor read so if it
// is `exclusive`. A missing key is locked, too.
char* rocksdb_transaction_get_for_update(rocksdb_transaction_t* txn,
                                         const rocksdb_readoptions_t* options,
                                         const char* key, size_t key_size,
                                         size_t* value_size,
                                         unsigned char exclusive,
                                         char** errptr) {
  const TxnLookup lookup{txn,
                         options,
                         nullptr,
                         BytesOf(key, key_size),
                         TxnLookup::Kind::kForUpdate,
                         exclusive != 0};
  return lookup.Copy(value_size, errptr);
}

char* rocksdb_transaction_get_for_update_cf(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, size_t* value_size, unsigned char exclusive,
    char** errptr) {
  if (value_size != nullptr) *value_size = 0;
  if (IsNull(column_family, "column_family", errptr)) return nullptr;
  const TxnLookup lookup{txn,
                         options,
                         column_family->rep,
                         BytesOf(key, key_size),
                         TxnLookup::Kind::kForUpdate,
                         exclusive != 0};
  return lookup.Copy(value_size, errptr);
}

rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned_for_update(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    const char* key, size_t key_size, unsigned char exclusive, char** errptr) {
  const TxnLookup lookup{txn,
                         options,
                         nullptr,
                         BytesOf(key, key_size),
                         TxnLookup::Kind::kForUpdate,
                         exclusive != 0};
  return lookup.Pin(errptr);
}

rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned_for_update_cf(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, unsigned char exclusive, char** errptr) {
  if (IsNull(column_family, "column_family", errptr)) return nullptr;
  const TxnLookup lookup{txn,
                         options,
                         column_family->rep,
                         BytesOf(key, key_size),
                         TxnLookup::Kind::kForUpdate,
                         exclusive != 0};
  return lookup.Pin(errptr);
}

// Each key has a value, a size and an error.
void rocksdb_transaction_multi_get(rocksdb_transaction_t* txn,
                                   const rocksdb_readoptions_t* options,
                                   size_t key_count, const char* const* keys,
                                   const size_t* key_sizes, char** values,
                                   size_t* value_sizes, char** errors) {
  ReadManyOf(txn, options, key_count, {values, value_sizes, errors},
             [&](Transaction* t, std::vector<std::string>* results) {
               return t->MultiGet(options->rep,
                                  KeysOf(key_count, keys, key_sizes), results);
             });
}

void rocksdb_transaction_multi_get_cf(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    const rocksdb_column_family_handle_t* const* column_families,
    size_t key_count, const char* const* keys, const size_t* key_sizes,
    char** values, size_t* value_sizes, char** errors) {
  ReadManyOf(txn, options, key_count, {values, value_sizes, errors},
             [&](Transaction* t, std::vector<std::string>* results) {
               return ReadFamilies(
                   key_count, column_families, [&](const auto& families) {
                     return t->MultiGet(options->rep, families,
                                        KeysOf(key_count, keys, key_sizes),
                                        results);
                   });
             });
}

void rocksdb_transaction_multi_get_for_update(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    size_t key_count, const char* const* keys, const size_t* key_sizes,
    char** values, size_t* value_sizes, char** errors) {
  ReadManyOf(txn, options, key_count, {values, value_sizes, errors},
             [&](Transaction* t, std::vector<std::string>* results) {
               return t->MultiGetForUpdate(
                   options->rep, KeysOf(key_count, keys, key_sizes), results);
             });
}

void rocksdb_transaction_multi_get_for_update_cf(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    const rocksdb_column_family_handle_t* const* column_families,
    size_t key_count, const char* const* keys, const size_t* key_sizes,
    char** values, size_t* value_sizes, char** errors) {
  ReadManyOf(txn, options, key_count, {values, value_sizes, errors},
             [&](Transaction* t, std::vector<std::string>* results) {
               return ReadFamilies(
                   key_count, column_families, [&](const auto& families) {
                     return t->MultiGetForUpdate(
                         options->rep, families,
                         KeysOf(key_count, keys, key_sizes), results);
                   });
             });
}

// To be destroyed before the transaction ends.
rocksdb_iterator_t* rocksdb_transaction_create_iterator(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options) {
  if (txn == nullptr || options == nullptr) return nullptr;
  return TxnIteratorOf(txn, options, nullptr);
}

rocksdb_iterator_t* rocksdb_transaction_create_iterator_cf(
    rocksdb_transaction_t* txn, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family) {
  if (txn == nullptr || options == nullptr || column_family == nullptr) {
    return nullptr;
  }
  return TxnIteratorOf(txn, options, column_family->rep);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
