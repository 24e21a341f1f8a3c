// DBImpl: the files that make up the database, for those who copy them.
#include <algorithm>

#include "db/family/family_registry.h"
#include "db/files/live_file_list.h"
#include "db/files/log_keeper.h"
#include "db/files/options_files.h"
#include "db/impl/db_impl.h"
#include "db/intake/flush_requests.h"
#include "db/intake/intake.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/resume_control.h"
#include "db/recovery/catch_up.h"
#include "db/version/version_set.h"
#include "db/wal/wal_manager.h"
#include "file/filename.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// Long logs cost more to copy than their data would in tables.
Status DBImpl::FlushForListing(const LiveFilesStorageInfoOptions& options) {
  INVARIANT(mode_ == Mode::kReadWrite);
  if (options.wal_size_for_flush == UINT64_MAX) return Status::OK();
  if (options.wal_size_for_flush > 0 &&
      logs_->wal()->TotalBytes() < options.wal_size_for_flush) {
    return Status::OK();
  }
  FlushOptions flush;
  flush.force_atomic_flush = options.atomic_flush;
  const Status s =
      intake_->flush_requests()->FlushAll(flush, FlushReason::kGetLiveFiles);
  // Under a lock of the log, what it has is copied from there.
  return s.IsAborted() ? intake_->flush_requests()->FlushOnlyUnlogged(
                             FlushReason::kGetLiveFiles)
                       : s;
}

void DBImpl::ListWhatIsWritten(LiveFileList* list) {
  INVARIANT(list != nullptr);
  for (const auto& entry : *families_) list->AddFamily(entry.second->cfd.get());
  // Not beyond what is installed: tables of what comes then are not listed.
  const auto [manifest, manifest_bytes] = versions_->installed_manifest();
  list->AddManifest(name_, manifest, manifest_bytes);
  list->AddOptionsFile(options_.fs, name_, options_files_->current());
}

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
  Status s;
  if (mode_ != Mode::kReadWrite) {
    s = catch_up_->List(&list);
    if (!s.ok()) files->clear();
    return s;
  }
  if (s = FlushForListing(options); !s.ok()) return s;
  // Most of what is to be synced is synced while writes go on.
  if (s = SyncWAL(); !s.ok()) return s;
  // No write: logs end at a record, and with the same one in all families.
  s = wal_lock_->WithLogAtRest([&]() {
    const Status synced = logs_->FlushOrSync({.sync = true});
    MutexLock lock(&mutex_);
    if (!synced.ok()) {
      resume_->OnBackgroundError(synced, BackgroundErrorReason::kWriteCallback);
      return synced;
    }
    ListWhatIsWritten(&list);
    return logs_->ListLive(errors_.error(), &list);
  });
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
  Status s;
  if (mode_ != Mode::kReadWrite) {
    s = catch_up_->List(&list);
  } else {
    if (flush_memtable) {
      s = intake_->flush_requests()->FlushAll(FlushOptions(),
                                              FlushReason::kGetLiveFiles);
    }
    if (!s.ok()) return s;
    MutexLock lock(&mutex_);
    ListWhatIsWritten(&list);
  }
  if (!s.ok()) return s;
  files.clear();
  // What cannot be flushed is in the logs.
  const bool with_logs = flush_memtable && mode_ != Mode::kReadWrite;
  for (const LiveFileStorageInfo& file : listed) {
    if (file.file_type == kWalFile && !with_logs) continue;
    if (file.file_type == kDescriptorFile) *manifest_file_size = file.size;
    files.push_back("/" + file.relative_filename);
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
