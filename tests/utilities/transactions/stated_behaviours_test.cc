// What is stated of transactions that lock, and no test of a part looks at.
#include <gtest/gtest.h>
#include <malloc.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/comparator.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class StatedWaitsTest : public PessimisticFixture {
 protected:
  void TearDown() override {
    t_.reset();
    u_.reset();
    Close();
  }
  // t has "1" and waits for "2", u has "2" and is to want "1".
  void Cross() {
    t_ = Begin(waiting_);
    u_ = Begin(waiting_);
    ASSERT_TRUE(t_->Put("1", "t").ok());
    ASSERT_TRUE(u_->Put("2", "u").ok());
    waits_ = std::thread([this] { t_status_ = t_->Put("2", "t"); });
    std::string key;
    while (key != "2") t_->GetWaitingTxns(nullptr, &key);
    db_->GetLockStatusData();  // waits for who is at work on a part
  }

  TransactionOptions waiting_;
  TxnPtr t_, u_;
  std::thread waits_;
  Status t_status_;
};

TEST_F(StatedWaitsTest, WhoDoesNotLookForDeadlocksTimesOut) {
  waiting_.lock_timeout = 200;
  Cross();
  const Status s = u_->Put("1", "u");
  waits_.join();
  for (const Status& each : {s, t_status_}) {
    EXPECT_EQ(each.subcode(), Status::SubCode::kLockTimeout) << each.ToString();
  }
  std::string key;
  EXPECT_EQ(t_->GetWaitingTxns(nullptr, &key),
            std::vector<TransactionID>{u_->GetID()});
  EXPECT_EQ(key, "2");
  EXPECT_TRUE(db_->GetDeadlockInfoBuffer().empty());
}

TEST_F(StatedWaitsTest, AWaitWithoutLimitIsNoneForADeadlock) {
  waiting_.deadlock_detect = true;
  waiting_.deadlock_timeout_us = 0;  // t has looked when u begins to
  waiting_.lock_timeout = 100'000;
  for (const bool is_kept : {true, false}) {
    if (!is_kept) {
      Close();
      txn_db_options_.max_num_deadlocks = 0;
      Open();
    }
    Cross();
    u_->SetLockTimeout(-1);
    EXPECT_TRUE(u_->Put("1", "u").IsDeadlock());
    ASSERT_TRUE(u_->Rollback().ok());
    waits_.join();
    EXPECT_TRUE(t_status_.ok()) << t_status_.ToString();
    const std::vector<DeadlockPath> found = db_->GetDeadlockInfoBuffer();
    ASSERT_EQ(found.size(), is_kept ? 1u : 0u);
    if (is_kept) {
      EXPECT_FALSE(found[0].limit_exceeded);
      EXPECT_GT(found[0].deadlock_time, 0);
      EXPECT_TRUE(found[0].path[0].m_exclusive);
    }
    t_.reset();
    u_.reset();
  }
}

TEST_F(StatedWaitsTest, AnUpgradeBesideAnotherShareIsNoDeadlock) {
  waiting_.deadlock_detect = true;
  waiting_.deadlock_timeout_us = 0;
  waiting_.lock_timeout = 50;
  t_ = Begin(waiting_);
  u_ = Begin(waiting_);
  std::string* const nothing = nullptr;
  for (const TxnPtr* txn : {&t_, &u_}) {
    ASSERT_TRUE((*txn)->GetForUpdate(ReadOptions(), "k", nothing, false).ok());
  }
  EXPECT_EQ(t_->Put("k", "t").subcode(), Status::SubCode::kLockTimeout);
  EXPECT_EQ(Locks(), "k:S2 ");
  EXPECT_TRUE(db_->GetDeadlockInfoBuffer().empty());
}

class StatedBehavioursTest : public PessimisticFixture {};

TEST_F(StatedBehavioursTest, AnOldObjectHasANewId) {
  const TxnPtr t = Begin();
  const TransactionID id = t->GetID();
  EXPECT_EQ(db_->BeginTransaction(WriteOptions(), txn_options_, t.get()),
            t.get());
  EXPECT_NE(t->GetID(), id);
}

TEST_F(StatedBehavioursTest, WhatIsWrittenUnderAnIterator) {
  ASSERT_TRUE(PutOutside("z", "1").ok());
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put("b", "1").ok());
  const std::unique_ptr<Iterator> it(t->GetIterator(ReadOptions()));
  it->Seek("b");
  ASSERT_TRUE(it->Valid());
  ASSERT_TRUE(t->Put("b", "2").ok());
  EXPECT_EQ(it->value(), "1");
  it->Seek("b");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), "2");
  ASSERT_TRUE(t->Put("c", "own").ok());
  ASSERT_TRUE(PutOutside("d", "others'").ok());
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "c");
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "z");
}

class StatedRecoveryTest
    : public PessimisticFixture,
      public ::testing::WithParamInterface<TxnDBWritePolicy> {
 protected:
  StatedRecoveryTest() { txn_db_options_.write_policy = GetParam(); }
};

TEST_P(StatedRecoveryTest, NoReadSeesEntitiesBeforeTheirCommit) {
  const TxnPtr t = BeginNamed("t");
  ASSERT_TRUE(t->PutEntity(handles_[0], "e", {{"c", "1"}}).ok());
  ASSERT_TRUE(t->Prepare().ok());
  const auto count = [&] {
    const Slice keys[] = {"e"};
    PinnableWideColumns found;
    Status s;
    db_->MultiGetEntity(ReadOptions(), handles_[0], 1, keys, &found, &s);
    PinnableWideColumns one;
    const Status also = db_->GetEntity(ReadOptions(), handles_[0], "e", &one);
    EXPECT_EQ(s.code(), also.code());
    EXPECT_EQ(found.columns(), one.columns());
    return s.ok() ? found.columns().size() : 0;
  };
  EXPECT_EQ(count(), 0u);
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(count(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Policies, StatedRecoveryTest,
                         ::testing::Values(WRITE_COMMITTED, WRITE_PREPARED,
                                           WRITE_UNPREPARED));

// Keys with timestamps of four bytes.
class ShortStamps final : public Comparator {
 public:
  ShortStamps() : Comparator(4) {}
  const char* Name() const override { return "ShortStamps"; }
  int Compare(const Slice& a, const Slice& b) const override {
    return a.compare(b);
  }
  void FindShortestSeparator(std::string* /*start*/,
                             const Slice& /*limit*/) const override {}
  void FindShortSuccessor(std::string* /*key*/) const override {}
};

TEST(StatedOpensTest, TimestampsHaveEightBytes) {
  TempDir dir("stamps");
  const ShortStamps order;
  Options options;
  options.create_if_missing = true;
  options.comparator = &order;
  TransactionDB* db = nullptr;
  Status s =
      TransactionDB::Open(options, TransactionDBOptions(), dir.path(), &db);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  options.comparator = BytewiseComparatorWithU64Ts();
  for (const TxnDBWritePolicy policy : {WRITE_PREPARED, WRITE_UNPREPARED}) {
    TransactionDBOptions txn_db_options;
    txn_db_options.write_policy = policy;
    s = TransactionDB::Open(options, txn_db_options, dir.path(), &db);
    EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  }
  EXPECT_EQ(db, nullptr);
}

size_t AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// A million mutexes, made in advance, would be 40 MB.
TEST(StatedOpensTest, AnOptimisticOneTakesNoMemoryForItself) {
  TempDir dir("optimistic_memory");
  Options options;
  options.create_if_missing = true;
  std::unique_ptr<DB> plain;
  const size_t at_first = AllocatedBytes();
  ASSERT_TRUE(DB::Open(options, dir.path() + "/plain", &plain).ok());
  const size_t with_plain = AllocatedBytes();
  OptimisticTransactionDB* db = nullptr;
  ASSERT_TRUE(
      OptimisticTransactionDB::Open(options, dir.path() + "/db", &db).ok());
  const std::unique_ptr<OptimisticTransactionDB> owned(db);
  const size_t with_both = AllocatedBytes();
  constexpr size_t kSlack = 2 << 20;
  EXPECT_LT(with_both + at_first, 2 * with_plain + kSlack);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
