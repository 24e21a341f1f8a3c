// The semantics of a flush or compaction: reads one sorted stream of versions
// and yields those that must be written again (db-format.md 9.1 to 9.5).
//
// Its parts, each by itself in a header: the stream that is read
// (compaction_input.h), who still needs what (survival_rules.h), what was seen
// of a key (seen_versions.h), the entry that is shown (surviving_entry.h),
// those that follow it (pending_entries.h), operands (operand_run.h), and what
// becomes of a version by its type (compaction_steps.h) over all of these
// (compaction_state.h).
//
// Hot path   A value, the newest of its stripe, costs a comparison of its user
//            key with the one before and one copy of the key; its value is
//            the input's own slice. Nothing is allocated.
// Timestamps Versions of a key with different user-defined timestamps are as
//            different keys, as long as somebody may read as of each of them.
//            Those older than full_history_ts_low are one key: its history.
// Contract   Entries come in internal-key order, at most one for each
//            (key, stripe), but for merge operands that could not be combined
//            and single deletions that did not meet their value yet.
// Errors     status() after the end: the input's, a corrupt key, a merge or
//            filter that failed, or a stop that was asked for. Entries may be
//            missing then, so the output must not be used.
// Threads    One thread.
#pragma once

#include <cassert>

#include "db/semantics/compaction_iterator_stats.h"
#include "db/semantics/compaction_state.h"

namespace ROCKSDB_NAMESPACE {

class CompactionIterator {
 public:
  explicit CompactionIterator(const CompactionIteratorRequest& request);

  void SeekToFirst();
  bool Valid() const { return s_.entry.Valid(); }
  void Next();

  // Good until Next().
  Slice key() const { return s_.entry.key(); }
  Slice user_key() const { return s_.entry.user_key(); }
  Slice value() const { return s_.entry.value(); }
  // The input's block that the entry may be from; see InternalIterator.
  bool GetWholeBlock(WholeBlock* block) const {
    return !s_.input_is_ahead && s_.input.GetWholeBlock(block);
  }
  // The first entry of its user key, whatever the timestamp: an output may be
  // cut before it.
  bool IsFirstOfUserKey() const { return s_.seen.is_first_shown(); }

  const Status& status() const { return s_.input.status(); }
  const CompactionIteratorStats& stats() const { return s_.stats; }
  // What they were before the first version of the current user key, whatever
  // its timestamp, was read.
  const CompactionIteratorStats& stats_before_key() const {
    assert(keeps_stats_before_key_);
    return stats_before_key_;
  }

 private:
  void FindEntry();
  bool PassOver(size_t stripe);
  void BeginKey();
  bool Take(size_t stripe);

  CompactionState s_;
  const CompactionFilter* const filter_;  // may be null
  const bool keeps_stats_before_key_;
  CompactionIteratorStats stats_before_key_;
};

}  // namespace ROCKSDB_NAMESPACE
