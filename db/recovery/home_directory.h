// The directory of a database that writes, and the others it needs: made,
// locked, and with the small files in them by which a database is known.
//
// Threads    One, while the database is opened or closed.
// Ownership  Owns the handle and the lock. Close() gives both back.
#pragma once

#include <memory>
#include <string>

#include "options/db_options.h"
#include "rocksdb/file_system.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class VersionSet;

class HomeDirectory {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string db_name;
    std::string wal_dir;
    FileOptions file_options;
    Mutex* mutex = nullptr;  // the DB mutex
  };
  explicit HomeDirectory(Context context);
  HomeDirectory(const HomeDirectory&) = delete;
  HomeDirectory& operator=(const HomeDirectory&) = delete;

  Status MakeDirectories();
  // Before anything of what is there is touched: it may be another process's.
  Status Lock();
  // Behind it a database is there: the one that was, or a new one. With kEnough
  // one counts that has a manifest, though CURRENT is lost.
  enum class ManifestAlone { kEnough, kTooLittle };
  Status Open(ManifestAlone manifest_alone);
  // The manifest's id wins over IDENTITY's; with neither there is a new one.
  Status EnsureIdentity(VersionSet* versions);
  // The file IDENTITY goes where the options do not want it. Until a manifest
  // with the id is in force nothing else may have it.
  Status DropUnwantedIdentity() const;
  FSDirectory* directory() const { return directory_.get(); }

  // A lock that somebody else took, to be given back at the end.
  void Keep(FileLock* lock) { lock_ = lock; }
  Status Close();

 private:
  Status CreateOrCheck(ManifestAlone manifest_alone);

  const Context context_;
  std::unique_ptr<FSDirectory> directory_;
  FileLock* lock_ = nullptr;
  std::string new_id_;  // the id of a database that was just made
};

}  // namespace ROCKSDB_NAMESPACE
