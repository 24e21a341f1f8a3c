// A whole run of db_bench.
//
// Threads  One run at a time: flags are the process's.
#pragma once

#include "rocksdb/rocksdb_namespace.h"
#include "tools/db_bench/openings.h"

namespace ROCKSDB_NAMESPACE::bench {

// What the process is to end with: 0, or 1 where something failed, which
// standard error tells.
int RunDbBench(int argc, char** argv, const Openings& openings);

}  // namespace ROCKSDB_NAMESPACE::bench
