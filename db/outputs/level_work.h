// What a job has done, as the statistics of levels count it.
#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// What a level's row in the statistics gains by one job.
struct LevelWork {
  uint64_t micros = 0, cpu_micros = 0;
  uint64_t bytes_read_upper = 0;   // from levels above the output's
  uint64_t bytes_read_output = 0;  // from the output level
  uint64_t bytes_written = 0;
  uint64_t bytes_moved = 0;
  uint64_t blob_bytes_read = 0, blob_bytes_written = 0;
  uint64_t bytes_before_compression = 0;  // the size of what was written
  uint64_t files_read_upper = 0, files_read_output = 0, files_written = 0;
  uint64_t records_in = 0, records_dropped = 0;
  // Only with report_bg_io_stats.
  uint64_t write_nanos = 0, range_sync_nanos = 0, fsync_nanos = 0;
  uint64_t prepare_write_nanos = 0;
  int count = 0;
};

}  // namespace ROCKSDB_NAMESPACE
