// Which write-ahead logs the next open needs, as the manifest tells it: the
// smallest number that counts, and what is known of the logs' sizes.
//
// Threads  Under the DB mutex.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "db/family/column_family.h"
#include "db/manifest/tracked_wals.h"
#include "db/manifest/version_change.h"
#include "db/version/version_edit.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class NeededLogs {
 public:
  // What a manifest that was read says.
  void TakeOver(uint64_t min_to_keep, TrackedWals tracked) {
    min_to_keep_ = min_to_keep;
    tracked_ = std::move(tracked);
  }

  uint64_t min_to_keep() const { return min_to_keep_; }
  const TrackedWals& tracked() const { return tracked_; }
  // Those logs that were synced, and their sizes.
  const std::map<uint64_t, uint64_t>& synced_sizes() const {
    return tracked_.synced_sizes();
  }
  // The smallest log that any family needs, or that is held.
  uint64_t MinNeeded(const ColumnFamilySet& families) const {
    uint64_t number = held_;
    for (const ColumnFamilyRef& cfd : families.all()) {
      number = std::min(number, cfd->MinLogNumberNeeded());
    }
    return number;
  }

  // This log and newer ones are kept, whatever edits say. UINT64_MAX: none is.
  void Hold(uint64_t min_log) { held_ = min_log; }
  uint64_t held() const { return held_; }
  void KeepHeld(VersionEdit* edit) const {
    std::optional<uint64_t>& keep = edit->min_log_number_to_keep;
    if (keep) keep = std::min(*keep, held_);
  }
  // Drops logs from the edit that another edit has let go since their sync: if
  // the manifest named them now, the next open would miss them.
  void LeaveOutUnneeded(VersionEdit* edit) const {
    std::erase_if(edit->wal_additions, [this](const WalAddition& wal) {
      return wal.number < min_to_keep_;
    });
  }
  // Logs that the changes make unneeded are not to be missed at the next open.
  // False: there are none, and *edit is as it was.
  bool Forget(const std::vector<VersionChange>& changes,
              VersionEdit* edit) const {
    INVARIANT(edit != nullptr);
    if (synced_sizes().empty()) return false;
    uint64_t min_log = 0;
    for (const VersionChange& change : changes) {
      if (change.edit->wals_deleted_before) return false;
      min_log =
          std::max(min_log, change.edit->min_log_number_to_keep.value_or(0));
    }
    if (synced_sizes().begin()->first >= min_log) return false;
    edit->wals_deleted_before = min_log;
    return true;
  }

  // --- once an edit is in the manifest
  void SetTracked(TrackedWals tracked) { tracked_ = std::move(tracked); }
  void NoteWritten(const VersionEdit& edit) {
    min_to_keep_ =
        std::max(min_to_keep_, edit.min_log_number_to_keep.value_or(0));
  }

 private:
  uint64_t min_to_keep_ = 0;
  uint64_t held_ = UINT64_MAX;
  TrackedWals tracked_;
};

}  // namespace ROCKSDB_NAMESPACE
