// The neighbouring point deletions that an iterator steps over, as one range
// tombstone (min_tombstones_for_range_conversion).
//
// The tombstone goes into the active memtable with the sequence S that the
// iterator reads as of, and so hides what is older than S. That changes no
// answer, because in its range
//  - every key is dead as of S: the iterator has seen so, or has passed over
//    what other tombstones up to S hide. Its end is excluded, and is a key
//    that the walk has come to, or a bound of what it has come through;
//  - no run older than that memtable holds a version newer than S. Such a one
//    would be hidden wherever an older run is taken to be older throughout,
//    and once a compaction has set its sequence to 0. Whose it is, an iterator
//    cannot tell: any version newer than S that it meets ends the range.
// Whoever adds the tombstone sees to it that nothing has come into older runs
// since (WritePipeline::HideRange()).
//
// One try for each range: an iterator does not see what it has added, and may
// come by again.
//
// Threads  One, that of the iterator.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>

#include "db/family/super_version.h"
#include "memtable/memtable.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "util/key/internal_key.h"
#include "util/key/range_tombstones.h"

namespace ROCKSDB_NAMESPACE {

class DeletionRun {
 public:
  enum class Direction { kForward, kBackward };

  // From now on the iterator walks over `state` as of `sequence`. It looks for
  // runs if it comes by every version, and their tombstones would not be older
  // than the active memtable.
  void Watch(const SuperVersion& state, const ReadOptions& read,
             SequenceNumber sequence) {
    *this = DeletionRun();
    const bool sees_all = read.read_tier == kReadAllTier &&
                          read.table_filter == nullptr &&
                          !read.ignore_range_deletions && !read.tailing;
    if (!sees_all || sequence < state.mem->options().earliest_sequence) return;
    least_ = state.options->min_tombstones_for_range_conversion;
    sequence_ = sequence;
    order_ = &state.mem->order();
  }
  bool is_on() const { return least_ > 0; }
  bool IsLong() const { return is_on() && count_ >= least_ && hides_any_; }

  // A new walk forward begins.
  void BeginForward() {
    count_ = 0;
    hides_any_ = has_newer_ = false;
  }
  // A new walk backward begins, right below `key`; empty: nobody knows of
  // which.
  void BeginBelow(const Slice& key) {
    BeginForward();
    above_.assign(key.data(), key.size());
  }

  // The newest visible version of `key` is a point deletion that no tombstone
  // hides.
  void Add(const Slice& key, SequenceNumber sequence) {
    if (has_newer_) {  // It may be this key that has a newer version.
      has_newer_ = false;
      return;
    }
    // No tombstone of this view hides one at its very sequence: by itself it
    // would be added anew by each read.
    if (sequence < sequence_) hides_any_ = true;
    if (count_++ == 0) first_.assign(key.data(), key.size());
    last_.assign(key.data(), key.size());
  }
  // Forward: a version that is newer than the view: the run is over.
  void PassNewer() {
    BeginForward();
    has_newer_ = true;
  }

  // The range of the run. Forward it ends at `end`, or else at its last key.
  // False: there is none, or it was tried before.
  bool Take(Direction direction, const std::optional<Slice>& end,
            RangeTombstone* dead) {
    assert(IsLong());
    const bool is_forward = direction == Direction::kForward;
    const bool knows_end = is_forward ? end.has_value() : !above_.empty();
    // The key that it ends at stays, and so may one at the very sequence: two
    // would be tried by each read.
    if (!knows_end && count_ < 3) return false;
    if (is_forward) {
      dead->begin = first_;
      dead->end = end.value_or(last_);
    } else {
      dead->begin = last_;
      dead->end = above_.empty() ? first_ : above_;
    }
    dead->sequence = sequence_;
    if (order_->CompareUserKeys(dead->begin, dead->end) >= 0) return false;
    return NoteTry(*dead);
  }

 private:
  // What lies between two tries counts as tried.
  bool NoteTry(const RangeTombstone& dead) {
    const bool is_lower =
        !has_tried_ || order_->CompareUserKeys(dead.begin, tried_begin_) < 0;
    const bool is_higher =
        !has_tried_ || order_->CompareUserKeys(dead.end, tried_end_) > 0;
    if (is_lower) tried_begin_.assign(dead.begin.data(), dead.begin.size());
    if (is_higher) tried_end_.assign(dead.end.data(), dead.end.size());
    has_tried_ = true;
    return is_lower || is_higher;
  }

  uint32_t least_ = 0;
  SequenceNumber sequence_ = 0;
  const InternalKeyComparator* order_ = nullptr;
  uint64_t count_ = 0;
  bool hides_any_ = false;
  bool has_newer_ = false;
  std::string first_;  // in the direction of the walk
  std::string last_;
  std::string above_;
  bool has_tried_ = false;
  std::string tried_begin_;
  std::string tried_end_;
};

}  // namespace ROCKSDB_NAMESPACE
