#include "utilities/transactions/timestamped_snapshots.h"

#include "db/write/transaction_port.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE {

std::pair<Status, TimestampedSnapshots::Ref> TimestampedSnapshots::Create(
    uint64_t timestamp) {
  if (timestamp == UINT64_MAX) {
    return {Status::InvalidArgument("a snapshot needs a timestamp"), nullptr};
  }
  const MutexLock lock(&mutex_);
  if (!snapshots_.empty()) {
    const auto& [newest, snapshot] = *snapshots_.rbegin();
    if (timestamp == newest &&
        snapshot->GetSequenceNumber() == db_->GetLatestSequenceNumber()) {
      return {Status::OK(), snapshot};
    }
    if (timestamp <= newest) {
      return {Status::InvalidArgument(
                  "the timestamps of snapshots must grow with what is written"),
              nullptr};
    }
  }
  const Snapshot* const taken = port_->GetStampedSnapshot(timestamp);
  if (taken == nullptr) {
    return {Status::InvalidArgument("the database takes no snapshots"),
            nullptr};
  }
  DB* const db = db_;
  Ref snapshot(taken, [db](const Snapshot* s) { db->ReleaseSnapshot(s); });
  snapshots_.emplace(timestamp, snapshot);
  return {Status::OK(), std::move(snapshot)};
}

TimestampedSnapshots::Ref TimestampedSnapshots::Find(uint64_t timestamp) const {
  const MutexLock lock(&mutex_);
  if (snapshots_.empty()) return nullptr;
  if (timestamp == UINT64_MAX) return snapshots_.rbegin()->second;
  const auto found = snapshots_.find(timestamp);
  return found != snapshots_.end() ? found->second : nullptr;
}

std::vector<TimestampedSnapshots::Ref> TimestampedSnapshots::Between(
    uint64_t from, uint64_t to) const {
  const MutexLock lock(&mutex_);
  std::vector<Ref> found;
  const auto end = snapshots_.lower_bound(to);
  for (auto it = snapshots_.lower_bound(from); it != end; ++it) {
    found.push_back(it->second);
  }
  return found;
}

void TimestampedSnapshots::ForgetOlder(uint64_t timestamp) {
  std::vector<Ref> forgotten;  // freed without the lock
  const MutexLock lock(&mutex_);
  const auto end = snapshots_.lower_bound(timestamp);
  for (auto it = snapshots_.begin(); it != end; ++it) {
    forgotten.push_back(std::move(it->second));
  }
  snapshots_.erase(snapshots_.begin(), end);
}

bool TimestampedSnapshots::empty() const {
  const MutexLock lock(&mutex_);
  return snapshots_.empty();
}

}  // namespace ROCKSDB_NAMESPACE
