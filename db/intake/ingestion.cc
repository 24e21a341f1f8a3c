#include "db/intake/ingestion.h"

#include <algorithm>
#include <string>
#include <utility>

#include "db/files/log_keeper.h"
#include "db/ingest/ingest_job.h"
#include "db/intake/flush_requests.h"
#include "db/jobs/job_contexts.h"
#include "db/registry/family_handle.h"
#include "db/registry/family_registry.h"
#include "db/write/exclusive.h"
#include "db/write/family_publisher.h"
#include "memtable/memtable.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/info_log.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Times a step for a histogram, where statistics are kept.
class StepTimer {
 public:
  StepTimer(const ImmutableDBOptions& db, uint32_t histogram)
      : db_(db), histogram_(histogram), begin_(db.clock->NowMicros()) {}
  ~StepTimer() {
    RecordInHistogram(db_.stats, histogram_, MicrosSince(db_.clock, begin_));
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
  request.infos = arg.file_infos;
  request.replaced = ReplacedRange::From(arg.atomic_replace_range);
  return request;
}

}  // namespace

Ingestion::Ingestion(const Context& context) : context_(context) {
  INVARIANT(context_.flush_requests != nullptr);
  INVARIANT(context_.logs != nullptr);
}

Status Ingestion::Ingest(const std::vector<IngestExternalFileArg>& args) {
  Jobs jobs;
  Status s = Prepare(args, &jobs);
  return s.ok() ? Commit(jobs) : s;
}

// Whoever destroys the jobs undoes what is done here.
Status Ingestion::Prepare(const std::vector<IngestExternalFileArg>& args,
                          Jobs* jobs) {
  PERF_TIMER_GUARD(file_ingestion_nanos);
  Status s = MakeJobs(args, jobs);
  if (!s.ok()) return s;
  INVARIANT(jobs->size() == args.size());
  const StepTimer timer(*context_.db, INGEST_EXTERNAL_FILE_PREPARE_TIME);
  for (const auto& job : *jobs) {
    if (s = job->Prepare(); !s.ok()) return s;
  }
  return s;
}

Status Ingestion::Commit(const Jobs& jobs) {
  PERF_TIMER_GUARD(file_ingestion_nanos);
  const StepTimer timer(*context_.db, INGEST_EXTERNAL_FILE_RUN_TIME);
  Status s = FlushEarly(jobs);
  if (!s.ok()) return s;
  {
    MutexLock lock(context_.mutex);
    LookIntoGapsOf(context_.mutex, jobs);
  }
  bool is_unknown = false;
  {
    PERF_TIMER_GUARD(file_ingestion_blocking_live_writes_nanos);
    const Exclusive exclusive(context_.writes);
    s = Install(jobs, &is_unknown);
  }
  context_.publisher->FreeAndTell();
  using Outcome = IngestJob::Outcome;
  for (const auto& job : jobs) {
    job->Finish(s.ok()       ? Outcome::kInstalled
                : is_unknown ? Outcome::kUnknown
                             : Outcome::kUndone);
  }
  if (s.ok()) Tell(jobs);
  return s;
}

// Most of a flush that has to be is done while writes go on.
Status Ingestion::FlushEarly(const Jobs& jobs) {
  std::vector<ColumnFamilyData*> families;
  {
    MutexLock lock(context_.mutex);
    Status s = FamiliesToFlush(jobs, &families);
    if (!s.ok() || families.empty()) return s;
  }
  const Status s = context_.flush_requests->Flush(
      FlushOptions(), families, FlushReason::kExternalFileIngestion);
  // The log is locked: FlushInTurn() comes when it is no longer.
  return s.IsAborted() ? Status::OK() : s;
}

Status Ingestion::MakeJobs(const std::vector<IngestExternalFileArg>& args,
                           Jobs* jobs) {
  INVARIANT(jobs != nullptr);
  if (args.empty()) {
    return Status::InvalidArgument("ingestion arg list is empty");
  }
  MutexLock lock(context_.mutex);
  for (const IngestExternalFileArg& arg : args) {
    if (Status s = CheckFamilyHandle(context_.handed_out, arg.column_family);
        !s.ok())
      return s;
    const ColumnFamilyRef cfd =
        static_cast<ColumnFamilyHandleImpl*>(arg.column_family)->cfd_ref();
    const FamilyRef family = context_.families->Find(cfd->id());
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
    JobContext context = context_.jobs->Make(family.get());
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

Status Ingestion::FamiliesToFlush(const Jobs& jobs,
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
Status Ingestion::FlushInTurn(const Jobs& jobs) {
  std::vector<ColumnFamilyData*> families;
  Status s = FamiliesToFlush(jobs, &families);
  if (!s.ok() || families.empty()) return s;
  return context_.flush_requests->FlushInTurn(
      families, FlushReason::kExternalFileIngestion);
}

void Ingestion::Tell(const Jobs& jobs) const {
  for (const auto& job : jobs) {
    for (const auto& file : job->files()) {
      if (!job->IsGiven(*file)) continue;
      ExternalFileIngestionInfo info;
      file->FillInfo(&info);
      Info(context_.db->logger,
           "[%s] %s ingested into level %d as table #%llu, sequence %llu",
           info.cf_name.c_str(), info.external_file_path.c_str(), file->level(),
           static_cast<unsigned long long>(file->meta()->number),
           static_cast<unsigned long long>(info.global_seqno));
      for (const auto& listener : context_.db->listeners) {
        listener->OnExternalFileIngested(context_.handed_out, info);
      }
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE
