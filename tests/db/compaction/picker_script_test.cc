// Runs tests/testdata/picks/*.txt: trees in text, the expected picks in text.
//
//   pick OPTIONS          every pick, each left running, until there is none
//   stalls OPTIONS        how many files stalls of writes count at level 0
//   REQUEST | OPTIONS     a user's, as in picker_requests.h
//   LEVELS                as in level_text.h, on one line or more
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/db/compaction/picker_requests.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string RunPicks(ScriptedPicker* picker) {
  std::string text;
  constexpr int kMost = 20;
  for (int i = 0; i < kMost; ++i) {
    PickAnswer next = PickNext(picker);
    text += next.text;
    if (next.compaction == nullptr) return text;
    picker->Start(std::move(next.compaction));
  }
  return text + "and so on\n";
}

std::string RunPickCase(const ScriptCase& c) {
  const size_t bar = c.command.find('|');
  if (bar != std::string::npos) {
    ScriptedPicker picker(c.command.substr(bar + 1), c.body);
    return PickRequested(&picker, c.command.substr(0, bar)).text;
  }
  const std::string verb = c.command.substr(0, c.command.find(' '));
  ScriptedPicker picker(c.command.substr(verb.size()), c.body);
  if (verb == "pick") return RunPicks(&picker);
  if (verb == "stalls") {
    return std::to_string(picker.storage().Level0StallCount());
  }
  return PickRequested(&picker, verb).text;
}

TEST(PickerScriptTest, EveryCaseOfTheScripts) {
  EXPECT_GE(RunScripts("picks", RunPickCase), 400u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
