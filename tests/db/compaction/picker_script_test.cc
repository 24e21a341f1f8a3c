// Runs tests/testdata/picks/*.txt: trees in text, the expected picks in text.
//
//   pick OPTIONS          every pick, each left running, until there is none
//   range OPTIONS         the same for a manual compaction of everything
//   files N,.. LEVEL | OPTIONS   what compacting just these files would do
//   LEVELS                as in level_text.h, on one line or more
//   ----
//   EXPECTED              ends at an empty line
//
// Set BASALT_REWRITE=1 to write the expectations anew.
#include "tests/db/compaction/picker_script.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace ROCKSDB_NAMESPACE {
namespace {

struct ScriptCase {
  std::string comment;  // lines before the command
  std::string command;
  std::string levels;
  std::string expected;
};

std::vector<ScriptCase> ReadScript(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<ScriptCase> cases;
  ScriptCase now;
  enum { kBefore, kLevels, kExpected } part = kBefore;
  const auto finish = [&] {
    if (part == kExpected) cases.push_back(std::move(now));
    if (part == kExpected) now = ScriptCase();
    part = part == kExpected ? kBefore : part;
  };
  for (std::string line; std::getline(file, line);) {
    if (line.empty() && part != kLevels) {
      if (part == kBefore) now.comment += "\n";
      finish();
    } else if (part == kBefore && line[0] == '#') {
      now.comment += line + "\n";
    } else if (part == kBefore) {
      now.command = line;
      part = kLevels;
    } else if (part == kLevels && line == "----") {
      part = kExpected;
    } else {
      (part == kLevels ? now.levels : now.expected) += line + "\n";
    }
  }
  finish();
  EXPECT_EQ(part, kBefore) << path;
  return cases;
}

std::string Describe(const Compaction* c) {
  if (c == nullptr) return "none\n";
  std::string text = TextOf(c);
  if (c->compression != kNoCompression) text += "; compressed";
  if (c->output_temperature != Temperature::kUnknown) {
    text += "; temperature " +
            std::to_string(static_cast<int>(c->output_temperature));
  }
  return std::string(GetCompactionReasonString(c->reason)) + ": " + text + "\n";
}

std::string RunPicks(ScriptedPicker* picker) {
  std::string text;
  constexpr int kMost = 20;
  for (int i = 0; i < kMost; ++i) {
    const bool needs = (*picker)->NeedsCompaction(picker->storage());
    auto c = (*picker)->Pick(picker->input());
    EXPECT_TRUE(needs || c == nullptr) << "would never be looked for";
    text += Describe(c.get());
    if (c == nullptr) return text;
    picker->Start(std::move(c));
  }
  return text + "and so on\n";
}

std::string RunRange(ScriptedPicker* picker) {
  CompactionPicker::Range range;
  bool conflict = false;
  std::optional<InternalKey> rest;
  auto c = (*picker)->PickRange(picker->input(), range, &conflict, &rest);
  return conflict ? "conflict\n" : Describe(c.get());
}

// "7,8 2"
std::string RunFiles(ScriptedPicker* picker, const std::string& arguments) {
  std::vector<uint64_t> numbers;
  size_t at = 0;
  do {
    numbers.push_back(NumberAt(arguments, &at));
  } while (arguments[at++] == ',');
  const int level = std::stoi(arguments.substr(at));
  std::unique_ptr<Compaction> c;
  const Status s = (*picker)->PickFiles(picker->input(), numbers, level,
                                        CompactionOptions(), &c);
  return s.ok() ? Describe(c.get()) : s.ToString() + "\n";
}

std::string RunCase(const ScriptCase& c) {
  const size_t space = c.command.find(' ');
  const std::string verb = c.command.substr(0, space);
  std::string arguments =
      space == std::string::npos ? "" : c.command.substr(space + 1);
  std::string options = arguments;
  if (const size_t bar = arguments.find('|'); bar != std::string::npos) {
    options = arguments.substr(bar + 1);
    arguments.resize(bar);
  }
  ScriptedPicker picker(options, c.levels);
  if (verb == "pick") return RunPicks(&picker);
  if (verb == "range") return RunRange(&picker);
  if (verb == "files") return RunFiles(&picker, arguments);
  ADD_FAILURE() << "what is " << verb << "?";
  return "";
}

std::string Render(const std::vector<ScriptCase>& cases) {
  std::string text;
  for (const ScriptCase& c : cases) {
    text +=
        c.comment + c.command + "\n" + c.levels + "----\n" + c.expected + "\n";
  }
  text.pop_back();
  return text;
}

TEST(PickerScriptTest, EveryCaseOfTheScripts) {
  const std::filesystem::path directory =
      std::filesystem::path(BASALT_SOURCE_DIR) / "tests/testdata/picks";
  const bool rewrites = std::getenv("BASALT_REWRITE") != nullptr;
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    SCOPED_TRACE(entry.path().filename());
    std::vector<ScriptCase> cases = ReadScript(entry.path());
    for (ScriptCase& c : cases) {
      SCOPED_TRACE(c.command + "\n" + c.levels);
      ++count;
      const std::string seen = RunCase(c);
      if (rewrites) {
        c.expected = seen;
      } else {
        EXPECT_EQ(seen, c.expected);
      }
    }
    if (rewrites) std::ofstream(entry.path()) << Render(cases);
  }
  EXPECT_GE(count, 100u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
