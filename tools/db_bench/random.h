// The random numbers of one benchmark thread.
//
// Small and inlined: a draw costs about a nanosecond, so that it does not
// show in the operations it chooses. The same seed gives the same run.
//
// Threads    Confined to one thread.

#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // A Weyl sequence whose terms are mixed twice, so that neighbouring seeds
  // give unrelated streams.
  uint64_t Next() {
    uint64_t mixed = state_ += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
  }

  // Uniform in [0, limit), by the high half of a product: no division.
  uint64_t Below(uint64_t limit) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<uint64_t>((static_cast<Wide>(Next()) * limit) >> 64);
  }

  // Uniform in [0, 1).
  double Fraction() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

 private:
  uint64_t state_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
