#pragma once

// What the file operations of a background job cost its threads, for
// report_bg_io_stats.
//
// Threads  One.

#include <algorithm>
#include <cstdint>

#include "rocksdb/perf_level.h"

namespace ROCKSDB_NAMESPACE {

struct IoTimes {
  uint64_t write_nanos = 0;
  uint64_t range_sync_nanos = 0;
  uint64_t fsync_nanos = 0;
  uint64_t prepare_write_nanos = 0;

  void Add(const IoTimes& other) {
    write_nanos += other.write_nanos;
    range_sync_nanos += other.range_sync_nanos;
    fsync_nanos += other.fsync_nanos;
    prepare_write_nanos += other.prepare_write_nanos;
  }
};

// Adds what the calling thread counts until the end of the scope to `*times`,
// and has it take times meanwhile. Nothing, if it is not `is_wanted`.
class IoTimesScope {
 public:
  IoTimesScope(bool is_wanted, IoTimes* times);
  ~IoTimesScope();
  IoTimesScope(const IoTimesScope&) = delete;
  IoTimesScope& operator=(const IoTimesScope&) = delete;

 private:
  IoTimes* const times_;  // null: not wanted
  PerfLevel level_ = kDisable;
  IoTimes before_;
};

}  // namespace ROCKSDB_NAMESPACE
