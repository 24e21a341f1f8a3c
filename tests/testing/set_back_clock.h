// A clock whose time of day is set back while time goes on.
//
// Threads  Safe for concurrent use.
#pragma once

#include <atomic>
#include <cstdint>

#include "tests/testing/mock_clock.h"

namespace ROCKSDB_NAMESPACE {

class SetBackClock : public MockClock {
 public:
  using MockClock::MockClock;

  uint64_t NowMicros() override {
    return MockClock::NowMicros() - set_back_micros_.load();
  }
  void SetBack(uint64_t micros) { set_back_micros_ += micros; }

 private:
  std::atomic<uint64_t> set_back_micros_{0};
};

}  // namespace ROCKSDB_NAMESPACE
