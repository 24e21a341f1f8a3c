// Env::Default(): the files, the clock and the threads of this machine.
//
// One pool for each priority; LOW begins with one thread, the others with
// none, and databases ask for what they need.
//
// Threads    Safe for concurrent use.
// Ownership  Lives for ever; its threads are joined when the process exits, so
//            that none runs while static objects are destroyed.

#pragma once

#include <array>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/composite_env.h"
#include "env/thread_pool.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class PosixEnv : public CompositeEnv {
 public:
  PosixEnv();

  static const char* kClassName() { return "PosixEnv"; }
  const char* Name() const override { return kDefaultName(); }

  void Schedule(void (*function)(void* arg), void* arg, Priority pri, void* tag,
                void (*unschedule_function)(void* arg)) override;
  int UnSchedule(void* tag, Priority pri) override;
  void StartThread(void (*function)(void* arg), void* arg) override;
  void WaitForJoin() override;
  int ReserveThreads(int count, Priority pri) override;
  int ReleaseThreads(int count, Priority pri) override;
  unsigned int GetThreadPoolQueueLen(Priority pri) const override;
  void SetBackgroundThreads(int number, Priority pri) override;
  int GetBackgroundThreads(Priority pri) override;
  void IncBackgroundThreadsIfNeeded(int number, Priority pri) override;
  void LowerThreadPoolIOPriority(Priority pool) override;
  Status LowerThreadPoolCPUPriority(Priority pool, CpuPriority pri) override;
  void LowerThreadPoolCPUPriority(Priority pool) override;
  Status GetThreadList(std::vector<ThreadStatus>* thread_list) override;
  uint64_t GetThreadID() const override;
  Status GetHostName(char* name, uint64_t len) override;

  // Ends all pools and waits for StartThread()'s threads.
  void JoinAll();

 protected:
  const char* NickName() const override { return kClassName(); }

 private:
  ThreadPoolImpl& PoolOf(Priority pri) const;

  std::array<std::unique_ptr<ThreadPoolImpl>, Priority::TOTAL> pools_;

  Mutex mutex_;
  // Those of StartThread().
  std::vector<std::thread> threads_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
