// The range tombstones over all sorted runs of a super version, as a scan asks
// about them: "is this version deleted?".
//
// Each run (memtable, level-0 file, deeper level) has a cursor that remembers
// the interval around the last key over which its answer holds. A level reads
// the tombstones of the one file that covers the key, when it comes to it, and
// only if the file has any.
//
// Threads  One thread. Owns what it points to, so that it may outlive the
//          files' iterators.
#pragma once

#include <memory>
#include <vector>

#include "db/version/super_version.h"
#include "db/version/table_cache.h"
#include "rocksdb/options.h"
#include "util/key/range_tombstones.h"

namespace ROCKSDB_NAMESPACE {

class TombstoneView {
 public:
  // Tombstones newer than `snapshot` do not count.
  TombstoneView(const SuperVersion& state, const ReadOptions& options,
                SequenceNumber snapshot);

  // Reads the tombstones of memtables and level 0. An empty view costs
  // nothing afterwards.
  Status Init();
  bool empty() const { return runs_.empty() && levels_.empty(); }

  // *deleted: a visible tombstone newer than `sequence` covers `user_key`.
  // An error: the tombstones of a file could not be read.
  Status IsDeleted(const Slice& user_key, SequenceNumber sequence,
                   bool* deleted);

 private:
  struct Level {
    int level = 0;
    const LevelFiles* files = nullptr;
    size_t loaded = SIZE_MAX;  // index of the file that `cursor` is for
    std::unique_ptr<TombstoneCursor> cursor;  // null: it has none
  };

  void AddRun(std::shared_ptr<const FragmentedTombstones> tombstones);
  Status AskLevel(Level* level, const Slice& user_key, SequenceNumber* newest);

  const SuperVersion& state_;
  const ReadOptions& options_;
  const SequenceNumber snapshot_;
  std::vector<TombstoneCursor> runs_;
  std::vector<Level> levels_;
};

}  // namespace ROCKSDB_NAMESPACE
