// CompactionIterator: versions of a key with different timestamps.
#include <cassert>

#include "db/read/compaction_iterator.h"
#include "rocksdb/comparator.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// Versions come newest timestamp first: behind one that is history all are.
bool CompactionIterator::IsAtCurrentTimestamp() const {
  assert(timestamp_size_ != 0);
  if (is_history_) return true;
  const Slice own = TimestampOf(CurrentUserKey(), timestamp_size_);
  return r_.order->user_comparator()->CompareTimestamp(InputTimestamp(), own) ==
         0;
}

bool CompactionIterator::HasOlderTimestamp() const {
  return IsReadAsOf() && in_valid_ &&
         r_.order->EqualUserKeys(ExtractUserKey(in_key_), CurrentUserKey());
}

// key_ has just been taken from the input.
void CompactionIterator::NoteHistory() {
  assert(timestamp_size_ != 0);
  assert(key_.size() >= kInternalKeyTrailerBytes + timestamp_size_);
  is_history_ = !r_.full_history_ts_low.empty() &&
                r_.order->user_comparator()->CompareTimestamp(
                    InputTimestamp(), r_.full_history_ts_low) < 0;
}

bool CompactionIterator::IsTrimmed() const {
  return r_.order->user_comparator()->CompareTimestamp(InputTimestamp(),
                                                       r_.trim_ts) > 0;
}

void CompactionIterator::SetTimestamp(const Slice& timestamp) {
  INVARIANT(timestamp.size() == timestamp_size_);
  INVARIANT(key_.size() >= kInternalKeyTrailerBytes + timestamp_size_);
  key_.replace(key_.size() - kInternalKeyTrailerBytes - timestamp_size_,
               timestamp_size_, timestamp.data(), timestamp_size_);
}

}  // namespace ROCKSDB_NAMESPACE
