// A limit of what several readers hold in memory together, fetched ahead.
//
// Threads    Any, at once.
// Ownership  Outlives its readers.
// Errors     None.
#pragma once

#include <atomic>
#include <cstddef>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class PrefetchRoom {
 public:
  // 0: no limit.
  explicit PrefetchRoom(size_t max_bytes) : most_(max_bytes) {}
  PrefetchRoom(const PrefetchRoom&) = delete;
  PrefetchRoom& operator=(const PrefetchRoom&) = delete;
  ~PrefetchRoom();

  // Room for `bytes` that would be fetched ahead. False: there is none now.
  bool TryAcquire(size_t bytes);
  // For `bytes` that are needed at once.
  void Acquire(size_t bytes);
  // `bytes` of one earlier call are let go of.
  void Release(size_t bytes);
  // Bytes that are held now.
  size_t held_bytes() const { return held_.load(std::memory_order_relaxed); }

 private:
  const size_t most_;  // 0: no limit
  std::atomic<size_t> held_{0};
};

}  // namespace ROCKSDB_NAMESPACE
