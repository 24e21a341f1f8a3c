// What many scripts share: lines that are given, lines that ask, and one answer
// for each line that asks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {

// The lines of a body: those behind "> ", and the others.
struct ScriptSteps {
  explicit ScriptSteps(const std::string& body) {
    for (const std::string& line : LinesOf(body)) {
      if (line.starts_with("> ")) {
        asked.push_back(line.substr(2));
      } else {
        given.push_back(line);
      }
    }
  }

  std::vector<std::string> given;
  std::vector<std::string> asked;
};

// One line for each of `lines`: what `answer` makes of its words.
inline std::string AnswerEachLine(
    const std::vector<std::string>& lines,
    const std::function<std::string(const ScriptWords&)>& answer) {
  std::string text;
  for (const std::string& line : lines) {
    text += answer(ScriptWords(line)) + "\n";
  }
  return text;
}

// Appends `item`, behind `between` if it is not the first.
inline void JoinItem(std::string* list, const std::string& item,
                     const char* between = " ") {
  if (!list->empty()) *list += between;
  *list += item;
}

// `otherwise` if there is nothing to say.
inline std::string TextOr(const std::string& text, const char* otherwise) {
  return text.empty() ? otherwise : text;
}

}  // namespace ROCKSDB_NAMESPACE
