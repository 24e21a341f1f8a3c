// Filters in a block cache that outlives the files they came from.
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class CachedFilterTest : public DbFixture {};

// A filter of a mapped file was cached as a view of the mapping. When the file
// was closed and opened again, the cache gave out the view of before.
TEST_F(CachedFilterTest, OutlivesTheMappingOfItsFile) {
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  table.cache_index_and_filter_blocks = true;
  table.block_cache = NewLRUCache(8 << 20);
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  options_.allow_mmap_reads = true;
  options_.disable_auto_compactions = true;
  const auto key = [](int file, int i) {
    return "key" + std::to_string(file) + "." + std::to_string(i);
  };
  constexpr int kFiles = 4, kKeys = 500;
  Open();
  for (int file = 0; file < kFiles; ++file) {
    for (int i = 0; i < kKeys; ++i) ASSERT_OK(Put(key(file, i), "value"));
    ASSERT_OK(Flush());
  }
  for (int round = 0; round < 3; ++round) {
    for (int file = 0; file < kFiles; ++file) {
      for (int i = 0; i < kKeys; ++i) {
        ASSERT_EQ(Get(key(file, i)), "value") << "round " << round;
      }
    }
    // Other files take the place of the mappings.
    Reopen();
    ASSERT_OK(Put("other" + std::to_string(round), std::string(9000, 'x')));
    ASSERT_OK(Flush());
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
