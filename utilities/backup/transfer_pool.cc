#include "utilities/backup/transfer_pool.h"

#include <algorithm>
#include <exception>

#include "env/posix/posix_threads.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

IOStatus CallGuarded(const char* what, const std::function<void()>& function) {
  try {
    function();
    return IOStatus::OK();
  } catch (const std::exception& e) {
    return IOStatus::Aborted(std::string("Exception in ") + what, e.what());
  } catch (...) {
    return IOStatus::Aborted(std::string("Unknown exception in ") + what);
  }
}

TransferPool::TransferPool(int thread_count, const char* thread_name)
    : thread_name_(thread_name) {
  const int count = std::max(thread_count, 1);
  threads_.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    threads_.emplace_back([this] { Work(); });
  }
}

TransferPool::~TransferPool() {
  {
    MutexLock lock(&mutex_);
    INVARIANT(tasks_.empty());
    is_ending_ = true;
    wakes_.SignalAll();
  }
  for (std::thread& thread : threads_) thread.join();
}

IOStatus TransferPool::RunAll(const std::vector<Job>& jobs) {
  Batch batch{&jobs, std::vector<IOStatus>(jobs.size()), jobs.size()};
  MutexLock lock(&mutex_);
  for (size_t i = 0; i < jobs.size(); ++i) tasks_.push_back({&batch, i});
  wakes_.SignalAll();
  while (batch.left > 0) finished_.Wait();
  for (const IOStatus& s : batch.statuses) {
    if (!s.ok()) return s;
  }
  return IOStatus::OK();
}

void TransferPool::LowerCpuPriority(CpuPriority priority) {
  MutexLock lock(&mutex_);
  priority_ = std::min(priority_, priority);
}

void TransferPool::Work() {
  NameThisThread(thread_name_);
  const JobThreads::Membership membership(&job_threads_);
  CpuPriority current = CpuPriority::kNormal;
  MutexLock lock(&mutex_);
  while (true) {
    while (tasks_.empty() && !is_ending_) wakes_.Wait();
    if (tasks_.empty()) return;
    const Task task = tasks_.front();
    tasks_.pop_front();
    Batch& batch = *task.batch;
    if (!batch.has_failed) {
      const CpuPriority wanted = priority_;
      MutexUnlock unlock(&mutex_);
      if (wanted < current) {
        // Refused: it stays as it is.
        (void)SetThisThreadCpuPriority(wanted);
        current = wanted;
      }
      IOStatus& status = batch.statuses[task.index];
      const IOStatus thrown =
          CallGuarded("backup", [&] { status = (*batch.jobs)[task.index](); });
      if (!thrown.ok()) status = thrown;
    }
    if (!batch.statuses[task.index].ok()) batch.has_failed = true;
    if (--batch.left == 0) finished_.SignalAll();
  }
}

}  // namespace ROCKSDB_NAMESPACE
