// The next write leader has something to see to under the DB mutex before it
// writes: a stall, a full memtable, an error, a lock of the log.
//
// Threads    Any, without a lock. Whoever asks has changed first what the
//            leader is to see.
#pragma once

#include <atomic>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class LeaderAttention {
 public:
  // release: pairs with the acquire in IsAsked().
  void Ask() { is_asked_.store(true, std::memory_order_release); }
  bool IsAsked() const { return is_asked_.load(std::memory_order_acquire); }
  // By the leader, who is about to look.
  void Clear() { is_asked_.store(false, std::memory_order_relaxed); }

 private:
  std::atomic<bool> is_asked_{false};
};

}  // namespace ROCKSDB_NAMESPACE
