#include "tools/db_bench/shutdown_watchdog.h"

#include <gflags/gflags.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

DEFINE_uint64(fatal_shutdown_watchdog_seconds, 180,
              "After an error, wait so long for the database to close before "
              "the program ends without. 0: as long as it takes.");

namespace ROCKSDB_NAMESPACE::bench {

ShutdownWatchdog::~ShutdownWatchdog() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  thread_.join();
}

void ShutdownWatchdog::Watch(const Status& error) {
  if (FLAGS_fatal_shutdown_watchdog_seconds == 0) return;
  thread_ = std::thread([this, text = error.ToString()] { Wait(text); });
}

void ShutdownWatchdog::Wait(const std::string& error) {
  const std::chrono::seconds patience(FLAGS_fatal_shutdown_watchdog_seconds);
  std::unique_lock<std::mutex> lock(mutex_);
  if (over_.wait_for(lock, patience, [this] { return is_over_; })) return;
  fprintf(stderr, "db_bench: %s; the database does not close: left as it is\n",
          error.c_str());
  fflush(stdout);
  std::_Exit(1);
}

}  // namespace ROCKSDB_NAMESPACE::bench
