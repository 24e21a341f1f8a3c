// Merges that are resolved when they are written (max_successive_merges).
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/wide_columns.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class SuccessiveMergesTest : public FamiliesFixture {
 protected:
  SuccessiveMergesTest() {
    options_.merge_operator = NewStringAppendOperator(",");
    options_.max_successive_merges = 2;
  }
  Status Merge(const std::string& key, const std::string& operand) {
    return db_->Merge(WriteOptions(), key, operand);
  }
  void MergeAll(const std::string& key, const std::string& operands) {
    for (const char operand : operands) {
      ASSERT_OK(Merge(key, std::string(1, operand)));
    }
  }
  // What a merge of the key would start from, oldest first.
  std::string Operands(const std::string& key) {
    constexpr int kMost = 50;
    std::vector<PinnableSlice> values(kMost);
    GetMergeOperandsOptions options;
    options.expected_max_number_of_operands = kMost;
    int count = 0;
    const Status s =
        db_->GetMergeOperands(ReadOptions(), db_->DefaultColumnFamily(), key,
                              values.data(), &options, &count);
    if (!s.ok()) return s.ToString();
    std::string text;
    for (int i = 0; i < count; ++i) text += "[" + values[i].ToString() + "]";
    return text;
  }
};

TEST_F(SuccessiveMergesTest, OneMoreThanAllowedBecomesAValue) {
  Open();
  MergeAll("a", "12");
  EXPECT_EQ(Operands("a"), "[1][2]");
  MergeAll("a", "3");
  EXPECT_EQ(Operands("a"), "[1,2,3]");
  MergeAll("a", "45");
  EXPECT_EQ(Operands("a"), "[1,2,3][4][5]");
  MergeAll("a", "6");
  EXPECT_EQ(Operands("a"), "[1,2,3,4,5,6]");
  EXPECT_EQ(Get("a"), "1,2,3,4,5,6");
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("a"), "1,2,3,4,5,6");
}

TEST_F(SuccessiveMergesTest, WithoutALimitOperandsStay) {
  options_.max_successive_merges = 0;
  Open();
  MergeAll("a", "12345");
  EXPECT_EQ(Operands("a"), "[1][2][3][4][5]");
}

TEST_F(SuccessiveMergesTest, SnapshotsSeeWhatTheySaw) {
  Open();
  MergeAll("a", "12");
  const Snapshot* before = db_->GetSnapshot();
  MergeAll("a", "3");
  EXPECT_EQ(Get("a", before), "1,2");
  EXPECT_EQ(Get("a"), "1,2,3");
  db_->ReleaseSnapshot(before);
}

TEST_F(SuccessiveMergesTest, OlderUpdatesOfTheBatchCount) {
  Open();
  WriteBatch batch;
  ASSERT_OK(batch.Put("a", "0"));
  for (const char* operand : {"1", "2", "3"})
    ASSERT_OK(batch.Merge("a", operand));
  ASSERT_OK(batch.Delete("b"));
  for (const char* operand : {"4", "5", "6"})
    ASSERT_OK(batch.Merge("b", operand));
  ASSERT_OK(db_->Write(WriteOptions(), &batch));
  EXPECT_EQ(Operands("a"), "[0,1,2,3]");
  EXPECT_EQ(Operands("b"), "[4,5,6]");
}

TEST_F(SuccessiveMergesTest, RangeTombstonesEndWhatIsMerged) {
  Open();
  MergeAll("a", "12");
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "a", "b"));
  MergeAll("a", "3");
  EXPECT_EQ(Get("a"), "3");
  MergeAll("a", "4");
  EXPECT_EQ(Get("a"), "3,4");
}

TEST_F(SuccessiveMergesTest, AnEntityStaysOne) {
  Open();
  const WideColumns columns{{kDefaultWideColumnName, "0"}, {"other", "column"}};
  ASSERT_OK(
      db_->PutEntity(WriteOptions(), db_->DefaultColumnFamily(), "a", columns));
  MergeAll("a", "123");
  PinnableWideColumns result;
  ASSERT_OK(
      db_->GetEntity(ReadOptions(), db_->DefaultColumnFamily(), "a", &result));
  EXPECT_EQ(result.columns(), (WideColumns{{kDefaultWideColumnName, "0,1,2,3"},
                                           {"other", "column"}}));
}

// The file's block is nowhere in memory after a reopen.
TEST_F(SuccessiveMergesTest, FilesAreReadOnlyWhereThatIsAskedFor) {
  for (const bool is_strict : {false, true}) {
    SCOPED_TRACE(is_strict);
    options_.strict_max_successive_merges = is_strict;
    const std::string key = is_strict ? "strict" : "lenient";
    Open();
    ASSERT_OK(Put(key, "0"));
    ASSERT_OK(Flush());
    Reopen();
    MergeAll(key, "123");
    EXPECT_EQ(Operands(key), is_strict ? "[0,1,2,3]" : "[0][1][2][3]");
    // Now the block is in the cache.
    MergeAll(key, "4");
    EXPECT_EQ(Operands(key), is_strict ? "[0,1,2,3][4]" : "[0,1,2,3,4]");
    EXPECT_EQ(Get(key), "0,1,2,3,4");
  }
}

// Fails for some operands.
class PickyOperator : public AssociativeMergeOperator {
 public:
  bool Merge(const Slice&, const Slice* existing, const Slice& value,
             std::string* result, Logger*) const override {
    if (value == "bad") return false;
    result->assign(existing != nullptr ? existing->ToString() : "");
    result->append(value.data(), value.size());
    return true;
  }
  const char* Name() const override { return "PickyOperator"; }
};

TEST_F(SuccessiveMergesTest, AMergeThatFailsIsStoredAsItIs) {
  options_.merge_operator = std::make_shared<PickyOperator>();
  options_.max_successive_merges = 1;
  Open();
  ASSERT_OK(Merge("a", "1"));
  ASSERT_OK(Merge("a", "bad"));
  EXPECT_EQ(Operands("a"), "[1][bad]");
  EXPECT_TRUE(
      db_->Get(ReadOptions(), "a", std::make_unique<std::string>().get())
          .IsCorruption());
  // Writing goes on.
  ASSERT_OK(Put("a", "2"));
  ASSERT_OK(Merge("a", "3"));
  ASSERT_OK(Merge("a", "4"));
  EXPECT_EQ(Operands("a"), "[234]");
}

TEST_F(SuccessiveMergesTest, TheLogHasTheOperands) {
  Open();
  MergeAll("a", "1234");
  ASSERT_OK(db_->FlushWAL(true));
  options_.avoid_flush_during_recovery = true;
  options_.max_successive_merges = 0;
  Reopen();
  EXPECT_EQ(Get("a"), "1,2,3,4");
  // A replay keeps operands.
  options_.max_successive_merges = 2;
  Reopen();
  EXPECT_EQ(Operands("a"), "[1][2][3][4]");
  MergeAll("a", "5");
  EXPECT_EQ(Operands("a"), "[1,2,3,4,5]");
}

TEST_F(SuccessiveMergesTest, TimestampsKeepOperands) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  Open();
  for (uint64_t ts = 1; ts <= 4; ++ts) {
    ASSERT_OK(db_->Merge(WriteOptions(), db_->DefaultColumnFamily(), "a",
                         Ts(ts), std::to_string(ts)));
  }
  // Older by its timestamp than what was merged before it.
  ASSERT_OK(db_->Put(WriteOptions(), "a", Ts(2), "two"));
  std::string value;
  ASSERT_OK(db_->Get(AsOf(9).options, "a", &value));
  EXPECT_EQ(value, "two,3,4");
}

TEST_F(SuccessiveMergesTest, ChangesApplyToTheNextMemtable) {
  Open();
  ASSERT_OK(db_->SetOptions({{"max_successive_merges", "1"}}));
  MergeAll("a", "12");
  EXPECT_EQ(Operands("a"), "[1][2]");
  ASSERT_OK(Flush());
  MergeAll("b", "12");
  EXPECT_EQ(Operands("b"), "[1,2]");
}

TEST_F(SuccessiveMergesTest, UnorderedWritesAreRefused) {
  options_.unordered_write = true;
  const Status s = TryOpen();
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(s.ToString().find("max_successive_merges=2"), std::string::npos);
  options_.max_successive_merges = 0;
  Open();
  EXPECT_TRUE(
      db_->SetOptions({{"max_successive_merges", "2"}}).IsInvalidArgument());
}

class MergersTest : public SuccessiveMergesTest,
                    public ::testing::WithParamInterface<bool> {};

TEST_P(MergersTest, ManyWritersLoseNothing) {
  options_.enable_pipelined_write = GetParam();
  options_.write_buffer_size = 64 << 10;
  options_.create_missing_column_families = true;
  OpenFamilies({"default", "b"});
  constexpr int kThreads = 4;
  constexpr int kMerges = 500;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([this] {
      for (int i = 0; i < kMerges; ++i) {
        ASSERT_OK(db_->Merge(WriteOptions(), handles_[i % 2],
                             "key" + std::to_string(i % 3), "1"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const bool is_reopened : {false, true}) {
    if (is_reopened) OpenFamilies({"default", "b"});
    ptrdiff_t count = 0;
    for (size_t family = 0; family < 2; ++family) {
      for (int i = 0; i < 3; ++i) {
        const std::string value = GetFrom(family, "key" + std::to_string(i));
        count += std::count(value.begin(), value.end(), '1');
      }
    }
    EXPECT_EQ(count, kThreads * kMerges);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, MergersTest, ::testing::Bool());

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
