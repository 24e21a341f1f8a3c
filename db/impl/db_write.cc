// DBImpl: what users write, as batches.
#include "db/family/family_handle.h"
#include "db/impl/db_impl.h"
#include "db/intake/batch_ingest.h"
#include "db/intake/intake.h"
#include "db/intake/memtable_switch.h"
#include "db/intake/transaction_desk.h"
#include "db/intake/write_checks.h"
#include "db/intake/write_pipeline.h"
#include "db/version/column_family.h"
#include "db/write/write_hooks.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Bytes of a batch with one record beside its key and value.
constexpr size_t kOneRecordOverhead = 24;

WriteBatch OneRecord(const WriteOptions& options, size_t bytes) {
  return WriteBatch(bytes + kOneRecordOverhead, /*max_bytes=*/0,
                    options.protection_bytes_per_key,
                    /*default_cf_ts_sz=*/0);
}

}  // namespace

Status DBImpl::Put(const WriteOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, const Slice& value) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, key.size() + value.size());
  Status s = batch.Put(family, key, value);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status DBImpl::PutEntity(const WriteOptions& options,
                         ColumnFamilyHandle* family, const Slice& key,
                         const WideColumns& columns) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, key.size());
  Status s = batch.PutEntity(family, key, columns);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status DBImpl::Delete(const WriteOptions& options, ColumnFamilyHandle* family,
                      const Slice& key) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, key.size());
  Status s = batch.Delete(family, key);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status DBImpl::SingleDelete(const WriteOptions& options,
                            ColumnFamilyHandle* family, const Slice& key) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, key.size());
  Status s = batch.SingleDelete(family, key);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status DBImpl::DeleteRange(const WriteOptions& options,
                           ColumnFamilyHandle* family, const Slice& begin,
                           const Slice& end) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, begin.size() + end.size());
  Status s = batch.DeleteRange(family, begin, end);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status DBImpl::Merge(const WriteOptions& options, ColumnFamilyHandle* family,
                     const Slice& key, const Slice& value) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  if (family == nullptr) family = DefaultColumnFamily();
  if (FamilyOf(family)->ioptions().merge_operator == nullptr) {
    return Status::NotSupported("Provide a merge_operator when opening DB");
  }
  WriteBatch batch = OneRecord(options, key.size() + value.size());
  Status s = batch.Merge(family, key, value);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status DBImpl::Write(const WriteOptions& options, WriteBatch* updates) {
  if (updates == nullptr) return Status::InvalidArgument("Batch is nullptr!");
  return WriteImpl(options, updates);
}

Status DBImpl::WriteWithCallback(const WriteOptions& options,
                                 WriteBatch* updates,
                                 UserWriteCallback* callback) {
  if (updates == nullptr) return Status::InvalidArgument("Batch is nullptr!");
  const WriteHooks hooks{.progress = callback};
  return WriteImpl(options, updates, callback != nullptr ? &hooks : nullptr);
}

Status DBImpl::WriteImpl(const WriteOptions& options, WriteBatch* batch,
                         const WriteHooks* hooks) {
  INVARIANT(batch != nullptr);
  Status s = WriteChecks::CheckForm(base_.options, options, *batch);
  if (s.ok()) s = CheckWritable();
  return s.ok() ? intake_->pipeline()->Write(options, batch, hooks) : s;
}

Status DBImpl::IngestWriteBatchWithIndex(
    const WriteOptions& options, std::shared_ptr<WriteBatchWithIndex> wbwi) {
  if (wbwi == nullptr) return Status::InvalidArgument("the batch is null");
  if (!options.disableWAL) {
    return Status::NotSupported(
        "IngestWriteBatchWithIndex writes no log: set disableWAL");
  }
  if (!wbwi->GetOverwriteKey()) {
    return Status::NotSupported(
        "IngestWriteBatchWithIndex of a batch without overwrite_key");
  }
  WriteBatch* const batch = wbwi->GetWriteBatch();
  Status s = WriteChecks::CheckForm(base_.options, options, *batch);
  if (s.ok()) s = CheckWritable();
  return s.ok() ? intake_->batches()->Ingest(options, batch) : s;
}

TransactionPort* TransactionPort::Of(DB* db) {
  INVARIANT(db != nullptr);
  auto* const engine = dynamic_cast<DBImpl*>(db->GetRootDB());
  return engine != nullptr ? engine->transactions() : nullptr;
}

void DBImpl::FlushSoon(uint32_t family, MemTable* memtable) {
  intake_->memtables()->NoteFull(family, memtable);
}

void DBImpl::HideRange(ColumnFamilyData* cfd, const SuperVersion& state,
                       const RangeTombstone& dead) {
  intake_->pipeline()->HideRange(cfd, state, dead);
}

}  // namespace ROCKSDB_NAMESPACE
