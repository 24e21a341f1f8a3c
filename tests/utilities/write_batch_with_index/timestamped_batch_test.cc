// Indexed batches over a family with user-defined timestamps.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TimestampedBatchTest : public DbFixture,
                             public ::testing::WithParamInterface<bool> {
 protected:
  TimestampedBatchTest()
      : batch_(BytewiseComparatorWithU64Ts(), 0, /*overwrite_key=*/GetParam()) {
    options_.comparator = BytewiseComparatorWithU64Ts();
    options_.merge_operator = NewStringAppendOperator(",");
  }
  void SetUp() override {
    Open();
    ASSERT_OK(db_->Put(WriteOptions(), "a", Ts(5), "old"));
    ASSERT_OK(db_->Put(WriteOptions(), "b", Ts(5), "old"));
    ASSERT_OK(db_->Put(WriteOptions(), "c", Ts(5), "old"));
    ASSERT_OK(db_->Put(WriteOptions(), "c", Ts(30), "later"));
  }
  ColumnFamilyHandle* family() { return db_->DefaultColumnFamily(); }
  void Fill() {
    ASSERT_OK(batch_.Put(family(), "a", "first"));
    ASSERT_OK(batch_.Put(family(), "a", "new"));
    ASSERT_OK(batch_.Delete(family(), "b"));
    ASSERT_OK(batch_.Merge(family(), "c", "more"));
    ASSERT_OK(batch_.Put("d", "added"));
  }
  std::string GetBoth(const std::string& key, uint64_t ts) {
    const AsOf read(ts);
    std::string value;
    const Status s =
        batch_.GetFromBatchAndDB(db_.get(), read.options, key, &value);
    return s.ok() ? value : s.IsNotFound() ? "none" : s.ToString();
  }
  std::string GetAt(const std::string& key, uint64_t ts) {
    const AsOf read(ts);
    std::string value;
    const Status s = db_->Get(read.options, key, &value);
    return s.ok() ? value : s.IsNotFound() ? "none" : s.ToString();
  }

  WriteBatchWithIndex batch_;
};

TEST_P(TimestampedBatchTest, KeysAreListedWithoutTimestamps) {
  Fill();
  const std::unique_ptr<WBWIIterator> it(batch_.NewIterator(family()));
  std::string text;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    text +=
        it->Entry().key.ToString() + "=" + it->Entry().value.ToString() + " ";
  }
  EXPECT_EQ(text, GetParam() ? "a=new b= c=more d=added "
                             : "a=new a=first b= c=more d=added ");
  it->Seek("c");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->Entry().type, kMergeRecord);
  it->SeekForPrev("bb");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->Entry().key, "b");
}

TEST_P(TimestampedBatchTest, TheBatchIsNewerThanTheDatabase) {
  Fill();
  EXPECT_EQ(GetBoth("a", 10), "new");
  EXPECT_EQ(GetBoth("b", 10), "none");
  EXPECT_EQ(GetBoth("c", 10), "old,more");
  EXPECT_EQ(GetBoth("c", 40), "later,more");
  EXPECT_EQ(GetBoth("d", 10), "added");
  EXPECT_EQ(GetBoth("e", 10), "none");
  AsOf read(10);
  const std::vector<Slice> keys = {"a", "b", "c", "e"};
  std::vector<PinnableSlice> values(keys.size());
  std::vector<Status> statuses(keys.size());
  batch_.MultiGetFromBatchAndDB(db_.get(), read.options, family(), keys.size(),
                                keys.data(), values.data(), statuses.data(),
                                /*sorted_input=*/true);
  ASSERT_OK(statuses[0]);
  EXPECT_EQ(values[0], "new");
  EXPECT_TRUE(statuses[1].IsNotFound());
  ASSERT_OK(statuses[2]);
  EXPECT_EQ(values[2], "old,more");
  EXPECT_TRUE(statuses[3].IsNotFound());
}

TEST_P(TimestampedBatchTest, CursorsMergeByKey) {
  Fill();
  AsOf read(10);
  const Slice upper("d");
  read.options.iterate_upper_bound = &upper;
  const std::unique_ptr<Iterator> it(batch_.NewIteratorWithBase(
      family(), db_->NewIterator(read.options, family()), &read.options));
  std::string forward, backward;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    forward += it->key().ToString() + "=" + it->value().ToString() + " ";
  }
  for (it->SeekToLast(); it->Valid(); it->Prev()) {
    backward += it->key().ToString() + "=" + it->value().ToString() + " ";
  }
  EXPECT_OK(it->status());
  EXPECT_EQ(forward, "a=new c=old,more ");
  EXPECT_EQ(backward, "c=old,more a=new ");
}

TEST_P(TimestampedBatchTest, ItIsWrittenOnceItHasItsTimestamp) {
  Fill();
  EXPECT_TRUE(
      db_->Write(WriteOptions(), batch_.GetWriteBatch()).IsInvalidArgument());
  EXPECT_EQ(GetAt("a", 40), "old");
  ASSERT_OK(batch_.GetWriteBatch()->UpdateTimestamps(
      Ts(20), [](uint32_t) { return sizeof(uint64_t); }));
  EXPECT_EQ(GetBoth("a", 10), "new");
  ASSERT_OK(db_->Write(WriteOptions(), batch_.GetWriteBatch()));
  EXPECT_EQ(GetAt("a", 19), "old");
  EXPECT_EQ(GetAt("a", 20), "new");
  EXPECT_EQ(GetAt("b", 20), "none");
  EXPECT_EQ(GetAt("c", 20), "old,more");
  EXPECT_EQ(GetAt("c", 30), "later");
}

TEST_P(TimestampedBatchTest, SavePointsBringBackWhatWasReplaced) {
  ASSERT_OK(batch_.Put(family(), "a", "first"));
  batch_.SetSavePoint();
  Fill();
  ASSERT_OK(batch_.RollbackToSavePoint());
  EXPECT_EQ(GetBoth("a", 10), "first");
  EXPECT_EQ(GetBoth("b", 10), "old");
  EXPECT_EQ(GetBoth("d", 10), "none");
}

TEST_P(TimestampedBatchTest, UpdatesMayHaveTimestampsOfTheirOwn) {
  ASSERT_OK(batch_.Put(family(), "a", Ts(20), "a20"));
  ASSERT_OK(batch_.Put(family(), "a", Ts(25), "a25"));
  ASSERT_OK(batch_.Delete(family(), "b", Ts(21)));
  ASSERT_OK(batch_.Merge(family(), "c", Ts(31), "more"));
  ASSERT_OK(db_->Put(WriteOptions(), "e", Ts(5), "old"));
  ASSERT_OK(batch_.SingleDelete(family(), "e", Ts(22)));
  EXPECT_EQ(GetBoth("a", 10), "a25");
  EXPECT_EQ(GetBoth("b", 10), "none");
  EXPECT_EQ(GetBoth("c", 40), "later,more");
  EXPECT_EQ(GetBoth("e", 10), "none");
  const std::unique_ptr<WBWIIterator> it(batch_.NewIterator(family()));
  it->Seek("a");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->Entry().key, "a");
  ASSERT_OK(db_->Write(WriteOptions(), batch_.GetWriteBatch()));
  EXPECT_EQ(GetAt("a", 19), "old");
  EXPECT_EQ(GetAt("a", 24), "a20");
  EXPECT_EQ(GetAt("a", 25), "a25");
  EXPECT_EQ(GetAt("b", 20), "old");
  EXPECT_EQ(GetAt("b", 21), "none");
  EXPECT_EQ(GetAt("c", 31), "later,more");
  EXPECT_EQ(GetAt("e", 21), "old");
  EXPECT_EQ(GetAt("e", 22), "none");
}

TEST_P(TimestampedBatchTest, UpdatesWithoutTimestampsStillNeedOne) {
  ASSERT_OK(batch_.Put(family(), "a", Ts(20), "a20"));
  ASSERT_OK(batch_.Put(family(), "b", "new"));
  EXPECT_TRUE(
      db_->Write(WriteOptions(), batch_.GetWriteBatch()).IsInvalidArgument());
  ASSERT_OK(batch_.GetWriteBatch()->UpdateTimestamps(
      Ts(21), [](uint32_t) { return sizeof(uint64_t); }));
  ASSERT_OK(db_->Write(WriteOptions(), batch_.GetWriteBatch()));
  // It sets the timestamps of all.
  EXPECT_EQ(GetAt("a", 20), "old");
  EXPECT_EQ(GetAt("a", 21), "a20");
  EXPECT_EQ(GetAt("b", 21), "new");
}

TEST_P(TimestampedBatchTest, TimestampsOfAnotherSizeAreRefused) {
  EXPECT_TRUE(batch_.Put(family(), "a", "ts", "v").IsInvalidArgument());
  EXPECT_TRUE(batch_.Merge(family(), "a", "ts", "v").IsInvalidArgument());
  EXPECT_TRUE(batch_.Delete(family(), "a", "ts").IsInvalidArgument());
  EXPECT_TRUE(batch_.SingleDelete(family(), "a", "ts").IsInvalidArgument());
  EXPECT_EQ(GetBoth("a", 10), "old");
  EXPECT_EQ(batch_.GetWriteBatch()->Count(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Overwrites, TimestampedBatchTest, ::testing::Bool());

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
