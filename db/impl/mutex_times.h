// Times the waits for a database's mutex, where someone asks for that: the
// statistics at StatsLevel::kAll, or the waiting thread's perf context at
// kEnableTime. What the mutex is free for takes no time.
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
  MutexTimes(SystemClock* clock, Statistics* statistics);

  uint64_t BeforeWait() override;
  void AfterWait(uint64_t before) override;

 private:
  bool AreAskedFor() const;

  SystemClock* const clock_;
  Statistics* const statistics_;
  // Of less than a microsecond, not counted yet; under the mutex.
  uint64_t uncounted_nanos_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
