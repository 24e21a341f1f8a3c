// A thread's own histogram counts all values while it measures a sample, and
// concurrent readers always see one moment.
#include "monitoring/thread_histogram.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

HistogramSnapshot Read(const ThreadHistogram& histogram, uint64_t epoch = 0) {
  HistogramSnapshot snapshot;
  histogram.AddTo(epoch, &snapshot);
  return snapshot;
}

void ExpectSame(const HistogramSnapshot& a, const HistogramSnapshot& b) {
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.sum, b.sum);
  EXPECT_EQ(a.min, b.min);
  EXPECT_EQ(a.max, b.max);
  EXPECT_EQ(a.sum_squares, b.sum_squares);
  EXPECT_EQ(a.buckets, b.buckets);
}

TEST(ThreadHistogramTest, RunsOfValuesAreTheSameAsTheValues) {
  constexpr uint64_t kSeed = 20;
  Random64 random(kSeed);
  ThreadHistogram ours;
  HistogramImpl model;
  ExpectSame(Read(ours), model.Snapshot());
  for (int run = 0; run < 500; ++run) {
    // Zero among them, which a run may begin with.
    const uint64_t value = random.Uniform(5) == 0 ? 0 : random.Uniform(3000);
    for (uint64_t left = 1 + random.Uniform(4); left > 0; --left) {
      ours.Add(value);
      model.Add(value);
    }
    ExpectSame(Read(ours), model.Snapshot());
  }
}

TEST(ThreadHistogramTest, WhatIsNotMeasuredIsAsTheLastThatWas) {
  ThreadHistogram histogram;
  histogram.Add(5);
  histogram.AddLastAgain();
  histogram.Add(100);
  for (int i = 0; i < 3; ++i) histogram.AddLastAgain();
  const HistogramSnapshot snapshot = Read(histogram);
  EXPECT_EQ(snapshot.count, 6u);
  EXPECT_EQ(snapshot.sum, 2u * 5 + 4 * 100);
  EXPECT_EQ(snapshot.min, 5u);
  EXPECT_EQ(snapshot.max, 100u);
}

TEST(ThreadHistogramTest, MeasuresTheFirstOnesAndThenOneInSome) {
  ThreadHistogram histogram;
  for (uint32_t i = 0; i < ThreadHistogram::kFirstMeasured; ++i) {
    EXPECT_TRUE(histogram.IsNextMeasured()) << i;
  }
  constexpr int kAsked = 160'000;
  int measured = 0;
  // By what is left of the number when the rhythm is eight: none is preferred.
  int by_rhythm[8] = {};
  for (int i = 0; i < kAsked; ++i) {
    if (!histogram.IsNextMeasured()) continue;
    ++measured;
    ++by_rhythm[i % 8];
  }
  constexpr int kExpected = kAsked / static_cast<int>(ThreadHistogram::kOneIn);
  EXPECT_NEAR(measured, kExpected, kExpected / 20);
  for (const int count : by_rhythm) {
    EXPECT_NEAR(count, kExpected / 8, kExpected / 80);
  }
  histogram.StartEpoch(1);
  EXPECT_TRUE(histogram.IsNextMeasured());
  EXPECT_TRUE(histogram.IsNextMeasured());
}

TEST(ThreadHistogramTest, AnEpochForgetsTheOneBefore) {
  ThreadHistogram histogram;
  for (const uint64_t value : {7u, 7u, 9u}) histogram.Add(value);
  histogram.StartEpoch(1);
  EXPECT_EQ(Read(histogram, 0).count, 0u);
  EXPECT_EQ(Read(histogram, 1).count, 0u);
  histogram.Add(3);
  const HistogramSnapshot snapshot = Read(histogram, 1);
  EXPECT_EQ(snapshot.count, 1u);
  EXPECT_EQ(snapshot.sum, 3u);
  EXPECT_EQ(snapshot.max, 3u);
}

// What a reader sees is some moment: sum and buckets agree, and the count only
// grows, however runs end meanwhile. Values come in bursts, each after a
// reading has ended: one that never ends would leave no moment between two
// changes.
TEST(ThreadHistogramTest, ReadersSeeAMoment) {
  constexpr uint64_t kValues = 30'000;
  ThreadHistogram histogram;
  std::atomic<bool> is_over{false};
  std::atomic<uint64_t> readings{0};
  std::thread writer([&] {
    for (uint64_t i = 0; i < kValues; ++i) {
      histogram.Add(i % 3 == 0 ? 1'000'000 : 10);
      if (i % 50 != 0) continue;
      const uint64_t before = readings.load();
      while (readings.load() == before) std::this_thread::yield();
    }
    is_over.store(true);
  });
  const size_t small = histogram_buckets::IndexForValue(10);
  const size_t large = histogram_buckets::IndexForValue(1'000'000);
  uint64_t count = 0;
  int torn = 0;
  int backwards = 0;
  while (!is_over.load()) {
    const HistogramSnapshot seen = Read(histogram);
    readings.fetch_add(1);
    const uint64_t sum =
        seen.buckets[small] * 10 + seen.buckets[large] * 1'000'000;
    torn += sum != seen.sum ? 1 : 0;
    backwards += seen.count < count ? 1 : 0;
    count = seen.count;
  }
  writer.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(backwards, 0);
  EXPECT_EQ(Read(histogram).count, kValues);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
