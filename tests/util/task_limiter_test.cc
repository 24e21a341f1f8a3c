// A task limiter gives out as many places as it has and tells each waiter once
// that there is room.
#include "util/task_limiter.h"

#include <gtest/gtest.h>

#include <memory>

namespace ROCKSDB_NAMESPACE {
namespace {

class CountingWaiter : public TaskLimiter::Waiter {
 public:
  void OnRoom() override { ++told; }
  int told = 0;
};

class TaskLimiterTest : public ::testing::Test {
 protected:
  const std::shared_ptr<CountingWaiter> waiter_ =
      std::make_shared<CountingWaiter>();
};

TEST_F(TaskLimiterTest, GivesAsManyPlacesAsItHas) {
  const std::unique_ptr<ConcurrentTaskLimiter> made(
      NewConcurrentTaskLimiter("two", 2));
  auto* limiter = dynamic_cast<TaskLimiter*>(made.get());
  ASSERT_NE(limiter, nullptr);
  EXPECT_EQ(limiter->GetName(), "two");
  EXPECT_TRUE(limiter->Take(waiter_));
  EXPECT_TRUE(limiter->Take(waiter_));
  EXPECT_EQ(limiter->GetOutstandingTask(), 2);
  EXPECT_FALSE(limiter->Take(waiter_));
  EXPECT_EQ(limiter->GetOutstandingTask(), 2);
  EXPECT_EQ(waiter_->told, 0);
  limiter->GiveBack();
  EXPECT_EQ(waiter_->told, 1);
  EXPECT_TRUE(limiter->Take(waiter_));
}

TEST_F(TaskLimiterTest, TellsEachWaiterOnce) {
  TaskLimiter limiter("none", 0);
  const auto other = std::make_shared<CountingWaiter>();
  EXPECT_FALSE(limiter.Take(waiter_));
  EXPECT_FALSE(limiter.Take(waiter_));
  EXPECT_FALSE(limiter.Take(other));
  limiter.SetMaxOutstandingTask(0);
  EXPECT_EQ(waiter_->told, 0);
  limiter.SetMaxOutstandingTask(1);
  EXPECT_EQ(waiter_->told, 1);
  EXPECT_EQ(other->told, 1);
  limiter.SetMaxOutstandingTask(2);
  EXPECT_EQ(waiter_->told, 1) << "it waits no more";
}

TEST_F(TaskLimiterTest, WhoMustRunTakesAPlaceThatIsNotThere) {
  TaskLimiter limiter("one", 1);
  limiter.TakeInAnyCase();
  limiter.TakeInAnyCase();
  EXPECT_EQ(limiter.GetOutstandingTask(), 2);
  EXPECT_FALSE(limiter.Take(waiter_));
  limiter.GiveBack();
  EXPECT_EQ(waiter_->told, 0) << "there is no room yet";
  limiter.GiveBack();
  EXPECT_EQ(waiter_->told, 1);
}

TEST_F(TaskLimiterTest, MayHaveNoLimit) {
  TaskLimiter limiter("any", 0);
  EXPECT_FALSE(limiter.Take(waiter_));
  limiter.ResetMaxOutstandingTask();
  EXPECT_EQ(waiter_->told, 1);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(limiter.Take(waiter_));
  EXPECT_EQ(limiter.GetOutstandingTask(), 100);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
