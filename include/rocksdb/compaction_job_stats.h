// What one compaction (or one of its parts) did, in figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// A plain value. Times in microseconds unless the name says nanos.
struct CompactionJobStats {
  uint64_t elapsed_micros = 0;
  uint64_t cpu_micros = 0;

  // False if num_input_records is an estimate.
  bool has_accurate_num_input_records = true;
  uint64_t num_input_records = 0;
  uint64_t num_blobs_read = 0;
  // Those that are read.
  size_t num_input_files = 0;
  size_t num_input_files_at_output_level = 0;
  // Inputs that go unread: a range tombstone that is alone in a newer input
  // deletes all that they hold.
  size_t num_filtered_input_files = 0;
  size_t num_filtered_input_files_at_output_level = 0;
  size_t num_input_files_trivially_moved = 0;

  uint64_t num_output_records = 0;
  size_t num_output_files = 0;
  size_t num_output_files_blob = 0;

  bool is_full_compaction = false;
  bool is_manual_compaction = false;
  bool is_remote_compaction = false;

  uint64_t total_input_bytes = 0;
  uint64_t total_blob_bytes_read = 0;
  uint64_t total_output_bytes = 0;
  uint64_t total_output_bytes_blob = 0;
  // The size of num_filtered_input_files; not in total_input_bytes.
  uint64_t total_skipped_input_bytes = 0;

  // Records dropped because a newer one of the same key replaces them.
  uint64_t num_records_replaced = 0;

  uint64_t total_input_raw_key_bytes = 0;
  uint64_t total_input_raw_value_bytes = 0;

  uint64_t num_input_deletion_records = 0;
  // Deletions dropped since nothing older is left to delete.
  uint64_t num_expired_deletion_records = 0;

  // Keys that could not be parsed.
  uint64_t num_corrupt_keys = 0;

  // Only with report_bg_io_stats.
  uint64_t file_write_nanos = 0;
  uint64_t file_range_sync_nanos = 0;
  uint64_t file_fsync_nanos = 0;
  uint64_t file_prepare_write_nanos = 0;

  // First bytes of the smallest and largest output keys.
  static constexpr size_t kMaxPrefixLength = 8;
  std::string smallest_output_key_prefix;
  std::string largest_output_key_prefix;

  // SingleDeletes that met no value, or something other than one value.
  uint64_t num_single_del_fallthru = 0;
  uint64_t num_single_del_mismatch = 0;

  void Reset() { *this = CompactionJobStats(); }

  // Adds the figures of a part that ran beside this one.
  void Add(const CompactionJobStats& stats);
};

}  // namespace ROCKSDB_NAMESPACE
