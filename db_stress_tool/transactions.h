// Writes as transactions: each write of the test is one of its own, which with
// --use_txn alone is prepared and then committed, with --use_optimistic_txn
// validated when it commits.
//
// What a process that was killed has left prepared is ended when the database
// is opened again. Writes that were under way may be there or not, so either
// end is right.
//
// Threads    Open(), Close() and EndRecovered(): alone. The others: any.
// Ownership  Borrows the database.
// Errors     Those of the engine.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db_stress_tool/flags.h"
#include "db_stress_tool/stress_random.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/utilities/transaction.h"

namespace ROCKSDB_NAMESPACE {
class OptimisticTransactionDB;
class TransactionDB;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::stress {

class Transactions {
 public:
  explicit Transactions(const Flags& flags) : flags_(flags) {}

  bool is_on() const { return flags_.use_txn && !flags_.read_only; }

  // DB::Open(), of a database with transactions.
  Status Open(const Options& options,
              const std::vector<ColumnFamilyDescriptor>& families,
              std::vector<ColumnFamilyHandle*>* handles,
              std::unique_ptr<DB>* db);
  // The database is gone.
  void Close();
  // Commits or rolls back what is prepared. Corruption: something stays.
  Status EndRecovered(StressRandom* random);

  using Fill = std::function<Status(Transaction*)>;
  // One transaction with what `fill` writes. It is tried anew where others are
  // in its way.
  Status Write(const WriteOptions& options, const Fill& fill);
  // What the batch says.
  Status Write(const WriteOptions& options, WriteBatch* batch);

  std::unique_ptr<Transaction> Begin(const WriteOptions& options);
  // Commits, where that needs it after preparing. What could not be committed
  // is rolled back: it must not come back after what others write then.
  Status Commit(Transaction* txn);

  // --- snapshots with timestamps, if they are asked for
  // Makes one more, or lets the older ones go.
  Status TurnOverSnapshots(StressRandom* random);
  // Null: there is none.
  std::shared_ptr<const Snapshot> NewestSnapshot() const;
  // A database with one does not close.
  void ReleaseSnapshots();

 private:
  Status OpenOptimistic(const Options& options,
                        const std::vector<ColumnFamilyDescriptor>& families,
                        std::vector<ColumnFamilyHandle*>* handles);
  Status CommitPrepared(Transaction* txn);
  Status RollBack(Transaction* txn);

  const Flags& flags_;
  TransactionDB* locking_ = nullptr;
  OptimisticTransactionDB* optimistic_ = nullptr;
  std::atomic<uint64_t> last_name_{0};
  std::atomic<uint64_t> commit_count_{0};
};

}  // namespace ROCKSDB_NAMESPACE::stress
