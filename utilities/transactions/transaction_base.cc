#include "utilities/transactions/transaction_base.h"

#include <algorithm>
#include <utility>

#include "db/read/family_iterators.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/transaction_port.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/system_clock.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A header, and the Noop that stands first.
constexpr size_t kEmptyBatchBytes = 13;

// Checks what the database would check: a read that the batch alone answers
// never reaches it. (The batch checks the timestamp by itself.)
Status CheckReadActivity(const ReadOptions& options, Env::IOActivity own) {
  if (options.io_activity == Env::IOActivity::kUnknown ||
      options.io_activity == own) {
    return Status::OK();
  }
  return Status::InvalidArgument(
      "ReadOptions::io_activity is not that of the call");
}

}  // namespace

Status Transaction::CommitAndTryCreateSnapshot(
    std::shared_ptr<TransactionNotifier> notifier, TxnTimestamp ts,
    std::shared_ptr<const Snapshot>* snapshot) {
  if (snapshot != nullptr) snapshot->reset();
  const TxnTimestamp commit_ts = GetCommitTimestamp();
  if (commit_ts == kMaxTxnTimestamp) {
    if (ts == kMaxTxnTimestamp) {
      return Status::InvalidArgument("a commit timestamp must be set");
    }
    if (Status s = SetCommitTimestamp(ts); !s.ok()) return s;
  } else if (ts != kMaxTxnTimestamp && ts != commit_ts) {
    return Status::InvalidArgument(
        "the timestamp is not the commit timestamp that was set");
  }
  SetSnapshotOnNextOperation(std::move(notifier));
  Status s = Commit();
  if (s.ok() && snapshot != nullptr) *snapshot = GetTimestampedSnapshot();
  return s;
}

TransactionBase::TransactionBase(DB* db, TransactionPort* port,
                                 const WriteOptions& write_options)
    : db_(db),
      port_(port),
      clock_(db->GetEnv()->GetSystemClock().get()),
      write_options_(write_options),
      batch_(db->DefaultColumnFamily()->GetComparator(), 0,
             /*overwrite_key=*/true, 0, write_options.protection_bytes_per_key),
      start_nanos_(clock_->NowNanos()),
      default_family_(db->DefaultColumnFamily()) {
  INVARIANT(port_ != nullptr);
  ResetBatch();
}

TransactionBase::~TransactionBase() = default;

void TransactionBase::ResetBatch() {
  batch_.Clear();
  // Room for the begin of a prepared section.
  WriteBatchInternal::AddMarker(batch_.GetWriteBatch(), kTypeNoop);
  INVARIANT(batch_.GetDataSize() == kEmptyBatchBytes);
}

bool TransactionBase::HasNothingToWrite() const {
  return batch_.GetDataSize() <= kEmptyBatchBytes;
}

void TransactionBase::BeginAnew(const WriteOptions& write_options) {
  Clear();
  ClearSnapshot();
  write_options_ = write_options;
  is_indexing_ = true;
  start_nanos_ = clock_->NowNanos();
  id_ = 0;
  log_number_ = 0;
  name_.clear();
  txn_state_ = STARTED;
}

void TransactionBase::Clear() {
  save_points_.clear();
  tracked_.clear();
  counts_ = {};
  commit_time_batch_.Clear();
  ResetBatch();
}

uint64_t TransactionBase::GetElapsedTime() const {
  return (clock_->NowNanos() - start_nanos_) / 1'000'000;
}

// --- The snapshot

void TransactionBase::SetSnapshot() {
  BeforeLookingBack();
  DB* const db = db_;
  AdoptSnapshot(std::shared_ptr<const Snapshot>(
      db->GetSnapshot(),
      [db](const Snapshot* snapshot) { db->ReleaseSnapshot(snapshot); }));
}

void TransactionBase::AdoptSnapshot(std::shared_ptr<const Snapshot> snapshot) {
  snapshot_ = std::move(snapshot);
  snapshot_is_pending_ = false;
  notifier_ = nullptr;
}

void TransactionBase::SetSnapshotOnNextOperation(
    std::shared_ptr<TransactionNotifier> notifier) {
  snapshot_is_pending_ = true;
  notifier_ = std::move(notifier);
}

void TransactionBase::TakePendingSnapshot() {
  if (!snapshot_is_pending_) return;
  const std::shared_ptr<TransactionNotifier> notifier = notifier_;
  SetSnapshot();
  if (notifier != nullptr) notifier->SnapshotCreated(GetSnapshot());
}

std::shared_ptr<const Snapshot> TransactionBase::GetTimestampedSnapshot()
    const {
  const bool has_timestamp =
      snapshot_ != nullptr && snapshot_->GetTimestamp() != kMaxTxnTimestamp;
  return has_timestamp ? snapshot_ : nullptr;
}

void TransactionBase::ClearSnapshot() {
  AdoptSnapshot(nullptr);
  AfterSnapshotGone();
}

// --- Save points

void TransactionBase::SetSavePoint() {
  SavePoint& point = save_points_.emplace_back();
  point.snapshot = snapshot_;
  point.snapshot_is_pending = snapshot_is_pending_;
  point.notifier = notifier_;
  point.counts = counts_;
  batch_.SetSavePoint();
}

Status TransactionBase::RollbackToSavePoint() {
  if (txn_state_ != STARTED) {
    return Status::InvalidArgument("Transaction is beyond state for rollback.");
  }
  return UndoToSavePoint();
}

Status TransactionBase::UndoToSavePoint() {
  if (save_points_.empty()) return Status::NotFound();
  SavePoint point = std::move(save_points_.back());
  save_points_.pop_back();
  if (Status s = batch_.RollbackToSavePoint(); !s.ok()) return s;
  snapshot_ = std::move(point.snapshot);
  snapshot_is_pending_ = point.snapshot_is_pending;
  notifier_ = std::move(point.notifier);
  counts_ = point.counts;
  point.since.ForEach(
      [this](uint32_t id, const std::string& key, const TrackedKey& since) {
        TrackedKey* const tracked = tracked_.Find(id, key);
        INVARIANT(tracked != nullptr);
        INVARIANT(tracked->reads >= since.reads);
        INVARIANT(tracked->writes >= since.writes);
        tracked->reads -= since.reads;
        tracked->writes -= since.writes;
        if (tracked->reads == 0 && tracked->writes == 0) {
          tracked_.Erase(id, key);
          Unlock(id, key);
        }
      });
  return Status::OK();
}

Status TransactionBase::PopSavePoint() {
  if (save_points_.empty()) return Status::NotFound();
  SavePoint point = std::move(save_points_.back());
  save_points_.pop_back();
  // What was used since is now of the save point before.
  if (!save_points_.empty()) save_points_.back().since.Merge(point.since);
  return batch_.PopSavePoint();
}

void TransactionBase::ClearSavePoints() {
  for (; !save_points_.empty(); save_points_.pop_back()) {
    IgnoreError(batch_.PopSavePoint(),
                "whoever has the batch may have cleared it");
  }
}

void TransactionBase::Track(const KeyUse& use) {
  tracked_.Add(use);
  if (!save_points_.empty()) save_points_.back().since.Add(use);
}

void TransactionBase::UndoGetForUpdate(ColumnFamilyHandle* column_family,
                                       const Slice& key) {
  const uint32_t id = Known(column_family)->GetID();
  TrackedKey* const tracked = tracked_.Find(id, key);
  if (tracked == nullptr || tracked->reads == 0) return;
  if (!save_points_.empty()) {
    // Reads of before the save point are there again if it is rolled back to.
    TrackedKeys& since = save_points_.back().since;
    TrackedKey* const read = since.Find(id, key);
    if (read == nullptr || read->reads == 0) return;
    if (--read->reads == 0 && read->writes == 0) since.Erase(id, key);
  }
  if (--tracked->reads == 0 && tracked->writes == 0) {
    const std::string copy = key.ToString();
    tracked_.Erase(id, key);
    Unlock(id, copy);
  }
}

// --- Reading

Status TransactionBase::Get(const ReadOptions& options,
                            ColumnFamilyHandle* column_family, const Slice& key,
                            std::string* value) {
  if (value == nullptr) return Status::InvalidArgument("value is null");
  PinnableSlice pinned(value);
  Status s = Get(options, column_family, key, &pinned);
  if (s.ok() && pinned.IsPinned()) value->assign(pinned.data(), pinned.size());
  return s;
}

Status TransactionBase::Get(const ReadOptions& options,
                            ColumnFamilyHandle* column_family, const Slice& key,
                            PinnableSlice* value) {
  if (value == nullptr) return Status::InvalidArgument("value is null");
  Status s = CheckReadActivity(options, Env::IOActivity::kGet);
  if (!s.ok()) return s;
  return batch_.GetFromBatchAndDB(db_, options, Known(column_family), key,
                                  value);
}

Status TransactionBase::GetEntity(const ReadOptions& options,
                                  ColumnFamilyHandle* column_family,
                                  const Slice& key,
                                  PinnableWideColumns* columns) {
  if (column_family == nullptr) {
    return Status::InvalidArgument(
        "Cannot call GetEntity without a column family handle");
  }
  Status s = CheckReadActivity(options, Env::IOActivity::kGetEntity);
  if (!s.ok()) return s;
  return batch_.GetEntityFromBatchAndDB(db_, options, column_family, key,
                                        columns);
}

std::vector<Status> TransactionBase::MultiGet(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& column_family,
    const std::vector<Slice>& keys, std::vector<std::string>* values) {
  std::vector<Status> statuses(keys.size());
  if (column_family.size() != keys.size() || values == nullptr) {
    std::fill(statuses.begin(), statuses.end(),
              Status::InvalidArgument(
                  "MultiGet needs a column family for each key, and values"));
    return statuses;
  }
  values->assign(keys.size(), std::string());
  Status s = CheckReadActivity(options, Env::IOActivity::kMultiGet);
  // The call that is made is Get().
  ReadOptions each = options;
  each.io_activity = Env::IOActivity::kUnknown;
  for (size_t i = 0; i < keys.size(); ++i) {
    statuses[i] =
        s.ok() ? Get(each, column_family[i], keys[i], &(*values)[i]) : s;
  }
  return statuses;
}

std::vector<Status> TransactionBase::MultiGet(
    const ReadOptions& options, const std::vector<Slice>& keys,
    std::vector<std::string>* values) {
  const std::vector<ColumnFamilyHandle*> families(keys.size(), default_family_);
  return MultiGet(options, families, keys, values);
}

void TransactionBase::MultiGet(const ReadOptions& options,
                               ColumnFamilyHandle* column_family,
                               const size_t num_keys, const Slice* keys,
                               PinnableSlice* values, Status* statuses,
                               const bool sorted_input) {
  Status s = CheckReadActivity(options, Env::IOActivity::kMultiGet);
  if (!s.ok()) {
    std::fill(statuses, statuses + num_keys, s);
    return;
  }
  batch_.MultiGetFromBatchAndDB(db_, options, Known(column_family), num_keys,
                                keys, values, statuses, sorted_input);
}

void TransactionBase::MultiGetEntity(const ReadOptions& options,
                                     ColumnFamilyHandle* column_family,
                                     size_t num_keys, const Slice* keys,
                                     PinnableWideColumns* results,
                                     Status* statuses, bool sorted_input) {
  Status s;
  if (column_family == nullptr) {
    s = Status::InvalidArgument(
        "Cannot call MultiGetEntity without a column family handle");
  } else if (results == nullptr) {
    s = Status::InvalidArgument("results is null");
  } else {
    s = CheckReadActivity(options, Env::IOActivity::kMultiGetEntity);
  }
  if (!s.ok()) {
    std::fill(statuses, statuses + num_keys, s);
    return;
  }
  batch_.MultiGetEntityFromBatchAndDB(db_, options, column_family, num_keys,
                                      keys, results, statuses, sorted_input);
}

Status TransactionBase::LockForRead(const ReadOptions& options,
                                    ColumnFamilyHandle* family,
                                    const Slice& key, bool exclusive,
                                    bool do_validate) {
  if (!do_validate && options.snapshot != nullptr) {
    return Status::InvalidArgument(
        "If do_validate is false then GetForUpdate with snapshot is not "
        "defined.");
  }
  if (options.io_activity != Env::IOActivity::kUnknown) {
    return Status::InvalidArgument(
        "Cannot call GetForUpdate with `ReadOptions::io_activity` != "
        "`Env::IOActivity::kUnknown`");
  }
  return TryLock({.family = Known(family),
                  .key = key,
                  .is_read = true,
                  .is_exclusive = exclusive,
                  .validates = do_validate});
}

Status TransactionBase::GetForUpdate(const ReadOptions& options,
                                     ColumnFamilyHandle* column_family,
                                     const Slice& key, std::string* value,
                                     bool exclusive, const bool do_validate) {
  Status s = LockForRead(options, column_family, key, exclusive, do_validate);
  if (!s.ok() || value == nullptr) return s;
  return Get(options, column_family, key, value);
}

Status TransactionBase::GetForUpdate(const ReadOptions& options,
                                     ColumnFamilyHandle* column_family,
                                     const Slice& key, PinnableSlice* value,
                                     bool exclusive, const bool do_validate) {
  Status s = LockForRead(options, column_family, key, exclusive, do_validate);
  if (!s.ok() || value == nullptr) return s;
  return Get(options, column_family, key, value);
}

Status TransactionBase::GetEntityForUpdate(const ReadOptions& read_options,
                                           ColumnFamilyHandle* column_family,
                                           const Slice& key,
                                           PinnableWideColumns* columns,
                                           bool exclusive, bool do_validate) {
  if (column_family == nullptr) {
    return Status::InvalidArgument(
        "Cannot call GetEntityForUpdate without a column family handle");
  }
  Status s =
      LockForRead(read_options, column_family, key, exclusive, do_validate);
  if (!s.ok() || columns == nullptr) return s;
  return GetEntity(read_options, column_family, key, columns);
}

std::vector<Status> TransactionBase::MultiGetForUpdate(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& column_family,
    const std::vector<Slice>& keys, std::vector<std::string>* values) {
  Status s;
  if (column_family.size() != keys.size() || values == nullptr) {
    s = Status::InvalidArgument(
        "MultiGetForUpdate needs a column family for each key, and values");
  }
  for (size_t i = 0; s.ok() && i < keys.size(); ++i) {
    s = LockForRead(options, column_family[i], keys[i], /*exclusive=*/true,
                    /*do_validate=*/true);
  }
  if (!s.ok()) return std::vector<Status>(keys.size(), s);
  return MultiGet(options, column_family, keys, values);
}

std::vector<Status> TransactionBase::MultiGetForUpdate(
    const ReadOptions& options, const std::vector<Slice>& keys,
    std::vector<std::string>* values) {
  const std::vector<ColumnFamilyHandle*> families(keys.size(), default_family_);
  return MultiGetForUpdate(options, families, keys, values);
}

// --- Cursors

namespace {

// What lies below the batch is not held to a prefix: the batch may delete all
// keys of the first one, and the walk then begins in the next. The cursor over
// both ends where the prefix does.
ReadOptions WithoutPrefix(ReadOptions options) {
  options.prefix_same_as_start = false;
  return options;
}

}  // namespace

Iterator* TransactionBase::GetIterator(const ReadOptions& read_options,
                                       ColumnFamilyHandle* column_family) {
  ColumnFamilyHandle* const family = Known(column_family);
  return batch_.NewIteratorWithBase(
      family, db_->NewIterator(WithoutPrefix(read_options), family),
      &read_options);
}

namespace {

// Cursors over a batch and what lies below, of one moment.
Status MakeMergedCursors(DB* db, WriteBatchWithIndex* batch,
                         const ReadOptions& options,
                         const std::vector<ColumnFamilyHandle*>& families,
                         FamilyCursors* result) {
  if (families.empty()) {
    return Status::InvalidArgument("No column families specified");
  }
  for (ColumnFamilyHandle* family : families) {
    if (family == nullptr) {
      return Status::InvalidArgument("column family handle is null");
    }
    if (family->GetComparator() != families.front()->GetComparator()) {
      return Status::InvalidArgument(
          "Different comparators are being used across column families");
    }
  }
  result->order = families.front()->GetComparator();
  result->stay_in_prefix = options.prefix_same_as_start;
  std::vector<Iterator*> below;
  Status s = db->NewIterators(WithoutPrefix(options), families, &below);
  if (!s.ok()) return s;
  for (size_t i = 0; i < families.size(); ++i) {
    FamilyCursor& cursor = result->cursors.emplace_back();
    cursor.family = families[i];
    cursor.iterator.reset(
        batch->NewIteratorWithBase(families[i], below[i], &options));
  }
  result->renew = [](const Snapshot*, std::vector<Iterator*>*) {
    return Status::NotSupported("Refresh() of a transaction's iterator");
  };
  return s;
}

}  // namespace

std::unique_ptr<Iterator> TransactionBase::GetCoalescingIterator(
    const ReadOptions& read_options,
    const std::vector<ColumnFamilyHandle*>& column_families) {
  FamilyCursors cursors;
  Status s =
      MakeMergedCursors(db_, &batch_, read_options, column_families, &cursors);
  if (!s.ok()) return std::unique_ptr<Iterator>(NewErrorIterator(s));
  return MakeCoalescingIterator(std::move(cursors));
}

std::unique_ptr<AttributeGroupIterator>
TransactionBase::GetAttributeGroupIterator(
    const ReadOptions& read_options,
    const std::vector<ColumnFamilyHandle*>& column_families) {
  FamilyCursors cursors;
  Status s =
      MakeMergedCursors(db_, &batch_, read_options, column_families, &cursors);
  if (!s.ok()) return NewAttributeGroupErrorIterator(s);
  return MakeAttributeGroupIterator(std::move(cursors));
}

}  // namespace ROCKSDB_NAMESPACE
