// Compactions that are stopped in the middle end without a trace, whether
// AbortAllCompactions() stops all, and none begins until it is resumed, or a
// user cancels one.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/options.h"
#include "tests/db/impl/compaction_gate.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Two files of level 0 are work for an automatic compaction, which stops at
// the gate in front of its second entry.
class AbortCompactionsTest : public DbFixture {
 protected:
  AbortCompactionsTest() {
    options_.level0_file_num_compaction_trigger = 2;
    options_.compaction_filter = &gate_;
    options_.statistics = CreateDBStatistics();
  }
  ~AbortCompactionsTest() override {
    gate_.Open();
    if (caller_.joinable()) caller_.join();
    db_.reset();
  }

  void AddFile() {
    const std::string value = std::to_string(++files_made_);
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Put("b", value));
    ASSERT_OK(Flush());
  }
  void AddFiles(int count) {
    for (int i = 0; i < count; ++i) ASSERT_NO_FATAL_FAILURE(AddFile());
  }
  uint64_t Number(const char* property) {
    uint64_t number = 0;
    EXPECT_TRUE(db_->GetIntProperty(property, &number)) << property;
    return number;
  }
  uint64_t AbortCount() { return Number("rocksdb.compaction-abort-count"); }
  // The one that is held at the gate sees it only afterwards.
  void AbortWhatIsHeld() {
    std::thread aborter([this] { db_->AbortAllCompactions(); });
    while (AbortCount() == 0) std::this_thread::yield();
    gate_.Open();
    aborter.join();
  }
  void Call(std::function<Status()> call) {
    caller_ = std::thread([this, call] { called_ = call(); });
  }
  Status Called() {
    caller_.join();
    return called_;
  }
  void ExpectUntouched(int files) {
    EXPECT_EQ(FilesAt(0), files);
    EXPECT_EQ(TablesOnDisk(), static_cast<size_t>(files)) << "nothing is left";
    EXPECT_EQ(Number(DB::Properties::kNumRunningCompactions.c_str()), 0u);
    EXPECT_EQ(Number(DB::Properties::kBackgroundErrors.c_str()), 0u);
    EXPECT_EQ(Get("a"), std::to_string(files_made_));
  }
  void ExpectRefused() {
    Status s = CompactAll(/*force=*/true);
    EXPECT_TRUE(s.IsCompactionAborted()) << s.ToString();
    s = db_->CompactFiles(CompactionOptions(), TableNames(), 1);
    EXPECT_TRUE(s.IsCompactionAborted()) << s.ToString();
  }
  void ExpectCompacted() {
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    EXPECT_EQ(FilesAt(0), 0);
    EXPECT_EQ(Get("b"), std::to_string(files_made_));
  }

  CompactionGate gate_;
  std::thread caller_;
  Status called_;
  int files_made_ = 0;
};

TEST_F(AbortCompactionsTest, AnAutomaticOneEndsAndIsPickedAnew) {
  Open();
  ASSERT_NO_FATAL_FAILURE(AddFiles(2));
  gate_.Await();
  AbortWhatIsHeld();
  ExpectUntouched(2);
  EXPECT_EQ(Ticker(COMPACTION_ABORTED), 1u);
  EXPECT_EQ(Ticker(COMPACTION_CANCELLED), 0u);
  EXPECT_EQ(Ticker(ERROR_HANDLER_BG_ERROR_COUNT), 0u);

  gate_.Close();
  ASSERT_NO_FATAL_FAILURE(AddFile());
  WaitForCompactOptions wait;
  wait.abort_on_pause = true;
  EXPECT_TRUE(db_->WaitForCompact(wait).IsAborted());
  EXPECT_FALSE(gate_.has_come());
  ExpectUntouched(3);

  db_->ResumeAllCompactions();
  gate_.Await();
  gate_.Open();
  ExpectCompacted();
  EXPECT_EQ(Ticker(COMPACTION_ABORTED), 1u);
}

TEST_F(AbortCompactionsTest, ManualOnesAnswerSo) {
  options_.disable_auto_compactions = true;
  Open();
  ASSERT_NO_FATAL_FAILURE(AddFiles(3));
  const std::vector<std::function<Status()>> calls{
      [this] { return CompactAll(); },
      [this] {
        return db_->CompactFiles(CompactionOptions(), TableNames(), 1);
      }};
  for (size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(i);
    gate_.Close();
    Call(calls[i]);
    gate_.Await();
    AbortWhatIsHeld();
    const Status s = Called();
    EXPECT_TRUE(s.IsCompactionAborted()) << s.ToString();
    EXPECT_EQ(Ticker(COMPACTION_ABORTED), i + 1);
    ExpectUntouched(3);
    ExpectRefused();
    db_->ResumeAllCompactions();
  }
  ASSERT_OK(CompactAll());
  ExpectCompacted();
}

// One that has not begun, since it waits for another to end.
TEST_F(AbortCompactionsTest, AManualOneThatWaitsAnswersToo) {
  Open();
  ASSERT_NO_FATAL_FAILURE(AddFiles(2));
  gate_.Await();
  Call([this] {
    CompactRangeOptions alone;
    alone.exclusive_manual_compaction = true;
    return db_->CompactRange(alone, nullptr, nullptr);
  });
  // Until it is exclusive; there is no such file.
  while (
      !db_->CompactFiles(CompactionOptions(), {"999999.sst"}, 1).IsAborted()) {
    std::this_thread::yield();
  }
  AbortWhatIsHeld();
  const Status s = Called();
  EXPECT_TRUE(s.IsCompactionAborted()) << s.ToString();
  ExpectUntouched(2);
  db_->ResumeAllCompactions();
  ExpectCompacted();
}

// Nobody signals that a user has canceled one.
TEST_F(AbortCompactionsTest, OneThatWaitsSeesThatItIsCanceled) {
  Open();
  ASSERT_NO_FATAL_FAILURE(AddFiles(2));
  gate_.Await();
  std::atomic<bool> canceled{false};
  Call([this, &canceled] {
    CompactRangeOptions alone;
    alone.exclusive_manual_compaction = true;
    alone.canceled = &canceled;
    return db_->CompactRange(alone, nullptr, nullptr);
  });
  // Until it is exclusive; there is no such file.
  while (
      !db_->CompactFiles(CompactionOptions(), {"999999.sst"}, 1).IsAborted()) {
    std::this_thread::yield();
  }
  canceled = true;
  const Status s = Called();
  EXPECT_TRUE(s.IsManualCompactionPaused()) << s.ToString();
  EXPECT_EQ(FilesAt(0), 2) << "the other one is held";
  gate_.Open();
  ExpectCompacted();
}

TEST_F(AbortCompactionsTest, CanceledInTheMiddle) {
  options_.disable_auto_compactions = true;
  Open();
  ASSERT_NO_FATAL_FAILURE(AddFiles(3));
  std::atomic<bool> canceled{false};
  const std::vector<std::function<Status()>> calls{
      [this, &canceled] {
        CompactRangeOptions range;
        range.canceled = &canceled;
        return db_->CompactRange(range, nullptr, nullptr);
      },
      [this, &canceled] {
        CompactionOptions files;
        files.canceled = &canceled;
        return db_->CompactFiles(files, TableNames(), 1);
      }};
  for (size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(i);
    gate_.Close();
    Call(calls[i]);
    gate_.Await();
    canceled = true;
    gate_.Open();
    const Status s = Called();
    EXPECT_TRUE(s.IsManualCompactionPaused()) << s.ToString();
    EXPECT_EQ(Ticker(COMPACTION_CANCELLED), i + 1);
    ExpectUntouched(3);
    canceled = false;
  }
  ASSERT_OK(calls[1]());
  ExpectCompacted();
}

TEST_F(AbortCompactionsTest, CallsNest) {
  gate_.Open();
  Open();
  EXPECT_EQ(AbortCount(), 0u);
  for (const uint64_t count : {1, 2}) {
    db_->AbortAllCompactions();  // Nothing runs: it does not wait.
    EXPECT_EQ(AbortCount(), count);
  }
  ASSERT_NO_FATAL_FAILURE(AddFiles(2));
  db_->ResumeAllCompactions();
  EXPECT_EQ(AbortCount(), 1u);
  ExpectRefused();
  ExpectUntouched(2);
  db_->ResumeAllCompactions();
  db_->ResumeAllCompactions();  // one too many
  EXPECT_EQ(AbortCount(), 0u);
  ExpectCompacted();
  EXPECT_EQ(Ticker(COMPACTION_ABORTED), 0u) << "none was running";
}

// Two families: that of the gate is aborted, the other one goes on.
TEST_F(AbortCompactionsTest, OfOneFamilyAlone) {
  Open();
  ColumnFamilyOptions plain;
  plain.level0_file_num_compaction_trigger = 2;
  ColumnFamilyHandle* other = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(plain, "other", &other));
  ASSERT_NO_FATAL_FAILURE(AddFiles(2));
  gate_.Await();
  ColumnFamilyHandle* const held = db_->DefaultColumnFamily();
  std::atomic<bool> is_aborted{false};
  std::thread aborter([&] {
    db_->AbortCompactions(held);
    is_aborted = true;
  });
  while (!CompactAll().IsCompactionAborted()) std::this_thread::yield();
  EXPECT_FALSE(is_aborted) << "one is running";
  gate_.Open();
  aborter.join();
  EXPECT_EQ(AbortCount(), 0u) << "those of all are counted apart";
  ExpectUntouched(2);
  ExpectRefused();
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(db_->Put(WriteOptions(), other, "a", "v"));
    ASSERT_OK(db_->Flush(FlushOptions(), other));
  }
  ASSERT_OK(db_->CompactRange({}, other, nullptr, nullptr));
  EXPECT_EQ(FilesAt(0), 2);
  db_->AbortCompactions(held);  // nests
  db_->ResumeCompactions(held);
  ExpectRefused();
  db_->ResumeCompactions(held);
  db_->ResumeCompactions(held);  // one too many
  ExpectCompacted();
  ASSERT_OK(db_->DestroyColumnFamilyHandle(other));
}

// CompactFiles() runs in its caller's thread. Whoever has the database stop
// waits for it, as for a thread of its own.
TEST_F(AbortCompactionsTest, WhoeverStopsTheDatabaseWaitsForUsersThreads) {
  options_.disable_auto_compactions = true;
  const std::vector<std::function<void()>> stops{
      [this] {
        CancelAllBackgroundWork(db_.get(), /*wait=*/true);
        EXPECT_EQ(Number(DB::Properties::kNumRunningCompactions.c_str()), 0u);
      },
      [this] { EXPECT_OK(db_->Close()); }};
  for (size_t i = 0; i < stops.size(); ++i) {
    SCOPED_TRACE(i);
    gate_.Close();
    Reopen();
    ASSERT_NO_FATAL_FAILURE(AddFiles(2));
    Call([this] {
      return db_->CompactFiles(CompactionOptions(), TableNames(), 1);
    });
    gate_.Await();
    std::atomic<bool> is_open{false};
    std::thread opener([this, &is_open] {
      // Until the stop has begun: it does not end before the gate is open.
      while (!db_->Resume().IsShutdownInProgress()) std::this_thread::yield();
      is_open = true;
      gate_.Open();
    });
    stops[i]();
    EXPECT_TRUE(is_open) << "it has not waited";
    opener.join();
    const Status s = Called();
    EXPECT_TRUE(s.IsShutdownInProgress()) << s.ToString();
    Reopen();
    ExpectUntouched(2 * static_cast<int>(i + 1));
  }
}

// None begins any more, either, not even one that only moves a file.
TEST_F(AbortCompactionsTest, AfterTheStopNoUsersThreadCompacts) {
  options_.disable_auto_compactions = true;
  options_.compaction_filter = nullptr;
  Open();
  ASSERT_NO_FATAL_FAILURE(AddFiles(1));
  CancelAllBackgroundWork(db_.get(), /*wait=*/true);
  CompactionOptions move;
  move.allow_trivial_move = true;
  const Status s = db_->CompactFiles(move, TableNames(), 1);
  EXPECT_TRUE(s.IsShutdownInProgress()) << s.ToString();
  ExpectUntouched(1);
}

TEST_F(AbortCompactionsTest, ADatabaseMayBeClosedMeanwhile) {
  Open();
  ASSERT_NO_FATAL_FAILURE(AddFiles(2));
  gate_.Await();
  AbortWhatIsHeld();
  ASSERT_OK(db_->Close());
  Reopen();
  EXPECT_EQ(AbortCount(), 0u);
  ExpectCompacted();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
