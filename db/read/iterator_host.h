// What an iterator that a user holds asks of the database that it belongs to.
//
// Lifetime   Each iterator has its own, which keeps what must outlive it.
// Threads    Those of the iterator: one at a time.
#pragma once

#include <cstdint>

#include "db/family/super_version.h"
#include "util/invariant.h"
#include "util/key/range_tombstones.h"

namespace ROCKSDB_NAMESPACE {

class IteratorHost {
 public:
  // Says which optional calls below the host takes; no others are made.
  struct Duties {
    bool renews = false;             // Acquire(), Newest()
    bool flushes = false;            // FlushSoon()
    bool takes_dead_ranges = false;  // HideRange()
  };

  explicit IteratorHost(const Duties& duties) : duties_(duties) {}
  IteratorHost(const IteratorHost&) = delete;
  IteratorHost& operator=(const IteratorHost&) = delete;
  virtual ~IteratorHost() = default;

  const Duties& duties() const { return duties_; }

  // Takes one reference of the iterator's.
  virtual void Release(SuperVersion* state) = 0;
  // The newest state, of which one reference passes over, and a sequence up to
  // which all is in it. Null: the family was dropped, and what iterators do not
  // hold of it went with its last handle.
  virtual SuperVersion* Acquire(SequenceNumber* /*snapshot*/) {
    INVARIANT(false);
  }
  // The newest sequence, and the number of the newest super version: what a
  // tailing iterator asks at each seek.
  virtual SequenceNumber Newest(uint64_t* /*super_version_number*/) {
    INVARIANT(false);
  }
  // The active memtable of this state hides so much that it is better flushed
  // (memtable_op_scan_flush_trigger).
  virtual void FlushSoon(const SuperVersion& /*state*/) { INVARIANT(false); }
  // Every key of the range is dead in this state as of the tombstone's
  // sequence (deletion_run.h).
  virtual void HideRange(const SuperVersion& /*state*/,
                         const RangeTombstone& /*dead*/) {
    INVARIANT(false);
  }

 private:
  const Duties duties_;
};

}  // namespace ROCKSDB_NAMESPACE
