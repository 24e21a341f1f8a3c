// A family is queued for compaction exactly when something is due in it: after
// a change, a delay after a failure, free room in its limiter, or files that
// have grown old.
#include "db/jobs/compaction_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/compaction/compaction_picker.h"
#include "db/manifest/version_set.h"
#include "db/registry/change_signal.h"
#include "db/registry/current_options.h"
#include "db/semantics/snapshot_list.h"
#include "db/write/write_controller.h"
#include "tests/db/registry/family_world.h"
#include "util/task_limiter.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Says what a test wants it to.
class ToldPicker final : public CompactionPicker {
 public:
  bool NeedsCompaction(const VersionStorage& /*storage*/) const override {
    return needs;
  }
  std::unique_ptr<Compaction> Pick(const Input& /*input*/) override {
    return nullptr;
  }

  bool needs = true;
};

// Nothing is run: the scheduler is not open unless a test opens it in a pause.
class CompactionQueueTest : public ::testing::Test, private BackgroundWork {
 protected:
  CompactionQueueTest() {
    VersionSet::Context context;
    context.db_path = "/db";
    context.db = world.f.db.get();
    context.families = world.context;
    context.mutex = &world.mutex;
    versions = std::make_unique<VersionSet>(std::move(context));
    queue = std::make_unique<CompactionQueue>(
        CompactionQueue::Context{.db = world.f.db.get(),
                                 .mutex = &world.mutex,
                                 .options = &options,
                                 .families = &world.families,
                                 .scheduler = &scheduler,
                                 .snapshots = &snapshots,
                                 .changes = &changes,
                                 .stop = &stop,
                                 .versions = versions.get()});
    MutexLock lock(&world.mutex);
    scheduler.SetLimits(*options);
    scheduler.Pause();
    scheduler.Open();
  }
  void FlushInBackground() override {}
  void CompactInBackground() override {}
  void CompactToBottomInBackground() override {}

  FamilyRef AddFamily(uint32_t id, bool needs = true) {
    const FamilyRef family = world.Add(id, "f" + std::to_string(id));
    auto picker = std::make_unique<ToldPicker>();
    picker->needs = needs;
    MutexLock lock(&world.mutex);
    family->picker = std::move(picker);
    return family;
  }
  size_t Queued() {
    MutexLock lock(&world.mutex);
    return scheduler.queued_compactions();
  }
  bool HasWaiting() {
    MutexLock lock(&world.mutex);
    return queue->HasWaiting();
  }

  FamilyWorld world;
  CurrentOptions options{&world.mutex, DBOptions()};
  ChangeSignal changes{&world.mutex};
  StopSignals stop;
  ErrorHandler errors{/*paranoid_checks=*/true};
  ManualQueue manual;
  WriteController writes;
  SnapshotList snapshots;
  BackgroundScheduler scheduler{{.env = Env::Default(),
                                 .mutex = &world.mutex,
                                 .changes = &changes,
                                 .stop = &stop,
                                 .errors = &errors,
                                 .manual = &manual,
                                 .writes = &writes,
                                 .work = this}};
  std::unique_ptr<VersionSet> versions;
  std::unique_ptr<CompactionQueue> queue;
};

TEST_F(CompactionQueueTest, WhatHasNothingDueIsNotQueued) {
  const FamilyRef due = AddFamily(0);
  const FamilyRef idle = AddFamily(1, /*needs=*/false);
  world.f.family.disable_auto_compactions = true;
  const FamilyRef manual_only = AddFamily(2);
  {
    MutexLock lock(&world.mutex);
    queue->AddAll();
    queue->Add(due->cfd.get());  // Once is enough.
  }
  EXPECT_EQ(Queued(), 1u);
  EXPECT_TRUE(due->cfd->schedule.queued_for_compaction);
  EXPECT_FALSE(idle->cfd->schedule.queued_for_compaction);
  EXPECT_FALSE(manual_only->cfd->schedule.queued_for_compaction);
}

TEST_F(CompactionQueueTest, AFamilyThatIsGoneHasNothingDue) {
  const FamilyRef family = AddFamily(0);
  MutexLock lock(&world.mutex);
  world.families.Remove(0);
  queue->Add(family->cfd.get());
  EXPECT_EQ(scheduler.queued_compactions(), 0u);
}

TEST_F(CompactionQueueTest, WhatFailedWaitsUntilItNeedNot) {
  const FamilyRef family = AddFamily(0);
  world.f.db->bgerror_resume_retry_interval = 3'600'000'000;
  EXPECT_FALSE(HasWaiting());
  {
    MutexLock lock(&world.mutex);
    queue->RetryLater(family.get());
    EXPECT_TRUE(family->retry_at.has_value());
  }
  EXPECT_TRUE(HasWaiting());
  EXPECT_EQ(Queued(), 0u);
  {
    MutexLock lock(&world.mutex);
    queue->RetryNow();
  }
  EXPECT_FALSE(HasWaiting());
  EXPECT_EQ(Queued(), 1u);
  queue->StopRetries();
}

TEST_F(CompactionQueueTest, AfterAnEndNothingIsTriedAgain) {
  const FamilyRef family = AddFamily(0);
  MutexLock lock(&world.mutex);
  family->retry_at = RetryTime::min();
  stop.ShutDown();
  queue->RetryNow();
  EXPECT_EQ(scheduler.queued_compactions(), 0u);
  EXPECT_TRUE(family->retry_at.has_value());
}

TEST_F(CompactionQueueTest, WhatALimiterKeepsWaitingIsQueuedWhenItHasRoom) {
  const FamilyRef family = AddFamily(0);
  const auto limiter = std::make_shared<TaskLimiter>("one", 1);
  {
    MutexLock lock(&world.mutex);
    ASSERT_TRUE(queue->TakeLimit(limiter.get(), family.get()));
    EXPECT_FALSE(queue->TakeLimit(limiter.get(), family.get()));
  }
  EXPECT_TRUE(HasWaiting());
  EXPECT_EQ(Queued(), 0u);
  limiter->GiveBack();
  EXPECT_FALSE(HasWaiting());
  EXPECT_EQ(Queued(), 1u);
}

TEST_F(CompactionQueueTest, OldFilesAreLookedAtWhileItIsOpen) {
  AddFamily(0);
  queue->CheckAges();
  EXPECT_EQ(Queued(), 1u);
  stop.ShutDown();
  const FamilyRef later = AddFamily(1);
  queue->CheckAges();
  EXPECT_EQ(Queued(), 1u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
