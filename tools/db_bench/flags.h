// The command-line flags of db_bench that steer the benchmark itself.
//
// Names and defaults are those of the reference tool. A flag is defined here
// only if it does something; any other name is refused by gflags, with status
// 1. Flags that merely set an option of the engine are in option_flags.h.
//
// Threads    Read-only after CheckFlags(); any thread may read.
// Errors     CheckFlags() names the flag, its value and what it may be.

#pragma once

#include <gflags/gflags.h>

#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

DECLARE_string(benchmarks);
DECLARE_string(db);
DECLARE_int64(num);
DECLARE_int64(reads);
DECLARE_int64(writes);
DECLARE_int64(bgwriter_num);
DECLARE_int32(threads);
DECLARE_int32(duration);
DECLARE_int32(ops_between_duration_checks);
DECLARE_int64(seed);
DECLARE_int32(key_size);
DECLARE_int32(value_size);
DECLARE_int32(value_size_min);
DECLARE_int32(value_size_max);
DECLARE_string(value_size_distribution_type);
DECLARE_double(compression_ratio);
DECLARE_int64(batch_size);
DECLARE_bool(use_existing_db);
DECLARE_bool(use_existing_keys);
DECLARE_bool(readonly);
DECLARE_bool(transaction_db);
DECLARE_bool(optimistic_transaction_db);
DECLARE_uint64(transaction_sets);
DECLARE_bool(transaction_set_snapshot);
DECLARE_int32(transaction_sleep);
DECLARE_uint64(transaction_lock_timeout);
DECLARE_string(options_file);
DECLARE_string(merge_operator);
DECLARE_int32(prefix_size);
DECLARE_int64(keys_per_prefix);
DECLARE_int32(user_timestamp_size);
DECLARE_bool(sine_write_rate);
DECLARE_uint64(sine_write_rate_interval_milliseconds);

DECLARE_bool(verify_checksum);
DECLARE_int32(readahead_size);
DECLARE_bool(async_io);
DECLARE_bool(total_order_seek);
DECLARE_bool(prefix_same_as_start);
DECLARE_bool(auto_prefix_mode);
DECLARE_bool(use_tailing_iterator);
DECLARE_double(overwrite_skew);
DECLARE_bool(sync);
DECLARE_bool(disable_wal);

DECLARE_int32(readwritepercent);
DECLARE_int32(deletepercent);
DECLARE_int32(mergereadpercent);
DECLARE_int64(merge_keys);
DECLARE_int64(numdistinct);

DECLARE_int32(seek_nexts);
DECLARE_bool(reverse_iterator);
DECLARE_bool(multiread_batched);
DECLARE_int64(multiread_stride);
DECLARE_int64(multiscan_size);
DECLARE_int64(multiscan_stride);
DECLARE_bool(multiscan_use_async_io);
DECLARE_uint64(multiscan_coalesce_threshold);
DECLARE_uint64(multiscan_max_prefetch_size);
DECLARE_uint64(io_dispatcher_max_prefetch_memory_bytes);

DECLARE_uint64(benchmark_write_rate_limit);
DECLARE_uint64(benchmark_read_rate_limit);

DECLARE_uint64(rate_limiter_bytes_per_sec);
DECLARE_int64(rate_limiter_refill_period_us);
DECLARE_bool(rate_limiter_auto_tuned);

DECLARE_int64(cache_size);
DECLARE_string(cache_type);
DECLARE_int32(cache_numshardbits);
DECLARE_double(cache_high_pri_pool_ratio);
DECLARE_double(cache_low_pri_pool_ratio);
DECLARE_int64(row_cache_size);
DECLARE_bool(file_checksum);
DECLARE_bool(use_blob_cache);
DECLARE_bool(use_shared_block_and_blob_cache);
DECLARE_uint64(blob_cache_size);
DECLARE_int32(blob_cache_numshardbits);
DECLARE_int32(bloom_bits);
DECLARE_int32(num_high_pri_threads);
DECLARE_int32(num_low_pri_threads);
DECLARE_int32(num_bottom_pri_threads);

DECLARE_bool(histogram);
DECLARE_bool(statistics);
DECLARE_int32(stats_level);
DECLARE_int32(perf_level);
DECLARE_int64(stats_interval);
DECLARE_int64(stats_interval_seconds);
DECLARE_int32(stats_per_interval);
DECLARE_int32(thread_status_per_interval);
DECLARE_bool(progress_reports);
DECLARE_int64(report_interval_seconds);
DECLARE_string(report_file);
DECLARE_bool(report_latencies);
DECLARE_bool(confidence_interval_only);

namespace ROCKSDB_NAMESPACE::bench {

// Empty if the values are possible and agree with each other; otherwise what
// is wrong with them, in one line.
std::string CheckFlags();

// Whether the command line set `flag`, be it to its default.
bool WasSet(const char* flag);

// How many reads and writes each thread does when no duration is given.
int64_t ReadCount();
int64_t WriteCount();

}  // namespace ROCKSDB_NAMESPACE::bench
