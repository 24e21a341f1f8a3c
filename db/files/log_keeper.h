// The write-ahead logs of a database that writes: the next one and its number,
// what is flushed, synced and charged, which ones there are, and where those go
// that nothing needs any more. WalManager writes them.
//
// Threads    Marked (mutex): under the DB mutex. Marked (turn): while nobody
//            else appends, as the leader of all writes or in turn(). The others
//            any.
// Ownership  Owns the logs and their directory; borrows the rest.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "options/db_options.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/wal_iterator.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class CurrentOptions;
class LiveFileList;
class ObsoleteFiles;
class PageCacheRoom;
class VersionSet;
class WalArchive;
class WalManager;

class LogKeeper {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string wal_dir;
    FileOptions file_options;
    const PageCacheRoom* page_cache = nullptr;
    Mutex* mutex = nullptr;
    const CurrentOptions* options = nullptr;
    VersionSet* versions = nullptr;
    FSDirectory* manifest_directory = nullptr;
    ObsoleteFiles* obsolete = nullptr;
  };
  explicit LogKeeper(Context context);
  ~LogKeeper();
  LogKeeper(const LogKeeper&) = delete;
  LogKeeper& operator=(const LogKeeper&) = delete;

  // First of all; a log is there from the first Switch() on.
  Status Open();
  // Obsolete logs are archived or deleted, as the options say, until the end.
  void StartArchive();
  void PruneArchive();
  void StopArchive();
  Status Close();

  WalManager* wal() const { return wal_.get(); }
  const std::string& wal_dir() const { return context_.wal_dir; }
  // Held over an append where there are two appenders, and by whoever flushes,
  // syncs or changes the log. Not while holding the DB mutex.
  Mutex* turn() { return &turn_; }

  // --- the next log
  uint64_t NextNumber() const;
  // About what a log will hold: what fills a memtable.
  static uint64_t Preallocation(const ColumnFamilyData& cfd);
  // Gives the mutex back meanwhile. (mutex), by the leader of all writes
  Status Switch(uint64_t number, uint64_t preallocate_bytes);
  void Precreate(const MutableDBOptions& now);
  // Beside the manifest the name of a log is durable as soon as that is.
  Status SyncName() const;

  // --- what is logged reaches the operating system, or the device
  Status FlushOrSync(const FlushWALOptions& options);
  // What FlushOrSync() gave to the operating system goes to the device, beside
  // appends. NotSupported where a file does not allow that.
  Status SyncFlushed();
  // Bytes of the log count for the user's rate limiter if its priority says so.
  void Charge(Env::IOPriority priority, size_t bytes) const;
  // The manifest is told of logs that were synced, before a table is ahead of
  // them. (mutex), which is given back meanwhile
  Status TrackSynced();
  // wal_bytes_per_sync has changed.
  void SetWriteBack(const MutableDBOptions& now);

  // --- beyond so many bytes of logs, the families that hold them are flushed
  void SetLimit(uint64_t bytes) {
    max_bytes_.store(bytes, std::memory_order_relaxed);
  }
  uint64_t limit() const { return max_bytes_.load(std::memory_order_relaxed); }

  // --- which logs there are
  Status List(VectorWalPtr* files) const;
  Status DescribeCurrent(std::unique_ptr<WalFile>* current) const;
  // Those that a copy of the database needs. One that failed may lack what
  // memtables have: while `error` is in force, it is the answer. (mutex)
  Status ListLive(const Status& error, LiveFileList* list) const;

 private:
  const Context context_;
  std::unique_ptr<FSDirectory> directory_;
  std::unique_ptr<WalManager> wal_;
  std::shared_ptr<WalArchive> archive_;
  Mutex turn_;
  std::atomic<uint64_t> max_bytes_{UINT64_MAX};
};

}  // namespace ROCKSDB_NAMESPACE
