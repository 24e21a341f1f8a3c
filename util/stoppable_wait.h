// Waits of a thread that somebody else may end for good, as when what it works
// for is closed.
//
// Threads  Safe for concurrent use.
#pragma once

#include <cstdint>

#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class StoppableWait {
 public:
  explicit StoppableWait(SystemClock* clock);

  // Until this much time of the clock has passed. False: stopped, before or
  // meanwhile.
  bool For(uint64_t micros) EXCLUDES(mutex_);
  // Ends waits, those to come too.
  void Stop() EXCLUDES(mutex_);

 private:
  SystemClock* const clock_;
  Mutex mutex_;
  CondVar changed_{&mutex_};
  bool is_stopped_ GUARDED_BY(mutex_) = false;
};

}  // namespace ROCKSDB_NAMESPACE
