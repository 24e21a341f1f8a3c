// How many tables stay open: the room there is for them, whether they are
// pinned, and limits that change.
#include "db/files/open_tables.h"

#include <gtest/gtest.h>

#include "options/db_options.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(OpenTablesTest, SomeFilesAreLeftForOthers) {
  const ImmutableDBOptions options{DBOptions()};
  const OpenTables tables(options, 1000);
  EXPECT_FALSE(tables.pins_readers()->load());
  EXPECT_EQ(tables.cache()->GetCapacity(), 990u);
  // There is room for a few, however few are allowed.
  const OpenTables few(options, 12);
  EXPECT_EQ(few.cache()->GetCapacity(), 10u);
}

TEST(OpenTablesTest, WithoutALimitAllArePinned) {
  OpenTables tables(ImmutableDBOptions{DBOptions()}, -1);
  EXPECT_TRUE(tables.pins_readers()->load());
  tables.SetLimit(500);
  EXPECT_FALSE(tables.pins_readers()->load());
  EXPECT_EQ(tables.cache()->GetCapacity(), 490u);
  // Those in the cache stay there, as many as there were allowed.
  tables.SetLimit(-1);
  EXPECT_TRUE(tables.pins_readers()->load());
  EXPECT_EQ(tables.cache()->GetCapacity(), 490u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
