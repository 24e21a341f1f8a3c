// A group of writes becomes one record of the log with its sequence numbers,
// synced if one write wants that, and a log that fails stops all writes.
#include "db/intake/group_log.h"

#include <gtest/gtest.h>

#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "db/write/write_hooks.h"
#include "rocksdb/user_write_callback.h"
#include "tests/db/intake/intake_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;

class CountingProgress final : public UserWriteCallback {
 public:
  void OnWriteEnqueued() override {}
  void OnWalWriteFinish() override { ++logged; }
  int logged = 0;
};

class NoCondition final : public WriteCondition {
 public:
  Status Check() override { return Status::OK(); }
  bool MayShareGroup() const override { return true; }
};

class GroupLogTest : public ::testing::Test {
 protected:
  struct Write {
    WriteBatch batch;
    WriteOptions options;
    WriteHooks hooks;
    CountingProgress progress;
    WriteThread::Writer writer;
  };

  void Open() {
    world_.Open();
    log_ = world_.group_log.get();
    world_.attention.Clear();
  }
  // One more writer of the group to come.
  Write& Add(const std::string& key = "") {
    Write& write = *writes_.emplace_back(std::make_unique<Write>());
    write.writer.batch = &write.batch;
    write.writer.options = &write.options;
    if (!key.empty()) {
      EXPECT_TRUE(write.batch.Put(key, "v").ok());
    }
    return write;
  }
  Write& AddBlob(const std::string& blob) {
    Write& write = Add();
    EXPECT_TRUE(write.batch.PutLogData(blob).ok());
    return write;
  }
  static void WatchProgress(Write* write) {
    write->hooks.progress = &write->progress;
    write->writer.hooks = &write->hooks;
  }
  // What was added, as one group; the next one is empty again.
  Status Append(const GroupLog::SequenceSpan& sequences) {
    WriteThread::Group group;
    group.leader = &writes_.front()->writer;
    group.last = &writes_.back()->writer;
    WriteThread::Writer* before = nullptr;
    for (const std::unique_ptr<Write>& write : writes_) {
      if (before != nullptr) before->newer = &write->writer;
      before = &write->writer;
      ++group.size;
      group.needs_sync = group.needs_sync || write->options.sync;
      group.has_hooks = group.has_hooks || write->writer.hooks != nullptr;
    }
    Status s = log_->Append(&group, sequences);
    logged_bytes_ = group.logged_bytes;
    done_.insert(done_.end(), std::make_move_iterator(writes_.begin()),
                 std::make_move_iterator(writes_.end()));
    writes_.clear();
    return s;
  }
  void LoseWhatIsNotSynced() const {
    EXPECT_TRUE(world_.f.fs->CrashAndHeal().ok());
  }
  std::string Counted(const std::string& what) const {
    return world_.counts.Map(0).at("db." + what);
  }
  // A section of the log, as a transaction prepares it.
  Write& AddSection(const Slice& name, SectionWrite* section) {
    Write& write = Add();
    WriteBatchInternal::AddMarker(&write.batch, kTypeNoop);
    EXPECT_TRUE(write.batch.Put("prepared", "v").ok());
    EXPECT_TRUE(WriteBatchInternal::MarkEndPrepare(&write.batch, name,
                                                   kTypeBeginPrepareXID)
                    .ok());
    section->name = name;
    section->log_number = &section_log_;
    write.hooks.section = section;
    write.writer.hooks = &write.hooks;
    return write;
  }

  IntakeWorld world_;
  GroupLog* log_ = nullptr;
  std::vector<std::unique_ptr<Write>> writes_;
  std::vector<std::unique_ptr<Write>> done_;
  size_t logged_bytes_ = 0;
  uint64_t section_log_ = 0;
};

// --- what a record has

TEST_F(GroupLogTest, AWriteAloneIsLoggedAsItIs) {
  Open();
  EXPECT_EQ(log_->NextSequence(), 1u);
  Write& write = Add("a");
  ASSERT_TRUE(Append({.first = 5, .next = 6}).ok());
  EXPECT_EQ(world_.Records(), Lines{"5: a=v"});
  EXPECT_EQ(logged_bytes_, write.batch.GetDataSize());
  EXPECT_EQ(log_->allocated_sequence(), 5u);
  EXPECT_EQ(log_->NextSequence(), 6u);
  EXPECT_EQ(log_->current_number(), world_.logs->wal()->current_number());
  // Sequences that are visible are taken.
  world_.versions()->SetLastSequence(9);
  EXPECT_EQ(log_->NextSequence(), 10u);
}

TEST_F(GroupLogTest, AGroupIsOneRecordWithoutThoseThatAreRefused) {
  Open();
  Add("a");
  Write& refused = Add("b");
  WatchProgress(&refused);
  refused.writer.is_refused = true;
  Write& last = Add("c");
  WatchProgress(&last);
  ASSERT_TRUE(Append({.first = 5, .next = 7}).ok());
  EXPECT_EQ(world_.Records(), Lines{"5: a=v c=v"});
  EXPECT_EQ(refused.progress.logged, 0);
  EXPECT_EQ(last.progress.logged, 1);
  EXPECT_EQ(Counted("user_writes_with_wal"), "3");
  // The next group begins with nothing of it.
  Add("d");
  Add("e");
  ASSERT_TRUE(Append({.first = 7, .next = 9}).ok());
  EXPECT_EQ(world_.Records(), (Lines{"5: a=v c=v", "7: d=v e=v"}));
}

TEST_F(GroupLogTest, AGroupOfWhichAllAreRefusedIsNotLogged) {
  Open();
  Write& refused = Add("a");
  WatchProgress(&refused);
  refused.writer.is_refused = true;
  ASSERT_TRUE(Append({.first = 5, .next = 5}).ok());
  EXPECT_EQ(world_.Records(), Lines());
  EXPECT_EQ(logged_bytes_, 0u);
  EXPECT_EQ(refused.progress.logged, 0);
  EXPECT_FALSE(world_.flushes->HasUnlogged());
}

TEST_F(GroupLogTest, ABatchIsLoggedUpToItsEndForTheLog) {
  Open();
  Write& write = Add("a");
  write.batch.MarkWalTerminationPoint();
  ASSERT_TRUE(write.batch.Put("b", "v").ok());
  ASSERT_TRUE(Append({.first = 5, .next = 7}).ok());
  EXPECT_EQ(world_.Records(), Lines{"5: a=v"});
  EXPECT_EQ(log_->allocated_sequence(), 6u);
}

TEST_F(GroupLogTest, WhatIsStoredInPlaceOfABatchIsLogged) {
  Open();
  Write& write = Add("a");
  WriteBatch stored;
  ASSERT_TRUE(stored.Put("a", "moved").ok());
  write.writer.stored = &stored;
  ASSERT_TRUE(Append({.first = 5, .next = 6}).ok());
  EXPECT_EQ(world_.Records(), Lines{"5: a=moved"});
}

TEST_F(GroupLogTest, AWritePastTheLogIsNoted) {
  Open();
  Add("a");
  ASSERT_TRUE(Append({.first = 5, .next = 6}).ok());
  EXPECT_FALSE(world_.flushes->HasUnlogged());
  Write& write = Add("b");
  write.options.disableWAL = true;
  WatchProgress(&write);
  ASSERT_TRUE(Append({.first = 6, .next = 7}).ok());
  EXPECT_TRUE(world_.flushes->HasUnlogged());
  EXPECT_EQ(world_.Records(), Lines{"5: a=v"});
  EXPECT_EQ(logged_bytes_, 0u);
  EXPECT_EQ(log_->allocated_sequence(), 6u);
  EXPECT_EQ(write.progress.logged, 0);
}

TEST_F(GroupLogTest, SequencesMayBeTakenWithoutALog) {
  Open();
  log_->Allocate(12);
  EXPECT_EQ(log_->allocated_sequence(), 12u);
  EXPECT_EQ(log_->NextSequence(), 13u);
  EXPECT_EQ(world_.Records(), Lines());
}

// --- what reaches the device

TEST_F(GroupLogTest, AGroupIsSyncedIfOneOfItWantsThat) {
  Open();
  Add("a");
  Add("b").options.sync = true;
  ASSERT_TRUE(Append({.first = 5, .next = 7}).ok());
  EXPECT_EQ(Counted("wal_syncs"), "1");
  Add("c");
  ASSERT_TRUE(Append({.first = 7, .next = 8}).ok());
  EXPECT_EQ(Counted("wal_syncs"), "1");
  LoseWhatIsNotSynced();
  EXPECT_EQ(world_.Records(), Lines{"5: a=v b=v"});
}

TEST_F(GroupLogTest, LongLogsAreTheNextLeadersToSeeTo) {
  Open();
  Add("a");
  ASSERT_TRUE(Append({.first = 5, .next = 6}).ok());
  EXPECT_FALSE(world_.attention.IsAsked());
  world_.logs->SetLimit(world_.logs->wal()->TotalBytes());
  Add("b");
  ASSERT_TRUE(Append({.first = 6, .next = 7}).ok());
  EXPECT_TRUE(world_.attention.IsAsked());
}

// --- what fails

TEST_F(GroupLogTest, ALogThatFailsStopsAllWrites) {
  Open();
  Add("a");
  ASSERT_TRUE(Append({.first = 5, .next = 6}).ok());
  world_.FailNext(".log");
  Write& write = Add("b");
  WatchProgress(&write);
  EXPECT_TRUE(Append({.first = 6, .next = 7}).IsIOError());
  ASSERT_EQ(world_.told.size(), 1u);
  EXPECT_TRUE(world_.told[0].status.IsIOError());
  EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kWriteCallback);
  EXPECT_TRUE(world_.errors.BlocksWrites());
  EXPECT_EQ(log_->allocated_sequence(), 5u);
  EXPECT_EQ(write.progress.logged, 0);
  EXPECT_EQ(world_.Records(), Lines{"5: a=v"});
  // The call would succeed now, but nothing is known of what is there.
  Add("c");
  EXPECT_TRUE(Append({.first = 6, .next = 7}).IsIOError());
  EXPECT_EQ(world_.Records(), Lines{"5: a=v"});
}

TEST_F(GroupLogTest, ASyncThatFailsStopsAllWrites) {
  Open();
  Fault fault;
  fault.call = 1;
  fault.kind = FaultKind::kSyncFailure;
  fault.path_contains = ".log";
  world_.f.fs->FailCall(fault);
  Add("a").options.sync = true;
  EXPECT_TRUE(Append({.first = 5, .next = 6}).IsIOError());
  EXPECT_EQ(world_.told.size(), 1u);
  EXPECT_TRUE(world_.errors.BlocksWrites());
  EXPECT_EQ(log_->allocated_sequence(), 0u);
}

// --- sections

TEST_F(GroupLogTest, ASectionIsKeptWithItsLog) {
  Open();
  SectionWrite section;
  AddSection("name", &section);
  ASSERT_TRUE(Append({.first = 5, .next = 5}).ok());
  EXPECT_TRUE(world_.sections->HasPrepared("name"));
  EXPECT_EQ(section_log_, log_->current_number());
  EXPECT_EQ(world_.HeldLog(), log_->current_number());
  EXPECT_EQ(world_.Records().size(), 1u);
}

TEST_F(GroupLogTest, ASectionThatCouldNotBeLoggedIsNotThere) {
  Open();
  world_.FailNext(".log");
  SectionWrite section;
  AddSection("name", &section);
  EXPECT_TRUE(Append({.first = 5, .next = 5}).IsIOError());
  EXPECT_FALSE(world_.sections->Has("name"));
  EXPECT_EQ(section_log_, 0u);
  EXPECT_EQ(world_.HeldLog(), UINT64_MAX);
}

TEST_F(GroupLogTest, SectionsThatAreCarriedAreSyncedAndTakeNoSequence) {
  Open();
  SectionWrite section;
  AddSection("name", &section);
  ASSERT_TRUE(Append({.first = 5, .next = 6}).ok());
  std::vector<WriteBatch> records;
  ASSERT_TRUE(world_.sections->MakeRecords(&records).ok());
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.logs->Switch(world_.logs->NextNumber(), 4096).ok());
  }
  ASSERT_TRUE(log_->AppendCarried(&records).ok());
  EXPECT_EQ(log_->allocated_sequence(), 5u);
  LoseWhatIsNotSynced();
  ASSERT_EQ(world_.Records().size(), 1u);
  EXPECT_EQ(world_.Records()[0].substr(0, 3), "6: ");
}

TEST_F(GroupLogTest, SectionsThatAreCountedTakeSequencesAlsoWhenCarried) {
  Open();
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.sections->Adopt(SectionPolicy::kWritePrepared).ok());
  }
  for (const char* name : {"first", "second"}) {
    SectionWrite section;
    section.sequences = 1;
    AddSection(name, &section);
    const SequenceNumber next = log_->NextSequence();
    ASSERT_TRUE(Append({.first = next, .next = next + 1}).ok());
  }
  ASSERT_EQ(log_->allocated_sequence(), 2u);
  std::vector<WriteBatch> records;
  ASSERT_TRUE(world_.sections->MakeRecords(&records).ok());
  ASSERT_TRUE(log_->AppendCarried(&records).ok());
  EXPECT_EQ(WriteBatchInternal::Sequence(records[0]), 3u);
  EXPECT_EQ(WriteBatchInternal::Sequence(records[1]), 4u);
  EXPECT_EQ(log_->allocated_sequence(), 4u);
}

TEST_F(GroupLogTest, ALogThatFailsCarriesNoSection) {
  Open();
  SectionWrite section;
  AddSection("name", &section);
  ASSERT_TRUE(Append({.first = 5, .next = 5}).ok());
  std::vector<WriteBatch> records;
  ASSERT_TRUE(world_.sections->MakeRecords(&records).ok());
  world_.FailNext(".log");
  EXPECT_TRUE(log_->AppendCarried(&records).IsIOError());
  EXPECT_EQ(world_.HeldLog(), log_->current_number());
}

// --- the queue for the log alone

TEST_F(GroupLogTest, WhatNeedsNoMemtableMayBeForTheLogAlone) {
  const auto is_for_log_only = [](const Write& write) {
    return GroupLog::IsForLogOnly(write.writer);
  };
  EXPECT_FALSE(is_for_log_only(Add("key")));
  Write& blob = AddBlob("x");
  EXPECT_TRUE(is_for_log_only(blob));
  WatchProgress(&blob);
  EXPECT_TRUE(is_for_log_only(blob));
  blob.options.disableWAL = true;
  EXPECT_FALSE(is_for_log_only(blob));
  blob.options.disableWAL = false;
  // It is asked in the order of all writes.
  NoCondition condition;
  blob.hooks.condition = &condition;
  EXPECT_FALSE(is_for_log_only(blob));
  blob.hooks.condition = nullptr;
  SectionWrite section;
  blob.hooks.section = &section;
  EXPECT_FALSE(is_for_log_only(blob));
}

class LogAloneTest : public GroupLogTest {
 protected:
  void SetUp() override {
    world_.f.db_options.two_write_queues = true;
    Open();
  }
  Status WriteAlone(Write* write) { return log_->WriteAlone(&write->writer); }
};

TEST_F(LogAloneTest, ItTakesNoSequence) {
  Add("a");
  ASSERT_TRUE(Append({.first = 5, .next = 6}).ok());
  Write& blob = AddBlob("x");
  WatchProgress(&blob);
  ASSERT_TRUE(WriteAlone(&blob).ok());
  EXPECT_EQ(world_.Records(), (Lines{"5: a=v", "6: blob:x"}));
  EXPECT_EQ(log_->NextSequence(), 6u);
  EXPECT_EQ(blob.progress.logged, 1);
}

TEST_F(LogAloneTest, ItIsSyncedIfThatIsWanted) {
  Write& blob = AddBlob("x");
  blob.options.sync = true;
  ASSERT_TRUE(WriteAlone(&blob).ok());
  ASSERT_TRUE(WriteAlone(&AddBlob("y")).ok());
  LoseWhatIsNotSynced();
  EXPECT_EQ(world_.Records(), Lines{"1: blob:x"});
}

TEST_F(LogAloneTest, NothingIsLoggedWhereWritesAreStopped) {
  world_.FailWrites();
  EXPECT_TRUE(WriteAlone(&AddBlob("x")).IsIOError());
  world_.stop.ShutDown();
  EXPECT_TRUE(WriteAlone(&AddBlob("x")).IsShutdownInProgress());
  EXPECT_EQ(world_.Records(), Lines());
}

TEST_F(LogAloneTest, NothingIsLoggedWhileTheLogRests) {
  ASSERT_TRUE(world_.wal_lock.Take([] { return Status::OK(); }).ok());
  Write& blob = AddBlob("x");
  blob.options.no_slowdown = true;
  EXPECT_TRUE(WriteAlone(&blob).IsIncomplete());
  EXPECT_EQ(world_.Records(), Lines());
  ASSERT_TRUE(world_.wal_lock.GiveBack().ok());
  Write& next = AddBlob("y");
  next.options.no_slowdown = true;
  EXPECT_TRUE(WriteAlone(&next).ok());
  EXPECT_EQ(world_.Records(), Lines{"1: blob:y"});
}

TEST_F(LogAloneTest, ALogThatFailsStopsAllWrites) {
  world_.FailNext(".log");
  EXPECT_TRUE(WriteAlone(&AddBlob("x")).IsIOError());
  ASSERT_EQ(world_.told.size(), 1u);
  EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kWriteCallback);
  EXPECT_TRUE(world_.errors.BlocksWrites());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
