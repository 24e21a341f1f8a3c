// Paced requests keep to the rate over time, with one small burst after a
// pause, and no wait lasts for ever.
#include "file/io_pace.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/testing/mock_clock.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kMicrosPerSecond = 1'000'000;
constexpr uint64_t kRate = 100'000'000;
// What 20 ms bring.
constexpr uint64_t kBurst = kRate / 50;
// So far ahead that no wait ends by itself: who is not woken hangs.
constexpr uint64_t kPaceFarMicros = 4'000'000'000'000'000;

class IoPaceTest : public testing::Test {
 protected:
  MockClock clock_{kPaceFarMicros};
  IoPace pace_{&clock_};
};

TEST_F(IoPaceTest, WithoutARateNothingWaits) {
  EXPECT_EQ(pace_.rate(), 0u);
  pace_.Charge(uint64_t{1} << 60);
  EXPECT_TRUE(pace_.HasCredit());
  pace_.WaitForCredit();
  EXPECT_EQ(pace_.wait_micros(), 0u);
  pace_.SetRate(kRate);
  EXPECT_TRUE(pace_.HasCredit()) << "what went out before is not owed";
}

TEST_F(IoPaceTest, OverTimeTheRateIsKept) {
  pace_.SetRate(kRate);
  uint64_t sum = 0;
  for (int step = 0; step < 1000; ++step) {
    for (; pace_.HasCredit(); sum += 65536) pace_.Charge(65536);
    clock_.Advance(1000);
  }
  EXPECT_GE(sum, kRate);
  EXPECT_LE(sum, kRate + kBurst + 65536);
}

TEST_F(IoPaceTest, APauseBringsOneBurst) {
  pace_.SetRate(kRate);
  clock_.Advance(3600 * kMicrosPerSecond);
  uint64_t sum = 0;
  for (; pace_.HasCredit(); sum += 4096) pace_.Charge(4096);
  EXPECT_GE(sum, kBurst);
  EXPECT_LT(sum, kBurst + 4096);
}

TEST_F(IoPaceTest, ALargeRequestIsPaidForLater) {
  pace_.SetRate(kRate);
  pace_.Charge(kBurst + kRate / 2);
  EXPECT_FALSE(pace_.HasCredit());
  clock_.Advance(kMicrosPerSecond / 2);
  EXPECT_FALSE(pace_.HasCredit());
  clock_.Advance(1);
  EXPECT_TRUE(pace_.HasCredit());
}

TEST_F(IoPaceTest, AClockSetBackBringsNothing) {
  pace_.SetRate(kRate);
  pace_.Charge(2 * kBurst);
  clock_.SetNowMicros(kPaceFarMicros / 2);
  EXPECT_FALSE(pace_.HasCredit());
  clock_.Advance(kMicrosPerSecond);
  EXPECT_TRUE(pace_.HasCredit());
}

TEST_F(IoPaceTest, TheSmallestAndTheGreatestRate) {
  pace_.SetRate(1);
  EXPECT_TRUE(pace_.HasCredit());
  pace_.Charge(1 << 20);
  EXPECT_FALSE(pace_.HasCredit());
  pace_.SetRate(UINT64_MAX);
  clock_.Advance(kMicrosPerSecond);
  EXPECT_TRUE(pace_.HasCredit());
  pace_.Charge(INT64_MAX / 2);
  EXPECT_FALSE(pace_.HasCredit());
}

TEST_F(IoPaceTest, ANewRateWakesTheWaiting) {
  pace_.SetRate(kRate);
  pace_.Charge(10 * kRate);
  std::atomic<bool> is_over{false};
  std::thread waiter([&] {
    while (!pace_.HasCredit()) pace_.WaitForCredit();
    is_over.store(true);
  });
  EXPECT_FALSE(is_over.load());
  pace_.SetRate(0);
  waiter.join();
  EXPECT_TRUE(is_over.load());
}

TEST(IoPaceClockTest, AWaitEndsByItself) {
  IoPace pace;  // The clock of the operating system.
  pace.SetRate(kRate);
  // A thread that does not get to run meanwhile need not wait.
  while (pace.wait_micros() == 0) {
    pace.Charge(kBurst + kRate / 100);
    while (!pace.HasCredit()) pace.WaitForCredit();
  }
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
