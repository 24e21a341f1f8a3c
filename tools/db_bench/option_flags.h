// Flags that do nothing but set one option of the engine, by its name.
//
// They reach the engine as text, through GetDBOptionsFromMap and its like, so
// one program serves engines of different age: an option that the linked
// engine does not know is left out, and named on stderr if the command line
// asked for it.
//
// A row of the table is
//   F(where, type, flag, default, option, "help")
// where the flag's text is given to `option` of the struct `where`. An empty
// string is not given at all.

#pragma once

#include <gflags/gflags.h>

#include <optional>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

// One row a flag; an engine option of the same name unless said otherwise.
// clang-format off
#define DB_BENCH_DB_OPTION_FLAGS(F)                                            \
  F(kDb, bool, advise_random_on_open, true, advise_random_on_open,             \
    "Tell the kernel that table files are read at random.")                    \
  F(kDb, bool, allow_concurrent_memtable_write, true,                          \
    allow_concurrent_memtable_write, "Writers insert side by side.")           \
  F(kDb, bool, allow_data_in_errors, false, allow_data_in_errors,              \
    "Error messages may hold keys.")                                           \
  F(kDb, bool, avoid_flush_during_recovery, false,                             \
    avoid_flush_during_recovery, "Keep what the log gave in memory.")          \
  F(kDb, bool, avoid_flush_during_shutdown, false,                             \
    avoid_flush_during_shutdown, "Close without a flush.")                     \
  F(kDb, uint64, background_io_max_bytes_in_flight, 0,                         \
    background_io_max_bytes_in_flight,                                         \
    "Most bytes of background I/O at the device; 0: by the target delay.")     \
  F(kDb, uint64, background_io_target_delay_micros, 300,                       \
    background_io_target_delay_micros,                                         \
    "Longest wait of a read behind background I/O; 0: not governed.")          \
  F(kDb, uint64, bytes_per_sync, 0, bytes_per_sync,                            \
    "Write table files back every so many bytes.")                             \
  F(kDb, bool, compaction_keeps_hot_data, true, compaction_keeps_hot_data,     \
    "Keep warm what users read when its file is replaced.")                    \
  F(kDb, string, compaction_read_access, "default", compaction_read_access,    \
    "How compaction reads: default, auto, buffered, uncached or direct.")      \
  F(kDb, uint64, compaction_readahead_size, 2097152,                           \
    compaction_readahead_size, "Read-ahead of compaction, in bytes.")          \
  F(kDb, string, compaction_write_access, "default",                           \
    compaction_write_access, "How flush and compaction write; as the above.")  \
  F(kDb, int64, db_write_buffer_size, 0, db_write_buffer_size,                 \
    "Bytes of all memtables. 0: no common limit.")                             \
  F(kDb, uint64, delayed_write_rate, 8388608, delayed_write_rate,              \
    "Bytes a second of slowed-down writers.")                                  \
  F(kDb, uint64, delete_obsolete_files_period_micros, 0,                       \
    delete_obsolete_files_period_micros, "Time between full file purges.")     \
  F(kDb, bool, enable_pipelined_write, true, enable_pipelined_write,           \
    "Log and memtable writes overlap.")                                        \
  F(kDb, bool, enable_write_thread_adaptive_yield, true,                       \
    enable_write_thread_adaptive_yield, "Writers spin before they sleep.")     \
  F(kDb, int32, file_opening_threads, 16, max_file_opening_threads,            \
    "Threads that open table files in DB::Open.")                              \
  F(kDb, uint64, fresh_level0_bytes, 0, fresh_level0_bytes,                    \
    "Memory for level-0 files until they are compacted.")                      \
  F(kDb, int32, log_readahead_size, 0, log_readahead_size,                     \
    "Read-ahead of log recovery, in bytes.")                                   \
  F(kDb, bool, manual_wal_flush, false, manual_wal_flush,                      \
    "The log is written only when it is flushed.")                             \
  F(kDb, int32, max_background_compactions, -1, max_background_compactions,    \
    "Compactions at once. -1: from max_background_jobs.")                      \
  F(kDb, int32, max_background_flushes, -1, max_background_flushes,            \
    "Flushes at once. -1: from max_background_jobs.")                          \
  F(kDb, int32, max_background_jobs, 2, max_background_jobs,                   \
    "Background jobs at once.")                                                \
  F(kDb, int64, max_manifest_file_size, 1073741824, max_manifest_file_size,    \
    "Bytes after which a new MANIFEST begins.")                                \
  F(kDb, uint64, max_total_wal_size, 0, max_total_wal_size,                    \
    "Bytes of logs that force flushes. 0: the engine's choice.")               \
  F(kDb, bool, mmap_read, false, allow_mmap_reads, "Map files to read them.")  \
  F(kDb, bool, mmap_write, false, allow_mmap_writes,                           \
    "Map files to write them.")                                                \
  F(kDb, int32, open_files, -1, max_open_files,                                \
    "Table files open at once. -1: all.")                                      \
  F(kDb, bool, paranoid_checks, true, paranoid_checks,                         \
    "Stop writing when something is found damaged.")                           \
  F(kDb, bool, persist_stats_to_disk, false, persist_stats_to_disk,            \
    "Keep statistics in the database.")                                        \
  F(kDb, bool, skip_stats_update_on_db_open, false,                            \
    skip_stats_update_on_db_open, "Open without reading table properties.")    \
  F(kDb, uint64, stats_dump_period_sec, 600, stats_dump_period_sec,            \
    "Seconds between statistics in the LOG file.")                             \
  F(kDb, uint64, stats_history_buffer_size, 1048576,                           \
    stats_history_buffer_size, "Bytes of kept statistics.")                    \
  F(kDb, uint64, stats_persist_period_sec, 600, stats_persist_period_sec,      \
    "Seconds between kept statistics.")                                        \
  F(kDb, uint64, subcompactions, 1, max_subcompactions,                        \
    "Threads that one compaction may use.")                                    \
  F(kDb, int32, table_cache_numshardbits, 4, table_cache_numshardbits,         \
    "log2 of table cache shards.")                                             \
  F(kDb, bool, track_and_verify_wals, false, track_and_verify_wals,            \
    "Each log names the one before it.")                                       \
  F(kDb, bool, track_and_verify_wals_in_manifest, false,                       \
    track_and_verify_wals_in_manifest, "The MANIFEST records logs.")           \
  F(kDb, bool, unordered_write, false, unordered_write,                        \
    "Trade snapshot isolation for write speed.")                               \
  F(kDb, bool, use_adaptive_mutex, false, use_adaptive_mutex,                  \
    "Threads try for the database's mutex before they sleep.")                 \
  F(kDb, bool, use_direct_io_for_compaction_reads, false,                      \
    use_direct_io_for_compaction_reads,                                        \
    "Compaction reads with O_DIRECT; user reads stay in the page cache.")      \
  F(kDb, bool, use_direct_io_for_flush_and_compaction, false,                  \
    use_direct_io_for_flush_and_compaction,                                    \
    "Flush and compaction write with O_DIRECT.")                               \
  F(kDb, bool, use_direct_reads, false, use_direct_reads,                      \
    "All table reads use O_DIRECT.")                                           \
  F(kDb, bool, use_fsync, false, use_fsync, "fsync instead of fdatasync.")     \
  F(kDb, uint64, wal_bytes_per_sync, 0, wal_bytes_per_sync,                    \
    "Write logs back every so many bytes.")                                    \
  F(kDb, string, wal_compression, "none", wal_compression,                     \
    "Compression of log records: none or zstd.")                               \
  F(kDb, string, wal_dir, "", wal_dir, "Directory of the logs.")               \
  F(kDb, uint64, wal_size_limit_MB, 0, WAL_size_limit_MB,                      \
    "Megabytes of archived logs to keep.")                                     \
  F(kDb, uint64, wal_ttl_seconds, 0, WAL_ttl_seconds,                          \
    "Seconds that archived logs are kept.")                                    \
  F(kDb, int32, writable_file_max_buffer_size, 1048576,                        \
    writable_file_max_buffer_size, "Write buffer of a file, in bytes.")        \
  F(kDb, uint64, write_thread_max_yield_usec, 100,                             \
    write_thread_max_yield_usec, "Microseconds that a writer spins.")          \
  F(kDb, uint64, write_thread_slow_yield_usec, 3,                              \
    write_thread_slow_yield_usec, "A yield of so many counts as slow.")        \
  F(kDb, bool, async_wal_precreate, false, async_wal_precreate,                \
    "Make the next log ahead of its turn.")                                    \
  F(kDb, bool, dump_malloc_stats, true, dump_malloc_stats,                     \
    "Numbers of the allocator with those in LOG.")                             \
  F(kDb, uint64, max_compaction_trigger_wakeup_seconds, 43200,                 \
    max_compaction_trigger_wakeup_seconds,                                     \
    "Longest time between two looks for work by age.")                         \
  F(kDb, int32, max_manifest_space_amp_pct, 500, max_manifest_space_amp_pct,   \
    "How far a manifest outgrows its content.")                                \
  F(kDb, bool, open_files_async, false, open_files_async,                      \
    "Open table files behind the open of the database.")                       \
  F(kDb, bool, verify_manifest_content_on_close, false,                        \
    verify_manifest_content_on_close,                                          \
    "Read the manifest back at the close.")

#define DB_BENCH_CF_OPTION_FLAGS(F)                                            \
  F(kCf, int64, arena_block_size, 0, arena_block_size,                         \
    "Bytes of one memtable block. 0: the engine's choice.")                    \
  F(kCf, uint64, blob_compaction_readahead_size, 0,                            \
    blob_compaction_readahead_size, "Read-ahead on blobs in compactions.")     \
  F(kCf, string, blob_compression_type, "none", blob_compression_type,         \
    "Codec of values in blob files.")                                          \
  F(kCf, uint64, blob_file_size, 268435456, blob_file_size,                    \
    "Size at which a blob file is closed.")                                    \
  F(kCf, int32, blob_file_starting_level, 0, blob_file_starting_level,         \
    "First level whose values go to blob files.")                              \
  F(kCf, double, blob_garbage_collection_age_cutoff, 0.25,                     \
    blob_garbage_collection_age_cutoff, "Oldest part that is collected.")      \
  F(kCf, double, blob_garbage_collection_force_threshold, 1.0,                 \
    blob_garbage_collection_force_threshold, "Garbage that forces that.")      \
  F(kCf, uint32, block_protection_bytes_per_key, 0,                            \
    block_protection_bytes_per_key, "Checksum bytes of a loaded entry.")       \
  F(kCf, int32, bloom_locality, 0, bloom_locality,                             \
    "Probes of the memtable filter share a cache line.")                       \
  F(kCf, int32, compaction_pri, 3, compaction_pri,                             \
    "Which files are compacted first, as in CompactionPri.")                   \
  F(kCf, int32, compaction_style, 0, compaction_style,                         \
    "0 level, 1 universal, 2 FIFO.")                                           \
  F(kCf, int32, compression_level, 32767, compression_opts.level,              \
    "Level of the codec. 32767: its default.")                                 \
  F(kCf, uint64, compression_max_dict_buffer_bytes, 0,                         \
    compression_opts.max_dict_buffer_bytes, "Bytes sampled for one.")          \
  F(kCf, int32, compression_max_dict_bytes, 0,                                 \
    compression_opts.max_dict_bytes, "Bytes of a compression dictionary.")     \
  F(kCf, int32, compression_parallel_threads, 1,                               \
    compression_opts.parallel_threads, "Threads that compress one file.")      \
  F(kCf, string, compression_type, "snappy", compression,                      \
    "none, snappy, zlib, bzip2, lz4, lz4hc or zstd.")                          \
  F(kCf, bool, compression_use_zstd_dict_trainer, true,                        \
    compression_opts.use_zstd_dict_trainer, "Train rather than finalize.")     \
  F(kCf, int32, compression_zstd_max_train_bytes, 0,                           \
    compression_opts.zstd_max_train_bytes, "Bytes to train one from.")         \
  F(kCf, bool, disable_auto_compactions, false, disable_auto_compactions,      \
    "Compact only when told to.")                                              \
  F(kCf, bool, enable_blob_files, false, enable_blob_files,                    \
    "Store large values in blob files.")                                       \
  F(kCf, bool, enable_blob_garbage_collection, false,                          \
    enable_blob_garbage_collection, "Move live blobs out of old files.")       \
  F(kCf, uint64, fifo_age_for_warm, 0,                                         \
    compaction_options_fifo.age_for_warm, "Seconds until a file is warm.")     \
  F(kCf, bool, fifo_compaction_allow_compaction, true,                         \
    compaction_options_fifo.allow_compaction, "Merge small files.")            \
  F(kCf, uint64, fifo_compaction_max_data_files_size_mb, 0,                    \
    compaction_options_fifo.max_data_files_size,                               \
    "Megabytes of tables and blobs.")                                          \
  F(kCf, uint64, fifo_compaction_max_table_files_size_mb, 0,                   \
    compaction_options_fifo.max_table_files_size, "Megabytes of tables.")      \
  F(kCf, bool, fifo_compaction_use_kv_ratio_compaction, false,                 \
    compaction_options_fifo.use_kv_ratio_compaction, "Merge by it.")           \
  F(kCf, bool, force_consistency_checks, true, force_consistency_checks,       \
    "Check the order of files whenever it changes.")                           \
  F(kCf, uint64, hard_pending_compaction_bytes_limit, 137438953472,            \
    hard_pending_compaction_bytes_limit, "Debt that stops writers.")           \
  F(kCf, uint64, inplace_update_num_locks, 10000, inplace_update_num_locks,    \
    "Locks for updates in place.")                                             \
  F(kCf, bool, inplace_update_support, false, inplace_update_support,          \
    "Overwrite values in the memtable.")                                       \
  F(kCf, int32, level0_file_num_compaction_trigger, 4,                         \
    level0_file_num_compaction_trigger, "Level-0 files that compact.")         \
  F(kCf, int32, level0_slowdown_writes_trigger, 20,                            \
    level0_slowdown_writes_trigger, "Level-0 files that slow writers.")        \
  F(kCf, int32, level0_stop_writes_trigger, 36, level0_stop_writes_trigger,    \
    "Level-0 files that stop writers.")                                        \
  F(kCf, bool, level_compaction_dynamic_level_bytes, false,                    \
    level_compaction_dynamic_level_bytes, "Level sizes follow the last.")      \
  F(kCf, uint64, max_bytes_for_level_base, 268435456,                          \
    max_bytes_for_level_base, "Bytes of level 1.")                             \
  F(kCf, double, max_bytes_for_level_multiplier, 10,                           \
    max_bytes_for_level_multiplier, "How much larger the next level is.")      \
  F(kCf, string, max_bytes_for_level_multiplier_additional, "",                \
    max_bytes_for_level_multiplier_additional,                                 \
    "Factors of each level, separated by colons.")                             \
  F(kCf, uint64, max_compaction_bytes, 0, max_compaction_bytes,                \
    "Bytes of one compaction. 0: the engine's choice.")                        \
  F(kCf, int32, max_successive_merges, 0, max_successive_merges,               \
    "Merge operands in a memtable that are folded at once.")                   \
  F(kCf, int32, max_write_buffer_number, 2, max_write_buffer_number,           \
    "Memtables of a column family.")                                           \
  F(kCf, int64, max_write_buffer_size_to_maintain, 0,                          \
    max_write_buffer_size_to_maintain, "Bytes of flushed memtables kept.")     \
  F(kCf, double, memtable_bloom_size_ratio, 0,                                 \
    memtable_prefix_bloom_size_ratio, "Part of a memtable for a filter.")      \
  F(kCf, uint32, memtable_protection_bytes_per_key, 0,                         \
    memtable_protection_bytes_per_key, "Checksum bytes of an entry.")          \
  F(kCf, bool, memtable_whole_key_filtering, false,                            \
    memtable_whole_key_filtering, "That filter holds whole keys.")             \
  F(kCf, string, memtablerep, "skip_list", memtable_factory,                   \
    "Order of a memtable: skip_list, vector, prefix_hash, hash_linkedlist.")   \
  F(kCf, uint64, min_blob_size, 0, min_blob_size,                              \
    "Smallest value that goes to a blob file.")                                \
  F(kCf, int32, min_write_buffer_number_to_merge, 1,                           \
    min_write_buffer_number_to_merge, "Memtables of one flush.")               \
  F(kCf, int32, num_levels, 7, num_levels, "Levels.")                          \
  F(kCf, bool, optimize_filters_for_hits, false, optimize_filters_for_hits,    \
    "No filters on the last level.")                                           \
  F(kCf, uint64, periodic_compaction_seconds, 18446744073709551614u,           \
    periodic_compaction_seconds, "Age at which files are rewritten.")          \
  F(kCf, int32, prepopulate_blob_cache, 0, prepopulate_blob_cache,             \
    "0: blobs are cached when read; 1: when flushed, too.")                    \
  F(kCf, bool, report_bg_io_stats, false, report_bg_io_stats,                  \
    "Measure the I/O of background jobs.")                                     \
  F(kCf, int64, sample_for_compression, 0, sample_for_compression,             \
    "Try codecs on one in so many blocks. 0: off.")                            \
  F(kCf, uint64, soft_pending_compaction_bytes_limit, 68719476736,             \
    soft_pending_compaction_bytes_limit, "Debt that slows writers.")           \
  F(kCf, bool, strict_max_successive_merges, false,                            \
    strict_max_successive_merges, "max_successive_merges even if it reads.")   \
  F(kCf, int64, target_file_size_base, 67108864, target_file_size_base,        \
    "Bytes of a table file of level 1.")                                       \
  F(kCf, int32, target_file_size_multiplier, 1, target_file_size_multiplier,   \
    "How much larger files of the next level are.")                            \
  F(kCf, uint64, ttl_seconds, 18446744073709551614u, ttl,                      \
    "Age at which files are compacted onwards.")                               \
  F(kCf, uint64, fifo_compaction_ttl, 0, ttl,                                  \
    "The same, for FIFO compaction. 0: as --ttl_seconds.")                     \
  F(kCf, bool, universal_allow_trivial_move, false,                            \
    compaction_options_universal.allow_trivial_move,                           \
    "Move what does not overlap.")                                             \
  F(kCf, int32, universal_compression_size_percent, -1,                        \
    compaction_options_universal.compression_size_percent,                     \
    "Percent compressed. -1: all.")                                            \
  F(kCf, bool, universal_incremental, false,                                   \
    compaction_options_universal.incremental, "Free space in pieces.")         \
  F(kCf, int32, universal_max_merge_width, 0,                                  \
    compaction_options_universal.max_merge_width,                              \
    "Most runs at once. 0: the default.")                                      \
  F(kCf, int32, universal_max_read_amp, -1,                                    \
    compaction_options_universal.max_read_amp,                                 \
    "Limit of sorted runs. 0: chosen.")                                        \
  F(kCf, int32, universal_max_size_amplification_percent, 0,                   \
    compaction_options_universal.max_size_amplification_percent,               \
    "Percent of extra space. 0: the default.")                                 \
  F(kCf, int32, universal_min_merge_width, 0,                                  \
    compaction_options_universal.min_merge_width,                              \
    "Fewest runs at once. 0: the default.")                                    \
  F(kCf, bool, universal_reduce_file_locking, true,                            \
    compaction_options_universal.reduce_file_locking,                          \
    "A waiting compaction keeps its oldest run alone from others.")            \
  F(kCf, int32, universal_size_ratio, 0,                                       \
    compaction_options_universal.size_ratio,                                   \
    "Percent a run may be larger. 0: the default.")                            \
  F(kCf, int32, universal_stop_style, 1,                                       \
    compaction_options_universal.stop_style, "0 similar size, 1 total size.")  \
  F(kCf, int64, write_buffer_size, 67108864, write_buffer_size,                \
    "Bytes of a memtable.")                                                    \
  F(kCf, double, experimental_mempurge_threshold, 0.0,                         \
    experimental_mempurge_threshold,                                           \
    "Share of garbage from which memtables are cleaned in memory.")            \
  F(kCf, bool, memtable_batch_lookup_optimization, false,                      \
    memtable_batch_lookup_optimization,                                        \
    "MultiGet looks its keys up in order.")                                    \
  F(kCf, uint32, memtable_op_scan_flush_trigger, 0,                            \
    memtable_op_scan_flush_trigger,                                            \
    "Hidden entries of a scan that ask for a flush. 0: off.")                  \
  F(kCf, bool, memtable_verify_per_key_checksum_on_seek, false,                \
    memtable_verify_per_key_checksum_on_seek,                                  \
    "Seeks check the sums of memtable entries.")                               \
  F(kCf, uint32, min_tombstones_for_range_conversion, 0,                       \
    min_tombstones_for_range_conversion,                                       \
    "Deletions in a row that become one of a range. 0: off.")                  \
  F(kCf, bool, paranoid_memory_checks, false, paranoid_memory_checks,          \
    "Memtables check the order of their keys.")                                \
  F(kCf, int64, preclude_last_level_data_seconds, 0,                           \
    preclude_last_level_data_seconds,                                          \
    "Younger data stay out of the last level.")                                \
  F(kCf, int64, preserve_internal_time_seconds, 0,                             \
    preserve_internal_time_seconds,                                            \
    "How long it is known when a key was written.")                            \
  F(kCf, double, read_triggered_compaction_threshold, 0.0,                     \
    read_triggered_compaction_threshold,                                       \
    "Reads of a file that ask for its compaction. 0: off.")                    \
  F(kCf, uint32, uncache_aggressiveness, 0, uncache_aggressiveness,            \
    "How eagerly blocks of deleted files leave the cache.")                    \
  F(kCf, bool, enable_blob_direct_write, false, enable_blob_direct_write,      \
    "Large values go to blob files at once, past the log.")                    \
  F(kCf, uint64, blob_direct_write_partitions, 1,                              \
    blob_direct_write_partitions, "Blob files that such writes share.")        \
  F(kCf, bool, memtable_use_huge_page, false, memtable_huge_page_size,         \
    "Memtables lie in huge pages.")                                            \
  F(kCf, int32, memtable_insert_with_hint_prefix_size, 0,                      \
    memtable_insert_with_hint_prefix_extractor,                                \
    "Writers look from the last key of such a prefix on. 0: off.")

#define DB_BENCH_TABLE_OPTION_FLAGS(F)                                         \
  F(kTable, bool, block_align, false, block_align,                             \
    "Pad blocks so that none crosses a page.")                                 \
  F(kTable, int32, block_restart_interval, 16, block_restart_interval,         \
    "Entries between restart points of data blocks.")                          \
  F(kTable, int32, block_size, 4096, block_size, "Bytes of a data block.")     \
  F(kTable, bool, cache_index_and_filter_blocks, false,                        \
    cache_index_and_filter_blocks, "Index and filter go to the cache.")        \
  F(kTable, int32, checksum_type, 4, checksum,                                 \
    "0 none, 1 CRC32c, 2 xxHash, 3 xxHash64, 4 XXH3.")                         \
  F(kTable, bool, enable_index_compression, true, enable_index_compression,    \
    "Compress index blocks.")                                                  \
  F(kTable, int32, format_version, 7, format_version,                          \
    "Version of the table format.")                                            \
  F(kTable, int32, index_block_restart_interval, 1,                            \
    index_block_restart_interval, "The same for index blocks.")                \
  F(kTable, int64, index_shortening_mode, 2, index_shortening,                 \
    "0 whole keys in the index, 1 separators, 2 and successors.")              \
  F(kTable, uint64, initial_auto_readahead_size, 8192,                         \
    initial_auto_readahead_size, "First automatic read-ahead.")                \
  F(kTable, uint64, max_auto_readahead_size, 262144,                           \
    max_auto_readahead_size, "Largest automatic read-ahead.")                  \
  F(kTable, int64, metadata_block_size, 4096, metadata_block_size,             \
    "Bytes of a partition of index or filter.")                                \
  F(kTable, uint64, num_file_reads_for_auto_readahead, 2,                      \
    num_file_reads_for_auto_readahead, "Reads that start it.")                 \
  F(kTable, bool, optimize_filters_for_memory, true,                           \
    optimize_filters_for_memory, "Filters fill their allocations.")            \
  F(kTable, bool, pin_l0_filter_and_index_blocks_in_cache, false,              \
    pin_l0_filter_and_index_blocks_in_cache, "Level 0 stays cached.")          \
  F(kTable, bool, pin_top_level_index_and_filter, false,                       \
    pin_top_level_index_and_filter, "Top-level blocks stay cached.")           \
  F(kTable, int32, read_amp_bytes_per_bit, 0, read_amp_bytes_per_bit,          \
    "Grain of the read-amplification estimate. 0: off.")                       \
  F(kTable, bool, verify_compression, false, verify_compression,               \
    "Expand each block after it is compressed.")                               \
  F(kTable, bool, whole_key_filtering, true, whole_key_filtering,              \
    "Filters hold whole keys.")                                                \
  F(kTable, double, data_block_hash_table_util_ratio, 0.75,                    \
    data_block_hash_table_util_ratio,                                          \
    "Keys for each slot of the hash index of data blocks.")                    \
  F(kTable, bool, decouple_partitioned_filters, true,                          \
    decouple_partitioned_filters,                                              \
    "Partitions of filters end where they want.")                              \
  F(kTable, string, index_block_search_type, "binary_search",                  \
    index_block_search_type,                                                   \
    "Search of index blocks: binary_search, interpolation_search, auto.")   \
  F(kTable, int64, prepopulate_block_cache, 0, prepopulate_block_cache,        \
    "1 puts the blocks of flushed files into the cache.")                      \
  F(kTable, bool, separate_key_value_in_data_block, false,                     \
    separate_key_value_in_data_block,                                          \
    "Values behind all keys of a block.")                                      \
  F(kTable, uint64, super_block_alignment_size, 0,                             \
    super_block_alignment_size,                                                \
    "Data blocks do not cross such a boundary. 0: off.")                       \
  F(kTable, uint64, super_block_alignment_space_overhead_ratio, 128,           \
    super_block_alignment_space_overhead_ratio,                                \
    "One part in so many may be padding.")                                     \
  F(kTable, double, uniform_cv_threshold, -1, uniform_cv_threshold,            \
    "How uniform keys are for interpolation. -1: off.")                        \
  F(kTable, bool, use_data_block_hash_index, false, data_block_index_type,     \
    "Data blocks have a hash index.")
// clang-format on

#define DB_BENCH_OPTION_FLAGS(F) \
  DB_BENCH_DB_OPTION_FLAGS(F)    \
  DB_BENCH_CF_OPTION_FLAGS(F)    \
  DB_BENCH_TABLE_OPTION_FLAGS(F)

#define DB_BENCH_DECLARE(where, type, flag, value, option, help) \
  DECLARE_##type(flag);
DB_BENCH_OPTION_FLAGS(DB_BENCH_DECLARE)
#undef DB_BENCH_DECLARE

namespace ROCKSDB_NAMESPACE::bench {

enum class OptionStruct { kDb, kCf, kTable };

struct OptionFlag {
  OptionStruct where;
  const char* flag;
  const char* option;
};

const std::vector<OptionFlag>& OptionFlags();

// The value of `flag` as the engine spells it: enumerators by name instead of
// by number, codecs as in "kSnappyCompression". Nothing if there is no such
// enumerator.
std::optional<std::string> EngineText(const OptionFlag& flag);

}  // namespace ROCKSDB_NAMESPACE::bench
