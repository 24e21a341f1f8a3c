// How long operations took: counts by nanoseconds, 64 buckets for each
// doubling, so that a percentile is right to 1.6 %.
//
// Threads    Confined to one thread; Merge() once the other's thread has ended.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace c_bench {

class Histogram {
 public:
  void Add(uint64_t nanos);
  void Merge(const Histogram& other);

  uint64_t count() const { return count_; }
  // Microseconds below which so many of a hundred operations stayed.
  double Percentile(double percent) const;
  // "P50: 1.00 P75: ..." up to P99.99.
  std::string Percentiles() const;
  // The text that db_bench prints for a histogram, with the same bucket limits.
  std::string ToString() const;

 private:
  static constexpr size_t kDoublings = 42;  // Up to some hours.
  static constexpr size_t kShare = 64;      // Buckets of a doubling.

  static size_t BucketOf(uint64_t nanos);
  static uint64_t UpperLimit(size_t bucket);
  std::string BucketLines() const;

  std::array<uint64_t, kDoublings* kShare> buckets_ = {};
  uint64_t count_ = 0;
  uint64_t smallest_ = ~uint64_t{0};
  uint64_t largest_ = 0;
  double sum_ = 0;
  double sum_of_squares_ = 0;
};

}  // namespace c_bench
