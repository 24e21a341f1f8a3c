#pragma once

// What a table file says about itself, and how an application adds its own
// properties while a file is written.
//
// Threads    A collector is used by one thread at a time; its factory by many.
// Ownership  Plain values. The builder owns the collectors it asks for.
// Errors     A collector's error is logged and its properties are left out;
//            the file is written all the same.

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

// Properties by name, in the order in which they are stored.
using UserCollectedProperties = std::map<std::string, std::string>;

// The names under which properties are stored. They never change.
struct TablePropertiesNames {
  static const std::string kDbId;
  static const std::string kDbSessionId;
  static const std::string kDbHostId;
  static const std::string kOriginalFileNumber;
  static const std::string kDataSize;
  static const std::string kIndexSize;
  static const std::string kIndexPartitions;
  static const std::string kTopLevelIndexSize;
  static const std::string kIndexKeyIsUserKey;
  static const std::string kIndexValueIsDeltaEncoded;
  static const std::string kUDIIsPrimaryIndex;
  static const std::string kFilterSize;
  static const std::string kRawKeySize;
  static const std::string kRawValueSize;
  static const std::string kNumDataBlocks;
  static const std::string kNumDataBlocksCompressionRejected;
  static const std::string kNumDataBlocksCompressionBypassed;
  static const std::string kNumUniformBlocks;
  static const std::string kNumEntries;
  static const std::string kNumFilterEntries;
  static const std::string kDeletedKeys;
  static const std::string kMergeOperands;
  static const std::string kNumRangeDeletions;
  static const std::string kFormatVersion;
  static const std::string kFixedKeyLen;
  static const std::string kFilterPolicy;
  static const std::string kColumnFamilyName;
  static const std::string kColumnFamilyId;
  static const std::string kComparator;
  static const std::string kMergeOperator;
  static const std::string kPrefixExtractorName;
  static const std::string kPropertyCollectors;
  static const std::string kCompression;
  static const std::string kCompressionOptions;
  static const std::string kCreationTime;
  static const std::string kOldestKeyTime;
  static const std::string kNewestKeyTime;
  static const std::string kFileCreationTime;
  static const std::string kSlowCompressionEstimatedDataSize;
  static const std::string kFastCompressionEstimatedDataSize;
  static const std::string kSequenceNumberTimeMapping;
  static const std::string kTailStartOffset;
  static const std::string kUserDefinedTimestampsPersisted;
  static const std::string kKeyLargestSeqno;
  static const std::string kKeySmallestSeqno;
  static const std::string kDataBlockRestartInterval;
  static const std::string kIndexBlockRestartInterval;
  static const std::string kSeparateKeyValueInDataBlock;
};

class CompressionManager;
class InternalTblPropColl;
struct ConfigOptions;

// Sees every entry of one table file that is being written and hands over
// properties at its end.
class TablePropertiesCollector {
 public:
  virtual ~TablePropertiesCollector() = default;

  // Adds this collector's properties to `*properties`. Called once, after the
  // last entry. Names that begin with "rocksdb." belong to the engine.
  virtual Status Finish(UserCollectedProperties* properties) = 0;

  // Called for each entry, in order. `key` has no sequence number; for a
  // range tombstone `value` is its end. `file_size` is an estimate.
  virtual Status AddUserKey(const Slice& key, const Slice& value,
                            EntryType /*type*/, SequenceNumber /*seq*/,
                            uint64_t /*file_size*/) {
    return Add(key, value);
  }
  // The older form: what AddUserKey() calls unless it is overridden.
  virtual Status Add(const Slice& /*key*/, const Slice& /*value*/) {
    return Status::InvalidArgument(
        "TablePropertiesCollector::AddUserKey is not overridden");
  }

  // Called when a data block ends, with its size before compression and, when
  // sampled, after a fast and a slow codec (0 otherwise).
  virtual void BlockAdd(uint64_t /*block_uncomp_bytes*/,
                        uint64_t /*block_compressed_bytes_fast*/,
                        uint64_t /*block_compressed_bytes_slow*/) {}

  // The properties as text for people.
  virtual UserCollectedProperties GetReadableProperties() const = 0;

  virtual const char* Name() const = 0;

  // True asks for the file to be compacted soon. Asked after Finish().
  virtual bool NeedCompact() const { return false; }

  // Collectors of this engine's own are no such objects: null.
  virtual InternalTblPropColl* AsInternal() { return nullptr; }
};

// Makes one collector for each table file.
class TablePropertiesCollectorFactory : public Customizable {
 public:
  // The file that is about to be written.
  struct Context {
    static constexpr uint32_t kUnknownColumnFamily =
        std::numeric_limits<int32_t>::max();
    static constexpr int kUnknownLevelAtCreation = -1;
    static constexpr int kUnknownNumLevels = -1;

    uint32_t column_family_id = kUnknownColumnFamily;
    int level_at_creation = kUnknownLevelAtCreation;
    int num_levels = kUnknownNumLevels;
    // Entries up to this number may go to the last level.
    SequenceNumber last_level_inclusive_max_seqno_threshold =
        std::numeric_limits<SequenceNumber>::max() >> 8;
  };

  ~TablePropertiesCollectorFactory() override = default;
  static const char* Type() { return "TablePropertiesCollectorFactory"; }
  static Status CreateFromString(
      const ConfigOptions& config_options, const std::string& id,
      std::shared_ptr<TablePropertiesCollectorFactory>* result);

  // nullptr: this file needs no collector. The caller owns the result.
  virtual TablePropertiesCollector* CreateTablePropertiesCollector(
      TablePropertiesCollectorFactory::Context context) = 0;

  const char* Name() const override = 0;

  // For messages.
  virtual std::string ToString() const { return Name(); }
};

// The properties of one table file. Sizes are bytes, times seconds since 1970;
// 0 is "unknown" or "none" unless said otherwise.
struct TableProperties {
 public:
  // Identity of the file: its number when it was written.
  uint64_t orig_file_number = 0;
  // Data blocks, trailers and padding included.
  uint64_t data_size = 0;
  // Index blocks, all levels.
  uint64_t index_size = 0;
  uint64_t index_partitions = 0;
  uint64_t top_level_index_size = 0;
  // Index keys are user keys: without sequence number.
  uint64_t index_key_is_user_key = 0;
  uint64_t index_value_is_delta_encoded = 0;
  uint64_t udi_is_primary_index = 0;
  uint64_t filter_size = 0;
  // All internal keys and all values before compression.
  uint64_t raw_key_size = 0;
  uint64_t raw_value_size = 0;
  uint64_t num_data_blocks = 0;
  // Bytes of data blocks before compression. It is not stored: 0 for a file
  // that was opened.
  uint64_t uncompressed_data_size = 0;
  // Blocks stored as they are because compression gained nothing, or was not
  // tried.
  uint64_t num_data_blocks_compression_rejected = 0;
  uint64_t num_data_blocks_compression_bypassed = 0;
  uint64_t num_uniform_blocks = 0;
  // Point entries and range tombstones.
  uint64_t num_entries = 0;
  uint64_t num_filter_entries = 0;
  // Deletions of all kinds, range tombstones included.
  uint64_t num_deletions = 0;
  uint64_t num_merge_operands = 0;
  uint64_t num_range_deletions = 0;
  uint64_t format_version = 0;
  // 0: keys differ in length.
  uint64_t fixed_key_len = 0;
  uint64_t column_family_id =
      TablePropertiesCollectorFactory::Context::kUnknownColumnFamily;
  // When the oldest data in the file were written, or the file was made.
  uint64_t creation_time = 0;
  uint64_t oldest_key_time = 0;
  uint64_t newest_key_time = 0;
  uint64_t file_creation_time = 0;
  uint64_t slow_compression_estimated_data_size = 0;
  uint64_t fast_compression_estimated_data_size = 0;
  // Where in the properties block the global sequence number lies, as an
  // offset in the file.
  uint64_t external_sst_file_global_seqno_offset = 0;
  // Where the data blocks end and everything else begins.
  uint64_t tail_start_offset = 0;
  // 0: timestamps were removed from the keys.
  uint64_t user_defined_timestamps_persisted = 1;
  // UINT64_MAX: unknown.
  uint64_t key_largest_seqno = std::numeric_limits<uint64_t>::max();
  uint64_t key_smallest_seqno = std::numeric_limits<uint64_t>::max();
  bool HasKeyLargestSeqno() const {
    return key_largest_seqno != std::numeric_limits<uint64_t>::max();
  }
  bool HasKeySmallestSeqno() const {
    return key_smallest_seqno != std::numeric_limits<uint64_t>::max();
  }
  uint64_t data_block_restart_interval = 0;
  uint64_t index_block_restart_interval = 0;
  uint64_t separate_key_value_in_data_block = 0;

  std::string db_id;
  std::string db_session_id;
  std::string db_host_id;
  std::string column_family_name;
  std::string filter_policy_name;
  std::string comparator_name;
  std::string merge_operator_name;
  std::string prefix_extractor_name;
  std::string property_collectors_names;
  std::string compression_name;
  std::string compression_options;
  // Encoded pairs of sequence number and time.
  std::string seqno_to_time_mapping;

  // From collectors, and those of the table format that have no field.
  UserCollectedProperties user_collected_properties;
  UserCollectedProperties readable_properties;

  // One line: name, `kv_delim`, value, `prop_delim` and so on.
  std::string ToString(const std::string& prop_delim = "; ",
                       const std::string& kv_delim = "=") const;

  // Adds the countable properties of `tp`, for totals over files.
  void Add(const TableProperties& tp);

  // The same totals by name.
  std::map<std::string, uint64_t> GetAggregatablePropertiesAsMap() const;

  // Bytes of memory in use.
  std::size_t ApproximateMemoryUsage() const;

  // All properties as text that Parse() takes, and nobody else. Parse() is
  // Corruption for other text, and leaves *table_properties alone then.
  Status Serialize(const ConfigOptions& opts, std::string* output) const;
  static Status Parse(const ConfigOptions& opts, const std::string& serialized,
                      TableProperties* table_properties);

  // False, with the name of one that differs in *mismatch, unless all
  // properties are equal.
  bool AreEqual(const ConfigOptions& opts,
                const TableProperties* other_table_properties,
                std::string* mismatch) const;
};

// What a file's compression_name says, for people: "BuiltinV2;0407;" is
// "LZ4,ZSTD". The second form takes the names of the types from
// `compression_manager`, or from the one compatible with it that made the file,
// if it knows any; it may be null.
std::string ParseCompressionNameForDisplay(const std::string& compression_name);
std::string ParseCompressionNameForDisplay(
    const std::string& compression_name,
    std::shared_ptr<CompressionManager> compression_manager);

// Counts that old files keep under collected names.
uint64_t GetDeletedKeys(const UserCollectedProperties& props);
uint64_t GetMergeOperands(const UserCollectedProperties& props,
                          bool* property_present);

}  // namespace ROCKSDB_NAMESPACE
