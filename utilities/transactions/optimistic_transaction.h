// A transaction that locks nothing: at Commit() it is looked at whether others
// have written the keys that it has used.
//
// From the first key on it holds a floor, so that what others write meanwhile
// can be found however often memtables are flushed and tables compacted.
#pragma once

#include <string>
#include <vector>

#include "db/semantics/conflict_floors.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "utilities/transactions/transaction_base.h"

namespace ROCKSDB_NAMESPACE {

class OptimisticTransaction final : public TransactionBase {
 public:
  OptimisticTransaction(DB* db, TransactionPort* port,
                        OccValidationPolicy policy,
                        const WriteOptions& write_options,
                        const OptimisticTransactionOptions& options);
  ~OptimisticTransaction() override;

  void BeginAnew(const WriteOptions& write_options,
                 const OptimisticTransactionOptions& options);

  Status Prepare() override;
  Status Commit() override;
  Status Rollback() override;
  Status SetName(const TransactionName& name) override;

 protected:
  Status TryLock(const LockRequest& request) override;
  void Unlock(uint32_t /*family_id*/, const Slice& /*key*/) override {}
  void BeforeLookingBack() override;
  void AfterSnapshotGone() override;

 private:
  class Validation;

  void ReleaseFloor();

  const OccValidationPolicy policy_;
  ConflictFloor floor_;
};

}  // namespace ROCKSDB_NAMESPACE
