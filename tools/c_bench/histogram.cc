#include "tools/c_bench/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "tools/c_bench/text.h"

namespace c_bench {

namespace {

constexpr double kNanosOfMicro = 1e3;

double Micros(uint64_t nanos) {
  return static_cast<double>(nanos) / kNanosOfMicro;
}

// The least limit of db_bench's buckets that is not below: 1, 2, then half as
// much again each time, two digits of it.
uint64_t PrintedLimit(double micros) {
  uint64_t limit = 1;
  for (double exact = 1.0; static_cast<double>(limit) < micros;) {
    exact = limit == 1 ? 2.0 : exact * 1.5;
    double unit = 1.0;
    while (exact / unit >= 100.0) unit *= 10.0;
    limit = static_cast<uint64_t>(std::floor(exact / unit) * unit);
  }
  return limit;
}

}  // namespace

size_t Histogram::BucketOf(uint64_t nanos) {
  if (nanos < kShare) return nanos;
  const size_t doubling = std::bit_width(nanos) - std::bit_width(kShare - 1);
  const size_t bucket =
      doubling * kShare + ((nanos >> (doubling - 1)) % kShare);
  return std::min(bucket, kDoublings * kShare - 1);
}

uint64_t Histogram::UpperLimit(size_t bucket) {
  const size_t doubling = bucket / kShare;
  if (doubling == 0) return bucket;
  return ((bucket % kShare + kShare + 1) << (doubling - 1)) - 1;
}

void Histogram::Add(uint64_t nanos) {
  ++buckets_[BucketOf(nanos)];
  ++count_;
  smallest_ = std::min(smallest_, nanos);
  largest_ = std::max(largest_, nanos);
  const double micros = Micros(nanos);
  sum_ += micros;
  sum_of_squares_ += micros * micros;
}

void Histogram::Merge(const Histogram& other) {
  for (size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  smallest_ = std::min(smallest_, other.smallest_);
  largest_ = std::max(largest_, other.largest_);
  sum_ += other.sum_;
  sum_of_squares_ += other.sum_of_squares_;
}

double Histogram::Percentile(double percent) const {
  const double threshold = static_cast<double>(count_) * percent / 100.0;
  double below = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    below += static_cast<double>(buckets_[i]);
    if (buckets_[i] != 0 && below >= threshold) {
      return Micros(std::clamp(UpperLimit(i), smallest_, largest_));
    }
  }
  return Micros(largest_);
}

std::string Histogram::Percentiles() const {
  return Text("P50: %.2f P75: %.2f P99: %.2f P99.9: %.2f P99.99: %.2f",
              Percentile(50), Percentile(75), Percentile(99), Percentile(99.9),
              Percentile(99.99));
}

std::string Histogram::BucketLines() const {
  std::map<uint64_t, uint64_t> counts;  // By the limit that is printed.
  for (size_t i = 0; i < buckets_.size(); ++i) {
    if (buckets_[i] != 0) {
      counts[PrintedLimit(Micros(UpperLimit(i)))] += buckets_[i];
    }
  }
  std::string lines;
  uint64_t low = 0, done = 0;
  const double all = static_cast<double>(count_);
  for (const auto& [limit, count] : counts) {
    done += count;
    lines += Text("%c %7llu, %7llu ] %8llu %7.3f%% %7.3f%%\n",
                  low == 0 ? '[' : '(', Printed(low), Printed(limit),
                  Printed(count), 100.0 * static_cast<double>(count) / all,
                  100.0 * static_cast<double>(done) / all);
    low = limit;
  }
  return lines;
}

std::string Histogram::ToString() const {
  const double count = static_cast<double>(std::max<uint64_t>(count_, 1));
  const double mean = sum_ / count;
  const double variance = sum_of_squares_ / count - mean * mean;
  return Text("Count: %llu Average: %.4f  StdDev: %.2f\n", Printed(count_),
              mean, std::sqrt(std::max(variance, 0.0))) +
         Text("Min: %.2f  Median: %.4f  Max: %.2f\n",
              Micros(count_ == 0 ? 0 : smallest_), Percentile(50),
              Micros(largest_)) +
         "Percentiles: " + Percentiles() + "\n" + std::string(54, '-') + "\n" +
         BucketLines();
}

}  // namespace c_bench
