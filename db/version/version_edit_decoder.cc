// VersionEdit::DecodeFrom(): bytes that come from a file, trusted in nothing.
#include "db/version/manifest_format.h"
#include "db/version/version_edit.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class Decoder {
 public:
  Decoder(const Slice& record, VersionEdit* edit)
      : input_(record), edit_(edit) {
    INVARIANT(edit != nullptr);
  }

  Status Run() {
    while (!input_.empty()) {
      uint32_t tag = 0;
      if (!GetVarint32(&input_, &tag)) return Bad("tag");
      if (Status s = Field(tag); !s.ok()) return s;
    }
    return Status::OK();
  }

 private:
  static Status Bad(const std::string& what) {
    return Status::Corruption("VersionEdit", "bad " + what);
  }

  // Reads the number of a file, or the counter that gives such numbers out.
  static bool FileNumber(Slice* input, uint64_t* number) {
    return GetVarint64(input, number) && *number <= kMaxFileNumber;
  }
  static bool Sequence(Slice* input, SequenceNumber* sequence) {
    return GetVarint64(input, sequence) && *sequence <= kMaxSequenceNumber;
  }
  bool Number(std::optional<uint64_t>* value) {
    uint64_t v = 0;
    if (!FileNumber(&input_, &v)) return false;
    *value = v;
    return true;
  }
  bool Text(std::optional<std::string>* value) {
    Slice v;
    if (!GetLengthPrefixedSlice(&input_, &v)) return false;
    *value = v.ToString();
    return true;
  }
  // Some releases wrote their own upper marker as the type of a bound that a
  // range tombstone makes (db-format.md 4.2); it is never written again.
  static void MendBoundType(InternalKey* key) {
    const bool is_tombstone_end = key->sequence() == kMaxSequenceNumber;
    if (!is_tombstone_end && IsStoredType(key->type())) return;
    EncodeFixed64(key->rep()->data() + key->user_key().size(),
                  PackSequenceAndType(key->sequence(), kTypeRangeDeletion));
    assert(IsStoredType(key->type()));
  }
  bool LevelNumber(int* level) {
    uint32_t v = 0;
    if (!GetVarint32(&input_, &v) || v > kMaxManifestLevel) return false;
    *level = static_cast<int>(v);
    assert(*level >= 0);
    return true;
  }
  bool Key(InternalKey* key) {
    Slice v;
    if (!GetLengthPrefixedSlice(&input_, &v)) return false;
    if (v.size() < kInternalKeyTrailerBytes) return false;
    *key = InternalKey::FromEncoded(v);
    MendBoundType(key);
    return true;
  }

  Status Field(uint32_t raw_tag) {
    const auto tag = static_cast<ManifestTag>(raw_tag);
    switch (tag) {
      case ManifestTag::kDbId:
        return Text(&edit_->db_id) ? Status::OK() : Bad("db id");
      case ManifestTag::kComparator:
        return Text(&edit_->comparator_name) ? Status::OK()
                                             : Bad("comparator name");
      case ManifestTag::kLogNumber:
        return Number(&edit_->log_number) ? Status::OK() : Bad("log number");
      case ManifestTag::kPreviousLogNumber:
        return Number(&edit_->previous_log_number) ? Status::OK()
                                                   : Bad("previous log number");
      case ManifestTag::kNextFileNumber:
        return Number(&edit_->next_file_number) ? Status::OK()
                                                : Bad("next file number");
      case ManifestTag::kMinLogNumberToKeep:
        return Number(&edit_->min_log_number_to_keep)
                   ? Status::OK()
                   : Bad("min log number to keep");
      case ManifestTag::kLastSequence:
        return LastSequence();
      default:
        return FileField(tag);
    }
  }

  Status LastSequence() {
    SequenceNumber sequence = 0;
    if (!Sequence(&input_, &sequence)) return Bad("last sequence");
    edit_->last_sequence = sequence;
    return Status::OK();
  }

  Status FileField(ManifestTag tag) {
    switch (tag) {
      case ManifestTag::kCompactionCursor: {
        int level = 0;
        InternalKey key;
        if (!LevelNumber(&level) || !Key(&key)) return Bad("cursor");
        edit_->compaction_cursors.emplace_back(level, std::move(key));
        return Status::OK();
      }
      case ManifestTag::kDeletedFile: {
        int level = 0;
        uint64_t number = 0;
        if (!LevelNumber(&level) || !FileNumber(&input_, &number)) {
          return Bad("deleted file");
        }
        edit_->DeleteFile(level, number);
        return Status::OK();
      }
      case ManifestTag::kNewFile:
      case ManifestTag::kNewFile2:
      case ManifestTag::kNewFile3:
      case ManifestTag::kNewFile4:
        return NewFile(tag);
      case ManifestTag::kBlobFileAddition:
      case ManifestTag::kBlobFileGarbage:
        return BlobFile(tag == ManifestTag::kBlobFileAddition, &input_);
      case ManifestTag::kBlobFileAdditionOld:
      case ManifestTag::kBlobFileGarbageOld:
        return BlobFile(tag == ManifestTag::kBlobFileAdditionOld, &input_);
      default:
        return FamilyField(tag);
    }
  }

  Status FamilyField(ManifestTag tag) {
    uint32_t number = 0;
    switch (tag) {
      case ManifestTag::kColumnFamily:
        return GetVarint32(&input_, &edit_->column_family)
                   ? Status::OK()
                   : Bad("column family id");
      case ManifestTag::kColumnFamilyAdd:
        return Text(&edit_->column_family_added) ? Status::OK()
                                                 : Bad("column family name");
      case ManifestTag::kColumnFamilyDrop:
        edit_->column_family_dropped = true;
        return Status::OK();
      case ManifestTag::kMaxColumnFamily:
        if (!GetVarint32(&input_, &number)) return Bad("max column family");
        edit_->max_column_family = number;
        return Status::OK();
      case ManifestTag::kInAtomicGroup:
        if (!GetVarint32(&input_, &number)) return Bad("atomic group");
        edit_->remaining_in_group = number;
        return Status::OK();
      case ManifestTag::kWalAdditionOld:
        return WalAdded(&input_);
      case ManifestTag::kWalDeletionOld:
        return Number(&edit_->wals_deleted_before) ? Status::OK()
                                                   : Bad("deleted logs");
      default:
        return PrefixedField(tag);
    }
  }

  // Fields whose value is length-prefixed: known, or to be skipped.
  Status PrefixedField(ManifestTag tag) {
    const auto raw = static_cast<uint32_t>(tag);
    assert(tag != ManifestTag::kWalAdditionOld);  // Has no length.
    assert(tag != ManifestTag::kWalDeletionOld);
    Slice body;
    if ((raw & kIgnorableTagBit) == 0) {
      return Bad("tag " + std::to_string(raw) + ": unknown");
    }
    if (!GetLengthPrefixedSlice(&input_, &body)) {
      return Bad("value of tag " + std::to_string(raw));
    }
    switch (tag) {
      case ManifestTag::kFullHistoryTsLow:
        if (body.empty()) return Bad("full history timestamp");
        edit_->full_history_ts_low = body.ToString();
        return Status::OK();
      case ManifestTag::kWalAddition:
        if (Status s = WalAdded(&body); !s.ok()) return s;
        return body.empty() ? Status::OK() : Bad("log addition: too long");
      case ManifestTag::kWalDeletion: {
        uint64_t number = 0;
        if (!FileNumber(&body, &number) || !body.empty()) {
          return Bad("deleted logs");
        }
        edit_->wals_deleted_before = number;
        return Status::OK();
      }
      case ManifestTag::kPersistUserDefinedTimestamps:
        if (body.size() != 1) return Bad("timestamp flag");
        edit_->persist_user_defined_timestamps = body[0] == 1;
        return Status::OK();
      case ManifestTag::kManifestCompactedSize: {
        uint64_t size = 0;
        if (!GetVarint64(&body, &size) || !body.empty()) {
          return Bad("manifest size");
        }
        edit_->manifest_compacted_size = size;
        return Status::OK();
      }
      default:
        return Status::OK();
    }
  }

  Status WalAdded(Slice* body) {
    assert(body != nullptr);
    WalAddition wal;
    if (!FileNumber(body, &wal.number)) return Bad("log addition");
    while (true) {
      uint32_t tag = 0;
      if (!GetVarint32(body, &tag)) return Bad("log addition");
      if (tag == 1) break;
      if (tag != 2) return Bad("log addition: unknown field");
      uint64_t size = 0;
      if (!GetVarint64(body, &size)) return Bad("log size");
      wal.synced_size = size;
    }
    edit_->wal_additions.push_back(wal);
    return Status::OK();
  }

  Status BlobFile(bool is_addition, Slice* body) {
    uint64_t a = 0, b = 0, c = 0;
    if (!FileNumber(body, &a) || !GetVarint64(body, &b) ||
        !GetVarint64(body, &c)) {
      return Bad("blob file");
    }
    if (is_addition) {
      Slice method, value;
      if (!GetLengthPrefixedSlice(body, &method) ||
          !GetLengthPrefixedSlice(body, &value)) {
        return Bad("blob file checksum");
      }
      edit_->blob_additions.push_back(
          {a, b, c, method.ToString(), value.ToString()});
    } else {
      edit_->blob_garbage.push_back({a, b, c});
    }
    return BlobCustomFields(body);
  }

  static Status BlobCustomFields(Slice* body) {
    while (true) {
      uint32_t tag = 0;
      Slice ignored;
      if (!GetVarint32(body, &tag)) return Bad("blob file field");
      if (tag == 0) return Status::OK();
      if ((tag & kNewFileMustUnderstandBit) != 0 ||
          !GetLengthPrefixedSlice(body, &ignored)) {
        return Bad("blob file field");
      }
    }
  }

  Status NewFile(ManifestTag form) {
    auto file = std::make_shared<FileMeta>();
    int level = 0;
    uint32_t path_id = 0;
    if (!LevelNumber(&level) || !FileNumber(&input_, &file->number)) {
      return Bad("new file");
    }
    if (form == ManifestTag::kNewFile3 && !GetVarint32(&input_, &path_id)) {
      return Bad("new file path");
    }
    if (path_id > kMaxPathId) return Bad("new file path");
    file->path_id = path_id;
    if (!GetVarint64(&input_, &file->size_bytes) || !Key(&file->smallest) ||
        !Key(&file->largest)) {
      return Bad("new file " + std::to_string(file->number));
    }
    if (form != ManifestTag::kNewFile &&
        (!Sequence(&input_, &file->smallest_sequence) ||
         !Sequence(&input_, &file->largest_sequence))) {
      return Bad("new file sequences");
    }
    if (form == ManifestTag::kNewFile4) {
      if (Status s = OptionalFields(file.get()); !s.ok()) return s;
    }
    assert(file->path_id <= kMaxPathId);
    assert(file->smallest_sequence <= kMaxSequenceNumber);
    assert(!file->smallest.empty() && !file->largest.empty());
    edit_->AddFile(level, std::move(file));
    return Status::OK();
  }

  Status OptionalFields(FileMeta* file) {
    while (true) {
      uint32_t tag = 0;
      Slice field;
      if (!GetVarint32(&input_, &tag)) return Bad("new file field");
      if (tag == static_cast<uint32_t>(NewFileTag::kEnd)) return Status::OK();
      if (!GetLengthPrefixedSlice(&input_, &field)) {
        return Bad("new file field " + std::to_string(tag));
      }
      if (!OptionalField(tag, field, file)) {
        return Bad("new file " + std::to_string(file->number) + " field " +
                   std::to_string(tag));
      }
    }
  }

  static bool Varint(Slice field, uint64_t* value) {
    return GetVarint64(&field, value) && field.empty();
  }
  static bool Text(const Slice& field, std::string* value) {
    value->assign(field.data(), field.size());
    return true;
  }

  bool OptionalField(uint32_t raw_tag, Slice field, FileMeta* file) {
    switch (static_cast<NewFileTag>(raw_tag)) {
      case NewFileTag::kOldestAncestorTime:
        return Varint(field, &file->oldest_ancestor_time);
      case NewFileTag::kFileCreationTime:
        return Varint(field, &file->file_creation_time);
      case NewFileTag::kEpochNumber:
        return Varint(field, &file->epoch_number) &&
               file->epoch_number <= kMaxFileNumber;
      case NewFileTag::kOldestBlobFile:
        return Varint(field, &file->oldest_blob_file);
      case NewFileTag::kCompensatedRangeDeletionBytes:
        return Varint(field, &file->compensated_range_deletion_bytes);
      case NewFileTag::kTailSize:
        return Varint(field, &file->tail_size_bytes);
      case NewFileTag::kChecksum:
        return Text(field, &file->checksum);
      case NewFileTag::kChecksumFunction:
        return Text(field, &file->checksum_function);
      case NewFileTag::kSmallestTimestamp:
        return Text(field, &file->smallest_timestamp);
      case NewFileTag::kLargestTimestamp:
        return Text(field, &file->largest_timestamp);
      case NewFileTag::kOpenHint:
        return Text(field, &file->open_metadata);
      case NewFileTag::kUniqueId:
        return field.size() == 16 && GetFixed64(&field, &file->unique_id.id0) &&
               GetFixed64(&field, &file->unique_id.id1);
      case NewFileTag::kMinLogNumberToKeep: {
        uint64_t number = 0;
        if (field.size() != 8 || !GetFixed64(&field, &number) ||
            number > kMaxFileNumber) {
          return false;
        }
        edit_->min_log_number_to_keep = number;
        return true;
      }
      default:
        return ByteField(raw_tag, field, file);
    }
  }

  static bool ByteField(uint32_t raw_tag, const Slice& field, FileMeta* file) {
    const uint8_t byte = field.size() == 1 ? static_cast<uint8_t>(field[0]) : 0;
    switch (static_cast<NewFileTag>(raw_tag)) {
      case NewFileTag::kPathId:
        file->path_id = byte;
        return field.size() == 1 && byte <= kMaxPathId;
      case NewFileTag::kTemperature:
        if (IsKnownTemperature(byte)) {
          file->temperature = static_cast<Temperature>(byte);
        }
        return field.size() == 1;
      case NewFileTag::kMarkedForCompaction:
        file->is_marked_for_compaction = byte == 1;
        return field.size() == 1;
      case NewFileTag::kTimestampsPersisted:
        file->has_persisted_timestamps = byte != 0;
        return field.size() == 1;
      default:
        return (raw_tag & kNewFileMustUnderstandBit) == 0;
    }
  }

  static bool IsKnownTemperature(uint8_t byte) {
    switch (static_cast<Temperature>(byte)) {
      case Temperature::kHot:
      case Temperature::kWarm:
      case Temperature::kCool:
      case Temperature::kCold:
      case Temperature::kIce:
        return true;
      default:
        return false;
    }
  }

  Slice input_;
  VersionEdit* const edit_;
};

}  // namespace

Status VersionEdit::DecodeFrom(const Slice& record) {
  static_assert(kMaxManifestLevel < INT32_MAX);
  VersionEdit decoded;
  if (Status s = Decoder(record, &decoded).Run(); !s.ok()) return s;
  *this = std::move(decoded);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
