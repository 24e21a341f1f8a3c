// Merge operators get their operands oldest first, and every way in which one
// fails becomes a status.
#include "table/full_merge.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Joins operands with commas behind the base.
class Join : public MergeOperator {
 public:
  const char* Name() const override { return "Join"; }
  bool FullMergeV2(const MergeOperationInput& in,
                   MergeOperationOutput* out) const override {
    if (in.existing_value != nullptr) {
      out->new_value = in.existing_value->ToString();
    }
    for (const Slice& operand : in.operand_list) {
      if (operand == "throw") throw std::runtime_error("boom");
      if (operand == "throw int") throw 7;
      if (operand == "fail") {
        out->op_failure_scope = OpFailureScope::kMustMerge;
        return false;
      }
      if (operand == "last") {
        out->existing_operand = in.operand_list.back();
        return true;
      }
      out->new_value += "," + operand.ToString();
    }
    return true;
  }
  bool PartialMergeMulti(const Slice& /*key*/,
                         const std::deque<Slice>& operands,
                         std::string* new_value,
                         Logger* /*logger*/) const override {
    for (const Slice& operand : operands) {
      if (operand == "throw") throw std::runtime_error("boom");
      if (operand == "fail") return false;
      *new_value += operand.ToString() + ";";
    }
    return true;
  }
};

class FullMergeTest : public testing::Test {
 protected:
  Status Run(const MergeBase& base, const std::vector<Slice>& operands) {
    return FullMerge(context_, "key", base, operands, &result_);
  }

  Join join_;
  MergeContext context_{.merge_operator = &join_};
  MergeResult result_;
};

TEST_F(FullMergeTest, AppliesOperandsOldestFirst) {
  ASSERT_TRUE(Run(MergeBase::None(), {"a", "b"}).ok());
  EXPECT_EQ(result_.type, kTypeValue);
  EXPECT_EQ(result_.value, ",a,b");
  ASSERT_TRUE(Run(MergeBase::Plain("v"), {"a"}).ok());
  EXPECT_EQ(result_.value, "v,a");
  ASSERT_TRUE(Run(MergeBase::Plain(""), {"last", "b"}).ok());
  EXPECT_EQ(result_.value, "b");
}

TEST_F(FullMergeTest, MergesTheDefaultColumnOfAnEntity) {
  std::string entity;
  ASSERT_TRUE(EncodeWideColumns({{"", "v"}, {"x", "1"}}, &entity).ok());
  ASSERT_TRUE(Run(MergeBase::Entity(entity), {"a"}).ok());
  EXPECT_EQ(result_.type, kTypeWideColumnEntity);
  WideColumns columns;
  ASSERT_TRUE(DecodeWideColumns(result_.value, &columns).ok());
  EXPECT_EQ(columns, (WideColumns{{"", "v,a"}, {"x", "1"}}));

  EXPECT_TRUE(Run(MergeBase::Entity("\x09nonsense"), {"a"}).IsCorruption());
}

TEST_F(FullMergeTest, FailuresBecomeStatuses) {
  Status s = Run(MergeBase::None(), {"fail"});
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_EQ(s.subcode(), Status::kMergeOperatorFailed);
  EXPECT_EQ(result_.failure_scope, MergeOperator::OpFailureScope::kMustMerge);
  s = Run(MergeBase::None(), {"throw"});
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("boom"), std::string::npos);
  EXPECT_TRUE(Run(MergeBase::None(), {"throw int"}).IsCorruption());
  context_.merge_operator = nullptr;
  EXPECT_TRUE(Run(MergeBase::None(), {"a"}).IsInvalidArgument());
}

TEST_F(FullMergeTest, PartialMergeGivesOneOperandOrNone) {
  std::string one = "old";
  EXPECT_TRUE(PartialMerge(context_, "key", {"a", "b"}, &one));
  EXPECT_EQ(one, "a;b;");
  EXPECT_FALSE(PartialMerge(context_, "key", {"a", "fail"}, &one));
  EXPECT_FALSE(PartialMerge(context_, "key", {"throw", "b"}, &one));
  EXPECT_EQ(one, "a;b;");
  context_.merge_operator = nullptr;
  EXPECT_FALSE(PartialMerge(context_, "key", {"a", "b"}, &one));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
