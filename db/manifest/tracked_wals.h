// The WALs whose synced sizes the manifest records
// (track_and_verify_wals_in_manifest, db-format.md 4.7): what an open compares
// the log files with.
//
// Threads  A plain value.
// Errors   Corruption for a WAL that is added a second time without a size.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "db/version/version_edit.h"
#include "rocksdb/status.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class TrackedWals {
 public:
  // Takes in the edit's additions, then its deletion. On failure the state is
  // not to be used.
  [[nodiscard]] Status Apply(const VersionEdit& edit) {
    for (const WalAddition& wal : edit.wal_additions) {
      // A log that was deleted may be named once more by a late sync.
      if (wal.number < min_number_) continue;
      const bool is_known = synced_sizes_.count(wal.number) != 0;
      if (is_known && !wal.synced_size) {
        return Status::Corruption("log " + std::to_string(wal.number) +
                                  " is added twice");
      }
      uint64_t& size = synced_sizes_[wal.number];
      if (wal.synced_size && *wal.synced_size > size) size = *wal.synced_size;
    }
    if (edit.wals_deleted_before && *edit.wals_deleted_before > min_number_) {
      min_number_ = *edit.wals_deleted_before;
      synced_sizes_.erase(synced_sizes_.begin(),
                          synced_sizes_.lower_bound(min_number_));
    }
    INVARIANT(synced_sizes_.empty() ||
              synced_sizes_.begin()->first >= min_number_);
    return Status::OK();
  }

  // WAL number -> synced size; 0: the log was only announced.
  const std::map<uint64_t, uint64_t>& synced_sizes() const {
    return synced_sizes_;
  }
  // Logs below this are gone; 0 = none was deleted.
  uint64_t min_number() const { return min_number_; }

 private:
  std::map<uint64_t, uint64_t> synced_sizes_;
  uint64_t min_number_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
