#include "db/files/file_room.h"

#include <algorithm>
#include <set>
#include <utility>

#include "db/files/obsolete_files.h"
#include "db/files/options_files.h"
#include "db/files/pending_outputs.h"
#include "db/manifest/manifest_log.h"
#include "db/manifest/needed_logs.h"
#include "db/manifest/version_set.h"
#include "db/registry/family_registry.h"
#include "db/wal/wal_manager.h"
#include "file/filename.h"
#include "rocksdb/info_log.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// What must stay, as of one moment. What comes later has numbers that are
// larger than all that are looked at.
struct FileRoom::Needed {
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

FileRoom::FileRoom(Context context)
    : context_(std::move(context)), mutex_(context_.mutex) {
  INVARIANT(context_.wal != nullptr);
  INVARIANT(!context_.wal_dir.empty());
  INVARIANT(context_.options_files != nullptr);
  INVARIANT(context_.obsolete != nullptr);
  INVARIANT(context_.versions != nullptr);
}

std::vector<std::string> FileRoom::DataPaths() const {
  context_.mutex->AssertHeld();
  std::vector<std::string> paths{context_.db_name};
  for (const DbPath& path : context_.db->db_paths) {
    if (std::find(paths.begin(), paths.end(), path.path) == paths.end()) {
      paths.push_back(path.path);
    }
  }
  context_.families->AddPaths(&paths);
  return paths;
}

// Logs that no memtable needs any more.
void FileRoom::CollectLogs() {
  mutex_->AssertHeld();
  VersionSet* const versions = context_.versions;
  const uint64_t needed =
      std::max(versions->logs()->min_to_keep(), uint64_t{0});
  const uint64_t min_log = std::min(versions->MinLogNumberNeeded(), needed);
  // What may not be deleted is not to be overwritten either.
  const auto reuse = context_.obsolete->disabled_count() == 0
                         ? WalManager::Reuse::kAllowed
                         : WalManager::Reuse::kForbidden;
  for (uint64_t number : context_.wal->Remove(min_log, reuse)) {
    INVARIANT(number < min_log);
    context_.obsolete->Add(LogFileName(context_.wal_dir, number), kWalFile,
                           number);
  }
  const uint64_t manifest = versions->manifest()->MinNumberToKeep();
  if (last_manifest_ != 0 && last_manifest_ < manifest) {
    context_.obsolete->Add(DescriptorFileName(context_.db_name, last_manifest_),
                           kDescriptorFile, last_manifest_);
  }
  INVARIANT(last_manifest_ <= manifest);
  last_manifest_ = manifest;
}

FileRoom::Needed FileRoom::WhatIsNeeded(uint64_t first_pending) {
  VersionSet* const versions = context_.versions;
  Needed needed;
  needed.first_pending = first_pending;
  std::vector<uint64_t> live;
  versions->published().AddLiveFiles(&live);
  needed.data.insert(live.begin(), live.end());
  needed.min_log =
      std::min({versions->MinLogNumberNeeded(), versions->logs()->min_to_keep(),
                context_.wal->current_number()});
  for (const WalManager::Live& log : context_.wal->live()) {
    needed.min_log = std::min(needed.min_log, log.number);
  }
  for (const uint64_t number : context_.wal->reusable()) {
    needed.reusable_logs.insert(number);
  }
  // A listing names the one that was installed last.
  needed.min_manifest = versions->manifest()->MinNumberToKeep();
  needed.pending_manifest = versions->manifest()->pending_number();
  if (needed.pending_manifest != 0) {
    needed.min_manifest = std::min(needed.min_manifest, last_manifest_);
  }
  return needed;
}

void FileRoom::Scan(uint64_t first_pending) {
  Needed needed;
  std::vector<std::string> paths;
  {
    MutexLock lock(mutex_);
    needed = WhatIsNeeded(first_pending);
    paths = DataPaths();
  }
  const std::string& wal_dir = context_.wal_dir;
  if (std::find(paths.begin(), paths.end(), wal_dir) == paths.end()) {
    paths.push_back(wal_dir);
  }
  std::vector<ObsoleteFiles::LeftOver> found;
  for (const std::string& path : paths) {
    std::vector<std::string> names;
    const Status s =
        context_.db->fs->GetChildren(path, IOOptions(), &names, nullptr);
    if (!s.ok()) {
      Warn(context_.db->logger, "cannot look for left-over files in %s: %s",
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
    context_.obsolete->AdoptTrash(path);
  }
  context_.obsolete->AdoptTrash(ArchivalDirectory(wal_dir));
  context_.obsolete->AddLeftOvers(std::move(found));
}

void FileRoom::ScanAtOpen() {
  {
    MutexLock lock(mutex_);
    last_manifest_ = context_.versions->manifest()->MinNumberToKeep();
  }
  const bool has_begun = context_.obsolete->BeginScan(0);
  INVARIANT(has_begun);
  Scan(UINT64_MAX);
  context_.options_files->RemoveOld(UINT64_MAX);
  context_.obsolete->EndScan();
}

void FileRoom::MaybeScan(uint64_t period_micros) {
  uint64_t options_file = 0;
  {
    MutexLock lock(mutex_);
    options_file = context_.options_files->current();
  }
  if (!context_.obsolete->BeginScan(period_micros)) return;
  // In this order: what begins in between begins behind the first.
  const uint64_t next = context_.versions->next_file_number();
  Scan(std::min(next, context_.obsolete->pending_outputs()->First()));
  context_.options_files->RemoveOld(options_file);
  context_.obsolete->EndScan();
}

}  // namespace ROCKSDB_NAMESPACE
