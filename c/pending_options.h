// The options of features that have no C++ interface yet, so that programs
// may set and read them; what takes them answers that it is not built.
//
// Why  Clients set options before they open; a setter has no way to fail.
// Each of them gives way to the C++ struct of its name when that comes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::c_api {

struct TraceOptions {
  uint64_t max_trace_file_size = uint64_t{64} << 30;
  uint64_t sampling_frequency = 1;
  uint64_t filter = 0;
  bool preserve_write_order = false;
};

struct ReplayOptions {
  uint32_t num_threads = 1;
  double fast_forward = 1.0;
};

struct BlockCacheTraceOptions {
  uint64_t sampling_frequency = 1;
};

struct BlockCacheTraceWriterOptions {
  uint64_t max_trace_file_size = uint64_t{64} << 30;
};

struct TransactionDBOptions {
  int64_t max_num_locks = -1;
  uint32_t max_num_deadlocks = 5;
  size_t num_stripes = 16;
  int64_t transaction_lock_timeout = 1000;  // milliseconds
  int64_t default_lock_timeout = 1000;      // milliseconds
  uint32_t write_policy = 0;                // write-committed
  bool rollback_merge_operands = false;
  bool use_per_key_point_lock_mgr = false;
  bool skip_concurrency_control = false;
  int64_t default_write_batch_flush_threshold = 0;
  bool enable_udt_validation = true;
  uint32_t txn_commit_bypass_memtable_threshold = UINT32_MAX;
};

struct TransactionOptions {
  bool set_snapshot = false;
  bool deadlock_detect = false;
  bool use_only_the_last_commit_time_batch_for_recovery = false;
  int64_t lock_timeout = -1;
  int64_t deadlock_timeout_us = 500;
  int64_t expiration = -1;
  int64_t deadlock_detect_depth = 50;
  size_t max_write_batch_size = 0;
  bool skip_concurrency_control = false;
  bool skip_prepare = true;
  int64_t write_batch_flush_threshold = -1;
  bool write_batch_track_timestamp_size = false;
  bool commit_bypass_memtable = false;
  uint32_t large_txn_commit_optimize_threshold = 0;
  uint64_t large_txn_commit_optimize_byte_threshold = 0;
};

struct OptimisticTransactionDBOptions {
  int validate_policy = 1;  // parallel
  uint32_t occ_lock_buckets = 1 << 20;
};

struct OptimisticTransactionOptions {
  bool set_snapshot = false;
};

}  // namespace ROCKSDB_NAMESPACE::c_api
