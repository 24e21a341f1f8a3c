// DBImpl: a new column family from the tables of an exported one.
#include <algorithm>

#include "db/background/background_scheduler.h"
#include "db/background/level_placing.h"
#include "db/family/family_handle.h"
#include "db/family/family_registry.h"
#include "db/files/log_keeper.h"
#include "db/impl/db_impl.h"
#include "db/ingest/import_job.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/job_contexts.h"
#include "db/jobs/resume_control.h"
#include "db/version/version_edit.h"
#include "db/version/version_set.h"
#include "db/wal/wal_manager.h"
#include "db/write/exclusive.h"
#include "db/write/family_publisher.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::CreateColumnFamilyWithImport(
    const ColumnFamilyOptions& options, const std::string& name,
    const ImportColumnFamilyOptions& import_options,
    const std::vector<const ExportImportFilesMetaData*>& metadatas,
    ColumnFamilyHandle** handle) {
  if (handle == nullptr) return Status::InvalidArgument("handle is null");
  *handle = nullptr;
  if (Status s = CheckWritable(); !s.ok()) return s;
  if (metadatas.empty()) {
    return Status::InvalidArgument("nothing to import is named");
  }
  for (const ExportImportFilesMetaData* metadata : metadatas) {
    if (metadata == nullptr) return Status::InvalidArgument("metadata is null");
    if (metadata->db_comparator_name == options.comparator->Name()) continue;
    return Status::InvalidArgument(
        "Comparator name mismatch: the export's is " +
        metadata->db_comparator_name + ", the family's " +
        options.comparator->Name());
  }
  ColumnFamilyHandle* made = nullptr;
  Status s = CreateColumnFamily(options, name, &made);
  if (made == nullptr) return s;
  if (s.ok()) s = ImportInto(made, import_options, metadatas);
  if (s.ok()) {
    *handle = made;
    return s;
  }
  IgnoreError(DropColumnFamily(made), "the first error is the one to report");
  IgnoreError(DestroyColumnFamilyHandle(made), "it is not the default one");
  return s;
}

Status DBImpl::ImportInto(
    ColumnFamilyHandle* handle, const ImportColumnFamilyOptions& import_options,
    const std::vector<const ExportImportFilesMetaData*>& metadatas) {
  const ColumnFamilyRef cfd =
      static_cast<ColumnFamilyHandleImpl*>(handle)->cfd_ref();
  std::unique_ptr<ImportJob> job;
  FamilyRef family;  // as long as the job, which has its directories
  {
    MutexLock lock(&mutex_);
    family = families_->Find(cfd->id());
    if (family == nullptr) return Status::ColumnFamilyDropped(cfd->name());
    job =
        std::make_unique<ImportJob>(jobs_->Make(family.get()), cfd,
                                    cfd->options(), import_options, metadatas);
  }
  if (job->empty()) return Status::OK();
  Status s = job->Prepare();
  bool is_unknown = false;
  if (s.ok()) {
    const Exclusive exclusive(&write_thread_);
    s = InstallImported(job.get(), &is_unknown);
  }
  publisher_->FreeAndTell();
  using Outcome = IngestJob::Outcome;
  job->Finish(s.ok()       ? Outcome::kInstalled
              : is_unknown ? Outcome::kUnknown
                           : Outcome::kUndone);
  return s;
}

// Whoever else found the new family has written nothing to a table of it: its
// memtable cannot have been flushed into a level below what comes.
Status DBImpl::InstallImported(ImportJob* job, bool* is_unknown) {
  INVARIANT(job != nullptr && is_unknown != nullptr);
  MutexLock lock(&mutex_);
  if (closed_ || stop_.IsShuttingDown()) return Status::ShutdownInProgress();
  Status s = wal_lock_->Await(&write_thread_, /*may_wait=*/true);
  if (!s.ok()) return s;
  if (errors_.BlocksWrites()) return errors_.error();
  ColumnFamilyData* cfd = job->cfd();
  if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
  if (cfd->current()->storage().FileCount() != 0) {
    return Status::InvalidArgument("the new family has files already",
                                   cfd->name());
  }
  placing_->Begin();
  job->Assign();
  mutex_.Unlock();
  // What was written before must not be lost where the files are not.
  const Status synced = logs_->FlushOrSync({.sync = true});
  s = synced.ok() ? job->Seal() : synced;
  mutex_.Lock();
  if (!synced.ok()) {
    resume_->OnBackgroundError(synced, BackgroundErrorReason::kWriteCallback);
  }
  if (s.ok()) s = LogImported(job, is_unknown);
  placing_->End();
  background_->MaybeSchedule();
  return s;
}

Status DBImpl::LogImported(ImportJob* job, bool* is_unknown) {
  ColumnFamilyData* cfd = job->cfd();
  const SequenceNumber largest =
      std::max(versions_->LastSequence(), job->LargestSequence());
  Status s = versions_->LogAndApply({{cfd, job->edit()}}, db_directory_.get());
  if (s.ok()) {
    publisher_->Publish(cfd);
    compactions_->Add(cfd);
    // Later writes must be newer than what has come.
    versions_->SetLastSequence(largest);
  } else {
    *is_unknown = resume_->OnManifestError(s);
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
