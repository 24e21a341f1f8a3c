#include "util/task_thread.h"

#include <algorithm>
#include <chrono>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

uint64_t NowMicros() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

}  // namespace

std::shared_ptr<TaskThread> TaskThread::Get() {
  struct Shared {
    Mutex mutex;
    std::weak_ptr<TaskThread> thread GUARDED_BY(mutex);
  };
  // Never destroyed: databases held by statics may outlive any static of ours.
  static Shared& shared = *std::make_unique<Shared>().release();
  MutexLock lock(&shared.mutex);
  std::shared_ptr<TaskThread> thread = shared.thread.lock();
  if (thread == nullptr) {
    thread = std::make_shared<TaskThread>();
    shared.thread = thread;
  }
  return thread;
}

TaskThread::TaskThread() : thread_([this] { Work(); }) {}

TaskThread::~TaskThread() {
  {
    MutexLock lock(&mutex_);
    INVARIANT(entries_.empty());
    is_ending_ = true;
    changed_.SignalAll();
  }
  thread_.join();
}

uint64_t TaskThread::After(uint64_t micros) {
  const uint64_t now = NowMicros();
  return micros < kNever - now ? now + micros : kNever;
}

uint64_t TaskThread::Add(uint64_t period_micros,
                         const std::function<void()>* task) {
  INVARIANT(task != nullptr);
  MutexLock lock(&mutex_);
  const uint64_t next = period_micros == 0 ? kNever : After(period_micros);
  entries_[++last_id_] = {period_micros, next, task};
  changed_.SignalAll();
  return last_id_;
}

void TaskThread::RunIn(uint64_t id, uint64_t micros) {
  MutexLock lock(&mutex_);
  const auto entry = entries_.find(id);
  INVARIANT(entry != entries_.end());
  entry->second.next_micros =
      std::min(entry->second.next_micros, After(micros));
  changed_.SignalAll();
}

void TaskThread::Remove(uint64_t id) {
  MutexLock lock(&mutex_);
  while (running_ == id) changed_.Wait();
  entries_.erase(id);
}

void TaskThread::Work() {
  MutexLock lock(&mutex_);
  while (!is_ending_) {
    const auto next = std::min_element(
        entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
          return a.second.next_micros < b.second.next_micros;
        });
    if (next == entries_.end() || next->second.next_micros == kNever) {
      changed_.Wait();
    } else if (const uint64_t now = NowMicros();
               next->second.next_micros > now) {
      changed_.WaitFor(next->second.next_micros - now);
    } else {
      Run(next->first, &next->second);
    }
  }
}

void TaskThread::Run(uint64_t id, Entry* entry) {
  // From now, not from when it was due: nothing is made up for after a machine
  // has slept.
  entry->next_micros =
      entry->period_micros == 0 ? kNever : After(entry->period_micros);
  running_ = id;
  const std::function<void()>& task = *entry->task;
  mutex_.Unlock();
  task();
  mutex_.Lock();
  running_ = 0;
  changed_.SignalAll();
}

}  // namespace ROCKSDB_NAMESPACE
