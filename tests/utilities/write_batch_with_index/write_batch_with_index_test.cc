// Indexed batches: what they list, what they read over a database, and how they
// change: testdata/batches, in the language of batch_script.h.
#include "rocksdb/utilities/write_batch_with_index.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/comparator.h"
#include "rocksdb/iterator.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/utilities/write_batch_with_index/batch_script.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(BatchScriptTest, WhatTheIndexHas) {
  EXPECT_GE(RunBatchScript("batches/index.txt"), 13u) << "cases went missing";
}
TEST(BatchScriptTest, OverADatabase) {
  EXPECT_GE(RunBatchScript("batches/over_database.txt"), 20u)
      << "cases went missing";
}

using WriteBatchWithIndexTest = DbFixture;

TEST_F(WriteBatchWithIndexTest, MovesWithItsIndex) {
  for (const bool overwrite : {false, true}) {
    WriteBatchWithIndex batch(BytewiseComparator(), 0, overwrite);
    EXPECT_EQ(batch.GetOverwriteKey(), overwrite);
    ASSERT_OK(batch.Put("z", "1"));
    WriteBatchWithIndex moved = std::move(batch);
    const std::unique_ptr<WBWIIterator> it(moved.NewIterator());
    it->SeekToFirst();
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->Entry().key, "z");
    it->Next();
    EXPECT_FALSE(it->Valid());
  }
}

// An error of the database's cursor is the cursor's.
TEST_F(WriteBatchWithIndexTest, ErrorsOfTheBase) {
  Open();
  WriteBatchWithIndex batch;
  ASSERT_OK(batch.Put("a", "1"));
  const std::unique_ptr<Iterator> it(batch.NewIteratorWithBase(
      db_->DefaultColumnFamily(),
      NewErrorIterator(Status::Corruption("broken"))));
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsCorruption());
  // A step from where there is nothing does not hide it.
  it->Next();
  EXPECT_TRUE(it->status().IsCorruption());
}

// What a handle says of the order goes before what the batch was made with, as
// long as there are no keys.
TEST_F(WriteBatchWithIndexTest, TheOrderOfAFamilyThatWasNotGivenAtFirst) {
  options_.comparator = ReverseBytewiseComparator();
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Put("c", "1"));
  WriteBatchWithIndex batch(BytewiseComparator());
  std::string value;
  EXPECT_TRUE(batch.GetFromBatch(DBOptions(), "b", &value).IsNotFound());
  for (const char* key : {"b", "d"}) {
    ASSERT_OK(batch.Put(db_->DefaultColumnFamily(), key, "2"));
  }
  const std::unique_ptr<Iterator> it(batch.NewIteratorWithBase(
      db_->DefaultColumnFamily(), db_->NewIterator(ReadOptions())));
  std::string keys;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    keys += it->key().ToString();
  }
  EXPECT_EQ(keys, "dcba");
}

// One entry, by a cursor that knows no columns.
class OneEntry final : public Iterator {
 public:
  bool Valid() const override { return is_valid_; }
  void SeekToFirst() override { is_valid_ = true; }
  void SeekToLast() override { is_valid_ = true; }
  void Seek(const Slice& target) override {
    is_valid_ = target.compare(key()) <= 0;
  }
  void SeekForPrev(const Slice& target) override {
    is_valid_ = target.compare(key()) >= 0;
  }
  void Next() override { is_valid_ = false; }
  void Prev() override { is_valid_ = false; }
  Slice key() const override { return "k"; }
  Slice value() const override { return "base"; }
  Status status() const override { return Status::OK(); }

 private:
  bool is_valid_ = false;
};

TEST_F(WriteBatchWithIndexTest, OperandsOverABaseWithoutColumns) {
  options_.merge_operator = NewStringAppendOperator("+");
  Open();
  WriteBatchWithIndex batch;
  ASSERT_OK(batch.Merge(db_->DefaultColumnFamily(), "k", "operand"));
  const std::unique_ptr<Iterator> it(batch.NewIteratorWithBase(
      db_->DefaultColumnFamily(), std::make_unique<OneEntry>().release()));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), "base+operand");
}

class CountingOrder final : public Comparator {
 public:
  const char* Name() const override { return "CountingOrder"; }
  int Compare(const Slice& a, const Slice& b) const override {
    ++count;
    return a.compare(b);
  }
  void FindShortestSeparator(std::string* /*start*/,
                             const Slice& /*limit*/) const override {}
  void FindShortSuccessor(std::string* /*key*/) const override {}

  mutable uint64_t count = 0;
};

// An update, or a look at the newest, costs no more for those before it.
TEST_F(WriteBatchWithIndexTest, ManyUpdatesOfOneKey) {
  constexpr uint64_t kUpdates = 2000;
  constexpr uint64_t kMostEach = 100;
  for (const bool overwrite : {false, true}) {
    CountingOrder order;
    WriteBatchWithIndex batch(&order, 0, overwrite);
    ASSERT_OK(batch.SingleDelete("k"));
    for (uint64_t i = 0; i < kUpdates; ++i) ASSERT_OK(batch.Merge("k", "1"));
    EXPECT_LT(order.count, kUpdates * kMostEach);
    ASSERT_OK(batch.Put("k", "2"));
    const uint64_t before = order.count;
    std::string value;
    ASSERT_OK(batch.GetFromBatch(DBOptions(), "k", &value));
    EXPECT_EQ(value, "2");
    EXPECT_LT(order.count, before + kMostEach);
    const std::unique_ptr<WBWIIterator> it(batch.NewIterator());
    it->SeekToFirst();
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->GetUpdateCount(), kUpdates + 2);
  }
}

TEST_F(WriteBatchWithIndexTest, TheFamilyMayBeLeftOut) {
  Open();
  WriteBatchWithIndex batch;
  for (const char* key : {"a", "b", "c"}) ASSERT_OK(batch.Put(key, "1"));
  const Slice upper("c");
  ReadOptions options;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<Iterator> cursor(
      batch.NewIteratorWithBase(db_->NewIterator(options), &options));
  cursor->SeekToLast();
  ASSERT_TRUE(cursor->Valid());
  EXPECT_EQ(cursor->key(), "b");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
