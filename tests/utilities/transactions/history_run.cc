#include "tests/utilities/transactions/history_run.h"

#include <algorithm>

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
  // What is lost later is of this history.
  return syncs ? db_->SyncWAL() : Status::OK();
}

std::string HistoryRun::End() {
  HistoryStep last{.label = "after"};
  if (Status s = Look(&last); !s.ok()) return s.ToString();
  Add(std::move(last));
  return history_.Complaint();
}

Status HistoryRun::CrashAndResolve(Random64* random) {
  std::vector<std::pair<std::string, HistoryStep>> expected;
  for (auto& [txn, step] : left_) {
    expected.emplace_back(txn->GetName(), std::move(step));
  }
  const int survival_percent = static_cast<int>(random->Uniform(101));
  if (Status s = Crash(survival_percent); !s.ok()) return s;
  if (locking_ == nullptr || !kind_.is_locking()) return Status::OK();
  std::vector<Transaction*> prepared;
  locking_->GetAllPreparedTransactions(&prepared);
  if (prepared.size() != expected.size()) {
    return Status::Corruption("prepared transactions were lost");
  }
  for (auto& [name, step] : expected) {
    const std::unique_ptr<Transaction> txn(
        locking_->GetTransactionByName(name));
    if (txn == nullptr) return Status::Corruption(name, "is lost");
    if (random->OneIn(2)) {
      if (Status s = txn->Rollback(); !s.ok()) return s;
      continue;
    }
    if (Status s = txn->Commit(); !s.ok()) return s;
    step.end = Tick();
    Add(std::move(step));
  }
  return random->OneIn(2) ? Crash(survival_percent) : Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
