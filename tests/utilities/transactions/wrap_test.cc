// TransactionDB::WrapDB() of an open database, by every write policy.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/transaction_log.h"
#include "rocksdb/utilities/stackable_db.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class WrapFixture : public PessimisticFixture {
 protected:
  void SetUp() override {}

  // Opens a database as a user does who is going to wrap it.
  Status OpenPlain(std::unique_ptr<DB>* db) {
    DBOptions db_options(options_);
    std::vector<ColumnFamilyDescriptor> families{
        {kDefaultColumnFamilyName, options_}};
    TransactionDB::PrepareWrap(&db_options, &families, &compacting_);
    return DB::Open(db_options, path(), families, &handles_, db);
  }
  // On a failure the database and the handles are gone.
  Status Wrap(std::unique_ptr<DB> plain, TxnDBWritePolicy policy,
              bool is_stacked = false) {
    txn_db_options_.write_policy = policy;
    TransactionDB* db = nullptr;
    Status s;
    if (is_stacked) {
      auto stacked = std::make_unique<StackableDB>(plain.release());
      s = TransactionDB::WrapStackableDB(stacked.release(), txn_db_options_,
                                         compacting_, handles_, &db);
    } else {
      s = TransactionDB::WrapDB(plain.release(), txn_db_options_, compacting_,
                                handles_, &db);
    }
    EXPECT_EQ(s.ok(), db != nullptr);
    if (!s.ok()) handles_.clear();
    db_.reset(db);
    return s;
  }
  // Like Open(), but with the default family alone.
  void OpenByPolicy() {
    TransactionDB* db = nullptr;
    const Status s = TransactionDB::Open(options_, txn_db_options_, path(),
                                         {{kDefaultColumnFamilyName, options_}},
                                         &handles_, &db);
    ASSERT_TRUE(s.ok()) << s.ToString();
    db_.reset(db);
  }
  size_t PreparedCount() {
    std::vector<Transaction*> all;
    db_->GetAllPreparedTransactions(&all);
    return all.size();
  }

  std::vector<size_t> compacting_;
};

class WrapTest : public WrapFixture,
                 public ::testing::WithParamInterface<TxnDBWritePolicy> {};

TEST_P(WrapTest, AnOpenDatabaseTakesThePolicy) {
  for (const bool is_stacked : {false, true}) {
    const std::string round = is_stacked ? "2" : "1";
    std::unique_ptr<DB> plain;
    ASSERT_TRUE(OpenPlain(&plain).ok());
    WriteBatch before;
    ASSERT_TRUE(before.Put("a", "old" + round).ok());
    ASSERT_TRUE(before.Put("b", "old" + round).ok());
    ASSERT_TRUE(plain->Write(WriteOptions(), &before).ok());
    const Status s = Wrap(std::move(plain), GetParam(), is_stacked);
    ASSERT_TRUE(s.ok()) << s.ToString();
    {
      const TxnPtr t = BeginNamed("t");
      ASSERT_TRUE(t->Put("a", "new" + round).ok());
      ASSERT_TRUE(t->Prepare().ok());
      const TxnPtr u = BeginNamed("u");
      ASSERT_TRUE(u->Put("b", "new" + round).ok());
      ASSERT_TRUE(u->Prepare().ok());
      EXPECT_EQ(Get("b"), "old" + round);
      ASSERT_TRUE(u->Commit().ok());
      EXPECT_EQ(Get("a"), "old" + round);
      EXPECT_EQ(Get("b"), "new" + round);
    }
    std::unique_ptr<TransactionLogIterator> updates;
    EXPECT_EQ(db_->GetUpdatesSince(1, &updates).IsNotSupported(),
              GetParam() != WRITE_COMMITTED);
    updates.reset();
    Close();

    OpenByPolicy();
    EXPECT_EQ(Get("a"), "old" + round);
    EXPECT_EQ(Get("b"), "new" + round);
    {
      const TxnPtr t(db_->GetTransactionByName("t"));
      ASSERT_NE(t, nullptr);
      ASSERT_TRUE(t->Commit().ok());
    }
    EXPECT_EQ(Get("a"), "new" + round);
    // With no section in its log it is anybody's.
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    Close();
  }
}

// What it was opened as has read the log: prepared transactions mean nothing
// to another policy.
TEST_P(WrapTest, ALogOfWriteCommitted) {
  OpenByPolicy();
  {
    const TxnPtr t = BeginNamed("t");
    ASSERT_TRUE(t->Put("k", "1").ok());
    ASSERT_TRUE(t->Prepare().ok());
  }
  Close();
  std::unique_ptr<DB> plain;
  ASSERT_TRUE(OpenPlain(&plain).ok());
  Status s = Wrap(std::move(plain), GetParam());
  if (GetParam() == WRITE_COMMITTED) {
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(PreparedCount(), 1u);
    return;
  }
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  // Nothing is lost by it, and it is no obstacle once it has ended.
  txn_db_options_.write_policy = WRITE_COMMITTED;
  OpenByPolicy();
  ASSERT_EQ(PreparedCount(), 1u);
  {
    const TxnPtr t(db_->GetTransactionByName("t"));
    ASSERT_TRUE(t->Commit().ok());
  }
  Close();
  ASSERT_TRUE(OpenPlain(&plain).ok());
  s = Wrap(std::move(plain), GetParam());
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(Get("k"), "1");
  EXPECT_EQ(PreparedCount(), 0u);
}

TEST_P(WrapTest, RefusesWhatOpenRefuses) {
  options_.inplace_update_support = true;
  options_.allow_concurrent_memtable_write = false;
  std::unique_ptr<DB> plain;
  ASSERT_TRUE(OpenPlain(&plain).ok());
  Status s = Wrap(std::move(plain), GetParam());
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();

  // The snapshots of transactions want writes in order.
  options_ = Options();
  options_.create_if_missing = true;
  options_.unordered_write = true;
  options_.two_write_queues = true;
  ASSERT_TRUE(OpenPlain(&plain).ok());
  s = Wrap(std::move(plain), GetParam());
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
}

// Another manager of transactions has one's sections in the log by then.
TEST_P(WrapTest, NotOverTransactionsOfAnotherPolicy) {
  std::unique_ptr<DB> plain;
  ASSERT_TRUE(OpenPlain(&plain).ok());
  const TxnDBWritePolicy first =
      GetParam() == WRITE_COMMITTED ? WRITE_PREPARED : WRITE_COMMITTED;
  ASSERT_TRUE(Wrap(std::move(plain), first).ok());
  {
    const TxnPtr t = BeginNamed("t");
    ASSERT_TRUE(t->Put("k", "1").ok());
    ASSERT_TRUE(t->Prepare().ok());
    ASSERT_TRUE(t->Commit().ok());
  }
  compacting_.clear();
  const Status s = Wrap(std::move(db_), GetParam(), /*is_stacked=*/true);
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
}

INSTANTIATE_TEST_SUITE_P(Policies, WrapTest,
                         ::testing::Values(WRITE_COMMITTED, WRITE_PREPARED,
                                           WRITE_UNPREPARED));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
