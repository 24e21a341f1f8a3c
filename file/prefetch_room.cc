#include "file/prefetch_room.h"

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

PrefetchRoom::~PrefetchRoom() { INVARIANT(held_.load() == 0); }

bool PrefetchRoom::TryAcquire(size_t bytes) {
  // relaxed: a number, which orders nothing.
  size_t held = held_.load(std::memory_order_relaxed);
  do {
    const bool has_room = held <= most_ && bytes <= most_ - held;
    if (most_ != 0 && !has_room) return false;
  } while (!held_.compare_exchange_weak(held, held + bytes,
                                        std::memory_order_relaxed));
  return true;
}

void PrefetchRoom::Acquire(size_t bytes) {
  held_.fetch_add(bytes, std::memory_order_relaxed);
}

void PrefetchRoom::Release(size_t bytes) {
  const size_t held = held_.fetch_sub(bytes, std::memory_order_relaxed);
  INVARIANT(held >= bytes);
}

}  // namespace ROCKSDB_NAMESPACE
