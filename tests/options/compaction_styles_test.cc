// What the engine asks of a compaction style: runs
// option_scripts/compaction_styles.txt.
//
//   traits                each line names a style, or is a number: its row, "-"
//                         if it has none
#include "options/compaction_styles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "options/enum_names.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

static_assert(TraitsOf(kCompactionStyleLevel).sizes_levels);
static_assert(TraitsOf(kCompactionStyleFIFO).has_only_level0);
static_assert(TraitsOf(static_cast<CompactionStyle>(9)).style ==
              kCompactionStyleNone);

CompactionStyle StyleOf(const std::string& text) {
  for (const auto& [name, style] : EnumNames<CompactionStyle>()) {
    if (name == text) return style;
  }
  return static_cast<CompactionStyle>(std::stoi(text));
}

std::string TraitText(const CompactionStyleTraits& row) {
  std::string text;
  if (row.sizes_levels) text += "sizes levels, ";
  if (row.moves_down) text += "moves down, ";
  if (row.merges_runs) text += "merges runs, ";
  if (row.takes_all_at_once) text += "takes all at once, ";
  if (row.can_ingest_behind) text += "can ingest behind, ";
  if (row.has_only_level0) text += "has only level 0, ";
  if (row.drops_old_files) text += "drops old files, ";
  text += "levels: " + std::to_string(row.fewest_levels) + " or more, ";
  switch (row.periodic) {
    case PeriodicDefault::kNever:
      return text + "periodic: never";
    case PeriodicDefault::kForFilters:
      return text + "periodic: for filters";
    case PeriodicDefault::kAlways:
      break;
  }
  return text + "periodic: always";
}

std::string RunTraitsCase(const ScriptCase& c) {
  EXPECT_EQ(c.command, "traits");
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    const CompactionStyle style = StyleOf(line);
    const CompactionStyleTraits* const row = FindCompactionStyle(style);
    EXPECT_EQ(TraitsOf(style).style,
              row == nullptr ? kCompactionStyleNone : style);
    answers += (row == nullptr ? "-" : TraitText(*row)) + "\n";
  }
  return answers;
}

TEST(CompactionStylesTest, Traits) {
  EXPECT_GE(RunScript("option_scripts/compaction_styles.txt", RunTraitsCase),
            5u);
}

TEST(CompactionStylesTest, EachStyleHasOneRow) {
  for (const auto& [name, style] : EnumNames<CompactionStyle>()) {
    EXPECT_EQ(1, std::count_if(std::begin(kCompactionStyles),
                               std::end(kCompactionStyles),
                               [&](const CompactionStyleTraits& row) {
                                 return row.style == style;
                               }))
        << name;
  }
  EXPECT_EQ(std::size(kCompactionStyles), EnumNames<CompactionStyle>().size());
}

// What two traits say together, of styles that are still to come as well.
TEST(CompactionStylesTest, TraitsFitEachOther) {
  for (const CompactionStyleTraits& row : kCompactionStyles) {
    // Where levels have sizes there is one below level 0.
    EXPECT_TRUE(!row.sizes_levels || row.fewest_levels >= 2);
    // What goes down needs levels to go down to.
    EXPECT_FALSE(row.moves_down && row.has_only_level0);
    EXPECT_FALSE(row.can_ingest_behind && row.has_only_level0);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
