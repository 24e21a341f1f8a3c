// CompactRangeOptions::exclusive_manual_compaction: what runs is waited for,
// and nothing begins beside it.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "tests/db/impl/compaction_gate.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Two families, each with a gate of its own. Two files of level 0 are work for
// an automatic compaction, and enough to let several run side by side.
class ExclusiveCompactionTest : public DbFixture {
 protected:
  void SetUp() override {
    options_.max_background_jobs = 8;
    options_.level0_file_num_compaction_trigger = 2;
    options_.level0_slowdown_writes_trigger = 2;
    options_.compaction_filter = &gate_;
    Open();
    ColumnFamilyOptions other(options_);
    other.compaction_filter = &other_gate_;
    ASSERT_OK(db_->CreateColumnFamily(other, "other", &other_));
  }
  void TearDown() override {
    gate_.Open();
    other_gate_.Open();
    if (manual_.joinable()) manual_.join();
    EXPECT_OK(db_->DestroyColumnFamilyHandle(other_));
    db_.reset();  // Its jobs use the gates.
  }

  void AddFiles(ColumnFamilyHandle* family, int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_OK(db_->Put(WriteOptions(), family, "key", std::to_string(i)));
      FlushOptions at_once;
      at_once.allow_write_stall = true;
      ASSERT_OK(db_->Flush(at_once, family));
    }
  }
  void StartExclusive(ColumnFamilyHandle* family) {
    manual_ = std::thread([this, family] {
      CompactRangeOptions options;
      options.exclusive_manual_compaction = true;
      manual_status_ = db_->CompactRange(options, family, nullptr, nullptr);
    });
    while (!IsExclusive()) std::this_thread::yield();
  }
  // Such a file does not exist, so this changes nothing.
  bool IsExclusive() {
    return db_->CompactFiles(CompactionOptions(), {"999999.sst"}, 1)
        .IsAborted();
  }
  std::string Level0(ColumnFamilyHandle* family) {
    std::string value;
    EXPECT_TRUE(
        db_->GetProperty(family, "rocksdb.num-files-at-level0", &value));
    return value;
  }
  // Whatever was scheduled before has begun.
  void AwaitTurn() {
    struct Turn {
      Mutex mutex;
      CondVar changed{&mutex};
      bool has_come = false;
    } turn;
    const auto come = [](void* arg) {
      auto* own = static_cast<Turn*>(arg);
      MutexLock lock(&own->mutex);
      own->has_come = true;
      own->changed.SignalAll();
    };
    options_.env->Schedule(come, &turn, Env::Priority::LOW);
    MutexLock lock(&turn.mutex);
    while (!turn.has_come) turn.changed.Wait();
  }

  CompactionGate gate_;
  CompactionGate other_gate_;
  ColumnFamilyHandle* other_ = nullptr;
  std::thread manual_;
  Status manual_status_;
};

TEST_F(ExclusiveCompactionTest, WaitsForWhatRunsAndNothingBeginsMeanwhile) {
  AddFiles(other_, 1);
  AddFiles(db_->DefaultColumnFamily(), 2);
  gate_.Await();
  StartExclusive(other_);
  AddFiles(other_, 1);
  AwaitTurn();
  EXPECT_FALSE(other_gate_.has_come());
  EXPECT_EQ(Level0(other_), "2");
  gate_.Open();
  other_gate_.Await();
  EXPECT_EQ(Level0(db_->DefaultColumnFamily()), "0");
  other_gate_.Open();
  manual_.join();
  EXPECT_OK(manual_status_);
  EXPECT_EQ(Level0(other_), "0");
  EXPECT_FALSE(IsExclusive());
}

TEST_F(ExclusiveCompactionTest, NothingBeginsBesideItAndAllDoAfterIt) {
  AddFiles(other_, 1);
  StartExclusive(other_);
  other_gate_.Await();
  AddFiles(db_->DefaultColumnFamily(), 2);
  std::thread second([this] { EXPECT_OK(CompactAll()); });
  AwaitTurn();
  EXPECT_FALSE(gate_.has_come());
  EXPECT_EQ(Level0(db_->DefaultColumnFamily()), "2");
  EXPECT_TRUE(IsExclusive());
  gate_.Open();
  other_gate_.Open();
  manual_.join();
  second.join();
  EXPECT_OK(manual_status_);
  EXPECT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(Level0(db_->DefaultColumnFamily()), "0");
}

TEST_F(ExclusiveCompactionTest, TwoTakeTurns) {
  AddFiles(other_, 1);
  StartExclusive(other_);
  other_gate_.Await();
  gate_.Open();
  AddFiles(db_->DefaultColumnFamily(), 1);
  std::thread second([this] {
    CompactRangeOptions options;
    options.exclusive_manual_compaction = true;
    EXPECT_OK(db_->CompactRange(options, nullptr, nullptr));
  });
  AwaitTurn();
  EXPECT_FALSE(gate_.has_come());
  other_gate_.Open();
  second.join();
  manual_.join();
  EXPECT_OK(manual_status_);
  EXPECT_EQ(Level0(other_), "0");
  EXPECT_EQ(Level0(db_->DefaultColumnFamily()), "0");
}

TEST_F(ExclusiveCompactionTest, OneThatIsGivenUpLeavesTheWayFree) {
  AddFiles(other_, 1);
  AddFiles(db_->DefaultColumnFamily(), 2);
  gate_.Await();
  StartExclusive(other_);
  db_->DisableManualCompaction();
  manual_.join();
  EXPECT_TRUE(manual_status_.IsManualCompactionPaused())
      << manual_status_.ToString();
  db_->EnableManualCompaction();
  EXPECT_FALSE(IsExclusive());
  gate_.Open();
  other_gate_.Open();
  AddFiles(other_, 1);
  EXPECT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(Level0(other_), "0");
  EXPECT_EQ(Level0(db_->DefaultColumnFamily()), "0");
}

TEST_F(ExclusiveCompactionTest, ClosingEndsTheWait) {
  AddFiles(other_, 1);
  AddFiles(db_->DefaultColumnFamily(), 2);
  gate_.Await();
  StartExclusive(other_);
  CancelAllBackgroundWork(db_.get(), false);
  manual_.join();
  EXPECT_TRUE(manual_status_.IsShutdownInProgress())
      << manual_status_.ToString();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
