// The database and the transactions of a script about transactions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/stackable_db.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "tests/testing/script.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {

struct TransactionKind {
  std::string name;
  bool is_optimistic = false;
  OccValidationPolicy validation = OccValidationPolicy::kValidateSerial;
  TxnDBWritePolicy policy = WRITE_COMMITTED;
  bool bypasses_memtables = false;
};

// A key, and the family it lies in.
struct FamilyKey {
  ColumnFamilyHandle* family;
  std::string key;
};

class TransactionWorld {
 public:
  TransactionWorld(const TransactionKind& kind, const ScriptWords& command);
  ~TransactionWorld() { Close(); }
  TransactionWorld(const TransactionWorld&) = delete;
  TransactionWorld& operator=(const TransactionWorld&) = delete;

  // With the families default, merges and other.
  Status Open();
  void Close();
  // The process is gone; the operating system has all.
  Status Kill();

  StackableDB* db() { return db_.get(); }
  // nullptr: the kind is optimistic.
  TransactionDB* locking() { return locking_; }
  const Options& options() const { return options_; }
  FamilyKey KeyOf(const std::string& text) const;
  ColumnFamilyHandle* Family(const std::string& name) const;

  // Begins it if it has not been; `step` tells how.
  Transaction* Named(const std::string& who);
  void Begin(const std::string& who, const ScriptWords& step);
  void BeginAnew(const std::string& who);
  void Drop(const std::string& who) { transactions_.erase(who); }
  void Adopt(const std::string& who, Transaction* txn) {
    transactions_[who].reset(txn);
  }

  // The sequence that the answers to `taken` and `log` count from.
  SequenceNumber mark = 0;

 private:
  TransactionOptions OptionsOf(const ScriptWords& step) const;

  const TransactionKind kind_;
  const std::shared_ptr<FaultInjectionFileSystem> fs_ =
      std::make_shared<FaultInjectionFileSystem>(
          std::make_shared<MemFileSystem>());
  const std::unique_ptr<Env> env_ = NewCompositeEnv(fs_);
  Options options_;
  TransactionDBOptions txn_db_options_;
  std::vector<ColumnFamilyHandle*> handles_;
  std::unique_ptr<StackableDB> db_;
  TransactionDB* locking_ = nullptr;
  OptimisticTransactionDB* optimistic_ = nullptr;
  std::map<std::string, std::unique_ptr<Transaction>> transactions_;
};

// Steps answer with a text; false: there is no such step.
bool AnswerOfTransaction(TransactionWorld* world, const std::string& who,
                         const ScriptWords& step, std::string* answer);
bool AnswerOfDatabase(TransactionWorld* world, DB* db, const ScriptWords& step,
                      std::string* answer);

// Both kinds of steps use these.
std::string TextOfRead(const Status& s, const std::string& value);
std::string TextOfColumns(const WideColumns& columns);
// The columns NAME=VALUE.. from the word `index` on; they point into the step.
WideColumns ColumnsOf(const ScriptWords& step, size_t index);
// Adds the UPDATEs, from the first word on.
void AddUpdates(const TransactionWorld& world, const ScriptWords& step,
                WriteBatch* batch);
// Runs the step `scan` on the cursor that `make` makes for its bounds; see
// transaction_script.h.
std::string TextOfScan(
    const ScriptWords& step,
    const std::function<Iterator*(const ReadOptions&)>& make);

}  // namespace ROCKSDB_NAMESPACE
