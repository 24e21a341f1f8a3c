#include "util/periodic_task.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

uint64_t NowMicros() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

}  // namespace

class PeriodicThread {
 public:
  static std::shared_ptr<PeriodicThread> Get() {
    struct Shared {
      Mutex mutex;
      std::weak_ptr<PeriodicThread> thread GUARDED_BY(mutex);
    };
    // Never destroyed: databases held by statics may outlive any static of
    // ours.
    static Shared& shared = *std::make_unique<Shared>().release();
    MutexLock lock(&shared.mutex);
    std::shared_ptr<PeriodicThread> thread = shared.thread.lock();
    if (thread == nullptr) {
      thread = std::make_shared<PeriodicThread>();
      shared.thread = thread;
    }
    return thread;
  }

  PeriodicThread() : thread_([this] { Work(); }) {}
  ~PeriodicThread() {
    {
      MutexLock lock(&mutex_);
      INVARIANT(entries_.empty());
      is_ending_ = true;
      changed_.SignalAll();
    }
    thread_.join();
  }
  PeriodicThread(const PeriodicThread&) = delete;
  PeriodicThread& operator=(const PeriodicThread&) = delete;

  uint64_t Add(uint64_t period_micros, const std::function<void()>* task) {
    MutexLock lock(&mutex_);
    entries_[++last_id_] = {period_micros, NowMicros() + period_micros, task};
    changed_.SignalAll();
    return last_id_;
  }
  void Remove(uint64_t id) {
    MutexLock lock(&mutex_);
    while (running_ == id) changed_.Wait();
    entries_.erase(id);
  }

 private:
  struct Entry {
    uint64_t period_micros = 0;
    uint64_t next_micros = 0;
    const std::function<void()>* task = nullptr;
  };

  void Work() {
    MutexLock lock(&mutex_);
    while (!is_ending_) {
      const auto next = std::min_element(
          entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
            return a.second.next_micros < b.second.next_micros;
          });
      if (next == entries_.end()) {
        changed_.Wait();
      } else if (const uint64_t now = NowMicros();
                 next->second.next_micros > now) {
        changed_.WaitFor(next->second.next_micros - now);
      } else {
        Run(next->first, &next->second);
      }
    }
  }
  void Run(uint64_t id, Entry* entry) REQUIRES(mutex_) {
    // From now, not from when it was due: nothing is made up for after a
    // machine has slept.
    entry->next_micros = NowMicros() + entry->period_micros;
    running_ = id;
    const std::function<void()>& task = *entry->task;
    mutex_.Unlock();
    task();
    mutex_.Lock();
    running_ = 0;
    changed_.SignalAll();
  }

  Mutex mutex_;
  CondVar changed_{&mutex_};
  std::map<uint64_t, Entry> entries_ GUARDED_BY(mutex_);
  uint64_t last_id_ GUARDED_BY(mutex_) = 0;
  uint64_t running_ GUARDED_BY(mutex_) = 0;  // 0: none
  bool is_ending_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

PeriodicTask::PeriodicTask(std::function<void()> task)
    : task_(std::move(task)) {
  INVARIANT(task_ != nullptr);
}

void PeriodicTask::SetPeriod(uint64_t period_micros) {
  MutexLock lock(&mutex_);
  if (thread_ != nullptr) {
    thread_->Remove(id_);
    thread_.reset();
  }
  if (period_micros == 0) return;
  thread_ = PeriodicThread::Get();
  id_ = thread_->Add(period_micros, &task_);
}

}  // namespace ROCKSDB_NAMESPACE
