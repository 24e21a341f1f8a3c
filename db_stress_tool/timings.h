// How long operations took, by kind.
//
// Threads    Any.

#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress {

class Timings {
 public:
  void Add(const char* kind, std::chrono::microseconds time);
  // A line for each kind: how many there were, the powers of two below which
  // half of the times and 99 in a hundred are, and the longest time.
  std::string Text() const;

 private:
  struct Times {
    uint64_t count = 0;
    uint64_t most_micros = 0;
    // By the bits of their microseconds.
    std::array<uint64_t, 65> counts = {};
  };
  static uint64_t Bound(const Times& times, uint64_t percent);

  mutable std::mutex mutex_;
  std::map<std::string, Times> kinds_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
