"""The tables of scripts/c_interface.py: which C names stand for which fields.

A family is what begins with a prefix and takes one kind of handle; its fields
are named as in C++ but for the aliases here.
"""

import collections

Family = collections.namedtuple("Family", "prefix handle noun file owns")


def option(prefix, handle, file="option_accessors"):
    return Family(prefix, handle, "options", file, True)


def info(prefix, handle):
    return Family(prefix, handle, "info", "info_accessors", False)


FAMILIES = [
    option("rocksdb_options_", "rocksdb_options_t"),
    option("rocksdb_readoptions_", "rocksdb_readoptions_t",
           "call_option_accessors"),
    option("rocksdb_writeoptions_", "rocksdb_writeoptions_t",
           "call_option_accessors"),
    option("rocksdb_flushoptions_", "rocksdb_flushoptions_t",
           "call_option_accessors"),
    option("rocksdb_flushwaloptions_", "rocksdb_flushwaloptions_t",
           "call_option_accessors"),
    option("rocksdb_compactoptions_", "rocksdb_compactoptions_t",
           "call_option_accessors"),
    option("rocksdb_compaction_options_", "rocksdb_compaction_options_t",
           "call_option_accessors"),
    option("rocksdb_wait_for_compact_options_",
           "rocksdb_wait_for_compact_options_t", "call_option_accessors"),
    option("rocksdb_ingestexternalfileoptions_",
           "rocksdb_ingestexternalfileoptions_t", "call_option_accessors"),
    option("rocksdb_import_column_family_options_",
           "rocksdb_import_column_family_options_t", "call_option_accessors"),
    option("rocksdb_size_approximation_options_",
           "rocksdb_size_approximation_options_t", "call_option_accessors"),
    option("rocksdb_livefiles_storage_info_options_",
           "rocksdb_livefiles_storage_info_options_t",
           "call_option_accessors"),
    option("rocksdb_open_and_compact_options_",
           "rocksdb_open_and_compact_options_t", "call_option_accessors"),
    option("rocksdb_wal_readoptions_", "rocksdb_wal_readoptions_t",
           "call_option_accessors"),
    option("rocksdb_block_based_options_",
           "rocksdb_block_based_table_options_t", "table_option_accessors"),
    option("rocksdb_cuckoo_options_", "rocksdb_cuckoo_table_options_t",
           "table_option_accessors"),
    option("rocksdb_universal_compaction_options_",
           "rocksdb_universal_compaction_options_t",
           "table_option_accessors"),
    option("rocksdb_fifo_compaction_options_",
           "rocksdb_fifo_compaction_options_t", "table_option_accessors"),
    option("rocksdb_envoptions_", "rocksdb_envoptions_t",
           "table_option_accessors"),
    option("rocksdb_lru_cache_options_", "rocksdb_lru_cache_options_t",
           "table_option_accessors"),
    option("rocksdb_hyper_clock_cache_options_",
           "rocksdb_hyper_clock_cache_options_t", "table_option_accessors"),
    option("rocksdb_compaction_service_options_override_",
           "rocksdb_compaction_service_options_override_t",
           "table_option_accessors"),
    option("rocksdb_trace_options_", "rocksdb_trace_options_t",
           "trace_option_accessors"),
    option("rocksdb_replay_options_", "rocksdb_replay_options_t",
           "trace_option_accessors"),
    option("rocksdb_block_cache_trace_options_",
           "rocksdb_block_cache_trace_options_t", "trace_option_accessors"),
    option("rocksdb_block_cache_trace_writer_options_",
           "rocksdb_block_cache_trace_writer_options_t",
           "trace_option_accessors"),
    option("rocksdb_backup_engine_options_",
           "rocksdb_backup_engine_options_t", "utility_option_accessors"),
    option("rocksdb_create_backup_options_",
           "rocksdb_create_backup_options_t", "utility_option_accessors"),
    option("rocksdb_restore_options_", "rocksdb_restore_options_t",
           "utility_option_accessors"),
    option("rocksdb_transactiondb_options_",
           "rocksdb_transactiondb_options_t", "call_option_accessors"),
    option("rocksdb_transaction_options_", "rocksdb_transaction_options_t",
           "call_option_accessors"),
    option("rocksdb_optimistictransactiondb_options_",
           "rocksdb_optimistictransactiondb_options_t",
           "call_option_accessors"),
    option("rocksdb_optimistictransaction_options_",
           "rocksdb_optimistictransaction_options_t",
           "call_option_accessors"),
    info("rocksdb_table_properties_", "rocksdb_table_properties_t"),
    info("rocksdb_compaction_job_stats_", "rocksdb_compaction_job_stats_t"),
    info("rocksdb_compaction_file_info_", "rocksdb_compaction_file_info_t"),
    info("rocksdb_compactionjobinfo_", "rocksdb_compactionjobinfo_t"),
    info("rocksdb_subcompactionjobinfo_", "rocksdb_subcompactionjobinfo_t"),
    info("rocksdb_flushjobinfo_", "rocksdb_flushjobinfo_t"),
    info("rocksdb_memtableinfo_", "rocksdb_memtableinfo_t"),
    info("rocksdb_writestallinfo_", "rocksdb_writestallinfo_t"),
    info("rocksdb_externalfileingestioninfo_",
         "rocksdb_externalfileingestioninfo_t"),
    info("rocksdb_blob_file_addition_info_",
         "rocksdb_blob_file_addition_info_t"),
    info("rocksdb_blob_file_garbage_info_",
         "rocksdb_blob_file_garbage_info_t"),
    info("rocksdb_compactionservice_jobinfo_t_",
         "rocksdb_compactionservice_jobinfo_t"),
    info("rocksdb_compactionfiltercontext_",
         "rocksdb_compactionfiltercontext_t"),
    Family("rocksdb_statistics_histogram_data_",
           "rocksdb_statistics_histogram_data_t", "data", "info_accessors",
           True),
]

# (prefix, name in C) -> field in C++.
ALIASES = {
    ("rocksdb_options_", "blob_gc_age_cutoff"):
        "blob_garbage_collection_age_cutoff",
    ("rocksdb_options_", "blob_gc_force_threshold"):
        "blob_garbage_collection_force_threshold",
    ("rocksdb_options_", "enable_blob_gc"): "enable_blob_garbage_collection",
    ("rocksdb_envoptions_", "fd_cloexec"): "set_fd_cloexec",
    ("rocksdb_writeoptions_", "disable_WAL"): "disableWAL",
    ("rocksdb_wal_readoptions_", "verify_checksums"): "verify_checksums_",
    ("rocksdb_block_based_options_", "data_block_hash_ratio"):
        "data_block_hash_table_util_ratio",
    ("rocksdb_block_based_options_", "partition_pinning_tier"):
        "metadata_cache_options.partition_pinning",
    ("rocksdb_block_based_options_", "top_level_index_pinning_tier"):
        "metadata_cache_options.top_level_index_pinning",
    ("rocksdb_block_based_options_", "unpartitioned_pinning_tier"):
        "metadata_cache_options.unpartitioned_pinning",
    ("rocksdb_cuckoo_options_", "hash_ratio"): "hash_table_ratio",
    ("rocksdb_statistics_histogram_data_", "p95"): "percentile95",
    ("rocksdb_statistics_histogram_data_", "p99"): "percentile99",
    ("rocksdb_statistics_histogram_data_", "std_dev"): "standard_deviation",
    ("rocksdb_compactionservice_jobinfo_t_", "is_bottommost_level"):
        "bottommost_level",
}
for _name in ("calculate_sst_write_lifetime_hint_set",
              "checksum_handoff_file_types"):
    ALIASES["rocksdb_options_", _name + "_count"] = _name + ".count()"
for _name in ("max_dict_buffer_bytes", "parallel_threads",
              "use_zstd_dict_trainer", "zstd_max_train_bytes"):
    ALIASES["rocksdb_options_", "compression_options_" + _name] = (
        "compression_opts." + _name)
    ALIASES["rocksdb_options_", "bottommost_compression_options_" + _name] = (
        "bottommost_compression_opts." + _name)
for _name, _field in (("num_input_files", "num_input_files"),
                      ("num_input_files_at_output_level",
                       "num_input_files_at_output_level"),
                      ("input_records", "num_input_records"),
                      ("output_records", "num_output_records"),
                      ("total_input_bytes", "total_input_bytes"),
                      ("total_output_bytes", "total_output_bytes"),
                      ("elapsed_micros", "elapsed_micros"),
                      ("num_corrupt_keys", "num_corrupt_keys")):
    ALIASES["rocksdb_compactionjobinfo_", _name] = "stats." + _field

# Rows (in options/), of fields in these headers, that RocksDB's C interface
# lacks get accessors of this handle.
OWN_ROWS = {
    "db_rows.def": (["options.h"], "rocksdb_options_t", "rocksdb_options_"),
    "column_family_rows.def": (["options.h", "advanced_options.h"],
                               "rocksdb_options_t", "rocksdb_options_"),
}

# Calls that can fail, and need no handle; reads of several keys have an error
# for each.
NEEDS_NO_HANDLE = {
    "rocksdb_multi_get",
    "rocksdb_multi_get_cf",
    "rocksdb_multi_get_cf_with_ts",
    "rocksdb_multi_get_with_ts",
    "rocksdb_compactionservice_scheduleresponse_create_with_status",
    "rocksdb_jemalloc_nodump_allocator_create",
    "rocksdb_transaction_multi_get",
    "rocksdb_transaction_multi_get_cf",
    "rocksdb_transaction_multi_get_for_update",
    "rocksdb_transaction_multi_get_for_update_cf",
    "rocksdb_transactiondb_multi_get",
    "rocksdb_transactiondb_multi_get_cf",
}

# The opening sentence of each generated file, and of its part of the header.
SECTIONS = {
    "option_accessors":
        "Options of databases and column families, field by field.",
    "call_option_accessors":
        "Options of single calls, field by field.",
    "table_option_accessors":
        "Options of tables, caches, files and compaction styles.",
    "utility_option_accessors":
        "Options of backups, field by field.",
    "trace_option_accessors":
        "Options of traces and of replaying them, field by field.",
    "info_accessors":
        "What callbacks and metadata are told, field by field.",
}
