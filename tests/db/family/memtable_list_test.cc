// Sealed memtables are flushed oldest first, come back if the flush fails, and
// stay readable for as long as their history is asked for.
#include "db/family/memtable_list.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "memtable/memtable.h"

namespace ROCKSDB_NAMESPACE {
namespace {

MemTableRef NewMemTable(uint64_t id, uint64_t log_number = 0) {
  MemTableOptions options;
  options.id = id;
  auto mem = std::make_shared<MemTable>(options);
  mem->set_log_number(log_number);
  return mem;
}

std::vector<uint64_t> Ids(const MemTableVector& list) {
  std::vector<uint64_t> ids;
  for (const MemTableRef& mem : list) ids.push_back(mem->id());
  return ids;
}

using IdList = std::vector<uint64_t>;

TEST(MemTableList, NewestFirstAndImmutableSnapshots) {
  MemTableList list;
  EXPECT_TRUE(list.empty());
  const auto none = list.current();
  list.Add(NewMemTable(1));
  const auto one = list.current();
  list.Add(NewMemTable(2));
  EXPECT_EQ(Ids(*list.current()), (IdList{2, 1}));
  EXPECT_TRUE(none->empty());
  EXPECT_EQ(Ids(*one), (IdList{1}));
}

TEST(MemTableList, AFlushIsWantedWhenEnoughWaitOrItIsAskedFor) {
  MemTableList list;
  list.RequestFlush();  // Of nothing.
  EXPECT_FALSE(list.IsFlushPending(1));
  list.Add(NewMemTable(1));
  EXPECT_TRUE(list.IsFlushPending(1));
  EXPECT_FALSE(list.IsFlushPending(2));
  list.RequestFlush();
  EXPECT_TRUE(list.IsFlushPending(2));
  // What is sealed later was not asked for.
  const MemTableVector picked = list.PickForFlush(UINT64_MAX);
  EXPECT_EQ(Ids(picked), (IdList{1}));
  list.Add(NewMemTable(2));
  EXPECT_FALSE(list.IsFlushPending(1));  // One runs.
  list.CommitFlush(picked);
  EXPECT_FALSE(list.IsFlushPending(2));
  EXPECT_TRUE(list.IsFlushPending(1));
}

TEST(MemTableList, PicksOldestFirstAndOneFlushAtATime) {
  MemTableList list;
  for (uint64_t id = 1; id <= 4; ++id) list.Add(NewMemTable(id));
  list.RequestFlush();
  const MemTableVector picked = list.PickForFlush(2);
  EXPECT_EQ(Ids(picked), (IdList{1, 2}));
  EXPECT_TRUE(list.IsFlushRunning());
  EXPECT_TRUE(list.PickForFlush(UINT64_MAX).empty());
  list.CommitFlush(picked);
  EXPECT_FALSE(list.IsFlushRunning());
  EXPECT_EQ(Ids(*list.current()), (IdList{4, 3}));
  // The request of the others stands.
  EXPECT_TRUE(list.IsFlushPending(10));
  EXPECT_TRUE(list.PickForFlush(2).empty());
  EXPECT_FALSE(list.IsFlushRunning());
}

// A failed flush gives back all that it took, whatever came meanwhile.
TEST(MemTableList, RollbackLosesNothing) {
  MemTableList list;
  list.Add(NewMemTable(1));
  list.Add(NewMemTable(2));
  ASSERT_EQ(list.PickForFlush(UINT64_MAX).size(), 2u);
  list.Add(NewMemTable(3));
  list.RollbackFlush();
  EXPECT_EQ(Ids(*list.current()), (IdList{3, 2, 1}));
  EXPECT_TRUE(list.IsFlushPending(10));
  const MemTableVector again = list.PickForFlush(UINT64_MAX);
  EXPECT_EQ(Ids(again), (IdList{1, 2, 3}));
  list.CommitFlush(again);
  EXPECT_TRUE(list.empty());
  EXPECT_FALSE(list.IsFlushPending(1));
}

TEST(MemTableList, OneTakesThePlaceOfThoseItWasMadeOf) {
  MemTableList list;
  list.Add(NewMemTable(1, 5));
  list.Add(NewMemTable(2, 6));
  list.RequestFlush();
  const MemTableVector taken = list.PickForFlush(UINT64_MAX);
  list.Add(NewMemTable(3, 7));
  EXPECT_FALSE(list.NeedsFile(taken));
  list.CommitPurge(taken, NewMemTable(2, 5), /*history_bytes=*/0);
  EXPECT_FALSE(list.IsFlushRunning());
  EXPECT_EQ(Ids(*list.current()), (IdList{3, 2}));
  EXPECT_EQ(list.MinLogNumber(), 5u);
  EXPECT_TRUE(list.HasPurged());
  EXPECT_FALSE(list.AwaitsOthers());
  // The request is done with.
  EXPECT_FALSE(list.IsFlushPending(3));
  EXPECT_TRUE(list.IsFlushPending(2));
  const MemTableVector again = list.PickForFlush(UINT64_MAX);
  EXPECT_EQ(Ids(again), (IdList{2, 3}));
  list.CommitPurge(again, NewMemTable(3, 5), /*history_bytes=*/1);
  EXPECT_EQ(Ids(*list.current()), (IdList{3}));
  EXPECT_EQ(Ids(*list.history()), (IdList{3}));
  EXPECT_TRUE(list.AwaitsOthers());
  EXPECT_FALSE(list.IsFlushPending(2));
  list.RequestFile();
  EXPECT_FALSE(list.AwaitsOthers());
  const MemTableVector last = list.PickForFlush(UINT64_MAX);
  EXPECT_TRUE(list.NeedsFile(last));
  list.CommitFlush(last);
  EXPECT_TRUE(list.empty());
  list.Add(NewMemTable(4));
  EXPECT_FALSE(list.HasPurged());
}

// What somebody wants a file of may be asked for while others are made one.
TEST(MemTableList, RequestsForFilesOutliveAPurge) {
  MemTableList list;
  list.Add(NewMemTable(1));
  const MemTableVector taken = list.PickForFlush(UINT64_MAX);
  list.RequestFile();
  EXPECT_TRUE(list.NeedsFile(taken));
  list.RollbackFlush();
  EXPECT_TRUE(list.IsFlushPending(10));
  EXPECT_TRUE(list.NeedsFile(list.PickForFlush(UINT64_MAX)));
}

TEST(MemTableList, WhatIsFlushedMayStay) {
  MemTableList list;
  size_t bytes = 0;
  for (uint64_t id = 1; id <= 3; ++id) {
    list.Add(NewMemTable(id));
    bytes = list.current()->front()->ApproximateMemoryUsage();
    list.CommitFlush(list.PickForFlush(id), /*history_bytes=*/2 * bytes);
  }
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(Ids(*list.history()), (IdList{3, 2}));
  list.Add(NewMemTable(4));
  list.Add(NewMemTable(5));
  const auto before = list.history();
  list.CommitFlush(list.PickForFlush(5), 2 * bytes + 1);
  EXPECT_EQ(Ids(*list.history()), (IdList{5, 4, 3}));
  EXPECT_EQ(Ids(*before), (IdList{3, 2}));
  list.DropHistory();
  EXPECT_TRUE(list.history()->empty());
}

TEST(MemTableList, SumsAndTheSmallestLog) {
  MemTableList list;
  EXPECT_EQ(list.MinLogNumber(), 0u);
  list.Add(NewMemTable(1));  // Knows no log.
  EXPECT_EQ(list.MinLogNumber(), 0u);
  list.Add(NewMemTable(2, 9));
  list.Add(NewMemTable(3, 12));
  EXPECT_EQ(list.MinLogNumber(), 9u);
  ASSERT_TRUE(list.current()->front()->Add(1, kTypeValue, "key", "value").ok());
  ASSERT_TRUE(list.current()->back()->Add(2, kTypeDeletion, "key", "").ok());
  EXPECT_EQ(list.EntryCount(), 2u);
  EXPECT_EQ(list.DeletionCount(), 1u);
  EXPECT_GT(list.ApproximateMemoryUsage(), 0u);
}

TEST(MemTableListDeathTest, MisuseStops) {
  MemTableList list;
  list.Add(NewMemTable(5));
  EXPECT_DEATH(list.Add(NewMemTable(5)), "");
  EXPECT_DEATH(list.CommitFlush({}), "");
  EXPECT_DEATH(list.RollbackFlush(), "");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
