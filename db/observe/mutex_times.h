// Times the waits for a database's mutex, where someone asks for that: the
// statistics at StatsLevel::kAll, or the waiting thread's perf context at
// kEnableTime. What the mutex is free for takes no time. Tells the list of
// threads of them, with enable_thread_tracking.
//
// Threads    As the mutex's lockers.
// Ownership  Borrows clock and statistics; the latter may be null.
#pragma once

#include <cstdint>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class Statistics;
class SystemClock;

class MutexTimes final : public LockWaitObserver {
 public:
  enum class Tracking : uint8_t { kOff, kOn };
  MutexTimes(SystemClock* clock, Statistics* statistics, Tracking tracking);

  uint64_t BeforeWait() override;
  void AfterWait(uint64_t before) override;

 private:
  bool AreAskedFor() const;

  SystemClock* const clock_;
  Statistics* const statistics_;
  const Tracking tracking_;
  // The part of the waits that is not counted yet, less than a microsecond;
  // under the mutex.
  uint64_t uncounted_nanos_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
