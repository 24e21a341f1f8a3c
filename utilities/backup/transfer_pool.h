// The threads that copy and read files for an engine of backups or checkpoints.
// They have the manners of job threads.
//
// Threads  RunAll() from any number of threads at once; their jobs take turns.
// Errors   A job that throws is Aborted.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "env/job_threads.h"
#include "rocksdb/io_status.h"
#include "rocksdb/port_defs.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

// `function` with what it throws as Aborted: "Exception in <what>: ...".
IOStatus CallGuarded(const char* what, const std::function<void()>& function);

class TransferPool {
 public:
  using Job = std::function<IOStatus()>;

  // The threads get `thread_name`, which outlives them.
  explicit TransferPool(int thread_count,
                        const char* thread_name = "rocksdb:backup");
  ~TransferPool();
  TransferPool(const TransferPool&) = delete;
  TransferPool& operator=(const TransferPool&) = delete;

  // Runs the jobs and waits for them. Once one has failed, those that have not
  // begun are not run; the answer is that of the first in the list that failed.
  IOStatus RunAll(const std::vector<Job>& jobs) EXCLUDES(mutex_);

  // Each thread goes down to this priority before its next job, for ever.
  void LowerCpuPriority(CpuPriority priority) EXCLUDES(mutex_);

 private:
  // The jobs of one RunAll().
  struct Batch {
    const std::vector<Job>* jobs;
    std::vector<IOStatus> statuses;
    size_t left;
    bool has_failed = false;
  };
  struct Task {
    Batch* batch;
    size_t index;
  };

  void Work() EXCLUDES(mutex_);

  const char* const thread_name_;
  JobThreads job_threads_;
  Mutex mutex_;
  CondVar wakes_{&mutex_};
  CondVar finished_{&mutex_};
  std::deque<Task> tasks_ GUARDED_BY(mutex_);
  CpuPriority priority_ GUARDED_BY(mutex_) = CpuPriority::kNormal;
  bool is_ending_ GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace ROCKSDB_NAMESPACE
