// The database's side of transactions: conflicts are found, sections are
// prepared, committed and rolled back with the right log records and sequences,
// and refusals change nothing.
#include "db/intake/transaction_desk.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/read/newer_version.h"
#include "db/registry/family_handle.h"
#include "db/semantics/conflict_floors.h"
#include "db/wal/prepared_sections.h"
#include "db/write/write_hooks.h"
#include "tests/db/intake/pipeline_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;
using Turn = TransactionPort::Turn;
using Missing = TransactionPort::MissingFamilies;

// Ends a record in which each update has its sequence (db/wal/sub_batches.h).
const char kCounted[] = " <13> <13> <13>";

// Says what it is told to, and counts.
class ScriptedCondition final : public WriteCondition {
 public:
  Status Check() override {
    ++checks;
    return answer;
  }
  bool MayShareGroup() const override { return true; }
  void OnVisible() override { ++visible; }

  Status answer;
  int checks = 0;
  int visible = 0;
};

class TransactionDeskTest : public ::testing::Test {
 protected:
  TransactionDeskTest() { world_.f.db_options.allow_2pc = true; }
  ~TransactionDeskTest() override { handles_.clear(); }

  void Open(SectionPolicy policy = SectionPolicy::kWriteCommitted) {
    world_.Open();
    const auto make_handle = [this](std::shared_ptr<ColumnFamilyData> cfd) {
      world_.mutex->AssertHeld();
      return std::make_unique<ColumnFamilyHandleImpl>(nullptr, std::move(cfd),
                                                      nullptr)
          .release();
    };
    desk_ = std::make_unique<TransactionDesk>(
        TransactionDesk::Context{.owner = nullptr,
                                 .db = world_.f.db.get(),
                                 .mutex = world_.mutex,
                                 .families = &world_.families,
                                 .versions = world_.versions(),
                                 .reads = world_.reads.get(),
                                 .sections = world_.sections.get(),
                                 .checks = world_.checks.get(),
                                 .pipeline = world_.pipeline.get(),
                                 .batches = world_.batches.get(),
                                 .check_writable = [this] { return writable_; },
                                 .make_handle = make_handle});
    ASSERT_TRUE(desk_->AdoptPolicy(policy).ok());
  }
  static WriteBatch PutOf(const std::string& key, uint32_t family_id = 0) {
    WriteBatch batch;
    const Slice key_slice(key);
    const Slice value("v");
    const SliceParts value_parts(&value, 1);
    EXPECT_TRUE(WriteBatchInternal::Add(&batch, kTypeValue, family_id,
                                        SliceParts(&key_slice, 1), &value_parts)
                    .ok());
    return batch;
  }
  Status Put(const std::string& key) {
    WriteBatch batch = PutOf(key);
    return world_.pipeline->Write(WriteOptions(), &batch, nullptr);
  }
  // "NotFound", or the sequence of what is newer.
  std::string Newer(const KeySince& since, Turn turn = Turn::kOutside) {
    NewerVersion found;
    const Status s = desk_->FindNewer(since, turn, &found);
    if (!s.ok()) return s.ToString();
    return found.exists ? std::to_string(found.sequence) : "none";
  }

  Status LogSection(const std::string& name, const WriteBatch& updates,
                    bool is_prepared = true, bool is_all = false) {
    return desk_->LogSection(options_,
                             {.name = name,
                              .updates = &updates,
                              .is_prepared = is_prepared,
                              .is_all = is_all},
                             &logged_);
  }
  // A put of the key is in the log, as a section.
  void Prepare(const std::string& name, const std::string& key) {
    const Status s = LogSection(name, PutOf(key));
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  Status Commit(const TransactionPort::SectionCommit& commit) {
    return desk_->CommitSection(options_, commit, &condition_, &first_);
  }
  Status Commit(const std::string& name, const WriteBatch& updates) {
    return Commit({.name = name, .updates = &updates});
  }
  Status RollBack(const std::string& name, const WriteBatch* undo = nullptr) {
    return desk_->RollBackSection(options_, name, undo, &condition_);
  }
  void StartLog() {
    MutexLock lock(world_.mutex);
    const Status s = world_.logs->Switch(world_.logs->NextNumber(), 4096);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  void FailNextAppend() const {
    world_.FailNext(LogFileName("/db", world_.logs->wal()->current_number()));
  }
  uint64_t EntryCount() const {
    return world_.default_family->mem()->entry_count();
  }
  SequenceNumber LastSequence() const {
    return world_.versions()->LastSequence();
  }
  // What was logged last.
  std::string LastRecord() const {
    const Lines records = world_.Records();
    return records.empty() ? "" : records.back();
  }

  PipelineWorld world_;
  std::vector<std::unique_ptr<ColumnFamilyHandle>> handles_;
  Status writable_;
  std::unique_ptr<TransactionDesk> desk_;
  WriteOptions options_;
  ScriptedCondition condition_;
  TransactionPort::LoggedPart logged_;
  SequenceNumber first_ = 99;
};

// --- families, and writes with a condition

TEST_F(TransactionDeskTest, AHandleIsOfTheFamilyWithThatId) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  const std::unique_ptr<ColumnFamilyHandle> handle = desk_->HandleOf(1);
  ASSERT_NE(handle, nullptr);
  EXPECT_EQ(FamilyOf(handle.get()), other);
  EXPECT_EQ(desk_->HandleOf(0)->GetName(), "default");
  EXPECT_EQ(desk_->HandleOf(2), nullptr);
}

TEST_F(TransactionDeskTest, AConditionDecidesWhetherABatchIsWritten) {
  Open();
  WriteBatch batch = PutOf("a");
  condition_.answer = Status::Busy("somebody else was there");
  EXPECT_TRUE(desk_->WriteIf(options_, &batch, &condition_).IsBusy());
  EXPECT_EQ(world_.Records(), Lines());
  EXPECT_EQ(EntryCount(), 0u);
  EXPECT_EQ(condition_.visible, 0);
  condition_.answer = Status::OK();
  EXPECT_TRUE(desk_->WriteIf(options_, &batch, &condition_).ok());
  EXPECT_EQ(world_.Records(), (Lines{"1: a=v"}));
  EXPECT_EQ(EntryCount(), 1u);
  EXPECT_EQ(condition_.visible, 1);
}

TEST_F(TransactionDeskTest, WhatCannotBeWrittenAsksNoCondition) {
  Open();
  EXPECT_TRUE(
      desk_->WriteIf(options_, nullptr, &condition_).IsInvalidArgument());
  WriteBatch batch = PutOf("a");
  options_.sync = true;
  options_.disableWAL = true;
  EXPECT_TRUE(
      desk_->WriteIf(options_, &batch, &condition_).IsInvalidArgument());
  options_ = WriteOptions();
  writable_ = Status::NotSupported("read-only");
  EXPECT_TRUE(desk_->WriteIf(options_, &batch, &condition_).IsNotSupported());
  EXPECT_EQ(condition_.checks, 0);
  EXPECT_EQ(EntryCount(), 0u);
}

TEST_F(TransactionDeskTest, UpdatesOfMissingFamiliesAreRefusedOrPassedOver) {
  Open();
  world_.Add("other");
  EXPECT_TRUE(desk_->CheckApplicable(PutOf("a", 1), Missing::kRefuse).ok());
  WriteBatch batch = PutOf("a", 7);
  EXPECT_TRUE(
      desk_->CheckApplicable(batch, Missing::kRefuse).IsInvalidArgument());
  EXPECT_TRUE(desk_->CheckApplicable(batch, Missing::kPassOver).ok());
  // A family that comes behind it is looked at all the same.
  ASSERT_TRUE(batch.Put("b", "v").ok());
  EXPECT_TRUE(desk_->CheckApplicable(batch, Missing::kPassOver).ok());
}

TEST_F(TransactionDeskTest, MergesNeedAnOperatorWhereTheyGo) {
  Open();
  ColumnFamilyOptions plain = world_.f.family;
  plain.merge_operator = nullptr;
  world_.checks->NoteFamily(world_.Add("plain", plain));
  WriteBatch batch;
  ASSERT_TRUE(batch.Merge("a", "1").ok());
  EXPECT_TRUE(desk_->CheckApplicable(batch, Missing::kRefuse).ok());
  const Slice key("a");
  const SliceParts parts(&key, 1);
  ASSERT_TRUE(
      WriteBatchInternal::Add(&batch, kTypeMerge, 1, parts, &parts).ok());
  const Status s = desk_->CheckApplicable(batch, Missing::kPassOver);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(s.ToString().find("plain"), std::string::npos) << s.ToString();
}

// It would be in the log, and no replay could pass it.
TEST_F(TransactionDeskTest, ARangeThatEndsBeforeItBeginsIsNotApplicable) {
  Open();
  WriteBatch batch;
  ASSERT_TRUE(batch.DeleteRange("a", "z").ok());
  EXPECT_TRUE(desk_->CheckApplicable(batch, Missing::kRefuse).ok());
  ASSERT_TRUE(batch.DeleteRange("z", "a").ok());
  const Status s = desk_->CheckApplicable(batch, Missing::kPassOver);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
}

TEST_F(TransactionDeskTest, ADamagedBatchIsNotApplicable) {
  Open();
  const std::string whole = PutOf("a").Data();
  const WriteBatch cut(whole.substr(0, whole.size() - 1));
  EXPECT_TRUE(desk_->CheckApplicable(cut, Missing::kPassOver).IsCorruption());
}

// --- conflicts

TEST_F(TransactionDeskTest, WhatWroteAKeySinceIsFound) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  ASSERT_TRUE(Put("b").ok());
  ASSERT_TRUE(Put("a").ok());
  EXPECT_EQ(Newer({.key = "a", .sequence = 2}), "3");
  EXPECT_EQ(Newer({.key = "a", .sequence = 3}), "none");
  EXPECT_EQ(Newer({.key = "b", .sequence = 2}), "none");
  EXPECT_EQ(Newer({.key = "c", .sequence = 0}), "none");
}

TEST_F(TransactionDeskTest, AKeyIsLookedForInItsFamily) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  world_.Insert(other, "a");
  for (const Turn turn : {Turn::kOutside, Turn::kOfWrite}) {
    EXPECT_EQ(Newer({.family_id = 0, .key = "a"}, turn), "none");
    EXPECT_EQ(Newer({.family_id = 1, .key = "a"}, turn), "1");
    EXPECT_EQ(Newer({.family_id = 2, .key = "a"}, turn).substr(0, 16),
              "Invalid argument");
  }
  const std::unique_ptr<ColumnFamilyHandle> handle = desk_->HandleOf(1);
  EXPECT_EQ(Newer({.family = handle.get(), .key = "a"}), "1");
}

TEST_F(TransactionDeskTest, AHandleOfAnotherDatabaseFindsNothing) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  int somebody = 0;
  ColumnFamilyHandleImpl foreign(reinterpret_cast<const DB*>(&somebody),
                                 world_.default_family->shared_from_this(),
                                 nullptr);
  EXPECT_EQ(Newer({.family = &foreign, .key = "a"}).substr(0, 16),
            "Invalid argument");
}

TEST_F(TransactionDeskTest, AFloorIsThePresentMoment) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  const ConflictFloors& floors = *world_.reads->conflict_floors();
  ConflictFloor first, second;
  desk_->HoldFloor(&first);
  ASSERT_TRUE(Put("a").ok());
  desk_->HoldFloor(&second);
  EXPECT_EQ(floors.Oldest(), 1u);
  desk_->ReleaseFloor(&first);
  EXPECT_EQ(floors.Oldest(), 2u);
  desk_->ReleaseFloor(&second);
  EXPECT_EQ(floors.Oldest(), kMaxSequenceNumber);
}

TEST_F(TransactionDeskTest, AStampedSnapshotHasItsTimestamp) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  const Snapshot* const snapshot = desk_->GetStampedSnapshot(17);
  ASSERT_NE(snapshot, nullptr);
  EXPECT_EQ(snapshot->GetTimestamp(), 17u);
  EXPECT_EQ(snapshot->GetSequenceNumber(), 1u);
  world_.reads->ReleaseSnapshot(snapshot);
}

// --- how the log has transactions

TEST_F(TransactionDeskTest, APolicyIsAdoptedBeforeThereAreSections) {
  Open();
  EXPECT_EQ(desk_->policy(), SectionPolicy::kWriteCommitted);
  ASSERT_TRUE(desk_->AdoptPolicy(SectionPolicy::kWritePrepared).ok());
  EXPECT_EQ(desk_->policy(), SectionPolicy::kWritePrepared);
  Prepare("a", "k");
  EXPECT_TRUE(desk_->AdoptPolicy(SectionPolicy::kWritePrepared).ok());
  EXPECT_TRUE(
      desk_->AdoptPolicy(SectionPolicy::kWriteCommitted).IsNotSupported());
  EXPECT_EQ(desk_->policy(), SectionPolicy::kWritePrepared);
}

TEST_F(TransactionDeskTest, UnorderedWritesKeepThePolicyOfTheOpening) {
  world_.f.db_options.unordered_write = true;
  Open();
  EXPECT_TRUE(desk_->MayReadLate());
  EXPECT_TRUE(
      desk_->AdoptPolicy(SectionPolicy::kWritePrepared).IsNotSupported());
  EXPECT_EQ(desk_->policy(), SectionPolicy::kWriteCommitted);
}

TEST_F(TransactionDeskTest, OrderedWritesAreReadAtOnce) {
  Open();
  EXPECT_FALSE(desk_->MayReadLate());
}

// --- sections, by write-committed

TEST_F(TransactionDeskTest, ASectionIsInTheLogAndNowhereElse) {
  Open();
  ASSERT_TRUE(Put("before").ok());
  options_.disableWAL = true;  // That is said of other writes.
  Prepare("name", "k");
  EXPECT_EQ(logged_.log_number, world_.logs->wal()->current_number());
  EXPECT_EQ(logged_.first, 0u);
  EXPECT_EQ(LastRecord(), "2: <9> k=v <10>");
  EXPECT_EQ(EntryCount(), 1u);
  EXPECT_EQ(LastSequence(), 1u);
  EXPECT_EQ(world_.HeldLog(), logged_.log_number);
  EXPECT_TRUE(world_.sections->HasPrepared("name"));
}

TEST_F(TransactionDeskTest, ANameIsOfOneSection) {
  Open();
  Prepare("name", "k");
  EXPECT_TRUE(LogSection("name", PutOf("l")).IsInvalidArgument());
  EXPECT_EQ(world_.Records().size(), 1u);
  Prepare("other", "k");
  EXPECT_EQ(world_.Records().size(), 2u);
}

TEST_F(TransactionDeskTest, SectionsNeedALogThatIsKeptForThem) {
  world_.f.db_options.allow_2pc = false;
  Open();
  EXPECT_TRUE(LogSection("name", PutOf("k")).IsNotSupported());
  writable_ = Status::Aborted("closed");
  EXPECT_TRUE(LogSection("name", PutOf("k")).IsAborted());
  EXPECT_EQ(world_.Records(), Lines());
  EXPECT_TRUE(world_.sections->IsEmpty());
}

TEST_F(TransactionDeskTest, ASectionThatTheLogDidNotTakeIsNone) {
  Open();
  ASSERT_TRUE(Put("before").ok());
  logged_.log_number = 77;
  FailNextAppend();
  EXPECT_FALSE(LogSection("name", PutOf("k")).ok());
  EXPECT_EQ(logged_.log_number, 77u);
  EXPECT_TRUE(world_.sections->IsEmpty());
  EXPECT_TRUE(world_.errors.BlocksWrites());
}

TEST_F(TransactionDeskTest, ACommitAppliesASection) {
  Open();
  Prepare("name", "k");
  ASSERT_TRUE(Commit("name", PutOf("k")).ok());
  EXPECT_EQ(first_, 1u);
  EXPECT_EQ(LastRecord(), "1: <11>");  // The updates are in the log already.
  EXPECT_EQ(Newer({.key = "k"}), "1");
  EXPECT_EQ(condition_.visible, 1);
  EXPECT_TRUE(world_.sections->IsEmpty());
  EXPECT_EQ(world_.HeldLog(), UINT64_MAX);
}

TEST_F(TransactionDeskTest, ACommitMayBringMore) {
  Open();
  Prepare("name", "k");
  const WriteBatch updates = PutOf("k");
  const WriteBatch late = PutOf("time");
  ASSERT_TRUE(
      Commit({.name = "name", .updates = &updates, .commit_time = &late}).ok());
  EXPECT_EQ(LastRecord(), "1: time=v <11>");
  EXPECT_EQ(Newer({.key = "time"}), "1");
  EXPECT_EQ(Newer({.key = "k"}), "2");
}

// What was prepared is void, and all is logged anew.
TEST_F(TransactionDeskTest, ACommitOfMoreThanWasPreparedIsLoggedWhole) {
  Open();
  Prepare("name", "k");
  WriteBatch updates = PutOf("k");
  ASSERT_TRUE(updates.Put("l", "v").ok());
  ASSERT_TRUE(
      Commit({.name = "name", .updates = &updates, .has_more = true}).ok());
  EXPECT_EQ(LastRecord(), "1: <12> k=v l=v");
  EXPECT_EQ(EntryCount(), 2u);
  EXPECT_TRUE(world_.sections->IsEmpty());
}

TEST_F(TransactionDeskTest, ASectionWithoutUpdatesTakesNoSequence) {
  Open();
  ASSERT_TRUE(LogSection("name", WriteBatch()).ok());
  ASSERT_TRUE(Commit("name", WriteBatch()).ok());
  EXPECT_EQ(first_, 0u);
  EXPECT_EQ(LastSequence(), 0u);
  EXPECT_TRUE(world_.sections->IsEmpty());
}

TEST_F(TransactionDeskTest, ASectionStaysWhereItsEndIsRefused) {
  Open();
  Prepare("name", "k");
  condition_.answer = Status::Expired("too late");
  EXPECT_TRUE(Commit("name", PutOf("k")).IsExpired());
  EXPECT_TRUE(RollBack("name").IsExpired());
  EXPECT_TRUE(world_.sections->HasPrepared("name"));
  EXPECT_EQ(world_.Records().size(), 1u);
  EXPECT_EQ(EntryCount(), 0u);
  EXPECT_EQ(first_, 99u);
}

TEST_F(TransactionDeskTest, ASectionThatIsNotThereCannotEnd) {
  Open();
  EXPECT_TRUE(Commit("name", PutOf("k")).IsInvalidArgument());
  EXPECT_TRUE(RollBack("name").IsInvalidArgument());
  Prepare("name", "k");
  ASSERT_TRUE(Commit("name", PutOf("k")).ok());
  EXPECT_TRUE(Commit("name", PutOf("k")).IsInvalidArgument());
  EXPECT_EQ(EntryCount(), 1u);
}

TEST_F(TransactionDeskTest, ACommitThatTheLogDidNotTakeChangesNothing) {
  Open();
  Prepare("name", "k");
  FailNextAppend();
  EXPECT_FALSE(Commit("name", PutOf("k")).ok());
  EXPECT_TRUE(world_.sections->HasPrepared("name"));
  EXPECT_EQ(EntryCount(), 0u);
  EXPECT_EQ(LastSequence(), 0u);
  EXPECT_EQ(first_, 99u);
}

TEST_F(TransactionDeskTest, ARollBackLeavesNothing) {
  Open();
  Prepare("name", "k");
  ASSERT_TRUE(RollBack("name").ok());
  EXPECT_EQ(LastRecord(), "1: <12>");
  EXPECT_EQ(EntryCount(), 0u);
  EXPECT_TRUE(world_.sections->IsEmpty());
  Prepare("name", "l");  // The name is free again.
}

TEST_F(TransactionDeskTest, ACommitMayBecomeMemtablesOfItsOwn) {
  Open();
  ASSERT_TRUE(Put("before").ok());
  Prepare("name", "k");
  const WriteBatch updates = PutOf("k");
  ASSERT_TRUE(
      Commit({.name = "name", .updates = &updates, .as_memtables = true}).ok());
  EXPECT_EQ(first_, 2u);
  EXPECT_EQ(EntryCount(), 0u);  // Both were sealed.
  EXPECT_EQ(world_.default_family->imm()->size(), 2u);
  EXPECT_EQ(Newer({.key = "k"}), "2");
  EXPECT_TRUE(world_.sections->IsEmpty());
}

TEST_F(TransactionDeskTest, ACommitWithMoreGoesThroughTheMemtables) {
  Open();
  Prepare("name", "k");
  const WriteBatch updates = PutOf("k");
  ASSERT_TRUE(Commit({.name = "name",
                      .updates = &updates,
                      .has_more = true,
                      .as_memtables = true})
                  .ok());
  EXPECT_EQ(EntryCount(), 1u);
  EXPECT_EQ(world_.default_family->imm()->size(), 0u);
}

TEST_F(TransactionDeskTest, MemtablesOfACommitAreRefusedLikeOtherWrites) {
  Open();
  Prepare("name", "k");
  writable_ = Status::Aborted("closed");
  const WriteBatch updates = PutOf("k");
  EXPECT_TRUE(
      Commit({.name = "name", .updates = &updates, .as_memtables = true})
          .IsAborted());
  EXPECT_TRUE(world_.sections->HasPrepared("name"));
  EXPECT_EQ(condition_.checks, 0);
}

TEST_F(TransactionDeskTest, WhatRecoveryFoundIsTakenOnce) {
  Open();
  PreparedSections found;
  PreparedSections::Section section;
  section.log_number = 1;
  section.updates = PutOf("k");
  found.Add("name", section);
  {
    MutexLock lock(world_.mutex);
    world_.sections->Recover(found);
  }
  const std::vector<RecoveredSection> taken = desk_->TakeRecoveredSections();
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].name, "name");
  EXPECT_EQ(BatchText(taken[0].updates.Data()), "k=v");
  EXPECT_TRUE(desk_->TakeRecoveredSections().empty());
}

// --- sections that take sequences

TEST_F(TransactionDeskTest, APreparedSectionTakesItsSequences) {
  Open(SectionPolicy::kWritePrepared);
  ASSERT_TRUE(Put("before").ok());
  WriteBatch updates = PutOf("k");
  ASSERT_TRUE(updates.Put("l", "v").ok());
  ASSERT_TRUE(LogSection("name", updates).ok());
  EXPECT_EQ(logged_.first, 2u);
  EXPECT_EQ(LastSequence(), 3u);
  EXPECT_EQ(EntryCount(), 1u);
  EXPECT_EQ(LastRecord(), std::string("2: <18> k=v l=v <10>") + kCounted);
}

TEST_F(TransactionDeskTest, ASectionWithoutUpdatesTakesOneSequence) {
  Open(SectionPolicy::kWritePrepared);
  ASSERT_TRUE(LogSection("name", WriteBatch()).ok());
  EXPECT_EQ(logged_.first, 1u);
  EXPECT_EQ(LastSequence(), 1u);
}

TEST_F(TransactionDeskTest, ACommitInTheLogOfItsSectionIsAMarker) {
  Open(SectionPolicy::kWritePrepared);
  Prepare("name", "k");
  ASSERT_TRUE(Commit("name", PutOf("k")).ok());
  EXPECT_EQ(LastRecord(), std::string("2: <11>") + kCounted);
  EXPECT_EQ(first_, 2u);
  EXPECT_EQ(Newer({.key = "k"}), "2");
  EXPECT_EQ(condition_.visible, 1);
}

// RocksDB would not find the updates from there.
TEST_F(TransactionDeskTest, ACommitInALaterLogHasTheUpdatesAgain) {
  Open(SectionPolicy::kWritePrepared);
  Prepare("name", "k");
  StartLog();
  ASSERT_TRUE(Commit("name", PutOf("k")).ok());
  EXPECT_EQ(world_.Records(), (Lines{std::string("2: <12> k=v") + kCounted}));
  EXPECT_EQ(Newer({.key = "k"}), "2");
  EXPECT_TRUE(world_.sections->IsEmpty());
}

TEST_F(TransactionDeskTest, ARefusalInALaterLogIsNotTriedAgain) {
  Open(SectionPolicy::kWritePrepared);
  Prepare("name", "k");
  condition_.answer = Status::TryAgain("somebody else was there");
  EXPECT_TRUE(Commit("name", PutOf("k")).IsTryAgain());
  EXPECT_EQ(condition_.checks, 1);
  StartLog();
  EXPECT_TRUE(Commit("name", PutOf("k")).IsTryAgain());
  EXPECT_EQ(condition_.checks, 2);
  EXPECT_EQ(EntryCount(), 0u);
  EXPECT_TRUE(world_.sections->HasPrepared("name"));
}

TEST_F(TransactionDeskTest, WhatUndoesASectionIsLoggedAndNotApplied) {
  Open(SectionPolicy::kWritePrepared);
  Prepare("name", "k");
  WriteBatch undo;
  ASSERT_TRUE(undo.Delete("k").ok());
  ASSERT_TRUE(RollBack("name", &undo).ok());
  EXPECT_EQ(LastRecord(), std::string("2: del k <12>") + kCounted);
  EXPECT_EQ(EntryCount(), 0u);
  EXPECT_TRUE(world_.sections->IsEmpty());
  EXPECT_EQ(condition_.checks, 1);
}

TEST_F(TransactionDeskTest, AnUnpreparedSectionGrowsUntilItIsPrepared) {
  Open(SectionPolicy::kWriteUnprepared);
  ASSERT_TRUE(LogSection("name", PutOf("a"), /*is_prepared=*/false).ok());
  EXPECT_EQ(LastRecord(), std::string("1: <19> a=v <10>") + kCounted);
  EXPECT_FALSE(world_.sections->HasPrepared("name"));
  ASSERT_TRUE(LogSection("name", PutOf("b"), /*is_prepared=*/false).ok());
  EXPECT_EQ(logged_.first, 2u);
  ASSERT_TRUE(LogSection("name", PutOf("c")).ok());
  EXPECT_EQ(LastRecord(), std::string("3: <18> c=v <10>") + kCounted);
  EXPECT_TRUE(world_.sections->HasPrepared("name"));
  EXPECT_TRUE(LogSection("name", PutOf("d")).IsInvalidArgument());
}

TEST_F(TransactionDeskTest, AWholeSectionTakesThePlaceOfItsParts) {
  Open(SectionPolicy::kWriteUnprepared);
  ASSERT_TRUE(LogSection("name", PutOf("a"), /*is_prepared=*/false).ok());
  ASSERT_TRUE(LogSection("name", PutOf("b"), /*is_prepared=*/true,
                         /*is_all=*/true)
                  .ok());
  EXPECT_EQ(LastRecord(), std::string("2: <12> <18> b=v <10>") + kCounted);
  std::vector<WriteBatch> records;
  ASSERT_TRUE(world_.sections->MakeRecords(&records).ok());
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(BatchText(records[0].Data()).find("a=v"), std::string::npos);
  EXPECT_NE(BatchText(records[0].Data()).find("b=v"), std::string::npos);
}

TEST_F(TransactionDeskTest, AFirstPartTakesThePlaceOfAnothersParts) {
  Open(SectionPolicy::kWriteUnprepared);
  const auto log_first = [this](const WriteBatch& updates, bool is_prepared) {
    return desk_->LogSection(options_,
                             {.name = "name",
                              .updates = &updates,
                              .is_prepared = is_prepared,
                              .is_first = true},
                             &logged_);
  };
  ASSERT_TRUE(log_first(PutOf("a"), /*is_prepared=*/false).ok());
  EXPECT_EQ(LastRecord(), std::string("1: <19> a=v <10>") + kCounted);
  ASSERT_TRUE(log_first(PutOf("b"), /*is_prepared=*/false).ok());
  EXPECT_EQ(LastRecord(), std::string("2: <12> <19> b=v <10>") + kCounted);
  ASSERT_TRUE(log_first(PutOf("c"), /*is_prepared=*/true).ok());
  EXPECT_EQ(LastRecord(), std::string("3: <12> <18> c=v <10>") + kCounted);
  EXPECT_TRUE(log_first(PutOf("d"), /*is_prepared=*/true).IsInvalidArgument());
  std::vector<WriteBatch> records;
  ASSERT_TRUE(world_.sections->MakeRecords(&records).ok());
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(BatchText(records[0].Data()),
            std::string("<12> <18> c=v <10>") + kCounted);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
