// A transaction that locks the keys it uses, and writes at Commit().
//
// State     STARTED -> (Prepare) PREPARED -> (Commit) COMMITTED
//                                         -> (Rollback) ROLLEDBACK
//           STARTED -> (Commit) COMMITTED; -> (Rollback) STARTED;
//           -> LOCKS_STOLEN, by another's thread, when its time is over.
//           A step that fails leads back to where it began.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/utilities/transaction_db.h"
#include "utilities/transactions/lock_manager.h"
#include "utilities/transactions/lock_owner.h"
#include "utilities/transactions/transaction_base.h"

namespace ROCKSDB_NAMESPACE {

class PessimisticDB;
class WriteCondition;
struct RecoveredSection;

class PessimisticTransaction : public TransactionBase, public LockOwner {
 public:
  PessimisticTransaction(PessimisticDB* txn_db,
                         const WriteOptions& write_options,
                         const TransactionOptions& options);
  ~PessimisticTransaction() override;

  void BeginAnew(const WriteOptions& write_options,
                 const TransactionOptions& options);
  // What recovery has found.
  virtual Status BecomeRecovered(RecoveredSection* section);

  Status Prepare() override;
  Status Commit() override;
  Status Rollback() override;
  Status SetName(const TransactionName& name) override;

  Status CollapseKey(const ReadOptions& options, const Slice& key,
                     ColumnFamilyHandle* column_family) override;
  Status GetRangeLock(ColumnFamilyHandle* column_family, const Endpoint& start,
                      const Endpoint& end) override;

  void SetLockTimeout(int64_t timeout_ms) override {
    lock_timeout_micros_ = LockMicros(timeout_ms);
  }
  void SetDeadlockTimeout(int64_t timeout_ms) override {
    deadlock_timeout_micros_ =
        std::clamp<int64_t>(timeout_ms, 0, kMostLockMillis) * 1000;
  }
  TransactionID GetID() const override { return lock_id(); }
  bool IsDeadlockDetect() const override { return options_.deadlock_detect; }
  std::vector<TransactionID> GetWaitingTxns(uint32_t* column_family_id,
                                            std::string* key) const override;

  Status SetReadTimestampForValidation(TxnTimestamp ts) override;
  Status SetCommitTimestamp(TxnTimestamp ts) override;
  TxnTimestamp GetCommitTimestamp() const override { return commit_timestamp_; }

  using TransactionBase::GetForUpdate;
  Status GetForUpdate(const ReadOptions& options,
                      ColumnFamilyHandle* column_family, const Slice& key,
                      std::string* value, bool exclusive,
                      const bool do_validate) override;
  Status GetForUpdate(const ReadOptions& options,
                      ColumnFamilyHandle* column_family, const Slice& key,
                      PinnableSlice* value, bool exclusive,
                      const bool do_validate) override;
  Status GetEntityForUpdate(const ReadOptions& options,
                            ColumnFamilyHandle* column_family, const Slice& key,
                            PinnableWideColumns* columns, bool exclusive,
                            bool do_validate) override;

  // --- LockOwner
  uint64_t locks_expire_at() const override {
    return txn_state_ == PREPARED ? UINT64_MAX : expires_at_;
  }
  bool TryGiveUpLocks() override;

 protected:
  Status UndoToSavePoint() override;
  Status BeforeUpdate() override;
  Status TryLock(const LockRequest& request) override;
  void Unlock(uint32_t family_id, const Slice& key) override;
  PessimisticDB* txn_db() const { return txn_db_; }

 private:
  class InTurn;

  void TakeOptions(const TransactionOptions& options);
  void UnlockAll();
  bool IsExpired() const;
  Status LockKey(const LockRequest& request);
  Status LockInRange(const LockRequest& request);
  LockTerms Terms(bool is_exclusive) const;
  Status Validate(const LockRequest& request, const TrackedKey* tracked,
                  SequenceNumber* since);
  // A read with the timestamp that it is to have.
  struct StampedRead {
    ReadOptions options;
    std::string buffer;
    Slice timestamp;
  };
  Status CheckTimestampsOfRead(const ReadOptions& options,
                               ColumnFamilyHandle* family, bool do_validate,
                               StampedRead* read) const;
  Status StampBatch(std::string* timestamp);
  Status CommitAtOnce();
  Status CommitPrepared();
  bool IsLarge();
  // --- its section in the log (transaction_sections.cc)
  // A section that grows before the transaction is prepared.
  struct Parts {
    bool exist = false;
    bool are_void = false;    // the batch has less by now
    size_t logged_bytes = 0;  // the bytes of the batch that the log has
  };
  bool AppliesEarly() const;
  size_t UnloggedBytes() const;
  void LimitBatch();
  Status LogRest(bool is_prepared);
  Status CommitParts(WriteCondition* condition);
  Status RollBackSection();
  void LeaveSection();
  // The snapshot behind a commit; null: it could not be had.
  void AdoptTaken(std::shared_ptr<const Snapshot> snapshot);
  void Finish(TransactionState state);
  Status Refused(const char* call) const;

  PessimisticDB* const txn_db_;
  TransactionOptions options_;
  int64_t lock_timeout_micros_ = 0;  // less than 0: no limit
  int64_t deadlock_timeout_micros_ = 0;
  uint64_t expires_at_ = UINT64_MAX;   // microseconds
  size_t prepared_bytes_ = 0;          // the batch's size when it was prepared
  int64_t flush_threshold_bytes_ = 0;  // for write-unprepared; 0: none
  Parts parts_;
  TxnTimestamp read_timestamp_ = kMaxTxnTimestamp;
  TxnTimestamp commit_timestamp_ = kMaxTxnTimestamp;
};

}  // namespace ROCKSDB_NAMESPACE
