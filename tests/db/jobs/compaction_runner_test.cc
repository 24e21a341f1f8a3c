// A picked compaction moves, drops or rewrites its files and publishes the
// result, beside others, and whichever call fails its inputs are as they were.
#include "db/jobs/compaction_runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/db/jobs/compaction_users.h"
#include "tests/db/jobs/jobs_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;

class CompactionRunnerTest : public ::testing::Test {
 protected:
  void Fill(const std::vector<std::string>& files) {
    for (const std::string& text : files) {
      ASSERT_TRUE(parts.world.Flush(text).ok());
    }
  }
  using Change = std::function<void(Compaction*)>;
  // Level 0 to level 1.
  Status Run(const CompactionWatch& watch = {}, const Change& change = {}) {
    return RunOf(0, "a", "z", watch, change);
  }
  Status RunOf(int level, const std::string& begin, const std::string& end,
               const CompactionWatch& watch = {}, const Change& change = {}) {
    MutexLock lock(&parts.world.mutex);
    auto picked = parts.Pick(level, level + 1, begin, end);
    if (picked == nullptr) return Status::NotFound("nothing to compact");
    if (change != nullptr) change(picked.get());
    return parts.runner->Run(parts.family.get(), std::move(picked), watch);
  }
  // Makes the compaction a trivial move, and asks nobody whether it may be one.
  static void Move(Compaction* compaction) {
    compaction->is_trivial_move = true;
    compaction->asks_for_move = false;
  }
  // Nothing is left of a compaction that was picked.
  void ExpectNothingRuns() { ExpectNothingRuns(&parts); }
  static void ExpectNothingRuns(JobsWorld* in) {
    MutexLock lock(&in->world.mutex);
    EXPECT_FALSE(in->family->picker->HasRunning());
    EXPECT_EQ(in->world.cfd->schedule.running_compactions, 0);
    EXPECT_EQ(in->scheduler.running_sorted_runs(), 0);
    const VersionStorage& storage = in->world.cfd->current()->storage();
    for (int level = 0; level < storage.level_count(); ++level) {
      for (const FileRef& file : storage.files(level)) {
        EXPECT_FALSE(file->being_compacted) << file->number;
      }
    }
  }
  ColumnFamilyData* cfd() { return parts.world.cfd; }
  std::string Dump() { return parts.world.Dump(); }

  const std::shared_ptr<CompactionListener> listener =
      std::make_shared<CompactionListener>();
  const std::shared_ptr<NoMoves> no_moves = std::make_shared<NoMoves>();
  JobsWorld parts{[this](JobWorld* world) {
    world->f.db_options.listeners.push_back(listener);
    world->f.family.sst_partitioner_factory = no_moves;
  }};
};

TEST_F(CompactionRunnerTest, FilesAreRewrittenIntoTheNextLevel) {
  Fill({"a@1=x b@2=x", "a@3=y c@4=x"});
  listener->on_begin = [this] {
    MutexLock lock(&parts.world.mutex);
    EXPECT_TRUE(parts.family->picker->HasRunning());
    EXPECT_EQ(cfd()->schedule.running_compactions, 1);
    EXPECT_EQ(parts.scheduler.running_sorted_runs(), 2);
    for (const FileRef& file : cfd()->current()->storage().level0()) {
      EXPECT_TRUE(file->being_compacted);
    }
  };
  CompactionJobInfo info;
  ASSERT_TRUE(Run({.info = &info}).ok());
  EXPECT_EQ(Dump(), "L1 [a@0=y b@0=x c@0=x]");
  EXPECT_EQ(listener->lines,
            (Lines{"begins 2 to 0", "is made 2 to 1", "is done 2 to 1"}));
  EXPECT_TRUE(info.status.ok());
  EXPECT_EQ(info.output_files.size(), 1u);
  ExpectNothingRuns();
  MutexLock lock(&parts.world.mutex);
  const std::string table =
      parts.family->stats.LevelTable("default", cfd()->current()->storage());
  EXPECT_NE(table.find("User"), std::string::npos) << table;
}

// The next pick counts what is left.
TEST_F(CompactionRunnerTest, WhatIsBeingCompactedIsNotDue) {
  Fill({"a@1=x", "a@2=x", "a@3=x", "a@4=x"});
  const auto is_due = [this] {
    MutexLock lock(&parts.world.mutex);
    return parts.family->picker->NeedsCompaction(cfd()->current()->storage());
  };
  bool was_due = true;
  listener->on_begin = [&] { was_due = is_due(); };
  parts.world.f.fs->FailCall({.call = 1, .path_contains = ".sst"});
  EXPECT_TRUE(Run().IsIOError());
  EXPECT_FALSE(was_due);
  EXPECT_TRUE(is_due());
}

TEST_F(CompactionRunnerTest, WhatATombstoneCoversIsNotRead) {
  Fill({"b@1=x", "a-z@9"});
  CompactionJobInfo info;
  ASSERT_TRUE(Run({.info = &info}).ok());
  EXPECT_EQ(Dump(), "");
  EXPECT_EQ(info.stats.num_filtered_input_files, 1u);
}

// What users read is the new version.
TEST_F(CompactionRunnerTest, TheResultIsPublished) {
  Fill({"a@1=x", "a@2=y"});
  ASSERT_TRUE(Run().ok());
  SuperVersion* const state = cfd()->AcquireReferenced();
  EXPECT_EQ(state->current->storage().level0().size(), 0u);
  ColumnFamilyData::Release(state);
}

TEST_F(CompactionRunnerTest, AFileMayMoveAsItIs) {
  Fill({"a@1=x"});
  const uint64_t number = parts.world.Files(0).front()->number;
  CompactionJobInfo info;
  ASSERT_TRUE(Run({.info = &info}, Move).ok());
  EXPECT_EQ(parts.world.Files(1).front()->number, number);
  EXPECT_EQ(listener->lines, (Lines{"begins 1 to 0", "is done 1 to 1"}));
  EXPECT_EQ(info.output_files, info.input_files);
  ExpectNothingRuns();
}

TEST_F(CompactionRunnerTest, WhetherAFileMovesAUsersPartitionerSays) {
  Fill({"a@1=x"});
  const uint64_t number = parts.world.Files(0).front()->number;
  const Change ask = [](Compaction* compaction) {
    compaction->is_trivial_move = compaction->asks_for_move = true;
  };
  no_moves->throws = true;
  EXPECT_TRUE(Run({}, ask).IsAborted());
  EXPECT_EQ(Dump(), "L0 [a@1=x]");
  EXPECT_TRUE(listener->lines.empty());
  ExpectNothingRuns();
  no_moves->throws = false;
  ASSERT_TRUE(Run({}, ask).ok());
  EXPECT_NE(parts.world.Files(1).front()->number, number);
}

TEST_F(CompactionRunnerTest, FilesMayBeDropped) {
  Fill({"a@1=x"});
  const Change drop = [](Compaction* compaction) {
    compaction->drops_inputs = true;
    compaction->reason = CompactionReason::kFIFOTtl;
  };
  ASSERT_TRUE(Run({}, drop).ok());
  EXPECT_EQ(Dump(), "");
  EXPECT_EQ(parts.world.f.Ticker(FIFO_TTL_COMPACTIONS), 1u);
  EXPECT_EQ(parts.world.f.Ticker(FIFO_MAX_SIZE_COMPACTIONS), 0u);
  ExpectNothingRuns();
}

// The second one begins and ends while the first one is under way.
TEST_F(CompactionRunnerTest, CompactionsOfOtherFilesRunSideBySide) {
  Fill({"a@1=x"});
  ASSERT_TRUE(Run({}, Move).ok());
  Fill({"y@2=x"});
  ASSERT_TRUE(Run({}, Move).ok());
  Status second;
  listener->on_begin = [&] {
    listener->on_begin = nullptr;
    second = RunOf(1, "x", "z");
    MutexLock lock(&parts.world.mutex);
    EXPECT_EQ(cfd()->schedule.running_compactions, 1);
    EXPECT_EQ(parts.scheduler.running_sorted_runs(), 1);
  };
  EXPECT_TRUE(RunOf(1, "a", "b").ok());
  EXPECT_TRUE(second.ok()) << second.ToString();
  EXPECT_EQ(Dump(), "L2 [a@0=x] [y@0=x]");
  ExpectNothingRuns();
}

// --- what ends early

// Every call that changes a file fails once; of a move, and of a compaction.
TEST_F(CompactionRunnerTest, OfACompactionThatFailsTheInputsAreAsTheyWere) {
  const std::string before = "L0 [b@2=x] [a@1=x]";
  for (const bool moves : {true, false}) {
    for (uint64_t call = 1;; ++call) {
      SCOPED_TRACE((moves ? "move " : "rewrite ") + std::to_string(call));
      JobsWorld one;
      ASSERT_TRUE(one.world.Flush("a@1=x").ok());
      ASSERT_TRUE(one.world.Flush("b@2=x").ok());
      const auto run = [&] {
        MutexLock lock(&one.world.mutex);
        auto picked = one.Pick(0, 1, "a", "z");
        picked->is_trivial_move = moves;
        return one.runner->Run(one.family.get(), std::move(picked), {});
      };
      one.world.f.fs->FailCall({.call = call});
      const Status s = run();
      const bool has_failed = one.world.f.fs->failed();
      one.world.f.fs->ClearFault();
      if (!s.ok()) {
        EXPECT_TRUE(s.IsIOError()) << s.ToString();
        EXPECT_EQ(one.world.Dump(), before);
        ExpectNothingRuns(&one);
        ASSERT_TRUE(run().ok());
      }
      EXPECT_EQ(one.world.Files(0).size(), 0u);
      if (!has_failed) break;
      ASSERT_LT(call, 200u);
    }
  }
}

TEST_F(CompactionRunnerTest, AFailureIsToldAsOne) {
  Fill({"a@1=x", "a@2=y"});
  parts.world.f.fs->FailCall({.call = 1, .path_contains = ".sst"});
  CompactionJobInfo info;
  EXPECT_TRUE(Run({.info = &info}).IsIOError());
  EXPECT_TRUE(info.status.IsIOError());
  EXPECT_EQ(listener->lines, (Lines{"begins 2 to 0", "failed 2 to 0"}));
  ExpectNothingRuns();
}

TEST_F(CompactionRunnerTest, AServiceIsToldOfItBeforeListenersAre) {
  parts.world.f.db->compaction_service =
      std::make_shared<BadService>(&listener->lines);
  Fill({"a@1=x", "a@2=y"});
  EXPECT_TRUE(Run().IsIncomplete());
  EXPECT_EQ(listener->lines,
            (Lines{"begins 2 to 0", "told of the job", "failed 2 to 0"}));
  ExpectNothingRuns();
}

TEST_F(CompactionRunnerTest, ACompactionEndsWhenItIsToldTo) {
  Fill({"a@1=x", "a@2=y"});
  std::atomic<bool> canceled{true};
  EXPECT_TRUE(Run({.canceled = &canceled}).IsManualCompactionPaused());
  parts.stop.BeginAbort();
  EXPECT_TRUE(Run().IsCompactionAborted());
  ASSERT_TRUE(parts.stop.EndAbort());
  cfd()->schedule.compaction_aborts = 1;
  EXPECT_TRUE(Run().IsCompactionAborted());
  cfd()->schedule.compaction_aborts = 0;
  ASSERT_TRUE(parts.stop.DisableManual());
  EXPECT_TRUE(Run({.is_manual = true}).IsManualCompactionPaused());
  EXPECT_EQ(Dump(), "L0 [a@2=y] [a@1=x]");
  ExpectNothingRuns();
  // That is of those alone that users ask for.
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(Dump(), "L1 [a@0=y]");
}

TEST_F(CompactionRunnerTest, AFamilyMayBeDroppedMeanwhile) {
  Fill({"a@1=x", "a@2=y"});
  listener->on_begin = [this] { cfd()->MarkDropped(); };
  EXPECT_TRUE(Run().IsColumnFamilyDropped());
  EXPECT_EQ(Dump(), "L0 [a@2=y] [a@1=x]");
  ExpectNothingRuns();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
