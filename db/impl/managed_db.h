// The calls of DB that change what a database that writes has, beside its
// entries: families, options, files, and compactions at once.
//
// Threads    See README.md beside this file for the order of locks.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "db/impl/writing_db.h"

namespace ROCKSDB_NAMESPACE {

class JobParts;

class ManagedDB : public WritingDB {
 public:
  ManagedDB(const DBOptions& sanitized, const std::string& name,
            const std::string& manifest_directory);
  ~ManagedDB() override;

  Status CreateColumnFamily(const ColumnFamilyOptions& options,
                            const std::string& name,
                            ColumnFamilyHandle** handle) override;
  Status CreateColumnFamilies(
      const ColumnFamilyOptions& options, const std::vector<std::string>& names,
      std::vector<ColumnFamilyHandle*>* handles) override;
  Status CreateColumnFamilies(
      const std::vector<ColumnFamilyDescriptor>& families,
      std::vector<ColumnFamilyHandle*>* handles) override;
  using DB::CreateColumnFamilyWithImport;
  Status CreateColumnFamilyWithImport(
      const ColumnFamilyOptions& options, const std::string& name,
      const ImportColumnFamilyOptions& import_options,
      const std::vector<const ExportImportFilesMetaData*>& metadatas,
      ColumnFamilyHandle** handle) override;
  Status DropColumnFamily(ColumnFamilyHandle* family) override;
  Status DropColumnFamilies(
      const std::vector<ColumnFamilyHandle*>& families) override;
  using DB::SetOptions;
  Status SetOptions(
      ColumnFamilyHandle* family,
      const std::unordered_map<std::string, std::string>& new_options) override;
  Status SetOptions(
      const std::unordered_map<ColumnFamilyHandle*,
                               std::unordered_map<std::string, std::string>>&
          options_of_families) override;
  Status SetDBOptions(
      const std::unordered_map<std::string, std::string>& new_options) override;

  using DB::CompactFiles;
  using DB::CompactRange;
  Status CompactRange(const CompactRangeOptions& options,
                      ColumnFamilyHandle* family, const Slice* begin,
                      const Slice* end) override;
  Status SuggestCompactRange(ColumnFamilyHandle* family, const Slice* begin,
                             const Slice* end) override;
  Status PromoteL0(ColumnFamilyHandle* family, int target_level) override;
  Status CompactFiles(const CompactionOptions& options,
                      ColumnFamilyHandle* family,
                      const std::vector<std::string>& input_names,
                      int output_level, int output_path_id,
                      std::vector<std::string>* output_names,
                      CompactionJobInfo* info) override;
  Status IncreaseFullHistoryTsLow(ColumnFamilyHandle* family,
                                  std::string ts_low) override;
  Status GetLiveFiles(std::vector<std::string>& files,
                      uint64_t* manifest_file_size,
                      bool flush_memtable) override;
  Status GetLiveFilesStorageInfo(
      const LiveFilesStorageInfoOptions& options,
      std::vector<LiveFileStorageInfo>* files) override;
  Status GetTablesWithoutBlobs(ColumnFamilyHandle* handle,
                               const std::string& directory,
                               std::vector<LiveFileMetaData>* files) override;
  using DB::IngestExternalFile;
  Status IngestExternalFile(ColumnFamilyHandle* family,
                            const std::vector<std::string>& files,
                            const IngestExternalFileOptions& options) override;
  Status IngestExternalFiles(
      const std::vector<IngestExternalFileArg>& args) override;
  using DB::PrepareFileIngestion;
  Status PrepareFileIngestion(
      const std::vector<IngestExternalFileArg>& args,
      std::unique_ptr<FileIngestionHandle>* handle) override;
  Status CommitFileIngestionHandles(
      std::vector<std::unique_ptr<FileIngestionHandle>> handles) override;
  Status GetPreparedFileInfoForExternalSstIngestion(
      const std::string& file_path,
      std::shared_ptr<const PreparedFileInfo>* file_info) override;
  Status ClipColumnFamily(ColumnFamilyHandle* family, const Slice& begin_key,
                          const Slice& end_key) override;

  Status DeleteFilesInRanges(ColumnFamilyHandle* family, const RangePtr* ranges,
                             size_t n, bool include_end) override;
  Status TrimHistory(const std::string& trim_ts);

 protected:
  // FamilyChanges::Note() must follow, for one or several.
  Status AddFamily(const ColumnFamilyOptions& options, const std::string& name,
                   ColumnFamilyRef* cfd) EXCLUDES(base_.mutex);

  std::unique_ptr<JobParts> jobs_;

 private:
  Status DeleteOutside(ColumnFamilyHandle* family, const Slice& begin,
                       const Slice& end);  // db_clip.cc
};

}  // namespace ROCKSDB_NAMESPACE
