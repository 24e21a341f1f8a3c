// The list of threads tells each one's operation, family and figures, never
// torn and never of a thread that has ended.
#include "monitoring/thread_tracking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace ROCKSDB_NAMESPACE {
namespace {

using Operation = ThreadStatus::OperationType;

// The calling thread's, which a call under a name of its own shows.
uint64_t MyId() {
  static thread_local uint64_t id = [] {
    const TrackedNames names("who am I", "");
    const TrackedCall call(names.work(), ThreadStatus::OP_GET);
    for (const ThreadStatus& thread : TrackedThreads()) {
      if (thread.db_name == "who am I") return thread.thread_id;
    }
    return uint64_t{0};
  }();
  return id;
}

// What the calling thread tells.
ThreadStatus Mine() {
  const uint64_t id = MyId();
  for (const ThreadStatus& thread : TrackedThreads()) {
    if (thread.thread_id == id) return thread;
  }
  ADD_FAILURE() << "the thread is not in the list";
  constexpr uint64_t kNothing[ThreadStatus::kNumOperationProperties] = {};
  return ThreadStatus(0, ThreadStatus::USER, "", "", ThreadStatus::OP_UNKNOWN,
                      0, ThreadStatus::STAGE_UNKNOWN, kNothing,
                      ThreadStatus::STATE_UNKNOWN);
}

class ThreadTrackingTest : public ::testing::Test {
 protected:
  // While the thread tells nothing else.
  ThreadTrackingTest() { MyId(); }

  const TrackedNames names_{"db", "cf"};
};

TEST_F(ThreadTrackingTest, ACallIsToldUntilItEnds) {
  {
    const TrackedCall call(names_.work(), ThreadStatus::OP_MULTIGET);
    const ThreadStatus told = Mine();
    EXPECT_EQ(told.operation_type, ThreadStatus::OP_MULTIGET);
    EXPECT_EQ(told.thread_type, ThreadStatus::USER);
    EXPECT_EQ(told.db_name, "db");
    EXPECT_EQ(told.cf_name, "cf");
  }
  const ThreadStatus idle = Mine();
  EXPECT_EQ(idle.operation_type, ThreadStatus::OP_UNKNOWN);
  EXPECT_EQ(idle.op_elapsed_micros, 0u);
  EXPECT_EQ(idle.db_name, "");
  EXPECT_EQ(idle.cf_name, "");
}

TEST_F(ThreadTrackingTest, WhatWasBegunFirstStands) {
  const TrackedCall outer(names_.work(), ThreadStatus::OP_GETENTITY);
  {
    const TrackedCall inner(names_.work(), ThreadStatus::OP_MULTIGETENTITY);
    EXPECT_EQ(Mine().operation_type, ThreadStatus::OP_GETENTITY);
  }
  EXPECT_EQ(Mine().operation_type, ThreadStatus::OP_GETENTITY);
}

TEST_F(ThreadTrackingTest, NothingIsToldForNobody) {
  std::thread([] {
    const size_t before = TrackedThreads().size();
    const TrackedCall call(TrackedWork::kNone, ThreadStatus::OP_GET);
    const TrackedOperation job({.type = ThreadStatus::OP_FLUSH});
    EXPECT_EQ(TrackedThreads().size(), before);
  }).join();
  EXPECT_EQ(TrackedNames::DatabaseAlone(TrackedWork::kNone),
            TrackedWork::kNone);
}

TEST_F(ThreadTrackingTest, ADatabaseAloneHasNoFamily) {
  const TrackedCall call(TrackedNames::DatabaseAlone(names_.work()),
                         ThreadStatus::OP_MULTIGET);
  const ThreadStatus told = Mine();
  EXPECT_EQ(told.db_name, "db");
  EXPECT_EQ(told.cf_name, "");
}

TEST_F(ThreadTrackingTest, NamesGoWithTheirDatabase) {
  auto names = std::make_unique<TrackedNames>("old", "cf");
  const TrackedCall call(names->work(), ThreadStatus::OP_DBITERATOR);
  EXPECT_EQ(Mine().db_name, "old");
  names.reset();
  const ThreadStatus told = Mine();
  EXPECT_EQ(told.operation_type, ThreadStatus::OP_DBITERATOR);
  EXPECT_EQ(told.db_name, "");
  EXPECT_EQ(told.cf_name, "");
}

TEST_F(ThreadTrackingTest, JobsLieOverCallsAndEndInAnyOrder) {
  const auto job = [](Operation type) {
    return std::make_unique<TrackedOperation>(TrackedOperation::What{
        .is_enabled = true, .type = type, .db_name = "jobs"});
  };
  {
    const TrackedCall call(names_.work(), ThreadStatus::OP_GET);
    auto open = job(ThreadStatus::OP_DBOPEN);
    auto flush = job(ThreadStatus::OP_FLUSH);
    flush->SetStage(ThreadStatus::STAGE_FLUSH_RUN);
    flush->SetProperty(ThreadStatus::FLUSH_JOB_ID, 7);
    open->SetStage(ThreadStatus::STAGE_MEMTABLE_ROLLBACK);
    const ThreadStatus flushing = Mine();
    EXPECT_EQ(flushing.operation_type, ThreadStatus::OP_FLUSH);
    EXPECT_EQ(flushing.operation_stage, ThreadStatus::STAGE_FLUSH_RUN);
    EXPECT_EQ(flushing.op_properties[ThreadStatus::FLUSH_JOB_ID], 7u);
    EXPECT_EQ(flushing.db_name, "jobs");
    auto another = job(ThreadStatus::OP_FLUSH);
    flush.reset();  // the one in the middle
    another.reset();
    const ThreadStatus told = Mine();
    EXPECT_EQ(told.operation_type, ThreadStatus::OP_DBOPEN);
    EXPECT_EQ(told.operation_stage, ThreadStatus::STAGE_MEMTABLE_ROLLBACK);
    EXPECT_EQ(told.op_properties[ThreadStatus::FLUSH_JOB_ID], 0u);
    const TrackedCall inside(names_.work(), ThreadStatus::OP_MULTIGET);
    EXPECT_EQ(Mine().operation_type, ThreadStatus::OP_DBOPEN);
    open.reset();
    const ThreadStatus getting = Mine();
    EXPECT_EQ(getting.operation_type, ThreadStatus::OP_GET);
    EXPECT_EQ(getting.operation_stage, ThreadStatus::STAGE_UNKNOWN);
    EXPECT_EQ(getting.db_name, "db");
  }
  EXPECT_EQ(Mine().operation_type, ThreadStatus::OP_UNKNOWN);
}

TEST_F(ThreadTrackingTest, AThreadThatEndsLeavesTheList) {
  uint64_t id = 0;
  const auto count = [&id] {
    const std::vector<ThreadStatus> all = TrackedThreads();
    return std::count_if(all.begin(), all.end(), [id](const ThreadStatus& t) {
      return t.thread_id == id;
    });
  };
  std::thread([&] {
    id = Mine().thread_id;
    EXPECT_EQ(count(), 1);
  }).join();
  EXPECT_EQ(count(), 0);
}

// What a thread does as it ends comes after its slot has gone.
TEST_F(ThreadTrackingTest, AThreadThatIsEndingTellsNothing) {
  static size_t count_at_end;
  struct AtEnd {
    ~AtEnd() {
      const TrackedNames names("late", "");
      const TrackedCall call(names.work(), ThreadStatus::OP_GET);
      SetTrackedState(ThreadStatus::STATE_MUTEX_WAIT);
      const TrackedOperation job({.is_enabled = true,
                                  .type = ThreadStatus::OP_FLUSH,
                                  .db_name = "late"});
      count_at_end = TrackedThreads().size();
    }
  };
  const size_t before = TrackedThreads().size();
  std::thread([] {
    // Made first, so that it goes last.
    static thread_local const AtEnd at_end;
    RegisterTrackedThread(ThreadStatus::USER);
  }).join();
  EXPECT_EQ(count_at_end, before);
}

// Names, operation and figures are always those of one moment.
TEST_F(ThreadTrackingTest, TheListIsNeverTorn) {
  const TrackedNames gets("gets", "get_cf");
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      while (!is_over.load()) {
        {
          const TrackedCall call(gets.work(), ThreadStatus::OP_GET);
        }
        TrackedOperation job({.is_enabled = true,
                              .type = ThreadStatus::OP_FLUSH,
                              .db_name = "flushes"});
        job.SetProperty(ThreadStatus::FLUSH_JOB_ID, 1);
      }
    });
  }
  size_t seen = 0;
  for (int i = 0; i < 20'000 || seen == 0; ++i) {
    for (const ThreadStatus& thread : TrackedThreads()) {
      if (thread.operation_type == ThreadStatus::OP_GET) {
        ++seen;
        ASSERT_EQ(thread.db_name, "gets");
        ASSERT_EQ(thread.cf_name, "get_cf");
        ASSERT_EQ(thread.op_properties[ThreadStatus::FLUSH_JOB_ID], 0u);
      } else if (thread.operation_type == ThreadStatus::OP_FLUSH) {
        ++seen;
        ASSERT_EQ(thread.db_name, "flushes");
      } else {
        ASSERT_EQ(thread.db_name, "");
      }
    }
  }
  is_over = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
