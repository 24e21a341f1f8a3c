#include "db/wal/write_batch_format.h"

#include <cassert>
#include <string>

namespace ROCKSDB_NAMESPACE {

namespace {

// The tag of the default family that means the same.
ValueType PlainTag(uint8_t tag, bool* has_column_family) {
  assert(has_column_family != nullptr);
  *has_column_family = true;
  switch (tag) {
    case kTypeColumnFamilyDeletion:
      return kTypeDeletion;
    case kTypeColumnFamilyValue:
      return kTypeValue;
    case kTypeColumnFamilyMerge:
      return kTypeMerge;
    case kTypeColumnFamilySingleDeletion:
      return kTypeSingleDeletion;
    case kTypeColumnFamilyRangeDeletion:
      return kTypeRangeDeletion;
    case kTypeColumnFamilyBlobIndex:
      return kTypeBlobIndex;
    case kTypeColumnFamilyWideColumnEntity:
      return kTypeWideColumnEntity;
    case kTypeColumnFamilyValuePreferredSeqno:
      return kTypeValuePreferredSeqno;
    default:
      *has_column_family = false;
      return static_cast<ValueType>(tag);
  }
}

[[gnu::cold]] Status Malformed(const char* what) {
  assert(what != nullptr);
  return Status::Corruption("write batch", what);
}

// How RocksDB calls an entry that is not there as a whole.
const char* NameOfEntry(ValueType type) {
  switch (type) {
    case kTypeValue:
      return "Put";
    case kTypeMerge:
      return "Merge";
    case kTypeDeletion:
      return "Delete";
    case kTypeSingleDeletion:
      return "SingleDelete";
    case kTypeRangeDeletion:
      return "DeleteRange";
    case kTypeBlobIndex:
      return "BlobIndex";
    case kTypeWideColumnEntity:
      return "PutEntity";
    case kTypeValuePreferredSeqno:
      return "TimedPut";
    case kTypeLogData:
      return "Blob";
    default:
      return "XID";
  }
}

[[gnu::cold]] Status CutShort(ValueType type) {
  return Status::Corruption(std::string("bad WriteBatch ") + NameOfEntry(type),
                            "the entry is cut short");
}

[[gnu::cold]] Status UnknownTag(uint8_t tag) {
  return Status::Corruption("unknown WriteBatch tag",
                            std::to_string(static_cast<int>(tag)));
}

}  // namespace

// Each write reads its entries once: the reading of lengths is no call.
[[gnu::flatten]] Status BatchReader::Next(BatchEntry* entry) {
  assert(entry != nullptr);
  assert(!AtEnd());
  const auto tag = static_cast<uint8_t>(input_[0]);
  input_.remove_prefix(1);
  bool has_column_family = false;
  const ValueType type = PlainTag(tag, &has_column_family);
  assert(!has_column_family || IsDataEntry(type));
  uint32_t column_family_id = 0;
  if (has_column_family && !GetVarint32(&input_, &column_family_id)) {
    return Malformed("bad column family id");
  }
  Slice key;
  Slice value;
  switch (type) {
    case kTypeValue:
    case kTypeMerge:
    case kTypeRangeDeletion:
    case kTypeBlobIndex:
    case kTypeWideColumnEntity:
    case kTypeValuePreferredSeqno:
      if (!GetLengthPrefixedSlice(&input_, &key) ||
          !GetLengthPrefixedSlice(&input_, &value)) {
        return CutShort(type);
      }
      break;
    case kTypeDeletion:
    case kTypeSingleDeletion:
      if (!GetLengthPrefixedSlice(&input_, &key)) {
        return CutShort(type);
      }
      break;
    case kTypeLogData:
    case kTypeEndPrepareXID:
    case kTypeCommitXID:
    case kTypeRollbackXID:
      if (!GetLengthPrefixedSlice(&input_, &key)) {
        return CutShort(type);
      }
      break;
    case kTypeCommitXIDAndTimestamp:
      if (!GetLengthPrefixedSlice(&input_, &value) ||
          !GetLengthPrefixedSlice(&input_, &key)) {
        return CutShort(type);
      }
      break;
    case kTypeNoop:
    case kTypeBeginPrepareXID:
    case kTypeBeginPersistedPrepareXID:
    case kTypeBeginUnprepareXID:
      break;
    default:
      return UnknownTag(tag);
  }
  if (type == kTypeValuePreferredSeqno && value.size() < sizeof(uint64_t)) {
    return Malformed("timed value without its time");
  }
  assert(column_family_id == 0 || IsDataEntry(type));
  *entry = {.type = type,
            .column_family_id = column_family_id,
            .key = key,
            .value = value};
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
