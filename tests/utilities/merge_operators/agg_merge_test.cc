// Aggregating merges hand operands to the named function oldest first, and keep
// what cannot be merged.
#include "rocksdb/utilities/agg_merge.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Adds decimal numbers; fails on anything else.
class SumOfDecimals : public Aggregator {
 public:
  explicit SumOfDecimals(bool is_partial = true) : is_partial_(is_partial) {}
  bool Aggregate(const std::vector<Slice>& values,
                 std::string& result) const override {
    int64_t sum = 0;
    for (const Slice& value : values) {
      if (value.empty() || value.ToString().find_first_not_of("0123456789") !=
                               std::string::npos) {
        return false;
      }
      sum += std::stoll(value.ToString());
    }
    result = std::to_string(sum);
    return true;
  }
  bool DoPartialAggregate() const override { return is_partial_; }

 private:
  const bool is_partial_;
};

// Shows what it was given, and in which order.
class ShownPayloads final : public Aggregator {
 public:
  bool Aggregate(const std::vector<Slice>& values,
                 std::string& result) const override {
    result = "(";
    for (const Slice& value : values) result += value.ToString() + " ";
    result.back() = ')';
    return true;
  }
};

std::string Op(const std::string& function, const std::string& payload) {
  std::string encoded;
  EXPECT_OK(EncodeAggFuncAndPayload(function, payload, encoded));
  return encoded;
}
// function:payload, or !: and the list that could not be merged.
std::string Shown(const std::string& value) {
  Slice function;
  Slice payload;
  if (!ExtractAggFuncAndValue(value, function, payload)) return value;
  if (function != Slice(kErrorFuncName)) {
    return function.ToString() + ":" + payload.ToString();
  }
  std::vector<Slice> list;
  std::string text = "!";
  if (!ExtractList(payload, list)) return "damaged list";
  for (const Slice& item : list) text += " " + Shown(item.ToString());
  return text;
}

class AggMergeTest : public DbFixture {
 protected:
  static void SetUpTestSuite() {
    ASSERT_OK(AddAggregator("sum", std::make_unique<SumOfDecimals>()));
    ASSERT_OK(AddAggregator("late", std::make_unique<SumOfDecimals>(false)));
    ASSERT_OK(AddAggregator("show", std::make_unique<ShownPayloads>()));
  }
  AggMergeTest() { options_.merge_operator = GetAggMergeOperator(); }

  Status Merge(const std::string& key, const std::string& operand) {
    return db_->Merge(WriteOptions(), key, operand);
  }
  static std::string Partial(const std::deque<Slice>& operands) {
    std::string value;
    return GetAggMergeOperator()->PartialMergeMulti("k", operands, &value,
                                                    nullptr)
               ? Shown(value)
               : "<none>";
  }
};

TEST_F(AggMergeTest, TheFunctionGetsAllOldestFirst) {
  Open();
  ASSERT_OK(Put("k", Op("show", "1")));
  ASSERT_OK(Merge("k", Op("show", "2")));
  ASSERT_OK(Merge("k", Op("show", "3")));
  EXPECT_EQ("show:(1 2 3)", Shown(Get("k")));
  ASSERT_OK(Merge("alone", Op("show", "1")));
  EXPECT_EQ("show:(1)", Shown(Get("alone")));
  ASSERT_OK(Put("sum", Op("sum", "1")));
  ASSERT_OK(Merge("sum", Op("sum", "2")));
  ASSERT_OK(Flush());
  ASSERT_OK(Merge("sum", Op("sum", "3")));
  EXPECT_EQ(std::string("\3sum6"), Get("sum"));
  ASSERT_OK(CompactAll());
  EXPECT_EQ(std::string("\3sum6"), Get("sum"));
  ASSERT_OK(Delete("sum"));
  ASSERT_OK(Merge("sum", Op("sum", "3")));
  EXPECT_EQ("sum:3", Shown(Get("sum")));
}

TEST_F(AggMergeTest, AChangeOfFunctionCombinesWhatCameBefore) {
  Open();
  ASSERT_OK(Put("k", Op("sum", "1")));
  ASSERT_OK(Merge("k", Op("sum", "2")));
  ASSERT_OK(Merge("k", Op("show", "x")));
  ASSERT_OK(Merge("k", Op(kUnnamedFuncName, "y")));
  EXPECT_EQ("show:(3 x y)", Shown(Get("k")));
  // Payloads before the first name belong to it.
  ASSERT_OK(Put("u", Op("", "4")));
  ASSERT_OK(Merge("u", Op("sum", "5")));
  EXPECT_EQ("sum:9", Shown(Get("u")));
}

TEST_F(AggMergeTest, WhatCannotBeMergedIsKept) {
  Open();
  ASSERT_OK(Put("failing", Op("sum", "one")));
  ASSERT_OK(Merge("failing", Op("sum", "2")));
  EXPECT_EQ("! sum:one sum:2", Shown(Get("failing")));
  ASSERT_OK(Put("unknown", std::string("\4nope1")));
  ASSERT_OK(Merge("unknown", Op("sum", "2")));
  EXPECT_EQ("! nope:1 sum:2", Shown(Get("unknown")));
  ASSERT_OK(Put("damaged", std::string("\x70")));
  ASSERT_OK(Merge("damaged", Op("sum", "2")));
  EXPECT_EQ("! \x70 sum:2", Shown(Get("damaged")));
  ASSERT_OK(Merge("unnamed", Op("", "2")));
  EXPECT_EQ("! :2", Shown(Get("unnamed")));
  ASSERT_OK(CompactAll());
  EXPECT_EQ("! sum:one sum:2", Shown(Get("failing")));
}

TEST_F(AggMergeTest, PartialMerges) {
  const std::string one = Op("sum", "1");
  const std::string two = Op("sum", "2");
  EXPECT_EQ("sum:5", Partial({two, one, two}));
  EXPECT_EQ("<none>", Partial({one, Op("show", "1")}));
  EXPECT_EQ("<none>", Partial({Op("late", "1"), Op("late", "1")}));
  EXPECT_EQ("<none>", Partial({one, Op("sum", "x")}));
  EXPECT_EQ("<none>", Partial({one, Slice("\x70")}));
  EXPECT_EQ("<none>", Partial({Op("", "1"), Op("", "1")}));
}

TEST_F(AggMergeTest, Registration) {
  EXPECT_TRUE(AddAggregator(kErrorFuncName, std::make_unique<SumOfDecimals>())
                  .IsInvalidArgument());
  EXPECT_TRUE(AddAggregator("null", nullptr).IsInvalidArgument());
  // The first one stays.
  ASSERT_OK(AddAggregator("sum", std::make_unique<ShownPayloads>()));
  EXPECT_EQ("sum:3", Partial({Op("sum", "1"), Op("sum", "2")}));
  std::string output = "as before";
  EXPECT_TRUE(EncodeAggFuncAndPayload("nope", "1", output).IsInvalidArgument());
  EXPECT_TRUE(
      EncodeAggFuncAndPayload(kErrorFuncName, "1", output).IsInvalidArgument());
  EXPECT_EQ("as before", output);
  EXPECT_STREQ("AggMergeOperator.v1", GetAggMergeOperator()->Name());
  EXPECT_EQ(GetAggMergeOperator(), GetAggMergeOperator());
}

TEST_F(AggMergeTest, ListsAreTakenApart) {
  std::vector<Slice> list{"old"};
  EXPECT_TRUE(ExtractList("", list));
  EXPECT_TRUE(list.empty());
  EXPECT_TRUE(ExtractList(Slice("\1a\0\2bc", 6), list));
  EXPECT_EQ((std::vector<Slice>{"a", "", "bc"}), list);
  EXPECT_FALSE(ExtractList(Slice("\1a\5bc", 5), list));
  Slice function("kept");
  Slice value("kept");
  EXPECT_FALSE(ExtractAggFuncAndValue("\5abc", function, value));
  EXPECT_EQ("kept", function);
  EXPECT_EQ("kept", value);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
