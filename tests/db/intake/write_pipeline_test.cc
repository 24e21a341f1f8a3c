// Writes are logged, inserted and made visible in one order, by many threads
// and in every mode, and a write that fails leaves no trace or is told.
#include "db/intake/write_pipeline.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/write/exclusive.h"
#include "db/write/write_hooks.h"
#include "tests/db/intake/pipeline_world.h"
#include "util/key/range_tombstones.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;

class WritePipelineTest : public ::testing::Test {
 protected:
  void Open() {
    world_.Open();
    family_ = world_.default_family;
    pipeline_ = world_.pipeline.get();
  }
  Status Write(WriteBatch* batch, const WriteHooks* hooks = nullptr) {
    return pipeline_->Write(options_, batch, hooks);
  }
  Status Put(const std::string& key, const std::string& value = "v") {
    WriteBatch batch;
    EXPECT_TRUE(batch.Put(key, value).ok());
    return Write(&batch);
  }
  static WriteBatch PutOf(uint32_t family_id) {
    WriteBatch batch;
    const Slice key("key");
    const Slice value("value");
    const SliceParts value_parts(&value, 1);
    EXPECT_TRUE(WriteBatchInternal::Add(&batch, kTypeValue, family_id,
                                        SliceParts(&key, 1), &value_parts)
                    .ok());
    return batch;
  }
  uint64_t EntryCount() const { return family_->mem()->entry_count(); }
  SequenceNumber LastSequence() const {
    return world_.versions()->LastSequence();
  }

  PipelineWorld world_;
  ColumnFamilyData* family_ = nullptr;
  WritePipeline* pipeline_ = nullptr;
  WriteOptions options_;
};

// Says what it is told to, and what is visible when it is told.
class TestCondition final : public WriteCondition {
 public:
  TestCondition(const VersionSet* versions, Status answer)
      : versions_(versions), answer_(std::move(answer)) {}
  Status Check() override { return answer_; }
  bool MayShareGroup() const override { return false; }
  void OnVisible() override { visible_at = versions_->LastSequence(); }
  SequenceNumber visible_at = 0;

 private:
  const VersionSet* const versions_;
  const Status answer_;
};

// --- the way of a write

TEST_F(WritePipelineTest, AWriteIsLoggedThenInsertedThenVisible) {
  Open();
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("a", "1").ok());
  ASSERT_TRUE(batch.Delete("b").ok());
  ASSERT_TRUE(Write(&batch).ok());
  ASSERT_TRUE(Put("c").ok());
  EXPECT_EQ(world_.Records(), (Lines{"1: a=1 del b", "3: c=v"}));
  EXPECT_EQ(EntryCount(), 3u);
  EXPECT_EQ(LastSequence(), 3u);
  EXPECT_EQ(world_.f.Ticker(NUMBER_KEYS_WRITTEN), 3u);
  EXPECT_EQ(pipeline_->current_log_number(),
            world_.logs->wal()->current_number());
}

TEST_F(WritePipelineTest, AWritePastTheLogIsInsertedAlone) {
  Open();
  options_.disableWAL = true;
  ASSERT_TRUE(Put("a").ok());
  EXPECT_EQ(world_.Records(), Lines());
  EXPECT_EQ(EntryCount(), 1u);
  EXPECT_TRUE(family_->mem()->has_unlogged());
  EXPECT_TRUE(world_.flushes->HasUnlogged());
}

TEST_F(WritePipelineTest, WhatFamiliesRefuseIsNotLogged) {
  world_.f.family.merge_operator = nullptr;
  Open();
  WriteBatch batch;
  ASSERT_TRUE(batch.Merge("a", "1").ok());
  EXPECT_TRUE(Write(&batch).IsInvalidArgument());
  EXPECT_EQ(world_.Records(), Lines());
  EXPECT_EQ(LastSequence(), 0u);
}

// It is in the log, and harms nobody there.
TEST_F(WritePipelineTest, AFamilyThatIsGoneIsTheCallersMistake) {
  Open();
  WriteBatch batch = PutOf(77);
  EXPECT_TRUE(Write(&batch).IsInvalidArgument());
  EXPECT_TRUE(world_.told.empty());
  EXPECT_EQ(world_.Records(), Lines{"1: 77:key=value"});
  options_.ignore_missing_column_families = true;
  WriteBatch next = PutOf(77);
  EXPECT_TRUE(Write(&next).ok());
  EXPECT_EQ(EntryCount(), 0u);
  EXPECT_TRUE(Put("a").ok());
  EXPECT_EQ(EntryCount(), 1u);
}

// --- what a leader sees to

TEST_F(WritePipelineTest, AFullMemtableIsSealedByTheWriteBehind) {
  world_.f.family.write_buffer_size = 64 << 10;
  Open();
  ASSERT_TRUE(Put("a", std::string(128 << 10, 'v')).ok());
  EXPECT_EQ(EntryCount(), 1u);
  const uint64_t log = world_.logs->wal()->current_number();
  ASSERT_TRUE(Put("b").ok());
  EXPECT_EQ(EntryCount(), 1u);
  EXPECT_EQ(world_.Records(), Lines{"2: b=v"});
  EXPECT_GT(pipeline_->current_log_number(), log);
  MutexLock lock(world_.mutex);
  EXPECT_EQ(family_->imm()->size(), 1u);
  EXPECT_TRUE(world_.scheduler.HasFlushes());
}

TEST_F(WritePipelineTest, NothingIsWrittenWhileAnErrorIsInForce) {
  Open();
  world_.FailWrites();
  world_.attention.Ask();
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(Put("a").IsIOError());
  EXPECT_EQ(world_.Records(), Lines());
  EXPECT_EQ(EntryCount(), 0u);
  {
    MutexLock lock(world_.mutex);
    world_.errors.Clear();
  }
  EXPECT_TRUE(Put("a").ok());
  EXPECT_FALSE(world_.attention.IsAsked());
}

TEST_F(WritePipelineTest, NothingIsWrittenToADatabaseThatCloses) {
  Open();
  world_.stop.ShutDown();
  world_.attention.Ask();
  EXPECT_TRUE(Put("a").IsShutdownInProgress());
  EXPECT_TRUE(Put("b").IsShutdownInProgress());
  EXPECT_EQ(world_.Records(), Lines());
}

TEST_F(WritePipelineTest, NobodyWaitsForALogThatRestsWhoMustNot) {
  Open();
  ASSERT_TRUE(world_.wal_lock.Take([] { return Status::OK(); }).ok());
  options_.no_slowdown = true;
  EXPECT_TRUE(Put("a").IsIncomplete());
  ASSERT_TRUE(world_.wal_lock.GiveBack().ok());
  EXPECT_TRUE(Put("a").ok());
}

TEST_F(WritePipelineTest, AtLowPriorityNobodyIsSlowedDownWhoMustNotBe) {
  Open();
  world_.controller.Update(WriteStallCondition::kDelayed, 1'000'000);
  options_.no_slowdown = true;
  EXPECT_TRUE(Put("a").ok());
  options_.low_pri = true;
  EXPECT_TRUE(Put("b").IsIncomplete());
  EXPECT_EQ(world_.Records(), Lines{"1: a=v"});
}

TEST_F(WritePipelineTest, ASectionThatHoldsLongLogsIsCarried) {
  world_.f.db_options.max_total_wal_size = 10;
  Open();
  WriteBatch updates;
  ASSERT_TRUE(updates.Put("prepared", "v").ok());
  const uint64_t section_log = world_.Prepare("name", updates);
  EXPECT_EQ(EntryCount(), 0u);
  EXPECT_EQ(LastSequence(), 0u);
  EXPECT_EQ(world_.HeldLog(), section_log);
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.logs->Switch(world_.logs->NextNumber(), 4096).ok());
  }
  world_.attention.Ask();
  ASSERT_TRUE(Put("a").ok());
  EXPECT_GT(pipeline_->current_log_number(), section_log);
  EXPECT_EQ(world_.HeldLog(), pipeline_->current_log_number());
  EXPECT_EQ(world_.sections->LogOf("name"), pipeline_->current_log_number());
  ASSERT_EQ(world_.Records().size(), 2u);
  EXPECT_EQ(world_.Records()[1], "1: a=v");
}

// --- what fails

TEST_F(WritePipelineTest, WhatTheLogDoesNotTakeIsNotInserted) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  world_.FailNext(".log");
  EXPECT_TRUE(Put("b").IsIOError());
  EXPECT_EQ(EntryCount(), 1u);
  EXPECT_EQ(LastSequence(), 1u);
  ASSERT_EQ(world_.told.size(), 1u);
  EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kWriteCallback);
}

// It would come back at the next open, below what was written on top of it.
TEST_F(WritePipelineTest, WhatIsLoggedAndNotInsertedIsTold) {
  Open();
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(family_->mem()->Add(1, kTypeValue, "a", "").ok());
  }
  const Status s = Put("a");
  EXPECT_TRUE(s.IsTryAgain()) << s.ToString();
  ASSERT_EQ(world_.told.size(), 1u);
  EXPECT_TRUE(world_.told[0].status.IsTryAgain());
  EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kMemTable);
  EXPECT_TRUE(world_.errors.BlocksWrites());
}

// --- conditions

TEST_F(WritePipelineTest, AConditionThatFailsLeavesNoTrace) {
  Open();
  TestCondition condition(world_.versions(), Status::Busy());
  const WriteHooks hooks{.condition = &condition};
  WriteBatch batch = PutOf(0);
  EXPECT_TRUE(Write(&batch, &hooks).IsBusy());
  EXPECT_EQ(world_.Records(), Lines());
  EXPECT_EQ(EntryCount(), 0u);
  EXPECT_EQ(LastSequence(), 0u);
  EXPECT_EQ(condition.visible_at, 0u);
  EXPECT_TRUE(world_.told.empty());
}

TEST_F(WritePipelineTest, AConditionIsToldWhenItsWriteIsVisible) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  TestCondition condition(world_.versions(), Status::OK());
  const WriteHooks hooks{.condition = &condition};
  WriteBatch batch = PutOf(0);
  ASSERT_TRUE(Write(&batch, &hooks).ok());
  EXPECT_EQ(condition.visible_at, 2u);
}

TEST_F(WritePipelineTest, SectionsThatAreCountedAreNotPipelined) {
  world_.f.db_options.enable_pipelined_write = true;
  Open();
  EXPECT_TRUE(Put("a").ok());
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.sections->Adopt(SectionPolicy::kWritePrepared).ok());
  }
  EXPECT_TRUE(Put("b").IsNotSupported());
  EXPECT_EQ(world_.Records(), Lines{"1: a=v"});
}

// --- many writers

struct WriterMode {
  const char* name;
  bool is_pipelined = false;
  bool is_unordered = false;
  bool inserts_concurrently = true;
  bool has_two_queues = false;
};

class ManyWritersTest : public WritePipelineTest,
                        public ::testing::WithParamInterface<WriterMode> {};

// Each write has sequences of its own, in the order of the log.
TEST_P(ManyWritersTest, LoseNothing) {
  constexpr int kThreads = 4;
  constexpr int kWrites = 50;
  const WriterMode& mode = GetParam();
  world_.f.db_options.enable_pipelined_write = mode.is_pipelined;
  world_.f.db_options.unordered_write = mode.is_unordered;
  world_.f.db_options.allow_concurrent_memtable_write =
      mode.inserts_concurrently;
  world_.f.db_options.two_write_queues = mode.has_two_queues;
  Open();
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < kWrites; ++i) {
        WriteBatch batch;
        const std::string key = std::to_string(t) + "-" + std::to_string(i);
        EXPECT_TRUE(batch.Put(key, "v").ok());
        if (i % 2 == 1) {
          EXPECT_TRUE(batch.Delete(key).ok());
        }
        EXPECT_TRUE(Write(&batch).ok());
        WriteBatch blob;
        EXPECT_TRUE(blob.PutLogData("blob").ok());
        EXPECT_TRUE(Write(&blob).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  constexpr uint64_t kEntries = kThreads * (kWrites + kWrites / 2);
  EXPECT_EQ(EntryCount(), kEntries);
  EXPECT_EQ(LastSequence(), kEntries);
  // The log gives each entry the sequence that the memtable has it with.
  uint64_t blobs = 0;
  SequenceNumber next = 1;
  for (const std::string& record : world_.Records()) {
    const size_t colon = record.find(": ");
    EXPECT_EQ(record.substr(0, colon), std::to_string(next));
    for (size_t at = colon + 1; at != std::string::npos;
         at = record.find(' ', at)) {
      ++at;
      if (record[at] == 'b') {
        ++blobs;
      } else {
        if (record.compare(at, 4, "del ") == 0) at += 4;
        ++next;
      }
    }
  }
  EXPECT_EQ(next, kEntries + 1);
  EXPECT_EQ(blobs, uint64_t{kThreads * kWrites});
}

INSTANTIATE_TEST_SUITE_P(
    All, ManyWritersTest,
    ::testing::Values(WriterMode{.name = "Ordered"},
                      WriterMode{.name = "OneInserts",
                                 .inserts_concurrently = false},
                      WriterMode{.name = "Pipelined", .is_pipelined = true},
                      WriterMode{.name = "Unordered", .is_unordered = true},
                      WriterMode{.name = "TwoQueues", .has_two_queues = true}),
    [](const auto& param) { return std::string(param.param.name); });

// --- tombstones that scans add

TEST_F(WritePipelineTest, ATombstoneIsAddedIfNothingSpeaksAgainstIt) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  const RangeTombstone dead{.begin = "b", .end = "c", .sequence = 1};
  const auto hide = [this, &dead] {
    SuperVersion* const state = family_->AcquireReferenced();
    const uint64_t before = family_->mem()->counts().range_deletes();
    pipeline_->HideRange(family_, *state, dead);
    EXPECT_FALSE(ColumnFamilyData::Release(state));
    return family_->mem()->counts().range_deletes() > before;
  };
  EXPECT_TRUE(hide());
  EXPECT_EQ(world_.f.Ticker(READ_PATH_RANGE_TOMBSTONES_INSERTED), 1u);
  {
    const Exclusive leads(&world_.writes);
    EXPECT_FALSE(hide());
  }
  world_.FailWrites();
  EXPECT_FALSE(hide());
  EXPECT_EQ(world_.f.Ticker(READ_PATH_RANGE_TOMBSTONES_DISCARDED), 2u);
}

TEST_F(WritePipelineTest, ATombstoneOfAnOlderStateIsDiscarded) {
  Open();
  ASSERT_TRUE(Put("a").ok());
  SuperVersion* const state = family_->AcquireReferenced();
  {
    MutexLock lock(world_.mutex);
    world_.publisher->Publish(family_);
  }
  pipeline_->HideRange(family_, *state,
                       {.begin = "b", .end = "c", .sequence = 1});
  EXPECT_EQ(family_->mem()->counts().range_deletes(), 0u);
  EXPECT_TRUE(ColumnFamilyData::Release(state));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
