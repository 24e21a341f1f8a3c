// A compaction that copies its one input file, byte by byte, instead of
// rewriting it: all that changes is where the file lies.
//
// Threads  Without the DB mutex.
#pragma once

#include "db/compaction/compaction.h"
#include "db/outputs/job_context.h"

namespace ROCKSDB_NAMESPACE {

// Makes the copy, synced but for its directory, and opens it. On failure none
// is left.
Status CopyTable(const JobContext& job, const Compaction& compaction,
                 CompactionOutputFile* output);

}  // namespace ROCKSDB_NAMESPACE
