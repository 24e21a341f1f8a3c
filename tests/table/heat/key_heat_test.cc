// The heat of several files is found by key, whatever order keys are asked in,
// with what the page cache holds.
#include "table/heat/key_heat.h"

#include <gtest/gtest.h>

#include "rocksdb/comparator.h"

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

class KeyHeatTest : public ::testing::Test {
 protected:
  KeyHeat heat_{InternalKeyComparator(BytewiseComparator())};
};

TEST_F(KeyHeatTest, NothingIsCold) {
  heat_.Add({});
  EXPECT_TRUE(heat_.empty());
  EXPECT_EQ(heat_.Of("a", "z").heat, 0u);
}

TEST_F(KeyHeatTest, TheHottestOfAFileCounts) {
  heat_.Add({HeatedRange("b", "d", 3), HeatedRange("d", "f", 9),
             HeatedRange("m", "p", 1)});
  EXPECT_EQ(heat_.Of("a", "b").heat, 0u);
  EXPECT_EQ(heat_.Of("b", "c").heat, 3u);
  EXPECT_EQ(heat_.Of("c", "e").heat, 9u);
  EXPECT_EQ(heat_.Of("f", "m").heat, 0u);
  EXPECT_EQ(heat_.Of("m", "z").heat, 1u);
  EXPECT_EQ(heat_.Of("z", "zz").heat, 0u);
}

TEST_F(KeyHeatTest, TheHottestFileCounts) {
  heat_.Add({HeatedRange("b", "f", 3)});
  heat_.Add({HeatedRange("d", "h", 2)});
  EXPECT_EQ(heat_.Of("b", "c").heat, 3u);
  EXPECT_EQ(heat_.Of("c", "e").heat, 3u);
  EXPECT_EQ(heat_.Of("f", "g").heat, 2u);
}

// Blocks hold the keys behind the one before: the border belongs to the first.
TEST_F(KeyHeatTest, TheFirstKeyOfAFileIsInItsFirstBlock) {
  HeatRange first = HeatedRange("b", "d", 4);
  heat_.Add({first});
  EXPECT_EQ(heat_.Of("a", "b").heat, 0u);
  first.begins_at = true;
  KeyHeat other{InternalKeyComparator(BytewiseComparator())};
  other.Add({first});
  EXPECT_EQ(other.Of("a", "b").heat, 4u);
}

TEST_F(KeyHeatTest, CachedIfAnyOfThemIs) {
  HeatRange cached = HeatedRange("d", "f", 1);
  cached.is_cached = true;
  heat_.Add({HeatedRange("b", "d", 3), cached});
  EXPECT_FALSE(heat_.Of("b", "c").is_cached);
  EXPECT_TRUE(heat_.Of("c", "e").is_cached);
}

TEST_F(KeyHeatTest, WholeThenPartsThenAnew) {
  heat_.Add({HeatedRange("b", "c", 3), HeatedRange("e", "f", 5)});
  EXPECT_EQ(heat_.Of("a", "g").heat, 5u);
  EXPECT_EQ(heat_.Of("a", "c").heat, 3u);
  EXPECT_EQ(heat_.Of("c", "g").heat, 5u);
  EXPECT_EQ(heat_.Of("g", "h").heat, 0u);
  heat_.Restart();
  EXPECT_EQ(heat_.Of("a", "c").heat, 3u);
}

TEST_F(KeyHeatTest, BytesOfWhatIsRead) {
  EXPECT_EQ(heat_.bytes(), 0u);
  heat_.Add({HeatedRange("b", "d", 3), HeatedRange("d", "f", 5)});
  heat_.Add({HeatedRange("a", "z", 1)});
  EXPECT_EQ(heat_.bytes(), 300u);
}

TEST_F(KeyHeatTest, ResidentIfAnyOfThemIs) {
  HeatRange resident = HeatedRange("d", "f", 0);
  resident.is_resident = true;
  heat_.Add({HeatedRange("b", "d", 2), resident});
  heat_.Add({HeatedRange("e", "h", 1)});
  EXPECT_FALSE(heat_.Of("b", "c").is_resident);
  EXPECT_FALSE(heat_.Of("b", "c").is_cold());
  EXPECT_TRUE(heat_.Of("c", "e").is_resident);
  EXPECT_FALSE(heat_.Of("d", "e").is_cold());
  EXPECT_FALSE(heat_.Of("f", "g").is_resident);
  EXPECT_TRUE(heat_.Of("h", "i").is_cold());
}

// Files of a sorted run, one by one, and then files of another.
TEST_F(KeyHeatTest, RunsOfFilesAreAskedAsAWhole) {
  heat_.Add({HeatedRange("b", "d", 1)});
  heat_.Add(
      {HeatedRange("d", "f", 2)});  // its border belongs to the one before
  heat_.Add({HeatedRange("g", "h", 3), HeatedRange("k", "m", 4)});
  heat_.Add({HeatedRange("a", "c", 5)});
  heat_.Add({HeatedRange("l", "n", 6)});
  EXPECT_EQ(heat_.Of("a", "b").heat, 5u);
  EXPECT_EQ(heat_.Of("c", "d").heat, 1u);
  EXPECT_EQ(heat_.Of("d", "e").heat, 2u);
  EXPECT_EQ(heat_.Of("f", "g").heat, 0u);
  EXPECT_EQ(heat_.Of("g", "h").heat, 3u);
  EXPECT_EQ(heat_.Of("k", "l").heat, 4u);
  EXPECT_EQ(heat_.Of("l", "m").heat, 6u);
  EXPECT_EQ(heat_.Of("n", "z").heat, 0u);
}

TEST_F(KeyHeatTest, OtherOrders) {
  KeyHeat reverse{InternalKeyComparator(ReverseBytewiseComparator())};
  reverse.Add({HeatedRange("p", "m", 2)});
  EXPECT_EQ(reverse.Of("z", "p").heat, 0u);
  EXPECT_EQ(reverse.Of("p", "n").heat, 2u);
  EXPECT_EQ(reverse.Of("m", "a").heat, 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
