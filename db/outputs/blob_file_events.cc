#include "db/outputs/blob_file_events.h"

#include "db/family/column_family.h"
#include "db/outputs/table_output.h"
#include "rocksdb/info_log.h"
#include "util/event_text.h"

namespace ROCKSDB_NAMESPACE {

BlobFileOrigin::BlobFileOrigin(const JobContext& job,
                               BlobFileCreationReason why)
    : db(job.db),
      db_name(job.db_name),
      family_name(job.cfd->name()),
      job_id(job.job_id),
      reason(why) {}

void TellBlobFileStarted(const BlobFileOrigin& origin,
                         const std::string& path) {
  BlobFileCreationBriefInfo info;
  info.db_name = origin.db_name;
  info.cf_name = origin.family_name;
  info.file_path = path;
  info.job_id = origin.job_id;
  info.reason = origin.reason;
  for (const auto& listener : origin.db->listeners) {
    listener->OnBlobFileCreationStarted(info);
  }
}

void TellBlobFileFinished(const BlobFileOrigin& origin, const std::string& path,
                          const BlobFileAddition& record,
                          const Status& status) {
  Info(origin.db->logger,
       "[%s] [JOB %d] blob file #%llu: %llu blobs, %llu bytes: %s",
       origin.family_name.c_str(), origin.job_id,
       static_cast<unsigned long long>(record.number),
       static_cast<unsigned long long>(record.total_count),
       static_cast<unsigned long long>(record.total_bytes),
       status.ToString().c_str());
  const std::string event =
      EventText("blob_file_creation")
          .Add("cf_name", origin.family_name)
          .Add("job", origin.job_id)
          .Add("file_number", record.number)
          .Add("total_blob_count", record.total_count)
          .Add("total_blob_bytes", record.total_bytes)
          .Add("file_checksum_func_name",
               ChecksumFunctionName(record.checksum_method))
          .Add("status", status.ToString())
          .Finish();
  Info(origin.db->logger, "%s", event.c_str());
  if (origin.db->listeners.empty()) return;
  BlobFileCreationInfo info;
  info.db_name = origin.db_name;
  info.cf_name = origin.family_name;
  info.file_path = path;
  info.job_id = origin.job_id;
  info.reason = origin.reason;
  info.total_blob_count = record.total_count;
  info.total_blob_bytes = record.total_bytes;
  info.status = status;
  info.file_checksum = record.checksum_value;
  info.file_checksum_func_name = ChecksumFunctionName(record.checksum_method);
  for (const auto& listener : origin.db->listeners) {
    listener->OnBlobFileCreated(info);
  }
}

}  // namespace ROCKSDB_NAMESPACE
