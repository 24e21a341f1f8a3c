#include "db/background/auto_resume.h"

#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

AutoResume::AutoResume(SystemClock* clock,
                       std::function<ResumeOutcome()> attempt,
                       std::function<void(int)> end)
    : attempt_(std::move(attempt)), end_(std::move(end)), pause_(clock) {
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
    last = std::move(thread_);
  }
  pause_.Stop();
  if (last.joinable()) last.join();
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
           pause_.For(plan.interval_micros)) {
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
