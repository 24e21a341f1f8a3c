#pragma once

// `cache_bench`, which measures block caches, inside another program: linked
// from the library `rocksdb_tools`.

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Runs cache_bench with the flags argv[1...]; any number of runs at a time.
//
// Result  0, or 1 where a flag is wrong or the cache answered wrongly, which
//         standard error tells.
int cache_bench_tool(int argc, char** argv);

}  // namespace ROCKSDB_NAMESPACE
