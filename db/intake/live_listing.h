// The files that make up a database that writes, for those who copy them.
//
// Threads    Any, without the DB mutex.
// Ownership  Borrows what it is given. What is listed stays as long as
//            deletions are disabled, which is the caller's.
#pragma once

#include <string>
#include <vector>

#include "rocksdb/metadata.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class DirectBlobs;
class ErrorHandler;
class FamilyRegistry;
class FileSystem;
class FlushRequests;
class LiveFileList;
class LogKeeper;
class LogRequests;
class OptionsFiles;
class VersionSet;
class WalLock;

class LiveListing {
 public:
  struct Context {
    FileSystem* fs = nullptr;
    std::string db_name;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    const ErrorHandler* error PT_GUARDED_BY(mutex) = nullptr;
    VersionSet* versions = nullptr;
    OptionsFiles* options_files = nullptr;
    LogKeeper* logs = nullptr;
    LogRequests* log_requests = nullptr;
    FlushRequests* flush_requests = nullptr;
    WalLock* wal_lock = nullptr;
    const DirectBlobs* direct_blobs = nullptr;
    // Logs may hold prepared transactions, which no plain database opens: what
    // is committed is flushed whatever the limit.
    bool always_flushes = false;
  };
  explicit LiveListing(Context context);
  LiveListing(const LiveListing&) = delete;
  LiveListing& operator=(const LiveListing&) = delete;

  // With its logs, which are synced, and the blob files that these refer to,
  // as far as they are written. As in RocksDB, NotSupported where there are
  // such files and nothing is to be flushed.
  Status List(const LiveFilesStorageInfoOptions& asked, LiveFileList* list)
      EXCLUDES(context_.mutex);
  enum class MemTables { kFlushed, kLeftOut };
  // Without them: what cannot be flushed is in the logs.
  Status ListWithoutLogs(MemTables memtables, LiveFileList* list)
      EXCLUDES(context_.mutex);

 private:
  Status FlushFor(const LiveFilesStorageInfoOptions& options)
      EXCLUDES(context_.mutex);
  void ListWhatIsWritten(LiveFileList* list) REQUIRES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
