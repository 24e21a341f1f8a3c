#pragma once

// Locks with names that clang's thread-safety analysis knows, and a condition
// variable whose deadline is a moment of the clock that SystemClock tells.
//
// Threads  Any. None of them is recursive.
// Errors   Misuse is a bug: it stops debug builds.

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "rocksdb/rocksdb_namespace.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

// A pause hint for the body of a spin loop.
inline void CpuRelax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

// Told of lockers that wait for a mutex.
class LockWaitObserver {
 public:
  virtual ~LockWaitObserver() = default;
  // By the thread that is about to wait.
  virtual uint64_t BeforeWait() = 0;
  // By the same, which has the mutex; gets what BeforeWait() returned.
  virtual void AfterWait(uint64_t before) = 0;
};

class CAPABILITY("mutex") Mutex {
 public:
  // `observer` may be null, and outlives the mutex. It is told of those who
  // sleep.
  explicit Mutex(LockWaitObserver* observer = nullptr) : observer_(observer) {}
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  // Lockers try for some cycles before they sleep. Once, before the mutex is
  // shared.
  void SpinFirst() { spins_ = kSpinsBeforeSleep; }

  void Lock() ACQUIRE() {
    if (observer_ == nullptr && spins_ == 0) {
      mutex_.lock();
    } else if (!mutex_.try_lock() && !Spin()) {
      Sleep();
    }
    NoteLocked();
  }
  void Unlock() RELEASE() {
    NoteUnlocked();
    mutex_.unlock();
  }
  [[nodiscard]] bool TryLock() TRY_ACQUIRE(true) {
    if (!mutex_.try_lock()) return false;
    NoteLocked();
    return true;
  }
  // In debug builds, stops if another thread or none holds the lock.
  void AssertHeld() const ASSERT_CAPABILITY(this) {
#ifndef NDEBUG
    assert(owner_.load(std::memory_order_relaxed) ==
           std::this_thread::get_id());
#endif
  }

 private:
  friend class CondVar;

  // The time of a critical section with some look-ups in memory.
  static constexpr int kSpinsBeforeSleep = 64;

  bool Spin() {
    for (int i = 0; i < spins_; ++i) {
      CpuRelax();
      if (mutex_.try_lock()) return true;
    }
    return false;
  }
  void Sleep() {
    if (observer_ == nullptr) return mutex_.lock();
    const uint64_t before = observer_->BeforeWait();
    mutex_.lock();
    observer_->AfterWait(before);
  }
  // Relaxed is enough: a thread only asks whether it stored its own id.
  void NoteLocked() {
#ifndef NDEBUG
    owner_.store(std::this_thread::get_id(), std::memory_order_relaxed);
#endif
  }
  void NoteUnlocked() {
    AssertHeld();
#ifndef NDEBUG
    owner_.store(std::thread::id(), std::memory_order_relaxed);
#endif
  }

  std::mutex mutex_;
  int spins_ = 0;
  LockWaitObserver* const observer_;
#ifndef NDEBUG
  std::atomic<std::thread::id> owner_{};
#endif
};

// Holds a mutex for a scope.
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) ACQUIRE(mutex) : mutex_(mutex) {
    mutex_->Lock();
  }
  ~MutexLock() RELEASE() { mutex_->Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mutex_;
};

// Gives a held mutex back for a scope, for I/O and callbacks.
class SCOPED_CAPABILITY MutexUnlock {
 public:
  explicit MutexUnlock(Mutex* mutex) RELEASE(mutex) : mutex_(mutex) {
    mutex_->Unlock();
  }
  // RELEASE() ends the scope's hold on the mutex, which is to be unlocked.
  ~MutexUnlock() RELEASE() { mutex_->Lock(); }
  MutexUnlock(const MutexUnlock&) = delete;
  MutexUnlock& operator=(const MutexUnlock&) = delete;

 private:
  Mutex* const mutex_;
};

// Waits under one mutex, which the caller holds in Wait() and WaitFor().
class CondVar {
 public:
  explicit CondVar(Mutex* mutex) : mutex_(mutex) {}
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  // May return without a signal: wait in a loop.
  void Wait() {
    mutex_->NoteUnlocked();
    std::unique_lock<std::mutex> lock(mutex_->mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
    mutex_->NoteLocked();
  }

  // Until a signal or for so long, however the clock is set meanwhile; true if
  // the time is over. UINT64_MAX: longer than anybody waits.
  bool WaitFor(uint64_t micros) {
    // Thirty years; with the time of the clock it does not overflow.
    constexpr uint64_t kMostMicros = 1'000'000'000'000'000;
    const std::chrono::microseconds time(std::min(micros, kMostMicros));
    mutex_->NoteUnlocked();
    std::unique_lock<std::mutex> lock(mutex_->mutex_, std::adopt_lock);
    const bool timed_out =
        condition_.wait_for(lock, time) == std::cv_status::timeout;
    lock.release();
    mutex_->NoteLocked();
    return timed_out;
  }

  void Signal() { condition_.notify_one(); }
  void SignalAll() { condition_.notify_all(); }

 private:
  Mutex* const mutex_;
  std::condition_variable condition_;
};

// Many readers or one writer.
class CAPABILITY("shared_mutex") RWMutex {
 public:
  RWMutex() = default;
  RWMutex(const RWMutex&) = delete;
  RWMutex& operator=(const RWMutex&) = delete;

  void ReadLock() ACQUIRE_SHARED() { mutex_.lock_shared(); }
  void ReadUnlock() RELEASE_SHARED() { mutex_.unlock_shared(); }
  void WriteLock() ACQUIRE() { mutex_.lock(); }
  void WriteUnlock() RELEASE() { mutex_.unlock(); }

 private:
  std::shared_mutex mutex_;
};

class SCOPED_CAPABILITY ReadLock {
 public:
  explicit ReadLock(RWMutex* mutex) ACQUIRE_SHARED(mutex) : mutex_(mutex) {
    mutex_->ReadLock();
  }
  ~ReadLock() RELEASE_GENERIC() { mutex_->ReadUnlock(); }
  ReadLock(const ReadLock&) = delete;
  ReadLock& operator=(const ReadLock&) = delete;

 private:
  RWMutex* const mutex_;
};

class SCOPED_CAPABILITY WriteLock {
 public:
  explicit WriteLock(RWMutex* mutex) ACQUIRE(mutex) : mutex_(mutex) {
    mutex_->WriteLock();
  }
  ~WriteLock() RELEASE() { mutex_->WriteUnlock(); }
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;

 private:
  RWMutex* const mutex_;
};

// For critical sections of a few instructions.
class CAPABILITY("mutex") SpinMutex {
 public:
  SpinMutex() = default;
  SpinMutex(const SpinMutex&) = delete;
  SpinMutex& operator=(const SpinMutex&) = delete;

  [[nodiscard]] bool TryLock() TRY_ACQUIRE(true) {
    // acquire: pairs with the release in Unlock().
    return !locked_.load(std::memory_order_relaxed) &&
           !locked_.exchange(true, std::memory_order_acquire);
  }
  void Lock() ACQUIRE() {
    for (int spins = 0; !TryLock(); ++spins) {
      if (spins < 128) {
        CpuRelax();
      } else {
        std::this_thread::yield();
      }
    }
  }
  void Unlock() RELEASE() {
    // release: pairs with the acquire in TryLock().
    locked_.store(false, std::memory_order_release);
  }

 private:
  std::atomic<bool> locked_{false};
};

class SCOPED_CAPABILITY SpinMutexLock {
 public:
  explicit SpinMutexLock(SpinMutex* mutex) ACQUIRE(mutex) : mutex_(mutex) {
    mutex_->Lock();
  }
  ~SpinMutexLock() RELEASE() { mutex_->Unlock(); }
  SpinMutexLock(const SpinMutexLock&) = delete;
  SpinMutexLock& operator=(const SpinMutexLock&) = delete;

 private:
  SpinMutex* const mutex_;
};

}  // namespace ROCKSDB_NAMESPACE
