// What a database that is closed tells the next open by the manifest, with
// optimize_manifest_for_recovery: which families have nothing in logs, so that
// it does not replay any for them.
//
// Threads    One, without the DB mutex, when no more work is done and nobody
//            writes.
// Ownership  Borrows what it is given.
// Errors     Those of the log and of the manifest. Without what it says, the
//            next open replays more.
#pragma once

#include "options/db_options.h"
#include "rocksdb/file_system.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class FamilyRegistry;
class LogKeeper;
class VersionSet;

class CleanEnd {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    VersionSet* versions = nullptr;
    LogKeeper* logs = nullptr;
    FSDirectory* directory = nullptr;  // the manifest's
  };
  explicit CleanEnd(const Context& context) : context_(context) {}

  Status Log() EXCLUDES(context_.mutex);

 private:
  Status SyncLogs() EXCLUDES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
