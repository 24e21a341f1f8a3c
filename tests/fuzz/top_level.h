// What stands over the partitions of an index or a filter, as a decoder of
// arbitrary bytes: its handles lead to blocks of any kind.
//
// Threads    Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::fuzz {

// The first byte says which small table gets the rest as a new top level,
// behind its other blocks, of what, and how the table is then read. How many of
// its keys are found?
size_t RunTopLevel(const Slice& bytes);
std::vector<std::string> TopLevelSeeds();

}  // namespace ROCKSDB_NAMESPACE::fuzz
