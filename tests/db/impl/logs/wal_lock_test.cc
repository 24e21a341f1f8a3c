// LockWAL(): who holds it calls what needs no new log, and is not held up by
// those who wait for its end.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/utilities/checkpoint.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/fault_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class WalLockTest : public FamiliesFixture {
 protected:
  WalLockTest() { options_.disable_auto_compactions = true; }

  Status PutUnlogged(const std::string& key, const std::string& value) {
    WriteOptions unlogged;
    unlogged.disableWAL = true;
    return db_->Put(unlogged, key, value);
  }
  Status FlushNow() {
    FlushOptions options;
    options.wait = false;
    return db_->Flush(options);
  }
  // What a copy holds that is made with `log_size_for_flush`.
  std::string ScanCheckpoint(uint64_t log_size_for_flush = 0) {
    const std::string copy = directory_.path() + "/copy";
    Checkpoint* made = nullptr;
    Status s = Checkpoint::Create(db_.get(), &made);
    const std::unique_ptr<Checkpoint> checkpoint(made);
    if (s.ok()) s = checkpoint->CreateCheckpoint(copy, log_size_for_flush);
    std::unique_ptr<DB> other;
    if (s.ok()) s = DB::Open(options_, copy, &other);
    if (!s.ok()) return s.ToString();
    std::string text;
    {
      const std::unique_ptr<Iterator> it(other->NewIterator(ReadOptions()));
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        text += it->key().ToString() + "=" + it->value().ToString() + " ";
      }
      EXPECT_OK(it->status());
    }
    other.reset();
    EXPECT_OK(DestroyDB(copy, options_));
    return text;
  }
};

TEST_F(WalLockTest, AFlushThatNeedsANewLogIsRefused) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(db_->LockWAL());
  VectorWalPtr before, after;
  ASSERT_OK(db_->GetSortedWalFiles(before));
  EXPECT_TRUE(Flush().IsAborted());
  EXPECT_TRUE(FlushNow().IsTryAgain());
  EXPECT_TRUE(CompactAll().IsAborted());
  WaitForCompactOptions flushing;
  flushing.flush = true;
  EXPECT_TRUE(db_->WaitForCompact(flushing).IsAborted());
  std::vector<std::string> files;
  uint64_t manifest_bytes = 0;
  EXPECT_TRUE(db_->GetLiveFiles(files, &manifest_bytes, true).IsAborted());
  EXPECT_OK(db_->GetLiveFiles(files, &manifest_bytes, false));
  ASSERT_OK(db_->GetSortedWalFiles(after));
  EXPECT_EQ(after.size(), before.size());
  EXPECT_EQ(FilesAt(0), 0);
  ASSERT_OK(db_->UnlockWAL());
  ASSERT_OK(Flush());
  EXPECT_EQ(FilesAt(0), 1);
}

TEST_F(WalLockTest, WhatIsInTablesIsCompacted) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->LockWAL());
  std::thread writer([&] { EXPECT_OK(Put("b", "2")); });
  EXPECT_OK(Flush());
  EXPECT_OK(FlushNow());
  EXPECT_OK(CompactAll(true));
  EXPECT_EQ(FilesAt(0), 0);
  ASSERT_OK(db_->UnlockWAL());
  writer.join();
  EXPECT_EQ(Scan(), "a=1 b=2 ");
}

// All families go together, and any of them may be the one that has data.
TEST_F(WalLockTest, FlushesOfAllFamiliesAreRefusedForOne) {
  options_.create_missing_column_families = true;
  options_.atomic_flush = true;
  OpenFamilies({"default", "second"});
  ASSERT_OK(PutIn(1, "a", "1"));
  ASSERT_OK(db_->LockWAL());
  EXPECT_TRUE(db_->Flush({}, handles_[0]).IsAborted());
  ASSERT_OK(db_->UnlockWAL());
  EXPECT_OK(db_->Flush({}, handles_[0]));
  ASSERT_OK(db_->LockWAL());
  EXPECT_OK(db_->Flush({}, handles_[0]));
  ASSERT_OK(db_->UnlockWAL());
}

TEST_F(WalLockTest, ACheckpointCopiesTheLog) {
  Open();
  ASSERT_OK(PutUnlogged("a", "0"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "1"));
  ASSERT_OK(db_->LockWAL());
  std::thread writer([&] { EXPECT_OK(Put("c", "2")); });
  EXPECT_EQ(ScanCheckpoint(), "a=0 b=1 ");
  EXPECT_EQ(ScanCheckpoint(UINT64_MAX), "a=0 b=1 ");
  std::vector<LiveFileStorageInfo> files;
  EXPECT_OK(db_->GetLiveFilesStorageInfo({}, &files));
  EXPECT_EQ(FilesAt(0), 1) << "the log has all of it";
  ASSERT_OK(db_->UnlockWAL());
  writer.join();
}

TEST_F(WalLockTest, ACheckpointHasWhatNoLogHas) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(PutUnlogged("b", "2"));
  ASSERT_OK(db_->LockWAL());
  const SequenceNumber last = db_->GetLatestSequenceNumber();
  std::thread writer([&] { EXPECT_OK(Put("c", "3")); });
  EXPECT_EQ(ScanCheckpoint(UINT64_MAX), "a=1 ") << "no flush was wanted";
  EXPECT_EQ(ScanCheckpoint(), "a=1 b=2 ");
  EXPECT_EQ(FilesAt(0), 1);
  EXPECT_EQ(ScanCheckpoint(), "a=1 b=2 ");
  EXPECT_EQ(FilesAt(0), 1) << "once is enough";
  EXPECT_EQ(db_->GetLatestSequenceNumber(), last);
  ASSERT_OK(db_->UnlockWAL());
  writer.join();
  EXPECT_EQ(Scan(), "a=1 b=2 c=3 ");
}

TEST_F(WalLockTest, OnlyFamiliesWithUnloggedDataAreFlushed) {
  options_.create_missing_column_families = true;
  OpenFamilies({"default", "logged", "unlogged"});
  ASSERT_OK(PutIn(1, "a", "1"));
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_OK(db_->Put(unlogged, handles_[2], "b", "2"));
  ASSERT_OK(db_->LockWAL());
  std::vector<LiveFileStorageInfo> files;
  ASSERT_OK(db_->GetLiveFilesStorageInfo({}, &files));
  ASSERT_OK(db_->UnlockWAL());
  std::set<std::string> flushed;
  for (const LiveFileMetaData& table : Tables()) {
    flushed.insert(table.column_family_name);
  }
  EXPECT_EQ(flushed, std::set<std::string>{"unlogged"});
}

TEST_F(WalLockTest, OptionsChange) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(db_->LockWAL());
  std::thread writer([&] { EXPECT_OK(Put("b", "2")); });
  for (int i = 1; i <= 20; ++i) {
    const std::string number = std::to_string(i);
    EXPECT_OK(
        db_->SetOptions({{"level0_file_num_compaction_trigger", number}}));
    EXPECT_OK(db_->SetDBOptions({{"max_background_jobs", number}}));
  }
  EXPECT_EQ(db_->GetDBOptions().max_background_jobs, 20);
  ASSERT_OK(db_->UnlockWAL());
  writer.join();
}

TEST_F(WalLockTest, BackgroundWorkIsCanceled) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(PutUnlogged("b", "2"));
  ASSERT_OK(db_->LockWAL());
  CancelAllBackgroundWork(db_.get(), /*wait=*/true);
  Reopen();
  EXPECT_EQ(Scan(), "a=1 b=2 ");
}

TEST(WalLockFaultTest, WorkIsResumed) {
  FaultWorld world(1, /*is_direct=*/false, 100);
  world.options_.max_bgerror_resume_count = 0;
  ASSERT_OK(world.Open());
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_OK(world.db_->Put(WriteOptions(), "a", "1"));
  ASSERT_OK(world.db_->Put(unlogged, "b", "2"));
  ASSERT_OK(world.db_->LockWAL());
  world.fs_->FailCall({.call = 1, .path_contains = ".sst"});
  std::vector<LiveFileStorageInfo> files;
  EXPECT_TRUE(world.db_->GetLiveFilesStorageInfo({}, &files).IsIOError());
  EXPECT_TRUE(files.empty());
  std::thread writer(
      [&] { EXPECT_OK(world.db_->Put(WriteOptions(), "c", "3")); });
  EXPECT_OK(world.db_->Resume());
  EXPECT_OK(world.db_->GetLiveFilesStorageInfo({}, &files));
  ASSERT_OK(world.db_->UnlockWAL());
  writer.join();
  std::string value;
  EXPECT_OK(world.db_->Get(ReadOptions(), "b", &value));
  EXPECT_EQ(value, "2");
}

// Nobody's lock is given back by what others do under it, and what is copied is
// of one moment.
TEST_F(WalLockTest, LocksBesideAllThatWorksUnderThem) {
  Open();
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    for (int i = 0; !stop.load(); ++i) {
      EXPECT_OK(i % 3 == 0 ? PutUnlogged("a", std::to_string(i))
                           : Put("a", std::to_string(i)));
    }
  });
  threads.emplace_back([&] {
    while (!stop.load()) {
      std::vector<LiveFileStorageInfo> files;
      EXPECT_OK(db_->GetLiveFilesStorageInfo({}, &files));
      EXPECT_OK(db_->SetOptions({{"ttl", "1000"}}));
    }
  });
  threads.emplace_back([&] {
    while (!stop.load()) {
      const Status s = FlushNow();
      EXPECT_TRUE(s.ok() || s.IsTryAgain()) << s.ToString();
    }
  });
  for (int i = 0; i < 8; ++i) {
    ASSERT_OK(db_->LockWAL());
    const std::string before = Scan();
    std::string copied = ScanCheckpoint();
    EXPECT_EQ(copied, before);
    EXPECT_EQ(Scan(), before);
    ASSERT_OK(db_->UnlockWAL());
    EXPECT_TRUE(db_->UnlockWAL().IsAborted());
  }
  stop.store(true);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
