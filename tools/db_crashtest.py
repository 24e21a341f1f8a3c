#!/usr/bin/env python3
"""Kills db_stress again and again, and lets it verify what is left.

usage: db_crashtest.py blackbox|whitebox [switches] [--flag=value]...

blackbox: the process is killed at a random moment. whitebox: it kills itself
inside a chosen operation on files; after some of these kills come three runs
that end by themselves, with universal compaction, with FIFO compaction and with
the style of before. Every iteration draws new options, from the table below and
from the option rows of the engine (draw_options). The database and the expected
state are kept from one iteration to the next, unless the style changes.

Switches: --simple, --cf_consistency, --atomic_flush, --enable_ts (user-defined
timestamps), --test_best_efforts_recovery (new tables are taken away between two
processes, too), --test_tiered_storage, --txn (every write is a transaction with
two phases), --optimistic_txn, --test_multiops_txn (transactions over a table and
its index).

--duration=SECONDS      how long in all          --interval=SECONDS  of one run
--kills=N               end after so many kills  --stress_cmd=PATH   db_stress
--initial_random_seed_override=N        the seed of the whole test
--per_iteration_random_seed_override=N  of each iteration
--cleanup_cmd=CMD       run at the end           --db=DIR            where
Any other --flag=value is given to db_stress in every iteration.

A failure prints the command that failed and the one that repeats the test,
keeps the database, and ends with status 1.
"""

import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def one_of(*values):
    return lambda rng: rng.choice(values)


def weighted(*pairs):
    values = [value for value, weight in pairs for _ in range(weight)]
    return one_of(*values)


# Kept for the life of the database: what is expected depends on them.
FIXED = {
    "max_key": one_of(2000, 20000, 100000),
    "max_key_len": 3,
    "key_len_percent_dist": one_of("", "1,30,69", "33,33,34"),
    "key_window_scale_factor": one_of(1, 10),
    "column_families": one_of(1, 3, 10),
    "value_size_mult": 32,
    "prefix_size": one_of(-1, 5, 7, 8),
    "nooverwritepercent": one_of(1, 30),
    "test_batches_snapshots": weighted((0, 3), (1, 1)),
    "compaction_style": weighted((0, 5), (1, 2), (2, 1)),
    "num_levels": weighted((7, 3), (4, 1)),
    "use_full_merge_v1": weighted((0, 3), (1, 1)),
    # Tables that were made without it do not open by it.
    "use_udi_as_primary_index": weighted((0, 15), (1, 1)),
}

# Steering of db_stress.
STEERING = {
    "threads": one_of(2, 8, 16),
    "ops_per_thread": 100000000,
    "readpercent": 30, "prefixpercent": 5, "iterpercent": 10,
    "writepercent": 45, "delpercent": 9, "delrangepercent": 1,
    "progress_reports": 0,
    "destroy_db_initially": 0,
    "acquire_snapshot_one_in": one_of(100, 10000),
    "snapshot_hold_ops": one_of(100, 10000),
    "long_running_snapshots": one_of(0, 1),
    "hot_key_alpha": weighted((0, 2), (0.5, 1), (2, 1)),
    "active_width": weighted((0, 2), (1000, 1)),
    "batch_protection_bytes_per_key": one_of(0, 8),
    "bloom_bits": one_of(0, 2, 10, 14.5),
    "bloom_before_level": one_of(-1, 0, 2, 999),
    "cache_size": one_of(1 << 20, 8 << 20, 32 << 20),
    "cache_type": weighted(
        ("lru_cache", 1), ("fixed_hyper_clock_cache", 1),
        ("auto_hyper_clock_cache", 2), ("tiered_lru_cache", 1),
        ("tiered_fixed_hyper_clock_cache", 1),
        ("tiered_auto_hyper_clock_cache", 2)),
    "adm_policy": one_of(0, 1, 2, 3, 4),
    "allow_setting_blob_options_dynamically": one_of(0, 1),
    "blob_cache_numshardbits": 6,
    "blob_cache_size": one_of(1 << 20, 2 << 20, 4 << 20, 8 << 20),
    "charge_blob_cache": one_of(0, 1),
    "charge_compression_dictionary_building_buffer": one_of(0, 1),
    "charge_file_metadata": one_of(0, 1),
    "charge_filter_construction": one_of(0, 1),
    "charge_table_reader": one_of(0, 1),
    "compressed_secondary_cache_size": one_of(0, 8 << 20, 16 << 20),
    "secondary_cache_uri": weighted(
        ("", 3), ("compressed_secondary_cache://capacity=8388608;"
                  "enable_custom_split_merge=true", 1)),
    "secondary_cache_update_interval": one_of(100000, 30000000),
    "secondary_cache_fault_one_in": weighted((0, 2), (32, 1)),
    "enable_custom_split_merge": one_of(0, 1),
    "enable_do_not_compress_roles": one_of(0, 1),
    "use_blob_cache": one_of(0, 1),
    "use_shared_block_and_blob_cache": one_of(0, 1),
    "check_multiget_consistency": weighted((0, 3), (1, 1)),
    "check_multiget_entity_consistency": weighted((0, 3), (1, 1)),
    "compression_manager": weighted(("none", 3), ("mixed", 1),
                                    ("randommixed", 2), ("autoskip", 2)),
    "continuous_verification_interval": one_of(0, 1000),
    "verify_before_write": one_of(0, 1),
    "preserve_unverified_changes": one_of(0, 1),
    "checkpoint_one_in": one_of(0, 10000, 100000),
    "checkpoint_atomic_flush": one_of(0, 1),
    "checkpoint_engine_max_background_operations": one_of(1, 4, 8),
    "checkpoint_engine_use_link_file_when_available": one_of(0, 1),
    "parallel_checkpoint_one_in": one_of(0, 1, 2),
    "subset_cf_checkpoint_one_in": one_of(0, 1, 2),
    "backup_one_in": one_of(0, 10000, 100000),
    "backup_max_size": 104857600,
    "test_follower": weighted((0, 3), (1, 1)),
    "clear_column_family_one_in": weighted((0, 3), (20000, 1)),
    "compact_files_one_in": one_of(1000, 100000),
    "compact_range_one_in": one_of(1000, 100000),
    "compact_range_width": one_of(100, 10000),
    "disable_file_deletions_one_in": one_of(10000, 100000),
    "disable_manual_compaction_one_in": one_of(10000, 100000),
    "abort_and_resume_compactions_one_in": one_of(10000, 1000000),
    "abort_and_resume_cf_compactions_one_in": one_of(10000, 1000000),
    "disable_wal": weighted((0, 3), (1, 1)),
    "enable_compaction_filter": weighted((0, 3), (1, 1)),
    "enable_memtable_insert_with_hint_prefix_extractor":
        weighted((0, 7), (1, 1)),
    "mark_for_compaction_one_file_in": weighted((0, 3), (10, 1)),
    "compaction_thread_pool_adjust_interval": weighted((0, 3), (100, 1)),
    "compaction_thread_pool_variations": 2,
    "open_read_only_one_in": weighted((0, 3), (1, 1), (16, 1)),
    "enable_compaction_on_deletion_trigger": weighted((0, 3), (1, 1)),
    "enable_sst_partitioner_factory": weighted((0, 3), (1, 1)),
    "file_checksum_impl": one_of("none", "crc32c"),
    "fifo_compaction_max_data_files_size_mb": one_of(0, 102400),
    "fifo_compaction_max_table_files_size_mb": 102400,
    "fill_cache": one_of(0, 1),
    "flush_one_in": one_of(1000, 100000),
    "get_all_column_family_metadata_one_in": 10000,
    "get_current_wal_file_one_in": 10000,
    "get_live_files_apis_one_in": one_of(10000, 100000),
    "get_property_one_in": 10000,
    "get_properties_of_all_tables_one_in": 10000,
    "get_sorted_wal_files_one_in": 10000,
    "high_pri_pool_ratio": one_of(0, 0.5),
    "import_family_one_in": one_of(0, 10000, 100000),
    "ingest_external_file_one_in": one_of(0, 1000, 100000),
    "ingest_external_file_width": one_of(10, 100),
    "ingest_external_file_prepare_commit_one_in": one_of(0, 1, 2),
    "ingest_external_file_use_file_info_one_in": one_of(0, 1, 2),
    "ingest_external_file_with_embedded_blobs": one_of(0, 1),
    "test_ingest_standalone_range_deletion_one_in": one_of(0, 5, 10),
    "ingest_wbwi_one_in": weighted((0, 2), (100, 1), (500, 1)),
    "key_may_exist_one_in": one_of(10, 1000),
    "lazy_entity_read_one_in": weighted((0, 3), (10, 1), (100, 1)),
    "lock_wal_one_in": 10000,
    "mock_direct_io": weighted((0, 7), (1, 1)),
    "low_pri_pool_ratio": one_of(0, 0.5),
    "manual_wal_flush_one_in": weighted((0, 3), (1000, 1)),
    "memtable_insert_hint_per_batch": one_of(0, 1),
    "metadata_charge_policy": one_of(0, 1),
    "num_bottom_pri_threads": one_of(0, 1, 20),
    "optimize_multiget_for_io": one_of(0, 1),
    "partition_filters": one_of(0, 1),
    "partition_pinning": one_of(0, 1, 2, 3),
    "pause_background_one_in": one_of(10000, 100000),
    "promote_l0_one_in": weighted((0, 3), (10000, 1)),
    "read_scoped_block_buffer_provider": weighted((0, 7), (1, 1)),
    "remote_compaction_worker_threads": weighted((0, 3), (2, 1)),
    "remote_compaction_worker_interval": one_of(0, 10),
    "remote_compaction_failure_fall_back_to_local": 1,
    "allow_resumption_one_in": one_of(0, 1, 2, 20),
    "reopen": weighted((0, 2), (100000, 1)),
    "reset_stats_one_in": 10000,
    "set_in_place_one_in": weighted((0, 11), (2, 1)),
    "set_options_one_in": one_of(0, 1000),
    "sqfc_name": one_of("foo", "bar"),
    "sqfc_version": weighted((0, 1), (1, 2), (2, 2)),
    "use_sqfc_for_range_queries": weighted((0, 1), (1, 3)),
    "sst_file_manager_bytes_per_sec": weighted((0, 3), (104857600, 1)),
    "sst_file_manager_bytes_per_truncate": one_of(0, 1048576),
    "statistics": one_of(0, 1),
    "sync": weighted((0, 9), (1, 1)),
    "sync_fault_injection": one_of(0, 1),
    "sync_wal_one_in": one_of(0, 500),
    "async_io": one_of(0, 1),
    "adaptive_readahead": one_of(0, 1),
    "auto_readahead_size": one_of(0, 1),
    "allow_unprepared_value": one_of(0, 1),
    "auto_refresh_iterator_with_snapshot": one_of(0, 1),
    "rate_limiter_bytes_per_sec": weighted((0, 3), (10485760, 1)),
    "rate_limit_bg_reads": one_of(0, 1),
    "rate_limit_user_ops": one_of(0, 1),
    "rate_limit_auto_wal_flush": one_of(0, 1),
    "readahead_size": one_of(0, 16384),
    "top_level_index_pinning": one_of(0, 1, 2, 3),
    "unpartitioned_pinning": one_of(0, 1, 2, 3),
    "use_adaptive_mutex_lru": one_of(0, 1),
    "use_async_db_api": weighted((0, 5), (1, 1)),
    "use_merge": one_of(0, 1),
    "use_timed_put_one_in": weighted((0, 7), (1, 1), (5, 1), (10, 1)),
    "use_trie_index": weighted((0, 15), (1, 1)),
    "use_multiget": one_of(0, 1),
    "use_put_entity_one_in": weighted((0, 7), (1, 1), (5, 1), (10, 1)),
    "use_get_entity": weighted((0, 7), (1, 1)),
    "use_multi_get_entity": weighted((0, 7), (1, 1)),
    "use_attribute_group": one_of(0, 1),
    "use_multi_cf_iterator": one_of(0, 1),
    "use_wbwi_one_in": weighted((0, 2), (20, 1), (200, 1)),
    "use_write_buffer_manager": one_of(0, 1),
    "verify_checksum": 1,
    "verify_checksum_one_in": one_of(10000, 100000),
    "verify_db_one_in": one_of(0, 100000),
    "verify_file_checksums_one_in": one_of(10000, 100000),
    "verify_iterator_with_expected_state_one_in": 5,
    "read_fault_one_in": weighted((0, 3), (1000, 1)),
    "write_fault_one_in": weighted((0, 3), (1000, 1)),
    "exclude_wal_from_write_fault_injection": 0,
    "tolerate_non_injected_io_errors_for_remote_dbs": 0,
    "metadata_read_fault_one_in": weighted((0, 3), (1000, 1)),
    "metadata_write_fault_one_in": weighted((0, 3), (1000, 1)),
    "open_read_fault_one_in": weighted((0, 3), (32, 1)),
    "open_write_fault_one_in": weighted((0, 3), (16, 1)),
    "open_metadata_read_fault_one_in": weighted((0, 3), (8, 1)),
    "open_metadata_write_fault_one_in": weighted((0, 3), (8, 1)),
    "error_recovery_with_no_fault_injection": one_of(0, 1),
    "use_multiscan": weighted((0, 3), (1, 1)),
    "multiscan_reverse": one_of(0, 1),
    "multiscan_use_async_io": one_of(0, 1),
    "multiscan_max_prefetch_memory_bytes": one_of(0, 65536, 1048576),
}

TEMPERATURES = ("kUnknown", "kHot", "kWarm", "kCool", "kCold", "kIce")

# Options of the engine, by the reference tool's names or the engine's.
ENGINE = {
    "WAL_size_limit_MB": one_of(0, 1),
    "WAL_ttl_seconds": one_of(0, 60),
    "advise_random_on_open": one_of(0, 1),
    "allow_concurrent_memtable_write": one_of(0, 1),
    "allow_data_in_errors": 1,
    "allow_fallocate": one_of(0, 1),
    "atomic_flush": weighted((0, 3), (1, 1)),
    "async_wal_precreate": one_of(0, 1),
    "avoid_flush_during_recovery": one_of(0, 1),
    "avoid_flush_during_shutdown": one_of(0, 1),
    "avoid_unnecessary_blocking_io": one_of(0, 1),
    "background_close_inactive_wals": one_of(0, 1),
    "background_io_target_delay_micros": one_of(0, 300),
    "bgerror_resume_retry_interval": one_of(100, 1000000),
    "block_align": weighted((0, 3), (1, 1)),
    "block_protection_bytes_per_key": one_of(0, 1, 2, 4, 8),
    "block_size": one_of(512, 4096, 16384),
    "bottommost_file_compaction_delay":
        weighted((0, 3), (600, 1), (3600, 1), (86400, 1)),
    "bottommost_compression_type":
        one_of("disable", "none", "snappy", "lz4", "zstd"),
    "bytes_per_sync": one_of(0, 262144),
    "cache_index_and_filter_blocks": one_of(0, 1),
    "cache_index_and_filter_blocks_with_high_priority": one_of(0, 1),
    "checksum_type": one_of("kCRC32c", "kxxHash", "kxxHash64", "kXXH3"),
    "compaction_keeps_hot_data": one_of(0, 1),
    "compaction_pri": one_of(0, 1, 2, 3, 4),
    "compaction_read_access":
        weighted(("default", 2), ("auto", 1), ("buffered", 1),
                 ("uncached", 1), ("direct", 1)),
    "compaction_write_access":
        weighted(("default", 2), ("auto", 1), ("buffered", 1),
                 ("uncached", 1), ("direct", 1)),
    "compaction_readahead_size": one_of(0, 65536, 1048576),
    "compaction_ttl": one_of(0, 2, 1000),
    "compression_checksum": one_of(0, 1),
    "compression_use_zstd_dict_trainer": one_of(0, 1),
    "compression_max_dict_buffer_bytes":
        lambda rng: (1 << rng.randint(0, 40)) - 1,
    "compression_max_dict_bytes": weighted((0, 3), (16384, 1)),
    "compression_zstd_max_train_bytes": one_of(0, 65536),
    "compression_parallel_threads": weighted((1, 3), (4, 1)),
    "compression_type": one_of("none", "snappy", "zlib", "lz4", "zstd"),
    "daily_offpeak_time_utc":
        weighted(("", 2), ("00:00-23:59", 1), ("04:00-08:00", 1),
                 ("23:30-03:15", 1)),
    "data_block_index_type": one_of(0, 1),
    "db_write_buffer_size": weighted((0, 3), (1048576, 1)),
    "default_temperature": one_of(*TEMPERATURES),
    "default_write_temperature": one_of(*TEMPERATURES),
    "decouple_partitioned_filters": weighted((0, 1), (1, 2)),
    "delete_obsolete_files_period_micros": one_of(0, 21600000000),
    "detect_filter_construct_corruption": one_of(0, 1),
    "dump_malloc_stats": one_of(0, 1),
    "enable_blob_files": weighted((0, 3), (1, 1)),
    "enable_blob_direct_write": one_of(0, 1),
    "blob_direct_write_partitions": one_of(1, 2, 4, 8),
    "enable_blob_garbage_collection": one_of(0, 1),
    "enable_checksum_handoff": one_of(0, 1),
    "prepopulate_blob_cache": one_of(0, 1),
    "prepopulate_block_cache": one_of(0, 1, 2),
    "blob_compaction_readahead_size": one_of(0, 1048576, 4194304),
    "blob_compression_type": one_of("none", "snappy", "lz4", "zstd"),
    "blob_file_size": one_of(65536, 1048576),
    "blob_garbage_collection_age_cutoff": one_of(0.0, 0.25, 0.5, 0.75, 1.0),
    "blob_garbage_collection_force_threshold": one_of(0.5, 0.75, 1.0),
    "blob_file_starting_level": weighted((0, 4), (1, 3), (2, 2), (3, 1)),
    "min_blob_size": one_of(0, 64),
    "enable_index_compression": one_of(0, 1),
    "enable_pipelined_write": one_of(0, 1),
    "enable_thread_tracking": one_of(0, 1),
    "enable_write_thread_adaptive_yield": one_of(0, 1),
    "enforce_write_buffer_manager_during_recovery": one_of(0, 1),
    "experimental_mempurge_threshold": weighted((0, 4), (0.5, 1), (1, 1),
                                                (10, 1)),
    "fast_sst_open": one_of(0, 1),
    "format_version": weighted((2, 1), (3, 1), (4, 1), (5, 2), (6, 2), (7, 3)),
    "fifo_allow_compaction": one_of(0, 1),
    "fifo_compaction_use_kv_ratio_compaction": one_of(0, 1),
    "fresh_level0_bytes": weighted((0, 2), (1048576, 1), (33554432, 1)),
    "hard_pending_compaction_bytes_limit":
        weighted((2097152, 1), (274877906944, 4)),
    "index_block_restart_interval": one_of(1, 2, 8, 15),
    "index_block_search_type": one_of(0, 1, 2),
    "index_shortening": one_of(0, 1, 2),
    "index_type": weighted((0, 2), (1, 1), (2, 2), (3, 2)),
    "initial_auto_readahead_size": one_of(0, 16384, 524288),
    "inplace_update_support": weighted((0, 9), (1, 1)),
    "last_level_temperature": one_of(*TEMPERATURES),
    "level0_file_num_compaction_trigger": one_of(2, 4, 8),
    "level_compaction_dynamic_level_bytes": one_of(0, 1),
    "log_file_time_to_roll": one_of(0, 60),
    "log_readahead_size": one_of(0, 16777216),
    "lowest_used_cache_tier": one_of(0, 1, 2),
    "manifest_preallocation_size": one_of(0, 5120),
    "max_auto_readahead_size": one_of(0, 16384, 524288),
    "max_background_jobs": one_of(2, 8),
    "max_bytes_for_level_base": one_of(262144, 1048576, 10485760),
    "max_compaction_trigger_wakeup_seconds": one_of(30, 600, 43200),
    "max_log_file_size": one_of(0, 1048576),
    "max_manifest_space_amp_pct": one_of(0, 10, 100, 1000),
    "max_manifest_file_size": weighted((2048, 1), (16384, 1), (1 << 30, 2)),
    "max_sequential_skip_in_iterations": one_of(1, 2, 8),
    "max_subcompactions": one_of(1, 2, 4),
    "max_successive_merges": weighted((0, 3), (2, 1)),
    "max_total_wal_size": weighted((0, 3), (1048576, 1)),
    "max_write_batch_group_size_bytes": one_of(16, 1048576),
    "max_write_buffer_number": one_of(2, 3, 6),
    "max_write_buffer_size_to_maintain": one_of(0, 1048576),
    "memtable_avg_op_scan_flush_trigger": one_of(0, 2, 20, 200),
    "memtable_batch_lookup_optimization": one_of(0, 1),
    "memtable_max_range_deletions": weighted((0, 6), (100, 1), (1000, 1)),
    "memtable_op_scan_flush_trigger": one_of(0, 10, 100, 1000),
    "memtable_prefix_bloom_size_ratio": one_of(0, 0.01, 0.1),
    "memtable_protection_bytes_per_key": one_of(0, 1, 2, 4, 8),
    "memtable_verify_per_key_checksum_on_seek": weighted((0, 7), (1, 1)),
    "memtable_whole_key_filtering": one_of(0, 1),
    "memtablerep": weighted(("skip_list", 9), ("vector", 1),
                            ("prefix_hash", 1), ("hash_linkedlist", 1)),
    "metadata_block_size": one_of(512, 4096),
    "min_tombstones_for_range_conversion": weighted((0, 1), (2, 2), (4, 1),
                                                    (16, 1)),
    "min_write_buffer_number_to_merge": one_of(1, 2),
    "mmap_read": weighted((0, 3), (1, 1)),
    "num_file_reads_for_auto_readahead": one_of(0, 1, 2),
    "open_files": weighted((-1, 3), (20, 1)),
    "open_files_async": one_of(0, 1),
    "optimize_filters_for_hits": one_of(0, 1),
    "optimize_filters_for_memory": one_of(0, 1),
    "optimize_manifest_for_recovery": one_of(0, 1),
    "paranoid_file_checks": one_of(0, 1),
    "paranoid_memory_checks": weighted((0, 7), (1, 1)),
    "periodic_compaction_seconds": one_of(0, 2, 1000),
    "read_amp_bytes_per_bit": one_of(0, 32),
    "read_triggered_compaction_threshold": one_of(0.0, 0.001, 0.01),
    "recycle_log_file_num": weighted((0, 2), (1, 1), (4, 1)),
    "report_bg_io_stats": one_of(0, 1),
    "reuse_manifest_on_open": one_of(0, 1),
    "sample_for_compression": one_of(0, 5),
    "separate_key_value_in_data_block": weighted((0, 1), (1, 2)),
    "skip_stats_update_on_db_open": one_of(0, 1),
    "soft_pending_compaction_bytes_limit":
        weighted((1048576, 1), (68719476736, 4)),
    "stats_dump_period_sec": one_of(0, 10, 600),
    "stats_history_buffer_size": one_of(0, 1048576),
    "super_block_alignment_size": one_of(0, 131072, 524288, 2097152),
    "super_block_alignment_space_overhead_ratio": one_of(0, 32, 4096),
    "strict_bytes_per_sync": one_of(0, 1),
    "strict_max_successive_merges": one_of(0, 1),
    "table_cache_numshardbits": weighted((6, 3), (-1, 2), (0, 1)),
    "target_file_size_base": one_of(65536, 524288, 2097152),
    "target_file_size_multiplier": one_of(1, 2),
    "track_and_verify_wals_in_manifest": one_of(0, 1),
    "two_write_queues": weighted((0, 3), (1, 1)),
    "uniform_cv_threshold": one_of(-1, 0.2, 1000),
    "uncache_aggressiveness": weighted((0, 2), (3, 1), (100, 1)),
    "universal_max_merge_width": one_of(4, 8, 4294967295),
    "universal_max_read_amp": weighted((-1, 3), (0, 1), (4, 1), (10, 1)),
    "universal_max_size_amplification_percent": one_of(0, 25, 200, 1000),
    "universal_min_merge_width": one_of(2, 3),
    "universal_reduce_file_locking": one_of(0, 1),
    "universal_size_ratio": one_of(0, 1, 10, 100),
    "unordered_write": weighted((0, 3), (1, 1)),
    "use_adaptive_mutex": one_of(0, 1),
    "use_delta_encoding": one_of(0, 1),
    "use_direct_io_for_compaction_reads": one_of(0, 1),
    "use_direct_io_for_flush_and_compaction": one_of(0, 1),
    "use_direct_reads": weighted((0, 2), (1, 1)),
    "use_fsync": one_of(0, 1),
    "verify_compression": one_of(0, 1),
    "verify_manifest_content_on_close": one_of(0, 1),
    "verify_output_flags":
        weighted((0, 3), (1031, 1), (3079, 1), (4294967295, 1)),
    "wal_bytes_per_sync": one_of(0, 16384),
    "wal_compression": one_of("none", "zstd"),
    "writable_file_max_buffer_size": one_of(4096, 1048576),
    "write_buffer_size": one_of(65536, 1048576, 4194304),
    "write_dbid_to_manifest": one_of(0, 1),
    "write_identity_file": one_of(0, 1),
}

SIMPLE = {
    "column_families": 1, "max_background_jobs": 2,
    "max_bytes_for_level_base": 67108864, "target_file_size_base": 16777216,
    "target_file_size_multiplier": 1, "test_batches_snapshots": 0,
    "write_buffer_size": 33554432, "memtablerep": "skip_list",
    "test_secondary": one_of(0, 1),
}
CF_CONSISTENCY = {
    "test_cf_consistency": 1, "test_batches_snapshots": 0, "reopen": 0,
    "column_families": 5, "write_buffer_size": 1048576,
    "enable_compaction_filter": 0, "clear_column_family_one_in": 0,
    "ingest_external_file_one_in": 0, "use_wbwi_one_in": 0,
    "verify_iterator_with_expected_state_one_in": 0,
}
ATOMIC_FLUSH = {"atomic_flush": 1, "disable_wal": one_of(0, 1, 1)}
TIMESTAMPS = {
    "test_cf_consistency": 0, "test_batches_snapshots": 0,
    "user_timestamp_size": 8,
    "persist_user_defined_timestamps": weighted((1, 2), (0, 1)),
    "use_merge": 0, "use_multiscan": 0, "use_full_merge_v1": 0, "use_txn": 0,
    "ingest_external_file_one_in": 0, "use_put_entity_one_in": 0,
    "ingest_wbwi_one_in": 0,
    "use_get_entity": 0, "use_multi_get_entity": 0, "use_attribute_group": 0,
    "use_multi_cf_iterator": 0,
    "use_timed_put_one_in": 0, "use_trie_index": 0, "use_wbwi_one_in": 0,
    "use_udi_as_primary_index": 0, "lazy_entity_read_one_in": 0,
    "remote_compaction_worker_threads": 0,
    "preclude_last_level_data_seconds": 0,
    # What a cleared family held is not expected as of before.
    "clear_column_family_one_in": 0,
}
BEST_EFFORTS = {
    "best_efforts_recovery": 1, "disable_wal": 1, "column_families": 1,
    "skip_verifydb": 1, "verify_db_one_in": 0, "atomic_flush": 0,
    "open_read_only_one_in": 0,
    "cut_tables_one_in": 2,
}
TIERED = {
    "last_level_temperature": one_of("kCold", "kIce"),
    "default_write_temperature": one_of("kUnknown", "kHot", "kWarm"),
    "file_temperature_age_thresholds": one_of(
        "{{temperature=kWarm;age=10}:{temperature=kCool;age=30}:"
        "{temperature=kCold;age=100}:{temperature=kIce;age=300}}",
        "{{temperature=kWarm;age=30}:{temperature=kCold;age=300}}",
        "{{temperature=kCold;age=100}}"),
    "allow_trivial_copy_when_change_temperature": one_of(0, 1),
    "preclude_last_level_data_seconds": weighted(
        (0, 2), (10, 1), (60, 1), (1200, 1), (86400, 1)),
    "preserve_internal_time_seconds": one_of(0, 60, 3600, 36000),
    "enable_blob_files": 0, "use_blob_db": 0,
}
# With any transactions.
ANY_TXN = {
    "use_txn": 1, "delrangepercent": 0, "delpercent": 10,
    "ingest_external_file_one_in": 0, "ingest_wbwi_one_in": 0,
    "use_timed_put_one_in": 0, "open_read_only_one_in": 0,
}
# What is prepared is in the log, and plain databases do not open such logs.
LOCKING_TXN = {
    **ANY_TXN, "use_optimistic_txn": 0, "txn_write_policy": one_of(0, 1, 2),
    "use_per_key_point_lock_mgr": one_of(0, 1),
    "commit_bypass_memtable_one_in": weighted((0, 3), (500, 1), (1000, 1)),
    "create_timestamped_snapshot_one_in": one_of(0, 20),
    "use_only_the_last_commit_time_batch_for_recovery": one_of(0, 1),
    "disable_wal": 0, "unordered_write": 0, "checkpoint_one_in": 0,
    "backup_one_in": 0, "test_follower": 0, "test_secondary": 0,
    "remote_compaction_worker_threads": 0,
}
OPTIMISTIC_TXN = {
    **ANY_TXN, "use_optimistic_txn": 1, "occ_validation_policy": one_of(0, 1),
    "share_occ_lock_buckets": one_of(0, 1),
    "occ_lock_bucket_count": one_of(10, 100, 500),
}
MULTI_OPS_TXN = {
    **LOCKING_TXN, "test_multi_ops_txns": 1, "column_families": 1,
    "test_batches_snapshots": 0, "readpercent": 5, "prefixpercent": 0,
    "iterpercent": 5, "writepercent": 0, "delpercent": 0,
    "customopspercent": 90, "rollback_one_in": 4,
    "delay_snapshot_read_one_in": one_of(0, 1000),
    "ub_a": one_of(100, 1000, 10000), "ub_c": one_of(10, 100, 1000),
    "acquire_snapshot_one_in": 0, "import_family_one_in": 0,
    "clear_column_family_one_in": 0, "flush_one_in": 1000,
    "write_buffer_size": 65536, "preserve_unverified_changes": 0,
}
# What each switch draws again in every iteration.
SWITCHES = {
    "--simple": SIMPLE, "--cf_consistency": CF_CONSISTENCY,
    "--atomic_flush": ATOMIC_FLUSH, "--enable_ts": TIMESTAMPS,
    "--test_best_efforts_recovery": BEST_EFFORTS,
    "--test_tiered_storage": TIERED, "--txn": LOCKING_TXN,
    "--optimistic_txn": OPTIMISTIC_TXN, "--test_multiops_txn": MULTI_OPS_TXN,
}
# Parameters of switches that stay for the life of the database, like FIXED.
FIXED_BY_SWITCH = ("column_families", "test_batches_snapshots",
                   "persist_user_defined_timestamps", "use_full_merge_v1",
                   "use_udi_as_primary_index",
                   "ub_a", "ub_c", "txn_write_policy")

# Where the process kills itself: the calls that are left out, text that the
# path contains, and by how much rarer than --random_kill_odd such calls are.
KILL_PLACES = [
    ("", "", 1),
    ("Append,PositionedAppend,Close,RangeSync", "", 10),
    ("", "MANIFEST", 20),
    ("", ".log", 2),
    ("", ".sst", 2),
    ("Append,PositionedAppend,RangeSync,Sync,Fsync,Transfer,Close", "", 50),
]

# Whitebox: so many runs that may kill themselves, then one of each that does
# not, with this style (None: the configured one) and part of the interval.
KILLING_RUNS = 8
CALM_RUNS = [(1, 1.0), (2, 0.2), (None, 1.0)]

OWN = ["duration", "interval", "kills", "stress_cmd", "random_kill_odd",
       "initial_random_seed_override", "per_iteration_random_seed_override",
       "cleanup_cmd", "db", "verify_timeout", "option_rows_one_in"]

# What the engine calls the options that db_stress calls otherwise.
ENGINE_NAMES = {
    "allow_mmap_reads": "mmap_read", "max_open_files": "open_files",
    "ttl": "compaction_ttl", "compression": "compression_type",
    "checksum": "checksum_type", "memtable_factory": "memtablerep",
    "manual_wal_flush": "manual_wal_flush_one_in",
    "write_buffer_manager": "use_write_buffer_manager",
    "filter_policy": "bloom_before_level",
    "compression_opts": "compression_max_dict_bytes",
    "compaction_options_universal": "universal_max_read_amp",
    "user_defined_index_factory": "use_trie_index",
}


def draw(table, rng):
    return {name: rule(rng) if callable(rule) else rule
            for name, rule in table.items()}


def sanitise_caches(p):
    """The secondary caches that there can be, and blobs that fit what they are
    charged."""
    is_tiered = p["cache_type"].startswith("tiered_")
    if is_tiered:
        if p["adm_policy"] == 3:  # three queues, the third of --..._uri
            p["secondary_cache_uri"] = (
                "compressed_secondary_cache://capacity=8388608")
        else:
            p.update(secondary_cache_uri="", secondary_cache_fault_one_in=0)
    else:
        p["adm_policy"] = 0
    if p["secondary_cache_uri"]:
        if not is_tiered:
            p["compressed_secondary_cache_size"] = 0
    elif not p["compressed_secondary_cache_size"]:
        p["secondary_cache_fault_one_in"] = 0
    if (not p["use_blob_cache"] or p["use_shared_block_and_blob_cache"] or
            p["blob_cache_size"] > p["cache_size"]):
        p["charge_blob_cache"] = 0


def sanitise_tables(p):
    """Formats of tables that go together."""
    if p.get("use_udi_as_primary_index"):
        p["use_trie_index"] = 1
        p["partition_filters"] = 0
        p["index_type"] = 0 if p["index_type"] == 2 else p["index_type"]
    if p["use_trie_index"]:
        p["compression_parallel_threads"] = 1
    if p["format_version"] < 7:
        p["separate_key_value_in_data_block"] = 0
    if p["block_align"]:
        p.update(compression_type="none", bottommost_compression_type="disable")
    if not p["write_dbid_to_manifest"]:
        p["write_identity_file"] = 1


def not_pipelined(p):
    """Whether its transactions do not go with pipelined writes."""
    return any(p.get(name) for name in (
        "txn_write_policy", "commit_bypass_memtable_one_in",
        "create_timestamped_snapshot_one_in"))


def sanitise_direct_blobs(p):
    """Their writer is the one leader of all writes, for one memtable."""
    if not p["enable_blob_direct_write"]:
        return
    if (not p["enable_blob_files"] or p["two_write_queues"] or
            p["unordered_write"] or p.get("user_timestamp_size")):
        p["enable_blob_direct_write"] = 0
        return
    p.update(allow_concurrent_memtable_write=0, enable_pipelined_write=0,
             experimental_mempurge_threshold=0, ingest_wbwi_one_in=0)


def is_in_place(p):
    """Whether some opening updates values in place."""
    return p["inplace_update_support"] or p["set_in_place_one_in"]


def sanitise_in_place(p):
    """One writer changes them; timestamps and snapshots want them kept."""
    if not is_in_place(p):
        return
    if (p["unordered_write"] or p.get("use_txn") or
            p.get("user_timestamp_size") or p["test_batches_snapshots"] or
            p.get("test_cf_consistency")):
        p.update(inplace_update_support=0, set_in_place_one_in=0)
        return
    p.update(allow_concurrent_memtable_write=0,
             memtable_protection_bytes_per_key=0)


def sanitise(params):
    """Mends what contradicts itself."""
    p = params
    direct = (p["use_direct_reads"] or p["use_direct_io_for_compaction_reads"])
    if direct and p["compaction_read_access"] in ("buffered", "uncached"):
        p["compaction_read_access"] = "default"
    if (p["use_direct_io_for_flush_and_compaction"] and
            p["compaction_write_access"] in ("buffered", "uncached")):
        p["compaction_write_access"] = "default"
    if direct or p["compaction_read_access"] not in ("default", "buffered"):
        p["mmap_read"] = 0  # Mapped files are not read directly.
    p["initial_auto_readahead_size"] = min(p["initial_auto_readahead_size"],
                                           p["max_auto_readahead_size"])
    if 0 < p["universal_max_read_amp"] < (
            p["level0_file_num_compaction_trigger"]):
        p["universal_max_read_amp"] = 10
    if p["compaction_style"] == 2:
        p.update(compaction_ttl=0, periodic_compaction_seconds=0,  # They drop.
                 open_files_async=0)
    if p["open_files_async"]:
        p["skip_stats_update_on_db_open"] = 1
    if not p["compression_max_dict_bytes"]:
        p.update(compression_max_dict_buffer_bytes=0,
                 compression_zstd_max_train_bytes=0)
    if p["disable_wal"]:
        # Without a log there is nothing to sync, flush or fail.
        p.update(sync=0, sync_wal_one_in=0, manual_wal_flush_one_in=0,
                 rate_limit_auto_wal_flush=0)
        if p.get("test_cf_consistency"):
            p["atomic_flush"] = 1
    else:
        p["ingest_wbwi_one_in"] = 0  # It is in no log.
    if p.get("test_cf_consistency") and not p["atomic_flush"]:
        p["test_follower"] = 0  # It sees families at different moments.
    sanitise_caches(p)
    if p["use_full_merge_v1"]:
        p["use_put_entity_one_in"] = 0  # It knows no columns.
    if p["partition_filters"] and p["bloom_bits"] == 0:
        p["partition_filters"] = 0
    if p["partition_filters"]:
        p["index_type"] = 2
    if not p.get("persist_user_defined_timestamps", 1):
        p.update(allow_concurrent_memtable_write=0, unordered_write=0,
                 atomic_flush=0)
    if p["unordered_write"]:
        p.update(allow_concurrent_memtable_write=1, enable_pipelined_write=0)
        if p["test_batches_snapshots"] or p.get("test_cf_consistency"):
            p["unordered_write"] = 0  # A snapshot may see half a batch.
    if p["two_write_queues"]:
        p["enable_pipelined_write"] = 0
    if p.get("txn_write_policy"):
        p["create_timestamped_snapshot_one_in"] = 0
    if p["atomic_flush"] or not_pipelined(p):
        p["enable_pipelined_write"] = 0
    if p["prefix_size"] < 0:
        # Hashes are of prefixes.
        p["index_type"] = 0 if p["index_type"] == 1 else p["index_type"]
        if p["memtablerep"] in ("prefix_hash", "hash_linkedlist"):
            p["memtablerep"] = "skip_list"
    sanitise_tables(p)
    if p["index_type"] == 1:
        p["index_block_restart_interval"] = 1
    if p["memtablerep"] != "skip_list":
        p["allow_concurrent_memtable_write"] = 0
        p["unordered_write"] = 0
    if p["unordered_write"]:
        p["max_successive_merges"] = 0
    sanitise_direct_blobs(p)
    sanitise_in_place(p)
    if p["prefix_size"] < 0:
        p["memtable_prefix_bloom_size_ratio"] = 0
    if (p["disable_wal"] or p["sync_fault_injection"] or
            p["manual_wal_flush_one_in"]):
        # A drop lasts, and a file, while older writes may be lost.
        p["clear_column_family_one_in"] = 0
        p["ingest_external_file_one_in"] = 0
    if p["file_checksum_impl"] == "none":
        p["verify_file_checksums_one_in"] = 0
    if not any(p[f"{kind}_fault_one_in"] for kind in
               ("read", "write", "metadata_read", "metadata_write")):
        p["error_recovery_with_no_fault_injection"] = 0
    return p


class Crashtest:
    def __init__(self, mode, switches, own, given):
        self.mode = mode
        self.switches = switches
        self.given = given
        self.own = own
        self.seed = int(own.get("initial_random_seed_override",
                                random.SystemRandom().randrange(1 << 32)))
        self.rng = random.Random(self.seed)
        self.stress = pathlib.Path(
            own.get("stress_cmd", ROOT / "build/check/bin/db_stress"))
        self.place = pathlib.Path(own["db"]) if "db" in own else (
            pathlib.Path(tempfile.mkdtemp(prefix="crashtest-")))
        self.place.mkdir(parents=True, exist_ok=True)
        self.fixed = draw(FIXED, self.rng)
        self.of_switches = set()
        for switch in switches:
            self.of_switches.update(SWITCHES[switch])
            drawn = draw(SWITCHES[switch], self.rng)
            self.fixed.update({name: drawn[name] for name in FIXED_BY_SWITCH
                               if name in drawn})
        self.style = None  # The last run's compaction style; None: no run yet.
        self.kills = 0
        self.ends = 0
        self.refused = {}

    def calm_run(self, number):
        """(style, part of the interval), or None if this run is another."""
        if self.mode != "whitebox" or number == "last":
            return None
        place = (number - 1) % (KILLING_RUNS + len(CALM_RUNS)) - KILLING_RUNS
        return CALM_RUNS[place] if place >= 0 else None

    def params(self, seed, calm, seconds):
        is_last = seconds is None
        rng = random.Random(seed)
        params = {**draw(STEERING, rng), **draw(ENGINE, rng)}
        for switch in self.switches:
            params.update(draw(SWITCHES[switch], rng))
        params.update(self.fixed)
        if calm:
            style, part = calm
            params["duration"] = max(1, round(seconds * part))
            if style is not None:
                params["compaction_style"] = style
        elif self.mode == "whitebox":
            excluded, path, rarer = rng.choice(KILL_PLACES)
            odd = int(self.own.get("random_kill_odd", 2000))
            params.update(kill_random_test=max(1, odd // rarer),
                          kill_exclude_prefixes=excluded,
                          kill_path_contains=path)
        params.update(self.given)
        if is_last:
            params.update(verification_only=1, kill_random_test=0,
                          compaction_style=self.style)
        elif self.style not in (None, params["compaction_style"]):
            params["destroy_db_initially"] = 1
        return sanitise(params)

    def options_file(self, seed):
        """One made of the option rows, or None without draw_options."""
        program = self.stress.parent / "draw_options"
        if not program.is_file():
            return None
        path = self.place / "OPTIONS"
        one_in = self.own.get("option_rows_one_in", "8")
        subprocess.run([program, str(seed), one_in, path], check=True)
        return path

    def command(self, params, seed):
        command = [str(self.stress), f"--db={self.place / 'db'}",
                   f"--expected_values_dir={self.place / 'expected'}",
                   f"--seed={seed}"]
        # Rows may compress by several threads, which an index of the
        # application's does not go with.
        has_rows = seed % 2 and not params.get("use_trie_index")
        options = self.options_file(seed) if has_rows else None
        if options:
            command.append(f"--options_file={options}")
            # What the rows say about the engine goes before the table.
            kept = {"atomic_flush", "mmap_read"}
            if params.get("compaction_style") == 2:
                kept |= {"open_files_async"}
            if not params.get("persist_user_defined_timestamps", 1):
                kept |= {"allow_concurrent_memtable_write", "unordered_write"}
            if is_in_place(params):
                kept |= {"inplace_update_support", "unordered_write",
                         "allow_concurrent_memtable_write",
                         "memtable_protection_bytes_per_key"}
            if not_pipelined(params):
                kept |= {"enable_pipelined_write"}
            params = {name: value for name, value in params.items()
                      if name not in ENGINE or name in self.given or
                      name in self.of_switches or name in kept}
            params["mmap_read"] = 0
        return command + [f"--{name}={value}"
                          for name, value in sorted(params.items())]

    def run_once(self, command, seconds):
        """(status or None if it was killed, output). Without seconds it must
        end by itself."""
        log = self.place / "output"
        with log.open("w") as output:
            process = subprocess.Popen(command, stdout=output,
                                       stderr=subprocess.STDOUT)
            try:
                limit = float(self.own.get("verify_timeout", 1200))
                status = process.wait(timeout=seconds or limit)
            except subprocess.TimeoutExpired:
                status = None
            if status is None and not seconds:
                status = self.stop_hanging(process)
            elif status is None and not self.has_verified(log):
                # Recovery and its verification are given more time.
                status = self.wait_for_work(process, log, limit)
            if status is None:
                process.send_signal(signal.SIGKILL)
                process.wait()
        return status, log.read_text(errors="replace")

    @staticmethod
    def has_verified(log):
        return "Verified what" in log.read_text(errors="replace")

    def wait_for_work(self, process, log, limit):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            try:
                return process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                if self.has_verified(log):
                    return None
        return self.stop_hanging(process)

    @staticmethod
    def stop_hanging(process):
        """It says where it stands."""
        process.send_signal(signal.SIGABRT)
        process.wait()
        return process.returncode

    def leave_out(self, params, output):
        """Takes out what the engine refuses; False if that is unknown."""
        line = next((l for l in output.splitlines()
                     if l.startswith("refused:")), "")
        names = re.findall(r"([A-Za-z0-9_]+)(?:\.[a-z_]+)?=", line)
        flags = {ENGINE_NAMES.get(name, name) for name in names}
        if "index_type" in flags:
            flags.add("partition_filters")  # It asks for a kind of index.
        flags = {flag for flag in flags if flag in params}
        for flag in flags:
            value = params.pop(flag)
            self.fixed.pop(flag, None)
            self.refused[f"{flag}={value}"] = line[9:110]
        if params.get("test_cf_consistency") and not params.get("atomic_flush"):
            params["disable_wal"] = 0  # Families would be lost apart.
        return bool(flags)

    def iteration(self, number, seconds):
        seed = int(self.own.get("per_iteration_random_seed_override",
                                self.rng.randrange(1 << 31)))
        calm = self.calm_run(number)
        params = self.params(seed, calm, seconds)
        for _ in range(30):
            command = self.command(params, seed)
            begin = time.monotonic()
            status, output = self.run_once(
                command, None if calm else seconds)
            if status != 2 or not self.leave_out(params, output):
                break
        self.style = params.get("compaction_style", 0)  # The engine's default.
        took = time.monotonic() - begin
        is_kill = status is None or status == -signal.SIGKILL
        self.kills += is_kill
        self.ends += not is_kill
        print(f"{number}: seed {seed}, {took:.1f} s, " +
              ("killed" if is_kill else f"ended with {status}") +
              f" ({self.kills} kills)", flush=True)
        if is_kill or status == 0:
            return True
        self.explain(seed, command, output)
        return False

    def explain(self, seed, command, output):
        wrong = [l for l in output.splitlines()
                 if "failed" in l or "refused" in l or "INVARIANT" in l]
        print("\n".join(wrong[:10] or output.splitlines()[-20:]))
        print("the database and its expected state are in", self.place)
        print("seed of this iteration:", seed)
        print("this command failed:\n " + " ".join(command))
        repeat = [f"--{n}={v}" for n, v in {**self.own, **self.given}.items()
                  if n not in ("initial_random_seed_override", "db")]
        print("this one repeats the test:\n  " + " ".join(
            [sys.argv[0], self.mode, *self.switches,
             f"--initial_random_seed_override={self.seed}", *repeat]))

    def run(self):
        is_white = self.mode == "whitebox"
        duration = float(self.own.get("duration", 10000 if is_white else 6000))
        interval = float(self.own.get("interval", 120))
        most_kills = int(self.own.get("kills", 1 << 30))
        print(f"{self.mode} {' '.join(self.switches)} seed {self.seed}: "
              f"{self.fixed}", flush=True)
        end = time.monotonic() + duration
        number = 0
        good = True
        while good and time.monotonic() < end and self.kills < most_kills:
            number += 1
            good = self.iteration(number,
                                  self.rng.uniform(0.2, 1.8) * interval)
        good = good and self.iteration("last", None)
        for option, why in sorted(self.refused.items()):
            print(f"left out, as the engine refuses it: {option} ({why})")
        print(f"{self.kills} kills, {self.ends} runs that ended, "
              f"{'nothing lost, nothing wrong' if good else 'FAILED'}")
        if good:
            shutil.rmtree(self.place)
            if "cleanup_cmd" in self.own:
                subprocess.run(self.own["cleanup_cmd"], shell=True, check=True)
        return 0 if good else 1


def main(arguments):
    if not arguments or arguments[0] not in ("blackbox", "whitebox"):
        print(__doc__)
        return 2
    switches, own, given = [], {}, {}
    for argument in arguments[1:]:
        name, equals, value = argument.removeprefix("--").partition("=")
        if argument in SWITCHES:
            switches.append(argument)
        elif argument == "--print_stderr_separately":
            continue  # A failure prints what matters of both.
        elif not equals:
            print(f"{argument}: --flag=value is wanted")
            return 2
        elif name in OWN:
            own[name] = value
        else:
            given[name] = int(value) if re.fullmatch(r"-?\d+", value) else value
    return Crashtest(arguments[0], switches, own, given).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
