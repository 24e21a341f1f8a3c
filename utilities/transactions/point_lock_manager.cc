#include "utilities/transactions/point_lock_manager.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "monitoring/perf_context_imp.h"
#include "rocksdb/system_clock.h"
#include "util/hash.h"
#include "util/invariant.h"
#include "utilities/transactions/lock_table.h"
#include "utilities/transactions/stripe_mutex.h"

namespace ROCKSDB_NAMESPACE {

// On a cache line of its own: parts are locked by different threads.
struct alignas(64) PointLockManager::Part {
  explicit Part(TransactionDBMutexFactory* factory) : mutex(factory) {}

  StripeMutex mutex;
  LockTable table;
};

struct PointLockManager::Family {
  Family(uint32_t family_id, size_t part_count,
         TransactionDBMutexFactory* factory)
      : id(family_id) {
    for (size_t i = 0; i < part_count; ++i) {
      parts.push_back(std::make_unique<Part>(factory));
    }
  }
  // The table takes the low bits.
  Part* PartOf(size_t hash) const {
    return parts[(hash >> 40) % parts.size()].get();
  }

  const uint32_t id;
  std::vector<std::unique_ptr<Part>> parts;
  std::atomic<int64_t> key_count{0};  // kept where there is a limit
  // Nobody gives back its locks, or grants them, any more.
  std::atomic<bool> is_dropped{false};
};

namespace {

size_t HashOfLock(const Slice& key) { return Hash64(key); }

Status NoFamilyToLock(uint32_t id) {
  return Status::InvalidArgument("Column family not found for locking",
                                 std::to_string(id));
}

// Whoever the waiter waits for: those that have the lock, and those before it
// in line with whom it cannot share.
std::vector<TransactionID> BlockersOf(const LockEntry& entry,
                                      const LockWaiter& waiter) {
  std::vector<TransactionID> ids;
  if (waiter.is_exclusive || entry.is_exclusive) {
    for (const LockOwner* holder : entry.holders) {
      if (holder != waiter.owner) ids.push_back(holder->lock_id());
    }
  }
  for (const LockWaiter* before : *entry.waiters) {
    if (before == &waiter) break;
    if (before->owner == waiter.owner) continue;
    if (waiter.is_exclusive || before->is_exclusive) {
      ids.push_back(before->owner->lock_id());
    }
  }
  return ids;
}

void TellGraph(const LockEntry& entry, uint32_t family_id,
               const LockWaiter& waiter, WaitGraph* graph) {
  graph->Set({.m_txn_id = waiter.owner->lock_id(),
              .m_cf_id = family_id,
              .m_exclusive = waiter.is_exclusive,
              .m_waiting_key = entry.key},
             BlockersOf(entry, waiter));
}

// The line, or the holders, have changed.
void TellGraphOfAll(const LockEntry& entry, uint32_t family_id,
                    WaitGraph* graph) {
  if (entry.waiters == nullptr) return;
  for (const LockWaiter* waiter : *entry.waiters) {
    if (waiter->is_in_graph) TellGraph(entry, family_id, *waiter, graph);
  }
}

// Can the first in line have the lock now?
bool FitsNow(const LockEntry& entry, const LockWaiter& first) {
  if (entry.holders.empty()) return true;
  if (!first.is_exclusive) return !entry.is_exclusive;
  return entry.holders.size() == 1 && entry.holders.front() == first.owner;
}

// It waits no more, though its thread may not know yet.
void TakeFromGraph(LockWaiter* waiter, WaitGraph* graph) {
  if (!waiter->is_in_graph) return;
  waiter->is_in_graph = false;
  graph->Erase(waiter->owner->lock_id());
}

// Hands the lock to those in line that can have it, after the holders or the
// line have changed.
void GrantWaiters(LockEntry* entry, uint32_t family_id, WaitGraph* graph) {
  while (entry->HasWaiters() && FitsNow(*entry, *entry->waiters->front())) {
    LockWaiter* const first = entry->waiters->front();
    entry->waiters->pop_front();
    if (!entry->IsHeldBy(first->owner)) entry->holders.push_back(first->owner);
    entry->is_exclusive = first->is_exclusive;
    first->is_granted = true;
    TakeFromGraph(first, graph);
    first->condition.Notify();
  }
  // Also without a grant somebody may have gone who was waited for.
  TellGraphOfAll(*entry, family_id, graph);
}

// Without standing in line.
bool GrantAtOnce(LockEntry* entry, LockOwner* owner, bool is_exclusive) {
  if (entry->IsHeldBy(owner)) {
    if (!is_exclusive || entry->is_exclusive) return true;
    if (entry->holders.size() > 1) return false;
    entry->is_exclusive = true;
    return true;
  }
  if (entry->HasWaiters()) return false;
  if (!entry->holders.empty() && (is_exclusive || entry->is_exclusive)) {
    return false;
  }
  entry->holders.push_back(owner);
  entry->is_exclusive = is_exclusive;
  return true;
}

// When the last of the other holders expires; UINT64_MAX: one does not.
uint64_t ExpiryOf(const LockEntry& entry, const LockOwner* owner) {
  uint64_t latest = 0;
  for (const LockOwner* holder : entry.holders) {
    if (holder == owner) continue;
    latest = std::max(latest, holder->locks_expire_at());
  }
  return latest == 0 ? UINT64_MAX : latest;
}

// Takes the lock from holders whose time is over, if that is so of all.
void TakeFromExpired(LockEntry* entry, const LockOwner* owner,
                     uint64_t now_micros) {
  if (ExpiryOf(*entry, owner) > now_micros) return;
  auto& holders = entry->holders;
  holders.erase(std::remove_if(holders.begin(), holders.end(),
                               [owner](LockOwner* holder) {
                                 return holder != owner &&
                                        holder->TryGiveUpLocks();
                               }),
                holders.end());
}

}  // namespace

// One call of Lock(), with the mutex of the part held.
class PointLockManager::Attempt {
 public:
  Attempt(PointLockManager* manager, Family* family, LockOwner* owner,
          const LockWish& wish)
      : manager_(*manager), family_(*family), owner_(owner), wish_(wish) {}

  Status Run(Part* part, size_t hash) {
    // It may have been dropped since it was found.
    if (family_.is_dropped) return NoFamilyToLock(family_.id);
    LockEntry* entry = part->table.Find(hash, wish_.key);
    if (entry == nullptr) return LockNew(part, hash);
    if (GrantAtOnce(entry, owner_, wish_.terms.is_exclusive))
      return Status::OK();
    if (ExpiryOf(*entry, owner_) <= Now()) {
      Steal(entry);
      if (GrantAtOnce(entry, owner_, wish_.terms.is_exclusive))
        return Status::OK();
    }
    if (wish_.terms.timeout_micros == 0) {
      return Status::TimedOut(Status::SubCode::kLockTimeout);
    }
    return Wait(part, entry);
  }

  // Nobody has the key, and nobody waits for it.
  void RemoveIfFree(Part* part, LockEntry* entry) {
    if (!entry->holders.empty() || entry->HasWaiters()) return;
    part->table.Remove(entry);
    if (manager_.max_locks_ > 0) --family_.key_count;
  }

 private:
  uint64_t Now() const { return manager_.clock_->NowNanos() / 1000; }

  Status LockNew(Part* part, size_t hash) {
    if (manager_.max_locks_ > 0 &&
        family_.key_count.fetch_add(1) >= manager_.max_locks_) {
      --family_.key_count;
      return Status::LockLimit();
    }
    LockEntry* const entry = part->table.Add(hash, wish_.key);
    entry->holders.push_back(owner_);
    entry->is_exclusive = wish_.terms.is_exclusive;
    return Status::OK();
  }

  void Steal(LockEntry* entry) {
    TakeFromExpired(entry, owner_, Now());
    GrantWaiters(entry, family_.id, &manager_.graph_);
  }

  void StandInLine(LockEntry* entry, LockWaiter* waiter) {
    if (entry->waiters == nullptr) {
      entry->waiters = std::make_unique<std::deque<LockWaiter*>>().release();
    }
    auto place = entry->waiters->end();
    if (waiter->upgrades) {
      // Nobody else can have it alone before this one gives up its share.
      place = std::find_if(entry->waiters->begin(), entry->waiters->end(),
                           [](const LockWaiter* w) { return !w->upgrades; });
    }
    entry->waiters->insert(place, waiter);
    if (waiter->upgrades) {
      TellGraphOfAll(*entry, family_.id, &manager_.graph_);
    }
    owner_->NoteWait(
        {BlockersOf(*entry, *waiter), family_.id, wish_.key.ToString()});
  }

  Status Wait(Part* part, LockEntry* entry) {
    LockWaiter waiter(owner_, wish_.terms.is_exclusive, entry->IsHeldBy(owner_),
                      manager_.factory_.get());
    StandInLine(entry, &waiter);
    PERF_COUNTER_ADD(key_lock_wait_count, 1);
    PERF_TIMER_GUARD(key_lock_wait_time);
    Status s = WaitInLine(part, entry, &waiter);
    if (waiter.is_granted) return Status::OK();
    INVARIANT(!s.ok());
    TakeFromGraph(&waiter, &manager_.graph_);
    std::erase(*entry->waiters, &waiter);
    // Those behind may fit with those that have it.
    GrantWaiters(entry, family_.id, &manager_.graph_);
    RemoveIfFree(part, entry);
    return s;
  }

  Status WaitInLine(Part* part, LockEntry* entry, LockWaiter* waiter) {
    const uint64_t start = Now();
    const uint64_t deadline = wish_.terms.timeout_micros < 0
                                  ? UINT64_MAX
                                  : start + wish_.terms.timeout_micros;
    uint64_t look_at = UINT64_MAX;
    if (wish_.terms.detects_deadlocks) {
      look_at = std::min<uint64_t>(
          deadline,
          start + std::max<int64_t>(0, wish_.terms.deadlock_timeout_micros));
    }
    // What a wait has lasted counts, even if the clock stands still. Locks
    // expire by the clock alone.
    uint64_t waited_until = start;
    for (;;) {
      if (waiter->is_granted) return Status::OK();
      if (waiter->is_dropped) return NoFamilyToLock(family_.id);
      const uint64_t clock = Now();
      const uint64_t now = std::max(clock, waited_until);
      if (now >= look_at) {
        look_at = UINT64_MAX;
        if (IsInCycle(*entry, waiter)) {
          return Status::Busy(Status::SubCode::kDeadlock);
        }
      }
      if (now >= deadline) {
        return Status::TimedOut(Status::SubCode::kLockTimeout);
      }
      if (clock >= ExpiryOf(*entry, owner_)) {
        Steal(entry);
        if (waiter->is_granted) return Status::OK();
      }
      // A holder that is prepared by now keeps its locks: its expiry is in the
      // past and must not end the next wait.
      const uint64_t expiry = ExpiryOf(*entry, owner_);
      uint64_t wake = std::min(deadline, look_at);
      if (expiry != UINT64_MAX && expiry > clock) {
        wake = std::min(wake, now + (expiry - clock));
      }
      Status s = waiter->condition.Wait(
          &part->mutex,
          wake == UINT64_MAX ? -1 : static_cast<int64_t>(wake - now));
      if (!s.ok() && !s.IsTimedOut()) {
        return waiter->is_granted ? Status::OK() : s;
      }
      if (s.IsTimedOut()) waited_until = wake;
    }
  }

  bool IsInCycle(const LockEntry& entry, LockWaiter* waiter) {
    TellGraph(entry, family_.id, *waiter, &manager_.graph_);
    waiter->is_in_graph = true;
    int64_t now_seconds = 0;
    if (!manager_.clock_->GetCurrentTime(&now_seconds).ok()) now_seconds = 0;
    return manager_.graph_.BreakCycle(owner_->lock_id(),
                                      wish_.terms.deadlock_depth, now_seconds);
  }

  PointLockManager& manager_;
  Family& family_;
  LockOwner* const owner_;
  const LockWish& wish_;
};

PointLockManager::PointLockManager(const TransactionDBOptions& options,
                                   SystemClock* clock)
    : factory_(options.custom_mutex_factory),
      part_count_(std::max<size_t>(1, options.num_stripes)),
      max_locks_(std::max<int64_t>(0, options.max_num_locks)),
      clock_(clock),
      graph_(options.max_num_deadlocks) {
  INVARIANT(clock_ != nullptr);
}

PointLockManager::~PointLockManager() = default;

void PointLockManager::AddFamily(uint32_t id, const Comparator* /*order*/) {
  const std::unique_lock<std::shared_mutex> lock(families_mutex_);
  FamilyRef& family = families_[id];
  if (family != nullptr) return;
  family = std::make_shared<Family>(id, part_count_, factory_.get());
  if (id == 0) default_family_.store(family.get());
}

PointLockManager::FamilyRef PointLockManager::FindFamily(uint32_t id) const {
  if (id == 0) {
    // It lives as long as the manager: nothing is counted.
    return FamilyRef(FamilyRef(),
                     default_family_.load(std::memory_order_acquire));
  }
  const std::shared_lock<std::shared_mutex> lock(families_mutex_);
  const auto found = families_.find(id);
  return found != families_.end() ? found->second : nullptr;
}

void PointLockManager::RemoveFamily(uint32_t id) {
  INVARIANT(id != 0);
  FamilyRef family;
  {
    const std::unique_lock<std::shared_mutex> lock(families_mutex_);
    const auto found = families_.find(id);
    if (found == families_.end()) return;
    family = std::move(found->second);
    families_.erase(found);
  }
  family->is_dropped = true;
  // A thread that waits still has the family, and leaves its entry when it
  // wakes.
  for (const auto& part : family->parts) {
    part->mutex.LockForSure();
    part->table.ForEach([this](LockEntry* entry) {
      if (!entry->HasWaiters()) return;
      for (LockWaiter* waiter : *entry->waiters) {
        waiter->is_dropped = true;
        TakeFromGraph(waiter, &graph_);
        waiter->condition.Notify();
      }
    });
    part->mutex.Unlock();
  }
}

Status PointLockManager::Lock(LockOwner* owner, const LockWish& wish) {
  const FamilyRef family = FindFamily(wish.family_id);
  if (family == nullptr) return NoFamilyToLock(wish.family_id);
  const size_t hash = HashOfLock(wish.key);
  Part* const part = family->PartOf(hash);
  // A timeout of 0 is about the key, not about this mutex.
  Status s = part->mutex.Lock(
      wish.terms.timeout_micros == 0 ? -1 : wish.terms.timeout_micros);
  if (!s.ok()) return s;
  s = Attempt(this, family.get(), owner, wish).Run(part, hash);
  part->mutex.Unlock();
  return s;
}

Status PointLockManager::LockRange(LockOwner* /*owner*/,
                                   const RangeWish& /*wish*/) {
  return Status::NotSupported(
      "range locks without TransactionDBOptions::lock_mgr_handle");
}

void PointLockManager::Unlock(LockOwner* owner, uint32_t family_id,
                              const Slice& key) {
  const FamilyRef family = FindFamily(family_id);
  if (family == nullptr) return;  // Dropped: its locks went with it.
  const size_t hash = HashOfLock(key);
  Part* const part = family->PartOf(hash);
  part->mutex.LockForSure();
  LockEntry* const entry = part->table.Find(hash, key);
  if (entry != nullptr && std::erase(entry->holders, owner) > 0) {
    if (entry->HasWaiters()) GrantWaiters(entry, family_id, &graph_);
    if (entry->holders.empty() && !entry->HasWaiters()) {
      part->table.Remove(entry);
      if (max_locks_ > 0) --family->key_count;
    }
  }
  part->mutex.Unlock();
}

void PointLockManager::Downgrade(LockOwner* owner, uint32_t family_id,
                                 const Slice& key) {
  const FamilyRef family = FindFamily(family_id);
  if (family == nullptr) return;
  const size_t hash = HashOfLock(key);
  Part* const part = family->PartOf(hash);
  part->mutex.LockForSure();
  LockEntry* const entry = part->table.Find(hash, key);
  if (entry != nullptr && entry->IsHeldBy(owner)) {
    entry->is_exclusive = false;
    GrantWaiters(entry, family_id, &graph_);
  }
  part->mutex.Unlock();
}

std::unordered_multimap<uint32_t, KeyLockInfo> PointLockManager::Snapshot() {
  std::unordered_multimap<uint32_t, KeyLockInfo> locks;
  const std::unique_lock<std::shared_mutex> lock(families_mutex_);
  const auto for_each_part = [this](const auto& call) {
    for (const auto& [id, family] : families_) {
      for (const auto& part : family->parts) call(id, part.get());
    }
  };
  // Nobody locks a second part while holding one.
  for_each_part([](uint32_t, Part* part) { part->mutex.LockForSure(); });
  for_each_part([&locks](uint32_t id, Part* part) {
    part->table.ForEach([&locks, id](LockEntry* entry) {
      if (entry->holders.empty()) return;
      KeyLockInfo info{entry->key, {}, entry->is_exclusive};
      for (const LockOwner* holder : entry->holders) {
        info.ids.push_back(holder->lock_id());
      }
      locks.emplace(id, std::move(info));
    });
  });
  for_each_part([](uint32_t, Part* part) { part->mutex.Unlock(); });
  return locks;
}

}  // namespace ROCKSDB_NAMESPACE
