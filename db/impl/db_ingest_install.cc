// DBImpl: table files that others have made get their places.
#include <algorithm>

#include "db/background/background_scheduler.h"
#include "db/background/level_placing.h"
#include "db/compaction/compaction.h"
#include "db/compaction/compaction_picker.h"
#include "db/family/family_registry.h"
#include "db/files/log_keeper.h"
#include "db/impl/db_impl.h"
#include "db/ingest/ingest_job.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/resume_control.h"
#include "db/lookup/read_port.h"
#include "db/version/lsm_state.h"
#include "db/version/version_edit.h"
#include "db/version/version_set.h"
#include "db/write/family_publisher.h"
#include "rocksdb/system_clock.h"
#include "util/event_text.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

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

Status DBImpl::AssignIngested(
    const IngestJobs& jobs, std::vector<std::unique_ptr<Compaction>>* claims) {
  INVARIANT(placing_->is_begun() && claims != nullptr);
  for (const auto& job : jobs) {
    const FamilyRef family = families_->Find(job->cfd()->id());
    if (family == nullptr) {
      return Status::ColumnFamilyDropped(job->cfd()->name());
    }
    CompactionPicker* picker = family->picker.get();
    IngestJob::Surroundings around;
    around.is_busy = [picker](int level, const KeySpan& span) {
      return picker->IsWriting(level, span.begin, span.end);
    };
    // With optimistic transactions a file's keys are always writes of its time.
    around.has_snapshots =
        !reads_->snapshots().empty() || reads_->conflict_floors()->are_in_use();
    around.last_sequence = versions_->LastSequence();
    if (Status s = job->Assign(around); !s.ok()) return s;
    for (const auto& file : job->files()) {
      if (file->level() == 0) continue;
      claims->push_back(ClaimFor(*job, *file));
      picker->Register(claims->back().get());
    }
  }
  return Status::OK();
}

Status DBImpl::LogIngested(const IngestJobs& jobs, bool* is_unknown) {
  INVARIANT(is_unknown != nullptr);
  std::vector<VersionSet::Change> changes;
  SequenceNumber largest = versions_->LastSequence();
  for (const auto& job : jobs) {
    changes.push_back({job->cfd(), job->edit()});
    largest = std::max(largest, job->LargestSequence());
  }
  Status s = versions_->LogAndApply(changes, db_directory_.get());
  if (!s.ok()) {
    *is_unknown = resume_->OnManifestError(s);
    return s;
  }
  for (const auto& job : jobs) {
    publisher_->Publish(job->cfd());
    compactions_->Add(job->cfd());
    LogIngestion(options_, *job);
  }
  // After the files are there for all: who sees the number sees them.
  INVARIANT(largest >= versions_->LastSequence());
  versions_->SetLastSequence(largest);
  return s;
}

Status DBImpl::InstallIngested(const IngestJobs& jobs, bool* is_unknown) {
  MutexLock lock(&mutex_);
  if (closed_ || stop_.IsShuttingDown()) return Status::ShutdownInProgress();
  // The files bring writes with them, and may move the last sequence.
  Status s = wal_lock_->Await(&write_thread_, /*may_wait=*/true);
  if (!s.ok()) return s;
  if (errors_.BlocksWrites()) return errors_.error();
  if (s = FlushForIngestion(jobs); !s.ok()) return s;
  placing_->Begin();
  LookIntoGapsOf(&mutex_, jobs);
  std::vector<std::unique_ptr<Compaction>> claims;
  s = AssignIngested(jobs, &claims);
  if (s.ok()) {
    mutex_.Unlock();
    // What was written before must not be lost where the files are not.
    const Status synced = logs_->FlushOrSync({.sync = true});
    s = synced;
    for (const auto& job : jobs) {
      if (s.ok()) s = job->Seal();
    }
    mutex_.Lock();
    if (!synced.ok()) {
      resume_->OnBackgroundError(synced, BackgroundErrorReason::kWriteCallback);
    }
  }
  if (s.ok()) s = LogIngested(jobs, is_unknown);
  for (const auto& claim : claims) {
    const FamilyRef family = families_->Find(claim->version->cfd()->id());
    if (family != nullptr) family->picker->Unregister(claim.get());
  }
  placing_->End();
  background_->MaybeSchedule();
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
