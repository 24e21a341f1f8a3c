// Table files: the factories that make their readers and builders, and the
// options of the formats.
//
// Threads    Option structs are plain values. A factory is shared by all
//            threads of a database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/cache.h"
#include "rocksdb/checksum_type.h"
#include "rocksdb/cleanable.h"
#include "rocksdb/customizable.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class FilterPolicy;
class FlushBlockPolicyFactory;
class PersistentCache;
class RandomAccessFileReader;
class TableBuilder;
class TableReader;
class UserDefinedIndexFactory;
class WritableFileWriter;
struct ConfigOptions;
struct EnvOptions;
struct TableBuilderOptions;
struct TableReaderOptions;

// Which metadata blocks stay pinned in the block cache.
enum class PinningTier {
  kFallback,  // the older pin_* options decide
  kNone,
  // Those of level-0 files of up to 1.5 * write_buffer_size: files from a
  // flush, and others as small.
  kFlushedAndSimilar,
  kAll,
};

struct MetadataCacheOptions {
  // Top level of partitioned indexes and filters.
  PinningTier top_level_index_pinning = PinningTier::kFallback;
  // Their partitions.
  PinningTier partition_pinning = PinningTier::kFallback;
  // Indexes and filters in one piece.
  PinningTier unpartitioned_pinning = PinningTier::kFallback;
};

struct CacheEntryRoleOptions {
  enum class Decision {
    kEnabled,
    kDisabled,
    kFallback,
  };
  Decision charged = Decision::kFallback;

  bool operator==(const CacheEntryRoleOptions& other) const {
    return charged == other.charged;
  }
};

// Which memory outside the block cache is charged to it: of the roles
// kCompressionDictionaryBuildingBuffer, kFilterConstruction,
// kBlockBasedTableReader, kFileMetadata and kBlobCache. Others: NotSupported.
//
// Where a cache with a strict limit has no room, a dictionary is made of what
// there is, a file is written without a filter, and one that is opened answers
// MemoryLimit. Metadata and blobs are there all the same, and not charged.
struct CacheUsageOptions {
  // Holds for each role that has no entry in options_overrides.
  CacheEntryRoleOptions options;
  std::map<CacheEntryRole, CacheEntryRoleOptions> options_overrides;
};

// The settings of block-based tables. "SetOptions" below means: through
// DB::SetOptions({{"block_based_table_factory", "{name=value;...}"}}); every
// field but persistent_cache and cache_usage_options can be changed so, for
// files that are written or opened later.
struct BlockBasedTableOptions {
  static const char* kName() { return "BlockTableOptions"; }

  // Decides where data blocks end; null = by size.
  std::shared_ptr<FlushBlockPolicyFactory> flush_block_policy_factory;

  // Index and filter blocks live in the block cache; else each open file
  // holds them. Default: false.
  bool cache_index_and_filter_blocks = false;
  bool cache_index_and_filter_blocks_with_high_priority = true;

  // Older form of MetadataCacheOptions, for level 0.
  bool pin_l0_filter_and_index_blocks_in_cache = false;
  bool pin_top_level_index_and_filter = true;

  MetadataCacheOptions metadata_cache_options;

  enum IndexType : char {
    kBinarySearch = 0x00,
    kHashSearch = 0x01,           // by prefix; needs prefix_extractor
    kTwoLevelIndexSearch = 0x02,  // index in partitions
    kBinarySearchWithFirstKey = 0x03,
  };
  IndexType index_type = kBinarySearch;

  enum BlockSearchType : char {
    kBinary = 0x00,
    kInterpolation = 0x01,
    kAuto = 0x02,
  };
  // How indexes are searched: by halves; by guesses from the bytes of the
  // keys, in bytewise order; or by guesses where the file says that its keys
  // are evenly spread (uniform_cv_threshold).
  BlockSearchType index_block_search_type = kBinary;

  enum DataBlockIndexType : char {
    kDataBlockBinarySearch = 0,
    kDataBlockBinaryAndHash = 1,  // a hash table for Get() too
  };
  DataBlockIndexType data_block_index_type = kDataBlockBinarySearch;

  // Entries for each bucket of that hash table.
  double data_block_hash_table_util_ratio = 0.75;

  ChecksumType checksum = kXXH3;

  // No block cache at all. Default: false.
  bool no_block_cache = false;

  // Caches blocks; null = a HyperClockCache of 32 MiB of its own.
  std::shared_ptr<Cache> block_cache = nullptr;

  // Caches pages on a device. Default: null.
  std::shared_ptr<PersistentCache> persistent_cache = nullptr;

  // Bytes of one data block before compression. Default: 4 KiB.
  uint64_t block_size = 4 * 1024;

  // Percent by which a block may stay below block_size when the next entry
  // would exceed it.
  int block_size_deviation = 10;

  // Entries from one full key to the next, in data and in index blocks.
  int block_restart_interval = 16;
  int index_block_restart_interval = 1;

  // Size of partitions of indexes and filters. Default: 4 KiB.
  uint64_t metadata_block_size = 4096;

  // Default: nothing is charged.
  CacheUsageOptions cache_usage_options;

  // Filters in partitions; needs kTwoLevelIndexSearch.
  bool partition_filters = false;
  // Filter partitions end independently of index partitions.
  bool decouple_partitioned_filters = true;

  // Sizes of filters fit the allocator's. Default: true.
  bool optimize_filters_for_memory = true;

  // Keys are stored as differences to the one before. Default: true.
  bool use_delta_encoding = true;

  // Default: null = no filter.
  std::shared_ptr<const FilterPolicy> filter_policy = nullptr;

  // Makes an index of the application's own beside the built-in one
  // (user_defined_index.h); `trie_index` by name is one that the library has.
  // Not with several threads that compress. Default: null.
  std::shared_ptr<UserDefinedIndexFactory> user_defined_index_factory = nullptr;

  // Users' reads find blocks by that index alone, not only where
  // ReadOptions::table_index_factory names it. A table without it does not
  // open. Needs the factory; not with partitions of index or filters. Default:
  // false.
  bool use_udi_as_primary_index = false;

  // A table that was written without the factory's index does not open
  // (Corruption), instead of being read by its built-in one. Default: false.
  bool fail_if_no_udi_on_open = false;

  // Filters hold whole keys, not prefixes alone. Default: true.
  bool whole_key_filtering = true;

  // Check each filter after it is built.
  bool detect_filter_construct_corruption = false;

  // Uncompress each block after it is compressed, and compare.
  bool verify_compression = false;

  // Estimate read amplification, where there are statistics: each data block
  // has a bit for so many bytes, the next lower power of two, and
  // READ_AMP_ESTIMATE_USEFUL_BYTES counts what was read of what was loaded,
  // READ_AMP_TOTAL_READ_BYTES. 0 = off.
  uint32_t read_amp_bytes_per_bit = 0;

  // The format of files that are written: 2 to 7 (files of every version are
  // read). Default: 7.
  uint32_t format_version = 7;

  // Keys and values of a data block apart, whatever the format_version; RocksDB
  // before version 11 does not read such blocks.
  bool separate_key_value_in_data_block = false;

  // Index blocks are marked as evenly spread where the standard deviation of
  // the steps between keys, over their mean, is below this; < 0 = never.
  // RocksDB 7 does not read marked blocks.
  double uniform_cv_threshold = -1;

  // Compress index blocks too. Default: true.
  bool enable_index_compression = true;

  // Pad data blocks so that none crosses a page; needs kNoCompression.
  bool block_align = false;

  // Pad so that no data block crosses a multiple of this; 0 = off.
  size_t super_block_alignment_size = 0;
  // One part in so many of the file may be such padding.
  size_t super_block_alignment_space_overhead_ratio = 128;

  enum class IndexShorteningMode : char {
    kNoShortening,
    kShortenSeparators,
    kShortenSeparatorsAndSuccessor,
  };
  IndexShorteningMode index_shortening =
      IndexShorteningMode::kShortenSeparators;

  // Automatic read-ahead: largest, first, and sequential reads before it.
  size_t max_auto_readahead_size = 256 * 1024;

  // Put blocks into the block cache as flushes, or compactions too, write
  // them; partitions of indexes and filters where those are cached.
  enum class PrepopulateBlockCache : char {
    kDisable,
    kFlushOnly,
    kFlushAndCompaction,
  };
  PrepopulateBlockCache prepopulate_block_cache =
      PrepopulateBlockCache::kDisable;

  size_t initial_auto_readahead_size = 8 * 1024;
  uint64_t num_file_reads_for_auto_readahead = 2;
};

// Names of properties that block-based tables record.
struct BlockBasedTablePropertyNames {
  static const std::string kIndexType;
  static const std::string kWholeKeyFiltering;
  static const std::string kPrefixFiltering;
  static const std::string kDecoupledPartitionedFilters;
};

// How plain tables store keys.
enum EncodingType : char {
  kPlain,
  kPrefix,
};

// PlainTableOptions::user_key_len of keys of different lengths.
inline constexpr uint32_t kPlainTableVariableLength = 0;

// The settings of plain tables: rows one after the other, for data that fits
// into memory. Without DBOptions::allow_mmap_reads an open file's rows are all
// read into memory. They have no checksums, no compression and no range
// deletions, and are never ingested.
struct PlainTableOptions {
  static const char* kName() { return "PlainTableOptions"; }

  // Bytes of every user key; another length is InvalidArgument when a file is
  // written. Default: kPlainTableVariableLength.
  uint32_t user_key_len = kPlainTableVariableLength;
  // Bits for each key or prefix in a filter that is made when a file is opened.
  // 0 = no filter.
  int bloom_bits_per_key = 10;
  // Prefixes for each bucket; 0 = binary search only.
  double hash_table_ratio = 0.75;
  // Keys between index entries of one prefix.
  size_t index_sparseness = 16;
  // A hint without effect: the index lies in ordinary pages.
  size_t huge_page_tlb_size = 0;
  // The encoding of files that are written; files of either encoding are read.
  EncodingType encoding_type = kPlain;
  // No index is made: scans from the begin alone, all else is NotSupported.
  bool full_scan_mode = false;
  // The filter and the index of a new file are written into it. A file that has
  // them is opened without a look at its rows, whatever this says. Default:
  // false.
  bool store_index_in_file = false;
};

// The settings of cuckoo tables: buckets of one size in a mapped file, of which
// a lookup reads a few. For keys of one length with values of one length; a
// flush or compaction that meets others fails with NotSupported, as for merges,
// a second version of a key that a snapshot needs, and range deletions. They
// have no checksums and no compression, are never ingested, and are read with
// DBOptions::allow_mmap_reads alone, else InvalidArgument.
struct CuckooTableOptions {
  static const char* kName() { return "CuckooTableOptions"; }

  // How full the hash table gets: above 0 and up to 1. Default: 0.9.
  double hash_table_ratio = 0.9;
  // Entries that are moved at most to make room for one; else all keys get one
  // more hash. Default: 100.
  uint32_t max_search_depth = 100;
  // Buckets in a row that one hash leads to; 0 is 1. Default: 5.
  uint32_t cuckoo_block_size = 5;
  // The first 8 bytes of a key are its first hash. Default: false.
  bool identity_as_first_hash = false;
  // Buckets are found by remainder; else by a mask. Default: true.
  bool use_module_hash = true;
};

// Makes the readers and builders of one table format.
//
// Threads  Const calls from any thread.
class TableFactory : public Customizable {
 public:
  ~TableFactory() override = default;

  static const char* kBlockCacheOpts() { return "BlockCache"; }
  static const char* kBlockBasedTableName() { return "BlockBasedTable"; }
  static const char* kPlainTableName() { return "PlainTable"; }
  static const char* kCuckooTableName() { return "CuckooTable"; }

  static const char* Type() { return "TableFactory"; }
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value,
                                 std::shared_ptr<TableFactory>* factory);

  // Opens the table in `file`, which it takes over on success. The engine
  // calls the form with options; the other passes default ones to that.
  virtual Status NewTableReader(
      const TableReaderOptions& reader_options,
      std::unique_ptr<RandomAccessFileReader>&& file, uint64_t file_size,
      std::unique_ptr<TableReader>* table_reader,
      bool prefetch_index_and_filter_in_cache = true) const {
    return NewTableReader(ReadOptions(), reader_options, std::move(file),
                          file_size, table_reader,
                          prefetch_index_and_filter_in_cache);
  }
  virtual Status NewTableReader(
      const ReadOptions& read_options, const TableReaderOptions& reader_options,
      std::unique_ptr<RandomAccessFileReader>&& file, uint64_t file_size,
      std::unique_ptr<TableReader>* table_reader,
      bool prefetch_index_and_filter_in_cache) const = 0;

  // A builder that appends to `file`, which must outlive it; the caller owns
  // it. nullptr: the format is not built.
  virtual TableBuilder* NewTableBuilder(
      const TableBuilderOptions& builder_options,
      WritableFileWriter* file) const = 0;

  // A factory with the same options; those of the two are then independent.
  virtual std::unique_ptr<TableFactory> Clone() const = 0;

  // Range deletions can be stored. Default: false.
  virtual bool IsDeleteRangeSupported() const { return false; }
};

// The caller owns the result, as with the other factories here.
TableFactory* NewBlockBasedTableFactory(
    const BlockBasedTableOptions& table_options = BlockBasedTableOptions());

TableFactory* NewPlainTableFactory(
    const PlainTableOptions& options = PlainTableOptions());

TableFactory* NewCuckooTableFactory(
    const CuckooTableOptions& options = CuckooTableOptions());

// Writes by the first (null: the one of block-based tables), and reads each
// file by the one whose format it has; null: one with default options. A
// database may so change its format, file by file. It cannot be made by its
// name.
TableFactory* NewAdaptiveTableFactory(
    std::shared_ptr<TableFactory> table_factory_to_write = nullptr,
    std::shared_ptr<TableFactory> block_based_table_factory = nullptr,
    std::shared_ptr<TableFactory> plain_table_factory = nullptr,
    std::shared_ptr<TableFactory> cuckoo_table_factory = nullptr);

// Names of properties that plain tables have besides those of all.
struct PlainTablePropertyNames {
  static const std::string kEncodingType;
  static const std::string kBloomVersion;
  static const std::string kNumBloomBlocks;
};

// Names of properties that cuckoo tables have besides those of all.
struct CuckooTablePropertyNames {
  static const std::string kEmptyKey;
  static const std::string kValueLength;
  static const std::string kNumHashFunc;
  static const std::string kCuckooBlockSize;
  static const std::string kHashTableSize;
  static const std::string kIsLastLevel;
  static const std::string kIdentityAsFirstHash;
  static const std::string kUseModuleHash;
  static const std::string kUserKeyLength;
};

// Gives the memory for the data blocks of iterators: see
// ReadOptions::read_scoped_block_buffer_provider.
//
// Threads  Those of the iterators; one provider may serve several.
class ReadScopedBlockBufferProvider {
 public:
  // Memory until the last copy of `cleanup` is gone; `size` and `data` are
  // multiples of the alignment that was asked for.
  struct Lease {
    char* data = nullptr;
    size_t size = 0;
    SharedCleanablePtr cleanup;
  };

  virtual ~ReadScopedBlockBufferProvider() = default;

  // At least `size` bytes at a multiple of `alignment`. What it returns other
  // than OK is the iterator's status; InvalidArgument for a lease that is less
  // than that.
  virtual Status Allocate(size_t size, size_t alignment, Lease* out) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
