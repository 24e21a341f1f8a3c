// The entries of a batch go to the active memtable of their family, and merges
// and in-place updates see what is older.
#include "db/intake/family_memtables.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "db/lookup/read_port.h"
#include "tests/db/intake/intake_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class FamilyMemTablesTest : public ::testing::Test {
 protected:
  void Open() {
    world_.Open();
    family_ = world_.default_family;
    reads_ = std::make_unique<ReadPort>(
        ReadPort::Context{.db = world_.f.db.get(),
                          .mutex = world_.mutex,
                          .versions = world_.versions(),
                          .obsolete = world_.obsolete.get(),
                          .has_unlogged = world_.flushes->has_unlogged(),
                          .tracer = &world_.tracer});
    targets_ = std::make_unique<FamilyMemTables>(
        world_.versions(), reads_.get(), world_.memtables.get());
    targets_->SetDefault(family_);
  }
  // What is stored in place of the operand "x"; "no": the operand is.
  std::string Resolve(SequenceNumber sequence, const std::string& key) {
    ValueType type = kTypeMerge;
    std::string value;
    const bool is_resolved = targets_->Resolve(
        0, {.sequence = sequence, .key = key, .operand = "x"}, &type, &value);
    if (!is_resolved) return "no";
    EXPECT_EQ(type, kTypeValue);
    return value;
  }
  std::string ReadOlder(SequenceNumber sequence, const std::string& key) {
    std::string value;
    const Status s = targets_->ReadOlder(0, sequence, key, &value);
    return s.ok() ? value : s.IsNotFound() ? "none" : s.ToString();
  }
  // That is in a table, of which no block is in the cache.
  void InsertIntoTable(const std::string& entries) {
    ASSERT_TRUE(world_.stored.Flush(entries).ok());
    MutexLock lock(world_.mutex);
    world_.publisher->Publish(family_);
  }

  IntakeWorld world_;
  ColumnFamilyData* family_ = nullptr;
  std::unique_ptr<ReadPort> reads_;
  std::unique_ptr<FamilyMemTables> targets_;
};

TEST_F(FamilyMemTablesTest, EntriesGoToTheActiveMemtableOfTheirFamily) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  FamilyMemTables::Target target;
  ASSERT_TRUE(targets_->Find(0, &target));
  EXPECT_EQ(target.memtable, family_->mem().get());
  EXPECT_EQ(target.log_number, family_->log_number());
  ASSERT_TRUE(targets_->Find(other->id(), &target));
  EXPECT_EQ(target.memtable, other->mem().get());
  EXPECT_EQ(target.log_number, other->log_number());
  EXPECT_NE(other->log_number(), family_->log_number());
  const uint32_t id = other->id();
  world_.Drop(other);
  EXPECT_FALSE(targets_->Find(id, &target));
  EXPECT_FALSE(targets_->Find(77, &target));
}

TEST_F(FamilyMemTablesTest, EntriesGoToTheNextMemtableOnceOneIsSealed) {
  Open();
  world_.Insert(family_, "k");
  FamilyMemTables::Target before;
  ASSERT_TRUE(targets_->Find(0, &before));
  targets_->OnFull(0, before.memtable);
  EXPECT_TRUE(world_.attention.IsAsked());
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.memtables->SealMarked().ok());
  }
  FamilyMemTables::Target after;
  ASSERT_TRUE(targets_->Find(0, &after));
  EXPECT_NE(after.memtable, before.memtable);
  EXPECT_EQ(after.memtable, family_->mem().get());
}

TEST_F(FamilyMemTablesTest, AnOperandIsResolvedOverWhatIsOlder) {
  Open();
  world_.Insert(family_, "k", "a");
  world_.Insert(family_, "other", "b");
  world_.Insert(family_, "k", "c");
  EXPECT_EQ(Resolve(1, "k"), "a,x");
  EXPECT_EQ(Resolve(3, "k"), "c,x");
}

TEST_F(FamilyMemTablesTest, WritersDoNotWaitForFiles) {
  Open();
  InsertIntoTable("k@1=a");
  EXPECT_EQ(Resolve(2, "k"), "no");
  // Once a block is in the cache it is looked at.
  EXPECT_EQ(ReadOlder(2, "k"), "a");
  EXPECT_EQ(Resolve(2, "k"), "a,x");
}

TEST_F(FamilyMemTablesTest, WritersWaitForFilesIfThatIsAskedFor) {
  world_.f.family.strict_max_successive_merges = true;
  Open();
  InsertIntoTable("k@1=a");
  EXPECT_EQ(Resolve(2, "k"), "a,x");
}

TEST_F(FamilyMemTablesTest, WhatIsOlderIsReadAsOfASequence) {
  Open();
  InsertIntoTable("k@1=a");
  world_.Insert(family_, "k", "b");
  EXPECT_EQ(ReadOlder(1, "k"), "a");
  EXPECT_EQ(ReadOlder(2, "k"), "b");
  EXPECT_EQ(ReadOlder(2, "unknown"), "none");
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(family_->mem()->Add(3, kTypeDeletion, "k", "").ok());
  }
  EXPECT_EQ(ReadOlder(3, "k"), "none");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
