#pragma once

// `point_lock_bench`, which measures the locks of transactions on keys, inside
// another program: linked from the library `rocksdb_tools`.

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Runs point_lock_bench with the flags argv[1...], on a database of its own.
//
// Result  0, or 1 where a flag is wrong, a call failed that should not, or a
//         lock was given twice, which standard error tells.
int point_lock_bench_tool(int argc, char** argv);

}  // namespace ROCKSDB_NAMESPACE
