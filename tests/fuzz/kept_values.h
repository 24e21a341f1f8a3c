// Values and properties whose form a utility or an application's object gives
// them, as decoders of arbitrary bytes.
//
// Threads    Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::fuzz {

// A list of length-prefixed values of a database with a time to live: read,
// filtered and merged. How many are well formed?
size_t RunTtlValues(const Slice& bytes);
std::vector<std::string> TtlValuesSeeds();

// The same of values and operands that name their function.
size_t RunAggValues(const Slice& bytes);
std::vector<std::string> AggValuesSeeds();

// The property by which scans pass table files over. 1: it passes one over.
size_t RunQueryFilter(const Slice& bytes);
std::vector<std::string> QueryFilterSeeds();

// The property that says which compression manager, and which types, a table
// file was written with. 1: there is a decompressor.
size_t RunCompressionMark(const Slice& bytes);
std::vector<std::string> CompressionMarkSeeds();

}  // namespace ROCKSDB_NAMESPACE::fuzz
