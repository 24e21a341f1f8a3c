#include "db/intake/family_import.h"

#include <algorithm>
#include <memory>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/job_errors.h"
#include "db/background/level_placing.h"
#include "db/background/stop_signals.h"
#include "db/files/log_keeper.h"
#include "db/ingest/import_job.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/job_contexts.h"
#include "db/manifest/version_set.h"
#include "db/registry/family_registry.h"
#include "db/version/version_edit.h"
#include "db/write/exclusive.h"
#include "db/write/family_publisher.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status FamilyImport::Import(
    const ColumnFamilyRef& cfd, const ImportColumnFamilyOptions& import_options,
    const std::vector<const ExportImportFilesMetaData*>& metadatas) {
  std::unique_ptr<ImportJob> job;
  FamilyRef family;  // holds the directories that the job uses
  {
    MutexLock lock(context_.mutex);
    family = context_.families->Find(cfd->id());
    if (family == nullptr) return Status::ColumnFamilyDropped(cfd->name());
    job =
        std::make_unique<ImportJob>(context_.jobs->Make(family.get()), cfd,
                                    cfd->options(), import_options, metadatas);
  }
  if (job->empty()) return Status::OK();
  Status s = job->Prepare();
  bool is_unknown = false;
  if (s.ok()) {
    const Exclusive exclusive(context_.writes);
    s = Install(job.get(), &is_unknown);
  }
  context_.publisher->FreeAndTell();
  using Outcome = IngestJob::Outcome;
  job->Finish(s.ok()       ? Outcome::kInstalled
              : is_unknown ? Outcome::kUnknown
                           : Outcome::kUndone);
  return s;
}

// Whoever else found the new family has written nothing to a table of it: its
// memtable cannot have been flushed into a level below what comes.
Status FamilyImport::Install(ImportJob* job, bool* is_unknown) {
  INVARIANT(job != nullptr && is_unknown != nullptr);
  MutexLock lock(context_.mutex);
  if (context_.stop->IsShuttingDown()) return Status::ShutdownInProgress();
  Status s = context_.wal_lock->Await(context_.writes, /*may_wait=*/true);
  if (!s.ok()) return s;
  if (context_.error->BlocksWrites()) return context_.error->error();
  ColumnFamilyData* cfd = job->cfd();
  if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
  if (cfd->current()->storage().FileCount() != 0) {
    return Status::InvalidArgument("the new family has files already",
                                   cfd->name());
  }
  context_.placing->Begin();
  job->Assign();
  context_.mutex->Unlock();
  // What was written before must not be lost where the files are not.
  const Status synced = context_.logs->FlushOrSync({.sync = true});
  s = synced.ok() ? job->Seal() : synced;
  context_.mutex->Lock();
  if (!synced.ok()) {
    context_.errors->OnBackgroundError(synced,
                                       BackgroundErrorReason::kWriteCallback);
  }
  if (s.ok()) s = Log(job, is_unknown);
  context_.placing->End();
  context_.scheduler->MaybeSchedule();
  return s;
}

Status FamilyImport::Log(ImportJob* job, bool* is_unknown) {
  ColumnFamilyData* cfd = job->cfd();
  const SequenceNumber largest =
      std::max(context_.versions->LastSequence(), job->LargestSequence());
  Status s =
      context_.versions->LogAndApply({{cfd, job->edit()}}, context_.directory);
  if (s.ok()) {
    context_.publisher->Publish(cfd);
    context_.compactions->Add(cfd);
    // Later writes must be newer than what has come.
    context_.versions->SetLastSequence(largest);
  } else {
    *is_unknown = context_.errors->OnManifestError(s);
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
