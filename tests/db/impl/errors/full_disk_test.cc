// A full disk in the middle of a flush, a compaction, a write to the log or to
// the manifest: a background error that says so, reads that go on, nothing
// lost, and work again once there is space and Resume() is called. And syncs
// that fail: they are never tried again on the same file.
#include <string>

#include "rocksdb/statistics.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/fault_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const std::string kDefaultFull = kDefaultColumnFamilyName;

class FullDiskTest : public ::testing::Test {
 protected:
  void Start(FaultWorld* world) {
    ASSERT_OK(world->Open());
    ASSERT_OK(world->CreateFamily("b"));
    WriteSome(world);
    ASSERT_OK(world->FlushAll());
    WriteSome(world);
    ASSERT_OK(world->FlushAll());
    WriteSome(world);
  }
  void WriteSome(FaultWorld* world) {
    for (int i = 0; i < 6; ++i) {
      ASSERT_OK(world->Write(i % 2 == 0 ? kDefaultFull : "b"));
    }
  }
  // Fails every call, from the k-th on, on files of that name.
  static Fault DiskFull(uint64_t k, const std::string& files) {
    return {.call = k,
            .kind = FaultKind::kNoSpace,
            .is_permanent = true,
            .path_contains = files};
  }
  // While the disk is full writes say so and reads go on.
  void ExpectRefusal(FaultWorld* world) {
    for (const bool sync : {false, true}) {
      const Status s = world->Write(kDefaultFull, sync);
      ASSERT_TRUE(s.IsNoSpace()) << s.ToString();
      ASSERT_NE(s.ToString().find("No space"), std::string::npos)
          << s.ToString();
    }
    uint64_t errors = 0;
    ASSERT_TRUE(
        world->db_->GetIntProperty(DB::Properties::kBackgroundErrors, &errors));
    ASSERT_GT(errors, 0u);
    ASSERT_EQ(world->Check(true), "");
  }
  // There is space again.
  void ExpectRecovery(FaultWorld* world) {
    world->fs_->ClearFault();
    ASSERT_OK(world->db_->Resume());
    ASSERT_EQ(world->Check(true), "");
    WriteSome(world);
    ASSERT_OK(world->Write("b", /*sync=*/true));
    ASSERT_OK(world->FlushAll());
    ASSERT_OK(world->CompactAll(world->Handle(kDefaultFull)));
    WriteSome(world);
    ASSERT_EQ(world->Check(true), "");
    ASSERT_OK(world->Close());
    EXPECT_EQ(world->fs_->open_handles(), 0u);
    EXPECT_EQ(world->watch_->violations(), std::vector<std::string>{});
    ASSERT_TRUE(world->fs_->CrashAndHeal().ok());
    ASSERT_OK(world->Open());
    EXPECT_EQ(world->Check(false), "");
  }
  // `step` under a disk that is full from the k-th call on such files on.
  template <typename Step>
  void Try(const std::string& files, uint64_t* k, Step step) {
    bool struck = true;
    for (; struck; ++*k) {
      SCOPED_TRACE(files + " from call " + std::to_string(*k) + " on");
      FaultWorld world(*k, *k % 2 == 0, 100);
      Start(&world);
      if (HasFatalFailure()) return;
      world.fs_->FailCall(DiskFull(*k, files));
      const Status s = step(&world);
      struck = world.fs_->failed();
      ASSERT_TRUE(s.ok() || s.IsNoSpace()) << s.ToString();
      if (!s.ok()) {
        ExpectRefusal(&world);
        if (HasFatalFailure()) return;
        // Too early.
        ASSERT_TRUE(world.db_->Resume().IsNoSpace());
        ExpectRefusal(&world);
      }
      if (!HasFatalFailure()) ExpectRecovery(&world);
      if (HasFatalFailure()) return;
    }
  }
};

TEST_F(FullDiskTest, Flush) {
  uint64_t k = 1;
  Try(".sst", &k, [](FaultWorld* world) { return world->FlushAll(); });
  EXPECT_GT(k, 5u);
}

TEST_F(FullDiskTest, Log) {
  uint64_t k = 1;
  Try(".log", &k,
      [](FaultWorld* world) { return world->Write(kDefaultFull, true); });
  EXPECT_GT(k, 2u);
}

TEST_F(FullDiskTest, Manifest) {
  uint64_t k = 1;
  Try("MANIFEST", &k, [](FaultWorld* world) { return world->FlushAll(); });
  EXPECT_GT(k, 2u);
}

TEST_F(FullDiskTest, EveryFile) {
  uint64_t k = 1;
  Try("", &k, [](FaultWorld* world) { return world->FlushAll(); });
  EXPECT_GT(k, 10u);
}

TEST_F(FullDiskTest, ANewLogThatCannotBeMade) {
  FaultWorld world(1, false, 100);
  Start(&world);
  world.fs_->FailCall(DiskFull(1, ".log"));
  const Status s = world.FlushAll();
  ASSERT_TRUE(s.IsNoSpace()) << s.ToString();
  ExpectRefusal(&world);
  ExpectRecovery(&world);
}

// A compaction that fails takes nothing away: writes go on.
TEST_F(FullDiskTest, Compaction) {
  bool struck = true;
  uint64_t k = 1;
  for (; struck; ++k) {
    SCOPED_TRACE(k);
    FaultWorld world(k, k % 2 == 0, 100);
    Start(&world);
    ASSERT_OK(world.FlushAll());
    world.fs_->FailCall(DiskFull(k, ".sst"));
    const Status s = world.CompactAll(world.Handle(kDefaultFull));
    struck = world.fs_->failed();
    if (!s.ok()) {
      ASSERT_TRUE(s.IsNoSpace()) << s.ToString();
      ASSERT_OK(world.Write(kDefaultFull, /*sync=*/true));
      ASSERT_EQ(world.Check(true), "");
    }
    ExpectRecovery(&world);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(k, 5u);
}

TEST_F(FullDiskTest, ABackgroundFlushStopsTheWriters) {
  FaultWorld world(1, false, 2000);
  world.options_.write_buffer_size = 64 << 10;
  Start(&world);
  world.fs_->FailCall(DiskFull(1, ".sst"));
  Status s;
  for (int i = 0; i < 1000 && s.ok(); ++i) s = world.Write(kDefaultFull);
  EXPECT_TRUE(s.IsNoSpace()) << s.ToString();
  ExpectRefusal(&world);
  ExpectRecovery(&world);
}

// --- a device that is really full

class SmallDiskTest : public DbFixture {
 protected:
  ~SmallDiskTest() override { db_.reset(); }

  std::unique_ptr<Env> env_;  // outlives the database, however a test ends
};

TEST_F(SmallDiskTest, FillsUpAndGoesOn) {
  MemFileSystemOptions small;
  small.implicit_directories = true;
  small.capacity_bytes = 4 << 20;
  const auto fs =
      std::make_shared<MemFileSystem>(SystemClock::Default(), small);
  env_ = NewCompositeEnv(fs);
  options_.env = env_.get();
  options_.write_buffer_size = 256 << 10;
  // A compaction could take the space that Resume() counts on, and a log that
  // is removed only now give some to a recovery that begins by itself.
  options_.disable_auto_compactions = true;
  options_.max_bgerror_resume_count = 0;
  const std::string filler(1 << 20, 'f');
  ASSERT_TRUE(WriteStringToFile(fs.get(), filler, "/filler").ok());
  Open();
  const std::string value(1000, 'v');
  int written = 0;
  Status s;
  while (s.ok()) {
    ASSERT_LT(written, 10000);
    s = Put("key" + std::to_string(written), value + std::to_string(written));
    if (s.ok()) ++written;
  }
  EXPECT_TRUE(s.IsNoSpace()) << s.ToString();
  EXPECT_GT(written, 1000);
  EXPECT_TRUE(Put("more", "").IsNoSpace());
  const auto expect_all = [&] {
    for (int i = 0; i < written; ++i) {
      ASSERT_EQ(Get("key" + std::to_string(i)), value + std::to_string(i));
    }
  };
  expect_all();
  ASSERT_TRUE(fs->DeleteFile("/filler", IOOptions(), nullptr).ok());
  ASSERT_OK(db_->Resume());
  expect_all();
  ASSERT_OK(Put("more", "now"));
  Reopen();
  expect_all();
  EXPECT_EQ(Get("more"), "now");
}

// --- syncs that fail

class FailedSyncTest : public FullDiskTest {};

TEST_F(FailedSyncTest, WhatWasWrittenToTheLogIsCounted) {
  FaultWorld world(1, false, 100);
  const std::shared_ptr<Statistics> statistics = CreateDBStatistics();
  world.options_.statistics = statistics;
  Start(&world);
  const uint64_t bytes = statistics->getTickerCount(WAL_FILE_BYTES);
  const uint64_t writes = statistics->getTickerCount(WRITE_WITH_WAL);
  EXPECT_GT(writes, 0u);
  world.fs_->FailCall({.call = 1,
                       .kind = FaultKind::kSyncFailure,
                       .is_permanent = false,
                       .path_contains = ".log"});
  EXPECT_TRUE(world.Write(kDefaultFull, /*sync=*/true).IsIOError());
  EXPECT_GT(statistics->getTickerCount(WAL_FILE_BYTES), bytes);
  EXPECT_EQ(statistics->getTickerCount(WRITE_WITH_WAL), writes + 1);
}

TEST_F(FailedSyncTest, IsNeverTriedAgainOnTheSameFile) {
  for (const char* files : {".log", ".sst", "MANIFEST"}) {
    for (const bool is_permanent : {false, true}) {
      SCOPED_TRACE(files);
      FaultWorld world(1, false, 100);
      Start(&world);
      world.fs_->FailCall({.call = 1,
                           .kind = FaultKind::kSyncFailure,
                           .is_permanent = is_permanent,
                           .path_contains = files});
      const bool is_log = files == std::string(".log");
      const Status s =
          is_log ? world.Write(kDefaultFull, /*sync=*/true) : world.FlushAll();
      ASSERT_TRUE(s.IsIOError()) << s.ToString();
      // It is not reported as success later either.
      EXPECT_FALSE(world.db_->SyncWAL().ok() && is_log);
      EXPECT_FALSE(world.Write(kDefaultFull, /*sync=*/true).ok());
      EXPECT_EQ(world.Check(true), "");
      if (is_permanent) {
        EXPECT_FALSE(world.db_->Resume().ok() && !is_log);
      }
      ExpectRecovery(&world);
      if (HasFatalFailure()) return;
      EXPECT_GE(world.watch_->failed_syncs(), 1u);
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
