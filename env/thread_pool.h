// Threads that run jobs in the order in which they were given.
//
// The number of threads follows SetBackgroundThreads(); threads start when a
// job first needs them. A job may carry a tag, under which it can be taken
// back as long as it waits.
//
// Threads    Safe for concurrent use, jobs included, but a job must not join
//            the pool that runs it.
// Ownership  The destructor joins: running jobs end, waiting ones are dropped.

#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/port_defs.h"
#include "rocksdb/threadpool.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ThreadPoolImpl : public ThreadPool {
 public:
  struct Job {
    std::function<void()> run;
    // Called instead of run() when the job is taken back; may be empty.
    std::function<void()> taken_back;
    void* tag = nullptr;
  };

  // Threads are called `name`.
  explicit ThreadPoolImpl(std::string name, int thread_count = 0);
  ~ThreadPoolImpl() override;

  void Schedule(Job&& job) EXCLUDES(mutex_);
  // Takes back the waiting jobs of `tag`; answers how many.
  int Unschedule(void* tag) EXCLUDES(mutex_);

  void JoinAllThreads() override;
  void WaitForJobsAndJoinAllThreads() override;
  void SetBackgroundThreads(int count) override;
  // Only raises it.
  void IncBackgroundThreadsIfNeeded(int count) EXCLUDES(mutex_);
  int GetBackgroundThreads() override;
  unsigned int GetQueueLen() const override;
  void SubmitJob(const std::function<void()>& job) override;
  void SubmitJob(std::function<void()>&& job) override;
  int ReserveThreads(int count) override;
  int ReleaseThreads(int count) override;

  // Applied by each thread before its next job.
  void LowerIoPriority() EXCLUDES(mutex_);
  void SetCpuPriority(CpuPriority priority) EXCLUDES(mutex_);

 private:
  enum class Exit { kNo, kAfterCurrentJob, kWhenIdle };

  void Main(int index) EXCLUDES(mutex_);
  // Waits for work; false when thread `index` is to end. `job` holds the last
  // job, or is empty at first.
  bool NextJob(int index, Job* job) EXCLUDES(mutex_);
  int IdleCountLocked() const REQUIRES(mutex_);
  bool IsExcessiveLocked(int index) const REQUIRES(mutex_);
  // Not while the pool is joined.
  void StartThreadsLocked() REQUIRES(mutex_);
  // Waits for a join that is under way, too.
  void Join(Exit exit) EXCLUDES(mutex_);
  void ApplyPriorities(CpuPriority* cpu, bool* is_io_lowered) EXCLUDES(mutex_);

  const std::string name_;

  mutable Mutex mutex_;
  CondVar work_;    // Signalled when a thread has something to do.
  CondVar joined_;  // Signalled when a join has ended.
  std::deque<Job> queue_ GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ GUARDED_BY(mutex_);
  // Left when the limit was lowered; still to be joined.
  std::vector<std::thread> left_ GUARDED_BY(mutex_);
  int limit_ GUARDED_BY(mutex_);
  int busy_count_ GUARDED_BY(mutex_) = 0;
  int reserved_count_ GUARDED_BY(mutex_) = 0;
  Exit exit_ GUARDED_BY(mutex_) = Exit::kNo;
  bool is_io_lowered_ GUARDED_BY(mutex_) = false;
  CpuPriority cpu_priority_ GUARDED_BY(mutex_) = CpuPriority::kNormal;
};

}  // namespace ROCKSDB_NAMESPACE
