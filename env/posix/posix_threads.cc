#include "env/posix/posix_threads.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace ROCKSDB_NAMESPACE {

namespace {

// From linux/ioprio.h, which not every system installs.
constexpr int kIoPriorityWhoThread = 1;
constexpr int kIoPriorityIdleClass = 3 << 13;

// `inherited`: what the thread began with, which is what is normal for it.
int NiceOf(CpuPriority priority, int inherited) {
  switch (priority) {
    case CpuPriority::kIdle:
      return 19;
    case CpuPriority::kLow:
      return std::max(inherited, 5);
    case CpuPriority::kNormal:
      return inherited;
    case CpuPriority::kHigh:
      return std::min(inherited, -5);
  }
  return inherited;
}

}  // namespace

void NameThisThread(const std::string& name) {
  // The kernel keeps 15 characters.
  pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
}

bool SetThisThreadCpuPriority(CpuPriority priority) {
  const auto thread = static_cast<id_t>(ThisThreadId());
  thread_local const int inherited = getpriority(PRIO_PROCESS, thread);
  return setpriority(PRIO_PROCESS, thread, NiceOf(priority, inherited)) == 0;
}

bool LowerThisThreadIoPriority() {
  return syscall(SYS_ioprio_set, kIoPriorityWhoThread, 0,
                 kIoPriorityIdleClass) == 0;
}

int ThisThreadId() { return static_cast<int>(syscall(SYS_gettid)); }

Wakes WakesOf(int thread) {
  switch (sched_getscheduler(thread)) {
    case SCHED_OTHER:
      return Wakes::kAtOnce;
    case SCHED_BATCH:
      return Wakes::kInTurn;
    default:
      return Wakes::kByAnotherPolicy;
  }
}

bool SetWakes(int thread, Wakes wakes) {
  if (wakes == Wakes::kByAnotherPolicy) return false;
  const sched_param unused{};
  const int policy = wakes == Wakes::kAtOnce ? SCHED_OTHER : SCHED_BATCH;
  return sched_setscheduler(thread, policy, &unused) == 0;
}

}  // namespace ROCKSDB_NAMESPACE
