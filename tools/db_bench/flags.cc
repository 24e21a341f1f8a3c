#include "tools/db_bench/flags.h"

#include <limits>
#include <string>

#include "tools/db_bench/expiry.h"
#include "tools/db_bench/following.h"
#include "tools/db_bench/refused_flags.h"
#include "tools/db_bench/targets.h"

// The whole list of the reference tool. Without --benchmarks, those of them
// that this program has are run.
DEFINE_string(
    benchmarks,
    "fillseq,fillseqdeterministic,fillsync,fillrandom,"
    "filluniquerandomdeterministic,overwrite,readrandom,newiterator,"
    "newiteratorwhilewriting,seekrandom,seekrandomwhilewriting,"
    "seekrandomwhilemerging,readseq,readreverse,compact,compactall,flush,"
    "compact0,compact1,waitforcompaction,multireadrandom,multiscan,"
    "multiscanrandom,mixgraph,readseq,readtorowcache,readtocache,readreverse,"
    "readwhilewriting,readwhilemerging,readwhilescanning,"
    "readrandomwriterandom,updaterandom,xorupdaterandom,"
    "approximatesizerandom,randomwithverify,fill100K,crc32c,xxhash,xxhash64,"
    "xxh3,compress,uncompress,acquireload,fillseekseq,randomtransaction,"
    "randomreplacekeys,timeseries,getmergeoperands,readrandomoperands,backup,"
    "restore,openandcompact,approximatememtablestats",
    "Benchmarks to run, in order, separated by commas. [X<n>] after a name "
    "runs it n times and prints averages, [W<n>] first runs it n times to "
    "warm up, [X<n>-W<n>] does both.");
DEFINE_string(db, "",
              "Directory of the database. Empty: dbbench in the engine's "
              "directory for tests.");
DEFINE_int64(num, 1000000, "Keys in the key space, and operations a thread.");
DEFINE_int64(reads, -1, "Reads of each thread. Negative: --num.");
DEFINE_int64(writes, -1, "Writes of each thread. Negative: --num.");
DEFINE_int64(bgwriter_num, 0,
             "Key space of the background writer of the whilewriting "
             "benchmarks. 0: --num.");
DEFINE_int32(threads, 1, "Threads that run each benchmark.");
DEFINE_int32(duration, 0,
             "Seconds that each random benchmark runs. 0: by operations.");
DEFINE_int32(ops_between_duration_checks, 1000,
             "Operations between two looks at the clock under --duration.");
DEFINE_int64(seed, 0, "Seed of all random choices. 0: drawn from the clock.");
DEFINE_int32(key_size, 16, "Bytes of a key.");
DEFINE_int32(value_size, 100, "Bytes of a value of fixed size.");
DEFINE_int32(value_size_min, 100, "Smallest value of the other sizes.");
DEFINE_int32(value_size_max, 102400, "Largest value of the other sizes.");
DEFINE_string(value_size_distribution_type, "fixed",
              "Sizes of values: fixed, uniform or normal.");
DEFINE_double(compression_ratio, 0.5,
              "Values are made to shrink to about this part of their size.");
DEFINE_int64(batch_size, 1, "Keys in one write batch or one MultiGet.");
DEFINE_bool(use_existing_db, false,
            "Keep the database that is there, instead of destroying it.");
DEFINE_bool(use_existing_keys, false,
            "Draw keys from those in the database, read when it is opened. "
            "Needs --use_existing_db.");
DEFINE_bool(readonly, false, "Open the database for reading only.");
DEFINE_bool(transaction_db, false, "Open it with transactions that lock.");
DEFINE_bool(optimistic_transaction_db, false,
            "Open it with optimistic transactions.");
DEFINE_uint64(transaction_sets, 2,
              "Keys that a transaction of randomtransaction changes, each of a "
              "set of its own.");
DEFINE_bool(transaction_set_snapshot, false,
            "Those transactions begin with a snapshot.");
DEFINE_int32(transaction_sleep, 0,
             "Microseconds that they wait before they commit.");
DEFINE_uint64(transaction_lock_timeout, 100,
              "Milliseconds that they wait for a lock.");
DEFINE_string(options_file, "",
              "Take the options from this OPTIONS file; flags that are given "
              "as well win.");
DEFINE_string(merge_operator, "",
              "put, uint64add, or a name that the engine knows.");
DEFINE_int32(prefix_size, 0,
             "Leading bytes of a key that are its prefix. 0: none has one.");

DEFINE_bool(verify_checksum, true, "Verify block checksums in reads.");
DEFINE_int32(readahead_size, 0, "Read-ahead of iterators. 0: automatic.");
DEFINE_bool(async_io, false, "Iterators and MultiGet read ahead beside work.");
DEFINE_bool(total_order_seek, false, "Iterators ignore prefix filters.");
DEFINE_bool(prefix_same_as_start, false,
            "Iterators end where the prefix of the key sought does.");
DEFINE_bool(auto_prefix_mode, false,
            "Iterators use prefix filters where that changes no result.");
DEFINE_bool(use_tailing_iterator, false, "Seek on tailing iterators.");
DEFINE_double(overwrite_skew, 0.0,
              "Exponent of the Zipf distribution of the keys that overwrite "
              "takes. 0: all alike.");
DEFINE_bool(sync, false, "Sync the log after each write.");
DEFINE_bool(disable_wal, false, "Write without the log.");

DEFINE_int32(readwritepercent, 90,
             "Of a hundred operations of readrandomwriterandom and "
             "randomwithverify, those that read.");
DEFINE_int32(deletepercent, 2,
             "Of a hundred operations of randomwithverify, those that delete.");
DEFINE_int32(mergereadpercent, 70,
             "Of a hundred operations of readrandommergerandom, those that "
             "read.");
DEFINE_int64(merge_keys, -1,
             "Keys that the benchmarks of merges draw from. Negative: --num.");
DEFINE_int64(numdistinct, 1000,
             "Groups of ten keys that randomwithverify draws from.");

DEFINE_int32(seek_nexts, 0, "Entries read after each seek.");
DEFINE_bool(reverse_iterator, false, "Go backwards after each seek.");
DEFINE_bool(multiread_batched, false, "Use the MultiGet over arrays.");
DEFINE_int64(multiread_stride, 0,
             "Distance of the keys in one MultiGet. 0: each key is random.");
DEFINE_int64(multiscan_size, 10, "Ranges of one scan of several.");
DEFINE_int64(multiscan_stride, 100,
             "Keys from the beginning of a range of multiscan to that of the "
             "next.");
DEFINE_bool(multiscan_use_async_io, false,
            "Scans of several ranges fetch blocks beside the walk.");
DEFINE_uint64(multiscan_coalesce_threshold, 16384,
              "Bytes between two blocks that such a scan still reads at once.");
DEFINE_uint64(multiscan_max_prefetch_size, 0,
              "Bytes of a file that such a scan fetches ahead. 0: the engine's "
              "limit.");
DEFINE_uint64(io_dispatcher_max_prefetch_memory_bytes, 0,
              "Bytes that all such scans together fetch ahead. 0: no limit.");

DEFINE_uint64(benchmark_write_rate_limit, 0,
              "Bytes a second that the writers may write. 0: no limit.");
DEFINE_uint64(benchmark_read_rate_limit, 0,
              "Operations a second that the readers may do. 0: no limit.");

DEFINE_uint64(rate_limiter_bytes_per_sec, 0,
              "Bytes a second that flushes and compactions may write. "
              "0: no limit.");
DEFINE_int64(rate_limiter_refill_period_us, 100000,
             "Microseconds after which that limiter hands out more.");
DEFINE_bool(rate_limiter_auto_tuned, false,
            "That limiter follows the demand, up to its limit.");

DEFINE_int64(cache_size, 33554432, "Bytes of the block cache. 0: none.");
DEFINE_string(cache_type, "hyper_clock_cache",
              "Kind of block cache: hyper_clock_cache or lru_cache.");
DEFINE_int32(cache_numshardbits, -1, "log2 of cache shards. -1: automatic.");
DEFINE_double(cache_high_pri_pool_ratio, 0.0,
              "Part of an LRU cache kept for high-priority blocks.");
DEFINE_double(cache_low_pri_pool_ratio, 0.0,
              "Part of an LRU cache kept for low-priority blocks.");
DEFINE_int64(row_cache_size, 0, "Bytes of the row cache. 0: none.");
DEFINE_bool(file_checksum, false,
            "Keep a checksum of each whole file, for verifyfilechecksums.");
DEFINE_bool(use_blob_cache, false, "Cache blobs.");
DEFINE_bool(use_shared_block_and_blob_cache, true,
            "In the block cache, rather than in a cache of their own.");
DEFINE_uint64(blob_cache_size, 8388608, "Bytes of that cache of their own.");
DEFINE_int32(blob_cache_numshardbits, 6, "log2 of its shards.");
DEFINE_int32(bloom_bits, -1,
             "Bits of the Bloom filter for each key. 0 or less: no filter.");

DEFINE_bool(histogram, false, "Print histograms of operation times.");
DEFINE_bool(statistics, false, "Count with Statistics; print them last.");
DEFINE_int32(stats_level, 3, "Detail of --statistics, as in StatsLevel.");
DEFINE_int32(perf_level, 1, "Detail of the PerfContext, as in PerfLevel.");
DEFINE_int64(stats_interval, 0,
             "Report progress every so many operations of a thread. 0: off.");
DEFINE_int64(stats_interval_seconds, 0,
             "Report progress every so many seconds. 0: off.");
DEFINE_int32(stats_per_interval, 0,
             "Above 0: print the engine's statistics with each report.");
DEFINE_int32(thread_status_per_interval, 0,
             "Above 0: print what all threads do just then with each report; "
             "the engine keeps track of them for it.");
DEFINE_bool(progress_reports, true,
            "Count operations on stderr while a benchmark runs.");
DEFINE_int64(report_interval_seconds, 0,
             "Write operations per second to --report_file every so many "
             "seconds. 0: off.");
DEFINE_string(report_file, "report.csv", "Where those reports go.");
DEFINE_bool(report_latencies, false,
            "Add P50, P99, P99.9 and the longest time of each interval to "
            "--report_file, in microseconds.");
DEFINE_bool(confidence_interval_only, false,
            "Of repeated runs print the 95 % confidence interval.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

struct FlagRange {
  const char* flag;
  int64_t value;
  int64_t least;
  int64_t most;
};

std::string CheckRange(const FlagRange& range) {
  if (range.value >= range.least && range.value <= range.most) return "";
  std::string text = "--" + std::string(range.flag) + "=" +
                     std::to_string(range.value) + ": must be at least " +
                     std::to_string(range.least);
  if (range.most != kNoLimit) {
    text += " and at most " + std::to_string(range.most);
  }
  return text;
}

std::string CheckFraction(const char* flag, double value) {
  if (value >= 0.0 && value <= 1.0) return "";
  return "--" + std::string(flag) + "=" + std::to_string(value) +
         ": must be from 0 to 1";
}

std::string CheckSkew(double skew) {
  if (skew >= 0.0 && skew <= 10.0) return "";
  return "--overwrite_skew=" + std::to_string(skew) + ": must be from 0 to 10";
}

std::string CheckChoice(const char* flag, const std::string& value,
                        std::initializer_list<const char*> choices) {
  std::string known;
  for (const char* choice : choices) {
    if (value == choice) return "";
    known += known.empty() ? "" : ", ";
    known += choice;
  }
  return "--" + std::string(flag) + "=" + value + ": must be one of " + known;
}

std::string CheckDistribution() {
  const std::string& type = FLAGS_value_size_distribution_type;
  if (CheckChoice("", type, {"fixed", "uniform", "normal"}).empty()) return "";
  return "Cannot parse distribution type '" + type + "'";
}

std::string CheckRanges() {
  const FlagRange ranges[] = {
      {"num", FLAGS_num, 1, kNoLimit},
      {"reads", FLAGS_reads, -1, kNoLimit},
      {"writes", FLAGS_writes, -1, kNoLimit},
      {"bgwriter_num", FLAGS_bgwriter_num, 0, kNoLimit},
      {"threads", FLAGS_threads, 1, 10000},
      {"duration", FLAGS_duration, 0, kNoLimit},
      {"ops_between_duration_checks", FLAGS_ops_between_duration_checks, 1,
       kNoLimit},
      {"seed", FLAGS_seed, 0, kNoLimit},
      {"key_size", FLAGS_key_size, 1, 65536},
      {"prefix_size", FLAGS_prefix_size, 0, FLAGS_key_size},
      {"value_size", FLAGS_value_size, 0, 1 << 30},
      {"value_size_min", FLAGS_value_size_min, 0, 1 << 30},
      {"value_size_max", FLAGS_value_size_max, FLAGS_value_size_min, 1 << 30},
      {"batch_size", FLAGS_batch_size, 1, 1 << 24},
      {"readahead_size", FLAGS_readahead_size, 0, kNoLimit},
      {"seek_nexts", FLAGS_seek_nexts, 0, kNoLimit},
      {"readwritepercent", FLAGS_readwritepercent, 0, 100},
      {"deletepercent", FLAGS_deletepercent, 0, 100},
      {"mergereadpercent", FLAGS_mergereadpercent, 0, 100},
      {"numdistinct", FLAGS_numdistinct, 1, 1 << 30},
      {"row_cache_size", FLAGS_row_cache_size, 0, kNoLimit},
      {"multiread_stride", FLAGS_multiread_stride, 0, kNoLimit},
      {"multiscan_size", FLAGS_multiscan_size, 1, 1 << 20},
      {"multiscan_stride", FLAGS_multiscan_stride, 1, kNoLimit},
      {"cache_size", FLAGS_cache_size, 0, kNoLimit},
      {"cache_numshardbits", FLAGS_cache_numshardbits, -1, 19},
      {"blob_cache_numshardbits", FLAGS_blob_cache_numshardbits, -1, 19},
      {"bloom_bits", FLAGS_bloom_bits, -1, 100},
      {"num_high_pri_threads", FLAGS_num_high_pri_threads, 0, 10000},
      {"num_low_pri_threads", FLAGS_num_low_pri_threads, 0, 10000},
      {"num_bottom_pri_threads", FLAGS_num_bottom_pri_threads, 0, 10000},
      {"stats_level", FLAGS_stats_level, 0, 5},
      {"perf_level", FLAGS_perf_level, 1, 6},
      {"stats_interval", FLAGS_stats_interval, 0, kNoLimit},
      {"stats_interval_seconds", FLAGS_stats_interval_seconds, 0, kNoLimit},
      {"stats_per_interval", FLAGS_stats_per_interval, 0, kNoLimit},
      {"thread_status_per_interval", FLAGS_thread_status_per_interval, 0,
       kNoLimit},
      {"rate_limiter_refill_period_us", FLAGS_rate_limiter_refill_period_us, 1,
       kNoLimit},
      {"report_interval_seconds", FLAGS_report_interval_seconds, 0, kNoLimit},
  };
  for (const FlagRange& range : ranges) {
    if (std::string error = CheckRange(range); !error.empty()) return error;
  }
  return "";
}

// The numbers of the key space are written into the first eight bytes of a
// key, so shorter keys can tell fewer numbers apart.
std::string CheckKeySpace() {
  const int64_t largest = std::max(FLAGS_num, FLAGS_bgwriter_num);
  if (FLAGS_key_size >= 8) return "";
  const int64_t distinct = int64_t{1} << (8 * FLAGS_key_size);
  if (largest <= distinct) return "";
  return "--key_size=" + std::to_string(FLAGS_key_size) +
         ": has room for only " + std::to_string(distinct) +
         " keys, fewer than --num or --bgwriter_num";
}

std::string CheckCombinations() {
  if (FLAGS_use_existing_keys && !FLAGS_use_existing_db) {
    return "--use_existing_keys: needs --use_existing_db";
  }
  if (FLAGS_transaction_db && FLAGS_optimistic_transaction_db) {
    return "--transaction_db and --optimistic_transaction_db exclude each "
           "other";
  }
  if (FLAGS_readonly &&
      (FLAGS_transaction_db || FLAGS_optimistic_transaction_db)) {
    return "--readonly: no transactions";
  }
  if (FLAGS_readonly && !FLAGS_use_existing_db) {
    return "--readonly: needs --use_existing_db";
  }
  if (FLAGS_report_latencies && FLAGS_report_interval_seconds == 0) {
    return "--report_latencies: needs --report_interval_seconds";
  }
  if (FLAGS_prefix_same_as_start && FLAGS_prefix_size == 0) {
    return "--prefix_same_as_start: needs --prefix_size";
  }
  if (FLAGS_merge_keys == 0) return "--merge_keys=0: must not be 0";
  if (FLAGS_sync && FLAGS_disable_wal) {
    return "--sync: impossible together with --disable_wal";
  }
  return "";
}

}  // namespace

std::string CheckFlags() {
  for (const std::string& error :
       {CheckRefusedFlags(), CheckTargetFlags(), CheckFollowingFlags(),
        CheckExpiryFlags(), CheckRanges(), CheckKeySpace(), CheckCombinations(),
        CheckSkew(FLAGS_overwrite_skew),
        CheckFraction("compression_ratio", FLAGS_compression_ratio),
        CheckFraction("cache_high_pri_pool_ratio",
                      FLAGS_cache_high_pri_pool_ratio),
        CheckFraction("cache_low_pri_pool_ratio",
                      FLAGS_cache_low_pri_pool_ratio),
        CheckChoice("cache_type", FLAGS_cache_type,
                    {"hyper_clock_cache", "lru_cache"}),
        CheckDistribution()}) {
    if (!error.empty()) return error;
  }
  return "";
}

bool WasSet(const char* flag) {
  return !gflags::GetCommandLineFlagInfoOrDie(flag).is_default;
}

int64_t ReadCount() { return FLAGS_reads < 0 ? FLAGS_num : FLAGS_reads; }

int64_t WriteCount() { return FLAGS_writes < 0 ? FLAGS_num : FLAGS_writes; }

}  // namespace ROCKSDB_NAMESPACE::bench
