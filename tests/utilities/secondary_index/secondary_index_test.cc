// Secondary indices of a TransactionDB: they agree with what is written.
#include "rocksdb/utilities/secondary_index.h"

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/utilities/secondary_index_faiss.h"
#include "rocksdb/utilities/secondary_index_simple.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"
#include "util/random.h"

// Whoever uses it has one of the library's.
namespace faiss {
struct IndexIVF {};
}  // namespace faiss

namespace ROCKSDB_NAMESPACE {
namespace {

// Writes the column in small letters; its entries have the value of before.
class SmallLettersIndex final : public SimpleSecondaryIndex {
 public:
  using SimpleSecondaryIndex::SimpleSecondaryIndex;
  using Part = std::variant<Slice, std::string>;

  Status UpdatePrimaryColumnValue(const Slice& /*key*/, const Slice& value,
                                  std::optional<Part>* updated) const override {
    std::string small = value.ToString();
    for (char& c : small) c = static_cast<char>(std::tolower(c));
    *updated = std::move(small);
    return Status::OK();
  }
  Status GetSecondaryValue(const Slice& key, const Slice& /*value*/,
                           const Slice& previous,
                           std::optional<Part>* secondary) const override {
    if (key.starts_with("bad")) return Status::Aborted("as it was asked to");
    *secondary = previous;
    return Status::OK();
  }
};

class SecondaryIndexTest : public PessimisticFixture {
 protected:
  SecondaryIndexTest() { txn_db_options_.secondary_indices = {plain_, city_}; }
  ~SecondaryIndexTest() override { Close(); }

  void SetUp() override {
    Open();
    // One on plain values of the default family, one on a column of it.
    plain_->SetPrimaryColumnFamily(handles_[0]);
    plain_->SetSecondaryColumnFamily(other());
    city_->SetPrimaryColumnFamily(handles_[0]);
    city_->SetSecondaryColumnFamily(merges());
  }

  // The keys that have the value, as the transaction sees them, or all.
  std::string Find(const SecondaryIndex& index, const std::string& value,
                   Transaction* txn = nullptr) {
    ColumnFamilyHandle* const family = index.GetSecondaryColumnFamily();
    SecondaryIndexIterator found(
        &index, std::unique_ptr<Iterator>(
                    txn != nullptr ? txn->GetIterator(ReadOptions(), family)
                                   : db_->NewIterator(ReadOptions(), family)));
    std::string keys;
    for (found.Seek(value); found.Valid(); found.Next()) {
      keys += found.key().ToString() + "=" + found.value().ToString() + " ";
    }
    EXPECT_TRUE(found.status().ok()) << found.status().ToString();
    return keys;
  }
  size_t EntryCount(ColumnFamilyHandle* family) {
    const std::unique_ptr<Iterator> all(
        db_->NewIterator(ReadOptions(), family));
    size_t count = 0;
    for (all->SeekToFirst(); all->Valid(); all->Next()) ++count;
    return count;
  }

  const std::shared_ptr<SimpleSecondaryIndex> plain_ =
      std::make_shared<SimpleSecondaryIndex>(kDefaultWideColumnName.ToString());
  const std::shared_ptr<SimpleSecondaryIndex> city_ =
      std::make_shared<SmallLettersIndex>("city");
};

TEST_F(SecondaryIndexTest, FollowsWhatIsWritten) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put("k1", "red").ok());
  ASSERT_TRUE(t->Put("k2", "red").ok());
  ASSERT_TRUE(t->Put("k3", "redder").ok());
  EXPECT_EQ(Find(*plain_, "red", t.get()), "k1= k2= ");
  EXPECT_EQ(Find(*plain_, "red"), "");
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Find(*plain_, "red"), "k1= k2= ");
  EXPECT_EQ(Find(*plain_, "redder"), "k3= ");

  ASSERT_TRUE(t->Rollback().IsInvalidArgument());
  const TxnPtr u = Begin();
  ASSERT_TRUE(u->Put("k1", "blue").ok());
  ASSERT_TRUE(u->Delete("k2").ok());
  ASSERT_TRUE(u->Delete("missing").ok());
  ASSERT_TRUE(u->PutUntracked("k3", "blue").ok());
  ASSERT_TRUE(u->Commit().ok());
  EXPECT_EQ(Find(*plain_, "red"), "");
  EXPECT_EQ(Find(*plain_, "redder"), "");
  EXPECT_EQ(Find(*plain_, "blue"), "k1= k3= ");
  EXPECT_EQ(EntryCount(other()), 2u);
}

TEST_F(SecondaryIndexTest, ColumnsAndWhatAnIndexMakesOfThem) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->PutEntity(handles_[0], "k1",
                           {{"", "x"}, {"city", "Bern"}, {"zip", "1"}})
                  .ok());
  ASSERT_TRUE(t->PutEntity(handles_[0], "k2", {{"city", "BERN"}}).ok());
  ASSERT_TRUE(t->PutEntity(handles_[0], "k3", {{"zip", "3"}}).ok());
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Find(*city_, "bern"), "k1=Bern k2=BERN ");
  EXPECT_EQ(Find(*plain_, "x"), "k1= ");
  PinnableWideColumns columns;
  ASSERT_TRUE(db_->GetEntity(ReadOptions(), handles_[0], "k1", &columns).ok());
  EXPECT_EQ(columns.columns(),
            (WideColumns{{"", "x"}, {"city", "bern"}, {"zip", "1"}}));
  // Without the column it is in the index no more.
  ASSERT_TRUE(db_->Put(WriteOptions(), "k1", "plain").ok());
  EXPECT_EQ(Find(*city_, "bern"), "k2=BERN ");
  EXPECT_EQ(Find(*plain_, "plain"), "k1= ");
  EXPECT_EQ(EntryCount(other()), 1u);
  EXPECT_EQ(EntryCount(merges()), 1u);
}

TEST_F(SecondaryIndexTest, WritesOutsideOfTransactions) {
  ASSERT_TRUE(PutOutside("k", "1").ok());
  EXPECT_EQ(Find(*plain_, "1"), "k= ");
  ASSERT_TRUE(
      db_->PutEntity(WriteOptions(), handles_[0], "e", {{"city", "Rome"}})
          .ok());
  EXPECT_EQ(Find(*city_, "rome"), "e=Rome ");
  ASSERT_TRUE(db_->Delete(WriteOptions(), "e").ok());
  ASSERT_TRUE(db_->SingleDelete(WriteOptions(), "k").ok());
  EXPECT_EQ(EntryCount(other()) + EntryCount(merges()), 0u);
  EXPECT_TRUE(db_->Merge(WriteOptions(), "k", "1").IsNotSupported());
  EXPECT_TRUE(db_->Merge(WriteOptions(), merges(), "k", "1").ok());
  // A batch is written as it is.
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("b", "2").ok());
  ASSERT_TRUE(db_->Write(WriteOptions(), &batch).ok());
  EXPECT_EQ(Find(*plain_, "2"), "");
  EXPECT_EQ(Get("b"), "2");
}

TEST_F(SecondaryIndexTest, WritesOutsideAreCheckedAsWithoutIndices) {
  ASSERT_TRUE(
      db_->PutEntity(WriteOptions(), nullptr, "e", {{"city", "Rome"}}).ok());
  EXPECT_EQ(Find(*city_, "rome"), "e=Rome ");
  ColumnFamilyOptions stamped;
  stamped.comparator = BytewiseComparatorWithU64Ts();
  ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(stamped, "stamped", &family).ok());
  handles_.push_back(family);
  EXPECT_TRUE(db_->Put(WriteOptions(), family, "k", "1").IsNotSupported());
  EXPECT_TRUE(db_->Delete(WriteOptions(), family, "k").IsNotSupported());
}

TEST_F(SecondaryIndexTest, AnIndexWithoutItsFamilyDeletesNothing) {
  ASSERT_TRUE(PutOutside("k", "1").ok());
  Close();
  const auto homeless =
      std::make_shared<SimpleSecondaryIndex>(kDefaultWideColumnName.ToString());
  txn_db_options_.secondary_indices = {homeless};
  Open();
  homeless->SetPrimaryColumnFamily(handles_[0]);
  const TxnPtr t = Begin();
  EXPECT_TRUE(t->Delete("k").IsInvalidArgument());
  EXPECT_TRUE(t->Put("k", "2").IsInvalidArgument());
  EXPECT_EQ(Get(t.get(), "k"), "1");
}

TEST_F(SecondaryIndexTest, AFailedWriteLeavesNothing) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put("good", "1").ok());
  EXPECT_TRUE(t->PutEntity(handles_[0], "bad", {{"", "v"}, {"city", "Ur"}})
                  .IsAborted());
  EXPECT_EQ(Get(t.get(), "bad"), "-");
  EXPECT_EQ(Find(*plain_, "v", t.get()), "");
  EXPECT_TRUE(PutOutside("bad", "free").ok()) << "no lock is left";
  EXPECT_TRUE(t->Merge("good", "2").IsNotSupported());
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Find(*plain_, "1"), "good= ");
}

TEST_F(SecondaryIndexTest, WritesAfterPrepareAreWholeToo) {
  const TxnPtr t = BeginNamed("t");
  ASSERT_TRUE(t->Put("k1", "1").ok());
  ASSERT_TRUE(t->Prepare().ok());
  const Status s = t->Put("k2", "1");
  EXPECT_TRUE(s.ok()) << s.ToString();
  EXPECT_TRUE(
      t->PutEntity(handles_[0], "bad", {{"", "v"}, {"city", "X"}}).IsAborted());
  EXPECT_EQ(Get(t.get(), "bad"), "-");
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Find(*plain_, "1"), "k1= k2= ");
  EXPECT_EQ(Get("bad"), "-");
  EXPECT_EQ(Find(*plain_, "v"), "");
  EXPECT_EQ(EntryCount(merges()), 0u);
}

// A write outside of transactions has no name for parts of it.
TEST_F(SecondaryIndexTest, WritesOutsideOfTransactionsAreNeverLoggedInParts) {
  Close();
  txn_db_options_.write_policy = WRITE_UNPREPARED;
  txn_db_options_.default_write_batch_flush_threshold = 1;
  SetUp();
  for (const char* value : {"1", "2"}) {
    const Status s = PutOutside("k", value);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  EXPECT_EQ(Find(*plain_, "1"), "");
  EXPECT_EQ(Find(*plain_, "2"), "k= ");
}

TEST_F(SecondaryIndexTest, AConflictLeavesTheIndexAlone) {
  ASSERT_TRUE(PutOutside("k", "1").ok());
  const TxnPtr t = Begin(), u = Begin();
  ASSERT_TRUE(t->Put("k", "2").ok());
  EXPECT_TRUE(u->Put("k", "3").IsTimedOut());
  u->SetSnapshot();
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_TRUE(u->Put("k", "3").IsBusy());
  EXPECT_TRUE(u->PutUntracked("k", "4").ok());
  ASSERT_TRUE(u->Commit().ok());
  EXPECT_EQ(Find(*plain_, "4"), "k= ");
  EXPECT_EQ(EntryCount(other()), 1u);
}

TEST_F(SecondaryIndexTest, SavePointsTakeTheIndexAlong) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put("k", "1").ok());
  t->SetSavePoint();
  ASSERT_TRUE(t->Put("k", "2").ok());
  EXPECT_EQ(Find(*plain_, "1", t.get()), "");
  ASSERT_TRUE(t->RollbackToSavePoint().ok());
  EXPECT_EQ(Find(*plain_, "1", t.get()), "k= ");
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Find(*plain_, "1"), "k= ");
}

TEST_F(SecondaryIndexTest, ARecoveredSectionIsTakenAsItIs) {
  ASSERT_TRUE(PutOutside("k", "1").ok());
  {
    const TxnPtr t = BeginNamed("t");
    ASSERT_TRUE(t->Put("k", "2").ok());
    ASSERT_TRUE(t->Prepare().ok());
  }
  Close();
  SetUp();
  {
    const TxnPtr t(db_->GetTransactionByName("t"));
    ASSERT_NE(t, nullptr);
    ASSERT_TRUE(t->Commit().ok());
  }
  EXPECT_EQ(Find(*plain_, "1"), "");
  EXPECT_EQ(Find(*plain_, "2"), "k= ");
  EXPECT_EQ(EntryCount(other()), 1u);
}

TEST_F(SecondaryIndexTest, TheIteratorGoesBothWays) {
  for (const char* key : {"a", "b", "c"})
    ASSERT_TRUE(PutOutside(key, "v").ok());
  ASSERT_TRUE(PutOutside("d", "u").ok());
  ASSERT_TRUE(PutOutside("e", "w").ok());
  SecondaryIndexIterator found(
      plain_.get(),
      std::unique_ptr<Iterator>(db_->NewIterator(ReadOptions(), other())));
  EXPECT_FALSE(found.Valid());
  found.Seek("v");
  ASSERT_TRUE(found.Valid());
  EXPECT_EQ(found.key(), "a");
  found.Next();
  EXPECT_EQ(found.key(), "b");
  EXPECT_TRUE(found.PrepareValue());
  EXPECT_EQ(found.value(), "");
  EXPECT_TRUE(found.timestamp().empty());
  found.Prev();
  EXPECT_EQ(found.key(), "a");
  // The one before is of another value.
  found.Prev();
  EXPECT_FALSE(found.Valid());
  EXPECT_TRUE(found.status().ok());
  found.Seek("none");
  EXPECT_FALSE(found.Valid());
}

// By chance, against a map.
TEST_F(SecondaryIndexTest, AgreesWithAllThatIsWritten) {
  std::map<std::string, std::string> expected;
  Random64 random(301);
  for (int round = 0; round < 150; ++round) {
    const TxnPtr t = Begin();
    auto pending = expected;
    for (uint64_t left = random.Uniform(6); left > 0; --left) {
      const std::string key = "k" + std::to_string(random.Uniform(8));
      const std::string value = "v" + std::to_string(random.Uniform(4));
      if (random.OneIn(4)) {
        ASSERT_TRUE(t->Delete(key).ok());
        pending.erase(key);
      } else {
        ASSERT_TRUE(t->Put(key, value).ok());
        pending[key] = value;
      }
      if (random.OneIn(16)) {
        ASSERT_TRUE(db_->Flush(FlushOptions(), other()).ok());
      }
    }
    if (random.OneIn(4)) {
      ASSERT_TRUE(t->Rollback().ok());
    } else {
      ASSERT_TRUE(t->Commit().ok());
      expected = pending;
    }
    for (int v = 0; v < 4; ++v) {
      const std::string value = "v" + std::to_string(v);
      std::string keys;
      for (const auto& [key, has] : expected) {
        if (has == value) keys += key + "= ";
      }
      ASSERT_EQ(Find(*plain_, value), keys) << round;
    }
    ASSERT_EQ(EntryCount(other()), expected.size()) << round;
  }
}

TEST(FaissIndexTest, IsNotSupported) {
  FaissIVFIndex index(nullptr, "column");
  EXPECT_EQ(index.GetPrimaryColumnName(), "column");
  EXPECT_EQ(index.GetPrimaryColumnFamily(), nullptr);
  std::variant<Slice, std::string> prefix;
  EXPECT_TRUE(index.GetSecondaryKeyPrefix("k", "v", &prefix).IsNotSupported());
  EXPECT_TRUE(index.FinalizeSecondaryKeyPrefix(&prefix).IsNotSupported());
  std::vector<std::pair<std::string, float>> nearest;
  EXPECT_TRUE(index.FindKNearestNeighbors(nullptr, "v", 1, 1, &nearest)
                  .IsNotSupported());
  const float numbers[] = {1, 2};
  const Slice bytes = ConvertFloatsToSlice(numbers, 2);
  EXPECT_EQ(bytes.size(), 8u);
  EXPECT_EQ(ConvertSliceToFloats(bytes, 2), numbers);
  EXPECT_EQ(ConvertSliceToFloats(bytes, 3), nullptr);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
