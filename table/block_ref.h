#pragma once

// A hold on something read from a table file: a block cache entry, an object
// of its own, or a part of the open table.
//
// Threads    One thread.
// Ownership  Lets go when it is reset; MoveHoldTo() passes the hold on, so that
//            a value can outlive the lookup that found it.

#include <cassert>
#include <memory>
#include <utility>

#include "rocksdb/cache_interface.h"
#include "rocksdb/cleanable.h"

namespace ROCKSDB_NAMESPACE {

template <class T>
class BlockRef {
 public:
  BlockRef() = default;
  BlockRef(BlockRef&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)),
        cache_(std::exchange(other.cache_, nullptr)),
        handle_(std::exchange(other.handle_, nullptr)),
        is_owned_(std::exchange(other.is_owned_, false)) {}
  BlockRef& operator=(BlockRef&& other) noexcept {
    if (this != &other) {
      Reset();
      object_ = std::exchange(other.object_, nullptr);
      cache_ = std::exchange(other.cache_, nullptr);
      handle_ = std::exchange(other.handle_, nullptr);
      is_owned_ = std::exchange(other.is_owned_, false);
    }
    return *this;
  }
  ~BlockRef() { Reset(); }

  static BlockRef Owned(std::unique_ptr<const T> object) {
    assert(object != nullptr);
    BlockRef result;
    result.object_ = object.release();
    result.is_owned_ = true;
    return result;
  }
  static BlockRef Cached(Cache* cache, Cache::Handle* handle) {
    assert(cache != nullptr && handle != nullptr);
    BlockRef result;
    result.object_ = static_cast<const T*>(cache->Value(handle));
    result.cache_ = cache;
    result.handle_ = handle;
    return result;
  }
  static BlockRef Borrowed(const T* object) {
    assert(object != nullptr);
    BlockRef result;
    result.object_ = object;
    return result;
  }

  const T* get() const { return object_; }
  const T* operator->() const {
    assert(object_ != nullptr);
    return object_;
  }
  const T& operator*() const {
    assert(object_ != nullptr);
    return *object_;
  }
  explicit operator bool() const { return object_ != nullptr; }

  [[gnu::always_inline]] void Reset() {
    if (handle_ != nullptr || is_owned_) LetGo();
    object_ = nullptr;
  }

  // `holder` keeps the object alive from now on; this only points to it.
  void MoveHoldTo(Cleanable* holder) {
    assert(holder != nullptr && object_ != nullptr);
    if (handle_ != nullptr) {
      holder->RegisterCleanup(&ReleaseHandle, cache_, handle_);
    } else if (is_owned_) {
      holder->RegisterCleanup(&DeleteObject, const_cast<T*>(object_), nullptr);
    }
    cache_ = nullptr;
    handle_ = nullptr;
    is_owned_ = false;
  }

 private:
  // Out of line: most references that end have passed their hold on.
  [[gnu::noinline]] void LetGo() {
    assert(handle_ == nullptr || !is_owned_);
    if (handle_ != nullptr) {
      cache_->Release(handle_);
    } else {
      const std::unique_ptr<const T> last(object_);
    }
    cache_ = nullptr;
    handle_ = nullptr;
    is_owned_ = false;
  }
  static void ReleaseHandle(void* cache, void* handle) {
    static_cast<Cache*>(cache)->Release(static_cast<Cache::Handle*>(handle));
  }
  static void DeleteObject(void* object, void*) {
    const std::unique_ptr<const T> last(static_cast<const T*>(object));
  }

  const T* object_ = nullptr;
  Cache* cache_ = nullptr;
  Cache::Handle* handle_ = nullptr;
  bool is_owned_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
