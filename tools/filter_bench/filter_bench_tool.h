// filter_bench inside another program.
//
// Threads  One run at a time: it prints.

#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::filter_bench {

// The exit code: 1 where a flag is wrong, or a filter.
int RunTool(int argc, char** argv);

}  // namespace ROCKSDB_NAMESPACE::filter_bench
