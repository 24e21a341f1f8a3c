#include "tools/ldb/entry_text.h"

#include "util/coding.h"
#include "util/compression.h"
#include "util/value/blob_index.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool BlobReferenceText(const Slice& value, std::string* text) {
  BlobIndex index;
  std::string file = "same";
  if (index.DecodeFrom(value).ok()) {
    file = std::to_string(index.file_number);
  } else if (Status s = index.DecodeEmbedded(value); !s.ok()) {
    *text = "error decoding blob index: " + s.ToString();
    return false;
  }
  *text = "[blob ref] file:" + file +
          " offset:" + std::to_string(index.offset) +
          " size:" + std::to_string(index.size) +
          " compression: " + CodecName(index.compression);
  return true;
}

std::string ColumnBytes(const Slice& bytes, Bytes how) {
  if (bytes.empty() || how == Bytes::kPlain) return bytes.ToString();
  return "0x" + bytes.ToString(true);
}

// Columns may be references to blob files. An entity whose columns lie in the
// table itself is not shown, as with RocksDB's tools.
ValueState EntityText(const Slice& value, Bytes how, BlobReferences references,
                      std::string* text) {
  *text = "error deserializing wide columns";
  StoredColumns stored;
  if (!DecodeStoredColumns(value, &stored).ok()) return ValueState::kDamaged;
  std::string shown;
  for (size_t i = 0; i < stored.columns.size(); ++i) {
    const WideColumn& column = stored.columns[i];
    std::string bytes = ColumnBytes(column.value(), how);
    BlobIndex index;
    if (stored.is_reference[i] && !index.DecodeFrom(column.value()).ok()) {
      return index.DecodeEmbedded(column.value()).ok() ? ValueState::kHidden
                                                       : ValueState::kDamaged;
    }
    if (stored.is_reference[i] && references == BlobReferences::kDecoded &&
        !BlobReferenceText(column.value(), &bytes)) {
      return ValueState::kDamaged;
    }
    if (!shown.empty()) shown += ' ';
    shown += ColumnBytes(column.name(), how) + ":" + bytes;
  }
  *text = shown;
  return ValueState::kShown;
}

// A value, then the sequence number that it asks for.
bool TimedValueText(const Slice& value, Bytes how, std::string* text) {
  constexpr size_t kSequenceBytes = 8;
  if (value.size() < kSequenceBytes) {
    *text = "error decoding a value with preferred sequence number";
    return false;
  }
  const Slice bytes(value.data(), value.size() - kSequenceBytes);
  *text = ShownBytes(bytes, how) + ", " +
          std::to_string(DecodeFixed64(bytes.data() + bytes.size()));
  return true;
}

}  // namespace

std::string ShownBytes(const Slice& bytes, Bytes how) {
  return bytes.ToString(how == Bytes::kHex);
}

std::string InternalKeyText(const ParsedInternalKey& key, Bytes how,
                            const Comparator* comparator) {
  Slice user_key = key.user_key;
  std::string timestamp;
  const size_t size = comparator == nullptr ? 0 : comparator->timestamp_size();
  if (size > 0 && user_key.size() >= size) {
    timestamp =
        "|timestamp:" + comparator->TimestampToString(Slice(
                            user_key.data() + user_key.size() - size, size));
    user_key.remove_suffix(size);
  }
  return "'" + ShownBytes(user_key, how) + timestamp +
         "' seq:" + std::to_string(key.sequence) +
         ", type:" + std::to_string(static_cast<int>(key.type));
}

std::string ColumnsText(const WideColumns& columns, Bytes how) {
  std::string text;
  for (const WideColumn& column : columns) {
    if (!text.empty()) text += ' ';
    text += ColumnBytes(column.name(), how) + ":" +
            ColumnBytes(column.value(), how);
  }
  return text;
}

ValueState StoredValueText(ValueType type, const Slice& value, Bytes how,
                           BlobReferences references, std::string* text) {
  if (type == kTypeWideColumnEntity) {
    return EntityText(value, how, references, text);
  }
  bool is_good = true;
  if (type == kTypeBlobIndex && references == BlobReferences::kDecoded) {
    is_good = BlobReferenceText(value, text);
  } else if (type == kTypeValuePreferredSeqno) {
    is_good = TimedValueText(value, how, text);
  } else {
    *text = ShownBytes(value, how);
  }
  return is_good ? ValueState::kShown : ValueState::kDamaged;
}

std::string CodecName(CompressionType type) {
  return CompressionTypeToString(type);
}

}  // namespace ROCKSDB_NAMESPACE
