// Faults that engines of this kind had, where no test of a part meets them
// already. docs/reliability.md lists the classes and their tests.
#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "rocksdb/env.h"
#include "rocksdb/listener.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/fault_world.h"
#include "tests/db/impl/job_count.h"
#include "util/ignore_error.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class FaultClassesTest : public DbFixture {
 protected:
  ~FaultClassesTest() override { db_.reset(); }

  const std::shared_ptr<FaultInjectionFileSystem> fs_ =
      std::make_shared<FaultInjectionFileSystem>(FileSystem::Default());
  const std::unique_ptr<Env> env_ = NewCompositeEnv(fs_);
};

// Class 8: a record that was refused may be whole in its log, and what is
// written later takes its sequence.
TEST_F(FaultClassesTest, ALogThatFailedBesideNoDataDoesNotCount) {
  options_.env = env_.get();
  options_.max_bgerror_resume_count = 0;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  WriteOptions synced;
  synced.sync = true;
  fs_->FailCall(
      {.call = 1, .kind = FaultKind::kSyncFailure, .path_contains = ".log"});
  EXPECT_TRUE(db_->Put(synced, "refused", "1").IsIOError());
  ASSERT_OK(db_->Resume());
  ASSERT_OK(Put("b", "1"));
  for (int i = 0; i < 2; ++i) {
    ASSERT_NO_FATAL_FAILURE(Reopen());
    EXPECT_EQ(Scan(), "a=1 b=1 ");
  }
}

// Class 10: with two queues, batches without updates take no sequence; whoever
// counts from the log after a recovery would go back behind what was visible.
TEST_F(FaultClassesTest, SequencesGoOnWhereARecoveryEnds) {
  options_.env = env_.get();
  options_.two_write_queues = true;
  options_.max_bgerror_resume_count = 0;
  // A compaction in the background would meet the faults instead of the flush.
  options_.disable_auto_compactions = true;
  ASSERT_NO_FATAL_FAILURE(Open());
  WriteBatch note;
  ASSERT_OK(note.PutLogData("note"));
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  SequenceNumber last = 0;
  for (int round = 0; round < 5; ++round) {
    const std::string key = std::to_string(round);
    ASSERT_OK(Put("a" + key, "1"));
    ASSERT_OK(db_->Write(WriteOptions(), &note));
    ASSERT_OK(db_->Put(unlogged, "b" + key, "1"));
    const Snapshot* const before = db_->GetSnapshot();
    EXPECT_GT(before->GetSequenceNumber(), last);
    // A log, a table and a manifest fail in turn, when all that is to be
    // removed is.
    ASSERT_NO_FATAL_FAILURE(AwaitPurge());
    const char* const kinds[] = {".log", ".sst", "MANIFEST"};
    fs_->FailCall({.call = 1, .path_contains = kinds[round % 3]});
    if (round % 3 == 0) {
      EXPECT_FALSE(db_->Write(WriteOptions(), &note).ok());
    } else {
      EXPECT_FALSE(Flush().ok());
    }
    ASSERT_TRUE(fs_->failed());
    ASSERT_OK(db_->Resume());
    last = db_->GetLatestSequenceNumber();
    EXPECT_GE(last, before->GetSequenceNumber());
    ASSERT_OK(Put("a" + key, "2"));
    EXPECT_EQ(db_->GetLatestSequenceNumber(), last + 1);
    EXPECT_EQ(Get("a" + key, before), "1");
    EXPECT_EQ(Get("b" + key, before), "1");
    EXPECT_EQ(Get("a" + key), "2");
    last = before->GetSequenceNumber();
    db_->ReleaseSnapshot(before);
  }
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Scan(), "a0=2 a1=2 a2=2 a3=2 a4=2 b0=1 b1=1 b2=1 b3=1 b4=1 ");
}

// Class 11: what has sequence 0 is visible to a snapshot of sequence 0, and
// what a compaction gives sequence 0 must not become so.
TEST_F(FaultClassesTest, ASnapshotOfSequence0) {
  options_.env = env_.get();
  ASSERT_NO_FATAL_FAILURE(Open());
  const std::string file = directory_.path() + "/external";
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.Open(file));
  ASSERT_OK(writer.Put("old", "1"));
  ASSERT_OK(writer.Finish());
  IngestExternalFileOptions ingest;
  ingest.allow_global_seqno = false;
  ASSERT_OK(db_->IngestExternalFile({file}, ingest));
  ASSERT_EQ(db_->GetLatestSequenceNumber(), 0u);
  const Snapshot* const none = db_->GetSnapshot();
  ASSERT_EQ(none->GetSequenceNumber(), 0u);
  ASSERT_OK(Put("new", "2"));
  ASSERT_OK(Put("old", "2"));
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Get("old", none), "1");
    EXPECT_EQ(Get("new", none), "NOT_FOUND");
    EXPECT_EQ(Scan(), "new=2 old=2 ");
    ASSERT_OK(CompactAll(/*force=*/true));
  }
  ASSERT_OK(Delete("old"));
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Get("old", none), "1");
  EXPECT_EQ(Get("new", none), "NOT_FOUND");
  db_->ReleaseSnapshot(none);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Scan(), "new=2 ");
}

// Class 13: who takes back a pause or an abort before it is noticed, or asks
// for a level that is taken, leaves compactions that go on.
TEST_F(FaultClassesTest, CompactionsGoOnAfterEveryRefusal) {
  options_.level0_file_num_compaction_trigger = 2;
  ASSERT_NO_FATAL_FAILURE(Open());
  const auto fill = [this](const std::string& value) {
    for (int i = 0; i < 3; ++i) {
      ASSERT_OK(Put("k" + std::to_string(i), value));
      ASSERT_OK(Flush());
    }
  };
  const auto expect_compacted = [this](const char* after) {
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    std::string files;
    ASSERT_TRUE(db_->GetProperty("rocksdb.num-files-at-level0", &files));
    EXPECT_LT(std::stoi(files), 2) << after;
  };
  ASSERT_OK(db_->PauseBackgroundWork());
  ASSERT_OK(db_->ContinueBackgroundWork());
  fill("1");
  expect_compacted("a pause");
  db_->DisableManualCompaction();
  EXPECT_FALSE(CompactAll(/*force=*/true).ok());
  db_->EnableManualCompaction();
  fill("2");
  expect_compacted("a refused manual compaction");
  CompactRangeOptions change;
  change.change_level = true;
  change.target_level = 1;
  fill("3");
  IgnoreError(db_->CompactRange(change, nullptr, nullptr),
              "whether the files may be moved depends on where they are");
  fill("4");
  expect_compacted("a change of level");
  EXPECT_EQ(Scan(), "k0=4 k1=4 k2=4 ");
}

// Class 13: inputs of a compaction that failed are still there, and nobody else
// would ask for it.
class FailedCompactionTest : public FaultClassesTest {
 protected:
  ~FailedCompactionTest() override { db_.reset(); }

  void Fail() {
    options_.env = &jobs_;
    options_.level0_file_num_compaction_trigger = 2;
    options_.max_bgerror_resume_count = 0;
    options_.bgerror_resume_retry_interval = 3'600'000'000;
    options_.disable_auto_compactions = true;
    ASSERT_NO_FATAL_FAILURE(Open());
    for (const char* value : {"1", "2"}) {
      ASSERT_OK(Put("k", value));
      ASSERT_OK(Flush());
    }
    fs_->FailCall(
        {.call = 1, .kind = FaultKind::kNoSpace, .path_contains = ".sst"});
    ASSERT_OK(db_->SetOptions({{"disable_auto_compactions", "false"}}));
  }
  void ExpectDone() {
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    ASSERT_TRUE(fs_->failed());
    EXPECT_EQ(FilesAt(0), 0);
    EXPECT_EQ(Get("k"), "2");
  }

  JobCount jobs_{env_.get()};
};

TEST_F(FailedCompactionTest, IsMadeAfterResume) {
  ASSERT_NO_FATAL_FAILURE(Fail());
  EXPECT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).IsNoSpace());
  jobs_.AwaitNone();
  ASSERT_OK(db_->Resume());
  ExpectDone();
}

// A listener may resume when it is told of the error, before the job is over.
class ResumingListener final : public EventListener {
 public:
  void OnBackgroundError(BackgroundErrorReason, Status*) override {
    std::thread([this] { EXPECT_OK((*db)->Resume()); }).join();
    has_resumed = true;
    has_resumed.notify_all();
  }
  std::unique_ptr<DB>* db = nullptr;
  std::atomic<bool> has_resumed{false};
};

TEST_F(FailedCompactionTest, IsMadeAfterAResumeInItsMiddle) {
  const auto listener = std::make_shared<ResumingListener>();
  listener->db = &db_;
  options_.listeners = {listener};
  ASSERT_NO_FATAL_FAILURE(Fail());
  listener->has_resumed.wait(false);
  ExpectDone();
}

// Class 13: what keeps compactions off while files change their level goes,
// also where they do not.
TEST_F(FaultClassesTest, CompactionsGoOnAfterALevelThatCouldNotBeChanged) {
  options_.env = env_.get();
  options_.level0_file_num_compaction_trigger = 2;
  options_.max_bgerror_resume_count = 0;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("k", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(/*force=*/true));
  CompactRangeOptions change;
  change.change_level = true;
  change.target_level = 1;
  fs_->FailCall({.call = 1, .path_contains = "MANIFEST"});
  EXPECT_TRUE(db_->CompactRange(change, nullptr, nullptr).IsIOError());
  ASSERT_TRUE(fs_->failed());
  ASSERT_OK(db_->Resume());
  for (const char* value : {"2", "3"}) {
    ASSERT_OK(Put("k", value));
    ASSERT_OK(Flush());
  }
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(FilesAt(0), 0);
}

// Class 6: what a session leaves in the page cache of its log is durable before
// anything that a later session makes durable.
TEST(RecoveredLogs, AreDurableBeforeWhatFollowsThem) {
  FaultWorld world(1, /*is_direct=*/false, 100);
  world.options_.avoid_flush_during_recovery = true;
  ASSERT_OK(world.Open());
  ASSERT_OK(world.Write(kDefaultColumnFamilyName));
  ASSERT_OK(world.Close());
  ASSERT_OK(world.Open());
  ASSERT_OK(world.Write(kDefaultColumnFamilyName, /*sync=*/true));
  world.fs_->Deactivate();
  IgnoreError(world.Close(), "the device is gone");
  ASSERT_OK(world.fs_->CrashAndHeal({.survival_percent = 0}));
  ASSERT_OK(world.Open());
  EXPECT_EQ(world.Check(/*is_live=*/false), "");
}

// A table that holds what such a log holds, too, is not ahead of it.
TEST(RecoveredLogs, AreNotBehindTheTables) {
  FaultWorld world(2, /*is_direct=*/false, 100);
  world.options_.avoid_flush_during_recovery = true;
  ASSERT_OK(world.Open());
  ASSERT_OK(world.CreateFamily("other"));
  ASSERT_OK(world.Write(kDefaultColumnFamilyName));
  ASSERT_OK(world.Write("other"));
  ASSERT_OK(world.Close());
  ASSERT_OK(world.Open());
  ASSERT_OK(world.db_->Flush(FlushOptions(), world.Handle("other")));
  world.fs_->Deactivate();
  IgnoreError(world.Close(), "the device is gone");
  ASSERT_OK(world.fs_->CrashAndHeal({.survival_percent = 0}));
  ASSERT_OK(world.Open());
  EXPECT_EQ(world.Check(/*is_live=*/false), "");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
