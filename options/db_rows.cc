#include "options/db_rows.h"

#include "options/option_kinds.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/sst_file_manager.h"
#include "rocksdb/statistics.h"
#include "rocksdb/wal_filter.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using enum Mutability;

// The file system goes with the Env that holds it.
void TellEnv(const std::string& name, const void* field, OptionLines* lines) {
  const Env* env = *static_cast<Env* const*>(field);
  lines->push_back({name, AddressInLog(env)});
  const FileSystem* fs = env == nullptr ? nullptr : env->GetFileSystem().get();
  lines->push_back({"fs", NameInLog(fs, "None")});
}

void TellDeletionRate(const std::string& name, const void* field,
                      OptionLines* lines) {
  const auto& manager =
      *static_cast<const std::shared_ptr<SstFileManager>*>(field);
  const int64_t rate =
      manager == nullptr ? 0 : manager->GetDeleteRateBytesPerSecond();
  lines->push_back({name, std::to_string(rate)});
}

void TellChecksumFactory(const std::string& name, const void* field,
                         OptionLines* lines) {
  const auto& factory =
      *static_cast<const std::shared_ptr<FileChecksumGenFactory>*>(field);
  lines->push_back({name, NameInLog(factory, kUnknownFileChecksumFuncName)});
}

#define DB(member, ...) OPTION(DBOptions, member, __VA_ARGS__)

constexpr OptionRow kDbRows[] = {
    DB(create_if_missing, kFixed),
    DB(create_missing_column_families, kFixed),
    DB(error_if_exists, kFixed),
    DB(paranoid_checks, kFixed),
    DB(flush_verify_memtable_count, kFixed),
    DB(compaction_verify_record_count, kFixed),
    DB(track_and_verify_wals_in_manifest, kFixed),
    DB(track_and_verify_wals, kFixed),
    DB(verify_sst_unique_id_in_manifest, kFixed),
    DB(env, kFixed, .written = false, .tell = &TellEnv),
    DB(rate_limiter, kFixed, .written = false,
       .tell = &TellAddress<std::shared_ptr<RateLimiter>>),
    DB(sst_file_manager, kFixed, .written = false,
       .log_name = "sst_file_manager.rate_bytes_per_sec",
       .tell = &TellDeletionRate),
    DB(info_log, kFixed, .written = false),
    DB(info_log_level, kFixed),
    DB(max_open_files, kDynamic, .samples = "-1|20|100|5000"),
    DB(max_file_opening_threads, kFixed, .samples = "1|4|16"),
    DB(read_io_executor_threads, kFixed, .min = 1, .samples = "1|2"),
    DB(open_files_async, kFixed, .built = "false"),
    DB(max_total_wal_size, kDynamic),
    DB(statistics, kFixed, .written = false,
       .tell = &TellAddress<std::shared_ptr<Statistics>>),
    DB(use_fsync, kFixed),
    DB(db_paths, kFixed, .written = false),
    DB(db_log_dir, kFixed),
    DB(wal_dir, kFixed),
    DB(delete_obsolete_files_period_micros, kDynamic),
    DB(max_background_jobs, kDynamic, .samples = "1|2|4|8"),
    DB(max_background_compactions, kDynamic, .samples = "-1|1|4"),
    DB(max_subcompactions, kDynamic, .samples = "1|2|4"),
    DB(max_background_flushes, kDynamic, .samples = "-1|1|2"),
    DB(max_log_file_size, kFixed),
    DB(log_file_time_to_roll, kFixed),
    DB(keep_log_file_num, kFixed, .min = 1, .samples = "1|10|1000"),
    DB(recycle_log_file_num, kFixed, .samples = "0|2"),
    DB(async_wal_precreate, kFixed),
    DB(max_manifest_file_size, kDynamic),
    DB(verify_manifest_content_on_close, kDynamic),
    DB(optimize_manifest_for_recovery, kDynamic, .built = "false"),
    DB(reuse_manifest_on_open, kFixed, .built = "false"),
    DB(max_manifest_space_amp_pct, kDynamic, .min = 0),
    DB(table_cache_numshardbits, kFixed, .max = 19, .samples = "0|4|6"),
    DB(WAL_ttl_seconds, kFixed, .samples = "0|600"),
    DB(WAL_size_limit_MB, kFixed, .samples = "0|1"),
    DB(manifest_preallocation_size, kDynamic),
    DB(allow_mmap_reads, kFixed),
    DB(allow_mmap_writes, kFixed,
       .note = "Files are written by calls all the same."),
    DB(use_direct_reads, kFixed),
    DB(use_direct_io_for_compaction_reads, kDynamic),
    DB(use_direct_io_for_flush_and_compaction, kFixed),
    DB(compaction_read_access, kDynamic, .implied = "default"),
    DB(compaction_write_access, kDynamic, .implied = "default"),
    DB(allow_fallocate, kFixed),
    DB(is_fd_close_on_exec, kFixed),
    DB(stats_dump_period_sec, kDynamic),
    DB(stats_persist_period_sec, kDynamic),
    DB(persist_stats_to_disk, kFixed),
    DB(stats_history_buffer_size, kDynamic),
    DB(advise_random_on_open, kFixed),
    DB(db_write_buffer_size, kFixed),
    DB(write_buffer_manager, kFixed, .written = false),
    DB(compaction_readahead_size, kDynamic),
    DB(background_io_target_delay_micros, kFixed, .implied = "300"),
    DB(background_io_max_bytes_in_flight, kFixed, .implied = "0"),
    DB(compaction_keeps_hot_data, kFixed, .implied = "true"),
    DB(fresh_level0_bytes, kFixed, .implied = "0"),
    DB(writable_file_max_buffer_size, kDynamic),
    DB(use_adaptive_mutex, kFixed),
    DB(bytes_per_sync, kDynamic),
    DB(wal_bytes_per_sync, kDynamic),
    DB(strict_bytes_per_sync, kDynamic),
    DB(listeners, kFixed, .written = false),
    DB(enable_thread_tracking, kFixed),
    DB(delayed_write_rate, kDynamic),
    DB(enable_pipelined_write, kFixed),
    DB(unordered_write, kFixed),
    DB(allow_concurrent_memtable_write, kFixed),
    DB(enable_write_thread_adaptive_yield, kFixed),
    DB(max_write_batch_group_size_bytes, kFixed),
    DB(write_thread_max_yield_usec, kFixed),
    DB(write_thread_slow_yield_usec, kFixed),
    DB(skip_stats_update_on_db_open, kFixed),
    DB(wal_recovery_mode, kFixed),
    DB(allow_2pc, kFixed),
    DB(row_cache, kFixed, .written = false),
    DB(wal_filter, kFixed),
    DB(dump_malloc_stats, kFixed),
    DB(avoid_flush_during_recovery, kFixed),
    DB(enforce_write_buffer_manager_during_recovery, kFixed),
    DB(avoid_flush_during_shutdown, kDynamic),
    DB(allow_ingest_behind, kFixed),
    DB(two_write_queues, kFixed),
    DB(manual_wal_flush, kFixed),
    DB(wal_compression, kFixed, .samples = "kNoCompression|kZSTD",
       .tell = &TellEnumNumber<CompressionType>),
    DB(background_close_inactive_wals, kFixed),
    DB(atomic_flush, kFixed),
    DB(avoid_unnecessary_blocking_io, kFixed),
    DB(write_dbid_to_manifest, kFixed),
    DB(write_identity_file, kFixed),
    DB(prefix_seek_opt_in_only, kFixed),
    DB(log_readahead_size, kFixed, .samples = "0|100000"),
    DB(file_checksum_gen_factory, kFixed, .tell = &TellChecksumFactory),
    DB(best_efforts_recovery, kFixed),
    DB(max_bgerror_resume_count, kFixed),
    DB(bgerror_resume_retry_interval, kFixed),
    DB(allow_data_in_errors, kFixed),
    DB(db_host_id, kFixed),
    DB(checksum_handoff_file_types, kFixed, .built = "empty", .written = false),
    DB(compaction_service, kFixed, .written = false),
    DB(lowest_used_cache_tier, kFixed),
    DB(enforce_single_del_contracts, kFixed, .tell = &TellInWords),
    DB(daily_offpeak_time_utc, kDynamic,
       .samples = R"(04\:00-08\:00|23\:30-03\:15)"),
    DB(max_compaction_trigger_wakeup_seconds, kDynamic),
    DB(follower_refresh_catchup_period_ms, kFixed),
    DB(follower_catchup_retry_count, kFixed),
    DB(follower_catchup_retry_wait_ms, kFixed),
    DB(metadata_write_temperature, kFixed),
    DB(wal_write_temperature, kFixed),
    DB(calculate_sst_write_lifetime_hint_set, kFixed, .written = false),
    DB(fast_sst_open, kDynamic, .built = "false"),
};

#undef DB

constexpr std::string_view kDbLogOrder[] = {
    "error_if_exists",
    "create_if_missing",
    "paranoid_checks",
    "flush_verify_memtable_count",
    "track_and_verify_wals_in_manifest",
    "verify_sst_unique_id_in_manifest",
    "env",
    "info_log",
    "max_file_opening_threads",
    "statistics",
    "use_fsync",
    "max_log_file_size",
    "max_manifest_file_size",
    "log_file_time_to_roll",
    "keep_log_file_num",
    "recycle_log_file_num",
    "allow_fallocate",
    "allow_mmap_reads",
    "allow_mmap_writes",
    "use_direct_reads",
    "use_direct_io_for_flush_and_compaction",
    "create_missing_column_families",
    "db_log_dir",
    "wal_dir",
    "table_cache_numshardbits",
    "WAL_ttl_seconds",
    "WAL_size_limit_MB",
    "max_write_batch_group_size_bytes",
    "manifest_preallocation_size",
    "is_fd_close_on_exec",
    "advise_random_on_open",
    "db_write_buffer_size",
    "write_buffer_manager",
    "use_adaptive_mutex",
    "rate_limiter",
    "sst_file_manager",
    "wal_recovery_mode",
    "enable_thread_tracking",
    "enable_pipelined_write",
    "unordered_write",
    "allow_concurrent_memtable_write",
    "enable_write_thread_adaptive_yield",
    "write_thread_max_yield_usec",
    "write_thread_slow_yield_usec",
    "row_cache",
    "wal_filter",
    "avoid_flush_during_recovery",
    "allow_ingest_behind",
    "two_write_queues",
    "manual_wal_flush",
    "wal_compression",
    "atomic_flush",
    "avoid_unnecessary_blocking_io",
    "persist_stats_to_disk",
    "write_dbid_to_manifest",
    "log_readahead_size",
    "file_checksum_gen_factory",
    "best_efforts_recovery",
    "max_bgerror_resume_count",
    "bgerror_resume_retry_interval",
    "allow_data_in_errors",
    "db_host_id",
    "enforce_single_del_contracts",
    "max_background_jobs",
    "max_background_compactions",
    "max_subcompactions",
    "avoid_flush_during_shutdown",
    "writable_file_max_buffer_size",
    "delayed_write_rate",
    "max_total_wal_size",
    "delete_obsolete_files_period_micros",
    "stats_dump_period_sec",
    "stats_persist_period_sec",
    "stats_history_buffer_size",
    "max_open_files",
    "bytes_per_sync",
    "wal_bytes_per_sync",
    "strict_bytes_per_sync",
    "compaction_readahead_size",
    "max_background_flushes",
};

constexpr std::string_view kDeprecatedDbOptions[] = {
    "access_hint_on_compaction_start",
    "allow_os_buffer",
    "base_background_compactions",
    "concurrent_prepare",
    "disableDataSync",
    "disable_data_sync",
    "experimental_allow_mempurge",
    "experimental_mempurge_policy",
    "experimental_mempurge_threshold",
    "fail_if_options_file_error",
    "new_table_reader_for_compaction_inputs",
    "preserve_deletes",
    "random_access_max_buffer_size",
    "seq_per_batch",
    "skip_checking_sst_file_sizes_on_db_open",
    "skip_log_error_on_recovery",
    "use_direct_writes",
};

constexpr OptionAlias kDbAliases[] = {
    {"rate_limiter_bytes_per_sec", "rate_limiter"},
};

}  // namespace

const OptionStruct& DBOptionStruct() {
  static const OptionStruct kStruct{.name = "DBOptions",
                                    .rows = kDbRows,
                                    .deprecated = kDeprecatedDbOptions,
                                    .aliases = kDbAliases,
                                    .log_order = kDbLogOrder};
  return kStruct;
}

}  // namespace ROCKSDB_NAMESPACE
