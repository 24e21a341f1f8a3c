// The built-in merge operators: testdata/util/merge_operator.txt.
//
//   full OPERATOR VALUE OPERAND..    what the operands make of a value; a
//                                    value of - is none
//   entity OPERATOR NAME=VALUE.. OPERAND    the same for an entity
//   partial OPERATOR OPERAND..       what they make of each other
//   about OPERATOR NAME..            its name, and which of these mean it too
//
// An OPERATOR is as options name it; "Old" is one of the oldest form, which
// joins a value with the last operand. #N is eight bytes of that number.
#include "rocksdb/merge_operator.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rocksdb/convenience.h"
#include "tests/testing/script_calls.h"
#include "util/builtin_merge_operators.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

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

std::shared_ptr<MergeOperator> OperatorNamed(const std::string& name) {
  if (name == "Old") return std::make_shared<OldOperator>();
  ConfigOptions strict;
  strict.ignore_unsupported_options = false;
  std::shared_ptr<MergeOperator> result;
  const Status s = MergeOperator::CreateFromString(strict, name, &result);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return result;
}

// #N: eight bytes.
std::string MergedBytesOf(const std::string& text) {
  if (!text.starts_with("#")) return text;
  std::string bytes;
  PutFixed64(&bytes, std::stoull(text.substr(1)));
  return bytes;
}
std::vector<std::string> OperandsFrom(const CallArguments& a, size_t index) {
  std::vector<std::string> operands;
  for (const std::string& text : a.From(index)) {
    operands.push_back(MergedBytesOf(text));
  }
  return operands;
}
std::string ShownOf(const std::string& name, const std::string& value) {
  if (name != "uint64add" || value.size() != 8) return ShownBytes(value);
  return "#" + std::to_string(DecodeFixed64(value.data()));
}

std::string FullMergeOf(const CallArguments& a) {
  const auto op = OperatorNamed(a[0]);
  const std::string base = MergedBytesOf(a[1]);
  const Slice existing(base);
  const std::vector<std::string> bytes = OperandsFrom(a, 2);
  const std::vector<Slice> operands(bytes.begin(), bytes.end());
  const Slice key("k");
  std::string value;
  Slice operand(nullptr, 0);
  MergeOperator::MergeOperationOutput out(value, operand);
  const MergeOperator::MergeOperationInput in(
      key, a[1] == "-" ? nullptr : &existing, operands, nullptr);
  if (!op->FullMergeV2(in, &out)) return "fails";
  if (operand.data() != nullptr) value = operand.ToString();
  // The newest form, for plain values.
  MergeOperator::MergeOperationOutputV3 newest;
  MergeOperator::MergeOperationInputV3::ExistingValue given;
  if (a[1] != "-") given = existing;
  EXPECT_TRUE(op->FullMergeV3(MergeOperator::MergeOperationInputV3(
                                  key, std::move(given), operands, nullptr),
                              &newest));
  if (const auto* text = std::get_if<std::string>(&newest.new_value)) {
    EXPECT_EQ(*text, value);
  } else {
    EXPECT_EQ(std::get<Slice>(newest.new_value), value);
  }
  return ShownOf(a[0], value);
}

std::string EntityMergeOf(const CallArguments& a) {
  const auto op = OperatorNamed(a[0]);
  WideColumns columns;
  for (size_t i = 1; i + 1 < a.size(); ++i) {
    const Slice column(a[i]);
    const size_t at = a[i].find('=');
    columns.emplace_back(Slice(column.data(), at),
                         Slice(column.data() + at + 1, column.size() - at - 1));
  }
  const Slice key("k");
  const std::vector<Slice> operands = {a.all().back()};
  MergeOperator::MergeOperationOutputV3 out;
  if (!op->FullMergeV3(MergeOperator::MergeOperationInputV3(
                           key, std::move(columns), operands, nullptr),
                       &out)) {
    return "fails";
  }
  std::string text;
  using Columns = MergeOperator::MergeOperationOutputV3::NewColumns;
  for (const auto& [name, value] : std::get<Columns>(out.new_value)) {
    text += (text.empty() ? "" : " ") + name + "=" +
            (value.size() == 8 ? ShownOf(a[0], value) : value);
  }
  return text;
}

std::string PartialMergeOf(const CallArguments& a) {
  const auto op = OperatorNamed(a[0]);
  const std::vector<std::string> bytes = OperandsFrom(a, 1);
  const std::deque<Slice> operands(bytes.begin(), bytes.end());
  std::string value;
  if (!op->PartialMergeMulti("k", operands, &value, nullptr)) return "no";
  return ShownOf(a[0], value);
}

std::string AboutOperator(const CallArguments& a) {
  const auto op = OperatorNamed(a[0]);
  std::string text = op->Name();
  for (const std::string& name : a.From(1)) {
    text += (op->IsInstanceOf(name) ? " is:" : " not:") + name;
  }
  return text;
}

TEST(MergeOperatorTest, CallsOfTheScript) {
  const ScriptCalls calls = {{"full", FullMergeOf},
                             {"entity", EntityMergeOf},
                             {"partial", PartialMergeOf},
                             {"about", AboutOperator}};
  EXPECT_GE(RunCalls("util/merge_operator.txt", calls), 89u)
      << "calls went missing";
}

TEST(MergeOperatorTest, DelimitersGivenInCode) {
  std::string value;
  ASSERT_TRUE(NewStringAppendOperator(";")->PartialMergeMulti("k", {"b", "c"},
                                                              &value, nullptr));
  EXPECT_EQ(value, "b;c");
  value.clear();
  Slice operand(nullptr, 0);
  MergeOperator::MergeOperationOutput out(value, operand);
  const Slice key("k");
  const std::vector<Slice> operands = {"b", "c"};
  ASSERT_TRUE(NewStringAppendTESTOperator(";")->FullMergeV2(
      MergeOperator::MergeOperationInput(key, nullptr, operands, nullptr),
      &out));
  EXPECT_EQ(value, "b;c");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
