// PessimisticTransaction: its section in the log. What the policies
// write-prepared and write-unprepared add is here.
#include "db/read/newer_version.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/transaction_port.h"
#include "db/write/write_hooks.h"
#include "options/db_options.h"
#include "rocksdb/env.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "utilities/transactions/pessimistic_transaction.h"
#include "utilities/transactions/pessimistic_transaction_db.h"
#include "utilities/transactions/undo_batch.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// That nobody has written any of the keys since a snapshot was taken.
class NobodyWrote final : public WriteCondition {
 public:
  NobodyWrote(TransactionPort* port, const std::set<UndoBatch::FamilyKey>& keys,
              SequenceNumber since)
      : port_(*port), keys_(keys), since_(since) {}

  Status Check() override {
    for (const auto& [family_id, key] : keys_) {
      NewerVersion newer;
      Status s = port_.FindNewer(
          {.family_id = family_id, .key = key, .sequence = since_},
          TransactionPort::Turn::kOfWrite, &newer);
      // A family that is gone has nothing to be undone.
      if (!s.ok() && !s.IsInvalidArgument()) return s;
      somebody_did_ = s.ok() && newer.exists;
      if (somebody_did_) return Status::TryAgain("a key has a newer value");
    }
    return Status::OK();
  }
  bool MayShareGroup() const override { return false; }

  bool somebody_did() const { return somebody_did_; }

 private:
  TransactionPort& port_;
  const std::set<UndoBatch::FamilyKey>& keys_;
  const SequenceNumber since_;
  bool somebody_did_ = false;
};

// The updates of a batch from that byte on.
Status UpdatesFrom(const WriteBatch& batch, size_t offset, WriteBatch* rest) {
  for (BatchReader reader(batch.Data(), offset); !reader.AtEnd();) {
    BatchEntry entry;
    Status s = reader.Next(&entry);
    if (!s.ok()) return s;
    if (entry.type == kTypeLogData || IsDataEntry(entry.type)) {
      s = WriteBatchInternal::AddEntry(rest, entry);
    }
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace

// RocksDB does, and whoever reads our logs with it has its rules.
bool PessimisticTransaction::AppliesEarly() const {
  return port_->policy() != SectionPolicy::kWriteCommitted;
}

size_t PessimisticTransaction::UnloggedBytes() const {
  const size_t bytes = batch_.GetDataSize();
  if (!parts_.exist || parts_.are_void) return HasNothingToWrite() ? 0 : bytes;
  INVARIANT(bytes >= parts_.logged_bytes);
  return bytes - parts_.logged_bytes;
}

Status PessimisticTransaction::BeforeUpdate() {
  if (txn_state_ == PREPARED && batch_.GetDataSize() == prepared_bytes_) {
    Warn(db_->GetDBOptions().info_log,
         "Transaction %s is written to after Prepare(): that is committed with "
         "it, but is lost if the process ends before",
         name_.c_str());
  }
  if (port_->policy() != SectionPolicy::kWriteUnprepared ||
      flush_threshold_bytes_ <= 0 || txn_state_ != STARTED) {
    return Status::OK();
  }
  if (UnloggedBytes() > static_cast<uint64_t>(flush_threshold_bytes_)) {
    if (name_.empty()) {
      return Status::InvalidArgument("Cannot write to DB without SetName.");
    }
    if (Status s = LogRest(/*is_prepared=*/false); !s.ok()) return s;
  }
  LimitBatch();
  return Status::OK();
}

// RocksDB's batch begins anew with each part.
void PessimisticTransaction::LimitBatch() {
  if (options_.max_write_batch_size == 0) return;
  const bool has_parts = parts_.exist && !parts_.are_void;
  batch_.SetMaxBytes(options_.max_write_batch_size +
                     (has_parts ? parts_.logged_bytes : 0));
}

// All that the log does not have yet.
Status PessimisticTransaction::LogRest(bool is_prepared) {
  const WriteBatch& all = *batch_.GetWriteBatch();
  WriteBatch rest;
  const bool is_more = parts_.exist && !parts_.are_void;
  if (is_more) {
    Status s = UpdatesFrom(all, parts_.logged_bytes, &rest);
    if (!s.ok()) return s;
  }
  TransactionPort::LoggedPart logged;
  Status s = port_->LogSection(write_options_,
                               {.name = name_,
                                .updates = is_more ? &rest : &all,
                                .is_prepared = is_prepared,
                                .is_all = parts_.exist && parts_.are_void,
                                .is_first = !parts_.exist},
                               &logged);
  if (!s.ok()) return s;
  if (!parts_.exist) {
    log_number_ = logged.log_number;
    if (logged.first > 0) SetId(logged.first);
  }
  if (is_prepared) return s;
  parts_ = {.exist = true, .logged_bytes = all.GetDataSize()};
  return s;
}

Status PessimisticTransaction::CommitParts(WriteCondition* condition) {
  INVARIANT(parts_.exist);
  if (UnloggedBytes() > 0 || parts_.are_void) {
    if (Status s = LogRest(/*is_prepared=*/false); !s.ok()) return s;
  }
  SequenceNumber unused = 0;
  return port_->CommitSection(
      write_options_, {.name = name_, .updates = batch_.GetWriteBatch()},
      condition, &unused);
}

Status PessimisticTransaction::UndoToSavePoint() {
  Status s = TransactionBase::UndoToSavePoint();
  if (s.ok() && parts_.exist && batch_.GetDataSize() < parts_.logged_bytes) {
    parts_.are_void = true;
  }
  return s;
}

// Whoever has found it in a log holds no locks: what others write meanwhile is
// not to be undone.
Status PessimisticTransaction::RollBackSection() {
  if (!AppliesEarly()) {
    return port_->RollBackSection(write_options_, name_, nullptr, nullptr);
  }
  for (;;) {
    ManagedSnapshot now(db_);
    UndoBatch undo(txn_db_, db_, port_, txn_db_->txn_db_options());
    Status s = undo.AddAll(*batch_.GetWriteBatch(), now.snapshot());
    if (!s.ok()) return s;
    NobodyWrote nobody_wrote(port_, undo.keys(),
                             now.snapshot()->GetSequenceNumber());
    s = port_->RollBackSection(write_options_, name_, undo.batch(),
                               &nobody_wrote);
    if (!nobody_wrote.somebody_did()) return s;
  }
}

// What is not prepared does not outlive the object.
void PessimisticTransaction::LeaveSection() {
  if (!parts_.exist || txn_state_ == PREPARED) return;
  IgnoreError(RollBackSection(),
              "the next open rolls it back, or the next of that name");
  parts_ = {};
}

}  // namespace ROCKSDB_NAMESPACE
