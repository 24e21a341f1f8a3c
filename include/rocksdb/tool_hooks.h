#pragma once

// How the tools open databases: a program that embeds one may open them in its
// own way, or see what is opened.

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction_db.h"

namespace ROCKSDB_NAMESPACE {

namespace blob_db {
class BlobDB;
struct BlobDBOptions;
}  // namespace blob_db

// Each call has the meaning and the errors of the call of DB, or of the class
// that it names.
class ToolHooks {
 public:
  ToolHooks() = default;
  virtual ~ToolHooks() = default;

  virtual Status Open(const Options& db_options, const std::string& name,
                      std::unique_ptr<DB>* dbptr) = 0;
  virtual Status Open(
      const DBOptions& db_options, const std::string& name,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles,
      std::unique_ptr<DB>* dbptr) = 0;
  virtual Status OpenForReadOnly(const Options& options,
                                 const std::string& name,
                                 std::unique_ptr<DB>* dbptr,
                                 bool error_if_wal_file_exists) = 0;
  virtual Status OpenForReadOnly(
      const Options& options, const std::string& name,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles,
      std::unique_ptr<DB>* dbptr) = 0;
  virtual Status OpenTransactionDB(const Options& db_options,
                                   const TransactionDBOptions& txn_db_options,
                                   const std::string& dbname,
                                   TransactionDB** dbptr) = 0;
  virtual Status OpenTransactionDB(
      const DBOptions& db_options, const TransactionDBOptions& txn_db_options,
      const std::string& dbname,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, TransactionDB** dbptr) = 0;
  virtual Status OpenOptimisticTransactionDB(
      const Options& options, const std::string& dbname,
      OptimisticTransactionDB** dbptr) = 0;
  virtual Status OpenOptimisticTransactionDB(
      const DBOptions& db_options, const std::string& dbname,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles,
      OptimisticTransactionDB** dbptr) = 0;
  virtual Status OpenAsSecondary(const Options& options,
                                 const std::string& name,
                                 const std::string& secondary_path,
                                 std::unique_ptr<DB>* dbptr) = 0;
  virtual Status OpenAsFollower(const Options& options, const std::string& name,
                                const std::string& leader_path,
                                std::unique_ptr<DB>* dbptr) = 0;
  // The older kind of blob database, which Basalt does not have.
  virtual Status Open(const Options& options,
                      const blob_db::BlobDBOptions& bdb_options,
                      const std::string& dbname, blob_db::BlobDB** blob_db) = 0;
  // The tool ends.
  virtual void Exit(int status) = 0;
};

// Opens as DB does, and leaves by exit().
class DefaultHooks : public ToolHooks {
 public:
  DefaultHooks() = default;
  ~DefaultHooks() override = default;

  Status Open(const Options& db_options, const std::string& name,
              std::unique_ptr<DB>* dbptr) override;
  Status Open(const DBOptions& db_options, const std::string& name,
              const std::vector<ColumnFamilyDescriptor>& column_families,
              std::vector<ColumnFamilyHandle*>* handles,
              std::unique_ptr<DB>* dbptr) override;
  Status OpenForReadOnly(const Options& options, const std::string& name,
                         std::unique_ptr<DB>* dbptr,
                         bool error_if_wal_file_exists) override;
  Status OpenForReadOnly(
      const Options& options, const std::string& name,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles,
      std::unique_ptr<DB>* dbptr) override;
  Status OpenTransactionDB(const Options& db_options,
                           const TransactionDBOptions& txn_db_options,
                           const std::string& dbname,
                           TransactionDB** dbptr) override;
  Status OpenTransactionDB(
      const DBOptions& db_options, const TransactionDBOptions& txn_db_options,
      const std::string& dbname,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles,
      TransactionDB** dbptr) override;
  Status OpenOptimisticTransactionDB(const Options& options,
                                     const std::string& dbname,
                                     OptimisticTransactionDB** dbptr) override;
  Status OpenOptimisticTransactionDB(
      const DBOptions& db_options, const std::string& dbname,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles,
      OptimisticTransactionDB** dbptr) override;
  Status OpenAsSecondary(const Options& options, const std::string& name,
                         const std::string& secondary_path,
                         std::unique_ptr<DB>* dbptr) override;
  Status OpenAsFollower(const Options& options, const std::string& name,
                        const std::string& leader_path,
                        std::unique_ptr<DB>* dbptr) override;
  Status Open(const Options& options, const blob_db::BlobDBOptions& bdb_options,
              const std::string& dbname, blob_db::BlobDB** blob_db) override;
  void Exit(int status) override;
};

extern DefaultHooks defaultHooks;

}  // namespace ROCKSDB_NAMESPACE
