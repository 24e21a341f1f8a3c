#pragma once

// What a TransactionDB uses to guard its lock tables and to wait for locks,
// for programs that bring threads of their own (fibres, a server's wait
// accounting).

#include <cstdint>
#include <memory>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// A mutex. Held for some hundred nanoseconds, never over a wait for a lock.
//
// Errors  What Lock() and TryLockFor() answer but OK becomes the answer of the
//         operation that needed the mutex.
class TransactionDBMutex {
 public:
  virtual ~TransactionDBMutex() {}

  // OK: the caller holds it.
  virtual Status Lock() = 0;
  // The same within `timeout_time` microseconds: TimedOut if that is over; 0
  // does not wait, less than 0 waits without limit.
  virtual Status TryLockFor(int64_t timeout_time) = 0;
  virtual void UnLock() = 0;
};

// A condition that a mutex guards. It may wake without a cause.
class TransactionDBCondVar {
 public:
  virtual ~TransactionDBCondVar() {}

  // Gives up the mutex, which the caller holds, waits to be notified, and takes
  // it back. Anything but OK and TimedOut ends the operation with that status.
  // The mutex is held again in every case.
  virtual Status Wait(std::shared_ptr<TransactionDBMutex> mutex) = 0;
  // TimedOut after `timeout_time` microseconds; less than 0: no limit.
  virtual Status WaitFor(std::shared_ptr<TransactionDBMutex> mutex,
                         int64_t timeout_time) = 0;
  // Wakes one of those that wait, or all.
  virtual void Notify() = 0;
  virtual void NotifyAll() = 0;
};

// Makes them. Called from any thread, also at the same time.
class TransactionDBMutexFactory {
 public:
  // Neither may answer null.
  virtual std::shared_ptr<TransactionDBMutex> AllocateMutex() = 0;
  virtual std::shared_ptr<TransactionDBCondVar> AllocateCondVar() = 0;

  virtual ~TransactionDBMutexFactory() {}
};

}  // namespace ROCKSDB_NAMESPACE
