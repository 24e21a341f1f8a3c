// What a database of any kind stands on before anything of it is opened: its
// names and options, the DB mutex, and the signals that all parts share.
//
// Threads    See README.md beside this file for the order of locks. `mutex`
//            guards metadata only: no I/O and no user callback under it.
// Ownership  Outlives all parts, which borrow from it.
#pragma once

#include <memory>
#include <string>

#include "db/background/error_handler.h"
#include "db/background/stop_signals.h"
#include "db/registry/change_signal.h"
#include "db/registry/current_options.h"
#include "options/db_options.h"
#include "rocksdb/file_system.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BlockCacheTracer;
class DatabaseStats;
class GovernorMembership;
class IoTracer;
class QueryTracer;

struct Foundation {
  // `manifest_directory`: empty means `db_name`; else that of the database
  // which is followed.
  Foundation(const DBOptions& sanitized, std::string db_name,
             const std::string& manifest_directory);
  ~Foundation();
  Foundation(const Foundation&) = delete;
  Foundation& operator=(const Foundation&) = delete;

  // All options with the values that are in force now.
  DBOptions AllOptions() const EXCLUDES(mutex) {
    return BuildDBOptions(options, *current.Get());
  }

  const std::string name;
  const std::string source;  // where the manifest is
  ImmutableDBOptions options;
  const std::string wal_dir;
  const std::string session_id;
  const FileOptions file_options;  // for users' reads
  const std::unique_ptr<const GovernorMembership> io_governor;
  const std::unique_ptr<LockWaitObserver> mutex_times;
  mutable Mutex mutex;
  ChangeSignal changes;
  CurrentOptions current;  // the dynamic options in force
  StopSignals stop;
  ErrorHandler errors GUARDED_BY(mutex);
  const std::unique_ptr<DatabaseStats> counts;
  const std::unique_ptr<QueryTracer> tracer;
  const std::unique_ptr<BlockCacheTracer> block_tracer;
  const std::shared_ptr<IoTracer> io_tracer;
  // What all parts read and write files through: that of the environment, with
  // the tracer in front.
  const std::shared_ptr<FileSystem> traced_files;
};

}  // namespace ROCKSDB_NAMESPACE
