// DBImpl: table files that others have made.
#include <algorithm>

#include "db/family/family_handle.h"
#include "db/family/family_registry.h"
#include "db/impl/db_impl.h"
#include "db/ingest/ingest_job.h"
#include "db/intake/flush_requests.h"
#include "db/intake/intake.h"
#include "db/jobs/flush_desk.h"
#include "db/jobs/job_contexts.h"
#include "db/version/job_context.h"
#include "db/write/exclusive.h"
#include "db/write/family_publisher.h"
#include "memtable/memtable.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Times a step for a histogram, where statistics are kept.
class StepTimer {
 public:
  StepTimer(const ImmutableDBOptions& db, uint32_t histogram)
      : db_(db), histogram_(histogram), begin_(db.clock->NowMicros()) {}
  ~StepTimer() {
    RecordInHistogram(db_.stats, histogram_, db_.clock->NowMicros() - begin_);
  }
  StepTimer(const StepTimer&) = delete;
  StepTimer& operator=(const StepTimer&) = delete;

 private:
  const ImmutableDBOptions& db_;
  const uint32_t histogram_;
  const uint64_t begin_;
};

IngestRequest RequestOf(const IngestExternalFileArg& arg) {
  IngestRequest request;
  request.paths = arg.external_files;
  request.options = arg.options;
  request.checksums = arg.files_checksums;
  request.checksum_functions = arg.files_checksum_func_names;
  request.temperature = arg.file_temperature;
  return request;
}

}  // namespace

Status DBImpl::IngestExternalFile(ColumnFamilyHandle* family,
                                  const std::vector<std::string>& files,
                                  const IngestExternalFileOptions& options) {
  IngestExternalFileArg arg;
  arg.column_family = family;
  arg.external_files = files;
  arg.options = options;
  return IngestExternalFiles({arg});
}

Status DBImpl::IngestExternalFiles(
    const std::vector<IngestExternalFileArg>& args) {
  PERF_TIMER_GUARD(file_ingestion_nanos);
  if (Status s = CheckWritable(); !s.ok()) return s;
  for (const IngestExternalFileArg& arg : args) {
    if (arg.atomic_replace_range.has_value()) {
      return Status::NotSupported("atomic_replace_range of an ingestion");
    }
  }
  IngestJobs jobs;
  Status s = MakeIngestJobs(args, &jobs);
  if (!s.ok()) return s;
  INVARIANT(jobs.size() == args.size());
  {
    const StepTimer timer(options_, INGEST_EXTERNAL_FILE_PREPARE_TIME);
    for (const auto& job : jobs) {
      if (s = job->Prepare(); !s.ok()) return s;
    }
  }
  const StepTimer timer(options_, INGEST_EXTERNAL_FILE_RUN_TIME);
  // Most of a flush that has to be is done while writes go on.
  std::vector<ColumnFamilyData*> to_flush;
  {
    MutexLock lock(&mutex_);
    s = FamiliesToFlush(jobs, &to_flush);
  }
  if (s.ok() && !to_flush.empty()) {
    s = intake_->flush_requests()->Flush(FlushOptions(), to_flush,
                                         FlushReason::kExternalFileIngestion);
    // The log is locked: FlushForIngestion() comes when it is no longer.
    if (s.IsAborted()) s = Status::OK();
  }
  if (!s.ok()) return s;
  {
    MutexLock lock(&mutex_);
    LookIntoGapsOf(&mutex_, jobs);
  }
  bool is_unknown = false;
  {
    PERF_TIMER_GUARD(file_ingestion_blocking_live_writes_nanos);
    const Exclusive exclusive(&write_thread_);
    s = InstallIngested(jobs, &is_unknown);
  }
  publisher_->FreeAndTell();
  using Outcome = IngestJob::Outcome;
  for (const auto& job : jobs) {
    job->Finish(s.ok()       ? Outcome::kInstalled
                : is_unknown ? Outcome::kUnknown
                             : Outcome::kUndone);
  }
  if (s.ok()) NotifyIngested(jobs);
  return s;
}

Status DBImpl::MakeIngestJobs(const std::vector<IngestExternalFileArg>& args,
                              IngestJobs* jobs) {
  INVARIANT(jobs != nullptr);
  if (args.empty()) {
    return Status::InvalidArgument("ingestion arg list is empty");
  }
  MutexLock lock(&mutex_);
  for (const IngestExternalFileArg& arg : args) {
    if (Status s = CheckHandle(arg.column_family); !s.ok()) return s;
    const ColumnFamilyRef cfd =
        static_cast<ColumnFamilyHandleImpl*>(arg.column_family)->cfd_ref();
    const FamilyRef family = families_->Find(cfd->id());
    if (cfd->is_dropped() || family == nullptr) {
      return Status::ColumnFamilyDropped(cfd->name());
    }
    const bool is_twice =
        std::any_of(jobs->begin(), jobs->end(),
                    [&](const auto& job) { return job->cfd() == cfd.get(); });
    if (is_twice) {
      return Status::InvalidArgument(
          "ingestion args have duplicate column families", cfd->name());
    }
    const IngestRequest request = RequestOf(arg);
    Status s = IngestJob::Check(*cfd, request);
    if (!s.ok()) return s;
    JobContext context = jobs_->Make(family.get());
    // The family's directories are there as long as the context.
    context.output_directory = [family](uint32_t path_id) {
      const size_t last = family->directories.size() - 1;
      return family->directories[std::min<size_t>(path_id, last)].get();
    };
    jobs->push_back(std::make_unique<IngestJob>(std::move(context), cfd,
                                                cfd->options(), request));
  }
  return Status::OK();
}

Status DBImpl::FamiliesToFlush(const IngestJobs& jobs,
                               std::vector<ColumnFamilyData*>* families) {
  INVARIANT(families != nullptr);
  for (const auto& job : jobs) {
    ColumnFamilyData* cfd = job->cfd();
    if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
    if (!job->NeedsFlush(*cfd->mem(), *cfd->imm()->current())) continue;
    if (!job->allows_flush()) {
      return Status::InvalidArgument("External file requires flush");
    }
    families->push_back(cfd);
  }
  return Status::OK();
}

// No write can come between this and the files.
Status DBImpl::FlushForIngestion(const IngestJobs& jobs) {
  std::vector<ColumnFamilyData*> families;
  Status s = FamiliesToFlush(jobs, &families);
  if (!s.ok() || families.empty()) return s;
  return intake_->flush_requests()->FlushInTurn(
      families, FlushReason::kExternalFileIngestion);
}

void DBImpl::NotifyIngested(const IngestJobs& jobs) {
  for (const auto& job : jobs) {
    for (const auto& file : job->files()) {
      ExternalFileIngestionInfo info;
      file->FillInfo(&info);
      Info(options_.logger,
           "[%s] %s ingested into level %d as table #%llu, sequence %llu",
           info.cf_name.c_str(), info.external_file_path.c_str(), file->level(),
           static_cast<unsigned long long>(file->meta()->number),
           static_cast<unsigned long long>(info.global_seqno));
      NotifyListeners([&](EventListener* listener) {
        listener->OnExternalFileIngested(this, info);
      });
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE
