#pragma once

// A transaction: reads and writes that take effect together, as if nobody else
// had been at work meanwhile. docs/transactions.md says which kind is for whom.

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class Iterator;
class TransactionDB;
class WriteBatchWithIndex;

using TransactionName = std::string;
using TransactionID = uint64_t;
using TxnTimestamp = uint64_t;

// No timestamp.
constexpr TxnTimestamp kMaxTxnTimestamp =
    std::numeric_limits<TxnTimestamp>::max();

// One end of a range of keys that GetRangeLock() locks. It borrows its bytes.
class Endpoint {
 public:
  Slice slice;
  // It stands behind every key that begins with `slice`.
  bool inf_suffix;

  explicit Endpoint(const Slice& slice_arg, bool inf_suffix_arg = false)
      : slice(slice_arg), inf_suffix(inf_suffix_arg) {}
  explicit Endpoint(const char* s, bool inf_suffix_arg = false)
      : slice(s), inf_suffix(inf_suffix_arg) {}
  Endpoint(const char* s, size_t size, bool inf_suffix_arg = false)
      : slice(s, size), inf_suffix(inf_suffix_arg) {}
  Endpoint() : inf_suffix(false) {}
};

// Is told of the snapshot that SetSnapshotOnNextOperation() asked for.
class TransactionNotifier {
 public:
  virtual ~TransactionNotifier() {}
  // From the thread of the operation that took it.
  virtual void SnapshotCreated(const Snapshot* newSnapshot) = 0;
};

// Made by BeginTransaction() of a TransactionDB (which locks keys as they are
// used) or of an OptimisticTransactionDB (which looks for conflicts at Commit).
//
// Threads    One at a time.
// Lifetime   Deleted by the caller, before the database. Deleting one that is
//            not finished rolls it back; one that is prepared stays prepared.
// Errors     A TransactionDB answers an operation with
//            TimedOut  a lock was not had in time,
//            Busy      the key was written since the transaction's snapshot, or
//                      locks wait for each other in a circle (IsDeadlock()),
//            Aborted   too many locks, or a batch that is too large,
//            and the transaction stays usable. Of an OptimisticTransactionDB
//            Commit() alone answers Busy.
class Transaction {
 public:
  Transaction(const Transaction&) = delete;
  void operator=(const Transaction&) = delete;
  virtual ~Transaction() {}

  // --- snapshot
  // From now on it is a conflict if others have written a key after this
  // moment, rather than after its first use here. Reads see the present state
  // all the same, unless ReadOptions::snapshot says otherwise. It stays until
  // it is replaced or cleared, also over Commit() and Rollback().
  virtual void SetSnapshot() = 0;
  // The same at the next write or GetForUpdate(), once that has its lock.
  // `notifier`, which may be null, is told of it.
  virtual void SetSnapshotOnNextOperation(
      std::shared_ptr<TransactionNotifier> notifier = nullptr) = 0;
  // Null: there is none. Valid until it is replaced or cleared.
  virtual const Snapshot* GetSnapshot() const = 0;
  // The same, if it has a timestamp; else null.
  virtual std::shared_ptr<const Snapshot> GetTimestampedSnapshot() const = 0;
  virtual void ClearSnapshot() = 0;

  // --- ending
  // First phase of two: writes all to the log, so that Commit() can no longer
  // be kept from by anybody else, also after a crash. The transaction needs a
  // name. What it writes afterwards is committed along, but is lost in a crash
  // before that.
  //
  // Errors  InvalidArgument: no name, or not in a state for it. Expired: its
  //         time is over. Else, of the write: it is as before.
  virtual Status Prepare() = 0;
  // All that it has written becomes visible at once, or, on an error, nothing.
  //
  // Errors  Busy: an optimistic one came too late; Rollback() and begin again.
  //         Expired: its time is over. InvalidArgument: not in a state for it,
  //         a family is gone. TxnNotPrepared: skip_prepare is off. Else, of the
  //         write: it is as before the call.
  virtual Status Commit() = 0;
  // Commits, and takes a snapshot that sees just up to this commit, with the
  // timestamp `ts`, or else the commit timestamp. *snapshot stays null where
  // only the snapshot could not be had: timestamps of snapshots ascend.
  //
  // Errors  InvalidArgument: neither or both timestamps, and different ones.
  //         NotSupported: not of a TransactionDB that writes at Commit().
  Status CommitAndTryCreateSnapshot(
      std::shared_ptr<TransactionNotifier> notifier =
          std::shared_ptr<TransactionNotifier>(),
      TxnTimestamp ts = kMaxTxnTimestamp,
      std::shared_ptr<const Snapshot>* snapshot = nullptr);
  // Forgets all writes and gives back all locks. It can be used on, unless it
  // was prepared.
  virtual Status Rollback() = 0;

  // --- save points
  // What is written, locked and counted from here on, and the snapshot, can be
  // taken back. They stack.
  virtual void SetSavePoint() = 0;
  // To the newest save point, which is gone then. NotFound: there is none.
  virtual Status RollbackToSavePoint() = 0;
  // Forgets the newest save point. NotFound: there is none.
  virtual Status PopSavePoint() = 0;

  // --- reading
  // The transaction's own writes, and below them the database as it is now, or
  // as of ReadOptions::snapshot. Nothing is locked, and no conflict found.
  virtual Status Get(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     std::string* value) = 0;
  virtual Status Get(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     PinnableSlice* pinnable_val) {
    return GetThrough(pinnable_val, [&](std::string* value) {
      return Get(options, column_family, key, value);
    });
  }
  virtual Status Get(const ReadOptions& options, const Slice& key,
                     std::string* value) = 0;
  virtual Status Get(const ReadOptions& options, const Slice& key,
                     PinnableSlice* pinnable_val) {
    return GetThrough(pinnable_val, [&](std::string* value) {
      return Get(options, key, value);
    });
  }
  virtual Status GetEntity(const ReadOptions& options,
                           ColumnFamilyHandle* column_family, const Slice& key,
                           PinnableWideColumns* columns) = 0;
  virtual std::vector<Status> MultiGet(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_family,
      const std::vector<Slice>& keys, std::vector<std::string>* values) = 0;
  virtual std::vector<Status> MultiGet(const ReadOptions& options,
                                       const std::vector<Slice>& keys,
                                       std::vector<std::string>* values) = 0;
  // The last parameter: whether the keys are sorted.
  virtual void MultiGet(const ReadOptions& options,
                        ColumnFamilyHandle* column_family,
                        const size_t num_keys, const Slice* keys,
                        PinnableSlice* values, Status* statuses,
                        const bool /*sorted_input*/ = false) {
    for (size_t i = 0; i < num_keys; ++i) {
      statuses[i] = Get(options, column_family, keys[i], &values[i]);
    }
  }
  virtual void MultiGetEntity(const ReadOptions& options,
                              ColumnFamilyHandle* column_family,
                              size_t num_keys, const Slice* keys,
                              PinnableWideColumns* results, Status* statuses,
                              bool sorted_input = false) = 0;

  // Get(), of a key that nobody else may write until the transaction ends:
  // with `exclusive` neither read for update. A key that is not there
  // (NotFound) is locked as well. `value` may be null. An optimistic
  // transaction finds at Commit() that the key was written since.
  //
  // Errors  InvalidArgument: `do_validate`, which asks whether the key was
  //         written since the transaction's snapshot, is off, and
  //         ReadOptions::snapshot is set.
  virtual Status GetForUpdate(const ReadOptions& options,
                              ColumnFamilyHandle* column_family,
                              const Slice& key, std::string* value,
                              bool exclusive = true,
                              const bool do_validate = true) = 0;
  virtual Status GetForUpdate(const ReadOptions& options,
                              ColumnFamilyHandle* column_family,
                              const Slice& key, PinnableSlice* pinnable_val,
                              bool exclusive = true,
                              const bool do_validate = true) {
    return GetThrough(pinnable_val, [&](std::string* value) {
      return GetForUpdate(options, column_family, key, value, exclusive,
                          do_validate);
    });
  }
  // Locks the keys from `start` to `end`, both included.
  virtual Status GetRangeLock(ColumnFamilyHandle* /*column_family*/,
                              const Endpoint& /*start*/,
                              const Endpoint& /*end*/) {
    return Status::NotSupported("GetRangeLock");
  }
  virtual Status GetForUpdate(const ReadOptions& options, const Slice& key,
                              std::string* value, bool exclusive = true,
                              const bool do_validate = true) = 0;
  virtual Status GetForUpdate(const ReadOptions& options, const Slice& key,
                              PinnableSlice* pinnable_val,
                              bool exclusive = true,
                              const bool do_validate = true) {
    return GetThrough(pinnable_val, [&](std::string* value) {
      return GetForUpdate(options, key, value, exclusive, do_validate);
    });
  }
  virtual Status GetEntityForUpdate(const ReadOptions& read_options,
                                    ColumnFamilyHandle* column_family,
                                    const Slice& key,
                                    PinnableWideColumns* columns,
                                    bool exclusive = true,
                                    bool do_validate = true) = 0;
  // Locks the keys in this order, then reads them. Where one cannot be locked,
  // every key has that status, and those before it stay locked.
  virtual std::vector<Status> MultiGetForUpdate(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_family,
      const std::vector<Slice>& keys, std::vector<std::string>* values) = 0;
  virtual std::vector<Status> MultiGetForUpdate(
      const ReadOptions& options, const std::vector<Slice>& keys,
      std::vector<std::string>* values) = 0;

  // A cursor over the transaction's writes and what lies below them, which the
  // caller deletes before Commit(), Rollback() or RollbackToSavePoint(). Own
  // writes show once it moves onto them.
  virtual Iterator* GetIterator(const ReadOptions& read_options) = 0;
  virtual Iterator* GetIterator(const ReadOptions& read_options,
                                ColumnFamilyHandle* column_family) = 0;
  // Like DB::NewCoalescingIterator() and DB::NewAttributeGroupIterator(), but
  // they show the transaction's writes, too.
  virtual std::unique_ptr<Iterator> GetCoalescingIterator(
      const ReadOptions& read_options,
      const std::vector<ColumnFamilyHandle*>& column_families) = 0;
  virtual std::unique_ptr<AttributeGroupIterator> GetAttributeGroupIterator(
      const ReadOptions& read_options,
      const std::vector<ColumnFamilyHandle*>& column_families) = 0;

  // --- writing
  // Others see it after Commit(). With `assume_tracked` the key must have been
  // locked by an earlier write or exclusive GetForUpdate(): else
  // InvalidArgument.
  virtual Status Put(ColumnFamilyHandle* column_family, const Slice& key,
                     const Slice& value, const bool assume_tracked = false) = 0;
  virtual Status Put(const Slice& key, const Slice& value) = 0;
  virtual Status Put(ColumnFamilyHandle* column_family, const SliceParts& key,
                     const SliceParts& value,
                     const bool assume_tracked = false) = 0;
  virtual Status Put(const SliceParts& key, const SliceParts& value) = 0;
  virtual Status PutEntity(ColumnFamilyHandle* column_family, const Slice& key,
                           const WideColumns& columns,
                           bool assume_tracked = false) = 0;
  virtual Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
                       const Slice& value,
                       const bool assume_tracked = false) = 0;
  virtual Status Merge(const Slice& key, const Slice& value) = 0;
  virtual Status Delete(ColumnFamilyHandle* column_family, const Slice& key,
                        const bool assume_tracked = false) = 0;
  virtual Status Delete(const Slice& key) = 0;
  virtual Status Delete(ColumnFamilyHandle* column_family,
                        const SliceParts& key,
                        const bool assume_tracked = false) = 0;
  virtual Status Delete(const SliceParts& key) = 0;
  virtual Status SingleDelete(ColumnFamilyHandle* column_family,
                              const Slice& key,
                              const bool assume_tracked = false) = 0;
  virtual Status SingleDelete(const Slice& key) = 0;
  virtual Status SingleDelete(ColumnFamilyHandle* column_family,
                              const SliceParts& key,
                              const bool assume_tracked = false) = 0;
  virtual Status SingleDelete(const SliceParts& key) = 0;

  // Writes that overwrite whatever others have written: no conflict is looked
  // for. A TransactionDB still locks the keys.
  virtual Status PutUntracked(ColumnFamilyHandle* column_family,
                              const Slice& key, const Slice& value) = 0;
  virtual Status PutUntracked(const Slice& key, const Slice& value) = 0;
  virtual Status PutUntracked(ColumnFamilyHandle* column_family,
                              const SliceParts& key,
                              const SliceParts& value) = 0;
  virtual Status PutUntracked(const SliceParts& key,
                              const SliceParts& value) = 0;
  virtual Status PutEntityUntracked(ColumnFamilyHandle* column_family,
                                    const Slice& key,
                                    const WideColumns& columns) = 0;
  virtual Status MergeUntracked(ColumnFamilyHandle* column_family,
                                const Slice& key, const Slice& value) = 0;
  virtual Status MergeUntracked(const Slice& key, const Slice& value) = 0;
  virtual Status DeleteUntracked(ColumnFamilyHandle* column_family,
                                 const Slice& key) = 0;
  virtual Status DeleteUntracked(const Slice& key) = 0;
  virtual Status DeleteUntracked(ColumnFamilyHandle* column_family,
                                 const SliceParts& key) = 0;
  virtual Status DeleteUntracked(const SliceParts& key) = 0;
  virtual Status SingleDeleteUntracked(ColumnFamilyHandle* column_family,
                                       const Slice& key) = 0;
  virtual Status SingleDeleteUntracked(const Slice& key) = 0;

  // Replaces the merge operands of a key by one Put of what they come to.
  // NotFound: the key is not there; it stays locked.
  virtual Status CollapseKey(const ReadOptions& /*options*/,
                             const Slice& /*key*/,
                             ColumnFamilyHandle* /*column_family*/ = nullptr) {
    return Status::NotSupported("CollapseKey");
  }

  // For the log alone, see WriteBatch::PutLogData().
  virtual void PutLogData(const Slice& blob) = 0;

  // Writes between the two are committed, and never seen by this transaction's
  // reads, which so cost less.
  virtual void DisableIndexing() = 0;
  virtual void EnableIndexing() = 0;

  // --- what it has done
  // Keys that it has locked or looks at.
  virtual uint64_t GetNumKeys() const = 0;
  // Calls since it began, or ended last. GetNumDeletes() counts single
  // deletions too.
  virtual uint64_t GetNumPuts() const = 0;
  virtual uint64_t GetNumPutEntities() const = 0;
  virtual uint64_t GetNumDeletes() const = 0;
  virtual uint64_t GetNumMerges() const = 0;
  // Milliseconds since it began.
  virtual uint64_t GetElapsedTime() const = 0;

  // What Commit() is to write. What is added to it directly is neither locked
  // nor counted.
  virtual WriteBatchWithIndex* GetWriteBatch() = 0;
  // For locks that are asked for from now on; less than 0: no limit, 0: no
  // wait.
  virtual void SetLockTimeout(int64_t timeout_ms) = 0;
  // How long to wait before looking whether the wait can end, in milliseconds.
  virtual void SetDeadlockTimeout(int64_t timeout_ms) = 0;
  // For Prepare(), Commit() and Rollback().
  virtual WriteOptions* GetWriteOptions() = 0;
  virtual void SetWriteOptions(const WriteOptions& write_options) = 0;

  // Takes one GetForUpdate() back. A key that was not written, and has none
  // left, is no longer locked. No effect on those of before the save point.
  virtual void UndoGetForUpdate(ColumnFamilyHandle* column_family,
                                const Slice& key) = 0;
  virtual void UndoGetForUpdate(const Slice& key) = 0;

  // Does what the batch says, as if each update had been called for here. On
  // an error those before stay.
  virtual Status RebuildFromWriteBatch(WriteBatch* src_batch) = 0;
  // Updates that a prepared transaction writes with its Commit(), before its
  // own: neither locked nor looked at. InvalidArgument at Commit() of others.
  virtual WriteBatch* GetCommitTimeWriteBatch() = 0;

  // --- two phases
  // The log that holds what was prepared; 0: none.
  virtual void SetLogNumber(uint64_t log) { log_number_ = log; }
  virtual uint64_t GetLogNumber() const { return log_number_; }
  // 1 to 512 bytes; once, before anything else ends it. No other transaction
  // of the database may have it now. InvalidArgument otherwise.
  virtual Status SetName(const TransactionName& name) = 0;
  virtual TransactionName GetName() const { return name_; }

  // --- locks
  // Of this process, new with each BeginTransaction(); 0: it has none.
  virtual TransactionID GetID() const { return 0; }
  virtual bool IsDeadlockDetect() const { return false; }
  // Whom it waits for, or has waited for last, and for which key. The
  // parameters may be null.
  virtual std::vector<TransactionID> GetWaitingTxns(
      uint32_t* /*column_family_id*/, std::string* /*key*/) const {
    return {};
  }

  // --- state
  enum TransactionState {
    STARTED = 0,
    AWAITING_PREPARE = 1,
    PREPARED = 2,
    AWAITING_COMMIT = 3,
    COMMITTED = 4,
    COMMITED = COMMITTED,
    AWAITING_ROLLBACK = 5,
    ROLLEDBACK = 6,
    LOCKS_STOLEN = 7,
  };
  TransactionState GetState() const { return txn_state_; }
  void SetState(TransactionState state) { txn_state_ = state; }
  // The sequence number under which it was committed; 0: it was not.
  uint64_t GetId() { return id_; }

  // --- timestamps of the user
  // It is a conflict if a key has a later one.
  virtual Status SetReadTimestampForValidation(TxnTimestamp /*ts*/) {
    return Status::NotSupported("SetReadTimestampForValidation");
  }
  // What Commit() writes with.
  virtual Status SetCommitTimestamp(TxnTimestamp /*ts*/) {
    return Status::NotSupported("SetCommitTimestamp");
  }
  virtual TxnTimestamp GetCommitTimestamp() const { return kMaxTxnTimestamp; }

 protected:
  explicit Transaction(const TransactionDB* /*db*/) : Transaction() {}
  Transaction() : log_number_(0), txn_state_(STARTED) {}

  uint64_t log_number_;
  TransactionName name_;
  std::atomic<TransactionState> txn_state_;
  uint64_t id_ = 0;

  virtual void SetId(uint64_t id) { id_ = id; }
  virtual Status GetImpl(const ReadOptions& /*options*/,
                         ColumnFamilyHandle* /*column_family*/,
                         const Slice& /*key*/, std::string* /*value*/) {
    return Status::NotSupported("GetImpl");
  }
  virtual Status GetImpl(const ReadOptions& options,
                         ColumnFamilyHandle* column_family, const Slice& key,
                         PinnableSlice* pinnable_val) {
    return GetThrough(pinnable_val, [&](std::string* value) {
      return GetImpl(options, column_family, key, value);
    });
  }
  virtual uint64_t GetLastLogNumber() const { return log_number_; }

 private:
  // Into the slice's own bytes; null: nobody asks for the value.
  template <class Call>
  static Status GetThrough(PinnableSlice* pinned, const Call& call) {
    if (pinned == nullptr) return call(nullptr);
    const Status s = call(pinned->GetSelf());
    if (s.ok()) pinned->PinSelf();
    return s;
  }
};

}  // namespace ROCKSDB_NAMESPACE
