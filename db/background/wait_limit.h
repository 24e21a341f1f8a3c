// How long a user waits for background work: DB::WaitForCompact(), all of it.
//
// It goes by real time: the clock of a database may stand still.
//
// Threads    Marked (mutex): under the DB mutex. The others any.
// Ownership  Borrows what it is given.
// Errors     TimedOut, and Aborted where background work is held and a user
//            does not wait then.
#pragma once

#include <chrono>
#include <cstdint>

#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ChangeSignal;
class StopSignals;

class WaitLimit {
 public:
  struct Context {
    const BackgroundScheduler* scheduler = nullptr;  // (mutex)
    const StopSignals* stop = nullptr;
    ChangeSignal* changes = nullptr;
  };
  // The time begins here.
  WaitLimit(const Context& context, const WaitForCompactOptions& options)
      : context_(context), options_(options) {}

  const WaitForCompactOptions& options() const { return options_; }
  // Something else than the work may end the wait.
  bool HasEnd() const {
    return options_.timeout.count() != 0 || options_.abort_on_pause;
  }
  // 0: the time is over. UINT64_MAX: it never is.
  uint64_t LeftMicros() const;

  // --- (mutex)
  // Aborted: background work is held, by a pause, or since compactions are
  // aborted.
  Status CheckHeld() const;
  // Until something may have changed, at most for `most_micros`; or why nobody
  // waits any longer.
  Status AwaitChange(uint64_t most_micros = UINT64_MAX) const;

 private:
  using Clock = std::chrono::steady_clock;

  const Context context_;
  const WaitForCompactOptions options_;
  const Clock::time_point begin_ = Clock::now();
};

}  // namespace ROCKSDB_NAMESPACE
