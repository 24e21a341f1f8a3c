// What transactions walk over, families that come later, and databases that
// have no transactions.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "rocksdb/slice_transform.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/utilities/stackable_db.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class CursorsTest : public PessimisticFixture {
 protected:
  CursorsTest() { options_.prefix_extractor.reset(NewFixedPrefixTransform(1)); }

  static std::string KeysOf(Iterator* cursor) {
    std::string keys;
    for (; cursor->Valid(); cursor->Next()) keys += cursor->key().ToString();
    EXPECT_TRUE(cursor->status().ok()) << cursor->status().ToString();
    return keys;
  }
};

TEST_F(CursorsTest, WhatACursorCannotDo) {
  ASSERT_TRUE(PutOutside("a1", "1").ok());
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put("a2", "2").ok());
  const std::unique_ptr<Iterator> cursor(t->GetIterator(ReadOptions()));
  EXPECT_TRUE(cursor->Refresh().IsNotSupported());
  // Before it was sought it stands nowhere.
  EXPECT_FALSE(cursor->Valid());
  cursor->Next();
  EXPECT_FALSE(cursor->Valid());
  EXPECT_EQ(cursor->status().ToString(),
            "Not implemented: Next() on invalid iterator");
  cursor->SeekToLast();
  EXPECT_TRUE(cursor->status().ok());
  cursor->Next();
  EXPECT_FALSE(cursor->Valid());
  EXPECT_TRUE(cursor->status().ok());
  cursor->Prev();
  EXPECT_FALSE(cursor->Valid());
  EXPECT_EQ(cursor->status().ToString(),
            "Not implemented: Prev() on invalid iterator");
  cursor->SeekToFirst();
  EXPECT_EQ(KeysOf(cursor.get()), "a1a2");
}

using FamiliesTest = PessimisticFixture;

TEST_F(FamiliesTest, AnImportedOneHasLocks) {
  ASSERT_TRUE(db_->Put(WriteOptions(), other(), "k", "1").ok());
  Checkpoint* made = nullptr;
  ASSERT_TRUE(Checkpoint::Create(db_.get(), &made).ok());
  const std::unique_ptr<Checkpoint> checkpoint(made);
  ExportImportFilesMetaData* exported = nullptr;
  Status s =
      checkpoint->ExportColumnFamily(other(), path() + "_exported", &exported);
  ASSERT_TRUE(s.ok()) << s.ToString();
  const std::unique_ptr<ExportImportFilesMetaData> metadata(exported);
  ColumnFamilyHandle* family = nullptr;
  s = db_->CreateColumnFamilyWithImport(ColumnFamilyOptions(), "imported",
                                        ImportColumnFamilyOptions(), *metadata,
                                        &family);
  ASSERT_TRUE(s.ok()) << s.ToString();
  handles_.push_back(family);
  const TxnPtr t = Begin(), u = Begin();
  ASSERT_TRUE(t->Put(family, "k", "2").ok());
  EXPECT_TRUE(u->Put(family, "k", "3").IsTimedOut());
  EXPECT_TRUE(db_->Put(WriteOptions(), family, "k", "3").IsTimedOut());
  ASSERT_TRUE(t->Commit().ok());
  std::string value;
  ASSERT_TRUE(db_->Get(ReadOptions(), family, "k", &value).ok());
  EXPECT_EQ(value, "2");
}

// A log with sections is for the policy that wrote it; without sections it is
// for all.
TEST_F(FamiliesTest, OtherPoliciesAreRefused) {
  {
    const TxnPtr t = BeginNamed("t");
    ASSERT_TRUE(t->Put("k", "1").ok());
    ASSERT_TRUE(t->Prepare().ok());
  }
  Close();
  for (const TxnDBWritePolicy policy : {WRITE_PREPARED, WRITE_UNPREPARED}) {
    txn_db_options_.write_policy = policy;
    const Status s = TryOpen();
    EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
    EXPECT_TRUE(handles_.empty());
  }
  txn_db_options_.write_policy = WRITE_COMMITTED;
  Open();
  const TxnPtr t(db_->GetTransactionByName("t"));
  ASSERT_NE(t, nullptr);
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Get("k"), "1");
}

// A database of somebody else's.
class ForeignDB final : public StackableDB {
 public:
  ForeignDB(DB* db, bool* is_gone) : StackableDB(db), is_gone_(is_gone) {}
  ~ForeignDB() override { *is_gone_ = true; }
  DB* GetRootDB() override { return this; }

 private:
  bool* const is_gone_;
};

TEST_F(FamiliesTest, AForeignDatabaseHasNoTransactions) {
  std::unique_ptr<DB> below;
  Options options = options_;
  Status s = DB::Open(options, path() + "_foreign", &below);
  ASSERT_TRUE(s.ok()) << s.ToString();
  bool is_gone = false;
  auto foreign = std::make_unique<ForeignDB>(below.release(), &is_gone);
  TransactionDB* wrapped = nullptr;
  s = TransactionDB::WrapDB(foreign.release(), TransactionDBOptions(), {}, {},
                            &wrapped);
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_EQ(wrapped, nullptr);
  EXPECT_TRUE(is_gone) << "what was handed over is not left";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
