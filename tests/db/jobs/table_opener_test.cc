// Tables that are opened in the background are opened once, on several threads,
// and what cannot be opened is a background error.
#include "db/jobs/table_opener.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/job_errors.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/registry/change_signal.h"
#include "db/registry/family_registry.h"
#include "db/version/version_edit.h"
#include "db/write/write_controller.h"
#include "env/job_threads.h"
#include "tests/db/compaction/job_world.h"
#include "tests/db/jobs/held_env.h"
#include "tests/db/tables/table_opens.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TableOpenerTest : public ::testing::Test, private JobErrors {
 protected:
  ~TableOpenerTest() override {
    const FamilyRegistry::Map taken = families_.TakeAll();
  }
  // A database of so many tables, none of which is open.
  void Write(int count) {
    opens_ = std::make_shared<TableOpens>(world_.f.fs);
    world_.file_system = opens_;
    world_.Create();
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(
          world_.Flush("a@" + std::to_string(i + 1) + "=x b@100=y").ok());
    }
    world_.f.reader_cache = NewLRUCache(100);  // It knows none of them.
    RecoverOptions recover;
    recover.opens_tables = false;
    world_.Reopen(recover);
    MutexLock lock(&world_.mutex);
    families_.Add(
        std::make_shared<FamilyEntry>(world_.cfd->shared_from_this()));
    opens_->count = 0;
    world_.f.db->env = &env_;
    opener_ = std::make_unique<TableOpener>(
        TableOpener::Context{.db = world_.f.db.get(),
                             .mutex = &world_.mutex,
                             .changes = &changes_,
                             .stop = &stop_,
                             .scheduler = &scheduler_,
                             .threads = &threads_});
  }
  void Start() { Start(this); }
  void Start(JobErrors* errors) {
    MutexLock lock(&world_.mutex);
    opener_->Start(families_.LiveTables(), errors);
  }
  bool IsPending() {
    MutexLock lock(&world_.mutex);
    return opener_->IsPending();
  }
  void Lose(const FileRef& file) const {
    ASSERT_TRUE(world_.f.fs
                    ->DeleteFile(TableFileName("/db", file->number),
                                 IOOptions(), nullptr)
                    .ok());
  }
  // All are open.
  void ExpectWhole(const std::vector<FileRef>& files) {
    for (const FileRef& file : files) {
      EXPECT_TRUE(file->has_properties) << file->number;
      EXPECT_EQ(file->entry_count, 2u);
    }
  }

  JobWorld world_;
  std::shared_ptr<TableOpens> opens_;
  HeldEnv env_;
  ChangeSignal changes_{&world_.mutex};
  StopSignals stop_;
  ErrorHandler errors_{/*paranoid_checks=*/true};
  ManualQueue manual_;
  WriteController controller_;
  FamilyRegistry families_;
  JobThreads threads_;
  BackgroundScheduler scheduler_{{.env = &env_,
                                  .mutex = &world_.mutex,
                                  .changes = &changes_,
                                  .stop = &stop_,
                                  .errors = &errors_,
                                  .manual = &manual_,
                                  .writes = &controller_,
                                  .work = nullptr}};
  std::unique_ptr<TableOpener> opener_;
  std::vector<Status> told_;

 private:
  void OnBackgroundError(const Status& status,
                         BackgroundErrorReason reason) override {
    world_.mutex.AssertHeld();
    EXPECT_EQ(reason, BackgroundErrorReason::kAsyncFileOpen);
    told_.push_back(status);
  }
  bool OnManifestError(const Status&) override { return false; }
  void CheckSpaceLimit() override {}
};

TEST_F(TableOpenerTest, TablesAreOpenedByAJob) {
  Write(3);
  Start();
  EXPECT_TRUE(IsPending());
  EXPECT_EQ(opens_->count, 0);
  opens_->before_open = [this] {
    MutexLock lock(&world_.mutex);
    EXPECT_TRUE(scheduler_.IsFinishing());
  };
  env_.RunNext();
  EXPECT_EQ(opens_->count, 3);
  EXPECT_FALSE(IsPending());
  ExpectWhole(world_.Files(0));
  EXPECT_TRUE(told_.empty());
  MutexLock lock(&world_.mutex);
  EXPECT_FALSE(scheduler_.IsFinishing());
}

TEST_F(TableOpenerTest, WhereThereAreNoTablesThereIsNoJob) {
  Write(0);
  Start();
  EXPECT_FALSE(IsPending());
  EXPECT_EQ(env_.job_count(), 0u);
}

TEST_F(TableOpenerTest, SeveralThreadsOpenEachTableOnce) {
  world_.f.db_options.max_file_opening_threads = 4;
  Write(20);
  Start();
  env_.RunNext();
  EXPECT_EQ(opens_->count, 20);
  ExpectWhole(world_.Files(0));
}

// The job runs when the mutex is given back.
TEST_F(TableOpenerTest, WhoeverAwaitsItFindsThemOpen) {
  Write(2);
  Start();
  std::thread job;
  {
    MutexLock lock(&world_.mutex);
    job = std::thread([this] { env_.RunNext(); });
    opener_->Await();
    EXPECT_FALSE(opener_->IsPending());
    EXPECT_EQ(opens_->count, 2);
    opener_->Await();
  }
  job.join();
}

// --- a table cache that is bounded

TEST_F(TableOpenerTest, OfManyTablesSomeAreOpened) {
  std::atomic<bool> pins{false};
  world_.pins_readers = &pins;
  world_.f.db_options.paranoid_checks = false;
  Write(18);
  Lose(world_.Files(0).back());
  Start();
  env_.RunNext();
  EXPECT_EQ(opens_->count, 16);
  EXPECT_TRUE(told_.empty());
}

TEST_F(TableOpenerTest, TheOthersAreLookedAtByWhoIsParanoid) {
  std::atomic<bool> pins{false};
  world_.pins_readers = &pins;
  Write(18);
  const FileRef lost = world_.Files(0).back();
  Lose(lost);
  Start();
  env_.RunNext();
  EXPECT_EQ(opens_->count, 16);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_TRUE(told_[0].IsCorruption());
  EXPECT_NE(told_[0].ToString().find(TableFileName("/db", lost->number)),
            std::string::npos);
}

// --- what goes wrong

TEST_F(TableOpenerTest, OneThatCannotBeOpenedIsABackgroundError) {
  Write(4);
  const std::vector<FileRef> files = world_.Files(0);
  Lose(files[1]);
  Lose(files[2]);
  Start();
  env_.RunNext();
  ASSERT_EQ(told_.size(), 1u);  // the first one
  EXPECT_TRUE(told_[0].IsCorruption()) << told_[0].ToString();
  EXPECT_FALSE(IsPending());
  // The others are open all the same.
  ExpectWhole({files[0], files[3]});
}

TEST_F(TableOpenerTest, AReadThatFailsIsNoCorruption) {
  Write(2);
  Fault fault;
  fault.call = 1;
  fault.scope = FaultScope::kAllCalls;
  fault.path_contains = ".sst";
  world_.f.fs->FailCall(fault);
  Start();
  env_.RunNext();
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_TRUE(told_[0].IsIOError()) << told_[0].ToString();
}

TEST_F(TableOpenerTest, WhereNobodyIsToldErrorsAreOnlyLogged) {
  Write(1);
  Lose(world_.Files(0)[0]);
  Start(nullptr);
  env_.RunNext();
  EXPECT_TRUE(told_.empty());
  EXPECT_FALSE(IsPending());
}

// --- what ends early

TEST_F(TableOpenerTest, AJobThatHasNotBegunIsTakenBack) {
  Write(2);
  Start();
  std::thread canceling;
  {
    MutexLock lock(&world_.mutex);
    canceling = std::thread([this] { opener_->Cancel(); });
    opener_->Await();
    EXPECT_FALSE(opener_->IsPending());
  }
  canceling.join();
  EXPECT_EQ(env_.job_count(), 0u);
  EXPECT_EQ(opens_->count, 0);
}

TEST_F(TableOpenerTest, AJobThatHasBegunIsNot) {
  Write(2);
  Start();
  opens_->before_open = [this] {
    opener_->Cancel();
    EXPECT_TRUE(IsPending());
  };
  env_.RunNext();
  EXPECT_FALSE(IsPending());
  EXPECT_EQ(opens_->count, 2);
}

TEST_F(TableOpenerTest, WhenTheDatabaseIsClosedNoOtherTableIsOpened) {
  world_.f.db_options.max_file_opening_threads = 1;
  Write(3);
  Start();
  opens_->before_open = [this] { stop_.ShutDown(); };
  env_.RunNext();
  EXPECT_EQ(opens_->count, 1);
  EXPECT_FALSE(IsPending());
  EXPECT_TRUE(told_.empty());
}

TEST_F(TableOpenerTest, ATableThatHasLeftIsNotOpened) {
  Write(3);
  Start();
  {
    VersionEdit edit;
    edit.DeleteFile(0, world_.Files(0)[1]->number);
    MutexLock lock(&world_.mutex);
    ASSERT_TRUE(world_.versions
                    ->LogAndApply({{world_.cfd, &edit}}, world_.directory.get())
                    .ok());
  }
  env_.RunNext();
  EXPECT_EQ(opens_->count, 2);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
