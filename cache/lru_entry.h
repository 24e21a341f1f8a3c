// One entry of the LRU cache, its key behind it in the same allocation; and
// lists of entries.
//
// References  The table holds one while the entry is in it; each handle holds
//             one. Whoever drops the last one frees the entry.
// Threads     `refs` is atomic; what stands under "guarded" belongs to the
//             lock of the entry's shard; the rest never changes.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "rocksdb/cache_interface.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

// The order in which entries go, first to last.
enum class LruPool : uint8_t { kBottom, kLow, kHigh };
inline constexpr size_t kLruPoolCount = 3;

struct LruEntry : Cache::Handle {
  Cache::ObjectPtr object = nullptr;
  const Cache::CacheItemHelper* helper = nullptr;
  uint64_t hash = 0;
  // The charge that the caller gave.
  size_t charge = 0;
  // The same with the entry's own memory, where the policy says so.
  size_t total_charge = 0;
  std::atomic<uint32_t> refs{0};
  uint32_t key_size = 0;

  // Guarded.
  LruEntry* next = nullptr;
  LruEntry* prev = nullptr;
  LruPool pool = LruPool::kBottom;
  bool is_in_table = false;
  // Looked up since it was last considered for eviction.
  bool was_hit = false;
  // Looked up since it came.
  bool was_ever_hit = false;
  // On its way out for want of room.
  bool is_evicted = false;

  Slice key() const {
    return Slice(reinterpret_cast<const char*>(this + 1), key_size);
  }
  bool Matches(uint64_t other_hash, const Slice& other_key) const {
    return hash == other_hash && key_size == other_key.size() &&
           memcmp(this + 1, other_key.data(), key_size) == 0;
  }

  static size_t MemoryFor(size_t key_size) {
    return sizeof(LruEntry) + key_size;
  }
  static LruEntry* Make(const Slice& key) {
    void* memory = malloc(MemoryFor(key.size()));
    if (memory == nullptr) throw std::bad_alloc();
    LruEntry* entry = std::construct_at(static_cast<LruEntry*>(memory));
    entry->key_size = static_cast<uint32_t>(key.size());
    memcpy(static_cast<void*>(entry + 1), key.data(), key.size());
    return entry;
  }
  // The memory only; the object stays.
  void Discard() {
    std::destroy_at(this);
    free(this);
  }
  void Free(MemoryAllocator* allocator) {
    assert(refs.load(std::memory_order_relaxed) == 0);
    if (helper != nullptr && helper->del_cb != nullptr) {
      helper->del_cb(object, allocator);
    }
    Discard();
  }
};

// Entries from the newest (front) to the oldest (back).
class LruList {
 public:
  LruList() { Clear(); }
  LruList(const LruList&) = delete;
  LruList& operator=(const LruList&) = delete;

  bool empty() const { return end_.next == &end_; }
  size_t count() const { return count_; }
  size_t bytes() const { return bytes_; }
  LruEntry* back() {
    assert(!empty());
    return end_.prev;
  }
  // For walking from the oldest on; null at the end.
  LruEntry* oldest() const { return empty() ? nullptr : end_.prev; }
  LruEntry* newer(const LruEntry* entry) const {
    return entry->prev == &end_ ? nullptr : entry->prev;
  }

  void PushFront(LruEntry* entry) {
    entry->next = end_.next;
    entry->prev = &end_;
    end_.next->prev = entry;
    end_.next = entry;
    ++count_;
    bytes_ += entry->total_charge;
  }
  void Remove(LruEntry* entry) {
    assert(count_ > 0 && bytes_ >= entry->total_charge);
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
    entry->next = nullptr;
    entry->prev = nullptr;
    --count_;
    bytes_ -= entry->total_charge;
  }
  void MoveToFront(LruEntry* entry) {
    Remove(entry);
    PushFront(entry);
  }

 private:
  void Clear() {
    end_.next = &end_;
    end_.prev = &end_;
  }

  // Stands before the first and behind the last.
  LruEntry end_;
  size_t count_ = 0;
  size_t bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
