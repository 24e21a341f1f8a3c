// DBImpl: compactions that a user's CompactionService has another process run;
// and being that process.
#include "db/compaction/compaction_job.h"
#include "db/compaction/progress_file.h"
#include "db/compaction/remote_compaction.h"
#include "db/impl/db_impl.h"
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

DBImpl::RemoteRun DBImpl::RunElsewhere(CompactionJob* job) {
  INVARIANT(job != nullptr);
  CompactionService* service = options_.compaction_service.get();
  if (service == nullptr) return {};
  const int id = job->context().job_id;
  const std::string why_not = WhyNotRemote(job->compaction());
  if (!why_not.empty()) {
    Info(options_.logger, "[JOB %d] not for %s: %s", id, service->Name(),
         why_not.c_str());
    return {};
  }
  const CompactionServiceScheduleResponse response = Schedule(service, *job);
  RemoteRun run;
  run.job_id = response.scheduled_job_id;
  JobStatus status = response.status;
  std::string bytes;
  if (status == JobStatus::kSuccess) {
    Info(options_.logger, "[JOB %d] %s runs it as %s", id, service->Name(),
         run.job_id.c_str());
    status = Wait(service, run.job_id, &bytes);
  }
  run.is_done = status != JobStatus::kUseLocal;
  if (run.is_done && stop_.IsAborting()) {
    // AbortAllCompactions(): the other process is not told, but what it brings
    // is not taken.
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
      Info(options_.logger, "[JOB %d] %s leaves it to this process", id,
           service->Name());
      break;
  }
  return run;
}

void DBImpl::TellService(const RemoteRun& run, const Status& installed) {
  INVARIANT(options_.compaction_service != nullptr);
  try {
    options_.compaction_service->OnInstallation(
        run.job_id, installed.ok() ? JobStatus::kSuccess : JobStatus::kFailure);
  } catch (...) {
    Warn(options_.logger, "%s::OnInstallation() threw",
         options_.compaction_service->Name());
  }
}

// The service may be that of other databases, too; one that never came to run
// anything takes nothing from them.
void DBImpl::CancelRemoteRuns() {
  if (options_.compaction_service == nullptr) return;
  if (!opened_ || mode_ != Mode::kReadWrite) return;
  try {
    options_.compaction_service->CancelAwaitingJobs();
  } catch (...) {
    Warn(options_.logger, "%s::CancelAwaitingJobs() threw",
         options_.compaction_service->Name());
  }
}

void DBImpl::CompactForPrimary(const RemoteCompactionRequest& request,
                               const std::string& directory,
                               const OpenAndCompactOptions& options,
                               RemoteCompactionResult* result) {
  INVARIANT(mode_ == Mode::kCompactor && opened_);
  INVARIANT(result != nullptr);
  result->directory = directory;
  std::unique_ptr<FSDirectory> to_sync;
  result->status =
      options_.fs->NewDirectory(directory, IOOptions(), &to_sync, nullptr);
  if (result->status.ok() && !options.allow_resumption) {
    result->status = CompactionProgressFile::RemoveAll(options_.fs, directory);
  }
  if (!result->status.ok()) return;
  MutexLock lock(&mutex_);
  if (versions_->db_id() != request.db_id) {
    result->status = Status::InvalidArgument("a compaction of another database",
                                             request.db_id);
    return;
  }
  ColumnFamilyData* cfd = versions_->families()->Find(request.family);
  INVARIANT(cfd != nullptr);
  std::unique_ptr<Compaction> compaction;
  result->status = request.Restore(cfd->current(), cfd->options(), &compaction);
  if (!result->status.ok()) return;
  INVARIANT(cfd->tables()->paths().back() == directory);
  compaction->output_path_id =
      static_cast<uint32_t>(cfd->tables()->paths().size() - 1);
  const FamilyRef family = families_.Find(cfd->id());
  JobContext context = MakeJobContext(family.get());
  context.snapshots.sequences = request.snapshots;
  context.canceled = options.canceled;
  context.output_directory = [&to_sync](uint32_t) { return to_sync.get(); };
  CompactionProgressFile progress({options_.fs, options_.clock, options_.logger,
                                   to_sync.get(), directory, request.Encode()});
  CompactionJob job(std::move(context), std::move(compaction));
  job.Prepare();
  {
    MutexUnlock unlock(&mutex_);
    if (options.allow_resumption) result->status = job.Resume(&progress);
    if (result->status.ok()) result->status = job.Run();
  }
  if (result->status.ok()) return job.HandOver(result);
  // Whatever was wrong, it may be in what was made of it.
  if (result->status.IsCorruption()) progress.Forget();
  result->status = job.Install(result->status);
}

}  // namespace ROCKSDB_NAMESPACE
