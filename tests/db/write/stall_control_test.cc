// Writers are slowed by the family that is worst off, and a change of the stall
// is told once.
#include "db/write/stall_control.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "db/registry/change_signal.h"
#include "db/registry/stall_change.h"
#include "db/write/write_controller.h"
#include "file/io_governor.h"
#include "memtable/memtable.h"
#include "tests/db/registry/family_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class StallControlTest : public ::testing::Test {
 protected:
  StallControlTest() {
    world.f.family.max_write_buffer_number = 3;
    MutexLock lock(&world.mutex);
    stalls.SetDelayedRate(1 << 20);
  }
  // Seals as many memtables as that, one entry each.
  WriteStallCondition Seal(const FamilyRef& family, int count) {
    MutexLock lock(&world.mutex);
    ColumnFamilyData* const cfd = family->cfd.get();
    for (int i = 0; i < count; ++i) {
      EXPECT_TRUE(cfd->mem()->Add(++sequence, kTypeValue, "k", "v").ok());
      MemTableRef sealed = cfd->SwitchMemTable(cfd->NewMemTable(sequence));
      sealed->MarkImmutable();
      cfd->imm()->Add(std::move(sealed));
    }
    return stalls.Update(family.get());
  }

  FamilyWorld world;
  ChangeSignal changes{&world.mutex};
  WriteController writes;
  GovernorMembership governor{world.f.db->fs, IoLimits()};
  StallControl stalls{{.db = world.f.db.get(),
                       .families = &world.families,
                       .writes = &writes,
                       .changes = &changes,
                       .io_governor = &governor}};
  SequenceNumber sequence = 0;
};

TEST_F(StallControlTest, WritersWaitForTheFamilyThatIsWorstOff) {
  const FamilyRef first = world.Add(0, "a");
  const FamilyRef second = world.Add(1, "b");
  EXPECT_EQ(Seal(first, 1), WriteStallCondition::kNormal);
  EXPECT_EQ(Seal(second, 3), WriteStallCondition::kStopped);
  EXPECT_TRUE(writes.IsStopped());
  EXPECT_EQ(Seal(first, 1), WriteStallCondition::kStopped);
  EXPECT_EQ(first->stall, WriteStallCondition::kNormal);
  MutexLock lock(&world.mutex);
  world.families.Remove(1);
  EXPECT_EQ(stalls.UpdateWorst(), WriteStallCondition::kNormal);
  EXPECT_FALSE(writes.IsStopped());
}

TEST_F(StallControlTest, ChangesAreToldOnce) {
  const FamilyRef family = world.Add(0, "a");
  Seal(family, 3);
  MutexLock lock(&world.mutex);
  std::vector<StallChange> told = stalls.TakeChanges();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].family, "a");
  EXPECT_EQ(told[0].conditions.first, WriteStallCondition::kStopped);
  EXPECT_EQ(told[0].conditions.second, WriteStallCondition::kNormal);
  stalls.Update(family.get());
  EXPECT_TRUE(stalls.TakeChanges().empty());
}

TEST_F(StallControlTest, OneMoreMemtableIsForeseen) {
  const FamilyRef family = world.Add(0, "a");
  MutexLock lock(&world.mutex);
  ColumnFamilyData* const cfd = family->cfd.get();
  EXPECT_FALSE(StallControl::WouldStall(cfd));
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(cfd->mem()->Add(++sequence, kTypeValue, "k", "v").ok());
    MemTableRef sealed = cfd->SwitchMemTable(cfd->NewMemTable(sequence));
    cfd->imm()->Add(std::move(sealed));
  }
  EXPECT_FALSE(StallControl::WouldStall(cfd));  // Nothing is to be sealed.
  ASSERT_TRUE(cfd->mem()->Add(++sequence, kTypeValue, "k", "v").ok());
  EXPECT_TRUE(StallControl::WouldStall(cfd));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
