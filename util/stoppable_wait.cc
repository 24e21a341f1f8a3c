#include "util/stoppable_wait.h"

#include <algorithm>

#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A day: what the system waits for must not be more than it can count.
constexpr uint64_t kLongestMicros = uint64_t{86'400} * 1'000'000;

}  // namespace

StoppableWait::StoppableWait(SystemClock* clock) : clock_(clock) {
  INVARIANT(clock_ != nullptr);
}

bool StoppableWait::For(uint64_t micros) {
  const uint64_t since = MonotonicMicros(clock_);
  MutexLock lock(&mutex_);
  uint64_t passed = 0;
  while (!is_stopped_ && passed < micros) {
    changed_.WaitFor(std::min(micros - passed, kLongestMicros));
    passed = MonotonicMicros(clock_) - since;
  }
  return !is_stopped_;
}

void StoppableWait::Stop() {
  MutexLock lock(&mutex_);
  is_stopped_ = true;
  changed_.SignalAll();
}

}  // namespace ROCKSDB_NAMESPACE
