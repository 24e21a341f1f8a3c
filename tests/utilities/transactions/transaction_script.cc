#include "tests/utilities/transactions/transaction_script.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/testing/script.h"
#include "tests/utilities/transactions/transaction_world.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::vector<TransactionKind> KindsOfTransactions(const std::string& name) {
  if (name == "locking") return {{.name = "locking"}};
  if (name == "optimistic") {
    return {{.name = "serial", .is_optimistic = true},
            {.name = "parallel",
             .is_optimistic = true,
             .validation = OccValidationPolicy::kValidateParallel}};
  }
  EXPECT_EQ(name, "two_phase");
  return {{.name = "committed"},
          {.name = "prepared", .policy = WRITE_PREPARED},
          {.name = "unprepared", .policy = WRITE_UNPREPARED},
          {.name = "past_memtables", .bypasses_memtables = true}};
}

std::string AnswerOfStep(TransactionWorld* world, const std::string& who,
                         const std::string& text) {
  const ScriptWords step(text);
  std::string answer;
  bool is_known = false;
  if (who == "db" || who == "base") {
    DB* const db = who == "db" ? world->db() : world->db()->GetBaseDB();
    is_known = AnswerOfDatabase(world, db, step, &answer);
  } else {
    is_known = AnswerOfTransaction(world, who, step, &answer);
  }
  EXPECT_TRUE(is_known) << "what is " << step.verb() << " of " << who << "?";
  // A status without a message.
  if (answer.ends_with(": ")) answer.resize(answer.size() - 2);
  return answer;
}

std::string AnswersOfLine(TransactionWorld* world, const std::string& line) {
  const size_t colon = line.find(": ");
  if (colon == std::string::npos) {
    ADD_FAILURE() << "whose step is it? " << line;
    return "";
  }
  const std::string who = line.substr(0, colon);
  std::string answers;
  bool is_all_ok = true;
  for (const std::string& step : SplitString(line.substr(colon + 2), ';')) {
    const std::string answer = AnswerOfStep(world, who, step);
    is_all_ok &= answer == "OK";
    answers += (answers.empty() ? "" : "; ") + answer;
  }
  return (is_all_ok ? "OK" : answers) + "\n";
}

std::string RunByKind(const TransactionKind& kind, const ScriptCase& c) {
  TransactionWorld world(kind, ScriptWords(c.command));
  const Status s = world.Open();
  EXPECT_TRUE(s.ok()) << s.ToString();
  if (!s.ok()) return s.ToString();
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    text += AnswersOfLine(&world, line);
  }
  return text;
}

std::string RunTransactionCase(const ScriptCase& c) {
  std::vector<std::pair<std::string, std::string>> answers;
  for (const TransactionKind& kind :
       KindsOfTransactions(ScriptWords(c.command).verb())) {
    const std::string answer = RunByKind(kind, c);
    if (!answers.empty() && answers.back().second == answer) {
      answers.back().first += ", " + kind.name;
    } else {
      answers.emplace_back(kind.name, answer);
    }
  }
  if (answers.size() == 1) return answers[0].second;
  std::string text;
  for (const auto& [names, answer] : answers) text += names + ":\n" + answer;
  return text;
}

}  // namespace

size_t RunTransactionScript(const std::string& file) {
  return RunScript("transactions/" + file, RunTransactionCase);
}

}  // namespace ROCKSDB_NAMESPACE
