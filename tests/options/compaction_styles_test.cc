// Every compaction style has one row of traits, and the traits fit each other.
#include "options/compaction_styles.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "options/enum_names.h"

namespace ROCKSDB_NAMESPACE {
namespace {

static_assert(TraitsOf(kCompactionStyleLevel).sizes_levels);
static_assert(TraitsOf(kCompactionStyleFIFO).has_only_level0);
static_assert(TraitsOf(static_cast<CompactionStyle>(9)).style ==
              kCompactionStyleNone);

TEST(CompactionStylesTest, EachStyleHasOneRow) {
  for (const auto& [name, style] : EnumNames<CompactionStyle>()) {
    EXPECT_EQ(1, std::count_if(std::begin(kCompactionStyles),
                               std::end(kCompactionStyles),
                               [&](const CompactionStyleTraits& row) {
                                 return row.style == style;
                               }))
        << name;
    EXPECT_EQ(style, TraitsOf(style).style) << name;
  }
  EXPECT_EQ(std::size(kCompactionStyles), EnumNames<CompactionStyle>().size());
}

TEST(CompactionStylesTest, OneThatIsNotThereDoesNothing) {
  const auto unknown = static_cast<CompactionStyle>(9);
  EXPECT_EQ(nullptr, FindCompactionStyle(unknown));
  EXPECT_EQ(kCompactionStyleNone, TraitsOf(unknown).style);
}

// What two traits say together.
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
