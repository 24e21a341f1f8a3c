// What calls of transactions answer, beside RocksDB 7.8.3 where it is
// installed: the same, or the difference is named with its reason.
//
// tests/testdata/transactions/answers.txt has a line for each scene of
// tools/transaction_answers, and below it one for each call: our answer, and
// where stock's is another, that one and why. With BASALT_REWRITE the table is
// written anew; its reasons stay.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const std::string kAnswersFile =
    std::string(BASALT_SOURCE_DIR) + "/tests/testdata/transactions/answers.txt";

// A scene, and a call in it: its text, and which of those that read alike.
using AskedAt = std::pair<std::string, std::string>;

struct Answers {
  std::vector<AskedAt> order;
  std::map<AskedAt, std::string> values;
};

std::vector<std::string> FieldsOf(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) {
    fields.push_back(field);
  }
  return fields;
}

std::optional<Answers> AskProgram(const std::string& program) {
  const std::string path = std::string(BASALT_BINARY_DIR) + "/bin/" + program;
  if (!std::filesystem::exists(path)) return std::nullopt;
  const TempDir dir("answers");
  const ProgramResult run = RunProgram(program, {dir.path()});
  EXPECT_EQ(run.status, 0) << run.output << run.errors;
  Answers answers;
  std::map<AskedAt, int> counts;
  std::istringstream lines(run.output);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields = FieldsOf(line);
    fields.resize(3);
    const int count = ++counts[{fields[0], fields[1]}];
    if (count > 1) fields[1] += " #" + std::to_string(count);
    answers.order.emplace_back(fields[0], fields[1]);
    answers.values[answers.order.back()] = fields[2];
  }
  return answers;
}

struct AnswerRow {
  std::string ours, stock, reason;
};
using AnswerTable = std::map<AskedAt, AnswerRow>;

AnswerTable ReadAnswerTable() {
  AnswerTable table;
  std::ifstream file(kAnswersFile);
  std::string scene;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('\t')) {
      scene = line;
      continue;
    }
    std::vector<std::string> fields = FieldsOf(line);
    EXPECT_TRUE(fields.size() <= 3 || fields.size() == 5) << line;
    const bool differs = fields.size() == 5;
    fields.resize(5);
    table[{scene, fields[1]}] = {fields[2], differs ? fields[3] : fields[2],
                                 fields[4]};
  }
  return table;
}

std::string AnswerOf(const Answers& answers, const AskedAt& at) {
  const auto found = answers.values.find(at);
  return found != answers.values.end() ? found->second : "(not asked)";
}

void WriteAnswerTable(const Answers& ours, const Answers& stock) {
  AnswerTable before = ReadAnswerTable();
  std::ofstream file(kAnswersFile);
  std::string scene;
  for (const AskedAt& at : ours.order) {
    if (at.first != scene) file << at.first << "\n";
    scene = at.first;
    const std::string answer = ours.values.at(at), other = AnswerOf(stock, at);
    file << "\t" << at.second << "\t" << answer;
    if (other != answer) file << "\t" << other << "\t" << before[at].reason;
    file << "\n";
  }
}

void ExpectAnswers(const AnswerTable& table, std::string AnswerRow::*side,
                   const Answers& answers) {
  for (const auto& [at, row] : table) {
    EXPECT_EQ(AnswerOf(answers, at), row.*side)
        << at.first << ": " << at.second;
  }
  for (const AskedAt& at : answers.order) {
    EXPECT_TRUE(table.contains(at))
        << at.first << ": " << at.second << " is not in the table";
  }
}

TEST(TransactionAnswersTest, AreAsInTheTable) {
  const std::optional<Answers> ours = AskProgram("transaction_answers");
  ASSERT_TRUE(ours.has_value()) << "the program is not built";
  const std::optional<Answers> stock = AskProgram("transaction_answers_stock");
  if (std::getenv("BASALT_REWRITE") != nullptr) {
    ASSERT_TRUE(stock.has_value()) << "the table needs both engines";
    WriteAnswerTable(*ours, *stock);
  }
  const AnswerTable table = ReadAnswerTable();
  EXPECT_GT(table.size(), 250u);
  ExpectAnswers(table, &AnswerRow::ours, *ours);
  if (stock) ExpectAnswers(table, &AnswerRow::stock, *stock);
}

TEST(TransactionAnswersTest, EachDifferenceHasAReason) {
  for (const auto& [at, row] : ReadAnswerTable()) {
    if (row.ours == row.stock) continue;
    EXPECT_GT(row.reason.size(), 10u) << at.first << ": " << at.second;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
