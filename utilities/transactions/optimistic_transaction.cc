#include "utilities/transactions/optimistic_transaction.h"

#include <algorithm>

#include "db/read/newer_version.h"
#include "db/wal/write_batch_format.h"
#include "db/write/transaction_port.h"
#include "db/write/write_hooks.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "util/invariant.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status WrittenSince() {
  return Status::Busy("a key was written since the transaction used it");
}

}  // namespace

// Whether others have written what the transaction has used.
//
// The parallel policy looks twice: Look() in the caller's thread, and in the
// turn of the write for what came since, which is in the youngest memtable.
class OptimisticTransaction::Validation final : public WriteCondition {
 public:
  Validation(OptimisticTransaction* txn,
             TransactionPort::MissingFamilies missing)
      : txn_(*txn),
        missing_(missing),
        is_parallel_(txn->policy_ == OccValidationPolicy::kValidateParallel &&
                     !txn->port_->MayReadLate()) {}

  Status LookAhead() {
    if (!is_parallel_ || txn_.tracked_.empty()) return Status::OK();
    const SequenceNumber now = txn_.db_->GetLatestSequenceNumber();
    Status s = Look(TransactionPort::Turn::kOutside);
    looked_up_to_ = now;
    return s;
  }

  Status Check() override {
    Status s = Look(TransactionPort::Turn::kOfWrite);
    if (!s.ok()) return s;
    return txn_.port_->CheckApplicable(*txn_.batch_.GetWriteBatch(), missing_);
  }

  bool MayShareGroup() const override {
    return txn_.policy_ == OccValidationPolicy::kValidateParallel;
  }

  Status CheckBeside(const WriteBatch& earlier) override {
    if (txn_.tracked_.empty()) return Status::OK();
    for (BatchReader reader(earlier.Data()); !reader.AtEnd();) {
      BatchEntry entry;
      if (Status s = reader.Next(&entry); !s.ok()) return s;
      if (!IsDataEntry(entry.type)) continue;
      if (Touches(entry)) return WrittenSince();
    }
    return Status::OK();
  }

  Status Look(TransactionPort::Turn turn) {
    for (const auto& [id, keys] : txn_.tracked_.families()) {
      for (const auto& [key, tracked] : keys) {
        NewerVersion newer;
        Status s = txn_.port_->FindNewer(
            {.family_id = id,
             .key = key,
             .sequence = std::max(tracked.since, looked_up_to_)},
            turn, &newer);
        if (!s.ok()) return s;
        if (newer.exists) return WrittenSince();
      }
    }
    return Status::OK();
  }

 private:
  // A range deletion is taken for one of all keys: that it is in the same group
  // is chance, and the transaction is tried again.
  bool Touches(const BatchEntry& entry) const {
    const auto family = txn_.tracked_.families().find(entry.column_family_id);
    if (family == txn_.tracked_.families().end()) return false;
    return entry.type == kTypeRangeDeletion
               ? !family->second.empty()
               : family->second.contains(entry.key.ToStringView());
  }

  OptimisticTransaction& txn_;
  const TransactionPort::MissingFamilies missing_;
  const bool is_parallel_;
  // Nothing was written since, up to this sequence.
  SequenceNumber looked_up_to_ = 0;
};

OptimisticTransaction::OptimisticTransaction(
    DB* db, TransactionPort* port, OccValidationPolicy policy,
    const WriteOptions& write_options,
    const OptimisticTransactionOptions& options)
    : TransactionBase(db, port, write_options), policy_(policy) {
  if (options.set_snapshot) SetSnapshot();
}

OptimisticTransaction::~OptimisticTransaction() {
  snapshot_.reset();
  ReleaseFloor();
}

void OptimisticTransaction::BeginAnew(
    const WriteOptions& write_options,
    const OptimisticTransactionOptions& options) {
  TransactionBase::BeginAnew(write_options);
  ReleaseFloor();
  if (options.set_snapshot) SetSnapshot();
}

void OptimisticTransaction::BeforeLookingBack() {
  if (!floor_.is_held()) port_->HoldFloor(&floor_);
}

// A save point may bring the snapshot back.
void OptimisticTransaction::AfterSnapshotGone() {
  if (tracked_.empty() && !HasSavePoints()) ReleaseFloor();
}

void OptimisticTransaction::ReleaseFloor() {
  if (floor_.is_held()) port_->ReleaseFloor(&floor_);
}

Status OptimisticTransaction::TryLock(const LockRequest& request) {
  if (request.family->GetComparator()->timestamp_size() > 0) {
    return Status::NotSupported(
        "user-defined timestamps in optimistic transactions");
  }
  TakePendingSnapshot();
  const bool is_untracked =
      !request.is_read && !request.validates && !request.assumes_tracked;
  if (is_untracked) return Status::OK();
  BeforeLookingBack();
  const Snapshot* const snapshot = GetSnapshot();
  Track({.family_id = request.family->GetID(),
         .key = request.key,
         .since = snapshot != nullptr ? snapshot->GetSequenceNumber()
                                      : db_->GetLatestSequenceNumber(),
         .is_read = request.is_read,
         .is_exclusive = request.is_exclusive});
  return Status::OK();
}

Status OptimisticTransaction::Prepare() {
  return Status::InvalidArgument(
      "Two phase commit not supported for optimistic transactions.");
}

Status OptimisticTransaction::SetName(const TransactionName& /*name*/) {
  return Status::InvalidArgument("Optimistic transactions cannot be named.");
}

Status OptimisticTransaction::Commit() {
  INVARIANT(txn_state_ == STARTED);
  if (commit_time_batch_.Count() > 0) {
    ROCKSDB_NAMESPACE::Warn(db_->GetDBOptions().info_log,
                            "An optimistic transaction leaves out %u updates "
                            "of its commit-time batch",
                            commit_time_batch_.Count());
  }
  Validation validation(this, write_options_.ignore_missing_column_families
                                  ? TransactionPort::MissingFamilies::kPassOver
                                  : TransactionPort::MissingFamilies::kRefuse);
  Status s;
  if (HasNothingToWrite()) {
    // All keys were as they were used at the moment that the first is looked
    // at, if each still is when its turn comes.
    s = validation.Look(TransactionPort::Turn::kOutside);
  } else if (s = validation.LookAhead(); s.ok()) {
    s = port_->WriteIf(write_options_, batch_.GetWriteBatch(), &validation);
  }
  // What failed is as it was, and fails again until it is rolled back.
  return s.ok() ? Rollback() : s;
}

Status OptimisticTransaction::Rollback() {
  Clear();
  // A snapshot that stays is looked back to by what comes.
  if (GetSnapshot() == nullptr) ReleaseFloor();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
