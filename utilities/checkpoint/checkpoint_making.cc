#include "utilities/checkpoint/checkpoint_making.h"

#include <functional>
#include <memory>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "rocksdb/metadata.h"
#include "util/ignore_error.h"
#include "utilities/backup/transfer_pool.h"
#include "utilities/checkpoint/family_subset.h"
#include "utilities/checkpoint/new_directory.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr NewDirectory::NameErrors kCheckpointErrors{
    "invalid checkpoint directory name", "Directory exists"};
constexpr NewDirectory::NameErrors kExportErrors{"Specified export_dir invalid",
                                                 "Specified export_dir exists"};

using FileStep = std::function<Status()>;

// Each for one file; in any order where there is a pool.
Status RunSteps(const CheckpointMeans& means,
                const std::vector<FileStep>& steps) {
  if (means.pool == nullptr) {
    for (const FileStep& step : steps) {
      if (Status s = step(); !s.ok()) return s;
    }
    return Status::OK();
  }
  std::vector<TransferPool::Job> jobs;
  for (const FileStep& step : steps) {
    jobs.emplace_back([&step] { return status_to_io_status(step()); });
  }
  return means.pool->RunAll(jobs);
}

// While it lives, no file that the database has goes.
class FilesStay {
 public:
  explicit FilesStay(DB* db) : db_(db), status_(db->DisableFileDeletions()) {}
  ~FilesStay() {
    if (status_.ok()) {
      IgnoreError(db_->EnableFileDeletions(), "they go later then");
    }
  }
  FilesStay(const FilesStay&) = delete;
  FilesStay& operator=(const FilesStay&) = delete;
  const Status& status() const { return status_; }

 private:
  DB* const db_;
  const Status status_;
};

std::string PathOf(const LiveFileStorageInfo& file) {
  return file.directory + "/" + file.relative_filename;
}

// Links are for what never changes; a log may be written to, or over, later.
Status AddFile(const LiveFileStorageInfo& file, const FamilySubset& subset,
               NewDirectory* directory) {
  if (!file.replacement_contents.empty()) {
    return directory->Write(file.relative_filename, file.replacement_contents);
  }
  const std::string source = PathOf(file);
  if (file.file_type == kOptionsFile) {
    return directory->CopyOptions(source, file.relative_filename,
                                  subset.DroppedNames());
  }
  const bool is_constant =
      !file.trim_to_size &&
      (file.file_type == kTableFile || file.file_type == kBlobFile);
  if (is_constant) {
    return directory->Link(source, file.relative_filename, file.size,
                           file.temperature);
  }
  Status s = directory->Copy(source, file.relative_filename, file.size);
  // Beside another process that writes the database: a log gets another name
  // before it is written over.
  return s.ok() && file.file_type == kWalFile ? directory->CheckThere(source)
                                              : s;
}

bool IsNeeded(const LiveFileStorageInfo& file, const FamilySubset& subset) {
  // What is trimmed is being written, and in no manifest.
  const bool has_data = !file.trim_to_size && (file.file_type == kTableFile ||
                                               file.file_type == kBlobFile);
  return !has_data || subset.Needs(file.file_number);
}

Status ReadManifestOf(FileSystem* fs,
                      const std::vector<LiveFileStorageInfo>& files,
                      FamilySubset* subset) {
  for (const LiveFileStorageInfo& file : files) {
    if (file.file_type != kDescriptorFile) continue;
    return subset->ReadManifest(fs, PathOf(file), file.size);
  }
  return Status::Corruption("the database lists no manifest");
}

Status FillDirectory(DB* db, const CheckpointRequest& request,
                     const CheckpointMeans& means, FamilySubset* subset,
                     NewDirectory* directory) {
  const FilesStay stay(db);
  if (!stay.status().ok()) return stay.status();
  LiveFilesStorageInfoOptions options;
  options.wal_size_for_flush = request.log_size_for_flush;
  std::vector<LiveFileStorageInfo> files;
  Status s = db->GetLiveFilesStorageInfo(options, &files);
  FileSystem* const fs = db->GetFileSystem();
  if (s.ok() && !subset->is_whole()) s = ReadManifestOf(fs, files, subset);
  if (!s.ok()) return s;
  std::vector<FileStep> steps;
  for (const LiveFileStorageInfo& file : files) {
    if (!subset->is_whole() && file.file_type == kDescriptorFile) {
      steps.emplace_back([=, &file] {
        return subset->WriteManifest(
            fs, directory->draft() + "/" + file.relative_filename);
      });
    } else if (IsNeeded(file, *subset)) {
      steps.emplace_back(
          [=, &file] { return AddFile(file, *subset, directory); });
    }
  }
  return RunSteps(means, steps);
}

}  // namespace

Status MakeCheckpoint(DB* db, const CheckpointRequest& request,
                      const CheckpointMeans& means, uint64_t* sequence_number) {
  FamilySubset subset;
  Status s = FamilySubset::Create(db, request.families, &subset);
  if (!s.ok()) return s;
  NewDirectory directory(db, request.directory, kCheckpointErrors, means);
  if (s = directory.Begin(); !s.ok()) return s;
  const SequenceNumber sequence = db->GetLatestSequenceNumber();
  s = FillDirectory(db, request, means, &subset, &directory);
  if (s.ok()) s = directory.Finish();
  if (s.ok() && sequence_number != nullptr) *sequence_number = sequence;
  return s;
}

Status ExportFamily(DB* db, ColumnFamilyHandle* handle,
                    const std::string& directory_name,
                    const CheckpointMeans& means,
                    ExportImportFilesMetaData** metadata) {
  if (handle == nullptr || metadata == nullptr) {
    return Status::InvalidArgument("handle or metadata is null");
  }
  NewDirectory directory(db, directory_name, kExportErrors, means);
  Status s = directory.Begin();
  if (s.ok()) s = db->Flush(FlushOptions(), handle);
  if (!s.ok()) return s;
  auto exported = std::make_unique<ExportImportFilesMetaData>();
  exported->db_comparator_name = handle->GetComparator()->Name();
  {
    const FilesStay stay(db);
    if (!stay.status().ok()) return stay.status();
    s = db->GetTablesWithoutBlobs(handle, directory.draft(), &exported->files);
    for (LiveFileMetaData& file : exported->files) {
      if (!s.ok()) return s;
      if (file.directory == directory.draft()) {
        directory.NoteWritten(file.size);
      } else {
        s = directory.Link(file.directory + "/" + file.relative_filename,
                           file.relative_filename, file.size,
                           Temperature::kUnknown);
        if (!directory.has_links()) file.temperature = Temperature::kUnknown;
      }
      file.directory = file.db_path = directory.name();
      // RocksDB leaves these empty, too: an import asks the tables.
      file.column_family_name.clear();
      file.num_entries = file.num_deletions = 0;
    }
  }
  if (s.ok()) s = directory.Finish();
  if (s.ok()) *metadata = exported.release();
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
