// The built-in merge operators give RocksDB's results, over plain values and
// entities.
#include "rocksdb/merge_operator.h"

#include <gtest/gtest.h>

#include "util/builtin_merge_operators.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// The result of FullMergeV2(), or "<fail>".
std::string Full(const MergeOperator& op, const Slice* existing,
                 const std::vector<Slice>& operands) {
  std::string value;
  Slice operand(nullptr, 0);
  const Slice key("k");
  MergeOperator::MergeOperationOutput out(value, operand);
  const MergeOperator::MergeOperationInput in(key, existing, operands, nullptr);
  if (!op.FullMergeV2(in, &out)) return "<fail>";
  return operand.data() != nullptr ? operand.ToString() : value;
}

std::string Partial(const MergeOperator& op,
                    const std::deque<Slice>& operands) {
  std::string value;
  if (!op.PartialMergeMulti("k", operands, &value, nullptr)) return "<fail>";
  return value;
}

std::string Number(uint64_t n) {
  std::string s;
  PutFixed64(&s, n);
  return s;
}

TEST(MergeOperatorTest, StringAppend) {
  const auto op = NewStringAppendOperator();
  const Slice base("a");
  EXPECT_EQ("a,b,c", Full(*op, &base, {"b", "c"}));
  EXPECT_EQ("b,c", Full(*op, nullptr, {"b", "c"}));
  const Slice empty;
  EXPECT_EQ(",b", Full(*op, &empty, {"b"}));
  EXPECT_EQ("b,c,d", Partial(*op, {"b", "c", "d"}));
  const auto semicolon = NewStringAppendOperator(";");
  EXPECT_EQ("b;c", Partial(*semicolon, {"b", "c"}));
}

TEST(MergeOperatorTest, StringAppendTestJoinsWithTheValueOnly) {
  const auto op = NewStringAppendTESTOperator();
  EXPECT_STREQ("StringAppendTESTOperator", op->Name());
  EXPECT_TRUE(op->IsInstanceOf("stringappendtest"));
  EXPECT_FALSE(op->IsInstanceOf("stringappend"));
  const Slice base("a");
  EXPECT_EQ("a,b,c", Full(*op, &base, {"b", "c"}));
  EXPECT_EQ("<fail>", Partial(*op, {"b", "c"}));
  EXPECT_EQ("b;c",
            Full(*NewStringAppendTESTOperator(";"), nullptr, {"b", "c"}));
}

TEST(MergeOperatorTest, BytesXOR) {
  const auto op = NewBytesXOROperator();
  const std::string ones("\x0f\xff", 2);
  const std::string longer("\xff\x01\x07", 3);
  const std::string both("\xf0\xfe\x07", 3);
  const Slice base(ones);
  EXPECT_EQ(both, Full(*op, &base, {longer}));
  const Slice long_base(longer);
  EXPECT_EQ(both, Full(*op, &long_base, {ones}));
  EXPECT_EQ(ones, Full(*op, nullptr, {ones}));
  EXPECT_EQ(longer, Full(*op, &long_base, {ones, ones}));
  EXPECT_EQ(both, Partial(*op, {ones, longer}));
}

TEST(MergeOperatorTest, SortList) {
  const auto op = NewSortListOperator();
  const Slice base("1,5,9");
  EXPECT_EQ("-2,1,5,5,9,12", Full(*op, &base, {"5,12", "-2"}));
  EXPECT_EQ("3", Full(*op, nullptr, {"3"}));
  EXPECT_EQ("1,2,3", Partial(*op, {"1,3", "2"}));
  const Slice empty;
  EXPECT_EQ("4", Full(*op, &empty, {"4"}));
  for (const char* bad : {"x", "1,,2", "1,", "99999999999999999999"}) {
    EXPECT_EQ("<fail>", Full(*op, &base, {bad})) << bad;
    EXPECT_EQ("<fail>", Partial(*op, {"1", bad})) << bad;
  }
}

TEST(MergeOperatorTest, UInt64Add) {
  const auto op = NewUInt64AddOperator();
  const std::string one = Number(1);
  const std::string two = Number(2);
  const Slice base(two);
  EXPECT_EQ(Number(5), Full(*op, &base, {one, two}));
  EXPECT_EQ(Number(1), Full(*op, nullptr, {one}));
  EXPECT_EQ(Number(5), Partial(*op, {one, two, two}));
  EXPECT_EQ("<fail>", Full(*op, &base, {"short"}));
  const Slice bad("bad");
  EXPECT_EQ("<fail>", Full(*op, &bad, {one}));
}

TEST(MergeOperatorTest, MaxAndPut) {
  const auto max = NewMaxOperator();
  const Slice base("m");
  EXPECT_EQ("z", Full(*max, &base, {"a", "z"}));
  EXPECT_EQ("m", Full(*max, &base, {"a"}));
  EXPECT_EQ("b", Partial(*max, {"a", "b", "a"}));
  const auto put = NewPutOperator();
  EXPECT_EQ("y", Full(*put, &base, {"x", "y"}));
  EXPECT_EQ("y", Partial(*put, {"x", "y"}));
}

TEST(MergeOperatorTest, EntitiesMergeIntoTheDefaultColumn) {
  const auto op = NewStringAppendOperator();
  const Slice key("k");
  const std::vector<Slice> operands = {"x"};
  using In = MergeOperator::MergeOperationInputV3;
  using Out = MergeOperator::MergeOperationOutputV3;
  Out out;
  ASSERT_TRUE(op->FullMergeV3(
      In(key, WideColumns{{"", "v"}, {"c", "w"}}, operands, nullptr), &out));
  const Out::NewColumns expected = {{"", "v,x"}, {"c", "w"}};
  EXPECT_EQ(expected, std::get<Out::NewColumns>(out.new_value));
  ASSERT_TRUE(op->FullMergeV3(In(key, Slice("v"), operands, nullptr), &out));
  EXPECT_EQ("v,x", std::get<std::string>(out.new_value));
  ASSERT_TRUE(
      op->FullMergeV3(In(key, std::monostate(), operands, nullptr), &out));
  EXPECT_EQ("x", std::get<std::string>(out.new_value));
}

// An operator of the oldest kind.
class OldOperator : public MergeOperator {
 public:
  const char* Name() const override { return "Old"; }
  bool FullMerge(const Slice& /*key*/, const Slice* existing_value,
                 const std::deque<std::string>& operand_list,
                 std::string* new_value, Logger* /*logger*/) const override {
    if (existing_value == nullptr) return false;
    *new_value = existing_value->ToString() + operand_list.back();
    return true;
  }
};

TEST(MergeOperatorTest, OldFormStillWorks) {
  const OldOperator op;
  const Slice base("a");
  EXPECT_EQ("ac", Full(op, &base, {"b", "c"}));
  EXPECT_EQ("<fail>", Full(op, nullptr, {"b"}));
  EXPECT_EQ("<fail>", Partial(op, {"b", "c"}));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
