// Of several compactions that users wait for, the oldest that may run begins
// first, and an exclusive one keeps all others waiting.
#include "db/background/manual_queue.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(ManualQueueTest, TheOldestThatDoesNotRunBeginsFirst) {
  ManualQueue queue;
  ManualCompaction first, second;
  EXPECT_EQ(queue.NextToBegin(), nullptr);
  queue.Add(&first);
  queue.Add(&second);
  EXPECT_EQ(queue.CountToBegin(), 2);
  EXPECT_EQ(queue.NextToBegin(), &first);
  first.running = true;
  EXPECT_EQ(queue.CountToBegin(), 1);
  EXPECT_EQ(queue.NextToBegin(), &second);
  first.running = false;
  first.done = true;
  EXPECT_EQ(queue.NextToBegin(), &second);
  queue.Remove(&second);
  EXPECT_EQ(queue.NextToBegin(), nullptr);
  EXPECT_FALSE(queue.empty());
  queue.Remove(&first);
  EXPECT_TRUE(queue.empty());
}

TEST(ManualQueueTest, BesideAnExclusiveOneNoneBegins) {
  ManualQueue queue;
  ManualCompaction first, second;
  queue.Add(&first);
  queue.Add(&second);
  queue.SetExclusive(&second);
  EXPECT_TRUE(queue.HasExclusive());
  EXPECT_TRUE(queue.IsExclusive(&second));
  EXPECT_FALSE(queue.IsExclusive(&first));
  EXPECT_EQ(queue.NextToBegin(), &second);
  EXPECT_EQ(queue.CountToBegin(), 1);
  second.running = true;
  EXPECT_EQ(queue.CountToBegin(), 0);
  second.running = false;
  queue.EndExclusive();
  EXPECT_FALSE(queue.HasExclusive());
  EXPECT_EQ(queue.NextToBegin(), &first);
}

TEST(ManualQueueTest, WhoIsBlockedHoldsItsFamily) {
  ManualQueue queue;
  ManualCompaction manual;
  const ColumnFamilyData* const none = nullptr;
  queue.Add(&manual);
  EXPECT_FALSE(queue.IsBlocked(none));
  manual.is_blocked = true;
  EXPECT_TRUE(queue.IsBlocked(none));
  queue.Remove(&manual);
  EXPECT_FALSE(queue.IsBlocked(none));
}

TEST(ManualQueueTest, CompactFilesKeepsItFromBeingIdle) {
  ManualQueue queue;
  EXPECT_TRUE(queue.IsIdle());
  queue.BeginFiles();
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.IsIdle());
  queue.EndFiles();
  EXPECT_TRUE(queue.IsIdle());
  ManualCompaction manual;
  queue.Add(&manual);
  EXPECT_FALSE(queue.IsIdle());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
