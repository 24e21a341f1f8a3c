// Which logs may be written through a mapping: the rule of every file system
// that does so.
#pragma once

#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

// Zeros behind the last record hide whether it was torn, and so do not go with
// the modes that tell a torn end from damage, nor with known sizes.
inline bool AllowsMappedLogs(const DBOptions& options) {
  const WALRecoveryMode mode = options.wal_recovery_mode;
  return !options.track_and_verify_wals &&
         (mode == WALRecoveryMode::kPointInTimeRecovery ||
          mode == WALRecoveryMode::kSkipAnyCorruptedRecords);
}

}  // namespace ROCKSDB_NAMESPACE
