// Timestamps: of keys in families that have them, and of snapshots.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/comparator.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string Stamp(uint64_t ts) {
  std::string encoded;
  PutFixed64(&encoded, ts);
  return encoded;
}

class StampedKeysTest : public PessimisticFixture {
 protected:
  StampedKeysTest() { options_.comparator = BytewiseComparatorWithU64Ts(); }

  std::string GetAt(const std::string& key, uint64_t ts) {
    const std::string encoded = Stamp(ts);
    const Slice timestamp = encoded;
    ReadOptions options;
    options.timestamp = &timestamp;
    std::string value;
    return Text(db_->Get(options, key, &value), value);
  }
  void CommitAt(const std::string& key, uint64_t ts) {
    const TxnPtr t = Begin();
    ASSERT_TRUE(t->Put(key, "at" + std::to_string(ts)).ok());
    ASSERT_TRUE(t->SetCommitTimestamp(ts).ok());
    const Status s = t->Commit();
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
};

TEST_F(StampedKeysTest, WritesAreForTransactionsAndNeedATimestamp) {
  EXPECT_TRUE(PutOutside("k", "v").IsNotSupported());
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put("k", "v").ok());
  EXPECT_TRUE(t->Commit().IsInvalidArgument());
  EXPECT_EQ(t->GetState(), Transaction::STARTED);
  ASSERT_TRUE(t->SetCommitTimestamp(10).ok());
  EXPECT_EQ(t->GetCommitTimestamp(), 10u);
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(GetAt("k", 9), "-");
  EXPECT_EQ(GetAt("k", 10), "v");
  std::string value;
  EXPECT_TRUE(Begin()->Get(ReadOptions(), "k", &value).IsInvalidArgument());
}

TEST_F(StampedKeysTest, TheBatchKeepsTimestampSizesIfThatIsAskedFor) {
  TransactionOptions options;
  options.write_batch_track_timestamp_size = true;
  TxnPtr t(db_->BeginTransaction(WriteOptions(), options));
  ASSERT_TRUE(t->Put("k", "v").ok());
  WriteBatch* const updates = t->GetWriteBatch()->GetWriteBatch();
  using Sizes = std::unordered_map<uint32_t, size_t>;
  EXPECT_EQ(updates->GetColumnFamilyToTimestampSize(), (Sizes{{0, 8}}));
  ASSERT_TRUE(t->Rollback().ok());
  EXPECT_EQ(updates->GetColumnFamilyToTimestampSize(), Sizes{});
  ASSERT_TRUE(t->Put("k", "v").ok());
  EXPECT_EQ(updates->GetColumnFamilyToTimestampSize(), (Sizes{{0, 8}}));
  db_->BeginTransaction(WriteOptions(), TransactionOptions(), t.get());
  ASSERT_TRUE(t->Put("k", "v").ok());
  EXPECT_EQ(updates->GetColumnFamilyToTimestampSize(), Sizes{});
}

TEST_F(StampedKeysTest, ReadsForUpdateAreValidatedByTimestamp) {
  CommitAt("k", 10);
  const TxnPtr t = Begin();
  std::string value;
  EXPECT_TRUE(t->GetForUpdate(ReadOptions(), "k", &value).IsInvalidArgument());
  std::string* const nothing = nullptr;
  EXPECT_TRUE(t->GetForUpdate(ReadOptions(), "k", nothing, /*exclusive=*/true,
                              /*do_validate=*/false)
                  .ok());
  EXPECT_EQ(Locks(), "k:X1 ");
  t->UndoGetForUpdate("k");
  ASSERT_TRUE(t->SetReadTimestampForValidation(5).ok());
  EXPECT_TRUE(t->GetForUpdate(ReadOptions(), "k", &value).IsBusy());
  EXPECT_TRUE(t->Put("k", "x").IsBusy());
  EXPECT_EQ(Locks(), "");
  EXPECT_TRUE(t->GetForUpdate(ReadOptions(), "k", &value, true, false)
                  .IsInvalidArgument());
  ASSERT_TRUE(t->SetReadTimestampForValidation(12).ok());
  EXPECT_TRUE(t->SetReadTimestampForValidation(11).IsInvalidArgument());
  ASSERT_TRUE(t->GetForUpdate(ReadOptions(), "k", &value).ok());
  EXPECT_EQ(value, "at10");
  const std::string other_stamp = Stamp(13);
  const Slice timestamp = other_stamp;
  ReadOptions options;
  options.timestamp = &timestamp;
  EXPECT_TRUE(t->GetForUpdate(options, "k", &value).IsInvalidArgument());
  ASSERT_TRUE(t->Put("k", "13").ok());
  EXPECT_TRUE(t->SetCommitTimestamp(12).IsInvalidArgument());
  ASSERT_TRUE(t->SetCommitTimestamp(13).ok());
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(GetAt("k", 13), "13");
  EXPECT_EQ(GetAt("k", 12), "at10");
}

TEST_F(StampedKeysTest, OfTwoPhases) {
  {
    const TxnPtr t = BeginNamed("x");
    ASSERT_TRUE(t->Put("k", "v").ok());
    ASSERT_TRUE(t->Prepare().ok());
    EXPECT_TRUE(t->Commit().IsInvalidArgument());
    EXPECT_EQ(t->GetState(), Transaction::PREPARED);
    ASSERT_TRUE(t->SetCommitTimestamp(20).ok());
    ASSERT_TRUE(t->Commit().ok());
    const TxnPtr u = BeginNamed("y");
    ASSERT_TRUE(u->Put("l", "w").ok());
    ASSERT_TRUE(u->Prepare().ok());
  }
  EXPECT_EQ(GetAt("k", 20), "v");
  Reopen();
  EXPECT_EQ(GetAt("k", 20), "v");
  EXPECT_EQ(GetAt("k", 19), "-");
  const TxnPtr u(db_->GetTransactionByName("y"));
  ASSERT_NE(u, nullptr);
  ASSERT_TRUE(u->SetCommitTimestamp(77).ok());
  ASSERT_TRUE(u->Commit().ok());
  EXPECT_EQ(GetAt("l", 77), "w");
  EXPECT_EQ(GetAt("l", 76), "-");
}

class StampedSnapshotsTest : public PessimisticFixture {};

TEST_F(StampedSnapshotsTest, TheirTimestampsGrow) {
  const auto [s, first] = db_->CreateTimestampedSnapshot(100);
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(first->GetTimestamp(), 100u);
  EXPECT_TRUE(db_->CreateTimestampedSnapshot(50).first.IsInvalidArgument());
  EXPECT_EQ(db_->CreateTimestampedSnapshot(100).second, first);
  ASSERT_TRUE(PutOutside("k", "1").ok());
  EXPECT_TRUE(db_->CreateTimestampedSnapshot(100).first.IsInvalidArgument());
  EXPECT_TRUE(db_->CreateTimestampedSnapshot(kMaxTxnTimestamp)
                  .first.IsInvalidArgument());
  const auto second = db_->CreateTimestampedSnapshot(200).second;
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(db_->GetTimestampedSnapshot(100), first);
  EXPECT_EQ(db_->GetTimestampedSnapshot(150), nullptr);
  EXPECT_EQ(db_->GetLatestTimestampedSnapshot(), second);

  std::vector<std::shared_ptr<const Snapshot>> found;
  ASSERT_TRUE(db_->GetTimestampedSnapshots(100, 200, found).ok());
  EXPECT_EQ(found.size(), 1u);
  ASSERT_TRUE(db_->GetAllTimestampedSnapshots(found).ok());
  EXPECT_EQ(found.size(), 2u);
  EXPECT_TRUE(
      db_->GetTimestampedSnapshots(200, 200, found).IsInvalidArgument());
  db_->ReleaseTimestampedSnapshotsOlderThan(200);
  EXPECT_EQ(db_->GetTimestampedSnapshot(100), nullptr);
  EXPECT_EQ(db_->GetTimestampedSnapshot(200), second);
}

TEST_F(StampedSnapshotsTest, OneKeepsTheDatabaseOpen) {
  ASSERT_TRUE(db_->CreateTimestampedSnapshot(100).first.ok());
  EXPECT_TRUE(db_->Close().IsAborted());
  ASSERT_TRUE(PutOutside("k", "still open").ok());
  db_->ReleaseTimestampedSnapshotsOlderThan(kMaxTxnTimestamp);
  for (ColumnFamilyHandle* handle : handles_) {
    const std::unique_ptr<ColumnFamilyHandle> owned(handle);
  }
  handles_.clear();
  EXPECT_TRUE(db_->Close().ok());
}

TEST_F(StampedSnapshotsTest, OneOfACommitSeesJustThat) {
  std::shared_ptr<const Snapshot> snapshot;
  {
    const TxnPtr t = Begin();
    ASSERT_TRUE(t->Put("k", "1").ok());
    EXPECT_TRUE(
        t->CommitAndTryCreateSnapshot(nullptr, kMaxTxnTimestamp, &snapshot)
            .IsInvalidArgument());
    ASSERT_TRUE(t->CommitAndTryCreateSnapshot(nullptr, 300, &snapshot).ok());
    EXPECT_EQ(t->GetTimestampedSnapshot(), snapshot);
  }
  ASSERT_NE(snapshot, nullptr);
  EXPECT_EQ(snapshot->GetTimestamp(), 300u);
  ASSERT_TRUE(PutOutside("k", "2").ok());
  ReadOptions then;
  then.snapshot = snapshot.get();
  std::string value;
  ASSERT_TRUE(db_->Get(then, "k", &value).ok());
  EXPECT_EQ(value, "1");

  // Two phases; a timestamp that does not grow costs the snapshot alone.
  {
    const TxnPtr t = BeginNamed("x");
    ASSERT_TRUE(t->Put("k", "3").ok());
    ASSERT_TRUE(t->Prepare().ok());
    ASSERT_TRUE(t->CommitAndTryCreateSnapshot(nullptr, 200, &snapshot).ok());
  }
  EXPECT_EQ(snapshot, nullptr);
  EXPECT_EQ(Get("k"), "3");
  db_->ReleaseTimestampedSnapshotsOlderThan(kMaxTxnTimestamp);
}

TEST(TransactionDBWrapTest, TakesOverAnOpenDatabase) {
  TempDir dir("wrap");
  Options options;
  options.create_if_missing = true;
  DBOptions db_options(options);
  std::vector<ColumnFamilyDescriptor> families{
      {kDefaultColumnFamilyName, options}};
  std::vector<size_t> compacting;
  TransactionDB::PrepareWrap(&db_options, &families, &compacting);
  EXPECT_TRUE(db_options.allow_2pc);
  EXPECT_TRUE(families[0].options.disable_auto_compactions);
  EXPECT_EQ(compacting, std::vector<size_t>{0});
  for (const bool is_good : {false, true}) {
    std::vector<ColumnFamilyHandle*> handles;
    DB* plain = nullptr;
    ASSERT_TRUE(
        DB::Open(db_options, dir.path() + "/db", families, &handles, &plain)
            .ok());
    TransactionDBOptions txn_db_options;
    if (!is_good) txn_db_options.secondary_indices = {nullptr};
    TransactionDB* db = nullptr;
    const Status s =
        TransactionDB::WrapDB(plain, txn_db_options, compacting, handles, &db);
    EXPECT_EQ(s.ok(), is_good) << s.ToString();
    EXPECT_EQ(db != nullptr, is_good);
    if (!is_good) continue;  // All of it is deleted.
    EXPECT_EQ(db->GetBaseDB(), plain);
    EXPECT_FALSE(db->GetOptions().disable_auto_compactions);
    const std::unique_ptr<TransactionDB> owned_db(db);
    const std::unique_ptr<ColumnFamilyHandle> owned(handles[0]);
    const std::unique_ptr<Transaction> t(db->BeginTransaction(WriteOptions()));
    EXPECT_TRUE(t->Put("k", "1").ok());
    EXPECT_TRUE(t->Commit().ok());
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
