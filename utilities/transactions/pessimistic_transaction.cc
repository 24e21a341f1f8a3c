#include "utilities/transactions/pessimistic_transaction.h"

#include <algorithm>
#include <utility>

#include "db/read/newer_version.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/transaction_port.h"
#include "db/write/write_hooks.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "util/coding.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "utilities/transactions/pessimistic_transaction_db.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kLongestName = 512;
constexpr size_t kTimestampBytes = sizeof(TxnTimestamp);

bool HasTimestamps(ColumnFamilyHandle* family) {
  return family->GetComparator()->timestamp_size() > 0;
}

Status NoTimestamps() {
  return Status::NotSupported(
      "timestamps with the policies write-prepared and write-unprepared");
}

std::string EncodeTxnTimestamp(TxnTimestamp ts) {
  std::string encoded;
  PutFixed64(&encoded, ts);
  return encoded;
}

}  // namespace

// Checks, in a commit's turn to write, that its batches can be applied, and
// takes the snapshot behind it that is pending.
class PessimisticTransaction::InTurn final : public WriteCondition {
 public:
  explicit InTurn(PessimisticTransaction* txn)
      : txn_(*txn),
        takes_snapshot_(txn->HasPendingSnapshot() &&
                        txn->commit_timestamp_ != kMaxTxnTimestamp) {}

  Status Check() override {
    Status s = CheckBatch(*txn_.batch_.GetWriteBatch());
    return s.ok() ? CheckBatch(txn_.commit_time_batch_) : s;
  }
  bool MayShareGroup() const override { return !takes_snapshot_; }
  void OnVisible() override {
    if (!takes_snapshot_) return;
    snapshot_ =
        txn_.txn_db_->snapshots()->Create(txn_.commit_timestamp_).second;
  }

  bool takes_snapshot() const { return takes_snapshot_; }
  // Null: it could not be had.
  std::shared_ptr<const Snapshot> snapshot() const { return snapshot_; }

 private:
  Status CheckBatch(const WriteBatch& batch) {
    return txn_.port_->CheckApplicable(
        batch, txn_.write_options_.ignore_missing_column_families
                   ? TransactionPort::MissingFamilies::kPassOver
                   : TransactionPort::MissingFamilies::kRefuse);
  }

  PessimisticTransaction& txn_;
  const bool takes_snapshot_;
  std::shared_ptr<const Snapshot> snapshot_;
};

PessimisticTransaction::PessimisticTransaction(
    PessimisticDB* txn_db, const WriteOptions& write_options,
    const TransactionOptions& options)
    : TransactionBase(txn_db->base(), txn_db->port(), write_options),
      LockOwner(PessimisticDB::NewId()),
      txn_db_(txn_db) {
  TakeOptions(options);
}

PessimisticTransaction::~PessimisticTransaction() {
  LeaveSection();
  UnlockAll();
  if (!name_.empty()) txn_db_->UnregisterName(name_, this);
}

void PessimisticTransaction::TakeOptions(const TransactionOptions& options) {
  options_ = options;
  SetLockTimeout(options.lock_timeout < 0
                     ? txn_db_->txn_db_options().transaction_lock_timeout
                     : options.lock_timeout);
  deadlock_timeout_micros_ =
      std::min(options.deadlock_timeout_us, kMostLockMillis * 1000);
  const int64_t lifetime_micros = LockMicros(options.expiration);
  expires_at_ =
      lifetime_micros < 0
          ? UINT64_MAX
          : txn_db_->NowMicros() + static_cast<uint64_t>(lifetime_micros);
  prepared_bytes_ = 0;
  flush_threshold_bytes_ =
      options.write_batch_flush_threshold < 0
          ? txn_db_->txn_db_options().default_write_batch_flush_threshold
          : options.write_batch_flush_threshold;
  parts_ = {};
  read_timestamp_ = kMaxTxnTimestamp;
  commit_timestamp_ = kMaxTxnTimestamp;
  batch_.SetMaxBytes(options.max_write_batch_size);
  // What one before it has kept goes.
  WriteBatch* const updates = batch_.GetWriteBatch();
  updates->SetTrackTimestampSize(false);
  updates->SetTrackTimestampSize(options.write_batch_track_timestamp_size);
  if (options.set_snapshot) SetSnapshot();
}

void PessimisticTransaction::BeginAnew(const WriteOptions& write_options,
                                       const TransactionOptions& options) {
  if (txn_state_ == PREPARED) {
    ROCKSDB_NAMESPACE::Warn(db_->GetDBOptions().info_log,
                            "A prepared transaction is begun anew: what it has "
                            "prepared is there again when the database is "
                            "opened next");
  }
  LeaveSection();
  UnlockAll();
  if (!name_.empty()) txn_db_->UnregisterName(name_, this);
  TransactionBase::BeginAnew(write_options);
  SetLockId(PessimisticDB::NewId());
  TakeOptions(options);
}

Status PessimisticTransaction::BecomeRecovered(RecoveredSection* section) {
  Status s = RebuildFromWriteBatch(&section->updates);
  if (s.IsInvalidArgument()) {
    // A family is gone: it can be rolled back, or committed without it.
    Clear();
    s = WriteBatchInternal::Append(batch_.GetWriteBatch(), section->updates,
                                   WriteBatchInternal::Part::kAll);
  }
  if (s.ok()) s = SetName(section->name);
  if (!s.ok()) return s;
  log_number_ = section->log_number;
  SetId(section->sequence);
  prepared_bytes_ = batch_.GetDataSize();
  txn_state_ = PREPARED;
  return s;
}

// --- Locks

bool PessimisticTransaction::IsExpired() const {
  return expires_at_ != UINT64_MAX && txn_db_->NowMicros() >= expires_at_;
}

bool PessimisticTransaction::TryGiveUpLocks() {
  TransactionState state = STARTED;
  return txn_state_.compare_exchange_strong(state, LOCKS_STOLEN) ||
         state == LOCKS_STOLEN;
}

std::vector<TransactionID> PessimisticTransaction::GetWaitingTxns(
    uint32_t* column_family_id, std::string* key) const {
  Wait wait = last_wait();
  if (column_family_id != nullptr) *column_family_id = wait.family_id;
  if (key != nullptr) *key = std::move(wait.key);
  return std::move(wait.ids);
}

Status PessimisticTransaction::LockKey(const LockRequest& request) {
  return txn_db_->locks()->Lock(this, {.family_id = request.family->GetID(),
                                       .key = request.key,
                                       .terms = Terms(request.is_exclusive)});
}

LockTerms PessimisticTransaction::Terms(bool is_exclusive) const {
  return {.is_exclusive = is_exclusive,
          .timeout_micros = lock_timeout_micros_,
          .detects_deadlocks = options_.deadlock_detect,
          .deadlock_timeout_micros = deadlock_timeout_micros_,
          .deadlock_depth = options_.deadlock_detect_depth};
}

Status PessimisticTransaction::TryLock(const LockRequest& request) {
  if (options_.skip_concurrency_control) return Status::OK();
  if (!txn_db_->locks()->HasKeyLocks()) return LockInRange(request);
  const uint32_t id = request.family->GetID();
  const TrackedKey* const tracked = tracked_.Find(id, request.key);
  const bool upgrades =
      tracked != nullptr && request.is_exclusive && !tracked->is_exclusive;
  const bool needs_lock = tracked == nullptr || upgrades;
  if (request.assumes_tracked) {
    if (needs_lock) {
      return Status::InvalidArgument(
          "assume_tracked is set but the key is not tracked, or not as "
          "exclusive");
    }
  } else if (needs_lock) {
    if (Status s = LockKey(request); !s.ok()) return s;
  }
  TakePendingSnapshot();
  SequenceNumber since = kMaxSequenceNumber;
  Status s = Validate(request, tracked, &since);
  if (!s.ok()) {
    // The lock goes back to what it was before.
    if (tracked == nullptr) {
      Unlock(id, request.key);
    } else if (upgrades) {
      txn_db_->locks()->Downgrade(this, id, request.key);
    }
    return s;
  }
  Track({.family_id = id,
         .key = request.key,
         .since = since,
         .is_read = request.is_read,
         .is_exclusive = request.is_exclusive});
  return s;
}

// Keys are not tracked: none is given back by itself, and each use of one looks
// for conflicts anew.
Status PessimisticTransaction::LockInRange(const LockRequest& request) {
  if (!request.assumes_tracked) {
    if (Status s = LockKey(request); !s.ok()) return s;
  }
  TakePendingSnapshot();
  SequenceNumber since = kMaxSequenceNumber;
  return Validate(request, /*tracked=*/nullptr, &since);
}

// Busy: others have written the key after the snapshot. Else *since is from
// when on nobody has: the key is locked now.
Status PessimisticTransaction::Validate(const LockRequest& request,
                                        const TrackedKey* tracked,
                                        SequenceNumber* since) {
  const bool compares_timestamps =
      HasTimestamps(request.family) && read_timestamp_ != kMaxTxnTimestamp &&
      txn_db_->txn_db_options().enable_udt_validation;
  const Snapshot* const snapshot = GetSnapshot();
  if (!request.validates || (snapshot == nullptr && !compares_timestamps)) {
    if (tracked == nullptr) *since = db_->GetLatestSequenceNumber();
    return Status::OK();
  }
  const SequenceNumber seen =
      snapshot != nullptr ? snapshot->GetSequenceNumber() : kMaxSequenceNumber;
  if (tracked != nullptr && tracked->since <= seen && !compares_timestamps) {
    return Status::OK();
  }
  NewerVersion newer;
  Status s = port_->FindNewer(
      {.family = request.family, .key = request.key, .sequence = seen},
      TransactionPort::Turn::kOutside, &newer);
  if (!s.ok()) return s;
  const bool is_newer_by_timestamp =
      compares_timestamps && newer.timestamp.size() == kTimestampBytes &&
      DecodeFixed64(newer.timestamp.data()) > read_timestamp_;
  if (newer.exists || is_newer_by_timestamp) return Status::Busy();
  *since = std::min(seen, db_->GetLatestSequenceNumber());
  return s;
}

void PessimisticTransaction::Unlock(uint32_t family_id, const Slice& key) {
  txn_db_->locks()->Unlock(this, family_id, key);
}

void PessimisticTransaction::UnlockAll() {
  for (const auto& [id, keys] : tracked_.families()) {
    for (const auto& [key, tracked] : keys) Unlock(id, key);
  }
  txn_db_->locks()->UnlockAll(this);
}

Status PessimisticTransaction::GetRangeLock(ColumnFamilyHandle* column_family,
                                            const Endpoint& start,
                                            const Endpoint& end) {
  if (options_.skip_concurrency_control) return Status::OK();
  Status s = txn_db_->locks()->LockRange(
      this, {.family_id = Known(column_family)->GetID(),
             .start = start,
             .end = end,
             .terms = Terms(/*is_exclusive=*/true)});
  // Any operation that locks takes the snapshot that is pending.
  if (s.ok()) TakePendingSnapshot();
  return s;
}

// --- Reading

Status PessimisticTransaction::CheckTimestampsOfRead(const ReadOptions& options,
                                                     ColumnFamilyHandle* family,
                                                     bool do_validate,
                                                     StampedRead* read) const {
  read->options = options;
  if (!HasTimestamps(family)) return Status::OK();
  const bool is_set = read_timestamp_ != kMaxTxnTimestamp;
  if (!txn_db_->txn_db_options().enable_udt_validation) {
    if (is_set) {
      return Status::InvalidArgument(
          "a read timestamp is set and timestamps are not validated");
    }
  } else if (do_validate && !is_set) {
    return Status::InvalidArgument("read_timestamp must be set for validation");
  } else if (!do_validate && is_set) {
    return Status::InvalidArgument(
        "a read timestamp is set and the read is not to be validated");
  }
  if (options.timestamp == nullptr) {
    // The greatest, unless one is set: the newest version is read.
    read->buffer = EncodeTxnTimestamp(read_timestamp_);
    read->timestamp = read->buffer;
    read->options.timestamp = &read->timestamp;
    return Status::OK();
  }
  if (options.timestamp->size() != kTimestampBytes) {
    return Status::InvalidArgument("a timestamp of another size than eight");
  }
  if (is_set && DecodeFixed64(options.timestamp->data()) != read_timestamp_) {
    return Status::InvalidArgument("Must read from the same read_timestamp");
  }
  return Status::OK();
}

Status PessimisticTransaction::GetForUpdate(const ReadOptions& options,
                                            ColumnFamilyHandle* column_family,
                                            const Slice& key,
                                            std::string* value, bool exclusive,
                                            const bool do_validate) {
  StampedRead read;
  Status s =
      CheckTimestampsOfRead(options, Known(column_family), do_validate, &read);
  if (!s.ok()) return s;
  return TransactionBase::GetForUpdate(read.options, column_family, key, value,
                                       exclusive, do_validate);
}

Status PessimisticTransaction::GetForUpdate(const ReadOptions& options,
                                            ColumnFamilyHandle* column_family,
                                            const Slice& key,
                                            PinnableSlice* value,
                                            bool exclusive,
                                            const bool do_validate) {
  StampedRead read;
  Status s =
      CheckTimestampsOfRead(options, Known(column_family), do_validate, &read);
  if (!s.ok()) return s;
  return TransactionBase::GetForUpdate(read.options, column_family, key, value,
                                       exclusive, do_validate);
}

Status PessimisticTransaction::GetEntityForUpdate(
    const ReadOptions& options, ColumnFamilyHandle* column_family,
    const Slice& key, PinnableWideColumns* columns, bool exclusive,
    bool do_validate) {
  StampedRead read;
  Status s =
      CheckTimestampsOfRead(options, Known(column_family), do_validate, &read);
  if (!s.ok()) return s;
  return TransactionBase::GetEntityForUpdate(read.options, column_family, key,
                                             columns, exclusive, do_validate);
}

Status PessimisticTransaction::CollapseKey(const ReadOptions& options,
                                           const Slice& key,
                                           ColumnFamilyHandle* column_family) {
  ColumnFamilyHandle* const family = Known(column_family);
  std::string value;
  Status s = GetForUpdate(options, family, key, &value, /*exclusive=*/true,
                          /*do_validate=*/true);
  return s.ok() ? Put(family, key, value, /*assume_tracked=*/false) : s;
}

// --- Timestamps

Status PessimisticTransaction::SetReadTimestampForValidation(TxnTimestamp ts) {
  if (AppliesEarly()) return NoTimestamps();
  if (read_timestamp_ != kMaxTxnTimestamp && ts < read_timestamp_) {
    return Status::InvalidArgument(
        "Cannot decrease read timestamp for validation");
  }
  read_timestamp_ = ts;
  return Status::OK();
}

Status PessimisticTransaction::SetCommitTimestamp(TxnTimestamp ts) {
  if (AppliesEarly()) return NoTimestamps();
  if (txn_db_->txn_db_options().enable_udt_validation &&
      read_timestamp_ != kMaxTxnTimestamp && ts <= read_timestamp_) {
    return Status::InvalidArgument(
        "Cannot commit at timestamp smaller than or equal to read timestamp");
  }
  commit_timestamp_ = ts;
  return Status::OK();
}

// --- Ending

Status PessimisticTransaction::SetName(const TransactionName& name) {
  if (txn_state_ != STARTED) {
    return Status::InvalidArgument("Transaction is beyond state for naming.");
  }
  if (!name_.empty()) {
    return Status::InvalidArgument("Transaction has already been named.");
  }
  if (name.empty() || name.size() > kLongestName) {
    return Status::InvalidArgument(
        "Transaction name length must be between 1 and 512 chars.");
  }
  Status s = txn_db_->RegisterName(name, this);
  if (s.ok()) name_ = name;
  return s;
}

Status PessimisticTransaction::Refused(const char* call) const {
  switch (txn_state_.load()) {
    case PREPARED:
      return Status::InvalidArgument("Transaction has already been prepared.");
    case COMMITTED:
      return Status::InvalidArgument("Transaction has already been committed.");
    case ROLLEDBACK:
      return Status::InvalidArgument(
          "Transaction has already been rolledback.");
    default:
      return Status::InvalidArgument(
          std::string("Transaction is not in state for ") + call + ".");
  }
}

Status PessimisticTransaction::Prepare() {
  if (name_.empty()) {
    return Status::InvalidArgument(
        "Cannot prepare a transaction that has not been named.");
  }
  TransactionState state = txn_state_;
  if (state == LOCKS_STOLEN || (state == STARTED && IsExpired())) {
    return Status::Expired();
  }
  state = STARTED;
  // Whoever would take its locks changes the state in one step, too.
  if (!txn_state_.compare_exchange_strong(state, AWAITING_PREPARE)) {
    return state == LOCKS_STOLEN ? Status::Expired() : Refused("prepare");
  }
  Status s = LogRest(/*is_prepared=*/true);
  if (!s.ok()) {
    txn_state_ = STARTED;
    return s;
  }
  ClearSavePoints();
  prepared_bytes_ = batch_.GetDataSize();
  txn_state_ = PREPARED;
  return s;
}

Status PessimisticTransaction::Commit() {
  if (HasPendingSnapshot() && commit_timestamp_ != kMaxTxnTimestamp &&
      db_->GetDBOptions().enable_pipelined_write) {
    return Status::NotSupported(
        "CommitAndTryCreateSnapshot with enable_pipelined_write");
  }
  TransactionState state = txn_state_;
  if (state == PREPARED) return CommitPrepared();
  if (state == LOCKS_STOLEN || (state == STARTED && IsExpired())) {
    return Status::Expired();
  }
  if (state == STARTED && !options_.skip_prepare) {
    return Status::TxnNotPrepared();
  }
  if (state == STARTED && commit_time_batch_.Count() > 0) {
    return Status::InvalidArgument(
        "Commit-time batch contains values that will not be committed.");
  }
  state = STARTED;
  if (!txn_state_.compare_exchange_strong(state, AWAITING_COMMIT)) {
    return state == LOCKS_STOLEN ? Status::Expired() : Refused("commit");
  }
  Status s = CommitAtOnce();
  if (s.ok()) {
    Finish(COMMITTED);
  } else {
    txn_state_ = STARTED;
  }
  return s;
}

// The keys of families with timestamps get the commit timestamp, which
// *timestamp becomes; it stays empty where there are none.
Status PessimisticTransaction::StampBatch(std::string* timestamp) {
  if (!txn_db_->HasKeysWithTimestamps(*batch_.GetWriteBatch())) {
    return Status::OK();
  }
  if (commit_timestamp_ == kMaxTxnTimestamp) {
    return Status::InvalidArgument("Must assign a commit timestamp");
  }
  *timestamp = EncodeTxnTimestamp(commit_timestamp_);
  return Status::OK();
}

Status PessimisticTransaction::CommitAtOnce() {
  InTurn turn(this);
  if (parts_.exist) return CommitParts(&turn);
  std::string timestamp;
  Status s = StampBatch(&timestamp);
  if (!s.ok()) return s;
  WriteBatch stamped;
  WriteBatch* batch = batch_.GetWriteBatch();
  if (!timestamp.empty()) {
    stamped = *batch;
    s = txn_db_->Stamp(timestamp, &stamped);
    batch = &stamped;
  }
  if (s.ok() && !HasNothingToWrite()) {
    s = port_->WriteIf(write_options_, batch, &turn);
    if (s.ok() && batch->Count() > 0) {
      SetId(WriteBatchInternal::Sequence(*batch));
    }
  } else if (s.ok()) {
    turn.OnVisible();
  }
  if (s.ok() && turn.takes_snapshot()) AdoptTaken(turn.snapshot());
  return s;
}

// Too large to be inserted into the memtables of others, by its options, and
// with no update that the index does not know.
bool PessimisticTransaction::IsLarge() {
  const uint64_t count = batch_.GetWriteBatch()->Count();
  if (count != batch_.GetWBWIOpCount()) return false;
  const uint64_t most = options_.commit_bypass_memtable
                            ? 1
                            : options_.large_txn_commit_optimize_threshold;
  const uint64_t most_bytes =
      options_.commit_bypass_memtable
          ? 0
          : options_.large_txn_commit_optimize_byte_threshold;
  return (most > 0 && count >= most) ||
         (most_bytes > 0 && count > 0 && batch_.GetDataSize() >= most_bytes);
}

Status PessimisticTransaction::CommitPrepared() {
  if (AppliesEarly() && commit_time_batch_.Count() > 0 &&
      !options_.use_only_the_last_commit_time_batch_for_recovery) {
    return Status::InvalidArgument(
        "Commit-time batch needs "
        "use_only_the_last_commit_time_batch_for_recovery.");
  }
  InTurn turn(this);
  std::string timestamp;
  Status s = StampBatch(&timestamp);
  if (!s.ok()) return s;
  WriteBatch stamped;
  const WriteBatch* batch = batch_.GetWriteBatch();
  if (!timestamp.empty()) {
    stamped = *batch;
    s = txn_db_->Stamp(timestamp, &stamped);
    batch = &stamped;
  }
  if (!s.ok()) return s;
  txn_state_ = AWAITING_COMMIT;
  uint64_t first = 0;
  s = port_->CommitSection(write_options_,
                           {.name = name_,
                            .updates = batch,
                            .commit_time = &commit_time_batch_,
                            .timestamp = timestamp,
                            .has_more = batch_.GetDataSize() != prepared_bytes_,
                            .as_memtables = IsLarge()},
                           &turn, &first);
  if (!s.ok()) {
    txn_state_ = PREPARED;
    return s;
  }
  if (!AppliesEarly()) SetId(first);
  if (turn.takes_snapshot()) AdoptTaken(turn.snapshot());
  Finish(COMMITTED);
  return s;
}

void PessimisticTransaction::AdoptTaken(
    std::shared_ptr<const Snapshot> snapshot) {
  const std::shared_ptr<TransactionNotifier> notifier = PendingNotifier();
  AdoptSnapshot(std::move(snapshot));
  if (notifier != nullptr && GetSnapshot() != nullptr) {
    notifier->SnapshotCreated(GetSnapshot());
  }
}

void PessimisticTransaction::Finish(TransactionState state) {
  UnlockAll();
  Clear();
  parts_ = {};
  // Rolled back, it keeps its name for as long as it is there.
  if (state == COMMITTED && !name_.empty()) {
    txn_db_->UnregisterName(name_, this);
  }
  txn_state_ = state;
}

Status PessimisticTransaction::Rollback() {
  const TransactionState state = txn_state_;
  if (state == STARTED) {
    if (parts_.exist) {
      if (Status s = RollBackSection(); !s.ok()) return s;
    }
    Finish(STARTED);
    return Status::OK();
  }
  if (state == COMMITTED) {
    return Status::InvalidArgument(
        "This transaction has already been committed.");
  }
  if (state != PREPARED) {
    return Status::InvalidArgument(
        "Two phase transaction is not in state for rollback.");
  }
  txn_state_ = AWAITING_ROLLBACK;
  Status s = RollBackSection();
  if (!s.ok()) {
    txn_state_ = PREPARED;
    return s;
  }
  Finish(ROLLEDBACK);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
