#include "table/properties_gatherer.h"

#include <cassert>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/info_log.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "table/properties_block.h"
#include "util/coding.h"
#include "util/invariant.h"
#include "util/key/entry_type.h"
#include "util/key/sequence_times.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kNone[] = "nullptr";

std::string HostId(const ImmutableDBOptions& options) {
  if (options.db_host_id != kHostnameForDbHostId) return options.db_host_id;
  std::string name;
  const Status s = options.env->GetHostNameString(&name);
  return s.ok() ? name : options.db_host_id;
}

}  // namespace

PropertiesGatherer::PropertiesGatherer(const TableBuilderOptions& options)
    : logger_(options.db->logger),
      sequence_times_(options.sequence_times),
      is_external_(options.is_external),
      order_(options.cf->user_comparator),
      left_out_bytes_(options.cf->left_out_timestamp_bytes()),
      timestamp_size_(order_->timestamp_size() - left_out_bytes_) {
  INVARIANT(options.db != nullptr && options.cf != nullptr);
  INVARIANT(options.mutable_cf != nullptr);
  TableProperties& p = properties_;
  p.orig_file_number = options.file_number;
  p.column_family_id = options.column_family_id;
  p.column_family_name = options.column_family_name;
  p.creation_time = options.creation_time;
  p.oldest_key_time = options.oldest_key_time;
  p.file_creation_time = options.file_creation_time;
  p.db_id = options.db_id;
  p.db_session_id = options.db_session_id;
  p.db_host_id = HostId(*options.db);
  p.comparator_name = options.cf->user_comparator->Name();
  p.user_defined_timestamps_persisted = left_out_bytes_ != 0 ? 0 : 1;
  p.merge_operator_name = options.cf->merge_operator != nullptr
                              ? options.cf->merge_operator->Name()
                              : kNone;
  const SliceTransform* extractor = options.mutable_cf->prefix_extractor.get();
  p.prefix_extractor_name =
      extractor != nullptr ? extractor->AsString() : kNone;

  TablePropertiesCollectorFactory::Context context;
  context.column_family_id = options.column_family_id;
  context.level_at_creation = options.level;
  context.num_levels = options.cf->num_levels;
  context.last_level_inclusive_max_seqno_threshold = options.last_level_up_to;
  std::string names;
  for (const auto& factory : options.cf->table_properties_collector_factories) {
    if (factory == nullptr) continue;
    std::unique_ptr<TablePropertiesCollector> collector(
        factory->CreateTablePropertiesCollector(context));
    if (!names.empty()) names += ",";
    names += factory->Name();
    if (collector != nullptr) collectors_.push_back({std::move(collector)});
  }
  p.property_collectors_names = "[" + names + "]";
}

void PropertiesGatherer::CountType(ValueType type) {
  switch (type) {
    case kTypeRangeDeletion:
      ++properties_.num_range_deletions;
      ++properties_.num_deletions;
      break;
    case kTypeDeletion:
    case kTypeSingleDeletion:
    case kTypeDeletionWithTimestamp:
      ++properties_.num_deletions;
      break;
    case kTypeMerge:
      ++properties_.num_merge_operands;
      break;
    default:
      break;
  }
}

void PropertiesGatherer::NoteFailure(Entry* entry, const Status& status) {
  assert(!entry->has_failed && !status.ok());
  entry->has_failed = true;
  Warn(logger_, "table properties collector %s: %s", entry->collector->Name(),
       status.ToString().c_str());
}

void PropertiesGatherer::Collect(const Slice& key, const Slice& value,
                                 uint64_t file_size) {
  assert(!is_finished_);
  for (Entry& entry : collectors_) {
    if (entry.has_failed) continue;
    const Status s = entry.collector->AddUserKey(
        ExtractUserKey(key), value, EntryTypeOf(ExtractType(key)),
        ExtractSequence(key), file_size);
    if (!s.ok()) NoteFailure(&entry, s);
  }
}

void PropertiesGatherer::NoteTimestamp(const Slice& stored_key) {
  const Slice timestamp = TimestampOf(stored_key, timestamp_size_);
  const bool is_first = oldest_timestamp_.empty();
  if (is_first || order_->CompareTimestamp(timestamp, oldest_timestamp_) < 0) {
    oldest_timestamp_.assign(timestamp.data(), timestamp.size());
  }
  if (is_first || order_->CompareTimestamp(timestamp, newest_timestamp_) > 0) {
    newest_timestamp_.assign(timestamp.data(), timestamp.size());
  }
}

void PropertiesGatherer::AddDataBlock(size_t raw_bytes) {
  assert(raw_bytes > 0);
  ++properties_.num_data_blocks;
  for (Entry& entry : collectors_) {
    if (!entry.has_failed) entry.collector->BlockAdd(raw_bytes, 0, 0);
  }
}

void PropertiesGatherer::Finish() {
  INVARIANT(!is_finished_);
  is_finished_ = true;
  if (properties_.num_entries > 0) {
    INVARIANT(smallest_ <= largest_);
    properties_.key_smallest_seqno = smallest_;
    properties_.key_largest_seqno = largest_;
    if (sequence_times_ != nullptr) {
      properties_.seqno_to_time_mapping =
          sequence_times_->Around(smallest_, largest_).Encode();
    }
  }
  for (Entry& entry : collectors_) {
    if (entry.has_failed) continue;
    UserCollectedProperties collected;
    const Status s = entry.collector->Finish(&collected);
    if (!s.ok()) {
      NoteFailure(&entry, s);
      continue;
    }
    properties_.user_collected_properties.merge(collected);
    UserCollectedProperties readable = entry.collector->GetReadableProperties();
    properties_.readable_properties.merge(readable);
  }
  if (is_external_) AddExternalProperties();
  if (timestamp_size_ == 0) return;
  UserCollectedProperties& own = properties_.user_collected_properties;
  own[kTimestampMinProperty] = oldest_timestamp_;
  own[kTimestampMaxProperty] = newest_timestamp_;
}

void PropertiesGatherer::AddExternalProperties() {
  constexpr uint32_t kExternalVersion = 2;
  // Sequence 0 in the keys stands for what ingestion will say.
  INVARIANT(properties_.num_entries == 0 || largest_ == 0);
  std::string version, sequence;
  PutFixed32(&version, kExternalVersion);
  PutFixed64(&sequence, 0);
  UserCollectedProperties& own = properties_.user_collected_properties;
  own[kExternalSstVersionProperty] = version;
  own[kExternalSstGlobalSeqnoProperty] = sequence;
}

bool PropertiesGatherer::NeedCompact() const {
  for (const Entry& entry : collectors_) {
    if (!entry.has_failed && entry.collector->NeedCompact()) return true;
  }
  return false;
}

}  // namespace ROCKSDB_NAMESPACE
