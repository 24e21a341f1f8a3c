// DBImpl: the files that make up the database, for those who copy them.
#include "db/files/live_file_list.h"
#include "db/impl/db_impl.h"
#include "db/intake/changes.h"
#include "db/intake/live_listing.h"
#include "db/recovery/catch_up.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::GetLiveFilesStorageInfo(
    const LiveFilesStorageInfoOptions& options,
    std::vector<LiveFileStorageInfo>* files) {
  INVARIANT(files != nullptr);
  if (Status s = CheckOpen(); !s.ok()) return s;
  files->clear();
  LiveFileList list(options.include_checksum_info
                        ? LiveFileList::Checksums::kAdded
                        : LiveFileList::Checksums::kLeftOut,
                    files);
  const Status s = on_demand_ != nullptr
                       ? on_demand_->listing()->List(options, &list)
                       : catch_up_->List(&list);
  if (!s.ok()) files->clear();
  return s;
}

// Names are those that the files have beside the manifest, or beside the logs.
Status DBImpl::GetLiveFiles(std::vector<std::string>& files,
                            uint64_t* manifest_file_size, bool flush_memtable) {
  INVARIANT(manifest_file_size != nullptr);
  // Beside a follower's tables there is neither CURRENT nor a manifest.
  if (mode_ == Mode::kFollower) return CheckWritable();
  if (Status s = CheckOpen(); !s.ok()) return s;
  std::vector<LiveFileStorageInfo> listed;
  LiveFileList list(LiveFileList::Checksums::kLeftOut, &listed);
  using MemTables = LiveListing::MemTables;
  const bool writes = on_demand_ != nullptr;
  const Status s =
      writes ? on_demand_->listing()->ListWithoutLogs(
                   flush_memtable ? MemTables::kFlushed : MemTables::kLeftOut,
                   &list)
             : catch_up_->List(&list);
  if (!s.ok()) return s;
  files.clear();
  // What cannot be flushed is in the logs.
  const bool with_logs = flush_memtable && !writes;
  for (const LiveFileStorageInfo& file : listed) {
    if (file.file_type == kWalFile && !with_logs) continue;
    if (file.file_type == kDescriptorFile) *manifest_file_size = file.size;
    files.push_back("/" + file.relative_filename);
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
