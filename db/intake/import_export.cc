#include "db/intake/import_export.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/job_errors.h"
#include "db/background/level_placing.h"
#include "db/background/stop_signals.h"
#include "db/family/family_registry.h"
#include "db/files/log_keeper.h"
#include "db/files/table_catalog.h"
#include "db/ingest/import_job.h"
#include "db/ingest/whole_table.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/job_contexts.h"
#include "db/version/job_context.h"
#include "db/version/table_output.h"
#include "db/version/version_edit.h"
#include "db/version/version_set.h"
#include "db/write/exclusive.h"
#include "db/write/family_publisher.h"
#include "file/file_util.h"
#include "file/filename.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A second name for the file, or a second file where that cannot be.
Status PlaceIn(const std::string& directory, const JobContext& job,
               const FileMeta& file) {
  FileSystem* fs = job.db->fs;
  const TableCache* tables = job.cfd->tables();
  FileCopy copy;
  copy.source = tables->FilePath(file);
  copy.destination = directory + "/" + MakeTableFileName(file.number);
  const Status s =
      fs->LinkFile(copy.source, copy.destination, IOOptions(), nullptr);
  if (s.ok()) return s;
  copy.size_bytes = file.size_bytes;
  copy.governor = tables->governor();
  return CopyFile(fs, copy);
}

// The bounds and sequences of the old file are those of the new one, too.
void Describe(const FileMeta& made, const std::string& directory,
              LiveFileMetaData* exported) {
  INVARIANT(exported != nullptr && exported->oldest_blob_file_number != 0);
  INVARIANT(made.oldest_blob_file == 0);
  exported->relative_filename = MakeTableFileName(made.number);
  exported->name = "/" + exported->relative_filename;
  exported->directory = exported->db_path = directory;
  exported->file_number = made.number;
  exported->size = made.size_bytes;
  exported->file_checksum = made.checksum;
  exported->file_checksum_func_name = made.checksum_function;
  exported->oldest_blob_file_number = 0;
}

}  // namespace

Status ImportExport::Import(
    const ColumnFamilyRef& cfd, const ImportColumnFamilyOptions& import_options,
    const std::vector<const ExportImportFilesMetaData*>& metadatas) {
  std::unique_ptr<ImportJob> job;
  FamilyRef family;  // as long as the job, which has its directories
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
Status ImportExport::Install(ImportJob* job, bool* is_unknown) {
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

Status ImportExport::Log(ImportJob* job, bool* is_unknown) {
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

Status ImportExport::Export(ColumnFamilyData* cfd, const std::string& directory,
                            std::vector<LiveFileMetaData>* files) {
  INVARIANT(cfd != nullptr && files != nullptr);
  SuperVersion* const state = cfd->AcquireReferenced();
  INVARIANT(state != nullptr);
  const Status s = WriteWholeTables(state, directory, files);
  ColumnFamilyData::Release(state);
  return s;
}

Status ImportExport::WriteWholeTables(SuperVersion* state,
                                      const std::string& directory,
                                      std::vector<LiveFileMetaData>* files) {
  const VersionStorage& storage = state->current->storage();
  std::vector<LiveFileMetaData> tables;
  FamilyRef family;  // as long as the context, which has its directories
  JobContext job;
  {
    MutexLock lock(context_.mutex);
    family = context_.families->Find(state->cfd->id());
    if (state->cfd->is_dropped() || family == nullptr) {
      return Status::ColumnFamilyDropped(state->cfd->name());
    }
    job = context_.jobs->Make(family.get());
    TableCatalog::List(state->cfd, storage, &tables);
  }
  auto exported = tables.begin();
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      INVARIANT(exported != tables.end());
      LiveFileMetaData* const live = &*exported++;
      INVARIANT(live->file_number == file->number && live->level == level);
      if (file->oldest_blob_file == 0) continue;
      if (context_.stop->IsShuttingDown()) return Status::ShutdownInProgress();
      FileRef made;
      Status s = WriteWholeTable(
          {&job, &storage, state->options.get(), file, level}, &made);
      if (!s.ok()) return s;
      s = PlaceIn(directory, job, *made);
      TableOutput::Discard(job, *made);
      if (!s.ok()) return s;
      Describe(*made, directory, live);
    }
  }
  *files = std::move(tables);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
