// The snapshots of a TransactionDB that have timestamps.
//
// Sequences grow with the timestamps.
//
// Threads    Any; a lock of its own, above that of the database.
// Ownership  Shares them with whoever asks for one. The database outlives them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "rocksdb/snapshot.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class DB;
class TransactionPort;

class TimestampedSnapshots {
 public:
  using Ref = std::shared_ptr<const Snapshot>;

  TimestampedSnapshots(DB* db, TransactionPort* port) : db_(db), port_(port) {}

  // Takes a snapshot now. If the newest one has the same timestamp and nothing
  // was written since, that one is returned instead. InvalidArgument: the
  // timestamp is not larger than the newest one's.
  std::pair<Status, Ref> Create(uint64_t timestamp);
  // The one with this timestamp; UINT64_MAX: the newest. Null: there is none.
  Ref Find(uint64_t timestamp) const;
  // Those in [from, to), ascending.
  std::vector<Ref> Between(uint64_t from, uint64_t to) const;
  // Those before `timestamp` are no longer found.
  void ForgetOlder(uint64_t timestamp);
  bool empty() const;

 private:
  DB* const db_;
  TransactionPort* const port_;
  mutable Mutex mutex_;
  std::map<uint64_t, Ref> snapshots_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
