#pragma once

// A pointer of which every object has one for each thread.
//
// `thread_local` variables belong to the program; a slot here belongs to an
// object, can be looked at over all threads when the object needs its pointers
// back, and is cleaned up when a thread ends. The engine keeps in one the view
// of a column family that the thread last read, so that a read takes no lock.
//
// Threads    All calls from any thread. Scrape(), Fold() and the destructor
//            take a lock that all slots share; the others take none, except the
//            first call of a thread on a slot beyond those it has seen.
// Ownership  The values belong to the caller; `unref_handler` gives back a
//            thread's value when the thread ends or the slot is destroyed. It
//            may take locks and use other slots, whose values are given back
//            in turn, but must neither use nor destroy the slot.

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

using UnrefHandler = void (*)(void* ptr);

namespace thread_local_internal {

// The slots of one thread. Only its thread makes it grow.
struct ThreadSlots {
  std::atomic<void*>* entries = nullptr;
  uint32_t size = 0;
};

// Constant-initialised and trivially destroyed, so that reading it needs no
// guard. The registration object that cleans up is behind Grow().
extern thread_local constinit ThreadSlots slots
    __attribute__((tls_model("initial-exec")));

}  // namespace thread_local_internal

class ThreadLocalPtr {
 public:
  explicit ThreadLocalPtr(UnrefHandler unref_handler = nullptr);
  ThreadLocalPtr(const ThreadLocalPtr&) = delete;
  ThreadLocalPtr& operator=(const ThreadLocalPtr&) = delete;
  // No other thread may be inside a call.
  ~ThreadLocalPtr();

  // The value of the calling thread; nullptr at first.
  void* Get() const {
    const auto& slots = thread_local_internal::slots;
    if (id_ >= slots.size) [[unlikely]]
      return nullptr;
    // acquire: pairs with the release of whoever put the value there.
    return slots.entries[id_].load(std::memory_order_acquire);
  }
  void Reset(void* ptr) { Slot()->store(ptr, std::memory_order_release); }
  // Returns the value before.
  void* Swap(void* ptr) {
    return Slot()->exchange(ptr, std::memory_order_acq_rel);
  }
  // Stores `ptr` if the value is `expected`; else puts the value there.
  bool CompareAndSwap(void* ptr, void*& expected) {
    return Slot()->compare_exchange_strong(
        expected, ptr, std::memory_order_acq_rel, std::memory_order_acquire);
  }

  // Puts `replacement` into the slot of every thread that has a value, and the
  // values into `*ptrs`.
  void Scrape(std::vector<void*>* ptrs, void* replacement);

  // Calls `func` with the value of every thread that has one, while no thread
  // can end.
  void Fold(const std::function<void(void* value, void* result)>& func,
            void* result);

  // Until what threads had begun to give back is given back, of any slot: such
  // a value is in no slot any more, so that Scrape() does not meet it. Without
  // locks that a handler may take.
  static void AwaitEndingThreads();

 private:
  std::atomic<void*>* Slot() const {
    auto& slots = thread_local_internal::slots;
    if (id_ < slots.size) [[likely]]
      return &slots.entries[id_];
    return Grow(id_);
  }
  static std::atomic<void*>* Grow(uint32_t id);

  const uint32_t id_;
};

}  // namespace ROCKSDB_NAMESPACE
