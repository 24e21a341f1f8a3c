// Delayed writers are charged by the byte and paid off at the current rate,
// with no credit saved for a burst.
#include "db/write/write_controller.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(WriteControllerTest, NobodyIsHeldBackToBeginWith) {
  WriteController controller;
  EXPECT_EQ(controller.condition(), WriteStallCondition::kNormal);
  EXPECT_FALSE(controller.IsStopped());
  EXPECT_EQ(controller.delayed_rate(), 0u);
  EXPECT_EQ(controller.ChargeDelay(1 << 20, 1'000'000), 0u);
}

TEST(WriteControllerTest, TheRateIsThatOfDelayedWritersAlone) {
  WriteController controller;
  controller.Update(WriteStallCondition::kDelayed, 1000);
  EXPECT_EQ(controller.condition(), WriteStallCondition::kDelayed);
  EXPECT_FALSE(controller.IsStopped());
  EXPECT_EQ(controller.delayed_rate(), 1000u);
  controller.Update(WriteStallCondition::kStopped, 1000);
  EXPECT_TRUE(controller.IsStopped());
  EXPECT_EQ(controller.delayed_rate(), 0u);
  EXPECT_EQ(controller.ChargeDelay(1 << 20, 2'000'000), 0u);
  controller.Update(WriteStallCondition::kNormal, 0);
  EXPECT_EQ(controller.delayed_rate(), 0u);
}

TEST(WriteControllerTest, ChargesByTheByte) {
  WriteController controller;
  controller.Update(WriteStallCondition::kDelayed, 1'000'000);
  // A millisecond is there to begin with.
  EXPECT_EQ(controller.ChargeDelay(1000, 2'000'000), 0u);
  EXPECT_EQ(controller.ChargeDelay(5000, 2'000'000), 5000u);
  // A writer that waited has paid.
  EXPECT_EQ(controller.ChargeDelay(1000, 2'006'000), 0u);
  // One that comes earlier pays for the one before, too.
  EXPECT_EQ(controller.ChargeDelay(3000, 2'006'000), 3000u);
  EXPECT_EQ(controller.ChargeDelay(1000, 2'007'000), 3000u);
}

TEST(WriteControllerTest, TimeIsNotSavedUpForABurst) {
  WriteController controller;
  controller.Update(WriteStallCondition::kDelayed, 1'000'000);
  EXPECT_EQ(controller.ChargeDelay(1000, 2'000'000), 0u);
  // After a minute there is a millisecond, as before.
  EXPECT_EQ(controller.ChargeDelay(1001, 62'000'000), 1u);
}

TEST(WriteControllerTest, ADebtIsPaidAtTheRateOfItsTime) {
  WriteController controller;
  controller.Update(WriteStallCondition::kDelayed, 1000);
  EXPECT_EQ(controller.ChargeDelay(1, 10), 1000 - 10u);
  controller.Update(WriteStallCondition::kDelayed, 1'000'000);
  EXPECT_EQ(controller.ChargeDelay(1, 10), 1000 - 10u + 1);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
