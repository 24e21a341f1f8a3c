// compaction_thread_limiter: who runs, who waits, and who is woken, in one
// database and over several.
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "rocksdb/concurrent_task_limiter.h"
#include "rocksdb/env.h"
#include "tests/db/impl/compaction_gate.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/job_count.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class CompactionLimiterTest : public DbFixture {
 protected:
  CompactionLimiterTest() {
    options_.env = &jobs_;
    options_.level0_file_num_compaction_trigger = 2;
  }
  ~CompactionLimiterTest() override { db_.reset(); }
  void Limit(int32_t limit) {
    limiter_.reset(NewConcurrentTaskLimiter("limiter", limit));
    options_.compaction_thread_limiter = limiter_;
  }
  static void MakeWork(DB* db) {
    for (int i = 0; i < 2; ++i) {
      ASSERT_OK(db->Put(WriteOptions(), "key", std::to_string(i)));
      ASSERT_OK(db->Flush(FlushOptions()));
    }
  }
  static std::string Property(DB* db, const std::string& name) {
    std::string value;
    EXPECT_TRUE(db->GetProperty("rocksdb." + name, &value));
    return value;
  }

  JobCount jobs_;
  std::shared_ptr<ConcurrentTaskLimiter> limiter_;
};

TEST_F(CompactionLimiterTest, WithoutAPlaceNothingIsCompactedUntilThereIsOne) {
  Limit(0);
  Open();
  MakeWork(db_.get());
  jobs_.AwaitEnded(Env::Priority::LOW, 1);
  EXPECT_EQ(FilesAt(0), 2);
  EXPECT_EQ(Property(db_.get(), "compaction-pending"), "1");
  EXPECT_EQ(limiter_->GetOutstandingTask(), 0);
  limiter_->SetMaxOutstandingTask(1);
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(Get("key"), "1");
  jobs_.AwaitEnded(Env::Priority::LOW, 2);
  EXPECT_EQ(limiter_->GetOutstandingTask(), 0);
}

TEST_F(CompactionLimiterTest, AUserDoesNotWaitForAPlace) {
  Limit(0);
  Open();
  MakeWork(db_.get());
  ASSERT_OK(CompactAll());
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(Get("key"), "1");
}

TEST_F(CompactionLimiterTest, OneDatabaseWaitsForAnother) {
  Limit(1);
  // The one that is held must not keep the thread that the other needs.
  jobs_.IncBackgroundThreadsIfNeeded(2, Env::Priority::LOW);
  CompactionGate gate;
  Options held = options_;
  held.compaction_filter = &gate;
  JobCount other_jobs;
  held.env = &other_jobs;
  std::unique_ptr<DB> other;
  ASSERT_OK(DB::Open(held, path_ + "-other", &other));
  Open();
  MakeWork(other.get());
  gate.Await();
  EXPECT_EQ(limiter_->GetOutstandingTask(), 1);
  MakeWork(db_.get());
  jobs_.AwaitEnded(Env::Priority::LOW, 1);
  EXPECT_EQ(FilesAt(0), 2) << "its job found no place";
  EXPECT_EQ(Property(db_.get(), "num-running-compactions"), "0");
  gate.Open();
  ASSERT_OK(other->WaitForCompact(WaitForCompactOptions()));
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(FilesAt(0), 0);
}

TEST_F(CompactionLimiterTest, ADatabaseMayCloseWhileItWaits) {
  Limit(0);
  Open();
  MakeWork(db_.get());
  jobs_.AwaitEnded(Env::Priority::LOW, 1);
  ASSERT_OK(db_->Close());
  db_.reset();
  limiter_->SetMaxOutstandingTask(5);  // Nobody is there to be told.
  Open();
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(FilesAt(0), 0);
}

TEST_F(CompactionLimiterTest, AFailedCompactionGivesItsPlaceBack) {
  class Throws : public CompactionFilter {
   public:
    const char* Name() const override { return "Throws"; }
    bool Filter(int, const Slice&, const Slice&, std::string*,
                bool*) const override {
      throw std::runtime_error("not today");
    }
  };
  const Throws filter;
  options_.compaction_filter = &filter;
  Limit(1);
  Open();
  MakeWork(db_.get());
  jobs_.AwaitEnded(Env::Priority::LOW, 1);
  EXPECT_EQ(limiter_->GetOutstandingTask(), 0);
  EXPECT_EQ(FilesAt(0), 2);
}

TEST_F(CompactionLimiterTest, LimitersOfOthersAreRefused) {
  class Foreign : public ConcurrentTaskLimiter {
   public:
    const std::string& GetName() const override { return name_; }
    void SetMaxOutstandingTask(int32_t) override {}
    void ResetMaxOutstandingTask() override {}
    int32_t GetOutstandingTask() const override { return 0; }

   private:
    const std::string name_ = "foreign";
  };
  options_.compaction_thread_limiter = std::make_shared<Foreign>();
  const Status s = TryOpen();
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_NE(s.ToString().find("compaction_thread_limiter"), std::string::npos);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
