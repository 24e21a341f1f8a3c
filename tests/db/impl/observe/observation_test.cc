// What operators read off a database: every property by its name, the text
// for Prometheus, the page cache, and where the memory is.
#include "rocksdb/observation.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cache/compressed_secondary_cache.h"
#include "db/observe/prometheus.h"
#include "file/buffer_pool.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/write_buffer_manager.h"
#include "tests/db/impl/direct_fixture.h"
#include "tests/testing/page_cache.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ObservationTest : public DbFixture {
 protected:
  ObservationTest() {
    options_.statistics = CreateDBStatistics();
    options_.disable_auto_compactions = true;
    table_.block_cache = NewLRUCache(8 << 20);
    UseTable();
  }
  void UseTable() {
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
  }
  void Fill(int files, size_t value_bytes = 100) {
    for (int file = 0; file < files; ++file) {
      for (int i = 0; i < 300; ++i) {
        ASSERT_OK(Put("key" + std::to_string(1000 + i),
                      std::string(value_bytes, 'v')));
      }
      ASSERT_OK(Flush());
    }
  }
  std::string Text(const std::string& property) {
    std::string value;
    EXPECT_TRUE(db_->GetProperty(property, &value)) << property;
    return value;
  }
  std::map<std::string, std::string> Map(const std::string& property) {
    std::map<std::string, std::string> map;
    EXPECT_TRUE(db_->GetMapProperty(property, &map)) << property;
    return map;
  }
  uint64_t Number(const std::string& property) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty(property, &value)) << property;
    return value;
  }

  BlockBasedTableOptions table_;
};

// By the names that follow "rocksdb.".
constexpr const char* kIntegerProperties[] = {
    "num-immutable-mem-table",
    "num-immutable-mem-table-flushed",
    "mem-table-flush-pending",
    "compaction-pending",
    "background-errors",
    "cur-size-active-mem-table",
    "cur-size-all-mem-tables",
    "size-all-mem-tables",
    "num-entries-active-mem-table",
    "num-entries-imm-mem-tables",
    "num-deletes-active-mem-table",
    "num-deletes-imm-mem-tables",
    "estimate-num-keys",
    "estimate-table-readers-mem",
    "is-file-deletions-enabled",
    "num-snapshots",
    "oldest-snapshot-time",
    "oldest-snapshot-sequence",
    "num-live-versions",
    "current-super-version-number",
    "estimate-live-data-size",
    "min-log-number-to-keep",
    "min-obsolete-sst-number-to-keep",
    "base-level",
    "total-sst-files-size",
    "live-sst-files-size",
    "obsolete-sst-files-size",
    "estimate-pending-compaction-bytes",
    "num-running-flushes",
    "num-running-compactions",
    "num-running-compaction-sorted-runs",
    "num-unscheduled-compactions",
    "compaction-abort-count",
    "num-blob-files",
    "total-blob-file-size",
    "live-blob-file-size",
    "live-blob-file-garbage-size",
    "actual-delayed-write-rate",
    "is-write-stopped",
    "block-cache-capacity",
    "block-cache-usage",
    "block-cache-pinned-usage",
    "blob-cache-capacity",
    "blob-cache-usage",
    "blob-cache-pinned-usage",
};

TEST_F(ObservationTest, EveryPropertyIsKnownInItsForms) {
  options_.blob_cache = NewLRUCache(1 << 20);
  Open();
  Fill(2);
  // What the flushes leave behind is gone, and nothing moves any more.
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  for (const char* name :
       {"num-files-at-level0", "compression-ratio-at-level0", "levelstats",
        "stats", "cfstats", "cfstats-no-file-histogram", "cf-write-stall-stats",
        "dbstats", "db-write-stall-stats", "block-cache-entry-stats",
        "fast-block-cache-entry-stats", "sstables",
        "aggregated-table-properties", "aggregated-table-properties-at-level0",
        "live-sst-files-size-at-temperature0", "options-statistics",
        "cf-file-histogram", "blob-stats"}) {
    EXPECT_FALSE(Text(std::string("rocksdb.") + name).empty()) << name;
  }
  for (const char* name :
       {"cfstats", "cf-write-stall-stats", "dbstats", "db-write-stall-stats",
        "block-cache-entry-stats", "fast-block-cache-entry-stats",
        "aggregated-table-properties",
        "aggregated-table-properties-at-level0"}) {
    EXPECT_FALSE(Map(std::string("rocksdb.") + name).empty()) << name;
  }
  for (const char* name : kIntegerProperties) {
    const std::string property = std::string("rocksdb.") + name;
    const uint64_t number = Number(property);
    // Counters that the reading itself moves are none of these.
    EXPECT_EQ(Text(property), std::to_string(number)) << name;
    uint64_t sum = 0;
    EXPECT_TRUE(db_->GetAggregatedIntProperty(property, &sum)) << name;
  }
  std::string value;
  EXPECT_FALSE(db_->GetProperty("rocksdb.no-such-property", &value));
  EXPECT_FALSE(db_->GetProperty("rocksdb.num-files-at-level77", &value));
  EXPECT_FALSE(db_->GetProperty(
      "rocksdb.aggregated-table-properties-at-level77", &value));
}

// The constants have the same names.
TEST_F(ObservationTest, NamesAreThoseOfRocksDB) {
  using P = DB::Properties;
  const std::map<std::string, std::string> named = {
      {P::kNumFilesAtLevelPrefix, "num-files-at-level"},
      {P::kCompressionRatioAtLevelPrefix, "compression-ratio-at-level"},
      {P::kAggregatedTablePropertiesAtLevel,
       "aggregated-table-properties-at-level"},
      {P::kLiveSstFilesSizeAtTemperature, "live-sst-files-size-at-temperature"},
      {P::kAggregatedTableProperties, "aggregated-table-properties"},
      {P::kMinObsoleteSstNumberToKeep, "min-obsolete-sst-number-to-keep"},
      {P::kFastBlockCacheEntryStats, "fast-block-cache-entry-stats"},
      {P::kIsFileDeletionsEnabled, "is-file-deletions-enabled"}};
  for (const auto& [constant, name] : named) {
    EXPECT_EQ(constant, "rocksdb." + name);
  }
  Open();
  std::string value;
  for (const char* name :
       {"rocksdb.num-files-at-level", "rocksdb.num-files-at-levelx",
        "rocksdb.num-files-at-level0x",
        "rocksdb.aggregated-table-properties-at-level",
        "rocksdb.aggregated_table_properties_at_level0",
        "rocksdb.compression-ratio-at-level-1", "stats", "rocksdb.", ""}) {
    EXPECT_FALSE(db_->GetProperty(name, &value)) << name;
  }
}

// Range tombstones are entries, and no deletions of keys.
TEST_F(ObservationTest, RangeTombstonesTakeNoKeysAway) {
  Open();
  for (const char* key : {"a", "b", "c"}) ASSERT_OK(Put(key, "value"));
  ASSERT_OK(db_->Delete(WriteOptions(), "a"));
  ASSERT_OK(
      db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "x", "y"));
  EXPECT_EQ(Number("rocksdb.num-entries-active-mem-table"), 5u);
  EXPECT_EQ(Number("rocksdb.num-deletes-active-mem-table"), 1u);
  EXPECT_EQ(Number("rocksdb.estimate-num-keys"), 3u);
}

// What families share counts once.
TEST_F(ObservationTest, AggregatedNumbersCountWhatIsSharedOnce) {
  table_.block_cache = NewLRUCache(1 << 20);
  UseTable();
  options_.blob_cache = NewLRUCache(2 << 20);
  Open();
  ColumnFamilyHandle* shares = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(options_, "shares", &shares));
  table_.block_cache = NewLRUCache(4 << 20);
  UseTable();
  options_.blob_cache = nullptr;
  ColumnFamilyHandle* other = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(options_, "other", &other));
  const auto sum = [this](const std::string& name) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetAggregatedIntProperty("rocksdb." + name, &value))
        << name;
    return value;
  };
  EXPECT_EQ(sum("block-cache-capacity"), 5u << 20);
  EXPECT_EQ(sum("blob-cache-capacity"), 2u << 20);
  for (ColumnFamilyHandle* family : {db_->DefaultColumnFamily(), shares}) {
    ASSERT_OK(db_->Put(WriteOptions(), family, "key", "value"));
    ASSERT_OK(db_->Flush(FlushOptions(), family));
    std::string value;
    ASSERT_OK(db_->Get(ReadOptions(), family, "key", &value));
  }
  uint64_t of_other = 0;
  EXPECT_TRUE(
      db_->GetIntProperty(other, "rocksdb.block-cache-usage", &of_other));
  EXPECT_EQ(sum("block-cache-usage"),
            Number("rocksdb.block-cache-usage") + of_other);
  // The database's own.
  const Snapshot* snapshot = db_->GetSnapshot();
  EXPECT_EQ(sum("num-snapshots"), 1u);
  EXPECT_EQ(sum("oldest-snapshot-sequence"), snapshot->GetSequenceNumber());
  EXPECT_EQ(sum("min-log-number-to-keep"),
            Number("rocksdb.min-log-number-to-keep"));
  EXPECT_EQ(sum("is-file-deletions-enabled"), 1u);
  EXPECT_EQ(sum("min-obsolete-sst-number-to-keep"), UINT64_MAX);
  db_->ReleaseSnapshot(snapshot);
  // Each family's.
  EXPECT_EQ(sum("estimate-num-keys"), 2u);
  EXPECT_EQ(sum("base-level"), 3 * Number("rocksdb.base-level"));
  uint64_t untouched = 7;
  EXPECT_FALSE(db_->GetAggregatedIntProperty("rocksdb.none", &untouched));
  EXPECT_EQ(untouched, 7u);
  for (ColumnFamilyHandle* family : {shares, other}) {
    ASSERT_OK(db_->DestroyColumnFamilyHandle(family));
  }
}

TEST_F(ObservationTest, FileDeletionsAreEnabledUnlessSomebodyForbidsThem) {
  const std::string enabled = "rocksdb.is-file-deletions-enabled";
  Open();
  EXPECT_EQ(Number(enabled), 1u);
  ASSERT_OK(db_->DisableFileDeletions());
  ASSERT_OK(db_->DisableFileDeletions());
  EXPECT_EQ(Number(enabled), 0u);
  ASSERT_OK(db_->EnableFileDeletions());
  EXPECT_EQ(Number(enabled), 0u);
  ASSERT_OK(db_->EnableFileDeletions());
  EXPECT_EQ(Number(enabled), 1u);
}

TEST_F(ObservationTest, OverwritesAreNoLiveData) {
  const std::string live = "rocksdb.estimate-live-data-size";
  options_.disable_auto_compactions = true;
  Open();
  EXPECT_EQ(Number(live), 0u);
  Fill(1);
  const uint64_t once = Number(live);
  EXPECT_EQ(once, Number("rocksdb.live-sst-files-size"));
  Fill(3);
  EXPECT_EQ(Number(live), once);
  ASSERT_OK(CompactAll());
  const uint64_t compacted = Number("rocksdb.live-sst-files-size");
  EXPECT_EQ(Number(live), compacted);
  Fill(1);
  EXPECT_EQ(Number(live), compacted);
  // Keys of their own are live.
  ASSERT_OK(Put("zzz", std::string(100, 'z')));
  ASSERT_OK(Flush());
  EXPECT_GT(Number(live), compacted);
  EXPECT_LT(Number(live), Number("rocksdb.live-sst-files-size"));
}

TEST_F(ObservationTest, TablesOfAllLiveVersionsAreCounted) {
  const std::string total = "rocksdb.total-sst-files-size";
  const std::string live = "rocksdb.live-sst-files-size";
  Open();
  Fill(3);
  const uint64_t before = Number(live);
  EXPECT_EQ(Number(total), before) << "a file counts once";
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  CompactRangeOptions once;
  once.bottommost_level_compaction = BottommostLevelCompaction::kForceOptimized;
  ASSERT_OK(db_->CompactRange(once, nullptr, nullptr));
  const uint64_t after = Number(live);
  EXPECT_LT(after, before);
  EXPECT_EQ(Number(total), before + after) << "the iterator holds a version";
  it.reset();
  EXPECT_EQ(Get("key1000").size(), 100u) << "which lets the old one go";
  EXPECT_EQ(Number(total), after);
}

TEST_F(ObservationTest, LiveVersionsAreThoseOfTheFamily) {
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(options_, "other", &other));
  const std::string name = "rocksdb.num-live-versions";
  uint64_t count = 0;
  ASSERT_TRUE(db_->GetIntProperty(name, &count));
  EXPECT_EQ(count, 1u);
  ASSERT_TRUE(db_->GetIntProperty(other, name, &count));
  EXPECT_EQ(count, 1u);
  ASSERT_OK(db_->Put({}, "a", "1"));
  const std::unique_ptr<Iterator> reader(db_->NewIterator({}));
  ASSERT_OK(db_->Flush({}));
  ASSERT_TRUE(db_->GetIntProperty(name, &count));
  EXPECT_EQ(count, 2u);
  ASSERT_TRUE(db_->GetIntProperty(other, name, &count));
  EXPECT_EQ(count, 1u);
  ASSERT_OK(db_->DestroyColumnFamilyHandle(other));
}

TEST_F(ObservationTest, ReadersInTheTableCacheAreCounted) {
  const std::string readers = "rocksdb.estimate-table-readers-mem";
  table_.filter_policy.reset(NewBloomFilterPolicy(10));
  UseTable();
  options_.max_open_files = 100;
  Open();
  EXPECT_EQ(Number(readers), 0u);
  Fill(3);
  EXPECT_FALSE(Scan().empty());
  const uint64_t cached = Number(readers);
  // Two bytes for each key of a filter and an index, at least.
  EXPECT_GT(cached, 3u * 300 * 2);
  ColumnFamilyHandle* other = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(options_, "other", &other));
  uint64_t of_other = 1;
  EXPECT_TRUE(db_->GetIntProperty(other, readers, &of_other));
  EXPECT_EQ(of_other, 0u) << "each family has its own files";
  ASSERT_OK(db_->Put(WriteOptions(), other, "key", "value"));
  ASSERT_OK(db_->Flush(FlushOptions(), other));
  std::string value;
  ASSERT_OK(db_->Get(ReadOptions(), other, "key", &value));
  EXPECT_TRUE(db_->GetIntProperty(other, readers, &of_other));
  EXPECT_GT(of_other, 0u);
  EXPECT_EQ(Number(readers), cached);
  uint64_t sum = 0;
  EXPECT_TRUE(db_->GetAggregatedIntProperty(readers, &sum));
  EXPECT_EQ(sum, cached + of_other);
  ASSERT_OK(db_->DropColumnFamily(other));
  ASSERT_OK(db_->DestroyColumnFamilyHandle(other));
  options_.max_open_files = -1;
  Reopen();
  EXPECT_FALSE(Scan().empty());
  EXPECT_EQ(Number(readers), cached) << "wherever the readers are";
}

TEST_F(ObservationTest, FilesStayOpenWithinTheirLimit) {
  options_.max_open_files = 100;
  Open();
  Fill(3);
  EXPECT_FALSE(Scan().empty());
  const uint64_t opens = Ticker(NO_FILE_OPENS);
  EXPECT_GE(opens, 3u);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(Scan().empty());
  EXPECT_EQ(Ticker(NO_FILE_OPENS), opens);
}

TEST_F(ObservationTest, CompactionStatsAddUp) {
  Open();
  Fill(3);
  CompactRangeOptions once;
  once.bottommost_level_compaction = BottommostLevelCompaction::kForceOptimized;
  ASSERT_OK(db_->CompactRange(once, nullptr, nullptr));
  const auto map = Map("rocksdb.cfstats");
  EXPECT_EQ(map.at("compaction.L0.NumFiles"), "0.000000");
  EXPECT_EQ(map.at("compaction.Sum.NumFiles"), "1.000000");
  EXPECT_EQ(map.at("compaction.L0.CompCount"), "3.000000") << "flushes";
  EXPECT_EQ(map.at("compaction.L0.KeyIn"), "900.000000") << "flushes";
  EXPECT_EQ(map.at("compaction.Sum.KeyIn"), "1800.000000");
  EXPECT_EQ(map.at("compaction.Sum.KeyDrop"), "600.000000");
  EXPECT_GT(std::stod(map.at("compaction.L0.CompMergeCPU")), 0.0) << "flushes";
  EXPECT_GE(std::stod(map.at("compaction.Sum.CompMergeCPU")),
            std::stod(map.at("compaction.L0.CompMergeCPU")));
  for (const char* figure :
       {"NumFiles",   "CompactedFiles", "SizeBytes", "Score",
        "ReadGB",     "RnGB",           "Rnp1GB",    "WriteGB",
        "WPreCompGB", "WnewGB",         "MovedGB",   "WriteAmp",
        "ReadMBps",   "WriteMBps",      "CompSec",   "CompMergeCPU",
        "CompCount",  "AvgSec",         "KeyIn",     "KeyDrop"}) {
    EXPECT_EQ(map.count(std::string("compaction.L1.") + figure), 1u) << figure;
    EXPECT_EQ(map.count(std::string("compaction.Sum.") + figure), 1u) << figure;
  }
  EXPECT_GT(std::stod(map.at("compaction.Sum.WPreCompGB")), 0.0);
  const std::string text = Text("rocksdb.stats");
  for (const char* part :
       {"** Compaction Stats [default] **", "W-Amp", "CompMergeCPU(sec)",
        " Sum ", "** DB Stats **", "Uptime(secs)", "Cumulative writes:",
        "Cumulative WAL:", "Cumulative stall:", "Interval writes:"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST_F(ObservationTest, ReadsOfFilesAreTimedByLevel) {
  options_.level_compaction_dynamic_level_bytes = false;
  table_.block_cache = nullptr;
  table_.no_block_cache = true;
  UseTable();
  Open();
  const std::string level0 = "** Level 0 read latency histogram (micros):";
  const std::string level1 = "** Level 1 read latency histogram (micros):";
  const auto tells = [&](const std::string& property, const std::string& of) {
    return Text("rocksdb." + property).find(of) != std::string::npos;
  };
  Fill(1);
  EXPECT_EQ(Get("key1000").size(), 100u);
  EXPECT_TRUE(tells("cf-file-histogram", level0));
  EXPECT_TRUE(tells("cf-file-histogram", "[default]"));
  EXPECT_FALSE(tells("cf-file-histogram", level1));
  EXPECT_TRUE(tells("cfstats", level0));
  EXPECT_FALSE(tells("cfstats-no-file-histogram", level0));
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(FilesAt(1), 1);
  EXPECT_EQ(Get("key1000").size(), 100u);
  EXPECT_TRUE(tells("cf-file-histogram", level1));
}

TEST_F(ObservationTest, TheWritePathIsCountedWithoutStatistics) {
  options_.statistics = nullptr;
  Open();
  WriteOptions synced, unlogged;
  synced.sync = true;
  unlogged.disableWAL = true;
  WriteBatch batch;
  for (int i = 0; i < 5; ++i) ASSERT_OK(batch.Put(std::to_string(i), "v"));
  ASSERT_OK(db_->Write(synced, &batch));
  ASSERT_OK(db_->Put(unlogged, "a", "b"));
  auto map = Map("rocksdb.dbstats");
  EXPECT_EQ(map.at("db.user_keys_written"), "6");
  EXPECT_EQ(map.at("db.user_writes_by_self"), "2");
  EXPECT_EQ(map.at("db.user_writes_by_other"), "0");
  EXPECT_EQ(map.at("db.user_writes_with_wal"), "1");
  EXPECT_EQ(map.at("db.wal_syncs"), "1");
  EXPECT_EQ(map.at("db.wal_bytes_written"),
            std::to_string(batch.GetDataSize()));
  ASSERT_OK(db_->ResetStats());
  EXPECT_EQ(Map("rocksdb.dbstats").at("db.user_keys_written"), "0");
}

// Until something is synced, all writes wait for the next one.
TEST_F(ObservationTest, WritesPerSyncAreToldBeforeTheFirstSync) {
  Open();
  EXPECT_NE(Text("rocksdb.dbstats").find("WAL: 0 writes, 0 syncs, 0.00 writes"),
            std::string::npos);
  for (int i = 0; i < 3; ++i) ASSERT_OK(Put("a", "1"));
  std::string text = Text("rocksdb.dbstats");
  EXPECT_NE(text.find("Cumulative WAL: 3 writes, 0 syncs, 3.00 writes"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Interval WAL: 3 writes, 0 syncs, 3.00 writes"),
            std::string::npos)
      << text;
  WriteOptions synced;
  synced.sync = true;
  ASSERT_OK(db_->Put(synced, "a", "2"));
  text = Text("rocksdb.dbstats");
  EXPECT_NE(text.find("Cumulative WAL: 4 writes, 1 syncs, 4.00 writes"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Interval WAL: 1 writes, 1 syncs, 1.00 writes"),
            std::string::npos)
      << text;
}

// Whoever asks meanwhile, and whichever groups end at the same time.
TEST_F(ObservationTest, NoWriteOfManyThreadsIsLost) {
  constexpr int kThreads = 4, kWrites = 2000;
  for (const bool is_pipelined : {false, true}) {
    options_.enable_pipelined_write = is_pipelined;
    options_.two_write_queues = !is_pipelined;
    Reopen();
    std::atomic<int> writing{kThreads};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([this, t, &writing] {
        WriteBatch marker;
        EXPECT_OK(marker.PutLogData("marker"));
        for (int i = 0; i < kWrites; ++i) {
          EXPECT_OK(Put(std::to_string(t), "v"));
          EXPECT_OK(db_->Write(WriteOptions(), &marker));
        }
        --writing;
      });
    }
    while (writing.load() > 0) {
      const auto map = Map("rocksdb.dbstats");
      EXPECT_GE(std::stoull(map.at("db.user_writes_by_self")), 0u);
    }
    for (std::thread& thread : threads) thread.join();
    const auto map = Map("rocksdb.dbstats");
    const auto number = [&map](const char* name) {
      return std::stoull(map.at(std::string("db.") + name));
    };
    constexpr uint64_t kAll = uint64_t{kThreads} * kWrites;
    EXPECT_EQ(number("user_keys_written"), kAll);
    EXPECT_EQ(number("user_writes_with_wal"), 2 * kAll);
    // Two queues have one of their own for what goes to the log alone.
    EXPECT_EQ(number("user_writes_by_self") + number("user_writes_by_other"),
              is_pipelined ? 2 * kAll : kAll);
  }
}

TEST_F(ObservationTest, TheBlockCacheIsToldByRole) {
  Open();
  Fill(1);
  EXPECT_EQ(Get("key1000"), std::string(100, 'v'));
  const auto map = Map("rocksdb.block-cache-entry-stats");
  EXPECT_EQ(map.at("capacity"), std::to_string(8 << 20));
  EXPECT_GT(std::stoull(map.at("count.data-block")), 0u);
  EXPECT_GT(std::stoull(map.at("bytes.data-block")), 100u);
  EXPECT_GT(std::stod(map.at("percent.data-block")), 0.0);
  for (const char* key :
       {"id", "secs_for_last_collection", "secs_since_last_collection",
        "count.index-block", "bytes.filter-block", "percent.misc"}) {
    EXPECT_EQ(map.count(key), 1u) << key;
  }
}

// RocksDB keeps them there, too: MemoryUtil and its users rely on a cache in
// use.
TEST_F(ObservationTest, TheCacheOfAnEmptyDatabaseHoldsItsStats) {
  BlockBasedTableOptions table;
  table.block_cache = NewLRUCache(1 << 20);
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  const size_t usage = table.block_cache->GetUsage();
  EXPECT_GT(usage, 0u);
  EXPECT_EQ(table.block_cache->GetPinnedUsage(), usage);
  ColumnFamilyHandle* another = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "another", &another).ok());
  EXPECT_EQ(table.block_cache->GetUsage(), usage);
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(another).ok());
  db_.reset();
  EXPECT_EQ(table.block_cache->GetPinnedUsage(), 0u);
}

// "name{labels} value" of every sample, and "# TYPE" by metric.
struct Exposition {
  std::map<std::string, double> samples;
  std::map<std::string, std::string> types;
};

Exposition ParseExposition(const std::string& text) {
  Exposition result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("# HELP ", 0) == 0) continue;
    if (line.rfind("# TYPE ", 0) == 0) {
      std::istringstream words(line.substr(7));
      std::string metric, type;
      words >> metric >> type;
      EXPECT_TRUE(result.types.emplace(metric, type).second) << metric;
      continue;
    }
    const size_t space = line.rfind(' ');
    const size_t brace = line.find('{');
    EXPECT_NE(space, std::string::npos) << line;
    EXPECT_NE(brace, std::string::npos) << line;
    if (space == std::string::npos || brace == std::string::npos) continue;
    EXPECT_EQ(line.substr(0, brace).find_first_not_of(
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                  "0123456789_"),
              std::string::npos)
        << line;
    EXPECT_TRUE(
        result.samples
            .emplace(line.substr(0, space), std::stod(line.substr(space + 1)))
            .second)
        << line;
  }
  return result;
}

TEST_F(ObservationTest, PrometheusReadsItAll) {
  options_.blob_cache = NewLRUCache(1 << 20);
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(ColumnFamilyOptions(), "other", &other));
  Fill(1);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Get("key1000").size(), 100u);
  std::string text;
  ASSERT_OK(GetPrometheusText(db_.get(), &text));
  const Exposition found = ParseExposition(text);
  const std::string db = "db=\"" + path_ + "\"";
  EXPECT_EQ(found.types.at("rocksdb_number_keys_written_total"), "counter");
  EXPECT_EQ(found.samples.at("rocksdb_number_keys_written_total{" + db + "}"),
            300.0);
  ForEachTicker(*options_.statistics, [&](Tickers, const std::string& name) {
    std::string metric = name + "_total";
    for (char& c : metric) c = c == '.' || c == '-' ? '_' : c;
    EXPECT_EQ(found.types.count(metric), 1u) << metric;
  });
  // A histogram: buckets that only grow, the last of which is the count.
  EXPECT_EQ(found.types.at("rocksdb_db_get_micros"), "histogram");
  const double count =
      found.samples.at("rocksdb_db_get_micros_count{" + db + "}");
  EXPECT_EQ(count, 10.0);
  EXPECT_EQ(
      found.samples.at("rocksdb_db_get_micros_bucket{" + db + ",le=\"+Inf\"}"),
      count);
  size_t buckets = 0;
  for (const auto& [sample, value] : found.samples) {
    if (sample.rfind("rocksdb_db_get_micros_bucket", 0) != 0) continue;
    ++buckets;
    EXPECT_LE(value, count);
  }
  EXPECT_GT(buckets, 1u);
  // Gauges of each family.
  const std::string gauge = "rocksdb_block_cache_capacity{" + db + ",cf=";
  EXPECT_EQ(found.types.at("rocksdb_block_cache_capacity"), "gauge");
  EXPECT_EQ(found.samples.at(gauge + "\"default\"}"), double(8 << 20));
  EXPECT_EQ(found.samples.count(gauge + "\"other\"}"), 1u);
  for (const char* name : kIntegerProperties) {
    std::string metric = std::string("rocksdb_") + name;
    std::replace(metric.begin(), metric.end(), '-', '_');
    EXPECT_EQ(found.types.count(metric), 1u) << metric;
    EXPECT_EQ(found.samples.count(metric + "{" + db + ",cf=\"default\"}"), 1u)
        << metric;
  }
  EXPECT_EQ(found.samples.at("rocksdb_blob_cache_capacity{" + db +
                             ",cf=\"default\"}"),
            double(1 << 20));
  EXPECT_EQ(found.samples.count("rocksdb_blob_cache_capacity{" + db +
                                ",cf=\"other\"}"),
            0u)
      << "it has none";
  ASSERT_OK(db_->DestroyColumnFamilyHandle(other));
}

TEST(PrometheusWriter, EscapesNames) {
  std::string text;
  PrometheusWriter writer("a\"b\\c\nd", &text);
  writer.WriteGauges("rocksdb.some-thing", {{"cf", 7}});
  writer.WriteGauges("rocksdb.nothing", {});
  EXPECT_EQ(text,
            "# HELP rocksdb_some_thing rocksdb.some-thing\n"
            "# TYPE rocksdb_some_thing gauge\n"
            "rocksdb_some_thing{db=\"a\\\"b\\\\c\\nd\",cf=\"cf\"} 7\n");
}

TEST_F(ObservationTest, AClosedDatabaseTellsNothing) {
  Open();
  Fill(1);
  ASSERT_OK(db_->Close());
  std::string text;
  MemoryReport report;
  EXPECT_TRUE(GetPrometheusText(db_.get(), &text).IsShutdownInProgress());
  EXPECT_TRUE(GetMemoryReport(db_.get(), &report).IsShutdownInProgress());
  for (const char* property :
       {"basalt.page-cache", "basalt.memory", "rocksdb.stats",
        "rocksdb.block-cache-entry-stats",
        "rocksdb.aggregated-table-properties"}) {
    EXPECT_FALSE(db_->GetProperty(property, &text)) << property;
  }
}

TEST_F(ObservationTest, ThePageCacheIsToldByLevel) {
  SKIP_WITHOUT_PAGE_CACHE(directory_);
  Open();
  Fill(4, 4000);
  auto map = Map(ObservedProperties::kPageCache);
  EXPECT_EQ(map.at("level0.files"), "4");
  const uint64_t bytes = std::stoull(map.at("level0.bytes"));
  EXPECT_GT(bytes, 4u * 300 * 4000);
  EXPECT_EQ(map.at("level1.files"), "0");
  EXPECT_EQ(map.at("level1.bytes"), "0");
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 4u);
  std::vector<std::unique_ptr<MappedFile>> mapped;
  for (const LiveFileMetaData& file : files) {
    mapped.push_back(std::make_unique<MappedFile>(file.directory + "/" +
                                                  file.relative_filename));
    mapped.back()->DropPages();
  }
  const auto expect_resident = [this](uint64_t wanted) {
    const auto now = Map(ObservedProperties::kPageCache);
    EXPECT_EQ(now.at("level0.resident-bytes"), std::to_string(wanted));
    EXPECT_EQ(now.at("level1.resident-bytes"), "0");
    char megabytes[32];
    (void)snprintf(megabytes, sizeof(megabytes), "%12.2f\n",
                   static_cast<double>(wanted) / 1048576.0);
    const std::string text = Text(ObservedProperties::kPageCache);
    EXPECT_NE(text.find("Resident(MB)"), std::string::npos);
    EXPECT_NE(text.find(megabytes), std::string::npos) << text;
  };
  expect_resident(0);
  mapped[1]->ReadAll();
  expect_resident(files[1].size);
  mapped[3]->ReadAll();
  expect_resident(files[1].size + files[3].size);
  mapped[1]->DropPages();
  expect_resident(files[3].size);
  for (const auto& file : mapped) file->ReadAll();
  expect_resident(bytes);
}

class EphemeralReadersTest : public DirectFixture {};

TEST_F(EphemeralReadersTest, AreCountedNowAndAtMost) {
  Open();
  MakeTree();
  uint64_t now = 1, peak = 0;
  ASSERT_OK(CompactTree());
  EXPECT_TRUE(db_->GetIntProperty(ObservedProperties::kEphemeralReaders, &now));
  EXPECT_TRUE(
      db_->GetIntProperty(ObservedProperties::kEphemeralReadersPeak, &peak));
  EXPECT_EQ(now, 0u);
  // Three of level 0, and one for each deeper level at a time, or two while
  // the next is being opened.
  EXPECT_GE(peak, 3u);
  EXPECT_LE(peak, 3u + 2 * 2);
  // The operating system knows nothing of files in memory.
  std::string text;
  EXPECT_FALSE(db_->GetProperty(ObservedProperties::kPageCache, &text));
}

TEST_F(ObservationTest, TheMemoryReportCountsNothingTwice) {
  table_.block_cache = NewLRUCache(64 << 20);
  UseTable();
  options_.write_buffer_manager =
      std::make_shared<WriteBufferManager>(64 << 20, table_.block_cache);
  options_.enable_blob_files = true;
  options_.blob_cache = NewLRUCache(64 << 20);
  Open();
  const std::string value(10'000, 'v');
  for (int i = 0; i < 800; ++i)
    ASSERT_OK(Put("key" + std::to_string(i), value));
  MemoryReport report;
  ASSERT_OK(GetMemoryReport(db_.get(), &report));
  EXPECT_GT(report.memtables, 8'000'000u);
  EXPECT_GT(table_.block_cache->GetUsage(), 8'000'000u);
  EXPECT_LT(report.block_cache, 1'000'000u);
  EXPECT_EQ(report.blob_cache, options_.blob_cache->GetUsage());
  ASSERT_OK(Flush());
  for (int i = 0; i < 800; ++i)
    EXPECT_EQ(Get("key" + std::to_string(i)), value);
  ASSERT_OK(GetMemoryReport(db_.get(), &report));
  EXPECT_GT(report.blob_cache, 8'000'000u);
  EXPECT_EQ(report.blob_cache, options_.blob_cache->GetUsage());

  options_.blob_cache = table_.block_cache;
  options_.row_cache = NewLRUCache(64 << 20);
  Open();
  for (int i = 0; i < 800; ++i)
    EXPECT_EQ(Get("key" + std::to_string(i)), value);
  ASSERT_OK(GetMemoryReport(db_.get(), &report));
  EXPECT_EQ(report.blob_cache, 0u) << "it is the block cache";
  EXPECT_GT(report.block_cache, 8'000'000u);
  EXPECT_EQ(report.row_cache, options_.row_cache->GetUsage());
}

TEST_F(ObservationTest, TheMemoryReportKnowsSecondaryCaches) {
  CompressedSecondaryCacheOptions after;
  after.capacity = 4 << 20;
  const auto behind = std::make_shared<CompressedSecondaryCache>(after);
  LRUCacheOptions before;
  before.capacity = 64 << 10;
  before.num_shard_bits = 0;
  before.secondary_cache = behind;
  table_.block_cache = before.MakeSharedCache();
  UseTable();
  // One behind two counts once.
  options_.blob_cache = before.MakeSharedCache();
  Open();
  Fill(1, 4000);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(Scan().empty());
  EXPECT_GT(behind->GetUsage(), 5000u);
  MemoryReport report;
  ASSERT_OK(GetMemoryReport(db_.get(), &report));
  EXPECT_EQ(report.secondary_cache, behind->GetUsage());
  EXPECT_EQ(Map(ObservedProperties::kMemory).at("secondary-cache"),
            std::to_string(behind->GetUsage()));
  EXPECT_LE(report.block_cache, 64u << 10);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// What the allocator has given out, and what is mapped beside it.
uint64_t HeldBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST_F(ObservationTest, TheMemoryReportAddsUp) {
  constexpr size_t kMemTable = 48 << 20, kCache = 64 << 20;
  options_.write_buffer_size = 2 * kMemTable;
  table_.block_cache = nullptr;
  UseTable();
  Open();
  // Data for the cache first, and the noise of a first time.
  std::string value;
  Random64 random(3);
  for (int i = 0; i < 20000; ++i) {
    value.clear();
    while (value.size() < 4000) {
      value += static_cast<char>('a' + random.Uniform(26));
    }
    ASSERT_OK(Put("cached" + std::to_string(100000 + i), value));
    if (i % 10000 == 9999) ASSERT_OK(Flush());
  }
  Reopen();
  db_.reset();
  malloc_trim(0);
  const uint64_t before = HeldBytes();
  if (before == 0) GTEST_SKIP() << "this allocator does not count";
  MemoryReport report;
  {
    table_.block_cache = NewLRUCache(kCache);
    UseTable();
    Open();
    {
      const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
      }
      EXPECT_OK(it->status());
    }
    value.assign(1000, 'm');
    for (size_t i = 0; i * 1000 < kMemTable; ++i) {
      ASSERT_OK(Put("memory" + std::to_string(i), value));
    }
    std::vector<BufferLease> leases;
    for (int i = 0; i < 8; ++i) {
      leases.push_back(
          BufferPool::Default()->Acquire(BufferPool::kSlabBytes, &leases));
    }
    ASSERT_OK(GetMemoryReport(db_.get(), &report));
    const uint64_t held = HeldBytes() - before;
    EXPECT_GT(report.memtables, kMemTable);
    EXPECT_GT(report.block_cache, kCache * 9 / 10);
    EXPECT_GE(report.buffer_pool, 8 * BufferPool::kSlabBytes);
    EXPECT_GT(report.Total(), held * 9 / 10) << report.ToString() << held;
    EXPECT_LT(report.Total(), held * 11 / 10) << report.ToString() << held;
  }
  const auto map = Map(ObservedProperties::kMemory);
  uint64_t sum = 0;
  for (const auto& [name, bytes] : map) {
    if (name != "total") sum += std::stoull(bytes);
  }
  EXPECT_EQ(std::to_string(sum), map.at("total"));
}

// Keys without a common length and letters that no codec makes shorter.
class EveryCacheTest : public ObservationTest {
 protected:
  static constexpr int kRows = 12000, kBlobs = 3000, kTiny = 150'000;

  static std::string KeyOf(const char* kind, int i) {
    return kind + std::to_string(1'000'000 + i);
  }
  void PutAll(const char* kind, int count, size_t value_bytes) {
    std::string value;
    Random64 random(7);
    for (int i = 0; i < count; ++i) {
      value.clear();
      while (value.size() < value_bytes) {
        value += static_cast<char>(random.Next());
      }
      ASSERT_OK(Put(KeyOf(kind, i), value));
    }
    ASSERT_OK(Flush());
  }
  // Small values; large ones, which are blobs; and as many blocks as entries,
  // for an index that takes memory.
  void FillAll() {
    options_.enable_blob_files = true;
    options_.min_blob_size = 1000;
    table_.block_size = 1;
    UseTable();
    Open();
    PutAll("tiny", kTiny, 8);
    table_.block_size = 4096;
    UseTable();
    Reopen();
    PutAll("row", kRows, 900);
    PutAll("blob", kBlobs, 4000);
    db_.reset();
  }
  void UseEveryCache() {
    LRUCacheOptions small;
    small.capacity = 2 << 20;
    CompressedSecondaryCacheOptions behind;
    behind.capacity = 32 << 20;
    small.secondary_cache = behind.MakeSharedSecondaryCache();
    table_.block_cache = small.MakeSharedCache();
    UseTable();
    options_.row_cache = NewLRUCache(32 << 20);
    options_.blob_cache = NewLRUCache(32 << 20);
  }
  void ReadAll() {
    for (int i = 0; i < kBlobs; ++i) {
      EXPECT_EQ(Get(KeyOf("blob", i)).size(), 4000u);
    }
    for (int i = 0; i < kRows; ++i) {
      EXPECT_EQ(Get(KeyOf("row", i)).size(), 900u);
    }
    // Blocks go behind the cache when they leave it a second time.
    for (int round = 0; round < 3; ++round) {
      const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
      int count = 0;
      for (it->Seek("row"); it->Valid() && it->key().starts_with("row");
           it->Next()) {
        ++count;
      }
      EXPECT_EQ(count, kRows);
    }
  }
};

TEST_F(EveryCacheTest, TheMemoryReportAddsUp) {
  table_.block_cache = nullptr;
  ASSERT_NO_FATAL_FAILURE(FillAll());
  table_ = BlockBasedTableOptions();
  UseTable();
  malloc_trim(0);
  const uint64_t before = HeldBytes();
  if (before == 0) GTEST_SKIP() << "this allocator does not count";
  UseEveryCache();
  Open();
  ReadAll();
  MemoryReport report;
  ASSERT_OK(GetMemoryReport(db_.get(), &report));
  const uint64_t held = HeldBytes() - before;
  constexpr uint64_t kMiB = 1 << 20;
  EXPECT_GT(report.table_readers, 4 * kMiB);
  EXPECT_GT(report.blob_cache, uint64_t{kBlobs} * 4000);
  EXPECT_GT(report.row_cache, uint64_t{kRows} * 900);
  EXPECT_GT(report.secondary_cache, 4 * kMiB);
  EXPECT_GT(report.Total(), held * 9 / 10) << report.ToString() << held;
  EXPECT_LT(report.Total(), held * 11 / 10) << report.ToString() << held;
}
#endif

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
