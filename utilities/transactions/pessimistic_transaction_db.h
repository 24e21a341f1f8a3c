// A TransactionDB that locks keys, of every write policy.
//
// Threads    Any. Order of locks: names, then those of the lock manager.
// Ownership  Owns the database below, and the transactions that have names.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocksdb/utilities/transaction_db.h"
#include "util/mutex.h"
#include "utilities/transactions/lock_manager.h"
#include "utilities/transactions/timestamped_snapshots.h"

namespace ROCKSDB_NAMESPACE {

class PessimisticTransaction;
class SystemClock;
class TransactionPort;
struct RecoveredSection;

class PessimisticDB final : public TransactionDB {
 public:
  // Takes over `db`.
  PessimisticDB(DB* db, const TransactionDBOptions& options);
  ~PessimisticDB() override;

  // Makes transactions of the sections that recovery has found.
  Status Start(const std::vector<ColumnFamilyHandle*>& handles);

  Transaction* BeginTransaction(const WriteOptions& write_options,
                                const TransactionOptions& txn_options,
                                Transaction* old_txn) override;
  Transaction* GetTransactionByName(const TransactionName& name) override;
  void GetAllPreparedTransactions(std::vector<Transaction*>* trans) override;
  std::unordered_multimap<uint32_t, KeyLockInfo> GetLockStatusData() override {
    return locks_->Snapshot();
  }
  std::vector<DeadlockPath> GetDeadlockInfoBuffer() override {
    return locks_->Deadlocks();
  }
  void SetDeadlockInfoBufferSize(uint32_t target_size) override {
    locks_->SetDeadlockBufferSize(target_size);
  }
  std::pair<Status, std::shared_ptr<const Snapshot>> CreateTimestampedSnapshot(
      TxnTimestamp ts) override;
  std::shared_ptr<const Snapshot> GetTimestampedSnapshot(
      TxnTimestamp ts) const override {
    return snapshots_.Find(ts);
  }
  void ReleaseTimestampedSnapshotsOlderThan(TxnTimestamp ts) override {
    snapshots_.ForgetOlder(ts);
  }
  Status GetTimestampedSnapshots(TxnTimestamp ts_lb, TxnTimestamp ts_ub,
                                 std::vector<std::shared_ptr<const Snapshot>>&
                                     timestamped_snapshots) const override;
  Status Close() override;

  // --- families have lock tables
  Status CreateColumnFamily(const ColumnFamilyOptions& options,
                            const std::string& name,
                            ColumnFamilyHandle** handle) override;
  Status CreateColumnFamilies(
      const ColumnFamilyOptions& options, const std::vector<std::string>& names,
      std::vector<ColumnFamilyHandle*>* handles) override;
  Status CreateColumnFamilies(
      const std::vector<ColumnFamilyDescriptor>& families,
      std::vector<ColumnFamilyHandle*>* handles) override;
  using TransactionDB::CreateColumnFamilyWithImport;
  Status CreateColumnFamilyWithImport(
      const ColumnFamilyOptions& options, const std::string& name,
      const ImportColumnFamilyOptions& import_options,
      const std::vector<const ExportImportFilesMetaData*>& metadatas,
      ColumnFamilyHandle** handle) override;
  Status DropColumnFamily(ColumnFamilyHandle* family) override;
  Status DropColumnFamilies(
      const std::vector<ColumnFamilyHandle*>& families) override;

  // --- writes outside of transactions
  using TransactionDB::Delete;
  using TransactionDB::Merge;
  using TransactionDB::Put;
  using TransactionDB::PutEntity;
  using TransactionDB::SingleDelete;
  Status Put(const WriteOptions& options, ColumnFamilyHandle* family,
             const Slice& key, const Slice& value) override;
  Status PutEntity(const WriteOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, const WideColumns& columns) override;
  Status PutEntity(const WriteOptions& options, const Slice& key,
                   const AttributeGroups& attribute_groups) override;
  Status Delete(const WriteOptions& options, ColumnFamilyHandle* family,
                const Slice& key) override;
  Status SingleDelete(const WriteOptions& options, ColumnFamilyHandle* family,
                      const Slice& key) override;
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* family,
               const Slice& key, const Slice& value) override;
  Status Write(const WriteOptions& options, WriteBatch* updates) override;
  Status Write(const WriteOptions& options,
               const TransactionDBWriteOptimizations& optimizations,
               WriteBatch* updates) override;
  // They would go past the locks.
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

  // --- for its transactions
  const TransactionDBOptions& txn_db_options() const { return options_; }
  DB* base() { return db_; }
  TransactionPort* port() { return port_; }
  SystemClock* clock() { return clock_; }
  LockManager* locks() { return locks_; }
  TimestampedSnapshots* snapshots() { return &snapshots_; }
  static TransactionID NewId();
  uint64_t NowMicros() const;
  // InvalidArgument: the name is taken.
  Status RegisterName(const std::string& name, PessimisticTransaction* txn);
  void UnregisterName(const std::string& name, PessimisticTransaction* txn);
  // Has the batch keys of families with timestamps? Stamp() fills them in.
  bool HasKeysWithTimestamps(const WriteBatch& batch) const;
  Status Stamp(const Slice& timestamp, WriteBatch* batch) const;

  // InvalidArgument: a family that transactions cannot be had of.
  static Status CheckFamily(const std::string& name,
                            const ColumnFamilyOptions& options,
                            TxnDBWritePolicy policy);

 private:
  class KeyLocks;

  bool AppliesEarly() const;
  Status HideUncommitted(const RecoveredSection& section);
  void AddFamilies(const std::vector<ColumnFamilyHandle*>& handles);
  void NoteTimestamps(uint32_t family_id, size_t size);
  std::unique_ptr<PessimisticTransaction> MakeTransaction(
      const WriteOptions& write_options, const TransactionOptions& txn_options);
  bool has_indices() const { return !options_.secondary_indices.empty(); }
  // Calls get the family, which is the default one where none was given.
  template <class Call>
  Status InTransaction(const WriteOptions& options, ColumnFamilyHandle* family,
                       const Call& call);
  template <class Call>
  Status WithLock(ColumnFamilyHandle* family, const Slice& key,
                  const Call& call);
  // The keys of a batch, sorted, each once.
  Status KeysOf(const WriteBatch& updates,
                std::vector<std::pair<uint32_t, std::string_view>>* keys) const;

  const TransactionDBOptions options_;
  TransactionPort* const port_;
  SystemClock* const clock_;
  // On keys, unless the options have another manager.
  std::unique_ptr<LockManager> key_locks_;
  LockManager* const locks_;
  bool is_attached_ = false;
  TimestampedSnapshots snapshots_;
  mutable Mutex names_mutex_;
  std::map<std::string, PessimisticTransaction*> names_
      GUARDED_BY(names_mutex_);
  // The timestamp sizes of the families whose keys have timestamps, by id.
  std::map<uint32_t, size_t> timestamp_sizes_ GUARDED_BY(names_mutex_);
  std::atomic<bool> has_timestamps_{false};
};

}  // namespace ROCKSDB_NAMESPACE
