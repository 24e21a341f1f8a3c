// A holder of locks, which may wait for others: a transaction, or a write
// outside of transactions.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/utilities/transaction.h"

namespace ROCKSDB_NAMESPACE {

// Threads  A thread that waits for a lock of the owner calls what is const and
//          TryGiveUpLocks(); the rest is the owner's own.
class LockOwner {
 public:
  virtual ~LockOwner() = default;

  TransactionID lock_id() const { return lock_id_; }

  // When its locks may be taken, in microseconds; UINT64_MAX: never.
  virtual uint64_t locks_expire_at() const { return UINT64_MAX; }
  // Called when the time of its locks is over. True: it has given them up, and
  // no longer counts on them. False: it must keep them after all.
  virtual bool TryGiveUpLocks() { return false; }

  // The owners that it waits for, and the key; stays when the wait is over.
  struct Wait {
    std::vector<TransactionID> ids;
    uint32_t family_id = 0;
    std::string key;
  };
  void NoteWait(Wait wait) {
    const std::lock_guard<std::mutex> lock(wait_mutex_);
    wait_ = std::move(wait);
  }
  Wait last_wait() const {
    const std::lock_guard<std::mutex> lock(wait_mutex_);
    return wait_;
  }

 protected:
  explicit LockOwner(TransactionID id) : lock_id_(id) {}
  // With a new id it has no locks and no waits.
  void SetLockId(TransactionID id) {
    lock_id_ = id;
    NoteWait({});
  }

 private:
  TransactionID lock_id_;
  mutable std::mutex wait_mutex_;
  Wait wait_;
};

}  // namespace ROCKSDB_NAMESPACE
