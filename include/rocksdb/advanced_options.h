// Column-family options for tuning; ColumnFamilyOptions derives from them.
//
// Plain values: set before the database is opened, change later with
// DB::SetOptions() where the comment says "Dynamic". Sizes are bytes.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/data_structure.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/types.h"
#include "rocksdb/universal_compaction.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE {

class BlobFilePartitionStrategy;
class Slice;
class SliceTransform;
class TablePropertiesCollectorFactory;
class TableFactory;
struct Options;

// How files are arranged and merged. The values are stored in OPTIONS files.
enum CompactionStyle : char {
  kCompactionStyleLevel = 0x0,
  kCompactionStyleUniversal = 0x1,
  kCompactionStyleFIFO = 0x2,
  kCompactionStyleNone = 0x3,  // only what the application starts
};

using CompactionStyleSet =
    SmallEnumSet<CompactionStyle, CompactionStyle::kCompactionStyleNone>;

// Which file of a level leveled compaction takes first.
enum CompactionPri : char {
  kByCompensatedSize = 0x0,       // largest, deletions counted extra
  kOldestLargestSeqFirst = 0x1,   // longest without an update
  kOldestSmallestSeqFirst = 0x2,  // longest without a compaction
  kMinOverlappingRatio = 0x3,     // least overlap with the next level
  kRoundRobin = 0x4,              // in key order, going on where it stopped
};

// Files older than `age` seconds move to `temperature`.
struct FileTemperatureAge {
  Temperature temperature = Temperature::kUnknown;
  uint64_t age = 0;

  bool operator==(const FileTemperatureAge& that) const {
    return temperature == that.temperature && age == that.age;
  }
};

// The settings of FIFO compaction (CompactionStyle 2). Dynamic.
struct CompactionOptionsFIFO {
  // Total size of table files above which the oldest is deleted; 0 = never.
  // Default: 1 GiB.
  uint64_t max_table_files_size = 1 * 1024 * 1024 * 1024;

  // Merge small files into larger ones. Default: false.
  bool allow_compaction = false;

  // Older spelling of one entry {kWarm, n}; 0 = off. Seconds.
  uint64_t age_for_warm = 0;

  // In ascending order of age. Default: empty.
  std::vector<FileTemperatureAge> file_temperature_age_thresholds{};

  // Change a file's temperature by copying its bytes.
  bool allow_trivial_copy_when_change_temperature = false;

  // Buffer of that copy. Default: 4 KiB.
  uint64_t trivial_copy_buffer_size = 4096;

  // Total size of table and blob files together above which the oldest table is
  // deleted, with the blob files that no other table may refer to. It takes the
  // place of max_table_files_size; 0 = that one counts. Default: 0.
  uint64_t max_data_files_size = 0;

  // How allow_compaction merges; without that, no effect. Tables are merged in
  // steps until each stands for one part in level0_file_num_compaction_trigger
  // (at least 2) of the limit, so that about as much data goes each time that
  // the oldest is dropped: as large as that part of the limit times the share
  // that tables have of what the limit counts, to less than twice as large (and
  // max_compaction_bytes at most). Meant for max_data_files_size, where keys
  // and blobs differ much in size. Without a limit, no effect. Default: false.
  bool use_kv_ratio_compaction = false;

  CompactionOptionsFIFO() = default;
  CompactionOptionsFIFO(uint64_t max_files_size, bool compact)
      : max_table_files_size(max_files_size), allow_compaction(compact) {}

  bool operator==(const CompactionOptionsFIFO& that) const {
    return max_table_files_size == that.max_table_files_size &&
           allow_compaction == that.allow_compaction &&
           age_for_warm == that.age_for_warm &&
           file_temperature_age_thresholds ==
               that.file_temperature_age_thresholds &&
           allow_trivial_copy_when_change_temperature ==
               that.allow_trivial_copy_when_change_temperature &&
           trivial_copy_buffer_size == that.trivial_copy_buffer_size &&
           max_data_files_size == that.max_data_files_size &&
           use_kv_ratio_compaction == that.use_kv_ratio_compaction;
  }
};

// What an inplace_callback did with the value it was shown.
enum UpdateStatus {
  UPDATE_FAILED = 0,
  UPDATED_INPLACE = 1,
  UPDATED = 2,
};

// The lowest cache tier that a database uses.
enum class CacheTier : uint8_t {
  kVolatileTier = 0,
  kVolatileCompressedTier = 0x01,
  kNonVolatileBlockTier = 0x02,
};

enum class PrepopulateBlobCache : uint8_t {
  kDisable = 0x0,
  kFlushOnly = 0x1,
};

// How compaction verifies its outputs; flags, joined with |.
enum class VerifyOutputFlags : uint32_t {
  kVerifyNone = 0x0,
  kVerifyBlockChecksum = 0x1,
  kVerifyIteration = 0x2,
  kVerifyFileChecksum = 0x4,
  kEnableForLocalCompaction = 0x400,
  kEnableForRemoteCompaction = 0x800,
  kVerifyAll = 0xffffffff,
};

inline VerifyOutputFlags operator|(VerifyOutputFlags a, VerifyOutputFlags b) {
  return static_cast<VerifyOutputFlags>(static_cast<uint32_t>(a) |
                                        static_cast<uint32_t>(b));
}
inline VerifyOutputFlags operator&(VerifyOutputFlags a, VerifyOutputFlags b) {
  return static_cast<VerifyOutputFlags>(static_cast<uint32_t>(a) &
                                        static_cast<uint32_t>(b));
}
inline VerifyOutputFlags& operator|=(VerifyOutputFlags& a,
                                     VerifyOutputFlags b) {
  return a = a | b;
}
inline VerifyOutputFlags& operator&=(VerifyOutputFlags& a,
                                     VerifyOutputFlags b) {
  return a = a & b;
}
inline bool operator!(VerifyOutputFlags flags) {
  return flags == VerifyOutputFlags::kVerifyNone;
}

struct AdvancedColumnFamilyOptions {
  // --- Memtables -----------------------------------------------------------

  // Memtables held in memory, the one being written among them; with all of
  // them full, writes stop. Default: 2, at least 2. Dynamic.
  int max_write_buffer_number = 2;

  // Sealed memtables that one flush merges. Default: 1.
  int min_write_buffer_number_to_merge = 1;

  // Flushed memtables kept in memory, the newest, until they make that many
  // bytes: for conflict checks of transactions. They go when the
  // WriteBufferManager needs room. -1 = max_write_buffer_number *
  // write_buffer_size. Default: 0.
  int64_t max_write_buffer_size_to_maintain = 0;

  // Put() over a key of the active memtable takes the old value's place where
  // the new one is no longer, instead of adding a version. Snapshots do not
  // hold then: GetSnapshot() returns null, and iterators may show values that
  // are newer than they are. Values read are whole ones always. Needs
  // allow_concurrent_memtable_write = false; InvalidArgument or NotSupported
  // with timestamps, max_write_buffer_size_to_maintain and
  // memtable_protection_bytes_per_key. Default: false.
  bool inplace_update_support = false;

  // Locks of a memtable that guard such values, each a byte. Default: 10000.
  // Dynamic: applies to the next memtable.
  size_t inplace_update_num_locks = 10000;

  // A flush because of a full memtable writes no file where less than this part
  // of write_buffer_size would be left of its memtables (an estimate), or where
  // it takes fewer memtables than this: what is left goes to a new memtable,
  // which takes their place, and their logs stay. Every other flush writes
  // files: those that are asked for, and those for atomic_flush, for more logs
  // than max_total_wal_size, for a WriteBufferManager's limit, and of families
  // with timestamps, preclude_last_level_data_seconds or
  // preserve_internal_time_seconds. Logs may pile up without
  // max_total_wal_size. 0 = off. Experimental. Dynamic. Default: 0.
  double experimental_mempurge_threshold = 0.0;

  // With inplace_update_support, decides what Put() stores: the value that is
  // put is a delta to the key's older value. Called with
  //   existing_value       the older value, which it may change; null: the key
  //                        has none
  //   existing_value_size  its size, which may become smaller
  //   delta_value          what is put
  //   merged_value         for the new value, where that is another one
  // and answers UPDATED_INPLACE: existing_value is what the key has from now
  // on; UPDATED: merged_value is; UPDATE_FAILED: nothing changes, and the write
  // is OK. The log has the delta: a replay calls again, so that the answer may
  // depend on nothing else. Where the older value is not in the active
  // memtable, it is read, and what comes of it is a new version. Called under a
  // lock: it must not use the database. A size that has become larger is
  // Corruption, an exception Aborted, and writes stop. Only plain Put() calls
  // it. IngestWriteBatchWithIndex() is NotSupported. Default: null.
  UpdateStatus (*inplace_callback)(char* existing_value,
                                   uint32_t* existing_value_size,
                                   Slice delta_value,
                                   std::string* merged_value) = nullptr;

  // Part of write_buffer_size given, beside it, to a Bloom filter over the
  // memtable's prefixes (of prefix_extractor) and keys; 0 = none, at most 0.25.
  // Dynamic: applies to the next memtable.
  double memtable_prefix_bloom_size_ratio = 0.0;

  // That filter holds whole keys too. Default: false. Dynamic: applies to the
  // next memtable.
  bool memtable_whole_key_filtering = false;

  // Size of the huge pages (a power of two, such as 2 MiB) that the memtable
  // and its filter are to lie in; without any, in ordinary ones. 0 = off.
  // Dynamic: applies to the next memtable.
  size_t memtable_huge_page_size = 0;

  // An insertion looks first where the last one with its prefix of this
  // extractor went: for loads that ascend within each of many prefixes. Of use
  // to the default memtable_factory. Default: null.
  std::shared_ptr<const SliceTransform>
      memtable_insert_with_hint_prefix_extractor = nullptr;

  // 1: all bits of an entry of the memtable's filter are in one cache line,
  // for fewer cache misses and more false answers; 0: anywhere.
  uint32_t bloom_locality = 0;

  // Allocation unit of the memtable. Default: 0, which means the smaller of
  // 1 MiB and an eighth of write_buffer_size. Dynamic.
  size_t arena_block_size = 0;

  // --- The shape of the tree -----------------------------------------------

  // Compression of each level; the last entry serves deeper levels too.
  // Empty: `compression` everywhere. With dynamic level bytes entry 0 is
  // level 0 and entry 1 the base level. Dynamic.
  std::vector<CompressionType> compression_per_level{};

  // Number of levels. Default: 7.
  int num_levels = 7;

  // Files in level 0 at which writes slow down; < 0 = never. Default: 20.
  // Dynamic.
  int level0_slowdown_writes_trigger = 20;

  // Files in level 0 at which writes stop. Default: 36. Dynamic.
  int level0_stop_writes_trigger = 36;

  // Size of one table file in level 1. Default: 64 MiB. Dynamic.
  uint64_t target_file_size_base = 64 * 1048576;

  // A file in level n + 1 may be this many times larger. Default: 1. Dynamic.
  int target_file_size_multiplier = 1;

  // The target size counts metadata and is not exceeded. Dynamic.
  bool target_file_size_is_upper_bound = false;

  // Level sizes follow from the last level, so that space overhead stays
  // near 10 %. An open for writing moves files that lie above free levels, as
  // another shape has left them, down into these. Level style only. Default:
  // true.
  bool level_compaction_dynamic_level_bytes = true;

  // Ratio of one level's size to the one before. Default: 10. Dynamic.
  double max_bytes_for_level_multiplier = 10;

  // More factors, one for each level. Default: all 1. Dynamic.
  std::vector<int> max_bytes_for_level_multiplier_additional =
      std::vector<int>(static_cast<size_t>(num_levels), 1);

  // Input of one compaction at which it stops growing. Default: 0, which means
  // 25 x target_file_size_base. Dynamic.
  uint64_t max_compaction_bytes = 0;

  // Estimated compaction debt at which writes slow down; 0 = never.
  // Default: 64 GiB. Dynamic.
  uint64_t soft_pending_compaction_bytes_limit = 64 * 1073741824ull;

  // Estimated compaction debt at which writes stop; 0 = never.
  // Default: 256 GiB. Dynamic.
  uint64_t hard_pending_compaction_bytes_limit = 256 * 1073741824ull;

  // Default: leveled.
  CompactionStyle compaction_style = kCompactionStyleLevel;

  // Default: least overlap first.
  CompactionPri compaction_pri = kMinOverlappingRatio;

  // Universal style only. Dynamic.
  CompactionOptionsUniversal compaction_options_universal;

  // FIFO style only. Dynamic.
  CompactionOptionsFIFO compaction_options_fifo;

  // Hidden versions of one key that an iterator steps over before it seeks.
  // Default: 8. Dynamic.
  uint64_t max_sequential_skip_in_iterations = 8;

  // Makes memtables. Default: a skip list.
  std::shared_ptr<MemTableRepFactory> memtable_factory;

  // Collect properties of each table file. Default: empty.
  using TablePropertiesCollectorFactories =
      std::vector<std::shared_ptr<TablePropertiesCollectorFactory>>;
  TablePropertiesCollectorFactories table_properties_collector_factories;

  // Merge operands of one key in the memtable at which a further merge is
  // resolved at once and stored as a value, unless files would have to be read
  // or the merge fails; 0 = never. Not with unordered_write; keys with
  // timestamps keep their operands. Dynamic: applies to the next memtable.
  size_t max_successive_merges = 0;

  // Do that even where it needs to read files: all writers wait for it.
  // Default: false. Dynamic.
  bool strict_max_successive_merges = false;

  // Build no filters for the last level. Default: false.
  bool optimize_filters_for_hits = false;

  // --- Checks --------------------------------------------------------------

  // Read each new file back and compare it with what was written. Dynamic.
  bool paranoid_file_checks = false;

  // Verify compaction outputs in these ways. Dynamic.
  VerifyOutputFlags verify_output_flags = VerifyOutputFlags::kVerifyNone;

  // Check the tree's shape in release builds too. Default: true.
  bool force_consistency_checks = true;

  // Measure file operations of flushes and compactions. Dynamic.
  bool report_bg_io_stats = false;

  // The family takes whole tables only, by ingestion or import: any update of
  // it is InvalidArgument, and so is an open whose logs still hold one. Not for
  // the default family. May change from one open to the next. Default: false.
  bool disallow_memtable_writes = false;

  // Seconds after which files that no compaction reached are compacted;
  // 0 = never; 2^64 - 2 = chosen (30 days with block-based tables). Dynamic.
  uint64_t ttl = 0xfffffffffffffffe;

  // Seconds after which every file is compacted again; 0 = never; 2^64 - 2 =
  // chosen (30 days where a compaction filter, or universal style). Dynamic.
  uint64_t periodic_compaction_seconds = 0xfffffffffffffffe;

  // Estimated reads of a table file, for each of its bytes, above which it is
  // merged with older data, so that less has to be read; 0 = off. Reads are
  // lookups of a key in the file, and iterators that come to it, since it was
  // made or the database was opened (SstFileMetaData::num_reads_sampled). What
  // is in the oldest sorted run stays as it is. Not in FIFO style.
  // Default: 0. Range: 0 and up. Dynamic.
  double read_triggered_compaction_threshold = 0.0;

  // Sample one data block in this many with a fast and a strong codec, for
  // statistics; 0 = off. Dynamic.
  uint64_t sample_for_compression = 0;

  // --- Temperatures --------------------------------------------------------

  // The temperature of files in the last level; kUnknown:
  // default_write_temperature holds there, too. Dynamic.
  Temperature last_level_temperature = Temperature::kUnknown;

  // The temperature of new files that last_level_temperature does not decide.
  // Dynamic.
  Temperature default_write_temperature = Temperature::kUnknown;

  // The temperature that is assumed for files that record none.
  Temperature default_temperature = Temperature::kUnknown;

  // Seconds for which new data stay out of the last level, one level above it;
  // 0 = off. Leveled and universal compaction of three levels or more; data
  // whose age is not known count as new. Not with user-defined timestamps
  // (NotSupported). Dynamic.
  uint64_t preclude_last_level_data_seconds = 0;

  // Seconds for which it is kept when entries were written: they do not lose
  // their sequence numbers, and each table file holds a map of these to times;
  // 0 = off. preclude_last_level_data_seconds implies it. Dynamic.
  uint64_t preserve_internal_time_seconds = 0;

  // --- Blob files ----------------------------------------------------------

  // Store large values in blob files. Default: false. Dynamic.
  bool enable_blob_files = false;

  // Smallest value, or column of an entity, that goes there. Dynamic.
  uint64_t min_blob_size = 0;

  // Size at which a blob file is closed. Default: 256 MiB. Dynamic.
  uint64_t blob_file_size = 1ull << 28;

  // Codec of blobs. Dynamic.
  CompressionType blob_compression_type = kNoCompression;
  CompressionOptions blob_compression_opts;

  // Compaction moves live blobs out of old files. Dynamic.
  bool enable_blob_garbage_collection = false;

  // Part of the files, oldest first, from which they are moved. Dynamic.
  double blob_garbage_collection_age_cutoff = 0.25;

  // Part of garbage at which compactions are forced. Dynamic.
  double blob_garbage_collection_force_threshold = 1.0;

  // Read-ahead on blob files in compactions; 0 = none. Dynamic.
  uint64_t blob_compaction_readahead_size = 0;

  // First level whose values go to blob files. Dynamic.
  int blob_file_starting_level = 0;

  // Caches blobs; null = not cached.
  std::shared_ptr<Cache> blob_cache = nullptr;

  // Put blobs into that cache when they are written. Dynamic.
  PrepopulateBlobCache prepopulate_blob_cache = PrepopulateBlobCache::kDisable;

  // Large values, and large columns of entities, go to blob files before the
  // log has the references to them. NotSupported with
  // allow_concurrent_memtable_write, enable_pipelined_write, unordered_write,
  // two_write_queues, experimental_mempurge_threshold or timestamps; without
  // enable_blob_files, or with blob_file_starting_level above 0, it does
  // nothing. Merges, the batches that have some, and prepared transactions are
  // logged as they are.
  bool enable_blob_direct_write = false;

  // Blob files of a memtable that are appended to side by side; 0 counts as 1.
  uint32_t blob_direct_write_partitions = 1;

  // Chooses among them; null = in turn. Not stored in the OPTIONS file.
  std::shared_ptr<BlobFilePartitionStrategy>
      blob_direct_write_partition_strategy = nullptr;

  // --- More protection -----------------------------------------------------

  // Bytes of checksum for each memtable entry: 0, 1, 2, 4 or 8. Reads and
  // flushes that meet an entry which memory has changed answer Corruption; the
  // checksums of a protected WriteBatch pass over. Range tombstones are
  // verified when they are flushed. Default: 0. Dynamic: applies to the next
  // memtable.
  uint32_t memtable_protection_bytes_per_key = 0;

  // False: user-defined timestamps are kept in memtables and logs only. A flush
  // leaves them out: of each key the newest version stays (and those that
  // snapshots see), which reads show with the oldest timestamp, 0; it raises
  // full_history_ts_low above every timestamp that it took, and reads as of
  // older ones fail from then on. Once IncreaseFullHistoryTsLow() was called, a
  // full memtable waits with its flush until that is above its timestamps; not
  // where a flush was asked for, or a further memtable would slow writers down
  // (so max_write_buffer_number should be above 2) or memory or logs run out.
  // Needs a comparator named *.u64ts, block-based tables, and
  // allow_concurrent_memtable_write = false; not with atomic_flush. With false
  // a family without timestamps may be opened with the *.u64ts form of its
  // comparator, and later without again; else neither may change. Fixed.
  bool persist_user_defined_timestamps = true;

  // Bytes of checksum for each entry of a data block in the block cache: 0, 1,
  // 2, 4 or 8. Reads that meet an entry which memory has changed answer
  // Corruption. Default: 0. Dynamic: applies to files that are opened later.
  uint8_t block_protection_bytes_per_key = 0;

  // Seconds before a file of the last level that has hidden versions is
  // compacted. Dynamic.
  uint32_t bottommost_file_compaction_delay = 0;

  // Check the order of keys on every memtable read: Corruption where it is
  // broken. Default: false. Dynamic: applies to the next memtable.
  bool paranoid_memory_checks = false;

  // Check the checksums of the entries that a seek in a memtable compares too
  // (with memtable_protection_bytes_per_key and the default memtable_factory).
  // Default: false. Dynamic: applies to the next memtable.
  bool memtable_verify_per_key_checksum_on_seek = false;

  // Hidden entries of the active memtable that one Seek() or Next() steps over,
  // or Next() on average since the last seek, at which the next write seals it
  // and has it flushed; 0 = never. The average counts once it has that many
  // together as the first says, and is not used without it. Dynamic.
  uint32_t memtable_op_scan_flush_trigger = 0;
  uint32_t memtable_avg_op_scan_flush_trigger = 0;

  // Neighbouring point deletions, with no live key between them, at which an
  // iterator that steps over them adds a range deletion over them to the active
  // memtable, for later reads to skip them at once; 0 = never. No read answers
  // otherwise for it, and it is in no log; where it cannot be added at once it
  // is left out. It counts for memtable_max_range_deletions, up to which it is
  // added, and an ingestion of files in its range flushes the memtable first.
  // Not of families with timestamps, inplace_update_support, unordered_write or
  // cf_allow_ingest_behind. Default: 0. Dynamic: applies to later iterators.
  uint32_t min_tombstones_for_range_conversion = 0;

  // Keep the last level free for IngestExternalFile() with ingest_behind:
  // compactions neither read nor write it, and keep deletions, since what they
  // delete may still come. Universal compaction with three levels or more;
  // else NotSupported or InvalidArgument.
  bool cf_allow_ingest_behind = false;

  // MultiGet searches each memtable for many keys at a time, so that their
  // cache misses overlap and neighbours share their way: for the same answers.
  // One by one nevertheless: with ReadOptions::value_size_soft_limit, a
  // memtable_factory that is not the default one, paranoid_memory_checks or
  // memtable_protection_bytes_per_key. Default: false. Not dynamic.
  bool memtable_batch_lookup_optimization = false;

  AdvancedColumnFamilyOptions();
  // The family's part of `options`.
  explicit AdvancedColumnFamilyOptions(const Options& options);
};

}  // namespace ROCKSDB_NAMESPACE
