// Indexed batches: what they list, what they read over a database, and how they
// change: testdata/batches, in the language of batch_script.h.
#include "rocksdb/utilities/write_batch_with_index.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "rocksdb/comparator.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/utilities/write_batch_with_index/batch_script.h"

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
