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
#include "utilities/transactions/lock_manager.h"
#include "utilities/transactions/wait_graph.h"

namespace ROCKSDB_NAMESPACE {

struct LockEntry;
struct LockWaiter;
class SystemClock;

class PointLockManager final : public LockManager {
 public:
  PointLockManager(const TransactionDBOptions& options, SystemClock* clock);
  ~PointLockManager() override;

  // It has its clock, and is made for its database.
  bool TryAttach(SystemClock* /*clock*/) override { return true; }
  void Detach() override {}
  void AddFamily(uint32_t id, const Comparator* order) override;
  void RemoveFamily(uint32_t id) override;
  Status Lock(LockOwner* owner, const LockWish& wish) override;
  Status LockRange(LockOwner* owner, const RangeWish& wish) override;
  bool HasKeyLocks() const override { return true; }
  void Unlock(LockOwner* owner, uint32_t family_id, const Slice& key) override;
  void Downgrade(LockOwner* owner, uint32_t family_id,
                 const Slice& key) override;
  void UnlockAll(LockOwner* /*owner*/) override {}
  std::unordered_multimap<uint32_t, KeyLockInfo> Snapshot() override;
  std::vector<DeadlockPath> Deadlocks() const override {
    return graph_.Deadlocks();
  }
  void SetDeadlockBufferSize(uint32_t size) override {
    graph_.SetBufferSize(size);
  }

 private:
  struct Part;
  struct Family;
  class Attempt;
  using FamilyRef = std::shared_ptr<Family>;

  FamilyRef FindFamily(uint32_t id) const;

  const std::shared_ptr<TransactionDBMutexFactory> factory_;
  const size_t part_count_;
  const int64_t max_locks_;  // in one family; 0: no limit
  SystemClock* const clock_;
  WaitGraph graph_;

  mutable std::shared_mutex families_mutex_;
  std::map<uint32_t, FamilyRef> families_;
  // The default family, which most keys are of, and which stays.
  std::atomic<Family*> default_family_{nullptr};
};

}  // namespace ROCKSDB_NAMESPACE
