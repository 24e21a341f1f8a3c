// Histogram buckets and their limits, percentiles and text are RocksDB's, and
// no thread's value is lost.
#include "monitoring/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(HistogramBucketsTest, LimitsGrowByAHalf) {
  const auto& limits = histogram_buckets::kLimits;
  const std::vector<uint64_t> first(limits.begin(), limits.begin() + 17);
  EXPECT_EQ((std::vector<uint64_t>{1, 2, 3, 4, 6, 10, 15, 22, 34, 51, 76, 110,
                                   170, 250, 380, 580, 870}),
            first);
  EXPECT_EQ(109u, limits.size());
  EXPECT_GT(limits.back(), UINT64_MAX / 2);
  for (size_t i = 1; i < limits.size(); ++i) {
    EXPECT_LT(limits[i - 1], limits[i]);
  }
}

TEST(HistogramBucketsTest, EveryLimitIsInItsOwnBucket) {
  const auto& limits = histogram_buckets::kLimits;
  EXPECT_EQ(0u, histogram_buckets::IndexForValue(0));
  for (size_t i = 0; i < limits.size(); ++i) {
    EXPECT_EQ(i, histogram_buckets::IndexForValue(limits[i]));
    const size_t next = i + 1 < limits.size() ? i + 1 : i;
    EXPECT_EQ(next, histogram_buckets::IndexForValue(limits[i] + 1));
  }
  EXPECT_EQ(108u, histogram_buckets::IndexForValue(UINT64_MAX));
}

TEST(HistogramBucketsTest, TheBucketIsTheFirstWhoseLimitIsNotBelow) {
  const auto& limits = histogram_buckets::kLimits;
  for (int bits = 0; bits < 64; ++bits) {
    for (const uint64_t low : {-1, 0, 1, 3, 77}) {
      const uint64_t value = (uint64_t{1} << bits) + low;
      const auto at = std::lower_bound(limits.begin(), limits.end() - 1, value);
      EXPECT_EQ(histogram_buckets::IndexForValue(value),
                static_cast<size_t>(at - limits.begin()))
          << value;
    }
  }
}

TEST(HistogramTest, EmptyIsAllZero) {
  const HistogramImpl h;
  HistogramData data;
  h.Data(&data);
  EXPECT_EQ(0u, data.count);
  EXPECT_EQ(0, data.min);
  EXPECT_EQ(0, data.median);
  EXPECT_EQ(0, data.standard_deviation);
  EXPECT_TRUE(h.Empty());
  EXPECT_EQ(
      "Count: 0 Average: 0.0000  StdDev: 0.00\n"
      "Min: 0  Median: 0.0000  Max: 0\n"
      "Percentiles: P50: 0.00 P75: 0.00 P99: 0.00 P99.9: 0.00 P99.99: 0.00\n"
      "------------------------------------------------------\n",
      h.ToString());
}

TEST(HistogramTest, UniformValues) {
  HistogramImpl h;
  for (uint64_t i = 1; i <= 100; ++i) h.Add(i);
  EXPECT_EQ(100u, h.count());
  EXPECT_EQ(5050u, h.sum());
  EXPECT_EQ(1u, h.min());
  EXPECT_EQ(100u, h.max());
  EXPECT_DOUBLE_EQ(50.5, h.Average());
  EXPECT_NEAR(28.866, h.StandardDeviation(), 0.001);
  EXPECT_NEAR(50, h.Percentile(50), 0.5);
  EXPECT_NEAR(99, h.Percentile(99), 1.5);
  EXPECT_EQ(100, h.Percentile(100));
}

TEST(HistogramTest, OneValueIsEveryPercentile) {
  HistogramImpl h;
  for (int i = 0; i < 10; ++i) h.Add(12345);
  for (const double p : {0.1, 50.0, 99.99, 100.0}) {
    EXPECT_EQ(12345, h.Percentile(p));
  }
  EXPECT_EQ(0, h.StandardDeviation());
}

TEST(HistogramTest, TextIsTheOneThatScriptsParse) {
  HistogramImpl h;
  for (int i = 0; i < 9; ++i) h.Add(1);
  h.Add(60);
  EXPECT_EQ(
      "Count: 10 Average: 6.9000  StdDev: 17.70\n"
      "Min: 1  Median: 1.0000  Max: 60\n"
      "Percentiles: P50: 1.00 P75: 1.00 P99: 60.00 P99.9: 60.00 P99.99: "
      "60.00\n"
      "------------------------------------------------------\n"
      "[       0,       1 ]        9  90.000%  90.000% ##################\n"
      "(      51,      76 ]        1  10.000% 100.000% ##\n",
      h.ToString());
}

TEST(HistogramTest, MergeIsTheWhole) {
  Random64 random(1);
  HistogramImpl whole;
  HistogramImpl a;
  HistogramImpl b;
  for (int i = 0; i < 2000; ++i) {
    const uint64_t value = random.Skewed(60);
    whole.Add(value);
    (random.OneIn(2) ? a : b).Add(value);
  }
  a.Merge(b);
  EXPECT_EQ(whole.count(), a.count());
  EXPECT_EQ(whole.sum(), a.sum());
  EXPECT_EQ(whole.min(), a.min());
  EXPECT_EQ(whole.max(), a.max());
  EXPECT_EQ(whole.Percentile(90), a.Percentile(90));
  a.Clear();
  EXPECT_TRUE(a.Empty());
}

TEST(HistogramTest, ThreadsLoseNothing) {
  HistogramImpl h;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&h, t] {
      for (uint64_t i = 0; i < 1000; ++i) h.Add(t * 1000 + i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(4000u, h.count());
  EXPECT_EQ(4000u * 3999 / 2, h.sum());
  EXPECT_EQ(0u, h.min());
  EXPECT_EQ(3999u, h.max());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
