// Timestamps: of keys in families that have them, and of snapshots; most of it
// stands in testdata/transactions/timestamps.txt.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/wide_columns.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"
#include "tests/utilities/transactions/transaction_script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(StampedKeysTest, Script) {
  EXPECT_GE(RunTransactionScript("transactions/timestamps.txt"), 10u)
      << "cases went missing";
}

// A database whose keys have timestamps.
std::unique_ptr<TransactionDB> OpenStamped(const TempDir& dir) {
  Options options;
  options.create_if_missing = true;
  options.comparator = BytewiseComparatorWithU64Ts();
  TransactionDB* db = nullptr;
  const Status s = TransactionDB::Open(options, TransactionDBOptions(),
                                       dir.path() + "/db", &db);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return std::unique_ptr<TransactionDB>(db);
}

TEST(StampedKeysTest, ACommitTellsItsTimestamp) {
  TempDir dir("stamped_commit");
  const std::unique_ptr<TransactionDB> db = OpenStamped(dir);
  ASSERT_NE(db, nullptr);
  const std::unique_ptr<Transaction> t(db->BeginTransaction(WriteOptions()));
  ASSERT_TRUE(t->SetCommitTimestamp(10).ok());
  EXPECT_EQ(t->GetCommitTimestamp(), 10u);
}

TEST(StampedKeysTest, UpdatesWithChecksumsAreStamped) {
  TempDir dir("stamped_checksums");
  const std::unique_ptr<TransactionDB> db = OpenStamped(dir);
  ASSERT_NE(db, nullptr);
  WriteOptions write;
  write.protection_bytes_per_key = 8;
  const std::unique_ptr<Transaction> t(db->BeginTransaction(write));
  ASSERT_TRUE(t->Put("k", "v").ok());
  ASSERT_TRUE(t->SetCommitTimestamp(10).ok());
  const Status s = t->Commit();
  EXPECT_TRUE(s.ok()) << s.ToString();
}

// What the batch alone answers is asked for like what lies below it.
TEST(StampedKeysTest, OwnWritesAreReadWithATimestampToo) {
  TempDir dir("stamped_reads");
  const std::unique_ptr<TransactionDB> db = OpenStamped(dir);
  ASSERT_NE(db, nullptr);
  ColumnFamilyHandle* const family = db->DefaultColumnFamily();
  const std::unique_ptr<Transaction> t(db->BeginTransaction(WriteOptions()));
  ASSERT_TRUE(t->Put("k", "v").ok());
  const std::string bytes(8, '\x01');
  const Slice key("k"), stamp(bytes), short_stamp(bytes.data(), 4);
  for (const Slice* timestamp :
       {static_cast<const Slice*>(nullptr), &short_stamp, &stamp}) {
    ReadOptions options;
    options.timestamp = timestamp;
    std::string value;
    PinnableSlice pinned;
    PinnableWideColumns columns;
    std::vector<Status> found(4);
    found[0] = t->Get(options, family, key, &value);
    found[1] = t->GetEntity(options, family, key, &columns);
    t->MultiGet(options, family, 1, &key, &pinned, &found[2]);
    t->MultiGetEntity(options, family, 1, &key, &columns, &found[3]);
    for (const Status& s : found) {
      EXPECT_EQ(s.ok(), timestamp == &stamp) << s.ToString();
      EXPECT_EQ(s.IsInvalidArgument(), timestamp != &stamp) << s.ToString();
    }
  }
}

TEST(StampedKeysTest, EntitiesAreReadForUpdateAsValuesAre) {
  TempDir dir("stamped_entities");
  const std::unique_ptr<TransactionDB> db = OpenStamped(dir);
  ASSERT_NE(db, nullptr);
  ColumnFamilyHandle* const family = db->DefaultColumnFamily();
  const std::unique_ptr<Transaction> t(db->BeginTransaction(WriteOptions()));
  ASSERT_TRUE(t->Put("k", "at10").ok());
  ASSERT_TRUE(t->SetCommitTimestamp(10).ok());
  ASSERT_TRUE(t->Commit().ok());
  const std::unique_ptr<Transaction> u(db->BeginTransaction(WriteOptions()));
  PinnableWideColumns columns;
  Status s = u->GetEntityForUpdate(ReadOptions(), family, "k", &columns);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_TRUE(db->GetLockStatusData().empty());
  ASSERT_TRUE(u->SetReadTimestampForValidation(12).ok());
  s = u->GetEntityForUpdate(ReadOptions(), family, "k", &columns);
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(columns.columns(), (WideColumns{{kDefaultWideColumnName, "at10"}}));
}

class StampedSnapshotsTest : public PessimisticFixture {};

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
