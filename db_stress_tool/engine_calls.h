// Calls that not every engine has, or has alike: looked for when this is
// compiled, here alone. NotSupported where they are missing.
//
// Threads    As the engine says: any.

#pragma once

#include <string>

#include "rocksdb/db.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::stress::engine {

Status EnableFileDeletions(DB* db);
// ReadOptions that newer engines have.
void SetAutoReadahead(bool is_on, ReadOptions* options);
void SetMultiGetForIo(bool is_on, ReadOptions* options);
// GetSortedWalFiles().
Status ListLogs(DB* db);
// LockWAL() and UnlockWAL().
Status LockLogForAMoment(DB* db);
// A checkpoint at `path`, opened, compared in size and removed.
Status CheckCheckpoint(DB* db, const Options& options, const std::string& path);

}  // namespace ROCKSDB_NAMESPACE::stress::engine
