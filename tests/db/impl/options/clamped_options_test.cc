// Values that no engine could use: RocksDB opens with the nearest that can be
// used, so must this one. What was changed stands in the LOG and in
// GetOptions().
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/rate_limiter.h"
#include "tests/db/impl/db_fixture.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct Clamped {
  std::string text;      // what is set
  std::string expected;  // parts of all options as text, joined by '&'
  std::string told;      // part of the LOG; empty: nothing changes
};

const std::vector<Clamped> kClamped{
    {"max_open_files=-5", "max_open_files=20;",
     "max_open_files=-5 is taken as 20"},
    {"max_open_files=0", "max_open_files=20;",
     "max_open_files=0 is taken as 20"},
    {"wal_compression=kSnappyCompression", "wal_compression=kNoCompression;",
     "wal_compression=kSnappyCompression is taken as kNoCompression"},
    {"two_write_queues=true;enable_pipelined_write=true",
     "two_write_queues=true;&enable_pipelined_write=false;",
     "enable_pipelined_write=true is taken as false"},
    {"rate_limiter_bytes_per_sec=1048576;bytes_per_sync=0",
     "bytes_per_sync=1048576;", ""},
    {"rate_limiter_bytes_per_sec=1048576;bytes_per_sync=5", "bytes_per_sync=5;",
     ""},
    {"max_background_flushes=-5;max_background_compactions=-5", "", ""},
    {"num_levels=0", "num_levels=2;", "num_levels=0 is taken as 2"},
    {"num_levels=-5", "num_levels=2;", "num_levels=-5 is taken as 2"},
    {"num_levels=0;compaction_style=kCompactionStyleUniversal", "num_levels=1;",
     "num_levels=0 is taken as 1"},
    {"num_levels=0;compaction_style=kCompactionStyleFIFO", "num_levels=1;",
     "num_levels=0 is taken as 1"},
    {"num_levels=1;compaction_style=kCompactionStyleUniversal;"
     "allow_ingest_behind=true",
     "num_levels=3;", "num_levels=1 is taken as 3"},
    {"num_levels=100", "num_levels=100;", ""},
    {"target_file_size_base=0", "target_file_size_base=0;", ""},
    {"target_file_size_multiplier=-5", "target_file_size_multiplier=-5;", ""},
    {"max_bytes_for_level_base=0", "max_bytes_for_level_base=1;",
     "max_bytes_for_level_base=0 is taken as 1"},
    {"max_bytes_for_level_base=0;compaction_style=kCompactionStyleUniversal",
     "max_bytes_for_level_base=0;", ""},
    {"max_bytes_for_level_multiplier=-5",
     "max_bytes_for_level_multiplier=1.000000;",
     "max_bytes_for_level_multiplier=-5.000000 is taken as 1.000000"},
    {"memtable_prefix_bloom_size_ratio=-1",
     "memtable_prefix_bloom_size_ratio=0.000000;",
     "memtable_prefix_bloom_size_ratio=-1.000000 is taken as 0.000000"},
    {"soft_pending_compaction_bytes_limit=1",
     "soft_pending_compaction_bytes_limit=1;", ""},
    {"hard_pending_compaction_bytes_limit=1",
     "hard_pending_compaction_bytes_limit=1;", ""},
    {"blob_file_starting_level=-1;enable_blob_files=true",
     "blob_file_starting_level=-1;", ""},
    {"blob_garbage_collection_age_cutoff=3", "", ""},
    {"block_based_table_factory={block_restart_interval=0}",
     "block_restart_interval=1;", "block_restart_interval=0 is taken as 1"},
    {"block_based_table_factory={index_block_restart_interval=-1}",
     "index_block_restart_interval=1;",
     "index_block_restart_interval=-1 is taken as 1"},
    {"block_based_table_factory={format_version=0}", "format_version=2;",
     "format_version=0 is taken as 2"},
    {"block_based_table_factory={format_version=1}", "format_version=2;",
     "format_version=1 is taken as 2"},
    {"block_based_table_factory={block_size=0}", "block_size=0;", ""},
    {"block_based_table_factory={index_type=kTwoLevelIndexSearch;"
     "metadata_block_size=0;partition_filters=true;"
     "filter_policy=bloomfilter:10:false}",
     "metadata_block_size=0;", ""},
    {"block_based_table_factory={partition_filters=true;"
     "filter_policy=bloomfilter:10:false}",
     "partition_filters=false;", "partition_filters=true is taken as false"},
    {"block_based_table_factory={initial_auto_readahead_size=1000000;"
     "max_auto_readahead_size=100}",
     "initial_auto_readahead_size=1000000;", ""},
};

class ClampedOptionsTest : public DbFixture {
 protected:
  std::string AllOptions() {
    ConfigOptions config;
    std::string text, families;
    EXPECT_OK(GetStringFromDBOptions(config, db_->GetDBOptions(), &text));
    EXPECT_OK(GetStringFromColumnFamilyOptions(
        config, ColumnFamilyOptions(db_->GetOptions()), &families));
    return ";" + text + families;
  }
  std::string Log() {
    db_.reset();
    std::ifstream log(path_ + "/LOG");
    return std::string(std::istreambuf_iterator<char>(log), {});
  }
  // Three tables, one of which is made of the others.
  void Work() {
    for (int i = 0; i < 2; ++i) {
      for (int k = i; k < 60; k += 2) {
        ASSERT_OK(Put("key" + std::to_string(k), std::string(100, 'v')));
      }
      ASSERT_OK(Flush());
    }
    ASSERT_OK(CompactAll());
    for (int k = 0; k < 60; ++k) {
      ASSERT_EQ(Get("key" + std::to_string(k)), std::string(100, 'v'));
    }
  }
};

TEST_F(ClampedOptionsTest, OpenWithThem) {
  const Options plain = options_;
  for (const Clamped& one : kClamped) {
    SCOPED_TRACE(one.text);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    ASSERT_OK(
        GetOptionsFromString(ConfigOptions(), plain, one.text, &options_));
    const Status opened = TryOpen();
    EXPECT_OK(opened);
    if (!opened.ok()) continue;
    Work();
    const std::string all = AllOptions();
    std::string_view parts = one.expected;
    while (!parts.empty()) {
      const size_t end = parts.find('&');
      const std::string part(parts.substr(0, end));
      EXPECT_NE(all.find(";" + part) == std::string::npos &&
                    all.find("{" + part) == std::string::npos,
                true)
          << part << " is not in " << all;
      parts.remove_prefix(end == parts.npos ? parts.size() : end + 1);
    }
    const std::string log = Log();
    if (one.told.empty()) {
      EXPECT_EQ(log.find(" is taken as "), std::string::npos) << log;
    } else {
      EXPECT_NE(log.find(one.told), std::string::npos) << log;
    }
    Open();
    Work();
  }
}

TEST_F(ClampedOptionsTest, NothingIsToldOfDefaults) {
  Open();
  EXPECT_EQ(Log().find(" is taken as "), std::string::npos);
}

TEST_F(ClampedOptionsTest, AFamilyMadeLaterIsToldOfToo) {
  Open();
  ColumnFamilyOptions family(options_);
  family.num_levels = 0;
  ColumnFamilyHandle* handle = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(family, "later", &handle));
  EXPECT_EQ(db_->GetOptions(handle).num_levels, 2);
  ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
  EXPECT_NE(Log().find("later: num_levels=0 is taken as 2"), std::string::npos);
}

TEST_F(ClampedOptionsTest, TheCallersFactoryStaysAsItIs) {
  BlockBasedTableOptions table;
  table.block_restart_interval = 0;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  const auto* given =
      options_.table_factory->GetOptions<BlockBasedTableOptions>();
  EXPECT_EQ(given->block_restart_interval, 0);
  const auto used = db_->GetOptions().table_factory;
  EXPECT_EQ(used->GetOptions<BlockBasedTableOptions>()->block_restart_interval,
            1);
  // A change of another option keeps the clamped one.
  ASSERT_OK(db_->SetOptions(
      {{"block_based_table_factory", "{block_restart_interval=-3;}"}}));
  Work();
}

TEST_F(ClampedOptionsTest, ACacheThatIsForbiddenIsNotUsed) {
  BlockBasedTableOptions table;
  table.block_cache = NewLRUCache(1 << 20);
  table.no_block_cache = true;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  Work();
  EXPECT_EQ(table.block_cache->GetUsage(), 0u);
}

TEST_F(ClampedOptionsTest, ALimiterFromText) {
  Options made;
  ASSERT_OK(GetOptionsFromString(ConfigOptions(), options_,
                                 "rate_limiter_bytes_per_sec=1048576", &made));
  ASSERT_NE(made.rate_limiter, nullptr);
  EXPECT_EQ(made.rate_limiter->GetBytesPerSecond(), 1048576);
  EXPECT_TRUE(GetOptionsFromString(ConfigOptions(), options_,
                                   "rate_limiter_bytes_per_sec=-1", &made)
                  .IsInvalidArgument());
}

// Only iterators leave the files out.
TEST_F(ClampedOptionsTest, LookupsOfTheMemtableTierReadFiles) {
  Open();
  ASSERT_OK(Put("in a file", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("in memory", "2"));
  ReadOptions options;
  options.read_tier = kMemtableTier;
  std::string value;
  ASSERT_OK(db_->Get(options, "in a file", &value));
  ASSERT_OK(db_->Get(options, "in memory", &value));
  std::vector<std::string> values;
  for (const Status& s :
       db_->MultiGet(options, {"in a file", "in memory"}, &values)) {
    EXPECT_OK(s);
  }
  EXPECT_EQ(Scan(options), "in memory=2 ");
}

TEST_F(ClampedOptionsTest, TheLogIsFlushedAtAnyPriority) {
  options_.rate_limiter.reset(NewGenericRateLimiter(1 << 30));
  options_.manual_wal_flush = true;
  Open();
  for (const Env::IOPriority priority :
       {Env::IO_LOW, Env::IO_MID, Env::IO_HIGH, Env::IO_USER, Env::IO_TOTAL}) {
    SCOPED_TRACE(priority);
    const int64_t before =
        options_.rate_limiter->GetTotalBytesThrough(priority);
    ASSERT_OK(Put("k", "v"));
    FlushWALOptions flush;
    flush.rate_limiter_priority = priority;
    ASSERT_OK(db_->FlushWAL(flush));
    if (priority == Env::IO_TOTAL) continue;
    EXPECT_GT(options_.rate_limiter->GetTotalBytesThrough(priority), before);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
