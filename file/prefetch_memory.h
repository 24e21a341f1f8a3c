// Bytes that one buffer of read-ahead holds, counted in
// PREFETCH_MEMORY_BYTES_GRANTED and _RELEASED.
//
// Threads    One at a time.
// Ownership  Borrows the statistics; null: nothing is counted.
#pragma once

#include <cstddef>

#include "monitoring/statistics_impl.h"
#include "rocksdb/statistics.h"

namespace ROCKSDB_NAMESPACE {

class PrefetchMemory {
 public:
  explicit PrefetchMemory(Statistics* statistics) : statistics_(statistics) {}
  ~PrefetchMemory() { Set(0); }
  PrefetchMemory(const PrefetchMemory&) = delete;
  PrefetchMemory& operator=(const PrefetchMemory&) = delete;

  // The buffer holds `bytes` from now on.
  void Set(size_t bytes) {
    if (bytes > held_bytes_) {
      RecordTick(statistics_, PREFETCH_MEMORY_BYTES_GRANTED,
                 bytes - held_bytes_);
    } else if (bytes < held_bytes_) {
      RecordTick(statistics_, PREFETCH_MEMORY_BYTES_RELEASED,
                 held_bytes_ - bytes);
    }
    held_bytes_ = bytes;
  }

 private:
  Statistics* const statistics_;
  size_t held_bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
