#pragma once

// Transactions that lock nothing: whether others have written what one has
// used is looked at when it commits.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/utilities/stackable_db.h"

namespace ROCKSDB_NAMESPACE {

class Transaction;

struct OptimisticTransactionOptions {
  // The transaction begins with a call of SetSnapshot(). Default: false.
  bool set_snapshot = false;
  // Not used: families order their keys.
  const Comparator* cmp = BytewiseComparator();
};

// When Commit() looks at the keys that the transaction has used. The outcome
// is the same: no commit replaces a write, of whatever kind, that it has not
// read.
enum class OccValidationPolicy {
  // In the turn of the write, which is written by itself.
  kValidateSerial = 0,
  // In the caller's thread; what came since is looked at in the turn of the
  // write, which may be written together with others.
  kValidateParallel = 1,
};

// Had locks for the validation in parallel. None are needed, and none are made:
// one of these takes some bytes.
class OccLockBuckets {
 public:
  virtual ~OccLockBuckets() {}
  // In bytes.
  virtual size_t ApproximateMemoryUsage() const = 0;
};

// `bucket_count` and `cache_aligned` make no difference.
std::shared_ptr<OccLockBuckets> MakeSharedOccLockBuckets(
    size_t bucket_count, bool cache_aligned = false);

struct OptimisticTransactionDBOptions {
  OccValidationPolicy validate_policy = OccValidationPolicy::kValidateParallel;
  // See OccLockBuckets: neither makes a difference.
  uint32_t occ_lock_buckets = (1 << 20);
  std::shared_ptr<OccLockBuckets> shared_lock_buckets;
};

// A DB with optimistic transactions. Other writes to it are as those to a DB,
// and are conflicts to transactions that have used the keys; so are those to
// the database below, and files that are ingested.
//
// Errors  DeleteRange(), and Write() of a batch with one: NotSupported. A new
//         family with inplace_update_support: InvalidArgument, see Open().
class OptimisticTransactionDB : public StackableDB {
 public:
  // Like DB::Open(), but InvalidArgument with inplace_update_support, which
  // keeps no sequence of the writes to a key.
  static Status Open(const Options& options, const std::string& dbname,
                     OptimisticTransactionDB** dbptr);
  static Status Open(const DBOptions& db_options, const std::string& dbname,
                     const std::vector<ColumnFamilyDescriptor>& column_families,
                     std::vector<ColumnFamilyHandle*>* handles,
                     OptimisticTransactionDB** dbptr);
  static Status Open(const DBOptions& db_options,
                     const OptimisticTransactionDBOptions& occ_options,
                     const std::string& dbname,
                     const std::vector<ColumnFamilyDescriptor>& column_families,
                     std::vector<ColumnFamilyHandle*>* handles,
                     OptimisticTransactionDB** dbptr);

  ~OptimisticTransactionDB() override {}

  // A new transaction, which the caller deletes; or `old_txn`, of this
  // database, begun anew.
  virtual Transaction* BeginTransaction(
      const WriteOptions& write_options,
      const OptimisticTransactionOptions& txn_options =
          OptimisticTransactionOptions(),
      Transaction* old_txn = nullptr) = 0;

  OptimisticTransactionDB(const OptimisticTransactionDB&) = delete;
  void operator=(const OptimisticTransactionDB&) = delete;

 protected:
  explicit OptimisticTransactionDB(std::unique_ptr<DB>&& db)
      : StackableDB(std::move(db)) {}
};

}  // namespace ROCKSDB_NAMESPACE
