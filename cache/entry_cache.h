// What caches have in common whose handles are their entries, however they keep
// and choose these: the calls that ask a handle, ids, the key's hash, and who
// hears of evictions.
//
// An Entry derives from Cache::Handle and has key(), `object`, `helper`,
// `charge` and `total_charge`.
//
// Threads  Any.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "cache/eviction_listener.h"
#include "cache/key_hash.h"
#include "rocksdb/cache.h"
#include "rocksdb/slice.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

template <class Entry>
class EntryCache : public Cache {
 public:
  using EntryCallback =
      std::function<void(const Slice& key, ObjectPtr obj, size_t charge,
                         const CacheItemHelper* helper)>;

  ObjectPtr Value(Handle* handle) final { return EntryOf(handle)->object; }
  using Cache::GetUsage;
  size_t GetUsage(Handle* handle) const final {
    return EntryOf(handle)->total_charge;
  }
  size_t GetCharge(Handle* handle) const final {
    return EntryOf(handle)->charge;
  }
  const CacheItemHelper* GetCacheItemHelper(Handle* handle) const final {
    return EntryOf(handle)->helper;
  }
  void ApplyToHandle(Cache* cache, Handle* handle,
                     const EntryCallback& callback) final {
    INVARIANT(cache == this);
    Tell(*EntryOf(handle), callback);
  }

  uint64_t NewId() final {
    return last_id_.fetch_add(1, std::memory_order_relaxed) + 1;
  }
  uint32_t GetHashSeed() const final { return hash_.seed32(); }

 protected:
  // `listener` hears of evictions; null: nobody.
  EntryCache(std::shared_ptr<MemoryAllocator> allocator, int32_t hash_seed,
             std::shared_ptr<EvictionListener> listener)
      : Cache(std::move(allocator)),
        hash_(hash_seed),
        listener_(std::move(listener)) {}

  static Entry* EntryOf(Handle* handle) {
    assert(handle != nullptr);
    return static_cast<Entry*>(handle);
  }
  static void Tell(const Entry& entry, const EntryCallback& callback) {
    callback(entry.key(), entry.object, entry.charge, entry.helper);
  }

  const KeyHash hash_;
  const std::shared_ptr<EvictionListener> listener_;

 private:
  std::atomic<uint64_t> last_id_{0};
};

}  // namespace ROCKSDB_NAMESPACE
