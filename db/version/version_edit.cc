#include "db/version/version_edit.h"

#include "db/version/manifest_format.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void PutTag(std::string* out, ManifestTag tag) {
  INVARIANT(out != nullptr);
  PutVarint32(out, static_cast<uint32_t>(tag));
}

void PutNumber(std::string* out, ManifestTag tag,
               const std::optional<uint64_t>& value) {
  INVARIANT(out != nullptr);
  if (!value) return;
  PutTag(out, tag);
  PutVarint64(out, *value);
}

void PutText(std::string* out, ManifestTag tag,
             const std::optional<std::string>& value) {
  INVARIANT(out != nullptr);
  if (!value) return;
  PutTag(out, tag);
  PutLengthPrefixedSlice(out, *value);
}

// --- writing a new file, form 4

void PutField(std::string* out, NewFileTag tag, const Slice& value) {
  INVARIANT(out != nullptr);
  PutVarint32(out, static_cast<uint32_t>(tag));
  PutLengthPrefixedSlice(out, value);
}

void PutVarintField(std::string* out, NewFileTag tag, uint64_t value) {
  INVARIANT(out != nullptr);
  std::string bytes;
  PutVarint64(&bytes, value);
  PutField(out, tag, bytes);
}

static_assert(static_cast<int>(Temperature::kHot) == 0x04);
static_assert(static_cast<int>(Temperature::kWarm) == 0x08);
static_assert(static_cast<int>(Temperature::kCool) == 0x0a);
static_assert(static_cast<int>(Temperature::kCold) == 0x0c);
static_assert(static_cast<int>(Temperature::kIce) == 0x10);
static_assert(sizeof(UniqueId64x2) == 16, "as many bytes on disk");

void PutByteField(std::string* out, NewFileTag tag, uint8_t value) {
  INVARIANT(out != nullptr);
  const char byte = static_cast<char>(value);
  PutField(out, tag, Slice(&byte, 1));
}

void PutOptionalFields(std::string* out, const FileMeta& f,
                       const uint64_t* min_log) {
  INVARIANT(out != nullptr);
  PutVarintField(out, NewFileTag::kOldestAncestorTime, f.oldest_ancestor_time);
  PutVarintField(out, NewFileTag::kFileCreationTime, f.file_creation_time);
  PutVarintField(out, NewFileTag::kEpochNumber, f.epoch_number);
  if (!f.checksum_function.empty()) {
    PutField(out, NewFileTag::kChecksum, f.checksum);
    PutField(out, NewFileTag::kChecksumFunction, f.checksum_function);
  }
  if (f.path_id != 0) {
    PutByteField(out, NewFileTag::kPathId, static_cast<uint8_t>(f.path_id));
  }
  if (f.temperature != Temperature::kUnknown) {
    PutByteField(out, NewFileTag::kTemperature,
                 static_cast<uint8_t>(f.temperature));
  }
  if (f.is_marked_for_compaction) {
    PutByteField(out, NewFileTag::kMarkedForCompaction, 1);
  }
  if (min_log != nullptr) {
    std::string bytes;
    PutFixed64(&bytes, *min_log);
    PutField(out, NewFileTag::kMinLogNumberToKeep, bytes);
  }
  if (f.oldest_blob_file != 0) {
    PutVarintField(out, NewFileTag::kOldestBlobFile, f.oldest_blob_file);
  }
  if (!f.unique_id.IsZero()) {
    std::string bytes;
    PutFixed64(&bytes, f.unique_id.id0);
    PutFixed64(&bytes, f.unique_id.id1);
    PutField(out, NewFileTag::kUniqueId, bytes);
  }
  if (f.compensated_range_deletion_bytes != 0) {
    PutVarintField(out, NewFileTag::kCompensatedRangeDeletionBytes,
                   f.compensated_range_deletion_bytes);
  }
  if (f.tail_size_bytes != 0) {
    PutVarintField(out, NewFileTag::kTailSize, f.tail_size_bytes);
  }
  if (!f.has_persisted_timestamps) {
    PutByteField(out, NewFileTag::kTimestampsPersisted, 0);
  }
  if (!f.smallest_timestamp.empty()) {
    INVARIANT(f.smallest_timestamp.size() == f.largest_timestamp.size());
    PutField(out, NewFileTag::kSmallestTimestamp, f.smallest_timestamp);
    PutField(out, NewFileTag::kLargestTimestamp, f.largest_timestamp);
  }
  if (!f.open_metadata.empty()) {
    PutField(out, NewFileTag::kOpenHint, f.open_metadata);
  }
}

Status PutNewFile(std::string* out, const VersionEdit::NewFile& entry,
                  const uint64_t* min_log) {
  INVARIANT(out != nullptr);
  const FileMeta& f = *entry.file;
  if (f.smallest.empty() || f.largest.empty()) {
    return Status::Corruption("new file " + std::to_string(f.number) +
                              " has no key bounds");
  }
  if (f.epoch_number == kUnknownEpoch) {
    return Status::Corruption("new file " + std::to_string(f.number) +
                              " has no epoch number");
  }
  INVARIANT(IsStoredType(f.smallest.type()));
  INVARIANT(IsStoredType(f.largest.type()));
  INVARIANT(f.smallest_sequence <= kMaxSequenceNumber);
  INVARIANT(f.largest_sequence <= kMaxSequenceNumber);
  PutTag(out, ManifestTag::kNewFile4);
  PutVarint32(out, static_cast<uint32_t>(entry.level));
  PutVarint64(out, f.number);
  PutVarint64(out, f.size_bytes);
  PutLengthPrefixedSlice(out, f.StoredBound(f.smallest).Encode());
  PutLengthPrefixedSlice(out, f.StoredBound(f.largest).Encode());
  PutVarint64(out, f.smallest_sequence);
  PutVarint64(out, f.largest_sequence);
  PutOptionalFields(out, f, min_log);
  PutVarint32(out, static_cast<uint32_t>(NewFileTag::kEnd));
  return Status::OK();
}

void PutBlobFiles(std::string* out, const VersionEdit& edit) {
  INVARIANT(out != nullptr);
  for (const BlobFileAddition& blob : edit.blob_additions) {
    PutTag(out, ManifestTag::kBlobFileAddition);
    PutVarint64(out, blob.number);
    PutVarint64(out, blob.total_count);
    PutVarint64(out, blob.total_bytes);
    PutLengthPrefixedSlice(out, blob.checksum_method);
    PutLengthPrefixedSlice(out, blob.checksum_value);
    PutVarint32(out, 0);
  }
  for (const BlobFileGarbage& blob : edit.blob_garbage) {
    PutTag(out, ManifestTag::kBlobFileGarbage);
    PutVarint64(out, blob.number);
    PutVarint64(out, blob.garbage_count);
    PutVarint64(out, blob.garbage_bytes);
    PutVarint32(out, 0);
  }
}

void PutWals(std::string* out, const VersionEdit& edit) {
  INVARIANT(out != nullptr);
  for (const WalAddition& wal : edit.wal_additions) {
    std::string body;
    PutVarint64(&body, wal.number);
    if (wal.synced_size) {
      PutVarint32(&body, 2);
      PutVarint64(&body, *wal.synced_size);
    }
    PutVarint32(&body, 1);
    PutTag(out, ManifestTag::kWalAddition);
    PutLengthPrefixedSlice(out, body);
  }
  if (edit.wals_deleted_before) {
    std::string body;
    PutVarint64(&body, *edit.wals_deleted_before);
    PutTag(out, ManifestTag::kWalDeletion);
    PutLengthPrefixedSlice(out, body);
  }
}

void PutFamilyFields(std::string* out, const VersionEdit& edit) {
  INVARIANT(out != nullptr);
  if (edit.column_family != 0) {
    PutTag(out, ManifestTag::kColumnFamily);
    PutVarint32(out, edit.column_family);
  }
  PutText(out, ManifestTag::kColumnFamilyAdd, edit.column_family_added);
  if (edit.column_family_dropped) PutTag(out, ManifestTag::kColumnFamilyDrop);
  if (edit.remaining_in_group) {
    PutTag(out, ManifestTag::kInAtomicGroup);
    PutVarint32(out, *edit.remaining_in_group);
  }
  PutText(out, ManifestTag::kFullHistoryTsLow, edit.full_history_ts_low);
  if (edit.persist_user_defined_timestamps) {
    const char byte = *edit.persist_user_defined_timestamps ? 1 : 0;
    PutTag(out, ManifestTag::kPersistUserDefinedTimestamps);
    PutLengthPrefixedSlice(out, Slice(&byte, 1));
  }
  if (edit.manifest_compacted_size) {
    std::string body;
    PutVarint64(&body, *edit.manifest_compacted_size);
    PutTag(out, ManifestTag::kManifestCompactedSize);
    PutLengthPrefixedSlice(out, body);
  }
}

}  // namespace

Status VersionEdit::EncodeTo(std::string* out) const {
  INVARIANT(out != nullptr);
  INVARIANT(!(column_family_added && column_family_dropped));
  // A reader applies nothing of a family from an edit about logs.
  INVARIANT(!IsWalEdit() || !ChangesFiles());
  INVARIANT(!IsWalEdit() || !log_number);
  INVARIANT(!full_history_ts_low || !full_history_ts_low->empty());
  INVARIANT(!last_sequence || *last_sequence <= kMaxSequenceNumber);
  [[maybe_unused]] const size_t before = out->size();
  PutText(out, ManifestTag::kDbId, db_id);
  PutText(out, ManifestTag::kComparator, comparator_name);
  PutNumber(out, ManifestTag::kLogNumber, log_number);
  PutNumber(out, ManifestTag::kPreviousLogNumber, previous_log_number);
  PutNumber(out, ManifestTag::kNextFileNumber, next_file_number);
  if (max_column_family) {
    PutTag(out, ManifestTag::kMaxColumnFamily);
    PutVarint32(out, *max_column_family);
  }
  PutNumber(out, ManifestTag::kMinLogNumberToKeep, min_log_number_to_keep);
  PutNumber(out, ManifestTag::kLastSequence, last_sequence);
  for (const auto& [level, key] : compaction_cursors) {
    INVARIANT(level >= 0 && !key.empty());
    PutTag(out, ManifestTag::kCompactionCursor);
    PutVarint32(out, static_cast<uint32_t>(level));
    PutLengthPrefixedSlice(out, key.Encode());
  }
  for (const auto& [level, number] : deleted_files) {
    INVARIANT(level >= 0 && number <= kMaxFileNumber);
    PutTag(out, ManifestTag::kDeletedFile);
    PutVarint32(out, static_cast<uint32_t>(level));
    PutVarint64(out, number);
  }
  // The first new file repeats it, for readers that look only there.
  const uint64_t* min_log =
      min_log_number_to_keep ? &*min_log_number_to_keep : nullptr;
  for (const NewFile& entry : new_files) {
    if (Status s = PutNewFile(out, entry, min_log); !s.ok()) return s;
    min_log = nullptr;
  }
  PutBlobFiles(out, *this);
  PutWals(out, *this);
  PutFamilyFields(out, *this);
  if constexpr (kDeepChecks) {
    VersionEdit decoded;
    INVARIANT(decoded.DecodeFrom(Slice(*out).ToString().substr(before)).ok());
    INVARIANT(decoded.new_files.size() == new_files.size());
    INVARIANT(decoded.deleted_files == deleted_files);
    INVARIANT(decoded.column_family == column_family);
  }
  return Status::OK();
}

std::string VersionEdit::DebugString(bool hex) const {
  std::string text = "VersionEdit {";
  if (log_number) text += " log_number: " + std::to_string(*log_number);
  if (next_file_number) {
    text += " next_file_number: " + std::to_string(*next_file_number);
  }
  if (last_sequence) text += " last_seq: " + std::to_string(*last_sequence);
  for (const auto& [level, number] : deleted_files) {
    text += " delete: L" + std::to_string(level) + ":" + std::to_string(number);
  }
  for (const NewFile& entry : new_files) {
    text += " add: L" + std::to_string(entry.level) + ":" +
            std::to_string(entry.file->number) + "[" +
            entry.file->smallest.DebugString(hex) + ".." +
            entry.file->largest.DebugString(hex) + "]";
  }
  if (column_family_added) text += " add family: " + *column_family_added;
  if (column_family_dropped) text += " drop family";
  return text + " family: " + std::to_string(column_family) + " }";
}

}  // namespace ROCKSDB_NAMESPACE
