#include "env/posix/posix_env.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "env/posix/posix_error.h"
#include "monitoring/iostats_context_imp.h"
#include "monitoring/thread_tracking.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

ThreadStatus::ThreadType TypeOf(Env::Priority priority) {
  switch (priority) {
    case Env::HIGH:
      return ThreadStatus::HIGH_PRIORITY;
    case Env::LOW:
      return ThreadStatus::LOW_PRIORITY;
    case Env::BOTTOM:
      return ThreadStatus::BOTTOM_PRIORITY;
    default:
      return ThreadStatus::USER;
  }
}

}  // namespace

PosixEnv::PosixEnv()
    : CompositeEnv(FileSystem::Default(), SystemClock::Default()) {
  for (int i = 0; i < Priority::TOTAL; ++i) {
    std::string name = PriorityToString(static_cast<Priority>(i));
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    pools_[static_cast<size_t>(i)] =
        std::make_unique<ThreadPoolImpl>("rocksdb:" + name, i == LOW ? 1 : 0);
  }
}

ThreadPoolImpl& PosixEnv::PoolOf(Priority pri) const {
  INVARIANT(pri >= BOTTOM && pri < TOTAL);
  return *pools_[static_cast<size_t>(pri)];
}

void PosixEnv::Schedule(void (*function)(void* arg), void* arg, Priority pri,
                        void* tag, void (*unschedule_function)(void* arg)) {
  ThreadPoolImpl::Job job;
  job.run = [function, arg, pri] {
    RegisterTrackedThread(TypeOf(pri));
    iostats_context.thread_pool_id = static_cast<uint64_t>(pri);
    function(arg);
  };
  if (unschedule_function != nullptr) {
    job.taken_back = [unschedule_function, arg] { unschedule_function(arg); };
  }
  job.tag = tag;
  PoolOf(pri).Schedule(std::move(job));
}

Status PosixEnv::GetThreadList(std::vector<ThreadStatus>* thread_list) {
  INVARIANT(thread_list != nullptr);
  *thread_list = TrackedThreads();
  return Status::OK();
}

int PosixEnv::UnSchedule(void* tag, Priority pri) {
  return PoolOf(pri).Unschedule(tag);
}

void PosixEnv::StartThread(void (*function)(void* arg), void* arg) {
  MutexLock lock(&mutex_);
  threads_.emplace_back(function, arg);
}

void PosixEnv::WaitForJoin() {
  std::vector<std::thread> threads;
  {
    MutexLock lock(&mutex_);
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) thread.join();
}

int PosixEnv::ReserveThreads(int count, Priority pri) {
  return PoolOf(pri).ReserveThreads(count);
}

int PosixEnv::ReleaseThreads(int count, Priority pri) {
  return PoolOf(pri).ReleaseThreads(count);
}

unsigned int PosixEnv::GetThreadPoolQueueLen(Priority pri) const {
  return PoolOf(pri).GetQueueLen();
}

void PosixEnv::SetBackgroundThreads(int number, Priority pri) {
  PoolOf(pri).SetBackgroundThreads(number);
}

int PosixEnv::GetBackgroundThreads(Priority pri) {
  return PoolOf(pri).GetBackgroundThreads();
}

void PosixEnv::IncBackgroundThreadsIfNeeded(int number, Priority pri) {
  PoolOf(pri).IncBackgroundThreadsIfNeeded(number);
}

void PosixEnv::LowerThreadPoolIOPriority(Priority pool) {
  PoolOf(pool).LowerIoPriority();
}

Status PosixEnv::LowerThreadPoolCPUPriority(Priority pool, CpuPriority pri) {
  PoolOf(pool).SetCpuPriority(pri);
  return Status::OK();
}

void PosixEnv::LowerThreadPoolCPUPriority(Priority pool) {
  PoolOf(pool).SetCpuPriority(CpuPriority::kLow);
}

uint64_t PosixEnv::GetThreadID() const {
  return static_cast<uint64_t>(pthread_self());
}

Status PosixEnv::GetHostName(char* name, uint64_t len) {
  if (gethostname(name, static_cast<size_t>(len)) == 0) return Status::OK();
  if (errno == ENAMETOOLONG) {
    return Status::IOError("GetHostName", "longer than the buffer");
  }
  return PosixError("While reading the host name", "", errno);
}

void PosixEnv::JoinAll() {
  for (const auto& pool : pools_) pool->JoinAllThreads();
  WaitForJoin();
}

namespace {

struct JoinAtExit {
  explicit JoinAtExit(PosixEnv* joined) : env(joined), process(getpid()) {}
  // The threads are not in a process that was forked, which may end, too.
  ~JoinAtExit() {
    if (getpid() == process) env->JoinAll();
  }
  PosixEnv* const env;
  const pid_t process;
};

}  // namespace

Env* Env::Default() {
  static PosixEnv* const env = std::make_unique<PosixEnv>().release();
  static const JoinAtExit join(env);
  return env;
}

}  // namespace ROCKSDB_NAMESPACE
