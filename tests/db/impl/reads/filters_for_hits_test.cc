// optimize_filters_for_hits: the last level has no filters, the others have,
// and every read is as before.

#include "rocksdb/filter_policy.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class FiltersForHitsTest : public DbFixture {
 protected:
  static constexpr int kKeys = 500;

  FiltersForHitsTest() {
    options_.statistics = CreateDBStatistics();
    options_.disable_auto_compactions = true;
    options_.optimize_filters_for_hits = true;
    table_.filter_policy.reset(NewBloomFilterPolicy(10));
  }
  void Start() {
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    Open();
  }
  static std::string Key(int i) { return "key" + std::to_string(1000 + i); }
  void Fill(const std::string& value) {
    for (int i = 0; i < kKeys; ++i) ASSERT_OK(Put(Key(i), value));
    ASSERT_OK(Flush());
  }
  // Bytes of all filters.
  uint64_t FilterBytes() {
    TablePropertiesCollection all;
    EXPECT_OK(db_->GetPropertiesOfAllTables(&all));
    EXPECT_FALSE(all.empty());
    uint64_t bytes = 0;
    for (const auto& [name, properties] : all) bytes += properties->filter_size;
    return bytes;
  }
  uint64_t UsefulFilters() const {
    return options_.statistics->getTickerCount(BLOOM_FILTER_USEFUL);
  }
  void ExpectAll(const std::string& value) {
    for (int i = 0; i < kKeys; ++i) EXPECT_EQ(Get(Key(i)), value);
    EXPECT_EQ(Get("key1000x"), "NOT_FOUND");
    EXPECT_EQ(Get("key1250x"), "NOT_FOUND");
  }

  BlockBasedTableOptions table_;
};

TEST_F(FiltersForHitsTest, TheLastLevelHasNone) {
  for (const bool is_partitioned : {false, true}) {
    if (is_partitioned) {
      table_.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
      table_.partition_filters = true;
      table_.cache_index_and_filter_blocks = true;
      path_ += "-partitioned";
    }
    Start();
    Fill("1");
    EXPECT_GT(FilterBytes(), 0u);
    ASSERT_OK(CompactAll(true));
    EXPECT_EQ(FilterBytes(), 0u);
    const uint64_t useful = UsefulFilters();
    ExpectAll("1");
    EXPECT_EQ(UsefulFilters(), useful);
    // The levels above it have filters, which are asked.
    Fill("2");
    EXPECT_GT(FilterBytes(), 0u);
    ExpectAll("2");
    EXPECT_GT(UsefulFilters(), useful);
    Reopen();
    ExpectAll("2");
  }
}

TEST_F(FiltersForHitsTest, ALevelAboveDataKeepsItsFilters) {
  options_.num_levels = 4;
  options_.level_compaction_dynamic_level_bytes = false;
  Start();
  Fill("1");
  CompactRangeOptions to_last;
  to_last.change_level = true;
  to_last.target_level = 3;
  ASSERT_OK(db_->CompactRange(to_last, nullptr, nullptr));
  Fill("2");
  Fill("3");
  std::vector<std::string> files;
  std::vector<LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  for (const LiveFileMetaData& file : live) {
    if (file.level == 0) files.push_back(file.name);
  }
  ASSERT_EQ(files.size(), 2u);
  ASSERT_OK(db_->CompactFiles(CompactionOptions(), db_->DefaultColumnFamily(),
                              files, 1));
  EXPECT_EQ(FilesAt(1), 1);
  EXPECT_GT(FilterBytes(), 0u);
  ExpectAll("3");
}

TEST_F(FiltersForHitsTest, WithoutItTheLastLevelHasFilters) {
  options_.optimize_filters_for_hits = false;
  Start();
  Fill("1");
  ASSERT_OK(CompactAll(true));
  EXPECT_GT(FilterBytes(), 0u);
  ExpectAll("1");
  EXPECT_GT(UsefulFilters(), 0u);
  // What is written from now on has none; what is there stays good.
  options_.optimize_filters_for_hits = true;
  Reopen();
  EXPECT_GT(FilterBytes(), 0u);
  ExpectAll("1");
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(FilterBytes(), 0u);
  ExpectAll("1");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
