// ThreadPool: a fixed, adjustable number of threads that run jobs in order.
//
// Threads    Every call may come from any thread; JoinAllThreads and
//            WaitForJobsAndJoinAllThreads not from a job of the pool.
// Ownership  NewThreadPool's result belongs to the caller; deleting it joins.

#pragma once

#include <functional>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class ThreadPool {
 public:
  virtual ~ThreadPool() = default;

  // Ends the threads after their current jobs; waiting jobs are dropped.
  virtual void JoinAllThreads() = 0;

  // Sets the number of threads, up or down.
  virtual void SetBackgroundThreads(int num) = 0;
  virtual int GetBackgroundThreads() = 0;

  // Jobs that wait.
  virtual unsigned int GetQueueLen() const = 0;

  // Runs every waiting job, then ends the threads.
  virtual void WaitForJobsAndJoinAllThreads() = 0;

  virtual void SubmitJob(const std::function<void()>&) = 0;
  virtual void SubmitJob(std::function<void()>&&) = 0;

  // Sets idle threads aside; answers how many.
  virtual int ReserveThreads(int /*threads_to_be_reserved*/) { return 0; }
  virtual int ReleaseThreads(int /*threads_to_be_released*/) { return 0; }
};

ThreadPool* NewThreadPool(int num_threads);

}  // namespace ROCKSDB_NAMESPACE
