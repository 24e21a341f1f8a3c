// How fast users write while nothing holds them back, smoothed: where a
// slowdown begins.
//
// Threads  One at a time (the DB mutex).
#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class IngestRate {
 public:
  // `bytes` were written since the call before. `counts`: nothing delayed them.
  void Note(uint64_t bytes, uint64_t now_micros, bool counts);

  // 0: not known yet.
  uint64_t bytes_per_second() const { return bytes_per_second_; }

 private:
  uint64_t last_micros_ = 0;
  uint64_t bytes_per_second_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
