// A range tombstone is written again exactly where something below it, or a
// snapshot, still needs it.
#include "db/semantics/tombstone_survivors.h"

#include <gtest/gtest.h>

#include "tests/db/semantics/compaction_entries.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct SurvivorCase {
  const char* input;
  std::vector<SequenceNumber> snapshots;
  const char* below;  // "none" = nothing is below; "flush" = no compaction
  const char* lower;
  const char* upper;
  const char* output;
  uint64_t gone;
};

TEST(TombstoneSurvivorsTest, Cases) {
  const SurvivorCase cases[] = {
      {"", {}, "flush", "", "", "", 0},
      {"a-c@5", {}, "flush", "", "", "a-c@5", 0},
      {"a-c@5", {}, "none", "", "", "", 1},
      {"a-c@5", {4}, "none", "", "", "a-c@5", 0},
      {"a-c@5", {5}, "none", "", "", "", 1},
      {"a-c@5", {}, "b", "", "", "a-c@5", 0},
      {"a-c@5 e-g@5", {}, "f", "", "", "e-g@5", 1},
      // One of each stripe stays.
      {"a-c@5 a-c@7", {}, "flush", "", "", "a-c@7", 1},
      {"a-c@5 a-c@7", {5}, "flush", "", "", "a-c@7 a-c@5", 0},
      {"a-c@3 a-c@5 a-c@7", {6}, "none", "", "", "a-c@7", 2},
      {"a-d@5 b-c@7", {}, "flush", "", "", "a-b@5 b-c@7 c-d@5", 1},
      // Cut to the range.
      {"a-z@5", {}, "flush", "c", "f", "c-f@5", 0},
      {"a-z@5", {}, "flush", "", "f", "a-f@5", 0},
      {"a-z@5", {}, "flush", "c", "", "c-z@5", 0},
      {"a-c@5 e-g@5", {}, "flush", "c", "e", "", 0},
      {"a-c@5 e-g@5", {}, "flush", "b", "f", "b-c@5 e-f@5", 0},
      {"a-z@5", {}, "q", "a", "c", "", 1},
  };
  for (const SurvivorCase& c : cases) {
    SCOPED_TRACE(c.input);
    const std::string below = c.below;
    RangesBelow ranges;
    if (below != "none") ranges = RangesBelow({{below, below}});
    TombstoneRange range;
    if (*c.lower != '\0') range.lower = c.lower;
    if (*c.upper != '\0') range.upper = c.upper;
    const auto tombstones = TombstonesOf(ParseEntries(c.input));
    std::vector<RangeTombstone> survivors;
    const uint64_t gone =
        AppendSurvivors(*tombstones, range, SnapshotStripes(c.snapshots),
                        below == "flush" ? nullptr : &ranges, &survivors);
    std::string text;
    for (const RangeTombstone& t : survivors) {
      if (!text.empty()) text += ' ';
      text += t.begin.ToString() + "-" + t.end.ToString() + "@" +
              std::to_string(t.sequence);
    }
    EXPECT_EQ(text, c.output);
    EXPECT_EQ(gone, c.gone);
  }
}

TEST(SnapshotStripesTest, Borders) {
  const SnapshotStripes stripes({5, 5, 9});
  EXPECT_EQ(stripes.Of(0), 0);
  EXPECT_EQ(stripes.Of(5), 0);
  EXPECT_EQ(stripes.Of(6), 1);
  EXPECT_EQ(stripes.Of(9), 1);
  EXPECT_EQ(stripes.Of(10), 2);
  EXPECT_EQ(stripes.UpperOf(0), 5);
  EXPECT_EQ(stripes.UpperOf(1), 9);
  EXPECT_EQ(stripes.UpperOf(2), kMaxSequenceNumber);
  EXPECT_EQ(SnapshotStripes().Of(77), 0);
  EXPECT_EQ(SnapshotStripes().UpperOf(0), kMaxSequenceNumber);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
