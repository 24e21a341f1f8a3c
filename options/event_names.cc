// The texts of the enumerations in listener.h, and sums of job statistics.
#include <array>
#include <cstddef>

#include "rocksdb/listener.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr std::array kCompactionReasons{
    "Unknown",
    "LevelL0FilesNum",
    "LevelMaxLevelSize",
    "UniversalSizeAmplification",
    "UniversalSizeRatio",
    "UniversalSortedRunNum",
    "FIFOMaxSize",
    "FIFOReduceNumFiles",
    "FIFOTtl",
    "ManualCompaction",
    "FilesMarkedForCompaction",
    "BottommostFiles",
    "Ttl",
    "Flush",
    "ExternalSstIngestion",
    "PeriodicCompaction",
    "ChangeTemperature",
    "ForcedBlobGC",
    "RoundRobinTtl",
    "RefitLevel",
    "ReadTriggered",
};
static_assert(kCompactionReasons.size() ==
              static_cast<size_t>(CompactionReason::kNumOfReasons));

constexpr std::array kFlushReasons{
    "Other Reasons",
    "Get Live Files",
    "Shut down",
    "External File Ingestion",
    "Manual Compaction",
    "Write Buffer Manager",
    "Write Buffer Full",
    "Test",
    "Delete Files",
    "Auto Compaction",
    "Manual Flush",
    "Error Recovery",
    "Error Recovery Retry Flush",
    "WAL Full",
    "Catch Up After Error Recovery",
    "Memtable Max Range Deletions",
};
static_assert(kFlushReasons.size() ==
              static_cast<size_t>(FlushReason::kMemtableMaxRangeDeletions) + 1);

template <size_t n>
const char* TextOf(const std::array<const char*, n>& texts, int value) {
  const auto index = static_cast<size_t>(value);
  return value >= 0 && index < n ? texts[index] : "Invalid";
}

}  // namespace

const char* GetCompactionReasonString(CompactionReason compaction_reason) {
  return TextOf(kCompactionReasons, static_cast<int>(compaction_reason));
}

const char* GetFlushReasonString(FlushReason flush_reason) {
  return TextOf(kFlushReasons, static_cast<int>(flush_reason));
}

void CompactionJobStats::Add(const CompactionJobStats& stats) {
  elapsed_micros += stats.elapsed_micros;
  cpu_micros += stats.cpu_micros;
  has_accurate_num_input_records &= stats.has_accurate_num_input_records;
  num_input_records += stats.num_input_records;
  num_blobs_read += stats.num_blobs_read;
  num_input_files += stats.num_input_files;
  num_input_files_at_output_level += stats.num_input_files_at_output_level;
  num_filtered_input_files += stats.num_filtered_input_files;
  num_filtered_input_files_at_output_level +=
      stats.num_filtered_input_files_at_output_level;
  num_input_files_trivially_moved += stats.num_input_files_trivially_moved;
  num_output_records += stats.num_output_records;
  num_output_files += stats.num_output_files;
  num_output_files_blob += stats.num_output_files_blob;
  total_input_bytes += stats.total_input_bytes;
  total_blob_bytes_read += stats.total_blob_bytes_read;
  total_output_bytes += stats.total_output_bytes;
  total_output_bytes_blob += stats.total_output_bytes_blob;
  total_skipped_input_bytes += stats.total_skipped_input_bytes;
  num_records_replaced += stats.num_records_replaced;
  total_input_raw_key_bytes += stats.total_input_raw_key_bytes;
  total_input_raw_value_bytes += stats.total_input_raw_value_bytes;
  num_input_deletion_records += stats.num_input_deletion_records;
  num_expired_deletion_records += stats.num_expired_deletion_records;
  num_corrupt_keys += stats.num_corrupt_keys;
  file_write_nanos += stats.file_write_nanos;
  file_range_sync_nanos += stats.file_range_sync_nanos;
  file_fsync_nanos += stats.file_fsync_nanos;
  file_prepare_write_nanos += stats.file_prepare_write_nanos;
  num_single_del_fallthru += stats.num_single_del_fallthru;
  num_single_del_mismatch += stats.num_single_del_mismatch;
}

}  // namespace ROCKSDB_NAMESPACE
