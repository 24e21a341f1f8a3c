#pragma once

// A database with transactions that lock the keys they use.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/utilities/stackable_db.h"
#include "rocksdb/utilities/transaction.h"

namespace ROCKSDB_NAMESPACE {

class LockManager;
class SecondaryIndex;
class TransactionDB;
class TransactionDBMutexFactory;

// How the log has transactions. Nothing reaches the database's memory before
// Commit(), under all of them. A log that holds prepared transactions is opened
// by the policy that wrote it alone; WRITE_UNPREPARED reads WRITE_PREPARED,
// too.
enum TxnDBWritePolicy {
  WRITE_COMMITTED = 0,
  WRITE_PREPARED = 1,    // a prepared one as RocksDB applies it at Prepare()
  WRITE_UNPREPARED = 2,  // also parts of one before that, when it is large
};

constexpr uint32_t kInitialMaxDeadlocks = 5;

// A lock manager that the caller has made.
class LockManagerHandle {
 public:
  virtual LockManager* getLockManager() = 0;
  virtual ~LockManagerHandle() {}
};

// An Endpoint that owns its bytes.
struct EndpointWithString {
  std::string slice;
  bool inf_suffix;
};

// One wait of a circle of waits for ranges.
struct RangeDeadlockInfo {
  TransactionID m_txn_id;
  uint32_t m_cf_id;
  bool m_exclusive;
  EndpointWithString m_start;
  EndpointWithString m_end;
};

// A circle of such waits, in its order; the last one asked last, and was
// refused.
struct RangeDeadlockPath {
  std::vector<RangeDeadlockInfo> path;
  bool limit_exceeded;
  int64_t deadlock_time;

  explicit RangeDeadlockPath(std::vector<RangeDeadlockInfo> path_entry,
                             const int64_t& dl_time)
      : path(std::move(path_entry)),
        limit_exceeded(false),
        deadlock_time(dl_time) {}
  // A deadlock whose path is not known.
  explicit RangeDeadlockPath(const int64_t& dl_time = 0, bool limit = false)
      : limit_exceeded(limit), deadlock_time(dl_time) {}

  bool empty() { return path.empty() && !limit_exceeded; }
};

// A locked key.
struct KeyLockInfo {
  std::string key;
  std::vector<TransactionID> ids;
  bool exclusive;
};

// A locked range.
struct RangeLockInfo {
  EndpointWithString start;
  EndpointWithString end;
  std::vector<TransactionID> ids;
  bool exclusive;
};

// A lock manager for ranges of keys, see NewRangeLockManager().
class RangeLockManagerHandle : public LockManagerHandle {
 public:
  // Bytes that locks may take. 0; or EDOM if they take more already.
  virtual int SetMaxLockMemory(size_t max_lock_memory) = 0;
  virtual size_t GetMaxLockMemory() = 0;

  using RangeLockStatus = std::unordered_multimap<uint32_t, RangeLockInfo>;

  // Neighbouring locks of a transaction may become one that covers the keys
  // between them, except where `func` is true of them.
  using EscalationBarrierFunc =
      std::function<bool(const Endpoint&, const Endpoint&)>;
  virtual void SetEscalationBarrierFunc(EscalationBarrierFunc func) = 0;

  // Asked while a transaction waits: true ends the wait.
  using IsKilledCallback = std::function<bool()>;
  virtual void SetIsKilledCallback(IsKilledCallback func) = 0;

  virtual RangeLockStatus GetRangeLockStatusData() = 0;

  class Counters {
   public:
    uint64_t escalation_count;
    uint64_t lock_wait_count;
    uint64_t current_lock_memory;
  };
  virtual Counters GetStatus() = 0;

  virtual std::vector<RangeDeadlockPath> GetRangeDeadlockInfoBuffer() = 0;
  virtual void SetRangeDeadlockInfoBufferSize(uint32_t target_size) = 0;
  ~RangeLockManagerHandle() override {}
};

// A manager of locks on ranges of keys, for
// TransactionDBOptions::lock_mgr_handle. It serves one database at a time.
// `mutex_factory` may be null.
//
// Keys that transactions use are ranges of one key then. Deadlocks are always
// looked for. No lock is given back before its transaction ends: not by
// RollbackToSavePoint(), not by UndoGetForUpdate().
RangeLockManagerHandle* NewRangeLockManager(
    std::shared_ptr<TransactionDBMutexFactory> mutex_factory);

struct TransactionDBOptions {
  // Keys of one family that may be locked at once; 0 and less: no limit.
  // Default: -1.
  int64_t max_num_locks = -1;
  // How many of the newest deadlocks are kept for GetDeadlockInfoBuffer().
  // Default: 5.
  uint32_t max_num_deadlocks = kInitialMaxDeadlocks;
  // Parts of each family's lock table, with a mutex each; 0 is 1. Default: 16.
  size_t num_stripes = 16;
  // Milliseconds to wait for a lock, where TransactionOptions::lock_timeout
  // does not say; 0: no wait, less than 0: no limit. Default: 1000.
  int64_t transaction_lock_timeout = 1000;
  // The same for writes outside of transactions. Default: 1000.
  int64_t default_lock_timeout = 1000;
  // Makes the mutexes of the lock tables, and what is waited on; null: the
  // built-in ones. Default: null.
  std::shared_ptr<TransactionDBMutexFactory> custom_mutex_factory;
  // Default: WRITE_COMMITTED. The others have no timestamps, and no writes with
  // enable_pipelined_write.
  TxnDBWritePolicy write_policy = TxnDBWritePolicy::WRITE_COMMITTED;
  // No effect: a rollback leaves no operands behind, under every policy.
  bool rollback_merge_operands = false;
  // Another lock manager, see NewRangeLockManager(); null: locks are on keys.
  // Default: null.
  std::shared_ptr<LockManagerHandle> lock_mgr_handle;
  // Locks are always queued by key, first come, first served: no difference.
  bool use_per_key_point_lock_mgr = false;
  // Write() of a batch takes no locks. Default: false.
  bool skip_concurrency_control = false;
  // Bytes of a transaction's batch above which its next write logs them as a
  // part, by WRITE_UNPREPARED; the transaction must have a name. 0: never.
  int64_t default_write_batch_flush_threshold = 0;
  // By the other policies: is a key that was not there to be deleted by
  // SingleDelete() in a rollback? Null: by Delete(). From any thread.
  std::function<bool(TransactionDB*, ColumnFamilyHandle*, const Slice&)>
      rollback_deletion_type_callback;
  // False: timestamps are not compared when a key is validated. Default: true.
  bool enable_udt_validation = true;
  // Indices that are kept up with what is written, see SecondaryIndex. Merge()
  // in their primary families is NotSupported. Default: none.
  std::vector<std::shared_ptr<SecondaryIndex>> secondary_indices;
  // No effect; see TransactionOptions::large_txn_commit_optimize_threshold.
  uint32_t txn_commit_bypass_memtable_threshold =
      std::numeric_limits<uint32_t>::max();
};

struct TransactionOptions {
  // The transaction begins with a call of SetSnapshot(). Default: false.
  bool set_snapshot = false;
  // Before it waits for a lock, looks whether that wait could end; if not, the
  // operation answers Busy (IsDeadlock()). Default: false.
  bool deadlock_detect = false;
  // By the other policies: GetCommitTimeWriteBatch() may be used.
  bool use_only_the_last_commit_time_batch_for_recovery = false;
  // Milliseconds to wait for a lock; 0: no wait, less than 0: the database's
  // transaction_lock_timeout. Default: -1.
  int64_t lock_timeout = -1;
  // Microseconds to wait before looking for a circle. Default: 500.
  int64_t deadlock_timeout_us = 500;
  // Milliseconds after which others may take its locks and it cannot commit,
  // unless it is prepared by then; less than 0: never. Default: -1.
  int64_t expiration = -1;
  // At most so many transactions are looked at in a search for a circle; none
  // found by then counts as none. Default: 50.
  int64_t deadlock_detect_depth = 50;
  // Bytes of its batch; an operation beyond it answers Aborted
  // (kMemoryLimit). 0: no limit. Default: 0.
  size_t max_write_batch_size = 0;
  // Locks nothing and finds no conflicts. Default: false.
  bool skip_concurrency_control = false;
  // False: Commit() without Prepare() is refused. Default: true.
  bool skip_prepare = true;
  // Replaces default_write_batch_flush_threshold for this transaction; less
  // than 0: the default holds.
  int64_t write_batch_flush_threshold = -1;
  // Its batch keeps the timestamp sizes of the families that it names, see
  // WriteBatch::GetColumnFamilyToTimestampSize(). Default: false.
  bool write_batch_track_timestamp_size = false;
  // A prepared transaction is committed past the memtables: its updates become
  // a memtable of their own for each family, which is flushed next. For large
  // ones, which would fill the memtables of others. By the other policies, with
  // timestamps, with enable_blob_direct_write, without Prepare(), with updates
  // behind it or with some that are not indexed, it is committed the usual way.
  // With unordered_write or enable_pipelined_write Commit() answers
  // NotSupported. Default: false.
  bool commit_bypass_memtable = false;
  // The same from so many updates on, or so many bytes of the batch; 0: never.
  // Default: 0.
  uint32_t large_txn_commit_optimize_threshold = 0;
  uint64_t large_txn_commit_optimize_byte_threshold = 0;
};

// What the caller of Write() vouches for.
struct TransactionDBWriteOptimizations {
  // No transaction has any of the keys: none is locked.
  bool skip_concurrency_control = false;
  // By the other policies, range deletions need this promise, too.
  bool skip_duplicate_key_check = false;
};

// One wait of a circle.
struct DeadlockInfo {
  TransactionID m_txn_id;
  uint32_t m_cf_id;
  bool m_exclusive;
  std::string m_waiting_key;
};

// A circle of waits, in its order; the last one asked last, and was refused.
struct DeadlockPath {
  std::vector<DeadlockInfo> path;
  bool limit_exceeded;
  int64_t deadlock_time;  // seconds since 1970

  explicit DeadlockPath(std::vector<DeadlockInfo> path_entry,
                        const int64_t& dl_time)
      : path(std::move(path_entry)),
        limit_exceeded(false),
        deadlock_time(dl_time) {}
  // A deadlock whose path is not known.
  explicit DeadlockPath(const int64_t& dl_time = 0, bool limit = false)
      : limit_exceeded(limit), deadlock_time(dl_time) {}

  bool empty() { return path.empty() && !limit_exceeded; }
};

// A DB with transactions that lock.
//
// Writes    Put(), PutEntity(), Merge(), Delete(), SingleDelete() and Write()
//           lock their keys for as long as they take, as a transaction would,
//           and answer as one that could not: TimedOut, Aborted. A thread that
//           has the key in a transaction of its own waits for itself.
// Reads     Are plain reads, and never wait.
// Refuses   DeleteRange(): NotSupported; batches with one: InvalidArgument,
//           unless locking is skipped. Writes to families with timestamps:
//           NotSupported, they are for transactions.
// Past it   Ingested files, and writes to the database below, lock nothing.
class TransactionDB : public StackableDB {
 public:
  using StackableDB::Write;
  // Write(), with what the caller vouches for.
  virtual Status Write(const WriteOptions& opts,
                       const TransactionDBWriteOptimizations& /*optimizations*/,
                       WriteBatch* updates) {
    return Write(opts, updates);
  }
  using StackableDB::DeleteRange;
  Status DeleteRange(const WriteOptions& /*options*/,
                     ColumnFamilyHandle* /*column_family*/,
                     const Slice& /*begin*/, const Slice& /*end*/) override {
    return Status::NotSupported(
        "DeleteRange of a TransactionDB: ranges cannot be locked");
  }

  // Like DB::Open(), with allow_2pc. Transactions that were prepared and not
  // ended when the database was open last are there again: see
  // GetAllPreparedTransactions().
  //
  // Errors  NotSupported: unordered_write, unless it is with WRITE_PREPARED and
  //         two_write_queues; timestamps with another policy than
  //         WRITE_COMMITTED; prepared transactions of another policy.
  //         InvalidArgument: inplace_update_support, timestamps of another size
  //         than eight, a lock manager that serves another database.
  static Status Open(const Options& options,
                     const TransactionDBOptions& txn_db_options,
                     const std::string& dbname, TransactionDB** dbptr);
  static Status Open(const DBOptions& db_options,
                     const TransactionDBOptions& txn_db_options,
                     const std::string& dbname,
                     const std::vector<ColumnFamilyDescriptor>& column_families,
                     std::vector<ColumnFamilyHandle*>* handles,
                     TransactionDB** dbptr);

  // For those who open the database themselves: changes the options as Open()
  // would, and lists the families that are to compact by themselves.
  static void PrepareWrap(DBOptions* db_options,
                          std::vector<ColumnFamilyDescriptor>* column_families,
                          std::vector<size_t>* compaction_enabled_cf_indices);
  // Then makes a TransactionDB of it, which owns it: on failure the database
  // and the handles are deleted.
  static Status WrapDB(DB* db, const TransactionDBOptions& txn_db_options,
                       const std::vector<size_t>& compaction_enabled_cf_indices,
                       const std::vector<ColumnFamilyHandle*>& handles,
                       TransactionDB** dbptr);
  static Status WrapStackableDB(
      StackableDB* db, const TransactionDBOptions& txn_db_options,
      const std::vector<size_t>& compaction_enabled_cf_indices,
      const std::vector<ColumnFamilyHandle*>& handles, TransactionDB** dbptr);

  // Deletes the transactions that have names; the others must be gone.
  ~TransactionDB() override {}

  // A new transaction, which the caller deletes; or `old_txn`, of this
  // database, begun anew. What that one has prepared stays in the log, and is
  // there again when the database is opened next.
  virtual Transaction* BeginTransaction(
      const WriteOptions& write_options,
      const TransactionOptions& txn_options = TransactionOptions(),
      Transaction* old_txn = nullptr) = 0;

  // Null: none has that name.
  virtual Transaction* GetTransactionByName(const TransactionName& name) = 0;
  // Those that are prepared. After Open() the caller is to end and to delete
  // each, before others begin: they hold no locks.
  virtual void GetAllPreparedTransactions(std::vector<Transaction*>* trans) = 0;

  // All locks of one moment, by column family id.
  virtual std::unordered_multimap<uint32_t, KeyLockInfo>
  GetLockStatusData() = 0;

  // The newest first.
  virtual std::vector<DeadlockPath> GetDeadlockInfoBuffer() = 0;
  virtual void SetDeadlockInfoBufferSize(uint32_t target_size) = 0;

  // A snapshot of now that has a timestamp.
  //
  // Errors  InvalidArgument: `ts` is that of no timestamp, or less than the
  //         newest snapshot's, or the same and something was written since.
  virtual std::pair<Status, std::shared_ptr<const Snapshot>>
  CreateTimestampedSnapshot(TxnTimestamp ts) = 0;
  // Null: there is none.
  std::shared_ptr<const Snapshot> GetLatestTimestampedSnapshot() const {
    return GetTimestampedSnapshot(kMaxTxnTimestamp);
  }
  virtual std::shared_ptr<const Snapshot> GetTimestampedSnapshot(
      TxnTimestamp ts) const = 0;
  // Those with timestamps before `ts` stay for as long as others hold them.
  virtual void ReleaseTimestampedSnapshotsOlderThan(TxnTimestamp ts) = 0;

  Status GetAllTimestampedSnapshots(
      std::vector<std::shared_ptr<const Snapshot>>& timestamped_snapshots)
      const {
    return GetTimestampedSnapshots(0, kMaxTxnTimestamp, timestamped_snapshots);
  }
  // Those in [ts_lb, ts_ub), ascending. InvalidArgument: that is empty.
  virtual Status GetTimestampedSnapshots(
      TxnTimestamp ts_lb, TxnTimestamp ts_ub,
      std::vector<std::shared_ptr<const Snapshot>>& timestamped_snapshots)
      const = 0;

 protected:
  explicit TransactionDB(DB* db) : StackableDB(db) {}
  TransactionDB(const TransactionDB&) = delete;
  void operator=(const TransactionDB&) = delete;
};

}  // namespace ROCKSDB_NAMESPACE
