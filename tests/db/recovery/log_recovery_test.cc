// Replaying logs at open restores what tables lack, treats damage as the
// recovery mode says, and loses nothing whichever call fails.
#include "db/recovery/log_recovery.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "db/version/version_edit.h"
#include "db/wal/prepared_sections.h"
#include "rocksdb/write_buffer_manager.h"
#include "tests/db/recovery/recovery_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(LogRecoveryTest, WhatLogsHoldGoesToTables) {
  RecoveryWorld w;
  w.WriteLog(10, {LoggedPut(1, "a"), LoggedPut(2, "b")});
  w.WriteLog(12, {LoggedPut(3, "c")});
  ASSERT_TRUE(w.Replay().ok());
  EXPECT_EQ(w.world.Dump(), "L0 [a@1=v b@2=v c@3=v]");
  EXPECT_EQ(w.LastSequence(), 3u);
  // The session's first log is newer, and the older ones are not needed.
  EXPECT_GT(w.CurrentLog(), 12u);
  EXPECT_EQ(w.MinLogToKeep(), w.CurrentLog());
  EXPECT_EQ(w.world.cfd->log_number(), w.CurrentLog());
  EXPECT_EQ(w.InMemory(w.world.cfd), 0u);
  EXPECT_TRUE(w.Sequences(w.CurrentLog()).empty());
  // Users see it.
  SuperVersion* const state = w.world.cfd->AcquireReferenced();
  EXPECT_EQ(state->current->storage().level0().size(), 1u);
  ColumnFamilyData::Release(state);
}

TEST(LogRecoveryTest, LogsMayBeKeptInstead) {
  RecoveryWorld w(RecoveryWorld::KeepLogs);
  w.WriteLog(10, {LoggedPut(1, "a"), LoggedPut(2, "b")});
  w.WriteLog(12, {LoggedPut(3, "c")});
  ASSERT_TRUE(w.Replay().ok());
  EXPECT_EQ(w.world.Dump(), "");
  EXPECT_EQ(w.InMemory(w.world.cfd), 3u);
  EXPECT_EQ(w.MinLogToKeep(), 10u);
  EXPECT_GT(w.logs->wal()->TotalBytes(), 0u);
  MutexLock lock(&w.world.mutex);
  EXPECT_EQ(w.world.cfd->mem()->log_number(), 10u);
}

TEST(LogRecoveryTest, WithoutLogsThereIsANewOne) {
  RecoveryWorld w;
  ASSERT_TRUE(w.Replay().ok());
  EXPECT_EQ(w.LastSequence(), 0u);
  EXPECT_EQ(w.MinLogToKeep(), w.CurrentLog());
}

TEST(LogRecoveryTest, WhatTablesHaveIsNotReplayed) {
  RecoveryWorld w(RecoveryWorld::In(WALRecoveryMode::kAbsoluteConsistency));
  ASSERT_TRUE(w.world.Flush("a@5=x").ok());  // of the logs before last_log
  const uint64_t older = w.world.last_log - 1;
  w.WriteLog(older, {LoggedPut(5, "a", "again")});
  w.DamageLog(older);  // which nobody sees
  w.WriteLog(w.world.last_log, {LoggedPut(6, "b")});
  ASSERT_TRUE(w.Replay().ok());
  EXPECT_EQ(w.world.Dump(), "L0 [b@6=v] [a@5=x]");
}

// --- memory

TEST(LogRecoveryTest, AFullMemtableGoesToATableAtOnce) {
  RecoveryWorld w([](JobWorld* world) {
    RecoveryWorld::KeepLogs(world);
    world->f.family.write_buffer_size = 64 << 10;
  });
  const std::string large(200 << 10, 'x');
  w.WriteLog(10, {LoggedPut(1, "a", large), LoggedPut(2, "b", large),
                  LoggedPut(3, "c")});
  ASSERT_TRUE(w.Replay().ok());
  EXPECT_EQ(w.world.Files(0).size(), 3u);
  // Some is in tables: nothing of the logs is kept.
  EXPECT_EQ(w.InMemory(w.world.cfd), 0u);
  EXPECT_EQ(w.MinLogToKeep(), w.CurrentLog());
}

// Another database has it. What this one has counts from an eighth on.
TEST(LogRecoveryTest, TheLargestMemtableGoesToATableWhenMemoryIsShort) {
  for (const bool is_enforced : {true, false}) {
    const auto memory = std::make_shared<WriteBufferManager>(16 << 20);
    memory->ReserveMem(16 << 20);
    RecoveryWorld w([&](JobWorld* world) {
      world->f.db_options.write_buffer_manager = memory;
      world->f.db_options.enforce_write_buffer_manager_during_recovery =
          is_enforced;
    });
    ColumnFamilyData* const other = w.Add("other");
    const std::string large(3 << 20, 'x');
    w.WriteLog(10, {LoggedPut(1, "a"), LoggedPut(2, "b", large, other->id()),
                    LoggedPut(3, "c", "v", other->id()), LoggedPut(4, "d")});
    ASSERT_TRUE(w.Replay().ok());
    memory->FreeMem(16 << 20);
    EXPECT_EQ(w.world.Dump(), "L0 [a@1=v d@4=v]");
    MutexLock lock(&w.world.mutex);
    EXPECT_EQ(other->current()->storage().FileCount(), is_enforced ? 2u : 1u);
  }
}

// --- damage

TEST(LogRecoveryTest, DamageMayBeAnError) {
  RecoveryWorld w(RecoveryWorld::In(WALRecoveryMode::kAbsoluteConsistency));
  w.WriteLog(10, {LoggedPut(1, "a"), LoggedPut(2, "b")});
  w.DamageLog(10);
  const Status s = w.Replay();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
}

// The next open, which may find the damaged log again, goes on from there.
TEST(LogRecoveryTest, BehindDamageAMarkerSaysWhereTheHistoryGoesOn) {
  RecoveryWorld w([](JobWorld* world) {
    world->f.db_options.wal_recovery_mode =
        WALRecoveryMode::kPointInTimeRecovery;
    RecoveryWorld::KeepLogs(world);
  });
  w.WriteLog(10, {LoggedPut(1, "a")});
  w.WriteLog(11, {LoggedPut(2, "b")});
  w.DamageLog(11);
  ASSERT_TRUE(w.Replay().ok());
  // Damaged logs are not kept, whatever was wanted.
  EXPECT_EQ(w.world.Dump(), "L0 [a@1=v]");
  EXPECT_EQ(w.LastSequence(), 1u);
  ASSERT_TRUE(w.world.f.fs->CrashAndHeal().ok());
  EXPECT_EQ(w.Sequences(w.CurrentLog()), std::vector<SequenceNumber>{2});
}

TEST(LogRecoveryTest, ATableOfALaterLogThanTheDamagedOneIsAnError) {
  RecoveryWorld w(RecoveryWorld::In(WALRecoveryMode::kPointInTimeRecovery));
  w.Add("other");  // It needs every log.
  ASSERT_TRUE(w.world.Flush("z@9=x").ok());
  VersionEdit edit;
  edit.log_number = 12;
  w.LogEdit(w.world.cfd, &edit);
  w.WriteLog(10, {LoggedPut(1, "a", "v", 1)});
  w.WriteLog(12, {LoggedPut(10, "b")});
  w.DamageLog(10);
  const Status s = w.Replay();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find("ahead of WALs"), std::string::npos);
}

TEST(LogRecoveryTest, WhatCannotBeReadIsAnError) {
  RecoveryWorld w;
  w.WriteLog(10, {LoggedPut(1, "a")});
  Fault fault;
  fault.call = 1;
  fault.scope = FaultScope::kAllCalls;
  for (const char* const path : {"/db", ".log"}) {  // the list, and a log
    fault.path_contains = path;
    w.world.f.fs->FailCall(fault);
    EXPECT_TRUE(w.Replay().IsIOError()) << path;
    EXPECT_TRUE(w.world.f.fs->failed());
  }
}

// Each call that changes a file fails once, and then everything that was not
// synced is lost: the next open finds all.
TEST(LogRecoveryTest, AReplayThatFailsLosesNothing) {
  for (uint64_t call = 1;; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    RecoveryWorld::Files files;
    bool has_failed = false;
    {
      RecoveryWorld w;
      files = w.world.f.fs;
      w.WriteLog(10, {LoggedPut(1, "a")});
      w.WriteLog(11, {LoggedPut(2, "b")});
      files->FailCall({.call = call});
      const Status s = w.Replay();
      has_failed = files->failed();
      EXPECT_TRUE(has_failed || s.ok()) << s.ToString();
      files->ClearFault();
    }
    ASSERT_TRUE(files->CrashAndHeal().ok());
    RecoveryWorld next({}, files);
    const Status s = next.Replay();
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(next.world.Dump(), "L0 [a@1=v b@2=v]");
    EXPECT_EQ(next.LastSequence(), 2u);
    if (!has_failed) break;
    ASSERT_LT(call, 200u);
  }
}

// --- what the manifest says of logs

TEST(LogRecoveryTest, ALogThatTheManifestTracksIsMissed) {
  for (const bool tracks : {true, false}) {
    RecoveryWorld w([tracks](JobWorld* world) {
      world->f.db_options.track_and_verify_wals_in_manifest = tracks;
    });
    VersionEdit edit;
    edit.wal_additions.push_back({.number = 10, .synced_size = 100});
    {
      MutexLock lock(&w.world.mutex);
      ASSERT_TRUE(w.world.versions
                      ->LogAndApply({{nullptr, &edit}}, w.world.directory.get())
                      .ok());
    }
    const Status s = w.Replay();
    EXPECT_EQ(s.IsCorruption(), tracks) << s.ToString();
    MutexLock lock(&w.world.mutex);
    // What is not tracked any more is forgotten.
    EXPECT_EQ(w.world.versions->logs()->synced_sizes().empty(), !tracks);
  }
}

// It knows that no log before 20 is needed. One that is there may get more.
TEST(LogRecoveryTest, TheManifestIsNotToldWhatItKnows) {
  for (const uint64_t number : {10u, 20u}) {
    RecoveryWorld w([](JobWorld* world) {
      world->f.db_options.optimize_manifest_for_recovery = true;
    });
    w.world.versions->MarkFileNumberUsed(20);
    w.WriteLog(number, {});
    VersionEdit edit;
    edit.log_number = edit.min_log_number_to_keep = 20;
    w.LogEdit(w.world.cfd, &edit);
    ASSERT_TRUE(w.Replay().ok());
    EXPECT_GT(w.CurrentLog(), 20u);
    EXPECT_EQ(w.MinLogToKeep(), number < 20 ? 20 : w.CurrentLog());
    EXPECT_EQ(w.world.cfd->log_number(), w.MinLogToKeep());
  }
}

TEST(LogRecoveryTest, WhatIsPreparedHoldsItsLog) {
  RecoveryWorld w(
      [](JobWorld* world) { world->f.db_options.allow_2pc = true; });
  WriteBatch section;
  WriteBatchInternal::AddMarker(&section, kTypeNoop);
  ASSERT_TRUE(section.Put("p", "v").ok());
  ASSERT_TRUE(
      WriteBatchInternal::MarkEndPrepare(&section, "xid", kTypeBeginPrepareXID)
          .ok());
  WriteBatchInternal::SetSequence(&section, 2);
  w.WriteLog(10, {LoggedPut(1, "a")});
  w.WriteLog(11, {section});
  w.WriteLog(12, {LoggedPut(3, "b")});
  VersionEdit edit;
  edit.log_number = 12;  // Of what is in older ones the family has a table.
  w.LogEdit(w.world.cfd, &edit);
  ASSERT_TRUE(w.Replay().ok());
  EXPECT_EQ(w.world.Dump(), "L0 [b@3=v]");
  ASSERT_EQ(w.recovery->prepared().sections().size(), 1u);
  EXPECT_EQ(w.recovery->prepared().sections().begin()->first, "xid");
  EXPECT_EQ(w.MinLogToKeep(), 11u);
  MutexLock lock(&w.world.mutex);
  EXPECT_EQ(w.world.versions->logs()->held(), 11u);
}

// --- logs that are left where they are

TEST(LogRecoveryTest, LogsMayBeLeftForALaterOpen) {
  RecoveryWorld::Files files;
  {
    RecoveryWorld w;
    files = w.world.f.fs;
    w.WriteLog(10, {LoggedPut(1, "a"), LoggedPut(2, "b")});
    ASSERT_TRUE(w.LeaveLogs().ok());
    EXPECT_EQ(w.world.Dump(), "");
    EXPECT_EQ(w.InMemory(w.world.cfd), 0u);
    // What is written from here on is newer.
    EXPECT_EQ(w.LastSequence(), 2u);
    EXPECT_GT(w.CurrentLog(), 10u);
    EXPECT_LE(w.MinLogToKeep(), 10u);
    EXPECT_GT(w.logs->wal()->TotalBytes(), 0u);
    MutexLock lock(&w.world.mutex);
    EXPECT_EQ(w.world.cfd->mem()->log_number(), 10u);
  }
  RecoveryWorld next({}, files);
  ASSERT_TRUE(next.Replay().ok());
  EXPECT_EQ(next.world.Dump(), "L0 [a@1=v b@2=v]");
}

TEST(LogRecoveryTest, AReaderWritesNothing) {
  RecoveryWorld w;
  w.WriteLog(10, {LoggedPut(1, "a")});
  LogRecovery::Context context = w.Context();
  context.logs = nullptr;
  context.targets = nullptr;
  w.recovery = std::make_unique<LogRecovery>(context);
  w.world.f.fs->FailCall({.call = 1, .is_permanent = true});
  EXPECT_TRUE(w.LeaveLogs().ok());
  EXPECT_FALSE(w.world.f.fs->failed());
  EXPECT_EQ(w.LastSequence(), 1u);
  w.world.f.fs->ClearFault();
  SuperVersion* const state = w.world.cfd->AcquireReferenced();
  ColumnFamilyData::Release(state);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
