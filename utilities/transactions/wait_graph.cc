#include "utilities/transactions/wait_graph.h"

#include <algorithm>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void WaitGraph::Set(const DeadlockInfo& info,
                    std::vector<TransactionID> waits_for) {
  const MutexLock lock(&mutex_);
  nodes_[info.m_txn_id] = {info, std::move(waits_for)};
}

void WaitGraph::Erase(TransactionID id) {
  const MutexLock lock(&mutex_);
  nodes_.erase(id);
}

bool WaitGraph::BreakCycle(TransactionID id, int64_t depth,
                           int64_t now_seconds) {
  const MutexLock lock(&mutex_);
  // Breadth first, so that the cycle is the shortest.
  std::unordered_map<TransactionID, TransactionID> reached_from;
  std::deque<TransactionID> to_visit{id};
  TransactionID last = 0;
  bool is_found = false;
  for (int64_t visited = 0; !to_visit.empty() && !is_found && visited < depth;
       ++visited) {
    const TransactionID at = to_visit.front();
    to_visit.pop_front();
    const auto node = nodes_.find(at);
    if (node == nodes_.end()) continue;  // It does not wait, or does not tell.
    for (const TransactionID next : node->second.waits_for) {
      if (next == id) {
        is_found = true;
        last = at;
        break;
      }
      if (reached_from.try_emplace(next, at).second) to_visit.push_back(next);
    }
  }
  if (!is_found) return false;
  std::vector<DeadlockInfo> path{nodes_.at(id).info};
  for (TransactionID at = last; at != id; at = reached_from.at(at)) {
    path.push_back(nodes_.at(at).info);
  }
  std::reverse(path.begin(), path.end());
  nodes_.erase(id);
  if (buffer_size_ > 0) {
    if (deadlocks_.size() == buffer_size_) deadlocks_.pop_back();
    deadlocks_.emplace_front(std::move(path), now_seconds);
  }
  return true;
}

std::vector<DeadlockPath> WaitGraph::Deadlocks() const {
  const MutexLock lock(&mutex_);
  return {deadlocks_.begin(), deadlocks_.end()};
}

void WaitGraph::SetBufferSize(uint32_t size) {
  const MutexLock lock(&mutex_);
  buffer_size_ = size;
  while (deadlocks_.size() > size) deadlocks_.pop_back();
}

}  // namespace ROCKSDB_NAMESPACE
