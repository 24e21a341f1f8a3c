// One shard of the LRU cache.
//
// A hit marks its entry instead of moving it, so that a lookup touches a slot
// and the entry, and a release without last words takes no lock. Eviction
// looks at the oldest entries of the bottom pool, then low, then high: a
// marked one goes to the front of the high pool, without its mark; one that is
// held goes to the front of its own. A pool that outgrows its share moves its
// oldest entries down.
//
// Threads  Any. No callback runs under the lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "cache/eviction_listener.h"
#include "cache/lru_entry.h"
#include "cache/lru_table.h"
#include "rocksdb/cache.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

struct LruShardOptions {
  size_t capacity = 0;
  bool is_strict = false;
  double high_pool_ratio = 0;
  double low_pool_ratio = 0;
  bool spins = false;
  CacheMetadataChargePolicy charge_policy = kDefaultCacheMetadataChargePolicy;
  MemoryAllocator* allocator = nullptr;
  EvictionListener* listener = nullptr;  // may stay null
  // The cache's, which may be empty.
  const Cache::EvictionCallback* eviction_callback = nullptr;
};

struct LruInsertion {
  Slice key;
  uint64_t hash = 0;
  Cache::ObjectPtr object = nullptr;
  const Cache::CacheItemHelper* helper = nullptr;
  size_t charge = 0;
  Cache::Priority priority = Cache::Priority::LOW;
};

class alignas(128) LruShard {
 public:
  LruShard() = default;
  LruShard(const LruShard&) = delete;
  LruShard& operator=(const LruShard&) = delete;
  ~LruShard();

  // Once, before anything else.
  void Start(const LruShardOptions& options);

  // Like Cache::Insert(); `handle` may be null.
  Status Insert(const LruInsertion& item, LruEntry** handle);
  LruEntry* CreateStandalone(const LruInsertion& item, bool allow_uncharged);
  LruEntry* Lookup(uint64_t hash, const Slice& key);
  void Ref(LruEntry* entry);
  bool Release(LruEntry* entry, bool erase_if_last);
  void Erase(uint64_t hash, const Slice& key);
  void EraseUnreferenced();

  void SetCapacity(size_t capacity);
  void SetStrict(bool is_strict);

  size_t usage() const { return usage_.load(std::memory_order_relaxed); }
  size_t PinnedUsage() const;
  size_t EntryCount() const;
  size_t SlotCount() const;

  // Calls `visit` for each entry, `per_lock` slots at a time.
  void ForEach(const std::function<void(const LruEntry&)>& visit,
               size_t per_lock);
  // The destructor will leave the objects alone.
  void Disown() { is_disowned_ = true; }

 private:
  class Freed;

  LruEntry* MakeEntry(const LruInsertion& item) const;
  LruPool PoolFor(Cache::Priority priority) const;
  LruPool PoolForHit() const;
  LruList& List(LruPool pool) REQUIRES(mutex_) {
    return lists_[static_cast<size_t>(pool)];
  }

  bool FitsLocked(size_t bytes) const REQUIRES(mutex_);
  void MakeRoomLocked(size_t bytes, Freed* freed) REQUIRES(mutex_);
  // The entry to evict next; null if none was found with bearable effort.
  LruEntry* FindVictimLocked() REQUIRES(mutex_);
  LruEntry* FindVictimInLocked(LruPool pool, size_t* pinned_budget)
      REQUIRES(mutex_);
  void FetchVictimLocked() const REQUIRES(mutex_);
  void MoveLocked(LruEntry* entry, LruPool pool) REQUIRES(mutex_);
  void BalanceLocked() REQUIRES(mutex_);
  void ShrinkPoolLocked(LruPool pool, size_t limit) REQUIRES(mutex_);
  void LinkLocked(LruEntry* entry, Freed* freed) REQUIRES(mutex_);
  // Takes an entry out of its list and drops the table's reference.
  void DetachLocked(LruEntry* entry, Freed* freed) REQUIRES(mutex_);
  void RemoveLocked(LruEntry* entry, Freed* freed) REQUIRES(mutex_);
  // The same for want of room: the listener will hear of it.
  void EvictLocked(LruEntry* entry, Freed* freed) REQUIRES(mutex_);
  bool ReleaseSlowly(LruEntry* entry, bool erase_if_last);
  void FreeLast(LruEntry* entry);

  LruShardOptions options_;
  bool is_disowned_ = false;
  // Read without the lock by every release: on a line of their own, that only
  // insertions and evictions write.
  alignas(128) std::atomic<size_t> usage_{0};
  std::atomic<size_t> capacity_{0};

  alignas(128) mutable Mutex mutex_;
  LruTable table_ GUARDED_BY(mutex_);
  std::array<LruList, kLruPoolCount> lists_ GUARDED_BY(mutex_);
  bool is_strict_ GUARDED_BY(mutex_) = false;
};

}  // namespace ROCKSDB_NAMESPACE
