#include "tests/utilities/transactions/history_run.h"

#include <map>
#include <utility>

#include "rocksdb/utilities/transaction_db.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Values grow by merges, and begin anew when they are as long as this.
constexpr size_t kLongValue = 100;

}  // namespace

const std::array<HistoryRun::Key, HistoryRun::kKeys>& HistoryRun::keys() {
  static const std::array<Key, kKeys> all{
      {{"a1", 0}, {"a2", 0}, {"a3", 0}, {"b1", 1}, {"b2", 1}}};
  return all;
}

Status HistoryRun::Open() {
  Options options;
  options.env = env_.get();
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.write_buffer_size = 64 << 10;
  options.merge_operator = std::make_shared<CommaAppend>();
  options.enable_pipelined_write = kind_.pipelined;
  const std::vector<ColumnFamilyDescriptor> families{
      {kDefaultColumnFamilyName, options}, {"b", options}};
  const std::string path = dir_.path() + "/db";
  std::vector<ColumnFamilyHandle*> handles;
  Status s;
  if (kind_.is_locking()) {
    TransactionDBOptions txn_db_options;
    // What is left prepared keeps its locks: nobody waits for them for long.
    txn_db_options.default_lock_timeout = 20;
    txn_db_options.write_policy = kind_.policy;
    if (kind_.locks == HistoryKind::Locks::kRanges) {
      txn_db_options.lock_mgr_handle.reset(NewRangeLockManager(nullptr));
    }
    // Each update but the first logs what came before it.
    txn_db_options.default_write_batch_flush_threshold = 1;
    s = TransactionDB::Open(options, txn_db_options, path, families, &handles,
                            &locking_);
    db_.reset(locking_);
  } else {
    OptimisticTransactionDBOptions occ;
    occ.validate_policy = kind_.locks == HistoryKind::Locks::kNoneSerial
                              ? OccValidationPolicy::kValidateSerial
                              : OccValidationPolicy::kValidateParallel;
    s = OptimisticTransactionDB::Open(options, occ, path, families, &handles,
                                      &optimistic_);
    db_.reset(optimistic_);
  }
  for (ColumnFamilyHandle* handle : handles) handles_.emplace_back(handle);
  return s;
}

void HistoryRun::Close() {
  left_.clear();
  handles_.clear();
  db_.reset();
}

Status HistoryRun::Crash(int survival_percent) {
  fs_->Deactivate();
  Close();
  has_faults_ = false;
  Status s = fs_->CrashAndHeal({.survival_percent = survival_percent});
  return s.ok() ? Open() : s;
}

Status HistoryRun::Look(HistoryStep* step) {
  step->begin = Tick();
  for (const Key& key : keys()) {
    std::string value;
    Status s = db_->Get(ReadOptions(), family(key.family), key.name, &value);
    if (!s.ok() && !s.IsNotFound()) return s;
    step->read[key.name] = s.ok() ? value : "";
  }
  step->end = Tick();
  return Status::OK();
}

Status HistoryRun::Begin(bool syncs) {
  history_ = History();
  for (std::atomic<bool>& is_deleted : is_deleted_) is_deleted = false;
  syncs_ = syncs;
  HistoryStep first{.label = "before"};
  if (Status s = Look(&first); !s.ok()) return s;
  first.written.swap(first.read);
  for (const Key& key : keys()) {
    std::string& value = first.written[key.name];
    if (!value.empty() && value.size() < kLongValue) continue;
    value = FreshValue();
    Status s = db_->Put(write_options(), family(key.family), key.name, value);
    if (!s.ok()) return s;
  }
  first.end = Tick();
  Add(std::move(first));
  // What a crash loses later must belong to this history.
  return syncs ? db_->SyncWAL() : Status::OK();
}

std::string HistoryRun::End() {
  HistoryStep last{.label = "after"};
  if (Status s = Look(&last); !s.ok()) return s.ToString();
  Add(std::move(last));
  return history_.Complaint();
}

// Ends a prepared transaction: commits it, or rolls it back.
Status HistoryRun::End(LeftTransaction left, Random64* random) {
  if (random->OneIn(2)) return left.txn->Rollback();
  if (Status s = left.txn->Commit(); !s.ok()) return s;
  left.step.end = Tick();
  Add(std::move(left.step));
  return Status::OK();
}

Status HistoryRun::CrashAndResolve(Random64* random) {
  std::map<std::string, LeftTransaction> expected;
  for (LeftTransaction& left : left_) {
    // The transaction object is gone with the database.
    expected[left.txn->GetName()] = {nullptr, std::move(left.step), left.fate};
  }
  const int survival_percent = static_cast<int>(random->Uniform(101));
  if (Status s = Crash(survival_percent); !s.ok()) return s;
  history_.EndAll(Tick());
  if (!kind_.is_locking()) return Status::OK();
  std::vector<Transaction*> prepared;
  locking_->GetAllPreparedTransactions(&prepared);
  for (Transaction* txn : prepared) {
    const auto found = expected.find(txn->GetName());
    if (found == expected.end()) {
      return Status::Corruption(txn->GetName(), "was never prepared");
    }
    found->second.txn.reset(txn);
  }
  for (auto& [name, left] : expected) {
    Status s;
    if (left.txn != nullptr) {
      s = End(std::move(left), random);
    } else if (left.fate == LeftTransaction::Fate::kPrepared) {
      s = Status::Corruption(name, "is lost");
    } else if (left.fate == LeftTransaction::Fate::kMaybeCommitted) {
      left.step.is_certain = false;
      left.step.end = Tick();
      Add(std::move(left.step));
    }
    if (!s.ok()) return s;
  }
  return random->OneIn(2) ? Crash(survival_percent) : Status::OK();
}

void HistoryRun::PlanFault(Random64* random) {
  constexpr FaultKind kKinds[] = {FaultKind::kIOError, FaultKind::kShort,
                                  FaultKind::kSyncFailure};
  has_faults_ = true;
  fs_->FailCall({.call = 1 + random->Uniform(20),
                 .kind = kKinds[random->Uniform(3)],
                 .is_permanent = random->OneIn(2),
                 .path_contains = random->OneIn(2) ? ".log" : ""});
}

Status HistoryRun::Resume(Random64* random) {
  fs_->ClearFault();
  has_faults_ = false;
  // A job that began before may still fail, and then nothing can be written.
  Status idle;
  do {
    if (Status s = db_->Resume(); !s.ok()) return s;
    idle = db_->WaitForCompact(WaitForCompactOptions());
  } while (idle.IsIOError());
  if (!idle.ok()) return idle;
  std::vector<LeftTransaction> left;
  left.swap(left_);
  for (LeftTransaction& one : left) {
    // What could not be prepared is as it was before.
    const bool is_prepared = one.txn->GetState() == Transaction::PREPARED;
    if (one.fate != LeftTransaction::Fate::kMaybePrepared && !is_prepared) {
      return Status::Corruption(one.txn->GetName(), "is not prepared any more");
    }
    Status s = is_prepared ? End(std::move(one), random) : one.txn->Rollback();
    if (!s.ok()) return s;
  }
  history_.EndAll(Tick());
  HistoryStep step{.label = "resumed"};
  if (Status s = Look(&step); !s.ok()) return s;
  Add(std::move(step));
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
