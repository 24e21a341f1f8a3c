#include "rocksdb/tool_hooks.h"

#include <cstdlib>

namespace ROCKSDB_NAMESPACE {

DefaultHooks defaultHooks;

Status DefaultHooks::Open(const Options& db_options, const std::string& name,
                          std::unique_ptr<DB>* dbptr) {
  return DB::Open(db_options, name, dbptr);
}

Status DefaultHooks::Open(
    const DBOptions& db_options, const std::string& name,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr) {
  return DB::Open(db_options, name, column_families, handles, dbptr);
}

Status DefaultHooks::OpenForReadOnly(const Options& options,
                                     const std::string& name,
                                     std::unique_ptr<DB>* dbptr,
                                     bool error_if_wal_file_exists) {
  return DB::OpenForReadOnly(options, name, dbptr, error_if_wal_file_exists);
}

Status DefaultHooks::OpenForReadOnly(
    const Options& options, const std::string& name,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr) {
  return DB::OpenForReadOnly(options, name, column_families, handles, dbptr);
}

Status DefaultHooks::OpenTransactionDB(
    const Options& db_options, const TransactionDBOptions& txn_db_options,
    const std::string& dbname, TransactionDB** dbptr) {
  return TransactionDB::Open(db_options, txn_db_options, dbname, dbptr);
}

Status DefaultHooks::OpenTransactionDB(
    const DBOptions& db_options, const TransactionDBOptions& txn_db_options,
    const std::string& dbname,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, TransactionDB** dbptr) {
  return TransactionDB::Open(db_options, txn_db_options, dbname,
                             column_families, handles, dbptr);
}

Status DefaultHooks::OpenOptimisticTransactionDB(
    const Options& options, const std::string& dbname,
    OptimisticTransactionDB** dbptr) {
  return OptimisticTransactionDB::Open(options, dbname, dbptr);
}

Status DefaultHooks::OpenOptimisticTransactionDB(
    const DBOptions& db_options, const std::string& dbname,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles,
    OptimisticTransactionDB** dbptr) {
  return OptimisticTransactionDB::Open(db_options, dbname, column_families,
                                       handles, dbptr);
}

Status DefaultHooks::OpenAsSecondary(const Options& options,
                                     const std::string& name,
                                     const std::string& secondary_path,
                                     std::unique_ptr<DB>* dbptr) {
  return DB::OpenAsSecondary(options, name, secondary_path, dbptr);
}

Status DefaultHooks::OpenAsFollower(const Options& options,
                                    const std::string& name,
                                    const std::string& leader_path,
                                    std::unique_ptr<DB>* dbptr) {
  return DB::OpenAsFollower(options, name, leader_path, dbptr);
}

Status DefaultHooks::Open(const Options& /*options*/,
                          const blob_db::BlobDBOptions& /*bdb_options*/,
                          const std::string& /*dbname*/,
                          blob_db::BlobDB** /*blob_db*/) {
  return Status::NotSupported("BlobDB");
}

void DefaultHooks::Exit(int status) { std::exit(status); }

}  // namespace ROCKSDB_NAMESPACE
