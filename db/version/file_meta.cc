#include "db/version/file_meta.h"

#include "table/properties_block.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

FileMeta::~FileMeta() {
  if (sink != nullptr) sink->OnUnreferenced(path, number, size_bytes);
}

void FileMeta::CopyManifestPartFrom(const FileMeta& other) {
  number = other.number;
  path_id = other.path_id;
  size_bytes = other.size_bytes;
  smallest = other.smallest;
  largest = other.largest;
  smallest_sequence = other.smallest_sequence;
  largest_sequence = other.largest_sequence;
  is_marked_for_compaction = other.is_marked_for_compaction;
  oldest_blob_file = other.oldest_blob_file;
  oldest_ancestor_time = other.oldest_ancestor_time;
  file_creation_time = other.file_creation_time;
  epoch_number = other.epoch_number;
  checksum = other.checksum;
  checksum_function = other.checksum_function;
  temperature = other.temperature;
  unique_id = other.unique_id;
  compensated_range_deletion_bytes = other.compensated_range_deletion_bytes;
  tail_size_bytes = other.tail_size_bytes;
  has_persisted_timestamps = other.has_persisted_timestamps;
  smallest_timestamp = other.smallest_timestamp;
  largest_timestamp = other.largest_timestamp;
}

void FileMeta::NoteEntry(const Slice& internal_key, SequenceNumber sequence) {
  assert(internal_key.size() >= kInternalKeyTrailerBytes);
  if (smallest.empty()) smallest = InternalKey::FromEncoded(internal_key);
  largest.rep()->assign(internal_key.data(), internal_key.size());
  assert(sequence <= kMaxSequenceNumber);
  if (sequence < smallest_sequence) smallest_sequence = sequence;
  if (sequence > largest_sequence) largest_sequence = sequence;
}

void FileMeta::NoteTimestamps(const TableProperties& properties) {
  const auto& collected = properties.user_collected_properties;
  const auto oldest = collected.find(kTimestampMinProperty);
  const auto newest = collected.find(kTimestampMaxProperty);
  if (oldest == collected.end() || newest == collected.end()) return;
  if (oldest->second.size() != newest->second.size()) return;
  smallest_timestamp = oldest->second;
  largest_timestamp = newest->second;
}

void FileMeta::NoteTombstone(const InternalKey& begin, const InternalKey& end,
                             SequenceNumber sequence,
                             const InternalKeyComparator& c) {
  INVARIANT(!begin.empty() && !end.empty());
  if (smallest.empty() || c.Compare(begin, smallest) < 0) smallest = begin;
  if (largest.empty() || c.Compare(end, largest) > 0) largest = end;
  if (sequence < smallest_sequence) smallest_sequence = sequence;
  if (sequence > largest_sequence) largest_sequence = sequence;
}

}  // namespace ROCKSDB_NAMESPACE
