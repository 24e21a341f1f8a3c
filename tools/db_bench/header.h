// What db_bench says before it measures: engine, machine, data, settings.
//
// Threads    Call from the main thread.

#pragma once

#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

// Engine, date and processor to stderr, the rest to stdout.
void PrintHeader(const Options& options);

}  // namespace ROCKSDB_NAMESPACE::bench
