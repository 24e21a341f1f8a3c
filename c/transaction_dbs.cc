// Databases with transactions that lock. What is not about transactions is done
// as for any other database.

#include <memory>
#include <string>
#include <vector>

#include "c/handles.h"
#include "c/open_parts.h"
#include "rocksdb/utilities/transaction_db.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

rocksdb_transactiondb_t* OwnTransactionDB(TransactionDB* db) {
  auto* result = Own<rocksdb_transactiondb_t>();
  result->owned.reset(db);
  result->rep = db;
  result->transactions = db;
  return result;
}

bool IsAnyNull(const rocksdb_options_t* options,
               const rocksdb_transactiondb_options_t* txn_db_options,
               const char* name, char** errptr) {
  return IsNull(options, "options", errptr) ||
         IsNull(txn_db_options, "txn_db_options", errptr) ||
         IsNull(name, "name", errptr);
}

}  // namespace

extern "C" {

rocksdb_transactiondb_t* rocksdb_transactiondb_open(
    const rocksdb_options_t* options,
    const rocksdb_transactiondb_options_t* txn_db_options, const char* name,
    char** errptr) {
  if (IsAnyNull(options, txn_db_options, name, errptr)) return nullptr;
  TransactionDB* db = nullptr;
  Status s = TransactionDB::Open(options->rep, txn_db_options->rep, name, &db);
  return Fails(s, errptr) ? nullptr : OwnTransactionDB(db);
}

rocksdb_transactiondb_t* rocksdb_transactiondb_open_column_families(
    const rocksdb_options_t* options,
    const rocksdb_transactiondb_options_t* txn_db_options, const char* name,
    int num_column_families, const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, char** errptr) {
  if (IsAnyNull(options, txn_db_options, name, errptr)) return nullptr;
  const FamilyList list{num_column_families, column_family_names,
                        column_family_options, column_family_handles};
  std::vector<ColumnFamilyDescriptor> descriptors;
  std::vector<ColumnFamilyHandle*> handles;
  TransactionDB* db = nullptr;
  Status s = Describe(list, &descriptors);
  if (s.ok()) {
    s = TransactionDB::Open(options->rep, txn_db_options->rep, name,
                            descriptors, &handles, &db);
  }
  if (Fails(s, errptr)) return nullptr;
  GiveHandles(handles, list);
  return OwnTransactionDB(db);
}

// After its handles, transactions, snapshots and iterators.
void rocksdb_transactiondb_close(rocksdb_transactiondb_t* txn_db) {
  End(txn_db);
}

// The database below: writes to it pass by all locks. The handle ends with
// rocksdb_transactiondb_close_base_db().
rocksdb_t* rocksdb_transactiondb_get_base_db(rocksdb_transactiondb_t* txn_db) {
  if (txn_db == nullptr) return nullptr;
  auto* result = Own<rocksdb_t>();
  result->rep = txn_db->transactions->GetBaseDB();
  return result;
}

void rocksdb_transactiondb_close_base_db(rocksdb_t* base_db) { End(base_db); }

// A new transaction, or `old_txn` begun anew, which is returned then.
rocksdb_transaction_t* rocksdb_transaction_begin(
    rocksdb_transactiondb_t* txn_db,
    const rocksdb_writeoptions_t* write_options,
    const rocksdb_transaction_options_t* txn_options,
    rocksdb_transaction_t* old_txn) {
  if (txn_db == nullptr || write_options == nullptr || txn_options == nullptr) {
    return nullptr;
  }
  if (old_txn == nullptr) {
    auto* result = Own<rocksdb_transaction_t>();
    result->rep.reset(txn_db->transactions->BeginTransaction(write_options->rep,
                                                             txn_options->rep));
    return result;
  }
  (void)txn_db->transactions->BeginTransaction(
      write_options->rep, txn_options->rep, old_txn->rep.get());
  return old_txn;
}

// An array for rocksdb_free(), of transactions for
// rocksdb_transaction_destroy(); NULL if there are none.
rocksdb_transaction_t** rocksdb_transactiondb_get_prepared_transactions(
    rocksdb_transactiondb_t* txn_db, size_t* count) {
  if (count != nullptr) *count = 0;
  if (txn_db == nullptr || count == nullptr) return nullptr;
  std::vector<Transaction*> prepared;
  txn_db->transactions->GetAllPreparedTransactions(&prepared);
  if (prepared.empty()) return nullptr;
  auto** result = static_cast<rocksdb_transaction_t**>(
      malloc(prepared.size() * sizeof(rocksdb_transaction_t*)));
  if (result == nullptr) return nullptr;
  for (size_t i = 0; i < prepared.size(); ++i) {
    result[i] = Own<rocksdb_transaction_t>();
    result[i]->rep.reset(prepared[i]);
  }
  *count = prepared.size();
  return result;
}

// --- as of any database

void rocksdb_transactiondb_put(rocksdb_transactiondb_t* txn_db,
                               const rocksdb_writeoptions_t* options,
                               const char* key, size_t key_size,
                               const char* value, size_t value_size,
                               char** errptr) {
  rocksdb_put(txn_db, options, key, key_size, value, value_size, errptr);
}

void rocksdb_transactiondb_put_cf(rocksdb_transactiondb_t* txn_db,
                                  const rocksdb_writeoptions_t* options,
                                  rocksdb_column_family_handle_t* column_family,
                                  const char* key, size_t key_size,
                                  const char* value, size_t value_size,
                                  char** errptr) {
  rocksdb_put_cf(txn_db, options, column_family, key, key_size, value,
                 value_size, errptr);
}

void rocksdb_transactiondb_merge(rocksdb_transactiondb_t* txn_db,
                                 const rocksdb_writeoptions_t* options,
                                 const char* key, size_t key_size,
                                 const char* value, size_t value_size,
                                 char** errptr) {
  rocksdb_merge(txn_db, options, key, key_size, value, value_size, errptr);
}

void rocksdb_transactiondb_merge_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_writeoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, const char* value, size_t value_size, char** errptr) {
  rocksdb_merge_cf(txn_db, options, column_family, key, key_size, value,
                   value_size, errptr);
}

void rocksdb_transactiondb_delete(rocksdb_transactiondb_t* txn_db,
                                  const rocksdb_writeoptions_t* options,
                                  const char* key, size_t key_size,
                                  char** errptr) {
  rocksdb_delete(txn_db, options, key, key_size, errptr);
}

void rocksdb_transactiondb_delete_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_writeoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, char** errptr) {
  rocksdb_delete_cf(txn_db, options, column_family, key, key_size, errptr);
}

void rocksdb_transactiondb_write(rocksdb_transactiondb_t* txn_db,
                                 const rocksdb_writeoptions_t* options,
                                 rocksdb_writebatch_t* batch, char** errptr) {
  rocksdb_write(txn_db, options, batch, errptr);
}

char* rocksdb_transactiondb_get(rocksdb_transactiondb_t* txn_db,
                                const rocksdb_readoptions_t* options,
                                const char* key, size_t key_size,
                                size_t* value_size, char** errptr) {
  return rocksdb_get(txn_db, options, key, key_size, value_size, errptr);
}

char* rocksdb_transactiondb_get_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, size_t* value_size, char** errptr) {
  return rocksdb_get_cf(txn_db, options, column_family, key, key_size,
                        value_size, errptr);
}

rocksdb_pinnableslice_t* rocksdb_transactiondb_get_pinned(
    rocksdb_transactiondb_t* txn_db, const rocksdb_readoptions_t* options,
    const char* key, size_t key_size, char** errptr) {
  return rocksdb_get_pinned(txn_db, options, key, key_size, errptr);
}

rocksdb_pinnableslice_t* rocksdb_transactiondb_get_pinned_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, char** errptr) {
  return rocksdb_get_pinned_cf(txn_db, options, column_family, key, key_size,
                               errptr);
}

void rocksdb_transactiondb_multi_get(rocksdb_transactiondb_t* txn_db,
                                     const rocksdb_readoptions_t* options,
                                     size_t key_count, const char* const* keys,
                                     const size_t* key_sizes, char** values,
                                     size_t* value_sizes, char** errors) {
  rocksdb_multi_get(txn_db, options, key_count, keys, key_sizes, values,
                    value_sizes, errors);
}

void rocksdb_transactiondb_multi_get_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_readoptions_t* options,
    const rocksdb_column_family_handle_t* const* column_families,
    size_t key_count, const char* const* keys, const size_t* key_sizes,
    char** values, size_t* value_sizes, char** errors) {
  rocksdb_multi_get_cf(txn_db, options, column_families, key_count, keys,
                       key_sizes, values, value_sizes, errors);
}

rocksdb_iterator_t* rocksdb_transactiondb_create_iterator(
    rocksdb_transactiondb_t* txn_db, const rocksdb_readoptions_t* options) {
  return rocksdb_create_iterator(txn_db, options);
}

rocksdb_iterator_t* rocksdb_transactiondb_create_iterator_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family) {
  return rocksdb_create_iterator_cf(txn_db, options, column_family);
}

const rocksdb_snapshot_t* rocksdb_transactiondb_create_snapshot(
    rocksdb_transactiondb_t* txn_db) {
  return rocksdb_create_snapshot(txn_db);
}

void rocksdb_transactiondb_release_snapshot(
    rocksdb_transactiondb_t* txn_db, const rocksdb_snapshot_t* snapshot) {
  rocksdb_release_snapshot(txn_db, snapshot);
}

char* rocksdb_transactiondb_property_value(rocksdb_transactiondb_t* txn_db,
                                           const char* name) {
  return rocksdb_property_value(txn_db, name);
}

int rocksdb_transactiondb_property_int(rocksdb_transactiondb_t* txn_db,
                                       const char* name, uint64_t* value) {
  return rocksdb_property_int(txn_db, name, value);
}

void rocksdb_transactiondb_flush(rocksdb_transactiondb_t* txn_db,
                                 const rocksdb_flushoptions_t* options,
                                 char** errptr) {
  rocksdb_flush(txn_db, options, errptr);
}

void rocksdb_transactiondb_flush_cf(
    rocksdb_transactiondb_t* txn_db, const rocksdb_flushoptions_t* options,
    rocksdb_column_family_handle_t* column_family, char** errptr) {
  rocksdb_flush_cf(txn_db, options, column_family, errptr);
}

void rocksdb_transactiondb_flush_cfs(
    rocksdb_transactiondb_t* txn_db, const rocksdb_flushoptions_t* options,
    rocksdb_column_family_handle_t** column_families, int column_family_count,
    char** errptr) {
  rocksdb_flush_cfs(txn_db, options, column_families, column_family_count,
                    errptr);
}

void rocksdb_transactiondb_flush_wal(rocksdb_transactiondb_t* txn_db,
                                     unsigned char sync, char** errptr) {
  rocksdb_flush_wal(txn_db, sync, errptr);
}

void rocksdb_transactiondb_flush_wal_with_options(
    rocksdb_transactiondb_t* txn_db, const rocksdb_flushwaloptions_t* options,
    char** errptr) {
  rocksdb_flush_wal_with_options(txn_db, options, errptr);
}

rocksdb_checkpoint_t* rocksdb_transactiondb_checkpoint_object_create(
    rocksdb_transactiondb_t* txn_db, char** errptr) {
  return rocksdb_checkpoint_object_create(txn_db, errptr);
}

rocksdb_column_family_handle_t* rocksdb_transactiondb_create_column_family(
    rocksdb_transactiondb_t* txn_db, const rocksdb_options_t* options,
    const char* name, char** errptr) {
  return rocksdb_create_column_family(txn_db, options, name, errptr);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
