// A large batch, or a commit, becomes sealed memtables of its own: all of it or
// nothing, whatever fails on the way.
#include "db/intake/batch_ingest.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "db/write/write_hooks.h"
#include "tests/db/intake/pipeline_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;

// Says what it is told to, and what is visible when it is told.
struct IngestCondition final : public WriteCondition {
  explicit IngestCondition(const PipelineWorld& of) : world(of) {}
  Status Check() override { return answer; }
  bool MayShareGroup() const override { return true; }
  void OnVisible() override { visible_at = world.versions()->LastSequence(); }
  const PipelineWorld& world;
  Status answer;
  SequenceNumber visible_at = 0;
};

class BatchIngestTest : public ::testing::Test {
 protected:
  BatchIngestTest() { world_.f.db_options.allow_2pc = true; }

  static void Add(WriteBatch* batch, const std::string& key,
                  uint32_t family_id = 0) {
    const Slice key_slice(key);
    const Slice value("v");
    const SliceParts value_parts(&value, 1);
    EXPECT_TRUE(WriteBatchInternal::Add(batch, kTypeValue, family_id,
                                        SliceParts(&key_slice, 1), &value_parts)
                    .ok());
  }
  // A put of each key.
  static WriteBatch PutsOf(const Lines& keys) {
    WriteBatch batch;
    for (const std::string& key : keys) Add(&batch, key);
    return batch;
  }
  Status Ingest(WriteBatch batch) {
    return world_.batches->Ingest(options_, &batch);
  }
  Status Put(const std::string& key) {
    WriteBatch batch = PutsOf({key});
    return world_.pipeline->Write(WriteOptions(), &batch, nullptr);
  }
  // With section "x", whose update is a put of "a".
  uint64_t OpenWithSection() {
    world_.Open();
    return world_.Prepare("x", PutsOf({"a"}));
  }
  // The end of that section, whose updates are said to be these.
  Status Commit(const WriteBatch& updates) {
    WriteBatch batch;
    WriteBatchInternal::AddTransactionMarker(&batch, kTypeCommitXID, "x");
    batch.MarkWalTerminationPoint();
    EXPECT_TRUE(WriteBatchInternal::Append(&batch, updates,
                                           WriteBatchInternal::Part::kAll)
                    .ok());
    const SectionWrite section{.kind = SectionWrite::Kind::kCommit,
                               .name = "x"};
    return world_.batches->Commit(
        options_, &batch, {.condition = &condition_, .section = &section});
  }
  uint64_t CurrentLog() const { return world_.logs->wal()->current_number(); }

  std::string Memtables() { return world_.Memtables(world_.default_family); }
  // Nothing of a batch is there, nor of what comes before one.
  void ExpectNothing() {
    EXPECT_EQ(Memtables(), "[]");
    EXPECT_EQ(world_.versions()->LastSequence(), 0u);
    EXPECT_FALSE(world_.flushes->HasUnlogged());
    EXPECT_EQ(world_.f.Ticker(NUMBER_WBWI_INGEST), 0u);
    EXPECT_EQ(condition_.visible_at, 0u);
  }

  PipelineWorld world_;
  WriteOptions options_;
  IngestCondition condition_{world_};
};

TEST_F(BatchIngestTest, ABatchIsAMemtableOfItsOwnThatWaitsForItsFlush) {
  world_.Open();
  ASSERT_TRUE(Put("old").ok());
  const uint64_t log = CurrentLog();
  ASSERT_TRUE(Ingest(PutsOf({"b", "a"})).ok());
  EXPECT_EQ(Memtables(), "[] [a@3 b@2] [old@1]");
  EXPECT_EQ(world_.versions()->LastSequence(), 3u);
  // No log has it.
  EXPECT_EQ(world_.Records(log), Lines{"1: old=v"});
  EXPECT_EQ(world_.Records(), Lines());
  EXPECT_TRUE(world_.flushes->HasUnlogged());
  const auto sealed = world_.default_family->imm()->current();
  EXPECT_TRUE(sealed->front()->has_unlogged());
  EXPECT_FALSE(sealed->back()->has_unlogged());
  ASSERT_TRUE(Put("new").ok());
  EXPECT_EQ(Memtables(), "[new@4] [a@3 b@2] [old@1]");
  EXPECT_EQ(world_.f.Ticker(NUMBER_WBWI_INGEST), 1u);
  EXPECT_EQ(world_.f.Ticker(NUMBER_KEYS_WRITTEN), 4u);
  MutexLock lock(world_.mutex);
  EXPECT_TRUE(world_.scheduler.HasFlushes());
}

TEST_F(BatchIngestTest, ABatchOfSeveralFamiliesIsAMemtableInEach) {
  world_.Open();
  ColumnFamilyData* const first = world_.Add("first");
  ColumnFamilyData* const second = world_.Add("second");
  world_.Insert(world_.default_family, "old");
  WriteBatch batch;
  Add(&batch, "a", 1);
  Add(&batch, "b", 2);
  Add(&batch, "c", 1);
  ASSERT_TRUE(Ingest(batch).ok());
  EXPECT_EQ(world_.Memtables(first), "[] [a@2 c@4]");
  EXPECT_EQ(world_.Memtables(second), "[] [b@3]");
  EXPECT_EQ(Memtables(), "[old@1]");  // It has nothing to do with the batch.
}

// However large it is, it is flushed by itself, and nothing else with it.
TEST_F(BatchIngestTest, ALargeBatchDoesNotMarkTheNextMemtableAsFull) {
  world_.f.family.write_buffer_size = 64 << 10;
  world_.Open();
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("a", std::string(128 << 10, 'v')).ok());
  ASSERT_TRUE(Ingest(batch).ok());
  EXPECT_EQ(Memtables(), "[] [a@1]");
  world_.attention.Ask();
  for (const char* key : {"b", "c"}) ASSERT_TRUE(Put(key).ok());
  EXPECT_EQ(Memtables(), "[b@2 c@3] [a@1]");
}

TEST_F(BatchIngestTest, WritersBehindPayForIt) {
  world_.Open();
  ASSERT_TRUE(Ingest(PutsOf({"a"})).ok());
  world_.controller.Update(WriteStallCondition::kDelayed, 1);
  options_.no_slowdown = true;
  EXPECT_TRUE(Ingest(PutsOf({"b"})).IsIncomplete());
  EXPECT_EQ(Memtables(), "[] [a@1]");
}

// --- what is refused

TEST_F(BatchIngestTest, WhatIsRefusedSealsNothing) {
  world_.f.family.merge_operator = nullptr;
  world_.Open();
  world_.Insert(world_.default_family, "old");
  WriteBatch batch;
  ASSERT_TRUE(batch.Merge("a", "1").ok());
  EXPECT_TRUE(Ingest(batch).IsInvalidArgument());
  WriteBatch damaged(0, 0, /*protection_bytes_per_key=*/8, 0);
  ASSERT_TRUE(damaged.Put("key", "value").ok());
  const_cast<char*>(damaged.Data().data())[damaged.GetDataSize() - 1] ^= 1;
  EXPECT_TRUE(Ingest(damaged).IsCorruption());
  world_.blobs->TurnOn();  // Values that would go to files before the log.
  EXPECT_TRUE(Ingest(PutsOf({"a"})).IsNotSupported());
  EXPECT_EQ(Memtables(), "[old@1]");
}

TEST_F(BatchIngestTest, AFamilyThatIsMissingIsRefusedOrPassedOver) {
  world_.Open();
  world_.Insert(world_.default_family, "old");
  WriteBatch batch;
  Add(&batch, "a");
  Add(&batch, "b", 77);
  const Status s = Ingest(batch);
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(s.ToString().find("77"), std::string::npos) << s.ToString();
  EXPECT_EQ(Memtables(), "[old@1]");  // That was not sealed for nothing.
  options_.ignore_missing_column_families = true;
  ASSERT_TRUE(Ingest(batch).ok());
  EXPECT_EQ(Memtables(), "[] [a@2] [old@1]");
  EXPECT_EQ(world_.versions()->LastSequence(), 3u);
}

TEST_F(BatchIngestTest, NothingComesWhereNothingIsWritten) {
  world_.Open();
  ASSERT_TRUE(world_.wal_lock.Take([] { return Status::OK(); }).ok());
  options_.no_slowdown = true;
  EXPECT_TRUE(Ingest(PutsOf({"a"})).IsIncomplete());
  ASSERT_TRUE(world_.wal_lock.GiveBack().ok());
  world_.FailWrites();
  EXPECT_TRUE(Ingest(PutsOf({"a"})).IsIOError());
  world_.stop.ShutDown();
  EXPECT_TRUE(Ingest(PutsOf({"a"})).IsShutdownInProgress());
  // Without updates there is nothing to do, and nobody looks.
  WriteBatch remark;
  ASSERT_TRUE(remark.PutLogData("blob").ok());
  EXPECT_TRUE(Ingest(remark).ok());
  ExpectNothing();
}

// --- what fails on the way

TEST_F(BatchIngestTest, ABatchThatFailsHalfWayLeavesNothing) {
  world_.Open();
  WriteBatch batch = PutsOf({"a"});
  WriteBatchInternal::AddMarker(&batch, kTypeBeginPrepareXID);
  EXPECT_TRUE(Ingest(batch).IsNotSupported());
  ExpectNothing();
  ASSERT_TRUE(Ingest(PutsOf({"b"})).ok());
  EXPECT_EQ(Memtables(), "[] [b@1]");
}

TEST_F(BatchIngestTest, NothingComesWhereWhatIsOlderCannotBeSealed) {
  world_.Open();
  ASSERT_TRUE(Put("old").ok());
  world_.FailNextLog();
  EXPECT_TRUE(Ingest(PutsOf({"a"})).IsIOError());
  EXPECT_EQ(Memtables(), "[old@1]");
  EXPECT_EQ(world_.versions()->LastSequence(), 1u);
  EXPECT_FALSE(world_.flushes->HasUnlogged());
  ASSERT_EQ(world_.told.size(), 1u);
}

// --- commits

TEST_F(BatchIngestTest, ACommitIsAMarkerInTheLogAndMemtablesOfItsOwn) {
  const uint64_t log = OpenWithSection();
  options_.sync = true;
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.logs->Switch(world_.logs->NextNumber(), 4096).ok());
    world_.default_family->mem()->set_log_number(CurrentLog());
  }
  const uint64_t log_of_marker = CurrentLog();
  ASSERT_TRUE(Commit(PutsOf({"a"})).ok());
  EXPECT_EQ(world_.Records(log), Lines{"1: <9> a=v <10>"});
  EXPECT_EQ(world_.Records(log_of_marker), Lines{"1: <11>"});
  EXPECT_EQ(Memtables(), "[] [a@1]");
  EXPECT_EQ(condition_.visible_at, 1u);
  EXPECT_EQ(world_.f.Ticker(NUMBER_WBWI_INGEST), 1u);
  EXPECT_EQ(world_.f.Ticker(WRITE_WITH_WAL), 2u);
  EXPECT_FALSE(world_.flushes->HasUnlogged());
  // The memtable holds the log now, since the section does not any more.
  EXPECT_TRUE(world_.sections->IsEmpty());
  EXPECT_EQ(world_.HeldLog(), UINT64_MAX);
  MutexLock lock(world_.mutex);
  EXPECT_EQ(world_.default_family->imm()->MinLogNumber(), log);
  ASSERT_TRUE(world_.f.fs->CrashAndHeal().ok());
  EXPECT_EQ(world_.Records(log_of_marker), Lines{"1: <11>"});
}

TEST_F(BatchIngestTest, ACommitThatIsRefusedLeavesTheSection) {
  OpenWithSection();
  condition_.answer = Status::Expired("too late");
  EXPECT_TRUE(Commit(PutsOf({"a"})).IsExpired());
  condition_.answer = Status::OK();
  WriteBatch half = PutsOf({"a"});
  WriteBatchInternal::AddMarker(&half, kTypeBeginPrepareXID);
  EXPECT_TRUE(Commit(half).IsNotSupported());
  ExpectNothing();
  EXPECT_TRUE(world_.sections->HasPrepared("x"));
  EXPECT_EQ(world_.Records(), Lines{"1: <9> a=v <10>"});
}

TEST_F(BatchIngestTest, ACommitNeedsWritesInOneLine) {
  world_.f.db_options.enable_pipelined_write = true;
  OpenWithSection();
  EXPECT_TRUE(Commit(PutsOf({"a"})).IsNotSupported());
  ExpectNothing();
  EXPECT_TRUE(world_.sections->HasPrepared("x"));
}

TEST_F(BatchIngestTest, ACommitThatTheLogDidNotTakeStopsWrites) {
  OpenWithSection();
  world_.FailNext(LogFileName("/db", CurrentLog()));
  EXPECT_TRUE(Commit(PutsOf({"a"})).IsIOError());
  ExpectNothing();
  EXPECT_TRUE(world_.sections->HasPrepared("x"));
  EXPECT_EQ(world_.told.at(0).reason, BackgroundErrorReason::kWriteCallback);
  EXPECT_TRUE(world_.errors.BlocksWrites());
}

// The marker is in the log: the batch is there whatever comes after it.
TEST_F(BatchIngestTest, ACommitThatCannotBeSealedIsThereAndSealedLater) {
  OpenWithSection();
  world_.FailNextLog();
  ASSERT_TRUE(Commit(PutsOf({"a"})).ok());
  EXPECT_EQ(Memtables(), "[a@1]");
  EXPECT_EQ(condition_.visible_at, 1u);
  EXPECT_EQ(world_.told.size(), 1u);
  EXPECT_TRUE(Put("b").IsIOError());
  {
    MutexLock lock(world_.mutex);
    world_.errors.Clear();
  }
  ASSERT_TRUE(Put("b").ok());
  EXPECT_EQ(Memtables(), "[b@2] [a@1]");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
