// Random numbers of one thread, by SplitMix64: the same seed gives the same.
//
// Threads    Confined to one.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress {

class StressRandom {
 public:
  explicit StressRandom(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t x = state_ += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }
  // Below `n`, which is above 0.
  uint64_t Uniform(uint64_t n) { return Next() % n; }
  // The same, lower numbers more often: below n / 2^(1 + alpha) in one case of
  // two.
  uint64_t Skewed(uint64_t n, double alpha) {
    const double part = static_cast<double>(Next() >> 11) * 0x1p-53;
    const auto drawn = static_cast<uint64_t>(static_cast<double>(n) *
                                             std::pow(part, 1 + alpha));
    return std::min(drawn, n - 1);
  }
  // Never for 0 or less.
  bool OneIn(int64_t n) {
    return n > 0 && Uniform(static_cast<uint64_t>(n)) == 0;
  }

 private:
  uint64_t state_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
