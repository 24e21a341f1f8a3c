// The mutex of a part of a lock table, and what its waiters sleep on: our own,
// or those of a TransactionDBMutexFactory.
//
// Threads  As of a mutex and a condition variable.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "rocksdb/status.h"
#include "rocksdb/utilities/transaction_db_mutex.h"

namespace ROCKSDB_NAMESPACE {

class StripeMutex {
 public:
  // `factory` may be null.
  explicit StripeMutex(TransactionDBMutexFactory* factory)
      : custom_(factory != nullptr ? factory->AllocateMutex() : nullptr) {}

  // `timeout_micros` is for a custom mutex: less than 0: no limit. Our own is
  // held for so short that it is always waited for.
  Status Lock(int64_t timeout_micros) {
    if (custom_ == nullptr) {
      own_.lock();
      return Status::OK();
    }
    return LockCustom(timeout_micros);
  }
  // For those who cannot do without.
  void LockForSure() {
    if (custom_ == nullptr) return own_.lock();
    while (!custom_->Lock().ok()) {
    }
  }
  void Unlock() {
    if (custom_ == nullptr) return own_.unlock();
    custom_->UnLock();
  }

 private:
  friend class StripeCondition;

  Status LockCustom(int64_t timeout_micros) {
    const Status s = timeout_micros < 0 ? custom_->Lock()
                                        : custom_->TryLockFor(timeout_micros);
    return s.IsTimedOut() ? Status::TimedOut(Status::SubCode::kMutexTimeout)
                          : s;
  }

  std::mutex own_;
  const std::shared_ptr<TransactionDBMutex> custom_;  // null: own_
};

class StripeCondition {
 public:
  explicit StripeCondition(TransactionDBMutexFactory* factory)
      : custom_(factory != nullptr ? factory->AllocateCondVar() : nullptr) {}

  // With the mutex held, which it is again then. OK: notified, or by chance.
  // TimedOut after `micros`; less than 0: no limit.
  Status Wait(StripeMutex* mutex, int64_t micros) {
    if (custom_ != nullptr) {
      return micros < 0 ? custom_->Wait(mutex->custom_)
                        : custom_->WaitFor(mutex->custom_, micros);
    }
    std::unique_lock<std::mutex> lock(mutex->own_, std::adopt_lock);
    Status s;
    if (micros < 0) {
      own_.wait(lock);
    } else if (own_.wait_for(lock, std::chrono::microseconds(micros)) ==
               std::cv_status::timeout) {
      s = Status::TimedOut();
    }
    lock.release();
    return s;
  }
  // With the mutex held.
  void Notify() {
    if (custom_ != nullptr) return custom_->NotifyAll();
    own_.notify_all();
  }

 private:
  std::condition_variable own_;
  const std::shared_ptr<TransactionDBCondVar> custom_;  // null: own_
};

}  // namespace ROCKSDB_NAMESPACE
