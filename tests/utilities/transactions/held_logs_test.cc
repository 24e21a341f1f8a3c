// Logs that an old prepared transaction holds: it goes to a later log, so that
// those before it can go.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/utilities/transaction_db.h"
#include "tests/testing/temp_dir.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"
#include "util/ignore_error.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class HeldLogsTest : public PessimisticFixture,
                     public ::testing::WithParamInterface<TxnDBWritePolicy> {
 protected:
  static constexpr uint64_t kLimit = 256 << 10;

  HeldLogsTest() {
    options_.env = env_.get();
    options_.write_buffer_size = 64 << 10;
    options_.max_total_wal_size = kLimit;
    options_.level0_file_num_compaction_trigger = 100;
    options_.level0_slowdown_writes_trigger = 1000;
    options_.level0_stop_writes_trigger = 1000;
    txn_db_options_.write_policy = GetParam();
  }
  ~HeldLogsTest() override { Close(); }

  // The size of the logs that are needed; the others are deleted in time.
  uint64_t LogBytes() {
    uint64_t min_log = 0;
    EXPECT_TRUE(
        db_->GetIntProperty("rocksdb.min-log-number-to-keep", &min_log));
    VectorWalPtr files;
    EXPECT_TRUE(db_->GetSortedWalFiles(files).ok());
    uint64_t bytes = 0;
    for (const auto& file : files) {
      if (file->LogNumber() >= min_log) bytes += file->SizeFileBytes();
    }
    return bytes;
  }
  // The process is gone, and with it what the device does not have.
  void Crash() {
    fs_->Deactivate();
    Close();
    const IOStatus s = fs_->CrashAndHeal();
    ASSERT_TRUE(s.ok()) << s.ToString();
    Open();
  }
  // Three memtables' worth of what others write.
  Status Fill(int round) {
    const std::string value(8 << 10, static_cast<char>('a' + round % 26));
    for (int i = 0; i < 24; ++i) {
      Status s = db_->Put(WriteOptions(), handles_[i % 3],
                          "fill" + std::to_string(i), value);
      if (!s.ok()) return s;
    }
    return db_->Flush(FlushOptions(), handles_);
  }
  const std::shared_ptr<FaultInjectionFileSystem> fs_ =
      std::make_shared<FaultInjectionFileSystem>(FileSystem::Default());
  const std::unique_ptr<Env> env_ = NewCompositeEnv(fs_);
};

TEST_P(HeldLogsTest, StayBounded) {
  for (const bool commits : {true, false}) {
    ASSERT_TRUE(PutOutside("k", "old").ok());
    ASSERT_TRUE(db_->Put(WriteOptions(), merges(), "m", "0").ok());
    TxnPtr t = BeginNamed("t");
    ASSERT_TRUE(t->Put("k", "new").ok());
    ASSERT_TRUE(t->Merge(merges(), "m", "1").ok());
    ASSERT_TRUE(t->Prepare().ok());
    const uint64_t first_log = t->GetLogNumber();
    uint64_t most = 0;
    for (int round = 0; round < 12; ++round) {
      ASSERT_TRUE(Fill(round).ok());
      most = std::max(most, LogBytes());
      if (round == 6) {
        t.reset();
        ASSERT_NO_FATAL_FAILURE(Kill());
        t.reset(db_->GetTransactionByName("t"));
        ASSERT_NE(t, nullptr);
      }
      ASSERT_EQ(Get("k"), "old");
    }
    // 2.3 MB were written in the meantime.
    EXPECT_LT(most, 3 * kLimit);
    EXPECT_GT(t->GetLogNumber(), first_log);
    const Status s = commits ? t->Commit() : t->Rollback();
    ASSERT_TRUE(s.ok()) << s.ToString();
    t.reset();
    const auto check = [&] {
      EXPECT_EQ(Get("k"), commits ? "new" : "old");
      std::string value;
      EXPECT_TRUE(db_->Get(ReadOptions(), merges(), "m", &value).ok());
      EXPECT_EQ(value, commits ? "0,1" : "0");
      std::vector<Transaction*> left;
      db_->GetAllPreparedTransactions(&left);
      EXPECT_TRUE(left.empty());
    };
    check();
    ASSERT_NO_FATAL_FAILURE(Kill());
    check();
  }
}

// Whatever call fails meanwhile, the transaction is there once, whole.
// What the first session has not synced is durable before the commit is.
TEST_P(HeldLogsTest, AreDurableBeforeACommitIs) {
  for (const bool has_others : {true, false}) {
    SCOPED_TRACE(has_others);
    const std::string value = has_others ? "1" : "2";
    if (has_others) {
      ASSERT_TRUE(PutOutside("x", "1").ok());
    }
    TxnPtr t = BeginNamed("t");
    ASSERT_TRUE(t->Put("k", value).ok());
    ASSERT_TRUE(t->Prepare().ok());
    t.reset();
    Close();
    Open();
    t.reset(db_->GetTransactionByName("t"));
    ASSERT_NE(t, nullptr);
    t->GetWriteOptions()->sync = true;
    ASSERT_TRUE(t->Commit().ok());
    t.reset();
    ASSERT_NO_FATAL_FAILURE(Crash());
    EXPECT_EQ(Get("k"), value);
  }
}

TEST_P(HeldLogsTest, NoFailingCallLosesThem) {
  uint64_t struck_count = 0;
  for (uint64_t k = 1;; k += 1 + k / 3) {
    Close();
    std::filesystem::remove_all(path());
    ASSERT_NO_FATAL_FAILURE(Open());
    {
      const TxnPtr t = BeginNamed("t");
      ASSERT_TRUE(t->Put("k", "new").ok());
      ASSERT_TRUE(t->Merge(merges(), "m", "1").ok());
      ASSERT_TRUE(t->Prepare().ok());
    }
    // The limit is reached, and not yet seen.
    ASSERT_TRUE(Fill(0).ok());
    ASSERT_TRUE(Fill(1).ok());
    Fault fault;
    fault.call = k;
    fs_->FailCall(fault);
    Status s = Fill(2);
    if (s.ok()) s = Fill(3);
    const bool struck = fs_->failed();
    struck_count += struck ? 1 : 0;
    fs_->ClearFault();
    if (!s.ok()) {
      EXPECT_TRUE(struck) << s.ToString();
      if (k % 2 == 0) {
        IgnoreError(db_->Resume(), "the next open is asked");
      }
    }
    ASSERT_NO_FATAL_FAILURE(Kill());
    {
      const TxnPtr t(db_->GetTransactionByName("t"));
      ASSERT_NE(t, nullptr) << "call " << k;
      s = t->Commit();
      ASSERT_TRUE(s.ok()) << s.ToString();
    }
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(Get("k"), "new");
      std::string value;
      EXPECT_TRUE(db_->Get(ReadOptions(), merges(), "m", &value).ok());
      EXPECT_EQ(value, "1") << "call " << k;
      ASSERT_NO_FATAL_FAILURE(Kill());
    }
    if (!struck) break;
  }
  EXPECT_GT(struck_count, 5u);
}

// A log fails, and before it is done without, the device loses what that log
// had not synced: what is left is a beginning of the history, all the same.
TEST_P(HeldLogsTest, PowerLossAmidResumeLeavesABeginning) {
  options_.max_bgerror_resume_count = 0;
  int later_count = 0;
  uint64_t struck_count = 0;
  bool struck = true;
  for (uint64_t k = 1; struck; ++k) {
    SCOPED_TRACE(k);
    ASSERT_LT(k, 400u);
    Close();
    std::filesystem::remove_all(path());
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_TRUE(PutOutside("first", "1").ok());
    ASSERT_TRUE(db_->SyncWAL().ok());
    {
      const TxnPtr t = BeginNamed("t");
      ASSERT_TRUE(t->Put("k", "new").ok());
      ASSERT_TRUE(t->Prepare().ok());
    }
    ASSERT_TRUE(PutOutside("later", "1").ok());
    fs_->FailCall({.call = 1, .path_contains = ".log"});
    EXPECT_FALSE(PutOutside("failed", "1").ok());
    // What comes behind this call does not happen any more.
    fs_->FailCall(
        {.call = k, .scope = FaultScope::kMutatingCalls, .is_permanent = true});
    IgnoreError(db_->Resume(), "the next opening is asked");
    struck = fs_->failed();
    struck_count += struck ? 1 : 0;
    ASSERT_NO_FATAL_FAILURE(Crash());
    EXPECT_EQ(Get("first"), "1");
    EXPECT_EQ(Get("k"), "-");
    const bool has_later = Get("later") == "1";
    later_count += has_later ? 1 : 0;
    const TxnPtr t(db_->GetTransactionByName("t"));
    if (t == nullptr) {
      EXPECT_FALSE(has_later);
    } else {
      const Status s = t->Commit();
      ASSERT_TRUE(s.ok()) << s.ToString();
      EXPECT_EQ(Get("k"), "new");
    }
  }
  EXPECT_GT(struck_count, 5u);
  EXPECT_GT(later_count, 1);
}

INSTANTIATE_TEST_SUITE_P(Policies, HeldLogsTest,
                         ::testing::Values(WRITE_COMMITTED, WRITE_PREPARED,
                                           WRITE_UNPREPARED));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
