// What transactions of every kind have: a batch with an index, save points, a
// snapshot, the keys that were used, and the calls of Transaction that come
// down to these.
//
// A kind says what it takes to use a key (TryLock()), to let it go (Unlock()),
// and to end.
//
// Threads    One at a time.
// Ownership  Borrows the database, which outlives it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "utilities/transactions/tracked_keys.h"

namespace ROCKSDB_NAMESPACE {

class Logger;
class SystemClock;
class TransactionPort;

class TransactionBase : public Transaction {
 public:
  // `db` is what is read from and written to, the one that the transactions'
  // database stands on.
  TransactionBase(DB* db, TransactionPort* port,
                  const WriteOptions& write_options);
  ~TransactionBase() override;

  void SetSnapshot() override;
  void SetSnapshotOnNextOperation(
      std::shared_ptr<TransactionNotifier> notifier) override;
  const Snapshot* GetSnapshot() const override { return snapshot_.get(); }
  std::shared_ptr<const Snapshot> GetTimestampedSnapshot() const override;
  void ClearSnapshot() override;

  void SetSavePoint() override;
  Status RollbackToSavePoint() override;
  Status PopSavePoint() override;

  using Transaction::Get;
  Status Get(const ReadOptions& options, ColumnFamilyHandle* column_family,
             const Slice& key, std::string* value) override;
  Status Get(const ReadOptions& options, ColumnFamilyHandle* column_family,
             const Slice& key, PinnableSlice* value) override;
  Status Get(const ReadOptions& options, const Slice& key,
             std::string* value) override {
    return Get(options, nullptr, key, value);
  }
  Status Get(const ReadOptions& options, const Slice& key,
             PinnableSlice* value) override {
    return Get(options, nullptr, key, value);
  }
  Status GetEntity(const ReadOptions& options,
                   ColumnFamilyHandle* column_family, const Slice& key,
                   PinnableWideColumns* columns) override;
  std::vector<Status> MultiGet(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_family,
      const std::vector<Slice>& keys,
      std::vector<std::string>* values) override;
  std::vector<Status> MultiGet(const ReadOptions& options,
                               const std::vector<Slice>& keys,
                               std::vector<std::string>* values) override;
  void MultiGet(const ReadOptions& options, ColumnFamilyHandle* column_family,
                const size_t num_keys, const Slice* keys, PinnableSlice* values,
                Status* statuses, const bool sorted_input) override;
  void MultiGetEntity(const ReadOptions& options,
                      ColumnFamilyHandle* column_family, size_t num_keys,
                      const Slice* keys, PinnableWideColumns* results,
                      Status* statuses, bool sorted_input) override;

  using Transaction::GetForUpdate;
  Status GetForUpdate(const ReadOptions& options,
                      ColumnFamilyHandle* column_family, const Slice& key,
                      std::string* value, bool exclusive,
                      const bool do_validate) override;
  Status GetForUpdate(const ReadOptions& options,
                      ColumnFamilyHandle* column_family, const Slice& key,
                      PinnableSlice* value, bool exclusive,
                      const bool do_validate) override;
  Status GetForUpdate(const ReadOptions& options, const Slice& key,
                      std::string* value, bool exclusive,
                      const bool do_validate) override {
    return GetForUpdate(options, nullptr, key, value, exclusive, do_validate);
  }
  Status GetForUpdate(const ReadOptions& options, const Slice& key,
                      PinnableSlice* value, bool exclusive,
                      const bool do_validate) override {
    return GetForUpdate(options, nullptr, key, value, exclusive, do_validate);
  }
  Status GetEntityForUpdate(const ReadOptions& read_options,
                            ColumnFamilyHandle* column_family, const Slice& key,
                            PinnableWideColumns* columns, bool exclusive,
                            bool do_validate) override;
  std::vector<Status> MultiGetForUpdate(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_family,
      const std::vector<Slice>& keys,
      std::vector<std::string>* values) override;
  std::vector<Status> MultiGetForUpdate(
      const ReadOptions& options, const std::vector<Slice>& keys,
      std::vector<std::string>* values) override;

  Iterator* GetIterator(const ReadOptions& read_options) override {
    return GetIterator(read_options, nullptr);
  }
  Iterator* GetIterator(const ReadOptions& read_options,
                        ColumnFamilyHandle* column_family) override;
  std::unique_ptr<Iterator> GetCoalescingIterator(
      const ReadOptions& read_options,
      const std::vector<ColumnFamilyHandle*>& column_families) override;
  std::unique_ptr<AttributeGroupIterator> GetAttributeGroupIterator(
      const ReadOptions& read_options,
      const std::vector<ColumnFamilyHandle*>& column_families) override;

  // --- writing (transaction_writes.cc)
  Status Put(ColumnFamilyHandle* column_family, const Slice& key,
             const Slice& value, const bool assume_tracked) override;
  Status Put(const Slice& key, const Slice& value) override;
  Status Put(ColumnFamilyHandle* column_family, const SliceParts& key,
             const SliceParts& value, const bool assume_tracked) override;
  Status Put(const SliceParts& key, const SliceParts& value) override;
  Status PutEntity(ColumnFamilyHandle* column_family, const Slice& key,
                   const WideColumns& columns, bool assume_tracked) override;
  Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
               const Slice& value, const bool assume_tracked) override;
  Status Merge(const Slice& key, const Slice& value) override;
  Status Delete(ColumnFamilyHandle* column_family, const Slice& key,
                const bool assume_tracked) override;
  Status Delete(const Slice& key) override;
  Status Delete(ColumnFamilyHandle* column_family, const SliceParts& key,
                const bool assume_tracked) override;
  Status Delete(const SliceParts& key) override;
  Status SingleDelete(ColumnFamilyHandle* column_family, const Slice& key,
                      const bool assume_tracked) override;
  Status SingleDelete(const Slice& key) override;
  Status SingleDelete(ColumnFamilyHandle* column_family, const SliceParts& key,
                      const bool assume_tracked) override;
  Status SingleDelete(const SliceParts& key) override;
  Status PutUntracked(ColumnFamilyHandle* column_family, const Slice& key,
                      const Slice& value) override;
  Status PutUntracked(const Slice& key, const Slice& value) override;
  Status PutUntracked(ColumnFamilyHandle* column_family, const SliceParts& key,
                      const SliceParts& value) override;
  Status PutUntracked(const SliceParts& key, const SliceParts& value) override;
  Status PutEntityUntracked(ColumnFamilyHandle* column_family, const Slice& key,
                            const WideColumns& columns) override;
  Status MergeUntracked(ColumnFamilyHandle* column_family, const Slice& key,
                        const Slice& value) override;
  Status MergeUntracked(const Slice& key, const Slice& value) override;
  Status DeleteUntracked(ColumnFamilyHandle* column_family,
                         const Slice& key) override;
  Status DeleteUntracked(const Slice& key) override;
  Status DeleteUntracked(ColumnFamilyHandle* column_family,
                         const SliceParts& key) override;
  Status DeleteUntracked(const SliceParts& key) override;
  Status SingleDeleteUntracked(ColumnFamilyHandle* column_family,
                               const Slice& key) override;
  Status SingleDeleteUntracked(const Slice& key) override;
  void PutLogData(const Slice& blob) override;

  void DisableIndexing() override { is_indexing_ = false; }
  void EnableIndexing() override { is_indexing_ = true; }

  uint64_t GetNumKeys() const override { return tracked_.size(); }
  uint64_t GetNumPuts() const override { return counts_.puts; }
  uint64_t GetNumPutEntities() const override { return counts_.entities; }
  uint64_t GetNumDeletes() const override { return counts_.deletes; }
  uint64_t GetNumMerges() const override { return counts_.merges; }
  uint64_t GetElapsedTime() const override;

  WriteBatchWithIndex* GetWriteBatch() override { return &batch_; }
  void SetLockTimeout(int64_t /*timeout_ms*/) override {}
  void SetDeadlockTimeout(int64_t /*timeout_ms*/) override {}
  WriteOptions* GetWriteOptions() override { return &write_options_; }
  void SetWriteOptions(const WriteOptions& write_options) override {
    write_options_ = write_options;
  }
  void UndoGetForUpdate(ColumnFamilyHandle* column_family,
                        const Slice& key) override;
  void UndoGetForUpdate(const Slice& key) override {
    UndoGetForUpdate(nullptr, key);
  }
  Status RebuildFromWriteBatch(WriteBatch* src_batch) override;
  WriteBatch* GetCommitTimeWriteBatch() override { return &commit_time_batch_; }

 protected:
  // How a key is to be used.
  struct LockRequest {
    ColumnFamilyHandle* family = nullptr;
    Slice key;
    bool is_read = false;
    bool is_exclusive = true;
    bool validates = true;
    bool assumes_tracked = false;
  };
  // OK: the key may be used, and is tracked.
  virtual Status TryLock(const LockRequest& request) = 0;
  // Gives back the lock of a key that is tracked no more.
  virtual void Unlock(uint32_t family_id, const Slice& key) = 0;
  // Before an update is added.
  virtual Status BeforeUpdate() { return Status::OK(); }
  // Before a snapshot is taken or a key is tracked.
  virtual void BeforeLookingBack() {}
  // After the snapshot has gone.
  virtual void AfterSnapshotGone() {}

  // Resets the state to that of a new object. The transaction's options stay.
  void BeginAnew(const WriteOptions& write_options);
  // Forgets batch, keys, save points and counts; the kind has given back the
  // locks.
  void Clear();
  void ClearSavePoints();
  // RollbackToSavePoint() in any state.
  virtual Status UndoToSavePoint();
  bool HasSavePoints() const { return !save_points_.empty(); }
  void Track(const KeyUse& use);
  // Takes the snapshot that SetSnapshotOnNextOperation() has asked for, if any.
  void TakePendingSnapshot();
  bool HasPendingSnapshot() const { return snapshot_is_pending_; }
  std::shared_ptr<TransactionNotifier> PendingNotifier() const {
    return notifier_;
  }
  void AdoptSnapshot(std::shared_ptr<const Snapshot> snapshot);
  // Has it nothing for the log or the memtables?
  bool HasNothingToWrite() const;

  ColumnFamilyHandle* Known(ColumnFamilyHandle* family) const {
    return family != nullptr ? family : default_family_;
  }

  DB* const db_;
  TransactionPort* const port_;
  SystemClock* const clock_;
  WriteOptions write_options_;
  WriteBatchWithIndex batch_;
  WriteBatch commit_time_batch_;
  std::shared_ptr<const Snapshot> snapshot_;
  TrackedKeys tracked_;
  uint64_t start_nanos_ = 0;

 private:
  struct Counts {
    uint64_t puts = 0;
    uint64_t entities = 0;
    uint64_t deletes = 0;
    uint64_t merges = 0;
  };
  struct SavePoint {
    std::shared_ptr<const Snapshot> snapshot;
    bool snapshot_is_pending = false;
    std::shared_ptr<TransactionNotifier> notifier;
    Counts counts;
    TrackedKeys since;  // what was used from here on
  };
  enum class Conflicts { kLookFor, kAssumeTracked, kPassOver };

  // Locks the key, and adds by `add`, which gets the batch or its index.
  template <class Add>
  Status Write(ColumnFamilyHandle* family, const Slice& key,
               Conflicts conflicts, uint64_t* count, const Add& add);
  static Conflicts TrackedIf(bool assume_tracked) {
    return assume_tracked ? Conflicts::kAssumeTracked : Conflicts::kLookFor;
  }
  Status LockForRead(const ReadOptions& options, ColumnFamilyHandle* family,
                     const Slice& key, bool exclusive, bool do_validate);
  void ResetBatch();

  ColumnFamilyHandle* const default_family_;
  bool is_indexing_ = true;
  bool snapshot_is_pending_ = false;
  std::shared_ptr<TransactionNotifier> notifier_;
  Counts counts_;
  std::vector<SavePoint> save_points_;  // oldest first
};

}  // namespace ROCKSDB_NAMESPACE
