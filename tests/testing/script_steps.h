// Scripts of several actors that take steps in turn:
//
//   COMMAND
//   WHO: STEP; STEP..     one line of answers each; "OK" if all are
//
// A case may be run several times, in ways that should make no difference; it
// has one answer then, or one for each way that answers otherwise.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "tests/testing/script.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

using ScriptStepFunction =
    std::function<std::string(const std::string& who, const ScriptWords& step)>;

// A status without a message ends with a colon: not so here.
inline std::string WithoutEmptyMessage(std::string answer) {
  if (answer.ends_with(": ")) answer.resize(answer.size() - 2);
  return answer;
}

inline std::string AnswersOfStepLine(const std::string& line,
                                     const ScriptStepFunction& take) {
  const size_t colon = line.find(": ");
  if (colon == std::string::npos) {
    ADD_FAILURE() << "whose step is it? " << line;
    return "";
  }
  const std::string who = line.substr(0, colon);
  std::string answers;
  bool is_all_ok = true;
  for (const std::string& step : SplitString(line.substr(colon + 2), ';')) {
    const std::string answer =
        WithoutEmptyMessage(take(who, ScriptWords(step)));
    is_all_ok &= answer == "OK";
    answers += (answers.empty() ? "" : "; ") + answer;
  }
  return (is_all_ok ? "OK" : answers) + "\n";
}

inline std::string AnswersOfSteps(const ScriptCase& c,
                                  const ScriptStepFunction& take) {
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    text += AnswersOfStepLine(line, take);
  }
  return text;
}

// What `run` answers for each of the ways, by its index.
inline std::string AnswersOfWays(
    const std::vector<std::string>& names,
    const std::function<std::string(size_t)>& run) {
  std::vector<std::pair<std::string, std::string>> answers;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string answer = run(i);
    if (!answers.empty() && answers.back().second == answer) {
      answers.back().first += ", " + names[i];
    } else {
      answers.emplace_back(names[i], answer);
    }
  }
  if (answers.size() == 1) return answers[0].second;
  std::string text;
  for (const auto& [ways, answer] : answers) text += ways + ":\n" + answer;
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
