// Databases with optimistic transactions.

#include <memory>
#include <string>
#include <vector>

#include "c/handles.h"
#include "c/open_parts.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

rocksdb_optimistictransactiondb_t* OwnOptimisticDB(
    OptimisticTransactionDB* db) {
  auto* result = Own<rocksdb_optimistictransactiondb_t>();
  result->owned.reset(db);
  result->rep = db;
  result->transactions = db;
  return result;
}

OptimisticTransactionDBOptions OptimisticOptionsOf(
    const rocksdb_optimistictransactiondb_options_t* options) {
  return options != nullptr ? options->rep : OptimisticTransactionDBOptions();
}

}  // namespace

extern "C" {

rocksdb_optimistictransactiondb_t*
rocksdb_optimistictransactiondb_open_column_families_with_otxn_db_options(
    const rocksdb_options_t* options,
    const rocksdb_optimistictransactiondb_options_t* otxn_db_options,
    const char* name, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, char** errptr) {
  if (IsNull(options, "options", errptr) || IsNull(name, "name", errptr)) {
    return nullptr;
  }
  const FamilyList list{num_column_families, column_family_names,
                        column_family_options, column_family_handles};
  std::vector<ColumnFamilyDescriptor> descriptors;
  std::vector<ColumnFamilyHandle*> handles;
  OptimisticTransactionDB* db = nullptr;
  Status s = Describe(list, &descriptors);
  if (s.ok()) {
    s = OptimisticTransactionDB::Open(options->rep,
                                      OptimisticOptionsOf(otxn_db_options),
                                      name, descriptors, &handles, &db);
  }
  if (Fails(s, errptr)) return nullptr;
  GiveHandles(handles, list);
  return OwnOptimisticDB(db);
}

rocksdb_optimistictransactiondb_t*
rocksdb_optimistictransactiondb_open_column_families(
    const rocksdb_options_t* options, const char* name, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, char** errptr) {
  return rocksdb_optimistictransactiondb_open_column_families_with_otxn_db_options(
      options, nullptr, name, num_column_families, column_family_names,
      column_family_options, column_family_handles, errptr);
}

// `otxn_db_options` NULL: the defaults.
rocksdb_optimistictransactiondb_t*
rocksdb_optimistictransactiondb_open_with_otxn_db_options(
    const rocksdb_options_t* options,
    const rocksdb_optimistictransactiondb_options_t* otxn_db_options,
    const char* name, char** errptr) {
  const char* const family = "default";
  rocksdb_column_family_handle_t* handle = nullptr;
  auto* result =
      rocksdb_optimistictransactiondb_open_column_families_with_otxn_db_options(
          options, otxn_db_options, name, 1, &family, &options, &handle,
          errptr);
  if (handle != nullptr) rocksdb_column_family_handle_destroy(handle);
  return result;
}

rocksdb_optimistictransactiondb_t* rocksdb_optimistictransactiondb_open(
    const rocksdb_options_t* options, const char* name, char** errptr) {
  return rocksdb_optimistictransactiondb_open_with_otxn_db_options(
      options, nullptr, name, errptr);
}

// After its handles, transactions, snapshots and iterators.
void rocksdb_optimistictransactiondb_close(
    rocksdb_optimistictransactiondb_t* otxn_db) {
  End(otxn_db);
}

// The database below, whose handle ends with
// rocksdb_optimistictransactiondb_close_base_db().
rocksdb_t* rocksdb_optimistictransactiondb_get_base_db(
    rocksdb_optimistictransactiondb_t* otxn_db) {
  if (otxn_db == nullptr) return nullptr;
  auto* result = Own<rocksdb_t>();
  result->rep = otxn_db->transactions->GetBaseDB();
  return result;
}

void rocksdb_optimistictransactiondb_close_base_db(rocksdb_t* base_db) {
  End(base_db);
}

// A new transaction, or `old_txn` begun anew, which is returned then.
rocksdb_transaction_t* rocksdb_optimistictransaction_begin(
    rocksdb_optimistictransactiondb_t* otxn_db,
    const rocksdb_writeoptions_t* write_options,
    const rocksdb_optimistictransaction_options_t* otxn_options,
    rocksdb_transaction_t* old_txn) {
  if (otxn_db == nullptr || write_options == nullptr ||
      otxn_options == nullptr) {
    return nullptr;
  }
  if (old_txn == nullptr) {
    auto* result = Own<rocksdb_transaction_t>();
    result->rep.reset(otxn_db->transactions->BeginTransaction(
        write_options->rep, otxn_options->rep));
    return result;
  }
  (void)otxn_db->transactions->BeginTransaction(
      write_options->rep, otxn_options->rep, old_txn->rep.get());
  return old_txn;
}

// No locks are made: it takes some bytes, whatever the count.
rocksdb_optimistictransactiondb_lock_buckets_t*
rocksdb_optimistictransactiondb_lock_buckets_create(
    size_t bucket_count, unsigned char cache_aligned) {
  auto* result = Own<rocksdb_optimistictransactiondb_lock_buckets_t>();
  result->rep = MakeSharedOccLockBuckets(bucket_count, cache_aligned != 0);
  return result;
}

void rocksdb_optimistictransactiondb_lock_buckets_destroy(
    rocksdb_optimistictransactiondb_lock_buckets_t* buckets) {
  End(buckets);
}

size_t rocksdb_optimistictransactiondb_lock_buckets_approximate_memory_usage(
    rocksdb_optimistictransactiondb_lock_buckets_t* buckets) {
  return buckets != nullptr ? buckets->rep->ApproximateMemoryUsage() : 0;
}

// The options share the buckets, which may go. NULL: none.
void rocksdb_optimistictransactiondb_options_set_shared_lock_buckets(
    rocksdb_optimistictransactiondb_options_t* options,
    rocksdb_optimistictransactiondb_lock_buckets_t* buckets) {
  if (options == nullptr) return;
  options->rep.shared_lock_buckets =
      buckets != nullptr ? buckets->rep : nullptr;
}

// --- as of any database

void rocksdb_optimistictransactiondb_write(
    rocksdb_optimistictransactiondb_t* otxn_db,
    const rocksdb_writeoptions_t* options, rocksdb_writebatch_t* batch,
    char** errptr) {
  rocksdb_write(otxn_db, options, batch, errptr);
}

char* rocksdb_optimistictransactiondb_property_value(
    rocksdb_optimistictransactiondb_t* otxn_db, const char* name) {
  return rocksdb_property_value(otxn_db, name);
}

int rocksdb_optimistictransactiondb_property_int(
    rocksdb_optimistictransactiondb_t* otxn_db, const char* name,
    uint64_t* value) {
  return rocksdb_property_int(otxn_db, name, value);
}

rocksdb_checkpoint_t* rocksdb_optimistictransactiondb_checkpoint_object_create(
    rocksdb_optimistictransactiondb_t* otxn_db, char** errptr) {
  return rocksdb_checkpoint_object_create(otxn_db, errptr);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
