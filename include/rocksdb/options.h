// The options of a database, of a column family, and of single calls.
//
// Plain values: fill one in, hand it over; the engine keeps a copy. An option
// marked "Dynamic" can be changed later, with DB::SetDBOptions() (DBOptions) or
// DB::SetOptions() (ColumnFamilyOptions). Sizes are bytes unless the name says
// otherwise. A value that cannot be honoured is refused by DB::Open() with a
// status that names option and value.
#pragma once

#include <atomic>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "rocksdb/advanced_options.h"
#include "rocksdb/cache.h"
#include "rocksdb/compaction_service.h"
#include "rocksdb/comparator.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/customizable.h"
#include "rocksdb/data_structure.h"
#include "rocksdb/env.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/listener.h"
#include "rocksdb/scan_options.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "rocksdb/universal_compaction.h"
#include "rocksdb/version.h"
#include "rocksdb/write_buffer_manager.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class CompactionFilter;
class CompactionFilterFactory;
class CompressionManager;
class ConcurrentTaskLimiter;
class EventListener;
class FileChecksumGenFactory;
class Logger;
class MergeOperator;
class RateLimiter;
class ReadScopedBlockBufferProvider;
struct PreparedFileInfo;
class Snapshot;
class SstFileManager;
class SstPartitionerFactory;
class Statistics;
class TableFactory;
class TablePropertiesCollectorFactory;
class UserDefinedIndexFactory;
class WalFilter;
class WriteBufferManager;
struct DbPath;
struct TableProperties;

using RowCache = Cache;

// A directory for table files and the total size it should hold.
struct DbPath {
  std::string path;
  uint64_t target_size = 0;

  DbPath() = default;
  DbPath(const std::string& directory, uint64_t size)
      : path(directory), target_size(size) {}
};

// Value of db_host_id that stands for the machine's host name.
inline constexpr const char kHostnameForDbHostId[] = "__hostname__";

// Basalt's own. How bulk work (compaction, verification, flush) gets at table
// files while users read theirs from the page cache. In option text: default,
// auto, buffered, uncached, direct.
enum class FileAccess : unsigned char {
  // The older boolean option decides: see compaction_read_access and
  // compaction_write_access.
  kDefault,
  // kDirect if every path of the database accepts it when the database is
  // opened, else kUncached. LOG tells which.
  kAuto,
  // Through the page cache, like everything else.
  kBuffered,
  // Through the page cache, leaving in it only what was there before. Needs no
  // alignment and works wherever files do, for more CPU than kDirect.
  kUncached,
  // Past the page cache (O_DIRECT). Open() answers InvalidArgument, naming the
  // option and the path, where a path of the database refuses it.
  kDirect,
};

// What recovery does with a damaged or incomplete write-ahead log.
enum class WALRecoveryMode : char {
  // A torn last record is dropped; damage elsewhere is an error.
  kTolerateCorruptedTailRecords = 0x00,
  // Any damage or torn record is an error.
  kAbsoluteConsistency = 0x01,
  // Replay stops at the first damage; what came before is consistent.
  kPointInTimeRecovery = 0x02,
  // Damaged records are skipped and the rest replayed.
  kSkipAnyCorruptedRecords = 0x03,
};

struct ColumnFamilyOptions : public AdvancedColumnFamilyOptions {
  // --- Presets: each changes several fields and returns *this ---------------

  // The defaults of an older release, as far as they differ.
  ColumnFamilyOptions* OldDefaults(int rocksdb_major_version = 4,
                                   int rocksdb_minor_version = 6);
  // For databases under 1 GB; `cache` null = one of its own.
  ColumnFamilyOptions* OptimizeForSmallDb(
      std::shared_ptr<Cache>* cache = nullptr);
  // For Get() only: hash index in data blocks, Bloom filter, memtable filter.
  ColumnFamilyOptions* OptimizeForPointLookup(uint64_t block_cache_size_mb);
  // Write buffers and level sizes for a memtable budget.
  ColumnFamilyOptions* OptimizeLevelStyleCompaction(
      uint64_t memtable_memory_budget = 512 * 1024 * 1024);
  ColumnFamilyOptions* OptimizeUniversalStyleCompaction(
      uint64_t memtable_memory_budget = 512 * 1024 * 1024);

  // --- Fields ----------------------------------------------------------------

  // Order of the keys, the same for the family's life. Default: bytewise.
  const Comparator* comparator = BytewiseComparator();

  // Combines Merge() operands; needed by Merge(). Default: null.
  std::shared_ptr<MergeOperator> merge_operator = nullptr;

  // Judges entries during compaction, one object for all threads; must outlive
  // the database. Default: null.
  const CompactionFilter* compaction_filter = nullptr;

  // Makes one filter for each compaction. Default: null.
  std::shared_ptr<CompactionFilterFactory> compaction_filter_factory = nullptr;

  // Bytes a memtable may hold before it is sealed and queued for flush.
  // Default: 64 MiB. Clamped to 64 KiB and up. Dynamic.
  size_t write_buffer_size = 64 << 20;

  // Codec of data blocks. Default: LZ4 if built in, else Snappy if built in,
  // else none. Dynamic.
  CompressionType compression;

  // Codec of the last level; kDisableCompressionOption = as the others.
  // Dynamic.
  CompressionType bottommost_compression = kDisableCompressionOption;

  // Settings for that codec; used if `enabled` is set. Dynamic.
  CompressionOptions bottommost_compression_opts;

  // Settings of the codec. Dynamic.
  CompressionOptions compression_opts;

  // Codecs of the application. Default: null = the built-in ones. Dynamic.
  std::shared_ptr<CompressionManager> compression_manager = nullptr;

  // Files in level 0 at which a compaction starts. Default: 4. Dynamic.
  int level0_file_num_compaction_trigger = 4;

  // Maps a key to the prefix for which filters are built and which bounds
  // prefix seeks. Default: null. Dynamic.
  std::shared_ptr<const SliceTransform> prefix_extractor = nullptr;

  // Size of the first level above level 0. Default: 256 MiB. Dynamic.
  uint64_t max_bytes_for_level_base = 256 * 1048576;

  // Default: false. Dynamic.
  bool disable_auto_compactions = false;

  // Format of table files. Default: block-based with default options.
  std::shared_ptr<TableFactory> table_factory;

  // Directories of this family's tables; empty = the database's. Newer data
  // go to the first paths.
  std::vector<DbPath> cf_paths;

  // Limits running compactions over several families. Default: null.
  std::shared_ptr<ConcurrentTaskLimiter> compaction_thread_limiter = nullptr;

  // Where compaction must end an output file. Default: null.
  std::shared_ptr<SstPartitionerFactory> sst_partitioner_factory = nullptr;

  // Range deletions in a memtable at which it is flushed; 0 = any. Dynamic.
  uint32_t memtable_max_range_deletions = 0;

  // How hard to look for the blocks of table files that are not needed any
  // more, to take them out of the block cache rather than let them age there
  // beside those of live files. 0: not at all. A value n: in the order of the
  // file, until n blocks in a row are not in the cache; so a file that is
  // hardly cached costs about n look-ups, and one that is cached in good part
  // is cleared of nearly all with 100. Index and filter blocks that live in the
  // cache go too. Nothing is read from files for that: of a file whose index is
  // not in memory, data blocks stay. Blocks that are in use go when they are
  // released. A cache that several databases share is cleared of this one's
  // files. Default: 0. Dynamic: the value at the moment when a file's last
  // reader goes.
  uint32_t uncache_aggressiveness = 0;

  ColumnFamilyOptions();
  // The family's part of `options`.
  explicit ColumnFamilyOptions(const Options& options);

  // Writes every option to `log`.
  void Dump(Logger* log) const;
};

struct DBOptions {
  // --- Presets ---------------------------------------------------------------

  DBOptions* OldDefaults(int rocksdb_major_version = 4,
                         int rocksdb_minor_version = 6);
  DBOptions* OptimizeForSmallDb(std::shared_ptr<Cache>* cache = nullptr);
  // Background threads for flushes and compactions together.
  DBOptions* IncreaseParallelism(int total_threads = 16);

  // --- Opening ---------------------------------------------------------------

  // Default: false: opening what does not exist is an error.
  bool create_if_missing = false;
  bool create_missing_column_families = false;
  bool error_if_exists = false;

  // Stop writing at the first sign of damage. Default: true.
  bool paranoid_checks = true;

  // Compare the count of entries read and written. Default: true.
  bool flush_verify_memtable_count = true;
  bool compaction_verify_record_count = true;

  // Record logs in the manifest and check them at recovery. Default: false.
  bool track_and_verify_wals_in_manifest = false;
  // Chain each log to its predecessor and check it. Default: false.
  bool track_and_verify_wals = false;

  // Check each table file's unique id against the manifest. Default: true.
  bool verify_sst_unique_id_in_manifest = true;

  // --- Surroundings ----------------------------------------------------------

  // Files, clock and threads; must outlive the database.
  Env* env = Env::Default();

  // Limits the rate of background I/O. Default: null.
  std::shared_ptr<RateLimiter> rate_limiter = nullptr;

  // Tracks table files and paces deletions. Default: null.
  std::shared_ptr<SstFileManager> sst_file_manager = nullptr;

  // Where log lines go. Default: null = file LOG in the database's directory.
  std::shared_ptr<Logger> info_log = nullptr;
  InfoLogLevel info_log_level = InfoLogLevel::INFO_LEVEL;

  // --- Files -----------------------------------------------------------------

  // Table files kept open; -1 = all. Dynamic.
  int max_open_files = -1;

  // Threads that open them at start-up. Default: 16.
  int max_file_opening_threads = 16;

  // Threads at most to which reads with ReadOptions::async_io are handed over
  // where the file system has no asynchronous reads of its own (on Linux: where
  // io_uring is not to be had). They start when they are needed; who waits for
  // a read that none of them has begun makes it himself. Default: 1.
  int read_io_executor_threads = 1;

  // The open does not wait for tables: a job of the HIGH pool opens them
  // afterwards, with max_file_opening_threads. A read that comes first opens
  // its table itself, and is told if it cannot; the job's first error becomes a
  // background error (kAsyncFileOpen). Close() and
  // GetCreationTimeOfOldestFile() wait for the job. Secondaries and followers
  // take no notice. InvalidArgument without skip_stats_update_on_db_open,
  // NotSupported with FIFO compaction. Default: false.
  bool open_files_async = false;

  // Size of all logs at which the oldest memtables are flushed; 0 = four times
  // the memtables' size. Dynamic.
  uint64_t max_total_wal_size = 0;

  // Collects tickers and histograms. Default: null = none.
  std::shared_ptr<Statistics> statistics = nullptr;

  // Sync with fsync rather than fdatasync. Default: false.
  bool use_fsync = false;

  // Directories of table files; empty = the database's own. Newer data go to
  // the first paths.
  std::vector<DbPath> db_paths;

  // Directory of LOG; empty = the database's own.
  std::string db_log_dir = "";

  // Directory of write-ahead logs; empty = the database's own.
  std::string wal_dir = "";

  // Files are deleted as soon as nothing needs them. Those that are left over
  // nevertheless, since a removal failed or since nobody knows them, are looked
  // for in all directories of the database when it is opened, and after a flush
  // or compaction job if the last search began this long ago; 0: after each.
  // A search looks at the database's own kinds of files alone, at numbers that
  // were given out, and not at archived logs. There is none while deletions are
  // disabled. A directory that cannot be listed is noted in LOG.
  // Unit: microseconds. Default: 6 hours. Dynamic.
  uint64_t delete_obsolete_files_period_micros = 6ULL * 60 * 60 * 1000000;

  // Flushes and compactions at a time, together. Default: 2. Dynamic.
  int max_background_jobs = 2;

  // Older split of max_background_jobs; -1 = derived from it. Dynamic.
  int max_background_compactions = -1;

  // Threads that one compaction may be split over. Default: 1. Dynamic.
  uint32_t max_subcompactions = 1;

  int max_background_flushes = -1;

  // Size at which LOG is rolled; 0 = never.
  size_t max_log_file_size = 0;
  // Age at which LOG is rolled, seconds; 0 = never.
  size_t log_file_time_to_roll = 0;
  // LOG files kept. Default: 1000.
  size_t keep_log_file_num = 1000;

  // Logs kept to be overwritten instead of created; 0 = none.
  size_t recycle_log_file_num = 0;

  // The file of the next log is made by a thread of its own as soon as a log is
  // begun, so that a change of logs does not wait until it is there. One that
  // is not used is empty and newer than all others: readers of logs,
  // checkpoints and recoveries take no notice of it, and Close() deletes it.
  // Without effect where recycle_log_file_num is set, since old files are used
  // then. Default: false.
  bool async_wal_precreate = false;

  // Size at which a new manifest is started. Default: 1 GiB. Dynamic.
  uint64_t max_manifest_file_size = 1024 * 1024 * 1024;

  // Read the manifest back at close; a damaged one is written anew. Dynamic.
  bool verify_manifest_content_on_close = false;

  // A database that is closed writes to the manifest which families have all
  // they hold in tables, so that the next open replays no log for them; and an
  // open that finds nothing new writes no manifest. What cannot be written is
  // logged, and costs the next open time. Without effect with
  // best_efforts_recovery. Default: false. Dynamic.
  bool optimize_manifest_for_recovery = false;

  // Go on with the manifest that is there, rather than begin a new one with all
  // files, if it is whole: its end is not torn, no sync of it has failed, and a
  // new one would say the same of families and options. Without effect with
  // best_efforts_recovery, with direct writes, and where the file system cannot
  // open a file again to append to it. Default: false.
  bool reuse_manifest_on_open = false;

  // Percent by which the manifest may exceed its compacted size before a new
  // one is started. Default: 500. Dynamic.
  int max_manifest_space_amp_pct = 500;

  // Shards of the table cache: 2 to the power of this. Default: 6.
  int table_cache_numshardbits = 6;

  // Keep obsolete logs in archive/ for this long or up to this size; 0 = not.
  // By size, as many are kept as there would be room for if all were as large
  // as the largest.
  uint64_t WAL_ttl_seconds = 0;
  uint64_t WAL_size_limit_MB = 0;

  // Default: 4 MiB. Dynamic.
  size_t manifest_preallocation_size = 4 * 1024 * 1024;

  // --- How files are read and written ----------------------------------------

  // Map table files for reading. Default: false.
  bool allow_mmap_reads = false;
  // Files might be mapped for writing, and are then not written directly
  // (NotSupported with use_direct_io_for_flush_and_compaction). They are
  // written by calls all the same, which differs in nothing but speed. Default:
  // false.
  bool allow_mmap_writes = false;

  // Every read bypasses the page cache (O_DIRECT). Default: false.
  bool use_direct_reads = false;

  // Reads of compaction inputs, and of other bulk work, bypass the page cache
  // on handles of their own; user reads stay buffered. What of an input is in
  // the page cache is taken from there. With compaction_keeps_hot_data, files
  // that are written through the page cache leave it again where memory is
  // short: where a job's outputs need more than its inputs have there and half
  // of what is free. No effect with use_direct_reads; NotSupported with
  // allow_mmap_reads. Default: false.
  bool use_direct_io_for_compaction_reads = false;

  // Writes of flushes and compactions bypass the page cache. Default: false.
  bool use_direct_io_for_flush_and_compaction = false;

  // Basalt's own. How bulk work reads table files: see FileAccess. kDefault is
  // what use_direct_io_for_compaction_reads says, kDirect or kBuffered. With
  // use_direct_reads kDefault and kAuto mean kDirect.
  // InvalidArgument: kBuffered or kUncached beside a true
  // use_direct_io_for_compaction_reads or use_direct_reads. With
  // allow_mmap_reads, kDirect and kUncached are NotSupported and kAuto means
  // kBuffered. Default: kDefault.
  FileAccess compaction_read_access = FileAccess::kDefault;

  // Basalt's own. How flushes and compactions write tables: see FileAccess.
  // kDefault is what use_direct_io_for_flush_and_compaction says, kDirect or
  // kBuffered. InvalidArgument: kBuffered or kUncached while that is true, and
  // kDirect with writable_file_max_buffer_size = 0. Default: kDefault.
  FileAccess compaction_write_access = FileAccess::kDefault;

  // Preallocate with fallocate(). Needed for logs to be written through a
  // mapping of their end, which takes a fraction of the time of a call for each
  // group of writes: on ext4, xfs and tmpfs, with a wal_recovery_mode other
  // than kTolerateCorruptedTailRecords and kAbsoluteConsistency, and without
  // track_and_verify_wals. While it is open, and after a crash, such a log has
  // up to 1 MiB of zeros behind its data, which every reader of logs takes for
  // its end. Default: true.
  bool allow_fallocate = true;

  // Child processes do not inherit files. Default: true.
  bool is_fd_close_on_exec = true;

  // Period of statistics in LOG, seconds; 0 = none. Dynamic.
  unsigned int stats_dump_period_sec = 600;
  // Period of snapshots of statistics, seconds; 0 = none. Dynamic.
  unsigned int stats_persist_period_sec = 600;
  // Keep those snapshots in a hidden family instead of memory.
  bool persist_stats_to_disk = false;
  // Memory for those snapshots. Default: 1 MiB. Dynamic.
  size_t stats_history_buffer_size = 1024 * 1024;

  // Tell the system that table files are read at random. Default: true.
  bool advise_random_on_open = true;

  // Memory of all memtables of the database; 0 = no limit.
  size_t db_write_buffer_size = 0;

  // The same over several databases. Default: null = one of its own.
  std::shared_ptr<WriteBufferManager> write_buffer_manager = nullptr;

  // Read-ahead on compaction inputs. Default: 2 MiB. Dynamic.
  size_t compaction_readahead_size = 2 * 1024 * 1024;

  // Basalt's own. How long a read of a user may have to wait at the device
  // behind reads and writes of flushes and compactions, in microseconds. These
  // are cut into requests of 64 to 256 KiB, of which so few are under way at a
  // time that the device is through with them by then; while users read from
  // memory alone, more. Of several databases on one file system the smallest
  // value counts. 0: requests of this database are neither cut nor held back.
  // Default: 300 (docs/architecture.md has the measurements).
  uint64_t background_io_target_delay_micros = 300;

  // Basalt's own. Most bytes that flushes and compactions have under way at the
  // device, beside what the target delay says; no less than 64 KiB.
  // Default: 0, no limit of its own.
  uint64_t background_io_max_bytes_in_flight = 0;

  // Basalt's own. What users read lately is kept warm when a flush or
  // compaction replaces its file: before the new file is used, those of its
  // blocks whose keys were read often are read ahead into the page cache (if
  // the file was written past it) and put into the block cache (if they were in
  // it before). No more than users read of the old ones, and no longer than a
  // quarter of the time that the job took, or 50 ms. Costs a byte of memory for
  // each 64 KiB of open table files. Default: true.
  bool compaction_keeps_hot_data = true;

  // Basalt's own. Most bytes of level-0 table files that stay in memory from
  // the flush that writes them until the compaction that reads them, which then
  // asks nothing of the device. A sixteenth of the memory that the process may
  // use is the most; the oldest go first, and all of them when the write buffer
  // manager, to which they are charged, runs full. Worth it where flushed data
  // would come back from the device: with direct writes. Default: 0, none.
  uint64_t fresh_level0_bytes = 0;

  // Buffer of a file that is written; 256 KiB at most. Default: 1 MiB. Dynamic.
  size_t writable_file_max_buffer_size = 1024 * 1024;

  // Threads that find the database's mutex held try for some cycles before
  // they sleep. Default: false.
  bool use_adaptive_mutex = false;

  // Write dirty pages of table files out every so many bytes. 0: request by
  // request where background I/O is governed, else by the system. Dynamic.
  uint64_t bytes_per_sync = 0;
  // The same for write-ahead logs. Dynamic.
  uint64_t wal_bytes_per_sync = 0;
  // Wait for one such range before asking for the next. Dynamic.
  bool strict_bytes_per_sync = false;

  // Told of flushes, compactions, errors and more. Default: empty.
  std::vector<std::shared_ptr<EventListener>> listeners;

  // Threads publish what they do (GetThreadList): flushes and compactions, and
  // users' opens, lookups, steps of iterators and verifications, each of which
  // looks at the clock for it. Default: false.
  bool enable_thread_tracking = false;

  // --- Writing ---------------------------------------------------------------

  // Rate to which writes slow down, bytes a second; 0 = the rate limiter's, or
  // 16 MiB. Dynamic.
  uint64_t delayed_write_rate = 0;

  // Log and memtable writes of successive groups overlap. Default: false.
  bool enable_pipelined_write = false;

  // Writes become visible out of order; snapshots may change. Default: false.
  bool unordered_write = false;

  // Writers of a group insert into the memtable in parallel, where their
  // batches are large enough that it pays. Default: true.
  bool allow_concurrent_memtable_write = true;

  // Waiting writers yield before they block. Default: true.
  bool enable_write_thread_adaptive_yield = true;

  // Most bytes in one group. Default: 1 MiB.
  uint64_t max_write_batch_group_size_bytes = 1 << 20;

  // Longest time spent yielding. Default: 100.
  uint64_t write_thread_max_yield_usec = 100;
  // A yield that takes longer than this counts as slow. Default: 3.
  uint64_t write_thread_slow_yield_usec = 3;

  // Do not open tables at DB::Open() to learn their figures. Default: false.
  bool skip_stats_update_on_db_open = false;

  // --- Recovery --------------------------------------------------------------

  WALRecoveryMode wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;

  // Logs may hold prepared transactions (of the policy write-committed): those
  // that a log commits take effect at open, and the logs of those that stay
  // prepared are kept until an engine with transactions has ended them. Turns
  // avoid_flush_during_recovery off. false: opening such logs is NotSupported.
  // Default: false.
  bool allow_2pc = false;

  // Caches what table files say of keys, for Get() and MultiGet() without
  // timestamps. Default: null.
  std::shared_ptr<RowCache> row_cache = nullptr;

  // Inspects log records during recovery; must outlive DB::Open().
  WalFilter* wal_filter = nullptr;

  // Ask the allocator for statistics when LOG gets them. Default: false.
  bool dump_malloc_stats = false;

  // Keep what the log held in memory after recovery, unless its end was damaged
  // and dropped: then it is flushed all the same. Default: false.
  bool avoid_flush_during_recovery = false;

  // The write buffer manager's limit holds during recovery. Default: true.
  bool enforce_write_buffer_manager_during_recovery = true;

  // Close without flushing data that the log lacks: they are lost. Dynamic.
  bool avoid_flush_during_shutdown = false;

  // Keep the last level of every family free for IngestExternalFile() with
  // ingest_behind; see cf_allow_ingest_behind. Default: false.
  bool allow_ingest_behind = false;

  // Batches without updates (blobs for the log, markers) are logged without
  // waiting for writes that go to memtables. Not with enable_pipelined_write.
  // Default: false.
  bool two_write_queues = false;

  // The log is written out only by FlushWAL(). Default: false.
  bool manual_wal_flush = false;

  // Codec of the write-ahead log: none or ZSTD.
  CompressionType wal_compression = kNoCompression;

  // Writers that sync leave older logs that are durable then to be closed in
  // the background. Not with recycle_log_file_num. Default: false.
  bool background_close_inactive_wals = false;

  // Flush all families together or none. Default: false.
  bool atomic_flush = false;

  // Files that nothing needs any more once an iterator or a family's handle is
  // released are deleted in the background, not in the caller's thread.
  // Default: false.
  bool avoid_unnecessary_blocking_io = false;

  // Default: true.
  bool write_dbid_to_manifest = true;
  bool write_identity_file = true;

  // Iterators use prefixes only where auto_prefix_mode or prefix_same_as_start
  // asks for it; all others, those without total_order_seek too, are in total
  // order. Reads of single keys use prefix filters all the same. Default:
  // false.
  bool prefix_seek_opt_in_only = false;

  // Bytes of a log that recovery reads at a time; 0 = block by block.
  size_t log_readahead_size = 0;

  // Makes whole-file checksums, stored in the manifest. Default: null.
  std::shared_ptr<FileChecksumGenFactory> file_checksum_gen_factory = nullptr;

  // Open the newest state whose files are all there: of each family a point in
  // time, the empty one where there is no other. Default: false.
  bool best_efforts_recovery = false;

  // --- Errors ----------------------------------------------------------------

  // Retries of automatic resume after a retryable error. Default: no limit.
  int max_bgerror_resume_count = INT_MAX;
  // Time between them, microseconds; also before a family's automatic
  // compactions go on after one that failed, here or with a CompactionService:
  // a tenth of a second at least and an hour at most. Resume(),
  // ContinueBackgroundWork() and ResumeAllCompactions() end that.
  // Default: 1 s.
  uint64_t bgerror_resume_retry_interval = 1000000;

  // Messages may show keys and values. Default: false.
  bool allow_data_in_errors = false;

  // Host name stored in table files.
  std::string db_host_id = kHostnameForDbHostId;

  // Every write to a file of these types comes with the CRC32C of its bytes
  // (DataVerificationInfo), which the file system may check; what it then
  // refuses fails as any other write does. Honoured for kWalFile,
  // kDescriptorFile, kTableFile and kBlobFile. Direct writes of tables do not
  // overlap then. Default: none.
  FileTypeSet checksum_handoff_file_types;

  // Runs compactions elsewhere. Default: null.
  std::shared_ptr<class CompactionService> compaction_service = nullptr;

  // Lowest cache tier to use: with kVolatileTier blocks do not go to, nor come
  // from, the secondary cache of the block cache. Default: all.
  CacheTier lowest_used_cache_tier = CacheTier::kNonVolatileBlockTier;

  // A SingleDelete that breaks its contract fails the compaction.
  bool enforce_single_del_contracts = true;

  // "HH:MM-HH:MM", UTC: periodic compactions prefer that time. Dynamic.
  std::string daily_offpeak_time_utc = "";

  // Longest time between looks for compactions due by age; they come each
  // minute, or after less. Default: 12 hours. Dynamic.
  uint64_t max_compaction_trigger_wakeup_seconds = 43200;

  // DB::OpenAsFollower(): the time between the end of one catch-up and the
  // next. 0: only when TryCatchUpWithPrimary() is called. Default: 10 s.
  uint64_t follower_refresh_catchup_period_ms = 10000;
  // How often a follower tries once more to open, or to catch up, where the
  // leader has moved files under its hands; and the wait before each such try.
  // Default: 10 times, 100 ms.
  uint64_t follower_catchup_retry_count = 10;
  uint64_t follower_catchup_retry_wait_ms = 100;

  // Temperature hints of manifests and logs.
  Temperature metadata_write_temperature = Temperature::kUnknown;
  Temperature wal_write_temperature = Temperature::kUnknown;

  // Styles whose table files are given to the file system with a hint of how
  // long they will live: down to the base level WLTH_MEDIUM, one level deeper
  // WLTH_LONG, below that WLTH_EXTREME. On Linux fcntl(F_SET_RW_HINT), which
  // devices with streams use to keep together what goes together.
  CompactionStyleSet calculate_sst_write_lifetime_hint_set{
      CompactionStyle::kCompactionStyleLevel};

  // What the file system says of a table when it is written
  // (FSRandomAccessFile::GetFileOpenMetadata(), at most 8 KiB) is kept in the
  // manifest and given to it when the table is opened
  // (FileOptions::file_metadata), so that it need not find out again. Without
  // effect where it says nothing, as on local disks. Default: false. Dynamic.
  bool fast_sst_open = false;

  DBOptions() = default;
  // The database's part of `options`.
  explicit DBOptions(const Options& options);

  void Dump(Logger* log) const;
};

// All options of a database with one column family.
struct Options : public DBOptions, public ColumnFamilyOptions {
  Options() = default;
  Options(const DBOptions& db_options, const ColumnFamilyOptions& cf_options)
      : DBOptions(db_options), ColumnFamilyOptions(cf_options) {}

  Options* OldDefaults(int rocksdb_major_version = 4,
                       int rocksdb_minor_version = 6);
  void Dump(Logger* log) const;
  void DumpCFOptions(Logger* log) const;
  // For a load of new data without reads: no compactions until CompactRange().
  Options* PrepareForBulkLoad();
  Options* OptimizeForSmallDb();
  // Turn off checks that cost time and rarely find anything.
  Options* DisableExtraChecks();
};

// What a read may touch.
enum ReadTier {
  kReadAllTier = 0x0,     // memory and files
  kBlockCacheTier = 0x1,  // memory only; Incomplete where that is not enough
  kPersistedTier = 0x2,   // only what would survive a crash; no iterators
  kMemtableTier = 0x3,    // iterators: memtables only; lookups: all
};

// The options of one read or iterator. What its pointers point to must outlive
// the call or the iterator.
struct ReadOptions {
  // Read as of this snapshot; null = now.
  const Snapshot* snapshot = nullptr;

  // User-defined timestamps: newest to see, and oldest for an iterator that
  // shows all versions in between.
  const Slice* timestamp = nullptr;
  const Slice* iter_start_ts = nullptr;

  // Point in time (of the Env's clock) by which to finish; 0 = none.
  std::chrono::microseconds deadline = std::chrono::microseconds::zero();
  // Limit of one file read; 0 = none.
  std::chrono::microseconds io_timeout = std::chrono::microseconds::zero();

  ReadTier read_tier = kReadAllTier;

  // IO_TOTAL = not charged to the rate limiter.
  Env::IOPriority rate_limiter_priority = Env::IO_TOTAL;

  // MultiGet: bytes of values after which the rest answer Aborted.
  uint64_t value_size_soft_limit = std::numeric_limits<uint64_t>::max();

  // Merge operands of one key above which its status says so.
  std::optional<size_t> merge_operand_count_threshold;

  bool verify_checksums = true;

  // Blocks read go to the block cache. Default: true.
  bool fill_cache = true;

  // Range deletions are not looked at: deleted keys may show.
  bool ignore_range_deletions = false;

  // Overlap reads with work where the file system can.
  bool async_io = false;

  // MultiGet with async_io: read from several levels at once.
  bool optimize_multiget_for_io = true;

  // --- Iterators ---

  // Read ahead this many bytes; 0 = automatic.
  size_t readahead_size = 0;

  // Hidden entries that one call steps over before it gives up with
  // Incomplete; 0 = no limit.
  uint64_t max_skippable_internal_keys = 0;

  // Keys of the iterator are in [lower, upper); null = no bound.
  const Slice* iterate_lower_bound = nullptr;
  const Slice* iterate_upper_bound = nullptr;

  // The iterator sees new writes.
  bool tailing = false;

  // Ignore prefix filters: every key in order.
  bool total_order_seek = false;
  // Like total_order_seek, but prefix filters are asked where that does not
  // change what is found.
  bool auto_prefix_mode = false;
  // The iterator ends where the prefix of the sought key ends.
  bool prefix_same_as_start = false;

  // Keys and values stay valid until the iterator is deleted.
  bool pin_data = false;

  // Adapt automatic read-ahead to what earlier files saw.
  bool adaptive_readahead = false;

  // Release files in a background thread when the iterator goes away.
  bool background_purge_on_iterator_cleanup = false;

  // Files for which it answers false are skipped; null = none.
  const std::function<bool(const TableProperties&)>* table_filter = nullptr;

  // End automatic read-ahead at the upper bound.
  bool auto_readahead_size = true;

  // Values may be fetched later, by PrepareValue().
  bool allow_unprepared_value = false;

  // Refresh the iterator's files now and then, keeping its snapshot.
  bool auto_refresh_iterator_with_snapshot = false;

  // The application's index to find blocks by, in table files that have it
  // (BlockBasedTableOptions::user_defined_index_factory); null = the built-in
  // one. InvalidArgument if the table's options have a factory of another name;
  // without a factory there it means nothing. Must outlive the read.
  const UserDefinedIndexFactory* table_index_factory = nullptr;

  // Gives the memory of the data blocks that iterators and MultiScan read in
  // block-based tables, which then come neither from the block cache nor into
  // it; null = the engine. A lease ends when the iterator has left the block
  // and nothing of it is pinned. Files that are mapped (allow_mmap_reads) do
  // without; Get() and MultiGet() ignore it. Must outlive the iterators and
  // what they pin.
  ReadScopedBlockBufferProvider* read_scoped_block_buffer_provider = nullptr;

  // Set by the engine.
  Env::IOActivity io_activity = Env::IOActivity::kUnknown;

  // Handed to the file system with each read.
  const std::string* request_id = nullptr;

  ReadOptions() = default;
  explicit ReadOptions(bool verify, bool fill)
      : verify_checksums(verify), fill_cache(fill) {}
  explicit ReadOptions(Env::IOActivity activity) : io_activity(activity) {}
};

// The options of one write.
struct WriteOptions {
  // Return only when the write-ahead log is on stable storage.
  bool sync = false;

  // Skip the log: the write is lost if the process dies before a flush.
  bool disableWAL = false;

  // Records of unknown column families are skipped instead of an error.
  bool ignore_missing_column_families = false;

  // Answer Incomplete instead of waiting for a stall to end.
  bool no_slowdown = false;

  // Yields to other writes while compaction is behind.
  bool low_pri = false;

  // Each update of a batch looks for its place in the memtable from that of
  // the one before. Pays for batches whose keys ascend; costs the others some.
  bool memtable_insert_hint_per_batch = false;

  // What goes to the log: IO_TOTAL = not charged to DBOptions::rate_limiter,
  // IO_USER = charged; others, and those without a log that is written at once
  // (disableWAL, manual_wal_flush), are InvalidArgument.
  Env::IOPriority rate_limiter_priority = Env::IO_TOTAL;

  // Checksum bytes for each entry of the batch: 0 or 8.
  size_t protection_bytes_per_key = 0;

  // Set by the engine.
  Env::IOActivity io_activity = Env::IOActivity::kUnknown;

  WriteOptions() = default;
  explicit WriteOptions(Env::IOActivity activity) : io_activity(activity) {}
  explicit WriteOptions(Env::IOPriority priority,
                        Env::IOActivity activity = Env::IOActivity::kUnknown)
      : rate_limiter_priority(priority), io_activity(activity) {}
};

struct FlushOptions {
  // Return only when the flush is done. Default: true.
  bool wait = true;

  // Flush at once, even if that stalls writers; else wait until it does not.
  bool allow_write_stall = false;

  // Flush all given families together.
  bool force_atomic_flush = false;

  // No effect: whoever waits for a flush waits until listeners were told.
  bool listener_wait = false;
};

// What DB::FlushWAL() does.
struct FlushWALOptions {
  // What is handed over survives a failure of the system when it returns.
  bool sync = false;
  // At which priority DBOptions::rate_limiter is charged for what is handed
  // over; IO_TOTAL: not at all. Without a limiter it makes no difference.
  Env::IOPriority rate_limiter_priority = Env::IO_TOTAL;
};

// What CompactRange() does with files that already are in the last level.
enum class BottommostLevelCompaction {
  kSkip,
  kIfHaveCompactionFilter,
  kForce,
  kForceOptimized,  // all but those that this call has just written
};

enum class BlobGarbageCollectionPolicy {
  kForce,
  kDisable,
  kUseDefault,  // the family's options decide
};

struct CompactRangeOptions {
  // Waits for compactions that run; no other begins until it is done.
  bool exclusive_manual_compaction = false;

  // Move the result to target_level (-1 = the lowest that can hold it).
  bool change_level = false;
  int target_level = -1;

  // Index into db_paths or cf_paths for the result.
  uint32_t target_path_id = 0;

  BottommostLevelCompaction bottommost_level_compaction =
      BottommostLevelCompaction::kIfHaveCompactionFilter;

  // Flush at once, even if that stalls writers.
  bool allow_write_stall = false;

  // 0 = max_subcompactions of the database.
  uint32_t max_subcompactions = 0;

  // Versions with older user-defined timestamps may go.
  const Slice* full_history_ts_low = nullptr;

  // Set to true from another thread to stop.
  std::atomic<bool>* canceled = nullptr;

  // Whether live values are moved out of old blob files. Default: as the
  // family's options say.
  BlobGarbageCollectionPolicy blob_garbage_collection_policy =
      BlobGarbageCollectionPolicy::kUseDefault;

  // Outside [0, 1] = as the family's options say.
  double blob_garbage_collection_age_cutoff = -1;
};

// The options of DB::CompactFiles().
struct CompactionOptions {
  // kDisableCompressionOption = as the family's options say.
  CompressionType compression = kDisableCompressionOption;
  uint64_t output_file_size_limit = std::numeric_limits<uint64_t>::max();
  uint32_t max_subcompactions = 0;
  std::atomic<bool>* canceled = nullptr;
  Temperature output_temperature_override = Temperature::kUnknown;
  bool allow_trivial_move = false;
};

struct WaitForCompactOptions {
  // Answer Aborted if background work is paused; else wait for its return.
  bool abort_on_pause = false;
  // Flush all families first.
  bool flush = false;
  // Wait for obsolete files to be deleted too.
  bool wait_for_purge = false;
  // Close the database afterwards.
  bool close_db = false;
  // 0 = no limit; else TimedOut when it is over.
  std::chrono::microseconds timeout = std::chrono::microseconds::zero();
};

struct IngestExternalFileOptions {
  // Move the files instead of copying them.
  bool move_files = false;
  // Hard-link the files instead of copying them.
  bool link_files = false;
  bool failed_move_fall_back_to_copy = true;
  // Older snapshots do not see the files' keys.
  bool snapshot_consistency = true;
  // Files may get one sequence number for all their keys.
  bool allow_global_seqno = true;
  // A memtable that overlaps is flushed; else that is an error.
  bool allow_blocking_flush = true;
  // Existing keys win.
  bool ingest_behind = false;
  // Write the sequence number into the file, for very old readers.
  bool write_global_seqno = false;
  bool verify_checksums_before_ingest = false;
  size_t verify_checksums_readahead_size = 0;
  bool verify_file_checksum = true;
  bool fail_if_not_bottommost_level = false;
  // Accept files that a database wrote.
  bool allow_db_generated_files = false;
  bool fill_cache = true;
  bool prefetch_lmax_index_and_filter_blocks = true;  // or when first read
  int file_opening_threads = 1;

  bool operator==(const IngestExternalFileOptions& that) const {
    return move_files == that.move_files && link_files == that.link_files &&
           failed_move_fall_back_to_copy ==
               that.failed_move_fall_back_to_copy &&
           snapshot_consistency == that.snapshot_consistency &&
           allow_global_seqno == that.allow_global_seqno &&
           allow_blocking_flush == that.allow_blocking_flush &&
           ingest_behind == that.ingest_behind &&
           write_global_seqno == that.write_global_seqno &&
           verify_checksums_before_ingest ==
               that.verify_checksums_before_ingest &&
           verify_checksums_readahead_size ==
               that.verify_checksums_readahead_size &&
           verify_file_checksum == that.verify_file_checksum &&
           fail_if_not_bottommost_level == that.fail_if_not_bottommost_level &&
           allow_db_generated_files == that.allow_db_generated_files &&
           fill_cache == that.fill_cache &&
           prefetch_lmax_index_and_filter_blocks ==
               that.prefetch_lmax_index_and_filter_blocks &&
           file_opening_threads == that.file_opening_threads;
  }
};

// Makes the information log of the database `dbname`, as DB::Open() does: a new
// LOG, where an existing one becomes LOG.old.<time>.
Status CreateLoggerFromOptions(const std::string& dbname,
                               const DBOptions& options,
                               std::shared_ptr<Logger>* logger);

// What a trace of operations leaves out, bit by bit.
enum TraceFilterType : uint64_t {
  kTraceFilterNone = 0x0,
  kTraceFilterGet = 0x1 << 0,
  kTraceFilterWrite = 0x1 << 1,
  kTraceFilterIteratorSeek = 0x1 << 2,
  kTraceFilterIteratorSeekForPrev = 0x1 << 3,
  kTraceFilterMultiGet = 0x1 << 4,
};

// The options of a trace.
struct TraceOptions {
  // Bytes after which nothing more is written.
  uint64_t max_trace_file_size = uint64_t{64} * 1024 * 1024 * 1024;
  // One in this many operations is traced.
  uint64_t sampling_frequency = 1;
  // Bits of TraceFilterType.
  uint64_t filter = kTraceFilterNone;
  // Writes stand in the order of their sequence numbers.
  bool preserve_write_order = false;
};

struct ImportColumnFamilyOptions {
  bool move_files = false;
};

struct SizeApproximationOptions {
  bool include_memtables = false;
  bool include_files = true;
  bool include_blob_files = false;
  // By which share of the tables' bytes they may be told wrong, so that tables
  // are not asked; 0 and less: by as little as possible.
  double files_size_error_margin = -1.0;
};

struct LiveFilesStorageInfoOptions {
  bool include_checksum_info = false;
  // Logs of that many bytes, and more, are flushed first; 0: always;
  // UINT64_MAX: never. A database with allow_2pc is flushed whatever the limit.
  uint64_t wal_size_for_flush = 0;
  bool atomic_flush = false;
};

// A range of user keys [start, limit).
struct Range {
  Slice start;
  Slice limit;

  Range() {}
  Range(const Slice& from, const Slice& to) : start(from), limit(to) {}
};

// What DB::IngestExternalFiles() adds to one family.
struct IngestExternalFileArg {
  ColumnFamilyHandle* column_family = nullptr;
  std::vector<std::string> external_files;
  IngestExternalFileOptions options;
  // The checksums of the whole files, and the names of the functions that made
  // them: one for each file, or none.
  std::vector<std::string> files_checksums;
  std::vector<std::string> files_checksum_func_names;
  // Where the files come to lie.
  Temperature file_temperature = Temperature::kUnknown;
  // Everything of the family in this range [start, limit), whose ends may be
  // open, goes in the moment in which the files come, also if there is a crash;
  // snapshots go on seeing what they saw. InvalidArgument with ingest_behind,
  // allow_db_generated_files or without allow_global_seqno, and if the limit is
  // not behind the start; NotSupported where keys have timestamps, or where
  // tables have no range tombstones.
  std::optional<RangeOpt> atomic_replace_range;
  // From DB::GetPreparedFileInfoForExternalSstIngestion(), one for each file
  // (or null), or none: files of which all is known are not opened to look at
  // them.
  std::vector<const PreparedFileInfo*> file_infos;
};

}  // namespace ROCKSDB_NAMESPACE
