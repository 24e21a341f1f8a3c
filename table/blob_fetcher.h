// Where a lookup gets the value behind a reference to a blob: the tree's lower
// parts meet such references, and know nothing of blob files.
//
// Threads  As the implementation says; a lookup calls from its own thread.
#pragma once

#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class BlobFetcher {
 public:
  virtual ~BlobFetcher() = default;

  // The value that `reference`, an entry's stored value, stands for. *value
  // must be fresh or reset; it is filled exactly if the answer is OK.
  virtual Status Fetch(const Slice& user_key, const Slice& reference,
                       PinnableSlice* value) const = 0;
};

}  // namespace ROCKSDB_NAMESPACE
