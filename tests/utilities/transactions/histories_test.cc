// Histories of concurrent transactions, checked for serialisability.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/testing/scale.h"
#include "tests/utilities/transactions/history.h"
#include "tests/utilities/transactions/history_actor.h"
#include "tests/utilities/transactions/history_run.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// --- The check itself

std::string ComplaintAbout(const std::vector<HistoryStep>& steps) {
  History history;
  history.Add({.label = "before", .written = {{"x", "0"}, {"y", "0"}}});
  for (const HistoryStep& step : steps) history.Add(step);
  return history.Complaint();
}

TEST(HistoryTest, WhatIsSerialIsExplained) {
  EXPECT_EQ(ComplaintAbout({{"a", {{"x", "0"}}, {{"x", "1"}}, 1, 9},
                            {"b", {{"x", "1"}}, {{"x", "2"}}, 1, 9},
                            {"c", {{"x", "0"}, {"y", "0"}}, {}, 1, 9},
                            {"d", {}, {{"y", "3"}}, 1, 9},
                            {"e", {{"x", "2"}, {"y", "3"}}, {}, 1, 9}}),
            "");
}

TEST(HistoryTest, ALostUpdate) {
  EXPECT_NE(ComplaintAbout({{"a", {{"x", "0"}}, {{"x", "1"}}, 1, 9},
                            {"b", {{"x", "0"}}, {{"x", "2"}}, 1, 9}}),
            "");
}

// b has not read what it replaced. It comes after a, which has not seen it, and
// is gone nevertheless.
TEST(HistoryTest, ALostBlindWrite) {
  EXPECT_NE(ComplaintAbout({{"a", {{"x", "0"}}, {{"x", "1"}}, 5, 9},
                            {"b", {}, {{"x", "2"}}, 6, 7},
                            {"c", {{"x", "1"}}, {}, 10, 11}}),
            "");
  EXPECT_EQ(ComplaintAbout({{"a", {{"x", "0"}}, {{"x", "1"}}, 5, 9},
                            {"b", {}, {{"x", "2"}}, 6, 7},
                            {"c", {{"x", "2"}}, {}, 10, 11}}),
            "");
}

TEST(HistoryTest, WriteSkew) {
  EXPECT_NE(
      ComplaintAbout({{"a", {{"x", "0"}, {"y", "0"}}, {{"x", "1"}}, 1, 9},
                      {"b", {{"x", "0"}, {"y", "0"}}, {{"y", "2"}}, 1, 9}}),
      "");
  EXPECT_EQ(
      ComplaintAbout({{"a", {{"x", "0"}, {"y", "0"}}, {{"x", "1"}}, 1, 9},
                      {"b", {{"x", "1"}, {"y", "0"}}, {{"y", "2"}}, 1, 9}}),
      "");
}

TEST(HistoryTest, HalfOfACommit) {
  EXPECT_NE(ComplaintAbout({{"a", {}, {{"x", "1"}, {"y", "2"}}, 1, 9},
                            {"b", {{"x", "1"}, {"y", "0"}}, {}, 1, 9}}),
            "");
}

TEST(HistoryTest, WhatNobodyHasCommitted) {
  EXPECT_NE(ComplaintAbout({{"a", {{"x", "1"}}, {}, 1, 9}}), "");
}

TEST(HistoryTest, WhatEndedBeforeIsSeen) {
  EXPECT_NE(ComplaintAbout(
                {{"a", {}, {{"x", "1"}}, 1, 2}, {"b", {{"x", "0"}}, {}, 3, 4}}),
            "");
  EXPECT_EQ(ComplaintAbout(
                {{"a", {}, {{"x", "1"}}, 1, 3}, {"b", {{"x", "0"}}, {}, 2, 4}}),
            "");
}

// A write that failed is there as a whole, or not at all.
TEST(HistoryTest, WhatFailedMayHaveHappened) {
  const HistoryStep failed{"a",
                           {},
                           {{"x", "1"}, {"y", "1"}},
                           1,
                           History::kNoEnd,
                           /*is_certain=*/false};
  EXPECT_EQ(ComplaintAbout({failed, {"b", {{"x", "0"}}, {}, 3, 4}}), "");
  EXPECT_EQ(ComplaintAbout({failed, {"b", {{"x", "1"}}, {}, 3, 4}}), "");
  EXPECT_EQ(ComplaintAbout({failed,
                            {"b", {{"x", "0"}}, {}, 3, 4},
                            {"c", {{"x", "1"}, {"y", "1"}}, {}, 5, 6}}),
            "");
  EXPECT_NE(ComplaintAbout({failed, {"b", {{"x", "1"}, {"y", "0"}}, {}, 3, 4}}),
            "");
  EXPECT_NE(ComplaintAbout({failed,
                            {"b", {{"x", "1"}}, {}, 3, 4},
                            {"c", {{"x", "0"}}, {}, 5, 6}}),
            "")
      << "it does not go away again";
  // What an uncertain step has read happened if the step did.
  EXPECT_NE(ComplaintAbout(
                {failed,
                 {"b", {{"y", "1"}}, {{"z", "2"}}, 3, History::kNoEnd, false},
                 {"c", {{"z", "2"}, {"x", "0"}}, {}, 5, 6}}),
            "");
}

// --- Histories

constexpr HistoryKind kKinds[] = {
    {.locks = HistoryKind::Locks::kPoints},
    {.locks = HistoryKind::Locks::kPoints, .pipelined = true},
    {.locks = HistoryKind::Locks::kPoints, .bypasses_memtables = true},
    {.policy = WRITE_PREPARED},
    {.policy = WRITE_UNPREPARED},
    {.locks = HistoryKind::Locks::kRanges},
    {.locks = HistoryKind::Locks::kNoneSerial},
    {.locks = HistoryKind::Locks::kNoneParallel},
    {.locks = HistoryKind::Locks::kNoneParallel, .pipelined = true},
};

std::string NameOf(const HistoryKind& kind) {
  const char* const names[] = {"Locking", "Ranges", "Serial", "Parallel"};
  std::string name = names[static_cast<size_t>(kind.locks)];
  if (kind.policy == WRITE_PREPARED) name += "Prepared";
  if (kind.policy == WRITE_UNPREPARED) name += "Unprepared";
  if (kind.bypasses_memtables) name += "PastMemtables";
  return name + (kind.pipelined ? "Pipelined" : "");
}

class HistoriesTest : public ::testing::TestWithParam<HistoryKind> {
 protected:
  static constexpr int kThreads = 3, kSteps = 5;

  // One history; how many transactions were committed.
  size_t RunOne(HistoryRun* run, uint64_t seed) {
    Random64 random(seed);
    const bool fails = random.OneIn(25);
    const bool crashes = fails || random.OneIn(25);
    const bool flushes = random.OneIn(10);
    const bool compacts = random.OneIn(50);
    Status s = run->Begin(/*syncs=*/crashes || random.OneIn(4));
    EXPECT_TRUE(s.ok()) << s.ToString();
    std::vector<HistoryActor> actors;
    for (uint64_t t = 0; t < kThreads; ++t) {
      actors.emplace_back(
          run, seed * 16 + t,
          crashes ? HistoryActor::Ends::kLeavesSome : HistoryActor::Ends::kAll);
    }
    std::vector<std::thread> threads;
    threads.reserve(actors.size());
    if (fails) run->PlanFault(&random);
    for (HistoryActor& actor : actors) {
      threads.emplace_back([&actor] {
        for (int i = 0; i < kSteps; ++i) actor.Act();
      });
    }
    if (flushes) Flush(run, random.Uniform(2));
    if (compacts) {
      s = run->db()->CompactRange(CompactRangeOptions(), nullptr, nullptr);
      EXPECT_TRUE(s.ok() || run->MayFail(s)) << s.ToString();
    }
    for (std::thread& thread : threads) thread.join();
    const bool resumes = fails && random.OneIn(2);
    if (resumes) {
      s = run->Resume(&random);
      EXPECT_TRUE(s.ok()) << s.ToString();
    }
    if (crashes) {
      if (random.OneIn(2)) {
        const size_t family = random.Uniform(2);
        if (resumes) {
          FlushResumed(run, family);
        } else {
          Flush(run, family);
        }
      }
      s = run->CrashAndResolve(&random);
      EXPECT_TRUE(s.ok()) << s.ToString();
    }
    size_t committed = 0;
    for (const HistoryActor& actor : actors) committed += actor.committed();
    return committed;
  }

  static void Flush(HistoryRun* run, size_t family) {
    const Status s = run->db()->Flush(FlushOptions(), run->family(family));
    EXPECT_TRUE(s.ok() || run->MayFail(s)) << s.ToString();
  }
  // A job that began before the file system was well again may still fail.
  static void FlushResumed(HistoryRun* run, size_t family) {
    Status s = run->db()->Flush(FlushOptions(), run->family(family));
    if (s.IsIOError()) {
      s = run->db()->Resume();
      EXPECT_TRUE(s.ok()) << s.ToString();
      s = run->db()->Flush(FlushOptions(), run->family(family));
    }
    EXPECT_TRUE(s.ok()) << s.ToString();
  }
};

TEST_P(HistoriesTest, AreSerialisable) {
  const TestSeeds seeds(
      1, std::max<uint64_t>(20, 120 / TestShare()) * TestScale());
  HistoryRun run(GetParam());
  const Status s = run.Open();
  ASSERT_TRUE(s.ok()) << s.ToString();
  size_t committed = 0;
  for (uint64_t seed = seeds.begin; seed < seeds.end; ++seed) {
    committed += RunOne(&run, seed);
    ASSERT_EQ(run.End(), "") << "BASALT_TEST_SEED=" << seed;
    ASSERT_FALSE(HasFailure()) << "BASALT_TEST_SEED=" << seed;
  }
  EXPECT_GT(committed, seeds.end - seeds.begin);
  RecordProperty("committed", static_cast<int>(committed));
}

// A commit of many keys takes its time to get into the memtable.
TEST_P(HistoriesTest, NoSnapshotSeesAPartOfACommit) {
  constexpr int kKeysOfOne = 400, kCommits = 60;
  HistoryRun run(GetParam());
  const Status s = run.Open();
  ASSERT_TRUE(s.ok()) << s.ToString();
  const auto key_of = [](int i) { return "many" + std::to_string(i); };
  std::atomic<bool> is_done{false};
  std::thread writer([&] {
    for (int commit = 1; commit <= kCommits; ++commit) {
      const std::unique_ptr<Transaction> txn(
          GetParam().is_locking()
              ? run.locking()->BeginTransaction(WriteOptions())
              : run.optimistic()->BeginTransaction(WriteOptions()));
      if (GetParam().is_locking()) {
        EXPECT_TRUE(txn->SetName("many" + std::to_string(commit)).ok());
      }
      for (int i = 0; i < kKeysOfOne; ++i) {
        EXPECT_TRUE(txn->PutUntracked(key_of(i), std::to_string(commit)).ok());
      }
      EXPECT_TRUE(txn->Commit().ok());
    }
    is_done = true;
  });
  size_t torn_count = 0;
  while (!is_done) {
    ReadOptions options;
    options.snapshot = run.db()->GetSnapshot();
    // What is inserted last is looked for first.
    std::string last, first;
    const Status of_last =
        run.db()->Get(options, key_of(kKeysOfOne - 1), &last);
    const Status of_first = run.db()->Get(options, key_of(0), &first);
    EXPECT_EQ(of_last.ok(), of_first.ok());
    if (last != first) ++torn_count;
    run.db()->ReleaseSnapshot(options.snapshot);
  }
  writer.join();
  EXPECT_EQ(torn_count, 0u);
}

INSTANTIATE_TEST_SUITE_P(Kinds, HistoriesTest, ::testing::ValuesIn(kKinds),
                         [](const auto& info) { return NameOf(info.param); });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
