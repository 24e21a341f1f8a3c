// What users read lately in several files, by key.
//
// Runs tests/testdata/sst/key_heat.txt:
//
//   heat [reverse]
//   file BEGIN-END=HEAT[,cached][,resident][,begins] ..   the ranges of a file,
//                   each behind its begin, or from it on (begins)
//   > of BEGIN-END ..     the heat behind the begin up to the end; in order
//   > restart             the next question begins anew
//   > bytes               of all ranges; each counts 100
#include "table/heat/key_heat.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "rocksdb/comparator.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"

namespace ROCKSDB_NAMESPACE {
namespace {

HeatRange HeatedRange(const std::string& begin, const std::string& end,
                      uint8_t heat) {
  HeatRange range;
  range.begin = begin;
  range.end = end;
  range.heat = heat;
  range.bytes = 100;
  return range;
}

HeatRange RangeOfWord(const std::string& word) {
  const size_t dash = word.find('-');
  const size_t equals = word.find('=');
  HeatRange range = HeatedRange(
      word.substr(0, dash), word.substr(dash + 1, equals - dash - 1),
      static_cast<uint8_t>(std::stoi(word.substr(equals + 1))));
  range.is_cached = word.find(",cached") != word.npos;
  range.is_resident = word.find(",resident") != word.npos;
  range.begins_at = word.find(",begins") != word.npos;
  return range;
}

std::string KeyHeatAnswers(const ScriptCase& c) {
  const ScriptWords command(c.command);
  const ScriptSteps steps(c.body);
  EXPECT_EQ(command.verb(), "heat");
  KeyHeat heat(InternalKeyComparator(command.HasWord("reverse")
                                         ? ReverseBytewiseComparator()
                                         : BytewiseComparator()));
  bool is_empty = true;
  for (const std::string& line : steps.given) {
    const ScriptWords file(line);
    EXPECT_EQ(file.verb(), "file");
    KeyHeat::Ranges ranges;
    for (const std::string& word : file.words()) {
      ranges.push_back(RangeOfWord(word));
    }
    is_empty = is_empty && ranges.empty();
    heat.Add(std::move(ranges));
  }
  EXPECT_EQ(heat.empty(), is_empty);
  return AnswerEachLine(steps.asked, [&heat](const ScriptWords& words) {
    if (words.verb() == "bytes") return std::to_string(heat.bytes());
    std::string text;
    if (words.verb() == "restart") {
      heat.Restart();
      return std::string("done");
    }
    EXPECT_EQ(words.verb(), "of");
    for (const std::string& word : words.words()) {
      const size_t dash = word.find('-');
      const KeyHeat::Heat found =
          heat.Of(word.substr(0, dash), word.substr(dash + 1));
      EXPECT_EQ(found.is_cold(), found.heat == 0 && !found.is_resident);
      JoinItem(&text, std::to_string(found.heat) +
                          (found.is_cached ? ",cached" : "") +
                          (found.is_resident ? ",resident" : ""));
    }
    return text;
  });
}

TEST(KeyHeatTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("sst/key_heat.txt", KeyHeatAnswers), 14u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
