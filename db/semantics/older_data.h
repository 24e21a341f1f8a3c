// What lies below the output of a compaction: whether a tombstone still has
// something to delete there.
//
// Threads  One thread.
#pragma once

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class OlderData {
 public:
  virtual ~OlderData() = default;

  // False only if no older run holds a version of `user_key`. Keys are asked
  // for in ascending order.
  virtual bool MayHold(const Slice& user_key) = 0;
  // False only if no older run holds a key in [begin, end). Any order.
  virtual bool MayHoldRange(const Slice& begin, const Slice& end) const = 0;
};

}  // namespace ROCKSDB_NAMESPACE
