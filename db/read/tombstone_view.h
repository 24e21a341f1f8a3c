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
#include <optional>
#include <string>
#include <vector>

#include "db/family/super_version.h"
#include "db/tables/table_cache.h"
#include "rocksdb/options.h"
#include "util/key/range_tombstones.h"

namespace ROCKSDB_NAMESPACE {

class TombstoneView {
 public:
  // Tombstones newer than `snapshot`, or than options.timestamp, do not count.
  TombstoneView(const SuperVersion& state, const ReadOptions& options,
                SequenceNumber snapshot);

  // Reads the tombstones of memtables and level 0. An empty view costs
  // nothing afterwards. Of the runs (memtables, files of level 0, levels, in
  // this order, those without tombstones too) the first `newer_than` count.
  Status Init(size_t newer_than = SIZE_MAX);
  bool empty() const { return runs_.empty() && levels_.empty(); }

  // *deleted: a visible tombstone newer than `sequence` covers `user_key`.
  // An error: the tombstones of a file could not be read.
  Status IsDeleted(const Slice& user_key, SequenceNumber sequence,
                   bool* deleted);

  // Those of the visible tombstones newer than `sequence` that cover
  // `user_key`: every older version is deleted from some `begin` up to some
  // `end`, as far as they are known. The slices are good until the next call.
  struct Cover {
    SequenceNumber newest = 0;  // 0: none covers it
    std::optional<Slice> begin;
    std::optional<Slice> end;  // not in it
  };
  Status FindCover(const Slice& user_key, SequenceNumber sequence,
                   Cover* cover);

 private:
  struct Level {
    int level = 0;
    const LevelFiles* files = nullptr;
    size_t loaded = SIZE_MAX;  // index of the file that `cursor` is for
    std::unique_ptr<TombstoneCursor> cursor;  // null: it has none
  };

  void AddRun(std::shared_ptr<const FragmentedTombstones> tombstones);
  // Calls `ask` with the cursors that may know of the key.
  template <class Ask>
  Status AskLevel(Level* level, const Slice& user_key, const Ask& ask);
  template <class Ask>
  Status AskAll(const Slice& user_key, const Ask& ask);

  const SuperVersion& state_;
  const ReadOptions& options_;
  const TombstoneLimit limit_;
  std::vector<TombstoneCursor> runs_;
  std::vector<Level> levels_;
  std::string cover_begin_;
  std::string cover_end_;
};

}  // namespace ROCKSDB_NAMESPACE
