// The tables of an exported family on their way into a new one.
//
// Contract   As IngestJob: Prepare() without any lock; Assign() under the DB
//            mutex; Seal() without the mutex; then the edit is logged, and
//            Finish().
// Threads    One at a time.
// Errors     The first one, naming the file. InvalidArgument for files of one
//            level that overlap, and for levels that the family does not have.
#pragma once

#include <memory>
#include <vector>

#include "db/family/column_family.h"
#include "db/ingest/ingest_job.h"
#include "rocksdb/metadata.h"

namespace ROCKSDB_NAMESPACE {

class ImportJob {
 public:
  ImportJob(JobContext context, ColumnFamilyRef cfd,
            std::shared_ptr<const MutableCFOptions> options,
            const ImportColumnFamilyOptions& import_options,
            const std::vector<const ExportImportFilesMetaData*>& exports);
  ~ImportJob();

  Status Prepare();
  // Fills in edit(). Levels and sequences are those of the export; epochs too,
  // where one complete export says them.
  void Assign();
  Status Seal();
  void Finish(IngestJob::Outcome outcome);

  ColumnFamilyData* cfd() const { return cfd_.get(); }
  VersionEdit* edit() { return &edit_; }
  bool empty() const { return files_.empty(); }
  SequenceNumber LargestSequence() const;

 private:
  struct Import {
    LiveFileMetaData exported;
    std::unique_ptr<IngestedFile> file;
    uint64_t epoch = kUnknownEpoch;
  };
  Status CheckLevels() const;
  Status CheckOverlaps() const;
  void ChooseEpochs();

  const ColumnFamilyRef cfd_;  // first: the context points to it
  const JobContext context_;
  const bool is_one_export_;
  std::vector<Import> files_;
  VersionEdit edit_;
};

}  // namespace ROCKSDB_NAMESPACE
