#include "monitoring/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ROCKSDB_NAMESPACE {

namespace {

using histogram_buckets::IndexForValue;
using histogram_buckets::kLimits;

constexpr auto kRelaxed = std::memory_order_relaxed;

void LowerTo(std::atomic<uint64_t>* min, uint64_t value) {
  uint64_t seen = min->load(kRelaxed);
  while (value < seen && !min->compare_exchange_weak(seen, value, kRelaxed)) {
  }
}

void RaiseTo(std::atomic<uint64_t>* max, uint64_t value) {
  uint64_t seen = max->load(kRelaxed);
  while (value > seen && !max->compare_exchange_weak(seen, value, kRelaxed)) {
  }
}

template <typename... Args>
void AppendFormat(std::string* text, const char* format, Args... args) {
  char line[200];
  const int n = std::snprintf(line, sizeof(line), format, args...);
  text->append(line,
               std::min(static_cast<size_t>(std::max(n, 0)), sizeof(line) - 1));
}

}  // namespace

void HistogramSnapshot::Merge(const HistogramSnapshot& other) {
  min = std::min(min, other.min);
  max = std::max(max, other.max);
  count += other.count;
  sum += other.sum;
  sum_squares += other.sum_squares;
  for (size_t i = 0; i < buckets.size(); ++i) buckets[i] += other.buckets[i];
}

double HistogramSnapshot::Percentile(double p) const {
  if (count == 0) return 0;
  const double threshold = static_cast<double>(count) * (p / 100.0);
  double before = 0;
  for (size_t i = 0; i < buckets.size(); ++i) {
    const auto in_bucket = static_cast<double>(buckets[i]);
    if (in_bucket > 0 && before + in_bucket >= threshold) {
      const double left = i == 0 ? 0 : static_cast<double>(kLimits[i - 1]);
      const auto right = static_cast<double>(kLimits[i]);
      const double value =
          left + (right - left) * ((threshold - before) / in_bucket);
      return std::clamp(value, static_cast<double>(min),
                        static_cast<double>(max));
    }
    before += in_bucket;
  }
  return static_cast<double>(max);
}

double HistogramSnapshot::Average() const {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

double HistogramSnapshot::StandardDeviation() const {
  if (count == 0) return 0;
  const double average = Average();
  const double variance =
      sum_squares / static_cast<double>(count) - average * average;
  // Rounding may bring it just below zero.
  return std::sqrt(std::max(variance, 0.0));
}

void HistogramSnapshot::Data(HistogramData* data) const {
  data->median = Median();
  data->percentile95 = Percentile(95);
  data->percentile99 = Percentile(99);
  data->average = Average();
  data->standard_deviation = StandardDeviation();
  data->max = static_cast<double>(max);
  data->min = count == 0 ? 0 : static_cast<double>(min);
  data->count = count;
  data->sum = sum;
}

std::string HistogramSnapshot::ToString() const {
  using Number = unsigned long long;
  std::string text;
  AppendFormat(&text, "Count: %llu Average: %.4f  StdDev: %.2f\n",
               Number{count}, Average(), StandardDeviation());
  AppendFormat(&text, "Min: %llu  Median: %.4f  Max: %llu\n",
               Number{count == 0 ? 0 : min}, Median(), Number{max});
  AppendFormat(&text,
               "Percentiles: P50: %.2f P75: %.2f P99: %.2f P99.9: %.2f "
               "P99.99: %.2f\n",
               Percentile(50), Percentile(75), Percentile(99), Percentile(99.9),
               Percentile(99.99));
  text.append(54, '-').push_back('\n');
  if (count == 0) return text;
  const double per_cent = 100.0 / static_cast<double>(count);
  double cumulative = 0;
  for (size_t i = 0; i < buckets.size(); ++i) {
    if (buckets[i] == 0) continue;
    cumulative += static_cast<double>(buckets[i]);
    AppendFormat(&text, "%c %7llu, %7llu ] %8llu %7.3f%% %7.3f%% ",
                 i == 0 ? '[' : '(', Number{i == 0 ? 0 : kLimits[i - 1]},
                 Number{kLimits[i]}, Number{buckets[i]},
                 per_cent * static_cast<double>(buckets[i]),
                 per_cent * cumulative);
    // One mark for every five per cent.
    const double marks = per_cent * static_cast<double>(buckets[i]) / 5 + 0.5;
    text.append(static_cast<size_t>(marks), '#').push_back('\n');
  }
  return text;
}

void HistogramImpl::Clear() {
  min_.store(UINT64_MAX, kRelaxed);
  max_.store(0, kRelaxed);
  count_.store(0, kRelaxed);
  sum_.store(0, kRelaxed);
  sum_squares_.store(0, kRelaxed);
  for (auto& bucket : buckets_) bucket.store(0, kRelaxed);
}

void HistogramImpl::Add(uint64_t value) {
  buckets_[IndexForValue(value)].fetch_add(1, kRelaxed);
  LowerTo(&min_, value);
  RaiseTo(&max_, value);
  count_.fetch_add(1, kRelaxed);
  sum_.fetch_add(value, kRelaxed);
  const auto number = static_cast<double>(value);
  sum_squares_.fetch_add(number * number, kRelaxed);
}

void HistogramImpl::Merge(const HistogramImpl& other) {
  const HistogramSnapshot from = other.Snapshot();
  for (size_t i = 0; i < buckets_.size(); ++i) {
    buckets_[i].fetch_add(from.buckets[i], kRelaxed);
  }
  LowerTo(&min_, from.min);
  RaiseTo(&max_, from.max);
  count_.fetch_add(from.count, kRelaxed);
  sum_.fetch_add(from.sum, kRelaxed);
  sum_squares_.fetch_add(from.sum_squares, kRelaxed);
}

HistogramSnapshot HistogramImpl::Snapshot() const {
  HistogramSnapshot result;
  result.min = min_.load(kRelaxed);
  result.max = max_.load(kRelaxed);
  result.sum = sum_.load(kRelaxed);
  result.sum_squares = sum_squares_.load(kRelaxed);
  result.count = count_.load(kRelaxed);
  for (size_t i = 0; i < buckets_.size(); ++i) {
    result.buckets[i] = buckets_[i].load(kRelaxed);
  }
  return result;
}

}  // namespace ROCKSDB_NAMESPACE
