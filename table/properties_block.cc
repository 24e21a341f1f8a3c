#include "table/properties_block.h"

#include <cassert>
#include <climits>

#include "table/block.h"
#include "table/block_builder.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Names = TablePropertiesNames;
using Properties = TableProperties;

// When a number is worth storing.
enum class Stored : uint8_t { kAlways, kNonZero, kZero, kKnown };

struct NumberRow {
  const std::string& name;
  uint64_t TableProperties::*field;
  Stored stored;
};

// Sorting is left to EncodeProperties(): the order here means nothing.
const NumberRow kNumberRows[] = {
    {Names::kOriginalFileNumber, &Properties::orig_file_number,
     Stored::kAlways},
    {Names::kRawKeySize, &Properties::raw_key_size, Stored::kAlways},
    {Names::kRawValueSize, &Properties::raw_value_size, Stored::kAlways},
    {Names::kDataSize, &Properties::data_size, Stored::kAlways},
    {Names::kIndexSize, &Properties::index_size, Stored::kAlways},
    {Names::kIndexPartitions, &Properties::index_partitions, Stored::kNonZero},
    {Names::kTopLevelIndexSize, &Properties::top_level_index_size,
     Stored::kNonZero},
    {Names::kIndexKeyIsUserKey, &Properties::index_key_is_user_key,
     Stored::kAlways},
    {Names::kIndexValueIsDeltaEncoded,
     &Properties::index_value_is_delta_encoded, Stored::kAlways},
    {Names::kUDIIsPrimaryIndex, &Properties::udi_is_primary_index,
     Stored::kNonZero},
    {Names::kNumEntries, &Properties::num_entries, Stored::kAlways},
    {Names::kNumFilterEntries, &Properties::num_filter_entries,
     Stored::kAlways},
    {Names::kDeletedKeys, &Properties::num_deletions, Stored::kAlways},
    {Names::kMergeOperands, &Properties::num_merge_operands, Stored::kAlways},
    {Names::kNumRangeDeletions, &Properties::num_range_deletions,
     Stored::kAlways},
    {Names::kNumDataBlocks, &Properties::num_data_blocks, Stored::kAlways},
    {Names::kNumDataBlocksCompressionRejected,
     &Properties::num_data_blocks_compression_rejected, Stored::kNonZero},
    {Names::kNumDataBlocksCompressionBypassed,
     &Properties::num_data_blocks_compression_bypassed, Stored::kNonZero},
    {Names::kNumUniformBlocks, &Properties::num_uniform_blocks,
     Stored::kAlways},
    {Names::kFilterSize, &Properties::filter_size, Stored::kAlways},
    {Names::kFormatVersion, &Properties::format_version, Stored::kAlways},
    {Names::kFixedKeyLen, &Properties::fixed_key_len, Stored::kAlways},
    {Names::kColumnFamilyId, &Properties::column_family_id, Stored::kAlways},
    {Names::kCreationTime, &Properties::creation_time, Stored::kAlways},
    {Names::kOldestKeyTime, &Properties::oldest_key_time, Stored::kAlways},
    {Names::kNewestKeyTime, &Properties::newest_key_time, Stored::kAlways},
    {Names::kFileCreationTime, &Properties::file_creation_time,
     Stored::kNonZero},
    {Names::kSlowCompressionEstimatedDataSize,
     &Properties::slow_compression_estimated_data_size, Stored::kNonZero},
    {Names::kFastCompressionEstimatedDataSize,
     &Properties::fast_compression_estimated_data_size, Stored::kNonZero},
    {Names::kTailStartOffset, &Properties::tail_start_offset, Stored::kAlways},
    {Names::kUserDefinedTimestampsPersisted,
     &Properties::user_defined_timestamps_persisted, Stored::kZero},
    {Names::kKeyLargestSeqno, &Properties::key_largest_seqno, Stored::kKnown},
    {Names::kKeySmallestSeqno, &Properties::key_smallest_seqno, Stored::kKnown},
    {Names::kDataBlockRestartInterval, &Properties::data_block_restart_interval,
     Stored::kNonZero},
    {Names::kIndexBlockRestartInterval,
     &Properties::index_block_restart_interval, Stored::kNonZero},
    {Names::kSeparateKeyValueInDataBlock,
     &Properties::separate_key_value_in_data_block, Stored::kNonZero},
};

struct TextRow {
  const std::string& name;
  std::string TableProperties::*field;
  bool is_stored_empty;
};

const TextRow kTextRows[] = {
    {Names::kDbId, &Properties::db_id, false},
    {Names::kDbSessionId, &Properties::db_session_id, false},
    {Names::kDbHostId, &Properties::db_host_id, false},
    {Names::kFilterPolicy, &Properties::filter_policy_name, false},
    {Names::kComparator, &Properties::comparator_name, true},
    {Names::kMergeOperator, &Properties::merge_operator_name, true},
    {Names::kPrefixExtractorName, &Properties::prefix_extractor_name, true},
    {Names::kPropertyCollectors, &Properties::property_collectors_names, true},
    {Names::kColumnFamilyName, &Properties::column_family_name, false},
    {Names::kCompression, &Properties::compression_name, true},
    {Names::kCompressionOptions, &Properties::compression_options, true},
    {Names::kSequenceNumberTimeMapping, &Properties::seqno_to_time_mapping,
     false},
};

bool IsStored(Stored rule, uint64_t value) {
  switch (rule) {
    case Stored::kAlways:
      return true;
    case Stored::kNonZero:
      return value != 0;
    case Stored::kZero:
      return value == 0;
    case Stored::kKnown:
      return value != UINT64_MAX;
  }
  return true;
}

// False if no field has that name. Counts of deletions and merge operands also
// stay among the collected ones, where applications have always found them.
bool TakeField(const std::string& name, const Slice& value,
               TableProperties* properties) {
  for (const NumberRow& row : kNumberRows) {
    if (name != row.name) continue;
    Slice input = value;
    uint64_t number = 0;
    if (GetVarint64(&input, &number)) properties->*row.field = number;
    return name != Names::kDeletedKeys && name != Names::kMergeOperands;
  }
  for (const TextRow& row : kTextRows) {
    if (name != row.name) continue;
    properties->*row.field = value.ToString();
    return true;
  }
  return false;
}

}  // namespace

std::string EncodeProperties(const TableProperties& properties) {
  UserCollectedProperties all = properties.user_collected_properties;
  for (const NumberRow& row : kNumberRows) {
    const uint64_t value = properties.*row.field;
    if (!IsStored(row.stored, value)) continue;
    assert(row.name.starts_with("rocksdb."));
    std::string& text = all[row.name];
    text.clear();
    PutVarint64(&text, value);
  }
  for (const TextRow& row : kTextRows) {
    const std::string& value = properties.*row.field;
    if (row.is_stored_empty || !value.empty()) all[row.name] = value;
  }
  assert(all.count(Names::kNumEntries) == 1);
  BlockBuilder block(INT_MAX);
  for (const auto& [name, value] : all) block.Add(name, value);
  return block.Finish().ToString();
}

const char* DecodeProperties(const Slice& payload, uint64_t block_offset,
                             TableProperties* properties) {
  TableProperties result;
  BlockWalker walker(payload);
  std::string previous;
  bool is_first = true;
  while (walker.Next()) {
    const std::string name = walker.key().ToString();
    if (!is_first && name <= previous) return "properties unsorted";
    if (!TakeField(name, walker.value(), &result)) {
      result.user_collected_properties[name] = walker.value().ToString();
    }
    if (name == kExternalSstGlobalSeqnoProperty) {
      result.external_sst_file_global_seqno_offset =
          block_offset + walker.value_offset();
    }
    previous = name;
    is_first = false;
  }
  if (walker.problem() != nullptr) return walker.problem();
  assert(result.external_sst_file_global_seqno_offset == 0 ||
         result.external_sst_file_global_seqno_offset >= block_offset);
  *properties = std::move(result);
  return nullptr;
}

std::string DifferingProperty(const TableProperties& a,
                              const TableProperties& b) {
  for (const NumberRow& row : kNumberRows) {
    if (a.*row.field != b.*row.field) return row.name;
  }
  for (const TextRow& row : kTextRows) {
    if (a.*row.field != b.*row.field) return row.name;
  }
  if (a.uncompressed_data_size != b.uncompressed_data_size) {
    return "uncompressed_data_size";
  }
  if (a.user_collected_properties != b.user_collected_properties) {
    return "user_collected_properties";
  }
  if (a.readable_properties != b.readable_properties) {
    return "readable_properties";
  }
  return "";
}

uint32_t CollectedFixed32(const TableProperties& properties,
                          const std::string& name, uint32_t fallback) {
  const auto found = properties.user_collected_properties.find(name);
  if (found == properties.user_collected_properties.end() ||
      found->second.size() < sizeof(uint32_t)) {
    return fallback;
  }
  static_assert(sizeof(uint32_t) == 4);
  return DecodeFixed32(found->second.data());
}

bool CollectedFlag(const TableProperties& properties, const std::string& name) {
  const auto found = properties.user_collected_properties.find(name);
  return found == properties.user_collected_properties.end() ||
         found->second != "0";
}

}  // namespace ROCKSDB_NAMESPACE
