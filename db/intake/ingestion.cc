#include "db/intake/ingestion.h"

#include <algorithm>
#include <string>
#include <utility>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/job_errors.h"
#include "db/background/level_placing.h"
#include "db/background/stop_signals.h"
#include "db/compaction/compaction.h"
#include "db/compaction/compaction_picker.h"
#include "db/family/family_handle.h"
#include "db/family/family_registry.h"
#include "db/files/log_keeper.h"
#include "db/ingest/ingest_job.h"
#include "db/intake/flush_requests.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/job_contexts.h"
#include "db/lookup/read_port.h"
#include "db/version/lsm_state.h"
#include "db/version/version_edit.h"
#include "db/version/version_set.h"
#include "db/write/exclusive.h"
#include "db/write/family_publisher.h"
#include "memtable/memtable.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/info_log.h"
#include "rocksdb/system_clock.h"
#include "util/event_text.h"
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

void LogIngestion(const ImmutableDBOptions& db, const IngestJob& job) {
  std::vector<uint64_t> numbers, levels;
  uint64_t bytes = 0;
  for (const auto& file : job.files()) {
    numbers.push_back(file->meta()->number);
    levels.push_back(static_cast<uint64_t>(file->level()));
    bytes += file->meta()->size_bytes;
  }
  const std::string event =
      EventText("ingest_finished")
          .Add("cf_name", job.cfd()->name())
          .Add("files_ingested", numbers)
          .Add("levels", levels)
          .Add("total_files_size", bytes)
          .Add("lsm_state", LsmState(job.cfd()->current()->storage()))
          .Finish();
  Info(db.logger, "%s", event.c_str());
}

// What keeps compactions out of the place of a file until it is there: looks
// to the picker like one that writes that file.
std::unique_ptr<Compaction> ClaimFor(const IngestJob& job,
                                     const IngestedFile& file) {
  INVARIANT(file.level() > 0);
  auto claim = std::make_unique<Compaction>();
  claim->version = job.cfd()->current();
  claim->options = job.cfd()->options();
  claim->output_level = file.level();
  claim->reason = CompactionReason::kExternalSstIngestion;
  CompactionInputLevel input;
  input.level = file.level();
  input.files.push_back(file.meta());
  claim->inputs.push_back(std::move(input));
  return claim;
}

}  // namespace

Ingestion::Ingestion(const Context& context) : context_(context) {
  INVARIANT(context_.flush_requests != nullptr);
  INVARIANT(context_.logs != nullptr);
}

Status Ingestion::Ingest(const std::vector<IngestExternalFileArg>& args) {
  PERF_TIMER_GUARD(file_ingestion_nanos);
  for (const IngestExternalFileArg& arg : args) {
    if (arg.atomic_replace_range.has_value()) {
      return Status::NotSupported("atomic_replace_range of an ingestion");
    }
  }
  Jobs jobs;
  Status s = MakeJobs(args, &jobs);
  if (!s.ok()) return s;
  INVARIANT(jobs.size() == args.size());
  {
    const StepTimer timer(*context_.db, INGEST_EXTERNAL_FILE_PREPARE_TIME);
    for (const auto& job : jobs) {
      if (s = job->Prepare(); !s.ok()) return s;
    }
  }
  const StepTimer timer(*context_.db, INGEST_EXTERNAL_FILE_RUN_TIME);
  if (s = FlushEarly(jobs); !s.ok()) return s;
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

Status Ingestion::Assign(const Jobs& jobs, Claims* claims) {
  INVARIANT(context_.placing->is_begun() && claims != nullptr);
  for (const auto& job : jobs) {
    const FamilyRef family = context_.families->Find(job->cfd()->id());
    if (family == nullptr) {
      return Status::ColumnFamilyDropped(job->cfd()->name());
    }
    CompactionPicker* picker = family->picker.get();
    IngestJob::Surroundings around;
    around.is_busy = [picker](int level, const KeySpan& span) {
      return picker->IsWriting(level, span.begin, span.end);
    };
    // With optimistic transactions a file's keys are always writes of its time.
    around.has_snapshots = !context_.reads->snapshots().empty() ||
                           context_.reads->conflict_floors()->are_in_use();
    around.last_sequence = context_.versions->LastSequence();
    if (Status s = job->Assign(around); !s.ok()) return s;
    for (const auto& file : job->files()) {
      if (file->level() == 0) continue;
      claims->push_back(ClaimFor(*job, *file));
      picker->Register(claims->back().get());
    }
  }
  return Status::OK();
}

Status Ingestion::Log(const Jobs& jobs, bool* is_unknown) {
  INVARIANT(is_unknown != nullptr);
  std::vector<VersionSet::Change> changes;
  SequenceNumber largest = context_.versions->LastSequence();
  for (const auto& job : jobs) {
    changes.push_back({job->cfd(), job->edit()});
    largest = std::max(largest, job->LargestSequence());
  }
  Status s = context_.versions->LogAndApply(changes, context_.directory);
  if (!s.ok()) {
    *is_unknown = context_.errors->OnManifestError(s);
    return s;
  }
  for (const auto& job : jobs) {
    context_.publisher->Publish(job->cfd());
    context_.compactions->Add(job->cfd());
    LogIngestion(*context_.db, *job);
  }
  // After the files are there for all: who sees the number sees them.
  INVARIANT(largest >= context_.versions->LastSequence());
  context_.versions->SetLastSequence(largest);
  return s;
}

// What was written before must not be lost where the files are not.
Status Ingestion::Seal(const Jobs& jobs) {
  context_.mutex->Unlock();
  const Status synced = context_.logs->FlushOrSync({.sync = true});
  Status s = synced;
  for (const auto& job : jobs) {
    if (s.ok()) s = job->Seal();
  }
  context_.mutex->Lock();
  if (!synced.ok()) {
    context_.errors->OnBackgroundError(synced,
                                       BackgroundErrorReason::kWriteCallback);
  }
  return s;
}

Status Ingestion::Install(const Jobs& jobs, bool* is_unknown) {
  MutexLock lock(context_.mutex);
  if (context_.stop->IsShuttingDown()) return Status::ShutdownInProgress();
  // The files bring writes with them, and may move the last sequence.
  Status s = context_.wal_lock->Await(context_.writes, /*may_wait=*/true);
  if (!s.ok()) return s;
  if (context_.error->BlocksWrites()) return context_.error->error();
  if (s = FlushInTurn(jobs); !s.ok()) return s;
  context_.placing->Begin();
  LookIntoGapsOf(context_.mutex, jobs);
  Claims claims;
  s = Assign(jobs, &claims);
  if (s.ok()) s = Seal(jobs);
  if (s.ok()) s = Log(jobs, is_unknown);
  for (const auto& claim : claims) {
    const FamilyRef family =
        context_.families->Find(claim->version->cfd()->id());
    if (family != nullptr) family->picker->Unregister(claim.get());
  }
  context_.placing->End();
  context_.scheduler->MaybeSchedule();
  return s;
}

void Ingestion::Tell(const Jobs& jobs) const {
  for (const auto& job : jobs) {
    for (const auto& file : job->files()) {
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
