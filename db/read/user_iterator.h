// The Iterator that users see: one entry per live user key, at one snapshot,
// both directions, bounds, prefixes, merges and range tombstones applied.
//
// Lifetime   Holds its SuperVersion (and so every file) until destroyed.
// Threads    One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "db/version/super_version.h"
#include "rocksdb/iterator.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

class SystemClock;

struct UserIteratorRequest {
  ReadOptions options;
  SuperVersion* super_version = nullptr;  // one reference passes over
  SequenceNumber snapshot = kMaxSequenceNumber;
  SystemClock* clock = nullptr;  // null: seeks are not timed
  // Called by the destructor with the super version.
  std::function<void(SuperVersion*)> release;
  // For Refresh(): the newest state; null = NotSupported.
  std::function<SuperVersion*(SequenceNumber* snapshot)> acquire;
};

// Never null; an iterator that cannot be made carries the status.
std::unique_ptr<Iterator> NewUserIterator(UserIteratorRequest request);

// All sources of a super version as one sorted stream of internal keys (no
// tombstones applied): for flushes of recovery tests and verification.
Status NewInternalIterator(const ReadOptions& options,
                           const SuperVersion& super_version,
                           std::unique_ptr<InternalIterator>* result);

}  // namespace ROCKSDB_NAMESPACE
