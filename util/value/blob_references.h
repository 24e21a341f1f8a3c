// The references to blobs that one entry has: its value, or columns of it.
//
// Threads  Any.
// Errors   Corruption for what does not add up.
#pragma once

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/key/internal_key.h"
#include "util/value/blob_index.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

// May an entry of that type have any?
inline bool MayReferToBlobs(ValueType type) {
  return type == kTypeBlobIndex || type == kTypeWideColumnEntity;
}

// Has this one?
inline bool RefersToBlobs(ValueType type, const Slice& value) {
  return type == kTypeBlobIndex ||
         (type == kTypeWideColumnEntity && RefersToBlobs(value));
}

// visit(const BlobIndex&) for each, in the order of columns.
template <class Visit>
Status ForEachReference(ValueType type, const Slice& value,
                        const Visit& visit) {
  if (!RefersToBlobs(type, value)) return Status::OK();
  const auto decode_and_visit = [&visit](const Slice& reference) {
    BlobIndex index;
    Status s = index.DecodeFrom(reference);
    if (s.ok()) visit(index);
    return s;
  };
  if (type == kTypeBlobIndex) return decode_and_visit(value);
  StoredColumns stored;
  Status s = DecodeStoredColumns(value, &stored);
  for (size_t i = 0; s.ok() && i < stored.columns.size(); ++i) {
    if (stored.is_reference[i]) s = decode_and_visit(stored.columns[i].value());
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
