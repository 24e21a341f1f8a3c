// Tries again, after a background error that may pass by itself, until the
// database works again, the tries are used up, or it closes.
//
// Threads    Start() and Stop() from any thread but the tries'. The tries run
//            in a thread of their own, which exists while there are any.
// Ownership  Once Stop() or the destructor has returned, no try runs or will.
#pragma once

#include <cstdint>
#include <functional>
#include <thread>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"
#include "util/stoppable_wait.h"

namespace ROCKSDB_NAMESPACE {

enum class ResumeOutcome {
  kDone,
  kTryAgain,  // the cause is still there
  kHopeless,  // no try will help
};

class AutoResume {
 public:
  struct Plan {
    int max_tries = 0;
    uint64_t interval_micros = 0;  // between two tries
  };
  // `attempt` is one try. `end` is called after the last one, with the count
  // of tries.
  AutoResume(SystemClock* clock, std::function<ResumeOutcome()> attempt,
             std::function<void(int tries)> end);
  ~AutoResume() { Stop(); }
  AutoResume(const AutoResume&) = delete;
  AutoResume& operator=(const AutoResume&) = delete;

  // Tries at once, then by the plan. False: it is at work already, and looks
  // again when it has succeeded; or it was stopped.
  bool Start(const Plan& plan) EXCLUDES(mutex_);
  // For good.
  void Stop() EXCLUDES(mutex_);

 private:
  void Work(const Plan& plan) EXCLUDES(mutex_);
  ResumeOutcome TryOnce() EXCLUDES(mutex_);

  const std::function<ResumeOutcome()> attempt_;
  const std::function<void(int)> end_;
  StoppableWait pause_;  // between two tries
  Mutex mutex_;
  bool is_working_ GUARDED_BY(mutex_) = false;
  bool is_wanted_again_ GUARDED_BY(mutex_) = false;
  bool is_stopped_ GUARDED_BY(mutex_) = false;
  std::thread thread_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
