// Merges that are resolved when they are written (max_successive_merges). The
// cases are tests/testdata/databases/reads/successive_merges.txt, in the
// language of database_script.h, of databases that join operands by commas and
// keep two.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/merge_operator.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/families_fixture.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(SuccessiveMergesScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.merge_operator = NewStringAppendOperator(",");
  options.max_successive_merges = 2;
  EXPECT_GE(RunDatabases("databases/reads/successive_merges.txt", options),
            14u);
}

class SuccessiveMergesTest : public FamiliesFixture {
 protected:
  SuccessiveMergesTest() {
    options_.merge_operator = NewStringAppendOperator(",");
    options_.max_successive_merges = 2;
  }
  Status Merge(const std::string& key, const std::string& operand) {
    return db_->Merge(WriteOptions(), key, operand);
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

// Takes the blanks off its operands, off one that is alone, too.
class TrimmingOperator : public MergeOperator {
 public:
  bool FullMergeV2(const MergeOperationInput& in,
                   MergeOperationOutput* out) const override {
    for (const Slice& operand : in.operand_list) {
      out->new_value.append(operand.data(), operand.size());
    }
    return true;
  }
  bool PartialMergeMulti(const Slice&, const std::deque<Slice>& operands,
                         std::string* result, Logger*) const override {
    for (const Slice& operand : operands) {
      for (size_t i = 0; i < operand.size(); ++i) {
        if (operand[i] != ' ') result->push_back(operand[i]);
      }
    }
    return true;
  }
  bool AllowSingleOperand() const override { return takes_one; }
  const char* Name() const override { return "TrimmingOperator"; }

  bool takes_one = false;
};

TEST_F(SuccessiveMergesTest, AnOperatorMayTakeOneOperandAlone) {
  const auto trimming = std::make_shared<TrimmingOperator>();
  options_.merge_operator = trimming;
  options_.max_successive_merges = 0;
  Open();
  for (const bool takes_one : {false, true}) {
    trimming->takes_one = takes_one;
    const std::string key = takes_one ? "b" : "a";
    ASSERT_OK(Merge(key, " 1 "));
    ASSERT_OK(Flush());
    EXPECT_EQ(Operands(key), takes_one ? "[1]" : "[ 1 ]");
  }
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
