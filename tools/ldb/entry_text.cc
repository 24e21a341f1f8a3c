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

bool EntityText(const Slice& value, Bytes how, std::string* text) {
  WideColumns columns;
  if (!DecodeWideColumns(value, &columns).ok()) {
    *text = "error deserializing wide columns";
    return false;
  }
  *text = ColumnsText(columns, how);
  return true;
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
  const auto shown = [how](const Slice& bytes) {
    if (bytes.empty() || how == Bytes::kPlain) return bytes.ToString();
    return "0x" + bytes.ToString(true);
  };
  std::string text;
  for (const WideColumn& column : columns) {
    if (!text.empty()) text += ' ';
    text += shown(column.name()) + ":" + shown(column.value());
  }
  return text;
}

bool StoredValueText(ValueType type, const Slice& value, Bytes how,
                     BlobReferences references, std::string* text) {
  if (type == kTypeBlobIndex && references == BlobReferences::kDecoded) {
    return BlobReferenceText(value, text);
  }
  if (type == kTypeWideColumnEntity) return EntityText(value, how, text);
  if (type == kTypeValuePreferredSeqno) {
    return TimedValueText(value, how, text);
  }
  *text = ShownBytes(value, how);
  return true;
}

std::string CodecName(CompressionType type) {
  return CompressionTypeToString(type);
}

}  // namespace ROCKSDB_NAMESPACE
