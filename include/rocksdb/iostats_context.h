#pragma once

// The file I/O of one thread: bytes, and with a higher PerfLevel nanoseconds.
//
// Threads  Each thread has its own; no other thread may touch it.

#include <cstdint>
#include <string>

#include "rocksdb/perf_level.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Reads of table files by the temperature of the file.
struct FileIOByTemperature {
  void Reset() { *this = FileIOByTemperature(); }
  // Adds the counts of another one.
  void Merge(const FileIOByTemperature& other);

  uint64_t hot_file_bytes_read = 0;
  uint64_t warm_file_bytes_read = 0;
  uint64_t cool_file_bytes_read = 0;
  uint64_t cold_file_bytes_read = 0;
  uint64_t ice_file_bytes_read = 0;
  uint64_t unknown_non_last_level_bytes_read = 0;
  uint64_t unknown_last_level_bytes_read = 0;
  uint64_t hot_file_read_count = 0;
  uint64_t warm_file_read_count = 0;
  uint64_t cool_file_read_count = 0;
  uint64_t cold_file_read_count = 0;
  uint64_t ice_file_read_count = 0;
  uint64_t unknown_non_last_level_read_count = 0;
  uint64_t unknown_last_level_read_count = 0;
};

struct IOStatsContext {
  // All to zero; the pool and the switch stay.
  void Reset();
  // Adds the counts of another one.
  void Merge(const IOStatsContext& other);
  // `name = value` pairs, joined by commas.
  std::string ToString(bool exclude_zero_counters = false) const;

  // The background pool that the thread belongs to; Env::Priority::TOTAL for a
  // thread of the application.
  uint64_t thread_pool_id = 4;

  uint64_t bytes_written = 0;
  uint64_t bytes_read = 0;

  uint64_t open_nanos = 0;
  uint64_t allocate_nanos = 0;
  uint64_t write_nanos = 0;
  uint64_t read_nanos = 0;
  uint64_t range_sync_nanos = 0;
  uint64_t fsync_nanos = 0;
  uint64_t prepare_write_nanos = 0;
  uint64_t logger_nanos = 0;
  uint64_t cpu_write_nanos = 0;
  uint64_t cpu_read_nanos = 0;

  FileIOByTemperature file_io_stats_by_temperature;

  // True stops all counting in this thread.
  bool disable_iostats = false;
};

// The context of the calling thread; it lives as long as the thread.
IOStatsContext* get_iostats_context();

}  // namespace ROCKSDB_NAMESPACE
