// Ends the program where a database hangs that is closed after an error.
//
// Threads    One of its own, from Watch() until it is destroyed.

#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::bench {

class ShutdownWatchdog {
 public:
  ShutdownWatchdog() = default;
  ~ShutdownWatchdog();
  ShutdownWatchdog(const ShutdownWatchdog&) = delete;
  ShutdownWatchdog& operator=(const ShutdownWatchdog&) = delete;

  // `error` is what the program ends with. Unless this is destroyed within
  // --fatal_shutdown_watchdog_seconds, it says so and ends at once. Once only.
  void Watch(const Status& error);

 private:
  void Wait(const std::string& error);

  std::mutex mutex_;  // Guards is_over_.
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
