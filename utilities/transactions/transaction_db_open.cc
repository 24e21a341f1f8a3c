// Opening a TransactionDB, and making one of an open database.
#include <memory>
#include <utility>

#include "db/write/transaction_port.h"
#include "options/db_options.h"
#include "rocksdb/utilities/secondary_index.h"
#include "rocksdb/utilities/transaction_db.h"
#include "utilities/transactions/pessimistic_transaction_db.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status CheckTxnDBOptions(const TransactionDBOptions& options,
                         const DBOptions& db_options) {
  if (db_options.unordered_write) {
    if (options.write_policy == WRITE_COMMITTED) {
      return Status::NotSupported(
          "WRITE_COMMITTED is incompatible with unordered_writes");
    }
    if (options.write_policy == WRITE_UNPREPARED) {
      return Status::NotSupported(
          "WRITE_UNPREPARED is currently incompatible with unordered_writes");
    }
    if (!db_options.two_write_queues) {
      return Status::NotSupported(
          "WRITE_PREPARED is incompatible with unordered_writes if "
          "two_write_queues is not enabled.");
    }
  }
  for (const auto& index : options.secondary_indices) {
    if (index == nullptr) {
      return Status::InvalidArgument(
          "TransactionDBOptions::secondary_indices has one that is null");
    }
  }
  return Status::OK();
}

SectionPolicy PolicyOf(const TransactionDBOptions& options) {
  switch (options.write_policy) {
    case WRITE_COMMITTED:
      return SectionPolicy::kWriteCommitted;
    case WRITE_PREPARED:
      return SectionPolicy::kWritePrepared;
    case WRITE_UNPREPARED:
      return SectionPolicy::kWriteUnprepared;
  }
  return SectionPolicy::kWriteCommitted;
}

// Asks of open families what Open() asks of those that it is to open.
Status CheckOpenFamilies(const std::vector<ColumnFamilyHandle*>& handles,
                         DB* db, TxnDBWritePolicy policy) {
  std::vector<ColumnFamilyHandle*> all = handles;
  all.push_back(db->DefaultColumnFamily());
  for (ColumnFamilyHandle* handle : all) {
    ColumnFamilyDescriptor family;
    Status s = handle->GetDescriptor(&family);
    if (s.ok()) {
      s = PessimisticDB::CheckFamily(family.name, family.options, policy);
    }
    if (!s.ok()) return s;
  }
  return Status::OK();
}

void DeleteHandles(const std::vector<ColumnFamilyHandle*>& handles) {
  for (ColumnFamilyHandle* handle : handles) {
    const std::unique_ptr<ColumnFamilyHandle> owned(handle);
  }
}

}  // namespace

Status TransactionDB::Open(const Options& options,
                           const TransactionDBOptions& txn_db_options,
                           const std::string& dbname, TransactionDB** dbptr) {
  std::vector<ColumnFamilyHandle*> handles;
  Status s = Open(DBOptions(options), txn_db_options, dbname,
                  {{kDefaultColumnFamilyName, ColumnFamilyOptions(options)}},
                  &handles, dbptr);
  // The database has one of its own.
  if (s.ok()) DeleteHandles(handles);
  return s;
}

Status TransactionDB::Open(
    const DBOptions& db_options, const TransactionDBOptions& txn_db_options,
    const std::string& dbname,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, TransactionDB** dbptr) {
  if (dbptr == nullptr || handles == nullptr) {
    return Status::InvalidArgument("dbptr or handles is null");
  }
  *dbptr = nullptr;
  Status s = CheckTxnDBOptions(txn_db_options, db_options);
  for (const ColumnFamilyDescriptor& family : column_families) {
    if (!s.ok()) return s;
    s = PessimisticDB::CheckFamily(family.name, family.options,
                                   txn_db_options.write_policy);
  }
  if (!s.ok()) return s;
  DBOptions own_options = db_options;
  std::vector<ColumnFamilyDescriptor> own_families = column_families;
  std::vector<size_t> compacting;
  PrepareWrap(&own_options, &own_families, &compacting);
  // Snapshots of these transactions want writes in order.
  own_options.unordered_write = false;
  std::unique_ptr<DB> db;
  s = TransactionPort::Open(PolicyOf(txn_db_options), own_options, dbname,
                            own_families, handles, &db);
  if (!s.ok()) return s;
  s = WrapDB(db.release(), txn_db_options, compacting, *handles, dbptr);
  if (!s.ok()) handles->clear();
  return s;
}

void TransactionDB::PrepareWrap(
    DBOptions* db_options, std::vector<ColumnFamilyDescriptor>* column_families,
    std::vector<size_t>* compaction_enabled_cf_indices) {
  compaction_enabled_cf_indices->clear();
  for (size_t i = 0; i < column_families->size(); ++i) {
    ColumnFamilyOptions& options = (*column_families)[i].options;
    // Nothing is compacted before what is prepared is known.
    if (options.disable_auto_compactions) continue;
    options.disable_auto_compactions = true;
    compaction_enabled_cf_indices->push_back(i);
  }
  db_options->allow_2pc = true;
}

Status TransactionDB::WrapDB(
    DB* db, const TransactionDBOptions& txn_db_options,
    const std::vector<size_t>& compaction_enabled_cf_indices,
    const std::vector<ColumnFamilyHandle*>& handles, TransactionDB** dbptr) {
  if (db == nullptr || dbptr == nullptr) {
    return Status::InvalidArgument("db or dbptr is null");
  }
  *dbptr = nullptr;
  if (TransactionPort::Of(db) == nullptr) {
    DeleteHandles(handles);
    const std::unique_ptr<DB> owned(db);
    return Status::NotSupported(
        "transactions over a database that is not of this engine");
  }
  Status s = CheckTxnDBOptions(txn_db_options, db->GetDBOptions());
  if (s.ok()) s = CheckOpenFamilies(handles, db, txn_db_options.write_policy);
  // The log has no prepared transactions of another policy: the database was
  // opened before, and an open refuses any that are not of write-committed.
  if (s.ok()) {
    s = TransactionPort::Of(db)->AdoptPolicy(PolicyOf(txn_db_options));
  }
  auto wrapped = std::make_unique<PessimisticDB>(db, txn_db_options);
  if (s.ok()) s = wrapped->Start(handles);
  if (s.ok()) {
    std::vector<ColumnFamilyHandle*> compacting;
    for (const size_t i : compaction_enabled_cf_indices) {
      compacting.push_back(handles[i]);
    }
    s = db->EnableAutoCompaction(compacting);
  }
  if (!s.ok()) {
    DeleteHandles(handles);
    return s;
  }
  *dbptr = wrapped.release();
  return s;
}

Status TransactionDB::WrapStackableDB(
    StackableDB* db, const TransactionDBOptions& txn_db_options,
    const std::vector<size_t>& compaction_enabled_cf_indices,
    const std::vector<ColumnFamilyHandle*>& handles, TransactionDB** dbptr) {
  return WrapDB(db, txn_db_options, compaction_enabled_cf_indices, handles,
                dbptr);
}

}  // namespace ROCKSDB_NAMESPACE
