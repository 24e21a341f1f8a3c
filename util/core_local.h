#pragma once

// Several copies of T, at least one for each processor, so that busy threads do
// not share cache lines. A thread always gets the same copy, but threads beyond
// the number of copies share them, so T must be safe for that.
//
// Threads  Access() from any; T brings its own safety.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "rocksdb/rocksdb_namespace.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace core_local_internal {
// 0 until the thread has asked once. Constant-initialised: reading it needs no
// guard.
extern thread_local constinit uint32_t thread_number;
uint32_t AssignThreadNumber();
}  // namespace core_local_internal

// The number of the calling thread: threads are counted as they first ask.
inline uint32_t CurrentThreadNumber() {
  const uint32_t number = core_local_internal::thread_number;
  if (number != 0) [[likely]]
    return number;
  return core_local_internal::AssignThreadNumber();
}
// A power of two, not less than the number of processors and at least 8.
uint32_t CoreLocalSlotCount();

template <typename T>
class CoreLocalArray {
 public:
  CoreLocalArray()
      : mask_(CoreLocalSlotCount() - 1),
        slots_(std::make_unique<Slot[]>(mask_ + 1)) {}
  CoreLocalArray(const CoreLocalArray&) = delete;
  CoreLocalArray& operator=(const CoreLocalArray&) = delete;

  size_t Size() const { return mask_ + 1; }
  // The copy of the calling thread.
  T* Access() const { return &slots_[AccessIndex()].value; }
  size_t AccessIndex() const { return CurrentThreadNumber() & mask_; }
  T* AccessAtCore(size_t index) const {
    INVARIANT(index <= mask_);
    return &slots_[index].value;
  }

 private:
  // Two lines, because the adjacent-line prefetcher couples pairs.
  struct alignas(128) Slot {
    T value{};
  };

  const size_t mask_;
  const std::unique_ptr<Slot[]> slots_;
};

}  // namespace ROCKSDB_NAMESPACE
