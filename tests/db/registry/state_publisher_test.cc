// A replaced state of a family is freed once nobody reads it, and never under
// the mutex.
#include "db/registry/state_publisher.h"

#include <gtest/gtest.h>

#include "memtable/memtable.h"
#include "rocksdb/statistics.h"
#include "tests/db/registry/family_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(StatePublisherTest, WhatNobodyReadsIsFreedWithoutTheMutex) {
  FamilyWorld world;
  Statistics* const statistics = world.f.db->stats;
  StatePublisher publisher(&world.mutex, statistics);
  const FamilyRef family = world.Add(0, "default");
  ColumnFamilyData* const cfd = family->cfd.get();
  {
    MutexLock lock(&world.mutex);
    publisher.Publish(cfd, WriteStallCondition::kNormal);
  }
  SuperVersion* const held = cfd->AcquireReferenced();
  std::weak_ptr<MemTable> first = held->mem;
  {
    MutexLock lock(&world.mutex);
    cfd->SwitchMemTable(cfd->NewMemTable(0));
    publisher.Publish(cfd, WriteStallCondition::kDelayed);
  }
  publisher.Free();
  EXPECT_FALSE(first.expired());  // A reader has it.
  EXPECT_EQ(statistics->getTickerCount(NUMBER_SUPERVERSION_CLEANUPS), 0u);
  ColumnFamilyData::Release(held);
  EXPECT_TRUE(first.expired());
  // Freed by its last reader, which counts too.
  EXPECT_EQ(statistics->getTickerCount(NUMBER_SUPERVERSION_CLEANUPS), 1u);
  SuperVersion* const now = cfd->AcquireReferenced();
  EXPECT_EQ(now->stall, WriteStallCondition::kDelayed);
  std::weak_ptr<MemTable> second = now->mem;
  ColumnFamilyData::Release(now);
  {
    MutexLock lock(&world.mutex);
    cfd->SwitchMemTable(cfd->NewMemTable(0));
    publisher.Publish(cfd, WriteStallCondition::kNormal);
    EXPECT_FALSE(second.expired());
  }
  publisher.Free();
  EXPECT_TRUE(second.expired());
  EXPECT_EQ(statistics->getTickerCount(NUMBER_SUPERVERSION_CLEANUPS), 2u);
  {
    MutexLock lock(&world.mutex);
    publisher.Withdraw(cfd);
  }
  publisher.Free();
  EXPECT_EQ(statistics->getTickerCount(NUMBER_SUPERVERSION_CLEANUPS), 3u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
