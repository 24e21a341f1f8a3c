// The threads that work for a database in the background, and their manners:
// one that wakes up, from I/O say, takes no processor from a thread that runs,
// lest a user who runs there waits until it has done what it woke up for. It
// goes on where a processor is free, or in its turn. While flush and level 0
// are urgent, they wake up as any thread does: users wait for them then.
//
// The kernel's policy SCHED_BATCH means that; a thread keeps its share of the
// processors by it. One with another policy than the usual is left alone.
// A user's thread that wakes up may find a job on its processor, and the kernel
// lets that run on for milliseconds: so a job gives way of itself in between.
//
// Threads  Safe for concurrent use.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class JobThreads {
 public:
  JobThreads() = default;
  JobThreads(const JobThreads&) = delete;
  JobThreads& operator=(const JobThreads&) = delete;

  // While it lives the calling thread is one of them; afterwards it has its
  // own policy again, since the environment's threads serve others too. A
  // thread inherits the policy of the one that starts it: see Start...(). One
  // that an application starts from a callback inherits it, too.
  class Membership {
   public:
    explicit Membership(JobThreads* threads);
    ~Membership();
    Membership(const Membership&) = delete;
    Membership& operator=(const Membership&) = delete;

   private:
    JobThreads* const threads_;
    const int thread_;
    const bool is_usual_;
    JobThreads* const outer_;  // what the thread was a member of before
  };

  // Starts a thread that helps the calling one, and ends before its job: a
  // member of what that is a member of. Throws as std::thread does.
  static std::thread StartHelper(std::function<void()> run);
  // Starts one that is of use to others, or for longer: as if the calling
  // thread were no member of anything.
  static std::thread StartOutside(std::function<void()> run);

  void SetUrgent(bool is_urgent) EXCLUDES(mutex_);

  // Between two steps of work, of some ten microseconds each: if the calling
  // thread is a member, is not urgent, and has run for about kTurnMicros, then
  // whoever waits for its processor goes first. Not to be called with a lock
  // held that users wait for.
  static void GiveWay() {
    if (threads_of_this_ != nullptr) threads_of_this_->EndTurnIfLong();
  }
  // How often the calling thread gave way.
  static uint64_t TurnsOfThisThread() { return turns_of_this_; }
  // 0.7 of the P99, beside compaction, of reads that were due at fixed times
  // (20 000 a second beside a writer of 100 MB/s; the page cache had the keys).
  static constexpr int64_t kTurnMicros = 100;

 private:
  void EndTurnIfLong();

  static constinit thread_local JobThreads* threads_of_this_;
  static constinit thread_local uint64_t turns_of_this_;

  Mutex mutex_;
  // Written with the mutex held.
  std::atomic<bool> is_urgent_{false};
  std::vector<int> members_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
