// Threads that wait for the device in place of background threads, where no
// asynchronous calls are to be had.
//
// Threads    Safe for concurrent use.
// Ownership  Shared by those that use them; the threads end with the last, when
//            all jobs are done.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

class IoHelpers {
 public:
  // Those of the process, for background work.
  static std::shared_ptr<IoHelpers> Get();

  // At most so many threads, which start as they are needed.
  explicit IoHelpers(int most_threads);
  ~IoHelpers();
  IoHelpers(const IoHelpers&) = delete;
  IoHelpers& operator=(const IoHelpers&) = delete;

  // The job sets `is_done` of its own, as the last that it does with what its
  // owner may free.
  void Run(std::function<void()> job) EXCLUDES(mutex_);
  void WaitFor(const std::atomic<bool>& is_done) EXCLUDES(mutex_);

 private:
  void Work() EXCLUDES(mutex_);

  const size_t most_threads_;
  Mutex mutex_;
  CondVar has_work_{&mutex_};
  CondVar has_done_{&mutex_};
  std::deque<std::function<void()>> jobs_ GUARDED_BY(mutex_);
  bool is_ending_ GUARDED_BY(mutex_) = false;
  size_t idle_ GUARDED_BY(mutex_) = 0;  // threads that wait for work
  std::vector<std::thread> threads_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
