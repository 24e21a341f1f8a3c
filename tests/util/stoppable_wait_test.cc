// Waits that somebody ends: those that pass, and those that do not.
#include "util/stoppable_wait.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace ROCKSDB_NAMESPACE {
namespace {

// Time passes only when somebody asks for it, by 1,000 microseconds.
class FleetingClock final : public SystemClock {
 public:
  const char* Name() const override { return "FleetingClock"; }
  uint64_t NowMicros() override { return micros_ += 1'000; }
  void SleepForMicroseconds(int /*micros*/) override {}
  Status GetCurrentTime(int64_t* unix_time) override {
    *unix_time = static_cast<int64_t>(micros_ / 1'000'000);
    return Status::OK();
  }
  std::string TimeToString(uint64_t time) override {
    return std::to_string(time);
  }
  uint64_t micros() const { return micros_; }

 private:
  std::atomic<uint64_t> micros_{0};
};

TEST(StoppableWaitTest, PassesByItsClock) {
  FleetingClock clock;
  StoppableWait wait(&clock);
  EXPECT_TRUE(wait.For(0));
  const uint64_t before = clock.micros();
  EXPECT_TRUE(wait.For(2'500));
  // For() looks at the clock four times, and each look takes 1,000.
  EXPECT_EQ(clock.micros() - before, 4'000u);
}

TEST(StoppableWaitTest, IsEndedForGood) {
  FleetingClock clock;
  StoppableWait wait(&clock);
  bool passed = true;
  std::thread waiting([&] { passed = wait.For(UINT64_MAX); });
  wait.Stop();
  waiting.join();
  EXPECT_FALSE(passed);
  EXPECT_FALSE(wait.For(UINT64_MAX));
  EXPECT_FALSE(wait.For(0));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
