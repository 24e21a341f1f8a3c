// How the accesses of mixgraph are distributed: over keys, value sizes and
// lengths of scans, as fitted to what was measured at databases in use.
//
// Threads    A model is immutable; the random numbers are the caller's.

#pragma once

#include <cstdint>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "tools/db_bench/random.h"

namespace ROCKSDB_NAMESPACE::bench {

// The keys are parted into ranges of one size. A range is drawn by the weight
// a * exp(b * i) + c * exp(d * i) of its rank i, which has nothing to do with
// where it lies; a key of it by the inverse of y = power_a * x^power_b. What is
// 0 is left out: all are alike then.
struct KeyModel {
  KeyModel(uint64_t key_count, uint64_t range_count);

  void SetWeights(double a, double b, double c, double d, Random* random);
  uint64_t Draw(Random* random) const;

  const uint64_t key_count;
  const uint64_t range_count;
  double power_a = 0;
  double power_b = 0;

 private:
  uint64_t DrawRange(Random* random) const;
  uint64_t DrawInRange(uint64_t size, Random* random) const;

  // Weights, added up in order of rank; empty: all alike.
  std::vector<double> sums_;
  // Which range has the i-th rank.
  std::vector<uint64_t> ranges_;
};

// A generalised Pareto distribution of sizes.
struct SizeModel {
  double theta = 0;
  double k = 0;
  double sigma = 0;
  uint64_t least = 1;
  uint64_t most = 1;

  uint64_t Draw(Random* random) const;
};

}  // namespace ROCKSDB_NAMESPACE::bench
