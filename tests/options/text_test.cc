// Texts that are taken apart: runs option_scripts/text.txt.
//
//   split | list          each line: the pairs "[name]=[value]", or the
//                         elements "[1]"; "-" is none. "nothing" is the empty
//                         text, \xHH a byte
#include "options/text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string SplitPairs(const std::string& text) {
  const OptionTexts before = {{"untouched", "yes"}};
  OptionTexts texts = before;
  const Status s = SplitOptionText(text, &texts);
  if (!s.ok()) {
    EXPECT_EQ(texts, before) << text;
    return s.ToString();
  }
  std::string answer;
  for (const auto& [name, value] : texts) {
    if (!answer.empty()) answer += " ";
    answer += "[" + name + "]=[" + value + "]";
  }
  return answer.empty() ? "-" : answer;
}

std::string SplitElements(const std::string& text) {
  std::vector<std::string> elements;
  const Status s = SplitListText(text, &elements);
  if (!s.ok()) return s.ToString();
  std::string answer;
  for (const std::string& element : elements) answer += "[" + element + "]";
  return answer.empty() ? "-" : answer;
}

std::string RunSplitCase(const ScriptCase& c) {
  EXPECT_TRUE(c.command == "split" || c.command == "list") << c.command;
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    const std::string text = line == "nothing" ? "" : BytesOfText(line);
    answers += c.command == "split" ? SplitPairs(text) : SplitElements(text);
    answers += "\n";
  }
  return answers;
}

TEST(OptionTextTest, IsTakenApart) {
  EXPECT_GE(RunScript("option_scripts/text.txt", RunSplitCase), 7u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
