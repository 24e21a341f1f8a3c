#include "cache/lru_shard.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Held entries that one eviction passes over, unless the limit is strict.
constexpr size_t kPinnedBudget = 256;

size_t ShareOf(size_t capacity, double ratio) {
  return static_cast<size_t>(static_cast<double>(capacity) * ratio);
}

// Only the table refers to it; the shard's lock keeps it so.
bool IsIdle(const LruEntry& entry) {
  // acquire: pairs with the release of the last handle, whose holder may have
  // used the object until then.
  return entry.refs.load(std::memory_order_acquire) == 1;
}

}  // namespace

// Entries without a reference, to be freed when the lock is free: declare it
// before the lock.
class LruShard::Freed {
 public:
  explicit Freed(const LruShardOptions& options) : options_(options) {}
  ~Freed() {
    while (first_ != nullptr) {
      LruEntry* entry = first_;
      first_ = entry->next;
      if (entry->is_evicted && options_.listener != nullptr) {
        options_.listener->OnEvicted(
            {entry->key(), entry->object, entry->helper, entry->was_ever_hit});
      }
      if (entry->is_evicted && IsTakenOver(entry)) {
        entry->Discard();
        continue;
      }
      entry->Free(options_.allocator);
    }
  }
  Freed(const Freed&) = delete;
  Freed& operator=(const Freed&) = delete;

  void Add(LruEntry* entry) {
    entry->next = first_;
    first_ = entry;
  }

 private:
  bool IsTakenOver(LruEntry* entry) const {
    const Cache::EvictionCallback* const callback = options_.eviction_callback;
    return callback != nullptr && *callback &&
           (*callback)(entry->key(), entry, entry->was_ever_hit);
  }

  const LruShardOptions& options_;
  LruEntry* first_ = nullptr;
};

void LruShard::Start(const LruShardOptions& options) {
  options_ = options;
  if (options.spins) mutex_.SpinFirst();
  capacity_.store(options.capacity);
  SetStrict(options.is_strict);
}

LruShard::~LruShard() {
  if (is_disowned_) return;
  EraseUnreferenced();
  // What is held now will be used after its cache is gone, and never freed.
  assert(EntryCount() == 0);
}

// ---- Room ----

LruPool LruShard::PoolFor(Cache::Priority priority) const {
  if (priority == Cache::Priority::HIGH && options_.high_pool_ratio > 0) {
    return LruPool::kHigh;
  }
  if (priority != Cache::Priority::BOTTOM && options_.low_pool_ratio > 0) {
    return LruPool::kLow;
  }
  return LruPool::kBottom;
}

LruPool LruShard::PoolForHit() const { return PoolFor(Cache::Priority::HIGH); }

bool LruShard::FitsLocked(size_t bytes) const {
  const size_t capacity = capacity_.load(std::memory_order_relaxed);
  const size_t used = usage();
  return used <= capacity && bytes <= capacity - used;
}

void LruShard::MoveLocked(LruEntry* entry, LruPool pool) {
  List(entry->pool).Remove(entry);
  entry->pool = pool;
  List(pool).PushFront(entry);
}

LruEntry* LruShard::FindVictimInLocked(LruPool pool, size_t* pinned_budget) {
  LruList& list = List(pool);
  // Twice round at most: once to take the marks away.
  for (size_t left = 2 * list.count(); left > 0 && !list.empty(); --left) {
    LruEntry* entry = list.back();
    assert(entry->pool == pool && entry->is_in_table);
    if (!IsIdle(*entry)) {
      if (*pinned_budget == 0) return nullptr;
      --*pinned_budget;
      list.MoveToFront(entry);
    } else if (entry->was_hit) {
      entry->was_hit = false;
      MoveLocked(entry, std::max(pool, PoolForHit()));
    } else {
      return entry;
    }
  }
  return nullptr;
}

LruEntry* LruShard::FindVictimLocked() {
  size_t pinned_budget = is_strict_ ? SIZE_MAX : kPinnedBudget;
  for (const LruPool pool : {LruPool::kBottom, LruPool::kLow, LruPool::kHigh}) {
    LruEntry* victim = FindVictimInLocked(pool, &pinned_budget);
    if (victim != nullptr) return victim;
  }
  return nullptr;
}

void LruShard::MakeRoomLocked(size_t bytes, Freed* freed) {
  if (FitsLocked(bytes)) return;
  while (!FitsLocked(bytes)) {
    LruEntry* victim = FindVictimLocked();
    if (victim == nullptr) break;
    EvictLocked(victim, freed);
  }
  BalanceLocked();
}

void LruShard::ShrinkPoolLocked(LruPool pool, size_t limit) {
  LruList& list = List(pool);
  const LruPool below = pool == LruPool::kHigh && options_.low_pool_ratio > 0
                            ? LruPool::kLow
                            : LruPool::kBottom;
  for (size_t spared = list.count(); list.bytes() > limit && !list.empty();) {
    LruEntry* entry = list.back();
    if (entry->was_hit && spared > 0) {
      --spared;
      entry->was_hit = false;
      list.MoveToFront(entry);
    } else {
      MoveLocked(entry, below);
    }
  }
  assert(list.bytes() <= limit || list.empty());
}

void LruShard::BalanceLocked() {
  const size_t capacity = capacity_.load(std::memory_order_relaxed);
  if (options_.high_pool_ratio > 0) {
    ShrinkPoolLocked(LruPool::kHigh,
                     ShareOf(capacity, options_.high_pool_ratio));
  }
  if (options_.low_pool_ratio > 0) {
    ShrinkPoolLocked(LruPool::kLow, ShareOf(capacity, options_.low_pool_ratio));
  }
}

// ---- Coming and going ----

LruEntry* LruShard::MakeEntry(const LruInsertion& item) const {
  LruEntry* entry = LruEntry::Make(item.key);
  entry->object = item.object;
  entry->helper = item.helper;
  entry->hash = item.hash;
  entry->charge = item.charge;
  entry->total_charge = item.charge;
  if (options_.charge_policy == kFullChargeCacheMetadata) {
    entry->total_charge += LruEntry::MemoryFor(item.key.size());
  }
  entry->pool = PoolFor(item.priority);
  return entry;
}

void LruShard::DetachLocked(LruEntry* entry, Freed* freed) {
  assert(entry->is_in_table);
  entry->is_in_table = false;
  List(entry->pool).Remove(entry);
  // acq_rel: as in Release().
  if (entry->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    usage_.fetch_sub(entry->total_charge, std::memory_order_relaxed);
    freed->Add(entry);
  }
}

void LruShard::RemoveLocked(LruEntry* entry, Freed* freed) {
  table_.Remove(entry);
  DetachLocked(entry, freed);
}

void LruShard::EvictLocked(LruEntry* entry, Freed* freed) {
  entry->is_evicted = true;
  RemoveLocked(entry, freed);
}

void LruShard::LinkLocked(LruEntry* entry, Freed* freed) {
  usage_.fetch_add(entry->total_charge, std::memory_order_relaxed);
  entry->is_in_table = true;
  LruEntry* replaced = table_.Insert(entry);
  if (replaced != nullptr) DetachLocked(replaced, freed);
  List(entry->pool).PushFront(entry);
  if (entry->pool != LruPool::kBottom) BalanceLocked();
}

Status LruShard::Insert(const LruInsertion& item, LruEntry** handle) {
  LruEntry* entry = MakeEntry(item);
  Freed freed(options_);
  const MutexLock lock(&mutex_);
  MakeRoomLocked(entry->total_charge, &freed);
  if (FitsLocked(entry->total_charge) || (handle != nullptr && !is_strict_)) {
    // Relaxed: nobody else can see the entry before the lock is free.
    entry->refs.store(handle != nullptr ? 2 : 1, std::memory_order_relaxed);
    LinkLocked(entry, &freed);
    if (handle != nullptr) *handle = entry;
    return Status::OK();
  }
  if (handle == nullptr) {
    // The entry counts as inserted and evicted at once, so what it replaces
    // must go, too.
    LruEntry* old = table_.Find(item.hash, item.key);
    if (old != nullptr) RemoveLocked(old, &freed);
    freed.Add(entry);
    return Status::OK();
  }
  entry->Discard();
  return Status::MemoryLimit("Insert failed due to a full cache");
}

LruEntry* LruShard::CreateStandalone(const LruInsertion& item,
                                     bool allow_uncharged) {
  LruEntry* entry = MakeEntry(item);
  Freed freed(options_);
  const MutexLock lock(&mutex_);
  MakeRoomLocked(entry->total_charge, &freed);
  if (is_strict_ && !FitsLocked(entry->total_charge)) {
    if (!allow_uncharged) {
      entry->Discard();
      return nullptr;
    }
    entry->charge = 0;
    entry->total_charge = 0;
  }
  usage_.fetch_add(entry->total_charge, std::memory_order_relaxed);
  entry->refs.store(1, std::memory_order_relaxed);
  return entry;
}

// What was not found is inserted soon, as a rule, and another entry goes, which
// nobody has touched for long: into the processor's cache with what leads to
// it, while the block is read.
void LruShard::FetchVictimLocked() const {
  for (const LruList& list : lists_) {
    const LruEntry* victim = list.oldest();
    if (victim == nullptr) continue;
    if (FitsLocked(victim->total_charge)) return;
    __builtin_prefetch(victim->object, 1);
    table_.Fetch(victim->hash);
    if (const LruEntry* next = list.newer(victim)) __builtin_prefetch(next, 1);
    return;
  }
}

LruEntry* LruShard::Lookup(uint64_t hash, const Slice& key) {
  const MutexLock lock(&mutex_);
  LruEntry* entry = table_.Find(hash, key);
  if (entry == nullptr) {
    FetchVictimLocked();
    return nullptr;
  }
  // Relaxed: the table's reference keeps the entry while the lock is held.
  entry->refs.fetch_add(1, std::memory_order_relaxed);
  if (!entry->was_hit) {
    entry->was_hit = true;
    entry->was_ever_hit = true;
  }
  return entry;
}

void LruShard::Ref(LruEntry* entry) {
  const uint32_t before = entry->refs.fetch_add(1, std::memory_order_relaxed);
  INVARIANT(before > 0);
}

void LruShard::FreeLast(LruEntry* entry) {
  usage_.fetch_sub(entry->total_charge, std::memory_order_relaxed);
  entry->Free(options_.allocator);
}

bool LruShard::Release(LruEntry* entry, bool erase_if_last) {
  if (erase_if_last || usage() > capacity_.load(std::memory_order_relaxed))
      [[unlikely]] {
    return ReleaseSlowly(entry, erase_if_last);
  }
  // acq_rel: who frees the object must see all that other holders did.
  const uint32_t before = entry->refs.fetch_sub(1, std::memory_order_acq_rel);
  assert(before > 0);
  if (before > 1) return false;
  FreeLast(entry);
  return true;
}

bool LruShard::ReleaseSlowly(LruEntry* entry, bool erase_if_last) {
  Freed freed(options_);
  const MutexLock lock(&mutex_);
  // Before the reference goes: an entry that is not in the table may be freed
  // by another holder right after.
  const bool is_in_table = entry->is_in_table;
  const uint32_t before = entry->refs.fetch_sub(1, std::memory_order_acq_rel);
  INVARIANT(before > 0);
  if (before == 1) {
    usage_.fetch_sub(entry->total_charge, std::memory_order_relaxed);
    freed.Add(entry);
    return true;
  }
  if (before == 2 && is_in_table && (erase_if_last || !FitsLocked(0))) {
    if (erase_if_last) {
      RemoveLocked(entry, &freed);
    } else {
      EvictLocked(entry, &freed);
    }
    return true;
  }
  return false;
}

void LruShard::Erase(uint64_t hash, const Slice& key) {
  Freed freed(options_);
  const MutexLock lock(&mutex_);
  LruEntry* entry = table_.Find(hash, key);
  if (entry != nullptr) RemoveLocked(entry, &freed);
}

void LruShard::EraseUnreferenced() {
  Freed freed(options_);
  const MutexLock lock(&mutex_);
  for (LruList& list : lists_) {
    for (LruEntry* entry = list.oldest(); entry != nullptr;) {
      LruEntry* newer = list.newer(entry);
      if (IsIdle(*entry)) RemoveLocked(entry, &freed);
      entry = newer;
    }
  }
}

// ---- Settings and figures ----

void LruShard::SetCapacity(size_t capacity) {
  Freed freed(options_);
  const MutexLock lock(&mutex_);
  capacity_.store(capacity, std::memory_order_relaxed);
  MakeRoomLocked(0, &freed);
  BalanceLocked();
}

void LruShard::SetStrict(bool is_strict) {
  const MutexLock lock(&mutex_);
  is_strict_ = is_strict;
}

size_t LruShard::PinnedUsage() const {
  const MutexLock lock(&mutex_);
  size_t idle = 0;
  for (const LruList& list : lists_) {
    for (const LruEntry* entry = list.oldest(); entry != nullptr;
         entry = list.newer(entry)) {
      if (IsIdle(*entry)) idle += entry->total_charge;
    }
  }
  const size_t used = usage();
  return used > idle ? used - idle : 0;
}

size_t LruShard::EntryCount() const {
  const MutexLock lock(&mutex_);
  return table_.size();
}

size_t LruShard::SlotCount() const {
  const MutexLock lock(&mutex_);
  return table_.slot_count();
}

void LruShard::ForEach(const std::function<void(const LruEntry&)>& visit,
                       size_t per_lock) {
  uint64_t cursor = 0;
  bool has_more = true;
  std::vector<LruEntry*> entries;
  while (has_more) {
    entries.clear();
    {
      const MutexLock lock(&mutex_);
      has_more = table_.Walk(&cursor, per_lock, &entries);
      for (LruEntry* entry : entries) {
        entry->refs.fetch_add(1, std::memory_order_relaxed);
      }
    }
    for (LruEntry* entry : entries) {
      visit(*entry);
      Release(entry, false);
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE
