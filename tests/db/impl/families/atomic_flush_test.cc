// Flushes of several families that are one step of the manifest: all of them
// are in force, or none, whatever fails and whenever the system crashes.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/fault_world.h"
#include "tests/db/impl/recovery_listener.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const std::string kDefault = kDefaultColumnFamilyName;

int FilesOf(const FaultWorld& world, const std::string& family) {
  std::string text;
  EXPECT_TRUE(world.db_->GetProperty(world.Handle(family),
                                     "rocksdb.num-files-at-level0", &text));
  return std::stoi(text);
}

std::string ValueIn(const FaultWorld& world, const std::string& family,
                    const std::string& key) {
  std::string value;
  const Status s =
      world.db_->Get(ReadOptions(), world.Handle(family), key, &value);
  return s.ok() ? value : s.ToString();
}

// One batch over both families, past the log.
Status WriteUnlogged(FaultWorld* world, int i) {
  WriteBatch batch;
  const std::string key = "u" + std::to_string(i);
  Status s = batch.Put(world->Handle(kDefault), key, "v");
  if (s.ok()) s = batch.Put(world->Handle("b"), key, "v");
  WriteOptions options;
  options.disableWAL = true;
  return s.ok() ? world->db_->Write(options, &batch) : s;
}

class AtomicFlushTest : public ::testing::Test {
 protected:
  static void Start(FaultWorld* world) {
    world->options_.atomic_flush = true;
    ASSERT_OK(world->Open());
    ASSERT_OK(world->CreateFamily("b"));
    ASSERT_OK(world->CreateFamily("empty"));
  }
  // Names of table files in the directory, and of those that are live.
  static size_t TablesOnDisk(FaultWorld* world) {
    std::vector<std::string> names;
    EXPECT_OK(world->env_->GetChildren(FaultWorld::kPath, &names));
    size_t count = 0;
    for (const std::string& name : names) count += name.ends_with(".sst");
    return count;
  }
  static size_t LiveTables(FaultWorld* world) {
    std::vector<LiveFileMetaData> files;
    world->db_->GetLiveFilesMetaData(&files);
    return files.size();
  }
};

TEST_F(AtomicFlushTest, AFlushOfOneFamilyTakesTheOthersAlong) {
  FaultWorld world(1, false, 100);
  Start(&world);
  ASSERT_OK(world.Write(kDefault));
  ASSERT_OK(world.Write("b"));
  ASSERT_OK(world.db_->Flush(FlushOptions(), world.Handle("b")));
  EXPECT_EQ(FilesOf(world, kDefault), 1);
  EXPECT_EQ(FilesOf(world, "b"), 1);
  EXPECT_EQ(FilesOf(world, "empty"), 0);
  EXPECT_EQ(world.Check(true), "");
  // The logs from before hold nothing that is needed: the family without data
  // has moved along.
  ASSERT_OK(world.Write("b"));
  ASSERT_OK(world.db_->Flush(FlushOptions(), world.Handle("b")));
  ASSERT_OK(world.Close());
  std::vector<std::string> names;
  ASSERT_OK(world.env_->GetChildren(FaultWorld::kPath, &names));
  int logs = 0;
  for (const std::string& name : names) logs += name.ends_with(".log");
  EXPECT_EQ(logs, 1);
}

TEST_F(AtomicFlushTest, AFullMemtableFlushesAllFamilies) {
  FaultWorld world(1, false, 8000);
  world.options_.write_buffer_size = 64 << 10;
  Start(&world);
  ASSERT_OK(world.Write("b"));
  for (int i = 0; i < 40; ++i) ASSERT_OK(world.Write(kDefault));
  ASSERT_OK(world.db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_GE(FilesOf(world, kDefault), 1);
  EXPECT_EQ(FilesOf(world, "b"), 1);
}

// Fault class 4: what is written past the log is there for all families or
// for none.
TEST_F(AtomicFlushTest, WithoutALogAllFamiliesHoldTheSamePrefix) {
  bool struck = true;
  int whole = 0;
  for (uint64_t k = 1; struck; ++k) {
    SCOPED_TRACE(k);
    FaultWorld world(k, false, 100);
    Start(&world);
    ASSERT_OK(WriteUnlogged(&world, 1));
    ASSERT_OK(world.FlushAll());
    ASSERT_OK(WriteUnlogged(&world, 2));
    world.fs_->FailCall({.call = k, .is_permanent = true});
    const Status s = world.FlushAll();
    struck = world.fs_->failed();
    IgnoreError(world.Close(), "the device is gone");
    ASSERT_TRUE(world.fs_->CrashAndHeal({.survival_percent = 50}).ok());
    ASSERT_OK(world.Open());
    EXPECT_EQ(ValueIn(world, kDefault, "u1"), "v");
    EXPECT_EQ(ValueIn(world, "b", "u1"), "v");
    EXPECT_EQ(ValueIn(world, kDefault, "u2"), ValueIn(world, "b", "u2"));
    if (s.ok()) {
      EXPECT_EQ(ValueIn(world, "b", "u2"), "v");
      ++whole;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(whole, 0);
}

// Fault classes 3 and 4: the outputs of the others go, none of them twice and
// none too many, and the next flush saves all.
TEST_F(AtomicFlushTest, AFailedFlushLeavesNothingAndIsRepeated) {
  bool struck = true;
  uint64_t k = 1;
  for (; struck; ++k) {
    SCOPED_TRACE(k);
    FaultWorld world(k, false, 100);
    Start(&world);
    ASSERT_OK(WriteUnlogged(&world, 1));
    ASSERT_OK(world.Write("b"));
    world.fs_->FailCall({.call = k, .path_contains = ".sst"});
    Status s = world.FlushAll();
    struck = world.fs_->failed();
    ASSERT_EQ(s.ok(), !struck) << s.ToString();
    world.fs_->ClearFault();
    if (struck) ASSERT_OK(world.db_->Resume());
    EXPECT_EQ(FilesOf(world, kDefault), 1);
    EXPECT_EQ(FilesOf(world, "b"), 1);
    ASSERT_OK(WriteUnlogged(&world, 2));
    ASSERT_OK(world.FlushAll());
    EXPECT_EQ(ValueIn(world, kDefault, "u2"), "v");
    EXPECT_EQ(TablesOnDisk(&world), LiveTables(&world));
    ASSERT_OK(world.Close());
    EXPECT_EQ(world.fs_->open_handles(), 0u);
    ASSERT_TRUE(world.fs_->CrashAndHeal().ok());
    ASSERT_OK(world.Open());
    EXPECT_EQ(ValueIn(world, kDefault, "u2"), "v");
    EXPECT_EQ(ValueIn(world, "b", "u1"), "v");
    if (HasFailure()) return;
  }
  EXPECT_GT(k, 8u);
}

// Fault class 3: nobody knows how much of an edit that failed the manifest
// has. What it may name is there when it is read.
TEST_F(AtomicFlushTest, WhatAFailedManifestMayNameStays) {
  for (const bool compacts : {false, true}) {
    SCOPED_TRACE(compacts);
    bool struck = true;
    uint64_t k = 1;
    for (; struck; ++k) {
      SCOPED_TRACE(k);
      FaultWorld world(k, false, 100);
      Start(&world);
      ASSERT_OK(world.Write(kDefault, true));
      ASSERT_OK(world.Write("b", true));
      if (compacts) {
        ASSERT_OK(world.FlushAll());
      }
      world.fs_->FailCall({.call = k,
                           .kind = FaultKind::kSyncFailure,
                           .path_contains = "MANIFEST"});
      const Status s =
          compacts ? world.CompactAll(world.Handle("b")) : world.FlushAll();
      struck = world.fs_->failed();
      ASSERT_EQ(s.ok(), !struck) << s.ToString();
      world.fs_->ClearFault();
      IgnoreError(world.Close(), "the manifest has failed");
      ASSERT_OK(world.Open());
      ASSERT_EQ(world.Check(true), "");
    }
    EXPECT_GT(k, 2u);
  }
}

TEST_F(AtomicFlushTest, AFamilyIsDroppedMeanwhile) {
  const auto listener = std::make_shared<RecoveryListener>();
  FaultWorld world(1, false, 100);
  world.options_.listeners.push_back(listener);
  listener->on_flush_begin = [&world](DB* db) {
    ColumnFamilyHandle* b = world.Handle("b");
    if (b == nullptr) return;
    EXPECT_OK(db->DropColumnFamily(b));
    EXPECT_OK(db->DestroyColumnFamilyHandle(b));
    std::erase(world.handles_, b);
  };
  Start(&world);
  ASSERT_OK(WriteUnlogged(&world, 1));
  ASSERT_OK(world.db_->Flush(FlushOptions(), world.Handle(kDefault)));
  EXPECT_EQ(FilesOf(world, kDefault), 1);
  EXPECT_EQ(ValueIn(world, kDefault, "u1"), "v");
  ASSERT_OK(world.Close());
  EXPECT_EQ(TablesOnDisk(&world), 1u);
  ASSERT_OK(world.Open());
  EXPECT_EQ(ValueIn(world, kDefault, "u1"), "v");
  EXPECT_EQ(world.Handle("b"), nullptr);
}

TEST_F(AtomicFlushTest, OnRequestForOneFlush) {
  FaultWorld world(1, false, 100);
  ASSERT_OK(world.Open());
  ASSERT_OK(world.CreateFamily("b"));
  FlushOptions together;
  together.force_atomic_flush = true;
  bool is_one_step = true;
  for (uint64_t k = 1; k < 40; ++k) {
    SCOPED_TRACE(k);
    FaultWorld broken(k, false, 100);
    ASSERT_OK(broken.Open());
    ASSERT_OK(broken.CreateFamily("b"));
    ASSERT_OK(WriteUnlogged(&broken, 1));
    broken.fs_->FailCall({.call = k, .is_permanent = true});
    IgnoreError(broken.db_->Flush(together, broken.handles_),
                "what survives is checked");
    IgnoreError(broken.Close(), "the device is gone");
    ASSERT_TRUE(broken.fs_->CrashAndHeal({.survival_percent = 50}).ok());
    ASSERT_OK(broken.Open());
    is_one_step = is_one_step &&
                  ValueIn(broken, kDefault, "u1") == ValueIn(broken, "b", "u1");
  }
  EXPECT_TRUE(is_one_step);
  // And then each for itself again.
  ASSERT_OK(WriteUnlogged(&world, 1));
  ASSERT_OK(world.db_->Flush(together, world.handles_));
  ASSERT_OK(WriteUnlogged(&world, 2));
  ASSERT_OK(world.db_->Flush(FlushOptions(), world.Handle("b")));
  EXPECT_EQ(FilesOf(world, "b"), 2);
  EXPECT_EQ(FilesOf(world, kDefault), 1);
}

// Fault class 8: a log fails, Resume() is under way, the system crashes at any
// of its calls. What is in tables must not be ahead of a log that is damaged.
TEST_F(AtomicFlushTest, ACrashInTheMiddleOfResume) {
  bool struck = true;
  uint64_t k = 1;
  for (; struck; ++k) {
    for (const int survival : {0, 50, 100}) {
      SCOPED_TRACE(std::to_string(k) + ", " + std::to_string(survival) + " %");
      FaultWorld world(k, false, 100);
      ASSERT_OK(world.Open());
      ASSERT_OK(world.CreateFamily("b"));
      ASSERT_OK(world.CreateFamily("empty"));
      for (int i = 0; i < 6; ++i) {
        ASSERT_OK(world.Write(i % 2 == 0 ? kDefault : "b", i == 3));
      }
      world.fs_->FailCall(
          {.call = 1, .kind = FaultKind::kShort, .path_contains = ".log"});
      ASSERT_FALSE(world.Write("b", true).ok());
      world.fs_->FailCall({.call = k, .is_permanent = true});
      const Status s = world.db_->Resume();
      struck = world.fs_->failed();
      if (!struck) {
        ASSERT_OK(s);
        world.fs_->ClearFault();
        ASSERT_OK(world.Write("b", true));
      }
      IgnoreError(world.Close(), "the device may be gone");
      ASSERT_TRUE(world.fs_->CrashAndHeal({.survival_percent = survival}).ok());
      ASSERT_OK(world.Open());
      ASSERT_EQ(world.Check(false), "");
    }
  }
  EXPECT_GT(k, 10u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
