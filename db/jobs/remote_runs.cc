#include "db/jobs/remote_runs.h"

#include "db/background/stop_signals.h"
#include "db/compaction/compaction_job.h"
#include "db/compaction/remote_compaction.h"
#include "db/family/column_family.h"
#include "options/db_options.h"
#include "rocksdb/info_log.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using JobStatus = CompactionServiceJobStatus;

// What a service that throws, or that gives no result, comes down to. The
// database goes on: Incomplete stops nothing, and the inputs are as they were.
Status ServiceFailed(const CompactionService& service, const char* how) {
  return Status::Incomplete(service.Name(), how);
}

// The job's id, if the service takes it on.
CompactionServiceScheduleResponse Schedule(CompactionService* service,
                                           const CompactionJob& job) {
  try {
    return service->Schedule(
        DescribeForService(job.context(), job.compaction()),
        RemoteCompactionRequest::Of(job.context(), job.compaction()).Encode());
  } catch (...) {
    return CompactionServiceScheduleResponse(JobStatus::kFailure);
  }
}

JobStatus Wait(CompactionService* service, const std::string& job_id,
               std::string* bytes) {
  try {
    return service->Wait(job_id, bytes);
  } catch (...) {
    return JobStatus::kFailure;
  }
}

// A failed worker may have said why.
Status Failure(const CompactionService& service, const std::string& bytes) {
  RemoteCompactionResult result;
  if (result.Decode(bytes).ok() && !result.status.ok()) return result.status;
  return ServiceFailed(service, "failed");
}

Status TakeIn(const std::string& bytes, CompactionJob* job) {
  RemoteCompactionResult result;
  Status s = result.Decode(bytes);
  // What came back is bad, not what the database has.
  if (!s.ok()) return Status::Incomplete("remote compaction", s.ToString());
  return result.status.ok() ? job->Adopt(result) : result.status;
}

}  // namespace

RemoteRuns::Outcome RemoteRuns::Run(CompactionJob* job) const {
  INVARIANT(job != nullptr);
  CompactionService* service = db_->compaction_service.get();
  if (service == nullptr) return {};
  const int id = job->context().job_id;
  const std::string why_not = WhyNotRemote(job->compaction());
  if (!why_not.empty()) {
    Info(db_->logger, "[JOB %d] not for %s: %s", id, service->Name(),
         why_not.c_str());
    return {};
  }
  const CompactionServiceScheduleResponse response = Schedule(service, *job);
  Outcome run;
  run.job_id = response.scheduled_job_id;
  JobStatus status = response.status;
  std::string bytes;
  if (status == JobStatus::kSuccess) {
    Info(db_->logger, "[JOB %d] %s runs it as %s", id, service->Name(),
         run.job_id.c_str());
    status = Wait(service, run.job_id, &bytes);
  }
  run.is_done = status != JobStatus::kUseLocal;
  const bool is_aborted =
      stop_->IsAborting() ||
      job->context().cfd->schedule.compaction_aborts.load() > 0;
  if (run.is_done && is_aborted) {
    // AbortAllCompactions(), AbortCompactions(): the other process is not told,
    // but what it brings is not taken.
    run.status = Status::Incomplete(Status::SubCode::kCompactionAborted);
    return run;
  }
  switch (status) {
    case JobStatus::kSuccess:
      run.status = TakeIn(bytes, job);
      break;
    case JobStatus::kFailure:
      run.status = Failure(*service, bytes);
      break;
    case JobStatus::kAborted:
      run.status = ServiceFailed(*service, "was aborted");
      break;
    case JobStatus::kUseLocal:
      Info(db_->logger, "[JOB %d] %s leaves it to this process", id,
           service->Name());
      break;
  }
  return run;
}

void RemoteRuns::Tell(const Outcome& run, const Status& installed) const {
  INVARIANT(db_->compaction_service != nullptr);
  try {
    db_->compaction_service->OnInstallation(
        run.job_id, installed.ok() ? JobStatus::kSuccess : JobStatus::kFailure);
  } catch (...) {
    Warn(db_->logger, "%s::OnInstallation() threw",
         db_->compaction_service->Name());
  }
}

void RemoteRuns::Cancel() const {
  if (db_->compaction_service == nullptr) return;
  try {
    db_->compaction_service->CancelAwaitingJobs();
  } catch (...) {
    Warn(db_->logger, "%s::CancelAwaitingJobs() threw",
         db_->compaction_service->Name());
  }
}

}  // namespace ROCKSDB_NAMESPACE
