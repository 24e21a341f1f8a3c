// The page cache across a compaction: whether there is room in it for the
// outputs; and heat: what users read of the inputs is warm in the outputs
// before the inputs may go.
#pragma once

#include <cstdint>
#include <vector>

#include "db/compaction/compaction.h"
#include "db/outputs/job_context.h"

namespace ROCKSDB_NAMESPACE {

// May the outputs stay in the page cache? True where nobody asks. Without the
// DB mutex: it looks at what the page cache has of the inputs (see
// PageCacheRoom).
bool HasPageCacheRoom(const JobContext& job, const Compaction& compaction);

// `start_micros`: when the job began; it bounds what is done. Without the DB
// mutex.
void KeepWarmOutputs(const JobContext& job, const Compaction& compaction,
                     const std::vector<CompactionOutputFile>& outputs,
                     uint64_t start_micros);

}  // namespace ROCKSDB_NAMESPACE
