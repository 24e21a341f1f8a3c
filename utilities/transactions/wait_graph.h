// The graph of who waits for whom. It has only the waits of those who want to
// know whether their wait can end.
//
// A cycle is found by the one that closes it: it has put its own wait in, and
// follows the waits from there.
//
// Threads  Any; a lock of its own, taken under that of a part of a lock table.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/utilities/transaction_db.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class WaitGraph {
 public:
  explicit WaitGraph(uint32_t buffer_size) : buffer_size_(buffer_size) {}

  // A wait of `info.m_txn_id`, in place of one that it may have.
  void Set(const DeadlockInfo& info, std::vector<TransactionID> waits_for);
  void Erase(TransactionID id);

  // Does `id` wait for itself? Then the cycle is kept for Deadlocks(), and its
  // wait is taken out. Looks at `depth` transactions at most.
  bool BreakCycle(TransactionID id, int64_t depth, int64_t now_seconds);

  // Newest first.
  std::vector<DeadlockPath> Deadlocks() const;
  void SetBufferSize(uint32_t size);

 private:
  struct Node {
    DeadlockInfo info;
    std::vector<TransactionID> waits_for;
  };

  mutable Mutex mutex_;
  std::unordered_map<TransactionID, Node> nodes_ GUARDED_BY(mutex_);
  std::deque<DeadlockPath> deadlocks_ GUARDED_BY(mutex_);  // newest first
  uint32_t buffer_size_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
