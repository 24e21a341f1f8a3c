#pragma once

// Distributions of non-negative numbers in buckets that grow by a half.
//
// Bucket limits are 1, 2, then each 1.5 times the one before, cut to two
// significant digits, up to 64 bits: 109 in all. A value belongs to the first
// bucket whose limit is not below it.
//
// Threads  HistogramImpl: Add() from any thread without a lock; readers get
//          some recent state.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/statistics.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr size_t kHistogramBucketCount = 109;

// The limits of the buckets, the greatest values that they hold.
class HistogramBuckets {
 public:
  static const std::array<uint64_t, kHistogramBucketCount>& Limits();
  static size_t IndexForValue(uint64_t value);
};

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
