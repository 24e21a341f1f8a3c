// Bytes take as long as the rate says, by priority and without starving any,
// and the auto-tuned rate follows demand.
#include "file/rate_limiter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/statistics.h"
#include "tests/testing/mock_clock.h"
#include "tests/testing/set_back_clock.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int64_t kPeriodMicros = 100'000;

class RateLimiterTest : public ::testing::Test {
 protected:
  std::unique_ptr<GenericRateLimiter> New(RateLimiterSettings settings) {
    settings.refill_period_micros = kPeriodMicros;
    return std::make_unique<GenericRateLimiter>(settings, clock_);
  }

  const std::shared_ptr<MockClock> clock_ = std::make_shared<MockClock>();
};

TEST_F(RateLimiterTest, BytesTakeAsLongAsTheRateSays) {
  const auto limiter = New({.bytes_per_second = 1'000'000});
  EXPECT_EQ(limiter->GetSingleBurstBytes(), 100'000);
  const uint64_t start = clock_->NowMicros();
  for (int i = 0; i < 100; ++i) {
    limiter->Request(50'000, Env::IO_LOW, nullptr);
  }
  // Five million bytes, the first refill at once.
  EXPECT_EQ(clock_->NowMicros() - start, 4'900'000u);
  EXPECT_EQ(limiter->GetTotalBytesThrough(Env::IO_LOW), 5'000'000);
  EXPECT_EQ(limiter->GetTotalBytesThrough(Env::IO_HIGH), 0);
  EXPECT_EQ(limiter->GetTotalRequests(Env::IO_TOTAL), 100);
}

TEST_F(RateLimiterTest, RequestsAboveOneRefillAreServedInParts) {
  const auto limiter = New({.bytes_per_second = 1'000'000});
  const uint64_t start = clock_->NowMicros();
  limiter->Request(450'000, Env::IO_LOW, nullptr);
  EXPECT_EQ(clock_->NowMicros() - start, 400'000u);
  // What the last refill left is still there.
  limiter->Request(50'000, Env::IO_LOW, nullptr);
  EXPECT_EQ(clock_->NowMicros() - start, 400'000u);
}

TEST_F(RateLimiterTest, IdleTimeSavesNothingUp) {
  const auto limiter = New({.bytes_per_second = 1'000'000});
  clock_->Advance(60'000'000);
  const uint64_t start = clock_->NowMicros();
  limiter->Request(100'000, Env::IO_LOW, nullptr);
  limiter->Request(100'000, Env::IO_LOW, nullptr);
  EXPECT_EQ(clock_->NowMicros() - start, 100'000u);
}

TEST_F(RateLimiterTest, ModeSaysWhatIsLimited) {
  using Mode = RateLimiter::Mode;
  using OpType = RateLimiter::OpType;
  for (const Mode mode : {Mode::kReadsOnly, Mode::kWritesOnly, Mode::kAllIo}) {
    const auto limiter = New({.bytes_per_second = 1'000, .mode = mode});
    for (const OpType op : {OpType::kRead, OpType::kWrite}) {
      const bool is_limited =
          mode == Mode::kAllIo ||
          ((op == OpType::kRead) == (mode == Mode::kReadsOnly));
      EXPECT_EQ(limiter->IsRateLimited(op), is_limited);
      const int64_t before = limiter->GetTotalRequests(Env::IO_TOTAL);
      limiter->Request(10, Env::IO_HIGH, nullptr, op);
      EXPECT_EQ(limiter->GetTotalRequests(Env::IO_TOTAL) - before,
                is_limited ? 1 : 0);
    }
  }
}

TEST_F(RateLimiterTest, TokensAreAlignedAndAtMostABurst) {
  const auto limiter =
      New({.bytes_per_second = 1'000'000'000, .single_burst_bytes = 10'000});
  const auto write = RateLimiter::OpType::kWrite;
  EXPECT_EQ(limiter->RequestToken(9'000, 0, Env::IO_LOW, nullptr, write),
            9'000u);
  EXPECT_EQ(limiter->RequestToken(50'000, 0, Env::IO_LOW, nullptr, write),
            10'000u);
  EXPECT_EQ(limiter->RequestToken(50'000, 4'096, Env::IO_LOW, nullptr, write),
            8'192u);
  EXPECT_EQ(limiter->RequestToken(50'000, 16'384, Env::IO_LOW, nullptr, write),
            16'384u);
  // Unlimited operations take all.
  EXPECT_EQ(limiter->RequestToken(50'000, 4'096, Env::IO_TOTAL, nullptr, write),
            50'000u);
  EXPECT_EQ(limiter->RequestToken(50'000, 4'096, Env::IO_LOW, nullptr,
                                  RateLimiter::OpType::kRead),
            50'000u);
}

// More microseconds than an `int` holds.
TEST_F(RateLimiterTest, APeriodOfAnHourIsWaitedFor) {
  constexpr int64_t kHourMicros = 3'600'000'000;
  GenericRateLimiter limiter(
      {.bytes_per_second = 1'000, .refill_period_micros = kHourMicros}, clock_);
  const uint64_t start = clock_->NowMicros();
  limiter.Request(3'600'000, Env::IO_LOW, nullptr);
  EXPECT_EQ(clock_->NowMicros(), start);
  limiter.Request(1, Env::IO_LOW, nullptr);
  EXPECT_EQ(clock_->NowMicros() - start, uint64_t{kHourMicros});
}

// An application's own, of which one request may be as large as it likes.
class BurstlessLimiter : public RateLimiter {
 public:
  const char* Name() const override { return "BurstlessLimiter"; }
  void SetBytesPerSecond(int64_t) override {}
  using RateLimiter::Request;
  void Request(const int64_t bytes, const Env::IOPriority,
               Statistics*) override {
    total += bytes;
  }
  int64_t GetSingleBurstBytes() const override { return 0; }
  int64_t GetTotalBytesThrough(const Env::IOPriority) const override {
    return total;
  }
  int64_t GetTotalRequests(const Env::IOPriority) const override { return 0; }
  int64_t GetBytesPerSecond() const override { return 0; }

  int64_t total = 0;
};

TEST(OtherRateLimiterTest, WithoutABurstOneRequestTakesAll) {
  BurstlessLimiter limiter;
  const auto write = RateLimiter::OpType::kWrite;
  for (const size_t alignment : {0, 1, 4'096}) {
    EXPECT_EQ(
        limiter.RequestToken(40'960, alignment, Env::IO_LOW, nullptr, write),
        40'960u);
  }
  EXPECT_EQ(limiter.total, 3 * 40'960);
}

TEST_F(RateLimiterTest, RateAndBurstCanBeChanged) {
  const auto limiter = New({.bytes_per_second = 1'000'000});
  limiter->SetBytesPerSecond(2'000'000);
  EXPECT_EQ(limiter->GetBytesPerSecond(), 2'000'000);
  EXPECT_EQ(limiter->GetSingleBurstBytes(), 200'000);
  ASSERT_TRUE(limiter->SetSingleBurstBytes(5).ok());
  EXPECT_EQ(limiter->GetSingleBurstBytes(), 5);
  EXPECT_TRUE(limiter->SetSingleBurstBytes(-1).IsInvalidArgument());
  limiter->SetBytesPerSecond(0);
  EXPECT_EQ(limiter->GetBytesPerSecond(), 1);
}

TEST_F(RateLimiterTest, WaitsAreCounted) {
  const auto limiter =
      New({.bytes_per_second = 1'000'000, .mode = RateLimiter::Mode::kAllIo});
  const std::shared_ptr<Statistics> stats = CreateDBStatistics();
  limiter->Request(100'000, Env::IO_LOW, stats.get(),
                   RateLimiter::OpType::kWrite);
  EXPECT_EQ(stats->getTickerCount(NUMBER_RATE_LIMITER_DRAINS), 0u);
  limiter->Request(100'000, Env::IO_LOW, stats.get(),
                   RateLimiter::OpType::kRead);
  EXPECT_EQ(stats->getTickerCount(NUMBER_RATE_LIMITER_DRAINS), 1u);
  EXPECT_EQ(stats->getTickerCount(RATE_LIMITER_BYTES_WRITE), 100'000u);
  EXPECT_EQ(stats->getTickerCount(RATE_LIMITER_DELAYED_REQUESTS_WRITE), 0u);
  EXPECT_EQ(stats->getTickerCount(RATE_LIMITER_DELAYED_REQUESTS_READ), 1u);
  EXPECT_EQ(stats->getTickerCount(RATE_LIMITER_TOTAL_WAIT_MICROS_READ),
            100'000u);
}

TEST_F(RateLimiterTest, TunedRateFollowsDemand) {
  const auto limiter =
      New({.bytes_per_second = 1'000'000, .is_auto_tuned = true});
  EXPECT_EQ(limiter->GetBytesPerSecond(), 500'000);
  for (int i = 0; i < 3'000; ++i) {
    limiter->Request(limiter->GetSingleBurstBytes(), Env::IO_LOW, nullptr);
  }
  EXPECT_EQ(limiter->GetBytesPerSecond(), 1'000'000);
  for (int i = 0; i < 300; ++i) {
    clock_->Advance(kPeriodMicros);
    limiter->Request(1, Env::IO_LOW, nullptr);
  }
  EXPECT_EQ(limiter->GetBytesPerSecond(), 50'000);
}

// Bursts that leave most of the time without a request need no more.
TEST_F(RateLimiterTest, TunedRateCountsIdleTime) {
  const auto limiter =
      New({.bytes_per_second = 1'000'000, .is_auto_tuned = true});
  ASSERT_EQ(limiter->GetBytesPerSecond(), 500'000);
  for (int round = 0; round < 60; ++round) {
    for (int i = 0; i < 10; ++i) {
      limiter->Request(limiter->GetSingleBurstBytes(), Env::IO_LOW, nullptr);
    }
    clock_->Advance(90 * kPeriodMicros);
  }
  EXPECT_LT(limiter->GetBytesPerSecond(), 500'000);
}

TEST_F(RateLimiterTest, AClockThatIsSetBackHoldsNobodyUp) {
  const auto clock = std::make_shared<SetBackClock>();
  GenericRateLimiter limiter(
      {.bytes_per_second = 1'000'000, .refill_period_micros = kPeriodMicros},
      clock);
  limiter.Request(100'000, Env::IO_LOW, nullptr);
  constexpr uint64_t kHourMicros = 3'600'000'000;
  clock->SetBack(kHourMicros);
  limiter.Request(100'000, Env::IO_LOW, nullptr);
  EXPECT_EQ(clock->slept_micros(), uint64_t{kPeriodMicros});
}

// A clock whose sleepers wait until they are let go.
class GateClock : public MockClock {
 public:
  void SleepForMicroseconds(int micros) override {
    ++sleepers_;
    sleepers_.notify_all();
    gate_.wait(false);
    MockClock::SleepForMicroseconds(micros);
  }
  void AwaitSleeper() { sleepers_.wait(0); }
  void Open() {
    gate_ = true;
    gate_.notify_all();
  }

 private:
  std::atomic<int> sleepers_{0};
  std::atomic<bool> gate_{false};
};

TEST_F(RateLimiterTest, UserRequestsAreServedFirstAndNoneStarves) {
  const auto clock = std::make_shared<GateClock>();
  GenericRateLimiter limiter(
      {.bytes_per_second = 1'000'000, .refill_period_micros = kPeriodMicros},
      clock);
  limiter.Request(100'000, Env::IO_LOW, nullptr);
  // The first waits for a refill and sleeps; the others queue behind it.
  std::thread first([&] { limiter.Request(100'000, Env::IO_USER, nullptr); });
  clock->AwaitSleeper();
  auto pending = [&](Env::IOPriority pri) {
    int64_t count = 0;
    EXPECT_TRUE(limiter.GetTotalPendingRequests(&count, pri).ok());
    return count;
  };
  int64_t users_left = -1;
  std::thread low([&] {
    limiter.Request(100'000, Env::IO_LOW, nullptr);
    users_left = pending(Env::IO_USER);
  });
  while (pending(Env::IO_LOW) != 1) std::this_thread::yield();
  std::thread user([&] { limiter.Request(100'000, Env::IO_USER, nullptr); });
  while (pending(Env::IO_USER) != 2) std::this_thread::yield();
  EXPECT_EQ(pending(Env::IO_TOTAL), 3);
  clock->Open();
  first.join();
  low.join();
  user.join();
  // It came first, and was served last.
  EXPECT_EQ(users_left, 0);
  EXPECT_EQ(pending(Env::IO_TOTAL), 0);
}

TEST_F(RateLimiterTest, ManyThreadsGetAllTheirBytes) {
  const auto limiter = New({.bytes_per_second = 10'000'000});
  const uint64_t start = clock_->NowMicros();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        limiter->Request(10'000 + i, static_cast<Env::IOPriority>(t % 4),
                         nullptr);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const int64_t total = limiter->GetTotalBytesThrough(Env::IO_TOTAL);
  EXPECT_EQ(total, 8 * (100 * 10'000 + 4950));
  // One period's bytes for each period that passed, and the first for free.
  const auto periods =
      static_cast<int64_t>(clock_->NowMicros() - start) / kPeriodMicros;
  EXPECT_GE((periods + 1) * 1'000'000, total);
}

TEST_F(RateLimiterTest, IsMadeFromText) {
  std::shared_ptr<RateLimiter> limiter;
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  ASSERT_TRUE(RateLimiter::CreateFromString(config, "12M", &limiter).ok());
  EXPECT_EQ(limiter->GetBytesPerSecond(), 12 << 20);
  EXPECT_TRUE(
      RateLimiter::CreateFromString(config, "0", &limiter).IsInvalidArgument());
  EXPECT_FALSE(RateLimiter::CreateFromString(config, "no such", &limiter).ok());
  ASSERT_TRUE(RateLimiter::CreateFromString(config, "", &limiter).ok());
  EXPECT_EQ(limiter, nullptr);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
