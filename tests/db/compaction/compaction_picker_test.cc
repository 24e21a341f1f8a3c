// Pickers choose what hand-written trees call for, and on random trees their
// picks share no file, never overlap in one level, and tear nothing apart.
#include "db/compaction/compaction_picker.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "db/compaction/compaction_draft.h"
#include "tests/db/compaction/picker_script.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct Case {
  // As in picker_script.h.
  const char* options;
  const char* levels;
  // Each pick, registered and left running before the next.
  std::vector<const char*> picks;
};

using Picker = ScriptedPicker;

const Case kAutomatic[] = {
    // Nothing to do.
    {"", "", {"none"}},
    {"", "L0 3:[a-c] 2:[a-c] 1:[a-c]", {"none"}},
    {"none", "L0 4:[a-c] 3:[a-c] 2:[a-c] 1:[a-c]", {"none"}},
    {"", "L1 1:[a-c]=100", {"L1 -> L2: 1; bottommost; move", "none"}},
    {"", "L1 1:[a-c]=99", {"none"}},
    // Level 0 goes to the base level, with all that overlaps.
    {"",
     "L0 4:[a-c] 3:[b-d] 2:[c-e] 1:[d-f]",
     {"L0 -> L1: 4,3,2,1; bottommost", "none"}},
    {"",
     "L0 4:[a-c] 3:[b-d] 2:[x-z] 1:[d-f]; L1 8:[a-b] 9:[e-g] 10:[w-y]",
     {"L0 -> L1: 4,3,1 + 8,9; bottommost", "none"}},
    {"",
     "L0 4:[a-c] 3:[b-d] 2:[x-z] 1:[d-f]; L1 8:[a-y]",
     {"L0 -> L1: 4,3,2,1 + 8; bottommost"}},
    {"",
     "L0 4:[a-c] 3:[b-d] 2:[x-z] 1:[d-f]=500; L1 8:[a-y]",
     {"L0 -> L1: 4,3,1 + 8; bottommost"}},
    {"",
     "L0 4:[a-b] 3:[c-d] 2:[e-f] 1:[g-h]; L2 9:[a-z]",
     {"L0 -> L1: 4,3,2,1; grandparents 9; move"}},
    {"",
     "L0 4:[a-b] 3:[c-d] 2:[e-f] 1:[g-h]; L1 9:[c-d]",
     {"L0 -> L1: 1; bottommost; move"}},
    {"",
     "L0 4:[a-b] 3:[c-d] 2:[a-f] 1:[g-h]",
     {"L0 -> L1: 1; bottommost; move"}},
    {"bottomcodec",
     "L0 4:[a-b] 3:[c-d] 2:[e-f] 1:[g-h]",
     {"L0 -> L1: 1; bottommost"}},
    {"", "L0 4:[a-b] 3:[a-b] 2:[a-b] 1:[a-b]*", {"none"}},
    {"dynamic",
     "L0 4:[a-b] 3:[a-b] 2:[a-b] 1:[a-b]",
     {"L0 -> L4: 4,3,2,1; bottommost"}},
    {"dynamic",
     "L0 4:[a-b] 3:[a-b] 2:[a-b] 1:[a-b]; L4 9:[b-c]=90",
     {"L0 -> L4: 4,3,2,1 + 9; bottommost"}},
    {"dynamic",
     "L0 4:[a-b] 3:[a-b] 2:[a-b] 1:[a-b]; L4 9:[b-c]=900",
     {"L0 -> L3: 4,3,2,1; grandparents 9"}},
    // Among itself, while it cannot go down.
    {"",
     "L0 8:[a-b] 7:[a-b] 6:[a-b] 5:[a-b] 4:[a-b]* 3:[a-b]* 2:[a-b]* 1:[a-b]*",
     {"L0 -> L0: 8,7,6,5", "none"}},
    {"",
     "L0 8:[a-b] 7:[a-b] 6:[a-b] 5:[a-b] 4:[a-b]=100 3:[a-b]* 2:[a-b]*",
     {"L0 -> L0: 8,7,6,5"}},
    {"",
     "L0 7:[a-b] 6:[a-b] 5:[a-b] 4:[a-b]* 3:[a-b]* 2:[a-b]* 1:[a-b]*",
     {"none"}},
    {"maxbytes:35",
     "L0 8:[a-b] 7:[a-b] 6:[a-b] 5:[a-b] 4:[a-b]* 3:[a-b]* 2:[a-b]* 1:[a-b]*",
     {"none"}},
    {"levels:1",
     "L0 4:[a-b] 3:[c-d] 2:[a-b] 1:[x-z]",
     {"L0 -> L0: 4,3,2,1; bottommost"}},
    // A deeper level: the file with the least overlap for its size.
    {"",
     "L1 1:[a-c]=50 2:[d-f]=60; L2 3:[a-b] 4:[b-c] 5:[e-f]",
     {"L1 -> L2: 2 + 5; bottommost", "none"}},
    {"",
     "L1 1:[a-c]=80 2:[d-f]=100; L2 3:[a-b] 4:[ba-c] 5:[e-f]; L3 6:[d-x]",
     {"L1 -> L2: 2 + 5; grandparents 6", "none"}},
    {"",
     "L1 1:[a-c]=150 2:[d-f]=100; L2 3:[a-b] 4:[ba-c] 5:[e-f]",
     {"L1 -> L2: 2 + 5; bottommost", "L1 -> L2: 1 + 3,4; bottommost"}},
    {"",
     "L1 1:[a-c]=50 2:[d-f]=60~30/40; L2 3:[a-b]=5 4:[d-f]=20",
     {"L1 -> L2: 2 + 4; bottommost"}},
    // Neighbours that share a user key stay together, in both levels.
    {"",
     "L1 1:[a-c]=60 2:[c-f]=60 3:[g-h]=5; L2 7:[f-g] 8:[g-i] 9:[j-k]",
     {"L1 -> L2: 1,2,3 + 7,8; bottommost"}},
    {"",
     "L1 1:[a-c)=60 2:[c-f]=70; L2 7:[a-b] 8:[e-i]",
     {"L1 -> L2: 2 + 8; bottommost"}},
    // Grows in the start level where that is free.
    {"",
     "L1 1:[a-b]=60 2:[d-e]=50; L2 7:[a-e]",
     {"L1 -> L2: 1,2 + 7; bottommost"}},
    {"maxbytes:100",
     "L1 1:[a-b]=60 2:[d-e]=50; L2 7:[a-e]",
     {"L1 -> L2: 1 + 7; bottommost"}},
    {"",
     "L1 1:[a-b]=60 2:[d-f]=50; L2 7:[a-e] 8:[f-g]",
     {"L1 -> L2: 1 + 7; bottommost"}},
    // Moves.
    {"",
     "L1 1:[a-b]=60 2:[d-e]=50 3:[g-h]; L2 7:[c-c]",
     {"L1 -> L2: 1; bottommost; move"}},
    {"",
     "L1 1:[a-b]=20 2:[c-d]=30 3:[g-h]=60 4:[x-y]=40; L2 7:[p-q]",
     {"L1 -> L2: 1,2; bottommost; move"}},
    {"",
     "L1 1:[a-b]=120; L3 7:[a-b]=150 8:[b-c]=100",
     {"L1 -> L2: 1; grandparents 7,8"}},
    {"",
     "L1 1:[a-b]=120; L3 7:[a-b]=150",
     {"L1 -> L2: 1; grandparents 7; move"}},
    {"bottomcodec", "L1 1:[a-b]=120", {"L1 -> L2: 1; bottommost"}},
    // The most urgent level first, then the next.
    {"",
     "L1 1:[a-b]=110; L2 2:[a-b]=3000",
     {"L2 -> L3: 2; bottommost; move", "none"}},
    {"",
     "L1 1:[a-b]=200; L2 2:[a-b]=1500 3:[x-y]=10",
     {"L1 -> L2: 1 + 2; bottommost", "none"}},
    {"",
     "L1 1:[a-b]=110 2:[g-h]=400; L2 3:[a-b] 4:[g-h]",
     {"L1 -> L2: 2 + 4; bottommost", "L1 -> L2: 1 + 3; bottommost"}},
    {"",
     "L1 1:[a-d]=300 2:[f-h]=250; L2 3:[b-g]",
     {"L1 -> L2: 1 + 3; bottommost", "none"}},
    // Other orders.
    {"pri:kByCompensatedSize maxbytes:50",
     "L1 1:[a-b]=60 2:[d-e]=70; L2 7:[a-e]=5",
     {"L1 -> L2: 2 + 7; bottommost"}},
    {"pri:kOldestLargestSeqFirst maxbytes:50",
     "L1 1:[a-b]=60 2:[d-e]=70; L2 7:[a-e]=5",
     {"L1 -> L2: 1 + 7; bottommost"}},
    {"pri:kOldestSmallestSeqFirst maxbytes:50",
     "L1 3:[a-b]=60 2:[d-e]=70; L2 7:[a-e]=5",
     {"L1 -> L2: 2 + 7; bottommost"}},
    {"pri:kRoundRobin",
     "L1 1:[a-b]=60 2:[d-e]=70; L2 7:[a-b] 8:[d-e]",
     {"L1 -> L2: 1 + 7; bottommost"}},
    {"pri:kRoundRobin cursor:c",
     "L1 1:[a-b]=60 2:[d-e]=70; L2 7:[a-b] 8:[d-e]",
     {"L1 -> L2: 2 + 8; bottommost"}},
    {"pri:kRoundRobin cursor:x",
     "L1 1:[a-b]=60 2:[d-e]=70; L2 7:[a-b] 8:[d-e]",
     {"L1 -> L2: 1 + 7; bottommost"}},
    // Files that want rewriting.
    {"", "L1 1:[a-b]! 2:[d-e]; L2 7:[a-c]", {"L1 -> L2: 1 + 7; bottommost"}},
    {"", "L2 7:[a-c]! 8:[c-d] 9:[f-g]", {"L2 -> L2: 7,8; bottommost", "none"}},
    {"", "L0 2:[a-c]! 1:[b-d] 3:[x-z]", {"L0 -> L1: 2,1; bottommost"}},
    {"snapshot:50",
     "L1 1:[a-b]; L3 7:[a-c]~5/9^40 8:[d-e]~5/9^60",
     {"L3 -> L3: 7; bottommost", "none"}},
};

TEST(CompactionPickerTest, Automatic) {
  for (const Case& c : kAutomatic) {
    SCOPED_TRACE(std::string(c.options) + " | " + c.levels);
    Picker picker(c.options, c.levels);
    for (const char* expected : c.picks) {
      const bool needs = picker->NeedsCompaction(picker.storage());
      EXPECT_TRUE(needs || std::string(expected) == "none");
      EXPECT_EQ(picker.Start(picker->Pick(picker.input())), expected);
    }
  }
}

struct RangeCase {
  const char* options;
  const char* levels;
  int input_level, output_level;
  const char* begin;  // "" = open
  const char* end;
  uint64_t max_file_number;
  const char* pick;  // "conflict": a running compaction is in the way
  const char* rest;
};

const RangeCase kRanges[] = {
    {"", "L0 2:[a-c] 1:[x-z]", 0, 1, "", "", 99,
     "L0 -> L1: 2,1; bottommost; move", ""},
    {"", "L0 3:[a-c] 2:[c-d] 1:[x-z]", 0, 1, "a", "b", 99,
     "L0 -> L1: 3,2; bottommost", ""},
    {"", "L0 3:[a-c] 2:[c-d] 1:[x-z]", 0, 1, "g", "h", 99, "none", ""},
    {"", "L0 3:[a-c] 2:[c-d]*", 0, 1, "a", "b", 99, "conflict", ""},
    {"", "L1 1:[a-b] 2:[c-d] 3:[e-f]; L2 7:[d-d]", 1, 2, "c", "d", 99,
     "L1 -> L2: 2 + 7; bottommost", ""},
    {"", "L1 1:[a-b] 2:[c-d] 3:[e-f]; L2 7:[d-d]", 1, 2, "x", "", 99, "none",
     ""},
    {"", "L1 1:[a-b] 2:[c-d]; L2 7:[d-d]*", 1, 2, "", "", 99, "conflict", ""},
    {"maxbytes:25", "L1 1:[a-b] 2:[c-d] 3:[e-f]; L2 7:[a-a]", 1, 2, "", "", 99,
     "L1 -> L2: 1,2 + 7; bottommost", "e"},
    {"maxbytes:5", "L1 1:[a-b] 2:[b-d] 3:[e-f]; L2 7:[a-a]", 1, 2, "", "", 99,
     "L1 -> L2: 1,2 + 7; bottommost", "e"},
    {"maxbytes:25", "L1 1:[a-b] 2:[c-d] 3:[e-f]; L2 7:[a-a]", 1, 2, "", "d", 99,
     "L1 -> L2: 1,2 + 7; bottommost", ""},
    // A sentinel does not hold its key.
    {"", "L1 1:[a-c) 2:[c-d]; L2 7:[a-z]=400", 1, 2, "c", "c", 99,
     "L1 -> L2: 2 + 7; bottommost", ""},
    // In place: neighbours that are old enough.
    {"", "L2 1:[a-b] 2:[c-d] 3:[e-f]", 2, 2, "", "", 99,
     "L2 -> L2: 1,2,3; bottommost", ""},
    {"", "L2 1:[a-b] 8:[c-d] 3:[e-f]", 2, 2, "", "", 5,
     "L2 -> L2: 1; bottommost", "c"},
    {"", "L2 9:[a-b] 8:[c-d] 3:[e-f]", 2, 2, "c", "", 5,
     "L2 -> L2: 3; bottommost", ""},
    {"", "L2 9:[a-b] 8:[c-d]", 2, 2, "", "", 5, "none", ""},
    {"", "L2 1:[a-b]; L3 2:[a-b]", 2, 2, "", "", 99,
     "L2 -> L2: 1; grandparents 2", ""},
    {"levels:1", "L0 2:[a-b] 1:[b-c]", 0, 0, "", "", 99,
     "L0 -> L0: 2,1; bottommost", ""},
};

TEST(CompactionPickerTest, Ranges) {
  for (const RangeCase& c : kRanges) {
    SCOPED_TRACE(std::string(c.options) + " | " + c.levels);
    Picker picker(c.options, c.levels);
    const Slice begin(c.begin), end(c.end);
    CompactionPicker::Range range;
    range.input_level = c.input_level;
    range.output_level = c.output_level;
    if (!begin.empty()) range.begin = &begin;
    if (!end.empty()) range.end = &end;
    range.max_file_number = c.max_file_number;
    bool conflict = true;
    std::optional<InternalKey> rest;
    auto picked = picker->PickRange(picker.input(), range, &conflict, &rest);
    EXPECT_EQ(conflict, std::string(c.pick) == "conflict");
    if (!conflict) {
      EXPECT_EQ(TextOf(picked.get()), c.pick);
    }
    EXPECT_EQ(rest ? rest->user_key().ToString() : "", c.rest);
    if (picked != nullptr) {
      EXPECT_TRUE(picked->is_manual);
      EXPECT_EQ(picked->reason, CompactionReason::kManualCompaction);
    }
  }
}

TEST(CompactionPickerTest, RangesDoNotRunIntoEachOther) {
  Picker picker("", "L1 1:[a-c] 2:[x-z]; L2 7:[b-d] 8:[y-z]");
  const auto pick = [&](const char* from, const char* to, bool* conflict) {
    const Slice begin(from), end(to);
    CompactionPicker::Range range;
    range.input_level = 1;
    range.output_level = 2;
    range.begin = &begin;
    range.end = &end;
    std::optional<InternalKey> rest;
    return picker->PickRange(picker.input(), range, conflict, &rest);
  };
  bool conflict = true;
  EXPECT_EQ(picker.Start(pick("a", "b", &conflict)),
            "L1 -> L2: 1 + 7; bottommost");
  EXPECT_EQ(TextOf(pick("a", "b", &conflict).get()), "none");
  EXPECT_TRUE(conflict);
  EXPECT_EQ(picker.Start(pick("x", "z", &conflict)),
            "L1 -> L2: 2 + 8; bottommost");
  EXPECT_FALSE(conflict);
}

// A level that users move up must not be met by newer data on its way, such
// as by a compaction that has no file in common with it.
TEST(CompactionPickerTest, NothingIsPickedWhileFilesMoveUp) {
  Picker picker("", "L1 1:[a-c]; L4 9:[k-m]");
  auto move = std::make_unique<Compaction>();
  move->version = picker.input().version;
  move->options = picker.input().options;
  move->inputs.push_back({4, picker.storage().files(4), {}});
  move->output_level = 2;
  move->is_manual = move->is_trivial_move = true;
  ASSERT_TRUE(move->moves_up());
  picker.Start(std::move(move));
  CompactionPicker::Range range;
  range.input_level = 1;
  range.output_level = 3;
  bool conflict = false;
  std::optional<InternalKey> rest;
  EXPECT_EQ(picker->PickRange(picker.input(), range, &conflict, &rest),
            nullptr);
  EXPECT_TRUE(conflict);
}

struct FilesCase {
  const char* levels;
  std::vector<uint64_t> numbers;
  int output_level;
  const char* result;  // the pick, or the start of the status
};

const FilesCase kFiles[] = {
    {"L1 1:[a-b] 2:[c-d]; L2 7:[d-e]", {2}, 2, "L1 -> L2: 2 + 7; bottommost"},
    {"L1 1:[a-b] 2:[c-d] 3:[e-f]", {1, 3}, 2, "L1 -> L2: 1,2,3; bottommost"},
    {"L0 3:[a-b] 2:[b-c] 1:[x-y]", {3}, 1, "L0 -> L1: 3,2; bottommost"},
    {"L0 3:[a-b] 2:[b-c] 1:[x-y]", {2}, 1, "L0 -> L1: 2; bottommost"},
    {"L0 3:[a-b] 2:[m-n] 1:[x-y]", {3, 1}, 0, "L0 -> L0: 3,2,1; bottommost"},
    {"L0 3:[a-b] 2:[m-n] 1:[x-y]", {3, 2}, 0, "L0 -> L0: 3,2"},
    {"L0 3:[a-b]; L1 5:[b-f]; L2 6:[e-g] 7:[x-y]",
     {3},
     2,
     "L0 -> L2: 3 + 5 + 6; bottommost"},
    {"L0 3:[a-b]; L1 5:[b-f]; L2 6:[e-g] 7:[x-y]",
     {3, 7},
     2,
     "L0 -> L2: 3 + 5 + 6,7; bottommost"},
    {"L2 6:[e-g] 7:[x-y]; L3 8:[a-z]", {6}, 2, "L2 -> L2: 6; grandparents 8"},
    {"L1 1:[a-b]", {}, 2, "Invalid argument"},
    {"L1 1:[a-b]", {9}, 2, "Invalid argument"},
    {"L1 1:[a-b]", {1}, 5, "Invalid argument"},
    {"L2 1:[a-b]", {1}, 1, "Invalid argument"},
    {"L1 1:[a-b]*", {1}, 2, "Operation aborted"},
    {"L1 1:[a-b]; L2 2:[b-c]*", {1}, 2, "Operation aborted"},
};

TEST(CompactionPickerTest, Files) {
  for (const FilesCase& c : kFiles) {
    SCOPED_TRACE(c.levels);
    Picker picker("", c.levels);
    std::unique_ptr<Compaction> picked;
    const Status s = picker->PickFiles(picker.input(), c.numbers,
                                       c.output_level, {}, &picked);
    EXPECT_EQ(s.ok(), picked != nullptr);
    const std::string text = s.ok() ? TextOf(picked.get()) : s.ToString();
    EXPECT_EQ(text.substr(
                  0, s.ok() ? std::string::npos : std::string(c.result).size()),
              c.result);
  }
}

TEST(CompactionPickerTest, FilesWithOptions) {
  Picker picker("", "L1 1:[a-b] 2:[c-d]");
  CompactionOptions options;
  options.compression = kZlibCompression;
  options.output_file_size_limit = 77;
  options.max_subcompactions = 3;
  options.allow_trivial_move = true;
  std::unique_ptr<Compaction> c;
  ASSERT_TRUE(picker->PickFiles(picker.input(), {1}, 2, options, &c).ok());
  EXPECT_EQ(c->compression, kZlibCompression);
  EXPECT_EQ(c->max_output_file_bytes, 77);
  EXPECT_EQ(c->max_subcompactions, 3);
  EXPECT_FALSE(c->is_trivial_move);
  options.compression = kDisableCompressionOption;
  ASSERT_TRUE(picker->PickFiles(picker.input(), {1}, 2, options, &c).ok());
  EXPECT_TRUE(c->is_trivial_move);
  options.output_temperature_override = Temperature::kCold;
  ASSERT_TRUE(picker->PickFiles(picker.input(), {1}, 2, options, &c).ok());
  EXPECT_EQ(c->output_temperature, Temperature::kCold);
  EXPECT_FALSE(c->is_trivial_move);
}

TEST(CompactionPickerTest, DescribesTheCompaction) {
  Picker picker("pri:kRoundRobin bottomcodec",
                "L1 1:[a-c]=150 2:[d-f]=100; L2 3:[a-b]; L3 4:[b-c]");
  picker.Start(picker->Pick(picker.input()));
  const Compaction& c = picker.last();
  EXPECT_EQ(TextOf(&c), "L1 -> L2: 1 + 3; grandparents 4");
  EXPECT_EQ(c.reason, CompactionReason::kLevelMaxLevelSize);
  EXPECT_EQ(c.compression, kNoCompression);
  EXPECT_EQ(c.max_output_file_bytes, 10);
  EXPECT_EQ(c.max_grandparent_overlap_bytes, 200);
  EXPECT_EQ(c.InputFileCount(), 2);
  EXPECT_EQ(c.InputBytes(), 160);
  EXPECT_EQ(c.next_cursor->user_key(), Slice("d"));
  EXPECT_EQ(c.inputs[1].sorted.size(), 1);
  EXPECT_GE(c.score, 1);
  std::string begin, end;
  c.KeyRange(&begin, &end);
  EXPECT_EQ(begin + end, "ac");
}

TEST(CompactionPickerTest, StallsCountSortedRunsInUniversalStyleAlone) {
  const char* tree =
      "L0 4:[a-c] 3:[a-c]* 2:[a-c]; L2 1:[a-c] 9:[d-e]; L4 8:[a-b]";
  EXPECT_EQ(Picker("universal", tree).storage().Level0StallCount(), 5);
  EXPECT_EQ(Picker("universal levels:1", "L0 2:[a-c] 1:[a-c]")
                .storage()
                .Level0StallCount(),
            2);
  EXPECT_EQ(Picker("", tree).storage().Level0StallCount(), 3);
  EXPECT_EQ(Picker("fifo", tree).storage().Level0StallCount(), 3);
}

// Whatever the tree looks like: picks never share a file, and never write to
// one level in overlapping ranges; nothing in the picked range is torn apart.
TEST(CompactionPickerTest, RandomTreesStayWhole) {
  Random64 random(42);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    std::string text = "L0";
    uint64_t number = 1;
    const auto file = [&](int first, int last) {
      text += " " + std::to_string(number++) + ":[" +
              std::to_string(100 + first) + "-" + std::to_string(100 + last) +
              "]=" + std::to_string(10 + random.Uniform(80));
    };
    for (uint64_t i = random.Uniform(12); i > 0; --i) {
      const int first = static_cast<int>(random.Uniform(80));
      file(first, first + static_cast<int>(random.Uniform(15)));
    }
    for (int level = 1; level < 5; ++level) {
      text += "; L" + std::to_string(level);
      for (int key = 0; key < 80;) {
        const int last = key + static_cast<int>(random.Uniform(6));
        file(key, last);
        // Now and then the next file goes on with the same user key.
        key = last > key && random.Uniform(4) == 0
                  ? last
                  : last + 1 + static_cast<int>(random.Uniform(8));
      }
    }
    // "L2 ;" would read as a file.
    for (size_t at; (at = text.find(" ;")) != std::string::npos;) {
      text.erase(at, 1);
    }
    const std::string semicolons = "L0;";
    for (size_t at; (at = text.find("L0;")) != std::string::npos;) {
      text.erase(at, semicolons.size());
    }
    Picker picker(round % 2 == 0 ? "trigger:2" : "trigger:2 dynamic", text);
    int count = 0;
    while (true) {
      auto c = picker->Pick(picker.input());
      if (c == nullptr) break;
      ++count;
      for (const CompactionInputLevel& input : c->inputs) {
        for (const FileRef& f : input.files) {
          ASSERT_FALSE(f->being_compacted) << f->number;
        }
        if (input.level == 0) continue;
        const FileSpan span = OverlapSpan(picker.storage(), input.level, [&] {
          static Slice begin, end;
          begin = input.files.front()->smallest.user_key();
          end = input.files.back()->largest.user_key();
          return VersionStorage::KeyRange{&begin, &end};
        }());
        // No neighbour outside the inputs has a key of theirs.
        ASSERT_EQ(span.size(), input.files.size());
      }
      picker.Start(std::move(c));
      ASSERT_LT(count, 200);
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
