// Which files of a database that writes are needed: logs and manifests that
// nothing needs any more are handed to ObsoleteFiles, and so is what was left
// over, since a removal failed, a session was killed, or nobody knows it.
//
// Threads    Marked (mutex): under the DB mutex. The others take it; one scan
//            at a time.
// Ownership  Borrows what it is given.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "options/db_options.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class FamilyRegistry;
class ObsoleteFiles;
class OptionsFiles;
class VersionSet;
class WalManager;

class FileRoom {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string db_name;
    std::string wal_dir;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    VersionSet* versions = nullptr;
    WalManager* wal = nullptr;
    ObsoleteFiles* obsolete = nullptr;
    OptionsFiles* options_files = nullptr;
  };
  explicit FileRoom(Context context);
  FileRoom(const FileRoom&) = delete;
  FileRoom& operator=(const FileRoom&) = delete;

  // Directories with files of the database but for logs. (mutex)
  std::vector<std::string> DataPaths() const;
  // Logs that no memtable needs any more, and the manifest before. (mutex)
  void CollectLogs();
  // Scans files of any number: no job has an output under way.
  void ScanAtOpen() EXCLUDES(mutex_);
  // Scans unless the last scan began less than `period_micros` ago.
  void MaybeScan(uint64_t period_micros) EXCLUDES(mutex_);

 private:
  struct Needed;
  // `first_pending`: files with numbers from there on may be being made.
  void Scan(uint64_t first_pending) EXCLUDES(mutex_);
  Needed WhatIsNeeded(uint64_t first_pending) REQUIRES(mutex_);

  const Context context_;
  Mutex* const mutex_;
  uint64_t last_manifest_ GUARDED_BY(mutex_) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
