#include "db/jobs/table_export.h"

#include <utility>

#include "db/background/stop_signals.h"
#include "db/files/table_catalog.h"
#include "db/ingest/whole_table.h"
#include "db/jobs/job_contexts.h"
#include "db/outputs/job_context.h"
#include "db/outputs/table_output.h"
#include "db/registry/family_registry.h"
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

Status TableExport::Export(ColumnFamilyData* cfd, const std::string& directory,
                           std::vector<LiveFileMetaData>* files) {
  INVARIANT(cfd != nullptr && files != nullptr);
  SuperVersion* const state = cfd->AcquireReferenced();
  INVARIANT(state != nullptr);
  const Status s = WriteWholeTables(state, directory, files);
  ColumnFamilyData::Release(state);
  return s;
}

Status TableExport::WriteWholeTables(SuperVersion* state,
                                     const std::string& directory,
                                     std::vector<LiveFileMetaData>* files) {
  const VersionStorage& storage = state->current->storage();
  std::vector<LiveFileMetaData> tables;
  FamilyRef family;  // held for the job, which borrows its directories
  JobContext job;
  {
    MutexLock lock(mutex_);
    family = families_->Find(state->cfd->id());
    if (state->cfd->is_dropped() || family == nullptr) {
      return Status::ColumnFamilyDropped(state->cfd->name());
    }
    job = jobs_->Make(family.get());
    TableCatalog::List(state->cfd, storage, &tables);
  }
  auto exported = tables.begin();
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      INVARIANT(exported != tables.end());
      LiveFileMetaData* const live = &*exported++;
      INVARIANT(live->file_number == file->number && live->level == level);
      if (file->oldest_blob_file == 0) continue;
      if (stop_->IsShuttingDown()) return Status::ShutdownInProgress();
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
