// Transactions, and what they hand out: iterators, snapshots, their batch.
//
// Threads    One at a time, as in C++; closing may come from any.
// Ownership  What a transaction handed out holds it, and ends with it.
#pragma once

#include <memory>
#include <string>

#include "java/jni/database.h"
#include "rocksdb/utilities/transaction.h"

namespace ROCKSDB_NAMESPACE::jni {

struct OpenTransaction {
  OpenTransaction(std::shared_ptr<OpenDatabase> database, Transaction* begun)
      : open(std::move(database)), rep(begun) {}

  std::shared_ptr<OpenDatabase> open;
  Children children;
  std::unique_ptr<Transaction> rep;
  // What was handed out once is handed out again; 0: not yet.
  Handle indexed_batch = 0;
  Handle commit_time_batch = 0;
  Handle write_options = 0;
  // The snapshot that Java has a handle of. The engine lets it go when the
  // transaction takes another one, and at its end.
  Handle snapshot = 0;
  SequenceNumber snapshot_sequence = 0;
};

class TransactionObject : public DatabaseChild {
 public:
  static constexpr TypeTag kTag{"Transaction", nullptr};
  explicit TransactionObject(std::shared_ptr<OpenTransaction> transaction)
      : DatabaseChild(transaction->open), txn(std::move(transaction)) {}
  ~TransactionObject() override;
  const TypeTag* Tag() const override { return &kTag; }

  // Names it, and lets it be found by that name.
  Status SetName(const std::string& name);
  // It is another transaction from now on.
  void ForgetName();

  std::shared_ptr<OpenTransaction> txn;

 private:
  std::string name_;
};

// Ends the handle of a snapshot that the transaction does not have any more.
void DropOldSnapshot(OpenTransaction& transaction);

// The handle of the transaction's snapshot; 0 if it has none.
Handle SnapshotOf(const std::shared_ptr<OpenTransaction>& transaction);

// One call on a transaction, which may change its snapshot.
class TransactionCall {
 public:
  explicit TransactionCall(Handle handle) : pin_(handle) {}
  ~TransactionCall() { DropOldSnapshot(*pin_->txn); }
  TransactionCall(const TransactionCall&) = delete;
  TransactionCall& operator=(const TransactionCall&) = delete;

  Transaction* operator->() const { return pin_->txn->rep.get(); }
  TransactionObject& object() const { return *pin_; }
  const std::shared_ptr<OpenTransaction>& txn() const { return pin_->txn; }
  const OpenDatabase& database() const { return *pin_->open; }

 private:
  Pin<TransactionObject> pin_;
};

}  // namespace ROCKSDB_NAMESPACE::jni
