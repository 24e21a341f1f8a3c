#include "db/outputs/table_file_events.h"

#include <string>

#include "db/family/column_family.h"
#include "db/outputs/table_output.h"
#include "rocksdb/info_log.h"
#include "util/event_text.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

uint64_t AverageSize(uint64_t total, uint64_t count) {
  return count == 0 ? 0 : total / count;
}

// Under the names by which tools that read RocksDB's LOG look for them.
void AddSizes(const TableProperties& p, EventText* event) {
  event->Add("data_size", p.data_size)
      .Add("index_size", p.index_size)
      .Add("index_partitions", p.index_partitions)
      .Add("top_level_index_size", p.top_level_index_size)
      .Add("index_key_is_user_key", p.index_key_is_user_key)
      .Add("index_value_is_delta_encoded", p.index_value_is_delta_encoded)
      .Add("filter_size", p.filter_size)
      .Add("raw_key_size", p.raw_key_size)
      .Add("raw_average_key_size", AverageSize(p.raw_key_size, p.num_entries))
      .Add("raw_value_size", p.raw_value_size)
      .Add("raw_average_value_size",
           AverageSize(p.raw_value_size, p.num_entries))
      .Add("num_data_blocks", p.num_data_blocks)
      .Add("num_entries", p.num_entries)
      .Add("num_filter_entries", p.num_filter_entries)
      .Add("num_deletions", p.num_deletions)
      .Add("num_merge_operands", p.num_merge_operands)
      .Add("num_range_deletions", p.num_range_deletions)
      .Add("format_version", p.format_version)
      .Add("fixed_key_len", p.fixed_key_len);
}

void AddOrigin(const TableProperties& p, EventText* event) {
  event->Add("filter_policy", p.filter_policy_name)
      .Add("column_family_name", p.column_family_name)
      .Add("column_family_id", p.column_family_id)
      .Add("comparator", p.comparator_name)
      .Add("user_defined_timestamps_persisted",
           p.user_defined_timestamps_persisted)
      .Add("key_largest_seqno", p.key_largest_seqno)
      .Add("key_smallest_seqno", p.key_smallest_seqno)
      .Add("merge_operator", p.merge_operator_name)
      .Add("prefix_extractor_name", p.prefix_extractor_name)
      .Add("property_collectors", p.property_collectors_names)
      .Add("compression", p.compression_name)
      .Add("compression_options", p.compression_options)
      .Add("creation_time", p.creation_time)
      .Add("oldest_key_time", p.oldest_key_time)
      .Add("newest_key_time", p.newest_key_time)
      .Add("file_creation_time", p.file_creation_time)
      .Add("slow_compression_estimated_data_size",
           p.slow_compression_estimated_data_size)
      .Add("fast_compression_estimated_data_size",
           p.fast_compression_estimated_data_size)
      .Add("db_id", p.db_id)
      .Add("db_session_id", p.db_session_id)
      .Add("orig_file_number", p.orig_file_number)
      .Add("seqno_to_time_mapping",
           p.seqno_to_time_mapping.empty()
               ? "N/A"
               : Slice(p.seqno_to_time_mapping).ToString(true));
}

}  // namespace

void LogTableCreation(const JobContext& job, const FileMeta& meta,
                      const TableProperties* properties, const Status& status) {
  EventText event("table_file_creation");
  event.Add("cf_name", job.cfd->name())
      .Add("job", job.job_id)
      .Add("file_number", meta.number)
      .Add("file_size", meta.size_bytes)
      .Add("file_checksum", Slice(meta.checksum).ToString(true))
      .Add("file_checksum_func_name",
           ChecksumFunctionName(meta.checksum_function))
      .Add("smallest_seqno", meta.smallest_sequence)
      .Add("largest_seqno", meta.largest_sequence);
  if (properties != nullptr) {
    event.BeginObject("table_properties");
    AddSizes(*properties, &event);
    AddOrigin(*properties, &event);
    event.EndObject();
  }
  event.Add("status", status.ToString());
  Info(job.db->logger, "%s", event.Finish().c_str());
}

}  // namespace ROCKSDB_NAMESPACE
