// What cache_bench is told by its flags, which are those of RocksDB's.
//
// Threads  A plain value.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::cache_bench {

// Files of many databases, day by day: do two of them ever get one cache key?
struct CacheKeyStress {
  uint32_t files_per_day = 2500000;
  uint32_t days_per_run = 90;
  uint32_t file_size_mb = 32;
  uint32_t restarts_per_day = 24;
  uint32_t db_count = 100;
  uint32_t reopen_nfiles = 100;
  uint32_t newdb_nreopen = 1000;
  uint32_t table_bits = 20;
  uint32_t keep_bits = 50;
  uint32_t min_collision = 15;
  bool footer_unique_id = false;
  bool randomize = false;
};

struct Settings {
  uint32_t threads = 16;
  uint64_t ops_per_thread = 2000000;
  uint64_t cache_size = uint64_t{1} << 30;
  int num_shard_bits = -1;
  int eviction_effort_cap = 30;
  std::string cache_type = "hyper_clock_cache";
  std::string secondary_cache_uri;
  uint32_t value_bytes = 8 << 10;
  uint32_t value_bytes_estimate = 0;
  double compressible_to_ratio = 0.5;

  double resident_ratio = 0.25;
  uint32_t skew = 5;
  bool populate_cache = true;
  double pinned_ratio = 0.25;
  double vary_capacity_ratio = 0.0;

  uint32_t lookup_insert_percent = 82;
  uint32_t insert_percent = 2;
  uint32_t blind_insert_percent = 5;
  uint32_t lookup_percent = 10;
  uint32_t erase_percent = 1;

  bool gather_stats = false;
  uint32_t gather_stats_sleep_ms = 1000;
  uint32_t gather_stats_entries_per_lock = 256;
  uint32_t usleep = 0;
  bool lean = false;
  bool early_exit = false;
  bool histograms = true;
  bool report_problems = true;
  uint64_t seed = 0;

  // How many low bits are the same in the hashes of all keys.
  uint32_t degenerate_hash_bits = 0;
  bool use_jemalloc_no_dump_allocator = false;
  uint32_t jemalloc_num_arenas = 1;
  bool jemalloc_limit_tcache_size = false;

  // Runs instead of that of a workload.
  uint32_t stress_cache_instances = 0;
  bool stress_cache_key = false;
  CacheKeyStress keys;

  // Different keys that are used.
  uint64_t KeyCount() const;
  // Bytes that one thread keeps pinned.
  uint64_t PinnedBytesOfThread() const;
};

// The status to end with, whose reason was told; none: the program goes on.
std::optional<int> ParseSettings(int argc, char** argv, Settings* settings);

Status MakeCache(const Settings& settings, std::shared_ptr<Cache>* cache);

void PrintSettings(const Settings& settings, const Cache& cache);

}  // namespace ROCKSDB_NAMESPACE::cache_bench
