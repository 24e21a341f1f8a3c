// How many bytes of a version are live, by the ranges of its tables.
#include "db/version/size_estimate.h"

#include <gtest/gtest.h>

#include "db/version/version_storage.h"
#include "tests/db/manifest/manifest_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct EstimatedTable {
  int level;
  const char* smallest;
  const char* largest;
  uint64_t bytes;
};

// Of level 0 the later are the newer.
uint64_t LiveBytes(const std::vector<EstimatedTable>& tables) {
  static const InternalKeyComparator order(BytewiseComparator());
  std::vector<std::vector<FileRef>> levels(4);
  uint64_t number = 0;
  for (const EstimatedTable& table : tables) {
    ++number;
    levels[table.level].push_back(
        NewFileMeta(number, table.smallest, table.largest, number));
    levels[table.level].back()->size_bytes = table.bytes;
  }
  VersionStorage storage(&order, 4);
  EXPECT_TRUE(storage.Build(std::move(levels), true).ok());
  return EstimateLiveTableBytes(storage);
}

TEST(LiveBytesTest, OldestSortedRunsCount) {
  EXPECT_EQ(LiveBytes({}), 0u);
  EXPECT_EQ(LiveBytes({{0, "a", "c", 5}}), 5u);
  EXPECT_EQ(LiveBytes({{3, "a", "c", 100}, {1, "b", "b", 5}}), 100u);
  EXPECT_EQ(LiveBytes({{3, "a", "c", 100}, {1, "c", "d", 5}}), 100u);
  EXPECT_EQ(LiveBytes({{3, "b", "c", 100}, {1, "a", "b", 5}}), 100u);
  EXPECT_EQ(LiveBytes({{3, "b", "c", 100}, {1, "a", "d", 5}}), 100u);
  // Between what is deeper there is room.
  EXPECT_EQ(LiveBytes({{3, "a", "b", 100},
                       {3, "e", "f", 10},
                       {2, "c", "d", 5},
                       {0, "g", "g", 1},
                       {0, "d", "g", 1000}}),
            116u);
  // In level 0 the older ones count.
  EXPECT_EQ(LiveBytes({{0, "a", "z", 100}, {0, "b", "c", 5}}), 100u);
  EXPECT_EQ(LiveBytes({{0, "b", "c", 5}, {0, "a", "z", 100}}), 5u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
