#include "rocksdb/utilities/optimistic_transaction_db.h"

#include <memory>
#include <utility>

#include "db/semantics/conflict_floors.h"
#include "db/write/transaction_port.h"
#include "rocksdb/utilities/transaction.h"
#include "utilities/transactions/optimistic_transaction.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Nothing is locked: the count is all there is.
class NoBuckets final : public OccLockBuckets {
 public:
  size_t ApproximateMemoryUsage() const override { return sizeof(*this); }
};

Status CheckFamily(const std::string& name,
                   const ColumnFamilyOptions& options) {
  if (!options.inplace_update_support) return Status::OK();
  return Status::InvalidArgument(
      "inplace_update_support keeps no sequences for transactions to look "
      "at: column family",
      name);
}

Status CheckFamilies(const std::vector<ColumnFamilyDescriptor>& families) {
  for (const ColumnFamilyDescriptor& family : families) {
    if (Status s = CheckFamily(family.name, family.options); !s.ok()) return s;
  }
  return Status::OK();
}

class OptimisticDB final : public OptimisticTransactionDB {
 public:
  OptimisticDB(std::unique_ptr<DB>&& db, OccValidationPolicy policy)
      : OptimisticTransactionDB(std::move(db)),
        port_(TransactionPort::Of(db_)),
        policy_(policy) {
    // From now on the database knows that there may be some.
    ConflictFloor floor;
    port_->HoldFloor(&floor);
    port_->ReleaseFloor(&floor);
  }

  Transaction* BeginTransaction(const WriteOptions& write_options,
                                const OptimisticTransactionOptions& options,
                                Transaction* old_txn) override {
    if (old_txn != nullptr) {
      static_cast<OptimisticTransaction*>(old_txn)->BeginAnew(write_options,
                                                              options);
      return old_txn;
    }
    return std::make_unique<OptimisticTransaction>(db_, port_, policy_,
                                                   write_options, options)
        .release();
  }

  Status CreateColumnFamily(const ColumnFamilyOptions& options,
                            const std::string& name,
                            ColumnFamilyHandle** handle) override {
    Status s = CheckFamily(name, options);
    return s.ok() ? db_->CreateColumnFamily(options, name, handle) : s;
  }
  Status CreateColumnFamilies(
      const ColumnFamilyOptions& options, const std::vector<std::string>& names,
      std::vector<ColumnFamilyHandle*>* handles) override {
    Status s = CheckFamily(names.empty() ? "" : names.front(), options);
    return s.ok() ? db_->CreateColumnFamilies(options, names, handles) : s;
  }
  Status CreateColumnFamilies(
      const std::vector<ColumnFamilyDescriptor>& families,
      std::vector<ColumnFamilyHandle*>* handles) override {
    Status s = CheckFamilies(families);
    return s.ok() ? db_->CreateColumnFamilies(families, handles) : s;
  }
  using OptimisticTransactionDB::CreateColumnFamilyWithImport;
  Status CreateColumnFamilyWithImport(
      const ColumnFamilyOptions& options, const std::string& name,
      const ImportColumnFamilyOptions& import_options,
      const std::vector<const ExportImportFilesMetaData*>& metadatas,
      ColumnFamilyHandle** handle) override {
    Status s = CheckFamily(name, options);
    return s.ok() ? db_->CreateColumnFamilyWithImport(
                        options, name, import_options, metadatas, handle)
                  : s;
  }

  using OptimisticTransactionDB::DeleteRange;
  Status DeleteRange(const WriteOptions& /*options*/,
                     ColumnFamilyHandle* /*column_family*/,
                     const Slice& /*begin*/, const Slice& /*end*/) override {
    return NoRanges();
  }

  Status Write(const WriteOptions& options, WriteBatch* batch) override {
    if (batch != nullptr && batch->HasDeleteRange()) return NoRanges();
    return db_->Write(options, batch);
  }
  // Nobody would look for ranges in them.
  Status WriteWithCallback(const WriteOptions& /*options*/,
                           WriteBatch* /*updates*/,
                           UserWriteCallback* /*callback*/) override {
    return Status::NotSupported("WriteWithCallback");
  }
  Status IngestWriteBatchWithIndex(
      const WriteOptions& /*options*/,
      std::shared_ptr<WriteBatchWithIndex> /*wbwi*/) override {
    return Status::NotSupported("IngestWriteBatchWithIndex");
  }

 private:
  static Status NoRanges() {
    return Status::NotSupported("DeleteRange in an OptimisticTransactionDB");
  }

  TransactionPort* const port_;
  const OccValidationPolicy policy_;
};

}  // namespace

std::shared_ptr<OccLockBuckets> MakeSharedOccLockBuckets(
    size_t /*bucket_count*/, bool /*cache_aligned*/) {
  return std::make_shared<NoBuckets>();
}

Status OptimisticTransactionDB::Open(const Options& options,
                                     const std::string& dbname,
                                     OptimisticTransactionDB** dbptr) {
  std::vector<ColumnFamilyHandle*> handles;
  Status s = Open(DBOptions(options), dbname,
                  {{kDefaultColumnFamilyName, ColumnFamilyOptions(options)}},
                  &handles, dbptr);
  // The database has one of its own.
  for (ColumnFamilyHandle* handle : handles) {
    const std::unique_ptr<ColumnFamilyHandle> owned(handle);
  }
  return s;
}

Status OptimisticTransactionDB::Open(
    const DBOptions& db_options, const std::string& dbname,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles,
    OptimisticTransactionDB** dbptr) {
  return Open(db_options, OptimisticTransactionDBOptions(), dbname,
              column_families, handles, dbptr);
}

Status OptimisticTransactionDB::Open(
    const DBOptions& db_options,
    const OptimisticTransactionDBOptions& occ_options,
    const std::string& dbname,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles,
    OptimisticTransactionDB** dbptr) {
  if (dbptr == nullptr) return Status::InvalidArgument("dbptr is null");
  *dbptr = nullptr;
  Status s = CheckFamilies(column_families);
  if (!s.ok()) return s;
  std::unique_ptr<DB> db;
  s = DB::Open(db_options, dbname, column_families, handles, &db);
  if (!s.ok()) return s;
  *dbptr =
      std::make_unique<OptimisticDB>(std::move(db), occ_options.validate_policy)
          .release();
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
