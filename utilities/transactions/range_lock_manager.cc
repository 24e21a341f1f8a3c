#include "utilities/transactions/range_lock_manager.h"

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "monitoring/perf_context_imp.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// While it waits, a transaction asks so often whether it is to go on.
constexpr uint64_t kLookAgainMicros = 100 * 1000;

Status NoFamilyForRange(uint32_t id) {
  return Status::InvalidArgument("Column family not found for locking",
                                 std::to_string(id));
}

bool Meet(const RangeEndOrder& order, const RangeWish& a, const RangeWish& b) {
  return order.Compare(a.start, b.end) <= 0 &&
         order.Compare(b.start, a.end) <= 0;
}

}  // namespace

// Lives on the stack of the waiting thread.
struct RangeLockManager::Waiter {
  LockOwner* owner;
  const RangeWish& wish;
  FamilyRef family;
  StripeCondition condition;
  bool is_done = false;  // it is out of the line, with this status
  Status status = {};
};

class RangeLockManager::Guard {
 public:
  explicit Guard(const RangeLockManager* manager) : mutex_(manager->mutex_) {
    mutex_.LockForSure();
  }
  ~Guard() { mutex_.Unlock(); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  StripeMutex& mutex_;
};

RangeLockManager::RangeLockManager(
    std::shared_ptr<TransactionDBMutexFactory> factory)
    : factory_(std::move(factory)),
      mutex_(factory_.get()),
      clock_(SystemClock::Default().get()) {}

RangeLockManager::~RangeLockManager() { INVARIANT(waiters_.empty()); }

RangeLockManagerHandle* NewRangeLockManager(
    std::shared_ptr<TransactionDBMutexFactory> mutex_factory) {
  return std::make_unique<RangeLockManager>(std::move(mutex_factory)).release();
}

bool RangeLockManager::TryAttach(SystemClock* clock) {
  const Guard guard(this);
  if (is_attached_) return false;
  is_attached_ = true;
  clock_ = clock;
  return true;
}

void RangeLockManager::Detach() {
  const Guard guard(this);
  is_attached_ = false;
  families_.clear();
  clock_ = SystemClock::Default().get();
}

uint64_t RangeLockManager::NowMicros() const {
  return clock_->NowNanos() / 1000;
}

// --- Families

void RangeLockManager::AddFamily(uint32_t id, const Comparator* order) {
  INVARIANT(order != nullptr);
  const Guard guard(this);
  FamilyRef& family = families_[id];
  if (family == nullptr) family = std::make_shared<Family>(order);
}

RangeLockManager::FamilyRef RangeLockManager::FindFamily(uint32_t id) const {
  const auto found = families_.find(id);
  return found != families_.end() ? found->second : nullptr;
}

void RangeLockManager::RemoveFamily(uint32_t id) {
  const Guard guard(this);
  const FamilyRef family = FindFamily(id);
  families_.erase(id);
  for (auto waiter = waiters_.begin(); waiter != waiters_.end();) {
    if ((*waiter)->family != family) {
      ++waiter;
      continue;
    }
    (*waiter)->is_done = true;
    (*waiter)->status = NoFamilyForRange(id);
    (*waiter)->condition.Notify();
    waiter = waiters_.erase(waiter);
  }
}

// --- Who is in the way

bool RangeLockManager::Blocks(Held* held, const RangeWish& wish) {
  return held->exclusive.Overlaps(wish.start, wish.end) ||
         (wish.terms.is_exclusive &&
          held->shared.Overlaps(wish.start, wish.end));
}

std::vector<LockOwner*> RangeLockManager::BlockersOf(
    Family* family, LockOwner* owner, const RangeWish& wish,
    const Waiter* in_line) const {
  std::vector<LockOwner*> blockers;
  for (auto& [holder, held] : family->held) {
    if (holder != owner && Blocks(&held, wish)) blockers.push_back(holder);
  }
  const auto own = family->held.find(owner);
  for (const Waiter* before : waiters_) {
    if (before == in_line) break;
    if (before->owner == owner || before->family.get() != family) continue;
    if (!wish.terms.is_exclusive && !before->wish.terms.is_exclusive) continue;
    if (!Meet(family->order, wish, before->wish)) continue;
    // It waits for this owner: to wait for it, too, would be for ever.
    if (own != family->held.end() && Blocks(&own->second, before->wish)) {
      continue;
    }
    blockers.push_back(before->owner);
  }
  return blockers;
}

uint64_t RangeLockManager::ExpiryOf(const std::vector<LockOwner*>& blockers) {
  uint64_t latest = 0;
  for (const LockOwner* blocker : blockers) {
    latest = std::max(latest, blocker->locks_expire_at());
  }
  return latest == 0 ? UINT64_MAX : latest;
}

// What the wish needs of those whose time is over.
void RangeLockManager::TakeFromExpired(Family* family, LockOwner* owner,
                                       const RangeWish& wish, uint64_t now) {
  for (auto& [holder, held] : family->held) {
    if (holder == owner || !Blocks(&held, wish)) continue;
    if (holder->locks_expire_at() > now || !holder->TryGiveUpLocks()) continue;
    held.exclusive.Remove(wish.start, wish.end);
    if (wish.terms.is_exclusive) held.shared.Remove(wish.start, wish.end);
  }
}

// --- Locking

Status RangeLockManager::Lock(LockOwner* owner, const LockWish& wish) {
  return LockRange(owner, {.family_id = wish.family_id,
                           .start = Endpoint(wish.key),
                           .end = Endpoint(wish.key),
                           .terms = wish.terms});
}

Status RangeLockManager::LockRange(LockOwner* owner, const RangeWish& wish) {
  INVARIANT(owner != nullptr);
  // A timeout of 0 is about the range, not about this mutex.
  Status s = mutex_.Lock(
      wish.terms.timeout_micros == 0 ? -1 : wish.terms.timeout_micros);
  if (!s.ok()) return s;
  s = LockGuarded(owner, wish);
  mutex_.Unlock();
  return s;
}

Status RangeLockManager::LockGuarded(LockOwner* owner, const RangeWish& wish) {
  const FamilyRef family = FindFamily(wish.family_id);
  if (family == nullptr) return NoFamilyForRange(wish.family_id);
  // No key is in it.
  if (family->order.Compare(wish.start, wish.end) > 0) return Status::OK();
  const auto own = family->held.find(owner);
  if (own != family->held.end() &&
      (own->second.exclusive.Covers(wish.start, wish.end) ||
       (!wish.terms.is_exclusive &&
        own->second.shared.Covers(wish.start, wish.end)))) {
    return Status::OK();
  }
  TakeFromExpired(family.get(), owner, wish, NowMicros());
  if (BlockersOf(family.get(), owner, wish, nullptr).empty()) {
    return Grant(family.get(), owner, wish);
  }
  if (wish.terms.timeout_micros == 0) {
    return Status::TimedOut(Status::SubCode::kLockTimeout);
  }
  Waiter waiter{.owner = owner,
                .wish = wish,
                .family = family,
                .condition = StripeCondition(factory_.get())};
  waiters_.push_back(&waiter);
  ++waits_;
  PERF_COUNTER_ADD(key_lock_wait_count, 1);
  PERF_TIMER_GUARD(key_lock_wait_time);
  Status s = Wait(&waiter);
  if (!waiter.is_done) {
    waiters_.remove(&waiter);
    GrantWaiters();  // Those behind it have one less before them.
  }
  return s;
}

// In line, until it has the lock or will not have it.
Status RangeLockManager::Wait(Waiter* waiter) {
  const int64_t timeout = waiter->wish.terms.timeout_micros;
  const uint64_t deadline =
      timeout < 0 ? UINT64_MAX : NowMicros() + static_cast<uint64_t>(timeout);
  // What a wait has lasted counts, even if the clock stands still. Locks expire
  // by the clock alone.
  uint64_t waited_until = 0;
  while (!waiter->is_done) {
    const uint64_t clock = NowMicros();
    const uint64_t now = std::max(clock, waited_until);
    Status s;
    TakeFromExpired(waiter->family.get(), waiter->owner, waiter->wish, clock);
    if (IsOver(waiter, now, deadline, &s)) return s;
    const uint64_t expiry = ExpiryOf(
        BlockersOf(waiter->family.get(), waiter->owner, waiter->wish, waiter));
    uint64_t micros = std::min(kLookAgainMicros, deadline - now);
    if (expiry > clock) micros = std::min(micros, expiry - clock);
    s = waiter->condition.Wait(&mutex_, static_cast<int64_t>(micros));
    if (!s.ok() && !s.IsTimedOut() && !waiter->is_done) return s;
    if (s.IsTimedOut()) waited_until = now + micros;
  }
  return waiter->status;
}

bool RangeLockManager::IsOver(Waiter* waiter, uint64_t now, uint64_t deadline,
                              Status* why) {
  Family* const family = waiter->family.get();
  LockOwner::Wait wait;
  wait.family_id = waiter->wish.family_id;
  wait.key = waiter->wish.start.slice.ToString();
  for (const LockOwner* blocker :
       BlockersOf(family, waiter->owner, waiter->wish, waiter)) {
    wait.ids.push_back(blocker->lock_id());
  }
  if (wait.ids.empty()) {
    *why = Grant(family, waiter->owner, waiter->wish);
    return true;
  }
  waiter->owner->NoteWait(std::move(wait));
  if (now >= deadline) {
    *why = Status::TimedOut(Status::SubCode::kLockTimeout);
    return true;
  }
  if (IsInCycle(waiter)) {
    *why = Status::Busy(Status::SubCode::kDeadlock);
    return true;
  }
  if (is_killed_ != nullptr && is_killed_()) {
    *why = Status::Aborted("the wait for a range was ended");
    return true;
  }
  return false;
}

Status RangeLockManager::Grant(Family* family, LockOwner* owner,
                               const RangeWish& wish) {
  const size_t needed = 128 + wish.start.slice.size() + wish.end.slice.size();
  if (BytesHeld() + needed > max_bytes_) {
    Escalate();
    if (BytesHeld() + needed > max_bytes_) {
      return Status::Aborted(Status::SubCode::kLockLimit);
    }
  }
  Held& held = family->held.try_emplace(owner, family->order).first->second;
  held.Of(wish.terms.is_exclusive).Add(wish.start, wish.end);
  return Status::OK();
}

void RangeLockManager::GrantWaiters() {
  for (auto at = waiters_.begin(); at != waiters_.end();) {
    Waiter* const waiter = *at;
    Family* const family = waiter->family.get();
    if (!BlockersOf(family, waiter->owner, waiter->wish, waiter).empty()) {
      ++at;
      continue;
    }
    waiter->status = Grant(family, waiter->owner, waiter->wish);
    waiter->is_done = true;
    waiter->condition.Notify();
    at = waiters_.erase(at);
  }
}

void RangeLockManager::UnlockAll(LockOwner* owner) {
  const Guard guard(this);
  bool had_any = false;
  for (const auto& [id, family] : families_) {
    had_any = family->held.erase(owner) > 0 || had_any;
  }
  if (had_any) GrantWaiters();
}

// --- Memory

size_t RangeLockManager::BytesHeld() const {
  size_t bytes = 0;
  for (const auto& [id, family] : families_) {
    for (const auto& [owner, held] : family->held) {
      bytes += held.exclusive.bytes() + held.shared.bytes();
    }
  }
  return bytes;
}

void RangeLockManager::Escalate() {
  ++escalations_;
  for (const auto& [id, family] : families_) {
    for (auto& [owner, held] : family->held) {
      for (const bool is_exclusive : {true, false}) {
        held.Of(is_exclusive)
            .Join([&, own = owner](const auto& start, const auto& end,
                                   const auto& next, const auto& last) {
              if (is_barrier_ != nullptr &&
                  is_barrier_(RangeEndOrder::View(end),
                              RangeEndOrder::View(next))) {
                return false;
              }
              // Nobody else may have what becomes its own.
              const RangeWish joined{.family_id = id,
                                     .start = RangeEndOrder::View(start),
                                     .end = RangeEndOrder::View(last),
                                     .terms = {.is_exclusive = is_exclusive}};
              for (auto& [other, theirs] : family->held) {
                if (other != own && Blocks(&theirs, joined)) return false;
              }
              return true;
            });
      }
    }
  }
}

int RangeLockManager::SetMaxLockMemory(size_t max_lock_memory) {
  const Guard guard(this);
  if (BytesHeld() > max_lock_memory) return EDOM;
  max_bytes_ = max_lock_memory;
  return 0;
}

size_t RangeLockManager::GetMaxLockMemory() {
  const Guard guard(this);
  return max_bytes_;
}

void RangeLockManager::SetEscalationBarrierFunc(EscalationBarrierFunc func) {
  const Guard guard(this);
  is_barrier_ = std::move(func);
}

void RangeLockManager::SetIsKilledCallback(IsKilledCallback func) {
  const Guard guard(this);
  is_killed_ = std::move(func);
}

// --- Deadlocks

// Follows the waits from the waiter on, breadth first, so that the circle is
// the shortest.
bool RangeLockManager::IsInCycle(Waiter* waiter) {
  std::map<const LockOwner*, const Waiter*> waits;
  for (const Waiter* other : waiters_) waits.emplace(other->owner, other);
  std::map<const Waiter*, const Waiter*> reached_from;
  std::deque<const Waiter*> to_visit{waiter};
  while (!to_visit.empty()) {
    const Waiter* const at = to_visit.front();
    to_visit.pop_front();
    for (LockOwner* blocker :
         BlockersOf(at->family.get(), at->owner, at->wish, at)) {
      const auto next = waits.find(blocker);
      if (next == waits.end()) continue;
      if (next->second != waiter) {
        if (reached_from.try_emplace(next->second, at).second) {
          to_visit.push_back(next->second);
        }
        continue;
      }
      std::vector<const Waiter*> path;
      for (const Waiter* on = at; on != waiter; on = reached_from.at(on)) {
        path.push_back(on);
      }
      std::reverse(path.begin(), path.end());
      path.push_back(waiter);
      NoteDeadlock(path);
      return true;
    }
  }
  return false;
}

void RangeLockManager::NoteDeadlock(const std::vector<const Waiter*>& path) {
  if (deadlock_buffer_size_ == 0) return;
  std::vector<RangeDeadlockInfo> entries;
  for (const Waiter* waiter : path) {
    entries.push_back({.m_txn_id = waiter->owner->lock_id(),
                       .m_cf_id = waiter->wish.family_id,
                       .m_exclusive = waiter->wish.terms.is_exclusive,
                       .m_start = RangeEndOrder::Copy(waiter->wish.start),
                       .m_end = RangeEndOrder::Copy(waiter->wish.end)});
  }
  int64_t now_seconds = 0;
  if (!clock_->GetCurrentTime(&now_seconds).ok()) now_seconds = 0;
  if (deadlocks_.size() == deadlock_buffer_size_) deadlocks_.pop_back();
  deadlocks_.emplace_front(std::move(entries), now_seconds);
}

std::vector<RangeDeadlockPath> RangeLockManager::GetRangeDeadlockInfoBuffer() {
  const Guard guard(this);
  return {deadlocks_.begin(), deadlocks_.end()};
}

void RangeLockManager::SetRangeDeadlockInfoBufferSize(uint32_t target_size) {
  const Guard guard(this);
  deadlock_buffer_size_ = target_size;
  while (deadlocks_.size() > target_size) deadlocks_.pop_back();
}

std::vector<DeadlockPath> RangeLockManager::Deadlocks() const {
  const Guard guard(this);
  std::vector<DeadlockPath> paths;
  for (const RangeDeadlockPath& range_path : deadlocks_) {
    std::vector<DeadlockInfo> path;
    for (const RangeDeadlockInfo& entry : range_path.path) {
      path.push_back({.m_txn_id = entry.m_txn_id,
                      .m_cf_id = entry.m_cf_id,
                      .m_exclusive = entry.m_exclusive,
                      .m_waiting_key = entry.m_start.slice});
    }
    paths.emplace_back(std::move(path), range_path.deadlock_time);
  }
  return paths;
}

// --- What is locked

RangeLockManagerHandle::RangeLockStatus
RangeLockManager::GetRangeLockStatusData() {
  const Guard guard(this);
  RangeLockStatus locks;
  for (const auto& [id, family] : families_) {
    for (auto& [owner, held] : family->held) {
      for (const bool is_exclusive : {true, false}) {
        for (const auto& [start, end] : held.Of(is_exclusive).ranges()) {
          locks.emplace(id, RangeLockInfo{.start = start,
                                          .end = end,
                                          .ids = {owner->lock_id()},
                                          .exclusive = is_exclusive});
        }
      }
    }
  }
  return locks;
}

std::unordered_multimap<uint32_t, KeyLockInfo> RangeLockManager::Snapshot() {
  std::unordered_multimap<uint32_t, KeyLockInfo> locks;
  for (const auto& [id, range] : GetRangeLockStatusData()) {
    locks.emplace(id,
                  KeyLockInfo{range.start.slice, range.ids, range.exclusive});
  }
  return locks;
}

RangeLockManagerHandle::Counters RangeLockManager::GetStatus() {
  const Guard guard(this);
  Counters counters;
  counters.escalation_count = escalations_;
  counters.lock_wait_count = waits_;
  counters.current_lock_memory = BytesHeld();
  return counters;
}

}  // namespace ROCKSDB_NAMESPACE
