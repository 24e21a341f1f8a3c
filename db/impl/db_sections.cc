// DBImpl: prepared sections of the log, while the database is open.
//
// A section is written to the log, and a copy of it kept, until a later write
// commits it or rolls it back. As long as it is there its log is held; from
// then on the memtables that have its updates hold it, until they are flushed.
#include <algorithm>
#include <set>

#include "db/impl/db_impl.h"
#include "db/wal/wal_manager.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/write_hooks.h"
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

Status NoSection(const std::string& name) {
  return Status::InvalidArgument("no prepared section has the name", name);
}

}  // namespace

bool DBImpl::HasSections() {
  MutexLock lock(&mutex_);
  return !sections_.sections().empty();
}

std::vector<RecoveredSection> DBImpl::TakeRecoveredSections() {
  MutexLock lock(&mutex_);
  std::vector<RecoveredSection> taken;
  if (!has_recovered_sections_) return taken;
  has_recovered_sections_ = false;
  for (const auto& [name, section] : sections_.sections()) {
    taken.push_back({name, section.updates, section.log_number});
  }
  return taken;
}

Status DBImpl::WriteToSection(const WriteOptions& options, WriteBatch* batch,
                              const WriteHooks& hooks) {
  if (Status s = CheckWritable(); !s.ok()) return s;
  if (!options_.allow_2pc) {
    return Status::NotSupported("prepared sections without allow_2pc");
  }
  WriteThread::Writer writer;
  writer.batch = batch;
  writer.options = &options;
  writer.hooks = &hooks;
  const WriteThread::State state = write_thread_.Join(&writer);
  if (state == WriteThread::State::kLeader) {
    OperationWatch watch(options_.clock, options_.stats, DB_WRITE);
    return LeadWrite(&writer, &watch);
  }
  // Nobody else writes for it but to refuse it.
  INVARIANT(state == WriteThread::State::kDone);
  return std::move(writer.status);
}

Status DBImpl::PrepareSection(const WriteOptions& options,
                              const std::string& name,
                              const WriteBatch& updates, uint64_t* log_number) {
  INVARIANT(log_number != nullptr);
  {
    MutexLock lock(&mutex_);
    if (sections_.Find(name) != nullptr) {
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
  s = WriteToSection(LoggedAlways(options), &section, hooks);
  if (s.ok()) *log_number = log;
  return s;
}

// In the turn of the write, before anything could have the log go.
void DBImpl::KeepSection(const WriteThread::Writer& writer) {
  const SectionWrite& write = *writer.hooks->section;
  INVARIANT(write.kind == SectionWrite::Kind::kPrepare);
  WriteBatch updates;
  const Status s = UpdatesOfSection(*writer.batch, &updates);
  INVARIANT(s.ok());  // It was made of such updates.
  *write.log_number = wal_->current_number();
  MutexLock lock(&mutex_);
  sections_.Add(write.name.ToString(), *write.log_number, std::move(updates));
  versions_->HoldLogs(sections_.MinLog());
}

Status DBImpl::CommitSection(const WriteOptions& options,
                             const SectionCommit& commit,
                             WriteCondition* condition, SequenceNumber* first) {
  INVARIANT(commit.updates != nullptr && first != nullptr);
  {
    MutexLock lock(&mutex_);
    if (sections_.Find(commit.name) == nullptr) return NoSection(commit.name);
  }
  WriteBatch batch;
  if (Status s = MakeCommit(commit, &batch); !s.ok()) return s;
  const SectionWrite write{.kind = commit.has_more
                                       ? SectionWrite::Kind::kRollBack
                                       : SectionWrite::Kind::kCommit,
                           .name = commit.name};
  const WriteHooks hooks{.condition = condition, .section = &write};
  Status s = WriteToSection(LoggedAlways(options), &batch, hooks);
  if (s.ok()) {
    *first = WriteBatchInternal::Count(batch) > 0
                 ? WriteBatchInternal::Sequence(batch)
                 : 0;
  }
  return s;
}

Status DBImpl::RollBackSection(const WriteOptions& options,
                               const std::string& name) {
  {
    MutexLock lock(&mutex_);
    if (sections_.Find(name) == nullptr) return NoSection(name);
  }
  WriteBatch batch;
  WriteBatchInternal::AddTransactionMarker(&batch, kTypeRollbackXID, name);
  const SectionWrite write{.kind = SectionWrite::Kind::kRollBack, .name = name};
  const WriteHooks hooks{.section = &write};
  return WriteToSection(LoggedAlways(options), &batch, hooks);
}

// In the turn of the write. What it has inserted is in no log but that of the
// section: the memtables hold it from now on.
void DBImpl::EndSection(const WriteThread::Writer& writer) {
  const SectionWrite& write = *writer.hooks->section;
  INVARIANT(write.kind != SectionWrite::Kind::kPrepare);
  const std::string name = write.name.ToString();
  MutexLock lock(&mutex_);
  const PreparedSections::Section* const section = sections_.Find(name);
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
      ColumnFamilyData* const cfd = versions_->families()->Find(id);
      if (cfd == nullptr) continue;
      MemTable* const mem = cfd->mem().get();
      if (mem->log_number() == 0) continue;
      mem->set_log_number(std::min(mem->log_number(), section->log_number));
    }
  }
  sections_.Erase(name);
  versions_->HoldLogs(sections_.MinLog());
}

uint64_t DBImpl::OldestLogBeside(ColumnFamilyData* cfd, uint64_t newest_id) {
  uint64_t oldest =
      cfd->mem()->log_number() != 0 ? cfd->mem()->log_number() : UINT64_MAX;
  for (const MemTableRef& sealed : *cfd->imm()->current()) {
    if (sealed->id() <= newest_id || sealed->log_number() == 0) continue;
    oldest = std::min(oldest, sealed->log_number());
  }
  return oldest;
}

}  // namespace ROCKSDB_NAMESPACE
