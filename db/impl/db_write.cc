// WritingDB: what users write, as batches.
#include "db/family/column_family.h"
#include "db/impl/writing_db.h"
#include "db/impl/written_files.h"
#include "db/intake/batch_ingest.h"
#include "db/intake/changes.h"
#include "db/intake/intake.h"
#include "db/intake/section_keeper.h"
#include "db/intake/transaction_desk.h"
#include "db/intake/write_checks.h"
#include "db/intake/write_pipeline.h"
#include "db/read/read_timestamp.h"
#include "db/registry/family_handle.h"
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

WritingDB::WritingDB(const DBOptions& sanitized, const std::string& name,
                     const std::string& manifest_directory)
    : EngineDB(sanitized, name, manifest_directory) {}

WritingDB::~WritingDB() = default;

Status WritingDB::CheckWriteHandle(ColumnFamilyHandle* family,
                                   const Slice* ts) const {
  // None is the default family, as in a batch.
  if (family == nullptr) family = DefaultColumnFamily();
  if (Status s = CheckHandle(family); !s.ok()) return s;
  const ColumnFamilyData& cfd = *FamilyOf(family);
  return CheckTimestampSize(cfd.name(), cfd.order().timestamp_size(), ts);
}

Status WritingDB::Put(const WriteOptions& options, ColumnFamilyHandle* family,
                      const Slice& key, const Slice& value) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, key.size() + value.size());
  Status s = batch.Put(family, key, value);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status WritingDB::PutEntity(const WriteOptions& options,
                            ColumnFamilyHandle* family, const Slice& key,
                            const WideColumns& columns) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, key.size());
  Status s = batch.PutEntity(family, key, columns);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status WritingDB::Delete(const WriteOptions& options,
                         ColumnFamilyHandle* family, const Slice& key) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, key.size());
  Status s = batch.Delete(family, key);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status WritingDB::SingleDelete(const WriteOptions& options,
                               ColumnFamilyHandle* family, const Slice& key) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, key.size());
  Status s = batch.SingleDelete(family, key);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status WritingDB::DeleteRange(const WriteOptions& options,
                              ColumnFamilyHandle* family, const Slice& begin,
                              const Slice& end) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, begin.size() + end.size());
  Status s = batch.DeleteRange(family, begin, end);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status WritingDB::Merge(const WriteOptions& options, ColumnFamilyHandle* family,
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

Status WritingDB::Merge(const WriteOptions& options, ColumnFamilyHandle* family,
                        const Slice& key, const Slice& ts, const Slice& value) {
  if (Status s = CheckWriteHandle(family, &ts); !s.ok()) return s;
  if (family == nullptr) family = DefaultColumnFamily();
  if (FamilyOf(family)->ioptions().merge_operator == nullptr) {
    return Status::NotSupported("Provide a merge_operator when opening DB");
  }
  WriteBatch batch;
  Status s = batch.Merge(family, key, ts, value);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status WritingDB::Write(const WriteOptions& options, WriteBatch* updates) {
  if (updates == nullptr) return Status::InvalidArgument("Batch is nullptr!");
  return WriteImpl(options, updates);
}

Status WritingDB::WriteWithCallback(const WriteOptions& options,
                                    WriteBatch* updates,
                                    UserWriteCallback* callback) {
  if (updates == nullptr) return Status::InvalidArgument("Batch is nullptr!");
  const WriteHooks hooks{.progress = callback};
  return WriteImpl(options, updates, callback != nullptr ? &hooks : nullptr);
}

Status WritingDB::WriteImpl(const WriteOptions& options, WriteBatch* batch,
                            const WriteHooks* hooks) {
  INVARIANT(batch != nullptr);
  if (Status s = WriteChecks::CheckForm(base_.options, options, *batch);
      !s.ok()) {
    return s;
  }
  if (Status s = CheckOpen(); !s.ok()) return s;
  return intake_->pipeline()->Write(options, batch, hooks);
}

Status WritingDB::IngestWriteBatchWithIndex(
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
  if (s.ok()) s = CheckOpen();
  return s.ok() ? intake_->batches()->Ingest(options, batch) : s;
}

TransactionPort* TransactionPort::Of(DB* db) {
  INVARIANT(db != nullptr);
  auto* const engine = dynamic_cast<WritingDB*>(db->GetRootDB());
  return engine != nullptr ? engine->transactions() : nullptr;
}

}  // namespace ROCKSDB_NAMESPACE
