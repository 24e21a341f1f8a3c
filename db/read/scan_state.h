// One scan of a user's iterator: the parts that its two walks share, and what
// both say of where the scan stands.
//
// A plain struct, so that a walk sees every load. Each part keeps its own
// rules; what needs several of them is here, or in the walk.
//
// Lifetime  The view goes last: all others may refer into it.
// Threads   One thread at a time.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "db/read/deletion_run.h"
#include "db/read/scan_counts.h"
#include "db/read/scan_limits.h"
#include "db/read/scan_view.h"
#include "db/read/scan_watch.h"
#include "db/read/shown_entry.h"
#include "db/read/skip_limit.h"
#include "db/read/version_stack.h"
#include "util/key/copy_key.h"

namespace ROCKSDB_NAMESPACE {

struct ScanState {
  using Direction = DeletionRun::Direction;

  explicit ScanState(UserIteratorRequest request);
  ScanState(const ScanState&) = delete;
  ScanState& operator=(const ScanState&) = delete;

  // The view is another one: what depends on it is set anew.
  void BeginView();
  // Clears what the scan before has left. False: no scan can begin.
  bool BeginSeek(Direction way);

  void Fail(Status problem) {
    valid = false;
    status = std::move(problem);
  }
  // The entry that the stream is on. False: that is none; the scan has failed.
  bool Parse(ParsedInternalKey* entry) {
    if (view.source().Parse(view.rules(), entry)) return true;
    Fail(view.DamagedKey());
    return false;
  }
  // At its end the stream may have failed.
  bool FailsWithStream() {
    if (view.source().Valid() || view.source().status().ok()) return false;
    Fail(view.source().status());
    return true;
  }
  // A key may be saved_key itself.
  void SaveKey(const Slice& key) { CopyKey(key, &saved_key); }
  // One more hidden entry. True: too many in a row for one call.
  bool SkippedTooMany() {
    ++counts.skipped;
    return IsAtLimit();
  }
  // The same where it counts for nothing else.
  bool IsAtLimit() {
    if (!skip_limit.IsPassed(&status)) return false;
    valid = false;
    return true;
  }
  // Many versions of one key have been stepped over: a seek past the rest is
  // cheaper than the next step.
  bool ShouldReseek() {
    if (++skipped <= reseek_after) return false;
    skipped = 0;
    CountReseek();
    return true;
  }
  void CountReseek() const {
    RecordTick(view.statistics(), NUMBER_OF_RESEEKS_IN_ITERATION);
  }
  // The database is told of the run of deletions that ends here, or at `end`.
  void HideRun(const std::optional<Slice>& end);

  ScanView view;
  ScanLimits limits{&view.options()};
  SkipLimit skip_limit{view.options().max_skippable_internal_keys};
  ScanCounts counts;
  ScanWatch watch;
  DeletionRun run;
  VersionStack versions;
  ShownEntry shown;

  Direction direction = Direction::kForward;
  bool valid = false;
  Status status;
  // Filters were asked by the last seek: what they passed over is unknown.
  bool misses_prefixes = false;
  uint64_t reseek_after = 0;
  uint64_t skipped = 0;   // versions, since the last reseek
  std::string saved_key;  // stored; of what the walk has last been at

  struct Forward {
    bool is_skipping = false;  // versions of saved_key are passed over
    // The stream is on the last entry that is shown, or merged.
    bool is_at_entry = false;
    bool is_merged = false;
  } forward;
};

}  // namespace ROCKSDB_NAMESPACE
