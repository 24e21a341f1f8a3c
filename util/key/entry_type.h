// Stored keys in the terms of the interface: taken apart, and the public names
// of their types.
//
// Threads  Plain functions.
#pragma once

#include "rocksdb/types.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

inline EntryType EntryTypeOf(ValueType type) {
  switch (type) {
    case kTypeValue:
      return kEntryPut;
    case kTypeDeletion:
      return kEntryDelete;
    case kTypeSingleDeletion:
      return kEntrySingleDelete;
    case kTypeMerge:
      return kEntryMerge;
    case kTypeRangeDeletion:
      return kEntryRangeDeletion;
    case kTypeBlobIndex:
      return kEntryBlobIndex;
    case kTypeDeletionWithTimestamp:
      return kEntryDeleteWithTimestamp;
    case kTypeWideColumnEntity:
      return kEntryWideColumnEntity;
    case kTypeValuePreferredSeqno:
      return kEntryTimedPut;
    default:
      return kEntryOther;
  }
}

// Takes a stored key apart, the timestamp too. InvalidArgument if it is none.
inline Status ParseStoredEntry(const Slice& internal_key,
                               const Comparator* comparator,
                               ParsedEntryInfo* result) {
  ParsedInternalKey parsed;
  if (!ParseInternalKey(internal_key, &parsed)) {
    return Status::InvalidArgument("not an internal key");
  }
  const size_t timestamp_size = comparator->timestamp_size();
  if (parsed.user_key.size() < timestamp_size) {
    return Status::InvalidArgument("the key has no room for its timestamp");
  }
  result->user_key = WithoutTimestamp(parsed.user_key, timestamp_size);
  result->timestamp = TimestampOf(parsed.user_key, timestamp_size);
  result->sequence = parsed.sequence;
  result->type = EntryTypeOf(parsed.type);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
