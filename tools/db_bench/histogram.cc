#include "tools/db_bench/histogram.h"

#include <algorithm>
#include <cmath>

#include "tools/db_bench/format.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

uint64_t RoundDownToTwoDigits(double value) {
  double unit = 1.0;
  while (value / unit >= 100.0) unit *= 10.0;
  return static_cast<uint64_t>(std::floor(value / unit)) *
         static_cast<uint64_t>(unit);
}

}  // namespace

const Histogram::Limits& Histogram::BucketLimits() {
  static const Limits limits = [] {
    Limits made = {1, 2};
    double exact = 2.0;
    for (size_t i = 2; i < kBucketCount; ++i) {
      exact *= 1.5;
      made[i] = RoundDownToTwoDigits(exact);
    }
    return made;
  }();
  return limits;
}

uint64_t Histogram::LowerLimit(size_t bucket) {
  return bucket == 0 ? 0 : BucketLimits()[bucket - 1];
}

void Histogram::Add(uint64_t micros) {
  const Limits& limits = BucketLimits();
  const auto limit = std::lower_bound(limits.begin(), limits.end(), micros);
  const size_t bucket =
      std::min<size_t>(limit - limits.begin(), kBucketCount - 1);
  ++buckets_[bucket];
  ++count_;
  smallest_ = std::min(smallest_, micros);
  largest_ = std::max(largest_, micros);
  const double value = static_cast<double>(micros);
  sum_ += value;
  sum_of_squares_ += value * value;
}

void Histogram::Merge(const Histogram& other) {
  for (size_t i = 0; i < kBucketCount; ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  smallest_ = std::min(smallest_, other.smallest_);
  largest_ = std::max(largest_, other.largest_);
  sum_ += other.sum_;
  sum_of_squares_ += other.sum_of_squares_;
}

double Histogram::Percentile(double percent) const {
  const double threshold = static_cast<double>(count_) * percent / 100.0;
  double below = 0.0;
  for (size_t i = 0; i < kBucketCount; ++i) {
    const double inside = static_cast<double>(buckets_[i]);
    if (inside == 0.0 || below + inside < threshold) {
      below += inside;
      continue;
    }
    const double low = static_cast<double>(LowerLimit(i));
    const double high = static_cast<double>(BucketLimits()[i]);
    const double value = low + (high - low) * (threshold - below) / inside;
    return std::clamp(value, static_cast<double>(smallest_),
                      static_cast<double>(largest_));
  }
  return static_cast<double>(largest_);
}

double Histogram::Average() const {
  return count_ == 0 ? 0.0 : sum_ / static_cast<double>(count_);
}

double Histogram::StandardDeviation() const {
  if (count_ == 0) return 0.0;
  const double count = static_cast<double>(count_);
  const double variance =
      (sum_of_squares_ * count - sum_ * sum_) / (count * count);
  return std::sqrt(std::max(variance, 0.0));
}

std::string Histogram::BucketLines() const {
  std::string text;
  double cumulative = 0.0;
  for (size_t i = 0; i < kBucketCount; ++i) {
    if (buckets_[i] == 0) continue;
    const double percent =
        100.0 * static_cast<double>(buckets_[i]) / static_cast<double>(count_);
    cumulative += percent;
    text +=
        Format("%c %7llu, %7llu ] %8llu %7.3f%% %7.3f%% ", i == 0 ? '[' : '(',
               Printable(LowerLimit(i)), Printable(BucketLimits()[i]),
               Printable(buckets_[i]), percent, cumulative);
    text.append(static_cast<size_t>(percent / 5.0 + 0.5), '#');
    text += '\n';
  }
  return text;
}

std::string Histogram::ToString() const {
  std::string text = Format("Count: %llu Average: %.4f  StdDev: %.2f\n",
                            Printable(count_), Average(), StandardDeviation());
  text += Format("Min: %llu  Median: %.4f  Max: %llu\n",
                 Printable(count_ == 0 ? 0 : smallest_), Percentile(50.0),
                 Printable(largest_));
  text += Format(
      "Percentiles: P50: %.2f P75: %.2f P99: %.2f P99.9: %.2f P99.99: %.2f\n",
      Percentile(50.0), Percentile(75.0), Percentile(99.0), Percentile(99.9),
      Percentile(99.99));
  text += std::string(54, '-') + "\n";
  return text + BucketLines();
}

}  // namespace ROCKSDB_NAMESPACE::bench
