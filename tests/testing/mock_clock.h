// A clock that stands still until it is told to move.
//
// Sleeping moves it, so code that paces itself by a clock runs at full speed
// and always the same.
//
// Threads  Safe for concurrent use.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

class MockClock : public SystemClockWrapper {
 public:
  // Starts at `now_micros` since 1970.
  explicit MockClock(
      uint64_t now_micros = 1'000'000'000'000'000,
      const std::shared_ptr<SystemClock>& base = SystemClock::Default())
      : SystemClockWrapper(base), now_nanos_(now_micros * 1000) {}

  static const char* kClassName() { return "MockClock"; }
  const char* Name() const override { return kClassName(); }

  uint64_t NowMicros() override { return now_nanos_.load() / 1000; }
  uint64_t NowNanos() override { return now_nanos_.load(); }
  uint64_t CPUMicros() override { return NowMicros(); }
  uint64_t CPUNanos() override { return NowNanos(); }
  Status GetCurrentTime(int64_t* unix_time) override {
    *unix_time = static_cast<int64_t>(NowMicros() / 1'000'000);
    return Status::OK();
  }

  void SleepForMicroseconds(int micros) override {
    if (micros <= 0) return;
    slept_micros_ += static_cast<uint64_t>(micros);
    Advance(static_cast<uint64_t>(micros));
  }

  void Advance(uint64_t micros) { now_nanos_ += micros * 1000; }
  void SetNowMicros(uint64_t micros) { now_nanos_ = micros * 1000; }

  // Sum of all sleeps.
  uint64_t slept_micros() const { return slept_micros_; }

 private:
  std::atomic<uint64_t> now_nanos_;
  std::atomic<uint64_t> slept_micros_{0};
};

}  // namespace ROCKSDB_NAMESPACE
