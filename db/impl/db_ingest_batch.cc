// DBImpl: a whole batch as memtables of its own.
//
// It is inserted into memtables that nobody sees, which then take the place of
// the active ones, emptied before, and are sealed at once. So a batch that
// fails half-way leaves nothing, and what it holds is flushed by itself.
#include <algorithm>
#include <map>
#include <string>

#include "db/family/family_registry.h"
#include "db/files/log_keeper.h"
#include "db/impl/db_impl.h"
#include "db/intake/memtable_switch.h"
#include "db/intake/writer_stalls.h"
#include "db/jobs/flush_desk.h"
#include "db/version/version_set.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/exclusive.h"
#include "db/write/family_publisher.h"
#include "db/write/log_turn.h"
#include "memtable/memtable.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class UnseenMemTables final : public ColumnFamilyMemTables {
 public:
  explicit UnseenMemTables(SequenceNumber earliest) : earliest_(earliest) {}

  void Add(ColumnFamilyData* cfd) {
    MemTableRef memtable = cfd->NewMemTable(earliest_);
    memtable->set_log_number(cfd->mem()->log_number());
    memtables_[cfd->id()] = std::move(memtable);
  }
  bool Find(uint32_t id, Target* target) override {
    const auto found = memtables_.find(id);
    if (found == memtables_.end()) return false;
    target->memtable = found->second.get();
    return true;
  }
  // They are sealed, however full they are.
  void OnFull(uint32_t /*id*/, MemTable* /*memtable*/) override {}
  MemTableRef Take(uint32_t id) { return std::move(memtables_.at(id)); }

 private:
  const SequenceNumber earliest_;
  std::map<uint32_t, MemTableRef> memtables_;
};

}  // namespace

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
  if (Status s = CheckWrite(options, batch); !s.ok()) return s;
  if (options.protection_bytes_per_key != 0 ||
      batch->GetProtectionBytesPerKey() != 0) {
    if (Status s = Protect(options, batch); !s.ok()) return s;
  }
  if (WriteBatchInternal::Count(*batch) == 0) return Status::OK();
  Status s;
  {
    const Exclusive exclusive(&write_thread_);
    s = PrepareWrite(options);
    if (s.ok()) s = IngestBatch(options, batch);
    if (s.ok()) waits_->NoteWritten(batch->GetDataSize());
  }
  publisher_->FreeAndTell();
  return s;
}

Status DBImpl::IngestBatch(const WriteOptions& options, WriteBatch* batch) {
  INVARIANT(batch != nullptr);
  InsertOptions insert;
  insert.ignore_missing_column_families =
      options.ignore_missing_column_families;
  insert.is_unlogged = true;
  std::vector<ColumnFamilyData*> families;
  UnseenMemTables memtables(versions_->LastSequence());
  {
    MutexLock lock(&mutex_);
    Status s = FindFamiliesOf(*batch, insert, &families);
    if (s.ok()) s = memtables_->SealOlder(families);
    if (!s.ok()) return s;
    for (ColumnFamilyData* cfd : families) memtables.Add(cfd);
  }
  const SequenceNumber first =
      std::max(allocated_sequence_, versions_->LastSequence()) + 1;
  const SequenceNumber next = first + WriteBatchInternal::Count(*batch);
  WriteBatchInternal::SetSequence(batch, first);
  InsertResult result;
  Status s = InsertBatch(*batch, insert, &memtables, &result);
  if (!s.ok()) return s;
  INVARIANT(result.next_sequence <= next);
  {
    const LogTurn turn(options_.two_write_queues ? logs_->turn() : nullptr);
    allocated_sequence_ = next - 1;
  }
  flushes_->NoteUnlogged();
  RecordTick(options_.stats, NUMBER_WBWI_INGEST);
  RecordTick(options_.stats, NUMBER_KEYS_WRITTEN, next - first);
  RecordTick(options_.stats, BYTES_WRITTEN, batch->GetDataSize());
  MutexLock lock(&mutex_);
  for (ColumnFamilyData* cfd : families) {
    INVARIANT(cfd->mem()->empty());
    cfd->SwitchMemTable(memtables.Take(cfd->id()));
    publisher_->Publish(cfd);
  }
  versions_->SetLastSequence(next - 1);
  memtables_->SealNew(families);
  return s;
}

Status DBImpl::FindFamiliesOf(const WriteBatch& batch,
                              const InsertOptions& insert,
                              std::vector<ColumnFamilyData*>* families) const {
  BatchReader reader(batch.Data());
  while (!reader.AtEnd()) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (!IsDataEntry(entry.type)) continue;
    ColumnFamilyData* cfd = versions_->families()->Find(entry.column_family_id);
    if (cfd == nullptr) {
      if (insert.ignore_missing_column_families) continue;
      return Status::InvalidArgument(
          "write batch: there is no column family with id",
          std::to_string(entry.column_family_id));
    }
    if (std::find(families->begin(), families->end(), cfd) == families->end()) {
      families->push_back(cfd);
    }
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
