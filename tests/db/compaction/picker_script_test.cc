// Runs tests/testdata/picks/*.txt: trees in text, the expected picks in text.
//
//   pick OPTIONS          every pick, each left running, until there is none
//   range OPTIONS         what a manual compaction of everything would do
//   range LEVEL LEVEL [WORD..] | OPTIONS   of one level's files to the other
//   files N,.. LEVEL [WORD..] | OPTIONS    of just these files
//   LEVELS                as in level_text.h, on one line or more
//
// WORDs are what the user asks for: keys:FIRST-LAST, below:FILE (older files
// alone), path:N, parts:N, down:LEVEL (as deep as it would be merged),
// codec:kNAME, temperature:kNAME, bytes:N (of a file), move.
#include "tests/db/compaction/picker_script.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/testing/script.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string Describe(const Compaction* c) {
  if (c == nullptr) return "none\n";
  std::string text = TextOf(c);
  if (c->compression != kNoCompression) {
    text += "; " + CompressionTypeToString(c->compression);
  }
  if (c->output_temperature != Temperature::kUnknown) {
    text += "; temperature " +
            std::to_string(static_cast<int>(c->output_temperature));
  }
  if (c->output_path_id > 0) {
    text += "; path " + std::to_string(c->output_path_id);
  }
  if (c->max_subcompactions > 1) {
    text += "; " + std::to_string(c->max_subcompactions) + " parts";
  }
  if (c->relocates_blobs_below > 0) {
    text += "; moves blobs below " + std::to_string(c->relocates_blobs_below);
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

// The words of a request, by their names; "move" alone has no value.
using Words = std::map<std::string, std::string>;

Words ReadWords(std::istream* input) {
  Words words;
  for (std::string word; *input >> word;) {
    const size_t colon = word.find(':');
    words[word.substr(0, colon)] =
        colon == std::string::npos ? "" : word.substr(colon + 1);
  }
  return words;
}

uint32_t Number(const Words& words, const std::string& name) {
  const auto found = words.find(name);
  return found == words.end()
             ? 0
             : static_cast<uint32_t>(std::stoul(found->second));
}

// "1 2 keys:b-d", or nothing at all.
std::string RunRange(ScriptedPicker* picker, const std::string& arguments) {
  std::istringstream input(arguments);
  CompactionPicker::Range range;
  input >> range.input_level >> range.output_level;
  Words words = ReadWords(&input);
  const std::string keys = words["keys"];
  const size_t dash = keys.find('-');
  const std::string first = keys.substr(0, dash);
  const std::string last =
      dash == std::string::npos ? "" : keys.substr(dash + 1);
  const Slice begin(first);
  const Slice end(last);
  if (!first.empty()) range.begin = &begin;
  if (!last.empty()) range.end = &end;
  range.output_path_id = Number(words, "path");
  range.max_subcompactions = Number(words, "parts");
  range.deepest_level = static_cast<int>(Number(words, "down"));
  if (words.contains("below")) range.max_file_number = Number(words, "below");
  bool conflict = false;
  std::optional<InternalKey> rest;
  auto c = (*picker)->PickRange(picker->input(), range, &conflict, &rest);
  if (conflict) return "conflict\n";
  std::string text = Describe(c.get());
  if (rest) text += "rest from " + rest->user_key().ToString() + "\n";
  return text;
}

CompactionOptions RequestedBy(const Words& words) {
  std::unordered_map<std::string, std::string> texts;
  for (const auto& [name, value] : words) {
    if (name == "codec") texts["compression"] = value;
    if (name == "temperature") texts["default_write_temperature"] = value;
  }
  ColumnFamilyOptions parsed;
  parsed.compression = kDisableCompressionOption;
  const Status s =
      GetColumnFamilyOptionsFromMap(ConfigOptions(), parsed, texts, &parsed);
  EXPECT_TRUE(s.ok()) << s.ToString();
  CompactionOptions options;
  options.compression = parsed.compression;
  options.output_temperature_override = parsed.default_write_temperature;
  options.max_subcompactions = Number(words, "parts");
  options.allow_trivial_move = words.contains("move");
  if (words.contains("bytes")) {
    options.output_file_size_limit = Number(words, "bytes");
  }
  return options;
}

// "7,8 2 codec:kZSTD"
std::string RunFiles(ScriptedPicker* picker, const std::string& arguments) {
  std::vector<uint64_t> numbers;
  size_t at = 0;
  do {
    numbers.push_back(NumberAt(arguments, &at));
  } while (arguments[at++] == ',');
  std::istringstream input(arguments.substr(at));
  int level = 0;
  input >> level;
  const Words words = ReadWords(&input);
  std::unique_ptr<Compaction> c;
  const Status s = (*picker)->PickFiles(picker->input(), numbers, level,
                                        RequestedBy(words), &c);
  if (!s.ok()) return s.ToString() + "\n";
  std::string text = Describe(c.get());
  if (words.contains("bytes")) {
    text += "files of " + std::to_string(c->max_output_file_bytes) + "\n";
  }
  return text;
}

std::string RunCase(const ScriptCase& c) {
  const size_t space = c.command.find(' ');
  const std::string verb = c.command.substr(0, space);
  std::string arguments =
      space == std::string::npos ? "" : c.command.substr(space + 1);
  std::string options = arguments;
  const size_t bar = arguments.find('|');
  if (bar != std::string::npos) options = arguments.substr(bar + 1);
  arguments.resize(bar == std::string::npos ? 0 : bar);
  ScriptedPicker picker(options, c.body);
  if (verb == "pick") return RunPicks(&picker);
  if (verb == "range") return RunRange(&picker, arguments);
  if (verb == "files") return RunFiles(&picker, arguments);
  ADD_FAILURE() << "what is " << verb << "?";
  return "";
}

TEST(PickerScriptTest, EveryCaseOfTheScripts) {
  EXPECT_GE(RunScripts("picks", RunCase), 300u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
