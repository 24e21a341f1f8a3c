// How the kernel schedules the engine's background threads, changed from
// outside: an experiment that needs nothing of the engine.
//
// The threads are known by their names, which begin with "rocksdb:"; new ones
// are looked for some times a second.

#pragma once

#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <thread>

#include "tools/c_bench/flags.h"

namespace c_bench {

class BackgroundScheduling {
 public:
  // By --background_policy and --background_slice_micros; nothing without.
  explicit BackgroundScheduling(const Flags& flags);
  ~BackgroundScheduling();
  BackgroundScheduling(const BackgroundScheduling&) = delete;
  BackgroundScheduling& operator=(const BackgroundScheduling&) = delete;

 private:
  void Watch();
  void Change(const std::string& id);

  uint32_t policy_ = 0;
  uint64_t slice_nanos_ = 0;
  std::set<std::string> changed_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace c_bench
