// Numbers of a key space of which few are drawn often and many seldom: the k-th
// most frequent of them with a probability in proportion to k^-skew (Zipf).
//
// Draws by rejection-inversion (Hoermann and Derflinger, 1996): no table, and
// little more than one random number a draw. The frequent numbers are scattered
// over the key space.
//
// Threads    Confined to one thread.

#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"
#include "tools/db_bench/random.h"

namespace ROCKSDB_NAMESPACE::bench {

class SkewedNumbers {
 public:
  // In [0, count). REQUIRES: count > 0, skew > 0.
  SkewedNumbers(uint64_t count, double skew);

  uint64_t Draw(Random* random) const { return Scatter(DrawRank(random) - 1); }

 private:
  uint64_t DrawRank(Random* random) const;  // from 1
  uint64_t Scatter(uint64_t rank) const;
  // The area under x^-skew up to x, but for a constant; and its inverse.
  double Area(double x) const;
  double InverseArea(double area) const;
  double Height(double x) const;

  const uint64_t count_;
  const double skew_;
  double lowest_area_;
  double highest_area_;
  double always_taken_;  // this close to a rank no second look is needed
  uint64_t stride_;      // has no divisor in common with count_
};

}  // namespace ROCKSDB_NAMESPACE::bench
