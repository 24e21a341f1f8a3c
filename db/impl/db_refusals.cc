// UnwritableDB: all that it refuses.
#include "db/impl/unwritable_db.h"
#include "rocksdb/utilities/write_batch_with_index.h"

namespace ROCKSDB_NAMESPACE {

Status UnwritableDB::Refuse() const {
  if (Status s = CheckOpen(); !s.ok()) return s;
  return Status::NotSupported(refusal());
}

Status UnwritableDB::CreateColumnFamily(const ColumnFamilyOptions& /*options*/,
                                        const std::string& /*name*/,
                                        ColumnFamilyHandle** handle) {
  if (handle != nullptr) *handle = nullptr;
  return Refuse();
}

Status UnwritableDB::CreateColumnFamilies(
    const ColumnFamilyOptions& /*options*/,
    const std::vector<std::string>& /*names*/,
    std::vector<ColumnFamilyHandle*>* handles) {
  if (handles != nullptr) handles->clear();
  return Refuse();
}

Status UnwritableDB::CreateColumnFamilies(
    const std::vector<ColumnFamilyDescriptor>& /*families*/,
    std::vector<ColumnFamilyHandle*>* handles) {
  if (handles != nullptr) handles->clear();
  return Refuse();
}

Status UnwritableDB::CreateColumnFamilyWithImport(
    const ColumnFamilyOptions& /*options*/, const std::string& /*name*/,
    const ImportColumnFamilyOptions& /*import_options*/,
    const std::vector<const ExportImportFilesMetaData*>& /*metadatas*/,
    ColumnFamilyHandle** handle) {
  if (handle != nullptr) *handle = nullptr;
  return Refuse();
}

Status UnwritableDB::DropColumnFamily(ColumnFamilyHandle* /*family*/) {
  return Refuse();
}

Status UnwritableDB::DropColumnFamilies(
    const std::vector<ColumnFamilyHandle*>& /*families*/) {
  return Refuse();
}

Status UnwritableDB::Put(const WriteOptions& /*options*/,
                         ColumnFamilyHandle* /*family*/, const Slice& /*key*/,
                         const Slice& /*value*/) {
  return Refuse();
}

Status UnwritableDB::PutEntity(const WriteOptions& /*options*/,
                               ColumnFamilyHandle* /*family*/,
                               const Slice& /*key*/,
                               const WideColumns& /*columns*/) {
  return Refuse();
}

Status UnwritableDB::Delete(const WriteOptions& /*options*/,
                            ColumnFamilyHandle* /*family*/,
                            const Slice& /*key*/) {
  return Refuse();
}

Status UnwritableDB::SingleDelete(const WriteOptions& /*options*/,
                                  ColumnFamilyHandle* /*family*/,
                                  const Slice& /*key*/) {
  return Refuse();
}

Status UnwritableDB::DeleteRange(const WriteOptions& /*options*/,
                                 ColumnFamilyHandle* /*family*/,
                                 const Slice& /*begin*/, const Slice& /*end*/) {
  return Refuse();
}

Status UnwritableDB::Merge(const WriteOptions& /*options*/,
                           ColumnFamilyHandle* /*family*/, const Slice& /*key*/,
                           const Slice& /*value*/) {
  return Refuse();
}

Status UnwritableDB::Merge(const WriteOptions& /*options*/,
                           ColumnFamilyHandle* /*family*/, const Slice& /*key*/,
                           const Slice& /*ts*/, const Slice& /*value*/) {
  return Refuse();
}

Status UnwritableDB::Write(const WriteOptions& /*options*/,
                           WriteBatch* /*updates*/) {
  return Refuse();
}

Status UnwritableDB::WriteWithCallback(const WriteOptions& /*options*/,
                                       WriteBatch* /*updates*/,
                                       UserWriteCallback* /*callback*/) {
  return Refuse();
}

Status UnwritableDB::IngestWriteBatchWithIndex(
    const WriteOptions& /*options*/,
    std::shared_ptr<WriteBatchWithIndex> /*wbwi*/) {
  return Refuse();
}

Status UnwritableDB::Flush(const FlushOptions& /*options*/,
                           ColumnFamilyHandle* /*family*/) {
  return Refuse();
}

Status UnwritableDB::Flush(
    const FlushOptions& /*options*/,
    const std::vector<ColumnFamilyHandle*>& /*families*/) {
  return Refuse();
}

Status UnwritableDB::FlushWAL(bool /*sync*/) { return Refuse(); }

Status UnwritableDB::FlushWAL(const FlushWALOptions& /*options*/) {
  return Refuse();
}

Status UnwritableDB::SyncWAL() { return Refuse(); }

Status UnwritableDB::LockWAL() { return Refuse(); }

Status UnwritableDB::UnlockWAL() { return Refuse(); }

Status UnwritableDB::SetOptions(
    ColumnFamilyHandle* /*family*/,
    const std::unordered_map<std::string, std::string>& /*new_options*/) {
  return Refuse();
}

Status UnwritableDB::SetOptions(
    const std::unordered_map<
        ColumnFamilyHandle*,
        std::unordered_map<std::string,
                           std::string>>& /*options_of_families*/) {
  return Refuse();
}

Status UnwritableDB::SetDBOptions(
    const std::unordered_map<std::string, std::string>& /*new_options*/) {
  return Refuse();
}

Status UnwritableDB::CompactRange(const CompactRangeOptions& /*options*/,
                                  ColumnFamilyHandle* /*family*/,
                                  const Slice* /*begin*/,
                                  const Slice* /*end*/) {
  return Refuse();
}

Status UnwritableDB::SuggestCompactRange(ColumnFamilyHandle* /*family*/,
                                         const Slice* /*begin*/,
                                         const Slice* /*end*/) {
  return Refuse();
}

Status UnwritableDB::PromoteL0(ColumnFamilyHandle* /*family*/,
                               int /*target_level*/) {
  return Refuse();
}

Status UnwritableDB::CompactFiles(
    const CompactionOptions& /*options*/, ColumnFamilyHandle* /*family*/,
    const std::vector<std::string>& /*input_names*/, int /*output_level*/,
    int /*output_path_id*/, std::vector<std::string>* /*output_names*/,
    CompactionJobInfo* /*info*/) {
  return Refuse();
}

Status UnwritableDB::IncreaseFullHistoryTsLow(ColumnFamilyHandle* /*family*/,
                                              std::string /*ts_low*/) {
  return Refuse();
}

Status UnwritableDB::GetTablesWithoutBlobs(
    ColumnFamilyHandle* /*handle*/, const std::string& /*directory*/,
    std::vector<LiveFileMetaData>* /*files*/) {
  return Refuse();
}

Status UnwritableDB::GetCurrentWalFile(std::unique_ptr<WalFile>* /*current*/) {
  return Refuse();
}

Status UnwritableDB::IngestExternalFile(
    ColumnFamilyHandle* /*family*/, const std::vector<std::string>& /*files*/,
    const IngestExternalFileOptions& /*options*/) {
  return Refuse();
}

Status UnwritableDB::IngestExternalFiles(
    const std::vector<IngestExternalFileArg>& /*args*/) {
  return Refuse();
}

Status UnwritableDB::PrepareFileIngestion(
    const std::vector<IngestExternalFileArg>& /*args*/,
    std::unique_ptr<FileIngestionHandle>* /*handle*/) {
  return Refuse();
}

Status UnwritableDB::GetPreparedFileInfoForExternalSstIngestion(
    const std::string& /*file_path*/,
    std::shared_ptr<const PreparedFileInfo>* /*file_info*/) {
  return Refuse();
}

Status UnwritableDB::CommitFileIngestionHandles(
    std::vector<std::unique_ptr<FileIngestionHandle>> /*handles*/) {
  return Refuse();
}

Status UnwritableDB::ClipColumnFamily(ColumnFamilyHandle* /*family*/,
                                      const Slice& /*begin_key*/,
                                      const Slice& /*end_key*/) {
  return Refuse();
}

Status UnwritableDB::DeleteFilesInRanges(ColumnFamilyHandle* /*family*/,
                                         const RangePtr* /*ranges*/,
                                         size_t /*n*/, bool /*include_end*/) {
  return Refuse();
}

}  // namespace ROCKSDB_NAMESPACE
