// What merge operands apply to, made of a version as it is stored.
//
// Threads  Any.
// Errors   Of the blobs that it refers to; NotSupported of a type that is no
//          base.
#pragma once

#include <cstdint>
#include <string>

#include "db/version/version_blobs.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "table/entity_blobs.h"
#include "table/full_merge.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

struct StoredBase {
  ValueType type = kTypeValue;
  Slice key;  // with its timestamp
  // An entity's is changed if some of its columns are in blob files.
  std::string* value = nullptr;
};

// The result refers to the value, or to `blob`.
inline Status MakeMergeBase(const StoredBase& stored, const VersionBlobs& blobs,
                            PinnableSlice* blob, MergeBase* result) {
  const Slice value = *stored.value;
  switch (stored.type) {
    case kTypeWideColumnEntity: {
      Status s = InlineBlobs(&blobs, stored.key, stored.value);
      *result = MergeBase::Entity(*stored.value);
      return s;
    }
    case kTypeValue:
      *result = MergeBase::Plain(value);
      return Status::OK();
    case kTypeBlobIndex: {
      blob->Reset();
      Status s = blobs.Fetch(stored.key, value, blob);
      *result = MergeBase::Plain(*blob);
      return s;
    }
    case kTypeValuePreferredSeqno:
      if (value.size() < sizeof(uint64_t)) break;
      *result = MergeBase::Plain(
          Slice(value.data(), value.size() - sizeof(uint64_t)));
      return Status::OK();
    default:
      break;
  }
  return Status::NotSupported("merge onto a value of this type");
}

}  // namespace ROCKSDB_NAMESPACE
