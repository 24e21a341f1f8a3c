#pragma once

// What the calls of one thread did inside the engine: counts, and with a
// higher PerfLevel nanoseconds.
//
// Threads  Each thread has its own; no other thread may touch it.

#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/perf_level.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// What one level of the tree did.
struct PerfContextByLevelBase {
  uint64_t bloom_filter_useful = 0;
  uint64_t bloom_filter_full_positive = 0;
  uint64_t bloom_filter_full_true_positive = 0;
  uint64_t user_key_return_count = 0;
  uint64_t get_from_table_nanos = 0;
  uint64_t block_cache_hit_count = 0;
  uint64_t block_cache_miss_count = 0;
};

struct PerfContextByLevel : public PerfContextByLevelBase {
  void Reset();
  // Adds the counts of another one.
  void Merge(const PerfContextByLevel& other);
};

// The counts.
struct PerfContextBase {
  // Keys compared, and blocks.
  uint64_t user_key_comparison_count = 0;
  uint64_t block_cache_hit_count = 0;
  uint64_t block_read_count = 0;
  uint64_t block_read_byte = 0;
  uint64_t block_read_time = 0;
  uint64_t block_read_cpu_time = 0;
  uint64_t block_cache_index_hit_count = 0;
  uint64_t block_cache_standalone_handle_count = 0;
  uint64_t block_cache_real_handle_count = 0;
  uint64_t index_block_read_count = 0;
  uint64_t block_cache_filter_hit_count = 0;
  uint64_t filter_block_read_count = 0;
  uint64_t compression_dict_block_read_count = 0;
  uint64_t block_cache_index_read_byte = 0;
  uint64_t block_cache_filter_read_byte = 0;
  uint64_t block_cache_compression_dict_read_byte = 0;
  uint64_t block_cache_read_byte = 0;

  // Secondary caches.
  uint64_t secondary_cache_hit_count = 0;
  uint64_t compressed_sec_cache_insert_real_count = 0;
  uint64_t compressed_sec_cache_insert_dummy_count = 0;
  uint64_t compressed_sec_cache_uncompressed_bytes = 0;
  uint64_t compressed_sec_cache_compressed_bytes = 0;

  // Checking and expanding blocks; bytes handed to the caller.
  uint64_t block_checksum_time = 0;
  uint64_t block_decompress_time = 0;
  uint64_t block_decompress_count = 0;
  uint64_t get_read_bytes = 0;
  uint64_t multiget_read_bytes = 0;
  uint64_t iter_read_bytes = 0;

  // Blobs.
  uint64_t blob_cache_hit_count = 0;
  uint64_t blob_cache_read_byte = 0;
  uint64_t blob_read_count = 0;
  uint64_t blob_read_byte = 0;
  uint64_t blob_read_time = 0;
  uint64_t blob_checksum_time = 0;
  uint64_t blob_decompress_time = 0;

  // Entries that an iterator stepped over or merged.
  uint64_t internal_key_skipped_count = 0;
  uint64_t internal_delete_skipped_count = 0;
  uint64_t internal_recent_skipped_count = 0;
  uint64_t internal_merge_count = 0;
  uint64_t internal_merge_point_lookup_count = 0;
  uint64_t internal_range_del_reseek_count = 0;

  // Point lookups.
  uint64_t get_snapshot_time = 0;
  uint64_t get_from_memtable_time = 0;
  uint64_t get_from_memtable_count = 0;
  uint64_t get_post_process_time = 0;
  uint64_t get_from_output_files_time = 0;

  // Iterators.
  uint64_t seek_on_memtable_time = 0;
  uint64_t seek_on_memtable_count = 0;
  uint64_t next_on_memtable_count = 0;
  uint64_t prev_on_memtable_count = 0;
  uint64_t seek_child_seek_time = 0;
  uint64_t seek_child_seek_count = 0;
  uint64_t seek_min_heap_time = 0;
  uint64_t seek_max_heap_time = 0;
  uint64_t seek_internal_seek_time = 0;
  uint64_t find_next_user_entry_time = 0;

  // Writes.
  uint64_t write_wal_time = 0;
  uint64_t write_memtable_time = 0;
  uint64_t write_delay_time = 0;
  uint64_t write_scheduling_flushes_compactions_time = 0;
  uint64_t write_pre_and_post_process_time = 0;
  uint64_t write_thread_wait_nanos = 0;

  // Mutexes.
  uint64_t db_mutex_lock_nanos = 0;
  uint64_t db_condition_wait_nanos = 0;

  // Merge operators and table readers.
  uint64_t merge_operator_time_nanos = 0;
  uint64_t read_index_block_nanos = 0;
  uint64_t read_filter_block_nanos = 0;
  uint64_t new_table_block_iter_nanos = 0;
  uint64_t new_table_iterator_nanos = 0;
  uint64_t block_seek_nanos = 0;
  uint64_t find_table_nanos = 0;

  // Filters.
  uint64_t bloom_memtable_hit_count = 0;
  uint64_t bloom_memtable_miss_count = 0;
  uint64_t bloom_sst_hit_count = 0;
  uint64_t bloom_sst_miss_count = 0;

  // Locks of transactions.
  uint64_t key_lock_wait_time = 0;
  uint64_t key_lock_wait_count = 0;

  // Time in calls of an instrumented Env.
  uint64_t env_new_sequential_file_nanos = 0;
  uint64_t env_new_random_access_file_nanos = 0;
  uint64_t env_new_writable_file_nanos = 0;
  uint64_t env_reuse_writable_file_nanos = 0;
  uint64_t env_new_random_rw_file_nanos = 0;
  uint64_t env_new_directory_nanos = 0;
  uint64_t env_file_exists_nanos = 0;
  uint64_t env_get_children_nanos = 0;
  uint64_t env_get_children_file_attributes_nanos = 0;
  uint64_t env_delete_file_nanos = 0;
  uint64_t env_create_dir_nanos = 0;
  uint64_t env_create_dir_if_missing_nanos = 0;
  uint64_t env_delete_dir_nanos = 0;
  uint64_t env_get_file_size_nanos = 0;
  uint64_t env_get_file_modification_time_nanos = 0;
  uint64_t env_rename_file_nanos = 0;
  uint64_t env_link_file_nanos = 0;
  uint64_t env_lock_file_nanos = 0;
  uint64_t env_unlock_file_nanos = 0;
  uint64_t env_new_logger_nanos = 0;

  // Processor time.
  uint64_t get_cpu_nanos = 0;
  uint64_t iter_next_cpu_nanos = 0;
  uint64_t iter_prev_cpu_nanos = 0;
  uint64_t iter_seek_cpu_nanos = 0;

  // Calls of iterators that moved them.
  uint64_t iter_next_count = 0;
  uint64_t iter_prev_count = 0;
  uint64_t iter_seek_count = 0;

  // Encryption, asynchronous seeks, ingestion.
  uint64_t encrypt_data_nanos = 0;
  uint64_t decrypt_data_nanos = 0;
  uint64_t number_async_seek = 0;
  uint64_t file_ingestion_nanos = 0;
  uint64_t file_ingestion_blocking_live_writes_nanos = 0;

  // Bytes of blocks, as they are stored, by what the blocks hold.
  uint64_t data_block_read_byte = 0;
  uint64_t index_block_read_byte = 0;
  uint64_t filter_block_read_byte = 0;
  uint64_t compression_dict_block_read_byte = 0;
  uint64_t metadata_block_read_byte = 0;

  // Iterators that were prepared for ranges: Prepare() calls, blocks that
  // these asked the files for or found in the cache, bytes and read requests
  // of the former, and requests that also read a gap between two blocks.
  uint64_t multiscan_prepare_count = 0;
  uint64_t multiscan_blocks_prefetched = 0;
  uint64_t multiscan_blocks_from_cache = 0;
  uint64_t multiscan_prefetch_bytes = 0;
  uint64_t multiscan_io_requests = 0;
  uint64_t multiscan_io_coalesced_nonadjacent = 0;
};

// With the counts of each level, which belong to it.
struct PerfContext : public PerfContextBase {
  PerfContext() = default;
  PerfContext(const PerfContext& other);
  PerfContext& operator=(const PerfContext& other);
  PerfContext(PerfContext&& other) noexcept;
  PerfContext& operator=(PerfContext&& other) noexcept;
  ~PerfContext();

  // All to zero; levels too.
  void Reset();

  // Adds the counts of another one, those of its levels too.
  void Merge(const PerfContext& other);

  // The same as an assignment.
  void copyMetrics(const PerfContext* other);

  // `name = value` pairs, joined by commas.
  std::string ToString(bool exclude_zero_counters = false) const;

  // Counting by level is off until it is asked for.
  void EnablePerLevelPerfContext();
  void DisablePerLevelPerfContext();
  void ClearPerLevelPerfContext();

  // By number of the level; null until levels are counted.
  std::map<uint32_t, PerfContextByLevel>* level_to_perf_context = nullptr;
  bool per_level_perf_context_enabled = false;
};

// The context of the calling thread; it lives as long as the thread.
PerfContext* get_perf_context();

}  // namespace ROCKSDB_NAMESPACE
