// Histograms: testdata/monitoring/histogram.txt. VALUES are numbers, N*COUNT or
// FIRST..LAST.
//
//   text VALUES            as scripts of users read it
//   numbers VALUES         count, sum, least, greatest, average, deviation
//   percentile P VALUES
//   merged VALUES | VALUES     the numbers of both
//   bucket VALUE           the greatest value beside it
#include "monitoring/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "tests/testing/script.h"
#include "tests/testing/script_calls.h"
#include "util/random.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(HistogramBucketsTest, LimitsGrow) {
  const auto& limits = histogram_buckets::kLimits;
  EXPECT_EQ(109u, limits.size());
  EXPECT_GT(limits.back(), UINT64_MAX / 2);
  for (size_t i = 1; i < limits.size(); ++i) {
    EXPECT_LT(limits[i - 1], limits[i]);
  }
}

void AddValues(const std::string& word, HistogramImpl* h) {
  const size_t star = word.find('*'), dots = word.find("..");
  const uint64_t first = std::stoull(word);
  if (dots != std::string::npos) {
    const uint64_t last = std::stoull(word.substr(dots + 2));
    for (uint64_t value = first; value <= last; ++value) h->Add(value);
    return;
  }
  uint64_t count = 1;
  if (star != std::string::npos) count = std::stoull(word.substr(star + 1));
  for (uint64_t i = 0; i < count; ++i) h->Add(first);
}

std::string NumbersOfHistogram(const HistogramImpl& h) {
  HistogramData data;
  h.Data(&data);
  EXPECT_EQ(data.count, h.count());
  EXPECT_EQ(data.sum, h.sum());
  EXPECT_EQ(data.max, static_cast<double>(h.max()));
  EXPECT_EQ(data.median, h.Percentile(50));
  EXPECT_EQ(data.percentile99, h.Percentile(99));
  EXPECT_EQ(data.standard_deviation, h.StandardDeviation());
  EXPECT_EQ(h.Empty(), h.count() == 0);
  return StringPrintf(
      "count %llu, sum %llu, %.0f to %.0f, average %.4f, deviation %.4f",
      static_cast<unsigned long long>(data.count),
      static_cast<unsigned long long>(data.sum), data.min, data.max,
      data.average, data.standard_deviation);
}

std::string RunHistogramCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  if (command.verb() == "text") {
    HistogramImpl h;
    for (const std::string& word : command.words()) AddValues(word, &h);
    return h.ToString();
  }
  const ScriptCalls calls = {
      {"numbers",
       [](const CallArguments& a) {
         HistogramImpl h;
         for (const std::string& word : a.all()) AddValues(word, &h);
         return NumbersOfHistogram(h);
       }},
      {"percentile",
       [](const CallArguments& a) {
         HistogramImpl h;
         for (const std::string& word : a.From(1)) AddValues(word, &h);
         return StringPrintf("%.4f", h.Percentile(std::stod(a[0])));
       }},
      {"merged",
       [](const CallArguments& a) {
         HistogramImpl h, other;
         HistogramImpl* into = &h;
         for (const std::string& word : a.all()) {
           if (word == "|") {
             into = &other;
           } else {
             AddValues(word, into);
           }
         }
         h.Merge(other);
         return NumbersOfHistogram(h);
       }},
      {"bucket", [](const CallArguments& a) {
         const size_t i = histogram_buckets::IndexForValue(a.Number(0));
         return std::to_string(histogram_buckets::kLimits[i]);
       }}};
  return AnswerCalls(c, calls);
}

TEST(HistogramTest, CasesOfTheScript) {
  EXPECT_GE(RunScript("monitoring/histogram.txt", RunHistogramCase), 11u)
      << "cases went missing";
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
