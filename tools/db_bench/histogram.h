// How long operations took: a histogram over fixed limits, and its text.
//
// The limits grow by half from step to step and are rounded down to two
// digits; scripts parse the text, so its form is that of the reference tool.
//
// Threads    Confined to one thread; Merge() gathers those of several.

#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

class Histogram {
 public:
  void Add(uint64_t micros);
  void Merge(const Histogram& other);

  uint64_t count() const { return count_; }

  // The value below which `percent` of the samples lie, interpolated within
  // its bucket. 0 if there are none.
  double Percentile(double percent) const;

  std::string ToString() const;

 private:
  static constexpr size_t kBucketCount = 109;
  using Limits = std::array<uint64_t, kBucketCount>;

  static const Limits& BucketLimits();
  static uint64_t LowerLimit(size_t bucket);

  double Average() const;
  double StandardDeviation() const;
  std::string BucketLines() const;

  uint64_t count_ = 0;
  uint64_t smallest_ = UINT64_MAX;
  uint64_t largest_ = 0;
  double sum_ = 0.0;
  double sum_of_squares_ = 0.0;
  std::array<uint64_t, kBucketCount> buckets_ = {};
};

}  // namespace ROCKSDB_NAMESPACE::bench
