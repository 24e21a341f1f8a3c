#include "db_stress_tool/transactions.h"

#include <chrono>
#include <cstdio>
#include <thread>

#include "db_stress_tool/stress_file_system.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

constexpr int kMostTries = 10;
constexpr int64_t kLockTimeoutMillis = 600 * 1000;

template <typename Options>
void SetPerKeyLocks(bool is_on, Options* options) {
  if constexpr (requires { options->use_per_key_point_lock_mgr; }) {
    options->use_per_key_point_lock_mgr = is_on;
  }
}

template <typename Options>
void SetBypass(bool is_on, Options* options) {
  if constexpr (requires { options->commit_bypass_memtable; }) {
    options->commit_bypass_memtable = is_on;
  }
}

// Shared over all databases of the process.
template <typename Options>
void SetLockBuckets(const Flags& flags, Options* options) {
  const auto count = static_cast<uint32_t>(flags.occ_lock_bucket_count);
  options->occ_lock_buckets = count;
  if constexpr (requires { options->shared_lock_buckets; }) {
    if (!flags.share_occ_lock_buckets) return;
    static const auto buckets = MakeSharedOccLockBuckets(count);
    options->shared_lock_buckets = buckets;
  }
}

TxnTimestamp TimeNow() {
  return static_cast<TxnTimestamp>(
      std::chrono::system_clock::now().time_since_epoch() /
      std::chrono::nanoseconds(1));
}

bool IsToBeTriedAgain(const Status& s) {
  return s.IsBusy() || s.IsTryAgain() || s.IsTimedOut();
}

}  // namespace

Status Transactions::OpenOptimistic(
    const Options& options, const std::vector<ColumnFamilyDescriptor>& families,
    std::vector<ColumnFamilyHandle*>* handles) {
  OptimisticTransactionDBOptions occ;
  occ.validate_policy =
      static_cast<OccValidationPolicy>(flags_.occ_validation_policy);
  SetLockBuckets(flags_, &occ);
  return OptimisticTransactionDB::Open(options, occ, flags_.db, families,
                                       handles, &optimistic_);
}

Status Transactions::Open(const Options& options,
                          const std::vector<ColumnFamilyDescriptor>& families,
                          std::vector<ColumnFamilyHandle*>* handles,
                          std::unique_ptr<DB>* db) {
  Close();
  Status s;
  if (flags_.use_optimistic_txn) {
    s = OpenOptimistic(options, families, handles);
    db->reset(optimistic_);
    return s;
  }
  TransactionDBOptions txn_db_options;
  txn_db_options.write_policy =
      static_cast<TxnDBWritePolicy>(flags_.txn_write_policy);
  txn_db_options.transaction_lock_timeout = kLockTimeoutMillis;
  txn_db_options.default_lock_timeout = kLockTimeoutMillis;
  SetPerKeyLocks(flags_.use_per_key_point_lock_mgr, &txn_db_options);
  s = TransactionDB::Open(options, txn_db_options, flags_.db, families, handles,
                          &locking_);
  db->reset(locking_);
  return s;
}

void Transactions::Close() {
  locking_ = nullptr;
  optimistic_ = nullptr;
}

Status Transactions::EndRecovered(StressRandom* random) {
  if (locking_ == nullptr) return Status::OK();
  const WithoutFaults no_faults;
  std::vector<Transaction*> prepared;
  locking_->GetAllPreparedTransactions(&prepared);
  size_t committed = 0;
  for (Transaction* const one : prepared) {
    const std::unique_ptr<Transaction> txn(one);
    const bool commits = random->OneIn(2);
    Status s = commits ? txn->Commit() : txn->Rollback();
    if (!s.ok()) return s;
    committed += commits ? 1 : 0;
  }
  if (!prepared.empty()) {
    printf("Ended %zu prepared transactions, %zu by committing them\n",
           prepared.size(), committed);
  }
  locking_->GetAllPreparedTransactions(&prepared);
  return prepared.empty()
             ? Status::OK()
             : Status::Corruption("ended transactions are still prepared");
}

std::unique_ptr<Transaction> Transactions::Begin(const WriteOptions& options) {
  if (optimistic_ != nullptr) {
    return std::unique_ptr<Transaction>(optimistic_->BeginTransaction(options));
  }
  TransactionOptions txn_options;
  txn_options.deadlock_detect = true;
  // Else those policies take no commit-time batch.
  txn_options.use_only_the_last_commit_time_batch_for_recovery =
      flags_.use_only_the_last_commit_time_batch_for_recovery ||
      flags_.txn_write_policy != WRITE_COMMITTED;
  const uint64_t number = ++last_name_;
  // Every other one is logged in parts, of several updates or of each.
  if (flags_.txn_write_policy == WRITE_UNPREPARED && number % 2 == 0) {
    txn_options.write_batch_flush_threshold =
        1 + static_cast<int64_t>(number % 200);
  }
  const int64_t one_in = flags_.commit_bypass_memtable_one_in;
  SetBypass(one_in > 0 && number % static_cast<uint64_t>(one_in) == 0,
            &txn_options);
  std::unique_ptr<Transaction> txn(
      locking_->BeginTransaction(options, txn_options));
  const Status s = txn->SetName("xid" + std::to_string(number));
  if (!s.ok()) fprintf(stderr, "SetName: %s\n", s.ToString().c_str());
  return txn;
}

Status Transactions::RollBack(Transaction* txn) {
  const WithoutFaults no_faults;
  Status s = txn->Rollback();
  for (int i = 0; i < 3000 && !s.ok() && IsInjected(s); ++i) {
    // Other threads' errors may stop writes anew.
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const Status resumed = locking_->Resume();
    if (!resumed.ok() && !resumed.IsBusy() && !IsInjected(resumed)) {
      return resumed;
    }
    s = txn->Rollback();
  }
  return s;
}

// Now and then with a snapshot of just that moment.
Status Transactions::CommitPrepared(Transaction* txn) {
  const int64_t one_in = flags_.create_timestamped_snapshot_one_in;
  if (one_in <= 0 || ++commit_count_ % static_cast<uint64_t>(one_in) != 0) {
    return txn->Commit();
  }
  const TxnTimestamp now = TimeNow();
  std::shared_ptr<const Snapshot> snapshot;
  Status s = txn->CommitAndTryCreateSnapshot(nullptr, now, &snapshot);
  // Null: another one is newer by its time.
  if (!s.ok() || snapshot == nullptr) return s;
  if (snapshot->GetTimestamp() != now ||
      snapshot->GetSequenceNumber() < txn->GetId()) {
    return Status::Corruption("the snapshot of a commit is not of it");
  }
  return s;
}

Status Transactions::TurnOverSnapshots(StressRandom* random) {
  const int64_t one_in = flags_.create_timestamped_snapshot_one_in;
  if (one_in <= 0 || locking_ == nullptr || !random->OneIn(one_in)) {
    return Status::OK();
  }
  if (random->OneIn(4)) {
    ReleaseSnapshots();
    return Status::OK();
  }
  const auto [s, snapshot] = locking_->CreateTimestampedSnapshot(TimeNow());
  // Another one may be newer by its time.
  return s.IsInvalidArgument() ? Status::OK() : s;
}

std::shared_ptr<const Snapshot> Transactions::NewestSnapshot() const {
  return locking_ != nullptr ? locking_->GetLatestTimestampedSnapshot()
                             : nullptr;
}

void Transactions::ReleaseSnapshots() {
  if (locking_ == nullptr) return;
  locking_->ReleaseTimestampedSnapshotsOlderThan(kMaxTxnTimestamp);
}

Status Transactions::Commit(Transaction* txn) {
  if (optimistic_ != nullptr) return txn->Commit();
  Status s = txn->Prepare();
  if (!s.ok()) return s;
  if (last_name_ % 64 == 0) {
    // Flushes and kills come in between.
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  s = CommitPrepared(txn);
  if (s.ok()) return s;
  Status rolled_back = RollBack(txn);
  return rolled_back.ok() ? s : rolled_back;
}

Status Transactions::Write(const WriteOptions& options, const Fill& fill) {
  Status s;
  for (int i = 0; i < kMostTries; ++i) {
    const std::unique_ptr<Transaction> txn = Begin(options);
    s = fill(txn.get());
    if (s.ok()) s = Commit(txn.get());
    if (!IsToBeTriedAgain(s)) break;
  }
  return s;
}

Status Transactions::Write(const WriteOptions& options, WriteBatch* batch) {
  return Write(options, [batch](Transaction* txn) {
    return txn->RebuildFromWriteBatch(batch);
  });
}

}  // namespace ROCKSDB_NAMESPACE::stress
