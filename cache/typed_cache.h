// A cache seen as holding objects of one type: the casts and the helper in one
// place, and a handle that releases itself.
//
// Threads    As Cache; a handle serves one thread.
// Ownership  Insert() takes the object; the handle pins it. The cache must
//            outlive the handles.
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <utility>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// A reference to an entry whose object is a T; may be empty.
template <typename T>
class CacheHandle {
 public:
  CacheHandle() = default;
  CacheHandle(Cache* cache, Cache::Handle* handle)
      : cache_(cache),
        handle_(handle),
        value_(handle == nullptr ? nullptr
                                 : static_cast<T*>(cache->Value(handle))) {}
  CacheHandle(CacheHandle&& other) noexcept { *this = std::move(other); }
  CacheHandle& operator=(CacheHandle&& other) noexcept {
    if (this != &other) {
      Reset();
      cache_ = std::exchange(other.cache_, nullptr);
      handle_ = std::exchange(other.handle_, nullptr);
      value_ = std::exchange(other.value_, nullptr);
    }
    return *this;
  }
  ~CacheHandle() { Reset(); }

  void Reset() {
    if (handle_ != nullptr) cache_->Release(handle_);
    handle_ = nullptr;
    value_ = nullptr;
  }
  // The caller releases the handle.
  Cache::Handle* TakeHandle() {
    value_ = nullptr;
    return std::exchange(handle_, nullptr);
  }

  T* get() const { return value_; }
  T* operator->() const { return value_; }
  T& operator*() const { return *value_; }
  explicit operator bool() const { return value_ != nullptr; }
  Cache* cache() const { return cache_; }

 private:
  Cache* cache_ = nullptr;
  Cache::Handle* handle_ = nullptr;
  T* value_ = nullptr;
};

template <typename T, CacheEntryRole kRole = CacheEntryRole::kMisc>
class TypedCache {
 public:
  explicit TypedCache(Cache* cache) : cache_(cache) {}

  static const Cache::CacheItemHelper* Helper() {
    static const Cache::CacheItemHelper helper(kRole, &Delete);
    return &helper;
  }

  CacheHandle<T> Lookup(const Slice& key) const {
    return CacheHandle<T>(cache_, cache_->Lookup(key, Helper()));
  }

  // Takes `*object` over, exactly if it answers OK. With `handle`, the entry
  // is also handed out.
  Status Insert(const Slice& key, std::unique_ptr<T>* object, size_t charge,
                CacheHandle<T>* handle = nullptr,
                Cache::Priority priority = Cache::Priority::LOW) const {
    assert(object != nullptr && *object != nullptr);
    Cache::Handle* raw = nullptr;
    Status s = cache_->Insert(key, object->get(), Helper(), charge,
                              handle == nullptr ? nullptr : &raw, priority);
    if (!s.ok()) return s;
    // Insert() succeeded, so the cache owns the object now.
    static_cast<void>(object->release());
    if (handle != nullptr) *handle = CacheHandle<T>(cache_, raw);
    return s;
  }

  Cache* get() const { return cache_; }

 private:
  static void Delete(Cache::ObjectPtr object, MemoryAllocator*) {
    std::default_delete<T>()(static_cast<T*>(object));
  }

  Cache* cache_;
};

}  // namespace ROCKSDB_NAMESPACE
