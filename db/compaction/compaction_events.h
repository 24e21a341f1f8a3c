// What LOG tells of a compaction in JSON.
#pragma once

#include <cstddef>

#include "db/compaction/compaction.h"
#include "db/compaction/compaction_job.h"
#include "db/outputs/job_context.h"

namespace ROCKSDB_NAMESPACE {

void LogStarted(const JobContext& job, const Compaction& compaction);
// Its files went down a level, or several, as they are. (mutex)
void LogMoved(const JobContext& job, const Compaction& compaction);
// Its result is installed. `parts`: sub-compactions in this process. (mutex)
void LogFinished(const JobContext& job, const Compaction& compaction,
                 const LevelWork& work, size_t parts);

}  // namespace ROCKSDB_NAMESPACE
