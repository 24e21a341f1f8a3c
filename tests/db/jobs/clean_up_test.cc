// States, files and logs that were let go of are freed, in the caller's thread
// or by one background job, at the latest on close.
#include "db/jobs/clean_up.h"

#include <gtest/gtest.h>

#include <string>

#include "db/wal/wal_manager.h"
#include "env/job_threads.h"
#include "tests/db/jobs/held_env.h"
#include "tests/db/jobs/jobs_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class CleanUpTest : public ::testing::Test {
 protected:
  CleanUpTest() { parts.obsolete->Arm(); }
  // A file that nothing needs any more.
  void Leave(const std::string& path, uint64_t number) {
    ASSERT_TRUE(WriteStringToFile(parts.world.f.fs.get(), "x", path).ok());
    parts.obsolete->Add(path, kTableFile, number);
  }
  // A state that nobody reads any more.
  void LeaveState() {
    MutexLock lock(&parts.world.mutex);
    for (int i = 0; i < 2; ++i) parts.publisher->Publish(parts.world.cfd);
  }
  bool IsThere(const std::string& path) const {
    return parts.world.f.fs->FileExists(path, IOOptions(), nullptr).ok();
  }
  uint64_t FreedStates() const {
    return parts.world.f.Ticker(NUMBER_SUPERVERSION_CLEANUPS);
  }
  bool IsIdle() {
    MutexLock lock(&parts.world.mutex);
    return parts.scheduler.IsIdle();
  }

  HeldEnv env;
  JobThreads threads;
  JobsWorld parts;
  PageCacheRoom page_cache;
  WalManager wal{{.db = parts.world.f.db.get(),
                  .wal_dir = "/db",
                  .file_options = FileOptions(),
                  .directory = nullptr,
                  .page_cache = &page_cache}};
  CleanUp clean_up{{.env = &env,
                    .mutex = &parts.world.mutex,
                    .stop = &parts.stop,
                    .scheduler = &parts.scheduler,
                    .publisher = parts.publisher.get(),
                    .obsolete = parts.obsolete.get(),
                    .wal = &wal,
                    .threads = &threads}};
};

TEST_F(CleanUpTest, StatesAreFreedAndFilesDeleted) {
  LeaveState();
  Leave("/db/000900.sst", 900);
  EXPECT_EQ(FreedStates(), 0u);
  clean_up.Purge();
  EXPECT_EQ(FreedStates(), 1u);
  EXPECT_FALSE(IsThere("/db/000900.sst"));
  // What may not be deleted keeps no state.
  LeaveState();
  Leave("/db/000901.sst", 901);
  parts.obsolete->DisableDeletions();
  clean_up.Purge();
  EXPECT_EQ(FreedStates(), 3u);
  EXPECT_TRUE(IsThere("/db/000901.sst"));
}

TEST_F(CleanUpTest, OneJobDoesForAllThatIsLeftUntilItBegins) {
  LeaveState();
  Leave("/db/000900.sst", 900);
  EXPECT_FALSE(clean_up.IsScheduled());
  clean_up.Schedule();
  clean_up.Schedule();
  EXPECT_EQ(env.job_count(), 1u);
  EXPECT_TRUE(clean_up.IsScheduled());
  EXPECT_TRUE(IsThere("/db/000900.sst"));
  env.RunNext();
  EXPECT_FALSE(clean_up.IsScheduled());
  EXPECT_FALSE(IsThere("/db/000900.sst"));
  EXPECT_EQ(FreedStates(), 1u);
  EXPECT_TRUE(IsIdle());
  clean_up.Schedule();
  EXPECT_EQ(env.job_count(), 1u);
  env.RunNext();
}

TEST_F(CleanUpTest, WhoeverClosesLeavesNothingToAJob) {
  parts.stop.ShutDown();
  clean_up.Schedule();
  EXPECT_EQ(env.job_count(), 0u);
  EXPECT_FALSE(clean_up.IsScheduled());
}

TEST_F(CleanUpTest, LogsThatASyncHasLeftOpenAreClosed) {
  parts.world.f.db->background_close_inactive_wals = true;
  const auto open_files = [&] {
    return parts.world.f.fs->open_handles(FileKind::kWritable);
  };
  const MutableDBOptions now{DBOptions()};
  const size_t before = open_files();
  ASSERT_TRUE(wal.Switch(100, 1 << 20, now).ok());
  ASSERT_TRUE(wal.Switch(101, 1 << 20, now).ok());
  clean_up.CloseInactiveLogs();
  EXPECT_EQ(env.job_count(), 0u);
  ASSERT_TRUE(wal.Sync().ok());
  clean_up.CloseInactiveLogs();
  ASSERT_EQ(env.job_count(), 1u);
  EXPECT_EQ(open_files(), before + 2);
  clean_up.Purge();  // Closes none.
  EXPECT_EQ(open_files(), before + 2);
  env.RunNext();
  EXPECT_EQ(open_files(), before + 1);
  clean_up.CloseInactiveLogs();
  EXPECT_EQ(env.job_count(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
