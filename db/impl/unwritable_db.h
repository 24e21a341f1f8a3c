// A database that nothing is written to here: it is read as another process
// has written it, or as it was left. Each kind of it says how it refuses.
//
// Threads    See README.md beside this file for the order of locks.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "db/impl/engine_db.h"
#include "db/recovery/catch_up.h"

namespace ROCKSDB_NAMESPACE {

class FollowerPart;
struct OpenRequest;

class UnwritableDB : public EngineDB {
 public:
  UnwritableDB(const DBOptions& sanitized, const OpenRequest& request);
  ~UnwritableDB() override;

  Status Resume() override;
  Status GetLiveFiles(std::vector<std::string>& files,
                      uint64_t* manifest_file_size,
                      bool flush_memtable) override;
  Status GetLiveFilesStorageInfo(
      const LiveFilesStorageInfoOptions& options,
      std::vector<LiveFileStorageInfo>* files) override;

  // --- refused
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
  using DB::Delete;
  using DB::DeleteRange;
  using DB::Merge;
  using DB::Put;
  using DB::SingleDelete;
  Status Put(const WriteOptions& options, ColumnFamilyHandle* family,
             const Slice& key, const Slice& value) override;
  Status PutEntity(const WriteOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, const WideColumns& columns) override;
  using DB::PutEntity;
  Status Delete(const WriteOptions& options, ColumnFamilyHandle* family,
                const Slice& key) override;
  Status SingleDelete(const WriteOptions& options, ColumnFamilyHandle* family,
                      const Slice& key) override;
  Status DeleteRange(const WriteOptions& options, ColumnFamilyHandle* family,
                     const Slice& begin, const Slice& end) override;
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* family,
               const Slice& key, const Slice& value) override;
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* family,
               const Slice& key, const Slice& ts, const Slice& value) override;
  Status Write(const WriteOptions& options, WriteBatch* updates) override;
  Status WriteWithCallback(const WriteOptions& options, WriteBatch* updates,
                           UserWriteCallback* callback) override;
  Status IngestWriteBatchWithIndex(
      const WriteOptions& options,
      std::shared_ptr<WriteBatchWithIndex> wbwi) override;
  using DB::Flush;
  Status Flush(const FlushOptions& options,
               ColumnFamilyHandle* family) override;
  Status Flush(const FlushOptions& options,
               const std::vector<ColumnFamilyHandle*>& families) override;
  Status FlushWAL(bool sync) override;
  Status FlushWAL(const FlushWALOptions& options) override;
  Status SyncWAL() override;
  Status LockWAL() override;
  Status UnlockWAL() override;
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
  Status GetTablesWithoutBlobs(ColumnFamilyHandle* handle,
                               const std::string& directory,
                               std::vector<LiveFileMetaData>* files) override;
  Status GetCurrentWalFile(std::unique_ptr<WalFile>* current) override;
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

 protected:
  // Why nothing is written.
  Status Refuse() const;
  virtual const char* refusal() const = 0;

  Status PrepareDirectories() override;
  Status BeginWork() override;
  Status Shut() override;
  Status BeginFlushAll(const WaitLimit& limit) override;

  // How what another process writes is read.
  struct Way {
    bool reads_logs = false;
    bool goes_on = false;  // it is followed
    // Null, both: tables are opened as they are.
    FollowerPart* follower = nullptr;
    std::shared_ptr<LinkedFiles> links = nullptr;
  };
  Status MakePartsFor(const Way& way);
  void StopReading();

  std::unique_ptr<CatchUp> catch_up_;
};

}  // namespace ROCKSDB_NAMESPACE
