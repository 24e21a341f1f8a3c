// The references to blobs that one entry has: its value, or columns of it.
//
// Threads  Any.
// Errors   Corruption for what does not add up.
#pragma once

#include <functional>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

struct BlobIndex;

// May an entry of that type have any?
inline bool MayReferToBlobs(ValueType type) {
  return type == kTypeBlobIndex || type == kTypeWideColumnEntity;
}

// Has this one, which may?
bool HasReferences(ValueType type, const Slice& value);

// Has any entry?
inline bool RefersToBlobs(ValueType type, const Slice& value) {
  return MayReferToBlobs(type) && HasReferences(type, value);
}

// Visits each, in the order of columns.
Status ForEachReference(ValueType type, const Slice& value,
                        const std::function<void(const BlobIndex&)>& visit);

}  // namespace ROCKSDB_NAMESPACE
