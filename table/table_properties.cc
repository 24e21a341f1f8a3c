#include "rocksdb/table_properties.h"

#include "rocksdb/table.h"
#include "rocksdb/unique_id.h"
#include "util/coding.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

#define BASALT_PROPERTY(name, text) \
  const std::string TablePropertiesNames::name = text
BASALT_PROPERTY(kDbId, "rocksdb.creating.db.identity");
BASALT_PROPERTY(kDbSessionId, "rocksdb.creating.session.identity");
BASALT_PROPERTY(kDbHostId, "rocksdb.creating.host.identity");
BASALT_PROPERTY(kOriginalFileNumber, "rocksdb.original.file.number");
BASALT_PROPERTY(kDataSize, "rocksdb.data.size");
BASALT_PROPERTY(kIndexSize, "rocksdb.index.size");
BASALT_PROPERTY(kIndexPartitions, "rocksdb.index.partitions");
BASALT_PROPERTY(kTopLevelIndexSize, "rocksdb.top-level.index.size");
BASALT_PROPERTY(kIndexKeyIsUserKey, "rocksdb.index.key.is.user.key");
BASALT_PROPERTY(kIndexValueIsDeltaEncoded,
                "rocksdb.index.value.is.delta.encoded");
BASALT_PROPERTY(kUDIIsPrimaryIndex, "rocksdb.udi.is.primary.index");
BASALT_PROPERTY(kFilterSize, "rocksdb.filter.size");
BASALT_PROPERTY(kRawKeySize, "rocksdb.raw.key.size");
BASALT_PROPERTY(kRawValueSize, "rocksdb.raw.value.size");
BASALT_PROPERTY(kNumDataBlocks, "rocksdb.num.data.blocks");
BASALT_PROPERTY(kNumDataBlocksCompressionRejected,
                "rocksdb.num.data.blocks.compression.rejected");
BASALT_PROPERTY(kNumDataBlocksCompressionBypassed,
                "rocksdb.num.data.blocks.compression.bypassed");
BASALT_PROPERTY(kNumUniformBlocks, "rocksdb.num.uniform.blocks");
BASALT_PROPERTY(kNumEntries, "rocksdb.num.entries");
BASALT_PROPERTY(kNumFilterEntries, "rocksdb.num.filter_entries");
BASALT_PROPERTY(kDeletedKeys, "rocksdb.deleted.keys");
BASALT_PROPERTY(kMergeOperands, "rocksdb.merge.operands");
BASALT_PROPERTY(kNumRangeDeletions, "rocksdb.num.range-deletions");
BASALT_PROPERTY(kFormatVersion, "rocksdb.format.version");
BASALT_PROPERTY(kFixedKeyLen, "rocksdb.fixed.key.length");
BASALT_PROPERTY(kFilterPolicy, "rocksdb.filter.policy");
BASALT_PROPERTY(kColumnFamilyName, "rocksdb.column.family.name");
BASALT_PROPERTY(kColumnFamilyId, "rocksdb.column.family.id");
BASALT_PROPERTY(kComparator, "rocksdb.comparator");
BASALT_PROPERTY(kMergeOperator, "rocksdb.merge.operator");
BASALT_PROPERTY(kPrefixExtractorName, "rocksdb.prefix.extractor.name");
BASALT_PROPERTY(kPropertyCollectors, "rocksdb.property.collectors");
BASALT_PROPERTY(kCompression, "rocksdb.compression");
BASALT_PROPERTY(kCompressionOptions, "rocksdb.compression_options");
BASALT_PROPERTY(kCreationTime, "rocksdb.creation.time");
BASALT_PROPERTY(kOldestKeyTime, "rocksdb.oldest.key.time");
BASALT_PROPERTY(kNewestKeyTime, "rocksdb.newest.key.time");
BASALT_PROPERTY(kFileCreationTime, "rocksdb.file.creation.time");
BASALT_PROPERTY(kSlowCompressionEstimatedDataSize,
                "rocksdb.sample_for_compression.slow.data.size");
BASALT_PROPERTY(kFastCompressionEstimatedDataSize,
                "rocksdb.sample_for_compression.fast.data.size");
BASALT_PROPERTY(kSequenceNumberTimeMapping, "rocksdb.seqno.time.map");
BASALT_PROPERTY(kTailStartOffset, "rocksdb.tail.start.offset");
BASALT_PROPERTY(kUserDefinedTimestampsPersisted,
                "rocksdb.user.defined.timestamps.persisted");
BASALT_PROPERTY(kKeyLargestSeqno, "rocksdb.key.largest.seqno");
BASALT_PROPERTY(kKeySmallestSeqno, "rocksdb.key.smallest.seqno");
BASALT_PROPERTY(kDataBlockRestartInterval,
                "rocksdb.data.block.restart.interval");
BASALT_PROPERTY(kIndexBlockRestartInterval,
                "rocksdb.index.block.restart.interval");
BASALT_PROPERTY(kSeparateKeyValueInDataBlock,
                "rocksdb.separate.key.value.in.data.block");
#undef BASALT_PROPERTY

const std::string BlockBasedTablePropertyNames::kIndexType =
    "rocksdb.block.based.table.index.type";
const std::string BlockBasedTablePropertyNames::kWholeKeyFiltering =
    "rocksdb.block.based.table.whole.key.filtering";
const std::string BlockBasedTablePropertyNames::kPrefixFiltering =
    "rocksdb.block.based.table.prefix.filtering";
const std::string BlockBasedTablePropertyNames::kDecoupledPartitionedFilters =
    "rocksdb.block.based.table.decoupled.partitioned.filters";

namespace {

// The properties that have a meaning as a total over files.
struct TotalRow {
  const char* name;
  uint64_t TableProperties::*field;
};
constexpr TotalRow kTotals[] = {
    {"data_size", &TableProperties::data_size},
    {"uncompressed_data_size", &TableProperties::uncompressed_data_size},
    {"index_size", &TableProperties::index_size},
    {"index_partitions", &TableProperties::index_partitions},
    {"top_level_index_size", &TableProperties::top_level_index_size},
    {"filter_size", &TableProperties::filter_size},
    {"raw_key_size", &TableProperties::raw_key_size},
    {"raw_value_size", &TableProperties::raw_value_size},
    {"num_data_blocks", &TableProperties::num_data_blocks},
    {"num_data_blocks_compression_rejected",
     &TableProperties::num_data_blocks_compression_rejected},
    {"num_data_blocks_compression_bypassed",
     &TableProperties::num_data_blocks_compression_bypassed},
    {"num_uniform_blocks", &TableProperties::num_uniform_blocks},
    {"num_entries", &TableProperties::num_entries},
    {"num_filter_entries", &TableProperties::num_filter_entries},
    {"num_deletions", &TableProperties::num_deletions},
    {"num_merge_operands", &TableProperties::num_merge_operands},
    {"num_range_deletions", &TableProperties::num_range_deletions},
    {"slow_compression_estimated_data_size",
     &TableProperties::slow_compression_estimated_data_size},
    {"fast_compression_estimated_data_size",
     &TableProperties::fast_compression_estimated_data_size},
};

class Lines {
 public:
  Lines(const std::string& end, const std::string& between)
      : end_(end), between_(between) {}
  void Add(const std::string& name, const std::string& value) {
    text_.append(name).append(between_).append(value).append(end_);
  }
  void Add(const std::string& name, uint64_t value) {
    Add(name, std::to_string(value));
  }
  std::string Take() { return std::move(text_); }

 private:
  const std::string& end_;
  const std::string& between_;
  std::string text_;
};

double Ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / double(whole);
}

void AddSizes(const TableProperties& p, Lines* lines) {
  lines->Add("# data blocks", p.num_data_blocks);
  lines->Add("# data blocks compression rejected",
             p.num_data_blocks_compression_rejected);
  lines->Add("# data blocks compression bypassed",
             p.num_data_blocks_compression_bypassed);
  lines->Add("# uniform blocks", p.num_uniform_blocks);
  lines->Add("# entries", p.num_entries);
  lines->Add("# deletions", p.num_deletions);
  lines->Add("# merge operands", p.num_merge_operands);
  lines->Add("# range deletions", p.num_range_deletions);
  lines->Add("raw key size", p.raw_key_size);
  lines->Add("raw average key size",
             std::to_string(Ratio(p.raw_key_size, p.num_entries)));
  lines->Add("raw value size", p.raw_value_size);
  lines->Add("raw average value size",
             std::to_string(Ratio(p.raw_value_size, p.num_entries)));
  lines->Add("data block size", p.data_size);
  lines->Add("data uncompressed size", p.uncompressed_data_size);
  lines->Add("index block size (user-key? " +
                 std::to_string(p.index_key_is_user_key) + ", delta-value? " +
                 std::to_string(p.index_value_is_delta_encoded) + ")",
             p.index_size);
  if (p.index_partitions != 0) {
    lines->Add("# index partitions", p.index_partitions);
    lines->Add("top-level index size", p.top_level_index_size);
  }
  lines->Add("filter block size", p.filter_size);
  lines->Add("# entries for filter", p.num_filter_entries);
  lines->Add("(estimated) table size",
             p.data_size + p.index_size + p.filter_size);
}

std::string OrNotAvailable(const std::string& text) {
  return text.empty() ? "N/A" : text;
}

void AddOrigin(const TableProperties& p, Lines* lines) {
  lines->Add("filter policy name", OrNotAvailable(p.filter_policy_name));
  lines->Add("prefix extractor name", OrNotAvailable(p.prefix_extractor_name));
  lines->Add(
      "column family ID",
      p.column_family_id ==
              TablePropertiesCollectorFactory::Context::kUnknownColumnFamily
          ? "N/A"
          : std::to_string(p.column_family_id));
  lines->Add("column family name", OrNotAvailable(p.column_family_name));
  lines->Add("comparator name", OrNotAvailable(p.comparator_name));
  lines->Add("user defined timestamps persisted",
             p.user_defined_timestamps_persisted != 0 ? "true" : "false");
  // Those that the file does not tell are the largest number.
  lines->Add("largest sequence number in file", p.key_largest_seqno);
  lines->Add("smallest sequence number in file", p.key_smallest_seqno);
  lines->Add("merge operator name", OrNotAvailable(p.merge_operator_name));
  lines->Add("property collectors names",
             OrNotAvailable(p.property_collectors_names));
  lines->Add("SST file compression algo", OrNotAvailable(p.compression_name));
  lines->Add("SST file compression options",
             OrNotAvailable(p.compression_options));
  lines->Add("creation time", p.creation_time);
  lines->Add("time stamp of earliest key", p.oldest_key_time);
  lines->Add("time stamp of newest key", p.newest_key_time);
  lines->Add("file creation time", p.file_creation_time);
  lines->Add("slow compression estimated data size",
             p.slow_compression_estimated_data_size);
  lines->Add("fast compression estimated data size",
             p.fast_compression_estimated_data_size);
  lines->Add("DB identity", p.db_id);
  lines->Add("DB session identity", p.db_session_id);
  lines->Add("DB host id", p.db_host_id);
  lines->Add("original file number", p.orig_file_number);
  std::string id;
  lines->Add("unique ID", GetUniqueIdFromTableProperties(p, &id).ok()
                              ? UniqueIdToHumanString(id)
                              : "N/A");
  lines->Add("Sequence number to time mapping",
             Slice(p.seqno_to_time_mapping).ToString(true));
}

}  // namespace

std::string TableProperties::ToString(const std::string& prop_delim,
                                      const std::string& kv_delim) const {
  Lines lines(prop_delim, kv_delim);
  AddSizes(*this, &lines);
  AddOrigin(*this, &lines);
  return lines.Take();
}

void TableProperties::Add(const TableProperties& tp) {
  for (const TotalRow& row : kTotals) this->*row.field += tp.*row.field;
  // The text of a total tells how many files have such an index.
  index_key_is_user_key += tp.index_key_is_user_key;
  index_value_is_delta_encoded += tp.index_value_is_delta_encoded;
}

std::map<std::string, uint64_t>
TableProperties::GetAggregatablePropertiesAsMap() const {
  std::map<std::string, uint64_t> result;
  for (const TotalRow& row : kTotals) result[row.name] = this->*row.field;
  return result;
}

std::size_t TableProperties::ApproximateMemoryUsage() const {
  std::size_t total = sizeof(*this);
  for (const std::string* text :
       {&db_id, &db_session_id, &db_host_id, &column_family_name,
        &filter_policy_name, &comparator_name, &merge_operator_name,
        &prefix_extractor_name, &property_collectors_names, &compression_name,
        &compression_options, &seqno_to_time_mapping}) {
    total += text->capacity();
  }
  for (const auto* map : {&user_collected_properties, &readable_properties}) {
    for (const auto& [name, value] : *map) {
      total += sizeof(*map) + name.capacity() + value.capacity();
    }
  }
  return total;
}

namespace {

uint64_t CollectedVarint(const UserCollectedProperties& props,
                         const std::string& name, bool* is_present) {
  const auto found = props.find(name);
  *is_present = found != props.end();
  uint64_t number = 0;
  if (!*is_present) return 0;
  Slice input = found->second;
  return GetVarint64(&input, &number) ? number : 0;
}

}  // namespace

uint64_t GetDeletedKeys(const UserCollectedProperties& props) {
  bool is_present = false;
  return CollectedVarint(props, TablePropertiesNames::kDeletedKeys,
                         &is_present);
}

uint64_t GetMergeOperands(const UserCollectedProperties& props,
                          bool* property_present) {
  return CollectedVarint(props, TablePropertiesNames::kMergeOperands,
                         property_present);
}

}  // namespace ROCKSDB_NAMESPACE
