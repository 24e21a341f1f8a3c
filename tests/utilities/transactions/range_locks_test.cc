// Range locks of transactions, see RangeLockManagerTest for the locks alone.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include "tests/utilities/transactions/pessimistic_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class RangeLocksTest : public PessimisticFixture {
 protected:
  RangeLocksTest() { txn_db_options_.lock_mgr_handle = ranges_; }
  ~RangeLocksTest() override { Close(); }

  Status Range(Transaction* txn, const Endpoint& start, const Endpoint& end) {
    return txn->GetRangeLock(db_->DefaultColumnFamily(), start, end);
  }

  const std::shared_ptr<RangeLockManagerHandle> ranges_{
      NewRangeLockManager(nullptr)};
};

TEST_F(RangeLocksTest, ARangeKeepsOthersOut) {
  const TxnPtr t = Begin(), u = Begin();
  ASSERT_TRUE(Range(t.get(), Endpoint("a"), Endpoint("c")).ok());
  EXPECT_TRUE(u->Put("b", "1").IsTimedOut());
  EXPECT_TRUE(u->Put("c", "1").IsTimedOut());
  EXPECT_TRUE(u->Put("c1", "1").ok());
  EXPECT_TRUE(u->Put(other(), "b", "1").ok());
  EXPECT_TRUE(PutOutside("b", "1").IsTimedOut());
  EXPECT_TRUE(PutOutside("z", "1").ok());
  EXPECT_EQ(Get("z"), "1");
  std::string value;
  EXPECT_TRUE(u->GetForUpdate(ReadOptions(), "b", &value).IsTimedOut());
  EXPECT_TRUE(t->Put("b", "2").ok());
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_TRUE(u->Put("b", "3").ok());
  ASSERT_TRUE(u->Commit().ok());
  EXPECT_EQ(Get("b"), "3");
  EXPECT_EQ(ranges_->GetRangeLockStatusData().size(), 0u);
}

TEST_F(RangeLocksTest, AnEndBehindAPrefix) {
  const TxnPtr t = Begin(), u = Begin();
  ASSERT_TRUE(Range(t.get(), Endpoint("d"), Endpoint("d", true)).ok());
  EXPECT_TRUE(u->Put("dzz", "1").IsTimedOut());
  EXPECT_TRUE(u->Put("e", "1").ok());
  const auto locks = ranges_->GetRangeLockStatusData();
  EXPECT_EQ(locks.size(), 2u);
  for (const auto& [family, info] : locks) {
    EXPECT_EQ(info.ids.size(), 1u);
    EXPECT_EQ(info.ids[0], (info.start.slice == "d" ? t : u)->GetID());
    EXPECT_EQ(info.end.inf_suffix, info.start.slice == "d");
  }
  // In the view of keys: left ends.
  EXPECT_EQ(Locks(), "d:X1 e:X1 ");
}

TEST_F(RangeLocksTest, SharesAndUpgrades) {
  const TxnPtr t = Begin(), u = Begin();
  std::string value;
  ASSERT_TRUE(t->GetForUpdate(ReadOptions(), "k", &value, /*exclusive=*/false)
                  .IsNotFound());
  ASSERT_TRUE(u->GetForUpdate(ReadOptions(), "k", &value, /*exclusive=*/false)
                  .IsNotFound());
  EXPECT_TRUE(t->Put("k", "1").IsTimedOut());
  ASSERT_TRUE(u->Rollback().ok());
  EXPECT_TRUE(t->Put("k", "1").ok());
}

TEST_F(RangeLocksTest, NoKeyIsGivenBackByItself) {
  const TxnPtr t = Begin(), u = Begin();
  t->SetSavePoint();
  ASSERT_TRUE(t->Put("a", "1").ok());
  std::string value;
  EXPECT_TRUE(t->GetForUpdate(ReadOptions(), "g", &value).IsNotFound());
  EXPECT_EQ(t->GetNumKeys(), 0u);
  t->UndoGetForUpdate("g");
  ASSERT_TRUE(t->RollbackToSavePoint().ok());
  EXPECT_TRUE(u->Put("a", "2").IsTimedOut());
  EXPECT_TRUE(u->Put("g", "2").IsTimedOut());
  ASSERT_TRUE(t->Rollback().ok());
  EXPECT_TRUE(u->Put("a", "2").ok());
  // It takes the caller's word.
  EXPECT_TRUE(u->Put(db_->DefaultColumnFamily(), "g", "2",
                     /*assume_tracked=*/true)
                  .ok());
  EXPECT_EQ(Locks(), "a:X1 ");
}

TEST_F(RangeLocksTest, OthersWritesSinceTheSnapshotAreConflicts) {
  const TxnPtr t = Begin();
  t->SetSnapshot();
  ASSERT_TRUE(PutOutside("k", "1").ok());
  EXPECT_TRUE(t->Put("k", "2").IsBusy());
  EXPECT_TRUE(t->Put("l", "2").ok());
  ASSERT_TRUE(t->Commit().ok());
}

TEST_F(RangeLocksTest, DeadlocksAreFoundWithoutBeingAskedFor) {
  txn_options_.lock_timeout = 60000;
  const TxnPtr t = Begin(), u = Begin();
  ASSERT_TRUE(Range(t.get(), Endpoint("a"), Endpoint("b")).ok());
  ASSERT_TRUE(Range(u.get(), Endpoint("c"), Endpoint("d")).ok());
  std::thread waiting([&] { EXPECT_TRUE(t->Put("c", "1").ok()); });
  while (ranges_->GetStatus().lock_wait_count == 0) std::this_thread::yield();
  const Status s = u->Put("a", "1");
  EXPECT_TRUE(s.IsDeadlock()) << s.ToString();
  ASSERT_TRUE(u->Rollback().ok());
  waiting.join();
  EXPECT_EQ(ranges_->GetRangeDeadlockInfoBuffer().size(), 1u);
  ASSERT_EQ(db_->GetDeadlockInfoBuffer().size(), 1u);
  EXPECT_EQ(db_->GetDeadlockInfoBuffer()[0].path.back().m_waiting_key, "a");
}

TEST_F(RangeLocksTest, PreparedOnesKeepTheirRanges) {
  const TxnPtr u = Begin();
  {
    const TxnPtr t = BeginNamed("t");
    ASSERT_TRUE(Range(t.get(), Endpoint("a"), Endpoint("c")).ok());
    ASSERT_TRUE(t->Put("b", "1").ok());
    ASSERT_TRUE(t->Prepare().ok());
    EXPECT_TRUE(u->Put("a", "1").IsTimedOut());
    ASSERT_TRUE(t->Commit().ok());
  }
  EXPECT_TRUE(u->Put("a", "1").ok());
}

TEST_F(RangeLocksTest, ADroppedFamilyTakesItsLocksAlong) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->GetRangeLock(other(), Endpoint("a"), Endpoint("c")).ok());
  ASSERT_TRUE(t->Put("k", "1").ok());
  ASSERT_TRUE(db_->DropColumnFamily(other()).ok());
  EXPECT_TRUE(t->GetRangeLock(other(), Endpoint("a"), Endpoint("c"))
                  .IsInvalidArgument());
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Locks(), "");
}

TEST_F(RangeLocksTest, OneManagerServesOneDatabase) {
  TransactionDB* second = nullptr;
  const Status s =
      TransactionDB::Open(options_, txn_db_options_, path() + "2", &second);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_EQ(second, nullptr);
  // One after the other is fine.
  Reopen();
  const TxnPtr t = Begin();
  EXPECT_TRUE(Range(t.get(), Endpoint("a"), Endpoint("b")).ok());
}

class WithoutRangeLocksTest : public PessimisticFixture {};

TEST_F(WithoutRangeLocksTest, RangesAreNotSupported) {
  const TxnPtr t = Begin();
  EXPECT_TRUE(
      t->GetRangeLock(db_->DefaultColumnFamily(), Endpoint("a"), Endpoint("b"))
          .IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
