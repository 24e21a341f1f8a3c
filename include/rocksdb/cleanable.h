#pragma once

// Something that owes calls: cleanups are registered on it and run, once each,
// when it is reset or destroyed.
//
// Threads    One thread at a time. SharedCleanablePtr counts atomically.
// Ownership  Cleanups move with DelegateCleanupsTo() and by move.
// Errors     None; cleanups must not throw.

#include <utility>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class Cleanable {
 public:
  using CleanupFunction = void (*)(void* arg1, void* arg2);

  // One cleanup. The first lives inside the object, so that a single pin, the
  // usual case, allocates nothing.
  struct Cleanup {
    CleanupFunction function = nullptr;
    void* arg1 = nullptr;
    void* arg2 = nullptr;
    Cleanup* next = nullptr;
  };

  Cleanable() = default;
  Cleanable(const Cleanable&) = delete;
  Cleanable& operator=(const Cleanable&) = delete;
  Cleanable(Cleanable&& other) noexcept
      : cleanup_(std::exchange(other.cleanup_, Cleanup())) {}
  Cleanable& operator=(Cleanable&& other) noexcept {
    if (this != &other) {
      Reset();
      cleanup_ = std::exchange(other.cleanup_, Cleanup());
    }
    return *this;
  }
  ~Cleanable() { Reset(); }

  // Adds one call to be made later.
  void RegisterCleanup(CleanupFunction function, void* arg1, void* arg2) {
    if (cleanup_.function == nullptr) {
      cleanup_.function = function;
      cleanup_.arg1 = arg1;
      cleanup_.arg2 = arg2;
    } else {
      Append(function, arg1, arg2);
    }
  }

  // Hands every cleanup of this object to `other` and keeps none.
  void DelegateCleanupsTo(Cleanable* other);

  // Runs what was registered, then is as new.
  void Reset() {
    if (cleanup_.function != nullptr) RunAll();
  }

  bool HasCleanups() const { return cleanup_.function != nullptr; }

 protected:
  // Takes over a cleanup that `new` has made, but not those behind it.
  void RegisterCleanup(Cleanup* c);

  Cleanup cleanup_;

 private:
  void Append(CleanupFunction function, void* arg1, void* arg2);
  void RunAll();
};

// A reference-counted Cleanable, for one pin that several values share.
class SharedCleanablePtr {
 public:
  SharedCleanablePtr() = default;
  ~SharedCleanablePtr() { Reset(); }
  SharedCleanablePtr(const SharedCleanablePtr& from);
  SharedCleanablePtr(SharedCleanablePtr&& from) noexcept
      : ptr_(std::exchange(from.ptr_, nullptr)) {}
  SharedCleanablePtr& operator=(const SharedCleanablePtr& from);
  SharedCleanablePtr& operator=(SharedCleanablePtr&& from) noexcept;

  // Drops what it holds and starts a fresh, empty Cleanable.
  void Allocate();
  void Reset();
  Cleanable& operator*();
  Cleanable* operator->();
  Cleanable* get();
  const Cleanable* get() const;

  // Gives `target` a cleanup that holds one reference.
  void RegisterCopyWith(Cleanable* target);
  // The same, and empties this pointer.
  void MoveAsCleanupTo(Cleanable* target);

 private:
  struct Impl;
  static void UnrefFromCleanup(void* impl, void* unused);

  Impl* ptr_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
