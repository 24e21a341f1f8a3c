// Merges whose operands say how: testdata/utilities/agg_merge.txt. An OPERAND
// is FUNCTION/PAYLOAD, or raw/BYTES; functions are sum (of decimal numbers),
// late (a sum that wants all of them), and show (what it was given, oldest
// first).
//
//   database
//   WHO: STEP; STEP..      WHO is a key, or db
//     of a key: put OPERAND, merge OPERAND, delete, get
//     of db: flush, compact, reopen
//
//   partial OPERAND..      what operands come to without a value
//   encode FUNCTION PAYLOAD, extract BYTES, list BYTES
//   add NAME [nothing]     makes a function known: one that shows
//
// What could not be merged is "!" and the list of it.
#include "rocksdb/utilities/agg_merge.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/db.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/script.h"
#include "tests/testing/script_calls.h"
#include "tests/testing/script_steps.h"

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

std::string AggregateOperand(const std::string& text) {
  const size_t slash = text.find('/');
  EXPECT_NE(slash, std::string::npos) << text;
  const std::string function = text.substr(0, slash);
  const std::string payload = text.substr(slash + 1);
  if (function == "raw") return BytesOfText(payload);
  std::string encoded;
  EXPECT_OK(EncodeAggFuncAndPayload(function, payload, encoded));
  return encoded;
}
// FUNCTION/PAYLOAD, or ! and the list that could not be merged.
std::string TextOfAggregate(const std::string& value) {
  Slice function;
  Slice payload;
  if (!ExtractAggFuncAndValue(value, function, payload)) {
    return "raw/" + TextOfBytes(value);
  }
  if (function != Slice(kErrorFuncName)) {
    return function.ToString() + "/" + payload.ToString();
  }
  std::vector<Slice> list;
  if (!ExtractList(payload, list)) return "damaged list";
  std::string text = "!";
  for (const Slice& item : list) {
    text += " " + TextOfAggregate(item.ToString());
  }
  return text;
}

class AggregateDatabase {
 public:
  AggregateDatabase() {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.merge_operator = GetAggMergeOperator();
    EXPECT_OK(DB::Open(options_, "/db", &db_));
  }

  std::string Take(const std::string& who, const ScriptWords& step) {
    return who == "db" ? TakeOfDatabase(step).ToString() : TakeOfKey(who, step);
  }

 private:
  Status TakeOfDatabase(const ScriptWords& step) {
    if (step.verb() == "flush") return db_->Flush(FlushOptions());
    if (step.verb() == "compact") {
      return db_->CompactRange(CompactRangeOptions(), nullptr, nullptr);
    }
    EXPECT_EQ(step.verb(), "reopen");
    db_.reset();
    return DB::Open(options_, "/db", &db_);
  }
  std::string TakeOfKey(const std::string& key, const ScriptWords& step) {
    const WriteOptions write;
    if (step.verb() == "delete") return db_->Delete(write, key).ToString();
    if (step.verb() == "get") {
      std::string value;
      const Status s = db_->Get(ReadOptions(), key, &value);
      return s.ok() ? TextOfAggregate(value) : s.ToString();
    }
    const std::string operand = AggregateOperand(step.Word(0));
    if (step.verb() == "put") return db_->Put(write, key, operand).ToString();
    EXPECT_EQ(step.verb(), "merge");
    return db_->Merge(write, key, operand).ToString();
  }

  const std::unique_ptr<Env> env_ =
      NewCompositeEnv(std::make_shared<MemFileSystem>());
  Options options_;
  std::unique_ptr<DB> db_;
};

std::string PartialAggregate(const CallArguments& a) {
  std::vector<std::string> bytes;
  for (const std::string& text : a.all()) {
    bytes.push_back(AggregateOperand(text));
  }
  const std::deque<Slice> operands(bytes.begin(), bytes.end());
  std::string value;
  return GetAggMergeOperator()->PartialMergeMulti("k", operands, &value,
                                                  nullptr)
             ? TextOfAggregate(value)
             : "none";
}

std::string EncodedAggregate(const CallArguments& a) {
  std::string output = "as before";
  const Status s = EncodeAggFuncAndPayload(a[0], a[1], output);
  if (s.ok()) return ShownBytes(output);
  EXPECT_EQ(output, "as before");
  return s.ToString();
}
std::string ExtractedAggregate(const CallArguments& a) {
  Slice function("kept"), value("kept");
  if (ExtractAggFuncAndValue(a[0], function, value)) {
    return ShownBytes(function.ToString()) + " " + ShownBytes(value.ToString());
  }
  EXPECT_EQ("kept", function);
  EXPECT_EQ("kept", value);
  return "none";
}
std::string ExtractedList(const CallArguments& a) {
  std::vector<Slice> list{"old"};
  if (!ExtractList(a[0], list)) return "damaged";
  std::string text;
  for (const Slice& item : list) {
    text += (text.empty() ? "" : " ") + ShownBytes(item.ToString());
  }
  return text.empty() ? "nothing" : text;
}
std::string AddedAggregator(const CallArguments& a) {
  return AddAggregator(a[0],
                       a.Has(1) ? nullptr : std::make_unique<ShownPayloads>())
      .ToString();
}

std::string RunAggregateCase(const ScriptCase& c) {
  if (c.command == "database") {
    AggregateDatabase database;
    return AnswersOfSteps(c,
                          [&](const std::string& who, const ScriptWords& step) {
                            return database.Take(who, step);
                          });
  }
  return AnswerCalls(c, {{"partial", PartialAggregate},
                         {"encode", EncodedAggregate},
                         {"extract", ExtractedAggregate},
                         {"list", ExtractedList},
                         {"add", AddedAggregator}});
}

TEST(AggMergeTest, CasesOfTheScript) {
  ASSERT_OK(AddAggregator("sum", std::make_unique<SumOfDecimals>()));
  ASSERT_OK(AddAggregator("late", std::make_unique<SumOfDecimals>(false)));
  ASSERT_OK(AddAggregator("show", std::make_unique<ShownPayloads>()));
  EXPECT_GE(RunScript("utilities/agg_merge.txt", RunAggregateCase), 14u)
      << "cases went missing";
}

TEST(AggMergeTest, ThereIsOneOperator) {
  EXPECT_STREQ("AggMergeOperator.v1", GetAggMergeOperator()->Name());
  EXPECT_EQ(GetAggMergeOperator(), GetAggMergeOperator());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
