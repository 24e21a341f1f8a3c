// DBImpl: prepared sections of the log, while the database is open.
//
// A section is written to the log, and a copy of it kept, until a later write
// commits it or rolls it back. As long as it is there its log is held; from
// then on the memtables that have its updates hold it, until they are flushed.
#include <algorithm>
#include <set>

#include "db/impl/db_transaction_port.h"
#include "db/version/version_set.h"
#include "db/wal/prepared_sections.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/write_hooks.h"
#include "memtable/memtable.h"
#include "monitoring/stop_watch.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A section is logged whatever the caller says of other writes.
WriteOptions LoggedAlways(const WriteOptions& options) {
  WriteOptions logged = options;
  logged.disableWAL = false;
  return logged;
}

// What a section has between its markers.
Status UpdatesOfSection(const WriteBatch& section, WriteBatch* updates) {
  for (BatchReader reader(section.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (entry.type == kTypeLogData) {
      if (Status s = updates->PutLogData(entry.key); !s.ok()) return s;
    }
    if (!IsDataEntry(entry.type)) continue;
    const SliceParts value(&entry.value, 1);
    const bool has_value =
        entry.type != kTypeDeletion && entry.type != kTypeSingleDeletion;
    Status s = WriteBatchInternal::Add(
        updates, entry.type, entry.column_family_id, SliceParts(&entry.key, 1),
        has_value ? &value : nullptr);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

// What commits a section. With more than was prepared, the section is rolled
// back instead and all updates are logged, in one record.
Status MakeCommit(const TransactionPort::SectionCommit& commit,
                  WriteBatch* batch) {
  constexpr auto kAll = WriteBatchInternal::Part::kAll;
  if (commit.has_more) {
    WriteBatchInternal::AddTransactionMarker(batch, kTypeRollbackXID,
                                             commit.name);
  }
  if (commit.commit_time != nullptr) {
    Status s = WriteBatchInternal::Append(batch, *commit.commit_time, kAll);
    if (!s.ok()) return s;
  }
  if (!commit.has_more) {
    if (commit.timestamp.empty()) {
      WriteBatchInternal::AddTransactionMarker(batch, kTypeCommitXID,
                                               commit.name);
    } else {
      WriteBatchInternal::AddCommitWithTimestamp(batch, commit.name,
                                                 commit.timestamp);
    }
    batch->MarkWalTerminationPoint();
  }
  return WriteBatchInternal::Append(batch, *commit.updates, kAll);
}

}  // namespace

Status DBImpl::Transactions::Port::CheckSection(const std::string& name) {
  MutexLock lock(&db_.mutex_);
  if (part_.sections_->Find(name) != nullptr) return Status::OK();
  return Status::InvalidArgument("no prepared section has the name", name);
}

Status DBImpl::Transactions::MakeRecords(std::vector<WriteBatch>* records) {
  MutexLock lock(&db_.mutex_);
  return sections_->MakeRecords(records);
}

void DBImpl::Transactions::MoveAllTo(uint64_t log_number) {
  db_.mutex_.AssertHeld();
  sections_->MoveAllTo(log_number);
  db_.versions_->HoldLogs(sections_->MinLog());
}

void DBImpl::Transactions::Recover(const PreparedSections& found) {
  *sections_ = found;
}

bool DBImpl::Transactions::HasSections() {
  MutexLock lock(&db_.mutex_);
  return !sections_->sections().empty();
}

std::vector<RecoveredSection>
DBImpl::Transactions::Port::TakeRecoveredSections() {
  MutexLock lock(&db_.mutex_);
  std::vector<RecoveredSection> taken;
  if (!part_.has_recovered_) return taken;
  part_.has_recovered_ = false;
  for (const auto& [name, section] : part_.sections_->sections()) {
    taken.push_back({name, section.updates, section.log_number});
  }
  return taken;
}

Status DBImpl::Transactions::Port::Write(const WriteOptions& options,
                                         WriteBatch* batch,
                                         const WriteHooks& hooks) {
  if (Status s = db_.CheckWritable(); !s.ok()) return s;
  if (!db_.options_.allow_2pc) {
    return Status::NotSupported("prepared sections without allow_2pc");
  }
  WriteThread::Writer writer;
  writer.batch = batch;
  writer.options = &options;
  writer.hooks = &hooks;
  const WriteThread::State state = db_.write_thread_.Join(&writer);
  if (state == WriteThread::State::kLeader) {
    OperationWatch watch(db_.options_.clock, db_.options_.stats, DB_WRITE);
    return db_.LeadWrite(&writer, &watch);
  }
  // Nobody else writes for it but to refuse it.
  INVARIANT(state == WriteThread::State::kDone);
  return std::move(writer.status);
}

Status DBImpl::Transactions::Port::PrepareSection(const WriteOptions& options,
                                                  const std::string& name,
                                                  const WriteBatch& updates,
                                                  uint64_t* log_number) {
  INVARIANT(log_number != nullptr);
  {
    MutexLock lock(&db_.mutex_);
    if (part_.sections_->Find(name) != nullptr) {
      return Status::InvalidArgument("a prepared section has the name", name);
    }
  }
  WriteBatch section;
  WriteBatchInternal::AddMarker(&section, kTypeNoop);
  Status s = UpdatesOfSection(updates, &section);
  if (s.ok()) {
    s = WriteBatchInternal::MarkEndPrepare(&section, name,
                                           kTypeBeginPrepareXID);
  }
  if (!s.ok()) return s;
  uint64_t log = 0;
  const SectionWrite write{
      .kind = SectionWrite::Kind::kPrepare, .name = name, .log_number = &log};
  const WriteHooks hooks{.section = &write};
  s = Write(LoggedAlways(options), &section, hooks);
  if (s.ok()) *log_number = log;
  return s;
}

// In the turn of the write, before anything could have the log go.
void DBImpl::Transactions::KeepSection(const WriteThread::Writer& writer,
                                       uint64_t log_number) {
  const SectionWrite& write = *writer.hooks->section;
  INVARIANT(write.kind == SectionWrite::Kind::kPrepare);
  WriteBatch updates;
  const Status s = UpdatesOfSection(*writer.batch, &updates);
  INVARIANT(s.ok());  // It was made of such updates.
  *write.log_number = log_number;
  MutexLock lock(&db_.mutex_);
  sections_->Add(write.name.ToString(), *write.log_number, std::move(updates));
  db_.versions_->HoldLogs(sections_->MinLog());
}

Status DBImpl::Transactions::Port::CommitSection(const WriteOptions& options,
                                                 const SectionCommit& commit,
                                                 WriteCondition* condition,
                                                 SequenceNumber* first) {
  INVARIANT(commit.updates != nullptr && first != nullptr);
  if (Status s = CheckSection(commit.name); !s.ok()) return s;
  WriteBatch batch;
  if (Status s = MakeCommit(commit, &batch); !s.ok()) return s;
  const SectionWrite write{.kind = commit.has_more
                                       ? SectionWrite::Kind::kRollBack
                                       : SectionWrite::Kind::kCommit,
                           .name = commit.name};
  const WriteHooks hooks{.condition = condition, .section = &write};
  Status s = Write(LoggedAlways(options), &batch, hooks);
  if (s.ok()) {
    *first = WriteBatchInternal::Count(batch) > 0
                 ? WriteBatchInternal::Sequence(batch)
                 : 0;
  }
  return s;
}

Status DBImpl::Transactions::Port::RollBackSection(const WriteOptions& options,
                                                   const std::string& name) {
  if (Status s = CheckSection(name); !s.ok()) return s;
  WriteBatch batch;
  WriteBatchInternal::AddTransactionMarker(&batch, kTypeRollbackXID, name);
  const SectionWrite write{.kind = SectionWrite::Kind::kRollBack, .name = name};
  const WriteHooks hooks{.section = &write};
  return Write(LoggedAlways(options), &batch, hooks);
}

// In the turn of the write. What it has inserted is in no log but that of the
// section: the memtables hold it from now on.
void DBImpl::Transactions::EndSection(const WriteThread::Writer& writer) {
  const SectionWrite& write = *writer.hooks->section;
  INVARIANT(write.kind != SectionWrite::Kind::kPrepare);
  const std::string name = write.name.ToString();
  MutexLock lock(&db_.mutex_);
  const PreparedSections::Section* const section = sections_->Find(name);
  if (section == nullptr) return;  // Ended twice at the same time.
  if (write.kind == SectionWrite::Kind::kCommit) {
    std::set<uint32_t> families;
    for (BatchReader reader(section->updates.Data()); !reader.AtEnd();) {
      BatchEntry entry;
      const Status s = reader.Next(&entry);
      INVARIANT(s.ok());
      families.insert(entry.column_family_id);
    }
    for (const uint32_t id : families) {
      ColumnFamilyData* const cfd = db_.versions_->families()->Find(id);
      if (cfd == nullptr) continue;
      MemTable* const mem = cfd->mem().get();
      if (mem->log_number() == 0) continue;
      mem->set_log_number(std::min(mem->log_number(), section->log_number));
    }
  }
  sections_->Erase(name);
  db_.versions_->HoldLogs(sections_->MinLog());
}

}  // namespace ROCKSDB_NAMESPACE
