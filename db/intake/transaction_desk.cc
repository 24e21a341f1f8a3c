#include "db/intake/transaction_desk.h"

#include <utility>

#include "db/family/family_handle.h"
#include "db/family/family_registry.h"
#include "db/intake/section_keeper.h"
#include "db/intake/write_checks.h"
#include "db/intake/write_pipeline.h"
#include "db/lookup/read_port.h"
#include "db/read/newer_version.h"
#include "db/read/point_read.h"
#include "db/version/version_set.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/write_hooks.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A section is logged whatever the caller says of other writes.
WriteOptions LoggedAlways(const WriteOptions& options) {
  WriteOptions logged = options;
  logged.disableWAL = false;
  return logged;
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

TransactionDesk::TransactionDesk(Context context)
    : context_(std::move(context)) {
  INVARIANT(context_.reads != nullptr);
  INVARIANT(context_.sections != nullptr);
  INVARIANT(context_.check_writable != nullptr);
}

Status TransactionDesk::WriteIf(const WriteOptions& options,
                                WriteBatch* updates,
                                WriteCondition* condition) {
  if (updates == nullptr) return Status::InvalidArgument("Batch is nullptr!");
  INVARIANT(condition != nullptr);
  Status s = WriteChecks::CheckForm(*context_.db, options, *updates);
  if (s.ok()) s = context_.check_writable();
  if (!s.ok()) return s;
  const WriteHooks hooks{.condition = condition};
  return context_.pipeline->Write(options, updates, &hooks);
}

std::unique_ptr<ColumnFamilyHandle> TransactionDesk::HandleOf(
    uint32_t family_id) {
  MutexLock lock(context_.mutex);
  const FamilyRef family = context_.families->Find(family_id);
  if (family == nullptr) return nullptr;
  return std::unique_ptr<ColumnFamilyHandle>(context_.make_handle(family->cfd));
}

Status TransactionDesk::CheckApplicable(const WriteBatch& updates,
                                        MissingFamilies missing) {
  uint32_t id = 0;
  const ColumnFamilyData* cfd = context_.versions->families()->default_family();
  for (BatchReader reader(updates.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (!IsDataEntry(entry.type)) continue;
    if (entry.column_family_id != id) {
      id = entry.column_family_id;
      // The families change only in the turn of a write.
      cfd = context_.versions->families()->Find(id);
    }
    if (cfd == nullptr) {
      if (missing == MissingFamilies::kPassOver) continue;
      return Status::InvalidArgument(
          "Invalid column family specified in write batch",
          "there is none with id " + std::to_string(id));
    }
    if (entry.type == kTypeMerge && cfd->ioptions().merge_operator == nullptr) {
      return Status::InvalidArgument(
          "merge_operator is not properly initialized",
          "column family " + cfd->name());
    }
  }
  return Status::OK();
}

Status TransactionDesk::FindNewer(const KeySince& since, Turn turn,
                                  NewerVersion* found) {
  ColumnFamilyRef holder;
  ColumnFamilyData* cfd = nullptr;
  if (since.family != nullptr) {
    if (Status s = CheckFamilyHandle(context_.owner, since.family); !s.ok())
      return s;
    cfd = FamilyOf(since.family);
  } else if (since.family_id == 0) {
    cfd = context_.versions->families()->default_family();
  } else if (turn == Turn::kOfWrite) {
    cfd = context_.versions->families()->Find(since.family_id);
  } else {
    MutexLock lock(context_.mutex);
    const FamilyRef family = context_.families->Find(since.family_id);
    if (family != nullptr) holder = family->cfd;
    cfd = holder.get();
  }
  if (cfd == nullptr) {
    return Status::InvalidArgument(
        "Could not access column family",
        "there is none with id " + std::to_string(since.family_id));
  }
  const ReadOptions options;
  PointRead read = context_.reads->MakePointRead(options);
  read.statistics = nullptr;  // It is no read of a user's.
  SuperVersion* const state = cfd->Acquire();
  read.super_version = state;
  Status s = FindNewerVersion(read, since.key, since.sequence, found);
  cfd->Return(state);
  return s;
}

void TransactionDesk::HoldFloor(ConflictFloor* floor) {
  context_.reads->conflict_floors()->Hold(
      floor, [this] { return context_.versions->LastSequence(); });
}

void TransactionDesk::ReleaseFloor(ConflictFloor* floor) {
  context_.reads->conflict_floors()->Release(floor);
}

const Snapshot* TransactionDesk::GetStampedSnapshot(uint64_t timestamp) {
  return context_.reads->GetSnapshot(timestamp);
}

bool TransactionDesk::MayReadLate() const {
  return context_.db->unordered_write;
}

// --- prepared sections of the log

Status TransactionDesk::CheckSection(const std::string& name) const {
  if (context_.sections->Has(name)) return Status::OK();
  return Status::InvalidArgument("no prepared section has the name", name);
}

std::vector<RecoveredSection> TransactionDesk::TakeRecoveredSections() {
  return context_.sections->TakeRecovered();
}

Status TransactionDesk::Write(const WriteOptions& options, WriteBatch* batch,
                              const WriteHooks& hooks) {
  if (Status s = context_.check_writable(); !s.ok()) return s;
  if (!context_.db->allow_2pc) {
    return Status::NotSupported("prepared sections without allow_2pc");
  }
  return context_.pipeline->WriteOwn(options, batch, hooks);
}

Status TransactionDesk::PrepareSection(const WriteOptions& options,
                                       const std::string& name,
                                       const WriteBatch& updates,
                                       uint64_t* log_number) {
  INVARIANT(log_number != nullptr);
  if (context_.sections->Has(name)) {
    return Status::InvalidArgument("a prepared section has the name", name);
  }
  WriteBatch section;
  WriteBatchInternal::AddMarker(&section, kTypeNoop);
  Status s = SectionKeeper::UpdatesOf(updates, &section);
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

Status TransactionDesk::CommitSection(const WriteOptions& options,
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

Status TransactionDesk::RollBackSection(const WriteOptions& options,
                                        const std::string& name) {
  if (Status s = CheckSection(name); !s.ok()) return s;
  WriteBatch batch;
  WriteBatchInternal::AddTransactionMarker(&batch, kTypeRollbackXID, name);
  const SectionWrite write{.kind = SectionWrite::Kind::kRollBack, .name = name};
  const WriteHooks hooks{.section = &write};
  return Write(LoggedAlways(options), &batch, hooks);
}

}  // namespace ROCKSDB_NAMESPACE
