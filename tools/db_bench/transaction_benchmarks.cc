// Transactions that change a key of each of some sets together.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/iterator.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/write_batch.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// The name of a key of a set: the sets' keys lie together.
std::string NameInSet(uint64_t set, uint64_t key) {
  std::string name = std::to_string(set);
  name.insert(0, name.size() < 4 ? 4 - name.size() : 0, '0');
  name.push_back('.');
  const std::string digits = std::to_string(key);
  name.append(digits.size() < 12 ? 12 - digits.size() : 0, '0');
  return name + digits;
}

// Begins transactions of the kind that the flags ask for.
class Beginner {
 public:
  explicit Beginner(Worker& worker) : worker_(worker) {
    txn_options_.set_snapshot = FLAGS_transaction_set_snapshot;
    txn_options_.lock_timeout =
        static_cast<int64_t>(FLAGS_transaction_lock_timeout);
    occ_options_.set_snapshot = FLAGS_transaction_set_snapshot;
  }

  // The one before is used again. Null: there are no transactions.
  Transaction* Begin() {
    Transaction* const old = txn_.release();
    if (FLAGS_transaction_db) {
      txn_.reset(
          static_cast<TransactionDB*>(worker_.db)
              ->BeginTransaction(worker_.write_options, txn_options_, old));
    } else if (FLAGS_optimistic_transaction_db) {
      txn_.reset(
          static_cast<OptimisticTransactionDB*>(worker_.db)
              ->BeginTransaction(worker_.write_options, occ_options_, old));
    }
    return txn_.get();
  }

 private:
  Worker& worker_;
  TransactionOptions txn_options_;
  OptimisticTransactionOptions occ_options_;
  std::unique_ptr<Transaction> txn_;
};

bool IsConflict(const Status& s) {
  return s.IsBusy() || s.IsTimedOut() || s.IsTryAgain() || s.IsExpired();
}

// Adds one number to a random key of each set.
class Adder {
 public:
  explicit Adder(Worker& worker)
      : worker_(worker),
        beginner_(worker),
        set_count_(std::max<uint64_t>(1, FLAGS_transaction_sets)) {}

  Status AddOnce() {
    Transaction* const txn = beginner_.Begin();
    WriteBatch batch;
    const uint64_t amount = worker_.random.Below(100) + 1;
    for (uint64_t set = 0; set < set_count_; ++set) {
      const std::string key =
          NameInSet(set, worker_.random.Below(worker_.KeyCount()));
      Status s = txn != nullptr
                     ? txn->GetForUpdate(worker_.read_options, key, &old_value_)
                     : worker_.db->Get(worker_.read_options, key, &old_value_);
      if (!s.ok() && !s.IsNotFound()) return s;
      const uint64_t old =
          s.ok() ? strtoull(old_value_.c_str(), nullptr, 10) : 0;
      const std::string sum = std::to_string(old + amount);
      s = txn != nullptr ? txn->Put(key, sum) : batch.Put(key, sum);
      if (!s.ok()) return s;
      worker_.stats.AddBytes(key.size() + old_value_.size() + sum.size());
    }
    if (FLAGS_transaction_sleep > 0) {
      std::this_thread::sleep_for(
          std::chrono::microseconds(FLAGS_transaction_sleep));
    }
    return txn != nullptr ? txn->Commit()
                          : worker_.db->Write(worker_.write_options, &batch);
  }

 private:
  Worker& worker_;
  Beginner beginner_;
  const uint64_t set_count_;
  std::string old_value_;
};

// At any moment, the sums of all sets are the same.
Status CheckSums(Worker& worker) {
  ReadOptions options;
  options.snapshot = worker.db->GetSnapshot();
  const std::unique_ptr<Iterator> entry(worker.db->NewIterator(options));
  uint64_t wanted = 0;
  Status s;
  for (uint64_t set = 0; s.ok() && set < FLAGS_transaction_sets; ++set) {
    uint64_t sum = 0;
    const std::string begin = NameInSet(set, 0).substr(0, 5);
    for (entry->Seek(begin); entry->Valid() && entry->key().starts_with(begin);
         entry->Next()) {
      sum += strtoull(entry->value().ToString().c_str(), nullptr, 10);
    }
    s = entry->status();
    if (set == 0) wanted = sum;
    if (s.ok() && sum != wanted) {
      s = Status::Corruption("randomtransaction",
                             "set " + std::to_string(set) + " sums up to " +
                                 std::to_string(sum) + ", the first one to " +
                                 std::to_string(wanted));
    }
  }
  worker.db->ReleaseSnapshot(options.snapshot);
  return s;
}

Status RandomTransaction(Worker& worker) {
  Adder adder(worker);
  Budget budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
  uint64_t done = 0, given_up = 0;
  while (budget.Take(1)) {
    const Status s = adder.AddOnce();
    if (!s.ok() && !IsConflict(s)) return s;
    ++(s.ok() ? done : given_up);
    worker.stats.Finished(1, Operation::kUpdate);
  }
  worker.stats.SetTally({"( transactions:", done, " aborts:", given_up, ")"});
  const bool is_atomic =
      FLAGS_transaction_db || FLAGS_optimistic_transaction_db;
  return is_atomic ? CheckSums(worker) : Status::OK();
}

}  // namespace

std::vector<Benchmark> TransactionBenchmarks() {
  return {{.name = "randomtransaction",
           .run = RandomTransaction,
           .database = Benchmark::Database::kFresh}};
}

}  // namespace ROCKSDB_NAMESPACE::bench
