// Tick-based times agree with the clock they stand for, and sampled stop
// watches give the distribution of all calls.
#include "monitoring/tick_clock.h"

#include <gtest/gtest.h>
#include <time.h>

#include <cstdint>
#include <string>

#include "monitoring/statistics_impl.h"
#include "monitoring/stop_watch.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TestClock : public SystemClock {
 public:
  const char* Name() const override { return "TestClock"; }
  uint64_t NowMicros() override { return NowNanos() / 1000; }
  void SleepForMicroseconds(int /*micros*/) override {}
  Status GetCurrentTime(int64_t* now) override {
    *now = 0;
    return Status::OK();
  }
  std::string TimeToString(uint64_t /*time*/) override { return ""; }
};

class MonotonicClock final : public TestClock {
 public:
  uint64_t NowNanos() override {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 +
           static_cast<uint64_t>(now.tv_nsec);
  }
};

class SetClock final : public TestClock {
 public:
  uint64_t NowNanos() override { return nanos; }
  uint64_t nanos = 5'000'000;
};

// It stands for one clock a program.
MonotonicClock* ReplacedClock() {
  static MonotonicClock clock;
  static const bool once = [] {
    TickClock::StandFor(&clock);
    return true;
  }();
  EXPECT_TRUE(once);
  return &clock;
}

TEST(TickClockTest, TicksAgreeWithTheClockTheyStandFor) {
  MonotonicClock* const clock = ReplacedClock();
  const uint64_t begin = clock->NowNanos();
  while (!TickClock::Replaces(clock)) {
    if (clock->NowNanos() - begin > 1'000'000'000) {
      GTEST_SKIP() << "ticks are not what the kernel goes by here";
    }
  }
  // Whatever interrupts this, the span lies inside one and around the other.
  const uint64_t before = clock->NowNanos();
  const SpanTimer timer(clock);
  const uint64_t first = clock->NowNanos();
  uint64_t last = first;
  while (last - first < 5'000'000) last = clock->NowNanos();
  const uint64_t span = timer.Nanos();
  const uint64_t after = clock->NowNanos();
  const auto longest = static_cast<double>(after - before);
  const auto shortest = static_cast<double>(last - first);
  EXPECT_LE(static_cast<double>(span), longest * 1.002 + 1000);
  EXPECT_GE(static_cast<double>(span), shortest * 0.998 - 1000);
}

TEST(TickClockTest, OtherClocksAreAskedThemselves) {
  ReplacedClock();
  SetClock clock;
  EXPECT_FALSE(TickClock::Replaces(&clock));
  const SpanTimer timer(&clock);
  EXPECT_EQ(timer.Nanos(), 0u);
  clock.nanos += 1234;
  EXPECT_EQ(timer.Nanos(), 1234u);
  clock.nanos -= 5000;  // It went back.
  EXPECT_EQ(timer.Nanos(), 0u);
}

TEST(TickClockTest, AStopWatchMeasuresWhereItIsAskedTo) {
  SetClock clock;
  StatisticsImpl statistics;
  const auto count = [&] {
    HistogramData data;
    statistics.histogramData(DB_WRITE, &data);
    return data.count;
  };
  const auto take = [&](SystemClock* asked, Statistics* told) {
    const StopWatch watch(asked, told, DB_WRITE);
    clock.nanos += 7000;
  };
  take(&clock, nullptr);
  take(nullptr, &statistics);
  EXPECT_EQ(count(), 0u);
  take(&clock, &statistics);
  EXPECT_EQ(count(), 1u);
  HistogramData data;
  statistics.histogramData(DB_WRITE, &data);
  EXPECT_EQ(data.sum, 7u);
  statistics.set_stats_level(StatsLevel::kExceptTimers);
  take(&clock, &statistics);
  EXPECT_EQ(count(), 1u);
}

// Counts how often it is asked.
class AskedClock final : public TestClock {
 public:
  uint64_t NowNanos() override {
    ++asked;
    return nanos;
  }
  uint64_t asked = 0;
  uint64_t nanos = 0;
};

class OperationWatchTest : public ::testing::Test {
 protected:
  // Operations of `micros` each; how often the clock was asked.
  uint64_t Operate(Statistics* statistics, int count, uint64_t micros) {
    clock_.asked = 0;
    for (int i = 0; i < count; ++i) {
      const OperationWatch watch(&clock_, statistics, DB_WRITE);
      clock_.nanos += micros * 1000;
    }
    return clock_.asked;
  }
  static HistogramData Times(const Statistics& statistics) {
    HistogramData data;
    statistics.histogramData(DB_WRITE, &data);
    return data;
  }

  AskedClock clock_;
};

TEST_F(OperationWatchTest, OneInSomeIsMeasuredAndAllAreCounted) {
  StatisticsImpl statistics;
  constexpr int kFirst = ThreadHistogram::kFirstMeasured;
  EXPECT_EQ(Operate(&statistics, kFirst, 3), 2u * kFirst);
  EXPECT_EQ(Times(statistics).count, uint64_t{kFirst});
  EXPECT_EQ(Times(statistics).sum, 3u * kFirst);
  constexpr int kMany = 16'000;
  const uint64_t asked = Operate(&statistics, kMany, 3);
  EXPECT_GT(asked, 2u * kMany / 18);
  EXPECT_LT(asked, 2u * kMany / 14);
  EXPECT_EQ(Times(statistics).count, uint64_t{kFirst + kMany});
  EXPECT_EQ(Times(statistics).sum, 3u * (kFirst + kMany));
}

TEST_F(OperationWatchTest, TheDistributionIsThatOfAll) {
  StatisticsImpl statistics;
  for (int i = 0; i < 10'000; ++i) {
    Operate(&statistics, 9, 10);
    Operate(&statistics, 1, 1000);
  }
  const HistogramData data = Times(statistics);
  EXPECT_EQ(data.count, 100'000u);
  EXPECT_NEAR(data.average, 109, 109 * 0.1);
  EXPECT_LT(data.median, 11);
  EXPECT_GT(data.percentile95, 500);
}

TEST_F(OperationWatchTest, TheMostDetailedLevelMeasuresEach) {
  StatisticsImpl statistics;
  statistics.set_stats_level(StatsLevel::kAll);
  EXPECT_EQ(Operate(&statistics, 1000, 3), 2000u);
  EXPECT_EQ(Times(statistics).sum, 3000u);
  statistics.set_stats_level(StatsLevel::kExceptTimers);
  EXPECT_EQ(Operate(&statistics, 1000, 3), 0u);
  EXPECT_EQ(Times(statistics).count, 1000u);
  EXPECT_EQ(Operate(nullptr, 1000, 3), 0u);
}

TEST_F(OperationWatchTest, OneThatIsToldByAnotherHearsOfEach) {
  const std::shared_ptr<Statistics> inner = CreateDBStatistics();
  StatisticsImpl outer(inner);
  EXPECT_EQ(Operate(&outer, 1000, 3), 2000u);
  EXPECT_EQ(Times(outer).count, 1000u);
  EXPECT_EQ(Times(*inner).sum, 3000u);
}

TEST_F(OperationWatchTest, AfterAResetTheFirstOnesAreMeasuredAgain) {
  StatisticsImpl statistics;
  Operate(&statistics, 1000, 3);
  {
    // Began before the reset; whether it is measured or not, what was before
    // is gone.
    const OperationWatch watch(&clock_, &statistics, DB_WRITE);
    ASSERT_TRUE(statistics.Reset().ok());
  }
  EXPECT_LE(Times(statistics).count, 1u);
  ASSERT_TRUE(statistics.Reset().ok());
  EXPECT_EQ(Operate(&statistics, 10, 5), 20u);
  EXPECT_EQ(Times(statistics).sum, 50u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
