// How many tables stay open: the room there is for them, whether they are
// pinned, and limits that change.
#include "db/files/open_tables.h"

#include <gtest/gtest.h>

#include "options/db_options.h"

namespace ROCKSDB_NAMESPACE {
namespace {

MutableDBOptions WithLimit(int max_open_files) {
  MutableDBOptions options;
  options.max_open_files = max_open_files;
  return options;
}

TEST(OpenTablesTest, SomeFilesAreLeftForOthers) {
  const ImmutableDBOptions options{DBOptions()};
  const OpenTables tables(options, WithLimit(1000));
  EXPECT_FALSE(tables.pins_readers()->load());
  EXPECT_EQ(tables.cache()->GetCapacity(), 990u);
  // There is room for a few, however few are allowed.
  const OpenTables few(options, WithLimit(12));
  EXPECT_EQ(few.cache()->GetCapacity(), 10u);
}

TEST(OpenTablesTest, WithoutALimitAllArePinned) {
  OpenTables tables(ImmutableDBOptions{DBOptions()}, WithLimit(-1));
  EXPECT_TRUE(tables.pins_readers()->load());
  tables.Apply(WithLimit(500));
  EXPECT_FALSE(tables.pins_readers()->load());
  EXPECT_EQ(tables.cache()->GetCapacity(), 490u);
  // Those in the cache stay there, as many as there were allowed.
  tables.Apply(WithLimit(-1));
  EXPECT_TRUE(tables.pins_readers()->load());
  EXPECT_EQ(tables.cache()->GetCapacity(), 490u);
}

TEST(OpenTablesTest, TheFileSystemIsHelpedWhileThatIsWanted) {
  MutableDBOptions now;
  OpenTables tables(ImmutableDBOptions{DBOptions()}, now);
  EXPECT_FALSE(tables.uses_metadata()->load());
  now.fast_sst_open = true;
  tables.Apply(now);
  EXPECT_TRUE(tables.uses_metadata()->load());
  const OpenTables others(ImmutableDBOptions{DBOptions()}, now);
  EXPECT_TRUE(others.uses_metadata()->load());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
