// What becomes of a merge operator's answers.
//
// Runs tests/testdata/sst/full_merge.txt:
//
//   full [BASE] OPERAND ..     oldest first; the result, or what went wrong
//   partial OPERAND ..         one operand for all of them, or none
//
// A BASE is plain:VALUE, entity:NAME=VALUE,.. or stored:BYTES (as an entity).
// The operator joins with commas, or semicolons in a partial merge; the
// operands fail, throw, throw_int and last make it do that, the last one
// instead of joining them. With operator:none there is no operator.
#include "table/full_merge.h"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
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
      if (operand == "throw_int") throw 7;
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

std::string EntityText(const Slice& entity) {
  WideColumns columns;
  const Status s = DecodeWideColumns(entity, &columns);
  EXPECT_TRUE(s.ok()) << s.ToString();
  std::string text = "entity";
  for (const WideColumn& column : columns) {
    text += " " + column.name().ToString() + "=" + column.value().ToString();
  }
  return text;
}

std::string EntityOfPairs(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::istringstream input(text);
  for (std::string pair; std::getline(input, pair, ',');) {
    const size_t equals = pair.find('=');
    pairs.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  WideColumns columns;
  for (const auto& [name, value] : pairs) columns.emplace_back(name, value);
  std::string entity;
  const Status s = EncodeWideColumns(columns, &entity);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return entity;
}

std::string FullMergeAnswer(const MergeContext& context,
                            const ScriptWords& command,
                            const std::vector<Slice>& operands) {
  const std::string plain = command.Text("plain", "");
  const std::string entity = command.Has("entity")
                                 ? EntityOfPairs(command.Text("entity", ""))
                                 : BytesOfText(command.Text("stored", ""));
  MergeBase base = MergeBase::None();
  if (command.Has("plain")) base = MergeBase::Plain(plain);
  if (!entity.empty()) base = MergeBase::Entity(entity);
  MergeResult result;
  result.value = "untouched";
  const Status s = FullMerge(context, "key", base, operands, &result);
  if (s.ok()) {
    return result.type == kTypeWideColumnEntity ? EntityText(result.value)
                                                : "value " + result.value;
  }
  EXPECT_EQ(result.value, "untouched");
  std::string text = s.ToString();
  if (s.subcode() == Status::kMergeOperatorFailed) text += " (operator)";
  if (result.failure_scope == MergeOperator::OpFailureScope::kMustMerge) {
    text += " (must merge)";
  }
  return text;
}

std::string MergeAnswer(const ScriptCase& c) {
  const ScriptWords command(c.command);
  const Join join;
  MergeContext context{.merge_operator = &join};
  if (command.Text("operator", "") == "none") context.merge_operator = nullptr;
  const std::vector<Slice> operands(command.words().begin(),
                                    command.words().end());
  if (command.verb() == "full") {
    return FullMergeAnswer(context, command, operands);
  }
  EXPECT_EQ(command.verb(), "partial");
  std::string one = "untouched";
  const bool is_one = PartialMerge(context, "key", operands, &one);
  EXPECT_TRUE(is_one || one == "untouched") << one;
  return is_one ? one : "no";
}

TEST(FullMergeTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("sst/full_merge.txt", MergeAnswer), 25u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
