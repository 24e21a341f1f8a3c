#include "tests/utilities/transactions/transaction_script.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/testing/script.h"
#include "tests/testing/script_steps.h"
#include "tests/utilities/transactions/transaction_world.h"

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

std::string RunByKind(const TransactionKind& kind, const ScriptCase& c) {
  TransactionWorld world(kind, ScriptWords(c.command));
  const Status s = world.Open();
  EXPECT_TRUE(s.ok()) << s.ToString();
  if (!s.ok()) return s.ToString();
  return AnswersOfSteps(c, [&](const std::string& who,
                               const ScriptWords& step) {
    std::string answer;
    bool is_known = false;
    if (who == "db" || who == "base") {
      DB* const db = who == "db" ? world.db() : world.db()->GetBaseDB();
      is_known = AnswerOfDatabase(&world, db, step, &answer);
    } else {
      is_known = AnswerOfTransaction(&world, who, step, &answer);
    }
    EXPECT_TRUE(is_known) << "what is " << step.verb() << " of " << who << "?";
    return answer;
  });
}

std::string RunTransactionCase(const ScriptCase& c) {
  const std::vector<TransactionKind> kinds =
      KindsOfTransactions(ScriptWords(c.command).verb());
  std::vector<std::string> names;
  for (const TransactionKind& kind : kinds) names.push_back(kind.name);
  return AnswersOfWays(names, [&](size_t i) { return RunByKind(kinds[i], c); });
}

}  // namespace

size_t RunTransactionScript(const std::string& file) {
  return RunScript(file, RunTransactionCase);
}

}  // namespace ROCKSDB_NAMESPACE
