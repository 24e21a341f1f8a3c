// What listeners and LOG are told of a blob file that is being written.
//
// Threads  The writer's, without the DB mutex.
#pragma once

#include <string>

#include "db/blob/blob_file.h"
#include "db/outputs/job_context.h"
#include "rocksdb/listener.h"

namespace ROCKSDB_NAMESPACE {

void TellBlobFileStarted(const JobContext& job, const std::string& path,
                         BlobFileCreationReason reason);
void TellBlobFileFinished(const JobContext& job, const std::string& path,
                          BlobFileCreationReason reason,
                          const BlobFileAddition& record, const Status& status);

}  // namespace ROCKSDB_NAMESPACE
