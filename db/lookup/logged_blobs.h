// Batches as they were written, of batches as the log has them: values that
// went to blob files before it (enable_blob_direct_write) are put back.
//
// Threads    Any, without the DB mutex.
// Ownership  Borrows what it is given.
// Errors     NotFound for a value that is gone: overwritten, and its blob file
//            deleted, or of a family that was dropped. Else those of reading.
#pragma once

#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class VersionSet;
class WriteBatch;

Status InlineLoggedBlobs(Mutex* mutex, VersionSet* versions, WriteBatch* batch)
    EXCLUDES(mutex);

}  // namespace ROCKSDB_NAMESPACE
