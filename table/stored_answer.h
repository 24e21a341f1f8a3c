// What a lookup found as it is stored, where references to blobs are to be
// followed later or not at all.
//
// Threads    A plain value.
// Ownership  The bytes are pinned, or a copy.
#pragma once

#include <string>

#include "rocksdb/slice.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

struct StoredAnswer {
  // One of a value, an entity, and a reference to a blob that is a value.
  ValueType type = kTypeValue;
  PinnableSlice bytes;
  // Is there anything in blob files?
  bool refers_to_blobs = false;
  // The stored user key then, which the records of the blobs name. It may be
  // empty.
  std::string user_key;
};

}  // namespace ROCKSDB_NAMESPACE
