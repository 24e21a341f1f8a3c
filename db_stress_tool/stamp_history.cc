#include "db_stress_tool/stamp_history.h"

#include <algorithm>

namespace ROCKSDB_NAMESPACE::stress {

void StampHistory::Reset(size_t key, Word present, Stamp newest) {
  std::lock_guard<std::mutex> lock(LockOf(key));
  keys_[key].entries[0] = {newest, present, true};
  keys_[key].count = 1;
  keys_[key].begins_with_base = true;
}

void StampHistory::Begin(size_t key, Stamp stamp, Word word) {
  std::lock_guard<std::mutex> lock(LockOf(key));
  Key& history = keys_[key];
  if (history.count == history.entries.size()) {
    std::move(history.entries.begin() + 1, history.entries.end(),
              history.entries.begin());
    --history.count;
    history.begins_with_base = false;
  }
  history.entries[history.count++] = {stamp, word, false};
}

void StampHistory::Acknowledge(size_t key, Word word) {
  std::lock_guard<std::mutex> lock(LockOf(key));
  Key& history = keys_[key];
  for (size_t i = history.count; i > 0; --i) {
    Entry& entry = history.entries[i - 1];
    if (entry.word != word) continue;
    entry.is_acknowledged = true;
    return;
  }
}

Word StampHistory::Acknowledged(size_t key, Stamp as_of) const {
  std::lock_guard<std::mutex> lock(LockOf(key));
  const Key& history = keys_[key];
  for (size_t i = history.count; i > 0; --i) {
    const Entry& entry = history.entries[i - 1];
    if (entry.is_acknowledged && entry.stamp <= as_of) return entry.word;
  }
  // Any older version, or none.
  return 0;
}

Word StampHistory::Begun(size_t key, Stamp as_of) const {
  std::lock_guard<std::mutex> lock(LockOf(key));
  const Key& history = keys_[key];
  for (size_t i = history.count; i > 0; --i) {
    const Entry& entry = history.entries[i - 1];
    if (entry.stamp <= as_of) return entry.word;
  }
  if (history.count == 0) return 0;
  const Word oldest = history.entries[0].word;
  if (history.begins_with_base) return oldest;
  // One that is older than the oldest that is remembered.
  return VersionOf(oldest) << 1;
}

}  // namespace ROCKSDB_NAMESPACE::stress
