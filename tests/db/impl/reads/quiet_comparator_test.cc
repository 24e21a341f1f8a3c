// Jobs of one key have nothing to compare. Programs of other languages let go
// of their comparator together with the options, and close the database, which
// flushes what it holds, after that.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/wide_columns.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Counts what it is asked.
class AskedComparator : public Comparator {
 public:
  const char* Name() const override { return "AskedComparator"; }
  int Compare(const Slice& a, const Slice& b) const override {
    ++asked_;
    return a.compare(b);
  }
  bool Equal(const Slice& a, const Slice& b) const override {
    ++asked_;
    return a == b;
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {
    ++asked_;
  }
  void FindShortSuccessor(std::string*) const override { ++asked_; }
  int TakeAsked() const { return asked_.exchange(0); }

 private:
  mutable std::atomic<int> asked_{0};
};

class JoinText : public AssociativeMergeOperator {
 public:
  bool Merge(const Slice&, const Slice* existing, const Slice& value,
             std::string* result, Logger*) const override {
    *result =
        (existing != nullptr ? existing->ToString() : "") + value.ToString();
    return true;
  }
  const char* Name() const override { return "JoinText"; }
};

class QuietComparatorTest : public DbFixture,
                            public ::testing::WithParamInterface<const char*> {
 protected:
  QuietComparatorTest() {
    options_.comparator = &comparator_;
    options_.merge_operator = std::make_shared<JoinText>();
  }
  ~QuietComparatorTest() override { db_.reset(); }

  Status WriteOne(const WriteOptions& write) {
    const std::string kind = GetParam();
    if (kind == "put") return db_->Put(write, "k", "v");
    if (kind == "delete") return db_->Delete(write, "k");
    if (kind == "single_delete") return db_->SingleDelete(write, "k");
    if (kind == "merge") return db_->Merge(write, "k", "v");
    return db_->PutEntity(write, db_->DefaultColumnFamily(), "k",
                          WideColumns{{"a", "1"}});
  }

  AskedComparator comparator_;
};

TEST_P(QuietComparatorTest, AFlushOfOneKey) {
  Open();
  ASSERT_OK(WriteOne(WriteOptions()));
  comparator_.TakeAsked();
  ASSERT_OK(Flush());
  EXPECT_EQ(comparator_.TakeAsked(), 0);
}

TEST_P(QuietComparatorTest, CloseFlushesOneKey) {
  Open();
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_OK(WriteOne(unlogged));
  comparator_.TakeAsked();
  ASSERT_OK(db_->Close());
  EXPECT_EQ(comparator_.TakeAsked(), 0);
}

TEST_P(QuietComparatorTest, AFlushIntoBlobs) {
  options_.enable_blob_files = true;
  Open();
  ASSERT_OK(WriteOne(WriteOptions()));
  comparator_.TakeAsked();
  ASSERT_OK(Flush());
  EXPECT_EQ(comparator_.TakeAsked(), 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, QuietComparatorTest,
                         ::testing::Values("put", "delete", "single_delete",
                                           "merge", "entity"));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
