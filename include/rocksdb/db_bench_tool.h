#pragma once

// `db_bench`, which measures the engine, inside another program: linked from
// the library `rocksdb_tools`, which needs gflags.

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/tool_hooks.h"

namespace ROCKSDB_NAMESPACE {

// Runs db_bench with the flags argv[1...], on a database that `hooks` opens.
// One run at a time: the flags are the process's.
//
// Result  0, or 1 where something failed, which standard error tells.
int db_bench_tool(int argc, char** argv, ToolHooks& hooks = defaultHooks);

}  // namespace ROCKSDB_NAMESPACE
