// Decides who may use which keys: what a TransactionDB asks of its locks,
// whether they are on single keys or on ranges.
//
// Threads  Any.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/utilities/transaction_db.h"
#include "utilities/transactions/lock_owner.h"

namespace ROCKSDB_NAMESPACE {

class Comparator;
class SystemClock;

// A century: what is longer has no limit, since clocks count nanoseconds.
inline constexpr int64_t kMostLockMillis = int64_t{100} * 366 * 86'400 * 1000;

// A time of the options, in milliseconds, as microseconds; -1: it has no limit.
inline int64_t LockMicros(int64_t millis) {
  return millis < 0 || millis > kMostLockMillis ? -1 : millis * 1000;
}

// How something is to be locked, and how long that may take.
struct LockTerms {
  bool is_exclusive = true;
  int64_t timeout_micros = 0;  // less than 0: no limit; 0: no wait
  // These are for locks on keys: ranges always look for deadlocks, at once.
  bool detects_deadlocks = false;
  int64_t deadlock_timeout_micros = 0;
  int64_t deadlock_depth = 0;
};

// What is to be locked.
struct LockWish {
  uint32_t family_id = 0;
  Slice key;  // without a timestamp
  LockTerms terms = {};
};

struct RangeWish {
  uint32_t family_id = 0;
  Endpoint start;
  Endpoint end;  // included
  LockTerms terms = {};
};

class LockManager {
 public:
  virtual ~LockManager() = default;

  // For one database at a time; false: it has one. `clock` outlives it.
  virtual bool TryAttach(SystemClock* clock) = 0;
  virtual void Detach() = 0;

  // Keys of other families cannot be locked. `order` is that of its keys.
  virtual void AddFamily(uint32_t id, const Comparator* order) = 0;
  // Its locks are gone; a wait for one of them ends with InvalidArgument.
  virtual void RemoveFamily(uint32_t id) = 0;

  // OK: the owner has the lock, alone if that was asked for, or had it so.
  //
  // Errors  TimedOut (kLockTimeout; kMutexTimeout: of a custom mutex), Aborted
  //         (kLockLimit; none: the wait was ended), Busy (kDeadlock),
  //         InvalidArgument: no such family. Nothing has changed then.
  virtual Status Lock(LockOwner* owner, const LockWish& wish) = 0;
  virtual Status LockRange(LockOwner* owner, const RangeWish& wish) = 0;

  // Whether each key has a lock that is given back by itself. If not, Unlock()
  // and Downgrade() do nothing, and only UnlockAll() gives back.
  virtual bool HasKeyLocks() const = 0;
  // A lock that the owner does not have, or no longer, is passed over.
  virtual void Unlock(LockOwner* owner, uint32_t family_id,
                      const Slice& key) = 0;
  // Makes an exclusive lock a shared one.
  virtual void Downgrade(LockOwner* owner, uint32_t family_id,
                         const Slice& key) = 0;
  // Gives back what Unlock() does not.
  virtual void UnlockAll(LockOwner* owner) = 0;

  // The locks that are held at one moment, by the ids of families.
  virtual std::unordered_multimap<uint32_t, KeyLockInfo> Snapshot() = 0;
  // Newest first.
  virtual std::vector<DeadlockPath> Deadlocks() const = 0;
  virtual void SetDeadlockBufferSize(uint32_t size) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
