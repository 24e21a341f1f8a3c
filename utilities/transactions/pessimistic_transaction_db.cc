#include "utilities/transactions/pessimistic_transaction_db.h"

#include <algorithm>

#include "db/read/newer_version.h"
#include "db/wal/write_batch_format.h"
#include "db/write/transaction_port.h"
#include "options/db_options.h"
#include "rocksdb/env.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "utilities/transactions/indexed_transaction.h"
#include "utilities/transactions/pessimistic_transaction.h"
#include "utilities/transactions/point_lock_manager.h"
#include "utilities/transactions/undo_batch.h"

namespace ROCKSDB_NAMESPACE {

// The locks of one write outside of transactions, for as long as it takes.
class PessimisticDB::KeyLocks final : public LockOwner {
 public:
  explicit KeyLocks(PessimisticDB* db)
      : LockOwner(NewId()),
        db_(db),
        timeout_micros_(LockMicros(db->options_.default_lock_timeout)) {}
  ~KeyLocks() override {
    for (const auto& [id, key] : locked_) db_->locks_->Unlock(this, id, key);
    db_->locks_->UnlockAll(this);
  }

  // `key` outlives this object.
  Status Lock(uint32_t family_id, const Slice& key) {
    Status s =
        db_->locks_->Lock(this, {.family_id = family_id,
                                 .key = key,
                                 .terms = {.timeout_micros = timeout_micros_}});
    if (s.ok()) locked_.emplace_back(family_id, key);
    return s;
  }

 private:
  PessimisticDB* const db_;
  const int64_t timeout_micros_;
  std::vector<std::pair<uint32_t, Slice>> locked_;
};

PessimisticDB::PessimisticDB(DB* db, const TransactionDBOptions& options)
    : TransactionDB(db),
      options_(options),
      port_(TransactionPort::Of(db)),
      clock_(db->GetEnv()->GetSystemClock().get()),
      key_locks_(options.lock_mgr_handle == nullptr
                     ? std::make_unique<PointLockManager>(options, clock_)
                     : nullptr),
      locks_(key_locks_ != nullptr ? key_locks_.get()
                                   : options.lock_mgr_handle->getLockManager()),
      snapshots_(db, port_) {
  const size_t size =
      db->DefaultColumnFamily()->GetComparator()->timestamp_size();
  if (size > 0) NoteTimestamps(0, size);
}

PessimisticDB::~PessimisticDB() {
  std::vector<Transaction*> named;
  {
    const MutexLock lock(&names_mutex_);
    for (const auto& [name, txn] : names_) named.push_back(txn);
  }
  for (Transaction* txn : named) {
    // Whoever has a name is ours by now.
    const std::unique_ptr<Transaction> owned(txn);
  }
  snapshots_.ForgetOlder(UINT64_MAX);
  if (is_attached_) locks_->Detach();
}

Status PessimisticDB::Start(const std::vector<ColumnFamilyHandle*>& handles) {
  is_attached_ = locks_->TryAttach(clock_);
  if (!is_attached_) {
    return Status::InvalidArgument(
        "TransactionDBOptions::lock_mgr_handle serves another database");
  }
  locks_->AddFamily(0, DefaultColumnFamily()->GetComparator());
  AddFamilies(handles);
  WriteOptions write_options;
  write_options.sync = true;
  TransactionOptions txn_options;
  txn_options.skip_concurrency_control = true;
  txn_options.write_batch_flush_threshold = 0;  // All of it is logged.
  for (RecoveredSection& section : port_->TakeRecoveredSections()) {
    Status s = HideUncommitted(section);
    if (!s.ok()) return s;
    if (!section.is_prepared) continue;
    std::unique_ptr<PessimisticTransaction> txn =
        MakeTransaction(write_options, txn_options);
    s = txn->BecomeRecovered(&section);
    if (!s.ok()) return s;
    // From here on the names own it.
    const Transaction* const registered = txn.release();
    INVARIANT(registered->GetState() == Transaction::PREPARED);
  }
  return Status::OK();
}

// What RocksDB has put into tables of a section is as if it had not been, until
// a commit applies the section. One that was not prepared is rolled back.
Status PessimisticDB::HideUncommitted(const RecoveredSection& section) {
  std::map<UndoBatch::FamilyKey, SequenceNumber> firsts;
  for (const UncommittedKey& key : section.in_tables) {
    const auto [at, is_new] =
        firsts.try_emplace({key.family_id, key.key}, key.sequence);
    if (!is_new) at->second = std::min(at->second, key.sequence);
  }
  UndoBatch undo(this, db_, port_, options_);
  for (const auto& [key, first] : firsts) {
    INVARIANT(first > 0);
    NewerVersion newest;
    Status s = port_->FindNewer(
        {.family_id = key.first, .key = key.second, .sequence = first - 1},
        TransactionPort::Turn::kOutside, &newest);
    if (s.IsInvalidArgument()) continue;  // The family is gone.
    if (!s.ok()) return s;
    const bool is_its_own = newest.exists && newest.sequence < section.end;
    if (!is_its_own) continue;
    const MomentInPast before(first - 1);
    if (s = undo.Add(key.first, key.second, &before); !s.ok()) return s;
  }
  WriteOptions synced;
  synced.sync = true;
  Status s = undo.batch()->Count() > 0 ? db_->Write(synced, undo.batch())
                                       : Status::OK();
  if (!s.ok() || section.is_prepared) return s;
  return port_->RollBackSection(synced, section.name, nullptr, nullptr);
}

TransactionID PessimisticDB::NewId() {
  static std::atomic<TransactionID> last{0};
  return ++last;
}

uint64_t PessimisticDB::NowMicros() const { return clock_->NowNanos() / 1000; }

Status PessimisticDB::Close() {
  if (!snapshots_.empty()) {
    return Status::Aborted("Cannot close DB with unreleased snapshot.");
  }
  return TransactionDB::Close();
}

// --- Transactions

std::unique_ptr<PessimisticTransaction> PessimisticDB::MakeTransaction(
    const WriteOptions& write_options, const TransactionOptions& txn_options) {
  if (has_indices()) {
    return std::make_unique<IndexedTransaction>(this, write_options,
                                                txn_options);
  }
  return std::make_unique<PessimisticTransaction>(this, write_options,
                                                  txn_options);
}

Transaction* PessimisticDB::BeginTransaction(
    const WriteOptions& write_options, const TransactionOptions& txn_options,
    Transaction* old_txn) {
  if (old_txn == nullptr) {
    return MakeTransaction(write_options, txn_options).release();
  }
  static_cast<PessimisticTransaction*>(old_txn)->BeginAnew(write_options,
                                                           txn_options);
  return old_txn;
}

Transaction* PessimisticDB::GetTransactionByName(const TransactionName& name) {
  const MutexLock lock(&names_mutex_);
  const auto found = names_.find(name);
  return found != names_.end() ? found->second : nullptr;
}

void PessimisticDB::GetAllPreparedTransactions(
    std::vector<Transaction*>* trans) {
  INVARIANT(trans != nullptr);
  trans->clear();
  const MutexLock lock(&names_mutex_);
  for (const auto& [name, txn] : names_) {
    if (txn->GetState() == Transaction::PREPARED) trans->push_back(txn);
  }
}

Status PessimisticDB::RegisterName(const std::string& name,
                                   PessimisticTransaction* txn) {
  const MutexLock lock(&names_mutex_);
  if (names_.try_emplace(name, txn).second) return Status::OK();
  return Status::InvalidArgument("Duplicate txn name " + name);
}

void PessimisticDB::UnregisterName(const std::string& name,
                                   PessimisticTransaction* txn) {
  const MutexLock lock(&names_mutex_);
  const auto found = names_.find(name);
  if (found != names_.end() && found->second == txn) names_.erase(found);
}

Status PessimisticDB::GetTimestampedSnapshots(
    TxnTimestamp ts_lb, TxnTimestamp ts_ub,
    std::vector<std::shared_ptr<const Snapshot>>& timestamped_snapshots) const {
  if (ts_lb >= ts_ub) {
    return Status::InvalidArgument(
        "timestamp lower bound must be smaller than upper bound");
  }
  timestamped_snapshots = snapshots_.Between(ts_lb, ts_ub);
  return Status::OK();
}

// --- Families

void PessimisticDB::NoteTimestamps(uint32_t family_id, size_t size) {
  const MutexLock lock(&names_mutex_);
  timestamp_sizes_[family_id] = size;
  has_timestamps_ = true;
}

void PessimisticDB::AddFamilies(
    const std::vector<ColumnFamilyHandle*>& handles) {
  for (ColumnFamilyHandle* handle : handles) {
    if (handle == nullptr) continue;
    locks_->AddFamily(handle->GetID(), handle->GetComparator());
    const size_t size = handle->GetComparator()->timestamp_size();
    if (size > 0) NoteTimestamps(handle->GetID(), size);
  }
}

bool PessimisticDB::HasKeysWithTimestamps(const WriteBatch& batch) const {
  if (!has_timestamps_) return false;
  const MutexLock lock(&names_mutex_);
  for (BatchReader reader(batch.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    if (!reader.Next(&entry).ok()) return false;
    if (!IsDataEntry(entry.type)) continue;
    if (timestamp_sizes_.contains(entry.column_family_id)) return true;
  }
  return false;
}

Status PessimisticDB::Stamp(const Slice& timestamp, WriteBatch* batch) const {
  std::map<uint32_t, size_t> sizes;
  {
    const MutexLock lock(&names_mutex_);
    sizes = timestamp_sizes_;
  }
  return batch->UpdateTimestamps(timestamp, [&sizes](uint32_t id) -> size_t {
    const auto found = sizes.find(id);
    return found != sizes.end() ? found->second : 0;
  });
}

bool PessimisticDB::AppliesEarly() const {
  return port_->policy() != SectionPolicy::kWriteCommitted;
}

std::pair<Status, std::shared_ptr<const Snapshot>>
PessimisticDB::CreateTimestampedSnapshot(TxnTimestamp ts) {
  if (AppliesEarly()) {
    return {Status::NotSupported("timestamped snapshots with the policies "
                                 "write-prepared and write-unprepared"),
            nullptr};
  }
  return snapshots_.Create(ts);
}

Status PessimisticDB::CheckFamily(const std::string& name,
                                  const ColumnFamilyOptions& options,
                                  TxnDBWritePolicy policy) {
  if (options.inplace_update_support) {
    return Status::InvalidArgument(
        "inplace_update_support keeps no sequences for transactions to look "
        "at: column family",
        name);
  }
  const size_t size = options.comparator->timestamp_size();
  if (size != 0 && size != sizeof(TxnTimestamp)) {
    return Status::InvalidArgument(
        "transactions need timestamps of eight bytes: column family", name);
  }
  if (size != 0 && policy != WRITE_COMMITTED) {
    return Status::NotSupported(
        "timestamps with the policies write-prepared and write-unprepared: "
        "column family",
        name);
  }
  return Status::OK();
}

Status PessimisticDB::CreateColumnFamily(const ColumnFamilyOptions& options,
                                         const std::string& name,
                                         ColumnFamilyHandle** handle) {
  Status s = CheckFamily(name, options, options_.write_policy);
  if (!s.ok()) return s;
  s = db_->CreateColumnFamily(options, name, handle);
  if (s.ok()) AddFamilies({*handle});
  return s;
}

Status PessimisticDB::CreateColumnFamilies(
    const ColumnFamilyOptions& options, const std::vector<std::string>& names,
    std::vector<ColumnFamilyHandle*>* handles) {
  Status s = CheckFamily(names.empty() ? "" : names.front(), options,
                         options_.write_policy);
  if (!s.ok()) return s;
  s = db_->CreateColumnFamilies(options, names, handles);
  // Those that came before an error stay.
  if (handles != nullptr) AddFamilies(*handles);
  return s;
}

Status PessimisticDB::CreateColumnFamilies(
    const std::vector<ColumnFamilyDescriptor>& families,
    std::vector<ColumnFamilyHandle*>* handles) {
  for (const ColumnFamilyDescriptor& family : families) {
    Status s = CheckFamily(family.name, family.options, options_.write_policy);
    if (!s.ok()) return s;
  }
  Status s = db_->CreateColumnFamilies(families, handles);
  if (handles != nullptr) AddFamilies(*handles);
  return s;
}

Status PessimisticDB::CreateColumnFamilyWithImport(
    const ColumnFamilyOptions& options, const std::string& name,
    const ImportColumnFamilyOptions& import_options,
    const std::vector<const ExportImportFilesMetaData*>& metadatas,
    ColumnFamilyHandle** handle) {
  Status s = CheckFamily(name, options, options_.write_policy);
  if (!s.ok()) return s;
  s = db_->CreateColumnFamilyWithImport(options, name, import_options,
                                        metadatas, handle);
  if (s.ok()) AddFamilies({*handle});
  return s;
}

Status PessimisticDB::DropColumnFamily(ColumnFamilyHandle* family) {
  Status s = db_->DropColumnFamily(family);
  if (s.ok()) locks_->RemoveFamily(family->GetID());
  return s;
}

Status PessimisticDB::DropColumnFamilies(
    const std::vector<ColumnFamilyHandle*>& families) {
  Status s = db_->DropColumnFamilies(families);
  for (ColumnFamilyHandle* family : families) {
    // Those that came before an error are gone.
    const bool is_gone =
        s.ok() ||
        (family != nullptr && port_->HandleOf(family->GetID()) == nullptr);
    if (is_gone) locks_->RemoveFamily(family->GetID());
  }
  return s;
}

// --- Writes outside of transactions

namespace {

Status RefuseTimestamps() {
  return Status::NotSupported(
      "Write operation with user timestamp must go through the transaction API "
      "instead of TransactionDB.");
}

Status CheckPlainWrite(ColumnFamilyHandle* family) {
  return family->GetComparator()->timestamp_size() == 0 ? Status::OK()
                                                        : RefuseTimestamps();
}

}  // namespace

// Keeps indices up to date: a transaction of this one write.
template <class Call>
Status PessimisticDB::InTransaction(const WriteOptions& options,
                                    ColumnFamilyHandle* family,
                                    const Call& call) {
  if (family == nullptr) family = DefaultColumnFamily();
  if (Status s = CheckPlainWrite(family); !s.ok()) return s;
  TransactionOptions txn_options;
  txn_options.lock_timeout =
      std::max<int64_t>(-1, options_.default_lock_timeout);
  // It has no name for parts of it in the log.
  txn_options.write_batch_flush_threshold = 0;
  const std::unique_ptr<PessimisticTransaction> txn =
      MakeTransaction(options, txn_options);
  // A negative TransactionOptions::lock_timeout means transaction_lock_timeout,
  // so that "no limit" is set here.
  if (options_.default_lock_timeout < 0) txn->SetLockTimeout(-1);
  Status s = call(txn.get(), family);
  return s.ok() ? txn->Commit() : s;
}

template <class Call>
Status PessimisticDB::WithLock(ColumnFamilyHandle* family, const Slice& key,
                               const Call& call) {
  if (family == nullptr) family = DefaultColumnFamily();
  if (Status s = CheckPlainWrite(family); !s.ok()) return s;
  KeyLocks locks(this);
  Status s = locks.Lock(family->GetID(), key);
  return s.ok() ? call(family) : s;
}

Status PessimisticDB::Put(const WriteOptions& options,
                          ColumnFamilyHandle* family, const Slice& key,
                          const Slice& value) {
  if (has_indices()) {
    return InTransaction(options, family,
                         [&](Transaction* txn, ColumnFamilyHandle* known) {
                           return txn->PutUntracked(known, key, value);
                         });
  }
  return WithLock(family, key, [&](ColumnFamilyHandle* known) {
    return db_->Put(options, known, key, value);
  });
}

Status PessimisticDB::PutEntity(const WriteOptions& options,
                                ColumnFamilyHandle* family, const Slice& key,
                                const WideColumns& columns) {
  if (has_indices()) {
    return InTransaction(options, family,
                         [&](Transaction* txn, ColumnFamilyHandle* known) {
                           return txn->PutEntityUntracked(known, key, columns);
                         });
  }
  return WithLock(family, key, [&](ColumnFamilyHandle* known) {
    return db_->PutEntity(options, known, key, columns);
  });
}

Status PessimisticDB::PutEntity(const WriteOptions& /*options*/,
                                const Slice& /*key*/,
                                const AttributeGroups& attribute_groups) {
  if (attribute_groups.empty()) {
    return Status::InvalidArgument(
        "Cannot call this method without attribute groups");
  }
  return Status::NotSupported(
      "PutEntity with AttributeGroups in a TransactionDB");
}

Status PessimisticDB::Delete(const WriteOptions& options,
                             ColumnFamilyHandle* family, const Slice& key) {
  if (has_indices()) {
    return InTransaction(options, family,
                         [&](Transaction* txn, ColumnFamilyHandle* known) {
                           return txn->DeleteUntracked(known, key);
                         });
  }
  return WithLock(family, key, [&](ColumnFamilyHandle* known) {
    return db_->Delete(options, known, key);
  });
}

Status PessimisticDB::SingleDelete(const WriteOptions& options,
                                   ColumnFamilyHandle* family,
                                   const Slice& key) {
  if (has_indices()) {
    return InTransaction(options, family,
                         [&](Transaction* txn, ColumnFamilyHandle* known) {
                           return txn->SingleDeleteUntracked(known, key);
                         });
  }
  return WithLock(family, key, [&](ColumnFamilyHandle* known) {
    return db_->SingleDelete(options, known, key);
  });
}

Status PessimisticDB::Merge(const WriteOptions& options,
                            ColumnFamilyHandle* family, const Slice& key,
                            const Slice& value) {
  if (has_indices()) {
    return InTransaction(options, family,
                         [&](Transaction* txn, ColumnFamilyHandle* known) {
                           return txn->MergeUntracked(known, key, value);
                         });
  }
  return WithLock(family, key, [&](ColumnFamilyHandle* known) {
    return db_->Merge(options, known, key, value);
  });
}

Status PessimisticDB::KeysOf(
    const WriteBatch& updates,
    std::vector<std::pair<uint32_t, std::string_view>>* keys) const {
  for (BatchReader reader(updates.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (!IsDataEntry(entry.type)) continue;
    if (entry.type == kTypeRangeDeletion) {
      return Status::InvalidArgument(
          "DeleteRangeCF not implemented",
          "ranges cannot be locked: see TransactionDBWriteOptimizations");
    }
    keys->emplace_back(entry.column_family_id, entry.key.ToStringView());
  }
  std::sort(keys->begin(), keys->end());
  keys->erase(std::unique(keys->begin(), keys->end()), keys->end());
  return Status::OK();
}

Status PessimisticDB::Write(const WriteOptions& options, WriteBatch* updates) {
  return Write(options, TransactionDBWriteOptimizations(), updates);
}

// Keys are locked in one order, so that two such writes never wait for each
// other.
Status PessimisticDB::Write(
    const WriteOptions& options,
    const TransactionDBWriteOptimizations& optimizations, WriteBatch* updates) {
  if (updates == nullptr) return Status::InvalidArgument("Batch is nullptr!");
  if (HasKeysWithTimestamps(*updates)) return RefuseTimestamps();
  // RocksDB wants to know that no key is there twice, to which ranges belong.
  if (AppliesEarly() && updates->HasDeleteRange() &&
      !optimizations.skip_duplicate_key_check) {
    return Status::InvalidArgument(
        "DeleteRangeCF not implemented",
        "a batch with range deletions needs skip_concurrency_control and "
        "skip_duplicate_key_check");
  }
  if (options_.skip_concurrency_control ||
      optimizations.skip_concurrency_control) {
    return db_->Write(options, updates);
  }
  // The end that the log needs is added to the batch, which may move its bytes.
  const WriteBatch copy = AppliesEarly() ? *updates : WriteBatch();
  std::vector<std::pair<uint32_t, std::string_view>> keys;
  Status s = KeysOf(AppliesEarly() ? copy : *updates, &keys);
  KeyLocks locks(this);
  for (const auto& [id, key] : keys) {
    if (!s.ok()) break;
    s = locks.Lock(id, Slice(key.data(), key.size()));
  }
  return s.ok() ? db_->Write(options, updates) : s;
}

}  // namespace ROCKSDB_NAMESPACE
