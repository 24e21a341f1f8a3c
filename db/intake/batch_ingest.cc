#include "db/intake/batch_ingest.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "db/intake/direct_blobs.h"
#include "db/intake/group_log.h"
#include "db/intake/memtable_switch.h"
#include "db/intake/section_keeper.h"
#include "db/intake/write_checks.h"
#include "db/intake/write_pipeline.h"
#include "db/intake/writer_stalls.h"
#include "db/jobs/flush_desk.h"
#include "db/manifest/version_set.h"
#include "db/wal/memtable_inserter.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/exclusive.h"
#include "db/write/family_publisher.h"
#include "db/write/write_hooks.h"
#include "db/write/write_thread.h"
#include "memtable/memtable.h"
#include "monitoring/statistics_impl.h"
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

Status BatchIngest::Ingest(const WriteOptions& options, WriteBatch* batch) {
  INVARIANT(batch != nullptr);
  if (Status s = context_.checks->Check(options, *batch); !s.ok()) return s;
  if (Status s = WriteChecks::Protect(options, batch); !s.ok()) return s;
  if (WriteBatchInternal::Count(*batch) == 0) return Status::OK();
  if (context_.direct_blobs->is_on()) {
    return Status::NotSupported(
        "IngestWriteBatchWithIndex with enable_blob_direct_write");
  }
  return Take(options, batch, /*hooks=*/nullptr);
}

bool BatchIngest::TakesCommits() const {
  return !context_.direct_blobs->is_on();
}

Status BatchIngest::Commit(const WriteOptions& options, WriteBatch* batch,
                           const WriteHooks& hooks) {
  INVARIANT(batch != nullptr && hooks.section != nullptr);
  INVARIANT(hooks.section->kind == SectionWrite::Kind::kCommit);
  INVARIANT(WriteBatchInternal::HasWalTermination(*batch));
  if (context_.db->unordered_write || context_.db->enable_pipelined_write) {
    return Status::NotSupported(
        "commit_bypass_memtable with unordered_write or "
        "enable_pipelined_write");
  }
  return Take(options, batch, &hooks);
}

Status BatchIngest::Take(const WriteOptions& options, WriteBatch* batch,
                         const WriteHooks* hooks) {
  Status s;
  {
    const Exclusive exclusive(context_.writes);
    s = context_.pipeline->Prepare(options);
    if (s.ok() && hooks != nullptr && hooks->condition != nullptr) {
      s = hooks->condition->Check();
    }
    if (s.ok()) s = TakeInTurn(options, batch, hooks);
    if (s.ok()) {
      context_.waits->NoteWritten(batch->GetDataSize());
      if (hooks != nullptr && hooks->condition != nullptr) {
        hooks->condition->OnVisible();
      }
    }
  }
  context_.publisher->FreeAndTell();
  return s;
}

Status BatchIngest::TakeInTurn(const WriteOptions& options, WriteBatch* batch,
                               const WriteHooks* hooks) {
  INVARIANT(batch != nullptr);
  InsertOptions insert;
  insert.ignore_missing_column_families =
      options.ignore_missing_column_families;
  insert.is_unlogged = hooks == nullptr;
  std::vector<ColumnFamilyData*> families;
  UnseenMemTables memtables(context_.versions->LastSequence());
  {
    MutexLock lock(context_.mutex);
    Status s = FindFamiliesOf(*batch, insert, &families);
    if (s.ok()) s = context_.memtables->SealOlder(families);
    if (!s.ok()) return s;
    for (ColumnFamilyData* cfd : families) memtables.Add(cfd);
  }
  const SequenceNumber first = context_.log->NextSequence();
  const SequenceNumber next = first + WriteBatchInternal::Count(*batch);
  WriteBatchInternal::SetSequence(batch, first);
  InsertResult result;
  Status s = InsertBatch(*batch, insert, &memtables, &result);
  if (!s.ok()) return s;
  INVARIANT(result.next_sequence <= next);
  if (hooks != nullptr) {
    s = Log(options, batch, *hooks);
    if (!s.ok()) return s;
  } else {
    context_.log->Allocate(next - 1);
    context_.flushes->NoteUnlogged();
  }
  RecordTick(context_.db->stats, NUMBER_WBWI_INGEST);
  RecordTick(context_.db->stats, NUMBER_KEYS_WRITTEN, next - first);
  RecordTick(context_.db->stats, BYTES_WRITTEN, batch->GetDataSize());
  {
    MutexLock lock(context_.mutex);
    for (ColumnFamilyData* cfd : families) {
      INVARIANT(cfd->mem()->empty());
      cfd->SwitchMemTable(memtables.Take(cfd->id()));
      context_.publisher->Publish(cfd);
    }
  }
  // The section's log is held by its memtables from here on.
  if (hooks != nullptr) context_.sections->End(*hooks->section);
  MutexLock lock(context_.mutex);
  context_.versions->SetLastSequence(next - 1);
  context_.memtables->SealNew(families);
  return s;
}

// The marker, as a write of its own.
Status BatchIngest::Log(const WriteOptions& options, WriteBatch* batch,
                        const WriteHooks& hooks) {
  const SequenceNumber first = WriteBatchInternal::Sequence(*batch);
  WriteThread::Writer writer;
  writer.batch = batch;
  writer.options = &options;
  writer.hooks = &hooks;
  writer.sequence = first;
  WriteThread::Group group;
  group.leader = &writer;
  group.last = &writer;
  group.size = 1;
  group.needs_sync = options.sync;
  group.has_hooks = true;
  Status s = context_.log->Append(
      &group, {.first = first, .next = first + batch->Count()});
  if (s.ok()) {
    RecordTick(context_.db->stats, WAL_FILE_BYTES, group.logged_bytes);
    RecordTick(context_.db->stats, WRITE_WITH_WAL);
  }
  return s;
}

Status BatchIngest::FindFamiliesOf(
    const WriteBatch& batch, const InsertOptions& insert,
    std::vector<ColumnFamilyData*>* families) const {
  BatchReader reader(batch.Data());
  while (!reader.AtEnd()) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (!IsDataEntry(entry.type)) continue;
    ColumnFamilyData* cfd =
        context_.versions->families()->Find(entry.column_family_id);
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
