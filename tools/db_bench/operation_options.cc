#include "tools/db_bench/operation_options.h"

#include "rocksdb/env.h"
#include "tools/db_bench/engine_fields.h"
#include "tools/db_bench/flags.h"

DEFINE_bool(adaptive_readahead, false,
            "Iterators take their read-ahead along from file to file.");
DEFINE_bool(auto_readahead_size, false,
            "Iterators read no further ahead than their upper bound.");
DEFINE_bool(auto_refresh_iterator_with_snapshot, false,
            "Iterators with a snapshot let go of files that are replaced.");
DEFINE_bool(optimize_multiget_for_io, true,
            "MultiGet reads from several levels at once, with --async_io.");
DEFINE_bool(rate_limit_user_ops, false,
            "Reads of the benchmark are charged to the rate limiter, which "
            "then limits reads and writes.");
DEFINE_bool(rate_limit_auto_wal_flush, false,
            "Log writes of the benchmark are charged to the rate limiter.");
DEFINE_uint32(write_batch_protection_bytes_per_key, 0,
              "Checksum bytes of each entry of a write batch: 0 or 8.");

namespace ROCKSDB_NAMESPACE::bench {

Status MakeReadOptions(ReadOptions* result) {
  result->verify_checksums = FLAGS_verify_checksum;
  result->readahead_size = static_cast<size_t>(FLAGS_readahead_size);
  result->async_io = FLAGS_async_io;
  result->total_order_seek = FLAGS_total_order_seek;
  result->prefix_same_as_start = FLAGS_prefix_same_as_start;
  result->auto_prefix_mode = FLAGS_auto_prefix_mode;
  result->adaptive_readahead = FLAGS_adaptive_readahead;
  result->optimize_multiget_for_io = FLAGS_optimize_multiget_for_io;
  if (FLAGS_rate_limit_user_ops) result->rate_limiter_priority = Env::IO_USER;
  if (!DB_BENCH_SET_IF_THERE(result, auto_readahead_size,
                             FLAGS_auto_readahead_size) &&
      FLAGS_auto_readahead_size) {
    return LacksPart("auto_readahead_size");
  }
  if (!DB_BENCH_SET_IF_THERE(result, auto_refresh_iterator_with_snapshot,
                             FLAGS_auto_refresh_iterator_with_snapshot) &&
      FLAGS_auto_refresh_iterator_with_snapshot) {
    return LacksPart("auto_refresh_iterator_with_snapshot");
  }
  return Status::OK();
}

Status MakeWriteOptions(WriteOptions* result) {
  result->sync = FLAGS_sync;
  result->disableWAL = FLAGS_disable_wal;
  result->protection_bytes_per_key = FLAGS_write_batch_protection_bytes_per_key;
  if (FLAGS_rate_limit_auto_wal_flush) {
    result->rate_limiter_priority = Env::IO_USER;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::bench
