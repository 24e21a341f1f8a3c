// Ingestion: files get their places and sequences, in the turn of a write.
#include <algorithm>
#include <optional>
#include <utility>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/job_errors.h"
#include "db/background/level_placing.h"
#include "db/background/stop_signals.h"
#include "db/compaction/compaction.h"
#include "db/compaction/compaction_picker.h"
#include "db/files/log_keeper.h"
#include "db/ingest/ingest_job.h"
#include "db/intake/ingestion.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/compaction_queue.h"
#include "db/lookup/read_port.h"
#include "db/lookup/snapshot_gate.h"
#include "db/manifest/version_set.h"
#include "db/registry/family_registry.h"
#include "db/version/lsm_state.h"
#include "db/version/version_edit.h"
#include "db/write/family_publisher.h"
#include "rocksdb/info_log.h"
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

IngestedWork WorkOf(const IngestJob& job) {
  IngestedWork work;
  for (const auto& file : job.files()) {
    if (!job.IsGiven(*file)) continue;
    ++work.files;
    if (file->level() == 0) ++work.level0_files;
    work.bytes += file->meta()->size_bytes;
    work.keys += file->entry_count();
  }
  return work;
}

bool AnyUnnumbered(const std::vector<std::unique_ptr<IngestJob>>& jobs) {
  return std::any_of(jobs.begin(), jobs.end(),
                     [](const auto& job) { return job->HasUnnumbered(); });
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

// With optimistic transactions a file's keys are always writes of its time.
bool Ingestion::HasSnapshots() const {
  return !context_.reads->snapshots().empty() ||
         context_.reads->conflict_floors()->are_in_use();
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
    around.has_snapshots = HasSnapshots();
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
  std::optional<SnapshotGate::Closed> closed;
  if (AnyUnnumbered(jobs)) {
    INVARIANT(context_.reads->snapshots().empty());
    closed.emplace(context_.reads->snapshot_gate());
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
    const FamilyRef family = context_.families->Find(job->cfd()->id());
    if (family != nullptr) family->stats.AddIngested(WorkOf(*job));
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
  context_.mutex->Lock();
  if (!synced.ok()) {
    context_.errors->OnBackgroundError(synced,
                                       BackgroundErrorReason::kWriteCallback);
    return synced;
  }
  return SealFiles(jobs);
}

Status Ingestion::SealFiles(const Jobs& jobs) {
  context_.mutex->Unlock();
  Status s;
  for (const auto& job : jobs) {
    if (s.ok()) s = job->Seal();
  }
  context_.mutex->Lock();
  return s;
}

// A snapshot may have been taken since the places were chosen. None can be
// between this and the manifest's write, during which the gate is closed.
Status Ingestion::HideFromSnapshots(const Jobs& jobs) {
  context_.versions->AwaitTurn();
  if (!AnyUnnumbered(jobs) || !HasSnapshots()) return Status::OK();
  // Nobody writes: what is there has the last sequence at most.
  const SequenceNumber next = context_.versions->LastSequence() + 1;
  for (const auto& job : jobs) {
    if (!job->HasUnnumbered()) continue;
    if (Status s = job->Number(next); !s.ok()) return s;
  }
  INVARIANT(!AnyUnnumbered(jobs));
  return SealFiles(jobs);
}

// All that is to go is in tables, and nothing comes.
Status Ingestion::ClearRanges(const Jobs& jobs) {
  std::vector<VersionRef> versions;
  for (const auto& job : jobs) versions.push_back(job->cfd()->current());
  context_.mutex->Unlock();
  Status s;
  for (size_t i = 0; i < jobs.size() && s.ok(); ++i) {
    s = jobs[i]->ClearRange(versions[i]->storage());
  }
  context_.mutex->Lock();
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
  if (s = ClearRanges(jobs); !s.ok()) return s;
  context_.placing->Begin();
  LookIntoGapsOf(context_.mutex, jobs);
  Claims claims;
  s = Assign(jobs, &claims);
  if (s.ok()) s = Seal(jobs);
  if (s.ok()) s = HideFromSnapshots(jobs);
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

}  // namespace ROCKSDB_NAMESPACE
