#include "db/impl/auto_resume.h"

#include <utility>

#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

AutoResume::AutoResume(SystemClock* clock,
                       std::function<ResumeOutcome()> attempt,
                       std::function<void(int)> end)
    : clock_(clock),
      attempt_(std::move(attempt)),
      end_(std::move(end)),
      changed_(&mutex_) {
  INVARIANT(clock_ != nullptr);
  INVARIANT(attempt_ != nullptr && end_ != nullptr);
}

bool AutoResume::Start(const Plan& plan) {
  INVARIANT(plan.max_tries > 0);
  MutexLock lock(&mutex_);
  if (is_stopped_) return false;
  if (is_working_) {
    is_wanted_again_ = true;
    return false;
  }
  // The one before has left Work().
  if (thread_.joinable()) thread_.join();
  is_working_ = true;
  thread_ = std::thread([this, plan] { Work(plan); });
  return true;
}

void AutoResume::Stop() {
  std::thread last;
  {
    MutexLock lock(&mutex_);
    is_stopped_ = true;
    changed_.SignalAll();
    last = std::move(thread_);
  }
  if (last.joinable()) last.join();
}

bool AutoResume::Pause(uint64_t micros) {
  const uint64_t until = MonotonicMicros(clock_) + micros;
  MutexLock lock(&mutex_);
  uint64_t now = MonotonicMicros(clock_);
  while (!is_stopped_ && now < until) {
    changed_.WaitFor(until - now);
    now = MonotonicMicros(clock_);
  }
  return !is_stopped_;
}

ResumeOutcome AutoResume::TryOnce() {
  {
    MutexLock lock(&mutex_);
    if (is_stopped_) return ResumeOutcome::kHopeless;
    is_wanted_again_ = false;
  }
  return attempt_();
}

void AutoResume::Work(const Plan& plan) {
  bool goes_on = true;
  while (goes_on) {
    int tries = 1;
    ResumeOutcome outcome = TryOnce();
    while (outcome == ResumeOutcome::kTryAgain && tries < plan.max_tries &&
           Pause(plan.interval_micros)) {
      ++tries;
      outcome = TryOnce();
    }
    end_(tries);
    MutexLock lock(&mutex_);
    INVARIANT(is_working_);
    // Another error since the try that succeeded.
    goes_on =
        outcome == ResumeOutcome::kDone && is_wanted_again_ && !is_stopped_;
    is_working_ = goes_on;
  }
}

}  // namespace ROCKSDB_NAMESPACE
