#include "env/thread_pool.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "env/job_threads.h"
#include "env/posix/posix_threads.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

ThreadPoolImpl::ThreadPoolImpl(std::string name, int thread_count)
    : name_(std::move(name)),
      work_(&mutex_),
      joined_(&mutex_),
      limit_(std::max(thread_count, 0)) {}

ThreadPoolImpl::~ThreadPoolImpl() { Join(Exit::kAfterCurrentJob); }

void ThreadPoolImpl::Schedule(Job&& job) {
  MutexLock lock(&mutex_);
  if (exit_ != Exit::kNo) return;
  queue_.push_back(std::move(job));
  StartThreadsLocked();
  // Any idle thread may be one that is reserved or about to end, so one
  // signal could reach the wrong one.
  if (reserved_count_ > 0 || static_cast<int>(threads_.size()) > limit_) {
    work_.SignalAll();
  } else {
    work_.Signal();
  }
}

int ThreadPoolImpl::Unschedule(void* tag) {
  std::vector<Job> taken;
  {
    MutexLock lock(&mutex_);
    for (auto job = queue_.begin(); job != queue_.end();) {
      if (job->tag != tag) {
        ++job;
        continue;
      }
      taken.push_back(std::move(*job));
      job = queue_.erase(job);
    }
  }
  for (Job& job : taken) {
    if (job.taken_back) job.taken_back();
  }
  return static_cast<int>(taken.size());
}

void ThreadPoolImpl::StartThreadsLocked() {
  // A join waits for the threads that it has found: no other may come.
  if (exit_ != Exit::kNo) return;
  // Whoever is in here needs the lock no more, so this does not wait long.
  for (std::thread& thread : left_) thread.join();
  left_.clear();
  while (static_cast<int>(threads_.size()) < limit_) {
    const int index = static_cast<int>(threads_.size());
    threads_.push_back(
        JobThreads::StartOutside([this, index] { Main(index); }));
  }
}

bool ThreadPoolImpl::IsExcessiveLocked(int index) const {
  // Threads end from the last to the first, so that indexes stay dense.
  return static_cast<int>(threads_.size()) > limit_ &&
         index == static_cast<int>(threads_.size()) - 1;
}

int ThreadPoolImpl::IdleCountLocked() const {
  return static_cast<int>(threads_.size()) - busy_count_;
}

bool ThreadPoolImpl::NextJob(int index, Job* job) {
  const bool was_busy = static_cast<bool>(job->run);
  *job = Job();  // What it captured goes before the thread waits again.
  MutexLock lock(&mutex_);
  if (was_busy) --busy_count_;
  for (;;) {
    if (exit_ == Exit::kAfterCurrentJob) return false;
    if (exit_ == Exit::kWhenIdle && queue_.empty()) return false;
    if (IsExcessiveLocked(index)) {
      left_.push_back(std::move(threads_.back()));
      threads_.pop_back();
      work_.SignalAll();  // The next one may be excessive too.
      return false;
    }
    // reserved_count_ threads stay idle and take no job.
    const bool may_take =
        exit_ == Exit::kWhenIdle || IdleCountLocked() > reserved_count_;
    if (!queue_.empty() && may_take) {
      *job = std::move(queue_.front());
      queue_.pop_front();
      ++busy_count_;
      return true;
    }
    work_.Wait();
  }
}

void ThreadPoolImpl::ApplyPriorities(CpuPriority* cpu, bool* is_io_lowered) {
  CpuPriority wanted_cpu;
  bool wants_lower_io;
  {
    MutexLock lock(&mutex_);
    wanted_cpu = cpu_priority_;
    wants_lower_io = is_io_lowered_;
  }
  // A refusal leaves the thread as it is; asking again would not help.
  if (wanted_cpu != *cpu) {
    *cpu = wanted_cpu;
    SetThisThreadCpuPriority(wanted_cpu);
  }
  if (wants_lower_io && !*is_io_lowered) {
    *is_io_lowered = true;
    LowerThisThreadIoPriority();
  }
}

void ThreadPoolImpl::Main(int index) {
  NameThisThread(name_ + std::to_string(index));
  CpuPriority cpu = CpuPriority::kNormal;
  bool is_io_lowered = false;
  Job job;
  while (NextJob(index, &job)) {
    ApplyPriorities(&cpu, &is_io_lowered);
    job.run();
  }
}

void ThreadPoolImpl::Join(Exit exit) {
  std::vector<std::thread> threads;
  {
    MutexLock lock(&mutex_);
    // A second one would change what the threads of the first one wait for.
    while (exit_ != Exit::kNo) joined_.Wait();
    exit_ = exit;
    if (exit == Exit::kWhenIdle) {
      reserved_count_ = 0;
      // A pool without threads gets one for what waits, but none to stay.
      if (!queue_.empty() && threads_.empty()) {
        threads_.push_back(JobThreads::StartOutside([this] { Main(0); }));
      }
    }
    threads.swap(threads_);
    for (std::thread& thread : left_) threads.push_back(std::move(thread));
    left_.clear();
    work_.SignalAll();
  }
  for (std::thread& thread : threads) thread.join();
  MutexLock lock(&mutex_);
  INVARIANT(threads_.empty());
  queue_.clear();
  exit_ = Exit::kNo;
  joined_.SignalAll();
}

void ThreadPoolImpl::JoinAllThreads() { Join(Exit::kAfterCurrentJob); }
void ThreadPoolImpl::WaitForJobsAndJoinAllThreads() { Join(Exit::kWhenIdle); }

void ThreadPoolImpl::SetBackgroundThreads(int count) {
  MutexLock lock(&mutex_);
  limit_ = std::max(count, 0);
  if (!queue_.empty()) StartThreadsLocked();
  work_.SignalAll();
}

void ThreadPoolImpl::IncBackgroundThreadsIfNeeded(int count) {
  MutexLock lock(&mutex_);
  if (count <= limit_) return;
  limit_ = count;
  if (!queue_.empty()) StartThreadsLocked();
}

int ThreadPoolImpl::GetBackgroundThreads() {
  MutexLock lock(&mutex_);
  return limit_;
}

unsigned int ThreadPoolImpl::GetQueueLen() const {
  MutexLock lock(&mutex_);
  return static_cast<unsigned int>(queue_.size());
}

void ThreadPoolImpl::SubmitJob(const std::function<void()>& job) {
  Schedule({.run = job, .taken_back = nullptr});
}

void ThreadPoolImpl::SubmitJob(std::function<void()>&& job) {
  Schedule({.run = std::move(job), .taken_back = nullptr});
}

int ThreadPoolImpl::ReserveThreads(int count) {
  MutexLock lock(&mutex_);
  StartThreadsLocked();
  const int available = IdleCountLocked() - reserved_count_;
  const int granted = std::clamp(available, 0, std::max(count, 0));
  reserved_count_ += granted;
  return granted;
}

int ThreadPoolImpl::ReleaseThreads(int count) {
  MutexLock lock(&mutex_);
  const int released = std::clamp(count, 0, reserved_count_);
  reserved_count_ -= released;
  work_.SignalAll();
  return released;
}

void ThreadPoolImpl::LowerIoPriority() {
  MutexLock lock(&mutex_);
  is_io_lowered_ = true;
}

void ThreadPoolImpl::SetCpuPriority(CpuPriority priority) {
  MutexLock lock(&mutex_);
  cpu_priority_ = priority;
}

ThreadPool* NewThreadPool(int num_threads) {
  return std::make_unique<ThreadPoolImpl>("rocksdb:pool", num_threads)
      .release();
}

}  // namespace ROCKSDB_NAMESPACE
