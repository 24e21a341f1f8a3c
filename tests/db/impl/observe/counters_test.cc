// Every counter of the reference counts in some database of a world, or stands
// in a list of those that have nothing to count here, with the reason. Neither
// may change without the other.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/iostats_context.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "tests/db/impl/observe/counter_lives.h"
#include "tests/db/impl/observe/counter_troubles.h"

namespace ROCKSDB_NAMESPACE {
namespace {

template <class Counter>
struct Uncounted {
  const char* reason;
  std::vector<Counter> counters;
};

const Uncounted<uint32_t> kUncountedTickers[] = {
    {"a dictionary stays with its open table, in no cache",
     {BLOCK_CACHE_COMPRESSION_DICT_MISS, BLOCK_CACHE_COMPRESSION_DICT_HIT,
      BLOCK_CACHE_COMPRESSION_DICT_ADD,
      BLOCK_CACHE_COMPRESSION_DICT_BYTES_INSERT,
      BLOCK_CACHE_COMPRESSION_DICT_ADD_REDUNDANT}},
    {"a cache does not tell whether it had the block already",
     {BLOCK_CACHE_ADD_REDUNDANT, BLOCK_CACHE_INDEX_ADD_REDUNDANT,
      BLOCK_CACHE_FILTER_ADD_REDUNDANT, BLOCK_CACHE_DATA_ADD_REDUNDANT}},
    {"caches of other kinds have tests of their own, or are not built",
     {SECONDARY_CACHE_HITS, SECONDARY_CACHE_FILTER_HITS,
      SECONDARY_CACHE_INDEX_HITS, SECONDARY_CACHE_DATA_HITS,
      COMPRESSED_SECONDARY_CACHE_DUMMY_HITS, COMPRESSED_SECONDARY_CACHE_HITS,
      COMPRESSED_SECONDARY_CACHE_PROMOTIONS,
      COMPRESSED_SECONDARY_CACHE_PROMOTION_SKIPS, PERSISTENT_CACHE_HIT,
      PERSISTENT_CACHE_MISS, SIM_BLOCK_CACHE_HIT, SIM_BLOCK_CACHE_MISS,
      ROW_CACHE_HIT, ROW_CACHE_MISS}},
    {"read_amp_bytes_per_bit is off",
     {READ_AMP_ESTIMATE_USEFUL_BYTES, READ_AMP_TOTAL_READ_BYTES}},
    {"properties always come with the open table",
     {NUMBER_DIRECT_LOAD_TABLE_PROPERTIES}},
    {"of the stacked BlobDB, which is no part of this",
     {BLOB_DB_NUM_PUT,
      BLOB_DB_NUM_WRITE,
      BLOB_DB_NUM_GET,
      BLOB_DB_NUM_MULTIGET,
      BLOB_DB_NUM_SEEK,
      BLOB_DB_NUM_NEXT,
      BLOB_DB_NUM_PREV,
      BLOB_DB_NUM_KEYS_WRITTEN,
      BLOB_DB_NUM_KEYS_READ,
      BLOB_DB_BYTES_WRITTEN,
      BLOB_DB_BYTES_READ,
      BLOB_DB_WRITE_INLINED_DEPRECATED,
      BLOB_DB_WRITE_INLINED_TTL_DEPRECATED,
      BLOB_DB_WRITE_BLOB,
      BLOB_DB_WRITE_BLOB_TTL,
      BLOB_DB_BLOB_INDEX_EXPIRED_COUNT,
      BLOB_DB_BLOB_INDEX_EXPIRED_SIZE,
      BLOB_DB_BLOB_INDEX_EVICTED_COUNT,
      BLOB_DB_BLOB_INDEX_EVICTED_SIZE,
      BLOB_DB_GC_NUM_FILES,
      BLOB_DB_GC_FAILURES,
      BLOB_DB_FIFO_NUM_FILES_EVICTED,
      BLOB_DB_FIFO_NUM_KEYS_EVICTED,
      BLOB_DB_FIFO_BYTES_EVICTED}},
    {"transactions have tests of their own, or are not built",
     {TXN_PREPARE_MUTEX_OVERHEAD, TXN_OLD_COMMIT_MAP_MUTEX_OVERHEAD,
      TXN_DUPLICATE_KEY_OVERHEAD, TXN_SNAPSHOT_MUTEX_OVERHEAD,
      TXN_GET_TRY_AGAIN}},
    {"backups have tests of their own, or are not built",
     {BACKUP_READ_BYTES, BACKUP_WRITE_BYTES}},
    {"an iterator does not tell its tables which of their entries it showed",
     {LAST_LEVEL_SEEK_DATA_USEFUL_NO_FILTER,
      LAST_LEVEL_SEEK_DATA_USEFUL_FILTER_MATCH,
      NON_LAST_LEVEL_SEEK_DATA_USEFUL_NO_FILTER,
      NON_LAST_LEVEL_SEEK_DATA_USEFUL_FILTER_MATCH}},
    {"there are no coroutines", {MULTIGET_COROUTINE_COUNT}},
    {"no file system is asked to repair what it has read",
     {FILE_READ_CORRUPTION_RETRY_COUNT,
      FILE_READ_CORRUPTION_RETRY_SUCCESS_COUNT}},
    {"there are no indexes of users", {SST_USER_DEFINED_INDEX_LOAD_FAIL_COUNT}},
    {"fast_sst_open is not built",
     {FILE_OPEN_METADATA_RETRIEVED, FILE_OPEN_METADATA_PASSED}},
    {"no value is resolved later than it is read",
     {BLOB_DB_LAZY_READ_COUNT, BLOB_DB_LAZY_READ_BYTES,
      BLOB_DB_LAZY_PARTIAL_READ_COUNT, BLOB_DB_LAZY_PARTIAL_BYTES_SAVED}},
};

const Uncounted<uint32_t> kUncountedHistograms[] = {
    {"of the stacked BlobDB, which is no part of this",
     {BLOB_DB_KEY_SIZE, BLOB_DB_VALUE_SIZE, BLOB_DB_WRITE_MICROS,
      BLOB_DB_GET_MICROS, BLOB_DB_MULTIGET_MICROS, BLOB_DB_SEEK_MICROS,
      BLOB_DB_NEXT_MICROS, BLOB_DB_PREV_MICROS}},
    {"each table fetches its own index and filter",
     {NUM_INDEX_AND_FILTER_BLOCKS_READ_PER_LEVEL}},
    {"transactions have tests of their own, or are not built",
     {NUM_OP_PER_TRANSACTION}},
    {"a dispatcher of reads gives out memory, and reads nothing itself",
     {IO_DISPATCHER_ASYNC_READ_OBSERVED_COMPLETION_MICROS,
      IO_DISPATCHER_ASYNC_READ_POLL_WAIT_MICROS,
      IO_DISPATCHER_ASYNC_READ_PREFETCH_LEAD_MICROS}},
    {"uniform_cv_threshold is a hint", {BLOCK_KEY_DISTRIBUTION_CV}},
};

const Uncounted<std::string> kUncountedPerf[] = {
    {"caches of other kinds have tests of their own, or are not built",
     {"block_cache_standalone_handle_count", "block_cache_real_handle_count",
      "secondary_cache_hit_count", "compressed_sec_cache_insert_real_count",
      "compressed_sec_cache_insert_dummy_count",
      "compressed_sec_cache_uncompressed_bytes",
      "compressed_sec_cache_compressed_bytes"}},
    {"a dictionary stays with its open table, in no cache",
     {"block_cache_compression_dict_read_byte"}},
    {"the merging iterator stands below the contexts",
     {"seek_child_seek_time", "seek_min_heap_time", "seek_max_heap_time"}},
    {"filters of memtables have tests of their own, or are not built",
     {"bloom_memtable_hit_count", "bloom_memtable_miss_count"}},
    {"transactions have tests of their own, or are not built",
     {"key_lock_wait_time", "key_lock_wait_count"}},
    {"there is no encrypted Env", {"encrypt_data_nanos", "decrypt_data_nanos"}},
    {"tables are sought in one after the other", {"number_async_seek"}},
};

template <class Counter, size_t n>
std::map<Counter, std::string> ReasonsOf(const Uncounted<Counter> (&lists)[n]) {
  std::map<Counter, std::string> reasons;
  for (const Uncounted<Counter>& list : lists) {
    for (const Counter& counter : list.counters) {
      EXPECT_TRUE(reasons.emplace(counter, list.reason).second) << counter;
    }
  }
  return reasons;
}

// Exactly those without a reason have counted.
template <class Counter>
void Check(const std::string& name, uint64_t count, const Counter& counter,
           const std::map<Counter, std::string>& reasons) {
  const auto found = reasons.find(counter);
  if (found == reasons.end()) {
    EXPECT_GT(count, 0u) << name << " has not counted";
  } else {
    EXPECT_EQ(count, 0u) << name << " has counted, although " << found->second;
  }
}

// "name = value, ..." as the contexts print themselves.
std::map<std::string, uint64_t> Parse(const std::string& text) {
  std::map<std::string, uint64_t> values;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(", ", at), text.size());
    const size_t equals = text.find(" = ", at);
    EXPECT_LT(equals, end) << text.substr(at, end - at);
    values[text.substr(at, equals - at)] =
        std::stoull(text.substr(equals + 3, end - equals - 3));
    at = end + 2;
  }
  return values;
}

class CountersTest : public ::testing::Test {
 protected:
  CountersTest() {
    SetPerfLevel(kEnableTime);
    get_perf_context()->Reset();
    get_perf_context()->EnablePerLevelPerfContext();
    get_iostats_context()->Reset();
  }
  ~CountersTest() override {
    get_perf_context()->ClearPerLevelPerfContext();
    SetPerfLevel(kDisable);
  }
  void LiveOn() {
    SlowWritersDown(world_);
    LiveAsATable(world_);
    LiveByPrefix(world_);
    LiveByMerging(world_);
    LiveByDeleting(world_);
    LiveInPlace(world_);
    WaitAtTheMutex(world_);
    LiveByDropping(world_);
    LiveOverAGap(world_);
    LiveInBlobs(world_);
    LiveWithCodecs(world_);
    LiveInThePast(world_);
    LiveReadingAhead(world_);
    LiveScanningRanges(world_);
    LiveByIngesting(world_);
    LiveAtTemperatures(world_);
    CallATimedEnv(world_);
    LiveByLongLog(world_);
    FillMemtables(world_);
    WriteForEachOther(world_);
    LimitTheRate(world_);
    EmptyTheTrash(world_);
    ReadPastTheCache(world_);
    StopCompactions(world_);
    BeDamaged(world_);
    LoseTheManifest(world_);
    RecoverFromAFault(world_);
    MakeLogsAhead(world_);
    ReadWithoutHelp(world_);
    CompactElsewhere(world_);
    // Last: from here on the clock is hours ahead.
    GrowOld(&world_);
    DropTheOldest(&world_);
  }
  void CheckStatistics() {
    const Statistics& statistics = *world_.statistics();
    // Basalt's own (OwnTickersNameMap) are told of by the tests of what they
    // count.
    const auto tickers = ReasonsOf(kUncountedTickers);
    for (const auto& [ticker, name] : TickersNameMap) {
      Check<uint32_t>(name, statistics.getTickerCount(ticker), ticker, tickers);
    }
    const auto histograms = ReasonsOf(kUncountedHistograms);
    for (const auto& [histogram, name] : HistogramsNameMap) {
      if (histogram > OPEN_AND_COMPACT_DB_OPEN_MICROS) break;
      HistogramData data;
      statistics.histogramData(histogram, &data);
      Check<uint32_t>(name, data.count, histogram, histograms);
    }
  }
  void CheckContexts() {
    PerfContext perf = *get_perf_context();
    const auto levels = std::move(perf.level_to_perf_context);
    perf.per_level_perf_context_enabled = false;
    const auto reasons = ReasonsOf(kUncountedPerf);
    for (const auto& [name, value] : Parse(perf.ToString())) {
      Check(name, value, name, reasons);
    }
    ASSERT_NE(levels, nullptr);
    PerfContextByLevel sum;
    for (const auto& [level, counts] : *levels) {
      sum.bloom_filter_useful += counts.bloom_filter_useful;
      sum.bloom_filter_full_positive += counts.bloom_filter_full_positive;
      sum.bloom_filter_full_true_positive +=
          counts.bloom_filter_full_true_positive;
      sum.user_key_return_count += counts.user_key_return_count;
      sum.get_from_table_nanos += counts.get_from_table_nanos;
      sum.block_cache_hit_count += counts.block_cache_hit_count;
      sum.block_cache_miss_count += counts.block_cache_miss_count;
    }
    EXPECT_GT(levels->size(), 1u);
    EXPECT_GT(sum.bloom_filter_useful, 0u);
    EXPECT_GT(sum.bloom_filter_full_positive, 0u);
    EXPECT_GT(sum.bloom_filter_full_true_positive, 0u);
    EXPECT_GT(sum.user_key_return_count, 0u);
    EXPECT_GT(sum.get_from_table_nanos, 0u);
    EXPECT_GT(sum.block_cache_hit_count, 0u);
    EXPECT_GT(sum.block_cache_miss_count, 0u);
    const std::map<std::string, std::string> none;
    for (const auto& [name, value] : Parse(get_iostats_context()->ToString())) {
      Check(name, value, name, none);
    }
  }

  CounterWorld world_;
};

TEST_F(CountersTest, EveryOneCountsOrIsKnownNotTo) {
  LiveOn();
  CheckStatistics();
  CheckContexts();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
