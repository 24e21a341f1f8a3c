// What listeners and LOG are told of a blob file that is being written.
//
// Threads  The writer's, without the DB mutex.
#pragma once

#include <string>

#include "db/blob/blob_file.h"
#include "db/outputs/job_context.h"
#include "rocksdb/listener.h"

namespace ROCKSDB_NAMESPACE {

// What events say of who writes a blob file, and why. The names are copies:
// this may outlive the job and the family.
struct BlobFileOrigin {
  BlobFileOrigin(const JobContext& job, BlobFileCreationReason why);

  const ImmutableDBOptions* const db;
  const std::string db_name;
  const std::string family_name;
  const int job_id;
  const BlobFileCreationReason reason;
};

void TellBlobFileStarted(const BlobFileOrigin& origin, const std::string& path);
void TellBlobFileFinished(const BlobFileOrigin& origin, const std::string& path,
                          const BlobFileAddition& record, const Status& status);

}  // namespace ROCKSDB_NAMESPACE
