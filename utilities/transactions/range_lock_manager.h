// Locks on ranges of keys, shared and exclusive.
//
// Queues      Who cannot have a lock at once stands in line for it. A lock goes
//             to the first in line that fits, past those whom it does not
//             touch. Nobody stands behind one who waits for what he has
//             himself.
// Deadlocks   Are looked for by each who begins to wait, and again while it
//             waits.
// Escalation  Where locks take more memory than they may, neighbouring ranges
//             of an owner become one, with the keys between them.
// Threads     Any. One mutex for all.
// Memory      In proportion to the ranges that are locked.
// Cost        A look-up for each owner of locks in the family.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "utilities/transactions/lock_manager.h"
#include "utilities/transactions/range_set.h"
#include "utilities/transactions/stripe_mutex.h"

namespace ROCKSDB_NAMESPACE {

class SystemClock;

class RangeLockManager final : public RangeLockManagerHandle,
                               public LockManager {
 public:
  explicit RangeLockManager(std::shared_ptr<TransactionDBMutexFactory> factory);
  ~RangeLockManager() override;

  // --- LockManager
  bool TryAttach(SystemClock* clock) override;
  void Detach() override;
  void AddFamily(uint32_t id, const Comparator* order) override;
  void RemoveFamily(uint32_t id) override;
  Status Lock(LockOwner* owner, const LockWish& wish) override;
  Status LockRange(LockOwner* owner, const RangeWish& wish) override;
  bool HasKeyLocks() const override { return false; }
  void Unlock(LockOwner* /*owner*/, uint32_t /*family_id*/,
              const Slice& /*key*/) override {}
  void Downgrade(LockOwner* /*owner*/, uint32_t /*family_id*/,
                 const Slice& /*key*/) override {}
  void UnlockAll(LockOwner* owner) override;
  std::unordered_multimap<uint32_t, KeyLockInfo> Snapshot() override;
  std::vector<DeadlockPath> Deadlocks() const override;
  void SetDeadlockBufferSize(uint32_t size) override {
    SetRangeDeadlockInfoBufferSize(size);
  }

  // --- RangeLockManagerHandle
  LockManager* getLockManager() override { return this; }
  int SetMaxLockMemory(size_t max_lock_memory) override;
  size_t GetMaxLockMemory() override;
  void SetEscalationBarrierFunc(EscalationBarrierFunc func) override;
  void SetIsKilledCallback(IsKilledCallback func) override;
  RangeLockStatus GetRangeLockStatusData() override;
  Counters GetStatus() override;
  std::vector<RangeDeadlockPath> GetRangeDeadlockInfoBuffer() override;
  void SetRangeDeadlockInfoBufferSize(uint32_t target_size) override;

 private:
  // What one owner has of a family.
  struct Held {
    explicit Held(const RangeEndOrder& order)
        : exclusive(order), shared(order) {}
    RangeSet& Of(bool is_exclusive) {
      return is_exclusive ? exclusive : shared;
    }
    RangeSet exclusive;
    RangeSet shared;
  };
  struct Family {
    explicit Family(const Comparator* comparator) : order(comparator) {}
    RangeEndOrder order;
    std::map<LockOwner*, Held> held;
  };
  using FamilyRef = std::shared_ptr<Family>;
  struct Waiter;
  class Guard;

  Status LockGuarded(LockOwner* owner, const RangeWish& wish);
  Status Wait(Waiter* waiter);
  // Nothing: it may go on waiting.
  bool IsOver(Waiter* waiter, uint64_t now, uint64_t deadline, Status* why);
  FamilyRef FindFamily(uint32_t id) const;

  // Those who have what the wish needs, or stand before it for that.
  std::vector<LockOwner*> BlockersOf(Family* family, LockOwner* owner,
                                     const RangeWish& wish,
                                     const Waiter* in_line) const;
  static bool Blocks(Held* held, const RangeWish& wish);
  // When the last of the blockers expires; UINT64_MAX: one does not.
  static uint64_t ExpiryOf(const std::vector<LockOwner*>& blockers);
  void TakeFromExpired(Family* family, LockOwner* owner, const RangeWish& wish,
                       uint64_t now);
  Status Grant(Family* family, LockOwner* owner, const RangeWish& wish);
  void GrantWaiters();
  void Escalate();
  size_t BytesHeld() const;
  bool IsInCycle(Waiter* waiter);
  void NoteDeadlock(const std::vector<const Waiter*>& path);
  uint64_t NowMicros() const;

  const std::shared_ptr<TransactionDBMutexFactory> factory_;
  mutable StripeMutex mutex_;  // guards all below
  SystemClock* clock_;
  bool is_attached_ = false;
  std::map<uint32_t, FamilyRef> families_;
  std::list<Waiter*> waiters_;  // first come first
  size_t max_bytes_ = size_t{64} << 20;
  uint64_t escalations_ = 0;
  uint64_t waits_ = 0;
  EscalationBarrierFunc is_barrier_;
  IsKilledCallback is_killed_;
  std::deque<RangeDeadlockPath> deadlocks_;  // newest first
  uint32_t deadlock_buffer_size_ = 10;
};

}  // namespace ROCKSDB_NAMESPACE
