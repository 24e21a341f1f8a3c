// The sealed memtables of a column family that wait for, or are in, a flush;
// and those that are flushed and kept, for who asks what was written lately
// (max_write_buffer_size_to_maintain).
//
// A flush takes every memtable that waits at that moment, oldest first, and
// writes a file of them, or makes one memtable of them (db/flush/mempurge.h),
// which then waits for what is sealed next; one
// flush of a family runs at a time, so files are installed in write order.
//
// Threads    Every call under the DB mutex. The list that current() returns
//            is immutable and read without a lock.
// Ownership  Memtables are shared with SuperVersions.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

class MemTable;
using MemTableRef = std::shared_ptr<MemTable>;
using MemTableVector = std::vector<MemTableRef>;  // newest first

class MemTableList {
 public:
  MemTableList()
      : current_(std::make_shared<const MemTableVector>()),
        history_(current_) {}

  std::shared_ptr<const MemTableVector> current() const { return current_; }
  size_t size() const { return current_->size(); }
  bool empty() const { return current_->empty(); }

  // Seals: `mem` becomes the newest immutable memtable.
  void Add(MemTableRef mem);

  // A flush is wanted: enough memtables wait, or it was asked for.
  bool IsFlushPending(int min_to_merge) const;
  // Asks for the flush of every memtable that is in the list now.
  void RequestFlush();
  // The same, and only files will do.
  void RequestFile();
  // Has that been asked for, of any of those that a flush has taken?
  bool NeedsFile(const MemTableVector& taken) const;
  // Is the oldest one what a flush has made of others?
  bool HasPurged() const;
  // Is there nothing but that one, and no file asked for? It waits.
  bool AwaitsOthers() const;
  // The newest of which a flush was asked for; 0 = none.
  uint64_t requested_id() const { return requested_id_; }
  bool IsFlushRunning() const { return running_; }

  // Starts a flush of every memtable whose id is at most `max_id`: returned
  // oldest first; empty if one is running or none waits.
  MemTableVector PickForFlush(uint64_t max_id);
  // The running flush failed: its memtables wait again.
  void RollbackFlush();
  // The running flush is in the manifest: its memtables are history. Of that,
  // the newest are kept which make at least `history_bytes`.
  void CommitFlush(const MemTableVector& flushed, size_t history_bytes = 0);

  // Flushed memtables that are kept; their data are in files too.
  const std::shared_ptr<const MemTableVector>& history() const {
    return history_;
  }
  // The running flush has made one memtable, which takes their place.
  void CommitPurge(const MemTableVector& taken, MemTableRef purged,
                   size_t history_bytes);
  void DropHistory();

  size_t ApproximateMemoryUsage() const;
  uint64_t EntryCount() const;
  uint64_t DeletionCount() const;
  // The smallest WAL number that the waiting memtables need; 0 = none waits.
  uint64_t MinLogNumber() const;

 private:
  // Those that are left when these are gone, newest first.
  std::shared_ptr<MemTableVector> Without(const MemTableVector& taken) const;
  void AddHistory(const MemTableVector& flushed, size_t least_bytes);

  std::shared_ptr<const MemTableVector> current_;
  std::shared_ptr<const MemTableVector> history_;
  // Memtables with ids up to this are to be flushed; 0 = none.
  uint64_t requested_id_ = 0;
  // Memtables with ids up to this must become a file, not a memtable; 0 = none.
  uint64_t file_requested_id_ = 0;
  uint64_t purged_id_ = 0;  // the newest that a flush has made; 0 = none
  bool running_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
