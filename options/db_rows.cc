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

constexpr OptionRow kDbRows[] = {
#define FIXED(member, ...) OPTION(DBOptions, member, kFixed, __VA_ARGS__),
#define DYNAMIC(member, ...) OPTION(DBOptions, member, kDynamic, __VA_ARGS__),
#include "options/db_rows.def"
};

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
