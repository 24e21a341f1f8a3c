// The Iterator that users see: one entry per live user key, at one snapshot,
// both directions, bounds, prefixes, merges and range tombstones applied.
//
// Lifetime   Holds its SuperVersion (and so every file) until destroyed.
// Threads    One thread at a time.
#pragma once

#include <functional>
#include <memory>

#include "db/version/super_version.h"
#include "rocksdb/iterator.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

class SystemClock;

struct UserIteratorRequest {
  ReadOptions options;                    // its snapshot is not looked into
  SuperVersion* super_version = nullptr;  // one reference passes over
  SequenceNumber snapshot = kMaxSequenceNumber;
  SystemClock* clock = nullptr;  // null: seeks are not timed
  // False: what a snapshot would show may be gone from the newest state.
  bool has_snapshots = true;
  KeyText key_text = KeyText::kRedacted;
  // Called by the destructor with the super version.
  std::function<void(SuperVersion*)> release;
  // For Refresh(): the newest state; null = NotSupported.
  std::function<SuperVersion*(SequenceNumber* snapshot)> acquire;
  // The newest sequence, and the number of the newest super version: what a
  // tailing iterator asks at each seek. Null: the view stays as it is.
  std::function<SequenceNumber(uint64_t* super_version_number)> newest;
  // The active memtable of this state hides so much that it is better flushed
  // (memtable_op_scan_flush_trigger). Null: nobody would.
  std::function<void(const SuperVersion& state)> wants_flush;
  // Every key of the range is dead in this state as of the tombstone's
  // sequence (deletion_run.h). Null: nobody wants to know.
  std::function<void(const SuperVersion& state, const RangeTombstone& dead)>
      hide_range;
};

// Never null; an iterator that cannot be made carries the status.
std::unique_ptr<Iterator> NewUserIterator(UserIteratorRequest request);

}  // namespace ROCKSDB_NAMESPACE
