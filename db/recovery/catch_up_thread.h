// Calls a follower's rounds of catching up, one every so often, in a thread of
// its own: a round may wait for the leader, which must hold up nobody else.
//
// Threads    Start() once; Pause() and Stop() from any thread.
// Ownership  Once Stop() or the destructor has returned, no round runs or will.
#pragma once

#include <cstdint>
#include <functional>
#include <thread>

#include "rocksdb/status.h"
#include "rocksdb/system_clock.h"
#include "util/stoppable_wait.h"

namespace ROCKSDB_NAMESPACE {

class CatchUpThread {
 public:
  CatchUpThread(SystemClock* clock, std::function<void()> round);
  ~CatchUpThread() { Stop(); }
  CatchUpThread(const CatchUpThread&) = delete;
  CatchUpThread& operator=(const CatchUpThread&) = delete;

  // The first round comes after one period, each other one a period after the
  // end of the one before. Aborted: the system has no thread to give.
  [[nodiscard]] Status Start(uint64_t period_micros);
  // For good. Not by a round.
  void Stop();
  // A wait that Stop() ends. False: stopped.
  bool Pause(uint64_t micros) { return wait_.For(micros); }

 private:
  const std::function<void()> round_;
  StoppableWait wait_;
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE
