// The block cache: shards of LRU caches, chosen by the key's hash.
//
// There are no shards before the first insertion: every column family may have
// a cache of its own, and most of thousands are idle.
//
// Threads    Any.
// Ownership  As Cache.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cache/entry_cache.h"
#include "cache/lru_shard.h"
#include "rocksdb/cache.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class LruCache final : public EntryCache<LruEntry> {
 public:
  // The options are valid, and num_shard_bits is chosen.
  // `listener` hears of evictions; null: nobody.
  explicit LruCache(const LRUCacheOptions& options,
                    std::shared_ptr<EvictionListener> listener = nullptr);
  ~LruCache() override;

  static const char* kClassName() { return "LRUCache"; }
  const char* Name() const override { return kClassName(); }

  Status Insert(const Slice& key, ObjectPtr obj, const CacheItemHelper* helper,
                size_t charge, Handle** handle, Priority priority,
                const Slice& compressed, CompressionType type) override;
  Handle* CreateStandalone(const Slice& key, ObjectPtr obj,
                           const CacheItemHelper* helper, size_t charge,
                           bool allow_uncharged) override;
  Handle* Lookup(const Slice& key, const CacheItemHelper* helper,
                 CreateContext* create_context, Priority priority,
                 Statistics* stats) override;
  bool Ref(Handle* handle) override;
  using Cache::Release;
  bool Release(Handle* handle, bool erase_if_last_ref) override;
  void Erase(const Slice& key) override;

  void SetCapacity(size_t capacity) override;
  void SetStrictCapacityLimit(bool strict_capacity_limit) override;
  bool HasStrictCapacityLimit() const override;
  size_t GetOccupancyCount() const override;
  size_t GetTableAddressCount() const override;
  size_t GetCapacity() const override;
  using EntryCache::GetUsage;
  size_t GetUsage() const override;
  size_t GetPinnedUsage() const override;

  void ApplyToAllEntries(const EntryCallback& callback,
                         const ApplyToAllEntriesOptions& opts) override;
  void EraseUnRefEntries() override;
  std::string GetPrintableOptions() const override;
  void DisownData() override;

  size_t shard_count() const { return shard_mask_ + 1; }

 private:
  // Null before the first insertion.
  LruShard* FindShard(uint64_t hash) const {
    LruShard* const first = shards_.load(std::memory_order_acquire);
    return first == nullptr ? nullptr : first + (hash & shard_mask_);
  }
  // The shard of an entry that is there.
  LruShard& ShardOf(const LruEntry* entry) const {
    return *FindShard(entry->hash);
  }
  // The shard to insert into.
  LruShard& MakeShard(uint64_t hash);
  LruShard* MakeShards();
  template <class Action>
  void ForEachShard(const Action& action) const;
  size_t Sum(size_t (LruShard::*figure)() const) const;

  const LRUCacheOptions options_;
  const size_t shard_mask_;
  mutable Mutex settings_mutex_;
  // release, when they are made: pairs with the acquire in FindShard().
  std::atomic<LruShard*> shards_{nullptr};
  size_t capacity_ GUARDED_BY(settings_mutex_);
  bool is_strict_ GUARDED_BY(settings_mutex_);
};

// Whether a cache can be made with these; says why not.
Status ValidateLruOptions(const LRUCacheOptions& options);

}  // namespace ROCKSDB_NAMESPACE
