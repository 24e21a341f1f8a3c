// Memtables that are flushed because scans step over too much in them
// (memtable_op_scan_flush_trigger, memtable_avg_op_scan_flush_trigger).
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ScanFlushTest : public DbFixture {
 protected:
  ScanFlushTest() { options_.memtable_op_scan_flush_trigger = 10; }
  void SetUp() override {
    Open();
    ASSERT_OK(db_->PauseBackgroundWork());
  }
  void TearDown() override { ASSERT_OK(db_->ContinueBackgroundWork()); }

  static std::string KeyOf(int i) { return "key" + std::to_string(1000 + i); }
  void DeleteKeys(int begin, int end) {
    for (int i = begin; i < end; ++i) ASSERT_OK(Delete(KeyOf(i)));
  }
  // After the next write.
  bool IsSealed() {
    EXPECT_OK(Put("zz", "written after the scan"));
    uint64_t count = 0;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb.num-immutable-mem-table", &count));
    return count > 0;
  }
  std::unique_ptr<Iterator> NewIterator() {
    return std::unique_ptr<Iterator>(db_->NewIterator(ReadOptions()));
  }
};

TEST_F(ScanFlushTest, ASeekThatStepsOverTooMuch) {
  DeleteKeys(0, 9);
  NewIterator()->SeekToFirst();
  EXPECT_FALSE(IsSealed());
  DeleteKeys(9, 10);
  NewIterator()->Seek("key");
  EXPECT_TRUE(IsSealed());
}

TEST_F(ScanFlushTest, ANextThatStepsOverTooMuch) {
  ASSERT_OK(Put("a", "1"));
  DeleteKeys(0, 20);
  ASSERT_OK(Put("x", "2"));
  const auto it = NewIterator();
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_FALSE(IsSealed());
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "x");
  EXPECT_TRUE(IsSealed());
}

TEST_F(ScanFlushTest, OlderVersionsCountAsDeletionsDo) {
  for (int i = 0; i < 12; ++i) ASSERT_OK(Put("a", std::to_string(i)));
  ASSERT_OK(Put("b", "1"));
  const auto it = NewIterator();
  it->SeekToFirst();
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "b");
  // Past the first of them a seek is cheaper: few are stepped over.
  EXPECT_FALSE(IsSealed());
  ASSERT_OK(db_->SetOptions({{"max_sequential_skip_in_iterations", "100"}}));
  const auto again = NewIterator();
  again->SeekToFirst();
  again->Next();
  EXPECT_TRUE(IsSealed());
}

TEST_F(ScanFlushTest, WhatIsSealedDoesNotCount) {
  DeleteKeys(0, 20);
  FlushOptions no_wait;
  no_wait.wait = false;
  ASSERT_OK(db_->Flush(no_wait));
  ASSERT_OK(Put("x", "1"));
  NewIterator()->SeekToFirst();
  ASSERT_OK(Put("y", "1"));
  uint64_t count = 0;
  ASSERT_TRUE(db_->GetIntProperty("rocksdb.num-immutable-mem-table", &count));
  EXPECT_EQ(count, 1u);
}

TEST_F(ScanFlushTest, AnAverageOverManySteps) {
  ASSERT_OK(db_->SetOptions({{"memtable_op_scan_flush_trigger", "50"},
                             {"memtable_avg_op_scan_flush_trigger", "3"}}));
  // Three that are hidden before each that is not.
  for (int i = 0; i < 30; ++i) {
    const std::string key = KeyOf(i);
    for (const char* end : {".1", ".2", ".3"}) ASSERT_OK(Delete(key + end));
    ASSERT_OK(Put(key + ".4", "value"));
  }
  const auto it = NewIterator();
  it->SeekToFirst();
  for (int i = 0; i < 16; ++i) it->Next();  // 48 of them
  ASSERT_TRUE(it->Valid());
  EXPECT_FALSE(IsSealed());
  it->Next();
  EXPECT_TRUE(IsSealed());
}

TEST_F(ScanFlushTest, ASmallerAverageIsNoReason) {
  ASSERT_OK(db_->SetOptions({{"memtable_op_scan_flush_trigger", "20"},
                             {"memtable_avg_op_scan_flush_trigger", "3"}}));
  for (int i = 0; i < 50; ++i) {
    ASSERT_OK(Delete(KeyOf(i) + ".1"));
    ASSERT_OK(Put(KeyOf(i) + ".2", "value"));
  }
  const auto it = NewIterator();
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
  }
  EXPECT_FALSE(IsSealed());
}

TEST_F(ScanFlushTest, OffIsOff) {
  ASSERT_OK(db_->SetOptions({{"memtable_op_scan_flush_trigger", "0"},
                             {"memtable_avg_op_scan_flush_trigger", "1"}}));
  DeleteKeys(0, 100);
  NewIterator()->SeekToFirst();
  EXPECT_FALSE(IsSealed());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
