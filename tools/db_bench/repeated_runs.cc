#include "tools/db_bench/repeated_runs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tools/db_bench/flags.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// 95 % of a normal distribution lie within so many standard errors.
constexpr double kErrorsIn95Percent = 1.96;

double Mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2.0;
}

// Half the width of the 95 % confidence interval of the mean.
double HalfWidth(const std::vector<double>& values) {
  if (values.size() < 2) return 0.0;
  const double mean = Mean(values);
  double squares = 0.0;
  for (double value : values) squares += (value - mean) * (value - mean);
  const double count = static_cast<double>(values.size());
  const double deviation = std::sqrt(squares / (count - 1.0));
  return kErrorsIn95Percent * deviation / std::sqrt(count);
}

long long Rounded(double value) { return static_cast<long long>(value); }

bool AnyPositive(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(),
                     [](double value) { return value > 0.0; });
}

}  // namespace

void RepeatedRuns::Add(const std::string& name, const Stats& run) {
  operations_per_second_.push_back(run.OperationsPerSecond());
  megabytes_per_second_.push_back(run.MegabytesPerSecond());
  milliseconds_per_operation_.push_back(run.SecondsPerOperation() * 1e3);
  const int runs = static_cast<int>(operations_per_second_.size());
  if (runs < 2) return;
  const double ops = Mean(operations_per_second_);
  const double ops_error = HalfWidth(operations_per_second_);
  const double rate = Mean(megabytes_per_second_);
  const double rate_error = HalfWidth(megabytes_per_second_);
  if (FLAGS_confidence_interval_only) {
    printf("%s [CI95 %d runs] : (%lld, %lld) ops/sec", name.c_str(), runs,
           Rounded(ops - ops_error), Rounded(ops + ops_error));
    if (rate > 0.0) {
      printf("; (%.1f, %.1f) MB/sec", rate - rate_error, rate + rate_error);
    }
  } else {
    printf("%s [AVG %d runs] : %lld (\u00b1 %lld) ops/sec", name.c_str(), runs,
           Rounded(ops), Rounded(ops_error));
    if (rate > 0.0) printf("; %6.1f (\u00b1 %.1f) MB/sec", rate, rate_error);
  }
  printf("\n");
  fflush(stdout);
}

void RepeatedRuns::PrintFinal(const std::string& name) const {
  const int runs = static_cast<int>(operations_per_second_.size());
  if (runs < 2) return;
  const bool has_bytes = AnyPositive(megabytes_per_second_);
  printf("\n%s [AVG    %d runs] : %lld (\u00b1 %lld) ops/sec; %.3f ms/op",
         name.c_str(), runs, Rounded(Mean(operations_per_second_)),
         Rounded(HalfWidth(operations_per_second_)),
         Mean(milliseconds_per_operation_));
  if (has_bytes) {
    printf("; %6.1f (\u00b1 %.1f) MB/sec", Mean(megabytes_per_second_),
           HalfWidth(megabytes_per_second_));
  }
  printf("\n%s [MEDIAN %d runs] : %lld ops/sec", name.c_str(), runs,
         Rounded(Median(operations_per_second_)));
  if (has_bytes) printf("; %6.1f MB/sec", Median(megabytes_per_second_));
  printf("\n");
  fflush(stdout);
}

}  // namespace ROCKSDB_NAMESPACE::bench
