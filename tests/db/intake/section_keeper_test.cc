// The log of a prepared transaction is held until the transaction has ended and
// its updates are in tables.
#include "db/intake/section_keeper.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "db/wal/prepared_sections.h"
#include "db/write/transaction_port.h"
#include "db/write/write_hooks.h"
#include "tests/db/intake/intake_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Kind = SectionWrite::Kind;

class SectionKeeperTest : public ::testing::Test {
 protected:
  void SetUp() override {
    world_.Open();
    keeper_ = std::make_unique<SectionKeeper>(world_.mutex, world_.versions(),
                                              SectionPolicy::kWriteCommitted);
  }
  void SetPolicy(SectionPolicy policy) {
    keeper_ = std::make_unique<SectionKeeper>(world_.mutex, world_.versions(),
                                              policy);
  }
  // A put of that key, between the markers of a section.
  static WriteBatch Section(const std::string& name, const std::string& key) {
    WriteBatch batch;
    WriteBatchInternal::AddMarker(&batch, kTypeNoop);
    EXPECT_TRUE(batch.Put(key, "v").ok());
    EXPECT_TRUE(
        WriteBatchInternal::MarkEndPrepare(&batch, name, kTypeBeginPrepareXID)
            .ok());
    return batch;
  }
  void Keep(SectionWrite write, uint64_t log_number,
            const std::string& key = "k") {
    uint64_t told = 0;
    write.log_number = &told;
    WriteBatch section = Section(write.name.ToString(), key);
    WriteBatchInternal::SetSequence(&section, 7);
    keeper_->Keep(write, section, log_number);
    EXPECT_EQ(told, log_number);
  }
  void KeepPrepared(const std::string& name, uint64_t log_number) {
    Keep({.name = name}, log_number);
  }
  void End(const std::string& name, Kind kind) {
    keeper_->End({.kind = kind, .name = name});
  }
  Status Adopt(SectionPolicy policy) {
    MutexLock lock(world_.mutex);
    return keeper_->Adopt(policy);
  }
  uint64_t HeldLog() const { return world_.HeldLog(); }
  void SetMemtableLog(uint64_t log_number) {
    MutexLock lock(world_.mutex);
    world_.default_family->mem()->set_log_number(log_number);
  }
  uint64_t MemtableLog() {
    MutexLock lock(world_.mutex);
    return world_.default_family->mem()->log_number();
  }

  IntakeWorld world_;
  std::unique_ptr<SectionKeeper> keeper_;
};

TEST_F(SectionKeeperTest, NothingIsHeldWithoutASection) {
  EXPECT_TRUE(keeper_->IsEmpty());
  EXPECT_FALSE(keeper_->Has("a"));
  EXPECT_FALSE(keeper_->HasPrepared("a"));
  EXPECT_EQ(keeper_->LogOf("a"), 0u);
  EXPECT_EQ(HeldLog(), UINT64_MAX);
}

TEST_F(SectionKeeperTest, TheOldestSectionHoldsItsLogAndAllBehind) {
  KeepPrepared("late", 8);
  EXPECT_EQ(HeldLog(), 8u);
  KeepPrepared("early", 5);
  EXPECT_EQ(HeldLog(), 5u);
  EXPECT_TRUE(keeper_->HasPrepared("late"));
  EXPECT_EQ(keeper_->LogOf("late"), 8u);
  End("early", Kind::kRollBack);
  EXPECT_EQ(HeldLog(), 8u);
  EXPECT_FALSE(keeper_->Has("early"));
  End("late", Kind::kCommit);
  EXPECT_EQ(HeldLog(), UINT64_MAX);
  EXPECT_TRUE(keeper_->IsEmpty());
}

// Its log is the only one that has what was committed.
TEST_F(SectionKeeperTest, AMemtableHoldsTheLogOfWhatWasCommitted) {
  SetMemtableLog(9);
  KeepPrepared("a", 5);
  End("a", Kind::kCommit);
  EXPECT_EQ(MemtableLog(), 5u);
  KeepPrepared("b", 7);
  End("b", Kind::kCommit);
  EXPECT_EQ(MemtableLog(), 5u);  // It has been holding that already.
}

TEST_F(SectionKeeperTest, AMemtableHoldsNothingOfWhatWasRolledBack) {
  SetMemtableLog(9);
  for (const Kind kind : {Kind::kRollBack, Kind::kRollBackApplied}) {
    KeepPrepared("a", 5);
    End("a", kind);
    EXPECT_EQ(MemtableLog(), 9u);
  }
}

// Nor one of a family that the section has nothing of.
TEST_F(SectionKeeperTest, AMemtableHoldsNothingOfOtherFamilies) {
  SetMemtableLog(9);
  ColumnFamilyData* const other = world_.Add("other");
  uint64_t before = 0;
  {
    MutexLock lock(world_.mutex);
    before = other->mem()->log_number();
  }
  ASSERT_GT(before, 1u);
  KeepPrepared("a", 1);
  End("a", Kind::kCommit);
  EXPECT_EQ(MemtableLog(), 1u);
  MutexLock lock(world_.mutex);
  EXPECT_EQ(other->mem()->log_number(), before);
}

TEST_F(SectionKeeperTest, ASectionMayEndTwice) {
  SetMemtableLog(9);
  KeepPrepared("a", 5);
  End("a", Kind::kRollBack);
  End("a", Kind::kCommit);
  EXPECT_EQ(MemtableLog(), 9u);
  EXPECT_TRUE(keeper_->IsEmpty());
}

// --- sections in parts

TEST_F(SectionKeeperTest, ASectionGrowsUntilItIsPrepared) {
  SetPolicy(SectionPolicy::kWriteUnprepared);
  Keep({.name = "a", .is_prepared = false, .sequences = 1}, 5, "k1");
  EXPECT_TRUE(keeper_->Has("a"));
  EXPECT_FALSE(keeper_->HasPrepared("a"));
  Keep({.name = "a", .is_prepared = true, .sequences = 1}, 6, "k2");
  EXPECT_TRUE(keeper_->HasPrepared("a"));
  EXPECT_EQ(keeper_->LogOf("a"), 5u);
  EXPECT_EQ(HeldLog(), 5u);
  const std::vector<RecoveredSection> all = keeper_->TakeRecovered();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(BatchText(all[0].updates.Data()), "k1=v k2=v");
}

TEST_F(SectionKeeperTest, WhatIsAllOfASectionMakesItsPartsVoid) {
  SetPolicy(SectionPolicy::kWriteUnprepared);
  Keep({.name = "a", .is_prepared = false, .sequences = 1}, 5, "k1");
  Keep({.name = "a", .is_all = true, .sequences = 1}, 6, "k2");
  EXPECT_EQ(keeper_->LogOf("a"), 6u);
  EXPECT_EQ(HeldLog(), 6u);
  const std::vector<RecoveredSection> all = keeper_->TakeRecovered();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(BatchText(all[0].updates.Data()), "k2=v");
}

// --- policies

TEST_F(SectionKeeperTest, ALogIsOfOnePolicy) {
  EXPECT_TRUE(Adopt(SectionPolicy::kWritePrepared).ok());
  EXPECT_EQ(keeper_->policy(), SectionPolicy::kWritePrepared);
  KeepPrepared("a", 5);
  EXPECT_TRUE(Adopt(SectionPolicy::kWriteCommitted).IsNotSupported());
  EXPECT_TRUE(Adopt(SectionPolicy::kWritePrepared).ok());
  End("a", Kind::kRollBack);
  // The section is in the log all the same.
  EXPECT_TRUE(Adopt(SectionPolicy::kWriteCommitted).IsNotSupported());
  EXPECT_EQ(keeper_->policy(), SectionPolicy::kWritePrepared);
}

// --- what recovery has found

TEST_F(SectionKeeperTest, WhatRecoveryHasFoundIsTakenOnce) {
  PreparedSections found;
  PreparedSections::Section section;
  section.log_number = 5;
  section.sequence = 30;
  section.end = 31;
  section.is_prepared = false;
  section.in_tables = {{3, "key", 30}};
  ASSERT_TRUE(section.updates.Put("k", "v").ok());
  found.Add("a", section);
  {
    MutexLock lock(world_.mutex);
    keeper_->Recover(found);
  }
  EXPECT_FALSE(keeper_->HasPrepared("a"));
  EXPECT_TRUE(Adopt(SectionPolicy::kWritePrepared).IsNotSupported());
  const std::vector<RecoveredSection> taken = keeper_->TakeRecovered();
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].name, "a");
  EXPECT_EQ(BatchText(taken[0].updates.Data()), "k=v");
  EXPECT_EQ(taken[0].log_number, 5u);
  EXPECT_FALSE(taken[0].is_prepared);
  EXPECT_EQ(taken[0].sequence, 30u);
  EXPECT_EQ(taken[0].end, 31u);
  ASSERT_EQ(taken[0].in_tables.size(), 1u);
  EXPECT_EQ(taken[0].in_tables[0].family_id, 3u);
  EXPECT_EQ(taken[0].in_tables[0].key, "key");
  EXPECT_TRUE(keeper_->TakeRecovered().empty());
  EXPECT_TRUE(keeper_->Has("a"));
}

TEST_F(SectionKeeperTest, AKeptSectionHasTheSequencesThatItTakes) {
  SetPolicy(SectionPolicy::kWritePrepared);
  Keep({.name = "a", .sequences = 3}, 5);
  const std::vector<RecoveredSection> all = keeper_->TakeRecovered();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].sequence, 7u);
  EXPECT_EQ(all[0].end, 10u);
}

// --- a log that takes the place of others

TEST_F(SectionKeeperTest, SectionsMoveToALaterLogByTheirRecords) {
  KeepPrepared("a", 5);
  KeepPrepared("b", 6);
  std::vector<WriteBatch> records;
  ASSERT_TRUE(keeper_->MakeRecords(&records).ok());
  ASSERT_EQ(records.size(), 2u);
  // A replay of the records alone finds the same sections.
  PreparedSections replayed;
  for (WriteBatch& record : records) {
    ASSERT_TRUE(replayed.Expand(9, {}, &record).ok());
  }
  for (const char* name : {"a", "b"}) {
    ASSERT_NE(replayed.Find(name), nullptr) << name;
    EXPECT_EQ(BatchText(replayed.Find(name)->updates.Data()), "k=v");
  }
  EXPECT_EQ(HeldLog(), 5u);  // They are not written yet.
  {
    MutexLock lock(world_.mutex);
    keeper_->MoveAllTo(9);
  }
  EXPECT_EQ(HeldLog(), 9u);
  EXPECT_EQ(keeper_->LogOf("a"), 9u);
}

// --- what is between the markers

TEST_F(SectionKeeperTest, UpdatesAreWhatIsBetweenTheMarkers) {
  WriteBatch section;
  WriteBatchInternal::AddMarker(&section, kTypeNoop);
  ASSERT_TRUE(section.Put("a", "1").ok());
  ASSERT_TRUE(section.PutLogData("blob").ok());
  ASSERT_TRUE(section.Delete("b").ok());
  ASSERT_TRUE(
      WriteBatchInternal::MarkEndPrepare(&section, "name", kTypeBeginPrepareXID)
          .ok());
  WriteBatch updates;
  ASSERT_TRUE(SectionKeeper::UpdatesOf(section, &updates).ok());
  EXPECT_EQ(BatchText(updates.Data()), "a=1 blob:blob del b");
  EXPECT_EQ(updates.Count(), 2u);
}

TEST_F(SectionKeeperTest, UpdatesOfBytesThatAreCutShortAreNone) {
  const std::string bytes = Section("name", "key").Data();
  WriteBatch updates;
  EXPECT_TRUE(SectionKeeper::UpdatesOf(
                  WriteBatch(bytes.substr(0, bytes.size() - 1)), &updates)
                  .IsCorruption());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
