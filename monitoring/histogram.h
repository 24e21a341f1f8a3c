#pragma once

// Distributions of non-negative numbers in buckets that grow by a half.
//
// Bucket limits are 1, 2, then each 1.5 times the one before, cut to two
// significant digits, up to 64 bits: 109 in all. A value belongs to the first
// bucket whose limit is not below it.
//
// Threads  HistogramImpl: Add() from any thread without a lock; readers get
//          some recent state.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/statistics.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr size_t kHistogramBucketCount = 109;

namespace histogram_buckets {

using Numbers = std::array<uint64_t, kHistogramBucketCount>;

// Two significant digits, the others zero.
constexpr uint64_t CutToTwoDigits(uint64_t value) {
  uint64_t unit = 1;
  while (value / unit >= 100) unit *= 10;
  return value / unit * unit;
}

// The greatest values that the buckets hold; the last one holds all above.
inline constexpr Numbers kLimits = [] {
  Numbers limits{1, 2};
  double exact = 2;
  for (size_t i = 2; i < limits.size(); ++i) {
    exact *= 1.5;
    limits[i] = CutToTwoDigits(static_cast<uint64_t>(exact));
  }
  return limits;
}();
static_assert(kLimits[2] == 3 && kLimits[9] == 51);

// What values are compared with: none passes the last one.
inline constexpr Numbers kBounds = [] {
  Numbers bounds = kLimits;
  bounds.back() = UINT64_MAX;
  return bounds;
}();

// For each number of bits the first bucket of values of so many bits.
inline constexpr std::array<uint8_t, 65> kStarts = [] {
  std::array<uint8_t, 65> starts{};
  for (size_t bits = 1; bits < starts.size(); ++bits) {
    const uint64_t smallest = uint64_t{1} << (bits - 1);
    while (kBounds[starts[bits]] < smallest) ++starts[bits];
  }
  return starts;
}();

// The last bucket of as many bits is at most two further.
constexpr bool TwoStepsReach() {
  for (size_t bits = 1; bits < kStarts.size(); ++bits) {
    const uint64_t greatest = UINT64_MAX >> (64 - bits);
    const size_t last = std::min(kStarts[bits] + size_t{2}, kBounds.size() - 1);
    if (kBounds[last] < greatest) return false;
  }
  return true;
}
static_assert(TwoStepsReach());

// Without a branch that depends on the value.
inline size_t IndexForValue(uint64_t value) {
  size_t i = kStarts[static_cast<size_t>(std::bit_width(value))];
  i += kBounds[i] < value ? 1 : 0;
  i += kBounds[i] < value ? 1 : 0;
  return i;
}

}  // namespace histogram_buckets

// A histogram at one moment: plain numbers and what follows from them.
struct HistogramSnapshot {
  uint64_t min = UINT64_MAX;
  uint64_t max = 0;
  uint64_t count = 0;
  uint64_t sum = 0;
  double sum_squares = 0;
  std::array<uint64_t, kHistogramBucketCount> buckets{};

  void Merge(const HistogramSnapshot& other);

  // The value below which `p` per cent lie, by interpolation in its bucket.
  double Percentile(double p) const;
  double Median() const { return Percentile(50.0); }
  double Average() const;
  double StandardDeviation() const;
  void Data(HistogramData* data) const;
  // Several lines, the last ones a bar chart of the buckets.
  std::string ToString() const;
};

class HistogramImpl {
 public:
  HistogramImpl() = default;
  HistogramImpl(const HistogramImpl&) = delete;
  HistogramImpl& operator=(const HistogramImpl&) = delete;

  void Clear();
  void Add(uint64_t value);
  void Merge(const HistogramImpl& other);

  HistogramSnapshot Snapshot() const;
  bool Empty() const { return count() == 0; }

  uint64_t min() const { return min_.load(std::memory_order_relaxed); }
  uint64_t max() const { return max_.load(std::memory_order_relaxed); }
  uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  uint64_t sum() const { return sum_.load(std::memory_order_relaxed); }

  double Median() const { return Snapshot().Median(); }
  double Percentile(double p) const { return Snapshot().Percentile(p); }
  double Average() const { return Snapshot().Average(); }
  double StandardDeviation() const { return Snapshot().StandardDeviation(); }
  std::string ToString() const { return Snapshot().ToString(); }
  void Data(HistogramData* data) const { Snapshot().Data(data); }

 private:
  // Relaxed everywhere: numbers that are only ever summed up.
  std::atomic<uint64_t> min_{UINT64_MAX};
  std::atomic<uint64_t> max_{0};
  std::atomic<uint64_t> count_{0};
  std::atomic<uint64_t> sum_{0};
  std::atomic<double> sum_squares_{0};
  std::array<std::atomic<uint64_t>, kHistogramBucketCount> buckets_{};
};

}  // namespace ROCKSDB_NAMESPACE
