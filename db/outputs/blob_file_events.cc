#include "db/outputs/blob_file_events.h"

#include "db/family/column_family.h"
#include "db/outputs/table_output.h"
#include "rocksdb/info_log.h"
#include "util/event_text.h"

namespace ROCKSDB_NAMESPACE {

void TellBlobFileStarted(const JobContext& job, const std::string& path,
                         BlobFileCreationReason reason) {
  BlobFileCreationBriefInfo info;
  info.db_name = job.db_name;
  info.cf_name = job.cfd->name();
  info.file_path = path;
  info.job_id = job.job_id;
  info.reason = reason;
  for (const auto& listener : job.db->listeners) {
    listener->OnBlobFileCreationStarted(info);
  }
}

void TellBlobFileFinished(const JobContext& job, const std::string& path,
                          BlobFileCreationReason reason,
                          const BlobFileAddition& record,
                          const Status& status) {
  Info(job.db->logger,
       "[%s] [JOB %d] blob file #%llu: %llu blobs, %llu bytes: %s",
       job.cfd->name().c_str(), job.job_id,
       static_cast<unsigned long long>(record.number),
       static_cast<unsigned long long>(record.total_count),
       static_cast<unsigned long long>(record.total_bytes),
       status.ToString().c_str());
  const std::string event =
      EventText("blob_file_creation")
          .Add("cf_name", job.cfd->name())
          .Add("job", job.job_id)
          .Add("file_number", record.number)
          .Add("total_blob_count", record.total_count)
          .Add("total_blob_bytes", record.total_bytes)
          .Add("file_checksum_func_name",
               ChecksumFunctionName(record.checksum_method))
          .Add("status", status.ToString())
          .Finish();
  Info(job.db->logger, "%s", event.c_str());
  if (job.db->listeners.empty()) return;
  BlobFileCreationInfo info;
  info.db_name = job.db_name;
  info.cf_name = job.cfd->name();
  info.file_path = path;
  info.job_id = job.job_id;
  info.reason = reason;
  info.total_blob_count = record.total_count;
  info.total_blob_bytes = record.total_bytes;
  info.status = status;
  info.file_checksum = record.checksum_value;
  info.file_checksum_func_name = ChecksumFunctionName(record.checksum_method);
  for (const auto& listener : job.db->listeners) {
    listener->OnBlobFileCreated(info);
  }
}

}  // namespace ROCKSDB_NAMESPACE
