// The shape of a tree as text, for tests of what gets compacted.
//
//   L0 7:[c-k] 6:[a-f]*; L1 3:[a-d]=20 4:[e-m)!
//
// A file is NUMBER:[FIRST-LAST], keys inclusive; ')' ends it by a tombstone
// sentinel. "=20" is its size (10 if absent), '*' says that it is being
// compacted, '!' that it is marked for compaction, "~30/40" that 30 of its 40
// entries are deletions ("~30/40/20": 20 of them of ranges) and its values take
// 100 bytes before compression, "^5" that its newest sequence is 5 ("^3-5": and
// its oldest is 3), "@60" that it is 60 seconds old, "t8" that its temperature
// is number 8, "b5" that the oldest blob file that it refers to is number 5,
// "r700" that it was read some 700 times. In level 0 a greater number is newer.
// Blob files come first or last, as NUMBER=SIZE or NUMBER=SIZE/GARBAGE:
// "B 5=300 6=200/150; L0 7:[a-k]b5".
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "db/compaction/compaction.h"
#include "options/cf_options.h"

namespace ROCKSDB_NAMESPACE {

// Seconds since 1970, for those who ask.
inline constexpr uint64_t kLevelTextNow = 1000000;

inline uint64_t NumberAt(const std::string& text, size_t* at) {
  size_t digits = 0;
  const uint64_t number = std::stoull(text.substr(*at), &digits);
  *at += digits;
  return number;
}

inline FileRef ParseFile(const std::string& text) {
  auto file = std::make_shared<FileMeta>();
  size_t at = 0;
  file->number = NumberAt(text, &at);
  file->epoch_number = file->number;
  const size_t dash = text.find('-');
  const size_t close = text.find_first_of("])");
  EXPECT_NE(close, std::string::npos) << text;
  const std::string first = text.substr(at + 2, dash - at - 2);
  const std::string last = text.substr(dash + 1, close - dash - 1);
  // If neighbours share a user key, the left one, which has the lesser number,
  // holds its newer versions.
  const SequenceNumber newest = 1000 - 2 * file->number;
  file->smallest = InternalKey(first, newest, kTypeValue);
  file->largest = text[close] == ')'
                      ? InternalKey::TombstoneSentinel(last)
                      : InternalKey(last, newest - 1, kTypeValue);
  file->smallest_sequence = file->number + 99;
  file->largest_sequence = file->number + 100;
  file->size_bytes = 10;
  for (at = close + 1; at < text.size();) {
    const char what = text[at++];
    if (what == '*') file->being_compacted = true;
    if (what == '!') file->is_marked_for_compaction = true;
    if (what == '@') {
      file->oldest_ancestor_time = kLevelTextNow - NumberAt(text, &at);
      file->file_creation_time = file->oldest_ancestor_time;
    }
    if (what == 't') {
      file->temperature = static_cast<Temperature>(NumberAt(text, &at));
    }
    if (what == '=') file->size_bytes = NumberAt(text, &at);
    if (what == 'r') file->sampled_reads = NumberAt(text, &at);
    if (what == 'b') file->oldest_blob_file = NumberAt(text, &at);
    if (what == '^') {
      file->largest_sequence = NumberAt(text, &at);
      file->smallest_sequence = 1;
      if (at < text.size() && text[at] == '-') {
        file->smallest_sequence = file->largest_sequence;
        file->largest_sequence = NumberAt(text, &++at);
      }
    }
    if (what == '~') {
      file->deletion_count = NumberAt(text, &at);
      ++at;
      file->entry_count = NumberAt(text, &at);
      file->raw_value_bytes = 100;
      if (at < text.size() && text[at] == '/') {
        file->range_deletion_count = NumberAt(text, &++at);
      }
    }
  }
  return file;
}

// "5=300" or "5=300/120"
inline BlobFileState ParseBlob(const std::string& text) {
  size_t at = 0;
  BlobFileAddition addition;
  addition.number = NumberAt(text, &at);
  addition.total_bytes = NumberAt(text, &++at) - BlobFile::kFrameBytes;
  addition.total_count = 2;
  BlobFileState state;
  state.file = std::make_shared<BlobFile>(std::move(addition));
  if (at < text.size()) {
    state.garbage_count = 1;
    state.garbage_bytes = NumberAt(text, &++at);
  }
  return state;
}

struct ParsedLevels {
  std::vector<std::vector<FileRef>> tables;
  BlobFileList blobs;
};

inline ParsedLevels ParseLevels(const std::string& text, int level_count) {
  ParsedLevels parsed;
  parsed.tables.resize(level_count);
  std::istringstream words(text);
  std::vector<FileRef>* level = &parsed.tables.front();
  for (std::string word; words >> word;) {
    if (word[0] == 'L') {
      level = &parsed.tables.at(std::stoul(word.substr(1)));
      continue;
    }
    if (word == "B") {
      level = nullptr;
      continue;
    }
    if (word.back() == ';') word.pop_back();
    if (level == nullptr) {
      parsed.blobs.push_back(ParseBlob(word));
    } else {
      level->push_back(ParseFile(word));
    }
  }
  for (BlobFileState& blob : parsed.blobs) {
    for (const auto& files : parsed.tables) {
      blob.linked_table_count += static_cast<size_t>(
          std::count_if(files.begin(), files.end(), [&](const FileRef& file) {
            return file->oldest_blob_file == blob.number();
          }));
    }
  }
  return parsed;
}

// Options of small numbers: a base level of 100 bytes, files of 10.
inline ColumnFamilyOptions SmallLevelOptions() {
  ColumnFamilyOptions options;
  options.num_levels = 5;
  options.level_compaction_dynamic_level_bytes = false;
  options.max_bytes_for_level_base = 100;
  options.max_bytes_for_level_multiplier = 10;
  options.target_file_size_base = 10;
  options.max_compaction_bytes = 200;
  options.level0_file_num_compaction_trigger = 4;
  options.compression = kNoCompression;
  options.bottommost_compression = kDisableCompressionOption;
  options.ttl = 0;
  options.periodic_compaction_seconds = 0;
  return options;
}

// A version with these files, scored.
class LevelText {
 public:
  LevelText(const std::string& text, const ColumnFamilyOptions& family)
      : cf(family),
        options(std::make_shared<MutableCFOptions>(family)),
        version(
            std::make_shared<Version>(nullptr, 1, &order, family.num_levels)) {
    ParsedLevels parsed = ParseLevels(text, family.num_levels);
    const Status s = version->mutable_storage()->Build(
        std::move(parsed.tables), /*check_consistency=*/true,
        std::move(parsed.blobs));
    EXPECT_TRUE(s.ok()) << s.ToString();
    Score();
  }
  void Score(uint64_t lead_seconds = 0) {
    version->mutable_storage()->ComputeScores(cf, *options,
                                              {kNow, lead_seconds});
  }

  static constexpr uint64_t kNow = kLevelTextNow;
  InternalKeyComparator order;
  ImmutableCFOptions cf;
  std::shared_ptr<const MutableCFOptions> options;
  VersionRef version;
};

// "L1 -> L2: 3,4 + 7; grandparents 9; bottommost; move"
inline std::string TextOf(const Compaction* c) {
  if (c == nullptr) return "none";
  const auto numbers = [](const std::vector<FileRef>& files) {
    std::string text;
    for (const FileRef& file : files) {
      text += (text.empty() ? "" : ",") + std::to_string(file->number);
    }
    return text;
  };
  std::string text = "L" + std::to_string(c->start_level()) + " -> L" +
                     std::to_string(c->output_level) + ":";
  for (size_t i = 0; i < c->inputs.size(); ++i) {
    text += (i == 0 ? " " : " + ") + numbers(c->inputs[i].files);
  }
  if (!c->grandparents.empty()) {
    text += "; grandparents " + numbers(c->grandparents);
  }
  if (c->young.level != 0) {
    text += "; above " + std::to_string(c->young.after) + " to L" +
            std::to_string(c->young.level);
  }
  if (c->is_bottommost) text += "; bottommost";
  if (c->is_trivial_move) text += "; move";
  if (c->drops_inputs) text += "; drop";
  if (c->copies_input) text += "; copy";
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
