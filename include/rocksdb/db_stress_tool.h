#pragma once

// `db_stress`, which works on a database from many threads and knows what every
// read may answer, inside another program: linked from the library
// `rocksdb_tools`.

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Runs db_stress with the flags argv[1...]. One run at a time.
//
// Result  0: all is right. 1: something is wrong. 2: the flags, or the options
//         that they make, are refused. Details go to standard error.
int db_stress_tool(int argc, char** argv);

}  // namespace ROCKSDB_NAMESPACE
