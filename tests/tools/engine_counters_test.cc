// What the counters say of a fixed workload, ours beside stock's: the table in
// tests/testdata/counters/table.txt. Each difference has a reason in rules.txt,
// and each rule has something to excuse. BASALT_REWRITE makes the table anew.

#include <fnmatch.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"

namespace ROCKSDB_NAMESPACE {

namespace {

const std::string kCountersFolder =
    std::string(BASALT_SOURCE_DIR) + "/tests/testdata/counters/";

// Step and counter.
using CountedAt = std::pair<std::string, std::string>;

struct CounterRule {
  std::string steps;
  std::string counters;
  std::string reason;
  int uses = 0;

  bool Matches(const CountedAt& at) const {
    return fnmatch(steps.c_str(), at.first.c_str(), 0) == 0 &&
           fnmatch(counters.c_str(), at.second.c_str(), 0) == 0;
  }
};

// "unsteady": counts that depend on the machine, or on what other threads do
// just then. "differs": ours and stock's are not the same, for that reason.
struct CounterRules {
  std::vector<CounterRule> unsteady;
  std::vector<CounterRule> differs;
};

std::vector<std::string> SplitByTabs(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, '\t');) {
    fields.push_back(field);
  }
  return fields;
}

CounterRules ReadCounterRules() {
  CounterRules rules;
  std::ifstream file(kCountersFolder + "rules.txt");
  EXPECT_TRUE(file.is_open());
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> fields = SplitByTabs(line);
    EXPECT_EQ(fields.size(), 4u) << line;
    if (fields.size() != 4) continue;
    const CounterRule rule{fields[1], fields[2], fields[3]};
    EXPECT_FALSE(rule.reason.empty()) << line;
    EXPECT_TRUE(fields[0] == "unsteady" || fields[0] == "differs") << line;
    (fields[0] == "unsteady" ? rules.unsteady : rules.differs).push_back(rule);
  }
  return rules;
}

// The first rule that matches; it counts the use.
const CounterRule* FindRule(std::vector<CounterRule>* rules,
                            const CountedAt& at) {
  for (CounterRule& rule : *rules) {
    if (!rule.Matches(at)) continue;
    ++rule.uses;
    return &rule;
  }
  return nullptr;
}

// What a program printed, without what is unsteady.
struct Counted {
  std::map<CountedAt, std::string> values;
  std::set<std::string> names;  // all counters that the program has

  // "0": the counter has not moved. "-": there is no such counter.
  std::string At(const CountedAt& at) const {
    const auto found = values.find(at);
    if (found != values.end()) return found->second;
    const std::string name = at.second.substr(0, at.second.find('@'));
    return names.contains(name) ? "0" : "-";
  }
};

std::optional<Counted> RunCounters(const std::string& program,
                                   CounterRules* rules) {
  const std::string path = std::string(BASALT_BINARY_DIR) + "/bin/" + program;
  if (!std::filesystem::exists(path)) return std::nullopt;
  const TempDir dir("counters");
  const ProgramResult run = RunProgram(program, {dir.path()});
  EXPECT_EQ(0, run.status) << run.errors;
  Counted counted;
  std::istringstream lines(run.output);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields = SplitByTabs(line);
    fields.resize(3);
    const CountedAt at{fields[0], fields[1]};
    if (at.first == "names") {
      counted.names.insert(at.second);
    } else if (FindRule(&rules->unsteady, at) == nullptr) {
      counted.values[at] = fields[2];
    }
  }
  return counted;
}

struct CounterRow {
  std::string ours;
  std::string stock;
};
using CounterTable = std::map<CountedAt, CounterRow>;

CounterTable JoinCounters(const Counted& ours, const Counted& stock) {
  CounterTable table;
  for (const Counted* side : {&ours, &stock}) {
    for (const auto& [at, value] : side->values) {
      table[at] = {ours.At(at), stock.At(at)};
    }
  }
  return table;
}

// A line for each step, and below it one for each counter: its value, or ours
// and stock's.
std::string CounterText(const CounterTable& table) {
  std::string text, step;
  for (const auto& [at, row] : table) {
    if (at.first != step) text += at.first + "\n";
    step = at.first;
    text += "\t" + at.second + "\t" + row.ours;
    if (row.ours != row.stock) text += "\t" + row.stock;
    text += "\n";
  }
  return text;
}

CounterTable ReadCounterTable() {
  CounterTable table;
  std::ifstream file(kCountersFolder + "table.txt");
  EXPECT_TRUE(file.is_open());
  std::string step;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('\t')) {
      step = line;
      continue;
    }
    const std::vector<std::string> fields = SplitByTabs(line);
    EXPECT_GE(fields.size(), 3u) << line;
    if (fields.size() < 3) continue;
    table[{step, fields[1]}] = {fields[2], fields.back()};
  }
  return table;
}

void ExpectSame(const CounterTable& table, std::string CounterRow::*side,
                const Counted& counted) {
  std::string text;
  for (const auto& [at, row] : table) {
    if (counted.At(at) == row.*side) continue;
    text += at.first + ": " + at.second + " is " + counted.At(at) +
            ", in the table " + row.*side + "\n";
  }
  for (const auto& [at, value] : counted.values) {
    if (table.contains(at)) continue;
    text += at.first + ": " + at.second + " is " + value +
            ", and not in the table\n";
  }
  EXPECT_EQ(text, "");
}

}  // namespace

TEST(EngineCountersTest, AreAsInTheTable) {
  CounterRules rules = ReadCounterRules();
  const std::optional<Counted> ours = RunCounters("engine_counters", &rules);
  ASSERT_TRUE(ours.has_value()) << "the program is not built";
  const std::optional<Counted> stock =
      RunCounters("engine_counters_stock", &rules);
  if (std::getenv("BASALT_REWRITE") != nullptr) {
    ASSERT_TRUE(stock.has_value()) << "the table needs both engines";
    std::ofstream(kCountersFolder + "table.txt")
        << CounterText(JoinCounters(*ours, *stock));
  }
  const CounterTable table = ReadCounterTable();
  ExpectSame(table, &CounterRow::ours, *ours);
  if (stock) ExpectSame(table, &CounterRow::stock, *stock);
}

TEST(EngineCountersTest, EachDifferenceHasAReason) {
  CounterRules rules = ReadCounterRules();
  const CounterTable table = ReadCounterTable();
  EXPECT_GT(table.size(), 1000u);
  for (const auto& [at, row] : table) {
    if (row.ours == row.stock || row.ours == "-" || row.stock == "-") continue;
    EXPECT_NE(FindRule(&rules.differs, at), nullptr)
        << at.first << ": " << at.second << " is " << row.ours
        << ", stock's is " << row.stock;
  }
  for (const CounterRule& rule : rules.differs) {
    EXPECT_GT(rule.uses, 0) << rule.steps << " " << rule.counters << ": "
                            << rule.reason << ": nothing differs";
  }
}

}  // namespace ROCKSDB_NAMESPACE
