// Flags of a command line that do not exist, and which one may be meant.
//
// Threads  One.
#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

// The first name on the command line that is no flag; empty: all are.
std::string FirstUnknownFlag(int argc, char** argv);

// The flag whose name takes the fewest changes to become `name`; empty: none is
// near.
std::string NearestFlag(const std::string& name);

}  // namespace ROCKSDB_NAMESPACE::bench
