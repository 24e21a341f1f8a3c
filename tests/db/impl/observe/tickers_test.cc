// A small life of a database, after which every ticker and histogram that
// should have moved has.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TickersTest : public DbFixture {
 protected:
  TickersTest() {
    options_.statistics = CreateDBStatistics();
    options_.compression = kSnappyCompression;
    options_.disable_auto_compactions = true;
    table_.block_size = 1024;
    table_.filter_policy.reset(NewBloomFilterPolicy(10));
    table_.block_cache = NewLRUCache(8 << 20);
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
  }
  static std::string Key(int i) { return "key" + std::to_string(100000 + i); }
  HistogramData Histogram(uint32_t histogram) {
    HistogramData data;
    options_.statistics->histogramData(histogram, &data);
    return data;
  }
  void Live() {
    WriteOptions synced;
    synced.sync = true;
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < 500; ++i) {
        ASSERT_OK(
            Put(Key(i), std::string(100, static_cast<char>('a' + i % 9))));
      }
      ASSERT_OK(db_->Put(synced, Key(500), "x"));
      for (int i = 0; i < 500; i += 5) ASSERT_OK(Delete(Key(i)));
      ASSERT_OK(Flush());
    }
    ASSERT_OK(Put("memory", "m"));
    EXPECT_EQ(Get("memory"), "m");
    for (int i = 1; i < 50; ++i) {
      if (i % 5 != 0) {
        EXPECT_EQ(Get(Key(i)).size(), 100u);
      }
      EXPECT_EQ(Get(Key(i) + "no"), "NOT_FOUND");
    }
    std::vector<std::string> values;
    EXPECT_TRUE(
        db_->MultiGet(ReadOptions(), {Key(1), Key(2)}, &values)[0].ok());
    EXPECT_FALSE(Scan().empty());
    EXPECT_FALSE(ScanBackward().empty());
    ASSERT_OK(db_->VerifyChecksum());
    ASSERT_OK(CompactAll(true));
    for (int i = 1; i < 50; i += 5) EXPECT_EQ(Get(Key(i)).size(), 100u);
  }

  BlockBasedTableOptions table_;
};

// By what Live() does.
const Tickers kMoved[] = {
    BLOCK_CACHE_MISS,
    BLOCK_CACHE_HIT,
    BLOCK_CACHE_ADD,
    BLOCK_CACHE_DATA_MISS,
    BLOCK_CACHE_DATA_HIT,
    BLOCK_CACHE_DATA_ADD,
    BLOCK_CACHE_DATA_BYTES_INSERT,
    BLOCK_CACHE_BYTES_READ,
    BLOCK_CACHE_BYTES_WRITE,
    BLOOM_FILTER_USEFUL,
    BLOOM_FILTER_FULL_POSITIVE,
    BLOOM_FILTER_FULL_TRUE_POSITIVE,
    MEMTABLE_HIT,
    MEMTABLE_MISS,
    GET_HIT_L0,
    GET_HIT_L2_AND_UP,
    COMPACTION_KEY_DROP_NEWER_ENTRY,
    COMPACTION_KEY_DROP_OBSOLETE,
    NUMBER_KEYS_WRITTEN,
    NUMBER_KEYS_READ,
    BYTES_WRITTEN,
    BYTES_READ,
    NUMBER_DB_SEEK,
    NUMBER_DB_NEXT,
    NUMBER_DB_PREV,
    NUMBER_DB_SEEK_FOUND,
    NUMBER_DB_NEXT_FOUND,
    NUMBER_DB_PREV_FOUND,
    ITER_BYTES_READ,
    NUMBER_ITER_SKIP,
    NO_ITERATOR_CREATED,
    NO_ITERATOR_DELETED,
    NO_FILE_OPENS,
    NUMBER_MULTIGET_CALLS,
    NUMBER_MULTIGET_KEYS_READ,
    NUMBER_MULTIGET_KEYS_FOUND,
    NUMBER_MULTIGET_BYTES_READ,
    WAL_FILE_SYNCED,
    WAL_FILE_BYTES,
    WRITE_DONE_BY_SELF,
    WRITE_WITH_WAL,
    COMPACT_READ_BYTES,
    COMPACT_WRITE_BYTES,
    FLUSH_WRITE_BYTES,
    NUMBER_SUPERVERSION_ACQUIRES,
    NUMBER_SUPERVERSION_RELEASES,
    NUMBER_SUPERVERSION_CLEANUPS,
    NUMBER_BLOCK_COMPRESSED,
    NUMBER_BLOCK_DECOMPRESSED,
    BYTES_COMPRESSED_FROM,
    BYTES_COMPRESSED_TO,
    BYTES_DECOMPRESSED_FROM,
    BYTES_DECOMPRESSED_TO,
    BLOCK_CHECKSUM_COMPUTE_COUNT,
    MEMTABLE_PAYLOAD_BYTES_AT_FLUSH,
    MEMTABLE_GARBAGE_BYTES_AT_FLUSH,
    FILES_DELETED_IMMEDIATELY,
    COMPACTION_CPU_TOTAL_TIME,
    VERIFY_CHECKSUM_READ_BYTES,
};

TEST_F(TickersTest, WhatShouldMoveMoves) {
  Open();
  Live();
  Reopen();
  EXPECT_EQ(Get("memory"), "m");
  std::map<uint32_t, std::string> names(TickersNameMap.begin(),
                                        TickersNameMap.end());
  names.insert(OwnTickersNameMap.begin(), OwnTickersNameMap.end());
  for (const Tickers ticker : kMoved) {
    EXPECT_GT(Ticker(ticker), 0u) << names[ticker];
  }
  // Nothing went wrong, so nothing of this sort.
  for (const Tickers ticker :
       {NO_FILE_ERRORS, BLOCK_CHECKSUM_MISMATCH_COUNT, STALL_MICROS,
        ERROR_HANDLER_BG_ERROR_COUNT, COMPACTION_CANCELLED,
        COMPACTION_DIRECT_READ_OPENS, WRITE_DONE_BY_OTHER}) {
    EXPECT_EQ(Ticker(ticker), 0u) << names[ticker];
  }
}

TEST_F(TickersTest, CountsAreExact) {
  Open();
  Live();
  EXPECT_EQ(Ticker(NUMBER_KEYS_WRITTEN), 2u * (500 + 1 + 100) + 1);
  EXPECT_EQ(Histogram(DB_WRITE).count, 2u * (500 + 1 + 100) + 1);
  EXPECT_EQ(Histogram(BYTES_PER_WRITE).sum, Ticker(BYTES_WRITTEN));
  EXPECT_EQ(Ticker(WAL_FILE_SYNCED), 2u);
  EXPECT_EQ(Histogram(WAL_FILE_SYNC_MICROS).count, 2u);
  EXPECT_EQ(Ticker(NUMBER_KEYS_READ), Histogram(DB_GET).count);
  EXPECT_EQ(Histogram(DB_MULTIGET).count, 1u);
  EXPECT_EQ(Histogram(BYTES_PER_MULTIGET).sum, 200u);
  EXPECT_EQ(Ticker(NO_ITERATOR_CREATED), Ticker(NO_ITERATOR_DELETED));
  EXPECT_EQ(Ticker(NO_ITERATOR_CREATED), 2u);
  EXPECT_EQ(Ticker(NUMBER_DB_SEEK), Histogram(DB_SEEK).count);
  // 400 keys, the one that is synced, and the one in memory; the last step of
  // each scan finds nothing.
  EXPECT_EQ(Ticker(NUMBER_DB_NEXT), 402u);
  EXPECT_EQ(Ticker(NUMBER_DB_NEXT_FOUND), 401u);
  EXPECT_EQ(Ticker(NUMBER_DB_PREV), 402u);
  EXPECT_EQ(Ticker(NUMBER_DB_PREV_FOUND), 401u);
}

TEST_F(TickersTest, TimesAndSizesAreInTheirHistograms) {
  Open();
  Live();
  std::map<uint32_t, std::string> names(HistogramsNameMap.begin(),
                                        HistogramsNameMap.end());
  for (const Histograms histogram :
       {DB_GET, DB_WRITE, DB_SEEK, DB_MULTIGET, COMPACTION_TIME,
        COMPACTION_CPU_TIME, FLUSH_TIME, TABLE_OPEN_IO_MICROS,
        WAL_FILE_SYNC_MICROS, BYTES_PER_READ, BYTES_PER_WRITE,
        BYTES_PER_MULTIGET, NUM_FILES_IN_SINGLE_COMPACTION,
        NUM_SUBCOMPACTIONS_SCHEDULED, SST_READ_MICROS,
        FLUSH_MEMTABLE_MEMORY_BYTES, FLUSH_MEMTABLE_TOTAL_DATA_SIZE}) {
    const HistogramData data = Histogram(histogram);
    EXPECT_GT(data.count, 0u) << names[histogram];
    EXPECT_GE(data.max, data.median) << names[histogram];
  }
  // Detailed timers are off unless asked for.
  EXPECT_EQ(Histogram(DECOMPRESSION_TIMES_NANOS).count, 0u);
  options_.statistics->set_stats_level(StatsLevel::kAll);
  Reopen();
  EXPECT_EQ(Get(Key(1)).size(), 100u);
  EXPECT_FALSE(Scan().empty());
  EXPECT_GT(Histogram(DECOMPRESSION_TIMES_NANOS).count, 0u);
}

TEST_F(TickersTest, LevelsTurnTimesAndAllElseOff) {
  options_.statistics->set_stats_level(StatsLevel::kExceptTimers);
  Open();
  Live();
  EXPECT_GT(Ticker(NUMBER_KEYS_READ), 0u);
  EXPECT_EQ(Histogram(DB_GET).count, 0u);
  EXPECT_GT(Histogram(BYTES_PER_READ).count, 0u);
  options_.statistics->set_stats_level(StatsLevel::kDisableAll);
  ASSERT_OK(options_.statistics->Reset());
  EXPECT_EQ(Get(Key(1)).size(), 100u);
  EXPECT_EQ(Ticker(NUMBER_KEYS_READ), 0u);
  EXPECT_EQ(Histogram(BYTES_PER_READ).count, 0u);
}

TEST_F(TickersTest, ThePerfContextFollowsItsLevel) {
  Open();
  Live();
  PerfContext* perf = get_perf_context();
  // A lookup passes empty memtables over.
  ASSERT_OK(Put("in memory", "1"));
  SetPerfLevel(kDisable);
  perf->Reset();
  EXPECT_EQ(Get(Key(1)).size(), 100u);
  EXPECT_EQ(perf->get_from_memtable_count, 0u);
  SetPerfLevel(kEnableCount);
  EXPECT_EQ(Get(Key(1)).size(), 100u);
  EXPECT_FALSE(Scan().empty());
  EXPECT_GT(perf->get_from_memtable_count, 0u);
  EXPECT_EQ(perf->get_read_bytes, 100u);
  EXPECT_GT(perf->block_cache_hit_count, 0u);
  EXPECT_GT(perf->bloom_sst_hit_count, 0u);
  EXPECT_GT(perf->iter_read_bytes, 100u * 400);
  EXPECT_EQ(perf->get_from_output_files_time, 0u);
  EXPECT_EQ(perf->get_from_memtable_time, 0u);
  SetPerfLevel(kEnableTimeAndCPUTimeExceptForMutex);
  EXPECT_EQ(Get(Key(1)).size(), 100u);
  ASSERT_OK(Put(Key(1), "1"));
  EXPECT_GT(perf->get_from_output_files_time, 0u);
  EXPECT_GT(perf->get_from_memtable_time, 0u);
  EXPECT_GT(perf->get_cpu_nanos, 0u);
  EXPECT_GT(perf->write_wal_time, 0u);
  EXPECT_GT(perf->write_memtable_time, 0u);
  SetPerfLevel(kDisable);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
