// Logs that take over the files of older ones, and logs that are compressed:
// what is left of an older log is never replayed, and never taken for damage.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/fault_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const std::string kDefaultFamily = kDefaultColumnFamilyName;

class WalRecyclingTest : public ::testing::TestWithParam<CompressionType> {
 protected:
  static void Configure(FaultWorld* world) {
    world->options_.recycle_log_file_num = 2;
    world->options_.wal_compression = GetParam();
  }
  static std::vector<std::string> Logs(FaultWorld* world) {
    std::vector<std::string> names;
    EXPECT_OK(world->env_->GetChildren(FaultWorld::kPath, &names));
    std::erase_if(
        names, [](const std::string& name) { return !name.ends_with(".log"); });
    return names;
  }
  // The power goes: closing reaches the device no more.
  static void Crash(FaultWorld* world, int survival_percent) {
    world->fs_->FailCall({.call = 1, .is_permanent = true});
    IgnoreError(world->Close(), "the device is gone");
    const IOStatus s =
        world->fs_->CrashAndHeal({.survival_percent = survival_percent});
    ASSERT_TRUE(s.ok());
  }
  // Logs come and go; the files stay.
  static void GrowAndTurn(FaultWorld* world, int turns) {
    for (int turn = 0; turn < turns; ++turn) {
      for (int i = 0; i < 30 - turn; ++i)
        ASSERT_OK(world->Write(kDefaultFamily));
      ASSERT_OK(world->FlushAll());
    }
  }
};

TEST_P(WalRecyclingTest, FilesAreUsedAgain) {
  FaultWorld world(1, false, 1000);
  Configure(&world);
  ASSERT_OK(world.Open());
  GrowAndTurn(&world, 6);
  // The present log and the one to come.
  EXPECT_EQ(Logs(&world).size(), 2u);
  ASSERT_OK(world.Write(kDefaultFamily, true));
  VectorWalPtr files;
  ASSERT_OK(world.db_->GetSortedWalFiles(files));
  ASSERT_EQ(files.size(), 1u);
  // One write in it, and behind that the bytes of the log before.
  uint64_t on_disk = 0;
  ASSERT_OK(world.env_->GetFileSize(FaultWorld::kPath + files[0]->PathName(),
                                    &on_disk));
  const uint64_t least = GetParam() == kNoCompression ? 10000u : 1000u;
  EXPECT_GT(on_disk, least);
  EXPECT_LT(files[0]->SizeFileBytes(), least);
  EXPECT_EQ(world.Check(true), "");
  Crash(&world, 0);
  ASSERT_OK(world.Open());
  EXPECT_EQ(world.Check(false), "");
}

// Fault class 9. A clean close leaves no stale bytes, so that every recovery
// mode opens the database.
TEST_P(WalRecyclingTest, ACleanCloseCutsTheLog) {
  for (const WALRecoveryMode mode :
       {WALRecoveryMode::kTolerateCorruptedTailRecords,
        WALRecoveryMode::kAbsoluteConsistency,
        WALRecoveryMode::kPointInTimeRecovery,
        WALRecoveryMode::kSkipAnyCorruptedRecords}) {
    FaultWorld world(1, false, 1000);
    Configure(&world);
    ASSERT_OK(world.Open());
    GrowAndTurn(&world, 3);
    for (int i = 0; i < 7; ++i) ASSERT_OK(world.Write(kDefaultFamily));
    world.history_.NoteAllDurable();
    ASSERT_OK(world.Close());
    world.options_.wal_recovery_mode = mode;
    ASSERT_OK(world.Open());
    EXPECT_EQ(world.Check(true), "") << static_cast<int>(mode);
  }
}

// Fault class 9: crashes while a file of an older log is written over, with
// two families, of which one is flushed.
TEST_P(WalRecyclingTest, CrashesInTheMiddle) {
  int resumed_with_less = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    FaultWorld world(seed, false, 3000);
    Configure(&world);
    ASSERT_OK(world.Open());
    ASSERT_OK(world.CreateFamily("b"));
    GrowAndTurn(&world, 4);
    for (uint64_t i = 0; i < 40; ++i) {
      ASSERT_OK(
          world.Write(i % 3 == 0 ? "b" : kDefaultFamily, i == 5 + seed % 10));
      if (i == seed % 40) {
        ASSERT_OK(world.db_->Flush(
            FlushOptions(),
            world.Handle(seed % 2 == 0 ? "b" : kDefaultFamily)));
      }
    }
    const size_t survivors = seed % 4;
    constexpr int kPercents[] = {0, 10, 50, 100};
    Crash(&world, kPercents[survivors]);
    ASSERT_OK(world.Open());
    ASSERT_EQ(world.Check(false), "");
    if (world.history_.TakeOver() > 0) ++resumed_with_less;
    // The next sessions find that log too, or what follows it.
    for (int i = 0; i < 5; ++i) ASSERT_OK(world.Write("b", i == 2));
    Crash(&world, 0);
    ASSERT_OK(world.Open());
    ASSERT_EQ(world.Check(false), "");
  }
  EXPECT_GT(resumed_with_less, 10);
}

// Fault class 9. Logs of a session that did not recycle are of another form:
// behind the records that were written over them they would be taken for
// damage.
TEST_P(WalRecyclingTest, LogsOfAnEarlierSessionAreNotUsedAgain) {
  FaultWorld world(1, false, 1000);
  world.options_.avoid_flush_during_recovery = true;
  ASSERT_OK(world.Open());
  for (int i = 0; i < 30; ++i) ASSERT_OK(world.Write(kDefaultFamily));
  ASSERT_OK(world.Close());
  Configure(&world);
  ASSERT_OK(world.Open());
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(world.FlushAll());
    ASSERT_OK(world.Write(kDefaultFamily, true));
  }
  Crash(&world, 100);
  world.options_.wal_recovery_mode = WALRecoveryMode::kAbsoluteConsistency;
  ASSERT_OK(world.Open());
  EXPECT_EQ(world.Check(false), "");
}

// A write past the log leaves a gap between two logs, which a reader that
// stopped at a stale record of the first one would take for a hole.
TEST_P(WalRecyclingTest, AGapBetweenTwoLogsIsNoHole) {
  FaultWorld world(1, false, 1000);
  Configure(&world);
  ASSERT_OK(world.Open());
  GrowAndTurn(&world, 3);
  DB* db = world.db_.get();
  ASSERT_OK(db->Put(WriteOptions(), "before", "1"));
  WriteOptions past;
  past.disableWAL = true;
  ASSERT_OK(db->Put(past, "unlogged", "2"));
  ASSERT_OK(db->PauseBackgroundWork());
  FlushOptions no_wait;
  no_wait.wait = false;
  ASSERT_OK(db->Flush(no_wait));
  ASSERT_OK(db->Put(WriteOptions(), "after", "3"));
  VectorWalPtr files;
  ASSERT_OK(db->GetSortedWalFiles(files));
  ASSERT_EQ(files.size(), 2u);
  Crash(&world, 100);
  ASSERT_OK(world.Open());
  std::string value;
  ASSERT_OK(world.db_->Get(ReadOptions(), "before", &value));
  ASSERT_OK(world.db_->Get(ReadOptions(), "after", &value));
  EXPECT_EQ(value, "3");
}

// Every call fails once; then the system crashes.
TEST_P(WalRecyclingTest, FailuresInTheMiddle) {
  bool struck = true;
  uint64_t k = 1;
  for (; struck; ++k) {
    SCOPED_TRACE(k);
    FaultWorld world(k, false, 300);
    Configure(&world);
    ASSERT_OK(world.Open());
    ASSERT_OK(world.CreateFamily("b"));
    GrowAndTurn(&world, 3);
    world.fs_->FailCall(
        {.call = k,
         .kind = k % 2 == 0 ? FaultKind::kShort : FaultKind::kNoSpace});
    for (int i = 0; i < 6; ++i) {
      Status s = world.Write(i % 2 == 0 ? kDefaultFamily : "b", i % 3 == 0);
      if (s.ok() && i % 2 == 1) s = world.FlushAll();
      if (!s.ok()) ASSERT_OK(world.db_->Resume());
    }
    struck = world.fs_->failed();
    world.fs_->ClearFault();
    ASSERT_EQ(world.Check(true), "");
    EXPECT_EQ(world.watch_->violations(), std::vector<std::string>{});
    Crash(&world, 0);
    ASSERT_OK(world.Open());
    ASSERT_EQ(world.Check(false), "");
    ASSERT_OK(world.Close());
    EXPECT_EQ(world.fs_->open_handles(), 0u);
  }
  EXPECT_GT(k, 20u);
}

INSTANTIATE_TEST_SUITE_P(Forms, WalRecyclingTest,
                         ::testing::Values(kNoCompression, kZSTD),
                         [](const auto& info) {
                           return info.param == kZSTD
                                      ? std::string("Compressed")
                                      : std::string("Plain");
                         });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
