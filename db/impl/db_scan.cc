// DBImpl: files in the database's directories that nobody needs and nobody
// deletes, since a removal failed, a session was killed, or nobody knows them.
#include <algorithm>
#include <set>

#include "db/files/obsolete_files.h"
#include "db/files/pending_outputs.h"
#include "db/impl/db_impl.h"
#include "db/wal/wal_manager.h"
#include "file/filename.h"
#include "rocksdb/info_log.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What must stay, as of one moment. What comes later has numbers that are
// larger than all that are looked at.
struct Needed {
  std::set<uint64_t> data;           // tables and blob files
  std::set<uint64_t> reusable_logs;  // to be overwritten by logs to come
  uint64_t min_log = 0;
  uint64_t min_manifest = 0;
  uint64_t pending_manifest = 0;  // 0: none
  uint64_t first_pending = 0;

  bool IsLeftOver(FileType type, uint64_t number) const {
    switch (type) {
      case kTableFile:
      case kBlobFile:
        return number < first_pending && data.count(number) == 0;
      case kWalFile:
        return number < min_log && reusable_logs.count(number) == 0;
      case kDescriptorFile:
        return number < min_manifest;
      case kTempFile:
        return number < first_pending &&
               (pending_manifest == 0 || number != pending_manifest);
      default:
        return false;
    }
  }
};

}  // namespace

void DBImpl::ScanForLeftOvers(uint64_t first_pending) {
  INVARIANT(wal_ != nullptr);
  INVARIANT(mode_ == Mode::kReadWrite);
  Needed needed;
  needed.first_pending = first_pending;
  std::vector<std::string> paths;
  {
    MutexLock lock(&mutex_);
    std::vector<uint64_t> live;
    versions_->AddLiveFiles(&live);
    needed.data.insert(live.begin(), live.end());
    needed.min_log =
        std::min({versions_->MinLogNumberNeeded(),
                  versions_->min_log_number_to_keep(), wal_->current_number()});
    for (const WalManager::Live& log : wal_->live()) {
      needed.min_log = std::min(needed.min_log, log.number);
    }
    for (const uint64_t number : wal_->reusable()) {
      needed.reusable_logs.insert(number);
    }
    // A listing names the one that was installed last.
    needed.min_manifest = versions_->MinManifestToKeep();
    needed.pending_manifest = versions_->pending_manifest_number();
    if (needed.pending_manifest != 0) {
      needed.min_manifest = std::min(needed.min_manifest, last_manifest_);
    }
    paths = DataPaths();
    if (std::find(paths.begin(), paths.end(), wal_dir_) == paths.end()) {
      paths.push_back(wal_dir_);
    }
  }
  std::vector<ObsoleteFiles::LeftOver> found;
  for (const std::string& path : paths) {
    std::vector<std::string> names;
    const Status s =
        options_.fs->GetChildren(path, IOOptions(), &names, nullptr);
    if (!s.ok()) {
      ROCKSDB_NAMESPACE::Warn(options_.logger,
                              "cannot look for left-over files in %s: %s",
                              path.c_str(), s.ToString().c_str());
      continue;
    }
    for (const std::string& name : names) {
      uint64_t number = 0;
      FileType type = kTempFile;
      if (!ParseFileName(name, &number, &type)) continue;
      if (!needed.IsLeftOver(type, number)) continue;
      found.push_back({path + "/" + name, type, number});
    }
    obsolete_->AdoptTrash(path);
  }
  obsolete_->AdoptTrash(ArchivalDirectory(wal_dir_));
  obsolete_->AddLeftOvers(std::move(found));
}

// Of any number: no job has an output under way.
void DBImpl::ScanAtOpen() {
  {
    MutexLock lock(&mutex_);
    INVARIANT(!background_.HasThreads());
    last_manifest_ = versions_->MinManifestToKeep();
  }
  const bool has_begun = obsolete_->BeginScan(0);
  INVARIANT(has_begun);
  ScanForLeftOvers(UINT64_MAX);
  RemoveOldOptionsFiles(UINT64_MAX);
  obsolete_->EndScan();
}

void DBImpl::MaybeScan() {
  uint64_t period_micros = 0;
  uint64_t options_file = 0;
  {
    MutexLock lock(&mutex_);
    period_micros = mutable_options_->delete_obsolete_files_period_micros;
    options_file = options_file_number_;
  }
  if (stop_.IsShuttingDown() || !obsolete_->BeginScan(period_micros)) return;
  // In this order: what begins in between begins behind the first.
  const uint64_t next = versions_->next_file_number();
  ScanForLeftOvers(std::min(next, obsolete_->pending_outputs()->First()));
  RemoveOldOptionsFiles(options_file);
  obsolete_->EndScan();
}

}  // namespace ROCKSDB_NAMESPACE
