// What users ask a picker for, as words, and its answers as text.
//
//   range                  all levels of universal or FIFO compaction
//   range LEVEL LEVEL ..   of one level's files to the other
//   files N,.. LEVEL ..    of just these files; "none" names none
//
// Behind them: keys:FIRST-LAST, below:FILE (older files alone), path:N,
// parts:N, down:LEVEL (as deep as it would be merged), codec:kNAME,
// temperature:kNAME, bytes:N (of a file), move.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/db/compaction/picker_script.h"
#include "tests/testing/script.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

// Null, if nothing is picked; the text says why, or is "none".
struct PickAnswer {
  std::unique_ptr<Compaction> compaction;
  std::string text;
};

inline std::string DescribePick(const Compaction* c) {
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

inline PickAnswer PickNext(ScriptedPicker* picker) {
  const bool needs = (*picker)->NeedsCompaction(picker->storage());
  PickAnswer answer;
  answer.compaction = (*picker)->Pick(picker->input());
  EXPECT_TRUE(needs || answer.compaction == nullptr)
      << "would never be looked for";
  answer.text = DescribePick(answer.compaction.get());
  return answer;
}

inline PickAnswer PickRequestedRange(ScriptedPicker* picker,
                                     const ScriptWords& request) {
  CompactionPicker::Range range;
  if (!request.words().empty()) {
    range.input_level = std::stoi(request.Word(0));
    range.output_level = std::stoi(request.Word(1));
  }
  const std::string keys = request.Text("keys", "");
  const size_t dash = keys.find('-');
  const std::string first = keys.substr(0, dash);
  const std::string last =
      dash == std::string::npos ? "" : keys.substr(dash + 1);
  const Slice begin(first);
  const Slice end(last);
  if (!first.empty()) range.begin = &begin;
  if (!last.empty()) range.end = &end;
  range.output_path_id = static_cast<uint32_t>(request.Number("path", 0));
  range.max_subcompactions = static_cast<uint32_t>(request.Number("parts", 0));
  range.deepest_level = static_cast<int>(request.Number("down", 0));
  range.max_file_number = request.Number("below", range.max_file_number);
  bool conflict = false;
  std::optional<InternalKey> rest;
  PickAnswer answer;
  answer.compaction =
      (*picker)->PickRange(picker->input(), range, &conflict, &rest);
  if (conflict) {
    EXPECT_EQ(answer.compaction, nullptr);
    answer.text = "conflict\n";
    return answer;
  }
  EXPECT_TRUE(answer.compaction == nullptr || answer.compaction->is_manual);
  answer.text = DescribePick(answer.compaction.get());
  if (rest) answer.text += "rest from " + rest->user_key().ToString() + "\n";
  return answer;
}

inline CompactionOptions OptionsOfRequest(const ScriptWords& request) {
  std::unordered_map<std::string, std::string> texts;
  if (request.Has("codec")) texts["compression"] = request.Text("codec", "");
  if (request.Has("temperature")) {
    texts["default_write_temperature"] = request.Text("temperature", "");
  }
  ColumnFamilyOptions parsed;
  parsed.compression = kDisableCompressionOption;
  const Status s =
      GetColumnFamilyOptionsFromMap(ConfigOptions(), parsed, texts, &parsed);
  EXPECT_TRUE(s.ok()) << s.ToString();
  CompactionOptions options;
  options.compression = parsed.compression;
  options.output_temperature_override = parsed.default_write_temperature;
  options.max_subcompactions =
      static_cast<uint32_t>(request.Number("parts", 0));
  options.allow_trivial_move = request.HasWord("move");
  options.output_file_size_limit =
      request.Number("bytes", options.output_file_size_limit);
  return options;
}

inline PickAnswer PickRequestedFiles(ScriptedPicker* picker,
                                     const ScriptWords& request) {
  std::vector<uint64_t> numbers;
  std::istringstream list(request.Word(0));
  for (std::string number; std::getline(list, number, ',');) {
    if (number != "none") numbers.push_back(std::stoull(number));
  }
  PickAnswer answer;
  const Status s =
      (*picker)->PickFiles(picker->input(), numbers, std::stoi(request.Word(1)),
                           OptionsOfRequest(request), &answer.compaction);
  EXPECT_EQ(s.ok(), answer.compaction != nullptr);
  if (!s.ok()) {
    answer.text = s.ToString() + "\n";
    return answer;
  }
  answer.text = DescribePick(answer.compaction.get());
  if (request.Has("bytes")) {
    answer.text += "files of " +
                   std::to_string(answer.compaction->max_output_file_bytes) +
                   "\n";
  }
  return answer;
}

inline PickAnswer PickRequested(ScriptedPicker* picker,
                                const std::string& line) {
  const ScriptWords request(line);
  if (request.verb() == "pick") return PickNext(picker);
  if (request.verb() == "range") return PickRequestedRange(picker, request);
  if (request.verb() == "files") return PickRequestedFiles(picker, request);
  ADD_FAILURE() << "what is " << request.verb() << "?";
  return {};
}

}  // namespace ROCKSDB_NAMESPACE
