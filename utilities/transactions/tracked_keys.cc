#include "utilities/transactions/tracked_keys.h"

namespace ROCKSDB_NAMESPACE {

void TrackedKeys::Merge(const TrackedKeys& other) {
  for (const auto& [id, keys] : other.families_) {
    Keys& own = families_[id];
    for (const auto& [key, theirs] : keys) {
      TrackedKey& tracked = own[key];
      tracked.since = std::min(tracked.since, theirs.since);
      tracked.reads += theirs.reads;
      tracked.writes += theirs.writes;
      tracked.is_exclusive = tracked.is_exclusive || theirs.is_exclusive;
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE
