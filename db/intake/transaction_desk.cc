#include "db/intake/transaction_desk.h"

#include <algorithm>
#include <utility>

#include "db/intake/batch_ingest.h"
#include "db/intake/section_keeper.h"
#include "db/intake/write_checks.h"
#include "db/intake/write_pipeline.h"
#include "db/lookup/read_port.h"
#include "db/manifest/version_set.h"
#include "db/read/newer_version.h"
#include "db/read/point_read.h"
#include "db/registry/family_handle.h"
#include "db/registry/family_registry.h"
#include "db/wal/sub_batches.h"
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
                  SectionPolicy policy, WriteBatch* batch) {
  constexpr auto kAll = WriteBatchInternal::Part::kAll;
  if (commit.has_more) {
    WriteBatchInternal::AddTransactionMarker(batch, kTypeRollbackXID,
                                             commit.name);
  }
  if (commit.commit_time != nullptr) {
    Status s = WriteBatchInternal::Append(batch, *commit.commit_time, kAll);
    if (!s.ok()) return s;
  }
  const bool is_counted = policy != SectionPolicy::kWriteCommitted;
  if (!commit.has_more) {
    if (commit.timestamp.empty()) {
      WriteBatchInternal::AddTransactionMarker(batch, kTypeCommitXID,
                                               commit.name);
    } else {
      WriteBatchInternal::AddCommitWithTimestamp(batch, commit.name,
                                                 commit.timestamp);
    }
    if (is_counted) EndCountedBatch(batch);
    batch->MarkWalTerminationPoint();
  }
  // A replay (PreparedSections) makes the same updates of the section.
  Status s = is_counted
                 ? FoldUpdates(*commit.updates, batch)
                 : WriteBatchInternal::Append(batch, *commit.updates, kAll);
  if (s.ok() && is_counted && commit.has_more) EndCountedBatch(batch);
  return s;
}

}  // namespace

// That a section is in the log that is written now: of RocksDB, which takes a
// section for a part of the log that it stands in, a commit in a later log
// would lose what was not flushed since.
class TransactionDesk::InLogOfSection final : public WriteCondition {
 public:
  InLogOfSection(const Context& context, const std::string& name,
                 WriteCondition* also)
      : context_(context), name_(name), also_(*also) {}

  Status Check() override {
    is_elsewhere_ = context_.sections->LogOf(name_) !=
                    context_.pipeline->current_log_number();
    if (is_elsewhere_) return Status::TryAgain("the log is another one");
    return also_.Check();
  }
  bool MayShareGroup() const override { return also_.MayShareGroup(); }
  Status CheckBeside(const WriteBatch& earlier) override {
    return also_.CheckBeside(earlier);
  }
  void OnVisible() override { also_.OnVisible(); }

  bool is_elsewhere() const { return is_elsewhere_; }

 private:
  const Context& context_;
  const std::string& name_;
  WriteCondition& also_;
  bool is_elsewhere_ = false;
};

// A replay takes updates in front of the marker of a rollback for what undoes
// the section (PreparedSections::Expand()): none of others may be there.
class TransactionDesk::AtBeginOfRecord final : public WriteCondition {
 public:
  explicit AtBeginOfRecord(WriteCondition* also) : also_(also) {}

  Status Check() override {
    return also_ != nullptr ? also_->Check() : Status::OK();
  }
  bool MayShareGroup() const override { return false; }
  void OnVisible() override {
    if (also_ != nullptr) also_->OnVisible();
  }

 private:
  WriteCondition* const also_;
};

TransactionDesk::TransactionDesk(Context context)
    : context_(std::move(context)) {
  INVARIANT(context_.reads != nullptr);
  INVARIANT(context_.sections != nullptr);
  INVARIANT(context_.checks != nullptr);
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

// What the memtables refuse must not reach the log: every replay would meet it
// again.
Status TransactionDesk::CheckApplicable(const WriteBatch& updates,
                                        MissingFamilies missing) {
  uint32_t id = 0;
  bool exists = true;  // The default family always does.
  for (BatchReader reader(updates.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (!IsDataEntry(entry.type)) continue;
    if (entry.column_family_id != id) {
      id = entry.column_family_id;
      // The families change only in the turn of a write.
      exists = context_.versions->families()->Find(id) != nullptr;
    }
    if (!exists && missing == MissingFamilies::kRefuse) {
      return Status::InvalidArgument(
          "Invalid column family specified in write batch",
          "there is none with id " + std::to_string(id));
    }
  }
  return context_.checks->CheckUpdates(updates);
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
  // The family may be dropped since it was found, and its last handle gone.
  SuperVersion* const state = cfd != nullptr ? cfd->TryAcquire() : nullptr;
  if (state == nullptr) {
    return Status::InvalidArgument(
        "Could not access column family",
        "there is none with id " + std::to_string(since.family_id));
  }
  const ReadOptions options;
  PointRead read = context_.reads->MakePointRead(options);
  read.statistics = nullptr;  // It is no read of a user's.
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

SectionPolicy TransactionDesk::policy() const {
  return context_.sections->policy();
}

Status TransactionDesk::AdoptPolicy(SectionPolicy policy) {
  if (policy == this->policy()) return Status::OK();
  if (MayReadLate()) {
    return Status::NotSupported(
        "unordered_write: with WRITE_PREPARED the database is to be opened by "
        "TransactionDB::Open()");
  }
  MutexLock lock(context_.mutex);
  return context_.sections->Adopt(policy);
}

bool TransactionDesk::CountsSections() const {
  return policy() != SectionPolicy::kWriteCommitted;
}

Status TransactionDesk::CheckForSections() const {
  if (Status s = context_.check_writable(); !s.ok()) return s;
  return context_.db->allow_2pc
             ? Status::OK()
             : Status::NotSupported("prepared sections without allow_2pc");
}

Status TransactionDesk::Write(const WriteOptions& options, WriteBatch* batch,
                              const WriteHooks& hooks) {
  if (Status s = CheckForSections(); !s.ok()) return s;
  return context_.pipeline->WriteOwn(options, batch, hooks);
}

Status TransactionDesk::LogSection(const WriteOptions& options,
                                   const SectionPart& part,
                                   LoggedPart* logged) {
  INVARIANT(logged != nullptr && part.updates != nullptr);
  INVARIANT(part.is_prepared || policy() == SectionPolicy::kWriteUnprepared);
  const bool is_taken = CountsSections()
                            ? context_.sections->HasPrepared(part.name)
                            : context_.sections->Has(part.name);
  if (is_taken && !part.is_all) {
    return Status::InvalidArgument("a prepared section has the name",
                                   part.name);
  }
  const bool is_all = part.is_all || (part.is_first && CountsSections() &&
                                      context_.sections->Has(part.name));
  WriteBatch section;
  WriteBatchInternal::AddMarker(&section, kTypeNoop);
  Status s = SectionKeeper::UpdatesOf(*part.updates, &section);
  const ValueType begin = !CountsSections()  ? kTypeBeginPrepareXID
                          : part.is_prepared ? kTypeBeginPersistedPrepareXID
                                             : kTypeBeginUnprepareXID;
  if (s.ok())
    s = WriteBatchInternal::MarkEndPrepare(&section, part.name, begin);
  if (!s.ok()) return s;
  WriteBatch record;
  WriteBatch* written = &section;
  SequenceNumber sequences = 0;
  if (CountsSections()) {
    // Parts of it in older logs are not to be added to it.
    if (is_all && policy() == SectionPolicy::kWriteUnprepared) {
      WriteBatchInternal::AddTransactionMarker(&record, kTypeRollbackXID,
                                               part.name);
    }
    s = WriteBatchInternal::Append(&record, section,
                                   WriteBatchInternal::Part::kAll);
    if (!s.ok()) return s;
    EndCountedBatch(&record);
    written = &record;
    sequences = std::max<SequenceNumber>(1, section.Count());
  }
  uint64_t log = 0;
  const SectionWrite write{.kind = SectionWrite::Kind::kPrepare,
                           .name = part.name,
                           .log_number = &log,
                           .is_prepared = part.is_prepared,
                           .is_all = is_all,
                           .sequences = sequences};
  const WriteHooks hooks{.section = &write};
  s = Write(LoggedAlways(options), written, hooks);
  if (!s.ok()) return s;
  logged->log_number = log;
  logged->first = sequences > 0 ? WriteBatchInternal::Sequence(*written) : 0;
  return s;
}

Status TransactionDesk::CommitSection(const WriteOptions& options,
                                      const SectionCommit& commit,
                                      WriteCondition* condition,
                                      SequenceNumber* first) {
  INVARIANT(commit.updates != nullptr && first != nullptr);
  if (Status s = CheckSection(commit.name); !s.ok()) return s;
  return CountsSections() && !commit.has_more
             ? CommitFromItsLog(options, commit, condition, first)
             : WriteCommit(options, commit, condition, first);
}

// If the log is another one by now, all is logged again, as if there were more.
Status TransactionDesk::CommitFromItsLog(const WriteOptions& options,
                                         const SectionCommit& commit,
                                         WriteCondition* condition,
                                         SequenceNumber* first) {
  INVARIANT(condition != nullptr && !commit.has_more);
  InLogOfSection in_log(context_, commit.name, condition);
  Status s = WriteCommit(options, commit, &in_log, first);
  if (!in_log.is_elsewhere()) return s;
  SectionCommit anew = commit;
  anew.has_more = true;
  return WriteCommit(options, anew, condition, first);
}

Status TransactionDesk::WriteCommit(const WriteOptions& options,
                                    const SectionCommit& commit,
                                    WriteCondition* condition,
                                    SequenceNumber* first) {
  WriteBatch batch;
  if (Status s = MakeCommit(commit, policy(), &batch); !s.ok()) return s;
  const SectionWrite write{.kind = commit.has_more
                                       ? SectionWrite::Kind::kRollBack
                                       : SectionWrite::Kind::kCommit,
                           .name = commit.name,
                           .commits_anew = commit.has_more};
  AtBeginOfRecord at_begin(condition);
  const bool is_rolled_back = CountsSections() && commit.has_more;
  const WriteHooks hooks{.condition = is_rolled_back ? &at_begin : condition,
                         .section = &write};
  const bool is_ingested = commit.as_memtables && !commit.has_more &&
                           !CountsSections() && commit.timestamp.empty() &&
                           batch.Count() > 0 && context_.batches != nullptr &&
                           context_.batches->TakesCommits();
  Status s = is_ingested ? CheckForSections() : Status::OK();
  if (s.ok()) {
    s = is_ingested
            ? context_.batches->Commit(LoggedAlways(options), &batch, hooks)
            : Write(LoggedAlways(options), &batch, hooks);
  }
  if (s.ok()) {
    *first = WriteBatchInternal::Count(batch) > 0
                 ? WriteBatchInternal::Sequence(batch)
                 : 0;
  }
  return s;
}

Status TransactionDesk::RollBackSection(const WriteOptions& options,
                                        const std::string& name,
                                        const WriteBatch* undo,
                                        WriteCondition* condition) {
  if (Status s = CheckSection(name); !s.ok()) return s;
  WriteBatch batch;
  if (undo != nullptr) {
    Status s = WriteBatchInternal::Append(&batch, *undo,
                                          WriteBatchInternal::Part::kAll);
    if (!s.ok()) return s;
  }
  WriteBatchInternal::AddTransactionMarker(&batch, kTypeRollbackXID, name);
  if (CountsSections()) EndCountedBatch(&batch);
  INVARIANT(undo == nullptr || CountsSections());
  const SectionWrite write{.kind = undo != nullptr
                                       ? SectionWrite::Kind::kRollBackApplied
                                       : SectionWrite::Kind::kRollBack,
                           .name = name};
  AtBeginOfRecord at_begin(condition);
  const WriteHooks hooks{.condition = CountsSections() ? &at_begin : condition,
                         .section = &write};
  return Write(LoggedAlways(options), &batch, hooks);
}

}  // namespace ROCKSDB_NAMESPACE
