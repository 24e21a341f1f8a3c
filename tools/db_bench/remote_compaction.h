// Compactions by another process, for the benchmark openandcompact.
//
// Threads    Call from the main thread, before the database is opened.

#pragma once

#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

// If that benchmark is to be run, gives the database a service that it uses
// while that runs.
void SetRemoteCompaction(DBOptions* db);

}  // namespace ROCKSDB_NAMESPACE::bench
