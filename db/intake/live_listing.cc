#include "db/intake/live_listing.h"

#include <utility>

#include "db/background/error_handler.h"
#include "db/files/live_file_list.h"
#include "db/files/log_keeper.h"
#include "db/files/options_files.h"
#include "db/intake/direct_blobs.h"
#include "db/intake/flush_requests.h"
#include "db/intake/log_requests.h"
#include "db/intake/wal_lock.h"
#include "db/manifest/manifest_log.h"
#include "db/manifest/version_set.h"
#include "db/outputs/memtable_blobs.h"
#include "db/registry/family_registry.h"
#include "db/wal/wal_manager.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

LiveListing::LiveListing(Context context) : context_(std::move(context)) {
  INVARIANT(context_.options_files != nullptr);
  INVARIANT(context_.flush_requests != nullptr);
}

// Long logs cost more to copy than their data would in tables.
Status LiveListing::FlushFor(const LiveFilesStorageInfoOptions& options) {
  if (options.wal_size_for_flush == UINT64_MAX) return Status::OK();
  if (options.wal_size_for_flush > 0 &&
      context_.logs->wal()->TotalBytes() < options.wal_size_for_flush) {
    return Status::OK();
  }
  FlushOptions flush;
  flush.force_atomic_flush = options.atomic_flush;
  constexpr FlushReason kReason = FlushReason::kGetLiveFiles;
  const Status s = context_.flush_requests->FlushAll(flush, kReason);
  // Under a lock of the log, what it has is copied from there.
  return s.IsAborted() ? context_.flush_requests->FlushOnlyUnlogged(kReason)
                       : s;
}

void LiveListing::ListWhatIsWritten(LiveFileList* list) {
  INVARIANT(list != nullptr);
  for (const auto& entry : *context_.families) {
    list->AddFamily(entry.second->cfd.get());
  }
  // Not beyond what is installed: tables of what comes then are not listed.
  const auto [manifest, manifest_bytes] =
      context_.versions->manifest()->installed();
  list->AddManifest(context_.db_name, manifest, manifest_bytes);
  list->AddOptionsFile(context_.fs, context_.db_name,
                       context_.options_files->current());
  // What the logs refer to.
  for (const auto& file : context_.direct_blobs->Unlisted()) {
    list->AddGrowingBlob(file.path, file.number, file.size_bytes);
  }
}

Status LiveListing::List(const LiveFilesStorageInfoOptions& asked,
                         LiveFileList* list) {
  LiveFilesStorageInfoOptions options = asked;
  if (context_.always_flushes) options.wal_size_for_flush = 0;
  if (options.wal_size_for_flush == UINT64_MAX &&
      context_.direct_blobs->HasUnlisted()) {
    return Status::NotSupported(
        "Blob direct write requires flushing active blob files for "
        "checkpoints and backups");
  }
  if (Status s = FlushFor(options); !s.ok()) return s;
  // This is what FlushWAL() does for users: it counts the sync and closes older
  // logs that are synced now. What is written meanwhile is synced below.
  FlushWALOptions sync;
  sync.sync = true;
  if (Status s = context_.log_requests->Flush(sync); !s.ok()) return s;
  // No write: logs end at a record, and with the same one in all families.
  return context_.wal_lock->WithLogAtRest([&]() {
    Status s = context_.log_requests->SyncAtRest();
    if (!s.ok()) return s;
    MutexLock lock(context_.mutex);
    ListWhatIsWritten(list);
    return context_.logs->ListLive(context_.error->error(), list);
  });
}

Status LiveListing::ListWithoutLogs(MemTables memtables, LiveFileList* list) {
  if (memtables == MemTables::kFlushed) {
    Status s = context_.flush_requests->FlushAll(FlushOptions(),
                                                 FlushReason::kGetLiveFiles);
    if (!s.ok()) return s;
  }
  MutexLock lock(context_.mutex);
  ListWhatIsWritten(list);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
