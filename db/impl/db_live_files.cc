// The files that make up a database, for those who copy them.
#include "db/files/live_file_list.h"
#include "db/impl/managed_db.h"
#include "db/impl/unwritable_db.h"
#include "db/intake/changes.h"
#include "db/intake/live_listing.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

LiveFileList::Checksums ChecksumsFor(
    const LiveFilesStorageInfoOptions& options) {
  return options.include_checksum_info ? LiveFileList::Checksums::kAdded
                                       : LiveFileList::Checksums::kLeftOut;
}

// Names are those that the files have beside the manifest, or beside the logs.
enum class Logs { kNamed, kLeftOut };
void NameFiles(const std::vector<LiveFileStorageInfo>& listed, Logs logs,
               std::vector<std::string>* names, uint64_t* manifest_size) {
  names->clear();
  for (const LiveFileStorageInfo& file : listed) {
    if (file.file_type == kWalFile && logs == Logs::kLeftOut) continue;
    if (file.file_type == kDescriptorFile) *manifest_size = file.size;
    names->push_back("/" + file.relative_filename);
  }
}

}  // namespace

Status ManagedDB::GetLiveFilesStorageInfo(
    const LiveFilesStorageInfoOptions& options,
    std::vector<LiveFileStorageInfo>* files) {
  INVARIANT(files != nullptr);
  if (Status s = CheckOpen(); !s.ok()) return s;
  files->clear();
  LiveFileList list(ChecksumsFor(options), files);
  Status s = on_demand_->listing()->List(options, &list);
  if (!s.ok()) files->clear();
  return s;
}

Status ManagedDB::GetLiveFiles(std::vector<std::string>& files,
                               uint64_t* manifest_file_size,
                               bool flush_memtable) {
  INVARIANT(manifest_file_size != nullptr);
  if (Status s = CheckOpen(); !s.ok()) return s;
  std::vector<LiveFileStorageInfo> listed;
  LiveFileList list(LiveFileList::Checksums::kLeftOut, &listed);
  using MemTables = LiveListing::MemTables;
  const Status s = on_demand_->listing()->ListWithoutLogs(
      flush_memtable ? MemTables::kFlushed : MemTables::kLeftOut, &list);
  if (!s.ok()) return s;
  NameFiles(listed, Logs::kLeftOut, &files, manifest_file_size);
  return s;
}

Status UnwritableDB::GetLiveFilesStorageInfo(
    const LiveFilesStorageInfoOptions& options,
    std::vector<LiveFileStorageInfo>* files) {
  INVARIANT(files != nullptr);
  if (Status s = CheckOpen(); !s.ok()) return s;
  files->clear();
  LiveFileList list(ChecksumsFor(options), files);
  Status s = catch_up_->List(&list);
  if (!s.ok()) files->clear();
  return s;
}

Status UnwritableDB::GetLiveFiles(std::vector<std::string>& files,
                                  uint64_t* manifest_file_size,
                                  bool flush_memtable) {
  INVARIANT(manifest_file_size != nullptr);
  if (Status s = CheckOpen(); !s.ok()) return s;
  std::vector<LiveFileStorageInfo> listed;
  LiveFileList list(LiveFileList::Checksums::kLeftOut, &listed);
  if (Status s = catch_up_->List(&list); !s.ok()) return s;
  // What cannot be flushed is in the logs.
  NameFiles(listed, flush_memtable ? Logs::kNamed : Logs::kLeftOut, &files,
            manifest_file_size);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
