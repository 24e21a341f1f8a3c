#include "env/job_threads.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "env/posix/posix_threads.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Clock = std::chrono::steady_clock;

constinit thread_local Clock::time_point turn_began;

}  // namespace

constinit thread_local JobThreads* JobThreads::threads_of_this_ = nullptr;
constinit thread_local uint64_t JobThreads::turns_of_this_ = 0;

// Where nobody waits, the thread goes on at once.
void JobThreads::EndTurnIfLong() {
  if (is_urgent_.load(std::memory_order_relaxed)) return;
  if (Clock::now() - turn_began < std::chrono::microseconds(kTurnMicros)) {
    return;
  }
  std::this_thread::yield();
  ++turns_of_this_;
  turn_began = Clock::now();
}

JobThreads::Membership::Membership(JobThreads* threads)
    : threads_(threads),
      thread_(ThisThreadId()),
      is_usual_(WakesOf(thread_) == Wakes::kAtOnce),
      outer_(threads_of_this_) {
  if (!is_usual_) return;
  threads_of_this_ = threads_;
  MutexLock lock(&threads_->mutex_);
  threads_->members_.push_back(thread_);
  if (!threads_->is_urgent_.load()) SetWakes(thread_, Wakes::kInTurn);
}

JobThreads::Membership::~Membership() {
  if (!is_usual_) return;
  threads_of_this_ = outer_;
  MutexLock lock(&threads_->mutex_);
  std::vector<int>& members = threads_->members_;
  const auto own = std::find(members.begin(), members.end(), thread_);
  INVARIANT(own != members.end());
  members.erase(own);
  SetWakes(thread_, Wakes::kAtOnce);
}

std::thread JobThreads::StartHelper(std::function<void()> run) {
  JobThreads* const own = threads_of_this_;
  if (own == nullptr) return std::thread(std::move(run));
  return std::thread([own, run = std::move(run)] {
    SetWakes(ThisThreadId(), Wakes::kAtOnce);
    const Membership membership(own);
    run();
  });
}

std::thread JobThreads::StartOutside(std::function<void()> run) {
  if (threads_of_this_ == nullptr) return std::thread(std::move(run));
  return std::thread([run = std::move(run)] {
    SetWakes(ThisThreadId(), Wakes::kAtOnce);
    run();
  });
}

void JobThreads::SetUrgent(bool is_urgent) {
  MutexLock lock(&mutex_);
  if (is_urgent_.load() == is_urgent) return;
  is_urgent_.store(is_urgent);
  for (const int thread : members_) {
    SetWakes(thread, is_urgent ? Wakes::kAtOnce : Wakes::kInTurn);
  }
}

}  // namespace ROCKSDB_NAMESPACE
