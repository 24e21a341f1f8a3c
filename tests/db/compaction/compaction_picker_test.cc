// Picks that are made of one tree, one after the other, and what each of them
// says of itself. Runs tests/testdata/picker/*.txt:
//
//   tree OPTIONS           as in picker_script.h
//   LEVELS                 as in level_text.h
//   > pick                 the next automatic pick
//   > range .. | files ..  a user's request, as in picker_requests.h
//   > move FROM TO         all files of a level to another one, as they are
//   > end                  of the latest of those that run; it changes nothing
//   > show                 limits and inputs of the latest
//   > needs                is there anything to pick?
//
// Whatever is picked runs from there on. Trees with one request each are in
// tests/testdata/picks.
#include "db/compaction/compaction_picker.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "db/compaction/compaction_draft.h"
#include "tests/db/compaction/picker_requests.h"
#include "tests/testing/script.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// A level that a user moves, which pickers never do by themselves.
std::unique_ptr<Compaction> WholeLevel(ScriptedPicker* picker, int from,
                                       int to) {
  auto move = std::make_unique<Compaction>();
  move->version = picker->input().version;
  move->options = picker->input().options;
  move->inputs.push_back({from, picker->storage().files(from), {}});
  move->output_level = to;
  move->is_manual = true;
  move->is_trivial_move = true;
  move->reason = CompactionReason::kManualCompaction;
  return move;
}

std::string ShowPick(const Compaction& c) {
  const auto number = [](const std::string& name, uint64_t value) {
    return " " + name + ":" +
           (value == UINT64_MAX ? "any" : std::to_string(value));
  };
  std::string begin, end;
  c.KeyRange(&begin, &end);
  std::string text = "keys:" + begin + "-" + end;
  text += number("files", c.InputFileCount()) + number("bytes", c.InputBytes());
  text += number("file_bytes", c.max_output_file_bytes);
  text += number("grandparent_bytes", c.max_grandparent_overlap_bytes);
  if (c.next_cursor) {
    text += " next:" + c.next_cursor->user_key().ToString();
  }
  if (!c.is_manual) text += c.score >= 1 ? " due" : " early";
  for (const CompactionInputLevel& level : c.inputs) {
    const bool is_sorted = level.sorted.size() == level.files.size();
    EXPECT_TRUE(level.level == 0 || is_sorted || c.moves_up());
  }
  return text + (c.moves_up() ? " up\n" : "\n");
}

std::string RunPickStep(ScriptedPicker* picker, const std::string& line) {
  const ScriptWords words(line);
  if (words.verb() == "show") return ShowPick(picker->last());
  if (words.verb() == "needs") {
    return (*picker)->NeedsCompaction(picker->storage()) ? "yes\n" : "no\n";
  }
  if (words.verb() == "end") {
    picker->EndLast();
    return "";
  }
  PickAnswer answer;
  if (words.verb() == "move") {
    answer.compaction =
        WholeLevel(picker, std::stoi(words.Word(0)), std::stoi(words.Word(1)));
    answer.text = DescribePick(answer.compaction.get());
  } else {
    answer = PickRequested(picker, line);
  }
  if (answer.compaction != nullptr) {
    picker->Start(std::move(answer.compaction));
  }
  return answer.text;
}

std::string RunPickSteps(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "tree");
  std::string levels, text;
  std::unique_ptr<ScriptedPicker> picker;
  for (const std::string& line : LinesOf(c.body)) {
    if (!line.starts_with("> ")) {
      levels += line + "\n";
      continue;
    }
    if (picker == nullptr) {
      picker = std::make_unique<ScriptedPicker>(c.command.substr(4), levels);
    }
    text += RunPickStep(picker.get(), line.substr(2));
  }
  return text;
}

TEST(CompactionPickerTest, EveryCaseOfTheScripts) {
  EXPECT_GE(RunScripts("picker", RunPickSteps), 20u) << "cases went missing";
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
    ScriptedPicker picker(round % 2 == 0 ? "trigger:2" : "trigger:2 dynamic",
                          text);
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
