// The command line of db_stress.
//
// Names and defaults of the flags below are those of the reference tool. Any
// other --name=value is taken for an option of the engine, under the engine's
// name or the reference tool's (engine_options.h); what neither knows is
// refused.
//
// Threads    Read-only after Parse().
// Errors     InvalidArgument with the flag and its value; NotSupported for
//            modes that are not there.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

// F(type, name, default, help)
// clang-format off
#define DB_STRESS_FLAGS(F)                                                    \
  F(std::string, db, "", "Directory of the database.")                        \
  F(int64_t, num_dbs, 1,                                                      \
    "Databases beside each other, each in a directory below --db.")           \
  F(std::string, expected_values_dir, "",                                     \
    "Where the expected state is kept. Empty: in memory only.")               \
  F(uint64_t, seed, 2341234, "Seed of all random choices.")                   \
  F(int64_t, threads, 32, "Threads that work on the database.")               \
  F(int64_t, ops_per_thread, 1200000, "Operations of each thread.")           \
  F(int64_t, duration, 0, "Seconds after which threads end. 0: never.")       \
  F(int64_t, max_key, 1048576, "Keys are numbers below this.")                \
  F(int64_t, max_key_len, 3, "Longest key, in units of eight bytes.")         \
  F(std::string, key_len_percent_dist, "",                                    \
    "How many keys in a hundred have each length, by commas.")                \
  F(int64_t, key_window_scale_factor, 10, "Of so many hundred keys each.")    \
  F(int64_t, column_families, 10, "Column families.")                         \
  F(int64_t, value_size_mult, 8, "Unit of a value's size, in bytes.")         \
  F(int64_t, active_width, 0,                                                 \
    "Keys are drawn from a window of this many that moves on. 0: from all.")  \
  F(double, hot_key_alpha, 0,                                                 \
    "How much more low keys are drawn than high ones. 0: all alike.")         \
  F(int64_t, log2_keys_per_lock, 2, "Keys that share a lock, as log2.")       \
  F(bool, destroy_db_initially, true, "Begin with an empty database.")        \
  F(bool, destroy_db_and_exit, false, "Only remove the database.")            \
  F(std::string, delete_dir_and_exit, "", "Only remove this directory.")      \
  F(bool, verification_only, false, "Only open and verify.")                  \
  F(bool, skip_verifydb, false, "Leave out the verification at the end.")     \
  F(bool, read_only, false, "Open for reading only, and only read.")          \
  F(std::string, options_file, "", "An OPTIONS file to begin with.")          \
  F(bool, verbose, false, "Say more.")                                        \
  F(bool, histogram, false, "Say at the end how long operations took.")       \
  F(bool, progress_reports, true, "Say now and then how far it is.")          \
                                                                              \
  F(int64_t, readpercent, 10, "Share of lookups.")                            \
  F(int64_t, prefixpercent, 20, "Share of scans of a prefix.")                \
  F(int64_t, writepercent, 45, "Share of puts and merges.")                   \
  F(int64_t, delpercent, 15, "Share of deletions.")                           \
  F(int64_t, delrangepercent, 0, "Share of range deletions.")                 \
  F(int64_t, iterpercent, 10, "Share of walks by an iterator.")               \
  F(int64_t, nooverwritepercent, 60,                                          \
    "Keys written once between deletions, which are single ones.")            \
  F(int64_t, range_deletion_width, 10, "Keys of a range deletion.")           \
  F(int64_t, num_iterations, 10, "Steps of an iterator.")                     \
  F(bool, use_merge, false, "Half of the puts are merges.")                   \
  F(bool, use_full_merge_v1, false, "By an operator of the older kind.")      \
  F(int64_t, use_timed_put_one_in, 0,                                         \
    "Puts that say when they were written.")                                  \
  F(int64_t, use_put_entity_one_in, 0, "Puts that are of wide columns.")      \
  F(bool, use_get_entity, false, "Lookups are by GetEntity.")                 \
  F(bool, use_multi_get_entity, false, "Lookups are by MultiGetEntity.")      \
  F(bool, use_attribute_group, false, "Columns are those of a group.")        \
  F(bool, use_multi_cf_iterator, false,                                       \
    "Walks are by an iterator over several families.")                        \
  F(int64_t, use_wbwi_one_in, 0,                                              \
    "Puts that are a batch with an index, read before it is written.")        \
  F(int64_t, ingest_wbwi_one_in, 0,                                           \
    "Puts that are such a batch, ingested. Needs --disable_wal.")             \
  F(bool, memtable_insert_hint_per_batch, false, "Of writes.")                \
  F(int64_t, lazy_entity_read_one_in, 0,                                      \
    "Lookups by GetEntity that read columns when they are asked for.")        \
  F(bool, use_multiget, false, "Lookups are by MultiGet.")                    \
  F(bool, use_async_db_api, false, "Lookups are by GetAsync and the like.")   \
  F(bool, check_multiget_consistency, true,                                   \
    "What MultiGet finds is compared with lookups of one key.")               \
  F(bool, check_multiget_entity_consistency, true,                            \
    "The same of MultiGetEntity.")                                            \
  F(bool, verify_before_write, false, "A key is looked up before it is put.") \
  F(int64_t, continuous_verification_interval, 1000,                          \
    "Milliseconds after which a part is verified. 0: never.")                 \
  F(bool, preserve_unverified_changes, false,                                 \
    "Keep the files of before until they are verified, in unverified/.")      \
  F(int64_t, key_may_exist_one_in, 0, "Lookups that ask KeyMayExist first.")  \
  F(int64_t, prefix_size, 7, "Bytes of the prefix. Negative: none.")          \
  F(bool, test_backward_scan, true, "Iterators also go backwards.")           \
  F(bool, use_multiscan, false,                                               \
    "Half of the walks are of several ranges, told beforehand.")              \
  F(bool, multiscan_reverse, false, "These go backwards.")                    \
  F(bool, multiscan_use_async_io, false,                                      \
    "Their blocks are fetched beside the walk.")                              \
  F(int64_t, multiscan_max_prefetch_memory_bytes, 0,                          \
    "Bytes that all of them together fetch ahead. 0: no limit.")              \
  F(int64_t, verify_iterator_with_expected_state_one_in, 0,                   \
    "Walks that compare a whole range with the expected state.")              \
  F(int64_t, batch_protection_bytes_per_key, 0, "Of each write batch.")       \
  F(bool, test_batches_snapshots, false,                                      \
    "Ten copies of a key in a batch; reads compare them.")                    \
  F(bool, test_cf_consistency, false,                                         \
    "The same write in every family; reads compare them.")                    \
                                                                              \
  F(bool, sync, false, "Writes sync the log.")                                \
  F(bool, disable_wal, false, "Writes go to no log.")                         \
  F(bool, verify_checksum, false, "Reads verify checksums.")                  \
  F(bool, fill_cache, true, "Reads fill the block cache.")                    \
  F(int64_t, readahead_size, 0, "Read-ahead of iterators.")                   \
  F(bool, async_io, false, "Iterators read ahead in the background.")         \
  F(bool, adaptive_readahead, false, "Read-ahead lives on between files.")    \
  F(bool, auto_readahead_size, false, "Read-ahead ends at the bounds.")       \
  F(bool, allow_unprepared_value, false,                                      \
    "Iterators fetch values when they are asked to.")                         \
  F(bool, auto_refresh_iterator_with_snapshot, false,                         \
    "Iterators of a snapshot let go of old files.")                           \
  F(bool, rate_limit_user_ops, false, "Reads wait for the rate limiter.")     \
  F(bool, rate_limit_auto_wal_flush, false, "Logged writes do.")              \
  F(bool, rate_limit_bg_reads, false, "Background reads do, not writes.")     \
  F(bool, optimize_multiget_for_io, true, "MultiGet reads levels at once.")   \
  F(bool, read_scoped_block_buffer_provider, false,                           \
    "Walks keep their blocks in memory of the tool's, not in the cache.")     \
                                                                              \
  F(int64_t, reopen, 10, "Times that the database is closed and reopened.")   \
  F(int64_t, open_read_only_one_in, 0,                                        \
    "Openings before which it is read through one for reading only.")         \
  F(int64_t, flush_one_in, 0, "Operations that flush.")                       \
  F(int64_t, compact_range_one_in, 0, "Operations that compact a range.")     \
  F(int64_t, compact_range_width, 10000, "Keys of it.")                       \
  F(int64_t, compact_files_one_in, 0, "Operations that compact files.")       \
  F(int64_t, promote_l0_one_in, 0, "Operations that move level 0 down.")      \
  F(int64_t, sync_wal_one_in, 0, "Operations that sync the log.")             \
  F(int64_t, manual_wal_flush_one_in, 0,                                      \
    "Operations that flush the log; the engine does not, if above 0.")        \
  F(int64_t, lock_wal_one_in, 1000000, "Operations that lock the log.")       \
  F(int64_t, acquire_snapshot_one_in, 0, "Operations that take a snapshot.")  \
  F(int64_t, snapshot_hold_ops, 0, "Operations until it is verified.")        \
  F(bool, long_running_snapshots, false,                                      \
    "Some snapshots are held ten times as long.")                             \
  F(bool, compare_full_db_state_snapshot, false,                              \
    "Snapshots are verified over the whole family.")                          \
  F(int64_t, clear_column_family_one_in, 1000000,                             \
    "Operations that drop a family and make it again.")                       \
  F(int64_t, set_options_one_in, 0, "Operations that change options.")        \
  F(bool, allow_setting_blob_options_dynamically, false,                      \
    "These of blob files, too.")                                              \
  F(int64_t, set_in_place_one_in, 0,                                          \
    "Openings that turn updates in place on or off; the first has them on.")  \
  F(int64_t, pause_background_one_in, 0, "Operations that pause jobs.")       \
  F(int64_t, disable_file_deletions_one_in, 0,                                \
    "Operations that keep obsolete files for a while.")                       \
  F(int64_t, disable_manual_compaction_one_in, 0,                             \
    "Operations that stop manual compactions for a while.")                   \
  F(int64_t, abort_and_resume_compactions_one_in, 0,                          \
    "Operations that abort all compactions for a while.")                     \
  F(int64_t, abort_and_resume_cf_compactions_one_in, 0,                       \
    "Operations that abort those of one family.")                             \
  F(int64_t, get_property_one_in, 1000, "Operations that ask properties.")    \
  F(int64_t, get_properties_of_all_tables_one_in, 1000,                       \
    "Operations that ask for the properties of all tables.")                  \
  F(int64_t, get_live_files_apis_one_in, 1000000,                             \
    "Operations that list live files.")                                       \
  F(int64_t, get_sorted_wal_files_one_in, 1000000,                            \
    "Operations that list logs.")                                             \
  F(int64_t, get_current_wal_file_one_in, 1000000,                            \
    "Operations that ask for the log that is written.")                       \
  F(int64_t, get_all_column_family_metadata_one_in, 1000000,                  \
    "Operations that ask for the metadata of families.")                      \
  F(int64_t, approximate_size_one_in, 64, "Operations that ask for sizes.")   \
  F(int64_t, verify_checksum_one_in, 0, "Operations that verify all blocks.") \
  F(int64_t, verify_file_checksums_one_in, 0,                                 \
    "Operations that verify whole files.")                                    \
  F(int64_t, verify_db_one_in, 0, "Operations that verify all keys.")         \
  F(int64_t, reset_stats_one_in, 0, "Operations that reset statistics.")      \
  F(int64_t, checkpoint_one_in, 0,                                            \
    "Operations that make a checkpoint, open it and compare it.")             \
  F(int64_t, subset_cf_checkpoint_one_in, 0,                                  \
    "Of these: have some families alone.")                                    \
  F(int64_t, parallel_checkpoint_one_in, 0,                                   \
    "Of these: are made by a CheckpointEngine, with threads of its own.")     \
  F(int64_t, checkpoint_engine_max_background_operations, 1,                  \
    "Its threads.")                                                           \
  F(bool, checkpoint_engine_use_link_file_when_available, true,               \
    "It links tables; else it copies them.")                                  \
  F(bool, checkpoint_atomic_flush, false,                                     \
    "All families are flushed in one call before a checkpoint.")              \
  F(int64_t, backup_one_in, 0,                                                \
    "Operations that make a backup, restore it and compare it.")              \
  F(int64_t, backup_max_size, 100 << 20,                                      \
    "Bytes of tables from which on no backups are made. 0: any.")             \
  F(int64_t, import_family_one_in, 0,                                         \
    "Operations that export a family, import it and compare it.")             \
  F(bool, test_secondary, false,                                              \
    "A secondary instance is compared when all is verified.")                 \
  F(std::string, secondaries_base, "",                                        \
    "Where it keeps its log. Empty: with the database.")                      \
  F(bool, test_follower, false,                                               \
    "A follower is compared when all is verified.")                           \
  F(int64_t, ingest_external_file_one_in, 0,                                  \
    "Operations that ingest a table file.")                                   \
  F(int64_t, test_ingest_standalone_range_deletion_one_in, 0,                 \
    "These that are a file that deletes a range, and one that fills it.")     \
  F(int64_t, ingest_external_file_width, 100, "Keys of it.")                  \
  F(int64_t, ingest_external_file_prepare_commit_one_in, 0,                   \
    "Of these: are prepared first, and then committed.")                      \
  F(int64_t, ingest_external_file_use_file_info_one_in, 0,                    \
    "Of these: come with what was read of the files before.")                 \
  F(bool, ingest_external_file_with_embedded_blobs, false,                    \
    "Its larger values lie beside the data blocks, where the format may.")    \
                                                                              \
  F(bool, sync_fault_injection, false,                                        \
    "What is not synced dies with the process.")                              \
  F(int64_t, read_fault_one_in, 0, "Reads that fail.")                        \
  F(int64_t, write_fault_one_in, 0, "Writes that fail.")                      \
  F(int64_t, metadata_read_fault_one_in, 0, "Queries that fail.")             \
  F(int64_t, metadata_write_fault_one_in, 0, "Changes of names that fail.")   \
  F(int64_t, open_read_fault_one_in, 0, "The same while opening.")            \
  F(int64_t, open_write_fault_one_in, 0, "The same while opening.")           \
  F(int64_t, open_metadata_read_fault_one_in, 0, "The same.")                 \
  F(int64_t, open_metadata_write_fault_one_in, 0, "The same.")                \
  F(int64_t, inject_error_severity, 1,                                        \
    "1: they can be retried. 2: they cannot. 3: either.")                     \
  F(bool, exclude_wal_from_write_fault_injection, false, "Logs do not fail.") \
  F(bool, error_recovery_with_no_fault_injection, false,                      \
    "Resume() meets no fault.")                                               \
  F(bool, tolerate_non_injected_io_errors_for_remote_dbs, false,              \
    "An I/O error of any kind counts as an injected one.")                    \
  F(bool, enable_checksum_handoff, false,                                     \
    "Writes come with their checksum, which the file system looks at.")       \
  F(bool, mock_direct_io, false,                                              \
    "Direct files are buffered ones that insist on alignment.")               \
  F(std::string, env_uri, "", "The environment below, by name.")              \
  F(std::string, fs_uri, "", "The file system below, by name.")               \
  F(std::string, listener_uri, "", "One more event listener, by name.")       \
  F(int64_t, kill_random_test, 0,                                             \
    "The process kills itself at one in so many changes of a file.")          \
  F(std::string, kill_exclude_prefixes, "",                                   \
    "Calls, separated by commas, at which it does not: as in Append,Sync.")   \
  F(std::string, kill_path_contains, "",                                      \
    "Only at files whose path contains this.")                                \
                                                                              \
  F(int64_t, cache_size, 2147483648, "Bytes of the block cache. 0: none.")    \
  F(std::string, cache_type, "lru_cache",                                     \
    "lru_cache, fixed_hyper_clock_cache or auto_hyper_clock_cache; with "     \
    "tiered_ before it, one budget for it and a compressed one.")             \
  F(int64_t, cache_numshardbits, 6, "log2 of its shards.")                    \
  F(int64_t, compressed_secondary_cache_size, 0,                              \
    "Bytes of a compressed cache behind it. 0: none.")                        \
  F(int64_t, compressed_secondary_cache_numshardbits, -1,                     \
    "log2 of its shards.")                                                    \
  F(double, compressed_secondary_cache_ratio, 0,                              \
    "Its part of a tiered cache, from 0 to 1.")                               \
  F(double, tiered_cache_percent_compressed, 0, "The same, in hundredths.")   \
  F(int64_t, adm_policy, 0, "What it takes, as TieredAdmissionPolicy.")       \
  F(int64_t, secondary_cache_update_interval, 30000000,                       \
    "Microseconds after which a tiered cache is changed. 0: never.")          \
  F(std::string, secondary_cache_uri, "",                                     \
    "A secondary cache by its name and options.")                             \
  F(int64_t, secondary_cache_fault_one_in, 0, "Calls of it that fail.")       \
  F(bool, enable_custom_split_merge, false, "Its entries lie in pieces.")     \
  F(bool, enable_do_not_compress_roles, false,                                \
    "It leaves filters and indexes as they are.")                             \
  F(bool, use_blob_db, false,                                                 \
    "Values are in blob files, whatever the options of these say; they take " \
    "the place of the stacked BlobDB.")                                       \
  F(bool, blob_db_enable_gc, false, "Their garbage is collected.")            \
  F(uint64_t, blob_db_file_size, 268435456, "Bytes of each of them.")         \
  F(bool, use_blob_cache, false, "Blobs are cached.")                         \
  F(bool, use_shared_block_and_blob_cache, true, "With the blocks.")          \
  F(int64_t, blob_cache_size, 2147483648,                                     \
    "Bytes of their own cache otherwise.")                                    \
  F(int64_t, blob_cache_numshardbits, 6, "log2 of its shards.")               \
  F(bool, charge_compression_dictionary_building_buffer, false,               \
    "What is gathered for dictionaries is charged to the block cache.")       \
  F(bool, charge_filter_construction, false, "So are filters that are made.") \
  F(bool, charge_table_reader, false, "So are open tables.")                  \
  F(bool, charge_file_metadata, false, "So is what is known of files.")       \
  F(bool, charge_blob_cache, false, "So is the cache of blobs.")              \
  F(double, bloom_bits, 10, "Bits of the filter for each key. 0: none.")      \
  F(int64_t, bloom_before_level, 999,                                         \
    "Below it Bloom filters, from it on Ribbon filters. -1: Ribbon only.")    \
  F(bool, partition_filters, false, "Filters in partitions.")                 \
  F(std::string, compression_manager, "none",                                 \
    "none, mixed (tables take the codecs in turn), randommixed (blocks do) "  \
    "or autoskip. Unlike there, none is the default.")                        \
  F(bool, use_trie_index, false,                                              \
    "Tables have a trie beside their index; half of the reads go by it.")     \
  F(std::string, sqfc_name, "foo",                                            \
    "Filters of ranges that tables get: foo, bar or another name (none).")    \
  F(int64_t, sqfc_version, 0, "Of these filters. 0: none, or 1 or 2.")        \
  F(bool, use_sqfc_for_range_queries, true,                                   \
    "Iterators with both bounds leave tables out by them.")                   \
  F(bool, use_write_buffer_manager, false, "Memtables share a limit.")        \
  F(int64_t, rate_limiter_bytes_per_sec, 0, "Of background I/O. 0: none.")    \
  F(bool, statistics, false, "Count with Statistics, and print them.")        \
  F(bool, enable_compaction_filter, false,                                    \
    "A compaction filter that sees all and removes nothing.")                 \
  F(int64_t, compaction_thread_pool_adjust_interval, 0,                       \
    "Milliseconds after which the LOW pool is resized. 0: never.")            \
  F(int64_t, compaction_thread_pool_variations, 2,                            \
    "By how many threads at most.")                                           \
  F(int64_t, num_bottom_pri_threads, 0, "Threads of the BOTTOM pool.")        \
  F(int64_t, fifo_compaction_max_table_files_size_mb, 0,                      \
    "Above it FIFO compaction drops files. 0: the engine's default.")         \
  F(int64_t, fifo_compaction_max_data_files_size_mb, 0,                       \
    "The same, of tables and blobs together. 0: as the options say.")         \
                                                                              \
  F(std::string, file_checksum_impl, "none",                                  \
    "Checksums of whole files: none or crc32c.")                              \
  F(double, high_pri_pool_ratio, 0.5, "Of an LRU cache.")                     \
  F(double, low_pri_pool_ratio, 0, "Of an LRU cache.")                        \
  F(int64_t, metadata_charge_policy, 1,                                       \
    "1: caches charge for what they keep of an entry, too. 0: they do not.")  \
  F(bool, use_adaptive_mutex_lru, false,                                      \
    "An LRU cache spins before it waits for a lock.")                         \
  F(int64_t, top_level_index_pinning, 0, "0 to 3, as PinningTier.")           \
  F(int64_t, partition_pinning, 0, "The same.")                               \
  F(int64_t, unpartitioned_pinning, 0, "The same.")                           \
  F(int64_t, sst_file_manager_bytes_per_sec, 0,                               \
    "Of table files deleted. 0: no SstFileManager.")                          \
  F(int64_t, sst_file_manager_bytes_per_truncate, 0,                          \
    "Bytes that it deletes at a time. 0: its default.")                       \
  F(bool, enable_sst_partitioner_factory, false,                              \
    "Tables end where the first byte of keys changes.")                       \
  F(int64_t, mark_for_compaction_one_file_in, 0,                              \
    "Tables that ask to be compacted.")                                       \
  F(bool, enable_memtable_insert_with_hint_prefix_extractor, false,           \
    "Memtables remember where keys of a prefix went.")                        \
  F(bool, enable_compaction_on_deletion_trigger, false,                       \
    "Tables with many deletions are compacted.")                              \
  F(int64_t, compaction_on_deletion_min_file_size, 32768, "Of such a table.") \
  F(int64_t, compaction_on_deletion_trigger_count, 50, "Deletions in it.")    \
  F(int64_t, compaction_on_deletion_window_size, 100, "Of so many entries.")  \
  F(double, compaction_on_deletion_ratio, 0.5, "Of all entries.")             \
  F(int64_t, remote_compaction_worker_threads, 0,                             \
    "Threads that compact as another process would. 0: none, unlike there.")  \
  F(int64_t, remote_compaction_worker_interval, 10,                           \
    "Milliseconds after which each looks for a job. 0: it is woken.")         \
  F(bool, remote_compaction_failure_fall_back_to_local, true,                 \
    "What they fail to do the database does itself.")                         \
  F(int64_t, allow_resumption_one_in, 0,                                      \
    "Of their jobs: are stopped some way in, and gone on with.")              \
                                                                              \
  F(int64_t, user_timestamp_size, 0,                                          \
    "8: writes are stamped, reads are as of a stamp.")                        \
  F(bool, best_efforts_recovery, false,                                       \
    "Open the newest state whose files are there. Needs --disable_wal.")      \
  F(int64_t, cut_tables_one_in, 0,                                            \
    "Openings before which new tables are taken away, with that.")           \
                                                                              \
  F(bool, use_txn, false, "Every write is a transaction of its own.")         \
  F(bool, use_optimistic_txn, false, "An optimistic one.")                    \
  F(int64_t, txn_write_policy, 0, "As TxnDBWritePolicy.")                     \
  F(bool, use_only_the_last_commit_time_batch_for_recovery, false,            \
    "Of transactions with policy 0, too. The others always say so.")          \
  F(bool, use_per_key_point_lock_mgr, true, "Of transactions that lock.")     \
  F(int64_t, commit_bypass_memtable_one_in, 0,                                \
    "Transactions that ask not to be put into the memtable.")                 \
  F(int64_t, create_timestamped_snapshot_one_in, 0,                           \
    "Of those with policy 0: take a snapshot with the time as they commit.")  \
  F(int64_t, occ_validation_policy, 1,                                        \
    "Of optimistic ones. 0: in the turn of the write. 1: before it, too.")    \
  F(bool, share_occ_lock_buckets, false, "Over databases.")                   \
  F(int64_t, occ_lock_bucket_count, 500, "Of optimistic ones.")               \
  F(bool, test_multi_ops_txns, false,                                         \
    "Transactions over a table and its index, which must agree.")             \
  F(int64_t, customopspercent, 0, "Share of these transactions.")             \
  F(int64_t, rollback_one_in, 0, "These that are rolled back instead.")       \
  F(int64_t, delay_snapshot_read_one_in, 0,                                   \
    "Their snapshots that are read a while after they are taken.")            \
  F(int64_t, lb_a, 0, "Their least primary key.")                             \
  F(int64_t, ub_a, 1000, "Above the greatest.")                               \
  F(int64_t, lb_c, 0, "Their least secondary key.")                           \
  F(int64_t, ub_c, 1000, "Above the greatest.")                               \
  F(std::string, key_spaces_path, "", "A file that keeps these four.")
// clang-format on

namespace ROCKSDB_NAMESPACE::stress {

struct Flags {
#define DB_STRESS_FIELD(type, name, value, help) type name = value;
  DB_STRESS_FLAGS(DB_STRESS_FIELD)
#undef DB_STRESS_FIELD

  // Flags that are not above: options of the engine, in their order.
  std::vector<std::pair<std::string, std::string>> engine_options;
  // Name and value of each flag that the command line set.
  std::map<std::string, std::string> given;

  bool WasGiven(const std::string& name) const { return given.count(name) > 0; }
  // Whether a kill, or the loss of what is not synced, may take acknowledged
  // writes.
  bool MayLoseWrites() const {
    return disable_wal || sync_fault_injection || manual_wal_flush_one_in > 0 ||
           best_efforts_recovery;
  }
};

// Arguments as main() has them; "--help" prints all flags and ends.
Status ParseFlags(int argc, char** argv, Flags* flags);

// What every flag means, one a line.
std::string FlagHelp();

}  // namespace ROCKSDB_NAMESPACE::stress
