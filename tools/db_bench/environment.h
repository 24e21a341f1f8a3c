// The Env of the database: where its files are, what is counted, slowed down
// or failed of them, its threads and its log.
//
// Threads    SetEnvironment() from the main thread, before the database is
//            opened; the rest from it as well.
// Errors     InvalidArgument or NotSupported, with the flag.

#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/engine_options.h"

namespace ROCKSDB_NAMESPACE::bench {

Status SetEnvironment(OptionSet* set);

// With --report_file_operations, what was done to files since the last call;
// else empty.
std::string TakeFileReport();

}  // namespace ROCKSDB_NAMESPACE::bench
