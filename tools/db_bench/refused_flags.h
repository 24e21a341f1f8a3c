// Flags of RocksDB's program whose work is not done here: they take their
// default, which command lines carry, and no other value.
//
// Threads    Any, once the command line is read.

#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

// Empty if all of them have their default; else the first that has not, and
// why it is refused.
std::string CheckRefusedFlags();

}  // namespace ROCKSDB_NAMESPACE::bench
