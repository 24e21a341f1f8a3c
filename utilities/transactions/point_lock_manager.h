// Locks on single keys, shared and exclusive.
//
// Queues    Who cannot have a lock at once stands in line for it, first come
//           first served, so that nobody starves: one that shares waits behind
//           one that wants it alone. Who has a share and wants the lock alone
//           goes first. A lock that is given back is handed to the next in
//           line: no other is woken.
// Deadlocks Looked for by those who want it, once they have waited for a
//           moment; see WaitGraph.
// Threads   Any. Order of locks: that of the families, of a part, of the graph.
// Memory    In proportion to the keys locked.
// Cost      One look-up under the mutex of a part to lock, one to unlock.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/utilities/transaction_db.h"
#include "utilities/transactions/lock_owner.h"
#include "utilities/transactions/wait_graph.h"

namespace ROCKSDB_NAMESPACE {

struct LockEntry;
struct LockWaiter;
class SystemClock;

// What is to be locked, and how long that may take.
struct LockWish {
  uint32_t family_id = 0;
  Slice key;  // without a timestamp
  bool is_exclusive = true;
  int64_t timeout_micros = 0;  // less than 0: no limit; 0: no wait
  bool detects_deadlocks = false;
  int64_t deadlock_timeout_micros = 0;
  int64_t deadlock_depth = 0;
};

class PointLockManager {
 public:
  PointLockManager(const TransactionDBOptions& options, SystemClock* clock);
  ~PointLockManager();

  // Keys of other families cannot be locked.
  void AddFamily(uint32_t id);
  // Its locks are gone; who waits for one gets InvalidArgument.
  void RemoveFamily(uint32_t id);

  // OK: the owner has the lock, alone if that was asked for, or had it so.
  //
  // Errors  TimedOut (kLockTimeout; kMutexTimeout: of a custom mutex), Aborted
  //         (kLockLimit), Busy (kDeadlock), InvalidArgument: no such family.
  //         Nothing has changed then.
  Status Lock(LockOwner* owner, const LockWish& wish);
  // A lock that the owner does not have, or no longer, is passed over.
  void Unlock(LockOwner* owner, uint32_t family_id, const Slice& key);
  // From exclusive to shared.
  void Downgrade(LockOwner* owner, uint32_t family_id, const Slice& key);

  // Of one moment.
  std::unordered_multimap<uint32_t, KeyLockInfo> Snapshot();
  WaitGraph* graph() { return &graph_; }

 private:
  struct Part;
  struct Family;
  class Attempt;
  using FamilyRef = std::shared_ptr<Family>;

  FamilyRef FindFamily(uint32_t id) const;

  const std::shared_ptr<TransactionDBMutexFactory> factory_;
  const size_t part_count_;
  const int64_t max_locks_;  // of a family; 0: no limit
  SystemClock* const clock_;
  WaitGraph graph_;

  mutable std::shared_mutex families_mutex_;
  std::map<uint32_t, FamilyRef> families_;
  // The default family, which most keys are of, and which stays.
  std::atomic<Family*> default_family_{nullptr};
};

}  // namespace ROCKSDB_NAMESPACE
