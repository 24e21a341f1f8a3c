// Scripts for functions of plain values: a call a line.
//
//   FUNCTION ARGUMENT..
//   ARGUMENT..            one call each; what is fixed stands in the command
//   ----
//   ARGUMENT.. -> RESULT
//
// Without a body, the command is the one call. Arguments are cut at blanks;
// what stands in double quotes is one argument, and \xHH is a byte. A result
// that blanks could hide, or that is empty, stands in quotes (ShownBytes()).
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {

// The arguments of a call; one that is missing fails the test.
class CallArguments {
 public:
  void Append(std::string_view line) {
    for (const ScriptWord& word : CutWords(line)) {
      arguments_.push_back(BytesOfText(word.text));
    }
  }

  size_t size() const { return arguments_.size(); }
  bool Has(size_t index) const { return index < arguments_.size(); }
  // Kept for as long as this object is.
  const std::string& operator[](size_t index) const {
    static const std::string nothing;
    EXPECT_LT(index, arguments_.size()) << "an argument is missing";
    return Has(index) ? arguments_[index] : nothing;
  }
  uint64_t Number(size_t index) const {
    return std::stoull((*this)[index], nullptr, 0);
  }
  const std::vector<std::string>& all() const { return arguments_; }
  // Those from `index` on.
  std::vector<std::string> From(size_t index) const {
    return {arguments_.begin() +
                static_cast<std::ptrdiff_t>(index < size() ? index : size()),
            arguments_.end()};
  }

 private:
  std::vector<std::string> arguments_;
};

// Bytes as a result.
inline std::string ShownBytes(std::string_view bytes) {
  const std::string text = TextOfBytes(bytes);
  const bool needs_quotes =
      text.empty() || text.find_first_of(" \"") != std::string::npos;
  return needs_quotes ? "\"" + text + "\"" : text;
}
inline std::string YesOrNo(bool value) { return value ? "yes" : "no"; }

using ScriptCall = std::function<std::string(const CallArguments&)>;
// By their names.
using ScriptCalls = std::map<std::string, ScriptCall>;

inline std::string AnswerCalls(const ScriptCase& c, const ScriptCalls& calls) {
  const size_t blank = c.command.find(' ');
  const std::string name = c.command.substr(0, blank);
  const auto call = calls.find(name);
  if (call == calls.end()) {
    ADD_FAILURE() << "what is " << name << "?";
    return "";
  }
  CallArguments fixed;
  if (blank != std::string::npos) fixed.Append(c.command.substr(blank));
  const auto answer = [&](const CallArguments& arguments) {
    const std::string result = call->second(arguments);
    // What is at the end of a line is to be seen.
    return (result.ends_with(' ') ? ShownBytes(result) : result) + "\n";
  };
  if (c.body.empty()) return answer(fixed);
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    CallArguments arguments = fixed;
    arguments.Append(line);
    text += line + " -> " + answer(arguments);
  }
  return text;
}

// Like RunScript(), but for a script of calls; returns how many there are.
inline size_t RunCalls(const std::string& file, const ScriptCalls& calls) {
  size_t count = 0;
  RunScript(file, [&](const ScriptCase& c) {
    const size_t lines = LinesOf(c.body).size();
    count += lines == 0 ? 1 : lines;
    return AnswerCalls(c, calls);
  });
  return count;
}

}  // namespace ROCKSDB_NAMESPACE
