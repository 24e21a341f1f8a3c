#include "db/tables/file_meta.h"

#include <utility>

#include "table/properties_block.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

FileMeta::~FileMeta() {
  if (sink == nullptr) return;
  const uint32_t uncache =
      uncache_aggressiveness != nullptr
          ? uncache_aggressiveness->load(std::memory_order_relaxed)
          : 0;
  sink->OnUnreferenced(
      {path, number, size_bytes, std::move(pinned_owner), uncache});
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
  left_out_timestamp_bytes = other.left_out_timestamp_bytes;
  smallest_timestamp = other.smallest_timestamp;
  largest_timestamp = other.largest_timestamp;
  open_metadata = other.open_metadata;
}

size_t FileMeta::MemoryBytes() const {
  return sizeof(*this) + smallest.Encode().size() + largest.Encode().size() +
         smallest_timestamp.size() + largest_timestamp.size() +
         checksum.size() + checksum_function.size() + open_metadata.size() +
         path.size();
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

InternalKey FileMeta::StoredBound(const InternalKey& bound) const {
  if (left_out_timestamp_bytes == 0) return bound;
  return InternalKey(
      WithoutTimestamp(bound.user_key(), left_out_timestamp_bytes),
      bound.sequence(), bound.type());
}

void FileMeta::LeaveOutTimestamps(size_t size) {
  if (size == 0) return;
  INVARIANT(left_out_timestamp_bytes == 0);
  left_out_timestamp_bytes = size;
  has_persisted_timestamps = false;
  smallest = StoredBound(smallest);
  largest = StoredBound(largest);
  left_out_timestamp_bytes = 0;
  // From now on they are what they will be after a restart.
  RestoreTimestamps(size);
}

// The oldest timestamp, as every key of the file has it; of a bound before
// which the file ends the newest, which sorts before all others
// (db-format.md 4.3).
void FileMeta::RestoreTimestamps(size_t size) {
  if (has_persisted_timestamps || left_out_timestamp_bytes == size) return;
  INVARIANT(left_out_timestamp_bytes == 0);
  left_out_timestamp_bytes = size;
  smallest = InternalKey(WithMinTimestamp(smallest.user_key(), size),
                         smallest.sequence(), smallest.type());
  const std::string end = largest.IsTombstoneSentinel()
                              ? WithMaxTimestamp(largest.user_key(), size)
                              : WithMinTimestamp(largest.user_key(), size);
  largest = InternalKey(end, largest.sequence(), largest.type());
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
