// A yielding reader reads in parts with rests between while others read from
// the device, goes at full speed alone, and keeps nobody waiting for long.
#include "file/yielding_limiter.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/testing/mock_clock.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using OpType = RateLimiter::OpType;

constexpr size_t kPart = YieldingLimiter::kPartBytes;
constexpr size_t kUnit = 4096;
constexpr uint64_t kDeviceMicros = 100;  // for each part

class YieldingLimiterTest : public ::testing::Test {
 protected:
  // Reads `bytes` in as many parts as the limiter makes of them; the device
  // takes kDeviceMicros for each. Returns the number of parts.
  int Read(size_t bytes) {
    int parts = 0;
    while (bytes > 0) {
      const size_t granted = limiter_.RequestToken(bytes, kUnit, Env::IO_LOW,
                                                   nullptr, OpType::kRead);
      clock_.Advance(kDeviceMicros);
      reads_.device_bytes += granted;
      reads_.own_bytes += granted;
      bytes -= granted;
      ++parts;
    }
    return parts;
  }
  // Lets `micros` pass, in which others read `bytes`.
  void LetOthersRead(uint64_t bytes, uint64_t micros) {
    clock_.Advance(micros);
    reads_.device_bytes += bytes;
  }
  // After this the limiter knows that others read.
  void NoticeOthers() {
    Read(kUnit);
    LetOthersRead(1 << 20, YieldingLimiter::kAloneMicros);
    Read(kUnit);
  }

  DiskReads reads_;
  bool is_told_ = true;
  int looks_ = 0;
  MockClock clock_;
  YieldingLimiter limiter_{[this](DiskReads* reads) {
                             ++looks_;
                             *reads = reads_;
                             return is_told_;
                           },
                           &clock_};
};

TEST_F(YieldingLimiterTest, AloneItLimitsNothingButWhileItLooks) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(limiter_.IsRateLimited(OpType::kRead)) << i;
    Read(kPart);
    EXPECT_EQ(i + 1, looks_);
    EXPECT_FALSE(limiter_.IsRateLimited(OpType::kRead)) << i;
    EXPECT_EQ(1, Read(10 * kPart)) << i;
    EXPECT_EQ(i + 1, looks_);
    clock_.Advance(YieldingLimiter::kAloneMicros);
  }
  EXPECT_EQ(0u, clock_.slept_micros());
}

TEST_F(YieldingLimiterTest, BesideOthersItReadsPartsAndRests) {
  NoticeOthers();
  EXPECT_TRUE(limiter_.IsRateLimited(OpType::kRead));
  // How long the device takes is known after the first part.
  EXPECT_EQ(4, Read(4 * kPart));
  const uint64_t before = clock_.slept_micros();
  EXPECT_EQ(10, Read(10 * kPart));
  EXPECT_NEAR(10.0 * kDeviceMicros * YieldingLimiter::kRests,
              static_cast<double>(clock_.slept_micros() - before), 20);
}

TEST_F(YieldingLimiterTest, WhatTheReaderDoesBetweenIsNoTimeOfTheDevice) {
  NoticeOthers();
  Read(8 * kPart);
  const uint64_t before = clock_.slept_micros();
  for (int i = 0; i < 4; ++i) {
    Read(4 * kPart);
    clock_.Advance(3000);
    LetOthersRead(64 << 10, 0);
  }
  EXPECT_NEAR(16.0 * kDeviceMicros * YieldingLimiter::kRests,
              static_cast<double>(clock_.slept_micros() - before), 20);
}

TEST_F(YieldingLimiterTest, NobodyWaitsLongForAReaderThatStoodStill) {
  NoticeOthers();
  Read(kPart);
  clock_.Advance(60'000'000);
  LetOthersRead(64 << 20, 1);
  const uint64_t before = clock_.slept_micros();
  Read(kPart);
  EXPECT_LE(clock_.slept_micros() - before, 50'000u);
}

TEST_F(YieldingLimiterTest, WhenOthersAreGoneItIsFastAgain) {
  NoticeOthers();
  ASSERT_GT(Read(4 * kPart), 1);
  // It stays slow for as long as others read.
  for (int i = 0; i < 20; ++i) {
    LetOthersRead(64 << 10, YieldingLimiter::kBesideMicros);
    EXPECT_EQ(2, Read(2 * kPart)) << i;
  }
  for (uint64_t micros = 0; micros <= YieldingLimiter::kMemoryMicros;
       micros += YieldingLimiter::kBesideMicros) {
    clock_.Advance(YieldingLimiter::kBesideMicros);
    Read(kUnit);
  }
  EXPECT_EQ(1, Read(4 * kPart));
}

TEST_F(YieldingLimiterTest, OwnReadsAndFewOfOthersDoNotCount) {
  Read(kPart);
  for (int i = 0; i < 5; ++i) {
    LetOthersRead(YieldingLimiter::kSeldomBytes / 20,
                  YieldingLimiter::kAloneMicros);
    Read(kPart);
    EXPECT_EQ(1, Read(100 * kPart)) << i;
  }
  // The process reads from another device as well.
  reads_.own_bytes += 1 << 30;
  clock_.Advance(YieldingLimiter::kAloneMicros);
  Read(kPart);
  EXPECT_EQ(1, Read(100 * kPart));
  EXPECT_EQ(0u, clock_.slept_micros());
}

TEST_F(YieldingLimiterTest, WritesAndReadsWithoutPriorityPass) {
  NoticeOthers();
  EXPECT_FALSE(limiter_.IsRateLimited(OpType::kWrite));
  EXPECT_EQ(10 * kPart, limiter_.RequestToken(10 * kPart, 1, Env::IO_TOTAL,
                                              nullptr, OpType::kRead));
}

TEST_F(YieldingLimiterTest, WithoutAnAccountNobodyIsYieldedTo) {
  is_told_ = false;
  Read(kUnit);
  for (int i = 0; i < 3; ++i) {
    LetOthersRead(1 << 30, YieldingLimiter::kAloneMicros);
    Read(kUnit);
    EXPECT_EQ(1, Read(10 * kPart));
  }
  EXPECT_EQ(0u, clock_.slept_micros());
}

TEST_F(YieldingLimiterTest, CountsWhatPassed) {
  NoticeOthers();
  const int64_t bytes = limiter_.GetTotalBytesThrough(Env::IO_TOTAL);
  const int64_t count = limiter_.GetTotalRequests(Env::IO_TOTAL);
  Read(3 * kPart);
  EXPECT_EQ(bytes + static_cast<int64_t>(3 * kPart),
            limiter_.GetTotalBytesThrough(Env::IO_TOTAL));
  EXPECT_EQ(count + 3, limiter_.GetTotalRequests(Env::IO_TOTAL));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
